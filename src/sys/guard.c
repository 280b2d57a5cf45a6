#include "guard.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"

#define END_NS (10 * NS_PER_S)

/* Whatever would end it and may be caught. */
static const int asks_end[] = {
	SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGALRM, SIGUSR1, SIGUSR2, SIGVTALRM,
	SIGPROF, SIGXCPU, SIGIO,
};

#define NASKS (sizeof(asks_end) / sizeof(asks_end[0]))

static volatile sig_atomic_t asked;
static volatile sig_atomic_t child_ended;

static void
on_ask(int sig)
{
	if (!asked)
		asked = sig;
}

static void
on_child(int sig)
{
	(void)sig;
	child_ended = 1;
}

static void
on_nothing(int sig)
{
	(void)sig;
}

static bool
is_ignored(int sig)
{
	struct sigaction action;

	return sigaction(sig, NULL, &action) == 0 &&
	       action.sa_handler == SIG_IGN;
}

int
guard_begin(struct guard *guard, struct errmsg *why)
{
	struct sigaction action = { .sa_handler = on_ask };
	sigset_t block;

	memset(guard, 0, sizeof(*guard));
	children_note(&guard->foreign);
	/* Without it (before Linux 3.4) orphans escape to init. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	for (size_t i = 0; i < NASKS; i++)
		sigaddset(&block, asks_end[i]);
	if (sigprocmask(SIG_SETMASK, &block, NULL) < 0)
		return errmsg_errno(why, "cannot block signals");
	/* nohup's SIGHUP and a background job's SIGINT stay ignored. */
	for (size_t i = 0; i < NASKS; i++)
		if (!is_ignored(asks_end[i]))
			sigaction(asks_end[i], &action, NULL);
	action.sa_handler = on_child;
	sigaction(SIGCHLD, &action, NULL);
	/* Told by write() instead. */
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
	sigaction(SIGXFSZ, &action, NULL);
	return 0;
}

int
guard_undo(struct guard *guard, void (*undo)(void *what), void *what)
{
	if (guard->nundos == GUARD_UNDOS)
		return -1;
	guard->undos[guard->nundos].undo = undo;
	guard->undos[guard->nundos++].what = what;
	return 0;
}

/*
 * The signals of a terminal come to all of the group, but it is the guard who
 * ends things: its children let them pass. An exec makes such a handler the
 * default. Only nohup's SIGHUP stays ignored in all of them.
 */
static void
set_signals(void)
{
	struct sigaction action = { .sa_handler = SIG_DFL };
	sigset_t none;

	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGKILL && sig != SIGSTOP &&
		    !(sig == SIGHUP && is_ignored(sig)))
			sigaction(sig, &action, NULL);
	action.sa_handler = on_nothing;
	for (size_t i = 0; i < NASKS; i++)
		if (asks_end[i] != SIGTERM && !is_ignored(asks_end[i]))
			sigaction(asks_end[i], &action, NULL);
	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Kept apart from /proc, which need not be there when they are to be ended. */
static int
note_forked(struct guard *guard, pid_t pid)
{
	size_t bytes = (guard->nforked + 1) * sizeof(*guard->forked);
	pid_t *forked = realloc(guard->forked, bytes);

	if (!forked)
		return -1;
	guard->forked = forked;
	guard->forked[guard->nforked++] = pid;
	return 0;
}

pid_t
guard_fork(struct guard *guard, int on_death)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid > 0 && note_forked(guard, pid) < 0) {
		kill(pid, SIGKILL);
		errno = ENOMEM;
		return -1;
	}
	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, on_death, 0, 0, 0);
	if (getppid() != parent)
		_exit(125);
	set_signals();
	return 0;
}

int
guard_asked(void)
{
	sigset_t none, block;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, &block);
	sigprocmask(SIG_SETMASK, &block, NULL);
	return asked;
}

enum guard_event
guard_wait(int fd, int64_t until_ns)
{
	struct pollfd poll = { .fd = fd, .events = POLLIN };
	struct timespec left = { 0, 0 };
	sigset_t none;

	sigemptyset(&none);
	/* ppoll lets signals in only where it waits: not if fd is ready. */
	guard_asked();
	for (;;) {
		int64_t ns = until_ns ? until_ns - clock_ns() : 0;
		int n;

		if (asked)
			return GUARD_SIGNAL;
		if (child_ended) {
			child_ended = 0;
			return GUARD_CHILD;
		}
		if (until_ns && ns <= 0)
			return GUARD_TIME;
		left.tv_sec = (time_t)(ns / NS_PER_S);
		left.tv_nsec = (long)(ns % NS_PER_S);
		/* Looking and waiting are one step: none is missed between. */
		n = ppoll(&poll, fd >= 0, until_ns ? &left : NULL,
		          &none);
		if (n > 0)
			return GUARD_READY;
	}
}

void
guard_kill(const pid_t *pids, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (pids[i] > 0 && waitpid(pids[i], NULL, WNOHANG) == 0)
			kill(pids[i], SIGKILL);
}

int
guard_end(struct guard *guard)
{
	bool undone = guard->nundos > 0;
	int left;

	guard_kill(guard->forked, guard->nforked);
	left = children_end(END_NS, &guard->foreign);
	guard->nforked = 0;
	while (guard->nundos > 0) {
		guard->nundos--;
		guard->undos[guard->nundos].undo(
			guard->undos[guard->nundos].what);
	}
	/* An undo may have left something, too. */
	if (undone && children_end(END_NS, &guard->foreign) < 0)
		left = -1;
	free(guard->forked);
	guard->forked = NULL;
	return left < 0 ? -1 : 0;
}

#include "guard.h"

#include <errno.h>
#include <poll.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/children.h"

#define END_NS (10 * NS_PER_S)

static const int asks_end[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };

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

int
guard_begin(struct guard *guard, struct errmsg *why)
{
	struct sigaction action = { .sa_handler = on_ask };
	sigset_t block;

	guard->nundos = 0;
	/* Without it (before Linux 3.4) orphans escape to init. */
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	sigemptyset(&block);
	sigaddset(&block, SIGCHLD);
	for (size_t i = 0; i < NASKS; i++)
		sigaddset(&block, asks_end[i]);
	if (sigprocmask(SIG_BLOCK, &block, &guard->before) < 0)
		return errmsg_errno(why, "cannot block signals");
	sigemptyset(&guard->before);
	for (size_t i = 0; i < NASKS; i++) {
		struct sigaction before;

		/* nohup's SIGHUP and a background job's SIGINT stay ignored. */
		if (sigaction(asks_end[i], NULL, &before) == 0 &&
		    before.sa_handler == SIG_IGN)
			continue;
		sigaction(asks_end[i], &action, NULL);
	}
	action.sa_handler = on_child;
	sigaction(SIGCHLD, &action, NULL);
	action.sa_handler = SIG_IGN;
	sigaction(SIGPIPE, &action, NULL);
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

static void
signals_default(const struct guard *guard)
{
	struct sigaction action = { .sa_handler = SIG_DFL };

	for (int sig = 1; sig < NSIG; sig++)
		if (sig != SIGKILL && sig != SIGSTOP)
			sigaction(sig, &action, NULL);
	sigprocmask(SIG_SETMASK, &guard->before, NULL);
}

pid_t
guard_fork(struct guard *guard, int on_death)
{
	pid_t parent = getpid();
	pid_t pid = fork();

	if (pid)
		return pid;
	prctl(PR_SET_PDEATHSIG, on_death, 0, 0, 0);
	if (getppid() != parent)
		_exit(125);
	signals_default(guard);
	return 0;
}

/* ppoll lets signals in only where it waits: not if the fd is ready. */
static void
let_signals_in(const struct guard *guard)
{
	sigset_t block;

	sigprocmask(SIG_SETMASK, &guard->before, &block);
	sigprocmask(SIG_SETMASK, &block, NULL);
}

enum guard_event
guard_wait(struct guard *guard, int fd, int64_t until_ns)
{
	struct pollfd poll = { .fd = fd, .events = POLLIN };
	struct timespec left = { 0, 0 };

	let_signals_in(guard);
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
		          &guard->before);
		if (n > 0)
			return GUARD_READY;
	}
}

int
guard_signal(void)
{
	return asked;
}

int
guard_end(struct guard *guard)
{
	int left = children_end(END_NS);

	while (guard->nundos > 0) {
		guard->nundos--;
		guard->undos[guard->nundos].undo(
			guard->undos[guard->nundos].what);
	}
	return left < 0 ? -1 : 0;
}

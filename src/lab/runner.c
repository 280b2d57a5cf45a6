#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/units.h"
#include "sys/children.h"
#include "sys/knob.h"

#define TAIL_BYTES 2048
#define TAIL_LINES 10
#define KILL_AGAIN_NS NS_PER_S

/* What the guard sends. */
struct order {
	size_t first, last;
	struct sample *samples;          /* of the round; shared memory */
};

/* ---- in the runner ----------------------------------------------------- */

/*
 * The guard was killed: nothing may outlive it. The children that share this
 * handler until they exec are told apart by their pid.
 */
static pid_t runner_pid;

static void
on_guard_death(int sig)
{
	(void)sig;
	if (getpid() != runner_pid)
		_exit(125);
	children_end(2 * NS_PER_S, NULL);
	_exit(125);
}

/* The lowest number that is free for it, or -1. */
static int
take_low(int *fd)
{
	int low = fcntl(*fd, F_DUPFD_CLOEXEC, 3);

	if (low >= 0)
		*fd = low;
	return low;
}

/*
 * Each fork copies the table of descriptors and each exec closes those that
 * are not for it: the runner has its pipe's ends, as low as they go, and the
 * workload's own. orders may be NULL.
 */
static int
set_descriptors(const struct lab *lab, int *orders, int *replies)
{
	int out = lab->options->show_output ? 2 : lab->null_fd;

	if (dup2(lab->null_fd, 0) < 0 || dup2(out, 1) < 0)
		return -1;
	if (!lab->options->show_output && dup2(lab->error_fd, 2) < 0)
		return -1;
	if ((orders && take_low(orders) < 0) || take_low(replies) < 0)
		return -1;
	close_from(FIRST_OWN_FD);
	return 0;
}

static int
set_ballast(int64_t bytes)
{
	char *memory;

	if (!bytes)
		return 0;
	if (!size_fits(bytes)) {
		errno = ENOMEM;
		return -1;
	}
	memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	/* Small pages: huge ones would make a fork look cheap. */
	madvise(memory, (size_t)bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, (size_t)bytes);
	return 0;
}

static int
set_fds(int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (fcntl(0, F_DUPFD, FIRST_OWN_FD) < 0) {
			/* A limit below the first of them. */
			if (errno == EINVAL)
				errno = EMFILE;
			return -1;
		}
	return 0;
}

/* -1 with why in board->trouble. */
static int
become_kind(struct lab *lab, const struct runner_kind *kind,
            struct job_runner *self, struct like_memory *memory)
{
	static const char *const what = "cannot give the runner its %s: %s";
	char *trouble = lab->board->trouble;
	size_t room = sizeof(lab->board->trouble);

	if (kind->like >= 0) {
		struct errmsg why;

		if (like_open(&likes[kind->like], memory, &why) < 0) {
			snprintf(trouble, room, what, "memory", why.text);
			return -1;
		}
		self->spawner.like = memory;
	}
	if (set_ballast(kind->ballast) < 0) {
		snprintf(trouble, room, what, "ballast", strerror(errno));
		return -1;
	}
	if (set_fds(kind->fds) < 0) {
		snprintf(trouble, room, what, "descriptors", strerror(errno));
		return -1;
	}
	return 0;
}

/*
 * The runner must not allocate in the arena: a chunk that it maps would be
 * unknown to the guard.
 */
static int
runner_init(struct lab *lab, const struct runner_kind *kind, int *orders,
            int *replies, struct job_runner *self,
            struct like_memory *memory)
{
	struct sigaction action = { .sa_handler = on_guard_death };

	runner_pid = getpid();
	sigaction(SIGTERM, &action, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	self->spawner = lab->spawner;
	self->running = lab->running;
	self->failure = &lab->board->failure;
	if (lab->options->cpus && cpus_bind(lab->options->cpus) < 0) {
		snprintf(lab->board->trouble, sizeof(lab->board->trouble),
		         "cannot run on CPU %s: %s", lab->options->cpus,
		         strerror(errno));
		return -1;
	}
	if (set_descriptors(lab, orders, replies) < 0) {
		snprintf(lab->board->trouble, sizeof(lab->board->trouble),
		         "cannot prepare the runner: %s", strerror(errno));
		return -1;
	}
	return become_kind(lab, kind, self, memory);
}

/* What was written before is not this program's. */
static void
empty_output(const struct lab *lab, int fd)
{
	if (!lab->options->show_output)
		(void)!ftruncate(fd, 0);
}

/* 0: done; 1: a step failed, which board->step and failure tell. */
static char
obey(struct lab *lab, struct job_runner *self, const struct order *order)
{
	for (size_t i = order->first; i < order->last; i++) {
		if (!lab->active[i])
			continue;
		lab->board->step = i;
		self->orphans = &lab->orphans[i];
		empty_output(lab, 2);
		if (job_run(self, &lab->jobs[i], &order->samples[i]) < 0)
			return 1;
	}
	return 0;
}

static _Noreturn void
runner_main(struct lab *lab, const struct runner_kind *kind, int orders,
            int replies)
{
	struct job_runner self = { 0 };
	struct like_memory memory;
	struct order order;

	if (runner_init(lab, kind, &orders, &replies, &self, &memory) < 0)
		_exit(125);
	while (read_all(orders, &order, sizeof(order)) == sizeof(order)) {
		char reply = obey(lab, &self, &order);

		if (write_all(replies, &reply, 1) < 0)
			break;
	}
	_exit(0);
}

/* ---- in the guard: one order ------------------------------------------- */

static void
kill_pid(pid_t pid, void *state)
{
	(void)state;
	kill(pid, SIGKILL);
}

/*
 * Kills what has run longer than its timeout and returns when to look again:
 * what starts from now on is not late before that. A child of vfork that is
 * stuck before its exec has no pid yet that the runner could know: then the
 * runner's children are killed.
 */
static int64_t
watch_timeouts(struct lab *lab, const struct runner *runner)
{
	int64_t now = clock_ns();
	int64_t next = now + lab->shortest_timeout_ns;

	if (next > now + KILL_AGAIN_NS)
		next = now + KILL_AGAIN_NS;
	for (size_t i = 0; i < lab->places; i++) {
		struct spawn_slot *slot = &lab->running[i].slot;
		int64_t due;
		pid_t pid;
		uint32_t turn = spawn_late(slot, now, &pid, &due);

		if (due && due < next)
			next = due;
		/* One that ended behind its '&' is only not waited for yet. */
		if (!turn || (pid > 0 && process_ended(pid)))
			continue;
		slot->late_turn = turn;
		if (pid > 0)
			kill(pid, SIGKILL);
		else
			children_each(runner->pid, kill_pid, NULL);
	}
	return next;
}

static const char *
ended_how(int status, char *text, size_t room)
{
	if (WIFSIGNALED(status))
		snprintf(text, room, "killed by signal %d (%s)",
		         WTERMSIG(status), strsignal(WTERMSIG(status)));
	else
		snprintf(text, room, "exited with %d", WEXITSTATUS(status));
	return text;
}

/* A signal that came to all of the group ends the run, whoever died of it. */
static enum order_result
runner_died(struct lab *lab, struct runner *runner)
{
	char how[80];
	int status = 0;

	while (waitpid(runner->pid, &status, 0) < 0 && errno == EINTR)
		;
	runner->pid = 0;
	if (lab_is_over(lab))
		return ORDER_ENDED;
	if (lab->board->trouble[0])
		lab_trouble(lab, 1, "%s", lab->board->trouble);
	else
		lab_trouble(lab, 125, "the runner died: %s",
		            ended_how(status, how, sizeof(how)));
	return ORDER_ENDED;
}

static int64_t
whole_deadline(const struct lab *lab)
{
	return lab->options->timeout_ns ?
	       lab->begin_ns + lab->options->timeout_ns : 0;
}

/* A child that is stuck before its exec may hold the reply's pipe open. */
static bool
ended_silently(const struct runner *runner)
{
	struct pollfd poll_reply = { .fd = runner->reply_fd, .events = POLLIN };
	siginfo_t info = { 0 };

	return waitid(P_PID, (id_t)runner->pid, &info,
	              WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid &&
	       poll(&poll_reply, 1, 0) == 0;
}

/* Waits for the runner's answer to an order. */
static enum order_result
await(struct lab *lab, struct runner *runner)
{
	int64_t deadline = whole_deadline(lab);
	int64_t look = lab->shortest_timeout_ns ? clock_ns() + 1 : 0;
	char reply;

	for (;;) {
		int64_t until = deadline;

		if (look && (!until || look < until))
			until = look;
		switch (guard_wait(runner->reply_fd, until)) {
		case GUARD_READY:
			if (read_all(runner->reply_fd, &reply, 1) != 1)
				return runner_died(lab, runner);
			if (!reply)
				return ORDER_DONE;
			return lab_is_over(lab) ? ORDER_ENDED : ORDER_FAILED;
		case GUARD_CHILD:
			if (lab_check_servers(lab) < 0)
				return ORDER_ENDED;
			if (ended_silently(runner))
				return runner_died(lab, runner);
			break;
		case GUARD_SIGNAL:
		case GUARD_TIME:
			if (lab_is_over(lab))
				return ORDER_ENDED;
			if (look && clock_ns() >= look)
				look = watch_timeouts(lab, runner);
			break;
		}
	}
}

/* ---- in the guard: runners --------------------------------------------- */

static int
pipe_pair(int pair[2])
{
	if (pipe2(pair, O_CLOEXEC) < 0)
		return -1;
	pair[0] = fd_keep(pair[0]);
	pair[1] = fd_keep(pair[1]);
	return pair[0] < 0 || pair[1] < 0 ? -1 : 0;
}

static int
runner_start(struct lab *lab, struct runner *runner)
{
	int orders[2], replies[2];
	pid_t pid;

	if (pipe_pair(orders) < 0 || pipe_pair(replies) < 0)
		return lab_trouble(lab, 125, "cannot make a pipe: %s",
		                   strerror(errno));
	pid = guard_fork(&lab->guard, SIGTERM);
	if (pid < 0)
		return lab_trouble(lab, 125, "cannot make the runner: %s",
		                   strerror(errno));
	if (pid == 0) {
		close(orders[1]);
		close(replies[0]);
		runner_main(lab, &runner->kind, orders[0], replies[1]);
	}
	close(orders[0]);
	close(replies[1]);
	runner->pid = pid;
	runner->order_fd = orders[1];
	runner->reply_fd = replies[0];
	return 0;
}

struct runner *
runner_get(struct lab *lab, const struct runner_kind *kind)
{
	struct runner *runner;

	for (size_t i = 0; i < lab->nrunners; i++) {
		runner = &lab->runners[i];
		if (runner_kind_equal(&runner->kind, kind))
			return runner;
	}
	runner = arena_push(lab->arena, &lab->runners, &lab->nrunners,
	                    sizeof(*runner));
	runner->kind = *kind;
	return runner_start(lab, runner) < 0 ? NULL : runner;
}

enum order_result
runner_order(struct lab *lab, struct runner *runner, size_t first,
             size_t last, struct sample *samples)
{
	struct order order = { first, last, samples };

	lab->board->failure.program = NULL;
	if (write_all(runner->order_fd, &order, sizeof(order)) < 0)
		return runner_died(lab, runner);
	return await(lab, runner);
}

/* A process of its own, that what it leaves running may go on until the end. */
static _Noreturn void
prepare_main(struct lab *lab, const struct program *program, int replies)
{
	const struct runner_kind plain = { .like = -1 };
	struct job_runner self = { 0 };
	char reply = 0;

	if (runner_init(lab, &plain, NULL, &replies, &self, NULL) < 0)
		_exit(125);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	if (job_run_program(&self, program) < 0)
		reply = 1;
	_exit(write_all(replies, &reply, 1) < 0 ? 125 : 0);
}

enum order_result
runner_prepare(struct lab *lab, const struct program *program)
{
	struct runner runner = { .order_fd = -1 };
	enum order_result result;
	int replies[2];

	if (pipe_pair(replies) < 0) {
		lab_trouble(lab, 125, "cannot make a pipe: %s",
		            strerror(errno));
		return ORDER_ENDED;
	}
	lab->board->failure.program = NULL;
	empty_output(lab, lab->error_fd);
	runner.pid = guard_fork(&lab->guard, SIGTERM);
	if (runner.pid == 0)
		prepare_main(lab, program, replies[1]);
	close(replies[1]);
	runner.reply_fd = replies[0];
	if (runner.pid > 0) {
		result = await(lab, &runner);
	} else {
		lab_trouble(lab, 125, "cannot make a process: %s",
		            strerror(errno));
		result = ORDER_ENDED;
	}
	close(replies[0]);
	return result;
}

const char *
runner_output(struct lab *lab)
{
	char *text;
	off_t size = lab->options->show_output ? 0 :
	             lseek(lab->error_fd, 0, SEEK_END);
	off_t from = size > TAIL_BYTES ? size - TAIL_BYTES : 0;
	ssize_t n;
	int lines = 0;

	if (size <= 0)
		return NULL;
	text = arena_alloc(lab->arena, TAIL_BYTES + 1);
	n = pread(lab->error_fd, text, TAIL_BYTES, from);
	if (n <= 0)
		return NULL;
	while (n > 0 && text[n - 1] == '\n')
		text[--n] = '\0';
	for (ssize_t i = n - 1; i >= 0; i--)
		if (text[i] == '\n' && ++lines == TAIL_LINES)
			return text + i + 1;
	/* A line cut in its middle is no line. */
	return from && strchr(text, '\n') ? strchr(text, '\n') + 1 : text;
}

/*
 * runner: the guard's side of the runners: it makes them, orders, waits.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "sys/children.h"

#define TAIL_BYTES 2048
#define TAIL_LINES 10
#define KILL_AGAIN_NS NS_PER_S
#define SERVER_END_NS (50 * NS_PER_MS)
#define UNDO_NS       (60 * NS_PER_S)    /* an undo may take */

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

/*
 * A client may have seen its server's end before this process could: the
 * sockets are closed first, the parent is told last.
 */
static bool
a_server_died(struct lab *lab)
{
	int64_t until = clock_ns() + SERVER_END_NS;
	bool any = false;

	for (size_t i = 0; i < lab->plan->nresources; i++)
		any |= lab->servers && lab->servers[i].pid;
	while (any && clock_ns() < until) {
		if (lab_check_servers(lab) < 0)
			return true;
		clock_sleep(NS_PER_MS);
	}
	return false;
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
			return lab_is_over(lab) || a_server_died(lab) ?
			       ORDER_ENDED : ORDER_FAILED;
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
	lab_split_add(lab, pid);
	return 0;
}

struct runner *
runner_get(struct lab *lab, const struct runner_kind *kind)
{
	struct runner *runner;

	for (size_t i = 0; i < lab->nrunners; i++) {
		runner = &lab->runners[i];
		if (!runner_kind_equal(&runner->kind, kind))
			continue;
		if (runner->pid)
			return runner;
		return runner_start(lab, runner) < 0 ? NULL : runner;
	}
	runner = arena_push(lab->arena, &lab->runners, &lab->nrunners,
	                    sizeof(*runner));
	runner->kind = *kind;
	return runner_start(lab, runner) < 0 ? NULL : runner;
}

enum order_result
runner_order(struct lab *lab, struct runner *runner, const struct order *order)
{
	lab->board->failure.program = NULL;
	if (write_all(runner->order_fd, order, sizeof(*order)) < 0)
		return runner_died(lab, runner);
	return await(lab, runner);
}

/* They have answered and wait for orders: there will be none. */
void
runners_end(struct lab *lab)
{
	for (size_t i = 0; i < lab->nrunners; i++) {
		struct runner *runner = &lab->runners[i];

		if (!runner->pid)
			continue;
		close(runner->order_fd);
		close(runner->reply_fd);
		while (waitpid(runner->pid, NULL, 0) < 0 && errno == EINTR)
			;
		runner->pid = 0;
	}
}

int
runner_undo(struct lab *lab, const struct program *program)
{
	int64_t until = clock_ns() + UNDO_NS;
	pid_t pid = guard_fork(&lab->guard, SIGKILL);
	int status = -1;

	if (pid == 0) {
		/* A terminal's second Ctrl-C is not for it. */
		setpgid(0, 0);
		runner_prepare_main(lab, program, lab->null_fd);
	}
	if (pid < 0)
		return -1;
	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (clock_ns() > until)
			kill(pid, SIGKILL);
		clock_sleep(NS_PER_MS);
	}
	return status >= 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0 ?
	       0 : -1;
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
	runner_empty_output(lab, lab->error_fd);
	runner.pid = guard_fork(&lab->guard, SIGTERM);
	if (runner.pid == 0)
		runner_prepare_main(lab, program, replies[1]);
	close(replies[1]);
	runner.reply_fd = replies[0];
	if (runner.pid > 0) {
		result = await(lab, &runner);
	} else {
		lab_trouble(lab, 125, "cannot make a process: %s",
		            strerror(errno));
		result = ORDER_ENDED;
	}
	/* It has answered and leaves; what it left running goes on. */
	if (result != ORDER_ENDED)
		while (waitpid(runner.pid, NULL, 0) < 0 && errno == EINTR)
			;
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

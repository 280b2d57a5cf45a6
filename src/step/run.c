#include "job.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "step/internal.h"
#include "sys/knob.h"

/* ---- judging ----------------------------------------------------------- */

static bool
is_right(const struct program *program, const struct spawn_slot *slot,
         int status)
{
	if (slot->stage != STAGE_DONE || spawn_was_late(slot))
		return false;
	if (WIFSIGNALED(status))
		return program->may_sigpipe && WTERMSIG(status) == SIGPIPE;
	return program->status == STATUS_ANY ||
	       WEXITSTATUS(status) == program->status;
}

/* Keeps the first failure of a step; later ones follow from it. */
static int
fail(struct timing *timing, const struct running *running, int status)
{
	struct failure *failure = timing->runner->failure;

	if (failure->program)
		return -1;
	failure->repetition = running->repetition;
	failure->of = timing->of;
	failure->status = status;
	failure->slot = running->slot;
	failure->timed_out = spawn_was_late(&running->slot);
	failure->program = running->program;
	return -1;
}

/* The same where the runner's own system call failed. */
static int
fail_here(struct timing *timing, struct running *running)
{
	running->slot.stage = STAGE_PROCESS;
	running->slot.error = errno;
	return fail(timing, running, 0);
}

static int
judge(struct timing *timing, const struct running *running, int status,
      const struct rusage *usage)
{
	if (is_right(running->program, &running->slot, status))
		return 0;
	if (!timing->runner->failure->program)
		timing->runner->failure->usage = usage_of(usage);
	return fail(timing, running, status);
}

/*
 * One that the guard has not found in time: it looks from time to time. To
 * be asked only where a child was waited for all along.
 */
static void
note_late(struct running *running)
{
	int64_t timeout = running->program->spawn.timeout_ns;

	if (timeout && clock_ns() - running->slot.start_ns > timeout)
		running->slot.late_turn = running->slot.turn - 1;
}

/* ---- one program, one pipeline ----------------------------------------- */

int
run_start(struct timing *timing, struct running *running,
          const struct program *program, bool behind, int in, int out)
{
	running->program = program;
	running->behind = behind;
	running->repetition = timing->repetition;
	if (timing->learner.sum)
		learn_start(&timing->learner, running);
	if (timing->detail)
		running->start_ns = clock_ns();
	if (spawn_start(&timing->runner->spawner, &program->spawn, in, out,
	                &running->slot) < 0)
		return fail(timing, running, 0);
	timing->forks++;
	if (program->spawn.path)
		timing->execs++;
	return 0;
}

int
run_finish(struct timing *timing, struct running *running)
{
	struct rusage usage;
	int status;

	if (!running->slot.pid)
		return 0;
	if (spawn_wait(&running->slot, &status, &usage) < 0)
		return fail_here(timing, running);
	if (timing->detail)
		detail_note(timing->detail, running, &usage);
	if (!running->behind)
		note_late(running);
	if (timing->learner.sum)
		learn_end(&timing->learner, running, &usage);
	return judge(timing, running, status, &usage);
}

static void
close_two(int in, int out)
{
	if (in >= 0)
		close(in);
	if (out >= 0)
		close(out);
}

/* Starts the members from left to right, as a shell does. */
static int
start_pipeline(struct timing *timing, const struct task *task,
               struct running *running)
{
	int in = -1, result = 0;

	for (size_t i = 0; i < task->nprograms && result == 0; i++) {
		int ends[2] = { -1, -1 };

		if (i + 1 < task->nprograms && pipe2(ends, O_CLOEXEC) < 0) {
			running[i].program = &task->programs[i];
			result = fail_here(timing, &running[i]);
			break;
		}
		result = run_start(timing, &running[i], &task->programs[i],
		               task->background, in, ends[1]);
		close_two(in, ends[1]);
		in = ends[0];
	}
	close_two(in, -1);
	return result;
}

static int
run_one(struct timing *timing, const struct task *task)
{
	struct running *running = timing->runner->running + timing->background;
	int result = start_pipeline(timing, task, running);

	if (result == 0 && task->background) {
		timing->background += task->nprograms;
		return 0;
	}
	for (size_t i = 0; i < task->nprograms; i++)
		if (run_finish(timing, &running[i]) < 0)
			result = -1;
	return result;
}

int
run_wait(struct timing *timing)
{
	int result = 0;

	for (size_t i = 0; i < timing->background; i++)
		if (run_finish(timing, &timing->runner->running[i]) < 0)
			result = -1;
	timing->background = 0;
	return result;
}

/* ---- several at once --------------------------------------------------- */

/* The place of a child that was waited for, or -1: an orphan at its end. */
static ssize_t
place_of(const struct running *running, size_t count, pid_t pid)
{
	for (size_t i = 0; i < count; i++)
		if (running[i].slot.pid == pid)
			return (ssize_t)i;
	return -1;
}

/*
 * Waits for one of the places behind those of the background, which may end
 * at any time too: which, or -1: failed.
 */
static ssize_t
wait_any(struct timing *timing, size_t count)
{
	struct running *running = timing->runner->running;

	for (;;) {
		struct rusage usage;
		int status;
		pid_t pid = wait4(-1, &status, 0, &usage);
		ssize_t at;

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return fail_here(timing, running + timing->background);
		at = place_of(running, timing->background + count, pid);
		if (at < 0) {
			orphan_ended(timing->runner->orphans, &usage);
			continue;
		}
		spawn_over(&running[at].slot);
		if (timing->detail)
			detail_note(timing->detail, &running[at], &usage);
		note_late(&running[at]);
		if (timing->learner.sum)
			learn_end(&timing->learner, &running[at], &usage);
		if (judge(timing, &running[at], status, &usage) < 0)
			return -1;
		if ((size_t)at >= timing->background)
			return at - (ssize_t)timing->background;
	}
}

/* Has every member of the job at that place come to its end? */
static bool
is_over(const struct running *running, size_t members)
{
	for (size_t i = 0; i < members; i++)
		if (running[i].slot.pid)
			return false;
	return true;
}

static int
run_at_once(struct timing *timing, const struct task *repeat)
{
	const struct task *task = repeat->body;
	struct running *running = timing->runner->running + timing->background;
	size_t members = task->nprograms;
	size_t places = (size_t)repeat->jobs * members;
	int64_t started = 0, over = 0;

	timing->of = repeat->count;
	while (over < repeat->count) {
		ssize_t at;

		if (started < repeat->count && started < repeat->jobs) {
			at = (ssize_t)((size_t)started * members);
		} else {
			at = wait_any(timing, places);
			if (at < 0)
				return -1;
			at -= at % (ssize_t)members;
			if (!is_over(running + at, members))
				continue;
			over++;
		}
		if (started == repeat->count)
			continue;
		timing->repetition = ++started;
		if (start_pipeline(timing, task, running + at) < 0)
			return -1;
	}
	return 0;
}

/* ---- tasks ------------------------------------------------------------- */

static int
run_repeat(struct timing *timing, const struct task *task)
{
	int64_t repetition = timing->repetition, of = timing->of;
	int result = 0;

	if (task->jobs) {
		result = run_at_once(timing, task);
	} else {
		for (int64_t i = 0; i < task->count && result == 0; i++) {
			timing->repetition = i + 1;
			timing->of = task->count;
			result = run_tasks(timing, task->body, task->nbody);
		}
	}
	timing->repetition = repetition;
	timing->of = of;
	return result;
}

int
run_tasks(struct timing *timing, const struct task *tasks, size_t count)
{
	int result = 0;

	for (size_t i = 0; i < count && result == 0; i++)
		switch (tasks[i].kind) {
		case TASK_REPEAT:
			result = run_repeat(timing, &tasks[i]);
			break;
		case TASK_RUN:
			result = run_one(timing, &tasks[i]);
			break;
		case TASK_WAIT:
			result = run_wait(timing);
			break;
		}
	return result;
}

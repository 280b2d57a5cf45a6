/*
 * job: a job is timed, as a whole or pass by pass. What runs in between is in
 * run.c.
 */
#include "job.h"

#include <signal.h>

#include "base/clock.h"
#include "step/internal.h"

static void
places_clear(const struct job_runner *runner, const struct job *job)
{
	for (size_t i = 0; i < job->places; i++)
		spawn_clear(&runner->running[i].slot);
}

/* After a failure: nothing may be left in flight. */
static void
abandon(const struct job_runner *runner, const struct job *job)
{
	struct orphans ignored = { 0 };

	for (size_t i = 0; i < job->places; i++)
		if (runner->running[i].slot.pid > 0)
			kill(runner->running[i].slot.pid, SIGKILL);
	orphans_end(&ignored, true);
	places_clear(runner, job);
}

int
job_run_program(struct job_runner *runner, const struct program *program)
{
	struct timing timing = { .runner = runner };
	struct running *running = runner->running;

	spawn_clear(&running->slot);
	if (run_start(&timing, running, program, false, -1, -1) < 0)
		return -1;
	return run_finish(&timing, running);
}

/*
 * What a prepare leaves running is ended like any orphan: its CPU time would
 * be the step's.
 */
static int
prepare(struct job_runner *runner, const struct job *job)
{
	for (size_t i = 0; i < job->nprepares; i++)
		if (job_run_program(runner, &job->prepares[i]) < 0) {
			abandon(runner, job);
			return -1;
		}
	if (job->nprepares)
		orphans_end(runner->orphans, false);
	return 0;
}

static struct timing
timing_of(struct job_runner *runner, const struct job *job)
{
	struct timing timing = { .runner = runner };

	if (runner->kind == ROUND_TIMED || runner->kind == ROUND_BLOCK)
		timing.detail = runner->detail;
	else
		timing.learner = (struct learner){
			.sum = runner->split, .counts = job->others,
			.splitter = runner->kind == ROUND_SPLIT ?
			            runner->splitter : NULL,
		};
	return timing;
}

/* CPU time before a timing. */
struct meter {
	struct usage self, children, orphans;
};

static struct meter
meter_begin(const struct job_runner *runner)
{
	struct meter meter = { .orphans = runner->orphans->usage };

	meter.children = usage_children();
	meter.self = usage_self();
	return meter;
}

/* After a timing whose result it was: 0, or -1 with no child left. */
static int
meter_end(const struct timing *timing, const struct job *job,
          const struct meter *before, int result, struct sample *sample)
{
	struct job_runner *runner = timing->runner;

	sample->self = usage_less(usage_self(), before->self);
	if (result < 0) {
		abandon(runner, job);
		return -1;
	}
	orphans_end(runner->orphans, false);
	sample->children = usage_less(usage_children(), before->children);
	sample->orphans = usage_less(runner->orphans->usage, before->orphans);
	sample->forks = timing->forks;
	sample->execs = timing->execs;
	if (timing->detail)
		timing->detail->runner_rss_kib = usage_peak_kib();
	return 0;
}

int
job_run(struct job_runner *runner, const struct job *job,
        struct sample *sample)
{
	struct timing timing = timing_of(runner, job);
	struct meter before;
	int64_t begin, end;
	int result;

	if (prepare(runner, job) < 0)
		return -1;
	places_clear(runner, job);
	learn_begin(&timing.learner);
	before = meter_begin(runner);

	begin = clock_ns();
	result = run_tasks(&timing, job->tasks, job->ntasks);
	if (result == 0)
		result = run_wait(&timing);
	end = clock_ns();

	sample->real_ns = end - begin;
	if (meter_end(&timing, job, &before, result, sample) < 0)
		return -1;
	learn_done(&timing.learner, sample);
	return 0;
}

/* ---- passes of a repeat ------------------------------------------------ */

static bool
has_background(const struct task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (tasks[i].background ||
		    has_background(tasks[i].body, tasks[i].nbody))
			return true;
	return false;
}

bool
job_has_passes(const struct job *job)
{
	const struct task *task = job->tasks;

	return job->ntasks == 1 && job->nprepares == 0 &&
	       task->kind == TASK_REPEAT && task->jobs == 0 &&
	       !has_background(task->body, task->nbody);
}

static int
run_passes(struct timing *timing, const struct task *repeat, int64_t count,
           int64_t *values)
{
	int result = 0;

	timing->of = count;
	for (int64_t i = 0; i < count && result == 0; i++) {
		int64_t begin;

		timing->repetition = i + 1;
		begin = clock_ns();
		result = run_tasks(timing, repeat->body, repeat->nbody);
		values[i] = clock_ns() - begin;
	}
	return result;
}

int
job_run_passes(struct job_runner *runner, const struct job *job,
               int64_t warm, int64_t count, int64_t *values,
               struct sample *sample)
{
	struct timing timing = timing_of(runner, job);
	struct meter before;
	int result;

	places_clear(runner, job);
	/* What these leave in values is written over. */
	if (run_passes(&timing, job->tasks, warm < count ? warm : count,
	               values) < 0) {
		abandon(runner, job);
		return -1;
	}
	timing.forks = timing.execs = 0;
	before = meter_begin(runner);
	result = run_passes(&timing, job->tasks, count, values);
	sample->real_ns = 0;
	for (int64_t i = 0; i < count && result == 0; i++)
		sample->real_ns += values[i];
	return meter_end(&timing, job, &before, result, sample);
}

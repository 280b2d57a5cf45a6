#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/units.h"
#include "sys/host.h"
#include "sys/work.h"

#define MOST_ROUNDS  100000
#define MOST_SAMPLES ((int64_t)1 << 24)

/* ---- what the files of lab/ share -------------------------------------- */

int
lab_trouble(struct lab *lab, int status, const char *format, ...)
{
	char text[4096];
	va_list args;

	if (lab->result->trouble)
		return -1;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	lab->result->trouble = arena_printf(lab->arena, "%s", text);
	lab->result->status = status;
	return -1;
}

void
lab_left_undone(struct lab *lab, const char *what)
{
	/* The first trouble is told at the end; this one must be, too. */
	if (lab->result->trouble)
		say("%s", what);
	lab_trouble(lab, 125, "%s", what);
}

void *
lab_shared(struct lab *lab, size_t count, size_t size)
{
	size_t bytes = count * size;
	void *memory = mmap(NULL, bytes ? bytes : 1, PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (memory == MAP_FAILED)
		lab_trouble(lab, 125, "cannot get memory for %zu samples: %s",
		            count, strerror(errno));
	return memory == MAP_FAILED ? NULL : memory;
}

/* ---- before ------------------------------------------------------------ */

static void
undo_scratch(void *state)
{
	struct lab *lab = state;
	struct errmsg why;

	if (scratch_close(&lab->scratch, &why) < 0 && lab->hooks->note)
		lab->hooks->note(lab->hooks->state, why.text);
}

bool
lab_is_over(struct lab *lab)
{
	int64_t timeout = lab->options->timeout_ns;
	int sig = guard_asked();
	char text[32];

	if (sig)
		lab_trouble(lab, 128 + sig, "ended by signal %d (%s)", sig,
		            strsignal(sig));
	else if (timeout && clock_ns() >= lab->begin_ns + timeout)
		lab_trouble(lab, 124, "timed out after %s",
		            format_duration(timeout, text, sizeof(text)));
	return lab->result->trouble != NULL;
}

static bool
given_up(void *lab)
{
	return lab_is_over(lab);
}

static int
open_descriptors(struct lab *lab)
{
	struct errmsg why;

	/* What the caller of forkload left open. */
	close_from(3);
	lab->null_fd = fd_keep(open("/dev/null", O_RDWR | O_CLOEXEC));
	if (lab->null_fd < 0)
		return lab_trouble(lab, 125, "cannot open /dev/null: %s",
		                   strerror(errno));
	scratch_open(&lab->scratch, given_up, lab);
	guard_undo(&lab->guard, undo_scratch, lab);
	lab->error_fd = scratch_unlinked(&lab->scratch, &why);
	if (lab->error_fd < 0)
		return lab_trouble(lab, 125, "%s", why.text);
	lab->error_fd = fd_keep(lab->error_fd);
	if (lab->error_fd < 0)
		return lab_trouble(lab, 125, "cannot keep a descriptor: %s",
		                   strerror(errno));
	return 0;
}

static void
make_context(struct lab *lab)
{
	size_t n = lab->plan->nresources;

	lab->values = arena_array(lab->arena, n, sizeof(*lab->values));
	lab->faults = arena_array(lab->arena, n, sizeof(*lab->faults));
	lab->servers = arena_array(lab->arena, n, sizeof(*lab->servers));
	lab->board = arena_alloc(lab->arena, sizeof(*lab->board));
	spawner_init(&lab->spawner, lab->arena);
	lab->context = (struct job_context){
		.arena = arena_private(lab->arena), .plan = lab->plan,
		.scratch = &lab->scratch, .self = lab->options->self,
		.self_path = lab->options->self_path,
		.values = lab->values, .faults = lab->faults,
		.environ = lab->options->environ,
		.passes_per_ms = work_calibrate(),
		.can_fork = spawn_can_fork(),
		.seed = lab->options->seed >= 0 ? lab->options->seed :
		        lab->plan->seed >= 0 ? lab->plan->seed : 1,
	};
}

/* ---- jobs -------------------------------------------------------------- */

static void
note_timeouts(struct lab *lab, const struct task *tasks, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		for (size_t p = 0; p < tasks[i].nprograms; p++) {
			int64_t ns = tasks[i].programs[p].spawn.timeout_ns;
			int64_t *shortest = &lab->shortest_timeout_ns;

			if (ns && (!*shortest || ns < *shortest))
				*shortest = ns;
		}
		note_timeouts(lab, tasks[i].body, tasks[i].nbody);
	}
}

/* Those of one plan. */
static int
build_side(struct lab *lab, const struct plan *plan, size_t *places)
{
	struct job_context context = lab->context;
	struct errmsg why;

	context.plan = plan;
	for (size_t i = 0; i < plan->nsteps; i++) {
		const struct step *step = &plan->steps[i];
		struct job *job = &lab->jobs[lab->njobs];

		if (lab->options->steps &&
		    fnmatch(lab->options->steps, step->name, 0) != 0)
			continue;
		if (job_build(&context, step, job, &why) < 0)
			return lab_trouble(lab, 125, "%s", why.text);
		lab->njobs++;
		if (job->places > *places)
			*places = job->places;
		note_timeouts(lab, job->tasks, job->ntasks);
	}
	return 0;
}

/* places: how many the largest has. */
static int
build_jobs(struct lab *lab, size_t *places)
{
	lab->jobs = arena_array(lab->arena,
	                        lab->plan->nsteps * lab->nvariants,
	                        sizeof(*lab->jobs));
	for (size_t v = 0; v < lab->nvariants; v++)
		if (build_side(lab, lab->sides[v].plan, places) < 0)
			return -1;
	lab->nsteps = lab->njobs / lab->nvariants;
	return 0;
}

static void
fill_steps(struct lab *lab)
{
	struct result *result = lab->result;

	result->nsteps = lab->njobs;
	result->steps = arena_array(lab->arena, lab->njobs,
	                            sizeof(*result->steps));
	lab->active = arena_array(lab->arena, lab->njobs,
	                          sizeof(*lab->active));
	for (size_t i = 0; i < lab->njobs; i++) {
		const struct job *job = &lab->jobs[i];

		result->steps[i].name = lab->nvariants == 1 ? job->name :
			arena_printf(lab->arena, "%s/%s", job->name,
			             lab->sides[i / lab->nsteps].plan->variant);
		result->steps[i].outcome = job->skip ? OUTCOME_SKIPPED :
		                           OUTCOME_DONE;
		result->steps[i].message = job->skip;
		result->steps[i].status = job->skip_status;
		result->steps[i].split.user_ppm = -1;
		lab->active[i] = !job->skip;
	}
}

/* Room for the blocks of so many pairs, and for the operations of one. */
static int
make_blocks(struct lab *lab, size_t pairs)
{
	struct comparison *c = lab->result->comparison;

	c->blocks = lab_shared(lab, pairs * lab->nvariants * (lab->nsteps + 1),
	                       sizeof(*c->blocks));
	lab->times_ns = lab_shared(lab, (lab->nsteps + 1) * MOST_OPERATIONS,
	                           sizeof(*lab->times_ns));
	return c->blocks && lab->times_ns ? 0 : -1;
}

/* Room for the samples of so many rounds, and for one that is not read. */
static int
make_samples(struct lab *lab)
{
	int64_t asked = lab->options->rounds > 0 ? lab->options->rounds :
	                lab->plan->rounds > 0 ? lab->plan->rounds : 0;
	int64_t most = MOST_SAMPLES;
	size_t rows;

	/* A block is kept of each variant and step, and is large. */
	if (lab->nvariants > 1)
		most /= 16;
	lab->rounds_most = asked ? asked : MOST_ROUNDS;
	if (lab->njobs && lab->rounds_most > most / (int64_t)lab->njobs)
		lab->rounds_most = most / (int64_t)lab->njobs;
	if (lab->rounds_most < 1)
		lab->rounds_most = 1;
	if (asked > lab->rounds_most)
		return lab_trouble(lab, 2, "cannot keep the samples of %lld "
		                   "rounds of %zu steps; at most %lld rounds",
		                   (long long)asked, lab->njobs,
		                   (long long)lab->rounds_most);
	rows = (size_t)lab->rounds_most + 1;
	lab->samples = lab_shared(lab, rows * lab->njobs,
	                          sizeof(*lab->samples));
	if (!lab->samples)
		return -1;
	lab->result->samples = lab->samples;
	lab->orphans = arena_array(lab->arena, lab->njobs,
	                           sizeof(*lab->orphans));
	if (lab->options->details)
		lab->details = arena_array(lab->arena, lab->njobs,
		                           sizeof(*lab->details));
	if (lab->nvariants > 1)
		return make_blocks(lab, rows);
	for (size_t i = 0; i < lab->plan->nresources; i++) {
		if (!lab->servers[i].pid)
			continue;
		lab->servers[i].rounds = lab_shared(lab, rows,
			sizeof(*lab->servers[i].rounds));
		if (!lab->servers[i].rounds)
			return -1;
	}
	return 0;
}

/*
 * What is in flight, as the runners told: where there is no /proc nobody else
 * knows of these.
 */
static void
kill_running(const struct lab *lab)
{
	for (size_t i = 0; i < lab->places; i++)
		if (lab->running[i].slot.pid > 0)
			kill(lab->running[i].slot.pid, SIGKILL);
}

/* ---- the order of things ----------------------------------------------- */

static int
prepare_run(struct lab *lab)
{
	size_t places = 1;

	if (lab_split_choose(lab) < 0 || lab_set_up(lab) < 0 ||
	    build_jobs(lab, &places) < 0)
		return -1;
	lab->running = arena_array(lab->arena, places, sizeof(*lab->running));
	lab->places = places;
	if (lab_sides_build(lab) < 0 || lab_verify(lab) < 0)
		return -1;
	lab_describe(lab);
	if (lab->nvariants > 1)
		lab_compare(lab);
	fill_steps(lab);
	lab_split_alloc(lab);
	return make_samples(lab);
}

/* Where all is skipped there is nothing to run. */
static void
run_rounds(struct lab *lab)
{
	const struct comparison *c = lab->result->comparison;

	if (!c)
		lab_rounds(lab);
	else if (comparison_sides(c) > 0)
		lab_pairs(lab);
}

static int64_t
times_throttled(struct arena *arena)
{
	struct host_limit limit;

	return host_limit(arena, "", &limit) == 0 ? limit.throttled : 0;
}

/* For who keeps the samples. */
static void
describe(struct lab *lab)
{
	struct result *result = lab->result;
	struct host_fact *facts;

	result->boot = lab->options->boot;
	result->hash = lab->options->hash;
	result->started_s = (int64_t)time(NULL);
	if (!lab->options->facts)
		return;
	result->before = host_load(lab->arena);
	result->nfacts = host_describe(lab->arena, &facts);
	result->facts = facts;
}

static void
set_sides(struct lab *lab, const struct plans *plans)
{
	lab->plan = plans->list[0];
	lab->nvariants = plans->count;
	lab->sides = arena_array(lab->arena, plans->count,
	                         sizeof(*lab->sides));
	for (size_t v = 0; v < plans->count; v++)
		lab->sides[v].plan = plans->list[v];
}

struct result *
lab_run(const struct plans *plans, const struct lab_options *options,
        const struct lab_hooks *hooks)
{
	const struct plan *plan = plans->list[0];
	struct lab *lab = arena_alloc(plan->arena, sizeof(*lab));
	int64_t throttled = times_throttled(plan->arena);
	struct errmsg why;

	lab->arena = plan->arena;
	set_sides(lab, plans);
	lab->options = options;
	lab->hooks = hooks;
	lab->begin_ns = clock_ns();
	/* Set-up commands and read-backs need one place. */
	lab->running = arena_alloc(lab->arena, sizeof(*lab->running));
	lab->places = 1;
	lab->result = arena_alloc(lab->arena, sizeof(*lab->result));
	lab->result->name = plan->name;
	lab->result->median = -1;
	describe(lab);
	if (guard_begin(&lab->guard, &why) < 0)
		lab_trouble(lab, 125, "%s", why.text);
	else if (open_descriptors(lab) == 0) {
		make_context(lab);
		if (prepare_run(lab) == 0)
			run_rounds(lab);
	}
	lab->result->elapsed_ns = clock_ns() - lab->begin_ns;
	lab->result->throttled = times_throttled(lab->arena) - throttled;
	if (options->facts)
		lab->result->after = host_load(lab->arena);
	if (lab->result->trouble)
		kill_running(lab);
	if (guard_end(&lab->guard) < 0)
		lab_trouble(lab, 125, "a process could not be ended");
	if (lab->board)
		lab_finish(lab);
	return lab->result;
}

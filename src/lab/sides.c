/*
 * sides: what a variant wants of the machine before its steps are run: its
 * set-up command, and sysctls; and how that is undone, whatever happens.
 */
#include "internal.h"

#include <string.h>

/* ---- set-up commands --------------------------------------------------- */

/* "variant NAME: WHAT", for messages. */
static const char *
name_of(struct lab *lab, const struct side *side, const char *what)
{
	return arena_printf(lab->arena, "variant %s: %s", side->plan->variant,
	                    what);
}

int
lab_enter(struct lab *lab, size_t variant)
{
	struct side *side = &lab->sides[variant];

	if (lab->entered == side)
		return 0;
	if (lab_leave(lab) < 0)
		return -1;
	/* From here on it is to be undone, even where it fails halfway. */
	lab->entered = side;
	return side->setup ? lab_command_run(lab, side->setup) : 0;
}

int
lab_leave(struct lab *lab)
{
	const struct side *side = lab->entered;

	lab->entered = NULL;
	if (!side || !side->undo)
		return 0;
	if (lab_command_run(lab, side->undo) == 0)
		return 0;
	/* It was ended before its time: it is done once more at the end. */
	lab->entered = side;
	return -1;
}

/* ---- the end ----------------------------------------------------------- */

static void
undo_sides(void *state)
{
	struct lab *lab = state;
	const struct side *side = lab->entered;

	if (side && side->undo && runner_undo(lab, &side->undo->program) < 0)
		lab_left_undone(lab, arena_printf(lab->arena,
			"variant %s: its undo failed: '%s'",
			side->plan->variant, side->undo->program.label));
}

/* NULL in out where there is no script. */
static int
build(struct lab *lab, const struct side *side, const struct script *script,
      const char *what, struct lab_command **out)
{
	if (!script)
		return 0;
	*out = arena_alloc(lab->arena, sizeof(**out));
	return lab_command_build(lab, script, name_of(lab, side, what), *out);
}

int
lab_sides_build(struct lab *lab)
{
	bool any = false;

	for (size_t v = 0; v < lab->nvariants; v++) {
		struct side *side = &lab->sides[v];
		const struct plan *plan = side->plan;

		if (build(lab, side, plan->variant_setup, "setup",
		          &side->setup) < 0 ||
		    build(lab, side, plan->variant_undo, "undo",
		          &side->undo) < 0)
			return -1;
		any |= side->undo != NULL;
	}
	if (any && guard_undo(&lab->guard, undo_sides, lab) < 0)
		return lab_trouble(lab, 125, "too many things to undo");
	return 0;
}

/* ---- what is told of the jobs ------------------------------------------ */

static int64_t
bytes_of(char *const *list)
{
	int64_t bytes = 0;

	for (; list && *list; list++)
		bytes += (int64_t)strlen(*list) + 1;
	return bytes;
}

static const struct program *
first_program(const struct task *tasks, size_t count)
{
	const struct program *program = NULL;

	for (size_t i = 0; i < count && !program; i++)
		program = tasks[i].nprograms ? tasks[i].programs :
		          first_program(tasks[i].body, tasks[i].nbody);
	return program;
}

static void
measure(const struct job *job, int64_t *arguments, int64_t *environment)
{
	const struct program *program = first_program(job->tasks, job->ntasks);

	if (!program || !program->spawn.path)
		return;
	*arguments = bytes_of(program->spawn.argv);
	*environment = bytes_of(program->spawn.envp);
}

/* "fork", "fork like bash", or that it differs. */
static const char *
method_text(struct lab *lab)
{
	const char *method = NULL, *like = NULL;
	bool same = true;

	for (size_t i = 0; i < lab->njobs; i++) {
		const struct job *job = &lab->jobs[i];
		const char *its = job->runner.like < 0 ? "" :
		                  likes[job->runner.like].name;

		if (method && (strcmp(method, job->method) != 0 ||
		               strcmp(like, its) != 0))
			same = false;
		method = job->method;
		like = its;
	}
	if (!method || !same)
		return "mixed spawn methods";
	return *like ? arena_printf(lab->arena, "%s like %s", method, like) :
	       method;
}

void
lab_describe(struct lab *lab)
{
	struct result *result = lab->result;

	result->method = method_text(lab);
	if (lab->njobs)
		measure(lab->jobs, &result->argument_bytes,
		        &result->environment_bytes);
	result->quantum_ns = lab->split.accounting.clock_resolution_ns;
}

/* ---- what is compared -------------------------------------------------- */

/* Why the variant cannot be compared, where the first could be, or NULL. */
static const char *
lacks(const struct lab *lab, size_t variant)
{
	for (size_t s = 0; s < lab->nsteps; s++) {
		const struct job *own = &lab->jobs[variant * lab->nsteps + s];

		if (own->skip && (variant == 0 || !lab->jobs[s].skip))
			return own->skip;
	}
	return NULL;
}

/* Nothing of that variant is run. */
static void
skip(struct lab *lab, size_t variant, const char *why)
{
	lab->result->comparison->variants[variant].skipped = why;
	for (size_t s = 0; s < lab->nsteps; s++) {
		struct job *job = &lab->jobs[variant * lab->nsteps + s];

		if (!job->skip)
			job->skip = why;
	}
}

/*
 * A step that the first variant cannot run is skipped in all; a variant that
 * cannot run what the first can is skipped as a whole.
 */
void
lab_compare(struct lab *lab)
{
	struct comparison *c = arena_alloc(lab->arena, sizeof(*c));
	const char **names = arena_array(lab->arena, lab->nsteps,
	                                 sizeof(*names));

	lab->result->comparison = c;
	c->nvariants = lab->nvariants;
	c->variants = arena_array(lab->arena, c->nvariants,
	                          sizeof(*c->variants));
	c->nsteps = lab->nsteps;
	c->steps = names;
	c->compared = arena_array(lab->arena, c->nsteps, sizeof(*c->compared));
	c->by_pass = lab->nsteps == 1;
	c->seed = lab->context.seed;
	c->quantum_ns = lab->result->quantum_ns;
	c->margin_ppm = lab->options->margin_ppm;
	c->aa = lab->options->aa;
	for (size_t v = 0; v < c->nvariants; v++) {
		const char *why = lacks(lab, v);

		c->variants[v].name = lab->sides[v].plan->variant;
		measure(&lab->jobs[v * c->nsteps],
		        &c->variants[v].argument_bytes,
		        &c->variants[v].environment_bytes);
		if (v && why)
			skip(lab, v, why);
		if (v == 0 || !why)
			c->by_pass &= job_has_passes(&lab->jobs[v * c->nsteps]);
	}
	/* To warm up with, until it is known how many take 10 ms. */
	c->operations = c->by_pass ? 2 : 1;
	for (size_t s = 0; s < c->nsteps; s++) {
		names[s] = lab->jobs[s].name;
		c->compared[s] = !lab->jobs[s].skip;
		for (size_t v = 1; v < c->nvariants; v++)
			if (lab->jobs[s].skip)
				lab->jobs[v * c->nsteps + s].skip =
					lab->jobs[s].skip;
	}
	if (comparison_sides(c) == 0)
		skip(lab, 0, "there is nothing to compare it with");
}

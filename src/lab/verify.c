/*
 * verify: are the knobs what the workload says, after an exec?
 *
 * For each program that has knobs the applet @took is run in a child of the
 * same kind; it reads them back from the kernel. What did not take is never
 * measured: its step is skipped, with the reason.
 */
#include "internal.h"

#include <string.h>

/* @took tells on standard output, a failed child's tail is standard error. */
static const struct file_action to_error = {
	.kind = FILE_DUP, .fd = 1, .from = 2,
};

static bool
same_knobs(const struct spawn *one, const struct spawn *other)
{
	if (one->nknobs != other->nknobs || one->method != other->method)
		return false;
	for (size_t i = 0; i < one->nknobs; i++)
		if (one->knobs[i].knob != other->knobs[i].knob ||
		    strcmp(one->knobs[i].value.text,
		           other->knobs[i].value.text) != 0)
			return false;
	return true;
}

/* The same start, but what is exec'd is @took with the knobs as words. */
static struct program
took_program(struct lab *lab, const struct program *program)
{
	struct program took = *program;
	char **argv = arena_array(lab->arena, program->spawn.nknobs + 2,
	                          sizeof(*argv));

	argv[0] = "@took";
	for (size_t i = 0; i < program->spawn.nknobs; i++)
		argv[i + 1] = arena_printf(lab->arena, "%s=%s",
		                           program->spawn.knobs[i].knob->name,
		                           program->spawn.knobs[i].value.text);
	took.spawn.path = lab->options->self;
	took.spawn.argv = argv;
	took.spawn.actions = &to_error;
	took.spawn.nactions = 1;
	took.spawn.dir = NULL;
	took.spawn.close = CLOSE_NONE;
	took.status = 0;
	return took;
}

static const char *
why_not(struct lab *lab)
{
	const struct failure *failure = &lab->board->failure;
	const char *output = runner_output(lab);
	char text[512];

	if (failure->slot.stage == STAGE_DONE && output)
		return arena_printf(lab->arena, "did not take effect: %s",
		                    output);
	failure_text(failure, text, sizeof(text));
	return arena_printf(lab->arena, "%s", text);
}

/* 0: they take, or the job is now one to skip; -1: the run is over. */
static int
verify_program(struct lab *lab, struct job *job,
               const struct program *program, const struct program **last)
{
	struct program took;

	if (!program->spawn.nknobs || !program->spawn.path ||
	    (*last && same_knobs(&(*last)->spawn, &program->spawn)))
		return 0;
	took = took_program(lab, program);
	switch (runner_prepare(lab, &took)) {
	case ORDER_ENDED:
		return -1;
	case ORDER_FAILED:
		job->skip = why_not(lab);
		break;
	case ORDER_DONE:
		*last = program;
	}
	return 0;
}

static int
verify_tasks(struct lab *lab, struct job *job, const struct task *tasks,
             size_t count, const struct program **last)
{
	for (size_t i = 0; i < count && !job->skip; i++) {
		for (size_t p = 0; p < tasks[i].nprograms && !job->skip; p++)
			if (verify_program(lab, job, &tasks[i].programs[p],
			                   last) < 0)
				return -1;
		if (verify_tasks(lab, job, tasks[i].body, tasks[i].nbody,
		                 last) < 0)
			return -1;
	}
	return 0;
}

int
lab_verify(struct lab *lab)
{
	const struct program *last = NULL;

	if (lab_sysctls_try(lab) < 0)
		return -1;
	for (size_t i = 0; i < lab->njobs; i++)
		if (!lab->jobs[i].skip &&
		    verify_tasks(lab, &lab->jobs[i], lab->jobs[i].tasks,
		                 lab->jobs[i].ntasks, &last) < 0)
			return -1;
	return 0;
}

/*
 * finish: what is told of a run when it is over.
 */
#include "internal.h"

#include <string.h>

static void
fill_servers(struct lab *lab)
{
	struct result *result = lab->result;

	for (size_t i = 0; i < lab->plan->nresources; i++) {
		struct server_result *row;

		if (!lab->servers[i].rounds)
			continue;
		row = arena_push(lab->arena, &result->servers,
		                 &result->nservers, sizeof(*row));
		row->name = lab->servers[i].name;
		row->rounds = lab->servers[i].rounds;
		row->wrong = lab->servers[i].server.board->wrong;
		row->refused = lab->servers[i].server.board->refused;
	}
}

/* A block's count of something, as one round of the whole file has it. */
static int64_t
of_a_round(const struct lab *lab, int64_t count)
{
	const struct comparison *c = lab->result->comparison;

	if (!c)
		return count;
	count /= c->operations;
	return c->by_pass ? count * lab->jobs->tasks->count : count;
}

/*
 * What a counter of "expect" is in one round of the whole file; of a
 * comparison in the first variant.
 */
static int64_t
count_of(const struct lab *lab, enum counter counter)
{
	const struct result *result = lab->result;
	int64_t count = 0;

	for (size_t i = 0; i < lab->nsteps; i++) {
		const struct sample *sample;

		if (counter == COUNTER_FAILURES)
			count += result->steps[i].outcome == OUTCOME_FAILED;
		if (result->steps[i].outcome != OUTCOME_DONE ||
		    result->rounds == 0)
			continue;
		sample = result_sample(result, 0, i);
		if (counter == COUNTER_EXECS)
			count += of_a_round(lab, sample->execs);
		if (counter == COUNTER_FORKS)
			count += of_a_round(lab, sample->forks);
	}
	return count;
}

static void
fill_expects(struct lab *lab)
{
	struct result *result = lab->result;

	/* They speak of the whole file. */
	if (lab->options->steps)
		return;
	for (size_t i = 0; i < lab->plan->nexpectations; i++) {
		const struct expectation *e = &lab->plan->expectations[i];
		struct expect_result *row = arena_push(lab->arena,
			&result->expects, &result->nexpects, sizeof(*row));

		row->text = arena_printf(lab->arena, "%s %s %lld",
		                         counter_names[e->counter], e->compare,
		                         (long long)e->n);
		row->have = count_of(lab, e->counter);
		row->holds = compare_holds(row->have, e->compare, e->n);
	}
}

static int
status_of(const struct result *result)
{
	int status = 0;
	size_t skipped = 0;

	for (size_t i = 0; i < result->nsteps; i++) {
		const struct step_result *step = &result->steps[i];

		if (step->outcome == OUTCOME_FAILED && !status)
			status = step->status;
		skipped += step->outcome == OUTCOME_SKIPPED;
	}
	if (status)
		return status;
	if (result->comparison && result->comparison->failed)
		return 1;
	if (skipped == result->nsteps) {
		for (size_t i = 0; i < result->nsteps; i++)
			if (result->steps[i].status)
				return result->steps[i].status;
		return 4;
	}
	for (size_t i = 0; i < result->nexpects; i++)
		if (!result->expects[i].holds)
			return 3;
	return 0;
}

void
lab_finish(struct lab *lab)
{
	struct result *result = lab->result;
	int64_t *values;

	for (size_t i = 0; i < result->nsteps && lab->orphans; i++) {
		result->steps[i].orphans = lab->orphans[i];
		result->steps[i].detail = lab->details ? &lab->details[i] :
		                          NULL;
	}
	for (size_t i = 0; i < lab->njobs; i++) {
		result->no_mmu |= lab->jobs[i].no_mmu;
		if (!result->shell)
			result->shell = lab->jobs[i].shell;
		job_release(&lab->jobs[i]);
	}
	result->cpus = lab->options->cpus;
	fill_servers(lab);
	values = arena_array(lab->arena, (size_t)result->rounds,
	                     sizeof(*values));
	lab_split_finish(lab);
	result->median = result_median_round(result, values);
	if (result->trouble)
		return;
	fill_expects(lab);
	result->status = status_of(result);
}

#include "result.h"

#include "stats/order.h"

const struct sample *
result_sample(const struct result *result, int64_t round, size_t step)
{
	return &result->samples[(size_t)round * result->nsteps + step];
}

/* The same sum, by another share. */
static struct usage
split(struct usage usage, int64_t user_ppm)
{
	int64_t sum = usage.user_us + usage.sys_us;

	if (user_ppm < 0)
		return usage;
	usage.user_us = (int64_t)((double)sum * (double)user_ppm / 1e6 + 0.5);
	usage.sys_us = sum - usage.user_us;
	return usage;
}

static void
add_sample(struct figures *figures, const struct sample *sample,
           const struct split_result *how)
{
	struct usage usage = usage_add(sample->children, sample->self);

	figures->real_ns += sample->real_ns;
	figures->cpu = usage_add(figures->cpu, split(usage, how->user_ppm));
	figures->programs += sample->forks;
}

struct figures
result_figures(const struct result *result, int64_t round, long step)
{
	struct figures figures = { 0, { 0, 0 }, 0 };

	for (size_t i = 0; i < result->nsteps; i++)
		if ((step < 0 || (size_t)step == i) &&
		    result->steps[i].outcome == OUTCOME_DONE)
			add_sample(&figures, result_sample(result, round, i),
			           &result->steps[i].split);
	return figures;
}

void
result_reals(const struct result *result, long step, int64_t *values)
{
	for (int64_t r = 0; r < result->rounds; r++)
		values[r] = result_figures(result, r, step).real_ns;
}

bool
result_split_is_guess(const struct result *result, long step)
{
	int64_t all = 0, guessed = 0;

	if (step >= 0)
		return result->steps[step].split.guessed;
	for (size_t i = 0; i < result->nsteps; i++) {
		struct figures f;

		if (result->steps[i].outcome != OUTCOME_DONE)
			continue;
		f = result_figures(result, result->median, (long)i);
		all += f.cpu.user_us + f.cpu.sys_us;
		if (result->steps[i].split.guessed)
			guessed += f.cpu.user_us + f.cpu.sys_us;
	}
	return guessed * 20 > all;
}

/* Is some step left that is done? */
static bool
result_has_figures(const struct result *result)
{
	for (size_t i = 0; i < result->nsteps; i++)
		if (result->steps[i].outcome == OUTCOME_DONE)
			return true;
	return false;
}

int64_t
result_median_round(const struct result *result, int64_t *values)
{
	int64_t middle;

	if (result->rounds == 0 || !result_has_figures(result))
		return -1;
	result_reals(result, -1, values);
	order_sort(values, (size_t)result->rounds);
	middle = order_lower_median(values, (size_t)result->rounds);
	for (int64_t r = 0; r < result->rounds; r++)
		if (result_figures(result, r, -1).real_ns == middle)
			return r;
	return -1;
}

/* ---- of a comparison --------------------------------------------------- */

static struct operation
operation_of(const struct result *result, size_t variant, size_t step,
             int64_t *scratch)
{
	const struct comparison *c = result->comparison;
	const struct split_result *split =
		&result->steps[variant * c->nsteps + step].split;
	int64_t ppm = split->user_ppm >= 0 ? split->user_ppm :
	              split->rusage_ppm;
	struct operation op = { .guessed = split->guessed };

	comparison_middle(c, variant, step, scratch, &op.real_ns, &op.cpu_ns);
	op.user_ns = (int64_t)((double)op.cpu_ns *
	                       (double)(ppm > 0 ? ppm : 0) / 1e6);
	if (split->error_ppm > 0)
		op.error_ns = (int64_t)((double)op.cpu_ns *
		                        (double)split->error_ppm / 1e6);
	return op;
}

struct operation
comparison_operation(const struct result *result, size_t variant, size_t step,
                     int64_t *scratch)
{
	const struct comparison *c = result->comparison;
	struct operation round = { 0, 0, 0, 0, false };
	int64_t guessed_ns = 0;

	if (step < c->nsteps)
		return operation_of(result, variant, step, scratch);
	for (size_t s = 0; s < c->nsteps; s++) {
		struct operation op;

		if (!c->compared[s])
			continue;
		op = operation_of(result, variant, s, scratch);
		round.user_ns += op.user_ns;
		round.error_ns += op.error_ns;
		guessed_ns += op.guessed ? op.cpu_ns : 0;
	}
	comparison_middle(c, variant, step, scratch, &round.real_ns,
	                  &round.cpu_ns);
	round.guessed = guessed_ns * 20 > round.cpu_ns;
	return round;
}

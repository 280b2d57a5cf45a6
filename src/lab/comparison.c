#include "comparison.h"

#include "stats/order.h"

const struct block *
comparison_block(const struct comparison *comparison, int64_t pair,
                 size_t variant, size_t step)
{
	size_t row = (size_t)pair * comparison->nvariants + variant;

	return &comparison->blocks[row * (comparison->nsteps + 1) + step];
}

/* ---- how many verdicts there are --------------------------------------- */

static int64_t
steps(const struct comparison *comparison)
{
	int64_t n = 0;

	for (size_t i = 0; i < comparison->nsteps; i++)
		n += comparison->compared[i];
	return n;
}

int64_t
comparison_sides(const struct comparison *comparison)
{
	int64_t n = 0;

	if (steps(comparison) == 0)
		return 0;
	for (size_t v = 1; v < comparison->nvariants; v++)
		n += !comparison->variants[v].skipped;
	return n;
}

/* Of the steps' verdicts together one in twenty may be false by chance, */
/* and of the rounds' likewise. */
static int64_t
z2_of(const struct comparison *comparison, size_t step)
{
	int64_t tests = comparison_sides(comparison);

	if (step < comparison->nsteps)
		tests *= steps(comparison);
	return compare_z2(tests > 0 ? tests : 1);
}

int64_t
comparison_fewest(const struct comparison *comparison)
{
	return (int64_t)compare_fewest(z2_of(comparison, 0));
}

/* ---- one verdict ------------------------------------------------------- */

enum figure { FIGURE_MEDIAN, FIGURE_TOTAL, FIGURE_CPU };

static int64_t
figure_of(const struct block *block, enum figure figure)
{
	switch (figure) {
	case FIGURE_MEDIAN:
		return block->median_ns;
	case FIGURE_TOTAL:
		return block->total_ns;
	case FIGURE_CPU:
		break;
	}
	return (block->cpu.user_us + block->cpu.sys_us) * 1000;
}

/* The median over the pairs. */
static int64_t
middle(const struct comparison *comparison, size_t variant, size_t step,
       enum figure figure, int64_t *scratch)
{
	for (int64_t p = 0; p < comparison->pairs; p++)
		scratch[p] = figure_of(comparison_block(comparison, p, variant,
		                                        step), figure);
	order_sort(scratch, (size_t)comparison->pairs);
	return order_median(scratch, (size_t)comparison->pairs);
}

void
comparison_middle(const struct comparison *comparison, size_t variant,
                  size_t step, int64_t *scratch, int64_t *real_ns,
                  int64_t *cpu_ns)
{
	*real_ns = middle(comparison, variant, step, FIGURE_MEDIAN, scratch);
	*cpu_ns = middle(comparison, variant, step, FIGURE_CPU, scratch) /
	          comparison->operations;
}

/* The interval of the pairs' ratios. */
static struct interval
interval_of(const struct comparison *comparison, size_t variant, size_t step,
            enum figure figure, int64_t *scratch)
{
	size_t n = 0;

	for (int64_t p = 0; p < comparison->pairs; p++) {
		int64_t a = figure_of(comparison_block(comparison, p, 0, step),
		                      figure);
		int64_t b = figure_of(comparison_block(comparison, p, variant,
		                                       step), figure);

		/* What used no CPU time that could be seen has no ratio. */
		if (a > 0)
			scratch[n++] = compare_ratio(a, b);
	}
	if (n == 0)
		return (struct interval){ 0 };
	order_sort(scratch, n);
	return compare_interval(scratch, n, z2_of(comparison, step));
}

struct compared
comparison_judge(const struct comparison *comparison, size_t variant,
                 size_t step, enum compared_by by, int64_t *scratch)
{
	enum figure figure = by == BY_CPU ? FIGURE_CPU : FIGURE_MEDIAN;
	int64_t n = by == BY_CPU ? comparison->operations : 1;
	struct compared out;
	/* CPU time is told in microseconds, but of a whole block. */
	int64_t quantum = by == BY_CPU ? 1000 : comparison->quantum_ns;

	out.a_ns = middle(comparison, 0, step, figure, scratch);
	out.b_ns = middle(comparison, variant, step, figure, scratch);
	out.floor_ppm = compare_floor(quantum, out.a_ns > 0 ? out.a_ns : 1);
	out.a_ns /= n;
	out.b_ns /= n;
	out.interval = interval_of(comparison, variant, step, figure, scratch);
	out.tail = interval_of(comparison, variant, step, FIGURE_TOTAL,
	                       scratch);
	out.in_tail = by == BY_REAL && out.interval.known && out.tail.known &&
	              (out.tail.lo > out.interval.hi ||
	               out.tail.hi < out.interval.lo);
	out.judgement = compare_judge(out.interval, out.floor_ppm,
	                              comparison->margin_ppm);
	return out;
}

bool
comparison_is_settled(const struct comparison *comparison, int64_t *scratch)
{
	for (size_t v = 1; v < comparison->nvariants; v++) {
		if (comparison->variants[v].skipped)
			continue;
		for (size_t s = 0; s <= comparison->nsteps; s++) {
			struct interval interval;

			if (s < comparison->nsteps && !comparison->compared[s])
				continue;
			interval = interval_of(comparison, v, s, FIGURE_MEDIAN,
			                       scratch);
			if (!compare_settled(interval, COMPARISON_WIDTH_PPM))
				return false;
		}
	}
	return true;
}

/*
 * block: so many operations in a row, and what they were: in the runner, or,
 * where the steps want different runners, in the guard.
 */
#include "internal.h"

#include <string.h>
#include <sys/resource.h>

#include "base/clock.h"
#include "stats/order.h"

#define QUANTA 100               /* of the clock, that are long enough */

static int64_t
switches(void)
{
	struct rusage usage;

	if (getrusage(RUSAGE_CHILDREN, &usage) < 0)
		return 0;
	return (int64_t)usage.ru_nvcsw + usage.ru_nivcsw;
}

static int64_t
warm_of(const struct order *order)
{
	return order->count > 1 ? BLOCK_WARM : 0;
}

static void
add_sample(struct sample *sum, const struct sample *one)
{
	sum->real_ns += one->real_ns;
	sum->children = usage_add(sum->children, one->children);
	sum->orphans = usage_add(sum->orphans, one->orphans);
	sum->self = usage_add(sum->self, one->self);
	sum->forks += one->forks;
	sum->execs += one->execs;
}

/*
 * Sorts the values. Where an operation is short against the clock's steps
 * their median is a number of steps, and the mean says more.
 */
static void
sum_up(int64_t *values, size_t count, int64_t quantum_ns, struct block *block)
{
	order_sort(values, count);
	block->total_ns = 0;
	for (size_t i = 0; i < count; i++)
		block->total_ns += values[i];
	block->min_ns = values[0];
	block->q25_ns = order_quantile(values, count, 1, 4);
	block->median_ns = order_median(values, count);
	block->q75_ns = order_quantile(values, count, 3, 4);
	block->max_ns = values[count - 1];
	if (block->median_ns < QUANTA * quantum_ns)
		block->median_ns = block->total_ns / (int64_t)count;
}

/* A round's samples, which the row that nobody reads has. */
static void
keep_round(struct lab *lab, const struct order *order,
           const struct sample *round, size_t i)
{
	size_t nsteps = order->last - order->first;
	int64_t whole = 0;

	for (size_t s = 0; s < nsteps; s++) {
		size_t job = order->first + s;

		if (!lab_takes_part(lab, job, ROUND_BLOCK))
			continue;
		whole += round[job].real_ns;
		lab->times_ns[s * MOST_OPERATIONS + i] = round[job].real_ns;
		add_sample(&order->samples[job], &round[job]);
	}
	lab->times_ns[nsteps * MOST_OPERATIONS + i] = whole;
}

/* Whole rounds: each step's times, and behind them the rounds'. */
static int
run_rounds(struct lab *lab, struct job_runner *self, const struct order *order)
{
	struct sample *round = lab_unread(lab);

	for (int64_t i = -warm_of(order); i < order->count; i++) {
		for (size_t job = order->first; job < order->last; job++) {
			if (!lab_takes_part(lab, job, ROUND_BLOCK))
				continue;
			runner_aim(lab, self, job);
			if (job_run(self, &lab->jobs[job], &round[job]) < 0)
				return -1;
		}
		if (i >= 0)
			keep_round(lab, order, round, (size_t)i);
	}
	return 0;
}

/* The passes of the only step; the round is the same. */
static int
run_passes(struct lab *lab, struct job_runner *self, const struct order *order)
{
	size_t n = (size_t)order->count;

	runner_aim(lab, self, order->first);
	if (job_run_passes(self, &lab->jobs[order->first], warm_of(order),
	                   order->count, lab->times_ns,
	                   &order->samples[order->first]) < 0)
		return -1;
	memcpy(lab->times_ns + MOST_OPERATIONS, lab->times_ns,
	       n * sizeof(*lab->times_ns));
	return 0;
}

/* ---- summing up -------------------------------------------------------- */

static void
sum_up_all(struct lab *lab, const struct order *order, int64_t start_ns,
           int64_t switched)
{
	size_t nsteps = order->last - order->first;
	struct usage whole = { 0, 0 };

	for (size_t s = 0; s <= nsteps; s++) {
		struct block *block = &order->blocks[s];

		block->start_ns = start_ns;
		block->switches = switched;
		if (s < nsteps &&
		    !lab_takes_part(lab, order->first + s, ROUND_BLOCK))
			continue;
		sum_up(lab->times_ns + s * MOST_OPERATIONS,
		       (size_t)order->count, lab->result->quantum_ns, block);
		if (s < nsteps) {
			const struct sample *sum =
				&order->samples[order->first + s];

			block->cpu = usage_add(sum->children, sum->self);
			whole = usage_add(whole, block->cpu);
		} else {
			block->cpu = whole;
		}
	}
}

static void
clear_samples(const struct order *order)
{
	for (size_t job = order->first; job < order->last; job++)
		memset(&order->samples[job], 0, sizeof(*order->samples));
}

char
block_run(struct lab *lab, struct job_runner *self, const struct order *order)
{
	int64_t start_ns = clock_ns() - lab->begin_ns, before = switches();

	clear_samples(order);
	if ((lab->result->comparison->by_pass ?
	     run_passes(lab, self, order) : run_rounds(lab, self, order)) < 0)
		return 1;
	sum_up_all(lab, order, start_ns, switches() - before);
	return 0;
}

/* ---- in the guard ------------------------------------------------------ */

bool
block_is_mixed(const struct lab *lab, const struct order *order)
{
	const struct job *first = NULL;

	for (size_t i = order->first; i < order->last; i++) {
		const struct job *job = &lab->jobs[i];

		if (!lab_takes_part(lab, i, ROUND_BLOCK))
			continue;
		if (first && (!runner_kind_equal(&first->runner,
		                                 &job->runner) ||
		              !lab_same_machine(lab, first, job)))
			return true;
		first = job;
	}
	return false;
}

enum order_result
block_run_mixed(struct lab *lab, const struct order *order)
{
	struct sample *round = lab_unread(lab);
	int64_t start_ns = clock_ns() - lab->begin_ns;

	clear_samples(order);
	for (int64_t i = -warm_of(order); i < order->count; i++) {
		size_t first = order->first;
		enum order_result result = lab_run_jobs(lab, ROUND_TIMED,
			&first, order->last, round);

		if (result != ORDER_DONE)
			return result;
		if (i >= 0)
			keep_round(lab, order, round, (size_t)i);
	}
	sum_up_all(lab, order, start_ns, 0);
	return ORDER_DONE;
}

/*
 * pairs: the rounds of a comparison: pairs of blocks in drawn order, until
 * the intervals are narrow enough or the budget is used up.
 */
#include "internal.h"

#include <stdio.h>

#include "base/clock.h"
#include "base/units.h"

#define BLOCK_NS     (10 * NS_PER_MS)
#define LONG_NS      NS_PER_S    /* a round: then fewer pairs are a start */
#define FIRST_LOOK   30
#define FIRST_LOOK_LONG 6
#define TRIES        3           /* pairs in a row that may fail */

struct pairs {
	struct lab *lab;
	struct comparison *c;
	int64_t *scratch;
	uint64_t order;          /* state of the drawing */
	bool fresh;              /* a runner for each block */
	int64_t pair_ns;         /* what one takes, about */
	int failures;            /* in a row */
};

/*
 * A step that has failed in one variant cannot be compared, and is run in
 * none. false: there is none left.
 */
static bool
drop_failed(struct lab *lab)
{
	struct comparison *c = lab->result->comparison;
	bool any = false;

	for (size_t i = 0; i < lab->njobs; i++)
		if (lab->result->steps[i].outcome == OUTCOME_FAILED)
			c->compared[i % lab->nsteps] = false;
	for (size_t i = 0; i < lab->njobs; i++)
		lab->active[i] &= c->compared[i % lab->nsteps];
	for (size_t s = 0; s < lab->nsteps; s++)
		any |= c->compared[s];
	return any;
}

/* ---- one block, one pair ----------------------------------------------- */

static void
block_failed(struct pairs *pairs)
{
	struct lab *lab = pairs->lab;
	char text[600];

	failure_text(&lab->board->failure, text, sizeof(text));
	pairs->c->failed++;
	pairs->failures++;
	if (!pairs->c->failure)
		pairs->c->failure = arena_printf(lab->arena, "step %s: %s",
			lab->result->steps[lab->board->step].name, text);
	if (pairs->failures < TRIES)
		return;
	pairs->c->why = STOPPED_BY_FAILURE;
	lab_step_failed(lab, ROUND_BLOCK, pairs->c->pairs);
	drop_failed(lab);
}

/* All its steps by one runner. */
static enum order_result
order_block(struct lab *lab, const struct order *order)
{
	const struct job *job = &lab->jobs[order->first];
	struct runner *runner;

	while (!lab->active[job - lab->jobs])
		job++;
	if (lab_sysctls_set(lab, job) < 0)
		return ORDER_ENDED;
	runner = runner_get(lab, &job->runner);
	return runner ? runner_order(lab, runner, order) : ORDER_ENDED;
}

static enum order_result
run_block(struct pairs *pairs, int64_t pair, size_t variant, int position,
          int64_t count)
{
	struct lab *lab = pairs->lab;
	size_t first = variant * lab->nsteps;
	struct block *blocks = (struct block *)comparison_block(pairs->c, pair,
		variant, 0);
	struct order order = {
		.kind = ROUND_BLOCK, .first = first,
		.last = first + lab->nsteps, .count = count, .blocks = blocks,
		.samples = lab->samples + (size_t)pair * lab->njobs,
	};
	enum order_result result;

	if (lab_enter(lab, variant) < 0)
		return ORDER_ENDED;
	result = block_is_mixed(lab, &order) ? block_run_mixed(lab, &order) :
	         order_block(lab, &order);
	if (pairs->fresh && result != ORDER_ENDED)
		runners_end(lab);
	if (result == ORDER_ENDED || lab_leave(lab) < 0)
		return ORDER_ENDED;
	for (size_t s = 0; s <= lab->nsteps; s++)
		blocks[s].position = position;
	if (result == ORDER_FAILED)
		block_failed(pairs);
	return result;
}

/* A block of each variant that is left. */
static enum order_result
run_pair(struct pairs *pairs)
{
	const struct comparison *c = pairs->c;
	enum order_result result = ORDER_DONE;
	int order[MOST_VARIANTS];
	int position = 0;

	compare_order(&pairs->order, order, (int)c->nvariants);
	for (size_t i = 0; i < c->nvariants && result == ORDER_DONE; i++) {
		if (c->variants[order[i]].skipped)
			continue;
		result = run_block(pairs, c->pairs, (size_t)order[i],
		                   position++, c->operations);
	}
	if (result == ORDER_DONE)
		pairs->failures = 0;
	return result;
}

/* ---- how much of it ---------------------------------------------------- */

/*
 * How many operations make a block: from a few of each variant, which are
 * not kept. -1: the run is over.
 */
static int
calibrate(struct pairs *pairs)
{
	struct comparison *c = pairs->c;
	int64_t count = c->by_pass ? 3 : 1, slowest = 1, sum = 0;

	for (size_t v = 0; v < c->nvariants; v++) {
		const struct block *whole = comparison_block(c, 0, v,
		                                             c->nsteps);
		int64_t took;

		if (c->variants[v].skipped)
			continue;
		switch (run_block(pairs, 0, v, 0, count)) {
		case ORDER_DONE:
			break;
		case ORDER_FAILED:
			lab_step_failed(pairs->lab, ROUND_WARM, -1);
			return -1;
		case ORDER_ENDED:
			return -1;
		}
		took = whole->total_ns / count;
		sum += took;
		if (took > slowest)
			slowest = took;
	}
	c->operations = (BLOCK_NS + slowest - 1) / slowest;
	if (c->operations > MOST_OPERATIONS)
		c->operations = MOST_OPERATIONS;
	pairs->pair_ns = sum * (c->operations +
	                        (c->operations > 1 ? BLOCK_WARM : 0));
	return slowest > LONG_NS;
}

static void
say_how_long(const struct pairs *pairs, int64_t fewest, int64_t budget)
{
	struct lab *lab = pairs->lab;
	int64_t spent = clock_ns() - lab->begin_ns;
	int64_t need = spent + fewest * pairs->pair_ns;
	char whole[32], each[32];

	if (need <= budget || !lab->hooks->note)
		return;
	lab->hooks->note(lab->hooks->state, arena_printf(lab->arena,
		"about %s: %lld pairs of %s",
		show_duration(need, whole, sizeof(whole)), (long long)fewest,
		show_duration(pairs->pair_ns, each, sizeof(each))));
}

/* ---- all of them ------------------------------------------------------- */

static bool
go_on(struct pairs *pairs, int64_t asked, int64_t fewest, int64_t until)
{
	struct comparison *c = pairs->c;

	if (asked && c->pairs >= asked)
		c->why = STOPPED_BY_COUNT;
	if (c->pairs >= (asked ? asked : pairs->lab->rounds_most))
		return false;
	return asked || c->pairs < fewest ||
	       clock_ns() + pairs->pair_ns <= until;
}

/* 1: one more is there; 0: it failed; -1: the run is over. */
static int
one_more(struct pairs *pairs)
{
	struct lab *lab = pairs->lab;
	struct comparison *c = pairs->c;

	if (lab_is_over(lab))
		return -1;
	switch (run_pair(pairs)) {
	case ORDER_ENDED:
		return -1;
	case ORDER_FAILED:
		return pairs->failures == TRIES ? -1 : 0;
	case ORDER_DONE:
		break;
	}
	lab->result->rounds = ++c->pairs;
	lab_tell_pair(lab, c->pairs - 1);
	return 1;
}

static void
run_pairs(struct pairs *pairs, int64_t asked, int64_t fewest, int64_t until,
          int64_t look)
{
	struct lab *lab = pairs->lab;
	struct comparison *c = pairs->c;
	int64_t begin = clock_ns(), tries = 0;

	while (go_on(pairs, asked, fewest, until)) {
		lab_progress(lab, c->pairs, asked,
		             asked ? 0 : until - lab->begin_ns);
		if (one_more(pairs) < 0)
			break;
		tries++;
		c->took_ns = clock_ns() - begin;
		pairs->pair_ns = c->took_ns / tries;
		if (asked || lab->options->aa || c->pairs < look)
			continue;
		c->looks++;
		look = compare_next_look(c->pairs);
		if (comparison_is_settled(c, pairs->scratch)) {
			c->why = STOPPED_BY_WIDTH;
			break;
		}
	}
}

/* Do variants want other runners? Then each block has one of its own. */
static bool
want_fresh(const struct lab *lab)
{
	for (size_t i = lab->nsteps; i < lab->njobs; i++)
		if (!runner_kind_equal(&lab->jobs[i].runner,
		                       &lab->jobs[i % lab->nsteps].runner))
			return true;
	return false;
}

void
lab_pairs(struct lab *lab)
{
	struct comparison *c = lab->result->comparison;
	struct pairs pairs = {
		.lab = lab, .c = c, .order = (uint64_t)c->seed,
		.fresh = want_fresh(lab),
	};
	int64_t asked = lab_rounds_asked(lab), budget = lab_budget(lab);
	int64_t fewest = comparison_fewest(c), look;
	int is_long;

	pairs.scratch = lab_shared(lab, (size_t)lab->rounds_most,
	                           sizeof(*pairs.scratch));
	if (!pairs.scratch || lab_warm_up(lab) < 0 || !drop_failed(lab))
		return;
	is_long = calibrate(&pairs);
	if (is_long < 0 || lab_split_up(lab, pairs.pair_ns) < 0 ||
	    !drop_failed(lab))
		return;
	/* A budget that was typed is kept, if there is a verdict or not. */
	if (lab->options->budget_ns >= 0)
		fewest = 1;
	else if (!asked)
		say_how_long(&pairs, fewest, budget);
	look = is_long ? FIRST_LOOK_LONG : FIRST_LOOK;
	if (look < comparison_fewest(c))
		look = comparison_fewest(c);
	run_pairs(&pairs, asked, fewest, lab->begin_ns + budget, look);
}

/*
 * rounds: warm-up, then rounds until the budget or their number is used up.
 */
#include "internal.h"

#include <stdio.h>
#include <string.h>

#include "base/clock.h"
#include "base/units.h"

#define FEWEST_ROUNDS  5
#define DEFAULT_WARMUP 1
#define DEFAULT_BUDGET (5 * NS_PER_S)

static int64_t
told(int64_t option, int64_t in_plan, int64_t otherwise)
{
	return option >= 0 ? option : in_plan >= 0 ? in_plan : otherwise;
}

/* ---- one round --------------------------------------------------------- */

bool
lab_takes_part(const struct lab *lab, size_t job, enum round_kind kind)
{
	return lab->active[job] &&
	       (kind != ROUND_SPLIT || lab->split.wanted[job]);
}

/* The first job from first on that another runner or variant must do. */
static size_t
segment_end(const struct lab *lab, enum round_kind kind, size_t first)
{
	size_t i = first, end = first - first % lab->nsteps + lab->nsteps;

	while (i < end &&
	       (!lab_takes_part(lab, i, kind) ||
	        (runner_kind_equal(&lab->jobs[i].runner,
	                           &lab->jobs[first].runner) &&
	         lab_same_machine(lab, &lab->jobs[i], &lab->jobs[first]))))
		i++;
	return i;
}

void
lab_step_failed(struct lab *lab, enum round_kind kind, int64_t round)
{
	size_t step = lab->board->step;
	struct step_result *result = &lab->result->steps[step];
	const struct failure *failure = &lab->board->failure;
	char text[600], when[64] = ", in the warm-up";

	failure_text(failure, text, sizeof(text));
	if (kind == ROUND_TIMED)
		snprintf(when, sizeof(when), ", round %lld",
		         (long long)round + 1);
	if (kind == ROUND_BLOCK)
		snprintf(when, sizeof(when), ", pair %lld, again and again",
		         (long long)round + 1);
	if (kind == ROUND_SPLIT)
		snprintf(when, sizeof(when), ", while its split was found");
	result->outcome = OUTCOME_FAILED;
	result->message = arena_printf(lab->arena, "%s%s", text, when);
	result->output = runner_output(lab);
	result->status = failure_status(failure);
	lab->active[step] = false;
}

enum order_result
lab_run_jobs(struct lab *lab, enum round_kind kind, size_t *first, size_t last,
             struct sample *samples)
{
	const struct comparison *c = lab->result->comparison;

	while (*first < last) {
		struct order order = {
			.kind = kind, .first = *first, .samples = samples,
			.count = c && c->by_pass ? c->operations : 0,
		};
		enum order_result result;
		struct runner *runner;

		if (!lab_takes_part(lab, *first, kind)) {
			++*first;
			continue;
		}
		order.last = segment_end(lab, kind, *first);
		if (lab_enter(lab, *first / lab->nsteps) < 0 ||
		    lab_sysctls_set(lab, &lab->jobs[*first]) < 0)
			return ORDER_ENDED;
		runner = runner_get(lab, &lab->jobs[*first].runner);
		if (!runner)
			return ORDER_ENDED;
		result = runner_order(lab, runner, &order);
		if (result != ORDER_DONE)
			return result;
		*first = order.last;
	}
	return ORDER_DONE;
}

/*
 * Every job that takes part once, in the file's order. A job that fails is
 * left out from then on (with --keep-going).
 */
bool
lab_one_round(struct lab *lab, enum round_kind kind, int64_t round,
              struct sample *samples)
{
	size_t first = 0;

	for (;;) {
		switch (lab_run_jobs(lab, kind, &first, lab->njobs, samples)) {
		case ORDER_DONE:
			return lab_leave(lab) == 0;
		case ORDER_ENDED:
			return false;
		case ORDER_FAILED:
			lab_step_failed(lab, kind, round);
			if (!lab->options->keep_going)
				return false;
			first = lab->board->step + 1;
			break;
		}
	}
}

static bool
any_active(const struct lab *lab)
{
	for (size_t i = 0; i < lab->njobs; i++)
		if (lab->active[i])
			return true;
	return false;
}

/* ---- between rounds ---------------------------------------------------- */

void
lab_progress(struct lab *lab, int64_t rounds, int64_t asked, int64_t budget)
{
	struct lab_progress now = {
		.rounds = rounds, .elapsed_ns = clock_ns() - lab->begin_ns,
		.budget_ns = budget, .rounds_asked = asked,
	};

	if (lab->hooks->progress)
		lab->hooks->progress(lab->hooks->state, &now);
}

void
lab_tell_pair(struct lab *lab, int64_t pair)
{
	if (!lab->hooks->pair)
		return;
	/* By what is known of the split so far. */
	if (pair == 0)
		lab_split_finish(lab);
	lab->hooks->pair(lab->hooks->state, lab->result, pair);
}

/* The servers' CPU of one round: what they used since before. */
static int
meter_servers(struct lab *lab, int64_t round, struct usage *before)
{
	size_t n = lab->plan->nresources;

	for (size_t i = 0; i < n; i++)
		if (lab->servers[i].pid)
			lab->servers[i].rounds[round] = before[i];
	if (lab_ask_servers(lab, before) < 0)
		return -1;
	for (size_t i = 0; i < n; i++)
		if (lab->servers[i].pid)
			lab->servers[i].rounds[round] = usage_less(before[i],
				lab->servers[i].rounds[round]);
	return 0;
}

/* What the fewest rounds need, said at once where it is more than asked. */
static void
say_how_long(struct lab *lab, int64_t budget, int64_t one_round_ns)
{
	int64_t split = lab_split_needs(lab, one_round_ns);
	int64_t need = FEWEST_ROUNDS * one_round_ns + split;
	char whole[32], each[32], text[160];

	if (one_round_ns == 0 ||
	    clock_ns() - lab->begin_ns + need <= budget || !lab->hooks->note)
		return;
	snprintf(text, sizeof(text), "about %s: %d rounds of %s%s",
	         show_duration(need, whole, sizeof(whole)), FEWEST_ROUNDS,
	         show_duration(one_round_ns, each, sizeof(each)),
	         split ? ", and one to split user from system time" : "");
	lab->hooks->note(lab->hooks->state, text);
}

/* ---- all of them ------------------------------------------------------- */

struct sample *
lab_unread(const struct lab *lab)
{
	return lab->samples + (size_t)lab->rounds_most * lab->njobs;
}

/* The last warm-up round's time, 0 where there is none, -1: it is over. */
static int64_t
warm_up(struct lab *lab, int64_t count)
{
	int64_t took = 0;

	for (int64_t i = 0; i < count; i++) {
		int64_t begin = clock_ns();

		lab_progress(lab, -1, 0, 0);
		if (lab_is_over(lab) ||
		    !lab_one_round(lab, ROUND_WARM, -1, lab_unread(lab)) ||
		    !any_active(lab))
			return -1;
		took = clock_ns() - begin;
	}
	return took;
}

/* What was left behind in rounds that are not shown is not, either. */
static void
forget_orphans(struct lab *lab)
{
	for (size_t i = 0; i < lab->njobs; i++)
		memset(&lab->orphans[i], 0, sizeof(lab->orphans[i]));
}

static bool
go_on(const struct lab *lab, int64_t done, int64_t asked, int64_t fewest,
      int64_t until, int64_t one_round_ns)
{
	if (done >= lab->rounds_most)
		return false;
	if (asked)
		return done < asked;
	return done < fewest || clock_ns() + one_round_ns <= until;
}

int64_t
lab_rounds_asked(const struct lab *lab)
{
	return told(lab->options->rounds, lab->plan->rounds, 0);
}

int64_t
lab_budget(const struct lab *lab)
{
	return told(lab->options->budget_ns, lab->plan->budget_ns,
	            DEFAULT_BUDGET);
}

/* A budget that was typed is kept, if one round fits or not. */
static int64_t
fewest_rounds(const struct lab *lab)
{
	return lab->options->budget_ns >= 0 ? 1 : FEWEST_ROUNDS;
}

int64_t
lab_warm_up(struct lab *lab)
{
	return warm_up(lab, told(lab->options->warmup, lab->plan->warmup,
	                         DEFAULT_WARMUP));
}

int
lab_split_up(struct lab *lab, int64_t took)
{
	int64_t budget = lab_budget(lab), limit = lab->options->timeout_ns;
	bool over;

	lab_progress(lab, -1, 0, 0);
	over = !lab_split_rounds(lab, limit && limit < budget ? limit : budget,
	                         took, lab_unread(lab));
	forget_orphans(lab);
	return over ? -1 : 0;
}

void
lab_rounds(struct lab *lab)
{
	int64_t asked = lab_rounds_asked(lab), budget = lab_budget(lab);
	int64_t fewest = fewest_rounds(lab);
	struct usage *before = arena_array(lab->arena,
		lab->plan->nresources, sizeof(*before));
	int64_t took = lab_warm_up(lab);
	int64_t begin, done = 0;

	if (took < 0)
		return;
	if (!asked && fewest > 1)
		say_how_long(lab, budget, took);
	if (lab_split_up(lab, took) < 0)
		return;
	lab_split_group(lab, asked ? asked * took : budget);
	begin = clock_ns();
	if (lab_ask_servers(lab, before) < 0)
		return;
	while (go_on(lab, done, asked, fewest, lab->begin_ns + budget, took)) {
		struct sample *samples =
			lab->samples + (size_t)done * lab->njobs;

		lab_progress(lab, done, asked, asked ? 0 : budget);
		if (lab_is_over(lab) ||
		    !lab_one_round(lab, ROUND_TIMED, done, samples) ||
		    !any_active(lab))
			return;
		if (meter_servers(lab, done, before) < 0)
			return;
		lab->result->rounds = ++done;
		took = (clock_ns() - begin) / done;
		lab_tell_pair(lab, done - 1);
	}
	if (!asked && done >= lab->rounds_most && lab->hooks->note)
		lab->hooks->note(lab->hooks->state, arena_printf(lab->arena,
			"ended after %lld rounds: there is room for no more",
			(long long)done));
}

/*
 * split: which share of a step's CPU time is user time, and who says so.
 *
 * Hardware counters and sampling have rounds of their own, after the warm-up
 * and before the first timed round; what they find is a step's user time a
 * round, which the timed rounds' exact sum is then split by. A cgroup's ticks
 * are read around each timed round.
 */
#include "internal.h"

#include <math.h>

#include "base/clock.h"
#include "sys/cgroup.h"

#define KERNEL_TICKS  10         /* a process: then the kernel's is right */
#define CGROUP_TICKS  2000
#define BUDGET_PARTS  5          /* of which split rounds get one */
#define ENOUGH        400        /* programs of a step are sampled */
#define MOST_ROUNDS   50
#define SLOWER        2          /* a split round against a timed one */
#define CALIBRATION   (35 * NS_PER_MS)   /* at the first of them */
#define LONG_NS       (3 * NS_PER_MS)    /* a process: sampling adds little */
#define LEAST_BIAS    0.01       /* of a share, as bench-split found it */
/* Of the CPU time, by what follows it. The rest is the kernel's, when it */
/* makes and ends processes, or a program's that could not be followed. */
#define LEAST_SEEN      0.6
#define LEAST_SEEN_LONG 0.9      /* of long ones */
#define FEW             8        /* programs: their spread says little */

/* ---- the choice -------------------------------------------------------- */

static bool
can_open(struct lab *lab, enum split_source source, struct errmsg *why)
{
	struct splitter splitter;

	if (splitter_open(&splitter, source, lab->context.passes_per_ms, 1,
	                  why) < 0)
		return false;
	splitter_close(&splitter);
	return true;
}

static void
choose(struct lab *lab)
{
	struct lab_split *split = &lab->split;
	struct errmsg why;

	if (split->accounting.precise) {
		split->source = SPLIT_PRECISE;
		return;
	}
	if (pmu_is_known() && can_open(lab, SPLIT_PMU, &why)) {
		split->source = SPLIT_PMU;
		return;
	}
	if (can_open(lab, SPLIT_SAMPLED, &why)) {
		split->source = SPLIT_SAMPLED;
		return;
	}
	split->source = SPLIT_KERNEL;
	split->why_not = arena_printf(lab->arena, "%s", why.text);
}

static int
force(struct lab *lab, enum split_source source)
{
	struct errmsg why;

	lab->split.source = source;
	if (can_open(lab, source, &why))
		return 0;
	return lab_trouble(lab, 2, "--cpu-split=%s: %s",
	                   split_choice_names[lab->options->cpu_split],
	                   why.text);
}

void
lab_split_alloc(struct lab *lab)
{
	struct lab_split *split = &lab->split;

	split->wanted = arena_array(lab->arena, lab->njobs,
	                            sizeof(*split->wanted));
	split->sums = arena_array(lab->arena, lab->njobs,
	                          sizeof(*split->sums));
	split->in_cgroup = arena_array(lab->arena, lab->njobs,
	                               sizeof(*split->in_cgroup));
}

int
lab_split_choose(struct lab *lab)
{
	struct lab_split *split = &lab->split;

	accounting_measure(&split->accounting, lab->context.passes_per_ms);
	switch (lab->options->cpu_split) {
	case CHOOSE_PMU:
		return force(lab, SPLIT_PMU);
	case CHOOSE_SAMPLED:
		return force(lab, SPLIT_SAMPLED);
	case CHOOSE_KERNEL:
		split->source = split->accounting.precise ? SPLIT_PRECISE :
		                SPLIT_KERNEL;
		split->why_not = "--cpu-split=kernel";
		return 0;
	case CHOOSE_AUTO:
		break;
	}
	choose(lab);
	return 0;
}

/* Is a source asked for that has rounds of its own? */
static bool
is_forced(const struct lab *lab)
{
	return lab->options->cpu_split == CHOOSE_PMU ||
	       lab->options->cpu_split == CHOOSE_SAMPLED;
}

/* ---- split rounds ------------------------------------------------------ */

/*
 * Are the processes so long that the kernel's own split is right? Then it is
 * kept, unless another is asked for.
 */
static bool
is_long(const struct lab *lab, int64_t cpu_ns, int64_t processes)
{
	int64_t tick = lab->split.accounting.tick_ns;

	return !is_forced(lab) && tick && processes &&
	       cpu_ns / processes >= KERNEL_TICKS * tick;
}

/* Which steps need one more; is there any? */
static bool
want(struct lab *lab)
{
	bool any = false;

	for (size_t i = 0; i < lab->njobs; i++) {
		const struct split_sum *sum = &lab->split.sums[i];

		lab->split.wanted[i] = lab->active[i] &&
			sum->programs < ENOUGH && sum->rounds < MOST_ROUNDS &&
			!is_long(lab, sum->processes_ns, sum->processes);
		any |= lab->split.wanted[i];
	}
	return any;
}

static bool
has_rounds(const struct lab *lab)
{
	return lab->split.source == SPLIT_PMU ||
	       lab->split.source == SPLIT_SAMPLED;
}

int64_t
lab_split_needs(struct lab *lab, int64_t round_ns)
{
	return has_rounds(lab) && want(lab) ? SLOWER * round_ns : 0;
}

bool
lab_split_rounds(struct lab *lab, int64_t budget_ns, int64_t round_ns,
                 struct sample *unread)
{
	struct lab_split *split = &lab->split;
	int64_t begin = clock_ns(), calibration = CALIBRATION;
	int64_t next = calibration + SLOWER * round_ns;
	bool must = lab->options->budget_ns < 0 || is_forced(lab);

	if (!has_rounds(lab))
		return true;
	while (want(lab)) {
		int64_t now = clock_ns();

		if (!must && now + next > begin + budget_ns / BUDGET_PARTS) {
			split->why_not = "the budget has no time for rounds "
			                 "that split it";
			break;
		}
		must = false;
		if (lab_is_over(lab) ||
		    !lab_one_round(lab, ROUND_SPLIT, -1, unread))
			return false;
		if (lab->board->split_trouble[0]) {
			split->why_not = lab->board->split_trouble;
			if (!is_forced(lab))
				break;
			lab_trouble(lab, 125, "--cpu-split: %s",
			            split->why_not);
			return false;
		}
		next = clock_ns() - now - calibration;
		calibration = 0;
	}
	return true;
}

/* ---- the cgroup -------------------------------------------------------- */

static void
remove_group(void *state)
{
	struct lab *lab = state;

	if (cgroup_remove(lab->split.cgroup) < 0 && lab->hooks->note)
		lab->hooks->note(lab->hooks->state,
		                 arena_printf(lab->arena, "cannot remove %s",
		                              lab->split.cgroup));
}

void
lab_split_group(struct lab *lab, int64_t timed_ns)
{
	struct lab_split *split = &lab->split;
	struct errmsg why;

	if (lab->options->cpu_split != CHOOSE_AUTO ||
	    split->source == SPLIT_PRECISE || split->source == SPLIT_PMU ||
	    !split->accounting.tick_ns ||
	    timed_ns / split->accounting.tick_ns < CGROUP_TICKS)
		return;
	if (cgroup_make(lab->arena, split->cgroup, sizeof(split->cgroup),
	                &why) < 0)
		return;
	if (guard_undo(&lab->guard, remove_group, lab) < 0) {
		cgroup_remove(split->cgroup);
		split->cgroup[0] = '\0';
		return;
	}
	for (size_t i = 0; i < lab->nrunners; i++)
		lab_split_add(lab, lab->runners[i].pid);
}

void
lab_split_add(struct lab *lab, pid_t runner)
{
	/* One that is not in it has no ticks there, and so no say. */
	if (lab->split.cgroup[0])
		(void)cgroup_add(lab->split.cgroup, runner);
}

/* ---- what was found ---------------------------------------------------- */

/* Of the timed rounds. */
struct timed {
	struct usage usage;
	int64_t programs;
	int64_t cpu_ns;
};

static struct timed
timed_of(const struct lab *lab, size_t step)
{
	struct timed timed = { 0 };

	for (int64_t r = 0; r < lab->result->rounds; r++) {
		const struct sample *s = result_sample(lab->result, r, step);

		timed.usage = usage_add(timed.usage, s->children);
		timed.usage = usage_add(timed.usage, s->self);
		timed.programs += s->forks;
	}
	timed.cpu_ns = (timed.usage.user_us + timed.usage.sys_us) * 1000;
	return timed;
}

static int64_t
ppm(double part, double whole)
{
	double share = whole > 0 ? part / whole : 0;

	return (int64_t)(1e6 * (share < 0 ? 0 : share > 1 ? 1 : share) + 0.5);
}

/* The group's ticks, where they are enough. */
static bool
by_cgroup(const struct lab *lab, size_t step, struct split_result *out)
{
	struct usage usage = lab->split.in_cgroup[step];
	double user = (double)usage.user_us, sum = user + (double)usage.sys_us;
	double ticks, share;

	if (!lab->split.cgroup[0])
		return false;
	ticks = sum * 1e3 / (double)lab->split.accounting.tick_ns;
	if (ticks < CGROUP_TICKS)
		return false;
	share = user / sum;
	out->source = SPLIT_CGROUP;
	out->user_ppm = ppm(user, sum);
	/* Two standard errors. */
	out->error_ppm = ppm(2 * sqrt(share * (1 - share) / ticks), 1);
	return true;
}

/*
 * The standard error of the user time. From program to program, where there
 * are enough; else as if each sample were drawn by itself, which errs upwards.
 */
static double
error_of(const struct split_sum *sum, double user_share)
{
	double n = (double)sum->spread.count;
	double between = n * spread_variance(&sum->spread);
	double drawn = (1 - user_share) * sum->seen.periods;

	return sqrt(n < FEW && drawn > between ? drawn : between);
}

/*
 * Split rounds: user time a round, against the timed rounds' exact sum; or,
 * where sampling adds little, against what is left of the same rounds' CPU
 * time without it: then no drift from them to the timed ones is in it.
 */
static bool
by_split_rounds(const struct lab *lab, size_t step, const struct timed *timed,
                struct split_result *out)
{
	const struct split_sum *sum = &lab->split.sums[step];
	bool long_ones = sum->processes_ns >= LONG_NS * sum->processes;
	double least_seen = long_ones ? LEAST_SEEN_LONG : LEAST_SEEN;
	double programs = (double)sum->programs, whole, user, bias;

	if (sum->rounds == 0 || timed->programs == 0) {
		out->why = lab->split.why_not;
		return false;
	}
	if (sum->seen.throttled) {
		out->why = "the kernel left samples out, or counted nothing";
		return false;
	}
	if ((double)sum->seen.seen_ns < least_seen * (double)sum->cpu_ns) {
		out->why = "a program is set-uid or not readable and cannot "
		           "be followed";
		return false;
	}
	out->source = lab->split.source;
	whole = (double)timed->cpu_ns * programs / (double)timed->programs;
	user = (double)sum->seen.user_ns;
	if (long_ones)
		whole = (double)(sum->cpu_ns - sum->seen.added_ns);
	out->user_ppm = ppm(user, whole);
	bias = 2 * (double)sum->seen.bias_ns + LEAST_BIAS * whole;
	out->error_ppm = ppm(2 * error_of(sum, (double)out->user_ppm / 1e6) +
	                     bias, whole);
	return true;
}

static void
finish_step(struct lab *lab, size_t step)
{
	const struct split_sum *sum = &lab->split.sums[step];
	struct split_result *out = &lab->result->steps[step].split;
	struct timed timed = timed_of(lab, step);
	bool long_ones = sum->processes ?
		is_long(lab, sum->processes_ns, sum->processes) :
		!lab->jobs[step].others &&
		is_long(lab, timed.cpu_ns, timed.programs);

	/* A step that another variant's failure left out was not timed. */
	if (timed.programs == 0)
		return;
	out->rusage_ppm = timed.cpu_ns ?
		ppm((double)timed.usage.user_us * 1e3, (double)timed.cpu_ns) :
		-1;
	out->error_ppm = -1;
	if (lab->split.source == SPLIT_PRECISE) {
		out->source = SPLIT_PRECISE;
		return;
	}
	if (by_cgroup(lab, step, out))
		return;
	if (long_ones)
		return;
	if (!by_split_rounds(lab, step, &timed, out))
		out->guessed = true;
}

void
lab_split_finish(struct lab *lab)
{
	lab->result->precise = lab->split.accounting.precise;
	if (!lab->split.sums || lab->result->rounds == 0)
		return;
	for (size_t i = 0; i < lab->njobs; i++)
		if (lab->result->steps[i].outcome == OUTCOME_DONE)
			finish_step(lab, i);
}

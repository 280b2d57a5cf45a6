#include "gate.h"

#include <fnmatch.h>
#include <string.h>

#include "base/strbuf.h"
#include "base/units.h"
#include "report/report.h"

static const char *const metrics[] = { "real", "user", "sys", "cpu" };

#define NMETRICS ((int)(sizeof(metrics) / sizeof(metrics[0])))

static int
set_metric(struct gate *gate, const char *name, struct errmsg *why)
{
	for (int i = 0; i < NMETRICS; i++)
		if (strcmp(metrics[i], name) == 0) {
			gate->metric = (enum metric)i;
			return 0;
		}
	return errmsg_set(why, "'%s' is not one of real, user, sys, cpu", name);
}

static bool
is_split(const struct gate *gate)
{
	return gate->metric == METRIC_USER || gate->metric == METRIC_SYS;
}

int
gate_parse(struct arena *arena, const char *text, struct gate *gate,
           struct errmsg *why)
{
	const char *op = strchr(text, '>');
	const char *number;
	char *left, *dot;

	if (!op)
		return errmsg_set(why, "'%s' has no > or >=", text);
	gate->text = text;
	gate->or_equal = op[1] == '=';
	number = op + 1 + gate->or_equal;
	left = arena_copy(arena, text, (size_t)(op - text));
	dot = strrchr(left, '.');
	if (dot)
		*dot = '\0';
	gate->glob = dot ? left : NULL;
	gate->percent = str_ends(number, "%");
	if (gate->percent && parse_percent(number, &gate->limit_ppm) < 0)
		return errmsg_set(why, "'%s' is not a percentage (2%%, 0.5%%)",
		                  number);
	if (!gate->percent && parse_duration(number, &gate->limit_ns) < 0)
		return errmsg_set(why, "'%s' is not a duration (20ms, 1.5s)",
		                  number);
	if (set_metric(gate, dot ? dot + 1 : left, why) < 0)
		return -1;
	if (gate->percent && is_split(gate))
		return errmsg_set(why, "'%s': a percentage is of real or cpu",
		                  text);
	return 0;
}

bool
gates_compare(const struct gate *gates, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (gates[i].percent)
			return true;
	return false;
}

bool
gate_applies(const struct gate *gate, const struct plan *plan,
             const char *steps)
{
	for (size_t i = 0; i < plan->nsteps; i++) {
		const char *name = plan->steps[i].name;

		if (steps && fnmatch(steps, name, 0) != 0)
			continue;
		if (!gate->glob || fnmatch(gate->glob, name, 0) == 0)
			return true;
	}
	return false;
}

static int64_t
metric_ns(enum metric metric, struct figures f)
{
	switch (metric) {
	case METRIC_REAL:
		return f.real_ns;
	case METRIC_USER:
		return f.cpu.user_us * 1000;
	case METRIC_SYS:
		return f.cpu.sys_us * 1000;
	case METRIC_CPU:
		break;
	}
	return (f.cpu.user_us + f.cpu.sys_us) * 1000;
}

static enum gate_verdict
judge_one(const struct gate *gate, const struct result *result, long step,
          struct errmsg *why)
{
	const char *name = step < 0 ? "the round" : result->steps[step].name;
	bool missing = step < 0 ? !report_has_total(result) :
	               result->median < 0 ||
	               result->steps[step].outcome != OUTCOME_DONE;
	char have[32];
	int64_t ns;

	if (missing) {
		errmsg_set(why, "--fail-if %s: cannot tell: %s has no figure",
		           gate->text, name);
		return GATE_CANNOT_TELL;
	}
	if (is_split(gate) && result_split_is_guess(result, step)) {
		errmsg_set(why, "--fail-if %s: cannot tell: the kernel only "
		           "guesses the split of %s; judge cpu", gate->text,
		           name);
		return GATE_CANNOT_TELL;
	}
	ns = metric_ns(gate->metric, result_figures(result, result->median,
	                                            step));
	if (ns < gate->limit_ns || (ns == gate->limit_ns && !gate->or_equal))
		return GATE_HOLDS_NOT;
	errmsg_set(why, "--fail-if %s holds: %s of %s is %s", gate->text,
	           metrics[gate->metric], name,
	           show_duration(ns, have, sizeof(have)));
	return GATE_HOLDS;
}

/* The gravest of several; the first sentence of its kind is kept. */
struct finding_so_far {
	enum gate_verdict worst;
	struct errmsg *why;
};

static void
add(struct finding_so_far *so_far, enum gate_verdict verdict,
    const struct errmsg *this)
{
	if (verdict == GATE_HOLDS_NOT || so_far->worst == GATE_HOLDS ||
	    verdict == so_far->worst)
		return;
	so_far->worst = verdict;
	*so_far->why = *this;
}

/* ---- of a comparison --------------------------------------------------- */

static const char *
name_of(const struct comparison *c, size_t step)
{
	return step < c->nsteps ? c->steps[step] : "the round";
}

static enum gate_verdict
judge_change(struct arena *arena, const struct gate *gate,
             const struct comparison *c, size_t variant, size_t step,
             struct errmsg *why)
{
	int64_t *scratch = arena_array(arena, (size_t)c->pairs,
	                               sizeof(*scratch));
	struct compared compared = comparison_judge(c, variant, step,
		gate->metric == METRIC_CPU ? BY_CPU : BY_REAL, scratch);
	int64_t lo = compared.interval.lo - compared.floor_ppm;
	int64_t hi = compared.interval.hi + compared.floor_ppm;
	/* "More than" is at least one millionth more. */
	int64_t limit = gate->limit_ppm + !gate->or_equal;

	if (!compared.interval.known) {
		errmsg_set(why, "--fail-if %s: cannot tell: too few pairs; "
		           "at least %lld", gate->text,
		           (long long)comparison_fewest(c));
		return GATE_CANNOT_TELL;
	}
	if (hi < limit)
		return GATE_HOLDS_NOT;
	errmsg_set(why, "--fail-if %s%s: %s of %s changes by %+.2f..%+.2f %% "
	           "with %s", gate->text,
	           lo >= limit ? " holds" : ": cannot tell",
	           metrics[gate->metric], name_of(c, step),
	           (double)lo / PPM_A_PERCENT, (double)hi / PPM_A_PERCENT,
	           c->variants[variant].name);
	return lo >= limit ? GATE_HOLDS : GATE_CANNOT_TELL;
}

/* A step's figure in one operation of one variant. */
static enum gate_verdict
judge_figure(struct arena *arena, const struct gate *gate,
             const struct result *result, size_t variant, size_t step,
             struct errmsg *why)
{
	const struct comparison *c = result->comparison;
	struct operation op = comparison_operation(result, variant, step,
		arena_array(arena, (size_t)c->pairs, sizeof(int64_t)));
	const int64_t figures[] = {
		[METRIC_REAL] = op.real_ns, [METRIC_USER] = op.user_ns,
		[METRIC_SYS] = op.cpu_ns - op.user_ns,
		[METRIC_CPU] = op.cpu_ns,
	};
	char have[32];
	int64_t ns;

	if (is_split(gate) && op.guessed) {
		errmsg_set(why, "--fail-if %s: cannot tell: the kernel only "
		           "guesses the split of %s; judge cpu", gate->text,
		           name_of(c, step));
		return GATE_CANNOT_TELL;
	}
	ns = figures[gate->metric];
	if (ns < gate->limit_ns || (ns == gate->limit_ns && !gate->or_equal))
		return GATE_HOLDS_NOT;
	errmsg_set(why, "--fail-if %s holds: %s of %s is %s with %s",
	           gate->text, metrics[gate->metric], name_of(c, step),
	           show_duration(ns, have, sizeof(have)),
	           c->variants[variant].name);
	return GATE_HOLDS;
}

/* The round has one where each of its steps has, but those skipped in all. */
static bool
has_figure(const struct comparison *c, size_t variant, size_t step)
{
	return !c->variants[variant].skipped &&
	       (step == c->nsteps || c->compared[step]);
}

static enum gate_verdict
cannot_tell(const struct gate *gate, const struct comparison *c,
            size_t variant, size_t step, struct errmsg *why)
{
	errmsg_set(why, "--fail-if %s: cannot tell: %s has no figure with %s",
	           gate->text, name_of(c, step), c->variants[variant].name);
	return GATE_CANNOT_TELL;
}

/* A percentage is of the variants but the first, a figure of all. */
static enum gate_verdict
judge_comparison(struct arena *arena, const struct gate *gate,
                 const struct result *result, struct errmsg *why)
{
	const struct comparison *c = result->comparison;
	struct finding_so_far so_far = { GATE_HOLDS_NOT, why };

	if (c->pairs == 0) {
		errmsg_set(why, "--fail-if %s: cannot tell: nothing was "
		           "compared", gate->text);
		return GATE_CANNOT_TELL;
	}
	for (size_t v = gate->percent; v < c->nvariants; v++) {
		struct errmsg this;

		for (size_t s = 0; s <= c->nsteps; s++) {
			if ((s < c->nsteps) == (gate->glob == NULL) ||
			    (gate->glob && fnmatch(gate->glob, c->steps[s], 0)))
				continue;
			add(&so_far, !has_figure(c, v, s) ?
			    cannot_tell(gate, c, v, s, &this) :
			    gate->percent ?
			    judge_change(arena, gate, c, v, s, &this) :
			    judge_figure(arena, gate, result, v, s, &this),
			    &this);
		}
	}
	return so_far.worst;
}

/* ---- all of them ------------------------------------------------------- */

enum gate_verdict
gate_judge(struct arena *arena, const struct gate *gate,
           const struct result *result, struct errmsg *why)
{
	struct finding_so_far so_far = { GATE_HOLDS_NOT, why };

	if (result->comparison)
		return judge_comparison(arena, gate, result, why);
	if (!gate->glob)
		return judge_one(gate, result, -1, why);
	for (size_t i = 0; i < result->nsteps; i++) {
		struct errmsg this;

		if (fnmatch(gate->glob, result->steps[i].name, 0) == 0)
			add(&so_far, judge_one(gate, result, (long)i, &this),
			    &this);
	}
	return so_far.worst;
}

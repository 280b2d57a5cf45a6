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
	if (str_ends(number, "%"))
		return errmsg_set(why, "'%s': a percentage needs two sides to "
		                  "compare", text);
	if (parse_duration(number, &gate->limit_ns) < 0)
		return errmsg_set(why, "'%s' is not a duration (20ms, 1.5s)",
		                  number);
	return set_metric(gate, dot ? dot + 1 : left, why);
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

static enum verdict
judge_one(const struct gate *gate, const struct result *result, long step,
          struct errmsg *why)
{
	const char *name = step < 0 ? "the round" : result->steps[step].name;
	bool split = gate->metric == METRIC_USER || gate->metric == METRIC_SYS;
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
	if (split && result_split_is_guess(result, step)) {
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

enum verdict
gate_judge(const struct gate *gate, const struct result *result,
           struct errmsg *why)
{
	enum verdict worst = GATE_HOLDS_NOT;

	if (!gate->glob)
		return judge_one(gate, result, -1, why);
	for (size_t i = 0; i < result->nsteps; i++) {
		enum verdict verdict;
		struct errmsg this;

		if (fnmatch(gate->glob, result->steps[i].name, 0) != 0)
			continue;
		verdict = judge_one(gate, result, (long)i, &this);
		if (verdict == GATE_HOLDS || worst == GATE_HOLDS_NOT) {
			if (verdict != GATE_HOLDS_NOT)
				*why = this;
			worst = verdict;
		}
		if (verdict == GATE_HOLDS)
			break;
	}
	return worst;
}

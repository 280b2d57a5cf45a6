/*
 * The lines that hold for what follows them or for the whole workload.
 */
#include <string.h>

#include "parse_internal.h"

#define LONGEST_BUDGET (INT64_C(86400) * 30 * 1000000000)

/* ---- with -------------------------------------------------------------- */

int
p_with(struct parser *p)
{
	struct settings settings = { 0 };

	do {
		if (p->token.kind == TOKEN_WORD && !is_assignment(&p->token))
			return p_wrong(p, NULL, "this is not KNOB=VALUE");
		if (p_wants(p, "KNOB=VALUE") < 0)
			return -1;
		p_knob(p, false, &settings);
	} while (!at_line_end(p));
	p->with = settings_merge(p->arena, &p->with, &settings);
	if (p->with.count > MOST_SETTINGS)
		return p_give_up(p, "too many knobs are in force");
	return 0;
}

/* ---- rounds, warmup, budget, seed -------------------------------------- */

/* A number that may stand once; told is -1 before. */
static int
once(struct parser *p, const char *name, const struct param *param,
     int64_t *told)
{
	struct value value;

	if (p_value(p, param, param->help, &value) < 0)
		return -1;
	if (*told >= 0) {
		p_point(p, p->command);
		return p_wrong(p, NULL, "'%s' is told twice", name);
	}
	*told = value.n;
	return 0;
}

int
p_rounds(struct parser *p)
{
	static const struct param param = {
		.kind = VALUE_INT, .help = "a number", .min = 1, .max = 1000000,
	};

	return once(p, "rounds", &param, &p->plan->rounds);
}

int
p_warmup(struct parser *p)
{
	static const struct param param = {
		.kind = VALUE_INT, .help = "a number", .max = 1000000,
	};

	return once(p, "warmup", &param, &p->plan->warmup);
}

int
p_budget(struct parser *p)
{
	static const struct param param = {
		.kind = VALUE_DURATION, .help = "a duration", .min = 1,
		.max = LONGEST_BUDGET,
	};

	return once(p, "budget", &param, &p->plan->budget_ns);
}

int
p_seed(struct parser *p)
{
	static const struct param param = {
		.kind = VALUE_INT, .help = "a number", .max = INT64_MAX,
	};

	return once(p, "seed", &param, &p->plan->seed);
}

/* ---- expect ------------------------------------------------------------ */

/* The index of the token's text in a list that ends with NULL, or -1. */
static int
p_one_of(struct parser *p, const char *what, const char *const *list)
{
	const char *text = p->token.kind == TOKEN_WORD && !p->token.bad ?
	                   word_text(&p->token.word) : NULL;

	if (!text)
		return p_wants(p, what) < 0 ? -1 :
		       p_wrong(p, NULL, "this is not %s", what);
	for (int i = 0; list[i]; i++)
		if (strcmp(list[i], text) == 0) {
			p_next(p);
			return i;
		}
	return p_wrong(p, table_hint(p, list, sizeof(*list), text),
	               "'%s' is not %s", text, what);
}

int
p_expect(struct parser *p)
{
	static const struct param param = { .kind = VALUE_INT };
	struct expectation new = { .place = p->command };
	struct value number;
	int counter, compare;

	counter = p_one_of(p, "one of execs, forks, failures",
	                   counter_names);
	if (counter < 0)
		return -1;
	compare = p_one_of(p, "one of = != < <= > >=", compare_names);
	if (compare < 0 || p_value(p, &param, "a number", &number) < 0)
		return -1;
	new.counter = (enum counter)counter;
	new.compare = compare_names[compare];
	new.n = number.n;
	*(struct expectation *)arena_push(p->arena, &p->plan->expectations,
	                                  &p->plan->nexpectations,
	                                  sizeof(new)) = new;
	return 0;
}

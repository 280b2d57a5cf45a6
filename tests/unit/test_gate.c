#include "cmd/gate.h"

#include <string.h>

#include "unit.h"

static void
no_memory(void)
{
	exit(1);
}

static struct arena *
memory(void)
{
	static struct arena *arena;

	if (!arena)
		arena = arena_new(no_memory);
	return arena;
}

static int
parse(const char *text, struct gate *gate, struct errmsg *why)
{
	return gate_parse(memory(), text, gate, why);
}

START_TEST(expressions)
{
	struct gate gate;
	struct errmsg why;

	ck_assert_int_eq(parse("real>20ms", &gate, &why), 0);
	ck_assert_ptr_eq(gate.glob, NULL);
	ck_assert_int_eq(gate.metric, METRIC_REAL);
	ck_assert(!gate.or_equal);
	ck_assert_int_eq(gate.limit_ns, 20000000);
	ck_assert_int_eq(parse("a.b*.cpu>=1.5s", &gate, &why), 0);
	ck_assert_str_eq(gate.glob, "a.b*");
	ck_assert_int_eq(gate.metric, METRIC_CPU);
	ck_assert(gate.or_equal);
	ck_assert_int_eq(gate.limit_ns, 1500000000);
}
END_TEST

START_TEST(wrong_expressions)
{
	struct gate gate;
	struct errmsg why;

	ck_assert_int_eq(parse("real", &gate, &why), -1);
	ck_assert_str_eq(why.text, "'real' has no > or >=");
	ck_assert_int_eq(parse("reel>1s", &gate, &why), -1);
	ck_assert_int_eq(parse("real>1", &gate, &why), -1);
	ck_assert_int_eq(parse("real>", &gate, &why), -1);
	ck_assert_int_eq(parse("user>2%", &gate, &why), -1);
	ck_assert_ptr_ne(strstr(why.text, "of real or cpu"), NULL);
}
END_TEST

/* Two steps, three rounds; the second has long programs. */
static struct sample samples[] = {
	{ 10000000, { 1000, 2000 }, { 0, 0 }, { 0, 0 }, 10, 10 },
	{ 500000000, { 300000, 100000 }, { 0, 0 }, { 0, 0 }, 1, 1 },
	{ 12000000, { 1000, 2000 }, { 0, 0 }, { 0, 0 }, 10, 10 },
	{ 600000000, { 300000, 100000 }, { 0, 0 }, { 0, 0 }, 1, 1 },
	{ 11000000, { 1000, 2000 }, { 0, 0 }, { 0, 0 }, 10, 10 },
	{ 550000000, { 300000, 100000 }, { 0, 0 }, { 0, 0 }, 1, 1 },
};
static struct step_result steps[] = {
	{ .name = "short", .split = { .guessed = true, .user_ppm = -1 } },
	{ .name = "long", .split = { .user_ppm = -1 } },
};

static struct result
made_up(void)
{
	struct result result = {
		.steps = steps, .nsteps = 2, .samples = samples, .rounds = 3,
	};
	int64_t values[3];

	result.median = result_median_round(&result, values);
	return result;
}

static enum gate_verdict
judge(const char *text, const struct result *result)
{
	struct gate gate;
	struct errmsg why;

	ck_assert_int_eq(parse(text, &gate, &why), 0);
	return gate_judge(memory(), &gate, result, &why);
}

START_TEST(verdicts)
{
	struct result result = made_up();

	ck_assert_int_eq(result.median, 2);
	ck_assert_int_eq(judge("real>561ms", &result), GATE_HOLDS_NOT);
	ck_assert_int_eq(judge("real>=561ms", &result), GATE_HOLDS);
	ck_assert_int_eq(judge("short.real>10ms", &result), GATE_HOLDS);
	ck_assert_int_eq(judge("short.real>11ms", &result), GATE_HOLDS_NOT);
	ck_assert_int_eq(judge("*.real>12ms", &result), GATE_HOLDS);
	ck_assert_int_eq(judge("short.cpu>2ms", &result), GATE_HOLDS);
	ck_assert_int_eq(judge("long.user>200ms", &result), GATE_HOLDS);
	ck_assert_int_eq(judge("long.sys>200ms", &result), GATE_HOLDS_NOT);
}
END_TEST

START_TEST(what_cannot_be_told)
{
	struct result result = made_up();

	ck_assert_int_eq(judge("short.user>1s", &result), GATE_CANNOT_TELL);
	ck_assert_int_eq(judge("*.user>100ms", &result), GATE_HOLDS);
	result.steps[0].outcome = OUTCOME_SKIPPED;
	ck_assert_int_eq(judge("short.real>1s", &result), GATE_CANNOT_TELL);
	result.steps[0].outcome = OUTCOME_FAILED;
	ck_assert_int_eq(judge("real>1s", &result), GATE_CANNOT_TELL);
	ck_assert_int_eq(judge("long.real>1s", &result), GATE_HOLDS_NOT);
	result.steps[0].outcome = OUTCOME_DONE;
	result.median = -1;
	ck_assert_int_eq(judge("real>1s", &result), GATE_CANNOT_TELL);
}
END_TEST

UNIT_MAIN("gate", expressions, wrong_expressions, verdicts,
          what_cannot_be_told)

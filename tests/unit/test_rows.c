#include "base/rows.h"

#include <string.h>

#include "unit.h"

/* The number that text gives; the word itself comes with it. */
static void
check_value(const struct param *param, const char *text, int64_t want)
{
	struct value value = { -77, NULL };
	struct errmsg why = { "" };

	ck_assert_msg(value_read(param, text, &value, &why) == 0, "%s",
	              why.text);
	ck_assert_int_eq(value.n, want);
	ck_assert_ptr_eq(value.text, text);
}

static void
check_refused(const struct param *param, const char *text, const char *want)
{
	struct value value = { -77, NULL };
	struct errmsg why = { "" };

	ck_assert_msg(value_read(param, text, &value, &why) == -1,
	              "'%s' is read as %lld", text, (long long)value.n);
	ck_assert_str_eq(why.text, want);
	ck_assert_int_eq(value.n, -77);
	ck_assert_ptr_null(value.text);
}

START_TEST(whole_numbers)
{
	const struct param plain = { .kind = VALUE_INT };
	const struct param nice = { .kind = VALUE_INT, .min = -20, .max = 19 };
	const struct param some = { .kind = VALUE_INT, .min = 3 };

	check_value(&plain, "0", 0);
	check_value(&plain, "9000000000", INT64_C(9000000000));
	check_refused(&plain, "-1", "'-1' is below 0");
	check_refused(&plain, "", "'' is not a whole number");
	check_refused(&plain, "1k", "'1k' is not a whole number");
	check_refused(&plain, "99999999999999999999",
	              "'99999999999999999999' is too large");
	check_value(&nice, "-20", -20);
	check_value(&nice, "19", 19);
	check_refused(&nice, "-21", "'-21' is below -20");
	check_refused(&nice, "20", "'20' is above 19");
	check_value(&some, "3", 3);
	check_value(&some, "1000000", 1000000);
	check_refused(&some, "2", "'2' is below 3");
}
END_TEST

START_TEST(sizes_in_bytes)
{
	const struct param size = { .kind = VALUE_SIZE, .min = 16 << 10,
	                            .max = 1 << 20 };
	const struct param sizes = { .kind = VALUE_SIZES };
	const struct param few = { .kind = VALUE_SIZES, .min = 2, .max = 10 };
	static const char bad[] = "' is not a size or sizes with commas";
	static const char *const wrong[] = {
		"", ",", "1,", ",1", "1,,2", "1,x", "1 ,2", "-1"
	};

	check_value(&size, "16k", 16 << 10);
	check_value(&size, "1m", 1 << 20);
	check_refused(&size, "1", "'1' is below 16k");
	check_refused(&size, "2m", "'2m' is above 1m");
	check_refused(&size, "1s",
	              "'1s' is not a size (64, 4k, 2m, 1g)");
	check_value(&sizes, "64", 64);
	check_value(&sizes, "64,32,8", 104);
	check_value(&sizes, "1k,0,1", 1025);
	check_value(&few, "1,1", 2);
	check_value(&few, "5,5", 10);
	check_refused(&few, "1,0", "'1,0' is below 2");
	check_refused(&few, "5,6", "'5,6' is above 10");
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		char want[64];

		snprintf(want, sizeof(want), "'%s%s", wrong[i], bad);
		check_refused(&sizes, wrong[i], want);
	}
	check_refused(&sizes, "0000000000000000000000000000001xyz",
	              "'0000000000000000000000000000001xyz' is too large");
	check_refused(&sizes, "8589934591g,8589934591g",
	              "'8589934591g,8589934591g' is too large");
	check_refused(&sizes, "1,8589934592g", "'1,8589934592g' is too large");
}
END_TEST

START_TEST(durations)
{
	const struct param timeout = { .kind = VALUE_DURATION, .min = 1 };
	const struct param work = { .kind = VALUE_CPU_TIME };
	const struct param some = { .kind = VALUE_CPU_TIME, .min = 10,
	                            .max = 1000 };

	check_value(&timeout, "1.5s", 1500000000);
	check_refused(&timeout, "0", "'0' is below 1ns");
	check_refused(&timeout, "5",
	              "'5' is not a duration (20us, 10ms, 1.5s, 2m)");
	check_value(&work, "20us", 20000);
	check_refused(&work, "99999999999m", "'99999999999m' is too large");
	check_value(&some, "1us", 1000);
	check_refused(&some, "9ns", "'9ns' is below 10ns");
	check_refused(&some, "1.001us", "'1.001us' is above 1us");
}
END_TEST

START_TEST(choices)
{
	const struct param mode = { .kind = VALUE_CHOICE,
	                            .choices = "r|w|a|rw" };
	const struct param one = { .kind = VALUE_CHOICE, .choices = "only" };

	check_value(&mode, "r", 0);
	check_value(&mode, "w", 1);
	check_value(&mode, "a", 2);
	check_value(&mode, "rw", 3);
	check_value(&one, "only", 0);
	check_refused(&mode, "", "'' is not one of r, w, a, rw");
	check_refused(&mode, "R", "'R' is not one of r, w, a, rw");
	check_refused(&mode, "rwx", "'rwx' is not one of r, w, a, rw");
	check_refused(&mode, "r|w", "'r|w' is not one of r, w, a, rw");
	check_refused(&one, "onl", "'onl' is not one of only");
}
END_TEST

static int
read_own(const char *text, struct value *out, struct errmsg *why)
{
	if (strcmp(text, "any") != 0)
		return errmsg_set(why, "'%s' is not any", text);
	out->n = -1;
	return 0;
}

START_TEST(other_kinds)
{
	const struct param text = { .kind = VALUE_TEXT };
	const struct param cpus = { .kind = VALUE_CPUS };
	const struct param own = { .kind = VALUE_OWN, .read = read_own };

	check_value(&text, "", 0);
	check_value(&text, "what 'ever'\n", 0);
	check_value(&cpus, "0,2-5", 0);
	check_refused(&cpus, "5-2", "'5-2' is not a list of CPUs (0,2-5)");
	check_refused(&cpus, "9999", "'9999' is too large");
	/* Not below a bound: it has none. */
	check_value(&own, "any", -1);
	check_refused(&own, "some", "'some' is not any");
}
END_TEST

START_TEST(a_long_word_is_cut_in_the_message)
{
	const struct param plain = { .kind = VALUE_INT };
	struct errmsg why = { "" };
	struct value value;
	char text[2000];

	memset(text, 'x', sizeof(text) - 1);
	text[sizeof(text) - 1] = '\0';
	ck_assert_int_eq(value_read(&plain, text, &value, &why), -1);
	ck_assert_uint_eq(strlen(why.text), sizeof(why.text) - 1);
}
END_TEST

START_TEST(shapes)
{
	static const struct {
		enum value_kind kind;
		const char *shape;
	} all[] = {
		{ VALUE_TEXT, "TEXT" }, { VALUE_INT, "N" },
		{ VALUE_SIZE, "SIZE" }, { VALUE_SIZES, "SIZE[,SIZE]..." },
		{ VALUE_DURATION, "DUR" }, { VALUE_CPU_TIME, "DUR" },
		{ VALUE_CPUS, "LIST" }, { VALUE_OWN, "VALUE" },
		{ VALUE_CHOICE, "on|off" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct param param = { .kind = all[i].kind,
		                       .choices = "on|off" };

		ck_assert_str_eq(value_shape(&param), all[i].shape);
		param.shape = "PATH";
		ck_assert_str_eq(value_shape(&param), "PATH");
	}
}
END_TEST

START_TEST(rows_are_found_by_name)
{
	static const struct param params[] = {
		{ .name = "" }, { .name = "send" }, { .name = "recv" }, { 0 }
	};
	static const struct applet applets[] = {
		{ .name = "true" }, { .name = "exit" }, { 0 }
	};

	ck_assert_ptr_eq(param_find(params, ""), &params[0]);
	ck_assert_ptr_eq(param_find(params, "recv"), &params[2]);
	ck_assert_ptr_null(param_find(params, "sen"));
	ck_assert_ptr_null(param_find(params, "sends"));
	ck_assert_ptr_null(param_find(NULL, "send"));
	ck_assert_ptr_eq(applet_find(applets, "exit"), &applets[1]);
	ck_assert_ptr_null(applet_find(applets, ""));
	ck_assert_ptr_null(applet_find(applets, "@true"));
}
END_TEST

START_TEST(knobs_with_keys)
{
	static const struct knob table[] = {
		{ .name = "nice", .id = 1 }, { .name = "env.", .id = 2 }, { 0 }
	};
	const char *key = NULL;

	ck_assert_ptr_eq(knob_find(table, "nice", &key), &table[0]);
	ck_assert_str_eq(key, "");
	ck_assert_ptr_eq(knob_find(table, "env.PATH", &key), &table[1]);
	ck_assert_str_eq(key, "PATH");
	ck_assert_ptr_eq(knob_find(table, "env.a.b", &key), &table[1]);
	ck_assert_str_eq(key, "a.b");
	ck_assert_ptr_null(knob_find(table, "env.", &key));
	ck_assert_ptr_null(knob_find(table, "env", &key));
	ck_assert_ptr_null(knob_find(table, "nicer", &key));
	ck_assert_ptr_null(knob_find(table, "nic", &key));
	ck_assert_ptr_null(knob_find(table, "", &key));
}
END_TEST

UNIT_MAIN("rows", whole_numbers, sizes_in_bytes, durations, choices,
          other_kinds, a_long_word_is_cut_in_the_message, shapes,
          rows_are_found_by_name, knobs_with_keys)

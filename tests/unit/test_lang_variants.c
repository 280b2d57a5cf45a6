#include "test_lang.h"

#include "lang/variants.h"

#include "unit.h"

/* A text in all its variants. */
struct many {
	struct attempt try;
	struct plans plans;
	int result;
};

static struct many
read_all(const char *text, const char *vary)
{
	struct many many = { .try = { .arena = arena_new(abort) } };
	struct source *sources = arena_array(many.try.arena, 2,
	                                     sizeof(*sources));
	struct parse_input input = {
		.arena = many.try.arena, .vocabulary = &test_vocabulary,
		.name = "test", .sources = sources, .nsources = 1,
	};

	sources[0] = (struct source){ "t.wl", text, strlen(text) };
	if (vary)
		sources[1] = (struct source){ "--vary", vary, strlen(vary) };
	many.try.complaints.arena = many.try.arena;
	many.result = plans_parse(&input, vary ? &sources[1] : NULL,
	                          &many.try.complaints, &many.plans);
	return many;
}

static void
is_text(struct many *many, size_t variant, const char *text)
{
	many->try.plan = many->plans.list[variant];
	ck_assert_str_eq(printed(&many->try), text);
}

START_TEST(none)
{
	struct many many = read_all("run @true\n", NULL);

	ck_assert_int_eq(many.result, 0);
	ck_assert_uint_eq(many.plans.count, 1);
	ck_assert_ptr_null(many.plans.list[0]->variant);
	arena_free(many.try.arena);
}
END_TEST

START_TEST(knobs_are_laid_over)
{
	struct many many = read_all(
		"with nice=1\n"
		"variant a nice=2\n"
		"variant b nice=3 cpu=0\n"
		"variant c\n"
		"step x nice=4 repeat 2 run nice=5 @true\n"
		"run cpu=1 @true\n", NULL);

	ck_assert_int_eq(many.result, 0);
	ck_assert_uint_eq(many.plans.count, 3);
	ck_assert_str_eq(many.plans.list[1]->variant, "b");
	is_text(&many, 0, "step x nice=2 repeat 2 run nice=2 @true\n"
	                  "step true nice=2 run cpu=1 @true\n");
	is_text(&many, 1, "step x nice=3 cpu=0 repeat 2 run nice=3 @true\n"
	                  "step true nice=3 cpu=0 run cpu=0 @true\n");
	is_text(&many, 2, "step x nice=4 repeat 2 run nice=5 @true\n"
	                  "step true nice=1 run cpu=1 @true\n");
	arena_free(many.try.arena);
}
END_TEST

/* Wherever the lines stand: behind "set", before it, behind the use. */
START_TEST(variables)
{
	static const char *const texts[] = {
		"set n=1\nvariant a n=2\nvariant b n=3\nrun @exit $n\n",
		"variant a n=2\nvariant b n=3\nset n=1\nrun @exit $n\n",
		"set n=1\nrun @exit $n\nvariant a n=2\nvariant b n=3\n",
		"run @exit $n\nvariant a n=2\nvariant b n=3\n",
		"run @exit ${n:-9}\nvariant a n=2\nvariant b n=3\n",
	};

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct many many = read_all(texts[i], NULL);

		ck_assert_int_eq(many.result, 0);
		ck_assert_uint_eq(many.plans.count, 2);
		is_text(&many, 0, "step exit run @exit 2\n");
		is_text(&many, 1, "step exit run @exit 3\n");
		arena_free(many.try.arena);
	}
}
END_TEST

START_TEST(the_command_line_replaces)
{
	struct many many = read_all("set n=1\nvariant a nice=2\n"
	                            "variant b nice=3\nrun @exit $n\n",
	                            "variant 'n=4' n=4\nvariant 'n=5' n=5\n");

	ck_assert_int_eq(many.result, 0);
	ck_assert_uint_eq(many.plans.count, 2);
	is_text(&many, 0, "step exit run @exit 4\n");
	is_text(&many, 1, "step exit run @exit 5\n");
	arena_free(many.try.arena);
}
END_TEST

START_TEST(one_name_for_what_varies)
{
	struct many many = read_all("variant a p=./old\nvariant b p=./new\n"
	                            "run $p\nstep q run $p\n", NULL);

	ck_assert_int_eq(many.result, 0);
	for (size_t v = 0; v < 2; v++) {
		ck_assert_str_eq(many.plans.list[v]->steps[0].name, "step 1");
		ck_assert_str_eq(many.plans.list[v]->steps[1].name, "q");
	}
	arena_free(many.try.arena);
}
END_TEST

START_TEST(commands_around)
{
	struct many many = read_all("variant a setup='x y' undo='z'\n"
	                            "variant b\nrun @true\n", NULL);
	const struct plan *plan;

	ck_assert_int_eq(many.result, 0);
	plan = many.plans.list[0];
	ck_assert_str_eq(word_text(&plan->variant_setup->text), "x y");
	ck_assert_str_eq(word_text(&plan->variant_undo->text), "z");
	ck_assert_ptr_null(many.plans.list[1]->variant_setup);
	arena_free(many.try.arena);
}
END_TEST

UNIT_MAIN("lang_variants", none, knobs_are_laid_over, variables,
          the_command_line_replaces, one_name_for_what_varies,
          commands_around)

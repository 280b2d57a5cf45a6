#include "lab/benchfmt.h"

#include "unit.h"

static void
no_memory(void)
{
	exit(1);
}

START_TEST(check_values)
{
	ck_assert(benchfmt_check("", 0) == 0x811c9dc5);
	ck_assert(benchfmt_check("a", 1) == 0xe40c292c);
	ck_assert(benchfmt_check("foobar", 6) == 0xbf9cf968);
	ck_assert(benchfmt_check("foobar!", 6) == 0xbf9cf968);
}
END_TEST

START_TEST(name_parts)
{
	static const struct {
		const char *part, *first, *other;
	} parts[] = {
		{ "loopback", "Loopback", "loopback" },
		{ "aslr=on", "Aslr=on", "aslr=on" },
		{ "a b", "A%20b", "a%20b" },
		{ "100%", "100%25", "100%25" },
		{ "./slow.sh", ".%2Fslow.sh", ".%2Fslow.sh" },
		{ "step-8", "Step%2D8", "step%2D8" },
		{ "x-8-16", "X-8%2D16", "x-8%2D16" },
		{ "step-8x", "Step-8x", "step-8x" },
		{ "-", "-", "-" }, { "-3", "%2D3", "%2D3" },
		{ "a\tb\nc", "A%09b%0Ac", "a%09b%0Ac" },
		{ "\xc3\xa4", "%C3\xa4", "\xc3\xa4" },
	};
	struct arena *arena = arena_new(no_memory);

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct strbuf first = { .arena = arena };
		struct strbuf other = { .arena = arena };

		benchfmt_part(&first, parts[i].part, true);
		benchfmt_part(&other, parts[i].part, false);
		ck_assert_str_eq(first.text, parts[i].first);
		ck_assert_str_eq(other.text, parts[i].other);
		ck_assert_str_eq(benchfmt_unpart(arena, other.text, other.len),
		                 parts[i].part);
	}
	/* What is no code stays. */
	ck_assert_str_eq(benchfmt_unpart(arena, "a%", 2), "a%");
	ck_assert_str_eq(benchfmt_unpart(arena, "a%4", 3), "a%4");
	ck_assert_str_eq(benchfmt_unpart(arena, "a%41", 3), "a%4");
	ck_assert_str_eq(benchfmt_unpart(arena, "a%zz%00", 7), "a%zz%00");
	ck_assert_str_eq(benchfmt_unpart(arena, "%2d%2D", 6), "--");
	arena_free(arena);
}
END_TEST

UNIT_MAIN("benchfmt", check_values, name_parts)

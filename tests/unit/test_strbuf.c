#include "base/strbuf.h"

#include <string.h>

#include "unit.h"

START_TEST(text_grows)
{
	struct arena *arena = arena_new(abort);
	struct strbuf buf = { .arena = arena };

	strbuf_puts(&buf, "");
	ck_assert_str_eq(buf.text, "");
	strbuf_puts(&buf, "one");
	strbuf_putc(&buf, ' ');
	strbuf_printf(&buf, "%d%%", 42);
	strbuf_add(&buf, "xyz", 2);
	ck_assert_str_eq(buf.text, "one 42%xy");
	ck_assert_uint_eq(buf.len, 9);
	strbuf_printf(&buf, "%s", "");
	ck_assert_uint_eq(buf.len, 9);
	arena_free(arena);
}
END_TEST

START_TEST(nuls_are_kept)
{
	struct arena *arena = arena_new(abort);
	struct strbuf buf = { .arena = arena };

	strbuf_add(&buf, "a\0b", 3);
	strbuf_putc(&buf, '\0');
	strbuf_puts(&buf, "c");
	ck_assert_uint_eq(buf.len, 5);
	ck_assert_mem_eq(buf.text, "a\0b\0c", 6);
	arena_free(arena);
}
END_TEST

/* Every length around the sizes at which the buffer moves. */
START_TEST(no_byte_is_lost_where_it_moves)
{
	struct arena *arena = arena_new(abort);
	static char long_text[1001];

	for (size_t first = 200; first < 600; first++) {
		struct strbuf buf = { .arena = arena };

		for (size_t i = 0; i < first; i++)
			strbuf_putc(&buf, (char)('a' + i % 26));
		memset(long_text, 'Z', 1000);
		strbuf_printf(&buf, "%s", long_text);
		strbuf_add(&buf, "!", 1);
		ck_assert_uint_eq(buf.len, first + 1001);
		ck_assert_uint_eq(strlen(buf.text), buf.len);
		ck_assert_uint_gt(buf.room, buf.len);
		for (size_t i = 0; i < first; i++)
			ck_assert_int_eq(buf.text[i], 'a' + (int)(i % 26));
		ck_assert_mem_eq(buf.text + first, long_text, 1000);
		ck_assert_int_eq(buf.text[first + 1000], '!');
	}
	arena_free(arena);
}
END_TEST

START_TEST(starts_and_ends)
{
	ck_assert(str_starts("forkload", "fork"));
	ck_assert(str_starts("fork", "fork"));
	ck_assert(str_starts("fork", ""));
	ck_assert(!str_starts("for", "fork"));
	ck_assert(!str_starts("Fork", "fork"));
	ck_assert(str_ends("a.wl", ".wl"));
	ck_assert(str_ends(".wl", ".wl"));
	ck_assert(str_ends("a", ""));
	ck_assert(!str_ends("wl", ".wl"));
	ck_assert(!str_ends("a.wl ", ".wl"));
}
END_TEST

START_TEST(last_parts_of_paths)
{
	ck_assert_str_eq(path_base("/usr/bin/cc"), "cc");
	ck_assert_str_eq(path_base("./cc"), "cc");
	ck_assert_str_eq(path_base("cc"), "cc");
	ck_assert_str_eq(path_base("/cc"), "cc");
	ck_assert_str_eq(path_base(""), "");
	/* Where nothing is behind it, the path says more. */
	ck_assert_str_eq(path_base("/"), "/");
	ck_assert_str_eq(path_base("a/"), "a/");
}
END_TEST

START_TEST(distances)
{
	static const char longest[] = "0123456789012345678901234567890";

	ck_assert_uint_eq(str_distance("", ""), 0);
	ck_assert_uint_eq(str_distance("", "abc"), 3);
	ck_assert_uint_eq(str_distance("send", "sned"), 1);
	ck_assert_uint_eq(str_distance("kitten", "sitting"), 3);
	ck_assert_uint_eq(str_distance("sunday", "saturday"), 3);
	/* A pair that was swapped is not edited once more. */
	ck_assert_uint_eq(str_distance("ca", "abc"), 3);
	ck_assert_uint_eq(str_distance("abc", "ca"), 3);
	ck_assert_uint_eq(strlen(longest), 31);
	ck_assert_uint_eq(str_distance(longest, longest), 0);
	ck_assert_uint_eq(str_distance(longest, longest + 1), 1);
	ck_assert_uint_eq(str_distance("01234567890123456789012345678901", ""),
	                  99);
	ck_assert_uint_eq(str_distance("", "01234567890123456789012345678901"),
	                  99);
}
END_TEST

struct offer {
	const char *const *at;
	int asked;
};

static const char *
next_offer(void *state)
{
	struct offer *offer = state;

	offer->asked++;
	return *offer->at ? *offer->at++ : NULL;
}

static const char *
nearest(const char *word, const char *const *names)
{
	struct offer offer = { names, 0 };

	return str_nearest(word, next_offer, &offer);
}

START_TEST(nearest_names)
{
	static const char *const names[] = {
		"send", "recv", "times", "fd", "nodelay", NULL
	};
	static const char *const none[] = { NULL };
	static const char *const three[] = { "now", NULL };
	static const char *const ties[] = { "cart", "card", NULL };

	ck_assert_str_eq(nearest("sned", names), "send");
	ck_assert_str_eq(nearest("time", names), "times");
	ck_assert_str_eq(nearest("no-delay", names), "nodelay");
	ck_assert_str_eq(nearest("fd", names), "fd");
	ck_assert_str_eq(nearest("fx", names), "fd");
	ck_assert_ptr_null(nearest("xx", names));
	ck_assert_ptr_null(nearest("sxxd", none));
	/* 4 characters: 2 edits are in, 3 are out. */
	ck_assert_str_eq(nearest("sxxd", names), "send");
	ck_assert_ptr_null(nearest("xxxd", names));
	/* 3 characters: 1 is in, 2 are out. */
	ck_assert_str_eq(nearest("nxw", three), "now");
	ck_assert_ptr_null(nearest("nxx", three));
	/* Of equals it is the first. */
	ck_assert_str_eq(nearest("carp", ties), "cart");
}
END_TEST

UNIT_MAIN("strbuf", text_grows, nuls_are_kept, no_byte_is_lost_where_it_moves,
          starts_and_ends, last_parts_of_paths, distances, nearest_names)

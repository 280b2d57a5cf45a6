#include <string.h>

#include "report/plot.h"
#include "report/plot_text.h"

#include "unit.h"

static void
no_memory(void)
{
	abort();
}

/* Pairs of blocks with these medians; one step. */
static struct comparison
made_up(struct arena *arena, const int64_t *a, const int64_t *b, size_t n)
{
	static struct variant_result variants[] = {
		{ .name = "one" }, { .name = "other" },
	};
	static const char *const steps[] = { "step" };
	static bool compared[] = { true };
	struct comparison c = {
		.variants = variants, .nvariants = 2, .nsteps = 1,
		.steps = steps, .compared = compared, .operations = 1,
		.pairs = (int64_t)n,
		.blocks = arena_array(arena, n * 4, sizeof(*c.blocks)),
	};

	for (size_t p = 0; p < n; p++)
		for (size_t s = 0; s < 2; s++) {
			c.blocks[p * 4 + s].median_ns = a[p];
			c.blocks[p * 4 + 2 + s].median_ns = b[p];
		}
	return c;
}

/* The lines of a picture, none of which is too long. */
static size_t
lines_of(const char *text)
{
	size_t n = 0;

	for (; *text; n++) {
		size_t len = strcspn(text, "\n");

		ck_assert_uint_le(len, 80);
		ck_assert(len == 0 || text[len - 1] != ' ');
		text += len + (text[len] == '\n');
	}
	return n;
}

static size_t
count_of(const char *text, char c)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == c;
	return n;
}

START_TEST(pairs_as_text)
{
	struct arena *arena = arena_new(no_memory);
	struct strbuf out = { .arena = arena };
	int64_t a[100], b[100];
	struct comparison c;
	const char *ratios;

	for (int i = 0; i < 100; i++) {
		a[i] = 1000000 + i * 10;
		b[i] = a[i] + a[i] / 10;
	}
	c = made_up(arena, a, b, 100);
	plot_text(&c, 1, 0, &out);
	ck_assert_uint_eq(lines_of(out.text), 3 + 9 + 1);
	/* All in one line, the topmost: a tenth slower. */
	ratios = strstr(out.text, "+10.0 %");
	ck_assert_ptr_nonnull(ratios);
	ck_assert_uint_eq(strspn(ratios + strlen("+10.0 % "), "o"), 60);
	ck_assert_ptr_nonnull(strstr(out.text, "pairs 1 to 100"));
	arena_free(arena);
}
END_TEST

START_TEST(odd_ones_as_text)
{
	struct arena *arena = arena_new(no_memory);
	int64_t a[] = { 5, 5, 5, 5, 5, 5, 5, 5 };
	int64_t b[] = { 5, 5, 5, 5, 5, 5, 5, INT64_C(1) << 60 };

	for (size_t n = 1; n <= 8; n++) {
		struct strbuf out = { .arena = arena };
		struct comparison c = made_up(arena, a, b, n);

		plot_text(&c, 1, 1, &out);
		ck_assert_uint_eq(lines_of(out.text), 13);
		/* One point a pair, "o" in "one", "other", "to", "order". */
		ck_assert_uint_ge(count_of(out.text, 'o'), n);
	}
	arena_free(arena);
}
END_TEST

START_TEST(svg)
{
	struct arena *arena = arena_new(no_memory);
	const double values[] = { 1, 1, 1 }, others[] = { 2, 3, 400 };
	const int64_t ratios[] = { 1000000, 2000000, 399000000 };
	const struct plot_series series[] = {
		{ "a<b", values, 3, NULL, 0 },
		{ "c&d", others, 3, ratios, 3 },
	};
	const struct plot_panel panels[] = {
		{ "\"title\"\n", "us", series, 2 },
		{ "one value", "ms", series, 1 },
	};
	struct strbuf out = { .arena = arena };

	plot_svg(panels, 2, &out);
	ck_assert_ptr_nonnull(strstr(out.text, ">a&lt;b<"));
	ck_assert_ptr_nonnull(strstr(out.text, "c&amp;d against a&lt;b"));
	ck_assert_ptr_nonnull(strstr(out.text, "&quot;title&quot; "));
	ck_assert_ptr_nonnull(strstr(out.text, "too few pairs"));
	ck_assert_ptr_null(strstr(out.text, "nan"));
	ck_assert_ptr_null(strstr(out.text, "inf"));
	ck_assert_uint_eq(count_of(out.text, '<'), count_of(out.text, '>'));
	arena_free(arena);
}
END_TEST

UNIT_MAIN("plot", pairs_as_text, odd_ones_as_text, svg)

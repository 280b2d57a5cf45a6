#include "plot_text.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "stats/order.h"

#define COLUMNS 60               /* of a picture */
#define LINES   9                /* of the ratios'; odd */

/* Behind a blank, but without those at its end. */
static void
put_picture(struct strbuf *out, const char *line, size_t len)
{
	while (len > 0 && line[len - 1] == ' ')
		len--;
	if (len > 0)
		strbuf_putc(out, ' ');
	strbuf_add(out, line, len);
	strbuf_putc(out, '\n');
}

/* ---- the distributions ------------------------------------------------- */

/* A side's block medians, sorted. */
static void
medians(const struct comparison *c, size_t variant, size_t step,
        int64_t *values)
{
	for (int64_t p = 0; p < c->pairs; p++)
		values[p] = comparison_block(c, p, variant, step)->median_ns;
	order_sort(values, (size_t)c->pairs);
}

static size_t
column_of(int64_t value, int64_t lo, int64_t hi)
{
	double share;

	if (value <= lo || hi <= lo)
		return 0;
	share = (double)(value - lo) / (double)(hi - lo);
	return share >= 1 ? COLUMNS - 1 : (size_t)(share * (COLUMNS - 1) + 0.5);
}

/* The middle nine tenths, the quartiles, the median. */
static void
put_box(const char *name, const int64_t *sorted, size_t n, int64_t lo,
        int64_t hi, struct strbuf *out)
{
	size_t from = column_of(order_quantile(sorted, n, 1, 20), lo, hi);
	size_t to = column_of(order_quantile(sorted, n, 19, 20), lo, hi);
	size_t q25 = column_of(order_quantile(sorted, n, 1, 4), lo, hi);
	size_t q75 = column_of(order_quantile(sorted, n, 3, 4), lo, hi);
	size_t middle = column_of(order_median(sorted, n), lo, hi);
	char line[COLUMNS];

	memset(line, ' ', COLUMNS);
	memset(line + from, '-', to - from + 1);
	memset(line + q25, '=', q75 - q25 + 1);
	line[q25] = '[';
	line[q75] = ']';
	line[middle] = '|';
	strbuf_printf(out, "    %-10.10s", name);
	put_picture(out, line, COLUMNS);
}

static void
put_boxes(const struct comparison *c, size_t variant, size_t step,
          struct strbuf *out)
{
	size_t n = (size_t)c->pairs;
	int64_t *a = arena_array(out->arena, n, sizeof(*a));
	int64_t *b = arena_array(out->arena, n, sizeof(*b));
	int64_t lo, hi;
	char from[32], to[32];

	medians(c, 0, step, a);
	medians(c, variant, step, b);
	lo = order_quantile(a, n, 1, 20);
	hi = order_quantile(a, n, 19, 20);
	if (order_quantile(b, n, 1, 20) < lo)
		lo = order_quantile(b, n, 1, 20);
	if (order_quantile(b, n, 19, 20) > hi)
		hi = order_quantile(b, n, 19, 20);
	strbuf_printf(out, "    %-10s %-30s%30s\n", "blocks",
	              show_duration(lo, from, sizeof(from)),
	              show_duration(hi, to, sizeof(to)));
	put_box(c->variants[0].name, a, n, lo, hi, out);
	put_box(c->variants[variant].name, b, n, lo, hi, out);
}

/* ---- the ratios -------------------------------------------------------- */

/* Which line of the picture, from above; outside it the first or the last. */
static int
line_of(int64_t ppm, int64_t top)
{
	double share = (double)(top - ppm) / (2 * (double)top);

	return share <= 0 ? 0 : share >= 1 ? LINES - 1 :
	       (int)(share * (LINES - 1) + 0.5);
}

static void
put_line(char picture[LINES][COLUMNS], int line, size_t columns, char c)
{
	memset(picture[line], c, columns);
}

/* A column holds several pairs in a row, by their median. */
static void
put_points(char picture[LINES][COLUMNS], const int64_t *ratios, size_t n,
           size_t columns, int64_t top, int64_t *scratch)
{
	for (size_t c = 0; c < columns; c++) {
		size_t from = c * n / columns, to = (c + 1) * n / columns;

		memcpy(scratch, ratios + from, (to - from) * sizeof(*scratch));
		order_sort(scratch, to - from);
		picture[line_of(order_median(scratch, to - from), top)][c] =
			'o';
	}
}

/* How far from 0 the picture goes. */
static int64_t
top_of(const int64_t *sorted, size_t n)
{
	int64_t low = -order_quantile(sorted, n, 1, 20);
	int64_t high = order_quantile(sorted, n, 19, 20);
	int64_t top = low > high ? low : high;

	return top > 1000 ? top : 1000;
}

static void
put_ratios(const struct comparison *c, size_t variant, size_t step,
           struct strbuf *out)
{
	size_t n = (size_t)c->pairs, columns = n < COLUMNS ? n : COLUMNS;
	int64_t *ratios = arena_array(out->arena, n, sizeof(*ratios));
	int64_t *sorted = arena_array(out->arena, n, sizeof(*sorted));
	char picture[LINES][COLUMNS];
	struct interval interval;
	int64_t top;

	for (size_t p = 0; p < n; p++)
		ratios[p] = compare_ratio(
			comparison_block(c, (int64_t)p, 0, step)->median_ns,
			comparison_block(c, (int64_t)p, variant,
			                 step)->median_ns);
	memcpy(sorted, ratios, n * sizeof(*sorted));
	order_sort(sorted, n);
	top = top_of(sorted, n);
	interval = compare_interval(sorted, n, compare_z2(1));
	memset(picture, ' ', sizeof(picture));
	put_line(picture, LINES / 2, columns, '.');
	if (interval.known) {
		put_line(picture, line_of(interval.lo, top), columns, '-');
		put_line(picture, line_of(interval.hi, top), columns, '-');
	}
	put_points(picture, ratios, n, columns, top, sorted);
	for (int line = 0; line < LINES; line++) {
		double share = 1 - 2.0 * line / (LINES - 1);

		strbuf_printf(out, "    %+8.1f %%",
		              share * (double)top / PPM_A_PERCENT);
		put_picture(out, picture[line], columns);
	}
	strbuf_printf(out, "    pairs 1 to %zu in the order they ran: o the "
	              "change, - its interval, . none\n", n);
}

void
plot_text(const struct comparison *comparison, size_t variant, size_t step,
          struct strbuf *out)
{
	put_boxes(comparison, variant, step, out);
	put_ratios(comparison, variant, step, out);
}

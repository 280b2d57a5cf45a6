#include "plot.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "stats/compare.h"
#include "stats/order.h"

/* All in pixels. */
#define WIDTH    900
#define LEFT     190             /* of the axis */
#define RIGHT    870
#define TITLE    30
#define ROW      42              /* of a distribution */
#define AXIS     34
#define RATIOS   150             /* the height of a chart of ratios */
#define GAP      24
#define TICKS    6               /* about so many on an axis */

/* From a value to a place, along one axis. */
struct scale {
	double from, to;         /* values */
	double start, end;       /* pixels */
};

static double
place(const struct scale *scale, double value)
{
	double share = (value - scale->from) / (scale->to - scale->from);

	share = share < 0 ? 0 : share > 1 ? 1 : share;
	return scale->start + share * (scale->end - scale->start);
}

/* ---- text -------------------------------------------------------------- */

/* How many bytes of UTF-8 begin here; 0: that is none. */
static size_t
character(const char *text)
{
	unsigned char c = (unsigned char)*text;
	size_t len = c < 0x80 ? 1 : c >= 0xc2 && c < 0xe0 ? 2 :
	             c >= 0xe0 && c < 0xf0 ? 3 : c >= 0xf0 && c < 0xf5 ? 4 : 0;

	for (size_t i = 1; i < len; i++)
		if (((unsigned char)text[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* What XML cannot hold becomes a question mark. */
static void
put_escaped(struct strbuf *out, const char *text)
{
	size_t len;

	for (; *text; text += len ? len : 1) {
		len = character(text);
		if (len == 0)
			strbuf_putc(out, '?');
		if (len > 1)
			strbuf_add(out, text, len);
		if (len != 1)
			continue;
		switch (*text) {
		case '&':
			strbuf_puts(out, "&amp;");
			break;
		case '<':
			strbuf_puts(out, "&lt;");
			break;
		case '>':
			strbuf_puts(out, "&gt;");
			break;
		case '"':
			strbuf_puts(out, "&quot;");
			break;
		default:
			strbuf_putc(out, (unsigned char)*text < ' ' ? ' ' :
			            *text);
		}
	}
}

static void
put_text(struct strbuf *out, double x, double y, const char *anchor,
         const char *text)
{
	strbuf_printf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">",
	              x, y, anchor);
	put_escaped(out, text);
	strbuf_puts(out, "</text>\n");
}

static void
put_line(struct strbuf *out, double x1, double y1, double x2, double y2,
         const char *class)
{
	strbuf_printf(out, "<line class=\"%s\" x1=\"%.1f\" y1=\"%.1f\" "
	              "x2=\"%.1f\" y2=\"%.1f\"/>\n", class, x1, y1, x2, y2);
}

/* ---- axes -------------------------------------------------------------- */

/* 1, 2 or 5 times a power of ten, so that there are about TICKS of them. */
static double
step_of(const struct scale *scale)
{
	double rough = (scale->to - scale->from) / TICKS;
	double power = pow(10, floor(log10(rough)));
	double times = rough / power;

	return power * (times < 1.5 ? 1 : times < 3.5 ? 2 : times < 7.5 ? 5 :
	                10);
}

/* A scale over values that may all be the same. */
static struct scale
scale_of(double low, double high, double start, double end)
{
	double margin = (high - low) * 0.02;

	if (margin <= 0)
		margin = fabs(low) * 0.01 + 0.01;
	return (struct scale){ low - margin, high + margin, start, end };
}

static void
put_axis(struct strbuf *out, const struct scale *scale, double y,
         const char *unit)
{
	double step = step_of(scale);
	char text[64];

	put_line(out, scale->start, y, scale->end, y, "axis");
	for (double v = ceil(scale->from / step) * step; v <= scale->to;
	     v += step) {
		double x = place(scale, v);

		put_line(out, x, y, x, y + 5, "axis");
		snprintf(text, sizeof(text), "%.6g", v);
		put_text(out, x, y + 18, "middle", text);
	}
	put_text(out, LEFT - 10, y + 18, "end", unit);
}

/* ---- distributions ----------------------------------------------------- */

static int
by_value(const void *one, const void *other)
{
	double a = *(const double *)one, b = *(const double *)other;

	return (a > b) - (a < b);
}

static double
quantile(const double *sorted, size_t n, double share)
{
	return sorted[(size_t)(share * (double)(n - 1) + 0.5)];
}

/* Each block a thin mark; over them the quartiles' box and the median. */
static void
put_distribution(struct strbuf *out, const struct scale *scale,
                 const struct plot_series *series, double y)
{
	double *sorted = arena_array(out->arena, series->count,
	                             sizeof(*sorted));
	double q25, q75, middle;
	char text[160];

	memcpy(sorted, series->values, series->count * sizeof(*sorted));
	qsort(sorted, series->count, sizeof(*sorted), by_value);
	q25 = place(scale, quantile(sorted, series->count, 0.25));
	q75 = place(scale, quantile(sorted, series->count, 0.75));
	middle = place(scale, quantile(sorted, series->count, 0.5));
	put_text(out, LEFT - 10, y + 18, "end", series->name);
	for (size_t i = 0; i < series->count; i++) {
		double x = place(scale, series->values[i]);

		put_line(out, x, y + 22, x, y + 28, "block");
	}
	strbuf_printf(out, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" "
	              "width=\"%.1f\" height=\"14\"/>\n", q25, y + 6,
	              q75 - q25);
	put_line(out, middle, y + 3, middle, y + 23, "middle");
	snprintf(text, sizeof(text), "%.4g (%zu)",
	         quantile(sorted, series->count, 0.5), series->count);
	put_text(out, middle + 4, y + 2, "start", text);
}

/* The middle 98 % of all: what lies outside is drawn at the edge. */
static struct scale
common_scale(const struct plot_panel *panel, struct arena *arena)
{
	double low = INFINITY, high = -INFINITY;

	for (size_t i = 0; i < panel->nseries; i++) {
		const struct plot_series *s = &panel->series[i];
		double *sorted = arena_array(arena, s->count, sizeof(*sorted));

		memcpy(sorted, s->values, s->count * sizeof(*sorted));
		qsort(sorted, s->count, sizeof(*sorted), by_value);
		low = fmin(low, quantile(sorted, s->count, 0.01));
		high = fmax(high, quantile(sorted, s->count, 0.99));
	}
	return scale_of(low, high, LEFT, RIGHT);
}

/* ---- ratios ------------------------------------------------------------ */

static void
put_band(struct strbuf *out, const struct scale *up,
         const struct interval *interval)
{
	double lo = place(up, (double)interval->lo / PPM_A_PERCENT);
	double hi = place(up, (double)interval->hi / PPM_A_PERCENT);
	double est = place(up, (double)interval->est / PPM_A_PERCENT);

	if (interval->known) {
		strbuf_printf(out, "<rect class=\"band\" x=\"%d\" y=\"%.1f\" "
		              "width=\"%d\" height=\"%.1f\"/>\n", LEFT, hi,
		              RIGHT - LEFT, lo - hi);
		put_line(out, LEFT, lo, RIGHT, lo, "edge");
		put_line(out, LEFT, hi, RIGHT, hi, "edge");
	}
	put_line(out, LEFT, est, RIGHT, est, "middle");
}

static void
put_upright(struct strbuf *out, const struct scale *up)
{
	double step = step_of(up);
	char text[64];

	put_line(out, LEFT, up->start, LEFT, up->end, "axis");
	for (double v = ceil(up->from / step) * step; v <= up->to; v += step) {
		/* -0 and what is left of it by rounding. */
		if (fabs(v) < step / 2)
			v = 0;
		put_line(out, LEFT - 5, place(up, v), LEFT, place(up, v),
		         "axis");
		snprintf(text, sizeof(text), "%+.4g %%", v);
		put_text(out, LEFT - 10, place(up, v) + 4, "end", text);
	}
}

/* A circle; where it lies beyond the picture a triangle at its edge. */
static void
put_point(struct strbuf *out, double x, double y, bool above, bool below)
{
	if (above || below)
		strbuf_printf(out, "<path class=\"point\" d=\"M%.1f %.1f l-4 "
		              "%d l8 0 z\"/>\n", x, y, above ? 7 : -7);
	else
		strbuf_printf(out, "<circle class=\"point\" cx=\"%.1f\" "
		              "cy=\"%.1f\" r=\"2.5\"/>\n", x, y);
}

static void
put_ratios(struct strbuf *out, const struct plot_panel *panel,
           const struct plot_series *series, double y)
{
	size_t n = series->nratios;
	int64_t *sorted = arena_array(out->arena, n, sizeof(*sorted));
	struct interval interval;
	struct scale up, along = { 0, (double)n + 1, LEFT, RIGHT };
	char text[200];

	memcpy(sorted, series->ratios, n * sizeof(*sorted));
	order_sort(sorted, n);
	interval = compare_interval(sorted, n, compare_z2(1));
	up = scale_of(fmin(0, (double)order_quantile(sorted, n, 1, 50) /
	                      PPM_A_PERCENT),
	              fmax(0, (double)order_quantile(sorted, n, 49, 50) /
	                      PPM_A_PERCENT), y + RATIOS - 20, y + 24);
	snprintf(text, sizeof(text), interval.known ?
	         "%.60s against %.60s: %+.2f %% (%+.2f..%+.2f), %zu pairs in "
	         "the order they ran" :
	         "%.60s against %.60s: %+.2f %%, too few pairs for an interval",
	         series->name, panel->series[0].name,
	         (double)interval.est / PPM_A_PERCENT,
	         (double)interval.lo / PPM_A_PERCENT,
	         (double)interval.hi / PPM_A_PERCENT, n);
	put_text(out, LEFT, y + 14, "start", text);
	put_band(out, &up, &interval);
	put_line(out, LEFT, place(&up, 0), RIGHT, place(&up, 0), "zero");
	put_upright(out, &up);
	for (size_t i = 0; i < n; i++) {
		double v = (double)series->ratios[i] / PPM_A_PERCENT;

		put_point(out, place(&along, (double)i + 1), place(&up, v),
		          v > up.to, v < up.from);
	}
}

/* ---- all of it --------------------------------------------------------- */

static double
height_of(const struct plot_panel *panel)
{
	double height = TITLE + AXIS + GAP + (double)panel->nseries * ROW;

	for (size_t i = 0; i < panel->nseries; i++)
		height += panel->series[i].nratios ? RATIOS : 0;
	return height;
}

static void
put_panel(struct strbuf *out, const struct plot_panel *panel, double y)
{
	struct scale scale = common_scale(panel, out->arena);

	strbuf_puts(out, "<g class=\"title\">");
	put_text(out, 10, y + 18, "start", panel->title);
	strbuf_puts(out, "</g>\n");
	y += TITLE;
	for (size_t i = 0; i < panel->nseries; i++, y += ROW)
		put_distribution(out, &scale, &panel->series[i], y);
	put_axis(out, &scale, y, panel->unit);
	y += AXIS;
	for (size_t i = 0; i < panel->nseries; i++) {
		if (panel->series[i].nratios == 0)
			continue;
		put_ratios(out, panel, &panel->series[i], y);
		y += RATIOS;
	}
}

void
plot_svg(const struct plot_panel *panels, size_t count, struct strbuf *out)
{
	double height = 10, y = 5;

	for (size_t i = 0; i < count; i++)
		height += height_of(&panels[i]);
	strbuf_printf(out, "<svg xmlns=\"http://www.w3.org/2000/svg\" "
	              "width=\"%d\" height=\"%.0f\" viewBox=\"0 0 %d %.0f\">\n"
	              "<style>\n"
	              "text { font: 12px sans-serif; }\n"
	              ".title text { font-weight: bold; font-size: 14px; }\n"
	              "line { stroke: #000; }\n"
	              ".block { stroke-opacity: 0.4; }\n"
	              ".middle { stroke-width: 2.5; }\n"
	              ".edge { stroke-dasharray: 6 3; }\n"
	              ".zero { stroke-dasharray: 1 3; stroke-width: 1.5; }\n"
	              ".box { fill: #ddd; stroke: #000; }\n"
	              ".band { fill: #eee; }\n"
	              ".point { fill: #fff; stroke: #000; }\n"
	              "</style>\n"
	              "<rect width=\"100%%\" height=\"100%%\" "
	              "fill=\"#fff\"/>\n",
	              WIDTH, height, WIDTH, height);
	for (size_t i = 0; i < count; i++) {
		put_panel(out, &panels[i], y);
		y += height_of(&panels[i]);
	}
	strbuf_puts(out, "</svg>\n");
}

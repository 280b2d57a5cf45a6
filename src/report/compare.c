/* compare: two sides' results as text. */
#include "compare.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/units.h"
#include "report.h"

#define COLUMNS       80
#define MOST_NAME     30
#define VERDICT_WIDTH 10
/* A blank at which no line is broken. */
#define GLUE          '\v'

/* ---- lines ------------------------------------------------------------- */

static size_t
column(const struct strbuf *out)
{
	size_t n = 0;

	while (n < out->len && out->text[out->len - n - 1] != '\n')
		n++;
	return n;
}

void
report_wrapped(struct strbuf *out, size_t indent, const char *text)
{
	/* Nothing is to be broken off where only the indent stands. */
	bool begun = column(out) > indent;
	bool first = true;

	while (*text) {
		size_t len = strcspn(text, " ");

		if ((begun || !first) && column(out) + len + !first > COLUMNS)
			strbuf_printf(out, "\n%*s", (int)indent, "");
		else if (!first)
			strbuf_putc(out, ' ');
		for (size_t i = 0; i < len; i++)
			strbuf_putc(out, text[i] == GLUE ? ' ' : text[i]);
		text += len + (text[len] == ' ');
		first = false;
	}
	strbuf_putc(out, '\n');
}

/* ---- figures ----------------------------------------------------------- */

static double
percent(int64_t ppm)
{
	return (double)ppm / PPM_A_PERCENT;
}

/* How many decimals show four digits. */
static int
decimals(double value)
{
	int n = 0;

	for (; n < 4 && value < 1000; n++)
		value *= 10;
	return n;
}

struct scale {
	const char *unit;
	double divisor;
};

/* Times of our own files are shown as it suits, others as they were. */
static struct scale
scale_of(const struct compare_row *row, int64_t value)
{
	static const struct scale times[] = {
		{ "ns", 1 }, { "us", 1e3 }, { "ms", 1e6 }, { "s", 1e9 },
	};
	double ns = (double)value / (double)row->scale;
	size_t i = 0;

	if (strcmp(row->unit, "ns") != 0)
		return (struct scale){ row->unit, (double)row->scale };
	while (i < 3 && ns >= times[i + 1].divisor)
		i++;
	return (struct scale){ times[i].unit,
	                       times[i].divisor * (double)row->scale };
}

static void
put_values(struct strbuf *out, const struct compare_row *row)
{
	struct scale scale = scale_of(row, row->a > row->b ? row->a : row->b);
	double a = (double)row->a / scale.divisor;
	double b = (double)row->b / scale.divisor;
	int digits = decimals(a > b ? a : b);

	strbuf_printf(out, "%.*f\v->\v%.*f\v%s%s", digits, a, digits, b,
	              scale.unit, row->higher_is_better ?
	              " (higher is better)" : "");
}

static const char *
counted(bool by_runs, size_t n)
{
	return by_runs ? n == 1 ? "run" : "runs" : n == 1 ? "boot" : "boots";
}

/* "4 runs each", "4 and 3 runs" */
static void
put_counts(struct strbuf *out, size_t a, size_t b, bool by_runs)
{
	if (a == b)
		strbuf_printf(out, "%zu %s each", a, counted(by_runs, a));
	else
		strbuf_printf(out, "%zu and %zu %s", a, b,
		              counted(by_runs, 2));
}

static void
put_needed(struct strbuf *out, const struct compare_row *row,
           int64_t margin_ppm)
{
	char text[32];

	strbuf_printf(out, "about %s %s a side would find %g\v%%",
	              show_count(row->needed, text, sizeof(text)),
	              counted(row->by_runs, 2), percent(margin_ppm));
}

/* ---- one verdict ------------------------------------------------------- */

static const char *
verdict_word(const struct compare_row *row)
{
	if (row->lack != LACK_NOTHING)
		return "NO VERDICT";
	return report_finding(row->judgement.finding);
}

/* Are the rows all of one boot a side? Then the reason is told once. */
static bool
share_reason(const struct compare_table *table)
{
	for (size_t i = 0; i < table->nrows; i++)
		if (table->rows[i].lack != LACK_BOOTS ||
		    table->rows[i].needed != table->rows[0].needed)
			return false;
	return table->nrows > 1;
}

static void
put_boots_reason(struct strbuf *out, int64_t needed)
{
	strbuf_printf(out, "whether the kernel or the boot: unknown; take at "
	              "least %" PRId64 " boots a side, alternated", needed);
}

static void
put_between_boots(struct strbuf *out, const struct compare_table *table,
                  const struct compare_row *row)
{
	bool shared = share_reason(table);

	strbuf_printf(out, ", %+.1f\v%%", percent(row->interval.est));
	if (!shared)
		strbuf_puts(out, " between these two boots");
	if (!shared || row->runs_a != 1 || row->runs_b != 1) {
		strbuf_puts(out, " (");
		put_counts(out, row->runs_a, row->runs_b, true);
		if (row->runs_a > 1 || row->runs_b > 1)
			strbuf_puts(out, row->apart ? ", none overlap" :
			            ", they overlap");
		strbuf_putc(out, ')');
	}
	if (shared)
		return;
	strbuf_puts(out, "; ");
	put_boots_reason(out, row->needed);
}

static void
put_lack(struct strbuf *out, const struct compare_table *table,
         const struct compare_row *row)
{
	put_values(out, row);
	switch (row->lack) {
	case LACK_BOOTS:
		put_between_boots(out, table, row);
		return;
	case LACK_MORE:
		strbuf_printf(out, ", %+.1f\v%%; ", percent(row->interval.est));
		put_counts(out, row->na, row->nb, row->by_runs);
		strbuf_puts(out, " are too few: ");
		put_needed(out, row, table->margin_ppm);
		strbuf_puts(out, ", alternated A\vB\vB\vA");
		return;
	case LACK_ORDER:
		strbuf_printf(out, ", %+.1f\v%% within one boot (",
		              percent(row->interval.est));
		put_counts(out, row->runs_a, row->runs_b, true);
		strbuf_puts(out, "); the sides' runs did not alternate, or do "
		            "not tell when they began: take them in turns, "
		            "A\vB\vB\vA");
		return;
	case LACK_RATIO:
		strbuf_puts(out, "; there is no ratio to 0");
		return;
	case LACK_NOTHING:
		return;
	}
}

static void
put_found(struct strbuf *out, const struct compare_table *table,
          const struct compare_row *row)
{
	const struct interval *i = &row->interval;

	switch (row->judgement.finding) {
	case FINDING_SLOWER:
	case FINDING_FASTER:
		if (row->judgement.small)
			strbuf_printf(out, "by less than %g\v%%: %+.1f\v%% "
			              "(%+.1f..%+.1f)",
			              percent(table->margin_ppm),
			              percent(i->est), percent(i->lo),
			              percent(i->hi));
		else
			strbuf_printf(out, "%+.1f\v%% (95\v%%: %+.1f..%+.1f)",
			              percent(i->est), percent(i->lo),
			              percent(i->hi));
		break;
	case FINDING_SAME:
		strbuf_printf(out, "any difference is below %g\v%% "
		              "(%+.1f..%+.1f)", percent(table->margin_ppm),
		              percent(i->lo), percent(i->hi));
		break;
	case FINDING_UNDECIDED:
		strbuf_printf(out, "%+.1f..%+.1f\v%%; ", percent(i->lo),
		              percent(i->hi));
		put_needed(out, row, table->margin_ppm);
		break;
	}
	strbuf_puts(out, row->judgement.finding == FINDING_UNDECIDED ? "; " :
	            ", ");
	put_counts(out, row->na, row->nb, row->by_runs);
	strbuf_puts(out, ", ");
	put_values(out, row);
}

static void
put_change(struct strbuf *out, const struct compare_row *row,
           const char *what, int64_t change)
{
	int64_t size = change < 0 ? -change : change;
	struct scale scale = scale_of(row, size);
	double value = (double)size / scale.divisor;

	strbuf_printf(out, "%s\v%c%.*f\v%s", what, change < 0 ? '-' : '+',
	              value < 9.95 ? 2 : value < 99.5 ? 1 : 0, value,
	              scale.unit);
}

/* How a change of CPU time splits. */
static void
put_split(struct strbuf *out, const struct compare_row *row)
{
	struct scale scale = scale_of(row, row->split_error);

	strbuf_puts(out, "; of which ");
	if (row->guessed)
		strbuf_puts(out, "(by the kernel's guess) ");
	put_change(out, row, "user", row->user);
	put_change(out, row, ", sys", row->sys);
	if (row->split_error > 0 && !row->guessed)
		strbuf_printf(out, ", +-%.2g\v%s",
		              (double)row->split_error / scale.divisor,
		              scale.unit);
}

/* "A: 100.0 101.2 us" */
static void
put_each(struct strbuf *out, const struct compare_row *row, char side,
         const int64_t *each, size_t count)
{
	int64_t larger = row->a > row->b ? row->a : row->b;
	struct scale scale = scale_of(row, larger);
	int digits = decimals((double)larger / scale.divisor);
	struct strbuf text = { .arena = out->arena };

	strbuf_printf(&text, "  %c:", side);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&text, " %.*f", digits,
		              (double)each[i] / scale.divisor);
	strbuf_printf(&text, " %s", scale.unit);
	report_wrapped(out, 5, text.text);
}

static void
put_row(struct strbuf *out, const struct compare_table *table,
        const struct compare_row *row, size_t width)
{
	size_t indent = width + VERDICT_WIDTH + 3;
	struct strbuf text = { .arena = out->arena };

	if (row->lack != LACK_NOTHING)
		put_lack(&text, table, row);
	else
		put_found(&text, table, row);
	if (row->has_split)
		put_split(&text, row);
	if (strlen(row->name) > width)
		strbuf_printf(out, "%s\n%*s", row->name, (int)width, "");
	else
		strbuf_printf(out, "%-*s", (int)width, row->name);
	strbuf_printf(out, "  %-*s ", VERDICT_WIDTH, verdict_word(row));
	report_wrapped(out, indent, text.text);
	if (table->verbose) {
		put_each(out, row, 'A', row->each_a, row->na);
		put_each(out, row, 'B', row->each_b, row->nb);
	}
}

static void
put_rows(struct strbuf *out, const struct compare_table *table)
{
	size_t width = 0;

	for (size_t i = 0; i < table->nrows; i++) {
		size_t len = strlen(table->rows[i].name);

		if (len > width && len <= MOST_NAME)
			width = len;
	}
	for (size_t i = 0; i < table->nrows; i++)
		put_row(out, table, &table->rows[i], width);
	if (share_reason(table)) {
		struct strbuf text = { .arena = out->arena };

		strbuf_puts(&text, "NO VERDICT: these changes are between two "
		            "boots; ");
		put_boots_reason(&text, table->rows[0].needed);
		report_wrapped(out, 2, text.text);
	}
}

/* ---- the whole --------------------------------------------------------- */

static void
put_side(struct strbuf *out, const struct compare_side *side, char name)
{
	report_wrapped(out, 2, arena_printf(out->arena,
		"%c: %s, %zu %s, %zu %s", name, side->name, side->boots,
		counted(false, side->boots), side->runs,
		counted(true, side->runs)));
}

static void
put_differences(struct strbuf *out, const struct compare_table *table)
{
	for (size_t i = 0; i < table->ndifferences; i++) {
		const struct compare_difference *d = &table->differences[i];

		report_wrapped(out, 2, arena_printf(out->arena,
			"%s: %s -> %s", d->key, d->before, d->after));
	}
	if (table->two_builds)
		report_wrapped(out, 2, "two builds are compared; code layout "
		               "alone can shift results");
	if (table->lengths)
		report_wrapped(out, 2, "the sides' arguments or environment "
		               "differ in length: longer ones cost time by "
		               "themselves");
	if (table->other_workload)
		report_wrapped(out, 2, "the workload's text is not the same: "
		               "steps of the same name are compared, which "
		               "may not do the same");
}

static bool
has_verdict(const struct compare_table *table)
{
	for (size_t i = 0; i < table->nrows; i++)
		if (table->rows[i].lack == LACK_NOTHING)
			return true;
	return false;
}

static void
put_lone(struct strbuf *out, const char *names, const char *side)
{
	if (names)
		report_wrapped(out, 2, arena_printf(out->arena,
			"only in %s: %s", side, names));
}

void
report_compare(const struct compare_table *table, struct strbuf *out)
{
	put_side(out, &table->before, 'A');
	put_side(out, &table->after, 'B');
	put_differences(out, table);
	strbuf_putc(out, '\n');
	put_rows(out, table);
	put_lone(out, table->lone_before, table->before.name);
	put_lone(out, table->lone_after, table->after.name);
	if (table->tests > 1 && has_verdict(table))
		report_wrapped(out, 2, arena_printf(out->arena,
			"95\v%% is for the verdicts on all %" PRId64
			" series together", table->tests));
}

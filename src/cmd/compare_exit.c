/* compare_exit: what scripts ask: --fail-if and --bisect. */
#include "compare.h"

#include <fnmatch.h>
#include <math.h>

#include "base/units.h"
#include "cmd/command.h"
#include "stats/order.h"
#include "stats/spread.h"

/* ---- --fail-if --------------------------------------------------------- */

static bool
speaks_of(const struct gate *gate, const struct compare_row *row)
{
	return row->is_cpu == (gate->metric == METRIC_CPU) &&
	       (!gate->glob || fnmatch(gate->glob, row->step, 0) == 0);
}

bool
compare_gate_applies(const struct gate *gate,
                     const struct compare_table *table)
{
	for (size_t i = 0; i < table->nrows; i++)
		if (speaks_of(gate, &table->rows[i]))
			return true;
	return false;
}

static enum gate_verdict
judge_row(const struct gate *gate, const struct compare_row *row,
          struct errmsg *why)
{
	struct interval interval = row_in_time(row);
	int64_t lo = interval.lo - row->floor_ppm;
	int64_t hi = interval.hi + row->floor_ppm;
	/* "More than" is at least one millionth more. */
	int64_t limit = gate->limit_ppm + !gate->or_equal;

	if (row->lack != LACK_NOTHING) {
		errmsg_set(why, "--fail-if %s: cannot tell: %s has no verdict",
		           gate->text, row->name);
		return GATE_CANNOT_TELL;
	}
	if (hi < limit)
		return GATE_HOLDS_NOT;
	errmsg_set(why, "--fail-if %s%s: %s: %+.2f..%+.2f %%", gate->text,
	           lo >= limit ? " holds" : ": cannot tell", row->name,
	           (double)lo / PPM_A_PERCENT, (double)hi / PPM_A_PERCENT);
	return lo >= limit ? GATE_HOLDS : GATE_CANNOT_TELL;
}

enum gate_verdict
compare_gate(const struct gate *gate, const struct compare_table *table,
             struct errmsg *why)
{
	enum gate_verdict worst = GATE_HOLDS_NOT;

	for (size_t i = 0; i < table->nrows && worst != GATE_HOLDS; i++) {
		enum gate_verdict verdict;
		struct errmsg this;

		if (!speaks_of(gate, &table->rows[i]))
			continue;
		verdict = judge_row(gate, &table->rows[i], &this);
		if (verdict == GATE_HOLDS_NOT || verdict == worst)
			continue;
		worst = verdict;
		*why = this;
	}
	return worst;
}

/* ---- --bisect ---------------------------------------------------------- */

/* What cannot be told from 0. */
#define FLOOR_PPM 1000

enum { GOOD, BAD, NEW, SIDES };

static double
median_of(struct values values)
{
	order_sort(values.list, values.count);
	return (double)order_median(values.list, values.count);
}

/* The boots' standard deviation, within GOOD and BAD; below 0: not known. */
static double
spread_of(const struct values *values)
{
	double squares = 0;
	size_t n = 0;

	for (int s = GOOD; s <= BAD; s++) {
		struct spread spread = { 0 };

		for (size_t i = 0; i < values[s].count; i++)
			spread_add(&spread, (double)values[s].list[i]);
		squares += spread.squares;
		n += values[s].count - 1;
	}
	return n ? sqrt(squares / (double)n) : -1;
}

/* EXIT_DONE, EXIT_FAILED or, where this series tells nothing, EXIT_OWN. */
static int
classify(struct arena *arena, const struct side *sides, const char *key,
         const char *name, struct strbuf *out)
{
	struct values values[SIDES];
	double good, bad, spread, place;

	for (int s = 0; s < SIDES; s++) {
		values[s] = side_boot_values(arena, &sides[s], key, SIDE_REAL);
		if (values[s].count == 0)
			return EXIT_OWN;
	}
	good = median_of(values[GOOD]);
	bad = median_of(values[BAD]);
	spread = spread_of(values);
	strbuf_printf(out, "%s: ", name);
	if (spread < 0) {
		strbuf_puts(out, "cannot tell: GOOD or BAD must have several "
		            "boots, for their spread\n");
		return EXIT_OWN;
	}
	/* Boots that agree to the last digit have no spread to tell by. */
	if (fabs(bad - good) < 3 * spread ||
	    fabs(bad - good) * 1e6 <= FLOOR_PPM * good) {
		strbuf_puts(out, "cannot tell: GOOD and BAD are too near: "
		            "less than three times their boots' spread\n");
		return EXIT_OWN;
	}
	place = (median_of(values[NEW]) - good) / (bad - good);
	strbuf_printf(out, "%s: NEW is %.0f %% of the way from GOOD to BAD\n",
	              place <= 1.0 / 3 ? "good" : place >= 2.0 / 3 ? "bad" :
	              "cannot tell", 100 * place);
	return place <= 1.0 / 3 ? EXIT_DONE : place >= 2.0 / 3 ? EXIT_FAILED :
	       EXIT_OWN;
}

int
compare_bisect(struct arena *arena, const struct side *sides,
               struct strbuf *out)
{
	const char **keys;
	size_t count = side_keys(arena, &sides[GOOD], &keys), common = 0;
	size_t good = 0, bad = 0;

	for (size_t i = 0; i < count; i++) {
		int status;

		if (!side_series(&sides[BAD], keys[i]) ||
		    !side_series(&sides[NEW], keys[i]))
			continue;
		common++;
		status = classify(arena, sides, keys[i],
		                  series_name(arena,
		                              side_series(&sides[GOOD],
		                                          keys[i]), true),
		                  out);
		good += status == EXIT_DONE;
		bad += status == EXIT_FAILED;
	}
	if (common == 0)
		strbuf_puts(out, "cannot tell: the three have no series in "
		            "common\n");
	/* Series that cannot tell do not vote; those that can must agree. */
	if (good && bad)
		strbuf_puts(out, "cannot tell: the series do not agree\n");
	if ((good == 0) == (bad == 0))
		return EXIT_OWN;
	return good ? EXIT_DONE : EXIT_FAILED;
}

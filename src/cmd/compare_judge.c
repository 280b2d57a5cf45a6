/* compare_judge: a row of the report for each series of two sides. */
#include "compare.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "stats/order.h"
#include "stats/spread.h"

#define FEWEST_BOOTS 4

struct judge {
	struct arena *arena;
	const struct side *a, *b;
	const struct compare_plan *plan;
	struct compare_table *table;
	bool by_runs;            /* all is one boot */
	bool alternate;
	bool workload;           /* names need the workload's before them */
};

/* ---- figures ----------------------------------------------------------- */

static struct values
values_of(const struct judge *judge, const struct side *side, const char *key,
          enum side_figure figure)
{
	return judge->by_runs ?
	       side_run_values(judge->arena, side, key, figure) :
	       side_boot_values(judge->arena, side, key, figure);
}

static struct values
sorted(const struct judge *judge, struct values values)
{
	struct values copy = { NULL, values.count };

	if (values.count == 0)
		return copy;
	copy.list = arena_array(judge->arena, values.count,
	                        sizeof(*copy.list));
	memcpy(copy.list, values.list, values.count * sizeof(*copy.list));
	order_sort(copy.list, copy.count);
	return copy;
}

static int64_t
middle(const struct judge *judge, struct values values)
{
	return values.count ? order_median(sorted(judge, values).list,
	                                   values.count) : 0;
}

static bool
has_zero(struct values values)
{
	for (size_t i = 0; i < values.count; i++)
		if (values.list[i] <= 0)
			return true;
	return false;
}

/* Is each value of one below each of the other? */
static bool
are_apart(const struct judge *judge, struct values a, struct values b)
{
	a = sorted(judge, a);
	b = sorted(judge, b);
	return a.count == 0 || b.count == 0 ||
	       a.list[a.count - 1] < b.list[0] ||
	       b.list[b.count - 1] < a.list[0];
}

/* The standard deviation within both sides, in ppm of the first's median. */
static int64_t
scatter(struct values a, struct values b, int64_t median)
{
	struct spread of_a = { 0 }, of_b = { 0 };
	double squares;
	size_t n = a.count + b.count;

	for (size_t i = 0; i < a.count; i++)
		spread_add(&of_a, (double)a.list[i]);
	for (size_t i = 0; i < b.count; i++)
		spread_add(&of_b, (double)b.list[i]);
	squares = of_a.squares + of_b.squares;
	if (n < 3 || median <= 0)
		return 0;
	return (int64_t)(1e6 * sqrt(squares / (double)(n - 2)) /
	                 (double)median);
}

/* The fewest a side that can have a verdict, however large the change. */
static int64_t
fewest(int64_t tests)
{
	size_t n = FEWEST_BOOTS;

	while (n < COMPARE_MOST_BOOTS && compare_boot_rank(n, n, tests) == 0)
		n++;
	return (int64_t)n;
}

/*
 * "# clock quantum: 1 ns"; of a list nothing is known. CPU time is told in
 * microseconds, but of a whole block.
 */
static int64_t
quantum_of(const struct side *side, const struct archive_series *series,
           enum side_figure figure)
{
	int64_t count = series->blocks[0].count;

	if (figure == SIDE_CPU)
		return 1000 * series->scale / (count > 0 ? count : 1);
	for (size_t i = 0; i < side->archive.nruns; i++) {
		const char *fact = archive_fact(&side->archive.runs[i],
		                                "clock quantum");

		if (fact)
			return strtoll(fact, NULL, 10) * series->scale;
	}
	return 0;
}

/* ---- one row ----------------------------------------------------------- */

static enum compare_lack
lack_of(const struct judge *judge, const struct compare_row *row)
{
	if (judge->by_runs && !judge->alternate)
		return LACK_ORDER;
	if (!judge->by_runs && row->na == 1 && row->nb == 1)
		return LACK_BOOTS;
	return row->interval.known ? LACK_NOTHING : LACK_MORE;
}

struct interval
row_in_time(const struct compare_row *row)
{
	struct interval interval = row->interval;

	if (row->higher_is_better) {
		interval.est = -row->interval.est;
		interval.lo = -row->interval.hi;
		interval.hi = -row->interval.lo;
	}
	return interval;
}

static void
compare_values(const struct judge *judge, struct values a, struct values b,
               int64_t quantum, struct compare_row *row)
{
	int64_t tests = judge->table->tests, least = fewest(tests);
	int64_t n = (int64_t)(row->na < row->nb ? row->na : row->nb);
	int64_t *ratios = arena_array(judge->arena, row->na * row->nb,
	                              sizeof(*ratios));

	row->floor_ppm = compare_floor(quantum, row->a > 0 ? row->a : 1);
	row->interval = compare_boots(a.list, row->na, b.list, row->nb, tests,
	                              ratios);
	row->judgement = compare_judge(row_in_time(row), row->floor_ppm,
	                               judge->plan->margin_ppm);
	row->lack = lack_of(judge, row);
	row->needed = compare_boots_needed(scatter(a, b, row->a),
	                                   judge->plan->margin_ppm);
	if (row->lack == LACK_BOOTS || row->needed < least)
		row->needed = least;
	/* So many have not sufficed. */
	if (row->needed <= n)
		row->needed = n + n / 2;
}

/* A row of one figure; false: it is not told on both sides. */
static bool
fill_row(const struct judge *judge, const char *key,
         const struct archive_series *series, enum side_figure figure,
         struct compare_row *row)
{
	struct values a = values_of(judge, judge->a, key, figure);
	struct values b = values_of(judge, judge->b, key, figure);
	struct values runs_a = side_run_values(judge->arena, judge->a, key,
	                                       figure);
	struct values runs_b = side_run_values(judge->arena, judge->b, key,
	                                       figure);

	if (a.count == 0 || b.count == 0)
		return false;
	row->unit = series->unit;
	row->scale = series->scale;
	row->higher_is_better = series->higher_is_better;
	row->a = middle(judge, a);
	row->b = middle(judge, b);
	row->na = a.count < COMPARE_MOST_BOOTS ? a.count : COMPARE_MOST_BOOTS;
	row->nb = b.count < COMPARE_MOST_BOOTS ? b.count : COMPARE_MOST_BOOTS;
	row->each_a = a.list;
	row->each_b = b.list;
	row->by_runs = judge->by_runs;
	row->runs_a = runs_a.count;
	row->runs_b = runs_b.count;
	row->apart = are_apart(judge, runs_a, runs_b);
	if (has_zero(a)) {
		row->lack = LACK_RATIO;
		return true;
	}
	compare_values(judge, a, b, quantum_of(judge->a, series, figure), row);
	return true;
}

/* ---- the split --------------------------------------------------------- */

/* A run tells of a step: "# split: STEP: known, user 7 ppm, error 9 ppm" */
static void
look_at_split(const struct archive_run *run, const char *step, int64_t cpu,
              struct compare_row *row, int64_t *error)
{
	size_t len = strlen(step);

	for (size_t i = 0; i < run->nfacts; i++) {
		const char *text = run->facts[i].value, *at;
		double ppm;

		if (strcmp(run->facts[i].key, "split") != 0 ||
		    strncmp(text, step, len) != 0 || text[len] != ':')
			continue;
		text += len;
		row->guessed |= strstr(text, "guessed") != NULL;
		at = strstr(text, "error ");
		ppm = at ? strtod(at + strlen("error "), NULL) : -1;
		if ((double)cpu * ppm / 1e6 > (double)*error)
			*error = (int64_t)((double)cpu * ppm / 1e6);
	}
}

static void
fill_split(const struct judge *judge, const char *key,
           const struct archive_series *series, struct compare_row *row)
{
	const struct side *sides[] = { judge->a, judge->b };
	const int64_t cpus[] = { row->a, row->b };
	const char *step = series->parts[1] ? series->parts[1] :
	                   series->parts[0];
	int64_t user[2], sys[2];

	if (series->parts[2])
		step = arena_printf(judge->arena, "%s/%s", step,
		                    series->parts[2]);
	for (int s = 0; s < 2; s++) {
		int64_t error = 0;

		user[s] = middle(judge, values_of(judge, sides[s], key,
		                                  SIDE_USER));
		sys[s] = middle(judge, values_of(judge, sides[s], key,
		                                 SIDE_SYS));
		for (size_t i = 0; i < sides[s]->archive.nruns; i++)
			look_at_split(&sides[s]->archive.runs[i], step,
			              cpus[s], row, &error);
		row->split_error += error;
	}
	row->user = user[1] - user[0];
	row->sys = sys[1] - sys[0];
	row->has_split = row->lack == LACK_NOTHING &&
	                 (row->judgement.finding == FINDING_SLOWER ||
	                  row->judgement.finding == FINDING_FASTER);
}

/* ---- the table --------------------------------------------------------- */

static void
add_row(const struct judge *judge, const char *key,
        const struct archive_series *series, enum side_figure figure)
{
	const char *name = series_name(judge->arena, series, judge->workload);
	struct compare_row row = { 0 };

	if (!fill_row(judge, key, series, figure, &row))
		return;
	/* A list has no CPU time to be told apart from. */
	row.name = !series->parts[1] ? name :
	           arena_printf(judge->arena, "%s %s", name,
	                        figure == SIDE_CPU ? "cpu" : "real");
	row.step = series->parts[1] ? series->parts[1] : series->parts[0];
	row.is_cpu = figure == SIDE_CPU;
	if (row.is_cpu)
		fill_split(judge, key, series, &row);
	*(struct compare_row *)arena_push(judge->arena, &judge->table->rows,
		&judge->table->nrows, sizeof(row)) = row;
}

/* The names of what one side has and the other has not; NULL: none. */
static const char *
lone(const struct judge *judge, const struct side *of,
     const struct side *other, const char **keys, size_t count)
{
	struct strbuf names = { .arena = judge->arena };

	for (size_t i = 0; i < count; i++)
		if (!side_series(other, keys[i]))
			strbuf_printf(&names, "%s%s", names.len ? ", " : "",
				series_name(judge->arena,
				            side_series(of, keys[i]), true));
	return names.text;
}

/* Series of different workloads may bear one name. */
static bool
has_workloads(const struct side *side, const char **keys, size_t count)
{
	const char *first = count ? side_series(side, keys[0])->parts[0] : "";

	for (size_t i = 1; i < count; i++)
		if (strcmp(side_series(side, keys[i])->parts[0], first) != 0)
			return true;
	return false;
}

void
compare_sides(struct arena *arena, const struct side *a, const struct side *b,
              const struct compare_plan *plan, struct compare_table *table)
{
	struct judge judge = { arena, a, b, plan, table, false, false, false };
	const char **in_a, **in_b;
	size_t na = side_keys(arena, a, &in_a), nb = side_keys(arena, b, &in_b);
	int64_t common = 0;

	judge.by_runs = sides_share_boot(a, b);
	judge.alternate = judge.by_runs && sides_alternate(arena, a, b);
	judge.workload = has_workloads(a, in_a, na);
	table->before = (struct compare_side){ a->name, a->nboots, a->nruns };
	table->after = (struct compare_side){ b->name, b->nboots, b->nruns };
	table->margin_ppm = plan->margin_ppm;
	for (size_t i = 0; i < na; i++)
		common += side_series(b, in_a[i]) != NULL;
	table->tests = common * plan->operands;
	for (size_t i = 0; i < na; i++) {
		const struct archive_series *series = side_series(a, in_a[i]);

		if (!side_series(b, in_a[i]))
			continue;
		add_row(&judge, in_a[i], series, SIDE_REAL);
		add_row(&judge, in_a[i], series, SIDE_CPU);
	}
	table->lone_before = lone(&judge, a, b, in_a, na);
	table->lone_after = lone(&judge, b, a, in_b, nb);
}

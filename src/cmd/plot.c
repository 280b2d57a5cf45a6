/* plot: results files as SVG, on standard output. */
#include <string.h>

#include "cmd/command.h"
#include "lab/archive.h"
#include "report/plot.h"
#include "stats/compare.h"

/* Panels of any number. */
struct plots {
	struct arena *arena;
	struct plot_panel *panels;
	size_t count;
};

static bool
same(const char *one, const char *other)
{
	return one == other || (one && other && strcmp(one, other) == 0);
}

/* Are they variants of one step, in one unit? */
static bool
belong(const struct archive_series *one, const struct archive_series *other)
{
	return same(one->parts[0], other->parts[0]) &&
	       same(one->parts[1], other->parts[1]) &&
	       strcmp(one->unit, other->unit) == 0 &&
	       one->scale == other->scale;
}

/* ---- units ------------------------------------------------------------- */

/* So that the numbers of an axis are neither small nor large. */
struct unit {
	const char *name;
	double scale;            /* of a series' values */
};

static struct unit
unit_of(const struct archive_series *series)
{
	static const char *const names[] = { "ns", "us", "ms", "s" };
	double value = (double)series->blocks[0].value / (double)series->scale;
	struct unit unit = { series->unit, (double)series->scale };
	size_t i = 0;

	while (i < 4 && strcmp(series->unit, names[i]) != 0)
		i++;
	for (; i < 3 && value >= 1000; i++, value /= 1000) {
		unit.name = names[i + 1];
		unit.scale *= 1000;
	}
	return unit;
}

/* ---- one series -------------------------------------------------------- */

static const struct archive_block *
block_of_pair(const struct archive_series *series, int64_t pair)
{
	for (size_t i = 0; i < series->nblocks; i++)
		if (series->blocks[i].placed &&
		    series->blocks[i].place.pair == pair)
			return &series->blocks[i];
	return NULL;
}

/* Blocks that bear the same pair's number are a pair. */
static void
add_ratios(struct arena *arena, const struct archive_series *first,
           const struct archive_series *own, struct plot_series *out)
{
	int64_t *ratios = arena_array(arena, own->nblocks, sizeof(*ratios));

	for (size_t i = 0; i < own->nblocks; i++) {
		const struct archive_block *b = &own->blocks[i], *a;

		if (!b->placed)
			continue;
		/* They mostly stand in the same order. */
		a = i < first->nblocks && first->blocks[i].placed &&
		    first->blocks[i].place.pair == b->place.pair ?
		    &first->blocks[i] : block_of_pair(first, b->place.pair);
		if (a && a->value > 0)
			ratios[out->nratios++] = compare_ratio(a->value,
			                                       b->value);
	}
	out->ratios = ratios;
}

static struct plot_series
series_of(struct arena *arena, const struct archive_series *first,
          const struct archive_series *own, double scale)
{
	double *values = arena_array(arena, own->nblocks, sizeof(*values));
	struct plot_series out = {
		.name = own->parts[2] ? own->parts[2] : "all",
		.values = values, .count = own->nblocks,
	};

	for (size_t i = 0; i < own->nblocks; i++)
		values[i] = (double)own->blocks[i].value / scale;
	if (own != first)
		add_ratios(arena, first, own, &out);
	return out;
}

/* ---- panels ------------------------------------------------------------ */

static void
add_panel(struct plots *plots, const struct archive_run *run, size_t at)
{
	const struct archive_series *first = &run->series[at];
	struct unit unit = unit_of(first);
	struct plot_panel *panel = arena_push(plots->arena, &plots->panels,
	                                      &plots->count, sizeof(*panel));
	struct plot_series *list = NULL;

	for (size_t i = at; i < run->nseries; i++) {
		const struct archive_series *own = &run->series[i];

		if (own->nblocks == 0 || !belong(first, own))
			continue;
		*(struct plot_series *)arena_push(plots->arena, &list,
			&panel->nseries, sizeof(*list)) =
			series_of(plots->arena, first, own, unit.scale);
	}
	panel->series = list;
	panel->unit = unit.name;
	panel->title = arena_printf(plots->arena, "%s%s%s: %s%s%s",
		first->parts[0] ? first->parts[0] : first->key,
		first->parts[1] ? " / " : "",
		first->parts[1] ? first->parts[1] : "", run->file,
		run->boot ? ", boot " : "", run->boot ? run->boot : "");
}

/* A panel for each series that is the first of its step. */
static void
add_run(struct plots *plots, const struct archive_run *run)
{
	for (size_t i = 0; i < run->nseries; i++) {
		bool is_first = run->series[i].nblocks > 0;

		for (size_t j = 0; j < i && is_first; j++)
			is_first = run->series[j].nblocks == 0 ||
			           !belong(&run->series[j], &run->series[i]);
		if (is_first)
			add_panel(plots, run, i);
	}
}

int
command_plot(struct arena *arena, int argc, char **argv)
{
	struct plots plots = { .arena = arena };
	struct strbuf text = { .arena = arena };
	struct archive archive = { 0 };
	struct errmsg why;

	if (argc > 1 && (strcmp(argv[1], "-h") == 0 ||
	                 strcmp(argv[1], "--help") == 0)) {
		static const char help[] =
			"usage: forkload plot RESULTS... >FILE.svg\n\n"
			"Draws results that were kept with --append.\n";

		return put_out(help, strlen(help));
	}
	if (argc < 2)
		return wrong_usage("plot: no results are named");
	for (int i = 1; i < argc; i++)
		if (archive_read(arena, argv[i], &archive, &why) < 0) {
			say("%s", why.text);
			return EXIT_USAGE;
		}
	for (size_t i = 0; i < archive.nnotes; i++)
		say("%s", archive.notes[i]);
	for (size_t i = 0; i < archive.nruns; i++)
		add_run(&plots, &archive.runs[i]);
	if (plots.count == 0) {
		say("plot: there are no samples in what was named");
		return EXIT_USAGE;
	}
	plot_svg(plots.panels, plots.count, &text);
	return put_out(text.text, text.len);
}

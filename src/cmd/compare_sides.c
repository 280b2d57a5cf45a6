/* compare_sides: an operand's runs, grouped by their boots. */
#include "compare.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "stats/order.h"

/* ---- boots ------------------------------------------------------------- */

/* A file that does not tell its boot is one. */
static const char *
boot_of(const struct archive_run *run)
{
	return run->boot ? run->boot : run->file;
}

static bool
is_of(const struct archive_run *run, const char *boot)
{
	return strcmp(boot_of(run), boot) == 0;
}

static void
add_boot(struct arena *arena, struct side *side, const struct archive_run *run)
{
	for (size_t i = 0; i < side->nboots; i++)
		if (is_of(run, side->boots[i]))
			return;
	*(const char **)arena_push(arena, &side->boots, &side->nboots,
	                           sizeof(*side->boots)) = boot_of(run);
}

/* A list is as many runs as its longest series has values. */
static size_t
runs_in(const struct archive_run *run)
{
	size_t most = 0;

	if (!run->is_list)
		return 1;
	for (size_t i = 0; i < run->nseries; i++)
		if (run->series[i].nblocks > most)
			most = run->series[i].nblocks;
	return most;
}

int
side_read(struct arena *arena, const char *path, struct side *side,
          struct errmsg *why)
{
	memset(side, 0, sizeof(*side));
	side->name = path;
	if (archive_read(arena, path, &side->archive, why) < 0)
		return -1;
	for (size_t i = 0; i < side->archive.nruns; i++) {
		const struct archive_run *run = &side->archive.runs[i];

		/* It was cut short before its first line. */
		if (run->nseries == 0)
			continue;
		add_boot(arena, side, run);
		side->nruns += runs_in(run);
	}
	return 0;
}

bool
sides_share_boot(const struct side *a, const struct side *b)
{
	return a->nboots == 1 && b->nboots == 1 &&
	       strcmp(a->boots[0], b->boots[0]) == 0;
}

/* ---- values ------------------------------------------------------------ */

static int64_t
figure_of(const struct archive_block *block, enum side_figure figure)
{
	switch (figure) {
	case SIDE_REAL:
		return block->value;
	case SIDE_USER:
		return block->user;
	case SIDE_SYS:
		return block->sys;
	case SIDE_CPU:
		break;
	}
	return block->user < 0 || block->sys < 0 ? -1 :
	       block->user + block->sys;
}

/* Adds the blocks of one run. */
static void
add_blocks(struct arena *arena, const struct archive_run *run,
           const char *key, enum side_figure figure, struct values *values)
{
	const struct archive_series *series = archive_series(run, key);

	for (size_t i = 0; series && i < series->nblocks; i++) {
		const struct archive_block *block = &series->blocks[i];
		int64_t value = figure_of(block, figure);

		if (value < 0 || (block->placed && block->place.failures))
			continue;
		*(int64_t *)arena_push(arena, &values->list, &values->count,
		                       sizeof(value)) = value;
	}
}

/* Their median becomes one more value. */
static void
add_median(struct arena *arena, struct values *of, struct values *values)
{
	if (of->count == 0)
		return;
	order_sort(of->list, of->count);
	*(int64_t *)arena_push(arena, &values->list, &values->count,
	                       sizeof(int64_t)) = order_median(of->list,
	                                                       of->count);
}

struct values
side_boot_values(struct arena *arena, const struct side *side,
                 const char *key, enum side_figure figure)
{
	struct values values = { 0 };

	for (size_t b = 0; b < side->nboots; b++) {
		struct values blocks = { 0 };

		for (size_t i = 0; i < side->archive.nruns; i++)
			if (is_of(&side->archive.runs[i], side->boots[b]))
				add_blocks(arena, &side->archive.runs[i], key,
				           figure, &blocks);
		add_median(arena, &blocks, &values);
	}
	return values;
}

struct values
side_run_values(struct arena *arena, const struct side *side, const char *key,
                enum side_figure figure)
{
	struct values values = { 0 };

	for (size_t i = 0; i < side->archive.nruns; i++) {
		const struct archive_run *run = &side->archive.runs[i];
		struct values blocks = { 0 };

		add_blocks(arena, run, key, figure,
		           run->is_list ? &values : &blocks);
		add_median(arena, &blocks, &values);
	}
	return values;
}

/* ---- series ------------------------------------------------------------ */

const struct archive_series *
side_series(const struct side *side, const char *key)
{
	const struct archive_series *series = NULL;

	for (size_t i = 0; i < side->archive.nruns && !series; i++)
		series = archive_series(&side->archive.runs[i], key);
	return series;
}

static bool
is_in(const char *key, const char **keys, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return false;
}

size_t
side_keys(struct arena *arena, const struct side *side, const char ***keys)
{
	size_t count = 0;

	*keys = NULL;
	for (size_t i = 0; i < side->archive.nruns; i++) {
		const struct archive_run *run = &side->archive.runs[i];

		for (size_t s = 0; s < run->nseries; s++) {
			const char *key = run->series[s].key;

			if (!is_in(key, *keys, count))
				*(const char **)arena_push(arena, keys, &count,
				                           sizeof(key)) = key;
		}
	}
	return count;
}

const char *
series_name(struct arena *arena, const struct archive_series *series,
            bool workload)
{
	struct strbuf name = { .arena = arena };

	/* A list's name, or another tool's, has no parts but the first. */
	if (!series->parts[1])
		return series->parts[0];
	if (workload)
		strbuf_printf(&name, "%s ", series->parts[0]);
	strbuf_puts(&name, series->parts[1]);
	if (series->parts[2])
		strbuf_printf(&name, " %s", series->parts[2]);
	return name.text;
}

/* ---- order ------------------------------------------------------------- */

struct start {
	int64_t at;
	int side;
};

static int
by_time(const void *one, const void *other)
{
	const struct start *a = one, *b = other;

	return (a->at > b->at) - (a->at < b->at);
}

/* "# started: 1764772201.25": seconds, since whenever. -1: not told. */
static int64_t
started(const struct archive_run *run)
{
	const char *text = archive_fact(run, "started");
	char seconds[32];
	int64_t ns;

	if (!text || strcspn(text, " ") > sizeof(seconds) - 2)
		return -1;
	memcpy(seconds, text, strcspn(text, " "));
	memcpy(seconds + strcspn(text, " "), "s", 2);
	return parse_duration(seconds, &ns) == 0 ? ns : -1;
}

bool
sides_alternate(struct arena *arena, const struct side *a,
                const struct side *b)
{
	const struct side *sides[] = { a, b };
	struct start *starts = NULL;
	size_t count = 0, in_a_row = 0;

	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->archive.nruns; i++) {
			struct start *start = arena_push(arena, &starts,
			                                 &count,
			                                 sizeof(*start));

			start->at = started(&sides[s]->archive.runs[i]);
			start->side = s;
			if (start->at < 0)
				return false;
		}
	qsort(starts, count, sizeof(*starts), by_time);
	/* A B A B and A B B A have at most two of a side in a row. */
	for (size_t i = 0; i < count; i++) {
		in_a_row = i && starts[i].side == starts[i - 1].side ?
		           in_a_row + 1 : 1;
		if (in_a_row > 2)
			return false;
	}
	return true;
}

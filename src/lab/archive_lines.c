/* archive_lines: a results file's own lines. */
#include "archive_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "lab/benchfmt.h"

#define PS_A_NS 1000

/* ---- numbers ----------------------------------------------------------- */

int
archive_decimal(const char **text, int64_t scale, int64_t *out)
{
	const char *at = *text;
	int64_t n = 0;

	if (*at < '0' || *at > '9')
		return -1;
	for (; *at >= '0' && *at <= '9'; at++) {
		if (n > (INT64_MAX / scale - 19) / 10)
			return -1;
		n = n * 10 + (*at - '0');
	}
	n *= scale;
	if (*at == '.') {
		for (at++; *at >= '0' && *at <= '9'; at++) {
			/* The first digit that is too small rounds. */
			if (scale == 1 && *at >= '5')
				n++;
			scale /= 10;
			n += scale * (*at - '0');
		}
	}
	*text = at;
	*out = n;
	return 0;
}

static const char *
skip_blanks(const char *at)
{
	return at + strspn(at, " \t");
}

/* ---- runs, series, blocks ---------------------------------------------- */

static struct archive_run *
run_at(struct reader *reader, long run)
{
	return &reader->archive->runs[run];
}

static long
add_run(struct reader *reader)
{
	struct archive *archive = reader->archive;
	struct archive_run *run = arena_push(reader->arena, &archive->runs,
	                                     &archive->nruns, sizeof(*run));

	run->file = reader->file;
	return (long)archive->nruns - 1;
}

long
archive_list(struct reader *reader)
{
	if (reader->list < 0) {
		reader->list = add_run(reader);
		run_at(reader, reader->list)->is_list = true;
		run_at(reader, reader->list)->complete = true;
	}
	return reader->list;
}

void
archive_run_ends(struct reader *reader)
{
	reader->run = -1;
	reader->last = NULL;
}

struct archive_series *
archive_series_of(struct reader *reader, long run, const char *key)
{
	struct archive_run *in = run_at(reader, run);
	struct archive_series *series;

	for (size_t i = 0; i < in->nseries; i++)
		if (strcmp(in->series[i].key, key) == 0)
			return &in->series[i];
	series = arena_push(reader->arena, &in->series, &in->nseries,
	                    sizeof(*series));
	series->key = arena_copy(reader->arena, key, strlen(key));
	return series;
}

struct archive_block *
archive_add_block(struct reader *reader, struct archive_series *series)
{
	struct archive_block *block = arena_push(reader->arena,
	                                         &series->blocks,
	                                         &series->nblocks,
	                                         sizeof(*block));

	block->count = 1;
	block->user = block->sys = -1;
	return block;
}

/* ---- names ------------------------------------------------------------- */

/*
 * The parts of a name. The workload's has lost its first letter's case; the
 * run tells it.
 */
static void
set_parts(struct reader *reader, struct archive_series *series,
          const char *name, const char *workload)
{
	size_t n = 0;

	while (n < ARCHIVE_PARTS) {
		/* What is behind the last part belongs to it. */
		size_t len = n + 1 < ARCHIVE_PARTS ? strcspn(name, "/") :
		             strlen(name);

		series->parts[n++] = benchfmt_unpart(reader->arena, name, len);
		name += len;
		if (!*name++)
			break;
	}
	if (workload) {
		size_t len = strcspn(workload, " ");
		const char *upper = series->parts[0];

		if (len && strlen(upper) == len &&
		    strncmp(upper + 1, workload + 1, len - 1) == 0)
			series->parts[0] = arena_copy(reader->arena, workload,
			                              len);
	}
}

/* ---- lines ------------------------------------------------------------- */

struct figures_read {
	int64_t count, value, user, sys;
};

/* " COUNT VALUE UNIT VALUE UNIT...", all of it; -1: it is no such line. */
static int
read_figures(const char *at, struct figures_read *out)
{
	bool found = false;

	out->user = out->sys = -1;
	at = skip_blanks(at);
	if (archive_decimal(&at, 1, &out->count) < 0 ||
	    (*at != ' ' && *at != '\t'))
		return -1;
	for (at = skip_blanks(at); *at; at = skip_blanks(at)) {
		size_t len;
		int64_t n;

		if (archive_decimal(&at, PS_A_NS, &n) < 0)
			return -1;
		at = skip_blanks(at);
		len = strcspn(at, " \t");
		if (len == 0)
			return -1;
		if (len == 5 && memcmp(at, "ns/op", 5) == 0) {
			out->value = n;
			found = true;
		} else if (len == 10 && memcmp(at, "user-ns/op", 10) == 0) {
			out->user = n;
		} else if (len == 9 && memcmp(at, "sys-ns/op", 9) == 0) {
			out->sys = n;
		}
		at += len;
	}
	return found ? 0 : -1;
}

static void
read_benchmark(struct reader *reader, const struct line *line)
{
	const char *name = line->text + strlen(BENCHFMT_NAME);
	size_t len = strcspn(name, " \t");
	bool is_list = reader->run < 0 && !reader->headless;
	struct archive_series *series;
	struct archive_block *block;
	struct figures_read figures;
	char *key;
	long run;

	if (len == 0 || read_figures(name + len, &figures) < 0) {
		reader->damaged++;
		reader->last = NULL;
		return;
	}
	if (!is_list && reader->run < 0)
		reader->run = add_run(reader);
	run = is_list ? archive_list(reader) : reader->run;
	key = arena_copy(reader->arena, name, len);
	series = archive_series_of(reader, run, key);
	if (!series->unit) {
		series->unit = "ns";
		series->scale = PS_A_NS;
		set_parts(reader, series, key, run_at(reader, run)->workload);
	}
	block = archive_add_block(reader, series);
	block->count = figures.count;
	block->value = figures.value;
	block->user = figures.user;
	block->sys = figures.sys;
	reader->last = is_list ? NULL : block;
}

/* "# block: pair=1 position=0 ...": of the Benchmark line before it. */
static void
read_block(struct reader *reader, char *at)
{
	struct archive_block *block = reader->last;
	struct archive_place *place;
	char *save, *word;

	/* Its line was damaged; or is lost, and that before it has its own. */
	reader->damaged += block && block->placed;
	if (!block || block->placed)
		return;
	place = &block->place;
	for (word = strtok_r(at, " \t", &save); word;
	     word = strtok_r(NULL, " \t", &save)) {
		const struct {
			const char *name;
			int64_t *to;
		} places[] = {
			{ "pair", &place->pair },
			{ "position", &place->position },
			{ "start", &place->start_ns },
			{ "total", &place->total_ns },
			{ "min", &place->min_ns }, { "q25", &place->q25_ns },
			{ "q75", &place->q75_ns }, { "max", &place->max_ns },
			{ "switches", &place->switches },
			{ "failures", &place->failures },
		};
		char *value = strchr(word, '=');

		if (!value)
			continue;
		*value++ = '\0';
		for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
			if (strcmp(places[i].name, word) == 0)
				parse_int(value, places[i].to);
	}
	block->placed = true;
}

static void
add_fact(struct reader *reader, const char *key, const char *value)
{
	struct archive_run *run;
	struct archive_fact *fact;

	/* Told twice: the header of another run was lost. */
	if (reader->run >= 0 &&
	    (strcmp(key, "boot") == 0 || strcmp(key, "workload") == 0) &&
	    archive_fact(run_at(reader, reader->run), key))
		archive_run_ends(reader);
	if (reader->run < 0)
		reader->run = add_run(reader);
	run = run_at(reader, reader->run);
	fact = arena_push(reader->arena, &run->facts, &run->nfacts,
	                  sizeof(*fact));
	fact->key = key;
	fact->value = value;
	if (strcmp(key, "forkload") == 0)
		run->version = value;
	else if (strcmp(key, "workload") == 0)
		run->workload = value;
	else if ((strcmp(key, "boot") == 0 ||
	          (strcmp(key, "boot id") == 0 && !run->boot)) &&
	         *value && strcmp(value, "unknown") != 0)
		run->boot = value;
}

/* "# KEY: VALUE"; other comments say nothing to us. */
static void
read_comment(struct reader *reader, const struct line *line)
{
	char *text = arena_copy(reader->arena, line->text + 2, line->len - 2);
	char *value = strstr(text, ": ");
	bool own = reader->run >= 0 || reader->headless;

	if (!value) {
		/* A value may be empty. */
		value = text + strlen(text);
		if (value == text || value[-1] != ':')
			return;
		value[-1] = '\0';
	} else {
		*value = '\0';
		value += 2;
	}
	if (strcmp(text, "forkload") == 0) {
		archive_run_ends(reader);
		add_fact(reader, text, value);
	} else if (strcmp(text, "block") == 0) {
		read_block(reader, value);
	} else if (strcmp(text, "end") == 0) {
		if (reader->run >= 0)
			run_at(reader, reader->run)->complete = true;
		archive_run_ends(reader);
	} else if (own) {
		add_fact(reader, text, value);
		reader->last = NULL;
	} else if (strcmp(text, "boot") == 0) {
		/* A person who pastes lists of several boots says so. */
		reader->list = -1;
		run_at(reader, archive_list(reader))->boot = value;
	}
}

void
archive_line(struct reader *reader, const struct line *line)
{
	bool benchmark = strncmp(line->text, BENCHFMT_NAME,
	                         strlen(BENCHFMT_NAME)) == 0;
	bool comment = strncmp(line->text, "# ", 2) == 0;

	/* A cut line may look whole: its last number may lack digits. */
	if ((benchmark || comment) && !line->whole) {
		reader->last = NULL;
		return;
	}
	if (benchmark)
		read_benchmark(reader, line);
	else if (comment)
		read_comment(reader, line);
	else
		archive_list_line(reader, line);
}

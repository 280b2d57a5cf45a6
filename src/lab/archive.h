/*
 * archive: results files, and lists of other tools, read back as plain data.
 *
 * archive_read() takes a file, a folder (all regular files in it, by name) or
 * "-" (standard input) and adds what it holds to an archive that starts as
 * all zeros. All lies in the arena. Three kinds of files are read:
 *
 *   results      as forkload appends them: runs, each with its facts and, for
 *                each step and variant, a series of blocks. A run that lacks
 *                its end was cut short; its whole lines are kept.
 *   console logs that hold such results between markers (lab/benchfmt.h):
 *                only lines whose check value is right are believed.
 *   lists        lmbench's "NAME: VALUE microseconds" and UnixBench's
 *                "COUNT|N|BASE|UNIT", as they stand in a mail; lines of Go's
 *                benchmarks too. Each line is one run's value, each file one
 *                run here, marked as a list; a line "# boot: NAME" begins
 *                the list of another boot.
 *
 * What was damaged, cut short or left out becomes a note, never an error.
 */
#ifndef FORKLOAD_LAB_ARCHIVE_H
#define FORKLOAD_LAB_ARCHIVE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errmsg.h"

/* "# KEY: VALUE" */
struct archive_fact {
	const char *key, *value;
};

/* What a "# block:" line tells. */
struct archive_place {
	int64_t pair, position;
	int64_t start_ns;        /* since the run began */
	int64_t total_ns, min_ns, q25_ns, q75_ns, max_ns;
	int64_t switches, failures;
};

/* A block's figures are of one operation; of a list a block is one value. */
struct archive_block {
	int64_t count;           /* operations; of a list 1 */
	int64_t value;           /* the median; in 1/scale of the unit */
	int64_t user, sys;       /* likewise; -1: not told */
	bool placed;             /* place is known */
	struct archive_place place;
};

#define ARCHIVE_PARTS 3          /* workload, step, variant */

struct archive_series {
	const char *key;         /* the same in all files, for this unit */
	const char *parts[ARCHIVE_PARTS];        /* NULL where not there */
	const char *unit;        /* "ns", "us", "KB/sec", "lps" */
	int64_t scale;           /* how many of value are one unit */
	bool higher_is_better;
	struct archive_block *blocks;    /* in the file's order */
	size_t nblocks;
};

struct archive_run {
	const char *file;
	const char *boot;        /* NULL: not told */
	const char *version;     /* of forkload; NULL: its header is lost */
	const char *workload;    /* its name and hash; NULL: not told */
	struct archive_fact *facts;
	size_t nfacts;
	struct archive_series *series;
	size_t nseries;
	bool complete;           /* its end is there */
	bool is_list;            /* each block is a run of its own */
};

struct archive {
	struct archive_run *runs;        /* by file, then in its order */
	size_t nruns;
	const char **notes;      /* "FILE: 3 damaged lines were left out" */
	size_t nnotes;
};

/*
 * Adds what path holds: 0, or -1 with why where it cannot be read, or where
 * there is no result in all of it.
 */
int archive_read(struct arena *arena, const char *path,
                 struct archive *archive, struct errmsg *why);

/* The fact of that key, or NULL. */
const char *archive_fact(const struct archive_run *run, const char *key);

/* The series of that key, or NULL. */
const struct archive_series *archive_series(const struct archive_run *run,
                                            const char *key);

#endif

/*
 * archive_internal: what the files of the reader share.
 *
 * archive.c opens files, cuts them into lines and hands these, one by one, to
 * archive_line(); archive_console.c takes them out of a log first. Lines that
 * are no results of forkload are tried as archive_list.c's.
 */
#ifndef FORKLOAD_LAB_ARCHIVE_INTERNAL_H
#define FORKLOAD_LAB_ARCHIVE_INTERNAL_H

#include "archive.h"

struct line {
	char *text;              /* NUL behind it, none in it */
	size_t len;
	bool whole;              /* its end was there */
};

/* One file being read. */
struct reader {
	struct arena *arena;
	struct archive *archive;
	const char *file;
	size_t first;            /* which of the archive's runs is its first */
	bool headless;           /* Benchmark lines outside a run are ours */
	/* Both by index, for the arrays move; -1: none. */
	long run;                /* that lines are added to */
	long list;               /* the file's list */
	/* The block that a "# block:" line speaks of, or NULL. */
	struct archive_block *last;
	int64_t damaged;         /* lines */
};

/* Takes a line; without quotes and blanks before it. */
void archive_line(struct reader *reader, const struct line *line);

/* The run that is open, if any, gets no more lines. */
void archive_run_ends(struct reader *reader);

/* Reads a whole log with marker lines in it. */
void archive_console(struct reader *reader, const struct line *lines,
                     size_t count);
bool archive_is_console(const struct line *lines, size_t count);

/* Takes another tool's line, where it is one. */
void archive_list_line(struct reader *reader, const struct line *line);

/* The run's series of that key, made where it is new; its parts are unset. */
struct archive_series *archive_series_of(struct reader *reader, long run,
                                         const char *key);
struct archive_block *archive_add_block(struct reader *reader,
                                        struct archive_series *series);

/* The file's list of values, made where it is new: its index. */
long archive_list(struct reader *reader);

void archive_note(struct reader *reader, const char *text);

/*
 * A decimal number at text, times scale (a power of ten), rounded to nearest;
 * *text is moved behind it. -1 where it is none, is negative or too large.
 */
int archive_decimal(const char **text, int64_t scale, int64_t *out);

#endif

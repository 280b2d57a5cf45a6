/*
 * source: texts that a workload comes from, and errors that point into them.
 *
 * Every error of a workload is collected, and all are printed together:
 *
 *     loopback.wl:10:22: error: @client has no option 'sned'
 *        10 |     run @client fd=3 sned=$bytes
 *           |                      ^~~~ did you mean 'send'?
 *
 * A line's number and a column (in characters, from 1) are found only when an
 * error is printed; until then a place is an offset into its source.
 */
#ifndef FORKLOAD_LANG_SOURCE_H
#define FORKLOAD_LANG_SOURCE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "base/strbuf.h"

struct source {
	const char *name;        /* as the user named it; "-e" for --eval */
	const char *text;        /* NUL behind it; may hold NULs within */
	size_t len;
};

struct place {
	const struct source *source;  /* NULL: no place (a command-line word) */
	size_t offset;
	size_t len;                   /* how much to underline; at least 1 */
};

/* Reads a file ("-": standard input) whole: 0, or -1 with why. */
int source_read(struct arena *arena, const char *path, struct source *out,
                struct errmsg *why);

struct complaint {
	struct place place;
	const char *message;     /* "@client has no option 'sned'" */
	const char *hint;        /* "did you mean 'send'?" or NULL */
};

struct complaints {
	struct arena *arena;
	struct complaint *list;
	size_t count;
};

void complain(struct complaints *complaints, struct place place,
              const char *hint, const char *format, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * All of them as text, in the order of their places, and the closing line
 * "forkload: 2 errors, nothing was run".
 */
void complaints_show(const struct complaints *complaints, bool color,
                     struct strbuf *out);

#endif

/*
 * samples: "-a FILE": the raw samples, added to a file as they come.
 *
 * Each pair is written at once, so that what was measured before a machine
 * went down is there. "-": they are kept, and follow the report between two
 * marker lines, each line with a check value, to be read back from a log of
 * the console.
 */
#ifndef FORKLOAD_CMD_SAMPLES_H
#define FORKLOAD_CMD_SAMPLES_H

#include "report/bench.h"

struct samples {
	const char *path;        /* NULL: they are not asked for */
	bool console;            /* on standard output, after the report */
	struct arena *arena;
	struct strbuf kept;
	struct strbuf text;      /* used again for each pair */
	struct bench bench;
	bool begun;
	int error;               /* errno of a write that failed, or 0 */
};

/* -1: the file cannot be had, and that was said. */
int samples_open(struct samples *samples, struct arena *arena,
                 const char *path);
void samples_pair(struct samples *samples, const struct result *result,
                  int64_t pair);
/* After the report. Returns 0, or the exit status for what went wrong. */
int samples_close(struct samples *samples, const struct result *result);

#endif

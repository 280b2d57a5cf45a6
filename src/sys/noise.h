/*
 * noise: what on this machine, now, could disturb a measurement.
 *
 * Reads only; changes nothing. What a kernel does not tell is no error.
 */
#ifndef FORKLOAD_SYS_NOISE_H
#define FORKLOAD_SYS_NOISE_H

#include <stddef.h>

#include "base/arena.h"

struct noise_row {
	const char *name;        /* "governor" */
	const char *found;       /* one sentence, of one line */
	const char *advice;      /* what can be done; NULL: nothing is to be */
};

/*
 * Describes the machine whose /proc and /sys are below root ("" for this
 * one), in the arena: how many rows. First those that disturb, then "quiet"
 * with the names of what does not, and "not told" with those of what cannot
 * be read; a row that would be empty is left out.
 *
 * For other tasks it looks several times, and calls pause() between two of
 * these looks; pause NULL waits itself, 100 ms in all.
 */
size_t noise_describe(struct arena *arena, const char *root,
                      void (*pause)(void), struct noise_row **rows);

#endif

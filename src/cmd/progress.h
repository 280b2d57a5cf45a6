/*
 * progress: how far a run is, on standard error, between rounds only.
 *
 * On a terminal one line is redrawn; with --progress=lines a line is printed
 * once a second. What was written is drained before the next round, for a
 * serial console takes its time out of the CPU.
 */
#ifndef FORKLOAD_CMD_PROGRESS_H
#define FORKLOAD_CMD_PROGRESS_H

#include "cmd/options.h"

struct progress {
	enum when when;          /* WHEN_NEVER: nothing is drawn */
	int64_t drawn_ns;        /* when last */
	bool on_screen;          /* a line stands there */
};

void progress_init(struct progress *progress, const struct options *options);
/* lab_hooks.progress; state is a struct progress. */
void progress_draw(void *state, const struct lab_progress *now);
/* Takes the line away. */
void progress_clear(struct progress *progress);

#endif

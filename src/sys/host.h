/*
 * host: what a machine is, as far as it bears on results.
 */
#ifndef FORKLOAD_SYS_HOST_H
#define FORKLOAD_SYS_HOST_H

#include <stddef.h>

#include "base/arena.h"

struct host_fact {
	const char *name;        /* "kernel" */
	const char *value;       /* one line; "unknown" where it is not told */
};

/* All facts, in the arena: how many. Reads only; changes nothing. */
size_t host_describe(struct arena *arena, struct host_fact **facts);

#endif

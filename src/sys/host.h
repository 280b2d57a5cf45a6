/*
 * host: what a machine is, as far as it bears on results.
 */
#ifndef FORKLOAD_SYS_HOST_H
#define FORKLOAD_SYS_HOST_H

#include <stdbool.h>
#include <stddef.h>

#include "base/arena.h"

struct host_fact {
	const char *name;        /* "kernel" */
	const char *value;       /* one line; "unknown" where it is not told */
};

/* All facts, in the arena: how many. Reads only; changes nothing. */
size_t host_describe(struct arena *arena, struct host_fact **facts);

/* What may change while a run goes on. */
struct host_load {
	const char *average;     /* as /proc/loadavg has it; or "unknown" */
	long long steal_ticks;   /* that a host gave to others; -1: not told */
};

struct host_load host_load(struct arena *arena);

/* How much CPU time forkload's cgroup is given. */
struct host_limit {
	const char *folder;      /* of the group that limits; NULL: no limit */
	double cpus;
	bool unified;            /* version 2 of cgroups */
	long long throttled;     /* times; of all that is in the group */
};

/*
 * The lowest limit of the own cgroup and of those it is in, as told below
 * root ("" for this machine): 0, or -1 where nothing tells.
 */
int host_limit(struct arena *arena, const char *root,
               struct host_limit *limit);

#endif

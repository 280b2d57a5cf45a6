/*
 * cgroup: CPU time of all processes in a cgroup (version 2) of their own.
 *
 * The kernel adds up the ticks of the whole group before it splits the exact
 * sum by them, so that the split is as good as there are ticks, however short
 * the processes were. Making a group takes root, or a delegated group.
 */
#ifndef FORKLOAD_SYS_CGROUP_H
#define FORKLOAD_SYS_CGROUP_H

#include <sys/types.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "sys/usage.h"

/*
 * Makes a group below the caller's and returns its folder, or NULL with why.
 */
const char *cgroup_make(struct arena *arena, struct errmsg *why);

/* Puts a process into it: 0, or -1 with errno. What it starts is in it too. */
int cgroup_add(const char *folder, pid_t pid);

/* The CPU time of all that ever was in it: 0, or -1 with errno. */
int cgroup_usage(const char *folder, struct usage *usage);

/* Removes it; no process may be in it any more. 0, or -1 with errno. */
int cgroup_remove(const char *folder);

/*
 * How long a CPU limit has held back the processes of the caller's group, of
 * either version, so far, in microseconds; 0 where nothing tells.
 */
int64_t cgroup_throttled_us(struct arena *arena);

#endif

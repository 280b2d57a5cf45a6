/*
 * cgroup: CPU time of all processes in a cgroup (version 2) of their own.
 *
 * The kernel adds up the ticks of the whole group before it splits the exact
 * sum by them, so that the split is as good as there are ticks, however short
 * the processes were. Making a group takes root, or a delegated group.
 */
#ifndef FORKLOAD_SYS_CGROUP_H
#define FORKLOAD_SYS_CGROUP_H

#include <stddef.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "sys/usage.h"

#define CGROUP_ROOM 512

/*
 * Makes a group below the caller's: 0 with its folder, or -1 with why and "".
 */
int cgroup_make(struct arena *arena, char *folder, size_t room,
                struct errmsg *why);

/* Puts a process into it: 0, or -1 with errno. What it starts is in it too. */
int cgroup_add(const char *folder, pid_t pid);

/* The CPU time of all that ever was in it: 0, or -1 with errno. */
int cgroup_usage(const char *folder, struct usage *usage);

/* Removes it; no process may be in it any more. 0, or -1 with errno. */
int cgroup_remove(const char *folder);

#endif

/*
 * like: memory that makes the runner's fork cost what a shell's fork costs.
 *
 * A fork pays for each mapping, for each page that was written, and, once
 * it is done, for each page that parent or child then writes: a fault and a
 * copy. A bash has 276 KiB of such memory in 42 mappings; forkload's runner
 * is far smaller.
 *
 * Order: like_open() once, in the runner, before its first fork;
 * like_parent() and like_child() after each fork, on their own sides. The
 * memory stays until the process ends.
 */
#ifndef FORKLOAD_SYS_LIKE_H
#define FORKLOAD_SYS_LIKE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errmsg.h"

/* What a shell has beyond what the runner has anyway. */
struct like {
	const char *name;        /* NULL ends the table */
	bool vforks;             /* how it starts a simple command */
	unsigned mappings;
	unsigned dirty_kib;      /* written by the shell, in all of them */
	/* Pages that each side writes between a fork and the exec. */
	unsigned parent_writes;
	unsigned child_writes;
};

/* bash, dash, busybox: in the order of the knob's choices. */
extern const struct like likes[];

struct like_memory {
	char *base;
	size_t page, stride;     /* bytes; from one mapping to the next */
	unsigned mappings, pages;
	unsigned parent_writes, child_writes;
};

/* Maps and writes it: 0, or -1 with why. */
int like_open(const struct like *like, struct like_memory *memory,
              struct errmsg *why);

/* The writes after a fork; async-signal-safe. */
void like_child(const struct like_memory *memory);
void like_parent(const struct like_memory *memory);

#endif

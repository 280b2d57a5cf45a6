/*
 * spawn: one program started, by fork, vfork, posix_spawn or clone.
 *
 * Order: fill a struct spawn, spawn_prepare() once, then any number of
 * spawn_start() and spawn_wait(). Everything that can be built beforehand
 * is: between start and wait there is nothing but the making of the process
 * and wait4(). fork and clone are the raw system calls, for libc's wrappers
 * add calls of their own; vfork is libc's, which has none.
 *
 * A child that cannot come to its exec says why in its slot (shared memory:
 * no pipe, no extra call), and leaves with 127. After fork only
 * async-signal-safe calls are made.
 *
 * On the methods: with vfork and clone the child shares the runner's memory
 * until it execs and the runner stands still; the runner therefore has no
 * signal handler that a child could run on shared data but that for its
 * guard's death, which checks whose process it is in.
 */
#ifndef FORKLOAD_SYS_SPAWN_H
#define FORKLOAD_SYS_SPAWN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/types.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "base/rows.h"
#include "sys/like.h"

/* In the order of the knob's choices. */
enum spawn_method { SPAWN_FORK, SPAWN_VFORK, SPAWN_POSIX, SPAWN_CLONE };

extern const char *const spawn_method_names[];

/* One redirection, done in the child, in order. */
struct file_action {
	enum { FILE_OPEN, FILE_DUP, FILE_CLOSE } kind;
	int fd;
	int from;                /* FILE_DUP */
	const char *path;        /* FILE_OPEN */
	int flags;
};

/* A knob that the child applies to itself. */
struct spawn_knob {
	const struct knob *knob;
	struct value value;
};

enum close_how { CLOSE_NONE, CLOSE_LOOP, CLOSE_RANGE };

struct spawn {
	enum spawn_method method;
	const char *path;        /* NULL: no exec, the child leaves with 0 */
	char *const *argv;
	char *const *envp;
	const char *dir;         /* NULL: the runner's */
	const struct file_action *actions;
	size_t nactions;
	const struct spawn_knob *knobs;
	size_t nknobs;
	enum close_how close;
	int close_from;          /* the first descriptor that is closed */
	int64_t timeout_ns;      /* 0: none; the guard watches it */
	void *posix_actions;     /* made by spawn_prepare() */
};

/* Where a child got stuck before its exec. */
enum spawn_stage {
	STAGE_DONE, STAGE_PROCESS, STAGE_DIR, STAGE_FILE, STAGE_KNOB,
	STAGE_CLOSE, STAGE_EXEC
};

/*
 * In shared memory: what the child, the runner and the guard tell. A child
 * with a timeout has a turn of its own, an odd number; while there is none
 * in flight the number is even. The guard reads it before and after the rest,
 * for 64 bits are not one access everywhere, and names it when it kills, for
 * the slot may by then be another child's.
 */
struct spawn_slot {
	pid_t pid;               /* 0: nothing in flight */
	int stage;               /* enum spawn_stage */
	int index;               /* of the file action or knob */
	int error;               /* errno there */
	uint32_t turn;
	uint32_t late_turn;      /* that the guard killed */
	int64_t start_ns;        /* of this turn */
	int64_t timeout_ns;
};

/* What the process that spawns has: made once in it. */
struct spawner {
	const struct like_memory *like;  /* NULL: none */
	/* For clone's child: the runner stands still until that is gone from */
	/* its memory, so that one stack serves all. */
	char *stack;
};

void spawner_init(struct spawner *spawner, struct arena *arena);

/*
 * Builds what the method needs. -1 with why where posix_spawn cannot do it.
 */
int spawn_prepare(struct spawn *spawn, struct errmsg *why);

/* Gives back what spawn_prepare() built. */
void spawn_release(struct spawn *spawn);

/*
 * Starts it, with its standard input and output on in and out where those
 * are not -1. 0 with slot->pid set, or -1 with the slot's stage and error.
 * (fork's child may fail later: the slot tells after spawn_wait().)
 */
int spawn_start(const struct spawner *spawner, const struct spawn *spawn,
                int in, int out, struct spawn_slot *slot);

/* Waits for that very child: 0 with its wait status and usage, or -1. */
int spawn_wait(struct spawn_slot *slot, int *status, struct rusage *usage);

/* The same where another call has waited: nothing is in flight any more. */
void spawn_over(struct spawn_slot *slot);

/*
 * For the guard: is the child in flight over its time? Then its turn, and
 * *pid (0: not known yet), else 0 and *due_ns: when to look again (0: never).
 */
uint32_t spawn_late(const struct spawn_slot *slot, int64_t now_ns, pid_t *pid,
                    int64_t *due_ns);

/* Was the last child killed for being late? */
bool spawn_was_late(const struct spawn_slot *slot);

/* Makes a slot one that nothing was in flight in. */
void spawn_clear(struct spawn_slot *slot);

/* Can this kernel fork (has it an MMU)? Asked once, by forking. */
bool spawn_can_fork(void);

#endif

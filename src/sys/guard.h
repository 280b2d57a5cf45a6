/*
 * guard: forkload's first process, which outlives whatever happens.
 *
 * Order: guard_begin(); guard_undo() for each thing that must be undone;
 * guard_fork() for the servers and the runners; guard_wait() until there is
 * nothing to wait for; guard_end(), which kills what is left and undoes, the
 * last thing first. However a child ends, the guard is there; only its own
 * SIGKILL leaves things undone (and then the children die with it).
 */
#ifndef FORKLOAD_SYS_GUARD_H
#define FORKLOAD_SYS_GUARD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/errmsg.h"
#include "sys/children.h"

#define GUARD_UNDOS 16

struct guard {
	struct {
		void (*undo)(void *what);
		void *what;
	} undos[GUARD_UNDOS];
	int nundos;
	struct foreign foreign;  /* children of whoever exec'd forkload */
	pid_t *forked;           /* by guard_fork() */
	size_t nforked;
};

enum guard_event {
	GUARD_READY,             /* the descriptor can be read */
	GUARD_CHILD,             /* some child ended: waitpid() knows which */
	GUARD_SIGNAL,            /* the user wants the end: guard_asked() */
	GUARD_TIME               /* the moment has come */
};

/* Makes this process the guard: 0, or -1 with why. */
int guard_begin(struct guard *guard, struct errmsg *why);

/* To be undone at the end; -1 where there are too many. */
int guard_undo(struct guard *guard, void (*undo)(void *what), void *what);

/*
 * Forks. The child dies with the guard (by on_death) but not by a terminal's
 * signals, gives default signals to what it execs, and returns 0; the guard
 * gets its pid, or -1 with errno. Both sides assign the result: it must not
 * go into memory that they share.
 */
pid_t guard_fork(struct guard *guard, int on_death);

/* Waits for what comes first; fd -1: none; until_ns 0: no such moment. */
enum guard_event guard_wait(int fd, int64_t until_ns);

/* The signal that asked for the end, one that is pending included, or 0. */
int guard_asked(void);

/* Kills those that are still children of the guard; any number may be 0. */
void guard_kill(const pid_t *pids, size_t count);

/*
 * Kills and waits for every process below this one but those that were there
 * before, undoes. Returns 0, or -1 where a process could not be ended.
 */
int guard_end(struct guard *guard);

#endif

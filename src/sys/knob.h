/*
 * knob: the settings of LANGUAGE.md that a child or the runner can have.
 *
 * One row each: how its value is read, who applies it, how an exec'd child
 * finds out whether it took. Rows of scope KNOB_CHILD are applied by spawn;
 * what shapes argv, the environment or the runner is done by step/ and lab/,
 * which find their settings by id.
 */
#ifndef FORKLOAD_SYS_KNOB_H
#define FORKLOAD_SYS_KNOB_H

#include "base/rows.h"

enum knob_id {
	KNOB_SPAWN, KNOB_LIKE, KNOB_BALLAST, KNOB_FDS, KNOB_NOFILE, KNOB_STACK,
	KNOB_ENVPAD, KNOB_ARGPAD, KNOB_ENV, KNOB_DIR, KNOB_WRAP, KNOB_CPU,
	KNOB_NICE, KNOB_SCHED, KNOB_ASLR, KNOB_NX, KNOB_SECCOMP, KNOB_SSBD,
	KNOB_THP, KNOB_SYSCTL, KNOB_CLOSE, KNOB_STATUS, KNOB_TIMEOUT
};

/* What KNOB_STATUS reads for "any". */
#define STATUS_ANY (-1)

extern const struct knob knobs[];

/* Moves this process to the CPUs of a list: 0, or -1 with errno. */
int cpus_bind(const char *list);

#endif

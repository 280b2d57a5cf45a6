/*
 * lab: a workload set up, run in rounds within its budget, and undone.
 *
 * lab_run() turns this process into the guard (sys/guard.h), forks servers
 * and runners, orders each round from the runners step by step, and returns
 * when everything is ended and undone, whatever happened. The samples lie in
 * memory shared with the runners, so that what was complete is reported even
 * where a runner died.
 */
#ifndef FORKLOAD_LAB_LAB_H
#define FORKLOAD_LAB_LAB_H

#include <stdbool.h>
#include <stdint.h>

#include "lab/result.h"
#include "lang/variants.h"

struct lab_progress {
	int64_t rounds;          /* complete so far; -1: warming up */
	int64_t elapsed_ns;
	int64_t budget_ns;       /* 0: a number of rounds is asked for */
	int64_t rounds_asked;    /* 0: the budget decides */
};

/* Called in the guard, between rounds only. */
struct lab_hooks {
	void *state;
	void (*progress)(void *state, const struct lab_progress *progress);
	void (*note)(void *state, const char *text);
	/* A round, or a pair of a comparison, is complete; or NULL. */
	void (*pair)(void *state, const struct result *result, int64_t pair);
};

struct lab_options {
	int64_t rounds;          /* -1: as the workload says, or the budget */
	int64_t warmup;          /* -1: as the workload says, or 1 */
	int64_t budget_ns;       /* -1: as the workload says, or 5 s */
	int64_t timeout_ns;      /* of the whole run; 0: none */
	int64_t seed;            /* -1: as the workload says, or 1 */
	const char *cpus;        /* NULL: not pinned */
	const char *steps;       /* a glob; NULL: all */
	const char *self;        /* forkload, for exec */
	const char *self_path;   /* as another program can exec it */
	char *const *environ;
	enum split_choice cpu_split;
	int64_t margin_ppm;      /* of a comparison: what does not matter */
	bool show_output;
	bool keep_going;
	bool details;            /* keep more of each program */
	bool facts;              /* keep what this machine is */
	const char *boot;        /* this boot's name; NULL: the kernel's id */
	const char *hash;        /* of the workload's text */
	bool aa;                 /* both sides are the same: the whole budget */
	                         /* is used, for what can be told in it */
};

/*
 * Runs it. The result is never NULL; result->status and result->trouble tell
 * what went wrong.
 */
struct result *lab_run(const struct plans *plans,
                       const struct lab_options *options,
                       const struct lab_hooks *hooks);

#endif

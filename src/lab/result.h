/*
 * result: what a run found, for the reports.
 *
 * Plain data in the plan's arena: names, samples, reasons; no plan, no job.
 * A round is complete where every step that is OUTCOME_DONE has a sample in
 * it; only complete rounds are kept.
 */
#ifndef FORKLOAD_LAB_RESULT_H
#define FORKLOAD_LAB_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "lab/comparison.h"
#include "step/job.h"
#include "sys/host.h"
#include "sys/usage.h"

enum outcome {
	OUTCOME_DONE,            /* it has a sample in each complete round */
	OUTCOME_FAILED,          /* message says how; it has no figure */
	OUTCOME_SKIPPED          /* message says why */
};

/* How a step's CPU time is split into user and system time. */
struct split_result {
	enum split_source source;
	bool guessed;            /* by the tick, for programs that are short */
	                         /* against it */
	const char *why;         /* it is guessed; NULL: not known */
	int64_t user_ppm;        /* of the CPU time; -1: as getrusage has it */
	int64_t error_ppm;       /* how far that may be off; -1: not known */
	int64_t rusage_ppm;      /* what time(1) would have said; -1: nothing */
};

struct step_result {
	const char *name;
	enum outcome outcome;
	const char *message;     /* NULL where it is done */
	const char *output;      /* the tail of standard error, or NULL */
	int status;              /* what its failure or lack calls for */
	struct orphans orphans;
	struct split_result split;
	const struct detail *detail;     /* NULL: not asked for */
};

struct server_result {
	const char *name;
	const struct usage *rounds;      /* its CPU in each round */
	uint64_t wrong, refused;
};

struct expect_result {
	const char *text;        /* "execs >= 100" */
	int64_t have;
	bool holds;
};

struct result {
	const char *name;        /* of the workload */
	struct step_result *steps;
	size_t nsteps;           /* of a comparison: of all variants, one's */
	                         /* behind the other's, "STEP/VARIANT" */
	struct comparison *comparison;   /* NULL: nothing is compared */
	struct server_result *servers;
	size_t nservers;
	struct expect_result *expects;
	size_t nexpects;
	const struct sample *samples;    /* [round * nsteps + step] */
	int64_t rounds;          /* complete ones */
	int64_t median;          /* the round that is shown, or -1 */
	int64_t elapsed_ns;      /* of the whole run, warm-up included */
	const char *method;      /* "fork", "fork like bash", "mixed" */
	/* for samples that are kept; facts only where they were asked for */
	const struct host_fact *facts;
	size_t nfacts;
	const char *boot;        /* the name it was given, or NULL */
	const char *hash;        /* of the workload's text */
	struct host_load before, after;
	int64_t started_s;       /* since the epoch */
	int64_t quantum_ns;      /* the clock's smallest step */
	int64_t argument_bytes, environment_bytes;       /* first program's */
	const char *shell;       /* what /bin/sh is, or NULL */
	const char *cpus;        /* where it was pinned, or NULL */
	const char *trouble;     /* why the run ended early, or NULL */
	int status;              /* exit status, before --fail-if */
	int64_t throttled;       /* times, by a cgroup's CPU limit */
	bool precise;            /* the kernel's accounting is */
	bool no_mmu;
};

const struct sample *result_sample(const struct result *result, int64_t round,
                                   size_t step);

/* One step, or (step < 0) the sum over the done steps, in one round. */
struct figures {
	int64_t real_ns;
	struct usage cpu;
	int64_t programs;        /* processes made */
};

/* user and sys are by the step's split. */
struct figures result_figures(const struct result *result, int64_t round,
                              long step);

/*
 * The lower median round by the whole's real, or -1 where there is none.
 * values is for its own use: it must have room for result->rounds.
 */
int64_t result_median_round(const struct result *result, int64_t *values);

/*
 * Is the split of a step guessed? Of the whole: is more than a twentieth of
 * its CPU time split by guessing?
 */
bool result_split_is_guess(const struct result *result, long step);

/* A step's (nsteps: the round's) operation in one variant of a comparison. */
struct operation {
	int64_t real_ns;         /* the median over the pairs */
	int64_t cpu_ns, user_ns; /* the same; user by the step's split */
	int64_t error_ns;        /* how far user may be off; 0: not known */
	bool guessed;            /* the split is, of a twentieth or more */
};

/* scratch has room for so many numbers as there are pairs; there is one. */
struct operation comparison_operation(const struct result *result,
                                      size_t variant, size_t step,
                                      int64_t *scratch);

/* A step's real_ns (step < 0: the whole's) in each round, for spreads. */
void result_reals(const struct result *result, long step, int64_t *values);

#endif

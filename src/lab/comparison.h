/*
 * comparison: what a run with variants found, and what that says.
 *
 * A block is so many operations in a row under one variant; a pair is a block
 * of each. Where there are more than two variants each is compared with the
 * first. An operation is one pass of the workload's only step where that is
 * one repeat, else a whole round.
 */
#ifndef FORKLOAD_LAB_COMPARISON_H
#define FORKLOAD_LAB_COMPARISON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "stats/compare.h"
#include "sys/usage.h"

/* A step's, or the whole round's, operations in one block. */
struct block {
	int64_t total_ns, min_ns, q25_ns, median_ns, q75_ns, max_ns;
	struct usage cpu;        /* of all of them */
	int64_t start_ns;        /* since the run began */
	int64_t switches;        /* of context, of the programs */
	int position;            /* in its pair, from 0 */
};

struct variant_result {
	const char *name;
	const char *skipped;     /* why it is not compared, or NULL */
	/* of its first program, NULs included */
	int64_t argument_bytes, environment_bytes;
};

enum why_stopped {
	STOPPED_BY_BUDGET, STOPPED_BY_WIDTH, STOPPED_BY_COUNT,
	STOPPED_BY_FAILURE
};

struct comparison {
	struct variant_result *variants;
	size_t nvariants;
	size_t nsteps;
	const char *const *steps;        /* their names */
	bool *compared;          /* [step]: in all variants that are left */
	bool by_pass;            /* an operation is a pass, not a round */
	int64_t operations;      /* of a block */
	/* [(pair * nvariants + variant) * (nsteps + 1) + step]; the last is */
	/* that of the whole round */
	struct block *blocks;
	int64_t pairs;           /* complete ones */
	int64_t failed;          /* pairs that were dropped */
	const char *failure;     /* the first of them */
	int64_t took_ns;         /* for the pairs, all of them */
	int64_t seed;
	int looks;
	enum why_stopped why;
	int64_t quantum_ns;      /* the clock's smallest step */
	int64_t margin_ppm;      /* what does not matter */
	bool aa;                 /* all sides are the same */
};

/* The step's block of that pair and variant; step nsteps: the round's. */
const struct block *comparison_block(const struct comparison *comparison,
                                     int64_t pair, size_t variant,
                                     size_t step);

/* How many variants are compared with the first; 0: nothing to do. */
int64_t comparison_sides(const struct comparison *comparison);

enum compared_by { BY_REAL, BY_CPU };

/* What a variant is against the first. */
struct compared {
	int64_t a_ns, b_ns;      /* of an operation: the first's, its own */
	struct interval interval;
	struct interval tail;    /* of the operations' means */
	bool in_tail;            /* the two disagree: the slow tail changed */
	struct judgement judgement;
	int64_t floor_ppm;       /* what cannot be told from 0 */
};

/* An operation's real and CPU time: the medians over the pairs. */
void comparison_middle(const struct comparison *comparison, size_t variant,
                       size_t step, int64_t *scratch, int64_t *real_ns,
                       int64_t *cpu_ns);

/*
 * Compares a step (nsteps: the round). scratch has room for so many numbers
 * as there are pairs. Wants at least one pair.
 */
struct compared comparison_judge(const struct comparison *comparison,
                                 size_t variant, size_t step,
                                 enum compared_by by, int64_t *scratch);

/* Is every interval of real time narrow enough? */
bool comparison_is_settled(const struct comparison *comparison,
                           int64_t *scratch);

/* The fewest pairs that can have a verdict for each step. */
int64_t comparison_fewest(const struct comparison *comparison);

/* Half the width that intervals shall have. */
#define COMPARISON_WIDTH_PPM 5000

#endif

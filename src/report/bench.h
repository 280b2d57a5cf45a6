/*
 * bench: raw samples in the Go benchmark format, which benchstat and its kin
 * read: one line a step, variant and block, per operation; all else that is
 * kept stands in lines that begin with '#'. A file of them is what
 * "forkload compare" reads: see lab/archive.h for the reader.
 *
 * Order: bench_head() once, then bench_pair() for each round or pair as it is
 * complete, then bench_end().
 */
#ifndef FORKLOAD_REPORT_BENCH_H
#define FORKLOAD_REPORT_BENCH_H

#include "base/strbuf.h"
#include "lab/result.h"

/* Starts as all zeros. */
struct bench {
	int64_t rounds;          /* that make a block, where nothing is */
	                         /* compared; 0: not known yet */
	int64_t blocks;          /* of such, written */
	int64_t *values;         /* room for the rounds of one */
};

void bench_head(const struct result *result, struct strbuf *out);
/* Of rounds without variants so many are a block as take 10 ms. */
void bench_pair(struct bench *bench, const struct result *result, int64_t pair,
                struct strbuf *out);
/* Rounds that were too few for a block are one all the same. */
void bench_end(struct bench *bench, const struct result *result,
               struct strbuf *out);

#endif

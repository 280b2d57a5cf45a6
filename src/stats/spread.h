/*
 * spread: the mean and the variance of numbers, in one pass.
 *
 * After Welford, "Note on a method for calculating corrected sums of squares
 * and products", Technometrics 4, 1962: nothing is lost where the numbers are
 * large and alike.
 */
#ifndef FORKLOAD_STATS_SPREAD_H
#define FORKLOAD_STATS_SPREAD_H

#include <stdint.h>

/* Starts as all zeros. */
struct spread {
	int64_t count;
	double mean;
	double squares;          /* sum of the squared distances from it */
};

void spread_add(struct spread *spread, double value);

/* Of the numbers, from a sample; 0 where there are fewer than two. */
double spread_variance(const struct spread *spread);

#endif

/*
 * histogram: many numbers in little memory.
 *
 * Buckets of growing width: 16 to each doubling, so that a number is known to
 * within a sixteenth of itself; below 16 exactly. The least and the greatest
 * are kept as they are.
 */
#ifndef FORKLOAD_STATS_HISTOGRAM_H
#define FORKLOAD_STATS_HISTOGRAM_H

#include <stddef.h>
#include <stdint.h>

#define HISTOGRAM_PER_OCTAVE 16
#define HISTOGRAM_BUCKETS    960 /* up to 2^63 - 1 */

/* Starts as all zeros. */
struct histogram {
	int64_t count;
	int64_t least, greatest;
	int64_t buckets[HISTOGRAM_BUCKETS];
};

/* A number below 0 counts as 0. */
void histogram_add(struct histogram *histogram, int64_t value);

/* The bucket of a number, and the least number of a bucket. */
size_t histogram_bucket(int64_t value);
int64_t histogram_floor(size_t bucket);

/*
 * The middle of the bucket that holds the number of rank
 * ceil(count * numerator / denominator), but no less than the least number
 * and no more than the greatest; 0 where there is none.
 */
int64_t histogram_quantile(const struct histogram *histogram, int numerator,
                           int denominator);

#endif

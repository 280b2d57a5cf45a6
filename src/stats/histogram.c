#include "histogram.h"

#define OCTAVE_BITS 4            /* 16 buckets */

size_t
histogram_bucket(int64_t value)
{
	uint64_t n = value < 0 ? 0 : (uint64_t)value;
	int octave;

	if (n < HISTOGRAM_PER_OCTAVE)
		return (size_t)n;
	octave = 63 - __builtin_clzll(n) - OCTAVE_BITS;
	return (size_t)octave * HISTOGRAM_PER_OCTAVE + (size_t)(n >> octave);
}

int64_t
histogram_floor(size_t bucket)
{
	size_t octave = bucket / HISTOGRAM_PER_OCTAVE;

	if (octave < 2)
		return (int64_t)bucket;
	octave--;
	return (int64_t)(bucket - octave * HISTOGRAM_PER_OCTAVE) << octave;
}

void
histogram_add(struct histogram *histogram, int64_t value)
{
	if (value < 0)
		value = 0;
	if (histogram->count == 0 || value < histogram->least)
		histogram->least = value;
	if (value > histogram->greatest)
		histogram->greatest = value;
	histogram->count++;
	histogram->buckets[histogram_bucket(value)]++;
}

/* The last bucket ends where there are no more numbers. */
static int64_t
middle(size_t bucket)
{
	int64_t floor = histogram_floor(bucket);
	int64_t end = bucket + 1 < HISTOGRAM_BUCKETS ?
	              histogram_floor(bucket + 1) : INT64_MAX;

	return floor + (end - floor) / 2;
}

int64_t
histogram_quantile(const struct histogram *histogram, int numerator,
                   int denominator)
{
	int64_t rank = (histogram->count * numerator + denominator - 1) /
	               denominator;
	int64_t seen = 0, value;
	size_t bucket = 0;

	if (histogram->count == 0)
		return 0;
	if (rank < 1)
		rank = 1;
	for (;; bucket++) {
		seen += histogram->buckets[bucket];
		if (seen >= rank)
			break;
	}
	value = middle(bucket);
	if (value < histogram->least)
		return histogram->least;
	if (value > histogram->greatest)
		return histogram->greatest;
	return value;
}

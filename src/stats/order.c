#include "order.h"

#include <stdlib.h>

static int
compare(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

void
order_sort(int64_t *values, size_t count)
{
	if (count)
		qsort(values, count, sizeof(*values), compare);
}

int64_t
order_lower_median(const int64_t *sorted, size_t count)
{
	return sorted[(count - 1) / 2];
}

int64_t
order_median(const int64_t *sorted, size_t count)
{
	int64_t low = sorted[(count - 1) / 2], high = sorted[count / 2];

	/* The difference, unlike the sum, does not overflow for times. */
	return low + (high - low) / 2;
}

int64_t
order_quantile(const int64_t *sorted, size_t count, int numerator,
               int denominator)
{
	size_t scaled = (count - 1) * (size_t)numerator;
	size_t below = scaled / (size_t)denominator;
	int64_t rest = (int64_t)(scaled % (size_t)denominator), gap;

	if (rest == 0)
		return sorted[below];
	/* In two parts, for the product of a large gap would overflow. */
	gap = sorted[below + 1] - sorted[below];
	return sorted[below] + gap / denominator * rest +
	       gap % denominator * rest / denominator;
}

int64_t
order_spread_ppm(const int64_t *sorted, size_t count)
{
	int64_t median = order_median(sorted, count);
	int64_t width = order_quantile(sorted, count, 3, 4) -
	                order_quantile(sorted, count, 1, 4);

	if (median <= 0)
		return 0;
	/* Times of hours in nanoseconds: a million times that overflows. */
	return (int64_t)((double)width * 1e6 / 2 / (double)median + 0.5);
}

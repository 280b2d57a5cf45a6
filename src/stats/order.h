/*
 * order: what sorted numbers tell.
 *
 * Pure functions on int64 arrays; count is at least 1 unless said otherwise.
 */
#ifndef FORKLOAD_STATS_ORDER_H
#define FORKLOAD_STATS_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* Sorts in ascending order; count may be 0. */
void order_sort(int64_t *values, size_t count);

/* These want sorted values. */

/* The middle one; of an even number the lower of the two. */
int64_t order_lower_median(const int64_t *sorted, size_t count);
/* The middle one, or the mean of the two, rounded towards minus infinity. */
int64_t order_median(const int64_t *sorted, size_t count);

/*
 * The quantile numerator/denominator by linear interpolation between the
 * order statistics (type 7 of Hyndman and Fan, "Sample quantiles in
 * statistical packages", 1996).
 */
int64_t order_quantile(const int64_t *sorted, size_t count, int numerator,
                       int denominator);

/*
 * Half the distance of the quartiles over the median, in parts per million;
 * 0 where the median is not above 0.
 */
int64_t order_spread_ppm(const int64_t *sorted, size_t count);

#endif

#include "stats/histogram.h"

#include "unit.h"

START_TEST(buckets)
{
	for (int64_t n = 0; n < 32; n++)
		ck_assert_uint_eq(histogram_bucket(n), (size_t)n);
	ck_assert_uint_eq(histogram_bucket(33), 32);
	ck_assert_uint_eq(histogram_bucket(34), 33);
	ck_assert_uint_eq(histogram_bucket(-5), 0);
	ck_assert_uint_eq(histogram_bucket(INT64_MAX), HISTOGRAM_BUCKETS - 1);
}
END_TEST

/* Each bucket begins where the one before it ends. */
START_TEST(floors)
{
	for (size_t b = 1; b < HISTOGRAM_BUCKETS; b++) {
		int64_t floor = histogram_floor(b);

		ck_assert_uint_eq(histogram_bucket(floor), b);
		ck_assert_uint_eq(histogram_bucket(floor - 1), b - 1);
		ck_assert_int_le(floor - histogram_floor(b - 1),
		                 floor / HISTOGRAM_PER_OCTAVE + 1);
	}
}
END_TEST

START_TEST(quantiles)
{
	static struct histogram h;

	ck_assert_int_eq(histogram_quantile(&h, 1, 2), 0);
	for (int i = 1; i <= 10; i++)
		histogram_add(&h, i);
	ck_assert_int_eq(h.count, 10);
	ck_assert_int_eq(h.least, 1);
	ck_assert_int_eq(h.greatest, 10);
	ck_assert_int_eq(histogram_quantile(&h, 1, 2), 5);
	ck_assert_int_eq(histogram_quantile(&h, 9, 10), 9);
	ck_assert_int_eq(histogram_quantile(&h, 99, 100), 10);
	ck_assert_int_eq(histogram_quantile(&h, 0, 1), 1);
}
END_TEST

/* Known to a sixteenth, and never beyond what there was. */
START_TEST(large)
{
	static struct histogram h;

	histogram_add(&h, 1000000);
	ck_assert_int_eq(histogram_quantile(&h, 1, 2), 1000000);
	histogram_add(&h, 2000000);
	histogram_add(&h, 3000000);
	ck_assert_int_ge(histogram_quantile(&h, 1, 2), 1875000);
	ck_assert_int_le(histogram_quantile(&h, 1, 2), 2125000);
	ck_assert_int_eq(h.greatest, 3000000);
}
END_TEST

UNIT_MAIN("histogram", buckets, floors, quantiles, large)

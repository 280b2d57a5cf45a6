#include "stats/order.h"

#include "unit.h"

START_TEST(medians)
{
	const int64_t one[] = { 7 }, two[] = { 3, 8 };
	const int64_t five[] = { 1, 2, 10, 20, 30 };
	const int64_t six[] = { 1, 2, 10, 20, 30, 40 };

	ck_assert_int_eq(order_median(one, 1), 7);
	ck_assert_int_eq(order_lower_median(one, 1), 7);
	ck_assert_int_eq(order_median(two, 2), 5);
	ck_assert_int_eq(order_lower_median(two, 2), 3);
	ck_assert_int_eq(order_median(five, 5), 10);
	ck_assert_int_eq(order_median(six, 6), 15);
	ck_assert_int_eq(order_lower_median(six, 6), 10);
}
END_TEST

START_TEST(quantiles)
{
	const int64_t one[] = { 7 };
	const int64_t five[] = { 10, 20, 30, 40, 50 };
	const int64_t four[] = { 0, 100, 200, 300 };
	const int64_t far[] = { 0, 20 * (INT64_C(1) << 57) };

	ck_assert_int_eq(order_quantile(one, 1, 1, 4), 7);
	ck_assert_int_eq(order_quantile(five, 5, 1, 4), 20);
	ck_assert_int_eq(order_quantile(five, 5, 3, 4), 40);
	ck_assert_int_eq(order_quantile(five, 5, 1, 1), 50);
	ck_assert_int_eq(order_quantile(five, 5, 0, 1), 10);
	/* (4 - 1) / 4 = 0.75 between the first two. */
	ck_assert_int_eq(order_quantile(four, 4, 1, 4), 75);
	ck_assert_int_eq(order_quantile(four, 4, 3, 4), 225);
	/* A gap so large that 19 times it is no int64_t. */
	ck_assert_int_eq(order_quantile(far, 2, 19, 20),
	                 INT64_C(20) * (INT64_C(1) << 57) / 20 * 19);
}
END_TEST

START_TEST(spread)
{
	const int64_t five[] = { 10, 20, 30, 40, 50 };
	const int64_t ties[] = { 5, 5, 5, 5 };
	const int64_t zeros[] = { 0, 0, 0 };
	const int64_t one[] = { 9 };

	ck_assert_int_eq(order_spread_ppm(five, 5), 333333);
	ck_assert_int_eq(order_spread_ppm(ties, 4), 0);
	ck_assert_int_eq(order_spread_ppm(zeros, 3), 0);
	ck_assert_int_eq(order_spread_ppm(one, 1), 0);
}
END_TEST

START_TEST(sorting)
{
	int64_t values[] = { 3, INT64_MAX, -1, 3, INT64_MIN, 0 };

	order_sort(values, 6);
	ck_assert(values[0] == INT64_MIN && values[5] == INT64_MAX);
	for (int i = 1; i < 6; i++)
		ck_assert(values[i - 1] <= values[i]);
	order_sort(values, 0);
}
END_TEST

UNIT_MAIN("order", medians, quantiles, spread, sorting)

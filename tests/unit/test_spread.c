#include "stats/spread.h"

#include "unit.h"

START_TEST(known)
{
	const double values[] = { 2, 4, 4, 4, 5, 5, 7, 9 };
	struct spread spread = { 0 };

	ck_assert(spread_variance(&spread) == 0);
	for (size_t i = 0; i < 8; i++)
		spread_add(&spread, values[i]);
	ck_assert_int_eq(spread.count, 8);
	ck_assert_double_eq_tol(spread.mean, 5, 1e-12);
	ck_assert_double_eq_tol(spread_variance(&spread), 32.0 / 7, 1e-12);
}
END_TEST

/* Large ones that are alike: no difference of large sums. */
START_TEST(alike)
{
	struct spread same = { 0 }, near = { 0 };

	for (int i = 0; i < 1000; i++) {
		spread_add(&same, 1e15 + 0.1);
		spread_add(&near, 1e9 + i % 2);
	}
	ck_assert(spread_variance(&same) >= 0);
	ck_assert(spread_variance(&same) < 1);
	ck_assert_double_eq_tol(spread_variance(&near), 0.25 * 1000 / 999,
	                        1e-6);
}
END_TEST

UNIT_MAIN("spread", known, alike)

#include "stats/compare.h"

#include <string.h>

#include "base/random.h"
#include "stats/order.h"
#include "unit.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

#define Z2_95 3841459
#define Z2_99 6634897

static const int64_t v1_a[] = {
	71080, 71500, 70900, 72000, 71200, 70800, 71900, 71100, 71300, 90000,
};
static const int64_t v1_b[] = {
	73750, 73900, 73500, 74100, 73600, 73700, 74500, 73800, 71200, 74000,
};

/* Of the first n pairs of V1. */
static struct interval
v1(size_t n, int64_t *ratios)
{
	for (size_t i = 0; i < n; i++)
		ratios[i] = compare_ratio(v1_a[i], v1_b[i]);
	order_sort(ratios, n);
	return compare_interval(ratios, n, Z2_95);
}

static void
check_interval(struct interval have, int64_t est, int64_t lo, int64_t hi)
{
	ck_assert(have.known);
	ck_assert_int_eq(have.est, est);
	ck_assert_int_eq(have.lo, lo);
	ck_assert_int_eq(have.hi, hi);
}

/* ---- intervals --------------------------------------------------------- */

START_TEST(quantiles)
{
	static const int64_t known[][2] = {
		{ 1, Z2_95 }, { 5, Z2_99 }, { 10, 7879439 }, { 20, 9140593 },
		{ 50, 10827566 }, { 100, 12115665 }, { 10000, 20837287 },
	};

	for (size_t i = 0; i < COUNT(known); i++)
		ck_assert_int_eq(compare_z2(known[i][0]), known[i][1]);
	/* What is not listed is as the next that is. */
	ck_assert_int_eq(compare_z2(0), Z2_95);
	ck_assert_int_eq(compare_z2(11), compare_z2(15));
	ck_assert_int_eq(compare_z2(201), compare_z2(500));
	for (int64_t tests = 1; tests < 10000; tests++)
		ck_assert(compare_z2(tests) <= compare_z2(tests + 1));
}
END_TEST

START_TEST(ranks)
{
	static const size_t at_95[][2] = {
		{ 1, 0 }, { 5, 0 }, { 6, 1 }, { 9, 2 }, { 10, 2 }, { 12, 3 },
		{ 15, 4 }, { 17, 4 }, { 20, 6 }, { 30, 10 }, { 44, 15 },
		{ 50, 18 }, { 100, 40 }, { 200, 86 }, { 1000, 469 },
	};
	static const size_t at_99[][2] = {
		{ 10, 1 }, { 30, 8 }, { 100, 37 },
	};

	for (size_t i = 0; i < COUNT(at_95); i++)
		ck_assert_uint_eq(compare_rank(at_95[i][0], Z2_95),
		                  at_95[i][1]);
	for (size_t i = 0; i < COUNT(at_99); i++)
		ck_assert_uint_eq(compare_rank(at_99[i][0], Z2_99),
		                  at_99[i][1]);
	/* Both ends exist, and the lower one comes first. */
	for (size_t n = 1; n < 3000; n++)
		ck_assert(compare_rank(n, Z2_95) <= (n + 1) / 2);
	ck_assert_uint_eq(compare_fewest(Z2_95), 6);
	ck_assert_uint_eq(compare_fewest(Z2_99), 9);
	ck_assert_uint_eq(compare_fewest(10827566), 13);
}
END_TEST

START_TEST(ratio)
{
	const int64_t large = INT64_C(1) << 62;

	ck_assert_int_eq(compare_ratio(100, 100), 0);
	ck_assert_int_eq(compare_ratio(100, 101), 10000);
	ck_assert_int_eq(compare_ratio(100, 0), -1000000);
	ck_assert_int_eq(compare_ratio(71080, 73750), 37563);
	/* To the nearest: 0.33.. down, 0.66.. up, a half up. */
	ck_assert_int_eq(compare_ratio(3000000, 3000001), 0);
	ck_assert_int_eq(compare_ratio(3000000, 3000002), 1);
	ck_assert_int_eq(compare_ratio(2000000, 2000001), 1);
	ck_assert_int_eq(compare_ratio(3000000, 2999999), 0);
	ck_assert_int_eq(compare_ratio(3000000, 2999998), -1);
	ck_assert_int_eq(compare_ratio(large, large), 0);
	ck_assert_int_eq(compare_ratio(large, large / 2), -500000);
	ck_assert_int_eq(compare_ratio(large / 2, large), 1000000);
	ck_assert_int_eq(compare_ratio(large, large / 100 * 101), 10000);
	ck_assert_int_eq(compare_ratio(large, 1), -1000000);
	ck_assert(compare_ratio(1, large) > INT64_C(1) << 62);
}
END_TEST

START_TEST(intervals)
{
	static const int64_t sorted[] = {
		-177778, -1403, 29167, 33566, 33708,
		36161, 36671, 37563, 37975, 40960,
	};
	const int64_t ties[] = { 7, 7, 7, 7, 7, 7, 7 };
	int64_t ratios[10];

	check_interval(v1(10, ratios), 34934, -1403, 37975);
	for (size_t i = 0; i < 10; i++)
		ck_assert_int_eq(ratios[i], sorted[i]);
	ck_assert(!v1(5, ratios).known);
	check_interval(v1(6, ratios), 35189, 29167, 40960);
	ck_assert(!v1(1, ratios).known);
	ck_assert_int_eq(v1(1, ratios).est, 37563);
	ck_assert_int_eq(v1(2, ratios).est, (33566 + 37563) / 2);
	check_interval(compare_interval(ties, 7, Z2_95), 7, 7, 7);
}
END_TEST

/* ---- the verdict ------------------------------------------------------- */

static void
check_judge(int64_t lo, int64_t hi, enum finding finding, bool small)
{
	struct interval interval = { (lo + hi) / 2, lo, hi, true };
	struct judgement j = compare_judge(interval, 1000, 10000);

	ck_assert_msg(j.finding == finding && j.small == small,
	              "%lld..%lld: %d %d", (long long)lo, (long long)hi,
	              (int)j.finding, (int)j.small);
}

START_TEST(verdicts)
{
	const struct interval unknown = { .est = 500000 };
	int64_t ratios[10];

	ck_assert_int_eq(compare_judge(v1(10, ratios), 1000, 10000).finding,
	                 FINDING_UNDECIDED);
	ck_assert_int_eq(compare_judge(v1(6, ratios), 1000, 10000).finding,
	                 FINDING_SLOWER);
	ck_assert_int_eq(compare_judge(unknown, 1000, 10000).finding,
	                 FINDING_UNDECIDED);
	check_judge(32000, 41000, FINDING_SLOWER, false);
	check_judge(2000, 6000, FINDING_SLOWER, true);
	check_judge(2000, 8999, FINDING_SLOWER, true);
	check_judge(2000, 9000, FINDING_SLOWER, false);
	check_judge(1001, 6000, FINDING_SLOWER, true);
	/* Not beyond what cannot be told from 0. */
	check_judge(1000, 6000, FINDING_SAME, false);
	check_judge(-41000, -32000, FINDING_FASTER, false);
	check_judge(-6000, -2000, FINDING_FASTER, true);
	check_judge(-6000, -1000, FINDING_SAME, false);
	check_judge(-3000, 4000, FINDING_SAME, false);
	check_judge(0, 0, FINDING_SAME, false);
	check_judge(-9000, 28000, FINDING_UNDECIDED, false);
	check_judge(-8999, 8999, FINDING_SAME, false);
	check_judge(-8999, 9000, FINDING_UNDECIDED, false);
	check_judge(-9000, 8999, FINDING_UNDECIDED, false);
}
END_TEST

START_TEST(floors)
{
	ck_assert_int_eq(compare_floor(1, 1000000), 1000);
	ck_assert_int_eq(compare_floor(1, 1000), 1000);
	ck_assert_int_eq(compare_floor(4000000, 10000000), 400000);
	ck_assert_int_eq(compare_floor(0, 5), 1000);
	/* It can be taken from and added to any ratio. */
	for (int64_t quantum = 1; quantum > 0 && quantum < INT64_MAX / 2;
	     quantum *= 2) {
		int64_t floor = compare_floor(quantum, 0);

		ck_assert(floor >= 1000000);
		ck_assert(compare_floor(quantum, 1) <= floor);
		ck_assert(INT64_MAX - floor > compare_ratio(1, INT64_MAX));
	}
}
END_TEST

START_TEST(stopping)
{
	const struct interval narrow = { 0, -5000, 5000, true };
	const struct interval wide = { 0, -5000, 5002, true };
	const struct interval of_large = { 200000, 190000, 210000, true };
	const struct interval of_small = { -199000, -209000, -189000, true };
	const struct interval twice = { 0, -10000, 10000, true };
	const struct interval unknown = { .est = 3 };
	const int64_t looks[] = { 30, 45, 67, 100, 150, 225 };
	const int64_t first[] = { 1, 2, 3, 4, 6, 9 };

	ck_assert(compare_settled(narrow, 5000));
	ck_assert(!compare_settled(wide, 5000));
	ck_assert(compare_settled(of_large, 5000));
	ck_assert(!compare_settled(of_small, 5000));
	ck_assert(!compare_settled(unknown, 5000));
	ck_assert_int_eq(compare_more(narrow, 5000, 700), 0);
	ck_assert_int_eq(compare_more(twice, 5000, 700), 2100);
	ck_assert_int_eq(compare_more(twice, 100000, 700), 0);
	ck_assert_int_eq(compare_more(unknown, 5000, 700), -1);
	ck_assert(compare_more(twice, 1, INT64_MAX / 2) == INT64_MAX);
	for (size_t i = 0; i + 1 < COUNT(looks); i++)
		ck_assert_int_eq(compare_next_look(looks[i]), looks[i + 1]);
	for (size_t i = 0; i + 1 < COUNT(first); i++)
		ck_assert_int_eq(compare_next_look(first[i]), first[i + 1]);
}
END_TEST

/* ---- order ------------------------------------------------------------- */

START_TEST(order_of_two)
{
	const char *known = "10000101010011100001101100111111";
	uint64_t state = 42, drawn = 42;

	ck_assert(random_next(&drawn) == UINT64_C(0xbdd732262feb6e95));
	ck_assert(random_next(&drawn) == UINT64_C(0x28efe333b266f103));
	ck_assert(random_next(&drawn) == UINT64_C(0x47526757130f9f52));
	for (size_t i = 0; i < strlen(known); i++) {
		int order[2];

		compare_order(&state, order, 2);
		ck_assert_int_eq(order[0], known[i] - '0');
		ck_assert_int_eq(order[1], 1 - order[0]);
	}
}
END_TEST

START_TEST(order_of_more)
{
	int order[4], first[4] = { 0 };
	uint64_t state = 42, before;

	for (int i = 0; i < 4000; i++) {
		int seen = 0;

		compare_order(&state, order, 4);
		for (int j = 0; j < 4; j++)
			seen |= 1 << order[j];
		ck_assert_int_eq(seen, 15);
		first[order[0]]++;
	}
	/* A thousand each, but for chance: five standard deviations. */
	for (int j = 0; j < 4; j++)
		ck_assert(first[j] > 863 && first[j] < 1137);
	before = state;
	compare_order(&state, order, 1);
	ck_assert(order[0] == 0 && state == before);
}
END_TEST

/* ---- boots ------------------------------------------------------------- */

START_TEST(boot_ranks)
{
	static const size_t known[][3] = {
		{ 3, 5, 1 }, { 3, 6, 2 }, { 4, 4, 1 }, { 4, 5, 2 },
		{ 4, 6, 3 }, { 4, 8, 5 }, { 5, 5, 3 }, { 5, 6, 4 },
		{ 6, 6, 6 }, { 6, 8, 9 }, { 7, 7, 9 }, { 8, 8, 14 },
		{ 8, 10, 18 }, { 1, 1, 0 }, { 3, 3, 0 }, { 3, 4, 0 },
		{ 1, 38, 0 }, { 2, 7, 0 }, { 2, 8, 1 },
		/* 2/40 is 0.05 to the last. */
		{ 1, 39, 1 },
		{ 0, 5, 0 }, { COMPARE_MOST_BOOTS + 1, 5, 0 },
	};

	for (size_t i = 0; i < COUNT(known); i++) {
		ck_assert_uint_eq(compare_boot_rank(known[i][0], known[i][1],
		                                    1), known[i][2]);
		ck_assert_uint_eq(compare_boot_rank(known[i][1], known[i][0],
		                                    1), known[i][2]);
	}
	/* Counted exactly by other means. */
	ck_assert_uint_eq(compare_boot_rank(64, 64, 1), 1637);
	ck_assert_uint_eq(compare_boot_rank(63, 64, 100), 1302);
	ck_assert_uint_eq(compare_boot_rank(4, 4, 2), 0);
	ck_assert_uint_eq(compare_boot_rank(5, 5, 2), 2);
	ck_assert_uint_eq(compare_boot_rank(8, 8, INT64_MAX), 0);
}
END_TEST

START_TEST(boots)
{
	const int64_t a[] = { 100000, 101200, 99500, 100900, 100300, 99900 };
	const int64_t b[] = { 103100, 102400, 104000, 103600, 101000, 102900 };
	const int64_t ties[] = { 5, 5, 5, 5, 5 };
	struct interval interval;
	int64_t ratios[36];

	interval = compare_boots(a, 4, b, 4, 1, ratios);
	check_interval(interval, 28407, 11858, 45226);
	ck_assert_int_eq(compare_judge(interval, 1000, 10000).finding,
	                 FINDING_SLOWER);
	ck_assert(!compare_boots(a, 3, b, 4, 1, ratios).known);
	check_interval(compare_boots(a, 6, b, 6, 1, ratios), 27213, 11858,
	               36889);
	check_interval(compare_boots(ties, 5, ties, 5, 1, ratios), 0, 0, 0);
	ck_assert(!compare_boots(a, 1, b, 1, 1, ratios).known);
	ck_assert_int_eq(compare_boots(a, 1, b, 1, 1, ratios).est, 31000);
	ck_assert(!compare_boots(a, 0, b, 4, 1, ratios).known);
}
END_TEST

START_TEST(plans)
{
	ck_assert_int_eq(compare_boots_needed(0, 10000), 4);
	ck_assert_int_eq(compare_boots_needed(10000, 10000), 18);
	ck_assert_int_eq(compare_boots_needed(10000, -10000), 18);
	ck_assert_int_eq(compare_boots_needed(10000, 20000), 6);
	ck_assert_int_eq(compare_boots_needed(10001, 20000), 7);
	ck_assert_int_eq(compare_boots_needed(5, 0), 402);
	ck_assert(compare_boots_needed(INT64_MAX, 0) == INT64_MAX);
}
END_TEST

UNIT_MAIN("compare", quantiles, ranks, ratio, intervals, verdicts, floors,
          stopping, order_of_two, order_of_more, boot_ranks, boots, plans)

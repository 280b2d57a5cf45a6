/*
 * compare: is one series of numbers slower than another?
 *
 * Pairs: ratios b/a in parts per million above 1, the interval of their
 * median by the sign test's normal approximation (Conover, "Practical
 * Nonparametric Statistics", 3.2), then the verdict. Boots: the boot is the
 * unit; all ratios of a boot of B over one of A, the interval of Hodges and
 * Lehmann by the exact distribution of Mann and Whitney's U ("On a test of
 * whether one of two random variables is stochastically larger than the
 * other", 1947). Pure functions, whole numbers only; ppm: parts per million.
 */
#ifndef FORKLOAD_STATS_COMPARE_H
#define FORKLOAD_STATS_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define COMPARE_MOST_BOOTS 64    /* of a side */

/* ---- intervals --------------------------------------------------------- */

struct interval {
	int64_t est, lo, hi;     /* ppm; lo and hi only where known */
	bool known;              /* there are enough numbers for lo and hi */
};

/*
 * The square of the normal quantile for alpha = 0.05 / tests, times 10^6;
 * tests is rounded up to one that is listed, of which the last is 10000.
 * compare_z2(1) is 3841459.
 */
int64_t compare_z2(int64_t tests);

/* b over a, in ppm above 1, to the nearest; a is above 0, b not below. */
int64_t compare_ratio(int64_t a, int64_t b);

/* The rank of the interval's ends among n sorted numbers; 0: none. */
size_t compare_rank(size_t n, int64_t z2);

/* The fewest numbers that have an interval. */
size_t compare_fewest(int64_t z2);

/* Of n sorted ratios, n at least 1. */
struct interval compare_interval(const int64_t *sorted, size_t n, int64_t z2);

/* ---- the verdict ------------------------------------------------------- */

enum finding {
	FINDING_UNDECIDED, FINDING_SAME, FINDING_SLOWER, FINDING_FASTER
};

struct judgement {
	enum finding finding;
	bool small;              /* SLOWER, FASTER: by less than the margin */
};

/* floor_ppm: what cannot be told from 0; margin_ppm: what does not matter. */
struct judgement compare_judge(struct interval interval, int64_t floor_ppm,
                               int64_t margin_ppm);

/* max(1000 ppm, the clock's quantum over the median). */
int64_t compare_floor(int64_t quantum_ns, int64_t median_ns);

/* Is half the interval's width within max(width, a twentieth of est)? */
bool compare_settled(struct interval interval, int64_t width_ppm);

/* How much longer it would take: elapsed * ((half / width)^2 - 1); at least */
/* 0; -1: there is no interval to tell by. */
int64_t compare_more(struct interval interval, int64_t width_ppm,
                     int64_t elapsed_ns);

/* When to look: n0 first, then max(n + 1, floor(1.5 n)). */
int64_t compare_next_look(int64_t n);

/* ---- order ------------------------------------------------------------- */

/*
 * The order of `sides` blocks for the next set, drawn with *state (splitmix64):
 * order[0] runs first. For two sides it is one draw, and its highest bit being
 * 1 puts side 1 first. (Fisher and Yates from the end; the j of step i is the
 * draw's high bits scaled to 0..i, counted down from i.)
 */
void compare_order(uint64_t *state, int *order, int sides);

/* ---- boots ------------------------------------------------------------- */

/*
 * The rank of the interval's ends among the m * n ratios: the largest k with
 * 2 P(U <= k - 1) <= alpha, alpha being 0.05 / tests; 0: none.
 */
size_t compare_boot_rank(size_t m, size_t n, int64_t tests);

/*
 * Of m values of A against n of B (not sorted), at most COMPARE_MOST_BOOTS
 * each. ratios has room for m * n.
 */
struct interval compare_boots(const int64_t *a, size_t m, const int64_t *b,
                              size_t n, int64_t tests, int64_t *ratios);

/*
 * How many boots a side would find a difference of d_ppm where the values of
 * boots scatter by s_ppm (a standard deviation): about 16 (s/d)^2 + 2, at
 * least 4.
 */
int64_t compare_boots_needed(int64_t s_ppm, int64_t d_ppm);

#endif

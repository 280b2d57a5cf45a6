#include "compare.h"

#include "stats/order.h"

#define MOST_U (COMPARE_MOST_BOOTS * COMPARE_MOST_BOOTS)

/*
 * The ways in which U comes out are counted exactly: for 64 boots a side they
 * are 2.4e37 together, which 128 bits hold, and no compiler for a machine of
 * 32 bits has a type of these.
 */
struct wide {
	uint64_t high, low;
};

static struct wide
wide_add(struct wide a, struct wide b)
{
	uint64_t low = a.low + b.low;

	return (struct wide){ a.high + b.high + (low < a.low), low };
}

static struct wide
wide_subtract(struct wide a, struct wide b)
{
	return (struct wide){ a.high - b.high - (a.low < b.low),
	                      a.low - b.low };
}

static struct wide
wide_divide(struct wide a, uint32_t by)
{
	const uint32_t parts[] = {
		(uint32_t)(a.high >> 32), (uint32_t)a.high,
		(uint32_t)(a.low >> 32), (uint32_t)a.low,
	};
	struct wide out = { 0, 0 };
	uint64_t rest = 0;

	for (int i = 0; i < 4; i++) {
		rest = rest << 32 | parts[i];
		out.high = out.high << 32 | out.low >> 32;
		out.low = out.low << 32 | rest / by;
		rest %= by;
	}
	return out;
}

static bool
wide_is_above(struct wide a, struct wide b)
{
	return a.high > b.high || (a.high == b.high && a.low > b.low);
}

/*
 * ways[u]: in how many orders of m and n numbers U is u. These are the
 * coefficients of the product of (1 - q^(n+i)) / (1 - q^i) for i from 1 to m,
 * each of whose partial products is such a row itself.
 */
static void
count_ways(size_t m, size_t n, struct wide *ways)
{
	for (size_t u = 0; u <= m * n; u++)
		ways[u] = (struct wide){ 0, u == 0 };
	for (size_t i = 1; i <= m; i++) {
		for (size_t u = m * n; u >= n + i; u--)
			ways[u] = wide_subtract(ways[u], ways[u - n - i]);
		for (size_t u = i; u <= m * n; u++)
			ways[u] = wide_add(ways[u], ways[u - i]);
	}
}

size_t
compare_boot_rank(size_t m, size_t n, int64_t tests)
{
	struct wide ways[MOST_U + 1], limit = { 0, 0 }, below = { 0, 0 };
	/* 2 P <= 0.05 / tests, where P is a share of all ways. */
	uint32_t share = tests < UINT32_MAX / 40 ? 40 * (uint32_t)tests :
	                 UINT32_MAX;
	size_t k = 0;

	if (m == 0 || n == 0 || m > COMPARE_MOST_BOOTS ||
	    n > COMPARE_MOST_BOOTS)
		return 0;
	count_ways(m, n, ways);
	for (size_t u = 0; u <= m * n; u++)
		limit = wide_add(limit, ways[u]);
	limit = wide_divide(limit, share);
	for (; k < m * n; k++) {
		below = wide_add(below, ways[k]);
		if (wide_is_above(below, limit))
			break;
	}
	return k;
}

struct interval
compare_boots(const int64_t *a, size_t m, const int64_t *b, size_t n,
              int64_t tests, int64_t *ratios)
{
	size_t k = compare_boot_rank(m, n, tests), t = 0;
	struct interval interval = { .known = k > 0 };

	for (size_t i = 0; i < m; i++)
		for (size_t j = 0; j < n; j++)
			ratios[t++] = compare_ratio(a[i], b[j]);
	if (t == 0)
		return interval;
	order_sort(ratios, t);
	interval.est = order_median(ratios, t);
	if (k > 0) {
		interval.lo = ratios[k - 1];
		interval.hi = ratios[t - k];
	}
	return interval;
}

int64_t
compare_boots_needed(int64_t s_ppm, int64_t d_ppm)
{
	double s = (double)s_ppm, d = (double)(d_ppm < 0 ? -d_ppm : d_ppm);
	double boots;
	int64_t whole;

	if (d < 1)
		d = 1;
	boots = 16 * (s / d) * (s / d) + 2;
	if (boots > 9e18)
		return INT64_MAX;
	whole = (int64_t)boots;
	whole += (double)whole < boots;
	return whole < 4 ? 4 : whole;
}

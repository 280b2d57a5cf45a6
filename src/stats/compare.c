#include "compare.h"

#include "base/random.h"
#include "stats/order.h"

/* ---- intervals --------------------------------------------------------- */

/* The normal quantile of 1 - 0.05 / (2 tests), squared, times 10^6. */
static const struct {
	int64_t tests;
	int64_t z2;
} quantiles[] = {
	{ 1, 3841459 }, { 2, 5023886 }, { 3, 5731139 }, { 4, 6238533 },
	{ 5, 6634897 }, { 6, 6960401 }, { 8, 7476773 }, { 10, 7879439 },
	{ 15, 8615396 }, { 20, 9140593 }, { 30, 9884612 }, { 50, 10827566 },
	{ 100, 12115665 }, { 200, 13412148 }, { 500, 15136705 },
	{ 1000, 16448110 }, { 2000, 17764536 }, { 5000, 19511421 },
	{ 10000, 20837287 },
};

#define NQUANTILES (sizeof(quantiles) / sizeof(quantiles[0]))

int64_t
compare_z2(int64_t tests)
{
	size_t i = 0;

	while (i + 1 < NQUANTILES && quantiles[i].tests < tests)
		i++;
	return quantiles[i].z2;
}

int64_t
compare_ratio(int64_t a, int64_t b)
{
	uint64_t ua = (uint64_t)a, ub = (uint64_t)b;

	while (ua > UINT64_C(1) << 43 || ub > UINT64_C(1) << 43) {
		ua /= 2;
		ub /= 2;
	}
	if (ua == 0)
		ua = 1;
	return (int64_t)((ub * 1000000 + ua / 2) / ua) - 1000000;
}

/* The smallest whole number whose square is not below n. */
static uint64_t
root_up(uint64_t n)
{
	uint64_t low = 0, high = UINT64_C(1) << 32;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (middle * middle >= n)
			high = middle;
		else
			low = middle + 1;
	}
	return low;
}

size_t
compare_rank(size_t n, int64_t z2)
{
	/* Z2 is in millionths, so that the root is in thousandths. */
	int64_t v = 1000 * ((int64_t)n + 1) -
	            (int64_t)root_up((uint64_t)z2 * n);

	return v > 0 ? (size_t)(v / 2000) : 0;
}

size_t
compare_fewest(int64_t z2)
{
	size_t n = 1;

	while (compare_rank(n, z2) == 0)
		n++;
	return n;
}

struct interval
compare_interval(const int64_t *sorted, size_t n, int64_t z2)
{
	size_t k = compare_rank(n, z2);
	struct interval interval = {
		.est = order_median(sorted, n), .known = k > 0,
	};

	if (k > 0) {
		interval.lo = sorted[k - 1];
		interval.hi = sorted[n - k];
	}
	return interval;
}

/* ---- the verdict ------------------------------------------------------- */

/* It can be added to any ratio. */
#define MOST_FLOOR_PPM INT64_C(1000000000000000)

struct judgement
compare_judge(struct interval interval, int64_t floor_ppm, int64_t margin_ppm)
{
	int64_t lo = interval.lo - floor_ppm, hi = interval.hi + floor_ppm;
	struct judgement judgement = { FINDING_UNDECIDED, false };

	if (!interval.known)
		return judgement;
	judgement.small = lo > -margin_ppm && hi < margin_ppm;
	if (lo > 0) {
		judgement.finding = FINDING_SLOWER;
	} else if (hi < 0) {
		judgement.finding = FINDING_FASTER;
	} else {
		if (judgement.small)
			judgement.finding = FINDING_SAME;
		judgement.small = false;
	}
	return judgement;
}

int64_t
compare_floor(int64_t quantum_ns, int64_t median_ns)
{
	int64_t by_clock;

	/* What took no time at all cannot be told from anything. */
	if (median_ns <= 0 || quantum_ns > MOST_FLOOR_PPM / 1000000)
		return MOST_FLOOR_PPM;
	by_clock = 1000000 * quantum_ns / median_ns;
	return by_clock > 1000 ? by_clock : 1000;
}

static int64_t
half_width(struct interval interval)
{
	return (interval.hi - interval.lo) / 2;
}

bool
compare_settled(struct interval interval, int64_t width_ppm)
{
	int64_t of_effect = (interval.est < 0 ? -interval.est : interval.est) /
	                    20;

	return interval.known &&
	       half_width(interval) <= (of_effect > width_ppm ? of_effect :
	                                width_ppm);
}

int64_t
compare_more(struct interval interval, int64_t width_ppm, int64_t elapsed_ns)
{
	double times = (double)half_width(interval) / (double)width_ppm;
	double more = (double)elapsed_ns * (times * times - 1);

	if (!interval.known)
		return -1;
	if (more < 0)
		return 0;
	return more > 9e18 ? INT64_MAX : (int64_t)more;
}

int64_t
compare_next_look(int64_t n)
{
	return n + n / 2 > n + 1 ? n + n / 2 : n + 1;
}

/* ---- order ------------------------------------------------------------- */

void
compare_order(uint64_t *state, int *order, int sides)
{
	for (int i = 0; i < sides; i++)
		order[i] = i;
	for (int i = sides - 1; i > 0; i--) {
		uint64_t high = random_next(state) >> 32;
		int j = i - (int)(high * (uint64_t)(i + 1) >> 32);
		int other = order[j];

		order[j] = order[i];
		order[i] = other;
	}
}

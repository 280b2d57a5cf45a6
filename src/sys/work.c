#include "work.h"

#define TRIALS       8
#define TRIAL_PASSES 50000

void
work_spin(int64_t passes)
{
	uint64_t x = 88172645463325252u;

	for (int64_t i = 0; i < passes; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		/* The compiler must believe that somebody looks at it. */
		__asm__ volatile("" : "+r"(x));
	}
}

int64_t
work_calibrate(void)
{
	int64_t fastest = INT64_MAX;

	for (int i = 0; i < TRIALS; i++) {
		int64_t begin = clock_ns(), ns;

		work_spin(TRIAL_PASSES);
		ns = clock_ns() - begin;
		if (ns > 0 && ns < fastest)
			fastest = ns;
	}
	/* A clock that did not move in any trial: as if it were 1 ns. */
	if (fastest == INT64_MAX)
		fastest = 1;
	return TRIAL_PASSES * (int64_t)NS_PER_MS / fastest;
}

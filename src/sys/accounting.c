#include "accounting.h"

#include <sys/mman.h>
#include <time.h>

#include "base/clock.h"
#include "sys/usage.h"
#include "sys/work.h"

#define PHASES      4            /* of user and of system work, each */
#define PARTS       8            /* of a tick in a phase */
#define LONGEST_NS  NS_PER_MS
#define SHORTEST_NS (100 * NS_PER_US)
#define CLOCK_READS 1000
#define SHORTEST_TICK_NS (100 * NS_PER_US)
#define MAP_BYTES   (256 << 10)

/* ---- the split --------------------------------------------------------- */

/* Work that is the kernel's: pages that are made and given back. */
static int
work_in_kernel(int64_t ns)
{
	int64_t until = clock_ns() + ns;

	while (clock_ns() < until) {
		void *memory = mmap(NULL, MAP_BYTES, PROT_READ | PROT_WRITE,
		                    MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE,
		                    -1, 0);

		if (memory == MAP_FAILED || munmap(memory, MAP_BYTES) < 0)
			return -1;
	}
	return 0;
}

/* Was at least three quarters of the CPU time since before on that side? */
static bool
is_on_side(struct usage before, bool user)
{
	struct usage spent = usage_less(usage_self(), before);
	int64_t sum = spent.user_us + spent.sys_us;

	return sum > 0 &&
	       4 * (user ? spent.user_us : spent.sys_us) >= 3 * sum;
}

/*
 * A tick's split cannot be right for several phases in turn that are shorter
 * than the tick, unless a tick fell into each of them.
 */
static bool
is_precise(int64_t tick_ns, int64_t passes_per_ms)
{
	int64_t phase = tick_ns / PARTS;

	if (phase > LONGEST_NS || phase == 0)
		phase = LONGEST_NS;
	if (phase < SHORTEST_NS)
		phase = SHORTEST_NS;
	for (int i = 0; i < PHASES; i++) {
		struct usage before = usage_self();

		work_spin(passes_per_ms * (phase / NS_PER_US) / 1000);
		if (!is_on_side(before, true))
			return false;
		before = usage_self();
		if (work_in_kernel(phase) < 0 || !is_on_side(before, false))
			return false;
	}
	return true;
}

/* ---- the clock --------------------------------------------------------- */

static void
measure_clock(struct accounting *accounting)
{
	int64_t begin = clock_ns(), last = begin, smallest = INT64_MAX;

	for (int i = 0; i < CLOCK_READS; i++) {
		int64_t now = clock_ns();

		if (now > last && now - last < smallest)
			smallest = now - last;
		last = now;
	}
	accounting->clock_cost_ns = (last - begin) / CLOCK_READS;
	accounting->clock_resolution_ns = smallest < INT64_MAX ? smallest : 0;
}

int64_t
accounting_tick_ns(void)
{
	struct timespec tick;

	/* The coarse clock moves with the tick; one that is finer than any */
	/* tick is none. */
	if (clock_getres(CLOCK_MONOTONIC_COARSE, &tick) < 0 ||
	    tick.tv_sec > 0 || tick.tv_nsec < SHORTEST_TICK_NS)
		return 0;
	return tick.tv_nsec;
}

void
accounting_measure(struct accounting *accounting, int64_t passes_per_ms)
{
	accounting->tick_ns = accounting_tick_ns();
	measure_clock(accounting);
	accounting->precise = is_precise(accounting->tick_ns,
	                                 passes_per_ms);
}

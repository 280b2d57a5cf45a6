/*
 * accounting: how this kernel tells user time from system time, and what its
 * clock is worth.
 *
 * Most kernels look at each tick where a process is, and split its CPU time
 * (whose sum is exact) in proportion: a process that is shorter than a tick
 * is put on one side as a whole. Some account at each entry and exit
 * (CONFIG_VIRT_CPU_ACCOUNTING_NATIVE or _GEN): these are precise.
 */
#ifndef FORKLOAD_SYS_ACCOUNTING_H
#define FORKLOAD_SYS_ACCOUNTING_H

#include <stdbool.h>
#include <stdint.h>

struct accounting {
	bool precise;
	int64_t tick_ns;         /* 0: unknown */
	int64_t clock_resolution_ns;     /* the smallest step that was seen; */
	                         /* 0: none was */
	int64_t clock_cost_ns;   /* of reading it once */
};

/* The tick's length in ns, or 0 where the kernel does not tell. */
int64_t accounting_tick_ns(void);

/* Takes some 10 ms of CPU time. */
void accounting_measure(struct accounting *accounting, int64_t passes_per_ms);

#endif

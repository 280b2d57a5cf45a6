/*
 * pmu: user and system time by the CPU's own counter of cycles.
 *
 * Two counters, of cycles in user mode and of cycles in the kernel, follow the
 * caller and all that it starts. Their ratio is the split. The kernel's half
 * is not for unprivileged users where perf_event_paranoid is 2 or more.
 *
 * Opening a hardware event has crashed odd kernels: pmu_is_known() tells
 * whether there is one of which that need not be feared.
 */
#ifndef FORKLOAD_SYS_PMU_H
#define FORKLOAD_SYS_PMU_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errmsg.h"

struct pmu_count {
	uint64_t cycles;
	uint64_t enabled_ns, running_ns;
};

struct pmu {
	int fds[2];              /* user, kernel; -1: closed */
	struct pmu_count begin[2];
};

/* What one stretch from start to stop saw. */
struct pmu_split {
	double user, kernel;     /* cycles */
	int64_t seen_ns;         /* CPU time while it counted */
};

bool pmu_is_known(void);

/* 0, or -1 with why it cannot be had. */
int pmu_open(struct pmu *pmu, struct errmsg *why);
void pmu_close(struct pmu *pmu);

void pmu_start(struct pmu *pmu);
/* -1 where the counters were not read or did not count. */
int pmu_stop(struct pmu *pmu, struct pmu_split *split);

#endif

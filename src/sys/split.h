/*
 * split: where the split of CPU time into user and system time comes from.
 *
 * A splitter follows a stretch in the process that opened it and in all that
 * this starts. The sources that need one are the hardware's counters and
 * sampling; they are open in rounds of their own only. The kernel's figures
 * and those of a cgroup need none.
 */
#ifndef FORKLOAD_SYS_SPLIT_H
#define FORKLOAD_SYS_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errmsg.h"
#include "sys/pmu.h"
#include "sys/sampler.h"

enum split_source {
	SPLIT_KERNEL,            /* getrusage's, by the tick */
	SPLIT_PRECISE,           /* getrusage's, where that is exact */
	SPLIT_CGROUP,            /* the tick's, added up first */
	SPLIT_PMU,
	SPLIT_SAMPLED
};

/* What is asked for. */
enum split_choice { CHOOSE_AUTO, CHOOSE_PMU, CHOOSE_SAMPLED, CHOOSE_KERNEL };

/* "auto", "pmu", "sampled", "kernel"; NULL ends them. */
extern const char *const split_choice_names[];

/* What a stretch saw. */
struct split_reading {
	int64_t user_ns;         /* as it is without the source */
	int64_t added_ns;        /* CPU time that the source itself took */
	int64_t seen_ns;         /* CPU time that the source followed */
	double periods;          /* squares of the samples' periods, ns^2 */
	int64_t bias_ns;         /* how far off user_ns may be, all of it on */
	                         /* one side */
	bool throttled;
};

struct splitter {
	enum split_source source;        /* SPLIT_PMU or SPLIT_SAMPLED */
	int64_t passes_per_ms;
	int64_t calibrated_ns;           /* when; 0: not yet */
	union {
		struct pmu pmu;
		struct sampler sampler;
	} u;
};

/* passes_per_ms: of work_spin(). -1 with why the source cannot be had. */
int splitter_open(struct splitter *splitter, enum split_source source,
                  int64_t passes_per_ms, uint64_t seed, struct errmsg *why);
void splitter_close(struct splitter *splitter);

void splitter_start(struct splitter *splitter);
/* Before a program is made: the CPU time of each of its processes, or 0. */
void splitter_spawn(struct splitter *splitter, int64_t cpu_ns);
/*
 * After it was waited for: its CPU time and its processes. Returns its user
 * time in ns, or -1 where the source tells that only at the end.
 */
int64_t splitter_collect(struct splitter *splitter, int64_t cpu_ns,
                         int64_t processes);
/* cpu_ns: the exact sum. */
void splitter_stop(struct splitter *splitter, int64_t cpu_ns,
                   struct split_reading *reading);

#endif

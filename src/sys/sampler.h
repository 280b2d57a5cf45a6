/*
 * sampler: how much user time many short programs spend, by sampling.
 *
 * A timer of the kernel (perf's software event cpu-clock) runs while the
 * caller or a process below it runs, and leaves a sample where it finds the
 * CPU in user mode. User time is the sum over the samples of the timer's
 * period, less what taking a sample costs. The event is inherited by all that
 * the caller starts, through fork, exec and setsid; an unprivileged user may
 * open it where perf_event_paranoid is 2 or less.
 *
 * Each process's timer starts anew with it, so that a fixed period would look
 * at short programs of one kind always at the same places: the period is drawn
 * anew for each program (sampler_spawn), about an eighth of its CPU time. It is
 * not less than twice what a sample costs, and on average not more than ten
 * times that or 100 us: half a period at a process's start is never seen, and
 * is sure to be the kernel's only where it is short.
 *
 * Order: sampler_open(), sampler_calibrate(), then any number of times
 * sampler_start(), for each program sampler_spawn() and, when it was waited
 * for, sampler_collect(), then sampler_stop(); at last sampler_close(). For
 * the process that opened it, and only there.
 */
#ifndef FORKLOAD_SYS_SAMPLER_H
#define FORKLOAD_SYS_SAMPLER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/errmsg.h"

struct sampler_ring;

/* What one stretch from start to stop saw. */
struct sampled {
	int64_t user_ns;
	int64_t added_ns;        /* CPU time that the sampling itself took */
	int64_t seen_ns;         /* CPU time while the event was on: without */
	                         /* that of programs that lose the event */
	int64_t samples;
	double periods;          /* the sum of their squares, ns^2 */
	bool throttled;          /* the kernel left samples out */
};

struct sampler {
	struct sampler_ring *rings;      /* one for each CPU */
	size_t nrings;
	size_t room;             /* bytes of rings */
	int apart_fd;
	uint64_t random;
	int64_t cost_ns;         /* of a sample; calibrated */
	int64_t cost_error_ns;   /* how far that may be off */
	int64_t follow_ns;       /* cost of following one more process */
	int64_t period_ns;       /* that the next process starts with */
	int64_t begin_ns;        /* what the events had counted at the start */
	int64_t busy_ns;         /* the sampler's own work, in user mode */
	int64_t own_ns;          /* user time of the caller itself */
	int64_t pending_ns;      /* user time since the last program's end */
	struct sampled sums;
};

/* 0, or -1 with why it cannot be had here. */
int sampler_open(struct sampler *sampler, uint64_t seed, struct errmsg *why);

void sampler_close(struct sampler *sampler);

/*
 * Measures what a sample costs and what following a process does, in some 30
 * ms: work of passes of work_spin() a millisecond, and processes that leave at
 * once, are done with and without the event.
 */
void sampler_calibrate(struct sampler *sampler, int64_t passes_per_ms);

void sampler_start(struct sampler *sampler);

/* A program will be made whose processes have about so much CPU time each. */
void sampler_spawn(struct sampler *sampler, int64_t cpu_ns);

/*
 * A program was waited for, with so much CPU time and so many processes:
 * counts its samples, and all that there are. Returns their user time in ns.
 */
int64_t sampler_collect(struct sampler *sampler, int64_t cpu_ns,
                        int64_t processes);

void sampler_stop(struct sampler *sampler, struct sampled *sampled);

#endif

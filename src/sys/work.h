/*
 * work: a known amount of work for the CPU, counted in passes of a loop.
 *
 * "@work cpu=1ms" must be the same work in every child and on both sides of
 * a comparison, so forkload measures the loop's speed once, before the run,
 * and gives the applet a number of passes ("cpu=123456x"), not a time.
 */
#ifndef FORKLOAD_SYS_WORK_H
#define FORKLOAD_SYS_WORK_H

#include <stdint.h>

#include "base/clock.h"

/* The longest cpu=: an hour, in passes of any machine, is far from 2^63. */
#define WORK_MOST_NS (3600 * NS_PER_S)

/* Passes a millisecond, from the fastest of several short trials. */
int64_t work_calibrate(void);

/* Does the passes, in user mode, without a system call. */
void work_spin(int64_t passes);

#endif

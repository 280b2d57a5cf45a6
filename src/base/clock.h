/*
 * clock: the one clock that everything is timed with.
 *
 * CLOCK_MONOTONIC in nanoseconds, read through the vDSO where there is one.
 * Unit tests replace it with clock_fake().
 */
#ifndef FORKLOAD_BASE_CLOCK_H
#define FORKLOAD_BASE_CLOCK_H

#include <stdint.h>

#define NS_PER_US 1000
#define NS_PER_MS 1000000
#define NS_PER_S  1000000000LL

/* Nanoseconds since some fixed moment. */
int64_t clock_ns(void);

/*
 * Checks once that the clock answers: 0, or -1 with errno (a kernel without
 * the system call that this libc uses). clock_ns() then need not be checked.
 */
int clock_check(void);

/* For tests: from now on clock_ns() is fake(); NULL: the real one again. */
void clock_fake(int64_t (*fake)(void));

/* Sleeps; goes on after a signal. */
void clock_sleep(int64_t ns);

#endif

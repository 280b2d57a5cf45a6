/*
 * usage: CPU time, in microseconds, as getrusage(2) tells it.
 */
#ifndef FORKLOAD_SYS_USAGE_H
#define FORKLOAD_SYS_USAGE_H

#include <stdint.h>
#include <sys/resource.h>

struct usage {
	int64_t user_us;
	int64_t sys_us;
};

struct usage usage_of(const struct rusage *rusage);
/* Of this process, without its children. */
struct usage usage_self(void);
/* Of all children that were waited for, and theirs. */
struct usage usage_children(void);

/* The most memory that this process ever had, in KiB. */
int64_t usage_peak_kib(void);

struct usage usage_add(struct usage one, struct usage other);
struct usage usage_less(struct usage later, struct usage earlier);

#endif

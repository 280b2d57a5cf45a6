#include "usage.h"

#include <sys/resource.h>

static struct usage
usage_of(int who)
{
	struct usage usage = { 0, 0 };
	struct rusage r;

	if (getrusage(who, &r) == 0) {
		usage.user_us = (int64_t)r.ru_utime.tv_sec * 1000000 +
		                r.ru_utime.tv_usec;
		usage.sys_us = (int64_t)r.ru_stime.tv_sec * 1000000 +
		               r.ru_stime.tv_usec;
	}
	return usage;
}

struct usage
usage_self(void)
{
	return usage_of(RUSAGE_SELF);
}

struct usage
usage_children(void)
{
	return usage_of(RUSAGE_CHILDREN);
}

struct usage
usage_add(struct usage one, struct usage other)
{
	one.user_us += other.user_us;
	one.sys_us += other.sys_us;
	return one;
}

struct usage
usage_less(struct usage later, struct usage earlier)
{
	later.user_us -= earlier.user_us;
	later.sys_us -= earlier.sys_us;
	return later;
}

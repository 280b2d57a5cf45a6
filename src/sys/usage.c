#include "usage.h"

struct usage
usage_of(const struct rusage *rusage)
{
	return (struct usage){
		(int64_t)rusage->ru_utime.tv_sec * 1000000 +
			rusage->ru_utime.tv_usec,
		(int64_t)rusage->ru_stime.tv_sec * 1000000 +
			rusage->ru_stime.tv_usec,
	};
}

static struct usage
ask(int who)
{
	struct rusage rusage;

	if (getrusage(who, &rusage) < 0)
		return (struct usage){ 0, 0 };
	return usage_of(&rusage);
}

struct usage
usage_self(void)
{
	return ask(RUSAGE_SELF);
}

struct usage
usage_children(void)
{
	return ask(RUSAGE_CHILDREN);
}

int64_t
usage_peak_kib(void)
{
	struct rusage rusage;

	return getrusage(RUSAGE_SELF, &rusage) < 0 ? 0 : rusage.ru_maxrss;
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

#include "clock.h"

#include <errno.h>
#include <time.h>

static int64_t (*replaced)(void);

int64_t
clock_ns(void)
{
	struct timespec now;

	if (replaced)
		return replaced();
	clock_gettime(CLOCK_MONOTONIC, &now);
	return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int
clock_check(void)
{
	struct timespec now;

	return clock_gettime(CLOCK_MONOTONIC, &now);
}

void
clock_fake(int64_t (*fake)(void))
{
	replaced = fake;
}

void
clock_sleep(int64_t ns)
{
	struct timespec left = { (time_t)(ns / NS_PER_S),
	                         (long)(ns % NS_PER_S) };

	while (nanosleep(&left, &left) < 0 && errno == EINTR)
		;
}

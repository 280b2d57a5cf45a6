/*
 * now: prints CLOCK_MONOTONIC in nanoseconds. A shell's script runs it before
 * and after its loop, so that the shell's own start is not in the figure.
 */
#include <stdio.h>
#include <time.h>

int
main(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return 1;
	printf("%lld\n", now.tv_sec * 1000000000LL + now.tv_nsec);
	return 0;
}

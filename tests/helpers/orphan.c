/*
 * orphan SECONDS [spin]: leaves a detached grandchild behind, which sleeps or
 * burns CPU for so many seconds (at most 30), and leaves.
 */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static double
now(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

int
main(int argc, char **argv)
{
	double seconds = argc > 1 ? atof(argv[1]) : 1;
	int spin = argc > 2 && strcmp(argv[2], "spin") == 0;

	if (seconds > 30)
		return 2;
	if (fork() == 0) {
		setsid();
		if (spin)
			while (now(CLOCK_PROCESS_CPUTIME_ID) < seconds)
				;
		else
			usleep((useconds_t)(seconds * 1e6));
		_exit(0);
	}
	return 0;
}

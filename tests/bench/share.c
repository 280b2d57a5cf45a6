/*
 * share PASSES READS: so many passes of a loop in user mode and so many reads
 * of 64 KiB of /dev/zero, in ten turns.
 * share: prints how many of each there are in a millisecond.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#define TURNS  10
#define TRIALS 20

static char buffer[64 << 10];

static void
spin(long long passes)
{
	uint64_t x = 88172645463325252u;

	for (long long i = 0; i < passes; i++) {
		x ^= x << 13;
		x ^= x >> 7;
		x ^= x << 17;
		__asm__ volatile("" : "+r"(x));
	}
}

static void
read_zeros(int fd, long long count)
{
	for (long long i = 0; i < count; i++)
		if (read(fd, buffer, sizeof(buffer)) != sizeof(buffer))
			_exit(1);
}

static long long
now_ns(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		_exit(1);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

/* The fastest of some trials. */
static void
calibrate(int fd)
{
	const long long passes = 100000, reads = 50;
	long long fastest[2] = { -1, -1 };

	for (int i = 0; i < TRIALS; i++) {
		long long took[2], begin = now_ns();

		spin(passes);
		took[0] = now_ns() - begin;
		begin = now_ns();
		read_zeros(fd, reads);
		took[1] = now_ns() - begin;
		for (int k = 0; k < 2; k++)
			if (fastest[k] < 0 || took[k] < fastest[k])
				fastest[k] = took[k];
	}
	printf("%lld %.2f\n", passes * 1000000 / fastest[0],
	       (double)reads * 1e6 / (double)fastest[1]);
}

int
main(int argc, char **argv)
{
	int fd = open("/dev/zero", O_RDONLY);
	long long passes, reads;

	if (fd < 0)
		return 1;
	if (argc != 3) {
		calibrate(fd);
		return 0;
	}
	passes = atoll(argv[1]);
	reads = atoll(argv[2]);
	for (int i = 0; i < TURNS; i++) {
		spin(passes / TURNS);
		read_zeros(fd, reads * (i + 1) / TURNS - reads * i / TURNS);
	}
	return 0;
}

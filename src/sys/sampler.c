#include "sampler.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/random.h"
#include "base/units.h"
#include "sys/usage.h"
#include "sys/work.h"

#define RING_PAGES    8          /* a power of two */
#define LEAST_NS      10000      /* the kernel's shortest period */
#define TRIALS        15
#define MOST_TRIES    3
#define FOLLOW_TRIALS 5
#define PROCESSES     8
#define MOST_GETRES   LEAST_NS   /* of the kernel's timers */
#define TRIAL_PERIOD  (50 * NS_PER_US)
#define MOST_COSTS    10         /* the longest period, in costs of a sample */
#define PARTS         8          /* of a program's CPU time in a period */

struct sampler_ring {
	int fd;
	struct perf_event_mmap_page *page;
	uint64_t seen;           /* bytes of it */
};

/* A sample as sample_type asks for it. */
struct record {
	struct perf_event_header header;
	uint32_t pid, tid;
	uint64_t period;
};

static size_t
ring_size(void)
{
	return RING_PAGES * (size_t)sysconf(_SC_PAGESIZE);
}

/* ---- opening ----------------------------------------------------------- */

static int
event_open(struct perf_event_attr *attr, int cpu)
{
	return fd_keep((int)syscall(SYS_perf_event_open, attr, 0, cpu, -1,
	                            PERF_FLAG_FD_CLOEXEC));
}

static int
ring_open(struct sampler_ring *ring, int cpu)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_CPU_CLOCK,
		.sample_period = TRIAL_PERIOD,
		.sample_type = PERF_SAMPLE_TID | PERF_SAMPLE_PERIOD,
		.disabled = 1, .inherit = 1,
		.exclude_kernel = 1, .exclude_hv = 1,
	};
	size_t size = (size_t)sysconf(_SC_PAGESIZE) + ring_size();

	ring->fd = event_open(&attr, cpu);
	if (ring->fd < 0)
		return -1;
	/* Read-only: the kernel goes on writing without being told that it */
	/* was read. The mapping is not copied by fork. */
	ring->page = mmap(NULL, size, PROT_READ, MAP_SHARED, ring->fd, 0);
	ring->seen = 0;
	if (ring->page != MAP_FAILED)
		return 0;
	close(ring->fd);
	return -1;
}

/*
 * A process with exactly the events that it inherited may be switched to by
 * swapping its events with its parent's, which mixes their timers up. An
 * event that is not inherited keeps the kernel from that.
 */
static int
apart_open(void)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_SOFTWARE,
		.config = PERF_COUNT_SW_DUMMY, .exclude_kernel = 1,
		.exclude_hv = 1,
	};

	return event_open(&attr, -1);
}

static int
refused(struct errmsg *why)
{
	switch (errno) {
	case EACCES:
	case EPERM:
		return errmsg_set(why, "the kernel does not let this user "
		                  "sample (kernel.perf_event_paranoid, or a "
		                  "filter of system calls)");
	case ENOSYS:
		return errmsg_set(why, "this kernel has no perf events");
	}
	return errmsg_errno(why, "cannot sample");
}

int
sampler_open(struct sampler *sampler, uint64_t seed, struct errmsg *why)
{
	struct timespec timers;

	memset(sampler, 0, sizeof(*sampler));
	sampler->random = seed;
	sampler->apart_fd = -1;
	/* Else the timer is served at the tick, whatever its period. */
	if (clock_getres(CLOCK_MONOTONIC, &timers) < 0 ||
	    timers.tv_sec > 0 || timers.tv_nsec > MOST_GETRES)
		return errmsg_set(why, "this kernel's timers are no finer "
		                  "than its tick");
	/* Of that only what is used is ever there. */
	sampler->room = MOST_CPUS * sizeof(*sampler->rings);
	sampler->rings = mmap(NULL, sampler->room, PROT_READ | PROT_WRITE,
	                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (sampler->rings == MAP_FAILED) {
		sampler->rings = NULL;
		return errmsg_errno(why, "cannot sample");
	}
	/* All there are, for a program may run on others than the caller. */
	for (int cpu = 0; cpu < MOST_CPUS; cpu++) {
		if (ring_open(&sampler->rings[sampler->nrings], cpu) == 0) {
			sampler->nrings++;
			continue;
		}
		/* A CPU that is offline. */
		if (errno == ENODEV)
			continue;
		/* Behind the last. */
		if (errno == EINVAL && sampler->nrings > 0)
			break;
		refused(why);
		sampler_close(sampler);
		return -1;
	}
	sampler->apart_fd = apart_open();
	if (sampler->nrings == 0 || sampler->apart_fd < 0) {
		refused(why);
		sampler_close(sampler);
		return -1;
	}
	return 0;
}

void
sampler_close(struct sampler *sampler)
{
	size_t size = (size_t)sysconf(_SC_PAGESIZE) + ring_size();

	if (!sampler->rings)
		return;
	for (size_t i = 0; i < sampler->nrings; i++) {
		munmap(sampler->rings[i].page, size);
		close(sampler->rings[i].fd);
	}
	if (sampler->apart_fd >= 0)
		close(sampler->apart_fd);
	munmap(sampler->rings, sampler->room);
	sampler->rings = NULL;
	sampler->nrings = 0;
}

/* ---- reading ----------------------------------------------------------- */

static void
copy_out(const struct sampler_ring *ring, uint64_t at, void *to, size_t len)
{
	const char *data = (const char *)ring->page + sysconf(_SC_PAGESIZE);
	size_t size = ring_size(), offset = (size_t)(at % size);
	size_t first = len < size - offset ? len : size - offset;

	memcpy(to, data + offset, first);
	memcpy((char *)to + first, data, len - first);
}

/*
 * A process starts with the period that the caller's event has then, so that
 * the record tells the right one, even for a child's child; but for the
 * caller's own samples it tells the first that there ever was.
 */
static void
count_sample(struct sampler *sampler, const struct record *record, pid_t self)
{
	bool own = record->pid == (uint32_t)self;
	int64_t period = own ? sampler->period_ns : (int64_t)record->period;
	int64_t user = period - sampler->cost_ns;

	if (own)
		sampler->own_ns += user;
	else
		sampler->pending_ns += user;
	sampler->sums.samples++;
	sampler->sums.periods += (double)period * (double)period;
}

/* 64 bits, which not every CPU reads at once. */
static uint64_t
head_of(const struct sampler_ring *ring)
{
	const volatile struct perf_event_mmap_page *page = ring->page;
	uint64_t head;

	do
		head = page->data_head;
	while (head != page->data_head);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	return head;
}

/*
 * A long script writes more than the ring holds until it is waited for. What
 * was overwritten is of its processes, which all have the period that was set
 * before the script was made.
 */
static void
skip_overwritten(struct sampler *sampler, struct sampler_ring *ring,
                 uint64_t head)
{
	/* Half of the ring is left alone: it is being written on. */
	uint64_t over = head - ring->seen - ring_size() / 2;
	int64_t n = (int64_t)((over + sizeof(struct record) - 1) /
	                      sizeof(struct record));

	sampler->pending_ns += n * (sampler->period_ns - sampler->cost_ns);
	sampler->sums.samples += n;
	sampler->sums.periods += (double)n * (double)sampler->period_ns *
	                         (double)sampler->period_ns;
	ring->seen += (uint64_t)n * sizeof(struct record);
}

static void
ring_read(struct sampler *sampler, struct sampler_ring *ring, pid_t self)
{
	uint64_t head = head_of(ring);

	if (head - ring->seen > ring_size())
		skip_overwritten(sampler, ring, head);
	while (ring->seen < head) {
		struct record record;

		copy_out(ring, ring->seen, &record, sizeof(record));
		/* Else it tells that the kernel left samples out. */
		if (record.header.type != PERF_RECORD_SAMPLE ||
		    record.header.size != sizeof(record)) {
			sampler->sums.throttled = true;
			ring->seen = head;
			break;
		}
		count_sample(sampler, &record, self);
		ring->seen += sizeof(record);
	}
}

static void
read_rings(struct sampler *sampler)
{
	int64_t begin = clock_ns();
	pid_t self = getpid();

	for (size_t i = 0; i < sampler->nrings; i++)
		ring_read(sampler, &sampler->rings[i], self);
	sampler->busy_ns += clock_ns() - begin;
}

static int64_t
read_counts(const struct sampler *sampler)
{
	int64_t sum = 0, count;

	for (size_t i = 0; i < sampler->nrings; i++)
		if (read(sampler->rings[i].fd, &count, sizeof(count)) ==
		    sizeof(count))
			sum += count;
	return sum;
}

/* ---- a stretch --------------------------------------------------------- */

static void
each_ring(const struct sampler *sampler, unsigned long request, void *argument)
{
	for (size_t i = 0; i < sampler->nrings; i++)
		ioctl(sampler->rings[i].fd, request, argument);
}

static void
set_period(struct sampler *sampler, int64_t ns)
{
	uint64_t period = (uint64_t)ns;

	sampler->period_ns = ns;
	each_ring(sampler, PERF_EVENT_IOC_PERIOD, &period);
}

void
sampler_start(struct sampler *sampler)
{
	read_rings(sampler);
	sampler->busy_ns = sampler->own_ns = sampler->pending_ns = 0;
	memset(&sampler->sums, 0, sizeof(sampler->sums));
	sampler->begin_ns = read_counts(sampler);
	set_period(sampler, TRIAL_PERIOD);
	each_ring(sampler, PERF_EVENT_IOC_ENABLE, NULL);
}

/* In [0, 1). */
static double
draw(struct sampler *sampler)
{
	return (double)(random_next(&sampler->random) >> 11) * 0x1p-53;
}

void
sampler_spawn(struct sampler *sampler, int64_t cpu_ns)
{
	double least = 2 * (double)sampler->cost_ns;
	double most = MOST_COSTS * (double)sampler->cost_ns;
	double mean = (double)cpu_ns / PARTS, period;

	if (least < LEAST_NS)
		least = LEAST_NS;
	if (most < MOST_COSTS * LEAST_NS)
		most = MOST_COSTS * LEAST_NS;
	if (mean > most)
		mean = most;
	period = mean * (0.6 + 1.1 * draw(sampler));
	if (period < least)
		period = least * (1 + 0.7 * draw(sampler));
	set_period(sampler, (int64_t)period);
}

int64_t
sampler_collect(struct sampler *sampler, int64_t cpu_ns, int64_t processes)
{
	int64_t user_ns;

	/* The timer fires in the kernel too, where it leaves no sample. */
	sampler->sums.added_ns += processes * sampler->follow_ns +
		cpu_ns / sampler->period_ns * sampler->cost_ns;
	read_rings(sampler);
	user_ns = sampler->pending_ns;
	sampler->sums.user_ns += user_ns;
	sampler->pending_ns = 0;
	return user_ns;
}

void
sampler_stop(struct sampler *sampler, struct sampled *sampled)
{
	each_ring(sampler, PERF_EVENT_IOC_DISABLE, NULL);
	read_rings(sampler);
	*sampled = sampler->sums;
	sampled->user_ns += sampler->pending_ns;
	if (sampler->own_ns > sampler->busy_ns)
		sampled->user_ns += sampler->own_ns - sampler->busy_ns;
	sampled->seen_ns = read_counts(sampler) - sampler->begin_ns;
}

/* ---- what a sample costs ----------------------------------------------- */

static int
by_size(const void *one, const void *other)
{
	int64_t a = *(const int64_t *)one, b = *(const int64_t *)other;

	return (a > b) - (a < b);
}

static void
sort(int64_t *values, size_t count)
{
	qsort(values, count, sizeof(*values), by_size);
}

static int64_t
timed_spin(int64_t passes)
{
	int64_t begin = clock_ns();

	work_spin(passes);
	return clock_ns() - begin;
}

static void
calibrate_once(struct sampler *sampler, int64_t passes_per_ms)
{
	int64_t costs[TRIALS];

	sampler->cost_ns = 0;
	for (int i = 0; i < TRIALS; i++) {
		int64_t plain = timed_spin(passes_per_ms / 2), sampled;

		sampler_start(sampler);
		sampled = timed_spin(passes_per_ms / 2);
		each_ring(sampler, PERF_EVENT_IOC_DISABLE, NULL);
		read_rings(sampler);
		costs[i] = sampler->sums.samples ?
		           (sampled - plain) / sampler->sums.samples : 0;
	}
	sort(costs, TRIALS);
	sampler->cost_ns = costs[TRIALS / 2] > 0 ? costs[TRIALS / 2] : 0;
	/* The standard error of a median: 1.2533 sigma / sqrt(n), and sigma */
	/* is the quartiles' distance over 1.349. */
	sampler->cost_error_ns = (costs[3 * TRIALS / 4] - costs[TRIALS / 4]) *
	                         93 / 100 / 4;
}

/* CPU time of processes that leave at once, the caller's part in it. */
static int64_t
processes_ns(struct sampler *sampler, bool followed)
{
	struct usage begin = usage_add(usage_self(), usage_children()), spent;

	if (followed)
		sampler_start(sampler);
	for (int i = 0; i < PROCESSES; i++) {
		pid_t pid;

		if (followed)
			sampler_spawn(sampler, NS_PER_S);
		pid = fork();
		if (pid == 0)
			_exit(0);
		while (pid > 0 && waitpid(pid, NULL, 0) < 0 && errno == EINTR)
			;
		if (followed)
			sampler_collect(sampler, 0, 0);
	}
	if (followed)
		each_ring(sampler, PERF_EVENT_IOC_DISABLE, NULL);
	spent = usage_less(usage_add(usage_self(), usage_children()), begin);
	return (spent.user_us + spent.sys_us) * NS_PER_US / PROCESSES;
}

static void
calibrate_following(struct sampler *sampler)
{
	int64_t costs[FOLLOW_TRIALS];

	for (int i = 0; i < FOLLOW_TRIALS; i++) {
		int64_t plain = processes_ns(sampler, false);

		costs[i] = processes_ns(sampler, true) - plain;
	}
	sort(costs, FOLLOW_TRIALS);
	sampler->follow_ns = costs[FOLLOW_TRIALS / 2] > 0 ?
	                     costs[FOLLOW_TRIALS / 2] : 0;
}

void
sampler_calibrate(struct sampler *sampler, int64_t passes_per_ms)
{
	/* Another try where the machine was disturbed. */
	for (int i = 0; i < MOST_TRIES; i++) {
		calibrate_once(sampler, passes_per_ms);
		if (sampler->cost_error_ns * 20 <= sampler->cost_ns)
			break;
	}
	calibrate_following(sampler);
}

#include "pmu.h"

#include <errno.h>
#include <linux/perf_event.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"

bool
pmu_is_known(void)
{
	static const char *const names[] = {
		"cpu", "armv8_pmuv3", "armv8_pmuv3_0", "armv7_cortex_a7",
		"armv7_cortex_a9", "armv7_cortex_a15",
	};
	char path[64] = "/sys/bus/event_source/devices/";
	size_t len = strlen(path);

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		strcpy(path + len, names[i]);
		if (access(path, F_OK) == 0)
			return true;
	}
	return false;
}

static int
counter_open(bool kernel)
{
	struct perf_event_attr attr = {
		.size = sizeof(attr), .type = PERF_TYPE_HARDWARE,
		.config = PERF_COUNT_HW_CPU_CYCLES,
		.read_format = PERF_FORMAT_TOTAL_TIME_ENABLED |
		               PERF_FORMAT_TOTAL_TIME_RUNNING,
		.disabled = 1, .inherit = 1, .exclude_hv = 1,
		.exclude_kernel = !kernel, .exclude_user = kernel,
	};

	return fd_keep((int)syscall(SYS_perf_event_open, &attr, 0, -1, -1,
	                            PERF_FLAG_FD_CLOEXEC));
}

int
pmu_open(struct pmu *pmu, struct errmsg *why)
{
	pmu->fds[0] = counter_open(false);
	pmu->fds[1] = pmu->fds[0] < 0 ? -1 : counter_open(true);
	if (pmu->fds[1] >= 0)
		return 0;
	switch (errno) {
	case ENOENT:
	case EOPNOTSUPP:
	case ENODEV:
		errmsg_set(why, "this machine has no hardware counter of "
		           "cycles that the kernel can use");
		break;
	case EACCES:
	case EPERM:
		errmsg_set(why, "the kernel does not let this user count "
		           "cycles (kernel.perf_event_paranoid, or a filter "
		           "of system calls)");
		break;
	case ENOSYS:
		errmsg_set(why, "this kernel has no perf events");
		break;
	default:
		errmsg_errno(why, "cannot count cycles");
	}
	pmu_close(pmu);
	return -1;
}

void
pmu_close(struct pmu *pmu)
{
	for (int i = 0; i < 2; i++) {
		if (pmu->fds[i] >= 0)
			close(pmu->fds[i]);
		pmu->fds[i] = -1;
	}
}

static int
counter_read(int fd, struct pmu_count *count)
{
	return read(fd, count, sizeof(*count)) == sizeof(*count) ? 0 : -1;
}

void
pmu_start(struct pmu *pmu)
{
	for (int i = 0; i < 2; i++) {
		memset(&pmu->begin[i], 0, sizeof(pmu->begin[i]));
		counter_read(pmu->fds[i], &pmu->begin[i]);
		ioctl(pmu->fds[i], PERF_EVENT_IOC_ENABLE, 0);
	}
}

int
pmu_stop(struct pmu *pmu, struct pmu_split *split)
{
	double cycles[2];

	for (int i = 0; i < 2; i++) {
		const struct pmu_count *begin = &pmu->begin[i];
		struct pmu_count end;
		double enabled, running;

		ioctl(pmu->fds[i], PERF_EVENT_IOC_DISABLE, 0);
		if (counter_read(pmu->fds[i], &end) < 0)
			return -1;
		enabled = (double)(end.enabled_ns - begin->enabled_ns);
		running = (double)(end.running_ns - begin->running_ns);
		/* Counters that are shared count a part of the time. */
		cycles[i] = running > 0 ? enabled / running *
		            (double)(end.cycles - begin->cycles) : 0;
		split->seen_ns = (int64_t)enabled;
	}
	split->user = cycles[0];
	split->kernel = cycles[1];
	return cycles[0] + cycles[1] > 0 ? 0 : -1;
}

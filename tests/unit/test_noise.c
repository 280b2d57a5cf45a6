#include "sys/noise.h"

#include <ftw.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "unit.h"

#define CPU "/sys/devices/system/cpu"

/* The machine's folder; each test is a process of its own. */
static char root[] = "/tmp/forkload-unit-XXXXXX";
static struct arena *arena;
static struct noise_row *rows;
static size_t count;

/* ---- a machine that is made up ----------------------------------------- */

static void
no_memory(void)
{
	_exit(1);
}

static int
remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st, (void)type, (void)ftw;
	return remove(path);
}

static void
set_up(void)
{
	ck_assert_ptr_nonnull(mkdtemp(root));
	arena = arena_new(no_memory);
	ck_assert_ptr_nonnull(arena);
}

static void
tear_down(void)
{
	arena_free(arena);
	ck_assert_int_eq(nftw(root, remove_one, 8, FTW_DEPTH | FTW_PHYS), 0);
}

static void
put(const char *file, const char *text)
{
	char path[500];
	FILE *stream;

	snprintf(path, sizeof(path), "%s%s", root, file);
	for (char *at = path + strlen(root) + 1; (at = strchr(at, '/')); at++) {
		*at = '\0';
		mkdir(path, 0700);
		*at = '/';
	}
	stream = fopen(path, "w");
	ck_assert_ptr_nonnull(stream);
	ck_assert_int_ge(fputs(text, stream), 0);
	ck_assert_int_eq(fclose(stream), 0);
}

static void
put_cpu(int cpu, const char *governor, const char *min, const char *max)
{
	char path[200];

	snprintf(path, sizeof(path), CPU "/cpu%d/cpufreq/scaling_governor",
	         cpu);
	put(path, governor);
	snprintf(path, sizeof(path), CPU "/cpu%d/cpufreq/scaling_min_freq",
	         cpu);
	put(path, min);
	snprintf(path, sizeof(path), CPU "/cpu%d/cpufreq/scaling_max_freq",
	         cpu);
	put(path, max);
}

static void
no_pause(void)
{
}

static void
describe(void (*pause)(void))
{
	count = noise_describe(arena, root, pause, &rows);
}

static const struct noise_row *
row(const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (strcmp(rows[i].name, name) == 0)
			return &rows[i];
	return NULL;
}

static void
says(const char *name, const char *found, const char *advice)
{
	const struct noise_row *at = row(name);

	ck_assert_msg(at != NULL, "no row %s", name);
	ck_assert_str_eq(at->found, found);
	if (advice)
		ck_assert_str_eq(at->advice, advice);
	else
		ck_assert_ptr_null(at->advice);
}

/* ---- whole machines ---------------------------------------------------- */

START_TEST(nothing_is_told)
{
	set_up();
	describe(no_pause);
	ck_assert_uint_eq(count, 1);
	says("not told", "other tasks, pressure, cpu limit, steal, "
	     "virtual machine, governor, boost, throttling, smt, tick, swap",
	     NULL);
	tear_down();
}
END_TEST

START_TEST(all_is_quiet)
{
	set_up();
	put("/proc/loadavg", "0.10 0.20 0.30 1/99 1234\n");
	put("/proc/stat", "cpu  10 0 10 70 0 5 5 0 0 0\n"
	    "cpu0 10 0 10 70 0 5 5 0 0 0\nprocs_running 1\n");
	put("/proc/pressure/cpu",
	    "some avg10=0.99 avg60=9.00 avg300=9.00 total=1\n");
	put("/proc/self/cgroup", "0::/user\n");
	put("/proc/self/mounts", "none /cg cgroup2 rw 0 0\n");
	put("/cg/user/cpu.max", "max 100000\n");
	put("/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu vme\n"
	    "model name\t: a hypervisor\n");
	put_cpu(0, "performance\n", "800000\n", "3000000\n");
	put_cpu(1, "powersave\n", "3000000\n", "3000000\n");
	put(CPU "/cpufreq/boost", "0\n");
	put(CPU "/intel_pstate/no_turbo", "1\n");
	put(CPU "/cpu0/thermal_throttle/core_throttle_count", "0\n");
	put(CPU "/smt/active", "0\n");
	put("/proc/meminfo", "MemTotal: 9 kB\nSwapTotal:  2048 kB\n"
	    "SwapFree:  2048 kB\n");
	describe(no_pause);
	ck_assert_uint_eq(count, 2);
	says("quiet", "other tasks, pressure, cpu limit, steal, "
	     "virtual machine, governor, boost, throttling, smt, swap", NULL);
	says("not told", "tick", NULL);
	tear_down();
}
END_TEST

START_TEST(this_machine)
{
	arena = arena_new(no_memory);
	count = noise_describe(arena, "", NULL, &rows);
	ck_assert_uint_ge(count, 1);
	for (size_t i = 0; i < count; i++) {
		ck_assert_ptr_null(strchr(rows[i].found, '\n'));
		ck_assert_ptr_eq(row(rows[i].name), &rows[i]);
	}
	arena_free(arena);
}
END_TEST

/* ---- who else works ---------------------------------------------------- */

static int pauses;

/* Two others in the second and third look; then the second read of stat. */
static void
busy_pause(void)
{
	pauses++;
	put("/proc/loadavg", pauses < 3 ? "1.50 1.00 1.00 3/99 5\n" :
	    "1.50 1.00 1.00 1/99 5\n");
	put("/proc/stat", "cpu 10 0 10 65 0 5 6 4 3 0\nprocs_running 2\n");
}

START_TEST(others)
{
	set_up();
	put("/proc/loadavg", "1.50 1.00 1.00 1/99 5\n");
	put("/proc/stat", "cpu 10 0 10 65 0 5 6 1 3 0\nprocs_running 1\n");
	describe(busy_pause);
	ck_assert_int_eq(pauses, 20);
	says("other tasks", "ready to run in 3 of 22 looks, at most 2 at "
	     "once; load average 1.50",
	     "stop them, or keep them off the CPU that -c pins to");
	/* Parts of user time are not added again: 4 of 100. */
	ck_assert_str_eq(row("steal")->found, "the host gave the CPUs to "
		"others: 4.0 % of the time since boot; ticks just now: 3");
	tear_down();
}
END_TEST

START_TEST(load_alone)
{
	set_up();
	put("/proc/loadavg", "0.50 1.00 1.00 1/99 5\n");
	describe(no_pause);
	says("other tasks", "load average 0.50, though none was ready to run "
	     "in 20 looks", "wait until it has fallen");
	put("/proc/loadavg", "0.49 1.00 1.00 0/0 5\n");
	describe(no_pause);
	ck_assert_ptr_null(row("other tasks"));
	/* A kernel before steal time was told. */
	put("/proc/stat", "cpu 10 0 10 65 0 5 6\n");
	describe(no_pause);
	ck_assert_ptr_null(row("steal"));
	ck_assert_ptr_nonnull(strstr(row("not told")->found, "steal"));
	tear_down();
}
END_TEST

START_TEST(waiting)
{
	set_up();
	put("/proc/pressure/cpu", "some avg10=12.60 avg60=0.00\n");
	put("/proc/pressure/memory", "some avg10=0.00 avg60=0.00\n"
	    "full avg10=50.00 avg60=0.00\n");
	put("/proc/pressure/io", "some avg10=1.00 avg60=0.00\n");
	put("/proc/meminfo", "SwapTotal: 2048 kB\nSwapFree: 1023 kB\n");
	describe(no_pause);
	says("pressure", "tasks had to wait: cpu 13 %, io 1 % of the last "
	     "10 s", "stop what competes");
	says("swap", "2 of 2 MiB are in use: pages may have to be read back",
	     "where memory suffices, as root: swapoff -a");
	tear_down();
}
END_TEST

/* ---- limits ------------------------------------------------------------ */

START_TEST(limit_of_a_group_above)
{
	set_up();
	put("/proc/self/mounts", "proc /proc proc rw 0 0\n"
	    "none /cg cgroup2 rw,nosuid 0 0\n");
	put("/proc/self/cgroup", "0::/a/b/c\n");
	put("/cg/a/b/c/cpu.max", "200000 100000\n");
	put("/cg/a/b/cpu.max", "max 100000\n");
	put("/cg/a/cpu.max", "50000 100000\n");
	put("/cg/a/cpu.stat", "usage_usec 5\nnr_periods 9\nnr_throttled 7\n");
	describe(no_pause);
	says("cpu limit", "at most 0.50 CPUs, by the cgroup /cg/a; times "
	     "throttled: 7", "run outside of it, or as root write max into "
	     "/cg/a/cpu.max");
	tear_down();
}
END_TEST

/* As in a container: the group's name is the host's. */
START_TEST(limit_of_version_1)
{
	set_up();
	put("/proc/self/mounts", "none /set cgroup rw,cpuset 0 0\n"
	    "none /acct cgroup rw,cpuacct,cpu 0 0\n"
	    "none /cg cgroup2 rw 0 0\n");
	put("/proc/self/cgroup", "5:cpuset:/x\n3:cpuacct,cpu:/docker/x\n"
	    "0::/\n");
	put("/acct/cpu.cfs_quota_us", "150000\n");
	put("/acct/cpu.cfs_period_us", "100000\n");
	put("/set/x/cpu.cfs_quota_us", "1\n");
	put("/set/x/cpu.cfs_period_us", "100000\n");
	describe(no_pause);
	says("cpu limit", "at most 1.50 CPUs, by the cgroup /acct; times "
	     "throttled: 0", "run outside of it, or as root write -1 into "
	     "/acct/cpu.cfs_quota_us");
	put("/acct/cpu.cfs_quota_us", "-1\n");
	describe(no_pause);
	ck_assert_ptr_null(row("cpu limit"));
	ck_assert_ptr_nonnull(strstr(row("quiet")->found, "cpu limit"));
	tear_down();
}
END_TEST

/* ---- CPUs -------------------------------------------------------------- */

START_TEST(guests)
{
	set_up();
	put("/proc/cpuinfo", "flags\t\t: fpu hypervisor lahf_lm\n");
	describe(no_pause);
	ck_assert_ptr_nonnull(row("virtual machine"));
	put("/proc/cpuinfo", "flags\t\t: fpu lahf_lm\nbugs\t: hypervisor\n");
	describe(no_pause);
	ck_assert_ptr_null(row("virtual machine"));
	put("/proc/device-tree/hypervisor/compatible", "linux,kvm");
	describe(no_pause);
	ck_assert_ptr_nonnull(row("virtual machine"));
	tear_down();
}
END_TEST

START_TEST(clocks)
{
	set_up();
	put_cpu(0, "performance\n", "400000\n", "5000000\n");
	put_cpu(1, "schedutil\n", "1200000\n", "3000000\n");
	put_cpu(10, "schedutil\n", "800000\n", "2000000\n");
	put(CPU "/cpufreq/boost", "1\n");
	put(CPU "/cpu1/thermal_throttle/core_throttle_count", "3\n");
	put(CPU "/cpu10/thermal_throttle/package_throttle_count", "12\n");
	describe(no_pause);
	says("governor", "schedutil moves the clock of 2 of 3 CPUs, from 800 "
	     "to 3000 MHz", "as root, write performance into " CPU
	     "/cpu*/cpufreq/scaling_governor");
	ck_assert_str_eq(row("boost")->advice, "as root, write 0 into "
	                 CPU "/cpufreq/boost");
	ck_assert_str_eq(row("throttling")->found, "heat slowed down a CPU; "
	                 "times since boot, at most: 12");
	put(CPU "/intel_pstate/no_turbo", "0\n");
	describe(no_pause);
	ck_assert_str_eq(row("boost")->advice, "as root, write 1 into "
	                 CPU "/intel_pstate/no_turbo");
	tear_down();
}
END_TEST

START_TEST(cpus_set_apart)
{
	set_up();
	put(CPU "/smt/active", "1\n");
	put(CPU "/isolated", "\n");
	put(CPU "/nohz_full", "  (null)\n");
	describe(no_pause);
	ck_assert_ptr_nonnull(row("smt"));
	ck_assert_str_eq(row("tick")->found,
	                 "interrupts every CPU; none is isolated");
	put(CPU "/isolated", "1,3-5\n");
	describe(no_pause);
	says("tick", "CPUs without a tick (nohz_full): none; isolated: 1,3-5",
	     "pin to them: -c 1,3-5");
	put(CPU "/nohz_full", "3-4\n");
	describe(no_pause);
	says("tick", "CPUs without a tick (nohz_full): 3-4; isolated: 1,3-5",
	     "pin to them: -c 3-4");
	tear_down();
}
END_TEST

UNIT_MAIN("noise", nothing_is_told, all_is_quiet, this_machine, others,
          load_alone, waiting, limit_of_a_group_above, limit_of_version_1,
          guests, clocks, cpus_set_apart)

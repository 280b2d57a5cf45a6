#include "knob.h"

#include <errno.h>
#include <sched.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/units.h"
#include "sys/mitigation.h"

/* ---- resource limits --------------------------------------------------- */

static int
limit_set(int resource, int64_t n)
{
	struct rlimit limit;

	if (getrlimit(resource, &limit) < 0)
		return -1;
	limit.rlim_cur = (rlim_t)n;
	/* Only root may go above the hard limit; others get EPERM told. */
	if (limit.rlim_max < limit.rlim_cur)
		limit.rlim_max = limit.rlim_cur;
	return setrlimit(resource, &limit);
}

static bool
limit_is(int resource, int64_t n)
{
	struct rlimit limit;

	return getrlimit(resource, &limit) == 0 &&
	       limit.rlim_cur == (rlim_t)n;
}

static int
nofile_apply(const struct value *value)
{
	return limit_set(RLIMIT_NOFILE, value->n);
}

static bool
nofile_took(const struct value *value)
{
	return limit_is(RLIMIT_NOFILE, value->n);
}

static int
stack_apply(const struct value *value)
{
	return limit_set(RLIMIT_STACK, value->n);
}

static bool
stack_took(const struct value *value)
{
	return limit_is(RLIMIT_STACK, value->n);
}

/* ---- where and when it runs -------------------------------------------- */

/* Room for every number of parse_cpus(); a cpu_set_t ends at 1024. */
struct cpus {
	cpu_set_t part[MOST_CPUS / CPU_SETSIZE];
};

static void
cpu_add(int cpu, void *state)
{
	CPU_SET_S(cpu, sizeof(struct cpus), (cpu_set_t *)state);
}

static int
cpus_of(const char *list, struct cpus *cpus)
{
	memset(cpus, 0, sizeof(*cpus));
	return parse_cpus(list, cpu_add, cpus->part);
}

int
cpus_bind(const char *list)
{
	struct cpus cpus;

	if (cpus_of(list, &cpus) < 0)
		return -1;
	return sched_setaffinity(0, sizeof(cpus), cpus.part);
}

static int
cpu_apply(const struct value *value)
{
	return cpus_bind(value->text);
}

static bool
cpu_took(const struct value *value)
{
	struct cpus want, have;

	return cpus_of(value->text, &want) == 0 &&
	       sched_getaffinity(0, sizeof(have), have.part) == 0 &&
	       memcmp(&want, &have, sizeof(want)) == 0;
}

static int
nice_apply(const struct value *value)
{
	return setpriority(PRIO_PROCESS, 0, (int)value->n);
}

static bool
nice_took(const struct value *value)
{
	errno = 0;
	return getpriority(PRIO_PROCESS, 0) == (int)value->n && errno == 0;
}

struct policy {
	const char *name;
	int policy;
	bool ranked;             /* has a priority behind a ':' */
};

static const struct policy policies[] = {
	{ "other", SCHED_OTHER, false }, { "batch", SCHED_BATCH, false },
	{ "idle", SCHED_IDLE, false }, { "fifo:", SCHED_FIFO, true },
	{ "rr:", SCHED_RR, true }, { NULL, 0, false },
};

/* A policy and its priority in one number. */
static int
sched_read(const char *text, struct value *out, struct errmsg *why)
{
	for (const struct policy *p = policies; p->name; p++) {
		int64_t rank = 0;

		if (!p->ranked && strcmp(text, p->name) != 0)
			continue;
		if (p->ranked) {
			size_t len = strlen(p->name);

			if (strncmp(text, p->name, len) != 0)
				continue;
			if (parse_int(text + len, &rank) < 0 || rank < 1 ||
			    rank > 99)
				return errmsg_set(why, "'%s' has no priority "
				                  "from 1 to 99", text);
		}
		out->n = (int64_t)p->policy << 8 | rank;
		return 0;
	}
	return errmsg_set(why, "'%s' is not one of other, batch, idle, "
	                  "fifo:P, rr:P", text);
}

/* musl's own functions for this refuse to work, so the kernel is asked. */
static int
sched_apply(const struct value *value)
{
	struct sched_param param = { .sched_priority = (int)(value->n & 255) };

	return (int)syscall(SYS_sched_setscheduler, 0, (int)(value->n >> 8),
	                    &param);
}

static bool
sched_took(const struct value *value)
{
	struct sched_param param;

	return syscall(SYS_sched_getscheduler, 0) == value->n >> 8 &&
	       syscall(SYS_sched_getparam, 0, &param) == 0 &&
	       param.sched_priority == (int)(value->n & 255);
}

/* ---- what is right ----------------------------------------------------- */

static int
status_read(const char *text, struct value *out, struct errmsg *why)
{
	if (strcmp(text, "any") == 0) {
		out->n = STATUS_ANY;
		return 0;
	}
	if (parse_int(text, &out->n) < 0 || out->n < 0 || out->n > 255)
		return errmsg_set(why, "'%s' is not an exit status from 0 to "
		                  "255, or any", text);
	return 0;
}

/* ---- the table --------------------------------------------------------- */

const struct knob knobs[] = {
	{ "spawn", KNOB_SPAWN, KNOB_START, TAKEN_BY_POSIX,
	  { .kind = VALUE_CHOICE, .choices = "fork|vfork|posix|clone" },
	  NULL, NULL, "how a process is made (fork unless told)" },
	{ "like", KNOB_LIKE, KNOB_RUNNER, TAKEN_BY_POSIX,
	  { .kind = VALUE_CHOICE, .choices = "bash|dash|busybox" },
	  NULL, NULL, "spawn method and memory as that shell has them" },
	{ "ballast", KNOB_BALLAST, KNOB_RUNNER, TAKEN_BY_POSIX,
	  { .kind = VALUE_SIZE, .max = INT64_C(1) << 40 },
	  NULL, NULL, "so much dirty memory in the runner" },
	{ "fds", KNOB_FDS, KNOB_RUNNER, TAKEN_BY_POSIX,
	  { .kind = VALUE_INT, .max = 1 << 20 },
	  NULL, NULL, "so many more descriptors open in the runner" },
	{ "nofile", KNOB_NOFILE, KNOB_CHILD, 0,
	  { .kind = VALUE_INT, .min = 3, .max = 1 << 30 },
	  nofile_apply, nofile_took, "limit of open descriptors" },
	{ "stack", KNOB_STACK, KNOB_CHILD, 0,
	  { .kind = VALUE_SIZE, .min = 16 << 10, .max = INT64_C(1) << 40 },
	  stack_apply, stack_took, "limit of the stack" },
	{ "envpad", KNOB_ENVPAD, KNOB_EXEC,
	  TAKEN_BY_POSIX | NEEDS_EXEC,
	  { .kind = VALUE_SIZE, .max = 128 << 10 },
	  NULL, NULL, "so many bytes more in the environment" },
	{ "argpad", KNOB_ARGPAD, KNOB_EXEC,
	  TAKEN_BY_POSIX | NEEDS_EXEC,
	  { .kind = VALUE_SIZE, .max = 120 << 10 },
	  NULL, NULL, "so many bytes more in the program's own name" },
	{ "env.", KNOB_ENV, KNOB_EXEC,
	  TAKEN_BY_POSIX | NEEDS_EXEC,
	  { .kind = VALUE_TEXT },
	  NULL, NULL, "an environment variable" },
	{ "dir", KNOB_DIR, KNOB_START, TAKEN_BY_POSIX,
	  { .kind = VALUE_TEXT, .shape = "PATH" },
	  NULL, NULL, "the folder it starts in" },
	{ "wrap", KNOB_WRAP, KNOB_EXEC,
	  TAKEN_BY_POSIX | NEEDS_EXEC,
	  { .kind = VALUE_TEXT, .shape = "'PROGRAM ARGS'" },
	  NULL, NULL, "run by that program, as 'nice -n 5' would" },
	{ "cpu", KNOB_CPU, KNOB_CHILD, 0,
	  { .kind = VALUE_CPUS },
	  cpu_apply, cpu_took, "the CPUs it may run on" },
	{ "nice", KNOB_NICE, KNOB_CHILD, 0,
	  { .kind = VALUE_INT, .min = -20, .max = 19 },
	  nice_apply, nice_took, "its niceness" },
	{ "sched", KNOB_SCHED, KNOB_CHILD, 0,
	  { .kind = VALUE_OWN, .read = sched_read,
	    .shape = "other|batch|idle|fifo:P|rr:P" },
	  sched_apply, sched_took, "its scheduling policy" },
	{ "aslr", KNOB_ASLR, KNOB_CHILD, NEEDS_EXEC,
	  { .kind = VALUE_CHOICE, .choices = "on|off" },
	  aslr_apply, aslr_took, "randomised addresses" },
	{ "nx", KNOB_NX, KNOB_CHILD, NEEDS_EXEC,
	  { .kind = VALUE_CHOICE, .choices = "on|off" },
	  nx_apply, nx_took, "data cannot be executed" },
	{ "seccomp", KNOB_SECCOMP, KNOB_CHILD, 0,
	  { .kind = VALUE_OWN, .read = seccomp_read,
	    .shape = "none|allow|allow:N" },
	  seccomp_apply, seccomp_took,
	  "a filter that allows all calls, after N comparisons" },
	{ "ssbd", KNOB_SSBD, KNOB_CHILD, 0,
	  { .kind = VALUE_CHOICE, .choices = "on|off" },
	  ssbd_apply, ssbd_took, "speculative store bypass disabled" },
	{ "thp", KNOB_THP, KNOB_CHILD, NEEDS_OWN_MEMORY,
	  { .kind = VALUE_CHOICE, .choices = "on|off" },
	  thp_apply, thp_took, "transparent huge pages" },
	{ "sysctl.", KNOB_SYSCTL, KNOB_SYSTEM, TAKEN_BY_POSIX,
	  { .kind = VALUE_TEXT },
	  NULL, NULL, "(root) a sysctl, put back at the end" },
	{ "close", KNOB_CLOSE, KNOB_CHILD, 0,
	  { .kind = VALUE_CHOICE, .choices = "none|loop|range" },
	  NULL, NULL, "closes what the workload did not open, before exec" },
	{ "status", KNOB_STATUS, KNOB_JUDGE, TAKEN_BY_POSIX,
	  { .kind = VALUE_OWN, .read = status_read, .shape = "N|any" },
	  NULL, NULL, "the exit status that is right (0 unless told)" },
	{ "timeout", KNOB_TIMEOUT, KNOB_JUDGE, TAKEN_BY_POSIX,
	  { .kind = VALUE_DURATION, .min = 1 },
	  NULL, NULL, "a child that runs longer is killed: a failure" },
	{ 0 }
};

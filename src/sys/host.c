#include "host.h"

#include <dirent.h>
#include <link.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <gnu/libc-version.h>
#endif

#include "base/clock.h"
#include "base/io.h"
#include "base/strbuf.h"
#include "sys/accounting.h"

#define UNKNOWN "unknown"

/* A coarse clock that is finer than this is not the tick's. */

/* A fact is the text of a file, or what a function makes. */
struct source {
	const char *name;
	const char *path;
	const char *(*make)(struct arena *arena);
};

/* ---- the program ------------------------------------------------------- */

static const char *
version(struct arena *arena)
{
	(void)arena;
	return VERSION;
}

/* musl has no macro of its own, but only its headers have this one. */
static const char *
libc(struct arena *arena)
{
#if defined(__UCLIBC__)
	return arena_printf(arena, "uClibc %d.%d.%d", __UCLIBC_MAJOR__,
	                    __UCLIBC_MINOR__, __UCLIBC_SUBLEVEL__);
#elif defined(__GLIBC__)
	return arena_printf(arena, "glibc %s", gnu_get_libc_version());
#elif defined(__DEFINED_pid_t)
	(void)arena;
	return "musl";
#else
	(void)arena;
	return NULL;
#endif
}

/*
 * The program comes first. One with a loader's name in it is dynamic, one
 * that is not where it was linked for is position-independent.
 */
static int
linkage_of(struct dl_phdr_info *info, size_t size, void *linkage)
{
	bool dynamic = false;

	(void)size;
	for (int i = 0; i < info->dlpi_phnum; i++)
		dynamic |= info->dlpi_phdr[i].p_type == PT_INTERP;
	if (info->dlpi_addr)
		*(const char **)linkage = dynamic ? "dynamic PIE" :
		                          "static PIE";
	else
		*(const char **)linkage = dynamic ? "dynamic" : "static";
	return 1;
}

static const char *
linkage(struct arena *arena)
{
	const char *is = NULL;

	(void)arena;
	dl_iterate_phdr(linkage_of, &is);
	return is;
}

/* ---- the machine ------------------------------------------------------- */

static const char *
kernel(struct arena *arena)
{
	struct utsname u;

	if (uname(&u) < 0)
		return NULL;
	return arena_printf(arena, "%s %s %s", u.sysname, u.release,
	                    u.version);
}

static const char *
architecture(struct arena *arena)
{
	struct utsname u;

	if (uname(&u) < 0)
		return NULL;
	return arena_printf(arena, "%s, %zu-bit forkload", u.machine,
	                    sizeof(void *) * 8);
}

/* The value of the first line of a file that begins with one of the keys. */
static const char *
value_in(struct arena *arena, const char *path, const char *const *keys)
{
	char text[8192];

	if (read_text(path, text, sizeof(text)) < 0)
		return NULL;
	for (; *keys; keys++) {
		char *at = text;

		while (at && !str_starts(at, *keys)) {
			at = strchr(at, '\n');
			at = at ? at + 1 : NULL;
		}
		if (!at)
			continue;
		at += strlen(*keys);
		at += strspn(at, " \t:");
		return arena_copy(arena, at, strcspn(at, "\n"));
	}
	return NULL;
}

static const char *
cpu_model(struct arena *arena)
{
	static const char *const keys[] = {
		"model name", "cpu model", "Model", "Processor", "cpu\t",
		"uarch", "CPU part", NULL,
	};

	return value_in(arena, "/proc/cpuinfo", keys);
}

static const char *
cpus(struct arena *arena)
{
	long online = sysconf(_SC_NPROCESSORS_ONLN);
	cpu_set_t set;

	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return arena_printf(arena, "%ld online", online);
	return arena_printf(arena, "%ld online, %d allowed", online,
	                    CPU_COUNT(&set));
}

static const char *
mitigations(struct arena *arena)
{
	static const char folder[] = "/sys/devices/system/cpu/vulnerabilities";
	struct strbuf list = { .arena = arena };
	struct dirent *entry;
	DIR *dir = opendir(folder);

	if (!dir)
		return NULL;
	while ((entry = readdir(dir))) {
		char text[256];
		const char *path;

		if (entry->d_name[0] == '.')
			continue;
		path = arena_printf(arena, "%s/%s", folder, entry->d_name);
		if (read_text(path, text, sizeof(text)) < 0 ||
		    strcmp(text, "Not affected") == 0)
			continue;
		strbuf_printf(&list, "%s%s: %s", list.len ? "\n" : "",
		              entry->d_name, text);
	}
	closedir(dir);
	return list.len ? list.text : "none";
}

static const char *
memory(struct arena *arena)
{
	static const char *const total[] = { "MemTotal", NULL };
	static const char *const free_now[] = { "MemAvailable", "MemFree",
	                                        NULL };
	const char *all = value_in(arena, "/proc/meminfo", total);
	const char *now = value_in(arena, "/proc/meminfo", free_now);

	return all && now ? arena_printf(arena, "%s, available %s", all, now) :
	       all;
}

static const char *
seccomp(struct arena *arena)
{
	static const char *const keys[] = { "Seccomp", NULL };
	const char *mode = value_in(arena, "/proc/self/status", keys);

	if (!mode)
		return NULL;
	return strcmp(mode, "0") == 0 ? "no filter" :
	       "a filter applies already";
}

/* The kernel's configuration, where the distribution left it. */
static const char *
config_hz(struct arena *arena)
{
	static const char key[] = "\nCONFIG_HZ=";
	char text[400000], *at;
	struct utsname u;

	if (uname(&u) < 0 ||
	    read_text(arena_printf(arena, "/boot/config-%s", u.release), text,
	              sizeof(text)) < 0)
		return NULL;
	at = strstr(text, key);
	if (!at)
		return NULL;
	at += strlen(key);
	return arena_copy(arena, at, strcspn(at, "\n"));
}

/* Since Linux 2.6.32 the coarse clock advances with each tick. */
static const char *
hz(struct arena *arena)
{
	const char *configured = config_hz(arena);
	int64_t tick_ns = accounting_tick_ns();

	if (configured || tick_ns == 0)
		return configured;
	return arena_printf(arena, "%lld, from the coarse clock's resolution",
	                    (NS_PER_S + tick_ns / 2) / tick_ns);
}

/* ---- the cgroup's limit ------------------------------------------------ */

/* Is it one of the words, with commas between them? */
static bool
has_word(const char *words, const char *word)
{
	while (*words) {
		size_t len = strcspn(words, ",");

		if (len == strlen(word) && strncmp(words, word, len) == 0)
			return true;
		words += len + (words[len] != '\0');
	}
	return false;
}

/* Where the hierarchy is mounted that limits CPU time, or NULL. */
static const char *
mount_point(struct arena *arena, const char *root, bool unified)
{
	const char *type_wanted = unified ? "cgroup2" : "cgroup";
	char line[4096], where[2048], type[64], options[512];
	const char *found = NULL;
	FILE *mounts = fopen(arena_printf(arena, "%s/proc/self/mounts", root),
	                     "re");

	if (!mounts)
		return NULL;
	while (!found && fgets(line, sizeof(line), mounts))
		if (sscanf(line, "%*s %2047s %63s %511s", where, type,
		           options) == 3 && strcmp(type, type_wanted) == 0 &&
		    (unified || has_word(options, "cpu")))
			found = arena_copy(arena, where, strlen(where));
	fclose(mounts);
	return found;
}

/* A number of the file, behind the key; 0: none. */
static long long
number_in(struct arena *arena, const char *folder, const char *name,
          const char *key)
{
	const char *const keys[] = { key, NULL };
	const char *text = value_in(arena, arena_printf(arena, "%s/%s", folder,
	                                                name), keys);

	return text ? strtoll(text, NULL, 10) : 0;
}

/* In CPUs; 0: no limit. */
static double
limit_of(struct arena *arena, const char *folder, bool unified)
{
	long long quota = 0, period = 0;
	char text[64];

	if (!unified) {
		quota = number_in(arena, folder, "cpu.cfs_quota_us", "");
		period = number_in(arena, folder, "cpu.cfs_period_us", "");
	} else if (read_text(arena_printf(arena, "%s/cpu.max", folder), text,
	                     sizeof(text)) < 0 ||
	           sscanf(text, "%lld %lld", &quota, &period) != 2) {
		return 0;
	}
	return quota > 0 && period > 0 ? (double)quota / (double)period : 0;
}

/*
 * Takes each limit of the group, and of those it is in, that is lower. In a
 * container a group's name may be that of the host: then only the uppermost
 * folder is there.
 */
static int
lower(struct arena *arena, const char *root, char *group, bool unified,
      struct host_limit *limit)
{
	const char *top = mount_point(arena, root, unified);

	if (!top)
		return -1;
	for (char *end = group + strlen(group); end;
	     end = strrchr(group, '/')) {
		const char *folder;
		double cpus;

		*end = '\0';
		folder = arena_printf(arena, "%s%s%s", root, top, group);
		cpus = limit_of(arena, folder, unified);
		if (cpus <= 0 || (limit->folder && cpus >= limit->cpus))
			continue;
		limit->folder = folder + strlen(root);
		limit->cpus = cpus;
		limit->unified = unified;
		limit->throttled = number_in(arena, folder, "cpu.stat",
		                             "nr_throttled");
	}
	return 0;
}

/* Lines "0::/GROUP" of version 2 and "3:cpu,cpuacct:/GROUP" of version 1. */
int
host_limit(struct arena *arena, const char *root, struct host_limit *limit)
{
	char line[4096], kinds[128], group[2048];
	FILE *groups = fopen(arena_printf(arena, "%s/proc/self/cgroup", root),
	                     "re");
	int told = -1;

	*limit = (struct host_limit){ .folder = NULL };
	if (!groups)
		return -1;
	while (fgets(line, sizeof(line), groups)) {
		bool unified = str_starts(line, "0::");

		if (unified ? sscanf(line, "0::%2047[^\n]", group) != 1 :
		    sscanf(line, "%*d:%127[^:\n]:%2047[^\n]", kinds, group)
		    != 2 || !has_word(kinds, "cpu"))
			continue;
		if (lower(arena, root, group, unified, limit) == 0)
			told = 0;
	}
	fclose(groups);
	return told;
}

static const char *
cpu_limit(struct arena *arena)
{
	struct host_limit limit;

	if (host_limit(arena, "", &limit) < 0)
		return NULL;
	return limit.folder ? arena_printf(arena, "%.2f CPUs, by the cgroup "
		"%s", limit.cpus, limit.folder) : "none";
}

/* ---- the table --------------------------------------------------------- */

static const struct source sources[] = {
	{ "forkload", NULL, version },
	{ "linkage", NULL, linkage },
	{ "libc", NULL, libc },
	{ "kernel", NULL, kernel },
	{ "boot id", "/proc/sys/kernel/random/boot_id", NULL },
	{ "command line", "/proc/cmdline", NULL },
	{ "architecture", NULL, architecture },
	{ "cpu", NULL, cpu_model },
	{ "cpus", NULL, cpus },
	{ "cpu limit", NULL, cpu_limit },
	{ "memory", NULL, memory },
	{ "load average", "/proc/loadavg", NULL },
	{ "HZ", NULL, hz },
	{ "clocksource", "/sys/devices/system/clocksource/clocksource0/"
	  "current_clocksource", NULL },
	{ "governor", "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor",
	  NULL },
	{ "randomize_va_space", "/proc/sys/kernel/randomize_va_space", NULL },
	{ "perf paranoid", "/proc/sys/kernel/perf_event_paranoid", NULL },
	{ "huge pages", "/sys/kernel/mm/transparent_hugepage/enabled", NULL },
	{ "seccomp", NULL, seccomp },
	{ "vulnerabilities", NULL, mitigations },
};

#define NSOURCES (sizeof(sources) / sizeof(sources[0]))

static const char *
value_of(struct arena *arena, const struct source *source)
{
	char text[4096];

	if (source->make)
		return source->make(arena);
	if (read_text(source->path, text, sizeof(text)) < 0 || !*text)
		return NULL;
	return arena_copy(arena, text, strcspn(text, "\n"));
}

/* A value of several lines becomes several facts of one name. */
static void
add(struct arena *arena, struct host_fact **facts, size_t *count,
    const char *name, const char *value)
{
	for (;;) {
		size_t len = strcspn(value, "\n");
		struct host_fact *fact = arena_push(arena, facts, count,
		                                    sizeof(*fact));

		fact->name = name;
		fact->value = arena_copy(arena, value, len);
		if (!value[len])
			return;
		value += len + 1;
	}
}

size_t
host_describe(struct arena *arena, struct host_fact **facts)
{
	size_t count = 0;

	*facts = NULL;
	for (size_t i = 0; i < NSOURCES; i++) {
		const char *value = value_of(arena, &sources[i]);

		add(arena, facts, &count, sources[i].name,
		    value ? value : UNKNOWN);
	}
	return count;
}

struct host_load
host_load(struct arena *arena)
{
	struct host_load load = { "unknown", -1 };
	char text[4096];
	long long ticks;

	if (read_text("/proc/loadavg", text, sizeof(text)) > 0)
		load.average = arena_copy(arena, text, strcspn(text, "\n"));
	/* user nice system idle iowait irq softirq steal */
	if (read_text("/proc/stat", text, sizeof(text)) > 0 &&
	    sscanf(text, "cpu %*d %*d %*d %*d %*d %*d %*d %lld", &ticks) == 1)
		load.steal_ticks = ticks;
	return load;
}

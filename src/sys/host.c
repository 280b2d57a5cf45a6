#include "host.h"

#include <dirent.h>
#include <elf.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/io.h"
#include "base/strbuf.h"

#define UNKNOWN "unknown"

/* A fact is the text of a file, or what a function makes. */
struct source {
	const char *name;
	const char *path;
	const char *(*make)(struct arena *arena);
};

/* ---- makers ------------------------------------------------------------ */

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
	cpu_set_t set;
	int allowed = 0;

	if (sched_getaffinity(0, sizeof(set), &set) == 0)
		allowed = CPU_COUNT(&set);
	return arena_printf(arena, "%ld online, %d allowed",
	                    sysconf(_SC_NPROCESSORS_ONLN), allowed);
}

static const char *
libc(struct arena *arena)
{
#ifdef __GLIBC__
	return arena_printf(arena, "glibc %d.%d", __GLIBC__, __GLIBC_MINOR__);
#else
	return arena_printf(arena, "not glibc (musl?)");
#endif
}

/* AT_BASE is where the loader is: 0 in a static program. */
static const char *
linkage(struct arena *arena)
{
	(void)arena;
	return getauxval(AT_BASE) ? "dynamic" : "static";
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

/* ---- the table --------------------------------------------------------- */

static const struct source sources[] = {
	{ "linkage", NULL, linkage },
	{ "libc", NULL, libc },
	{ "kernel", NULL, kernel },
	{ "boot id", "/proc/sys/kernel/random/boot_id", NULL },
	{ "command line", "/proc/cmdline", NULL },
	{ "architecture", NULL, architecture },
	{ "cpu", NULL, cpu_model },
	{ "cpus", NULL, cpus },
	{ "memory", NULL, memory },
	{ "load average", "/proc/loadavg", NULL },
	{ "HZ", NULL, config_hz },
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

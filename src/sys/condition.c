#include "condition.h"

#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/path.h"
#include "sys/knob.h"

static bool
is_root(const char *argument, int64_t *have)
{
	(void)argument;
	*have = geteuid() == 0;
	return *have;
}

static bool
cpus(const char *argument, int64_t *have)
{
	cpu_set_t set;

	(void)argument;
	if (sched_getaffinity(0, sizeof(set), &set) < 0)
		return false;
	*have = CPU_COUNT(&set);
	return true;
}

/* What the kernel thinks can be had without swapping; else what is free. */
static bool
memory(const char *argument, int64_t *have)
{
	char text[4096], *at;

	(void)argument;
	if (read_text("/proc/meminfo", text, sizeof(text)) < 0) {
		*have = (int64_t)sysconf(_SC_AVPHYS_PAGES) *
		        sysconf(_SC_PAGESIZE);
		return *have > 0;
	}
	at = strstr(text, "MemAvailable:");
	if (!at)
		at = strstr(text, "MemFree:");
	if (!at)
		return false;
	*have = strtoll(strchr(at, ':') + 1, NULL, 10) * 1024;
	return true;
}

static bool
ipv6(const char *argument, int64_t *have)
{
	struct sockaddr_in6 address = {
		.sin6_family = AF_INET6, .sin6_addr = IN6ADDR_LOOPBACK_INIT,
	};
	int fd = socket(AF_INET6, SOCK_STREAM | SOCK_CLOEXEC, 0);
	bool works;

	(void)argument;
	if (fd < 0)
		return false;
	works = bind(fd, (struct sockaddr *)&address, sizeof(address)) == 0;
	close(fd);
	*have = works;
	return works;
}

static bool
can_execute(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISREG(st.st_mode) &&
	       access(path, X_OK) == 0;
}

static bool
program(const char *argument, int64_t *have)
{
	const char *path = getenv("PATH");
	char tried[4096];

	*have = 1;
	if (strchr(argument, '/'))
		return can_execute(argument);
	if (!path)
		path = DEFAULT_PATH;
	while (path_next(&path, argument, tried, sizeof(tried)))
		if (can_execute(tried))
			return true;
	return false;
}

static bool
knob(const char *argument, int64_t *have)
{
	const char *key;

	*have = 1;
	return knob_find(knobs, argument, &key) != NULL;
}

const struct condition conditions[] = {
	{ "root", CONDITION_PLAIN, { 0 }, is_root, "forkload is run by root" },
	{ "cpus", CONDITION_COMPARES, { .kind = VALUE_INT }, cpus,
	  "so many CPUs may be used" },
	{ "memory", CONDITION_COMPARES, { .kind = VALUE_SIZE }, memory,
	  "so much memory can be had" },
	{ "ipv6", CONDITION_PLAIN, { 0 }, ipv6, "::1 can be used" },
	{ "program", CONDITION_NAMES, { 0 }, program,
	  "a program is in PATH and can be executed" },
	{ "knob", CONDITION_NAMES, { 0 }, knob, "forkload knows such a knob" },
	{ 0 }
};

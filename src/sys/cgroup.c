#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/strbuf.h"

#define REMOVE_NS NS_PER_S

/* ---- where groups are -------------------------------------------------- */

/* Is it among words with commas between them? */
static bool
has_word(const char *words, const char *word)
{
	size_t len = strlen(word);

	for (; *words; words += strcspn(words, ","), words += *words == ',')
		if (strcspn(words, ",") == len &&
		    strncmp(words, word, len) == 0)
			return true;
	return false;
}

/*
 * Where a hierarchy is mounted, or NULL: "cgroup2", or "cgroup" with that
 * controller among its options.
 */
static const char *
mount_point(struct arena *arena, const char *type, const char *controller)
{
	char line[4096], where[2048], its_type[64], options[1024];
	const char *found = NULL;
	FILE *mounts = fopen("/proc/self/mounts", "re");

	if (!mounts)
		return NULL;
	while (!found && fgets(line, sizeof(line), mounts))
		if (sscanf(line, "%*s %2047s %63s %1023s", where, its_type,
		           options) == 3 &&
		    strcmp(its_type, type) == 0 &&
		    (!controller || has_word(options, controller)))
			found = arena_copy(arena, where, strlen(where));
	fclose(mounts);
	return found;
}

/*
 * The caller's own group in a hierarchy, from that one's root on, or NULL.
 * Lines are "0::/GROUP" and "3:cpu,cpuacct:/GROUP".
 */
static const char *
own_group(struct arena *arena, const char *controller)
{
	char line[4096], kinds[256];
	const char *found = NULL;
	FILE *groups = fopen("/proc/self/cgroup", "re");

	if (!groups)
		return NULL;
	while (!found && fgets(line, sizeof(line), groups)) {
		char *at = strchr(line, ':'), *path;

		path = at ? strchr(at + 1, ':') : NULL;
		if (!path)
			continue;
		snprintf(kinds, sizeof(kinds), "%.*s",
		         (int)(path - at - 1), at + 1);
		if (controller ? has_word(kinds, controller) : !*kinds)
			found = arena_copy(arena, path + 1,
			                   strcspn(path + 1, "\n"));
	}
	fclose(groups);
	return found;
}

/* ---- one group --------------------------------------------------------- */

static const char *
in_folder(const char *folder, const char *name, char *path, size_t room)
{
	snprintf(path, room, "%s/%s", folder, name);
	return path;
}

const char *
cgroup_make(struct arena *arena, struct errmsg *why)
{
	const char *root = mount_point(arena, "cgroup2", NULL);
	const char *own = own_group(arena, NULL);
	const char *folder;
	struct usage usage;

	if (!root || !own) {
		errmsg_set(why, "there is no cgroup of version 2");
		return NULL;
	}
	folder = arena_printf(arena, "%s%s/forkload-%ld", root,
	                      strcmp(own, "/") == 0 ? "" : own,
	                      (long)getpid());
	if (mkdir(folder, 0755) < 0) {
		errmsg_errno(why, "cannot make a cgroup");
		return NULL;
	}
	if (cgroup_usage(folder, &usage) == 0)
		return folder;
	errmsg_errno(why, "cannot read a cgroup's CPU time");
	cgroup_remove(folder);
	return NULL;
}

int
cgroup_add(const char *folder, pid_t pid)
{
	char path[4096], text[24];
	int fd = open_file(in_folder(folder, "cgroup.procs", path,
	                             sizeof(path)), O_WRONLY, 0);
	int result, error;

	if (fd < 0)
		return -1;
	snprintf(text, sizeof(text), "%ld", (long)pid);
	result = write_all(fd, text, strlen(text));
	error = errno;
	close(fd);
	errno = error;
	return result;
}

static int64_t
value_of(const char *text, const char *key)
{
	const char *at = strstr(text, key);

	return at ? strtoll(at + strlen(key), NULL, 10) : -1;
}

int
cgroup_usage(const char *folder, struct usage *usage)
{
	char path[4096], text[4096];

	if (read_text(in_folder(folder, "cpu.stat", path, sizeof(path)), text,
	              sizeof(text)) < 0)
		return -1;
	usage->user_us = value_of(text, "user_usec ");
	usage->sys_us = value_of(text, "system_usec ");
	if (usage->user_us >= 0 && usage->sys_us >= 0)
		return 0;
	errno = ENODATA;
	return -1;
}

int
cgroup_remove(const char *folder)
{
	int64_t until = clock_ns() + REMOVE_NS;

	/* The last process may still be leaving. */
	while (rmdir(folder) < 0) {
		if (errno != EBUSY || clock_ns() >= until)
			return -1;
		clock_sleep(NS_PER_MS);
	}
	return 0;
}

/* A number of the own group's cpu.stat, or -1. */
static int64_t
own_stat(struct arena *arena, const char *root, const char *group,
         const char *key)
{
	char text[4096];

	if (!root || !group ||
	    read_text(arena_printf(arena, "%s%s/cpu.stat", root, group), text,
	              sizeof(text)) < 0)
		return -1;
	return value_of(text, key);
}

int64_t
cgroup_throttled_us(struct arena *arena)
{
	int64_t us = own_stat(arena, mount_point(arena, "cgroup2", NULL),
	                      own_group(arena, NULL), "throttled_usec ");
	int64_t ns;

	if (us >= 0)
		return us;
	ns = own_stat(arena, mount_point(arena, "cgroup", "cpu"),
	              own_group(arena, "cpu"), "throttled_time ");
	return ns > 0 ? ns / 1000 : 0;
}

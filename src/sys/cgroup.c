#include "cgroup.h"

#include <errno.h>
#include <fcntl.h>
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

/* Where the hierarchy of version 2 is mounted, or NULL. */
static const char *
mount_point(struct arena *arena)
{
	char line[4096], where[2048], type[64];
	const char *found = NULL;
	FILE *mounts = fopen("/proc/self/mounts", "re");

	if (!mounts)
		return NULL;
	while (!found && fgets(line, sizeof(line), mounts))
		if (sscanf(line, "%*s %2047s %63s", where, type) == 2 &&
		    strcmp(type, "cgroup2") == 0)
			found = arena_copy(arena, where, strlen(where));
	fclose(mounts);
	return found;
}

/* The caller's own group, from the hierarchy's root on, or NULL. */
static const char *
own_group(struct arena *arena)
{
	char line[4096];
	const char *found = NULL;
	FILE *groups = fopen("/proc/self/cgroup", "re");

	if (!groups)
		return NULL;
	while (!found && fgets(line, sizeof(line), groups))
		if (str_starts(line, "0::"))
			found = arena_copy(arena, line + 3,
			                   strcspn(line + 3, "\n"));
	fclose(groups);
	return found;
}

/* ---- one group --------------------------------------------------------- */

/* Small, as all that the runner's stack holds: each fork pays for it. */
#define PATH_ROOM (CGROUP_ROOM + 16)

static const char *
in_folder(const char *folder, const char *name, char *path)
{
	snprintf(path, PATH_ROOM, "%s/%s", folder, name);
	return path;
}

int
cgroup_make(struct arena *arena, char *folder, size_t room,
            struct errmsg *why)
{
	const char *root = mount_point(arena), *own = own_group(arena);
	struct usage usage;
	int len;

	*folder = '\0';
	if (!root || !own)
		return errmsg_set(why, "there is no cgroup of version 2");
	len = snprintf(folder, room, "%s%s/forkload-%ld", root,
	               strcmp(own, "/") == 0 ? "" : own, (long)getpid());
	if (len < 0 || (size_t)len >= room)
		errno = ENAMETOOLONG;
	else if (mkdir(folder, 0755) == 0) {
		if (cgroup_usage(folder, &usage) == 0)
			return 0;
		cgroup_remove(folder);
		errno = ENODATA;
	}
	*folder = '\0';
	return errmsg_errno(why, "cannot make a cgroup");
}

int
cgroup_add(const char *folder, pid_t pid)
{
	char path[PATH_ROOM], text[24];
	int fd = open_file(in_folder(folder, "cgroup.procs", path), O_WRONLY,
	                   0);
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
	/* What is wanted stands first. */
	char path[PATH_ROOM], text[256];

	if (read_text(in_folder(folder, "cpu.stat", path), text,
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

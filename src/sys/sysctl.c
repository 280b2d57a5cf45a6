#include "sysctl.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

int
sysctl_check_name(const char *name, struct errmsg *why)
{
	size_t len = strlen(name);

	if (len == 0 || *name == '.' || name[len - 1] == '.' ||
	    strstr(name, "..") || strstr(name, "//") || *name == '/' ||
	    strchr(name, '\n'))
		return errmsg_set(why, "'%s' is not a sysctl's name", name);
	return 0;
}

static int
path_of(const char *name, char *path, size_t room, struct errmsg *why)
{
	int len;

	if (sysctl_check_name(name, why) < 0)
		return -1;
	len = snprintf(path, room, "/proc/sys/%s", name);
	if (len < 0 || (size_t)len >= room)
		return errmsg_set(why, "'%s' is not a sysctl's name", name);
	for (char *c = path + strlen("/proc/sys/"); *c; c++)
		*c = *c == '.' ? '/' : *c == '/' ? '.' : *c;
	return 0;
}

int
sysctl_get(const char *name, char *value, size_t room, struct errmsg *why)
{
	char path[PATH_MAX];
	ssize_t len;

	if (path_of(name, path, sizeof(path), why) < 0)
		return -1;
	len = read_text(path, value, room);
	if (len < 0)
		return errmsg_errno(why, "cannot read the sysctl %s", name);
	/* Cut, it could not be put back; and a newline may be gone already. */
	if ((size_t)len + 2 >= room)
		return errmsg_set(why, "the sysctl %s is too long to be put "
		                  "back", name);
	return 0;
}

int
sysctl_same(const char *one, const char *other)
{
	for (;;) {
		one += strspn(one, " \t\n");
		other += strspn(other, " \t\n");
		if (!*one || !*other)
			return !*one && !*other;
		while (*one && !isspace((unsigned char)*one))
			if (*one++ != *other++)
				return 0;
		if (*other && !isspace((unsigned char)*other))
			return 0;
	}
}

int
sysctl_set(const char *name, const char *value, struct errmsg *why)
{
	char path[PATH_MAX], now[SYSCTL_ROOM];
	int fd, error = 0;

	if (path_of(name, path, sizeof(path), why) < 0)
		return -1;
	fd = open_file(path, O_WRONLY, 0);
	if (fd < 0)
		return errmsg_errno(why, "cannot set the sysctl %s", name);
	if (write_all(fd, value, strlen(value)) < 0)
		error = errno;
	close(fd);
	errno = error;
	if (error)
		return errmsg_errno(why, "cannot set the sysctl %s to %s",
		                    name, value);
	if (sysctl_get(name, now, sizeof(now), why) < 0)
		return -1;
	if (!sysctl_same(now, value))
		return errmsg_set(why, "the sysctl %s is %s, not %s", name,
		                  now, value);
	return 0;
}

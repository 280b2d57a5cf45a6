#include "path.h"

#include <stdio.h>
#include <string.h>

bool
path_next(const char **path, const char *name, char *tried, size_t room)
{
	const char *folder = *path;
	size_t len;

	if (!folder)
		return false;
	len = strcspn(folder, ":");
	snprintf(tried, room, "%.*s%s%s", (int)len, folder, len ? "/" : "./",
	         name);
	*path = folder[len] ? folder + len + 1 : NULL;
	return true;
}

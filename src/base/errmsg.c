#include "errmsg.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "io.h"

/* A program's last words, up to some 2 KiB, and what is said of it. */
#define LONGEST_LINE 4096

int
errmsg_set(struct errmsg *why, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	return -1;
}

int
errmsg_errno(struct errmsg *why, const char *format, ...)
{
	const char *reason = strerror(errno);
	va_list args;
	size_t len;

	va_start(args, format);
	vsnprintf(why->text, sizeof(why->text), format, args);
	va_end(args);
	len = strlen(why->text);
	snprintf(why->text + len, sizeof(why->text) - len, ": %s", reason);
	return -1;
}

void
say(const char *format, ...)
{
	char line[LONGEST_LINE] = "forkload: ";
	size_t len = strlen(line);
	va_list args;
	int more;

	va_start(args, format);
	more = vsnprintf(line + len, sizeof(line) - len - 1, format, args);
	va_end(args);
	if (more < 0)
		return;
	len = strlen(line);
	line[len++] = '\n';
	write_all(2, line, len);
}

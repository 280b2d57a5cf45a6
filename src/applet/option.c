#include "applet.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

#define BUFFER (64 << 10)

const char *
applet_option(int argc, char *const *argv, const char *name)
{
	size_t len = strlen(name);

	for (int i = 1; i < argc; i++)
		if (strncmp(argv[i], name, len) == 0 && argv[i][len] == '=')
			return argv[i] + len + 1;
	return NULL;
}

int
applet_number(int argc, char *const *argv, const char *name,
              int (*read)(const char *text, int64_t *out), int64_t otherwise,
              int64_t *out)
{
	const char *text = applet_option(argc, argv, name);

	*out = otherwise;
	if (!text)
		return 0;
	return read(text, out) < 0 || *out < 0 ? -1 : 0;
}

/* Adds as much of text as there is room for. */
static size_t
add(char *line, size_t len, size_t room, const char *text)
{
	size_t more = strlen(text);

	if (more > room - len)
		more = room - len;
	memcpy(line + len, text, more);
	return len + more;
}

int
applet_fail(const char *name, const char *what)
{
	const char *reason = errno ? strerror(errno) : NULL;
	char line[512];
	size_t room = sizeof(line) - 1, len = 0;

	len = add(line, len, room, name);
	len = add(line, len, room, ": ");
	len = add(line, len, room, what);
	if (reason) {
		len = add(line, len, room, ": ");
		len = add(line, len, room, reason);
	}
	line[len++] = '\n';
	write_all(2, line, len);
	return 1;
}

int
applet_usage(const char *name)
{
	errno = 0;
	applet_fail(name, "its words are wrong; see forkload help applets");
	return 2;
}

/*
 * The sum and the count go into the exit of the loop below by way of memory
 * that the compiler must take for read.
 */
static void
read_by_somebody(unsigned sum, unsigned words)
{
	__asm__ volatile("" : : "r"(sum), "r"(words) : "memory");
}

int
applet_read_file(const char *path)
{
	static unsigned char buffer[BUFFER];
	unsigned sum = 0, words = 0;
	int in_word = 0, error;
	ssize_t n;
	int fd = open_file(path, O_RDONLY, 0);

	if (fd < 0)
		return -1;
	do {
		n = read(fd, buffer, sizeof(buffer));
		for (ssize_t i = 0; i < n; i++) {
			int letter = buffer[i] > ' ';

			/* As cksum's elder: rotate, then add. */
			sum = (sum >> 1 | sum << 31) + buffer[i];
			words += letter && !in_word;
			in_word = letter;
		}
	} while (n > 0 || (n < 0 && errno == EINTR));
	error = errno;
	close(fd);
	read_by_somebody(sum, words);
	errno = error;
	return n < 0 ? -1 : 0;
}

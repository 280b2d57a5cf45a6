#include "io.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

int
write_all(int fd, const void *data, size_t len)
{
	const char *at = data;

	while (len) {
		ssize_t n = write(fd, at, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		at += n;
		len -= (size_t)n;
	}
	return 0;
}

ssize_t
read_all(int fd, void *data, size_t len)
{
	char *at = data;
	size_t got = 0;

	while (got < len) {
		ssize_t n = read(fd, at + got, len - got);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		if (n == 0)
			break;
		got += (size_t)n;
	}
	return (ssize_t)got;
}

ssize_t
read_text(const char *path, char *text, size_t size)
{
	int fd = open_file(path, O_RDONLY, 0);
	ssize_t n;

	text[0] = '\0';
	if (fd < 0)
		return -1;
	n = read_all(fd, text, size - 1);
	close(fd);
	if (n < 0)
		return -1;
	if (n > 0 && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
	return n;
}

void
close_from(int first)
{
	long most = sysconf(_SC_OPEN_MAX);

#ifdef SYS_close_range
	if (syscall(SYS_close_range, first, ~0U, 0) == 0)
		return;
#endif
	for (int fd = first; fd < most; fd++)
		close(fd);
}

int
fd_keep(int fd)
{
	int kept, error;

	if (fd < 0)
		return -1;
	kept = fcntl(fd, F_DUPFD_CLOEXEC, FIRST_OWN_FD);
	if (kept < 0 && errno == EINVAL &&
	    fcntl(fd, F_SETFD, FD_CLOEXEC) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return kept;
}

int
open_file(const char *path, int flags, mode_t mode)
{
	int fd;

	do
		fd = open(path, flags | O_CLOEXEC, mode);
	while (fd < 0 && errno == EINTR);
	return fd;
}

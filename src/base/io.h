/*
 * io: whole reads and writes; EINTR and short counts are dealt with.
 */
#ifndef FORKLOAD_BASE_IO_H
#define FORKLOAD_BASE_IO_H

#include <stddef.h>
#include <sys/types.h>

/* Writes all of it: 0, or -1 with errno. */
int write_all(int fd, const void *data, size_t len);

/* Reads until len bytes or the end: how many, or -1 with errno. */
ssize_t read_all(int fd, void *data, size_t len);

/*
 * Reads a small file, as those of /proc, into text with a NUL behind it and
 * without the last newline. Returns its length, or -1 with errno.
 */
ssize_t read_text(const char *path, char *text, size_t size);

/* open() that retries EINTR; always close-on-exec. */
int open_file(const char *path, int flags, mode_t mode);

#endif

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

/* Closes every descriptor from that number on. */
void close_from(int first);

/* open() that retries EINTR; always close-on-exec. */
int open_file(const char *path, int flags, mode_t mode);

/*
 * Where forkload's own descriptors lie: above those of workloads, which have
 * numbers from 3 on.
 */
#define FIRST_OWN_FD 100

/*
 * Moves fd up there, close-on-exec, and returns its new number. It stays
 * where it is where no descriptors are allowed up there. -1 (with errno) for
 * an fd of -1, and where it fails: fd is then closed.
 */
int fd_keep(int fd);

#endif

/*
 * errmsg: why something could not be done, as one line for a person.
 *
 * A function that takes a struct errmsg and fails returns -1 with the text
 * filled; the text has no "forkload:" before it and no newline behind it:
 * "cannot open /x: No such file or directory".
 */
#ifndef FORKLOAD_BASE_ERRMSG_H
#define FORKLOAD_BASE_ERRMSG_H

#include <stdarg.h>

struct errmsg {
	char text[512];
};

/* Fill the text; always return -1, so that callers can return the call. */
int errmsg_set(struct errmsg *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* The same, with ": " and what errno says behind it. */
int errmsg_errno(struct errmsg *why, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Prints "forkload: TEXT" on standard error, in one write. */
void say(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif

/*
 * sysctl: one setting of the kernel, by its dotted name, as sysctl(8) has it:
 * "kernel.randomize_va_space" is /proc/sys/kernel/randomize_va_space, and a
 * '/' in the name stands for a dot in a file's name.
 *
 * Both return 0, or -1 with why. What is written is read back.
 */
#ifndef FORKLOAD_SYS_SYSCTL_H
#define FORKLOAD_SYS_SYSCTL_H

#include <stddef.h>

#include "base/errmsg.h"

#define SYSCTL_ROOM 4096         /* for a value; a longer one is an error */

int sysctl_get(const char *name, char *value, size_t room, struct errmsg *why);
int sysctl_set(const char *name, const char *value, struct errmsg *why);

/* Is it a name that a sysctl can have? */
int sysctl_check_name(const char *name, struct errmsg *why);

/* Are they the same but for blanks: "4 4  1" and "4\t4\t1"? */
int sysctl_same(const char *one, const char *other);

#endif

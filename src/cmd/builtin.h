/*
 * builtin: the workloads that are built into the binary; the table is made
 * from the files in workloads/ by workloads/embed.sh.
 */
#ifndef FORKLOAD_CMD_BUILTIN_H
#define FORKLOAD_CMD_BUILTIN_H

struct builtin {
	const char *name;        /* "loopback"; NULL ends the table */
	const char *text;
};

extern const struct builtin builtins[];

#endif

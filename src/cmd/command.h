/*
 * command: forkload's subcommands, one file and one row each.
 *
 * A command returns the exit status of LANGUAGE.md's list. Only cmd/ ends
 * the program.
 */
#ifndef FORKLOAD_CMD_COMMAND_H
#define FORKLOAD_CMD_COMMAND_H

#include "base/arena.h"
#include "base/rows.h"

enum exit_status {
	EXIT_DONE = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_GATE = 3,
	EXIT_SKIPPED = 4, EXIT_CANNOT_TELL = 5, EXIT_TIMED_OUT = 124,
	EXIT_OWN = 125, EXIT_STOP_BISECT = 129
};

struct command_row {
	const char *name;        /* NULL ends the table */
	int (*main)(struct arena *arena, int argc, char **argv);
	const char *synopsis;    /* behind "forkload " */
	const char *help;
};

extern const struct command_row command_rows[];

/* argv[0] is the command's name, or forkload's own for run. */
int command_run(struct arena *arena, int argc, char **argv);
int command_check(struct arena *arena, int argc, char **argv);
int command_compare(struct arena *arena, int argc, char **argv);
int command_plot(struct arena *arena, int argc, char **argv);
int command_list(struct arena *arena, int argc, char **argv);
int command_info(struct arena *arena, int argc, char **argv);
int command_help(struct arena *arena, int argc, char **argv);

/* Applets, knobs, servers, conditions: what the parser is given. */
extern const struct vocabulary vocabulary;

/*
 * Writes text on standard output: 0, or EXIT_OWN after saying that it cannot.
 */
int put_out(const char *text, size_t len);

/* "forkload: MESSAGE" and a hint at the help; returns EXIT_USAGE. */
int wrong_usage(const char *format, ...)
	__attribute__((format(printf, 1, 2)));

#endif

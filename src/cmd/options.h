/*
 * options: the command line of run and check, from one table.
 */
#ifndef FORKLOAD_CMD_OPTIONS_H
#define FORKLOAD_CMD_OPTIONS_H

#include <stdbool.h>

#include "base/strbuf.h"
#include "cmd/gate.h"
#include "lab/lab.h"
#include "lang/parse.h"
#include "report/report.h"

enum when { WHEN_AUTO, WHEN_ALWAYS, WHEN_NEVER, WHEN_LINES };

enum input_kind { INPUT_FILE, INPUT_BUILTIN, INPUT_LINES };

/* One of -f, -w, -e, in the order of the command line. */
struct input {
	enum input_kind kind;
	const char *text;
};

struct options {
	struct input *inputs;
	size_t ninputs;
	struct assignment *assignments;
	size_t nassignments;
	char **command;          /* NULL: inputs; else ends with NULL */
	struct lab_options lab;
	const struct report_format *format;
	const char **varies;     /* KEY=A,B */
	size_t nvaries;
	const char *append;      /* the file for raw samples; NULL: none */
	bool bisect;             /* exit as git bisect run wants */
	struct gate *gates;
	size_t ngates;
	enum when color, progress;
	bool quiet, verbose, histogram;
	bool help, version;
};

/*
 * Reads argv (argv[0] is passed over). -1: it was wrong, and that was said.
 */
int options_read(struct arena *arena, int argc, char **argv,
                 struct options *options);

/* The options as --help shows them. */
void options_help(struct strbuf *out);

/* Is it to be done, on that descriptor? */
bool when_holds(enum when when, int fd);

#endif

/*
 * rows: the tables from which the language's words, their checks, the help
 * text and the manual's lists come.
 *
 * An applet, a knob, a kind of server or a condition of "need" is one row of
 * a table in the folder that implements it. src/lang/ sees only the tables,
 * as a struct vocabulary that src/cmd/ puts together, so that it names none
 * of them.
 */
#ifndef FORKLOAD_BASE_ROWS_H
#define FORKLOAD_BASE_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "errmsg.h"

/* ---- values ---------------------------------------------------------- */

enum value_kind {
	VALUE_TEXT,      /* any text */
	VALUE_INT,       /* a whole number from min to max */
	VALUE_SIZE,      /* bytes, with k, m, g; from min to max */
	VALUE_SIZES,     /* one or more of them, with commas: n is their sum */
	VALUE_DURATION,  /* nanoseconds, with ns, us, ms, s, m */
	VALUE_CPU_TIME,  /* the same, of calibrated work: see work.h */
	VALUE_CHOICE,    /* one of choices: n is its index */
	VALUE_CPUS,      /* a list of CPUs, "0,2-5" */
	VALUE_OWN        /* what read() takes */
};

struct value {
	int64_t n;
	const char *text;        /* the word itself, always */
};

/* One key=value (or, where the name is empty, one plain word) of a row. */
struct param {
	const char *name;        /* NULL ends a list of parameters */
	enum value_kind kind;
	const char *help;        /* "bytes to write, one write for each size" */
	const char *choices;     /* "on|off", for VALUE_CHOICE */
	const char *shape;       /* for help: "SIZE,SIZE"; NULL: by the kind */
	int64_t min, max;        /* max 0: no bound but the kind's own */
	bool required;
	/* For VALUE_OWN: 0, or -1 with why: "'x' is not ...". */
	int (*read)(const char *text, struct value *out, struct errmsg *why);
};

/* Reads text as param says: 0, or -1 with why ("'x' is not a size"). */
int value_read(const struct param *param, const char *text, struct value *out,
               struct errmsg *why);

/* How a parameter's value is written in help: "SIZE", "on|off", "N". */
const char *value_shape(const struct param *param);

/* The parameter of that name in a list, or NULL. */
const struct param *param_find(const struct param *params, const char *name);

/* ---- applets --------------------------------------------------------- */

/*
 * A program that is forkload itself, executed again. main() gets the words
 * behind the name, checked: argv[0] is the applet's name. Where a word's
 * name has an empty param, the plain words come in their order.
 */
struct applet {
	const char *name;        /* without the '@' */
	const char *synopsis;    /* "fd=N|to=ADDRESS send=SIZE[,SIZE]..." */
	const char *help;        /* one sentence */
	const struct param *params;
	bool hidden;             /* forkload's own: not in help or language */
	/* What params cannot say ("fd= or to=, not both"); may be NULL. */
	int (*check)(int argc, char *const *argv, struct errmsg *why);
	int (*main)(int argc, char **argv);
};

/* ---- knobs ----------------------------------------------------------- */

enum knob_scope {
	KNOB_CHILD,      /* set in each child between fork and exec */
	KNOB_START,      /* shapes how a child is started: method, folder */
	KNOB_EXEC,       /* shapes what it execs: argv, environment */
	KNOB_RUNNER,     /* of the runner: another value needs a fresh one */
	KNOB_SYSTEM,     /* of the whole machine: the guard sets it */
	KNOB_JUDGE       /* says what is right: status, timeout */
};

enum knob_trait {
	TAKEN_BY_POSIX = 1,      /* posix_spawn can apply it */
	NEEDS_EXEC = 2,          /* it matters only where a program is exec'd */
	NEEDS_OWN_MEMORY = 4     /* it cannot be set in a child that has the */
	                         /* runner's memory until it execs */
};

struct knob {
	const char *name;        /* "nice"; "env." takes any name behind it */
	int id;                  /* enum knob_id of sys/knob.h */
	enum knob_scope scope;
	unsigned traits;         /* of enum knob_trait */
	struct param value;      /* its name is not used */
	/* In the child, async-signal-safe: 0, or -1 with errno; NULL: step/ */
	int (*apply)(const struct value *value);
	/* In an exec'd child: did it take? NULL: nothing to read back. */
	bool (*took)(const struct value *value);
	const char *help;
};

/* ---- servers and conditions ------------------------------------------ */

struct server_kind {
	const char *name;        /* "tcp" */
	int id;                  /* enum net_family of sys/net.h */
	const char *help;
};

enum condition_shape {
	CONDITION_PLAIN,         /* root */
	CONDITION_COMPARES,      /* cpus>=2: value is read by param */
	CONDITION_NAMES          /* program:gcc: the text behind ':' counts */
};

struct condition {
	const char *name;
	enum condition_shape shape;
	struct param value;
	/*
	 * Does it hold? For CONDITION_COMPARES *have is set and the caller
	 * compares; argument is NULL but for CONDITION_NAMES.
	 */
	bool (*holds)(const char *argument, int64_t *have);
	const char *help;
};

/* ---- all of them ----------------------------------------------------- */

/* Each table ends with a row whose name is NULL. */
struct vocabulary {
	const struct applet *applets;
	const struct knob *knobs;
	const struct server_kind *servers;
	const struct param *server_params;
	const struct condition *conditions;
};

const struct applet *applet_find(const struct applet *table, const char *name);

/*
 * The knob of that full name: "nice", or "env.PATH", for which *key is set
 * to "PATH" (else to ""). NULL where there is none.
 */
const struct knob *knob_find(const struct knob *table, const char *name,
                             const char **key);

#endif

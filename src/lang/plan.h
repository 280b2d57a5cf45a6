/*
 * plan: a workload after reading: checked, names expanded, immutable.
 *
 * All of it lies in one arena. Variables ("set") are gone: their values stand
 * in the words. "with" and "include" are gone too: each step bears its knobs,
 * and an included file's lines stand in its place. What is known only when
 * the workload is set up (the path of a tmpfile, the address of a server)
 * remains as a reference to a resource.
 */
#ifndef FORKLOAD_LANG_PLAN_H
#define FORKLOAD_LANG_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/rows.h"
#include "lang/source.h"

#define PLAN_NESTING 16          /* blocks within blocks, at most */

/* ---- words ----------------------------------------------------------- */

struct piece {
	const char *text;        /* NULL: a resource's path or address */
	size_t resource;         /* its index in plan.resources */
};

/* Exactly one argument: the pieces, one behind the other. */
struct word {
	struct piece *pieces;    /* neighbours that are text are one piece */
	size_t npieces;          /* 0: the empty word */
	struct place place;
};

/* The text of a word without references ("" for the empty one), else NULL. */
const char *word_text(const struct word *word);

/* The word with each reference replaced by values[its index]. */
char *word_expand(struct arena *arena, const struct word *word,
                  const char *const *values);

/* ---- knobs ----------------------------------------------------------- */

struct setting {
	const struct knob *knob;
	const char *key;         /* "PATH" of env.PATH, else "" */
	struct word word;        /* may hold references where VALUE_TEXT */
	struct value value;      /* read from word where it holds none */
};

struct settings {
	struct setting *list;    /* no knob and key twice; in their order */
	size_t count;
};

/* The setting of that knob id (with that key), or NULL. */
const struct setting *settings_find(const struct settings *settings, int id,
                                    const char *key);

/* base with the settings of over added or replaced; a new list. */
struct settings settings_merge(struct arena *arena,
                               const struct settings *base,
                               const struct settings *over);

/* ---- set-up ---------------------------------------------------------- */

enum resource_kind { RESOURCE_FILE, RESOURCE_DIR, RESOURCE_SERVER };

struct resource {
	enum resource_kind kind;
	const char *name;        /* $name */
	struct place place;
	/* tmpfile */
	int64_t size;
	uint64_t seed;
	/* serve */
	const struct server_kind *server;
	struct value *options;   /* one for each of server_params; text NULL: */
	                         /* not given */
};

enum redir_kind {
	REDIR_IN, REDIR_OUT, REDIR_APPEND, REDIR_INOUT,  /* < > >> <> */
	REDIR_DUP,               /* <&N >&N */
	REDIR_CLOSE,             /* <&- >&- */
	REDIR_HERE               /* <<TAG: target is the text */
};

struct redir {
	enum redir_kind kind;
	int fd;
	int from;                /* for REDIR_DUP */
	struct word target;      /* path or here-text */
	struct place place;
};

struct open_fd {
	int fd;
	enum redir_kind mode;    /* IN, OUT, APPEND or INOUT */
	struct word target;      /* a path, or /dev/tcp/HOST/PORT */
	struct place place;
};

struct condition_use {
	const struct condition *condition;
	const char *text;        /* the whole word, for reports */
	const char *argument;    /* behind ':', or NULL */
	const char *compare;     /* ">=", ">", "<=", "<", "=", or NULL */
	int64_t value;
};

/* An untimed or timed shell command: sh, prepare. */
struct script {
	struct word shell;       /* empty pieces: /bin/sh */
	struct word text;
	struct place place;
};

enum setup_kind {
	SETUP_RESOURCE, SETUP_OPEN, SETUP_BACKGROUND, SETUP_NEED,
	SETUP_PREPARE
};

/* One line of set-up; they are done in the file's order. */
struct setup {
	enum setup_kind kind;
	union {
		size_t resource;         /* index in plan.resources */
		struct open_fd open;
		int64_t background;      /* how many idle processes */
		struct {
			struct condition_use *list;
			size_t count;
		} need;
		struct script prepare;
	};
};

/* ---- timed ----------------------------------------------------------- */

struct stage {
	const struct applet *applet;     /* NULL: a program */
	struct word *words;      /* words[0] is the program, or @NAME */
	size_t nwords;
	struct redir *redirs;    /* in their order */
	size_t nredirs;
};

enum command_kind {
	COMMAND_REPEAT, COMMAND_RUN, COMMAND_SH, COMMAND_FORK, COMMAND_WAIT
};

struct command {
	enum command_kind kind;
	struct place place;
	struct settings settings;        /* run, sh: its own, over the step's */
	bool background;                 /* run, sh: a '&' stood behind it */
	/* repeat */
	int64_t count;
	int64_t jobs;                    /* 0: one after the other */
	struct command *body;
	size_t nbody;
	/* run */
	struct stage *stages;
	size_t nstages;
	/* sh; redirs are its own */
	struct script script;
	struct redir *redirs;
	size_t nredirs;
};

struct step {
	const char *name;                /* unique */
	struct place place;
	struct settings settings;        /* with's and the step's own */
	struct condition_use *needs;
	size_t nneeds;
	struct script *prepares;         /* before each timing */
	size_t nprepares;
	struct command *body;
	size_t nbody;
};

/* Does one of the commands, or of those in their bodies, exec a program? */
bool commands_exec(const struct command *commands, size_t count);

enum counter { COUNTER_EXECS, COUNTER_FORKS, COUNTER_FAILURES };

/* Their names in that order, and the operators; NULL behind the last. */
extern const char *const counter_names[];
extern const char *const compare_names[];

/* "HAVE COMPARE WANT", by one of compare_names. */
bool compare_holds(int64_t have, const char *compare, int64_t want);

struct expectation {
	enum counter counter;
	const char *compare;             /* "=", "!=", "<", "<=", ">", ">=" */
	int64_t n;
	struct place place;
};

struct plan {
	struct arena *arena;
	const char *name;                /* of the first file, without .wl */
	struct resource *resources;
	size_t nresources;
	struct setup *setups;
	size_t nsetups;
	struct step *steps;
	size_t nsteps;
	struct expectation *expectations;
	size_t nexpectations;
	/* -1: not told in the workload */
	int64_t rounds, warmup, budget_ns, seed;
	/* The side of a comparison that it is; NULL: of none. Its knobs and */
	/* variables are in the steps already. */
	const char *variant;
	struct place variant_place;
	const struct script *variant_setup;      /* before each block of it, */
	const struct script *variant_undo;       /* and after; or NULL */
};

#endif

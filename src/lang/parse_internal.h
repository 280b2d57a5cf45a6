/*
 * parse_internal: what the files of the parser share.
 *
 * parse.c        sources, lines, blocks, and the table of commands
 * parse_words.c  words as numbers, names, key=value, knobs
 * parse_setup.c  what is made before anything is timed
 * variants.c     the sides of a comparison
 * parse_rules.c  what holds for what follows, or for the whole workload
 * parse_timed.c  step, repeat, run, sh, fork, wait
 * parse_stage.c  programs, applets and redirections
 *
 * p->token is the token that is looked at; p_next() moves on. A function
 * that returns -1 has complained, and the rest of the line is then left; the
 * end of a line stays as the token until its caller has seen it.
 */
#ifndef FORKLOAD_LANG_PARSE_INTERNAL_H
#define FORKLOAD_LANG_PARSE_INTERNAL_H

#include "lang/lex.h"
#include "lang/names.h"
#include "lang/parse.h"

struct variant {
	const char *name;
	struct place place;
	struct assignment *assignments;  /* of variables */
	size_t nassignments;
	struct settings settings;        /* of knobs */
	struct script *setup, *undo;
};

struct variants {
	struct variant *list;
	size_t count;
};

#define MOST_FDS      100        /* of open: 3 to 99 */
#define MOST_INCLUDES 1000
#define MOST_SETTINGS 1000       /* in force at one place */

/* A file being read, and the one that includes it. */
struct file {
	const struct source *source;
	const struct file *includer;
	bool known;              /* device and inode are */
	uint64_t device, inode;
};

struct parser {
	const struct parse_input *input;
	struct arena *arena;
	const struct vocabulary *vocabulary;
	struct complaints *complaints;
	struct plan *plan;
	struct names names;
	struct settings with;    /* in force for the steps that follow */
	const struct file *file;
	struct lexer *lex;
	struct token token;
	struct place command;    /* the command word last read */
	struct step *step;       /* whose block or line is read, or NULL */
	struct names step_names; /* those that were written */
	size_t *bare;            /* indices of steps that have none yet */
	size_t nbare;
	unsigned depth;          /* of blocks and of repeats */
	unsigned strays;         /* commands not known that may open blocks */
	size_t nincludes;
	bool broken;             /* a source could not be read to its end */
	bool *assigned;          /* one for each of input->assignments */
	bool opened[MOST_FDS];   /* by open */
	struct variants variants;        /* read so far */
	const struct source *vary;       /* only its variants count, or NULL */
	const struct variant *chosen;    /* whose plan this is, or NULL */
	size_t chosen_index;
};

/* Where a command may stand. */
enum where {
	AT_TOP = 1,
	AT_STEP = 2,             /* directly in a step's block */
	AT_REPEAT = 4,           /* in the block of a repeat */
	AT_LINE = 8,             /* behind a header, on its line */
	ANYWHERE = 15
};

struct command_row {
	const char *name;
	unsigned where;
	/* One of the two; the token is the one behind the command's name. */
	int (*setup)(struct parser *p);
	int (*timed)(struct parser *p, struct command *command);
	bool operators;          /* words as a shell has them */
};

/* ---- parse.c ---- */

void p_next(struct parser *p);
void p_next_word(struct parser *p);      /* but not past the line's end */
bool at_line_end(const struct parser *p);
bool p_at_command(const struct parser *p);

/* The row of the command at the token, or NULL with a complaint. */
const struct command_row *p_command(struct parser *p, enum where where);

/*
 * A body: one command on the header's line, or a block up to its "end",
 * where the token is then the end of that line. step: a step's own body.
 */
int p_body(struct parser *p, struct place header, bool step,
           struct command **body, size_t *nbody);

void p_file(struct parser *p, const struct source *source);

/* How much is wrong so far: it has grown where a line was wrong. */
size_t p_trouble(const struct parser *p);

/* What follows in this source is not read; says why at the command. */
int p_give_up(struct parser *p, const char *message);

/*
 * All of the input: the plan, in the variant that is chosen (NULL: in none),
 * and the variants that were read; NULL: there are complaints.
 */
struct plan *p_workload(const struct parse_input *input,
                        const struct source *vary,
                        const struct variant *chosen, size_t index,
                        struct complaints *complaints,
                        struct variants *variants);

/* ---- parse_words.c ---- */

/* Complains at the token about it; always -1. */
int p_wrong(struct parser *p, const char *hint, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Makes complaints point there, until the next token is read. */
void p_point(struct parser *p, struct place place);

/* The token is a word: else "COMMAND wants WHAT". */
int p_wants(struct parser *p, const char *what);

/* The text of a word without references, else NULL with a complaint. */
const char *p_known(struct parser *p, const struct word *word);

/* The text of the token, without moving on, or NULL with a complaint. */
const char *p_look(struct parser *p, const char *what);

/* The token read as param says; p_value() also moves on. */
int p_read(struct parser *p, const struct param *param, const char *what,
           struct value *value);
int p_value(struct parser *p, const struct param *param, const char *what,
            struct value *value);

/* A name that $NAME can be made to mean. */
int p_new_name(struct parser *p, struct symbol **symbol);

/* Is the word NAME=..., with a name as knobs and options have it? */
bool is_assignment(const struct token *token);

/* What stands before the first '=' of an assignment, and behind it. */
const char *token_key(struct parser *p);
struct word token_value(struct parser *p);
struct place token_key_place(const struct parser *p);

/*
 * "did you mean 'x'?" or NULL, for a table of rows of that size, which begin
 * with their names and end with NULL for one.
 */
const char *table_hint(struct parser *p, const void *table, size_t size,
                       const char *word);

/*
 * At KEY=VALUE, an option of the command owner: reads it into its place in
 * values, which has one for each of params, text NULL: not given. Does not
 * move on. p_options() takes all the words that are left.
 */
int p_option(struct parser *p, const char *owner, const struct param *params,
             struct value *values);
int p_options(struct parser *p, const char *owner, const struct param *params,
              struct value *values);

/* At KNOB=VALUE: adds it to settings; own: those of one run or sh. */
void p_knob(struct parser *p, bool own, struct settings *settings);

/* A name for a report: not empty, no control characters. */
bool is_plain_name(const char *name);

/* A word of that text alone. */
struct word word_of(struct parser *p, const char *text, struct place place);

/* ---- variants.c ---- */

int p_variant(struct parser *p);
/* The chosen variant's value for a variable, or NULL. */
const char *variant_value(struct parser *p, const char *name);
/* Before the first source is read, and behind the last. */
void variant_begin(struct parser *p);
void variant_end(struct parser *p);

/* ---- parse_setup.c ---- */

int p_set(struct parser *p);
int p_include(struct parser *p);
int p_need(struct parser *p);
int p_tmpfile(struct parser *p);
int p_tmpdir(struct parser *p);
int p_serve(struct parser *p);
int p_open(struct parser *p);
int p_background(struct parser *p);
int p_prepare(struct parser *p);

/* ---- parse_rules.c ---- */

int p_with(struct parser *p);
int p_rounds(struct parser *p);
int p_warmup(struct parser *p);
int p_budget(struct parser *p);
int p_seed(struct parser *p);
int p_expect(struct parser *p);

/* ---- parse_timed.c ---- */

int p_step(struct parser *p);
int p_repeat(struct parser *p, struct command *command);
int p_run(struct parser *p, struct command *command);
int p_sh(struct parser *p, struct command *command);
int p_fork(struct parser *p, struct command *command);
int p_wait(struct parser *p, struct command *command);

/* A step for a timed command that stands outside any. */
int p_bare_step(struct parser *p, const struct command_row *row,
                struct place place);

/* Gives the bare steps their names; explicit ones come first. */
void name_steps(struct parser *p);

/* ---- parse_stage.c ---- */

/* A program or applet, its words and redirections. */
int p_stage(struct parser *p, struct stage *stage);

/* At an operator: the redirection, added to a list. */
int p_redir(struct parser *p, struct redir **list, size_t *count);

/* At the line's end: gives redirections the texts of their heredocs. */
void fill_heres(const struct parser *p, struct redir *list, size_t count);

#endif

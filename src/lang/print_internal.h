/*
 * The printer's own: print.c prints commands, print_word.c what they are
 * made of. Each put_ appends to the printer's text.
 */
#ifndef FORKLOAD_LANG_PRINT_INTERNAL_H
#define FORKLOAD_LANG_PRINT_INTERNAL_H

#include "print.h"

struct printer {
	struct strbuf *out;
	struct strbuf heres;     /* bodies to come behind this line */
	const struct plan *plan;
	const struct vocabulary *vocabulary;
};

/* Where a word stands decides what must be quoted in it. */
enum position {
	POSITION_FIRST,          /* of run and sh: no '=', no '@' */
	POSITION_WORD,           /* behind it */
	POSITION_PLAIN           /* in a command that has no operators */
};

void put_text(struct printer *p, const char *text, enum position position);
void put_word(struct printer *p, const struct word *word,
              enum position position);

/* The same, behind a space. */
void add_word(struct printer *p, const struct word *word,
              enum position position);

/* " NAME=VALUE" for each. */
void put_settings(struct printer *p, const struct settings *settings);

/* Does the text end with a newline, as a heredoc's mostly does? */
bool ends_line(const struct word *word);

/* A heredoc: its operator now, its body at the line's end. */
void put_here(struct printer *p, const struct word *word);

#endif

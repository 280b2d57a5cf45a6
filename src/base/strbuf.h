/*
 * strbuf: text that is built piece by piece, then written at once.
 *
 * The text lies in an arena. Start with { .arena = arena }; text is never
 * NULL after the first call that adds something.
 */
#ifndef FORKLOAD_BASE_STRBUF_H
#define FORKLOAD_BASE_STRBUF_H

#include <stdbool.h>
#include <stddef.h>

#include "arena.h"

struct strbuf {
	struct arena *arena;
	char *text;              /* NUL behind it */
	size_t len;
	size_t room;
};

void strbuf_add(struct strbuf *buf, const char *data, size_t len);
void strbuf_puts(struct strbuf *buf, const char *text);
void strbuf_putc(struct strbuf *buf, char c);
void strbuf_printf(struct strbuf *buf, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

bool str_starts(const char *text, const char *prefix);
bool str_ends(const char *text, const char *suffix);

/* The part of a path behind its last slash. */
const char *path_base(const char *path);

/*
 * How many single-character edits (or swaps of neighbours) turn one into the
 * other: optimal string alignment distance; more than 31 characters: 99.
 */
unsigned str_distance(const char *one, const char *other);

/*
 * The "did you mean" rule: of the names offered by next(state) (NULL ends
 * them) the nearest, if it is at most a third of its length (rounded up)
 * away, else NULL.
 */
const char *str_nearest(const char *word, const char *(*next)(void *state),
                        void *state);

#endif

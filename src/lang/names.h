/*
 * names: what $NAME stands for, and sets of names.
 *
 * A hash table whose entries stay where they are, in the order in which they
 * were added. Start with { .arena = arena }. Private to src/lang/.
 */
#ifndef FORKLOAD_LANG_NAMES_H
#define FORKLOAD_LANG_NAMES_H

#include "lang/plan.h"

struct symbol {
	const char *name;
	struct place place;      /* where it was made */
	const struct word *value;  /* of a variable; NULL: a resource */
	size_t number;           /* a resource's index */
	bool used;               /* some word holds it */
	struct symbol *next;     /* the one added after it */
};

/* A name that was used and is not there. */
struct miss {
	const char *name;
	struct place place;
};

struct names {
	struct arena *arena;
	struct symbol *first, *last;
	size_t count;
	struct symbol **slots;
	size_t nslots;           /* a power of two, or 0 */
	struct miss *misses;
	size_t nmisses;
};

/* The entry of that name, or NULL. */
struct symbol *names_find(const struct names *names, const char *name,
                          size_t len);

/* A new entry, zeroed but for its name, which must not be there yet. */
struct symbol *names_add(struct names *names, const char *name, size_t len);

/* Notes that name was used at place without being there. */
void names_miss(struct names *names, const char *name, size_t len,
                struct place place);

/* "did you mean 'x'?" with the entry nearest to word, or NULL. */
const char *names_hint(const struct names *names, const char *word);

#endif

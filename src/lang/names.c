#include "names.h"

#include <stdint.h>
#include <string.h>

/* FNV-1a: http://www.isthe.com/chongo/tech/comp/fnv/ */
static uint64_t
hash_of(const char *name, size_t len)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < len; i++)
		hash = (hash ^ (unsigned char)name[i]) *
		       UINT64_C(0x100000001b3);
	return hash ^ hash >> 32;
}

/* The slot that holds the name, or the free one where it belongs. */
static struct symbol **
slot_of(const struct names *names, const char *name, size_t len)
{
	size_t mask = names->nslots - 1;
	size_t i = (size_t)hash_of(name, len) & mask;

	while (names->slots[i] && (strncmp(names->slots[i]->name, name, len) ||
	                           names->slots[i]->name[len]))
		i = (i + 1) & mask;
	return &names->slots[i];
}

struct symbol *
names_find(const struct names *names, const char *name, size_t len)
{
	return names->nslots ? *slot_of(names, name, len) : NULL;
}

static void
grow(struct names *names)
{
	names->nslots = names->nslots ? names->nslots * 2 : 64;
	names->slots = arena_array(names->arena, names->nslots,
	                           sizeof(struct symbol *));
	for (struct symbol *symbol = names->first; symbol;
	     symbol = symbol->next)
		*slot_of(names, symbol->name, strlen(symbol->name)) = symbol;
}

struct symbol *
names_add(struct names *names, const char *name, size_t len)
{
	struct symbol *symbol = arena_alloc(names->arena, sizeof(*symbol));

	if (names->count * 2 >= names->nslots)
		grow(names);
	symbol->name = arena_copy(names->arena, name, len);
	*slot_of(names, name, len) = symbol;
	if (names->last)
		names->last->next = symbol;
	else
		names->first = symbol;
	names->last = symbol;
	names->count++;
	return symbol;
}

void
names_miss(struct names *names, const char *name, size_t len,
           struct place place)
{
	struct miss *miss = arena_push(names->arena, &names->misses,
	                               &names->nmisses, sizeof(*miss));

	miss->name = arena_copy(names->arena, name, len);
	miss->place = place;
}

static const char *
next_name(void *state)
{
	const struct symbol **at = state, *symbol = *at;

	if (!symbol)
		return NULL;
	*at = symbol->next;
	return symbol->name;
}

const char *
names_hint(const struct names *names, const char *word)
{
	const struct symbol *at = names->first;
	const char *nearest = str_nearest(word, next_name, &at);

	return nearest ? arena_printf(names->arena, "did you mean '%s'?",
	                              nearest) : NULL;
}

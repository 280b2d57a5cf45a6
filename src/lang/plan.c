#include "plan.h"

#include <string.h>

#include "base/strbuf.h"

/* ---- words ------------------------------------------------------------- */

const char *
word_text(const struct word *word)
{
	if (word->npieces == 0)
		return "";
	return word->npieces == 1 ? word->pieces[0].text : NULL;
}

static const char *
piece_value(const struct piece *piece, const char *const *values)
{
	return piece->text ? piece->text : values[piece->resource];
}

char *
word_expand(struct arena *arena, const struct word *word,
            const char *const *values)
{
	size_t len = 0;
	char *text, *at;

	for (size_t i = 0; i < word->npieces; i++)
		len += strlen(piece_value(&word->pieces[i], values));
	text = at = arena_alloc(arena, len + 1);
	for (size_t i = 0; i < word->npieces; i++) {
		const char *value = piece_value(&word->pieces[i], values);

		len = strlen(value);
		memcpy(at, value, len);
		at += len;
	}
	return text;
}

/* ---- knobs ------------------------------------------------------------- */

static struct setting *
find(const struct settings *settings, int id, const char *key)
{
	for (size_t i = 0; i < settings->count; i++)
		if (settings->list[i].knob->id == id &&
		    strcmp(settings->list[i].key, key) == 0)
			return &settings->list[i];
	return NULL;
}

const struct setting *
settings_find(const struct settings *settings, int id, const char *key)
{
	return find(settings, id, key);
}

struct settings
settings_merge(struct arena *arena, const struct settings *base,
               const struct settings *over)
{
	struct settings merged = { NULL, base->count };

	if (!over->count)
		return *base;
	merged.list = arena_array(arena, base->count + over->count,
	                          sizeof(*merged.list));
	if (base->count)
		memcpy(merged.list, base->list,
		       base->count * sizeof(*merged.list));
	for (size_t i = 0; i < over->count; i++) {
		const struct setting *new = &over->list[i];
		struct setting *old = find(&merged, new->knob->id, new->key);

		if (!old)
			old = &merged.list[merged.count++];
		*old = *new;
	}
	return merged;
}

bool
commands_exec(const struct command *commands, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (commands[i].kind == COMMAND_RUN ||
		    commands[i].kind == COMMAND_SH ||
		    commands_exec(commands[i].body, commands[i].nbody))
			return true;
	return false;
}

/* ---- expectations ------------------------------------------------------ */

const char *const counter_names[] = { "execs", "forks", "failures", NULL };
const char *const compare_names[] = { "=", "!=", "<", "<=", ">", ">=", NULL };

bool
compare_holds(int64_t have, const char *compare, int64_t want)
{
	bool or_equal = compare[1] == '=';

	switch (compare[0]) {
	case '=':
		return have == want;
	case '!':
		return have != want;
	case '<':
		return have < want || (or_equal && have == want);
	default:
		return have > want || (or_equal && have == want);
	}
}

/* compare_environment: what two sides' runs were made in, where it differs. */
#include "compare.h"

#include <string.h>

/* What is another one in each run, or tells of the run itself. */
static bool
is_of_a_run(const char *key)
{
	static const char *const keys[] = {
		"boot", "boot id", "seed", "split", "load average", "started",
		"ended", "steal", "operations", NULL
	};

	for (size_t i = 0; keys[i]; i++)
		if (strcmp(keys[i], key) == 0)
			return true;
	return str_starts(key, "load") || str_starts(key, "steal");
}

static bool
is_length(const char *key)
{
	return str_ends(key, " bytes") || strcmp(key, "variant") == 0;
}

/* How much of a value is of the machine: of memory not what is free. */
static size_t
part_of(const char *key, const char *value)
{
	return strcmp(key, "memory") == 0 ? strcspn(value, ",") :
	       strlen(value);
}

/* The values of one key on a side, each once. */
struct told {
	const char **values;
	size_t count;
	bool several;            /* in one run */
	bool varies;             /* from run to run */
};

static bool
is_told(const struct told *told, const char *value)
{
	for (size_t i = 0; i < told->count; i++)
		if (strcmp(told->values[i], value) == 0)
			return true;
	return false;
}

static void
add(struct arena *arena, struct told *told, const char *value)
{
	*(const char **)arena_push(arena, &told->values, &told->count,
	                           sizeof(value)) = value;
}

static struct told
values_of(struct arena *arena, const struct side *side, const char *key)
{
	struct told told = { 0 };

	for (size_t i = 0; i < side->archive.nruns; i++) {
		const struct archive_run *run = &side->archive.runs[i];
		size_t had = told.count, here = 0;

		for (size_t f = 0; f < run->nfacts; f++) {
			const char *value = run->facts[f].value;

			if (strcmp(run->facts[f].key, key) != 0)
				continue;
			here++;
			value = arena_copy(arena, value, part_of(key, value));
			if (!is_told(&told, value))
				add(arena, &told, value);
		}
		told.several |= here > 1;
		told.varies |= had && told.count > had;
	}
	return told;
}

/* As one text; without those of other, where it is not NULL. */
static const char *
in_words(struct arena *arena, const struct told *told,
         const struct told *other)
{
	struct strbuf text = { .arena = arena };

	for (size_t i = 0; i < told->count; i++)
		if (!other || !is_told(other, told->values[i]))
			strbuf_printf(&text, "%s%s", text.len ? ", " : "",
			              told->values[i]);
	return text.len ? text.text : told->count ? "(none)" : "(not told)";
}

static bool
differ(const struct told *a, const struct told *b)
{
	for (size_t i = 0; i < a->count; i++)
		if (!is_told(b, a->values[i]))
			return true;
	return a->count != b->count;
}

static void
look_at(struct arena *arena, const struct side *a, const struct side *b,
        const char *key, struct compare_table *table)
{
	struct compare_difference *difference;
	struct told before = values_of(arena, a, key);
	struct told after = values_of(arena, b, key);
	bool several = before.several || after.several;
	bool differing = differ(&before, &after);

	/* What varies within a side is told too: it is no one thing. */
	if (!differing && !before.varies && !after.varies)
		return;
	table->two_builds |= differing && strcmp(key, "kernel") == 0;
	table->lengths |= differing && is_length(key);
	table->other_workload |= differing && strcmp(key, "workload") == 0;
	difference = arena_push(arena, &table->differences,
	                        &table->ndifferences, sizeof(*difference));
	difference->key = key;
	difference->before = in_words(arena, &before, several && differing ?
	                              &after : NULL);
	difference->after = in_words(arena, &after, several && differing ?
	                             &before : NULL);
}

static bool
has_facts(const struct side *side)
{
	for (size_t i = 0; i < side->archive.nruns; i++)
		if (side->archive.runs[i].nfacts)
			return true;
	return false;
}

void
compare_environments(struct arena *arena, const struct side *a,
                     const struct side *b, struct compare_table *table)
{
	const struct side *sides[] = { a, b };
	struct told keys = { 0 };

	/* Lists tell nothing: that is no difference. */
	if (!has_facts(a) || !has_facts(b))
		return;
	for (int s = 0; s < 2; s++)
		for (size_t i = 0; i < sides[s]->archive.nruns; i++) {
			const struct archive_run *run =
				&sides[s]->archive.runs[i];

			for (size_t f = 0; f < run->nfacts; f++)
				if (!is_told(&keys, run->facts[f].key))
					add(arena, &keys, run->facts[f].key);
		}
	for (size_t i = 0; i < keys.count; i++)
		if (!is_of_a_run(keys.values[i]))
			look_at(arena, a, b, keys.values[i], table);
}

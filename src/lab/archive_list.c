/*
 * archive_list: lines of other tools, as people paste them into mails.
 *
 * lmbench:   "Simple syscall: 0.3180 microseconds", also with the name of its
 *            results file before it ("host.5:"), as grep prints it
 * UnixBench: "COUNT|35861159|1|lps": a number, what it is for in seconds, and
 *            what was counted
 */
#include "archive_internal.h"

#include <string.h>

struct unit {
	const char *name;        /* as it stands in the line */
	const char *shown;
	int64_t scale;
	bool higher_is_better;
};

static const struct unit units[] = {
	{ "microseconds", "us", 1000000, false },
	{ "KB/sec", "KB/sec", 1000, true },
	{ "MB/sec", "MB/sec", 1000, true },
};

#define NUNITS (sizeof(units) / sizeof(units[0]))

static void
add_value(struct reader *reader, const char *name, const char *key,
          const struct unit *unit, int64_t value)
{
	struct archive_series *series =
		archive_series_of(reader, archive_list(reader), key);

	series->parts[0] = name;
	series->unit = unit->shown;
	series->scale = unit->scale;
	series->higher_is_better = unit->higher_is_better;
	archive_add_block(reader, series)->value = value;
}

/* ---- lmbench ----------------------------------------------------------- */

/* Behind "host.5:", where the text begins so. */
static const char *
without_host(const char *text)
{
	size_t len = strcspn(text, ": \t"), digits = 0;

	while (digits < len && text[len - digits - 1] >= '0' &&
	       text[len - digits - 1] <= '9')
		digits++;
	if (text[len] == ':' && digits > 0 && digits < len &&
	    text[len - digits - 1] == '.')
		return text + len + 1 + strspn(text + len + 1, " \t");
	return text;
}

static const struct unit *
find_unit(const char *text)
{
	size_t len = strlen(text);

	while (len && (text[len - 1] == ' ' || text[len - 1] == '\t'))
		len--;
	for (size_t i = 0; i < NUNITS; i++)
		if (strlen(units[i].name) == len &&
		    memcmp(units[i].name, text, len) == 0)
			return &units[i];
	return NULL;
}

static void
read_lmbench(struct reader *reader, const char *text)
{
	const char *name = without_host(text);
	const char *colon = strrchr(name, ':'), *at;
	const struct unit *unit;
	int64_t value;
	char *copy;

	if (!colon || colon == name)
		return;
	at = colon + 1 + strspn(colon + 1, " \t");
	/* Its scale is not known yet: the unit stands behind the number. */
	unit = find_unit(at + strspn(at, "0123456789.") +
	                 strspn(at + strspn(at, "0123456789."), " \t"));
	if (!unit || archive_decimal(&at, unit->scale, &value) < 0 ||
	    (*at != ' ' && *at != '\t'))
		return;
	copy = arena_copy(reader->arena, name, (size_t)(colon - name));
	add_value(reader, copy, arena_printf(reader->arena, "%s: %s", copy,
	                                     unit->shown), unit, value);
}

/* ---- UnixBench --------------------------------------------------------- */

static void
read_unixbench(struct reader *reader, const char *text)
{
	const char *at = text + strlen("COUNT|"), *base;
	struct unit unit = { .scale = 1000, .higher_is_better = true };
	int64_t value;
	size_t len;

	if (archive_decimal(&at, unit.scale, &value) < 0 || *at != '|')
		return;
	base = at + 1;
	len = strcspn(base, "|");
	at = base + len + 1;
	if (len == 0 || base[len] != '|' || strcspn(at, "| \t") == 0)
		return;
	unit.shown = arena_copy(reader->arena, at, strcspn(at, "| \t"));
	add_value(reader, strncmp(base, "1|", 2) == 0 ? "COUNT" :
	          arena_printf(reader->arena, "COUNT|%.*s", (int)len, base),
	          arena_printf(reader->arena, "COUNT|%.*s|%s", (int)len, base,
	                       unit.shown), &unit, value);
}

void
archive_list_line(struct reader *reader, const struct line *line)
{
	if (strncmp(line->text, "COUNT|", 6) == 0)
		read_unixbench(reader, line->text);
	else
		read_lmbench(reader, line->text);
}

/*
 * archive_console: results in the log of a console.
 *
 * Whatever stands before, behind or between the lines, and whatever was lost:
 * only a text that has its right check value behind it is taken. Prefixes (a
 * logger's time stamps) are found by trying where a line may begin.
 */
#include "archive_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "lab/benchfmt.h"

#define MARK_LEN  (sizeof(BENCHFMT_MARK) - 1)
#define CHECK_LEN 8

struct log {
	struct reader *reader;
	bool inside;             /* between markers */
	bool torn;               /* a line's beginning was damaged, its end */
	                         /* may follow */
};

/* The next mark with a value behind it, from at on; NULL: none. */
static const char *
next_mark(const char *at)
{
	for (at = strstr(at, BENCHFMT_MARK); at;
	     at = strstr(at + 1, BENCHFMT_MARK))
		if (strspn(at + MARK_LEN, "0123456789abcdef") >= CHECK_LEN)
			return at;
	return NULL;
}

/* May a line of results begin here? */
static bool
may_begin(const char *at)
{
	const char *key = at + 2;

	if (strncmp(at, BENCHFMT_NAME, strlen(BENCHFMT_NAME)) == 0)
		return true;
	return strncmp(at, "# ", 2) == 0 && strspn(key,
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") > 0;
}

static const char *
next_beginning(const char *at, const char *end)
{
	while (at < end && !may_begin(at))
		at++;
	return at < end ? at : NULL;
}

/* The text before the mark that its value is right for; NULL: none. */
static const char *
find_text(const char *from, const char *mark)
{
	char digits[CHECK_LEN + 1] = "";
	uint32_t check;

	memcpy(digits, mark + MARK_LEN, CHECK_LEN);
	check = (uint32_t)strtoul(digits, NULL, 16);
	for (const char *at = next_beginning(from, mark); at;
	     at = next_beginning(at + 1, mark))
		if (benchfmt_check(at, (size_t)(mark - at)) == check)
			return at;
	return NULL;
}

bool
archive_is_console(const struct line *lines, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const char *mark = next_mark(lines[i].text);

		/* The marker may be damaged, and the lines be right. */
		if (strstr(lines[i].text, BENCHFMT_BEGIN) ||
		    (mark && find_text(lines[i].text, mark)))
			return true;
	}
	return false;
}

static void
take(struct log *log, const char *from, const char *at, const char *mark)
{
	struct reader *reader = log->reader;
	struct line line = { .len = (size_t)(mark - at), .whole = true };

	/* The line before it lost its end: it is not the one that counts. */
	if (next_beginning(from, at)) {
		reader->damaged++;
		reader->last = NULL;
	}
	line.text = arena_copy(reader->arena, at, line.len);
	archive_line(reader, &line);
}

/* Text without a right value: a message of the kernel, or what was ours. */
static void
pass_over(struct log *log, const char *from, const char *end, bool marked)
{
	bool begins = next_beginning(from, end) != NULL;

	if (!log->inside || (!begins && !marked))
		return;
	if (begins || !log->torn)
		log->reader->damaged++;
	log->reader->last = NULL;
	log->torn = begins && !marked;
}

static void
read_line(struct log *log, const struct line *line)
{
	const char *from = line->text, *mark;

	while ((mark = next_mark(from)) != NULL) {
		const char *at = find_text(from, mark);

		if (at) {
			take(log, from, at, mark);
			log->torn = false;
		} else {
			pass_over(log, from, mark, true);
		}
		from = mark + MARK_LEN + CHECK_LEN;
	}
	pass_over(log, from, line->text + line->len, false);
}

void
archive_console(struct reader *reader, const struct line *lines, size_t count)
{
	struct log log = { .reader = reader };

	for (size_t i = 0; i < count; i++) {
		bool begins = strstr(lines[i].text, BENCHFMT_BEGIN) != NULL;
		bool ends = strstr(lines[i].text, BENCHFMT_END) != NULL;

		if (begins || ends) {
			archive_run_ends(reader);
			log.inside = begins;
			log.torn = false;
		} else {
			read_line(&log, &lines[i]);
		}
	}
}

#include "source.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

#define LARGEST      ((size_t)64 << 20)
#define LONGEST_TEXT 300         /* of a message, in bytes */
#define MOST_SHOWN   100         /* complaints */
#define WINDOW       100         /* characters of a line that are shown */
#define BEFORE_CARET 60          /* of them, where it must be cut */

/* ---- reading ----------------------------------------------------------- */

static int
read_fd(struct arena *arena, int fd, struct source *out, struct errmsg *why)
{
	size_t room = (size_t)64 << 10, len = 0;
	char *text = arena_alloc(arena, room + 1);

	for (;;) {
		ssize_t n = read_all(fd, text + len, room - len);
		char *larger;

		if (n < 0)
			return errmsg_errno(why, "cannot read %s", out->name);
		len += (size_t)n;
		if (len < room)
			break;
		if (room >= LARGEST)
			return errmsg_set(why, "cannot read %s: larger than "
			                  "64m", out->name);
		larger = arena_alloc(arena, room * 2 + 1);
		memcpy(larger, text, len);
		text = larger;
		room *= 2;
	}
	text[len] = '\0';
	out->text = text;
	out->len = len;
	return 0;
}

int
source_read(struct arena *arena, const char *path, struct source *out,
            struct errmsg *why)
{
	int fd, result;

	out->name = path;
	if (strcmp(path, "-") == 0)
		return read_fd(arena, STDIN_FILENO, out, why);
	fd = open_file(path, O_RDONLY, 0);
	if (fd < 0)
		return errmsg_errno(why, "cannot open %s", path);
	result = read_fd(arena, fd, out, why);
	close(fd);
	return result;
}

/* ---- characters -------------------------------------------------------- */

/*
 * How many bytes the UTF-8 character at text has; 0 where there is none. The
 * forms that are too long and the surrogates are not told from others: what
 * matters here is only what takes one column.
 */
static size_t
utf8_len(const char *text, size_t room)
{
	const unsigned char *at = (const unsigned char *)text;
	size_t len = at[0] < 0x80 ? 1 : at[0] >= 0xc2 && at[0] < 0xe0 ? 2 :
	             at[0] >= 0xe0 && at[0] < 0xf0 ? 3 :
	             at[0] >= 0xf0 && at[0] < 0xf5 ? 4 : 0;

	if (len > room)
		return 0;
	for (size_t i = 1; i < len; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	return len;
}

/* How many bytes to step over, for whatever stands there. */
static size_t
char_len(const char *text, size_t room)
{
	size_t len = utf8_len(text, room);

	return len ? len : 1;
}

static bool
is_control(const char *text, size_t len)
{
	unsigned char c = (unsigned char)text[0];

	if (len == 2 && c == 0xc2)
		return (unsigned char)text[1] < 0xa0;
	return c < 0x20 || c == 0x7f;
}

/* One character as a terminal may see it; tabs stay. */
static void
add_char(struct strbuf *out, const char *text, size_t room)
{
	size_t len = utf8_len(text, room);

	if (!len || (is_control(text, len) && *text != '\t'))
		strbuf_putc(out, '?');
	else
		strbuf_add(out, text, len);
}

/* ---- collecting -------------------------------------------------------- */

/* A user's word within a message may be long, or hold anything. */
static const char *
presentable(struct arena *arena, const char *text)
{
	struct strbuf out = { .arena = arena };
	size_t len = strlen(text), at = 0;

	while (at < len && at < LONGEST_TEXT) {
		if (text[at] == '\t')
			strbuf_putc(&out, '?');
		else
			add_char(&out, text + at, len - at);
		at += char_len(text + at, len - at);
	}
	if (at < len)
		strbuf_puts(&out, "...");
	return out.text ? out.text : "";
}

void
complain(struct complaints *complaints, struct place place, const char *hint,
         const char *format, ...)
{
	/* Enough for what presentable() keeps, with room for a cut one. */
	char text[LONGEST_TEXT * 2];
	struct complaint *complaint;
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	complaint = arena_push(complaints->arena, &complaints->list,
	                       &complaints->count, sizeof(*complaint));
	complaint->place = place;
	complaint->message = presentable(complaints->arena, text);
	complaint->hint = hint ? presentable(complaints->arena, hint) : NULL;
}

/* ---- order ------------------------------------------------------------- */

struct ranked {
	const struct complaint *complaint;
	size_t rank;             /* of its source, by first appearance */
	size_t nth;
};

/* Without a place: behind all others. */
static int
by_place(const void *one, const void *other)
{
	const struct ranked *a = one, *b = other;
	size_t at = a->complaint->place.offset;
	size_t bt = b->complaint->place.offset;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	if (at != bt)
		return at < bt ? -1 : 1;
	return a->nth < b->nth ? -1 : a->nth > b->nth;
}

static size_t
rank_of(const struct source *source, const struct source **seen, size_t *nseen)
{
	if (!source)
		return SIZE_MAX;
	/* Most often it is the one of the complaint before. */
	for (size_t i = *nseen; i > 0; i--)
		if (seen[i - 1] == source)
			return i - 1;
	seen[*nseen] = source;
	return (*nseen)++;
}

static bool
is_same(const struct complaint *a, const struct complaint *b)
{
	return a->place.source && a->place.source == b->place.source &&
	       a->place.offset == b->place.offset &&
	       strcmp(a->message, b->message) == 0;
}

/* A step's knob that does not suit three of its commands is told once. */
static size_t
drop_same(struct ranked *order, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (!kept || !is_same(order[kept - 1].complaint,
		                      order[i].complaint))
			order[kept++] = order[i];
	return kept;
}

static struct ranked *
in_order(const struct complaints *complaints, size_t *count)
{
	size_t n = complaints->count, nseen = 0;
	const struct source **seen =
		arena_array(complaints->arena, n, sizeof(*seen));
	struct ranked *order = arena_array(complaints->arena, n,
	                                   sizeof(*order));

	for (size_t i = 0; i < n; i++) {
		order[i].complaint = &complaints->list[i];
		order[i].nth = i;
		order[i].rank = rank_of(complaints->list[i].place.source, seen,
		                        &nseen);
	}
	if (n)
		qsort(order, n, sizeof(*order), by_place);
	*count = drop_same(order, n);
	return order;
}

/* ---- showing ----------------------------------------------------------- */

/* Where a place lies in its text; the line is without its end. */
struct spot {
	size_t line;             /* from 1 */
	size_t column;           /* in characters, from 1 */
	const char *text;
	size_t len;
	size_t at;               /* the place's offset in the line */
	size_t marks;            /* characters to underline, at least 1 */
};

static struct spot
spot_of(struct place place)
{
	const char *text = place.source->text;
	const char *end = text + place.source->len;
	size_t at = place.offset < place.source->len ? place.offset :
	            place.source->len;
	struct spot spot = { .line = 1, .column = 1, .text = text };
	const char *newline;
	size_t stop;

	while ((newline = memchr(spot.text, '\n',
	                         (size_t)(text + at - spot.text)))) {
		spot.text = newline + 1;
		spot.line++;
	}
	newline = memchr(text + at, '\n', (size_t)(end - text) - at);
	spot.len = (size_t)((newline ? newline : end) - spot.text);
	if (spot.len && spot.text[spot.len - 1] == '\r')
		spot.len--;
	spot.at = (size_t)(text + at - spot.text);
	if (spot.at > spot.len)
		spot.at = spot.len;
	for (size_t i = 0; i < spot.at; spot.column++)
		i += char_len(spot.text + i, spot.at - i);
	stop = place.len < spot.len - spot.at ? spot.at + place.len : spot.len;
	for (size_t i = spot.at; i < stop; spot.marks++)
		i += char_len(spot.text + i, stop - i);
	if (!spot.marks)
		spot.marks = 1;
	return spot;
}

/* The offset of the character that many behind from, or the line's end. */
static size_t
forward(const struct spot *spot, size_t from, size_t chars)
{
	for (; chars && from < spot->len; chars--)
		from += char_len(spot->text + from, spot->len - from);
	return from;
}

static void
show_marks(const struct spot *spot, size_t from, size_t to, const char *hint,
           struct strbuf *out)
{
	size_t marks = spot->marks, room = 0;

	strbuf_puts(out, "      | ");
	if (from)
		strbuf_puts(out, "   ");
	for (size_t i = from; i < spot->at;
	     i += char_len(spot->text + i, spot->at - i))
		strbuf_putc(out, spot->text[i] == '\t' ? '\t' : ' ');
	for (size_t i = spot->at; i < to; room++)
		i += char_len(spot->text + i, to - i);
	if (room && marks > room)
		marks = room;
	strbuf_putc(out, '^');
	while (--marks)
		strbuf_putc(out, '~');
	if (hint)
		strbuf_printf(out, " %s", hint);
	strbuf_putc(out, '\n');
}

static void
show_line(const struct spot *spot, const char *hint, struct strbuf *out)
{
	size_t from = 0, to = spot->len;

	if (forward(spot, 0, WINDOW) < spot->len) {
		if (spot->column > BEFORE_CARET)
			from = forward(spot, 0, spot->column - BEFORE_CARET);
		to = forward(spot, from, WINDOW);
	}
	strbuf_printf(out, "%5zu | %s", spot->line, from ? "..." : "");
	for (size_t i = from; i < to; i += char_len(spot->text + i, to - i))
		add_char(out, spot->text + i, to - i);
	strbuf_printf(out, "%s\n", to < spot->len ? "..." : "");
	show_marks(spot, from, to, hint, out);
}

static void
show_one(const struct complaint *complaint, bool color, struct strbuf *out)
{
	struct spot spot;

	if (!complaint->place.source) {
		strbuf_printf(out, "forkload: %s", complaint->message);
		if (complaint->hint)
			strbuf_printf(out, " (%s)", complaint->hint);
		strbuf_putc(out, '\n');
		return;
	}
	spot = spot_of(complaint->place);
	strbuf_printf(out, "%s:%zu:%zu: %serror:%s %s\n",
	              complaint->place.source->name, spot.line, spot.column,
	              color ? "\033[1;31m" : "", color ? "\033[0m" : "",
	              complaint->message);
	show_line(&spot, complaint->hint, out);
}

void
complaints_show(const struct complaints *complaints, bool color,
                struct strbuf *out)
{
	size_t n;
	struct ranked *order = in_order(complaints, &n);

	for (size_t i = 0; i < n && i < MOST_SHOWN; i++)
		show_one(order[i].complaint, color, out);
	if (n > MOST_SHOWN)
		strbuf_printf(out, "and %zu more\n", n - MOST_SHOWN);
	strbuf_printf(out, "forkload: %zu error%s, nothing was run\n", n,
	              n == 1 ? "" : "s");
}

#include "strbuf.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 31

static void
make_room(struct strbuf *buf, size_t more)
{
	size_t want = buf->room ? buf->room : 256;
	char *larger;

	if (buf->room - buf->len > more)
		return;
	while (want - buf->len <= more)
		want *= 2;
	larger = arena_alloc(buf->arena, want);
	if (buf->len)
		memcpy(larger, buf->text, buf->len);
	buf->text = larger;
	buf->room = want;
}

void
strbuf_add(struct strbuf *buf, const char *data, size_t len)
{
	make_room(buf, len);
	memcpy(buf->text + buf->len, data, len);
	buf->len += len;
	buf->text[buf->len] = '\0';
}

void
strbuf_puts(struct strbuf *buf, const char *text)
{
	strbuf_add(buf, text, strlen(text));
}

void
strbuf_putc(struct strbuf *buf, char c)
{
	strbuf_add(buf, &c, 1);
}

void
strbuf_printf(struct strbuf *buf, const char *format, ...)
{
	va_list args;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		return;
	make_room(buf, (size_t)len);
	va_start(args, format);
	vsnprintf(buf->text + buf->len, (size_t)len + 1, format, args);
	va_end(args);
	buf->len += (size_t)len;
}

bool
str_starts(const char *text, const char *prefix)
{
	return strncmp(text, prefix, strlen(prefix)) == 0;
}

bool
str_ends(const char *text, const char *suffix)
{
	size_t len = strlen(text), tail = strlen(suffix);

	return len >= tail && strcmp(text + len - tail, suffix) == 0;
}

const char *
path_base(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash && slash[1] ? slash + 1 : path;
}

static unsigned
least(unsigned a, unsigned b)
{
	return a < b ? a : b;
}

unsigned
str_distance(const char *one, const char *other)
{
	size_t m = strlen(one), n = strlen(other);
	unsigned row[LONGEST + 1][LONGEST + 1];

	if (m > LONGEST || n > LONGEST)
		return 99;
	for (size_t i = 0; i <= m; i++)
		row[i][0] = (unsigned)i;
	for (size_t j = 0; j <= n; j++)
		row[0][j] = (unsigned)j;
	for (size_t i = 1; i <= m; i++)
		for (size_t j = 1; j <= n; j++) {
			unsigned differs = one[i - 1] != other[j - 1];
			unsigned best = row[i - 1][j - 1] + differs;

			best = least(best, row[i - 1][j] + 1);
			best = least(best, row[i][j - 1] + 1);
			if (i > 1 && j > 1 && one[i - 1] == other[j - 2] &&
			    one[i - 2] == other[j - 1])
				best = least(best, row[i - 2][j - 2] + 1);
			row[i][j] = best;
		}
	return row[m][n];
}

const char *
str_nearest(const char *word, const char *(*next)(void *state), void *state)
{
	const char *name, *nearest = NULL;
	unsigned least_so_far = 99;

	while ((name = next(state))) {
		unsigned distance = str_distance(word, name);
		size_t len = strlen(name);

		if (distance < least_so_far && distance <= (len + 2) / 3) {
			least_so_far = distance;
			nearest = name;
		}
	}
	return nearest;
}

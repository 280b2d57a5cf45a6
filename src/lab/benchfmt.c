#include "benchfmt.h"

#include <ctype.h>
#include <inttypes.h>
#include <string.h>

uint32_t
benchfmt_check(const char *text, size_t len)
{
	uint32_t check = 2166136261U;

	for (size_t i = 0; i < len; i++)
		check = (check ^ (unsigned char)text[i]) * 16777619U;
	return check;
}

/* ---- names ------------------------------------------------------------- */

/* Is it a '-' with nothing but digits behind it? */
static bool
begins_number(const char *at)
{
	size_t digits = *at == '-' ? strspn(at + 1, "0123456789") : 0;

	return digits > 0 && at[1 + digits] == '\0';
}

/* Would it end the name, its part, or be taken for a number of processors? */
static bool
must_be_encoded(const char *at, bool begins_name)
{
	unsigned char c = (unsigned char)*at;

	if (c <= ' ' || c == '%' || c == '/' || c == 0x7f)
		return true;
	/* It might be a small letter that is none of ASCII's. */
	return (begins_name && c >= 0x80) || begins_number(at);
}

void
benchfmt_part(struct strbuf *out, const char *part, bool first)
{
	for (const char *at = part; *at; at++) {
		bool begins = first && at == part;

		if (must_be_encoded(at, begins))
			strbuf_printf(out, "%%%02X", (unsigned char)*at);
		else if (begins)
			strbuf_putc(out, (char)toupper((unsigned char)*at));
		else
			strbuf_putc(out, *at);
	}
}

static int
hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c = (char)(c | 0x20);
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

char *
benchfmt_unpart(struct arena *arena, const char *text, size_t len)
{
	char *part = arena_alloc(arena, len + 1);
	size_t n = 0;

	for (size_t i = 0; i < len; i++) {
		int high = -1, low = -1;

		if (text[i] == '%' && len - i > 2) {
			high = hex_digit(text[i + 1]);
			low = hex_digit(text[i + 2]);
		}
		/* No name holds a NUL: it would end it here. */
		if (high >= 0 && low >= 0 && high + low > 0) {
			part[n++] = (char)(high * 16 + low);
			i += 2;
		} else {
			part[n++] = text[i];
		}
	}
	return part;
}

/* ---- a console's copy -------------------------------------------------- */

void
benchfmt_console(struct strbuf *out, const char *lines, size_t len)
{
	strbuf_puts(out, BENCHFMT_BEGIN "\n");
	while (len) {
		const char *end = memchr(lines, '\n', len);
		size_t n = end ? (size_t)(end - lines) : len;

		strbuf_add(out, lines, n);
		strbuf_printf(out, BENCHFMT_MARK "%08" PRIx32 "\n",
		              benchfmt_check(lines, n));
		n += end != NULL;
		lines += n;
		len -= n;
	}
	strbuf_puts(out, BENCHFMT_END "\n");
}

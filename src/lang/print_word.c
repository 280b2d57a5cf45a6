#include "print_internal.h"

#include <string.h>

/* ---- words ------------------------------------------------------------- */

static bool
is_safe(unsigned char c, enum position position)
{
	if ((c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
	    (c >= 'A' && c <= 'Z') || c >= 0x80)
		return true;
	if (!c)
		return false;
	if (strchr("-+_.,:/%^~{}!@", c))
		return true;
	if (c == '=')
		return position != POSITION_FIRST;
	return position == POSITION_PLAIN && strchr("<>*?[]|&", c);
}

static bool
is_bare(const char *text, enum position position)
{
	for (; *text; text++)
		if (!is_safe((unsigned char)*text, position))
			return false;
	return true;
}

/*
 * Text between double quotes or in a heredoc that expands. A '\r' before a
 * '\n' must not be read as a line's end: an empty joined line parts them.
 */
static void
print_escaped(const char *text, const char *special, struct strbuf *out)
{
	for (; *text; text++) {
		if (strchr(special, *text))
			strbuf_putc(out, '\\');
		strbuf_putc(out, *text);
		if (text[0] == '\r' && text[1] == '\n')
			strbuf_puts(out, "\\\n");
	}
}

static void
print_text(const char *text, enum position position, struct strbuf *out)
{
	bool applet = position == POSITION_FIRST && *text == '@';

	if (*text && !applet && is_bare(text, position)) {
		strbuf_puts(out, text);
	} else if (!strchr(text, '\'') && !strstr(text, "\r\n")) {
		strbuf_printf(out, "'%s'", text);
	} else {
		strbuf_putc(out, '"');
		print_escaped(text, "\"\\$`", out);
		strbuf_putc(out, '"');
	}
}

void
print_word(const char *text, struct strbuf *out)
{
	print_text(text, POSITION_FIRST, out);
}

void
put_text(struct printer *p, const char *text, enum position position)
{
	print_text(text, position, p->out);
}

/* Braces only where the name would run into what follows. */
static void
put_name(struct printer *p, const struct word *word, size_t i)
{
	const char *name = p->plan->resources[word->pieces[i].resource].name;
	const char *next = i + 1 < word->npieces ? word->pieces[i + 1].text :
	                   NULL;
	unsigned char c = next ? (unsigned char)*next : 0;
	bool runs_on = c == '_' || (c >= '0' && c <= '9') ||
	               (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');

	strbuf_printf(p->out, runs_on ? "${%s}" : "$%s", name);
}

static void
put_pieces(struct printer *p, const struct word *word, const char *special)
{
	for (size_t i = 0; i < word->npieces; i++)
		if (word->pieces[i].text)
			print_escaped(word->pieces[i].text, special, p->out);
		else
			put_name(p, word, i);
}

void
put_word(struct printer *p, const struct word *word, enum position position)
{
	const char *text = word_text(word);
	bool bare = true;

	if (text) {
		print_text(text, position, p->out);
		return;
	}
	for (size_t i = 0; i < word->npieces && bare; i++)
		bare = !word->pieces[i].text ||
		       is_bare(word->pieces[i].text, position);
	if (position == POSITION_FIRST && word->pieces[0].text &&
	    *word->pieces[0].text == '@')
		bare = false;
	strbuf_puts(p->out, bare ? "" : "\"");
	put_pieces(p, word, bare ? "" : "\"\\$`");
	strbuf_puts(p->out, bare ? "" : "\"");
}

void
add_word(struct printer *p, const struct word *word, enum position position)
{
	strbuf_putc(p->out, ' ');
	put_word(p, word, position);
}

void
put_settings(struct printer *p, const struct settings *settings)
{
	for (size_t i = 0; i < settings->count; i++) {
		const struct setting *setting = &settings->list[i];

		strbuf_printf(p->out, " %s%s=", setting->knob->name,
		              setting->key);
		put_word(p, &setting->word, POSITION_WORD);
	}
}

/* ---- heredocs ---------------------------------------------------------- */

/* Can it stand in a heredoc as it is? */
static bool
is_literal(const char *text)
{
	return text && (!*text || str_ends(text, "\n")) &&
	       !strstr(text, "\r\n");
}

bool
ends_line(const struct word *word)
{
	const char *last = word->npieces ?
	                   word->pieces[word->npieces - 1].text : NULL;

	return last && str_ends(last, "\n");
}

/*
 * A tag that no line of the body is: END, behind it one '_' more than behind
 * any END that is a line.
 */
static void
put_tag(const char *body, struct strbuf *out)
{
	size_t tag = strlen("END");

	while (body) {
		size_t len = strcspn(body, "\r\n");

		if (len >= tag && memcmp(body, "END", 3) == 0 &&
		    3 + strspn(body + 3, "_") == len)
			tag = len + 1;
		body = strchr(body + len, '\n');
		body += body != NULL;
	}
	strbuf_puts(out, "END");
	while (tag-- > strlen("END"))
		strbuf_putc(out, '_');
}

void
put_here(struct printer *p, const struct word *word)
{
	const char *text = word_text(word);
	bool literal = is_literal(text);
	struct strbuf *out = p->out;
	struct strbuf body = { .arena = out->arena };
	struct strbuf tag = { .arena = out->arena };

	strbuf_puts(&body, "");
	p->out = &body;
	if (literal)
		strbuf_puts(&body, text);
	else
		put_pieces(p, word, "\\$");
	p->out = out;
	/* Without a newline at its end: a joined one is none. */
	if (!literal && !ends_line(word))
		strbuf_puts(&body, "\\\n");
	put_tag(body.text, &tag);
	strbuf_printf(out, literal ? "<<'%s'" : "<<%s", tag.text);
	strbuf_printf(&p->heres, "%s%s\n", body.text, tag.text);
}

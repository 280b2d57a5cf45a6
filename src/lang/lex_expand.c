/*
 * What stands within words: quotes, names, heredocs.
 */
#include <string.h>

#include "lex.h"

#define DEEPEST 16               /* ${a:-${b:-...}} */

/* ---- names ------------------------------------------------------------- */

static void
add_name(struct lexer *lex, const struct symbol *symbol)
{
	const struct word *value = symbol->value;

	if (!value) {
		word_add_resource(lex, symbol->number);
		return;
	}
	for (size_t i = 0; i < value->npieces; i++)
		if (value->pieces[i].text)
			strbuf_puts(&lex->text, value->pieces[i].text);
		else
			word_add_resource(lex, value->pieces[i].resource);
}

static void
expand(struct lexer *lex, const char *name, size_t len, struct place place)
{
	struct symbol *symbol = names_find(lex->names, name, len);

	if (lex->unused)
		return;
	if (symbol) {
		symbol->used = true;
		add_name(lex, symbol);
		return;
	}
	if (!lex->bad && !lex->quiet)
		names_miss(lex->names, name, len, place);
	lex->bad = true;
}

static size_t
name_length(const struct lexer *lex)
{
	const char *text = lex->source->text;
	size_t at = lex->at;

	if (at < lex->end && lex_is_name_start((unsigned char)text[at]))
		while (at < lex->end && lex_is_name((unsigned char)text[at]))
			at++;
	return at - lex->at;
}

/* The text of ${id:-text}, up to the brace, which remains. */
static void
lex_default(struct lexer *lex, bool quoted, size_t from)
{
	int c;

	while ((c = lex_peek(lex)) != '}') {
		if (c == LEX_END || c == '\n') {
			lex_wrong(lex, lex_place(lex, from), NULL,
			          "'${' has no '}'");
			return;
		}
		if (c == '$') {
			lex_dollar(lex, quoted);
		} else if (!quoted && c == '\'') {
			lex_single(lex);
		} else if (!quoted && c == '"') {
			lex_double(lex);
		} else {
			int next = lex_peek_behind(lex);

			if (c == '\\' && next != LEX_END && next != '\n') {
				lex_skip(lex);
				c = next;
			}
			word_add(lex, c);
			lex_skip(lex);
		}
	}
}

static void
lex_braces(struct lexer *lex, bool quoted)
{
	size_t from = lex->at - 1, len;
	const char *name;
	bool given;

	lex_skip(lex);
	name = lex->source->text + lex->at;
	len = name_length(lex);
	lex->at += len;
	if (!len) {
		lex_wrong(lex, lex_place(lex, from), NULL, "'${' has no name");
	} else if (lex_peek(lex) == '}') {
		lex_skip(lex);
		expand(lex, name, len, lex_place(lex, from));
	} else if (lex_peek(lex) != ':' || lex_peek_behind(lex) != '-') {
		lex_wrong(lex, lex_place(lex, from),
		          "there are ${NAME} and ${NAME:-TEXT}",
		          "'${' is not closed behind its name");
	} else if (lex->depth == DEEPEST) {
		lex_wrong(lex, lex_place(lex, from), NULL,
		          "'${' within '${', too deep");
	} else {
		given = names_find(lex->names, name, len) != NULL;
		if (given)
			expand(lex, name, len, lex_place(lex, from));
		lex->at += 2;
		lex->unused += given;
		lex->depth++;
		lex_default(lex, quoted, from);
		lex->depth--;
		lex->unused -= given;
		if (lex_peek(lex) == '}')
			lex_skip(lex);
	}
}

void
lex_dollar(struct lexer *lex, bool quoted)
{
	size_t from = lex->at, len;
	int c = lex_peek_behind(lex);

	lex_skip(lex);
	len = name_length(lex);
	if (len) {
		lex->at += len;
		expand(lex, lex->source->text + from + 1, len,
		       lex_place(lex, from));
	} else if (c == '{') {
		lex_braces(lex, quoted);
	} else {
		/* Only a shell would know "$(" and "$1". */
		if (!quoted && c > 0 && strchr("(0123456789@#!$-*?", c))
			lex_foreign(lex, (struct place){ lex->source, from,
			                                 2 });
		word_add(lex, '$');
	}
}

/* ---- quotes ------------------------------------------------------------ */

/*
 * The text between is most likely meant to end with its line; what was found
 * in it up to the file's end does not count.
 */
static void
unterminated(struct lexer *lex, size_t from, size_t misses)
{
	struct place place = { lex->source, from, 1 };

	complain(lex->complaints, place, NULL, "no closing quote");
	lex->names->nmisses = misses;
	lex->bad = true;
	lex->at = from;
	while (lex_peek(lex) != LEX_END && lex_peek(lex) != '\n')
		lex_skip(lex);
}

void
lex_single(struct lexer *lex)
{
	size_t from = lex->at, misses = lex->names->nmisses;
	int c;

	lex_skip(lex);
	while ((c = lex_peek(lex)) != '\'' && c != LEX_END) {
		word_add(lex, c);
		lex_skip(lex);
	}
	if (c == LEX_END)
		unterminated(lex, from, misses);
	else
		lex_skip(lex);
}

/*
 * As in a shell, "\" keeps its meaning before the characters of special; "\"
 * and a newline are nothing at all.
 */
static void
lex_quoted(struct lexer *lex, int stop, const char *special)
{
	int c;

	while ((c = lex_peek(lex)) != stop && c != LEX_END) {
		int next = lex_peek_behind(lex);

		if (c == '$') {
			lex_dollar(lex, true);
			continue;
		}
		if (c == '\\' && next == '\n') {
			lex_skip(lex);
			lex_skip(lex);
			continue;
		}
		if (c == '\\' && next > 0 && strchr(special, next)) {
			lex_skip(lex);
			c = next;
		}
		word_add(lex, c);
		lex_skip(lex);
	}
}

void
lex_double(struct lexer *lex)
{
	size_t from = lex->at, misses = lex->names->nmisses;

	lex_skip(lex);
	lex_quoted(lex, '"', "\"$`\\");
	if (lex_peek(lex) == LEX_END)
		unterminated(lex, from, misses);
	else
		lex_skip(lex);
}

/* ---- heredocs ---------------------------------------------------------- */

static bool
is_tag(int c)
{
	return lex_is_name(c) || c == '-' || c == '.';
}

void
lex_here_operator(struct lexer *lex, size_t from)
{
	struct here *here;
	size_t start;
	int quote, c;

	while ((c = lex_peek(lex)) == ' ' || c == '\t')
		lex_skip(lex);
	quote = c == '\'' || c == '"' ? c : 0;
	if (quote)
		lex_skip(lex);
	start = lex->at;
	while (is_tag(lex_peek(lex)))
		lex_skip(lex);
	if (lex->at == start || (quote && lex_peek(lex) != quote)) {
		lex_wrong(lex, lex_place(lex, from), "<<END or <<'END'",
		          "'<<' has no tag");
		return;
	}
	here = arena_push(lex->arena, &lex->heres, &lex->nheres,
	                  sizeof(*here));
	here->tag = arena_copy(lex->arena, lex->source->text + start,
	                       lex->at - start);
	here->expands = !quote;
	if (quote)
		lex_skip(lex);
	here->place = lex_place(lex, from);
}

/* Is the line at lex->at exactly the tag? */
static bool
at_tag(const struct lexer *lex, const char *tag)
{
	size_t len = strlen(tag), room = lex->end - lex->at;
	const char *line = lex->source->text + lex->at;

	if (room < len || memcmp(line, tag, len) != 0)
		return false;
	return room == len || line[len] == '\n' ||
	       (line[len] == '\r' &&
	        (room == len + 1 || line[len + 1] == '\n'));
}

static void
skip_line(struct lexer *lex)
{
	const char *at = lex->source->text + lex->at;
	const char *newline = memchr(at, '\n', lex->end - lex->at);

	lex->at = newline ? (size_t)(newline + 1 - lex->source->text) :
	                    lex->end;
}

static struct word
read_body(struct lexer *lex, const struct here *here, size_t from, size_t to)
{
	size_t end = lex->end, behind = lex->at;
	struct word word;

	lex->at = from;
	lex->end = to;
	word_begin(lex);
	if (here->expands) {
		lex_quoted(lex, LEX_END, "$`\\");
	} else {
		for (; lex_peek(lex) != LEX_END; lex_skip(lex))
			word_add(lex, lex_peek(lex));
	}
	word = word_end(lex, from);
	lex->end = end;
	lex->at = behind;
	return word;
}

void
lex_here_bodies(struct lexer *lex)
{
	for (size_t i = 0; i < lex->nheres; i++) {
		struct here *here = &lex->heres[i];
		size_t from = lex->at, to;

		while (lex->at < lex->end && !at_tag(lex, here->tag))
			skip_line(lex);
		to = lex->at;
		if (lex->at == lex->end) {
			complain(lex->complaints, here->place, NULL,
			         "no line '%s' ends this heredoc", here->tag);
			lex->broken = true;
			lex->nheres = 0;
			return;
		}
		skip_line(lex);
		here->text = read_body(lex, here, from, to);
		here->text.place = here->place;
	}
}

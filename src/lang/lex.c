#include "lex.h"

#include <stdio.h>
#include <string.h>

#define SHELL_HINT "quote it, or use sh"

/* ---- characters -------------------------------------------------------- */

static int
char_at(const struct lexer *lex, size_t at)
{
	const char *text = lex->source->text;

	if (at >= lex->end)
		return LEX_END;
	if (text[at] == '\r' && at + 1 < lex->end && text[at + 1] == '\n')
		return '\n';
	return (unsigned char)text[at];
}

static size_t
behind(const struct lexer *lex, size_t at)
{
	bool pair = char_at(lex, at) == '\n' && lex->source->text[at] == '\r';

	return at + (pair ? 2 : 1);
}

int
lex_peek(const struct lexer *lex)
{
	return char_at(lex, lex->at);
}

int
lex_peek_behind(const struct lexer *lex)
{
	return char_at(lex, behind(lex, lex->at));
}

void
lex_skip(struct lexer *lex)
{
	lex->at = behind(lex, lex->at);
}

bool
lex_is_name_start(int c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool
lex_is_name(int c)
{
	return lex_is_name_start(c) || (c >= '0' && c <= '9');
}

struct place
lex_place(const struct lexer *lex, size_t from)
{
	size_t len = lex->at > from ? lex->at - from : 1;

	return (struct place){ lex->source, from, len };
}

void
lex_wrong(struct lexer *lex, struct place place, const char *hint,
          const char *message)
{
	if (!lex->bad && !lex->quiet)
		complain(lex->complaints, place, hint, "%s", message);
	lex->bad = true;
}

void
lex_foreign(struct lexer *lex, struct place place)
{
	char message[40];

	snprintf(message, sizeof(message), "'%.*s' is not known here",
	         (int)place.len, lex->source->text + place.offset);
	lex_wrong(lex, place, SHELL_HINT, message);
}

/* ---- operators --------------------------------------------------------- */

struct operator {
	const char *text;
	const char *hint;        /* what to write instead; NULL: it exists */
	enum token_kind kind;
	enum redir_kind redir;
	int fd;
};

/* A longer one stands before those that it begins with. */
static const struct operator operators[] = {
	{ "<<<", "use <<TAG or sh", TOKEN_WRONG, 0, 0 },
	{ "<<-", "write <<TAG; tabs are kept", TOKEN_WRONG, 0, 0 },
	{ "<<", NULL, TOKEN_REDIR, REDIR_HERE, 0 },
	{ "<>", NULL, TOKEN_REDIR, REDIR_INOUT, 0 },
	{ "<&", NULL, TOKEN_REDIR, REDIR_DUP, 0 },
	{ "<(", SHELL_HINT, TOKEN_WRONG, 0, 0 },
	{ "<", NULL, TOKEN_REDIR, REDIR_IN, 0 },
	{ ">>", NULL, TOKEN_REDIR, REDIR_APPEND, 1 },
	{ ">&", NULL, TOKEN_REDIR, REDIR_DUP, 1 },
	{ ">|", "write '>'", TOKEN_WRONG, 0, 0 },
	{ ">(", SHELL_HINT, TOKEN_WRONG, 0, 0 },
	{ ">", NULL, TOKEN_REDIR, REDIR_OUT, 1 },
	{ "&>", "write '>FILE 2>&1'", TOKEN_WRONG, 0, 0 },
	{ "&&", SHELL_HINT, TOKEN_WRONG, 0, 0 },
	{ "&", NULL, TOKEN_BACKGROUND, 0, 0 },
	{ "||", SHELL_HINT, TOKEN_WRONG, 0, 0 },
	{ "|&", "write '2>&1 |'", TOKEN_WRONG, 0, 0 },
	{ "|", NULL, TOKEN_PIPE, 0, 0 },
	{ ";", SHELL_HINT, TOKEN_WRONG, 0, 0 },
};

static const struct operator *
operator_at(const struct lexer *lex, size_t at)
{
	size_t room = lex->end - at;

	for (size_t i = 0; i < sizeof(operators) / sizeof(*operators); i++) {
		const char *text = operators[i].text;
		size_t len = strlen(text);

		if (len <= room &&
		    memcmp(lex->source->text + at, text, len) == 0)
			return &operators[i];
	}
	return NULL;
}

/* The length of the descriptor's number before a redirection, else 0. */
static size_t
fd_digits(const struct lexer *lex)
{
	size_t n = 0;
	int c;

	while ((c = char_at(lex, lex->at + n)) >= '0' && c <= '9')
		n++;
	return c == '<' || c == '>' ? n : 0;
}

/* Reads an operator, or returns false where none stands. */
static bool
lex_operator(struct lexer *lex, struct token *token)
{
	size_t from = lex->at, digits = fd_digits(lex);
	const struct operator *op = operator_at(lex, from + digits);

	if (!op)
		return false;
	lex->bad = false;
	lex->at += digits + strlen(op->text);
	token->kind = op->kind;
	token->redir = op->redir;
	token->fd = op->fd;
	token->word.place = lex_place(lex, from);
	if (op->hint && !lex->quiet)
		complain(lex->complaints, token->word.place, op->hint,
		         "'%s' is not an operator here", op->text);
	if (digits > 4)
		lex_wrong(lex, token->word.place, NULL,
		          "the descriptor's number is too large");
	token->fd_told = digits != 0;
	if (digits)
		token->fd = 0;
	for (size_t i = 0; i < digits && digits <= 4; i++)
		token->fd = token->fd * 10 +
		            (lex->source->text[from + i] - '0');
	if (op->kind == TOKEN_REDIR && op->redir == REDIR_HERE)
		lex_here_operator(lex, from);
	if (lex->bad)
		token->kind = TOKEN_WRONG;
	return true;
}

/* ---- words ------------------------------------------------------------- */

void
word_begin(struct lexer *lex)
{
	lex->bad = false;
	lex->text.len = 0;
	lex->npieces = 0;
}

void
word_add(struct lexer *lex, int c)
{
	if (!lex->unused)
		strbuf_putc(&lex->text, (char)c);
}

static void
add_piece(struct lexer *lex, const char *text, size_t resource)
{
	if (lex->npieces == lex->room) {
		size_t room = lex->room ? lex->room * 2 : 16;
		struct piece *larger = arena_array(lex->arena, room,
		                                   sizeof(*larger));

		if (lex->npieces)
			memcpy(larger, lex->pieces,
			       lex->npieces * sizeof(*larger));
		lex->pieces = larger;
		lex->room = room;
	}
	lex->pieces[lex->npieces].text = text;
	lex->pieces[lex->npieces++].resource = resource;
}

static void
end_text(struct lexer *lex)
{
	if (lex->text.len)
		add_piece(lex, arena_copy(lex->arena, lex->text.text,
		                          lex->text.len), 0);
	lex->text.len = 0;
}

void
word_add_resource(struct lexer *lex, size_t resource)
{
	if (lex->unused)
		return;
	end_text(lex);
	add_piece(lex, NULL, resource);
}

struct word
word_end(struct lexer *lex, size_t from)
{
	struct word word = { .place = lex_place(lex, from) };

	end_text(lex);
	word.npieces = lex->npieces;
	if (word.npieces) {
		word.pieces = arena_array(lex->arena, word.npieces,
		                          sizeof(*word.pieces));
		memcpy(word.pieces, lex->pieces,
		       word.npieces * sizeof(*word.pieces));
	}
	return word;
}

static void
lex_escape(struct lexer *lex)
{
	int next = lex_peek_behind(lex);

	lex_skip(lex);
	if (next == LEX_END) {
		word_add(lex, '\\');
		return;
	}
	lex_skip(lex);
	if (next != '\n')
		word_add(lex, next);
}

/* An unquoted character that a shell would not take as it is. */
static void
check_plain(struct lexer *lex, int c)
{
	if (c == '`' || (lex->operators && (c == '*' || c == '?' || c == '[')))
		lex_foreign(lex, (struct place){ lex->source, lex->at, 1 });
}

/* "make;" and "server&" are surely not meant as they stand. */
static void
check_last(struct lexer *lex, int last)
{
	struct place place = { lex->source, lex->at - 1, 1 };

	if (!lex->operators || lex->bad)
		return;
	if (last == ';')
		lex_wrong(lex, place, SHELL_HINT,
		          "';' is not an operator here");
	else if (last == '&')
		lex_wrong(lex, place, "put a blank before it, or quote it",
		          "'&' is part of the word here");
	else if (last == '|')
		lex_wrong(lex, place, "put a blank before it, or quote it",
		          "'|' is part of the word here");
}

static void
lex_word(struct lexer *lex, struct token *token)
{
	size_t from = lex->at;
	bool bare = true;
	int last = 0;

	word_begin(lex);
	for (;;) {
		int c = lex_peek(lex);

		if (c == LEX_END || c == '\n' || c == ' ' || c == '\t')
			break;
		last = 0;
		if (c == '\\') {
			bare = bare && lex_peek_behind(lex) == '\n';
			lex_escape(lex);
			continue;
		}
		if (c == '\'' || c == '"' || c == '$') {
			bare = false;
			(c == '\'' ? lex_single(lex) : c == '"' ?
			 lex_double(lex) : lex_dollar(lex, false));
			continue;
		}
		check_plain(lex, c);
		if (c == '=' && bare && !token->key_len)
			token->key_len = lex->text.len;
		word_add(lex, c);
		lex_skip(lex);
		last = c;
	}
	check_last(lex, last);
	token->kind = TOKEN_WORD;
	token->word = word_end(lex, from);
	token->bad = lex->bad;
}

/* ---- tokens ------------------------------------------------------------ */

void
lexer_init(struct lexer *lex, struct arena *arena,
           struct complaints *complaints, struct names *names,
           const struct source *source)
{
	const char *nul = memchr(source->text, '\0', source->len);

	memset(lex, 0, sizeof(*lex));
	lex->arena = arena;
	lex->complaints = complaints;
	lex->names = names;
	lex->source = source;
	lex->end = source->len;
	lex->text.arena = arena;
	if (source->len >= 3 && memcmp(source->text, "\xef\xbb\xbf", 3) == 0)
		lex->at = 3;
	if (!nul)
		return;
	/* What stands before that line is still read. */
	lex->end = (size_t)(nul - source->text);
	complain(complaints, (struct place){ source, lex->end, 1 }, NULL,
	         "a NUL byte: this is not text");
	while (lex->end && source->text[lex->end - 1] != '\n')
		lex->end--;
	lex->broken = true;
}

void
lexer_line(struct lexer *lex)
{
	lex->operators = false;
	lex->quiet = false;
	lex->heres = NULL;
	lex->nheres = 0;
}

static void
skip_blanks(struct lexer *lex)
{
	int c;

	while ((c = lex_peek(lex)) == ' ' || c == '\t' ||
	       (c == '\\' && lex_peek_behind(lex) == '\n')) {
		lex_skip(lex);
		if (c == '\\')
			lex_skip(lex);
	}
	if (c == '#')
		while ((c = lex_peek(lex)) != LEX_END && c != '\n')
			lex_skip(lex);
}

struct token
lexer_next(struct lexer *lex)
{
	struct token token = { .kind = TOKEN_EOF };
	int c;

	skip_blanks(lex);
	token.word.place = (struct place){ lex->source, lex->at, 1 };
	c = lex_peek(lex);
	if (c == LEX_END || c == '\n') {
		if (c == '\n') {
			lex_skip(lex);
			token.kind = TOKEN_EOL;
		}
		lex_here_bodies(lex);
	} else if (!lex->operators || !lex_operator(lex, &token)) {
		lex_word(lex, &token);
	}
	return token;
}

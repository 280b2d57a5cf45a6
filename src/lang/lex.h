/*
 * lex: text to tokens. Private to src/lang/.
 *
 * One struct lexer reads one source. Tokens are read one at a time, for what
 * a character means depends on the command: operators exist only in run and
 * sh, so the parser sets lexer.operators between a line's first word and its
 * second. Names are expanded here, and a word comes out ready.
 *
 * What is wrong is complained about here, once a word; the token that comes
 * out is then marked as bad, so that nothing more is said of it.
 */
#ifndef FORKLOAD_LANG_LEX_H
#define FORKLOAD_LANG_LEX_H

#include "lang/names.h"
#include "lang/plan.h"

enum token_kind {
	TOKEN_WORD,
	TOKEN_REDIR,             /* its target follows, but for REDIR_HERE */
	TOKEN_PIPE,
	TOKEN_BACKGROUND,        /* & */
	TOKEN_WRONG,             /* complained about: leave the line */
	TOKEN_EOL,
	TOKEN_EOF
};

struct token {
	enum token_kind kind;
	bool bad;
	struct word word;        /* for its place in tokens of every kind */
	size_t key_len;          /* of KEY=..., unquoted, else 0 */
	enum redir_kind redir;
	int fd;
	bool fd_told;            /* it was written, not implied */
};

/* A heredoc whose body comes behind the line. */
struct here {
	const char *tag;
	bool expands;
	struct place place;      /* of its operator */
	struct word text;        /* once the line's end was read */
};

struct lexer {
	struct arena *arena;
	struct complaints *complaints;
	struct names *names;
	const struct source *source;
	size_t at, end;
	bool operators;
	bool quiet;              /* what remains of a bad line is not judged */
	bool broken;             /* some of the source was not understood */
	/* those of this line; lexer_line() forgets them */
	struct here *heres;
	size_t nheres;
	/* the word being read */
	bool bad;
	unsigned unused;         /* within a ${...:-text} that is not needed */
	unsigned depth;          /* of such, nested */
	struct strbuf text;
	struct piece *pieces;
	size_t npieces, room;
};

void lexer_init(struct lexer *lex, struct arena *arena,
                struct complaints *complaints, struct names *names,
                const struct source *source);

/* To be called at a line's start: no operators, no heredocs. */
void lexer_line(struct lexer *lex);

/*
 * The next token. TOKEN_EOL comes at a line's end, after the bodies of its
 * heredocs were read; a last line without a newline ends with TOKEN_EOF.
 */
struct token lexer_next(struct lexer *lex);

/* ---- parts, in files of their own ---- */

#define LEX_END (-1)             /* what lex_peek() gives at the end */

/* The character there; "\r\n" counts as the one character '\n'. */
int lex_peek(const struct lexer *lex);
int lex_peek_behind(const struct lexer *lex);
void lex_skip(struct lexer *lex);
bool lex_is_name_start(int c);
bool lex_is_name(int c);
struct place lex_place(const struct lexer *lex, size_t from);

/* Marks the word as bad; says so, but for the first time only. */
void lex_wrong(struct lexer *lex, struct place place, const char *hint,
               const char *message);

/* The same, for a shell's character or two that do nothing here. */
void lex_foreign(struct lexer *lex, struct place place);

void word_begin(struct lexer *lex);
void word_add(struct lexer *lex, int c);
void word_add_resource(struct lexer *lex, size_t resource);
struct word word_end(struct lexer *lex, size_t from);

/* At "$": expands a name into the word. */
void lex_dollar(struct lexer *lex, bool quoted);
/* At a quote. */
void lex_single(struct lexer *lex);
void lex_double(struct lexer *lex);

/* At "<<": notes the tag. */
void lex_here_operator(struct lexer *lex, size_t from);
/* Behind a line's end: the bodies of its heredocs. */
void lex_here_bodies(struct lexer *lex);

#endif

#include "lang/lex.h"

#include <string.h>

#include "unit.h"

/* A lexer over one text, with two variables and a resource. */
struct bench {
	struct arena *arena;
	struct complaints complaints;
	struct names names;
	struct source source;
	struct lexer lex;
};

static void
set_name(struct bench *b, const char *name, const char *value)
{
	struct word *word = arena_alloc(b->arena, sizeof(*word));

	word->npieces = *value != '\0';
	word->pieces = arena_alloc(b->arena, sizeof(*word->pieces));
	word->pieces->text = value;
	names_add(&b->names, name, strlen(name))->value = word;
}

static void
begin_with(struct bench *b, const char *text, size_t len)
{
	memset(b, 0, sizeof(*b));
	b->arena = b->complaints.arena = b->names.arena = arena_new(abort);
	set_name(b, "n", "50");
	set_name(b, "empty", "");
	names_add(&b->names, "data", 4)->number = 7;
	b->source = (struct source){ "t.wl", text, len };
	lexer_init(&b->lex, b->arena, &b->complaints, &b->names, &b->source);
	lexer_line(&b->lex);
}

static void
begin(struct bench *b, const char *text, bool operators)
{
	begin_with(b, text, strlen(text));
	b->lex.operators = operators;
}

/* A word as "50/<7>": references in brackets. */
static const char *
word_shown(struct bench *b, const struct word *word)
{
	struct strbuf out = { .arena = b->arena };

	strbuf_puts(&out, "");
	for (size_t i = 0; i < word->npieces; i++)
		if (word->pieces[i].text)
			strbuf_puts(&out, word->pieces[i].text);
		else
			strbuf_printf(&out, "<%zu>", word->pieces[i].resource);
	return out.text;
}

static void
expect_word(struct bench *b, const char *want)
{
	struct token token = lexer_next(&b->lex);

	ck_assert_int_eq(token.kind, TOKEN_WORD);
	ck_assert(!token.bad);
	ck_assert_str_eq(word_shown(b, &token.word), want);
}

static void
expect(struct bench *b, enum token_kind kind)
{
	ck_assert_int_eq(lexer_next(&b->lex).kind, kind);
}

/* The text is one word and nothing else. */
static void
one_word(const char *text, bool operators, const char *want)
{
	struct bench b;

	begin(&b, text, operators);
	expect_word(&b, want);
	expect(&b, TOKEN_EOF);
	ck_assert_uint_eq(b.complaints.count, 0);
	ck_assert_uint_eq(b.names.nmisses, 0);
	arena_free(b.arena);
}

START_TEST(words_and_lines)
{
	struct bench b;

	begin(&b, "one\ttwo  three # not this\n\r\n  #nor this\nlast\\", false);
	expect_word(&b, "one");
	expect_word(&b, "two");
	expect_word(&b, "three");
	expect(&b, TOKEN_EOL);
	expect(&b, TOKEN_EOL);
	expect(&b, TOKEN_EOL);
	expect_word(&b, "last\\");
	expect(&b, TOKEN_EOF);
	expect(&b, TOKEN_EOF);
	arena_free(b.arena);
	one_word("a#b", false, "a#b");
	one_word("a\\\nb", false, "ab");
	one_word("a\\\r\nb", false, "ab");
	one_word("  \\\n\tx", false, "x");
	one_word("\xef\xbb\xbfx", false, "x");
}
END_TEST

START_TEST(quotes)
{
	one_word("'a $n \\ \"b'", true, "a $n \\ \"b");
	one_word("\"a b\"", true, "a b");
	one_word("\"\\\" \\$n \\\\ \\` \\n\"", true, "\" $n \\ ` \\n");
	one_word("\"a\\\nb\"", true, "ab");
	one_word("'a\nb'", true, "a\nb");
	one_word("'a\r\nb'", true, "a\nb");
	one_word("''", true, "");
	one_word("\"\"''", true, "");
	one_word("a'b'\"c\"\\d", true, "abcd");
	one_word("\\ \\'\\\"\\$n", true, " '\"$n");
	one_word("'|>*;'", true, "|>*;");
	one_word("\\>x", true, ">x");
}
END_TEST

START_TEST(names_stand_for_values)
{
	one_word("$n", false, "50");
	one_word("a${n}b$n", false, "a50b50");
	one_word("\"$n $n\"", false, "50 50");
	one_word("$empty", false, "");
	one_word("x$data/y", false, "x<7>/y");
	one_word("\"${data}\"$data", false, "<7><7>");
	one_word("${n:-7}", false, "50");
	one_word("${no:-7}", false, "7");
	one_word("${no:-}", false, "");
	one_word("${no:-a b'c }'}", false, "a bc }");
	one_word("${no:-\"$n\"\\}}", false, "50}");
	one_word("${no:-${other:-$data}}", false, "<7>");
	/* What is not needed is not looked up. */
	one_word("${n:-$no}", false, "50");
	one_word("${empty:-7}", false, "");
	one_word("\"${no:-'x'}\"", false, "'x'");
	one_word("\"a$ b$\"", false, "a$ b$");
}
END_TEST

/* A value is never read again. */
START_TEST(values_are_not_scanned)
{
	struct bench b;

	begin(&b, "$odd \"$odd\" ${no:-$odd}", true);
	set_name(&b, "odd", "a 'b' $n | >c #");
	expect_word(&b, "a 'b' $n | >c #");
	expect_word(&b, "a 'b' $n | >c #");
	expect_word(&b, "a 'b' $n | >c #");
	expect(&b, TOKEN_EOF);
	arena_free(b.arena);
}
END_TEST

START_TEST(keys_of_assignments)
{
	static const struct {
		const char *text;
		size_t key_len;
	} all[] = {
		{ "a=b", 1 }, { "env.X=", 5 }, { "a\\\nb=c", 2 },
		{ "a=b=c", 1 }, { "a='b c'", 1 }, { "=b", 0 }, { "'a'=b", 0 },
		{ "a'='b", 0 }, { "a\\=b", 0 }, { "$n=b", 0 }, { "a", 0 },
		{ "a$n=b", 0 },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct bench b;

		begin(&b, all[i].text, true);
		ck_assert_msg(lexer_next(&b.lex).key_len == all[i].key_len,
		              "%s", all[i].text);
		arena_free(b.arena);
	}
}
END_TEST

START_TEST(redirections)
{
	static const struct {
		const char *text;
		enum redir_kind redir;
		int fd;
		bool told;
	} all[] = {
		{ "<", REDIR_IN, 0, false }, { ">", REDIR_OUT, 1, false },
		{ ">>", REDIR_APPEND, 1, false },
		{ "<>", REDIR_INOUT, 0, false }, { "<&", REDIR_DUP, 0, false },
		{ ">&", REDIR_DUP, 1, false }, { "0>", REDIR_OUT, 0, true },
		{ "12>>", REDIR_APPEND, 12, true },
		{ "1023<", REDIR_IN, 1023, true },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++) {
		struct token token;
		struct bench b;

		begin(&b, all[i].text, true);
		token = lexer_next(&b.lex);
		ck_assert_int_eq(token.kind, TOKEN_REDIR);
		ck_assert_int_eq(token.redir, all[i].redir);
		ck_assert_int_eq(token.fd, all[i].fd);
		ck_assert_int_eq(token.fd_told, all[i].told);
		ck_assert_uint_eq(b.complaints.count, 0);
		arena_free(b.arena);
	}
}
END_TEST

START_TEST(only_where_they_begin_a_word)
{
	struct bench b;

	begin(&b, "a>b 2>c x2>d|e | f &", true);
	expect_word(&b, "a>b");
	expect(&b, TOKEN_REDIR);
	expect_word(&b, "c");
	expect_word(&b, "x2>d|e");
	expect(&b, TOKEN_PIPE);
	expect_word(&b, "f");
	expect(&b, TOKEN_BACKGROUND);
	expect(&b, TOKEN_EOF);
	ck_assert_uint_eq(b.complaints.count, 0);
	arena_free(b.arena);
	one_word(">", false, ">");
	one_word("|", false, "|");
	one_word("<<END", false, "<<END");
	one_word("*?[", false, "*?[");
}
END_TEST

/* The only complaint about a text. */
static void
complains(const char *text, bool operators, const char *message, size_t at,
          size_t len)
{
	const struct complaint *first;
	struct token token;
	struct bench b;

	begin(&b, text, operators);
	do
		token = lexer_next(&b.lex);
	while (token.kind != TOKEN_EOF);
	ck_assert_msg(b.complaints.count == 1, "%s: %zu complaints", text,
	              b.complaints.count);
	first = &b.complaints.list[0];
	ck_assert_str_eq(first->message, message);
	ck_assert_uint_eq(first->place.offset, at);
	ck_assert_uint_eq(first->place.len, len);
	arena_free(b.arena);
}

START_TEST(what_is_wrong)
{
	complains("a 'b\nc", false, "no closing quote", 2, 1);
	complains("a \"b\nc", false, "no closing quote", 2, 1);
	complains("${n", false, "'${' is not closed behind its name", 0, 3);
	complains("${n:-x", false, "'${' has no '}'", 0, 6);
	complains("x${}", false, "'${' has no name", 1, 2);
	complains("a;", true, "';' is not an operator here", 1, 1);
	complains("a&", true, "'&' is part of the word here", 1, 1);
	complains("a|", true, "'|' is part of the word here", 1, 1);
	complains("a && b", true, "'&&' is not an operator here", 2, 2);
	complains("a <<< b", true, "'<<<' is not an operator here", 2, 3);
	complains("a*", true, "'*' is not known here", 1, 1);
	complains("a$(b)", true, "'$(' is not known here", 1, 2);
	complains("a`b`", false, "'`' is not known here", 1, 1);
	complains("a$1", false, "'$1' is not known here", 1, 2);
	complains("12345>x", true, "the descriptor's number is too large", 0,
	          6);
	complains("a <<", true, "'<<' has no tag", 2, 2);
	complains("a <<'X", true, "'<<' has no tag", 2, 4);
	complains("a <<X\nb\n", true, "no line 'X' ends this heredoc", 2, 3);
}
END_TEST

START_TEST(names_that_are_not_there)
{
	struct token token;
	struct bench b;

	begin(&b, "a$no/x ${other}", false);
	token = lexer_next(&b.lex);
	ck_assert(token.kind == TOKEN_WORD && token.bad);
	token = lexer_next(&b.lex);
	ck_assert(token.kind == TOKEN_WORD && token.bad);
	ck_assert_uint_eq(b.names.nmisses, 2);
	ck_assert_str_eq(b.names.misses[0].name, "no");
	ck_assert_uint_eq(b.names.misses[0].place.offset, 1);
	ck_assert_uint_eq(b.names.misses[0].place.len, 3);
	ck_assert_str_eq(b.names.misses[1].name, "other");
	ck_assert_uint_eq(b.names.misses[1].place.len, 8);
	arena_free(b.arena);
}
END_TEST

START_TEST(depth_of_defaults)
{
	char text[200] = "";
	struct bench b;

	for (int i = 0; i < 16; i++)
		strcat(text, "${a:-");
	strcat(text, "x");
	for (int i = 0; i < 16; i++)
		strcat(text, "}");
	one_word(text, false, "x");
	memmove(text + 5, text, strlen(text) + 1);
	strcat(text, "}");
	begin(&b, text, false);
	ck_assert(lexer_next(&b.lex).bad);
	ck_assert_str_eq(b.complaints.list[0].message,
	                 "'${' within '${', too deep");
	arena_free(b.arena);
}
END_TEST

START_TEST(heredocs)
{
	struct bench b;

	begin(&b, "<<A 3<<'B-1' x\n$n \\$n\\\ny\nA \nA\r\n$n\\\nB-1\nnext",
	      true);
	expect(&b, TOKEN_REDIR);
	expect(&b, TOKEN_REDIR);
	expect_word(&b, "x");
	expect(&b, TOKEN_EOL);
	ck_assert_uint_eq(b.lex.nheres, 2);
	ck_assert_str_eq(word_shown(&b, &b.lex.heres[0].text),
	                 "50 $ny\nA \n");
	ck_assert_str_eq(word_shown(&b, &b.lex.heres[1].text), "$n\\\n");
	lexer_line(&b.lex);
	ck_assert_uint_eq(b.lex.nheres, 0);
	expect_word(&b, "next");
	expect(&b, TOKEN_EOF);
	ck_assert_uint_eq(b.complaints.count, 0);
	arena_free(b.arena);
}
END_TEST

START_TEST(a_nul_ends_it)
{
	static const char text[] = "one\ntwo\0\nthree\n";
	struct bench b;

	begin_with(&b, text, sizeof(text) - 1);
	ck_assert_uint_eq(b.complaints.count, 1);
	ck_assert_uint_eq(b.complaints.list[0].place.offset, 7);
	expect_word(&b, "one");
	expect(&b, TOKEN_EOL);
	expect(&b, TOKEN_EOF);
	ck_assert(b.lex.broken);
	arena_free(b.arena);
}
END_TEST

UNIT_MAIN("lang_lex", words_and_lines, quotes, names_stand_for_values,
          values_are_not_scanned, keys_of_assignments, redirections,
          only_where_they_begin_a_word, what_is_wrong, names_that_are_not_there,
          depth_of_defaults, heredocs, a_nul_ends_it)

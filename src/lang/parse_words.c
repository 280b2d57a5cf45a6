#include "parse_internal.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* ---- complaints -------------------------------------------------------- */

int
p_wrong(struct parser *p, const char *hint, const char *format, ...)
{
	char text[1024];
	va_list args;

	if (p->token.bad || p->token.kind == TOKEN_WRONG)
		return -1;
	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	complain(p->complaints, p->token.word.place, hint, "%s", text);
	return -1;
}

void
p_point(struct parser *p, struct place place)
{
	p->token.word.place = place;
}

struct cursor {
	const char *row;
	size_t size;
};

static const char *
next_row(void *state)
{
	struct cursor *cursor = state;
	const char *name;

	memcpy(&name, cursor->row, sizeof(name));
	cursor->row += cursor->size;
	return name;
}

const char *
table_hint(struct parser *p, const void *table, size_t size, const char *word)
{
	struct cursor cursor = { table, size };
	const char *nearest = table ? str_nearest(word, next_row, &cursor) :
	                      NULL;

	return nearest && *nearest ?
	       arena_printf(p->arena, "did you mean '%s'?", nearest) : NULL;
}

/* ---- plain words ------------------------------------------------------- */

int
p_wants(struct parser *p, const char *what)
{
	if (p->token.kind == TOKEN_WORD)
		return p->token.bad ? -1 : 0;
	return p_wrong(p, NULL, "%s is missing", what);
}

const char *
p_known(struct parser *p, const struct word *word)
{
	const char *text = word_text(word);

	for (size_t i = 0; !text && i < word->npieces; i++)
		if (!word->pieces[i].text) {
			size_t r = word->pieces[i].resource;

			p_wrong(p, NULL, "'$%s' is known only after set-up",
			        p->plan->resources[r].name);
			break;
		}
	return text;
}

const char *
p_look(struct parser *p, const char *what)
{
	return p_wants(p, what) < 0 ? NULL : p_known(p, &p->token.word);
}

int
p_read(struct parser *p, const struct param *param, const char *what,
       struct value *value)
{
	const char *text = p_look(p, what);
	struct errmsg why;

	if (!text)
		return -1;
	if (value_read(param, text, value, &why) < 0)
		return p_wrong(p, NULL, "%s", why.text);
	return 0;
}

int
p_value(struct parser *p, const struct param *param, const char *what,
        struct value *value)
{
	if (p_read(p, param, what, value) < 0)
		return -1;
	p_next(p);
	return 0;
}

static bool
is_name(const char *text)
{
	if (!lex_is_name_start((unsigned char)*text))
		return false;
	while (lex_is_name((unsigned char)*text))
		text++;
	return *text == '\0';
}

int
p_new_name(struct parser *p, struct symbol **symbol)
{
	const char *text = p_look(p, "a name");

	if (!text)
		return -1;
	if (!is_name(text))
		return p_wrong(p, "letters, digits and _",
		               "'%s' is not a name", text);
	if (names_find(&p->names, text, strlen(text)))
		return p_wrong(p, NULL, "the name '%s' is taken", text);
	*symbol = names_add(&p->names, text, strlen(text));
	(*symbol)->place = p->token.word.place;
	p_next(p);
	return 0;
}

/* ---- key=value --------------------------------------------------------- */

bool
is_assignment(const struct token *token)
{
	const char *key;

	if (token->kind != TOKEN_WORD || !token->key_len)
		return false;
	key = token->word.pieces[0].text;
	if (!lex_is_name_start((unsigned char)key[0]))
		return false;
	for (size_t i = 1; i < token->key_len; i++)
		if (!lex_is_name((unsigned char)key[i]) && key[i] != '.' &&
		    key[i] != '-')
			return false;
	return true;
}

const char *
token_key(struct parser *p)
{
	return arena_copy(p->arena, p->token.word.pieces[0].text,
	                  p->token.key_len);
}

struct word
token_value(struct parser *p)
{
	struct word word = p->token.word;
	size_t skip = p->token.key_len + 1;

	word.pieces = arena_array(p->arena, word.npieces,
	                          sizeof(*word.pieces));
	memcpy(word.pieces, p->token.word.pieces,
	       word.npieces * sizeof(*word.pieces));
	word.pieces[0].text += skip;
	if (!*word.pieces[0].text) {
		word.pieces++;
		word.npieces--;
	}
	return word;
}

struct place
token_key_place(const struct parser *p)
{
	struct place place = p->token.word.place;

	place.len = p->token.key_len;
	return place;
}

static struct place
token_value_place(const struct parser *p)
{
	struct place place = p->token.word.place;
	size_t skip = p->token.key_len + 1;

	place.offset += skip;
	place.len = place.len > skip ? place.len - skip : 1;
	return place;
}

struct word
word_of(struct parser *p, const char *text, struct place place)
{
	struct word word = { NULL, 0, place };

	if (*text) {
		word.pieces = arena_alloc(p->arena, sizeof(*word.pieces));
		word.pieces->text = text;
		word.npieces = 1;
	}
	return word;
}

/* ---- options ----------------------------------------------------------- */

int
p_option(struct parser *p, const char *owner, const struct param *params,
         struct value *values)
{
	const char *key = token_key(p), *text;
	const struct param *param = param_find(params, key);
	struct word word = token_value(p);
	struct place value_place = token_value_place(p);
	struct errmsg why;

	p_point(p, token_key_place(p));
	if (!param)
		return p_wrong(p, table_hint(p, params, sizeof(*params), key),
		               "%s has no option '%s'", owner, key);
	values += param - params;
	if (values->text)
		return p_wrong(p, NULL, "'%s' is given twice", key);
	p_point(p, value_place);
	text = p_known(p, &word);
	if (text && value_read(param, text, values, &why) < 0)
		p_wrong(p, NULL, "%s", why.text);
	return values->text ? 0 : -1;
}

int
p_options(struct parser *p, const char *owner, const struct param *params,
          struct value *values)
{
	while (p->token.kind == TOKEN_WORD) {
		if (p->token.bad)
			return -1;
		if (!is_assignment(&p->token))
			return p_wrong(p, NULL, "nothing is expected here but "
			               "options (NAME=VALUE)");
		if (p_option(p, owner, params, values) < 0)
			return -1;
		p_next(p);
	}
	for (; params && params->name; params++, values++)
		if (params->required && !values->text)
			return p_wrong(p, NULL, "%s needs %s=%s", owner,
			               params->name, value_shape(params));
	return 0;
}

/* ---- knobs ------------------------------------------------------------- */

static int
no_such_knob(struct parser *p, const char *name)
{
	const char *hint = table_hint(p, p->vocabulary->knobs,
	                              sizeof(struct knob), name);

	if (!hint && name[strcspn(name, "abcdefghijklmnopqrstuvwxyz.")] == 0)
		hint = arena_printf(p->arena, "env.%s= sets an environment "
		                    "variable", name);
	return p_wrong(p, hint, "no knob named '%s'", name);
}

static int
knob(struct parser *p, bool own, struct settings *settings)
{
	const char *name = token_key(p), *text;
	struct setting new = { .word = token_value(p) };
	struct place value_place = token_value_place(p);
	struct errmsg why;

	p_point(p, token_key_place(p));
	new.knob = knob_find(p->vocabulary->knobs, name, &new.key);
	if (!new.knob)
		return no_such_knob(p, name);
	if (own && new.knob->scope == KNOB_RUNNER)
		return p_wrong(p, NULL, "'%s' is the runner's: it stands on a "
		               "step or with", name);
	if (own && new.knob->scope == KNOB_SYSTEM)
		return p_wrong(p, NULL, "'%s' is the machine's: it stands on a "
		               "step or with", name);
	if (settings_find(settings, new.knob->id, new.key))
		return p_wrong(p, NULL, "'%s' is given twice", name);
	p_point(p, value_place);
	text = word_text(&new.word);
	if (!text && new.knob->value.kind != VALUE_TEXT)
		text = p_known(p, &new.word);
	if (!text && new.knob->value.kind != VALUE_TEXT)
		return -1;
	if (text && value_read(&new.knob->value, text, &new.value, &why) < 0)
		return p_wrong(p, NULL, "%s", why.text);
	*(struct setting *)arena_push(p->arena, &settings->list,
	                              &settings->count, sizeof(new)) = new;
	return 0;
}

void
p_knob(struct parser *p, bool own, struct settings *settings)
{
	knob(p, own, settings);
	p_next(p);
}

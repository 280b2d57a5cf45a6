#include "parse_internal.h"

#include <string.h>

#define LARGEST_FD 1023

/* ---- redirections ------------------------------------------------------ */

/* What stands behind <& and >&. */
static int
dup_source(struct parser *p, struct redir *redir)
{
	static const struct param param = {
		.kind = VALUE_INT, .max = LARGEST_FD,
	};
	const char *text = p_look(p, "a descriptor's number or '-'");
	struct value from;
	struct errmsg why;

	if (!text)
		return -1;
	if (strcmp(text, "-") == 0) {
		redir->kind = REDIR_CLOSE;
	} else if (value_read(&param, text, &from, &why) < 0) {
		return p_wrong(p, "to send both there, write '>FILE 2>&1'",
		               "'%s' is not a descriptor's number", text);
	} else {
		redir->from = (int)from.n;
	}
	p_next(p);
	return 0;
}

int
p_redir(struct parser *p, struct redir **list, size_t *count)
{
	struct redir redir = {
		.kind = p->token.redir, .fd = p->token.fd,
		.place = p->token.word.place,
	};

	if (redir.fd > LARGEST_FD)
		return p_wrong(p, NULL, "descriptor %d is above %d", redir.fd,
		               LARGEST_FD);
	p_next(p);
	if (redir.kind == REDIR_HERE) {
		/* Until fill_heres(): which of the line's heredocs. */
		redir.from = (int)p->lex->nheres - 1;
	} else if (redir.kind == REDIR_DUP) {
		if (dup_source(p, &redir) < 0)
			return -1;
	} else {
		if (p_wants(p, "a file") < 0)
			return -1;
		if (!p->token.word.npieces)
			return p_wrong(p, NULL, "the file's name is empty");
		redir.target = p->token.word;
		p_next(p);
	}
	*(struct redir *)arena_push(p->arena, list, count,
	                            sizeof(redir)) = redir;
	return 0;
}

void
fill_heres(const struct parser *p, struct redir *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		if (list[i].kind != REDIR_HERE)
			continue;
		/* None is left where the last one had no end. */
		if ((size_t)list[i].from < p->lex->nheres)
			list[i].target = p->lex->heres[list[i].from].text;
		list[i].from = 0;
	}
}

/* ---- applets ----------------------------------------------------------- */

struct applets {
	const struct applet *at;
};

static const char *
next_applet(void *state)
{
	struct applets *applets = state;

	while (applets->at->name && applets->at->hidden)
		applets->at++;
	return applets->at->name ? (applets->at++)->name : NULL;
}

static int
find_applet(struct parser *p, const char *name, const struct applet **found)
{
	struct applets all = { p->vocabulary->applets };
	const struct applet *applet = applet_find(all.at, name);
	const char *nearest, *hint = NULL;

	if (applet && !applet->hidden) {
		*found = applet;
		return 0;
	}
	nearest = str_nearest(name, next_applet, &all);
	if (nearest)
		hint = arena_printf(p->arena, "did you mean '@%s'?", nearest);
	return p_wrong(p, hint, "no applet named '@%s'", name);
}

/* An applet's words being checked. */
struct check {
	struct parser *p;
	const struct applet *applet;
	bool *given;             /* one for each of the applet's params */
	size_t nplain;           /* plain words so far */
	bool all_known;          /* no word holds a reference */
};

static int
wrong_word(const struct check *check, struct place place, const char *hint,
           const char *message)
{
	complain(check->p->complaints, place, hint, "%s", message);
	return -1;
}

/* The param for the next plain word, or NULL. */
static const struct param *
plain_param(struct check *check)
{
	const struct param *param = check->applet->params;
	size_t n = check->nplain++;

	for (; param && param->name; param++)
		if (!*param->name && n-- == 0)
			return param;
	return NULL;
}

/* How many bytes of the word are a key before a '=', else 0. */
static size_t
key_length(const struct word *word)
{
	const char *text = word->npieces ? word->pieces[0].text : NULL;
	size_t len = 0;

	if (!text || !lex_is_name_start((unsigned char)*text))
		return 0;
	while (lex_is_name((unsigned char)text[len]) || text[len] == '-')
		len++;
	return text[len] == '=' ? len : 0;
}

static int
check_value(struct check *check, const struct param *param,
            const struct word *word, size_t skip)
{
	const char *text = word_text(word);
	struct place place = word->place;
	struct value value;
	struct errmsg why;

	check->given[param - check->applet->params] = true;
	if (!text) {
		check->all_known = false;
		return 0;
	}
	place.offset += skip;
	place.len = place.len > skip ? place.len - skip : 1;
	if (value_read(param, text + skip, &value, &why) < 0)
		return wrong_word(check, place, NULL, why.text);
	return 0;
}

static int
check_keyed(struct check *check, const struct word *word, size_t len)
{
	struct parser *p = check->p;
	const struct applet *applet = check->applet;
	const char *key = arena_copy(p->arena, word->pieces[0].text, len);
	const struct param *param = param_find(applet->params, key);
	struct place place = word->place;

	place.len = len;
	if (!param)
		return wrong_word(check, place,
		                  table_hint(p, applet->params,
		                             sizeof(*param), key),
		                  arena_printf(p->arena, "@%s has no option "
		                               "'%s'", applet->name, key));
	if (check->given[param - applet->params])
		return wrong_word(check, place, NULL,
		                  arena_printf(p->arena, "'%s' is given twice",
		                               key));
	return check_value(check, param, word, len + 1);
}

static int
check_word(struct check *check, const struct word *word)
{
	const struct param *param;
	const char *text = word_text(word);
	size_t len = key_length(word);

	if (len)
		return check_keyed(check, word, len);
	param = plain_param(check);
	if (param)
		return check_value(check, param, word, 0);
	return wrong_word(check, word->place, NULL,
	                  arena_printf(check->p->arena, "@%s takes no '%s'",
	                               check->applet->name,
	                               text ? text : "$..."));
}

/* Those that must be given, and what the applet itself has to say. */
static int
check_rest(struct check *check, const struct stage *stage)
{
	const struct applet *applet = check->applet;
	struct arena *arena = check->p->arena;
	char **argv;
	struct errmsg why;

	for (size_t i = 0; applet->params && applet->params[i].name; i++) {
		const struct param *param = &applet->params[i];

		if (!param->required || check->given[i])
			continue;
		return wrong_word(check, stage->words[0].place, NULL,
		                  arena_printf(arena, "@%s needs %s%s%s",
		                               applet->name, param->name,
		                               *param->name ? "=" : "",
		                               value_shape(param)));
	}
	if (!applet->check || !check->all_known)
		return 0;
	argv = arena_array(arena, stage->nwords + 1, sizeof(*argv));
	argv[0] = (char *)applet->name;
	for (size_t i = 1; i < stage->nwords; i++)
		argv[i] = (char *)word_text(&stage->words[i]);
	if (applet->check((int)stage->nwords, argv, &why) < 0)
		return wrong_word(check, stage->words[0].place, NULL,
		                  arena_copy(arena, why.text,
		                             strlen(why.text)));
	return 0;
}

static int
check_applet(struct parser *p, const struct stage *stage)
{
	struct check check = {
		.p = p, .applet = stage->applet, .all_known = true,
	};
	size_t nparams = 0;
	bool right = true;

	while (stage->applet->params && stage->applet->params[nparams].name)
		nparams++;
	check.given = arena_array(p->arena, nparams, sizeof(bool));
	for (size_t i = 1; i < stage->nwords; i++)
		if (check_word(&check, &stage->words[i]) < 0)
			right = false;
	return right ? check_rest(&check, stage) : -1;
}

/* ---- stages ------------------------------------------------------------ */

static int
first_word(struct parser *p, struct stage *stage)
{
	const struct place *place = &p->token.word.place;
	const char *text = word_text(&p->token.word);

	if (is_assignment(&p->token))
		return p_wrong(p, "knobs stand first; else quote it",
		               "'%s=' is not a program", token_key(p));
	if (text && !*text)
		return p_wrong(p, NULL, "the program's name is empty");
	/* Quoted, it is a program. */
	if (place->source->text[place->offset] != '@' || p->token.bad)
		return 0;
	text = p_known(p, &p->token.word);
	return text ? find_applet(p, text + 1, &stage->applet) : -1;
}

int
p_stage(struct parser *p, struct stage *stage)
{
	bool bad = false;

	for (;;) {
		if (p->token.kind == TOKEN_REDIR) {
			if (p_redir(p, &stage->redirs, &stage->nredirs) < 0)
				return -1;
			continue;
		}
		if (p->token.kind != TOKEN_WORD)
			break;
		if (!stage->nwords && first_word(p, stage) < 0)
			return -1;
		bad = bad || p->token.bad;
		*(struct word *)arena_push(p->arena, &stage->words,
		                           &stage->nwords,
		                           sizeof(struct word)) =
			p->token.word;
		p_next(p);
	}
	if (p->token.kind == TOKEN_WRONG)
		return -1;
	if (!stage->nwords)
		return p_wrong(p, NULL, "a program is missing");
	if (bad || !stage->applet)
		return 0;
	return check_applet(p, stage);
}

#include "print.h"

#include <inttypes.h>
#include <string.h>

#include "base/units.h"

struct printer {
	struct strbuf *out;
	struct strbuf heres;     /* bodies to come behind this line */
	const struct plan *plan;
	const struct vocabulary *vocabulary;
};

/* Where a word stands decides what must be quoted in it. */
enum position {
	POSITION_FIRST,          /* of run and sh: no '=', no '@' */
	POSITION_WORD,           /* behind it */
	POSITION_PLAIN           /* in a command that has no operators */
};

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

static void
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

static void
add_word(struct printer *p, const struct word *word, enum position position)
{
	strbuf_putc(p->out, ' ');
	put_word(p, word, position);
}

static void
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

/* Does the text end with a newline, as a heredoc's mostly does? */
static bool
ends_line(const struct word *word)
{
	const char *last = word->npieces ?
	                   word->pieces[word->npieces - 1].text : NULL;

	return last && str_ends(last, "\n");
}

/*
 * A tag that no line of the body is: END, or END with a number above those
 * that occur.
 */
static void
put_tag(const char *body, struct strbuf *out)
{
	int64_t above = 0;

	while (body) {
		size_t len = strcspn(body, "\r\n");
		int64_t n = 1;
		char digits[16] = "";

		if (len >= 3 && len < 3 + sizeof(digits) &&
		    memcmp(body, "END", 3) == 0) {
			memcpy(digits, body + 3, len - 3);
			if ((!*digits || parse_int(digits, &n) == 0) &&
			    n >= above)
				above = n + 1;
		}
		body = strchr(body + len, '\n');
		body += body != NULL;
	}
	strbuf_puts(out, "END");
	if (above)
		strbuf_printf(out, "%" PRId64, above);
}

/* The operator now, the body at the line's end. */
static void
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

static void
end_line(struct printer *p)
{
	strbuf_putc(p->out, '\n');
	if (p->heres.len)
		strbuf_add(p->out, p->heres.text, p->heres.len);
	p->heres.len = 0;
}

/* ---- set-up ------------------------------------------------------------ */

static void
put_conditions(struct printer *p, const struct condition_use *list,
               size_t count)
{
	strbuf_puts(p->out, "need");
	for (size_t i = 0; i < count; i++) {
		strbuf_putc(p->out, ' ');
		print_text(list[i].text, POSITION_PLAIN, p->out);
	}
	end_line(p);
}

static void
put_prepare(struct printer *p, const struct script *script)
{
	strbuf_puts(p->out, "prepare");
	if (script->shell.npieces)
		add_word(p, &script->shell, POSITION_FIRST);
	add_word(p, &script->text, POSITION_FIRST);
	end_line(p);
}

static void
put_server(struct printer *p, const struct resource *resource)
{
	const struct param *params = p->vocabulary->server_params;

	strbuf_printf(p->out, "serve %s %s", resource->name,
	              resource->server->name);
	for (size_t i = 0; params && params[i].name; i++) {
		if (!resource->options[i].text)
			continue;
		strbuf_printf(p->out, " %s=", params[i].name);
		print_text(resource->options[i].text, POSITION_PLAIN, p->out);
	}
	end_line(p);
}

static void
put_resource(struct printer *p, const struct resource *resource)
{
	char size[32];

	switch (resource->kind) {
	case RESOURCE_FILE:
		strbuf_printf(p->out, "tmpfile %s %s", resource->name,
		              format_size(resource->size, size, sizeof(size)));
		if (resource->seed)
			strbuf_printf(p->out, " seed=%" PRIu64,
			              resource->seed);
		break;
	case RESOURCE_DIR:
		strbuf_printf(p->out, "tmpdir %s", resource->name);
		break;
	case RESOURCE_SERVER:
		put_server(p, resource);
		return;
	}
	end_line(p);
}

static const char *
mode_name(enum redir_kind mode)
{
	return mode == REDIR_IN ? "r" : mode == REDIR_OUT ? "w" :
	       mode == REDIR_APPEND ? "a" : "rw";
}

static void
put_setup(struct printer *p, const struct setup *setup)
{
	switch (setup->kind) {
	case SETUP_RESOURCE:
		put_resource(p, &p->plan->resources[setup->resource]);
		break;
	case SETUP_OPEN:
		strbuf_printf(p->out, "open %d", setup->open.fd);
		add_word(p, &setup->open.target, POSITION_PLAIN);
		strbuf_printf(p->out, " %s", mode_name(setup->open.mode));
		end_line(p);
		break;
	case SETUP_BACKGROUND:
		strbuf_printf(p->out, "background %" PRId64 "\n",
		              setup->background);
		break;
	case SETUP_NEED:
		put_conditions(p, setup->need.list, setup->need.count);
		break;
	case SETUP_PREPARE:
		put_prepare(p, &setup->prepare);
		break;
	}
}

/* ---- timed ------------------------------------------------------------- */

static void
put_redirs(struct printer *p, const struct redir *list, size_t count, bool sh)
{
	static const char *const operators[] = {
		[REDIR_IN] = "<", [REDIR_OUT] = ">", [REDIR_APPEND] = ">>",
		[REDIR_INOUT] = "<>", [REDIR_DUP] = ">&",
		[REDIR_CLOSE] = ">&-", [REDIR_HERE] = "",
	};

	for (size_t i = 0; i < count; i++) {
		const struct redir *redir = &list[i];
		bool input = redir->kind == REDIR_IN ||
		             redir->kind == REDIR_INOUT ||
		             redir->kind == REDIR_HERE;

		strbuf_putc(p->out, ' ');
		/* sh without the number: the heredoc would be the script. */
		if (redir->fd != !input || (sh && redir->kind == REDIR_HERE))
			strbuf_printf(p->out, "%d", redir->fd);
		strbuf_puts(p->out, operators[redir->kind]);
		if (redir->kind == REDIR_DUP)
			strbuf_printf(p->out, "%d", redir->from);
		else if (redir->kind == REDIR_HERE)
			put_here(p, &redir->target);
		else if (redir->kind != REDIR_CLOSE)
			put_word(p, &redir->target, POSITION_WORD);
	}
}

static void
put_stage(struct printer *p, const struct stage *stage)
{
	if (stage->applet)
		strbuf_printf(p->out, " @%s", stage->applet->name);
	else
		add_word(p, &stage->words[0], POSITION_FIRST);
	for (size_t i = 1; i < stage->nwords; i++)
		add_word(p, &stage->words[i], POSITION_WORD);
	put_redirs(p, stage->redirs, stage->nredirs, false);
}

static void
put_run(struct printer *p, const struct command *command)
{
	strbuf_puts(p->out, "run");
	put_settings(p, &command->settings);
	for (size_t i = 0; i < command->nstages; i++) {
		strbuf_puts(p->out, i ? " |" : "");
		put_stage(p, &command->stages[i]);
	}
}

static void
put_sh(struct printer *p, const struct command *command)
{
	const struct script *script = &command->script;

	strbuf_puts(p->out, "sh");
	put_settings(p, &command->settings);
	if (script->shell.npieces)
		add_word(p, &script->shell, POSITION_FIRST);
	if (ends_line(&script->text)) {
		strbuf_putc(p->out, ' ');
		put_here(p, &script->text);
	} else {
		add_word(p, &script->text, POSITION_FIRST);
	}
	put_redirs(p, command->redirs, command->nredirs, true);
}

static void put_command(struct printer *p, const struct command *command,
                        unsigned depth);

static void
indent(struct printer *p, unsigned depth)
{
	while (depth--)
		strbuf_putc(p->out, '\t');
}

static void
put_block(struct printer *p, const struct command *body, size_t nbody,
          unsigned depth)
{
	for (size_t i = 0; i < nbody; i++) {
		indent(p, depth + 1);
		put_command(p, &body[i], depth + 1);
	}
	indent(p, depth);
	strbuf_puts(p->out, "end\n");
}

static void
put_repeat(struct printer *p, const struct command *command, unsigned depth)
{
	strbuf_printf(p->out, "repeat %" PRId64, command->count);
	if (command->jobs)
		strbuf_printf(p->out, " jobs=%" PRId64, command->jobs);
	if (command->nbody == 1) {
		strbuf_putc(p->out, ' ');
		put_command(p, command->body, depth);
		return;
	}
	end_line(p);
	put_block(p, command->body, command->nbody, depth);
}

/* A command and its line's end; depth is of the line that it stands on. */
static void
put_command(struct printer *p, const struct command *command, unsigned depth)
{
	switch (command->kind) {
	case COMMAND_REPEAT:
		put_repeat(p, command, depth);
		return;
	case COMMAND_RUN:
		put_run(p, command);
		break;
	case COMMAND_SH:
		put_sh(p, command);
		break;
	case COMMAND_FORK:
		strbuf_puts(p->out, "fork");
		break;
	case COMMAND_WAIT:
		strbuf_puts(p->out, "wait");
		break;
	}
	if (command->background)
		strbuf_puts(p->out, " &");
	end_line(p);
}

static void
put_step(struct printer *p, const struct step *step)
{
	strbuf_puts(p->out, "step ");
	print_text(step->name, POSITION_PLAIN, p->out);
	put_settings(p, &step->settings);
	if (step->nbody == 1 && !step->nneeds && !step->nprepares) {
		strbuf_putc(p->out, ' ');
		put_command(p, step->body, 0);
		return;
	}
	end_line(p);
	if (step->nneeds) {
		indent(p, 1);
		put_conditions(p, step->needs, step->nneeds);
	}
	for (size_t i = 0; i < step->nprepares; i++) {
		indent(p, 1);
		put_prepare(p, &step->prepares[i]);
	}
	put_block(p, step->body, step->nbody, 0);
}

/* ---- the whole --------------------------------------------------------- */

static void
put_rules(struct printer *p)
{
	const struct plan *plan = p->plan;
	char text[32];

	if (plan->rounds >= 0)
		strbuf_printf(p->out, "rounds %" PRId64 "\n", plan->rounds);
	if (plan->warmup >= 0)
		strbuf_printf(p->out, "warmup %" PRId64 "\n", plan->warmup);
	if (plan->budget_ns >= 0)
		strbuf_printf(p->out, "budget %s\n",
		              format_duration(plan->budget_ns, text,
		                              sizeof(text)));
	if (plan->seed >= 0)
		strbuf_printf(p->out, "seed %" PRId64 "\n", plan->seed);
}

static void
put_expectation(struct printer *p, const struct expectation *expectation)
{
	static const char *const counters[] = {
		[COUNTER_EXECS] = "execs", [COUNTER_FORKS] = "forks",
		[COUNTER_FAILURES] = "failures",
	};

	strbuf_printf(p->out, "expect %s %s %" PRId64 "\n",
	              counters[expectation->counter], expectation->compare,
	              expectation->n);
}

void
plan_print(const struct plan *plan, const struct vocabulary *vocabulary,
           struct strbuf *out)
{
	struct printer p = {
		.out = out, .heres = { .arena = out->arena }, .plan = plan,
		.vocabulary = vocabulary,
	};

	put_rules(&p);
	for (size_t i = 0; i < plan->nsetups; i++)
		put_setup(&p, &plan->setups[i]);
	if (out->len && plan->nsteps)
		strbuf_putc(out, '\n');
	for (size_t i = 0; i < plan->nsteps; i++)
		put_step(&p, &plan->steps[i]);
	if (plan->nexpectations)
		strbuf_putc(out, '\n');
	for (size_t i = 0; i < plan->nexpectations; i++)
		put_expectation(&p, &plan->expectations[i]);
}

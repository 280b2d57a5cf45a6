#include "parse_internal.h"

#include <string.h>

#define MOST_REPEATS INT64_C(1000000000)
#define MOST_JOBS    1024

/* ---- steps ------------------------------------------------------------- */

bool
is_plain_name(const char *name)
{
	if (!*name)
		return false;
	for (; *name; name++)
		if ((unsigned char)*name < ' ' || *name == 0x7f)
			return false;
	return true;
}

/* A step whose name is wrong is read all the same. */
static int
step_name(struct parser *p, struct step *step)
{
	const char *name = p_look(p, "a step's name");
	size_t len;

	if (!name)
		return -1;
	if (!is_plain_name(name) || strchr(name, '/'))
		return p_wrong(p, "some text without '/'",
		               "'%s' cannot be a step's name", name);
	step->place = p->token.word.place;
	step->name = name;
	len = strlen(name);
	if (names_find(&p->step_names, name, len))
		return p_wrong(p, NULL, "there is a step '%s' already", name);
	names_add(&p->step_names, name, len);
	return 0;
}

/* A command that is nothing but waiting measures nothing. */
static bool
runs_something(const struct command *body, size_t nbody)
{
	for (size_t i = 0; i < nbody; i++)
		if (body[i].kind == COMMAND_REPEAT ?
		    runs_something(body[i].body, body[i].nbody) :
		    body[i].kind != COMMAND_WAIT)
			return true;
	return false;
}

static void
add_step(struct parser *p, const struct step *step)
{
	struct plan *plan = p->plan;

	*(struct step *)arena_push(p->arena, &plan->steps, &plan->nsteps,
	                           sizeof(*step)) = *step;
}

int
p_step(struct parser *p)
{
	struct step step = { .place = p->command };
	struct place header = p->command;
	struct settings own = { 0 };
	size_t trouble = p_trouble(p);
	int result;

	step_name(p, &step);
	p_next_word(p);
	while (is_assignment(&p->token))
		p_knob(p, false, &own);
	step.settings = settings_merge(p->arena, &p->with, &own);
	if (step.settings.count > MOST_SETTINGS)
		return p_give_up(p, "too many knobs are in force");
	p->step = &step;
	result = p_body(p, header, true, &step.body, &step.nbody);
	p->step = NULL;
	if (result < 0)
		return -1;
	if (p_trouble(p) == trouble && !runs_something(step.body, step.nbody))
		complain(p->complaints, step.place, NULL,
		         "step '%s' has no timed command", step.name);
	add_step(p, &step);
	return 0;
}

/* ---- steps without a name ---------------------------------------------- */

/* The last part of a path, as far as it is known now. */
static const char *
word_name(struct parser *p, const struct word *word, const char *otherwise)
{
	const struct piece *last = word->pieces + word->npieces;
	const char *text, *end, *start;
	char *name;

	if (!word->npieces)
		return otherwise;
	text = (--last)->text;
	if (!text)
		return p->plan->resources[last->resource].name;
	end = text + strlen(text);
	while (end > text && end[-1] == '/')
		end--;
	for (start = end; start > text && start[-1] != '/';)
		start--;
	if (start == end)
		return otherwise;
	name = arena_copy(p->arena, start, (size_t)(end - start));
	for (char *at = name; *at; at++)
		if ((unsigned char)*at < ' ' || *at == 0x7f)
			*at = '_';
	return name;
}

static const char *
command_name(struct parser *p, const struct command *command)
{
	const struct stage *stage = command->stages;

	switch (command->kind) {
	case COMMAND_RUN:
		return stage->applet ? stage->applet->name :
		       word_name(p, &stage->words[0], "run");
	case COMMAND_SH:
		return word_name(p, &command->script.shell, "sh");
	case COMMAND_FORK:
		return "fork";
	case COMMAND_WAIT:
		return "wait";
	case COMMAND_REPEAT:
		break;
	}
	for (size_t i = 0; i < command->nbody; i++)
		if (command->body[i].kind != COMMAND_WAIT)
			return command_name(p, &command->body[i]);
	return "repeat";
}

int
p_bare_step(struct parser *p, const struct command_row *row,
            struct place place)
{
	struct command *command = arena_alloc(p->arena, sizeof(*command));
	struct step step = {
		.place = place, .settings = p->with, .body = command,
		.nbody = 1,
	};
	size_t trouble = p_trouble(p);

	command->place = place;
	if (row->timed(p, command) < 0)
		return -1;
	if (p_trouble(p) == trouble && !runs_something(command, 1))
		complain(p->complaints, place, NULL,
		         "'%s' starts nothing that could be timed", row->name);
	step.name = command_name(p, command);
	*(size_t *)arena_push(p->arena, &p->bare, &p->nbare,
	                      sizeof(size_t)) = p->plan->nsteps;
	add_step(p, &step);
	return 0;
}

void
name_steps(struct parser *p)
{
	struct names *names = &p->step_names;

	for (size_t i = 0; i < p->nbare; i++) {
		struct step *step = &p->plan->steps[p->bare[i]];
		const char *name = step->name;
		struct symbol *first = names_find(names, name, strlen(name));

		/* Its number is how many bear the name so far. */
		while (first && names_find(names, step->name,
		                           strlen(step->name)))
			step->name = arena_printf(p->arena, "%s~%zu", name,
			                          ++first->number + 1);
		names_add(names, step->name, strlen(step->name));
	}
}

/* ---- repeat ------------------------------------------------------------ */

static void
repeat_jobs(struct parser *p, struct command *command)
{
	static const struct param options[] = {
		{ .name = "jobs", .kind = VALUE_INT, .min = 1,
		  .max = MOST_JOBS },
		{ 0 }
	};
	struct value jobs = { 0 };

	while (is_assignment(&p->token)) {
		p_option(p, "repeat", options, &jobs);
		p_next(p);
	}
	command->jobs = jobs.n;
}

/* The count and jobs; wrong ones are complained about and passed over. */
static void
repeat_header(struct parser *p, struct command *command, struct place *jobs)
{
	static const struct param param = {
		.kind = VALUE_INT, .min = 1, .max = MOST_REPEATS,
	};
	struct value count = { 1, NULL };

	/* A forgotten count leaves the command in its place. */
	if (p_read(p, &param, "how often", &count) == 0 || !p_at_command(p))
		p_next_word(p);
	command->count = count.n;
	*jobs = p->token.word.place;
	repeat_jobs(p, command);
}

int
p_repeat(struct parser *p, struct command *command)
{
	struct place header = p->command, jobs;
	size_t trouble = p_trouble(p);
	int result;

	command->kind = COMMAND_REPEAT;
	if (p->depth == PLAN_NESTING)
		return p_give_up(p, "blocks are nested too deep");
	repeat_header(p, command, &jobs);
	p->depth++;
	result = p_body(p, header, false, &command->body, &command->nbody);
	p->depth--;
	if (result < 0)
		return -1;
	if (p_trouble(p) != trouble)
		return 0;
	if (!command->nbody)
		complain(p->complaints, header, NULL, "nothing is repeated");
	else if (command->jobs &&
	         (command->nbody > 1 || command->body->background ||
	          command->body->kind == COMMAND_REPEAT ||
	          command->body->kind == COMMAND_WAIT))
		complain(p->complaints, jobs, NULL, "jobs= wants exactly one "
		         "run, sh or fork, without '&'");
	return 0;
}

/* ---- run, sh, fork, wait ----------------------------------------------- */

/* "&", and the end of the line, where heredocs are read. */
static int
end_of_run(struct parser *p, struct command *command)
{
	if (p->token.kind == TOKEN_BACKGROUND) {
		command->background = true;
		p_next(p);
		if (!at_line_end(p))
			return p_wrong(p, "one command a line",
			               "'&' must be the last word");
	}
	if (!at_line_end(p))
		return p_wrong(p, NULL, "nothing is expected here");
	return 0;
}

int
p_run(struct parser *p, struct command *command)
{
	command->kind = COMMAND_RUN;
	while (is_assignment(&p->token))
		p_knob(p, true, &command->settings);
	for (;;) {
		struct stage stage = { 0 };

		if (p_stage(p, &stage) < 0)
			return -1;
		*(struct stage *)arena_push(p->arena, &command->stages,
		                            &command->nstages,
		                            sizeof(stage)) = stage;
		if (p->token.kind != TOKEN_PIPE)
			break;
		p_next(p);
	}
	if (end_of_run(p, command) < 0)
		return -1;
	for (size_t i = 0; i < command->nstages; i++)
		fill_heres(p, command->stages[i].redirs,
		           command->stages[i].nredirs);
	return 0;
}

/* The words of sh: the shell, the script, or both. */
struct sh_words {
	struct word words[2];
	size_t count;
	size_t here;             /* 1 + the index of the script's heredoc */
};

static int
sh_word(struct parser *p, struct sh_words *sh)
{
	if (sh->count == 2)
		return p_wrong(p, "quote the script",
		               "sh takes a shell and a script");
	sh->words[sh->count++] = p->token.word;
	p_next(p);
	return 0;
}

static int
sh_here(struct parser *p, struct sh_words *sh)
{
	if (sh->here)
		return p_wrong(p, NULL, "the script is given twice");
	sh->here = p->lex->nheres;
	p_next(p);
	return 0;
}

static int
sh_words(struct parser *p, struct command *command, struct sh_words *sh)
{
	for (;;) {
		int result;

		if (p->token.kind == TOKEN_WORD)
			result = sh_word(p, sh);
		else if (p->token.kind != TOKEN_REDIR)
			return 0;
		else if (p->token.redir == REDIR_HERE && !p->token.fd_told)
			result = sh_here(p, sh);
		else
			result = p_redir(p, &command->redirs,
			                 &command->nredirs);
		if (result < 0)
			return -1;
	}
}

int
p_sh(struct parser *p, struct command *command)
{
	struct sh_words sh = { .count = 0 };
	struct script *script = &command->script;

	command->kind = COMMAND_SH;
	script->place = command->place;
	while (is_assignment(&p->token))
		p_knob(p, true, &command->settings);
	if (sh_words(p, command, &sh) < 0)
		return -1;
	if (p->token.kind == TOKEN_PIPE)
		return p_wrong(p, "quote the script",
		               "a pipeline stands within the script");
	if (sh.here && sh.count == 2)
		return p_wrong(p, "with <<TAG the heredoc is the script",
		               "the script is given twice");
	if (!sh.here && !sh.count)
		return p_wants(p, "a script");
	if (end_of_run(p, command) < 0)
		return -1;
	fill_heres(p, command->redirs, command->nredirs);
	if (sh.here && sh.here <= p->lex->nheres)
		script->text = p->lex->heres[sh.here - 1].text;
	else if (!sh.here)
		script->text = sh.words[sh.count - 1];
	if (sh.count == 2 || sh.here)
		script->shell = sh.words[0];
	return 0;
}

int
p_fork(struct parser *p, struct command *command)
{
	const char *operation;

	command->kind = COMMAND_FORK;
	if (at_line_end(p))
		return 0;
	operation = p_look(p, "an operation");
	return operation ? p_wrong(p, NULL, "no operation named '%s'",
	                           operation) : -1;
}

int
p_wait(struct parser *p, struct command *command)
{
	(void)p;
	command->kind = COMMAND_WAIT;
	return 0;
}

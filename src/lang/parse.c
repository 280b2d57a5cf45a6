#include "parse_internal.h"

#include <string.h>
#include <sys/stat.h>

/* A longer list of mistakes needs no more hints. */
#define MOST_HINTS 100

static const struct command_row rows[] = {
	{ "set", AT_TOP, p_set, NULL, false },
	{ "include", AT_TOP, p_include, NULL, false },
	{ "need", AT_TOP | AT_STEP, p_need, NULL, false },
	{ "tmpfile", AT_TOP, p_tmpfile, NULL, false },
	{ "tmpdir", AT_TOP, p_tmpdir, NULL, false },
	{ "serve", AT_TOP, p_serve, NULL, false },
	{ "open", AT_TOP, p_open, NULL, false },
	{ "background", AT_TOP, p_background, NULL, false },
	{ "prepare", AT_TOP | AT_STEP, p_prepare, NULL, false },
	{ "with", AT_TOP, p_with, NULL, false },
	{ "variant", AT_TOP, p_variant, NULL, false },
	{ "rounds", AT_TOP, p_rounds, NULL, false },
	{ "warmup", AT_TOP, p_warmup, NULL, false },
	{ "budget", AT_TOP, p_budget, NULL, false },
	{ "seed", AT_TOP, p_seed, NULL, false },
	{ "expect", AT_TOP, p_expect, NULL, false },
	{ "step", AT_TOP, p_step, NULL, false },
	{ "repeat", ANYWHERE, NULL, p_repeat, false },
	{ "run", ANYWHERE, NULL, p_run, true },
	{ "sh", ANYWHERE, NULL, p_sh, true },
	{ "fork", ANYWHERE, NULL, p_fork, false },
	{ "wait", ANYWHERE, NULL, p_wait, false },
	{ 0 }
};

/* ---- tokens ------------------------------------------------------------ */

void
p_next(struct parser *p)
{
	p->token = lexer_next(p->lex);
}

bool
at_line_end(const struct parser *p)
{
	return p->token.kind == TOKEN_EOL || p->token.kind == TOKEN_EOF;
}

void
p_next_word(struct parser *p)
{
	if (!at_line_end(p))
		p_next(p);
}

static void
next_line(struct parser *p)
{
	lexer_line(p->lex);
	p_next(p);
}

/* After a command: whatever is left of its line is wrong. */
static void
end_line(struct parser *p, int result)
{
	if (result == 0 && !at_line_end(p))
		p_wrong(p, NULL, "nothing is expected here");
	p->lex->quiet = true;
	while (!at_line_end(p))
		p_next(p);
}

size_t
p_trouble(const struct parser *p)
{
	return p->complaints->count + p->names.nmisses;
}

int
p_give_up(struct parser *p, const char *message)
{
	complain(p->complaints, p->command, NULL, "%s", message);
	p->lex->at = p->lex->end;
	p->lex->broken = true;
	return -1;
}

/* ---- commands ---------------------------------------------------------- */

static bool
at_word(const struct parser *p, const char *word)
{
	const char *text = p->token.kind == TOKEN_WORD && !p->token.bad ?
	                   word_text(&p->token.word) : NULL;

	return text && strcmp(text, word) == 0;
}

static const struct command_row *
find_row(const char *name)
{
	const struct command_row *row = rows;

	while (row->name && strcmp(row->name, name) != 0)
		row++;
	return row->name ? row : NULL;
}

bool
p_at_command(const struct parser *p)
{
	const char *text = p->token.kind == TOKEN_WORD ?
	                   word_text(&p->token.word) : NULL;

	return text && find_row(text);
}

static int
misplaced(struct parser *p, const struct command_row *row, enum where where)
{
	if (where == AT_LINE)
		return p_wrong(p, "run, sh, fork, repeat and wait are timed",
		               "'%s' is not a timed command", row->name);
	p->strays += row->setup == p_step;
	if (row->where & AT_STEP)
		return p_wrong(p, "it stands directly in a step's block",
		               "'%s' cannot stand in this block", row->name);
	return p_wrong(p, "is an 'end' missing above?",
	               "'%s' cannot stand in a block", row->name);
}

static void
unknown(struct parser *p, const char *text)
{
	const char *hint = table_hint(p, rows, sizeof(*rows), text);

	if (is_assignment(&p->token))
		hint = "'set' sets a variable, 'with' a knob";
	else if (!hint && strchr(text, '/'))
		hint = "'run' runs a program";
	p_wrong(p, hint, "no command named '%s'", text);
}

const struct command_row *
p_command(struct parser *p, enum where where)
{
	const char *text = word_text(&p->token.word);
	const struct command_row *row;

	p->command = p->token.word.place;
	if (p->token.bad || !text) {
		p_wrong(p, NULL, "this is not a command's name");
		return NULL;
	}
	row = find_row(text);
	if (!row) {
		p->strays += where != AT_LINE;
		unknown(p, text);
		return NULL;
	}
	if (!(row->where & where)) {
		misplaced(p, row, where);
		return NULL;
	}
	p->lex->operators = row->operators;
	p_next(p);
	return row;
}

static int
timed_command(struct parser *p, const struct command_row *row,
              struct command **body, size_t *nbody)
{
	struct command command = { .place = p->command };

	if (row->timed(p, &command) < 0)
		return -1;
	*(struct command *)arena_push(p->arena, body, nbody,
	                              sizeof(command)) = command;
	return 0;
}

/* ---- blocks ------------------------------------------------------------ */

static void
block(struct parser *p, struct place header, enum where where,
      struct command **body, size_t *nbody)
{
	for (;;) {
		const struct command_row *row;
		int result = -1;

		next_line(p);
		if (p->token.kind == TOKEN_EOF && !p->lex->broken)
			complain(p->complaints, header, NULL,
			         "no 'end' closes this block");
		if (p->token.kind == TOKEN_EOF)
			return;
		if (p->token.kind == TOKEN_EOL)
			continue;
		if (at_word(p, "end")) {
			p_next(p);
			return;
		}
		row = p_command(p, where);
		if (row)
			result = row->setup ? row->setup(p) :
			         timed_command(p, row, body, nbody);
		end_line(p, result);
	}
}

int
p_body(struct parser *p, struct place header, bool step,
       struct command **body, size_t *nbody)
{
	const struct command_row *row;

	if (at_line_end(p)) {
		p->depth += step;
		block(p, header, step ? AT_STEP : AT_REPEAT, body, nbody);
		p->depth -= step;
		return 0;
	}
	row = p_command(p, AT_LINE);
	return row ? timed_command(p, row, body, nbody) : -1;
}

/* ---- files ------------------------------------------------------------- */

/* An "end" may belong to a header that was not understood. */
static int
stray_end(struct parser *p)
{
	if (p->strays == 0)
		return p_wrong(p, NULL, "this 'end' closes nothing");
	p->strays--;
	p_next(p);
	return -1;
}

static void
top_line(struct parser *p)
{
	const struct command_row *row;
	int result = -1;

	if (at_word(p, "end")) {
		stray_end(p);
	} else if ((row = p_command(p, AT_TOP))) {
		result = row->setup ? row->setup(p) :
		         p_bare_step(p, row, p->command);
	}
	end_line(p, result);
}

void
p_file(struct parser *p, const struct source *source)
{
	struct lexer lex, *outer = p->lex;
	struct token token = p->token;
	struct file file = { .source = source, .includer = p->file };
	struct stat about;

	if (stat(source->name, &about) == 0 && S_ISREG(about.st_mode)) {
		file.known = true;
		file.device = (uint64_t)about.st_dev;
		file.inode = (uint64_t)about.st_ino;
	}
	lexer_init(&lex, p->arena, p->complaints, &p->names, source);
	p->lex = &lex;
	p->file = &file;
	for (next_line(p); p->token.kind != TOKEN_EOF; next_line(p))
		if (p->token.kind != TOKEN_EOL)
			top_line(p);
	p->broken = p->broken || lex.broken;
	p->file = file.includer;
	p->lex = outer;
	p->token = token;
}

/* ---- the whole --------------------------------------------------------- */

static void
check_misses(struct parser *p)
{
	const struct names *names = &p->names;

	for (size_t i = 0; i < names->nmisses; i++) {
		const struct miss *miss = &names->misses[i];
		const char *hint = NULL;

		if (names_find(names, miss->name, strlen(miss->name)))
			hint = "it is set only behind this";
		else if (i < MOST_HINTS)
			hint = names_hint(names, miss->name);
		complain(p->complaints, miss->place, hint,
		         "'%s' is not set", miss->name);
	}
}

static void
check_assignments(struct parser *p)
{
	static const struct place nowhere;

	for (size_t i = 0; i < p->input->nassignments; i++) {
		const char *name = p->input->assignments[i].name;

		if (p->assigned[i])
			continue;
		complain(p->complaints, nowhere,
		         i < MOST_HINTS ? names_hint(&p->names, name) : NULL,
		         "nothing sets '%s'", name);
	}
}

struct plan *
p_workload(const struct parse_input *input, const struct source *vary,
           const struct variant *chosen, size_t index,
           struct complaints *complaints, struct variants *variants)
{
	static const struct place nowhere;
	struct arena *arena = input->arena;
	struct plan *plan = arena_alloc(arena, sizeof(*plan));
	struct parser p = {
		.input = input, .arena = arena, .complaints = complaints,
		.vocabulary = input->vocabulary, .plan = plan,
		.names = { .arena = arena }, .step_names = { .arena = arena },
		.assigned = arena_array(arena, input->nassignments,
		                        sizeof(bool)),
		.vary = vary, .chosen = chosen, .chosen_index = index,
	};

	plan->arena = arena;
	plan->name = input->name;
	plan->rounds = plan->warmup = plan->budget_ns = plan->seed = -1;
	variant_begin(&p);
	if (vary)
		p_file(&p, vary);
	for (size_t i = 0; i < input->nsources; i++)
		p_file(&p, &input->sources[i]);
	name_steps(&p);
	variant_end(&p);
	*variants = p.variants;
	check_misses(&p);
	if (!p.broken)
		check_assignments(&p);
	if (!plan->nsteps && !complaints->count)
		complain(complaints, nowhere, NULL, "nothing to run in %s%s",
		         input->sources[0].name,
		         input->nsources > 1 ? " and the others" : "");
	return complaints->count ? NULL : plan;
}

struct plan *
plan_parse(const struct parse_input *input, struct complaints *complaints)
{
	struct variants variants;

	return p_workload(input, NULL, NULL, 0, complaints, &variants);
}

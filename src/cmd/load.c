#include "load.h"

#include <string.h>

#include "base/io.h"
#include "cmd/builtin.h"
#include "cmd/command.h"
#include "lang/parse.h"
#include "lang/print.h"

/* ---- sources ----------------------------------------------------------- */

static void
set_text(struct source *source, const char *name, const char *text)
{
	source->name = name;
	source->text = text;
	source->len = strlen(text);
}

static const char *
next_builtin(void *state)
{
	const struct builtin **at = state;

	return (*at)->name ? (*at)++->name : NULL;
}

static int
read_builtin(const char *name, struct source *source)
{
	const struct builtin *at = builtins;
	const char *nearest;

	for (const struct builtin *b = builtins; b->name; b++)
		if (strcmp(b->name, name) == 0) {
			set_text(source, b->name, b->text);
			return 0;
		}
	nearest = str_nearest(name, next_builtin, &at);
	if (nearest)
		say("no workload '%s' is built in; did you mean '%s'?", name,
		    nearest);
	else
		say("no workload '%s' is built in; see 'forkload list'", name);
	return -1;
}

static int
read_input(struct arena *arena, const struct input *input,
           struct source *source)
{
	struct errmsg why;

	switch (input->kind) {
	case INPUT_BUILTIN:
		return read_builtin(input->text, source);
	case INPUT_LINES:
		set_text(source, "-e", input->text);
		return 0;
	case INPUT_FILE:
		break;
	}
	if (source_read(arena, input->text, source, &why) == 0)
		return 0;
	say("%s", why.text);
	return -1;
}

/* A command becomes a workload of one line: "run 'PROGRAM' 'ARG'...". */
static void
set_command(struct arena *arena, char *const *command, struct source *source)
{
	struct strbuf line = { .arena = arena };

	strbuf_puts(&line, "run");
	for (size_t i = 0; command[i]; i++) {
		strbuf_putc(&line, ' ');
		/* Only unquoted is @NAME an applet. */
		if (i == 0 && command[0][0] == '@')
			strbuf_puts(&line, command[0]);
		else
			print_word(command[i], &line);
	}
	strbuf_putc(&line, '\n');
	set_text(source, "command", line.text);
}

/* ---- the plan ---------------------------------------------------------- */

/* What the report calls it: the first file's name without folder and .wl. */
static const char *
workload_name(struct arena *arena, const struct options *options)
{
	const char *name;

	if (options->command)
		return path_base(options->command[0]);
	for (size_t i = 0; i < options->ninputs; i++) {
		if (options->inputs[i].kind == INPUT_LINES)
			continue;
		name = path_base(options->inputs[i].text);
		if (strcmp(name, "-") == 0)
			return "stdin";
		return str_ends(name, ".wl") ?
		       arena_copy(arena, name, strlen(name) - 3) : name;
	}
	return "lines";
}

static void
tell(struct arena *arena, const struct complaints *complaints,
     const struct options *options)
{
	struct strbuf text = { .arena = arena };

	complaints_show(complaints, when_holds(options->color, 2), &text);
	write_all(2, text.text, text.len);
}

const struct plan *
load_plan(struct arena *arena, const struct options *options)
{
	size_t n = options->command ? 1 : options->ninputs;
	struct source *sources = arena_array(arena, n, sizeof(*sources));
	struct complaints complaints = { .arena = arena };
	struct parse_input input = {
		.arena = arena, .vocabulary = &vocabulary,
		.name = workload_name(arena, options),
		.sources = sources, .nsources = n,
		.assignments = options->assignments,
		.nassignments = options->nassignments,
	};
	struct plan *plan;

	for (size_t i = 0; i < options->ninputs; i++)
		if (read_input(arena, &options->inputs[i], &sources[i]) < 0)
			return NULL;
	if (options->command)
		set_command(arena, options->command, &sources[0]);
	plan = plan_parse(&input, &complaints);
	if (plan)
		plan_check(plan, &complaints);
	if (!complaints.count)
		return plan;
	tell(arena, &complaints, options);
	return NULL;
}

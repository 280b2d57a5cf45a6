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

	if (input->kind == INPUT_BUILTIN)
		return read_builtin(input->text, source);
	if (source_read(arena, input->text, source, &why) == 0)
		return 0;
	say("%s", why.text);
	return -1;
}

/*
 * Lines that follow one another are one text, so that a block may go over
 * several of them. Returns how many were taken.
 */
static size_t
read_lines(struct arena *arena, const struct input *inputs, size_t count,
           struct source *source)
{
	struct strbuf text = { .arena = arena };
	size_t n = 0;

	for (; n < count && inputs[n].kind == INPUT_LINES; n++) {
		strbuf_puts(&text, inputs[n].text);
		strbuf_putc(&text, '\n');
	}
	set_text(source, "-e", text.text);
	return n;
}

/* The command line's inputs as sources: how many, or -1 where one failed. */
static int
read_inputs(struct arena *arena, const struct options *options,
            struct source *sources)
{
	const struct input *inputs = options->inputs;
	size_t i = 0;
	int n = 0;

	while (i < options->ninputs) {
		struct source *source = &sources[n++];

		if (inputs[i].kind == INPUT_LINES)
			i += read_lines(arena, inputs + i,
			                options->ninputs - i, source);
		else if (read_input(arena, &inputs[i++], source) < 0)
			return -1;
	}
	return n;
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
	struct source *sources = arena_array(arena, options->ninputs + 1,
	                                     sizeof(*sources));
	struct complaints complaints = { .arena = arena };
	struct parse_input input = {
		.arena = arena, .vocabulary = &vocabulary,
		.name = workload_name(arena, options),
		.sources = sources, .nsources = 1,
		.assignments = options->assignments,
		.nassignments = options->nassignments,
	};
	struct plan *plan;

	if (options->command) {
		set_command(arena, options->command, &sources[0]);
	} else {
		int n = read_inputs(arena, options, sources);

		if (n < 0)
			return NULL;
		input.nsources = (size_t)n;
	}
	plan = plan_parse(&input, &complaints);
	if (plan)
		plan_check(plan, &complaints);
	if (!complaints.count)
		return plan;
	tell(arena, &complaints, options);
	return NULL;
}

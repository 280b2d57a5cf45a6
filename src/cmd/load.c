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

/* ---- variants of the command line -------------------------------------- */

/* One KEY=A,B of --vary. */
struct varied {
	const char *key;
	const char *values[MOST_VARIANTS];
	size_t count;
};

static int
read_varied(struct arena *arena, const char *text, struct varied *out)
{
	const char *equals = strchr(text, '='), *at;

	if (!equals || equals == text || !equals[1])
		return wrong_usage("--vary: '%s' is not KEY=A,B", text), -1;
	out->key = arena_copy(arena, text, (size_t)(equals - text));
	out->count = 0;
	for (at = equals + 1; ; at++) {
		size_t len = strcspn(at, ",");

		if (out->count == MOST_VARIANTS)
			return wrong_usage("--vary: '%s' has more than %d "
			                   "values", text, MOST_VARIANTS), -1;
		out->values[out->count++] = arena_copy(arena, at, len);
		at += len;
		if (!*at)
			break;
	}
	if (out->count == 1)
		return wrong_usage("--vary: '%s' has one value: there is "
		                   "nothing to compare", text), -1;
	return 0;
}

/* "variant 'a=1,b=x' a='1' b='x'", for one element of the product. */
static void
put_variant(struct arena *arena, const struct varied *varied, size_t count,
            size_t index, struct strbuf *out)
{
	struct strbuf name = { .arena = arena }, words = { .arena = arena };

	for (size_t i = count; i-- > 0;) {
		const struct varied *v = &varied[i];
		const char *value = v->values[index % v->count];
		struct strbuf word = { .arena = arena };

		index /= v->count;
		strbuf_printf(&word, " %s=", v->key);
		print_word(value, &word);
		strbuf_puts(&word, words.text ? words.text : "");
		words = word;
		name.text = arena_printf(arena, "%s=%s%s%s", v->key, value,
		                         name.text ? "," : "",
		                         name.text ? name.text : "");
	}
	strbuf_puts(out, "variant ");
	print_word(name.text, out);
	strbuf_printf(out, "%s\n", words.text);
}

/* 1: the source is filled; 0: there are none; -1: wrong, and that was said. */
static int
make_variants(struct arena *arena, const struct options *options,
              struct source *source)
{
	struct varied *varied = arena_array(arena, options->nvaries,
	                                    sizeof(*varied));
	struct strbuf text = { .arena = arena };
	size_t product = 1;

	if (options->lab.aa && options->nvaries)
		return wrong_usage("--aa compares with itself: --vary does "
		                   "not go with it"), -1;
	if (options->lab.aa) {
		set_text(source, "--aa", "variant A\nvariant B\n");
		return 1;
	}
	for (size_t i = 0; i < options->nvaries; i++) {
		if (read_varied(arena, options->varies[i], &varied[i]) < 0)
			return -1;
		product *= varied[i].count;
		if (product > MOST_VARIANTS) {
			wrong_usage("--vary: more than %d variants",
			            MOST_VARIANTS);
			return -1;
		}
	}
	if (options->nvaries == 0)
		return 0;
	for (size_t i = 0; i < product; i++)
		put_variant(arena, varied, options->nvaries, i, &text);
	set_text(source, "--vary", text.text);
	return 1;
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

int
load_plans(struct arena *arena, const struct options *options,
           struct plans *plans)
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
	struct source vary;
	int varies = make_variants(arena, options, &vary);

	if (varies < 0)
		return -1;
	if (options->command) {
		set_command(arena, options->command, &sources[0]);
	} else {
		int n = read_inputs(arena, options, sources);

		if (n < 0)
			return -1;
		input.nsources = (size_t)n;
	}
	if (plans_parse(&input, varies ? &vary : NULL, &complaints,
	                plans) == 0)
		for (size_t i = 0; i < plans->count && !complaints.count; i++)
			plan_check(plans->list[i], &complaints);
	if (!complaints.count)
		return 0;
	tell(arena, &complaints, options);
	return -1;
}

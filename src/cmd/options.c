#include "options.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/units.h"
#include "cmd/command.h"

enum option_id {
	OPT_FILE = 'f', OPT_WORKLOAD = 'w', OPT_EVAL = 'e', OPT_STEP = 's',
	OPT_APPEND = 'a', OPT_MARGIN = 'm', OPT_BUDGET = 'b', OPT_ROUNDS = 'r',
	OPT_WARMUP = 'W',
	OPT_TIMEOUT = 't', OPT_CPU = 'c', OPT_FORMAT = 'F', OPT_POSIX = 'p',
	OPT_KEEP_GOING = 'k', OPT_QUIET = 'q', OPT_VERBOSE = 'v',
	OPT_HELP = 'h', OPT_VERSION = 'V',
	OPT_SEED = 256, OPT_FAIL_IF, OPT_SHOW_OUTPUT, OPT_PROGRESS, OPT_COLOR,
	OPT_CPU_SPLIT, OPT_HISTOGRAM, OPT_VARY, OPT_AA, OPT_BOOT, OPT_BISECT
};

struct option_row {
	int id;                  /* its letter, where it has one */
	const char *name;
	const char *argument;    /* NULL: it has none */
	const char *help;
};

static const struct option_row rows[] = {
	{ OPT_FILE, "file", "FILE", "a workload file; - is standard input" },
	{ OPT_WORKLOAD, "workload", "NAME", "a workload that is built in" },
	{ OPT_EVAL, "eval", "'LINE'", "a line of a workload" },
	{ OPT_STEP, "step", "GLOB", "only the steps of such names" },
	{ OPT_VARY, "vary", "KEY=A,B",
	  "compare values of a knob or variable" },
	{ OPT_AA, "aa", NULL, "compare with itself: what can be told here" },
	{ OPT_BUDGET, "budget", "DUR", "how long the whole run may take (5s)" },
	{ OPT_ROUNDS, "rounds", "N", "exactly so many rounds, or pairs" },
	{ OPT_WARMUP, "warmup", "N", "so many rounds before them (1)" },
	{ OPT_TIMEOUT, "timeout", "DUR", "end the whole run after that time" },
	{ OPT_SEED, "seed", "N", "of the content of files (1)" },
	{ OPT_CPU, "cpu", "LIST", "run it on these CPUs" },
	{ OPT_CPU_SPLIT, "cpu-split", "SOURCE",
	  "of user and sys: auto, pmu, sampled, kernel" },
	{ OPT_FORMAT, "format", "NAME",
	  "the report; see forkload help formats" },
	{ OPT_APPEND, "append", "FILE", "append the raw samples to FILE" },
	{ OPT_BOOT, "boot", "NAME", "name this boot, in the samples" },
	{ OPT_POSIX, "posix", NULL, "the same as --format=posix" },
	{ OPT_FAIL_IF, "fail-if", "'EXPR'",
	  "exit 3 where it holds: real>20ms, real>2%" },
	{ OPT_MARGIN, "margin", "PCT", "a difference that matters (1)" },
	{ OPT_BISECT, "bisect", NULL,
	  "exit as git bisect run wants: 0, 1, 125" },
	{ OPT_KEEP_GOING, "keep-going", NULL, "go on after a step has failed" },
	{ OPT_SHOW_OUTPUT, "show-output", NULL,
	  "what the programs write goes to standard error" },
	{ OPT_QUIET, "quiet", NULL, "no notes on standard error" },
	{ OPT_VERBOSE, "verbose", NULL,
	  "tell whose CPU time it is, and more of each step" },
	{ OPT_HISTOGRAM, "histogram", NULL, "draw the programs' times" },
	{ OPT_PROGRESS, "progress", "WHEN", "auto, always, never, lines" },
	{ OPT_COLOR, "color", "WHEN", "auto, always, never" },
	{ OPT_HELP, "help", NULL, "this help" },
	{ OPT_VERSION, "version", NULL, "forkload's version" },
};

#define NROWS (sizeof(rows) / sizeof(rows[0]))

void
options_help(struct strbuf *out)
{
	for (size_t i = 0; i < NROWS; i++) {
		const struct option_row *row = &rows[i];
		size_t from = out->len;

		if (row->id < 256)
			strbuf_printf(out, "  -%c, --%s", row->id, row->name);
		else
			strbuf_printf(out, "      --%s", row->name);
		if (row->argument)
			strbuf_printf(out, " %s", row->argument);
		strbuf_printf(out, "%*s  %s\n",
		              (int)(out->len - from < 25 ?
		                    25 - (out->len - from) : 0), "",
		              row->help);
	}
}

bool
when_holds(enum when when, int fd)
{
	return when == WHEN_ALWAYS || when == WHEN_LINES ||
	       (when == WHEN_AUTO && isatty(fd));
}

/* ---- values ------------------------------------------------------------ */

struct reader {
	struct arena *arena;
	struct options *options;
};

static int
wrong(const char *option, const char *value, const char *what)
{
	wrong_usage("--%s: '%s' is not %s", option, value, what);
	return -1;
}

static int
read_number(const char *option, const char *value, int64_t least,
            int64_t *out)
{
	if (parse_int(value, out) < 0 || *out < least)
		return wrong(option, value, least ? "a whole number above 0" :
		             "a whole number");
	return 0;
}

static int
read_time(const char *option, const char *value, int64_t *out)
{
	if (parse_duration(value, out) < 0 || *out == 0)
		return wrong(option, value, "a duration (200ms, 5s, 2m)");
	return 0;
}

static int
read_when(const char *option, const char *value, bool lines, enum when *out)
{
	static const char *const names[] = {
		"auto", "always", "never", "lines",
	};

	for (int i = 0; i < (lines ? 4 : 3); i++)
		if (strcmp(names[i], value) == 0) {
			*out = (enum when)i;
			return 0;
		}
	return wrong(option, value, lines ? "auto, always, never or lines" :
	             "auto, always or never");
}

static int
read_format(const char *value, struct options *options)
{
	options->format = report_find(value);
	if (!options->format)
		return wrong("format", value,
		             "table, time, posix, bench or sh");
	return 0;
}

static int
read_split(const char *value, struct options *options)
{
	for (int i = 0; split_choice_names[i]; i++)
		if (strcmp(split_choice_names[i], value) == 0) {
			options->lab.cpu_split = (enum split_choice)i;
			return 0;
		}
	return wrong("cpu-split", value, "auto, pmu, sampled or kernel");
}

static int
read_cpus(const char *value, struct options *options)
{
	options->lab.cpus = value;
	if (parse_cpus(value, NULL, NULL) < 0)
		return wrong("cpu", value, "a list of CPUs (0,2-5)");
	return 0;
}

static int
read_margin(const char *value, struct options *options)
{
	if (parse_percent(value, &options->lab.margin_ppm) < 0 ||
	    options->lab.margin_ppm == 0)
		return wrong("margin", value, "a percentage (1, 0.5, 2%)");
	return 0;
}

static void
add_vary(struct reader *reader, const char *value)
{
	*(const char **)arena_push(reader->arena, &reader->options->varies,
	                           &reader->options->nvaries,
	                           sizeof(value)) = value;
}

static int
read_gate(struct reader *reader, const char *value)
{
	struct options *options = reader->options;
	struct gate *gate = arena_push(reader->arena, &options->gates,
	                               &options->ngates, sizeof(*gate));
	struct errmsg why;

	if (gate_parse(reader->arena, value, gate, &why) == 0)
		return 0;
	wrong_usage("--fail-if: %s", why.text);
	return -1;
}

static void
add_input(struct reader *reader, enum input_kind kind, const char *text)
{
	struct input *input = arena_push(reader->arena,
	                                 &reader->options->inputs,
	                                 &reader->options->ninputs,
	                                 sizeof(*input));

	input->kind = kind;
	input->text = text;
}

static int
read_option(struct reader *reader, int id, char *value)
{
	struct options *o = reader->options;

	switch (id) {
	case OPT_FILE:
		add_input(reader, INPUT_FILE, value);
		return 0;
	case OPT_WORKLOAD:
		add_input(reader, INPUT_BUILTIN, value);
		return 0;
	case OPT_EVAL:
		add_input(reader, INPUT_LINES, value);
		return 0;
	case OPT_STEP:
		if (o->lab.steps) {
			wrong_usage("--step is given twice; one glob may "
			            "match several steps");
			return -1;
		}
		o->lab.steps = value;
		return 0;
	case OPT_BUDGET:
		return read_time("budget", value, &o->lab.budget_ns);
	case OPT_ROUNDS:
		return read_number("rounds", value, 1, &o->lab.rounds);
	case OPT_WARMUP:
		return read_number("warmup", value, 0, &o->lab.warmup);
	case OPT_TIMEOUT:
		return read_time("timeout", value, &o->lab.timeout_ns);
	case OPT_SEED:
		return read_number("seed", value, 0, &o->lab.seed);
	case OPT_CPU:
		return read_cpus(value, o);
	case OPT_CPU_SPLIT:
		return read_split(value, o);
	case OPT_FORMAT:
		return read_format(value, o);
	case OPT_POSIX:
		return read_format("posix", o);
	case OPT_FAIL_IF:
		return read_gate(reader, value);
	case OPT_VARY:
		add_vary(reader, value);
		return 0;
	case OPT_MARGIN:
		return read_margin(value, o);
	case OPT_APPEND:
		o->append = value;
		return 0;
	case OPT_BOOT:
		o->lab.boot = value;
		return 0;
	case OPT_PROGRESS:
		return read_when("progress", value, true, &o->progress);
	case OPT_COLOR:
		return read_when("color", value, false, &o->color);
	}
	o->lab.keep_going |= id == OPT_KEEP_GOING;
	o->lab.show_output |= id == OPT_SHOW_OUTPUT;
	o->lab.aa |= id == OPT_AA;
	o->bisect |= id == OPT_BISECT;
	o->quiet |= id == OPT_QUIET;
	o->verbose |= id == OPT_VERBOSE;
	o->histogram |= id == OPT_HISTOGRAM;
	o->lab.details |= id == OPT_VERBOSE || id == OPT_HISTOGRAM;
	o->help |= id == OPT_HELP;
	o->version |= id == OPT_VERSION;
	return 0;
}

/* ---- words that are no options ----------------------------------------- */

/* The '=' of NAME=VALUE, or NULL. */
static char *
assignment_equals(char *word)
{
	size_t n = strspn(word, "abcdefghijklmnopqrstuvwxyz"
	                        "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");

	return n && word[n] == '=' && !(*word >= '0' && *word <= '9') ?
	       word + n : NULL;
}

static int
read_assignment(struct reader *reader, char *word)
{
	struct options *options = reader->options;
	char *equals = assignment_equals(word);
	struct assignment *assignment;

	if (!equals) {
		wrong_usage("'%s' stands behind a workload and is not "
		            "NAME=VALUE", word);
		return -1;
	}
	assignment = arena_push(reader->arena, &options->assignments,
	                        &options->nassignments, sizeof(*assignment));
	assignment->name = arena_copy(reader->arena, word,
	                              (size_t)(equals - word));
	assignment->value = equals + 1;
	return 0;
}

/* 1: all that follows is the command; 0: go on with options; -1: wrong. */
static int
read_word(struct reader *reader, char **argv)
{
	if (reader->options->ninputs)
		return read_assignment(reader, *argv);
	if (str_ends(*argv, ".wl") &&
	    (!argv[1] || argv[1][0] == '-' || assignment_equals(argv[1]))) {
		add_input(reader, INPUT_FILE, *argv);
		return 0;
	}
	reader->options->command = argv;
	return 1;
}

/* ---- all of it --------------------------------------------------------- */

static void
set_defaults(struct options *options)
{
	memset(options, 0, sizeof(*options));
	options->lab.rounds = options->lab.warmup = -1;
	options->lab.budget_ns = options->lab.seed = -1;
	options->format = report_find("table");
	options->lab.margin_ppm = 10000;
	if (getenv("NO_COLOR") && getenv("NO_COLOR")[0])
		options->color = WHEN_NEVER;
}

static void
make_getopt(struct option *longs, char *shorts)
{
	*shorts++ = '+';
	for (size_t i = 0; i < NROWS; i++) {
		longs[i].name = rows[i].name;
		longs[i].has_arg = rows[i].argument ? required_argument :
		                   no_argument;
		longs[i].val = rows[i].id;
		if (rows[i].id >= 256)
			continue;
		*shorts++ = (char)rows[i].id;
		if (rows[i].argument)
			*shorts++ = ':';
	}
}

int
options_read(struct arena *arena, int argc, char **argv,
             struct options *options)
{
	struct option longs[NROWS + 1] = { 0 };
	char shorts[2 * NROWS + 2] = "";
	struct reader reader = { arena, options };
	char *own[1] = { "forkload" };
	int id;

	set_defaults(options);
	make_getopt(longs, shorts);
	argv[0] = own[0];
	for (;;) {
		id = getopt_long(argc, argv, shorts, longs, NULL);
		if (id == '?') {
			say("see 'forkload help'");
			return -1;
		}
		if (id != -1) {
			if (read_option(&reader, id, optarg) < 0)
				return -1;
			continue;
		}
		if (optind >= argc)
			return 0;
		/* Behind "--" a command stands, whatever it is called. */
		if (!options->ninputs && strcmp(argv[optind - 1], "--") == 0) {
			options->command = argv + optind;
			return 0;
		}
		switch (read_word(&reader, argv + optind)) {
		case 0:
			optind++;
			break;
		case 1:
			return 0;
		default:
			return -1;
		}
	}
}

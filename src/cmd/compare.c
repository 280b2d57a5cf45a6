/* compare: results that were kept, of two kernels or two machines. */
#include "compare.h"

#include <getopt.h>
#include <string.h>

#include "base/units.h"
#include "cmd/command.h"

#define MARGIN_PPM PPM_A_PERCENT

struct compare_options {
	struct compare_plan plan;
	struct gate *gates;
	size_t ngates;
	bool bisect, verbose, help;
	char **operands;         /* the first is compared with the others */
	size_t noperands;
};

/* ---- the command line -------------------------------------------------- */

static const char help_text[] =
"usage: forkload compare [OPTION]... BEFORE AFTER...\n"
"       forkload compare --bisect GOOD BAD NEW\n"
"\n"
"Each operand is a file or a folder of files: results of --append, logs of a\n"
"console that hold them, or lists of lmbench's or UnixBench's lines; - is\n"
"standard input. Each AFTER is compared with BEFORE, boot by boot.\n"
"\n"
"  -m, --margin PCT         a difference that matters (1)\n"
"      --fail-if 'EXPR'     exit 3 where it holds: real>2%, 'cl*.cpu>=5%';\n"
"                           5 where nobody can tell\n"
"      --bisect             exit 0 where NEW is as GOOD, 1 as BAD, 125 where\n"
"                           nobody can tell, for git bisect run\n"
"  -v, --verbose            show each boot's value\n"
"  -h, --help               this help\n"
"\n"
"Exit: 0 done, 2 wrong usage or a file that cannot be read, 4 nothing is in\n"
"common. With --bisect wrong usage is 129, which stops git.\n";

static int
read_margin(const char *text, struct compare_options *options)
{
	int64_t *margin = &options->plan.margin_ppm;

	if (parse_percent(text, margin) == 0 && *margin > 0)
		return 0;
	wrong_usage("--margin: '%s' is not a percentage (1, 0.5, 2%%)", text);
	return -1;
}

static int
read_gate(struct arena *arena, const char *text,
          struct compare_options *options)
{
	struct gate *gate = arena_push(arena, &options->gates,
	                               &options->ngates, sizeof(*gate));
	struct errmsg why;

	if (gate_parse(arena, text, gate, &why) == 0) {
		if (gate->percent)
			return 0;
		errmsg_set(&why, "'%s': compare judges percentages of real "
		           "and cpu", text);
	}
	wrong_usage("--fail-if: %s", why.text);
	return -1;
}

static int
check_operands(const struct compare_options *options)
{
	if (options->bisect && options->ngates)
		wrong_usage("compare: --bisect and --fail-if both want the "
		            "exit status");
	else if (options->bisect && options->noperands != 3)
		wrong_usage("compare --bisect takes GOOD, BAD and NEW");
	else if (options->noperands < 2)
		wrong_usage("compare takes BEFORE and AFTER: files or folders "
		            "of results");
	else
		return 0;
	return -1;
}

/* -1: it was wrong, and that was said. */
static int
read_options(struct arena *arena, int argc, char **argv,
             struct compare_options *options)
{
	static const struct option longs[] = {
		{ "margin", required_argument, NULL, 'm' },
		{ "fail-if", required_argument, NULL, 'f' },
		{ "bisect", no_argument, NULL, 'b' },
		{ "verbose", no_argument, NULL, 'v' },
		{ "help", no_argument, NULL, 'h' },
		{ 0 }
	};
	int id;

	opterr = 0;
	optind = 1;
	while ((id = getopt_long(argc, argv, ":m:vh", longs, NULL)) != -1) {
		switch (id) {
		case 'm':
			if (read_margin(optarg, options) < 0)
				return -1;
			break;
		case 'f':
			if (read_gate(arena, optarg, options) < 0)
				return -1;
			break;
		case 'b':
			options->bisect = true;
			break;
		case 'v':
			options->verbose = true;
			break;
		case 'h':
			options->help = true;
			return 0;
		default:
			wrong_usage(id == ':' ? "compare: %s wants an "
			            "argument" : "compare: no option '%s'",
			            argv[optind - 1]);
			return -1;
		}
	}
	options->operands = argv + optind;
	options->noperands = (size_t)(argc - optind);
	return check_operands(options);
}

/* Wrong usage has another exit status with it, wherever it stands. */
static bool
asks_bisect(int argc, char **argv)
{
	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
		if (strcmp(argv[i], "--bisect") == 0)
			return true;
	return false;
}

/* ---- sides ------------------------------------------------------------- */

/* How many could be read, up to the first that could not: that is said. */
static size_t
read_sides(struct arena *arena, const struct compare_options *options,
           struct side *sides)
{
	for (size_t i = 0; i < options->noperands; i++) {
		const struct archive *archive = &sides[i].archive;
		struct errmsg why;

		if (side_read(arena, options->operands[i], &sides[i],
		              &why) < 0) {
			say("%s", why.text);
			return i;
		}
		for (size_t n = 0; n < archive->nnotes; n++)
			say("%s", archive->notes[n]);
		if (sides[i].nboots > COMPARE_MOST_BOOTS)
			say("%s: only the first %d of %zu boots are compared",
			    sides[i].name, COMPARE_MOST_BOOTS,
			    sides[i].nboots);
	}
	return options->noperands;
}

static int
bisect(struct arena *arena, const struct compare_options *options)
{
	struct side sides[3];
	size_t count = read_sides(arena, options, sides);
	struct strbuf out = { .arena = arena };
	int status;

	/* Without GOOD or BAD no commit can be told: git shall stop. */
	if (count < 3)
		return count < 2 ? EXIT_STOP_BISECT : EXIT_OWN;
	status = compare_bisect(arena, sides, &out);
	return put_out(out.text, out.len) == EXIT_DONE ? status : EXIT_OWN;
}

/* ---- all --------------------------------------------------------------- */

/* One AFTER: the exit status, of which EXIT_DONE is the least grave. */
static int
judge_gates(const struct compare_options *options,
            const struct compare_table *table)
{
	int status = EXIT_DONE;

	for (size_t i = 0; i < options->ngates; i++) {
		const struct gate *gate = &options->gates[i];
		struct errmsg why;

		if (!compare_gate_applies(gate, table))
			return wrong_usage("--fail-if %s: nothing that is "
			                   "compared has such a name",
			                   gate->text);
		switch (compare_gate(gate, table, &why)) {
		case GATE_HOLDS:
			status = EXIT_GATE;
			break;
		case GATE_CANNOT_TELL:
			if (status == EXIT_DONE)
				status = EXIT_CANNOT_TELL;
			break;
		case GATE_HOLDS_NOT:
			continue;
		}
		say("%s", why.text);
	}
	return status;
}

static int
compare_one(struct arena *arena, const struct compare_options *options,
            const struct side *a, const struct side *b, struct strbuf *out)
{
	struct compare_table table = { .verbose = options->verbose };

	compare_environments(arena, a, b, &table);
	compare_sides(arena, a, b, &options->plan, &table);
	if (table.nrows == 0) {
		say("%s and %s have no series in common", a->name, b->name);
		return EXIT_SKIPPED;
	}
	if (out->len)
		strbuf_putc(out, '\n');
	report_compare(&table, out);
	return judge_gates(options, &table);
}

/* Wrong usage, then a limit that is broken, before all else. */
static int
graver(int one, int other)
{
	static const int order[] = {
		EXIT_USAGE, EXIT_GATE, EXIT_SKIPPED, EXIT_CANNOT_TELL,
	};

	for (size_t i = 0; i < sizeof(order) / sizeof(*order); i++)
		if (one == order[i] || other == order[i])
			return order[i];
	return EXIT_DONE;
}

int
command_compare(struct arena *arena, int argc, char **argv)
{
	struct compare_options options = {
		.plan.margin_ppm = MARGIN_PPM,
	};
	struct strbuf out = { .arena = arena };
	int status = EXIT_DONE, written;
	struct side *sides;

	if (read_options(arena, argc, argv, &options) < 0)
		return asks_bisect(argc, argv) ? EXIT_STOP_BISECT :
		       EXIT_USAGE;
	if (options.help)
		return put_out(help_text, strlen(help_text));
	if (options.bisect)
		return bisect(arena, &options);
	options.plan.operands = (int64_t)options.noperands - 1;
	sides = arena_array(arena, options.noperands, sizeof(*sides));
	if (read_sides(arena, &options, sides) < options.noperands)
		return EXIT_USAGE;
	for (size_t i = 1; i < options.noperands; i++)
		status = graver(status, compare_one(arena, &options, &sides[0],
		                                    &sides[i], &out));
	written = put_out(out.text, out.len);
	return written == EXIT_DONE ? status : written;
}

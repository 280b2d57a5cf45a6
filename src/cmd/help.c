/* help: the usage, and one topic a table. */
#include <string.h>

#include "base/strbuf.h"
#include "cmd/command.h"
#include "cmd/options.h"
#include "report/report.h"

struct topic {
	const char *name;
	void (*write)(struct strbuf *out);
	const char *help;
};

static void
add_params(struct strbuf *out, const struct param *params)
{
	for (; params && params->name; params++) {
		const char *shape = value_shape(params);

		if (*params->name)
			strbuf_printf(out, "    %s=%s", params->name, shape);
		else
			strbuf_printf(out, "    %s", shape);
		strbuf_printf(out, "\n        %s%s\n", params->help,
		              params->required ? "; required" : "");
	}
}

static void
write_language(struct strbuf *out)
{
	strbuf_puts(out,
	"A workload is a text file, one command a line. '#' begins a comment,\n"
	"'\\' joins lines, $NAME and ${NAME} are replaced within words, '...'\n"
	"and \"...\" quote. forkload(5) is the full description.\n\n"
	"set-up, not timed:\n"
	"  set NAME=VALUE...               variables; NAME=VALUE overrides\n"
	"  include FILE                    another file's lines\n"
	"  need COND...                   else all (in a step: it) is skipped\n"
	"  tmpfile NAME SIZE [seed=N]      a file of text -> $NAME\n"
	"  tmpdir NAME                     an empty folder -> $NAME\n"
	"  serve NAME KIND [OPTION]...     a server on loopback -> $NAME\n"
	"  open FD TARGET [r|w|a|rw]       left open for the programs\n"
	"  background N                    so many idle processes\n"
	"  prepare [SHELL] 'SCRIPT'        an untimed command\n"
	"  with KNOB=VALUE...              for all that follows\n"
	"  variant NAME [KEY=VALUE]...     a side to compare\n"
	"  rounds N, warmup N, budget DUR, seed N\n"
	"  expect execs|forks|failures CMP N   of one round; else exit 3\n\n"
	"timed:\n"
	"  step NAME [KNOB=VALUE]... COMMAND, or lines up to 'end'\n"
	"  repeat N [jobs=J] COMMAND, or lines up to 'end'\n"
	"  run [KNOB=VALUE]... PROGRAM [ARG]... [< > >> | &]\n"
	"  run @APPLET [ARG]...            forkload itself, really exec'd\n"
	"  sh [KNOB=VALUE]... [SHELL] 'SCRIPT'\n"
	"  fork                            a process that leaves at once\n"
	"  wait                            for all that runs behind '&'\n");
}

static void
write_applets(struct strbuf *out)
{
	for (const struct applet *a = vocabulary.applets; a->name; a++) {
		if (a->hidden)
			continue;
		strbuf_printf(out, "@%s %s\n    %s\n", a->name, a->synopsis,
		              a->help);
		add_params(out, a->params);
	}
}

static void
write_knobs(struct strbuf *out)
{
	for (const struct knob *k = vocabulary.knobs; k->name; k++) {
		bool prefix = str_ends(k->name, ".");

		strbuf_printf(out, "  %s%s=%s%s\n      %s\n", k->name,
		              prefix ? "NAME" : "", value_shape(&k->value),
		              k->scope == KNOB_RUNNER ?
		              "  (of the runner: on step or with)" : "",
		              k->help);
	}
}

static void
write_servers(struct strbuf *out)
{
	strbuf_puts(out, "serve NAME KIND [OPTION]...; kinds:\n");
	for (const struct server_kind *s = vocabulary.servers; s->name; s++)
		strbuf_printf(out, "    %-6s %s\n", s->name, s->help);
	strbuf_puts(out, "options:\n");
	add_params(out, vocabulary.server_params);
}

static void
write_conditions(struct strbuf *out)
{
	static const char *const behind[] = {
		[CONDITION_PLAIN] = "", [CONDITION_COMPARES] = ">=N",
		[CONDITION_NAMES] = ":NAME",
	};

	for (const struct condition *c = vocabulary.conditions; c->name; c++)
		strbuf_printf(out, "  %s%s\n      %s\n", c->name,
		              behind[c->shape], c->help);
}

static void
write_formats(struct strbuf *out)
{
	for (const struct report_format *f = report_formats; f->name; f++)
		strbuf_printf(out, "  %-8s %s\n", f->name, f->help);
}

static void
write_exit(struct strbuf *out)
{
	strbuf_puts(out,
	"  0    done\n"
	"  1    a step failed\n"
	"  2    wrong usage or workload; nothing was run\n"
	"  3    a --fail-if holds, or an expect does not\n"
	"  4    everything was skipped\n"
	"  5    cannot tell (only with --fail-if)\n"
	"  124  timed out\n"
	"  125  forkload's own failure\n"
	"  126  a program cannot be executed\n"
	"  127  a program is not there\n"
	"  128+N  ended by signal N, after cleaning up\n");
}

static const struct topic topics[] = {
	{ "language", write_language, "the commands of a workload" },
	{ "applets", write_applets, "programs that are forkload itself" },
	{ "knobs", write_knobs, "settings of the programs and the runner" },
	{ "servers", write_servers, "what serve can start" },
	{ "conditions", write_conditions, "what need can ask for" },
	{ "formats", write_formats, "the reports" },
	{ "exit", write_exit, "the exit statuses" },
	{ 0 }
};

static void
write_usage(struct strbuf *out)
{
	strbuf_puts(out, "forkload: times scripts of many short programs\n\n");
	for (const struct command_row *c = command_rows; c->name; c++)
		strbuf_printf(out, "%s forkload %s\n",
		              c == command_rows ? "usage:" : "      ",
		              c->synopsis);
	strbuf_puts(out, "\ncommands:\n");
	for (const struct command_row *c = command_rows; c->name; c++)
		strbuf_printf(out, "  %-7s %s\n", c->name, c->help);
	strbuf_puts(out, "\noptions of run:\n");
	options_help(out);
	strbuf_puts(out, "\ntopics of help:\n");
	for (const struct topic *t = topics; t->name; t++)
		strbuf_printf(out, "  %-11s %s\n", t->name, t->help);
	strbuf_puts(out, "\n  forkload -f workloads/loopback.wl\n"
	            "  forkload -w loopback clients=20 --rounds 10\n"
	            "  forkload ./slow.sh\n");
}

int
command_help(struct arena *arena, int argc, char **argv)
{
	struct strbuf text = { .arena = arena };
	const struct topic *topic = topics;

	if (argc > 2)
		return wrong_usage("help takes one topic");
	if (argc < 2) {
		write_usage(&text);
		return put_out(text.text, text.len);
	}
	while (topic->name && strcmp(topic->name, argv[1]) != 0)
		topic++;
	if (!topic->name)
		return wrong_usage("no help on '%s'", argv[1]);
	topic->write(&text);
	return put_out(text.text, text.len);
}

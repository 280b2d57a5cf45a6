#include "command.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "applet/applet.h"
#include "base/io.h"
#include "sys/condition.h"
#include "sys/knob.h"
#include "sys/server.h"

const struct vocabulary vocabulary = {
	.applets = applets,
	.knobs = knobs,
	.servers = server_kinds,
	.server_params = server_params,
	.conditions = conditions,
};

const struct command_row command_rows[] = {
	{ "run", command_run,
	  "[run] [OPTION]... -f FILE | -w NAME | -e 'LINE' [NAME=VALUE]...\n"
	  "       forkload [run] [OPTION]... [--] COMMAND [ARG]...",
	  "run a workload or a command and time its steps (the default)" },
	{ "check", command_check,
	  "check [-f FILE | -w NAME | -e 'LINE']... [NAME=VALUE]...",
	  "read a workload, tell its errors, print it in full; run nothing" },
	{ "compare", command_compare, "compare [OPTION]... BEFORE AFTER...",
	  "compare results that were kept: two kernels, boot by boot" },
	{ "plot", command_plot, "plot RESULTS...",
	  "draw results that were kept, as SVG on standard output" },
	{ "list", command_list, "list",
	  "the workloads that are built in" },
	{ "info", command_info, "info",
	  "what this machine is, as far as it bears on results" },
	{ "help", command_help, "help [TOPIC]",
	  "how to use forkload; topics are listed" },
	{ 0 }
};

int
put_out(const char *text, size_t len)
{
	if (len == 0 || write_all(1, text, len) == 0)
		return EXIT_DONE;
	say("cannot write on standard output: %s", strerror(errno));
	return EXIT_OWN;
}

int
wrong_usage(const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	say("%s; see 'forkload help'", text);
	return EXIT_USAGE;
}

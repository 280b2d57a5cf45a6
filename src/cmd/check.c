/* check: a workload is read and printed in full; nothing is run. */
#include <string.h>

#include "cmd/command.h"
#include "cmd/load.h"
#include "lang/print.h"

int
command_check(struct arena *arena, int argc, char **argv)
{
	struct strbuf text = { .arena = arena };
	struct options options;
	const struct plan *plan;

	if (options_read(arena, argc, argv, &options) < 0)
		return EXIT_USAGE;
	if (options.help)
		return command_help(arena, 1, argv);
	if (!options.ninputs && !options.command)
		return wrong_usage("nothing to check: give -f FILE or -w NAME");
	plan = load_plan(arena, &options);
	if (!plan)
		return EXIT_USAGE;
	plan_print(plan, &vocabulary, &text);
	return put_out(text.text, text.len);
}

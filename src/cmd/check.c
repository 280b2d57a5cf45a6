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
	struct plans plans;

	if (options_read(arena, argc, argv, &options) < 0)
		return EXIT_USAGE;
	if (options.help)
		return command_help(arena, 1, argv);
	if (!options.ninputs && !options.command)
		return wrong_usage("nothing to check: give -f FILE or -w NAME");
	if (load_plans(arena, &options, &plans) < 0)
		return EXIT_USAGE;
	for (size_t i = 0; i < plans.count; i++) {
		struct strbuf part = { .arena = arena };

		if (plans.list[i]->variant)
			strbuf_printf(&text, "%s# variant %s\n",
			              i ? "\n" : "", plans.list[i]->variant);
		plan_print(plans.list[i], &vocabulary, &part);
		strbuf_add(&text, part.text, part.len);
	}
	return put_out(text.text, text.len);
}

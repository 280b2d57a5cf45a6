/* info: what this machine is, as far as it bears on results. */

#include "base/strbuf.h"
#include "cmd/command.h"
#include "sys/host.h"

int
command_info(struct arena *arena, int argc, char **argv)
{
	struct strbuf text = { .arena = arena };
	struct host_fact *facts;
	size_t count = host_describe(arena, &facts);

	if (argc > 1)
		return wrong_usage("info takes no words: '%s'", argv[1]);
	strbuf_printf(&text, "%-18s %s\n", "forkload", VERSION);
	for (size_t i = 0; i < count; i++)
		strbuf_printf(&text, "%-18s %s\n", facts[i].name,
		              facts[i].value);
	return put_out(text.text, text.len);
}

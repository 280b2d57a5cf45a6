/* list: the workloads that are built in, each with what its head says. */
#include <string.h>

#include "base/strbuf.h"
#include "cmd/builtin.h"
#include "cmd/command.h"

/* "# NAME.wl: WHAT" is the first comment of each. */
static void
add_summary(const struct builtin *builtin, struct strbuf *out)
{
	const char *at = strstr(builtin->text, ".wl: ");

	strbuf_printf(out, "%-12s ", builtin->name);
	if (at) {
		at += strlen(".wl: ");
		strbuf_add(out, at, strcspn(at, "\n"));
	}
	strbuf_putc(out, '\n');
}

int
command_list(struct arena *arena, int argc, char **argv)
{
	struct strbuf text = { .arena = arena };

	if (argc > 1)
		return wrong_usage("list takes no words: '%s'", argv[1]);
	for (const struct builtin *b = builtins; b->name; b++)
		add_summary(b, &text);
	return put_out(text.text, text.len);
}

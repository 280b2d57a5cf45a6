/* shell: the format "sh", assignments for eval. */
#include "report.h"

#include <inttypes.h>
#include <string.h>

/* A step's name as part of a variable's. */
static char *
variable(struct arena *arena, const char *name)
{
	char *text = arena_copy(arena, name, strlen(name));

	for (char *c = text; *c; c++)
		if (!((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') ||
		      (*c >= '0' && *c <= '9')))
			*c = '_';
	return text;
}

static int
check_names(const struct result *result, char *const *names,
            struct errmsg *why)
{
	for (size_t i = 0; i < result->nsteps; i++)
		for (size_t j = 0; j < i; j++)
			if (strcmp(names[i], names[j]) == 0)
				return errmsg_set(why, "cannot write sh: the "
				                  "steps '%s' and '%s' would "
				                  "both be fl_%s",
				                  result->steps[j].name,
				                  result->steps[i].name,
				                  names[i]);
	return 0;
}

static void
assign(struct strbuf *out, const char *name, const char *what, int64_t n)
{
	strbuf_printf(out, "fl_%s%s=%" PRId64 "\n", name, what, n);
}

static void
write_figures(const struct result *result, const char *name, long step,
              struct strbuf *out)
{
	struct figures f = result_figures(result, result->median, step);

	assign(out, name, "real_us", f.real_ns / 1000);
	assign(out, name, "user_us", f.cpu.user_us);
	assign(out, name, "sys_us", f.cpu.sys_us);
	assign(out, name, "n", f.programs);
}

int
report_shell(const struct result *result,
             const struct report_options *options, struct strbuf *out,
             struct errmsg *why)
{
	char **names = arena_array(out->arena, result->nsteps,
	                           sizeof(*names));

	(void)options;
	for (size_t i = 0; i < result->nsteps; i++)
		names[i] = variable(out->arena, result->steps[i].name);
	if (check_names(result, names, why) < 0)
		return -1;
	for (size_t i = 0; i < result->nsteps && result->median >= 0; i++)
		if (result->steps[i].outcome == OUTCOME_DONE)
			write_figures(result,
			              arena_printf(out->arena, "%s_",
			                           names[i]),
			              (long)i, out);
	if (report_has_total(result))
		write_figures(result, "", -1, out);
	assign(out, "", "rounds", result->rounds);
	assign(out, "", "status", result->status);
	return 0;
}

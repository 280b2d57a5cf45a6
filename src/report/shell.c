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

/* ---- of a comparison --------------------------------------------------- */

static void
write_operation(const struct result *result, size_t variant, size_t step,
                int64_t *scratch, struct strbuf *out)
{
	const struct comparison *c = result->comparison;
	const char *of = step < c->nsteps ? c->steps[step] : "round";
	struct operation op = comparison_operation(result, variant, step,
	                                           scratch);
	char *name = variable(out->arena,
	                      arena_printf(out->arena, "%s_%s_", of,
	                                   c->variants[variant].name));
	struct compared compared;

	assign(out, name, "real_us", op.real_ns / 1000);
	assign(out, name, "user_us", op.user_ns / 1000);
	assign(out, name, "sys_us", (op.cpu_ns - op.user_ns) / 1000);
	if (variant == 0)
		return;
	compared = comparison_judge(c, variant, step, BY_REAL, scratch);
	assign(out, name, "change_ppm", compared.interval.est);
	if (compared.interval.known) {
		assign(out, name, "low_ppm", compared.interval.lo);
		assign(out, name, "high_ppm", compared.interval.hi);
	}
	strbuf_printf(out, "fl_%sverdict=%s\n", name,
	              report_finding(compared.judgement.finding));
}

static void
write_comparison(const struct result *result, struct strbuf *out)
{
	const struct comparison *c = result->comparison;
	int64_t *scratch = arena_array(out->arena, (size_t)c->pairs,
	                               sizeof(*scratch));

	for (size_t s = 0; s <= c->nsteps && c->pairs > 0; s++)
		for (size_t v = 0; v < c->nvariants; v++)
			if (!c->variants[v].skipped &&
			    (s == c->nsteps || c->compared[s]))
				write_operation(result, v, s, scratch, out);
	assign(out, "", "pairs", c->pairs);
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
	if (result->comparison)
		write_comparison(result, out);
	for (size_t i = 0; i < result->nsteps && result->median >= 0 &&
	     !result->comparison; i++)
		if (result->steps[i].outcome == OUTCOME_DONE)
			write_figures(result,
			              arena_printf(out->arena, "%s_",
			                           names[i]),
			              (long)i, out);
	if (report_has_total(result) && !result->comparison)
		write_figures(result, "", -1, out);
	if (!result->comparison)
		assign(out, "", "rounds", result->rounds);
	assign(out, "", "status", result->status);
	return 0;
}

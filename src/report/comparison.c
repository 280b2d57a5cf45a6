/* comparison: the table of a run with variants. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/units.h"
#include "report/plot_text.h"

#define COLUMNS 80
#define HOUR_NS (INT64_C(3600) * 1000000000)
#define WIDTH_PERCENT ((double)COMPARISON_WIDTH_PPM / PPM_A_PERCENT)

/* 2 KB more environment cost 1.2 % of a program of 72 us, 63 bytes nothing. */
#define LENGTH_THAT_MATTERS 64

struct writer {
	const struct result *result;
	const struct comparison *c;
	const struct report_options *options;
	struct strbuf *out;
	int64_t *scratch;
};

/* ---- cells ------------------------------------------------------------- */

static double
percent(int64_t ppm)
{
	return (double)ppm / PPM_A_PERCENT;
}

/* "+1.8", "+2599" */
static const char *
show_percent(int64_t ppm, char *text, size_t room)
{
	snprintf(text, room, llabs(ppm) < 1000 * PPM_A_PERCENT ? "%+.1f" :
	         "%+.0f", percent(ppm));
	return text;
}

/*
 * Of a name as much as there is room for: rather the value than the key, and
 * of a path the end.
 */
static void
put_cut(struct strbuf *out, const char *name, int columns)
{
	if (strlen(name) > (size_t)columns && strchr(name, '='))
		name = strchr(name, '=') + 1;
	if (strlen(name) <= (size_t)columns)
		strbuf_printf(out, " %*s", columns, name);
	else if (strchr(name, '/'))
		strbuf_printf(out, " ~%s", name + strlen(name) - columns + 1);
	else
		strbuf_printf(out, " %.*s~", columns - 1, name);
}

/* Lines of at most 80 columns; a word is not broken. */
static void
put_wrapped(struct strbuf *out, const char *text)
{
	size_t indent = 0;

	while (strlen(text) + indent > COLUMNS) {
		size_t len = COLUMNS - indent;

		while (len > 0 && text[len] != ' ')
			len--;
		if (len == 0)
			len = strcspn(text, " ");
		strbuf_printf(out, "%*s%.*s\n", (int)indent, "", (int)len,
		              text);
		text += len + (text[len] == ' ');
		indent = 2;
	}
	if (*text)
		strbuf_printf(out, "%*s%s\n", (int)indent, "", text);
}

static const char *
finding_color(enum finding finding)
{
	switch (finding) {
	case FINDING_SLOWER:
		return "\033[1;31m";
	case FINDING_FASTER:
		return "\033[1;32m";
	default:
		return NULL;
	}
}

static void
put_finding(const struct writer *w, struct judgement judgement)
{
	const char *color = w->options->color ?
	                    finding_color(judgement.finding) : NULL;

	if (color)
		strbuf_puts(w->out, color);
	strbuf_puts(w->out, report_finding(judgement.finding));
	if (color)
		strbuf_puts(w->out, "\033[0m");
	if (judgement.small)
		strbuf_printf(w->out, " <%g %%", percent(w->c->margin_ppm));
}

/* ---- a step ------------------------------------------------------------ */

static void
put_line(const struct writer *w, const char *name, const char *metric,
         const struct compared *compared)
{
	char a[32], b[32], est[32], lo[32], hi[32];
	char interval[70] = "too few pairs";

	if (compared->interval.known)
		snprintf(interval, sizeof(interval), "%s..%s %%",
		         show_percent(compared->interval.lo, lo, sizeof(lo)),
		         show_percent(compared->interval.hi, hi, sizeof(hi)));
	strbuf_printf(w->out, "%-12.12s %-4s %9s %9s %6s %%  %-17s ", name,
	              metric, show_duration(compared->a_ns, a, sizeof(a)),
	              show_duration(compared->b_ns, b, sizeof(b)),
	              show_percent(compared->interval.est, est, sizeof(est)),
	              interval);
	put_finding(w, compared->judgement);
	strbuf_putc(w->out, '\n');
}

static void
put_change(struct strbuf *out, const char *what, int64_t ns)
{
	char text[32];

	strbuf_printf(out, "%s %c%s", what, ns < 0 ? '-' : '+',
	              show_duration(ns < 0 ? -ns : ns, text, sizeof(text)));
}

/* How the change of CPU time splits; by how much that may be off. */
static void
put_split(const struct writer *w, size_t variant, size_t step)
{
	struct operation a = comparison_operation(w->result, 0, step,
	                                          w->scratch);
	struct operation b = comparison_operation(w->result, variant, step,
	                                          w->scratch);
	int64_t user = b.user_ns - a.user_ns;
	int64_t off = a.error_ns + b.error_ns;
	char text[32];

	strbuf_printf(w->out, "%-12s of which ", "");
	if (a.guessed || b.guessed)
		strbuf_puts(w->out, "(by the kernel's guess) ");
	put_change(w->out, "user", user);
	put_change(w->out, ", sys", b.cpu_ns - a.cpu_ns - user);
	if (off > 0 && !a.guessed && !b.guessed)
		strbuf_printf(w->out, ", +-%s", show_duration(off, text,
		                                              sizeof(text)));
	strbuf_putc(w->out, '\n');
}

static void
put_tail(const struct writer *w, const struct compared *real)
{
	if (real->in_tail)
		strbuf_printf(w->out, "%-12s the change is in the slow tail: "
		              "the mean's is %+.1f..%+.1f %%\n", "",
		              percent(real->tail.lo), percent(real->tail.hi));
}

/* How much longer it would take, where that is to be told. */
static void
put_more(const struct writer *w, const struct compared *real)
{
	int64_t more = compare_more(real->interval, COMPARISON_WIDTH_PPM,
	                            w->c->took_ns);
	char text[32];

	if (real->judgement.finding != FINDING_UNDECIDED)
		return;
	strbuf_printf(w->out, "%-12s ", "");
	if (!real->interval.known)
		strbuf_printf(w->out, "there must be at least %" PRId64
		              " pairs\n", comparison_fewest(w->c));
	else if (more > HOUR_NS)
		strbuf_printf(w->out, "some %" PRId64 " h more would settle "
		              "it to %g %%: find a quieter machine\n",
		              more / HOUR_NS, WIDTH_PERCENT);
	else if (more > 0)
		strbuf_printf(w->out, "about %s more would settle it to "
		              "%g %%\n", show_duration(more, text,
		                                      sizeof(text)),
		              WIDTH_PERCENT);
	else
		strbuf_puts(w->out, "as narrow as it gets: it is about as "
		            "large as what matters\n");
}

/*
 * What would have been called SLOWER: a difference of half the interval and
 * of what cannot be told from 0 at all.
 */
static void
put_smallest(const struct writer *w, const struct compared *real)
{
	int64_t half = (real->interval.hi - real->interval.lo + 1) / 2;
	char text[32];

	if (w->c->aa && real->interval.known)
		strbuf_printf(w->out, "%-12s the smallest difference that can "
		              "be told here in %s: %.1f %%\n", "",
		              show_duration(w->c->took_ns, text, sizeof(text)),
		              percent(half + real->floor_ppm));
}

static void
put_step(const struct writer *w, size_t variant, size_t step,
         const char *name)
{
	struct compared real = comparison_judge(w->c, variant, step, BY_REAL,
	                                        w->scratch);
	struct compared cpu = comparison_judge(w->c, variant, step, BY_CPU,
	                                       w->scratch);

	put_line(w, name, "real", &real);
	put_line(w, "", "cpu", &cpu);
	put_split(w, variant, step);
	put_tail(w, &real);
	put_more(w, &real);
	put_smallest(w, &real);
	if (w->options->verbose)
		plot_text(w->c, variant, step, w->out);
}

/* ---- a variant --------------------------------------------------------- */

static void
put_variant(const struct writer *w, size_t variant)
{
	const struct comparison *c = w->c;
	size_t compared = 0;

	strbuf_printf(w->out, "%-17s", "step");
	put_cut(w->out, c->variants[0].name, 9);
	put_cut(w->out, c->variants[variant].name, 9);
	strbuf_puts(w->out, "   change  95 % interval     verdict\n");
	for (size_t s = 0; s < c->nsteps; s++) {
		if (!c->compared[s])
			continue;
		compared++;
		put_step(w, variant, s, c->steps[s]);
	}
	if (compared > 1)
		put_step(w, variant, c->nsteps, "the round");
}

static void
put_head(const struct writer *w)
{
	const struct comparison *c = w->c;
	struct strbuf *out = w->out, line = { .arena = w->out->arena };
	char text[32];

	strbuf_printf(&line, "%s:", w->result->name);
	for (size_t v = 1; v < c->nvariants; v++)
		strbuf_printf(&line, "%s %s", v > 1 ? "," : "",
		              c->variants[v].name);
	strbuf_printf(&line, " against %s, %" PRId64 " pair%s in %s",
	              c->variants[0].name, c->pairs, c->pairs == 1 ? "" : "s",
	              show_duration(w->result->elapsed_ns, text,
	                            sizeof(text)));
	put_wrapped(out, line.text);
	if (c->pairs == 0)
		return;
	strbuf_printf(out, "a block is %" PRId64 " %s%s; %s", c->operations,
	              c->by_pass ? "pass" : "round",
	              c->operations == 1 ? "" : c->by_pass ? "es" : "s",
	              w->result->method);
	if (w->result->shell)
		strbuf_printf(out, ", sh is %s", w->result->shell);
	if (w->result->cpus)
		strbuf_printf(out, ", pinned to CPU %s\n", w->result->cpus);
	else
		strbuf_puts(out, ", not pinned\n");
}

/* A step that is not compared: as it is in the first variant that says so. */
static void
put_reason(const struct writer *w, size_t step)
{
	const struct comparison *c = w->c;

	for (size_t v = 0; v < c->nvariants; v++) {
		const struct step_result *row =
			&w->result->steps[v * c->nsteps + step];

		if (row->outcome == OUTCOME_DONE || c->variants[v].skipped)
			continue;
		strbuf_printf(w->out, "%-12.12s %s  %s\n", c->steps[step],
		              row->outcome == OUTCOME_FAILED ? "FAILED" :
		              "SKIPPED", row->message);
		return;
	}
}

static void
put_skipped(const struct writer *w)
{
	const struct comparison *c = w->c;

	for (size_t v = 0; v < c->nvariants; v++)
		if (c->variants[v].skipped)
			strbuf_printf(w->out, "SKIPPED  %s: %s\n",
			              c->variants[v].name,
			              c->variants[v].skipped);
	for (size_t s = 0; s < c->nsteps; s++)
		if (!c->compared[s])
			put_reason(w, s);
}

/* ---- below it ---------------------------------------------------------- */

static void
put_legend(const struct writer *w)
{
	const struct comparison *c = w->c;

	strbuf_printf(w->out, "SAME: any difference is below %g %%; "
	              "%s\n", percent(c->margin_ppm),
	              w->result->trouble ? "cut short" :
	              c->why == STOPPED_BY_WIDTH ?
	              "ended when the intervals were narrow" :
	              c->why == STOPPED_BY_FAILURE ?
	              "ended by failures" :
	              c->why == STOPPED_BY_COUNT ?
	              "ended after the pairs asked for" :
	              "ended with the budget");
	if (c->failed)
		strbuf_printf(w->out, "%" PRId64 " pair%s dropped: %s\n",
		              c->failed, c->failed == 1 ? " was" : "s were",
		              c->failure);
}

static void
put_lengths(const struct writer *w)
{
	const struct variant_result *first = &w->c->variants[0];

	for (size_t v = 1; v < w->c->nvariants; v++) {
		const struct variant_result *other = &w->c->variants[v];
		int64_t args = other->argument_bytes - first->argument_bytes;
		int64_t env = other->environment_bytes -
		              first->environment_bytes;

		if (other->skipped ||
		    llabs(args) + llabs(env) < LENGTH_THAT_MATTERS)
			continue;
		strbuf_printf(w->out, "%s: %+" PRId64 " bytes of arguments, "
		              "%+" PRId64 " of environment: that alone takes "
		              "time\n", other->name, args, env);
	}
}

void
report_comparison(const struct result *result,
                  const struct report_options *options, struct strbuf *out)
{
	const struct comparison *c = result->comparison;
	struct writer w = { result, c, options, out, NULL };

	w.scratch = arena_array(out->arena, (size_t)c->pairs + 1,
	                        sizeof(*w.scratch));
	put_head(&w);
	for (size_t v = 1; v < c->nvariants && c->pairs > 0; v++)
		if (!c->variants[v].skipped)
			put_variant(&w, v);
	put_skipped(&w);
	if (c->pairs > 0)
		put_legend(&w);
	put_lengths(&w);
	report_notes(result, options, out);
	if (result->median >= 0 && (options->verbose || options->histogram))
		report_details(result, options, out);
}

const char *
report_finding(enum finding finding)
{
	static const char *const words[] = {
		[FINDING_UNDECIDED] = "UNDECIDED", [FINDING_SAME] = "SAME",
		[FINDING_SLOWER] = "SLOWER", [FINDING_FASTER] = "FASTER",
	};

	return words[finding];
}

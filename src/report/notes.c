/* notes: what is to be known beside a table's figures. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"

#define PPM_A_POINT  10000
#define MATERIAL_PPM (5 * PPM_A_POINT)

/* ---- the split --------------------------------------------------------- */

static const char *const source_texts[] = {
	[SPLIT_KERNEL] = "by the kernel's ticks, right for so long programs",
	[SPLIT_PRECISE] = "by the kernel's precise accounting",
	[SPLIT_CGROUP] = "by the ticks of a cgroup",
	[SPLIT_PMU] = "by the CPU's counters of cycles",
	[SPLIT_SAMPLED] = "by sampling",
};

/* The steps that have one source. */
struct group {
	int steps;
	int64_t error_ppm;       /* the largest; -1: not known */
	double cpu_us, user_us, rusage_us;
};

static bool
is_counted(const struct result *result, size_t step)
{
	return result->steps[step].outcome == OUTCOME_DONE &&
	       result->median >= 0;
}

static struct group
group_of(const struct result *result, enum split_source source)
{
	struct group group = { .error_ppm = -1 };

	for (size_t i = 0; i < result->nsteps; i++) {
		const struct split_result *split = &result->steps[i].split;
		struct figures f;
		double cpu_us;

		if (!is_counted(result, i) || split->guessed ||
		    split->source != source)
			continue;
		f = result_figures(result, result->median, (long)i);
		cpu_us = (double)(f.cpu.user_us + f.cpu.sys_us);
		group.steps++;
		group.cpu_us += cpu_us;
		group.user_us += (double)f.cpu.user_us;
		/* Where the figures are getrusage's own there is no other. */
		if (split->user_ppm < 0)
			group.rusage_us += (double)f.cpu.user_us;
		else if (split->rusage_ppm >= 0)
			group.rusage_us += cpu_us *
				(double)split->rusage_ppm / 1e6;
		if (split->error_ppm > group.error_ppm)
			group.error_ppm = split->error_ppm;
	}
	return group;
}

/* Points, rounded up: a claim must not be smaller than what is known. */
static int64_t
points_up(int64_t ppm)
{
	return (ppm + PPM_A_POINT - 1) / PPM_A_POINT;
}

static void
put_source(const struct result *result, enum split_source source,
           struct strbuf *out)
{
	struct group group = group_of(result, source);
	double off = group.rusage_us - group.user_us;

	if (group.steps == 0 || group.cpu_us <= 0)
		return;
	strbuf_printf(out, "user and sys %s", source_texts[source]);
	if (group.error_ppm >= 0)
		strbuf_printf(out, ", +-%" PRId64 " point%s",
		              points_up(group.error_ppm),
		              points_up(group.error_ppm) == 1 ? "" : "s");
	if ((off < 0 ? -off : off) * 1e6 >= MATERIAL_PPM * group.cpu_us)
		strbuf_printf(out, "; time(1) would have said %.0f %% user",
		              100 * group.rusage_us / group.cpu_us);
	strbuf_putc(out, '\n');
}

static bool
is_guessed(const struct result *result, size_t step)
{
	return is_counted(result, step) && result->steps[step].split.guessed;
}

/* Why they are guessed: once where it is the same for all. */
static void
put_reasons(const struct result *result, struct strbuf *out)
{
	const char *first = NULL;
	bool same = true;

	for (size_t i = 0; i < result->nsteps; i++) {
		if (!is_guessed(result, i))
			continue;
		if (!first)
			first = result->steps[i].split.why;
		same &= result->steps[i].split.why == first;
	}
	for (size_t i = 0; i < result->nsteps; i++) {
		const char *why = result->steps[i].split.why;

		if (!is_guessed(result, i) || !why)
			continue;
		if (same) {
			strbuf_printf(out, "  %s\n", why);
			return;
		}
		strbuf_printf(out, "  %s: %s\n", result->steps[i].name, why);
	}
}

static void
put_guesses(const struct result *result, struct strbuf *out)
{
	bool any = false;

	for (size_t i = 0; i < result->nsteps; i++)
		any |= is_guessed(result, i);
	if (any) {
		strbuf_puts(out, "~ the kernel's guess, by its tick: do not "
		            "trust the split of such short\n  programs; "
		            "user + sys is right\n");
		put_reasons(result, out);
	} else if (result->nservers && result->median >= 0 &&
	           !result->precise) {
		strbuf_puts(out, "~ the server's split is by the kernel's "
		            "tick: trust the sum only\n");
	}
}

static void
put_splits(const struct result *result, struct strbuf *out)
{
	for (int source = SPLIT_KERNEL; source <= SPLIT_SAMPLED; source++)
		put_source(result, (enum split_source)source, out);
	put_guesses(result, out);
}

/* ---- whose time it is -------------------------------------------------- */

static void
put_orphans(const struct result *result, bool verbose, struct strbuf *out)
{
	for (size_t i = 0; i < result->nsteps; i++) {
		const struct step_result *step = &result->steps[i];
		const struct orphans *o = &step->orphans;
		int64_t count = o->killed + o->waited;
		int64_t us = o->usage.user_us + o->usage.sys_us;
		char cpu[32], killed[64] = "";

		/* Those that were soon gone and did next to nothing. */
		if (count == 0 || (!o->killed && !verbose && us < 1000))
			continue;
		if (o->killed)
			snprintf(killed, sizeof(killed), ", %" PRId64 " %s "
			         "killed", o->killed,
			         o->killed == 1 ? "was" : "were");
		strbuf_printf(out, "%s: orphaned: %" PRId64 " process%s "
		              "outlived the program that made %s%s: %s; %s "
		              "of its CPU time\n", step->name, count,
		              count == 1 ? "" : "es",
		              count == 1 ? "it" : "them", killed,
		              o->name[0] ? o->name : "(no name)",
		              show_duration(us * 1000, cpu, sizeof(cpu)));
	}
}

/* The servers' CPU time in the round that is shown. */
static int64_t
servers_us(const struct result *result)
{
	int64_t us = 0;

	for (size_t i = 0; i < result->nservers; i++) {
		struct usage u = result->servers[i].rounds[result->median];

		us += u.user_us + u.sys_us;
	}
	return us;
}

/*
 * Time that is no CPU time of a step's programs is time of waiting, be it for
 * a server's work: that is metered by the round, not by the step.
 */
static void
put_waiting(const struct result *result, struct strbuf *out)
{
	bool any = false;
	char text[32];

	for (size_t i = 0; i < result->nsteps; i++) {
		struct figures f;
		int64_t cpu, real;

		if (!is_counted(result, i))
			continue;
		f = result_figures(result, result->median, (long)i);
		cpu = f.cpu.user_us + f.cpu.sys_us;
		real = f.real_ns / 1000;
		if (real <= 1000 || cpu >= real / 2)
			continue;
		strbuf_printf(out, "%s: %" PRId64 " %% of its time is no CPU "
		              "time: it waited\n", result->steps[i].name,
		              (real - cpu) * 100 / real);
		any = true;
	}
	if (any && result->nservers)
		strbuf_printf(out, "  the servers had %s of CPU time in that "
		              "round\n", show_duration(servers_us(result) *
		              1000, text, sizeof(text)));
	if (result->throttled > 0)
		strbuf_printf(out, "a cgroup's CPU limit held this run back "
		              "%" PRId64 " times\n", result->throttled);
}

/* ---- what else --------------------------------------------------------- */

static void
put_expects(const struct result *result, struct strbuf *out)
{
	for (size_t i = 0; i < result->nexpects; i++) {
		const struct expect_result *e = &result->expects[i];

		if (!e->holds)
			strbuf_printf(out, "expect %s does not hold: "
			              "%" PRId64 "\n", e->text, e->have);
	}
}

static void
put_server_troubles(const struct result *result, struct strbuf *out)
{
	for (size_t i = 0; i < result->nservers; i++) {
		const struct server_result *server = &result->servers[i];

		if (server->wrong)
			strbuf_printf(out, "%s: %" PRIu64 " requests "
			              "had wrong bytes\n", server->name,
			              server->wrong);
		if (server->refused)
			strbuf_printf(out, "%s: %" PRIu64 " peers of "
			              "other users were refused\n",
			              server->name, server->refused);
	}
}

void
report_notes(const struct result *result,
             const struct report_options *options, struct strbuf *out)
{
	put_splits(result, out);
	put_waiting(result, out);
	put_orphans(result, options->verbose, out);
	put_server_troubles(result, out);
	put_expects(result, out);
}

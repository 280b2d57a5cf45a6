/* table: the format "table": a head, a line a step, what is to be known. */
#include "report.h"

#include <inttypes.h>
#include <stdio.h>

#include "base/units.h"
#include "stats/order.h"

#define NAME_COLUMN 13
#define SPREAD_MOST 999.9

struct table {
	const struct result *result;
	const struct report_options *options;
	struct strbuf *out;
	int64_t *values;         /* room for one number a round */
};

/* ---- cells ------------------------------------------------------------- */

/* Columns that a name takes, for UTF-8 ones too. */
static int
width(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += ((unsigned char)*text & 0xc0) != 0x80;
	return n;
}

/* The name; one that is too long has a line of its own. */
static void
put_name(struct strbuf *out, const char *name)
{
	int room = NAME_COLUMN - width(name);

	strbuf_puts(out, name);
	if (room > 0)
		strbuf_printf(out, "%*s", room, "");
	else
		strbuf_printf(out, "\n%*s", NAME_COLUMN, "");
}

static void
put_seconds(struct strbuf *out, int64_t us, bool guessed)
{
	char cell[32];
	int decimals = us < 10000000 ? 4 : us < 100000000 ? 3 : 2;

	snprintf(cell, sizeof(cell), "%s%.*fs", guessed ? "~" : "", decimals,
	         (double)us / 1e6);
	strbuf_printf(out, " %8s", cell);
}

static void
put_duration(struct strbuf *out, int64_t ns, int columns)
{
	char cell[32];

	strbuf_printf(out, " %*s", columns,
	              show_duration(ns, cell, sizeof(cell)));
}

static void
put_spread(struct table *table)
{
	double percent;
	int64_t n = table->result->rounds;

	/* Quartiles of fewer than four values say nothing. */
	if (n < 4) {
		strbuf_printf(table->out, " %6s", "-");
		return;
	}
	percent = (double)order_spread_ppm(table->values, (size_t)n) / 1e4;
	if (percent > SPREAD_MOST)
		percent = SPREAD_MOST;
	strbuf_printf(table->out, " %5.1f%%", percent);
}

/* ---- lines ------------------------------------------------------------- */

static void
put_programs(struct table *table)
{
	const struct result *result = table->result;
	int64_t programs = result_figures(result, result->median, -1).programs;
	char count[32];

	strbuf_printf(table->out, "%s program%s a round, ",
	              show_count(programs, count, sizeof(count)),
	              programs == 1 ? "" : "s");
}

static void
put_head(struct table *table)
{
	const struct result *result = table->result;
	struct strbuf *out = table->out;
	char elapsed[32];

	strbuf_printf(out, "%s: ", result->name);
	if (result->median >= 0)
		put_programs(table);
	strbuf_printf(out, "%" PRId64 " round%s in %s; %s", result->rounds,
	              result->rounds == 1 ? "" : "s",
	              show_duration(result->elapsed_ns, elapsed,
	                            sizeof(elapsed)),
	              result->method);
	if (result->shell)
		strbuf_printf(out, ", sh is %s", result->shell);
	if (result->cpus)
		strbuf_printf(out, ", pinned to CPU %s\n", result->cpus);
	else
		strbuf_puts(out, ", not pinned\n");
	if (result->no_mmu)
		strbuf_puts(out, "this kernel cannot fork (no MMU): vfork is "
		            "used\n");
	strbuf_printf(out, "%-*s%8s %8s %8s %8s  %9s %8s %6s\n", NAME_COLUMN,
	              "step", "programs", "real", "user", "sys", "a program",
	              "min", "+-");
}

static void
put_figures(struct table *table, size_t step)
{
	const struct result *result = table->result;
	struct figures f = result_figures(result, result->median, (long)step);
	int64_t programs = f.programs ? f.programs : 1;
	bool guessed = result_split_is_guess(result, (long)step);

	strbuf_printf(table->out, "%8" PRId64, f.programs);
	put_seconds(table->out, f.real_ns / 1000, false);
	put_seconds(table->out, f.cpu.user_us, guessed);
	put_seconds(table->out, f.cpu.sys_us, guessed);
	result_reals(result, (long)step, table->values);
	order_sort(table->values, (size_t)result->rounds);
	put_duration(table->out, f.real_ns / programs, 10);
	put_duration(table->out, table->values[0] / programs, 8);
	put_spread(table);
	strbuf_putc(table->out, '\n');
}

static void
put_reason(struct table *table, const struct step_result *step)
{
	bool failed = step->outcome == OUTCOME_FAILED;
	const char *word = failed ? "FAILED" : "SKIPPED";

	if (failed && table->options->color)
		strbuf_printf(table->out, "\033[1;31m%s\033[0m", word);
	else
		strbuf_puts(table->out, word);
	strbuf_printf(table->out, "  %s\n", step->message);
}

static void
put_step(struct table *table, size_t i)
{
	const struct step_result *step = &table->result->steps[i];

	put_name(table->out, step->name);
	if (step->outcome != OUTCOME_DONE)
		put_reason(table, step);
	else if (table->result->median < 0)
		strbuf_puts(table->out,
		            "       -        -  no complete round\n");
	else
		put_figures(table, i);
}

static void
put_servers(struct table *table)
{
	const struct result *result = table->result;

	for (size_t i = 0; i < result->nservers; i++) {
		const struct server_result *server = &result->servers[i];

		if (result->median < 0)
			return;
		put_name(table->out, server->name);
		strbuf_printf(table->out, "%8s %8s", "-", "-");
		put_seconds(table->out,
		            server->rounds[result->median].user_us,
		            !result->precise);
		put_seconds(table->out,
		            server->rounds[result->median].sys_us,
		            !result->precise);
		strbuf_puts(table->out, "  server, in no sum\n");
	}
}

/* ---- all of it --------------------------------------------------------- */

int
report_table(const struct result *result,
             const struct report_options *options, struct strbuf *out,
             struct errmsg *why)
{
	struct table table = { result, options, out, NULL };

	(void)why;
	if (result->nsteps == 0)
		return 0;
	if (result->comparison) {
		report_comparison(result, options, out);
		return 0;
	}
	table.values = arena_array(out->arena, (size_t)result->rounds,
	                           sizeof(*table.values));
	put_head(&table);
	for (size_t i = 0; i < result->nsteps; i++)
		put_step(&table, i);
	put_servers(&table);
	report_notes(result, options, out);
	if (result->median >= 0 && (options->verbose || options->histogram))
		report_details(result, options, out);
	if (report_has_total(result))
		report_time_lines(result, out);
	return 0;
}

#include "bench.h"

#include <inttypes.h>
#include <string.h>

#include "lab/benchfmt.h"
#include "report.h"
#include "stats/order.h"

#define BLOCK_NS 10000000

/* ---- the head ---------------------------------------------------------- */

/* "boot id" is "boot": what its readers group by. */
static void
put_facts(const struct result *result, struct strbuf *out)
{
	for (size_t i = 0; i < result->nfacts; i++) {
		const struct host_fact *fact = &result->facts[i];

		if (strcmp(fact->name, "forkload") == 0)
			continue;
		if (strcmp(fact->name, "boot id") == 0)
			strbuf_printf(out, "# boot: %s\n", result->boot ?
			              result->boot : fact->value);
		else
			strbuf_printf(out, "# %s: %s\n", fact->name,
			              fact->value);
	}
}

static void
put_comparison(const struct comparison *c, struct strbuf *out)
{
	strbuf_printf(out, "# operations: %" PRId64 " %s\n", c->operations,
	              c->by_pass ? "passes" : "rounds");
	strbuf_printf(out, "# seed: %" PRId64 "\n", c->seed);
	for (size_t v = 0; v < c->nvariants; v++) {
		const struct variant_result *variant = &c->variants[v];

		strbuf_printf(out, "# variant: %s: arguments %" PRId64
		              " bytes, environment %" PRId64 " bytes%s%s\n",
		              variant->name, variant->argument_bytes,
		              variant->environment_bytes,
		              variant->skipped ? ", skipped: " : "",
		              variant->skipped ? variant->skipped : "");
	}
}

void
bench_head(const struct result *result, struct strbuf *out)
{
	strbuf_printf(out, "# forkload: %s\n", VERSION);
	put_facts(result, out);
	strbuf_printf(out, "# started: %" PRId64 "\n", result->started_s);
	strbuf_printf(out, "# workload: %s %s\n", result->name, result->hash);
	strbuf_printf(out, "# method: %s\n", result->method ? result->method :
	              "unknown");
	strbuf_printf(out, "# pinned: %s\n", result->cpus ? result->cpus :
	              "no");
	strbuf_printf(out, "# clock quantum: %" PRId64 " ns\n",
	              result->quantum_ns);
	strbuf_printf(out, "# accounting: %s\n", result->precise ?
	              "precise" : "by tick");
	if (result->comparison) {
		put_comparison(result->comparison, out);
		return;
	}
	strbuf_printf(out, "# argument bytes: %" PRId64 "\n",
	              result->argument_bytes);
	strbuf_printf(out, "# environment bytes: %" PRId64 "\n",
	              result->environment_bytes);
}

/* ---- one line ---------------------------------------------------------- */

static void
put_name(const struct result *result, const char *step, const char *variant,
         struct strbuf *out)
{
	strbuf_puts(out, "Benchmark");
	benchfmt_part(out, result->name, true);
	strbuf_putc(out, '/');
	benchfmt_part(out, step, false);
	if (!variant)
		return;
	strbuf_putc(out, '/');
	benchfmt_part(out, variant, false);
}

static void
put_block(const struct result *result, size_t row, const struct block *block,
          int64_t operations, int64_t pair, struct strbuf *out)
{
	const struct split_result *split = &result->steps[row].split;
	int64_t cpu = (block->cpu.user_us + block->cpu.sys_us) * 1000;
	int64_t user = block->cpu.user_us * 1000;

	if (split->user_ppm >= 0)
		user = (int64_t)((double)cpu * (double)split->user_ppm / 1e6);
	strbuf_printf(out, " %" PRId64 " %" PRId64 " ns/op %" PRId64
	              " user-ns/op %" PRId64 " sys-ns/op\n", operations,
	              block->median_ns, user / operations,
	              (cpu - user) / operations);
	strbuf_printf(out, "# block: pair=%" PRId64 " position=%d "
	              "start=%" PRId64 " total=%" PRId64 " min=%" PRId64
	              " q25=%" PRId64 " q75=%" PRId64 " max=%" PRId64
	              " switches=%" PRId64 "\n", pair + 1, block->position,
	              block->start_ns, block->total_ns, block->min_ns,
	              block->q25_ns, block->q75_ns, block->max_ns,
	              block->switches);
}

/* ---- blocks ------------------------------------------------------------ */

static void
put_pair(const struct result *result, int64_t pair, struct strbuf *out)
{
	const struct comparison *c = result->comparison;

	for (size_t v = 0; v < c->nvariants; v++)
		for (size_t s = 0; s < c->nsteps; s++) {
			if (c->variants[v].skipped || !c->compared[s])
				continue;
			put_name(result, c->steps[s], c->variants[v].name,
			         out);
			put_block(result, v * c->nsteps + s,
			          comparison_block(c, pair, v, s),
			          c->operations, pair, out);
		}
}

/* A step's times in the rounds of a block. */
static struct block
block_of(const struct result *result, size_t step, int64_t first,
         int64_t count, int64_t *values)
{
	struct block block = { 0 };
	size_t n = (size_t)count;

	for (int64_t r = 0; r < count; r++) {
		const struct sample *s = result_sample(result, first + r, step);

		values[r] = s->real_ns;
		block.total_ns += s->real_ns;
		block.cpu = usage_add(block.cpu, s->children);
		block.cpu = usage_add(block.cpu, s->self);
	}
	order_sort(values, n);
	block.min_ns = values[0];
	block.q25_ns = order_quantile(values, n, 1, 4);
	block.median_ns = order_median(values, n);
	block.q75_ns = order_quantile(values, n, 3, 4);
	block.max_ns = values[n - 1];
	return block;
}

static void
put_rounds(struct bench *bench, const struct result *result,
           struct strbuf *out)
{
	for (size_t s = 0; s < result->nsteps; s++) {
		struct block block;

		if (result->steps[s].outcome != OUTCOME_DONE)
			continue;
		block = block_of(result, s, bench->blocks * bench->rounds,
		                 bench->rounds, bench->values);
		put_name(result, result->steps[s].name, NULL, out);
		put_block(result, s, &block, bench->rounds, bench->blocks,
		          out);
	}
	bench->blocks++;
}

void
bench_pair(struct bench *bench, const struct result *result, int64_t pair,
           struct strbuf *out)
{
	if (result->comparison) {
		put_pair(result, pair, out);
		return;
	}
	if (bench->rounds == 0) {
		int64_t ns = result_figures(result, pair, -1).real_ns;

		bench->rounds = ns > 0 ? (BLOCK_NS + ns - 1) / ns : 1;
		bench->values = arena_array(out->arena, (size_t)bench->rounds,
		                            sizeof(*bench->values));
	}
	if (pair + 1 == (bench->blocks + 1) * bench->rounds)
		put_rounds(bench, result, out);
}

/* ---- the end ----------------------------------------------------------- */

static const char *
why_ended(const struct result *result)
{
	static const char *const words[] = {
		[STOPPED_BY_BUDGET] = "budget", [STOPPED_BY_WIDTH] = "width",
		[STOPPED_BY_COUNT] = "count",
		[STOPPED_BY_FAILURE] = "failure",
	};

	if (result->trouble || result->status == 1)
		return "failure";
	return result->comparison ? words[result->comparison->why] : "rounds";
}

void
bench_end(struct bench *bench, const struct result *result,
          struct strbuf *out)
{
	const struct comparison *c = result->comparison;

	if (bench->blocks == 0 && bench->rounds > 0) {
		bench->rounds = result->rounds;
		put_rounds(bench, result, out);
	}
	for (size_t i = 0; i < result->nsteps; i++) {
		const struct split_result *split = &result->steps[i].split;

		if (result->steps[i].outcome == OUTCOME_DONE)
			strbuf_printf(out, "# split: %s: %s, user %" PRId64
			              " ppm, error %" PRId64 " ppm\n",
			              result->steps[i].name, split->guessed ?
			              "guessed by the tick" : "known",
			              split->user_ppm, split->error_ppm);
	}
	strbuf_printf(out, "# load: %s at the start, %s at the end\n",
	              result->before.average, result->after.average);
	strbuf_printf(out, "# steal: %lld ticks at the start, %lld at the "
	              "end\n", result->before.steal_ticks,
	              result->after.steal_ticks);
	strbuf_printf(out, "# end: why=%s pairs=%" PRId64 " failed=%" PRId64
	              " looks=%d elapsed=%" PRId64 "\n", why_ended(result),
	              result->rounds, c ? c->failed : 0, c ? c->looks : 0,
	              result->elapsed_ns);
}

int
report_bench(const struct result *result,
             const struct report_options *options, struct strbuf *out,
             struct errmsg *why)
{
	struct bench bench = { 0 };

	(void)options;
	(void)why;
	bench_head(result, out);
	for (int64_t r = 0; r < result->rounds; r++)
		bench_pair(&bench, result, r, out);
	bench_end(&bench, result, out);
	return 0;
}

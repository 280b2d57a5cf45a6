/* details: more of each step, for -v and --histogram. */
#include "report.h"

#include <inttypes.h>

#include "base/units.h"

#define BAR_COLUMNS 50
#define MOST_BARS   20

/* Of all complete rounds. */
struct whose {
	struct usage programs, orphans, runner;
};

static struct whose
whose_of(const struct result *result, size_t step)
{
	struct whose whose = { 0 };

	for (int64_t r = 0; r < result->rounds; r++) {
		const struct sample *s = result_sample(result, r, step);

		whose.programs = usage_add(whose.programs,
		                           usage_less(s->children,
		                                      s->orphans));
		whose.orphans = usage_add(whose.orphans, s->orphans);
		whose.runner = usage_add(whose.runner, s->self);
	}
	return whose;
}

/* The mean of a round. */
static void
put_cpu(struct strbuf *out, const char *of, struct usage usage,
        int64_t rounds)
{
	char text[32];
	int64_t ns = (usage.user_us + usage.sys_us) * 1000 / rounds;

	strbuf_printf(out, "%s %s", of, show_duration(ns, text, sizeof(text)));
}

static void
put_whose(const struct result *result, size_t step, struct strbuf *out)
{
	struct whose whose = whose_of(result, step);

	strbuf_puts(out, "  CPU time, mean round:");
	put_cpu(out, " programs", whose.programs, result->rounds);
	put_cpu(out, ", orphans", whose.orphans, result->rounds);
	put_cpu(out, ", runner", whose.runner, result->rounds);
	strbuf_putc(out, '\n');
}

static void
put_split(const struct split_result *split, struct figures f,
          struct strbuf *out)
{
	int64_t sum = f.cpu.user_us + f.cpu.sys_us;

	if (sum == 0)
		return;
	/* Of all rounds, as what stands beside it. */
	strbuf_printf(out, "  of it user %s%.1f %%", split->guessed ? "~" : "",
	              (double)(split->user_ppm < 0 ? split->rusage_ppm :
	                       split->user_ppm) / 1e4);
	if (split->error_ppm >= 0)
		strbuf_printf(out, ", +-%.1f points",
		              (double)split->error_ppm / 1e4);
	if (split->rusage_ppm >= 0)
		strbuf_printf(out, "; by time(1) %.1f %%",
		              (double)split->rusage_ppm / 1e4);
	strbuf_putc(out, '\n');
}

static void
put_times(const struct detail *detail, struct strbuf *out)
{
	static const struct {
		const char *name;
		int part, of;
	} quantiles[] = {
		{ "p50", 1, 2 }, { "p90", 9, 10 }, { "p99", 99, 100 },
	};
	const struct histogram *times = &detail->times;
	char text[32];

	if (times->count == 0)
		return;
	strbuf_printf(out, "  a program: min %s",
	              show_duration(times->least, text, sizeof(text)));
	for (size_t i = 0; i < sizeof(quantiles) / sizeof(quantiles[0]); i++)
		strbuf_printf(out, ", %s %s", quantiles[i].name,
		              show_duration(histogram_quantile(times,
				quantiles[i].part, quantiles[i].of), text,
		              sizeof(text)));
	strbuf_printf(out, ", max %s\n", show_duration(times->greatest, text,
	                                              sizeof(text)));
	if (detail->firsts == 0 || detail->laters == 0)
		return;
	strbuf_printf(out, "  first repetition: mean %s",
	              show_duration(detail->first_ns / detail->firsts, text,
	                            sizeof(text)));
	strbuf_printf(out, ", later ones %s\n",
	              show_duration(detail->later_ns / detail->laters, text,
	                            sizeof(text)));
}

static void
put_counts(const struct detail *d, struct strbuf *out)
{
	double n = (double)d->programs;

	strbuf_printf(out, "  faults a program: %.1f minor, %.2f major; "
	              "switches: %.2f voluntary, %.2f not\n",
	              (double)d->minor_faults / n, (double)d->major_faults / n,
	              (double)d->voluntary / n, (double)d->involuntary / n);
	strbuf_printf(out, "  blocks of 512 bytes: %.2f read, %.2f written; "
	              "peak memory ", (double)d->blocks_in / n,
	              (double)d->blocks_out / n);
	/* A process begins with the peak of the one that made it. */
	if (d->most_rss_kib > d->runner_rss_kib)
		strbuf_printf(out, "%" PRId64 " KiB\n", d->most_rss_kib);
	else
		strbuf_printf(out, "below the runner's %" PRId64 " KiB\n",
		              d->runner_rss_kib);
}

/* ---- the histogram ----------------------------------------------------- */

/*
 * Bars of as many buckets as make no more than MOST_BARS of the lower 99 %;
 * what is beyond is in the last one.
 */
static void
put_histogram(const struct histogram *times, struct strbuf *out)
{
	size_t first = histogram_bucket(times->least);
	size_t last = histogram_bucket(histogram_quantile(times, 99, 100));
	size_t width = (last - first) / MOST_BARS + 1;
	int64_t bars[MOST_BARS + 1] = { 0 }, most = 0;
	size_t nbars = (last - first) / width + 1;

	for (size_t b = first; b < HISTOGRAM_BUCKETS; b++) {
		size_t bar = (b - first) / width;

		bars[bar < nbars ? bar : nbars] += times->buckets[b];
	}
	for (size_t i = 0; i <= nbars; i++)
		most = bars[i] > most ? bars[i] : most;
	for (size_t i = 0; i <= nbars; i++) {
		int columns = (int)((bars[i] * BAR_COLUMNS + most - 1) / most);
		char from[32];

		if (i == nbars && bars[i] == 0)
			break;
		strbuf_printf(out, "  %9s%s |", show_duration(
		              histogram_floor(first + i * width), from,
		              sizeof(from)), i == nbars ? "+" : " ");
		for (int c = 0; c < columns; c++)
			strbuf_putc(out, '#');
		strbuf_printf(out, " %" PRId64 "\n", bars[i]);
	}
}

/* ---- all of it --------------------------------------------------------- */

static void
put_step(const struct result *result, size_t step,
         const struct report_options *options, struct strbuf *out)
{
	const struct step_result *s = &result->steps[step];
	const struct detail *detail = s->detail;
	struct figures f = result_figures(result, result->median, (long)step);

	strbuf_printf(out, "\n%s:\n", s->name);
	if (options->verbose) {
		put_whose(result, step, out);
		put_split(&s->split, f, out);
		put_times(detail, out);
		if (detail->programs)
			put_counts(detail, out);
	}
	if (options->histogram && detail->times.count)
		put_histogram(&detail->times, out);
}

void
report_details(const struct result *result,
               const struct report_options *options, struct strbuf *out)
{
	for (size_t i = 0; i < result->nsteps; i++)
		if (result->steps[i].outcome == OUTCOME_DONE &&
		    result->steps[i].detail)
			put_step(result, i, options, out);
}

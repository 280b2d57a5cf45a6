#include "split.h"

#include <string.h>

#include "base/clock.h"
#include "sys/work.h"

#define CALIBRATION_AGE (NS_PER_S / 4)
#define UNKNOWN_CPU     (400 * NS_PER_US)

const char *const split_choice_names[] = {
	"auto", "pmu", "sampled", "kernel", NULL
};

/* ---- the hardware's counters ------------------------------------------- */

static int
counted_open(struct splitter *splitter, uint64_t seed, struct errmsg *why)
{
	struct pmu_split split;

	(void)seed;
	if (pmu_open(&splitter->u.pmu, why) < 0)
		return -1;
	/* There are some that open and never count. */
	pmu_start(&splitter->u.pmu);
	work_spin(splitter->passes_per_ms / 10);
	if (pmu_stop(&splitter->u.pmu, &split) == 0)
		return 0;
	pmu_close(&splitter->u.pmu);
	return errmsg_set(why, "the hardware counter of cycles does not "
	                  "count");
}

static void
counted_close(struct splitter *splitter)
{
	pmu_close(&splitter->u.pmu);
}

static void
counted_start(struct splitter *splitter)
{
	pmu_start(&splitter->u.pmu);
}

static void
counted_stop(struct splitter *splitter, int64_t cpu_ns,
             struct split_reading *reading)
{
	struct pmu_split split;

	if (pmu_stop(&splitter->u.pmu, &split) < 0) {
		reading->throttled = true;
		return;
	}
	reading->user_ns = (int64_t)((double)cpu_ns * split.user /
	                             (split.user + split.kernel));
	reading->seen_ns = split.seen_ns;
}

/* ---- sampling ---------------------------------------------------------- */

static int
sampled_open(struct splitter *splitter, uint64_t seed, struct errmsg *why)
{
	return sampler_open(&splitter->u.sampler, seed, why);
}

static void
sampled_close(struct splitter *splitter)
{
	sampler_close(&splitter->u.sampler);
}

static void
sampled_start(struct splitter *splitter)
{
	int64_t now = clock_ns();

	if (!splitter->calibrated_ns ||
	    now - splitter->calibrated_ns > CALIBRATION_AGE) {
		sampler_calibrate(&splitter->u.sampler,
		                  splitter->passes_per_ms);
		splitter->calibrated_ns = clock_ns();
	}
	sampler_start(&splitter->u.sampler);
}

static void
sampled_spawn(struct splitter *splitter, int64_t cpu_ns)
{
	sampler_spawn(&splitter->u.sampler, cpu_ns ? cpu_ns : UNKNOWN_CPU);
}

static int64_t
sampled_collect(struct splitter *splitter, int64_t cpu_ns, int64_t processes)
{
	return sampler_collect(&splitter->u.sampler, cpu_ns, processes);
}

static void
sampled_stop(struct splitter *splitter, int64_t cpu_ns,
             struct split_reading *reading)
{
	struct sampled sampled;

	(void)cpu_ns;
	sampler_stop(&splitter->u.sampler, &sampled);
	reading->user_ns = sampled.user_ns;
	reading->added_ns = sampled.added_ns;
	reading->seen_ns = sampled.seen_ns;
	reading->periods = sampled.periods;
	reading->bias_ns = sampled.samples *
	                   splitter->u.sampler.cost_error_ns;
	reading->throttled = sampled.throttled;
}

/* ---- the sources ------------------------------------------------------- */

static const struct source {
	int (*open)(struct splitter *splitter, uint64_t seed,
	            struct errmsg *why);
	void (*close)(struct splitter *splitter);
	void (*start)(struct splitter *splitter);
	void (*spawn)(struct splitter *splitter, int64_t cpu_ns);
	int64_t (*collect)(struct splitter *splitter, int64_t cpu_ns,
	                   int64_t processes);
	void (*stop)(struct splitter *splitter, int64_t cpu_ns,
	             struct split_reading *reading);
} sources[] = {
	[SPLIT_PMU] = { counted_open, counted_close, counted_start, NULL,
	                NULL, counted_stop },
	[SPLIT_SAMPLED] = { sampled_open, sampled_close, sampled_start,
	                    sampled_spawn, sampled_collect, sampled_stop },
};

int
splitter_open(struct splitter *splitter, enum split_source source,
              int64_t passes_per_ms, uint64_t seed, struct errmsg *why)
{
	memset(splitter, 0, sizeof(*splitter));
	splitter->source = source;
	splitter->passes_per_ms = passes_per_ms;
	return sources[source].open(splitter, seed, why);
}

void
splitter_close(struct splitter *splitter)
{
	sources[splitter->source].close(splitter);
}

void
splitter_start(struct splitter *splitter)
{
	sources[splitter->source].start(splitter);
}

void
splitter_spawn(struct splitter *splitter, int64_t cpu_ns)
{
	if (sources[splitter->source].spawn)
		sources[splitter->source].spawn(splitter, cpu_ns);
}

int64_t
splitter_collect(struct splitter *splitter, int64_t cpu_ns, int64_t processes)
{
	if (!sources[splitter->source].collect)
		return -1;
	return sources[splitter->source].collect(splitter, cpu_ns, processes);
}

void
splitter_stop(struct splitter *splitter, int64_t cpu_ns,
              struct split_reading *reading)
{
	memset(reading, 0, sizeof(*reading));
	sources[splitter->source].stop(splitter, cpu_ns, reading);
}

#include "step/internal.h"

#include "sys/children.h"

void
learn_begin(const struct learner *learner)
{
	if (learner->splitter)
		splitter_start(learner->splitter);
}

void
learn_start(const struct learner *learner, struct running *running)
{
	if (learner->counts)
		running->first_pid = process_newest();
	if (learner->splitter)
		splitter_spawn(learner->splitter,
		               *running->program->process_ns);
}

void
learn_end(const struct learner *learner, const struct running *running,
          const struct rusage *rusage)
{
	struct usage usage = usage_of(rusage);
	int64_t ns = (usage.user_us + usage.sys_us) * 1000, processes = 1;
	int64_t user_ns;

	if (learner->counts && running->first_pid)
		processes = process_newest() - running->first_pid;
	if (processes < 1)
		processes = 1;
	learner->sum->processes += processes;
	learner->sum->processes_ns += ns;
	/* In a split round the sampling itself would be in it. */
	if (!learner->splitter || !*running->program->process_ns)
		*running->program->process_ns = ns / processes;
	if (!learner->splitter)
		return;
	learner->sum->programs++;
	user_ns = splitter_collect(learner->splitter, ns, processes);
	if (user_ns >= 0)
		spread_add(&learner->sum->spread, (double)user_ns);
}

void
learn_done(const struct learner *learner, const struct sample *sample)
{
	struct split_sum *sum = learner->sum;
	struct usage all = usage_add(sample->children, sample->self);
	int64_t cpu_ns = (all.user_us + all.sys_us) * 1000;
	struct split_reading seen;

	if (!learner->splitter)
		return;
	splitter_stop(learner->splitter, cpu_ns, &seen);
	sum->rounds++;
	sum->cpu_ns += cpu_ns;
	sum->seen.user_ns += seen.user_ns;
	sum->seen.added_ns += seen.added_ns;
	sum->seen.seen_ns += seen.seen_ns;
	sum->seen.periods += seen.periods;
	sum->seen.bias_ns += seen.bias_ns;
	sum->seen.throttled |= seen.throttled;
}

/*
 * internal: what job.c and run.c share, and what they have in files of their
 * own: orphans.c, detail.c, learn.c.
 */
#ifndef FORKLOAD_STEP_INTERNAL_H
#define FORKLOAD_STEP_INTERNAL_H

#include <stdbool.h>
#include <sys/resource.h>

#include "step/job.h"

/*
 * Waits for the orphans that the step left, for a second, then kills them
 * (at_once: without waiting), and leaves those that not even that ends to the
 * guard. The first is named. Where there is none this is one system call.
 */
void orphans_end(struct orphans *orphans, bool at_once);

/* One has ended by itself and was waited for, before the step was over. */
void orphan_ended(struct orphans *orphans, const struct rusage *usage);

/* A program has just ended in a timed round. */
void detail_note(struct detail *detail, const struct running *running,
                 const struct rusage *usage);

/*
 * What is learned of a job and its programs in rounds that are not timed. All
 * zeros: nothing.
 */
struct learner {
	struct split_sum *sum;
	struct splitter *splitter;       /* NULL: not in this round */
	bool counts;             /* a program may start others */
};

void learn_begin(const struct learner *learner);
/* Before a program is made, and after it was waited for. */
void learn_start(const struct learner *learner, struct running *running);
void learn_end(const struct learner *learner, const struct running *running,
               const struct rusage *rusage);
void learn_done(const struct learner *learner, const struct sample *sample);

/* One timing: what the tasks share while they run. */
struct timing {
	struct job_runner *runner;
	size_t background;       /* places taken by what runs on behind '&' */
	int64_t repetition, of;
	uint32_t forks, execs;
	struct detail *detail;   /* NULL: not asked for */
	struct learner learner;
};

/*
 * Runs tasks in their order. 0, or -1 with the runner's failure filled;
 * children may then be left.
 */
int run_tasks(struct timing *timing, const struct task *tasks, size_t count);

/* Waits for all that runs on behind '&'. */
int run_wait(struct timing *timing);

/* One program, its input and output on in and out where these are not -1. */
int run_start(struct timing *timing, struct running *running,
              const struct program *program, bool behind, int in, int out);
int run_finish(struct timing *timing, struct running *running);

#endif

/*
 * job: a step of the plan made ready to run, and the running of it.
 *
 * job_build() turns a step into a tree of tasks whose programs are found,
 * whose argument vectors, environments and file actions are built and whose
 * files are there. job_run() then runs it once and times it; between its two
 * clock reads there is nothing but the workload: making processes, waiting
 * for them, and a pipeline's pipes.
 *
 * A job lies in an arena that is private to each process, for each child
 * reads it: the runner has a copy of what the guard built before it forked.
 */
#ifndef FORKLOAD_STEP_JOB_H
#define FORKLOAD_STEP_JOB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "lang/plan.h"
#include "stats/histogram.h"
#include "stats/spread.h"
#include "sys/scratch.h"
#include "sys/spawn.h"
#include "sys/split.h"
#include "sys/usage.h"

/* ---- what is run ------------------------------------------------------- */

struct program {
	struct spawn spawn;
	const char *label;       /* the command, for messages; cut to fit */
	int status;              /* that is right; STATUS_ANY: each is */
	bool may_sigpipe;        /* a pipeline's member, not the last */
	int64_t *process_ns;     /* CPU time of one of the processes that it */
	                         /* is, learned in the warm-up; 0: not yet */
};

enum task_kind { TASK_REPEAT, TASK_RUN, TASK_WAIT };

struct task {
	enum task_kind kind;
	/* TASK_REPEAT */
	int64_t count;
	int64_t jobs;            /* 0: one after the other */
	struct task *body;
	size_t nbody;
	/* TASK_RUN: the members of a pipeline */
	struct program *programs;
	size_t nprograms;
	bool background;
};

/* The knobs that a runner has, as distinct from its children. */
struct runner_kind {
	int like;                /* index of likes[], or -1 */
	int64_t ballast;
	int64_t fds;
};

bool runner_kind_equal(const struct runner_kind *one,
                       const struct runner_kind *other);

/* A sysctl that a step wants, for the guard to set. */
struct system_setting {
	const char *name;
	const char *value;
};

struct job {
	const char *name;
	const char *skip;        /* why it cannot be run, or NULL */
	int skip_status;         /* 126, 127: a program; else 0 */
	struct runner_kind runner;
	struct system_setting *system;
	size_t nsystem;
	struct program *prepares;        /* untimed, before each timing */
	size_t nprepares;
	struct task *tasks;
	size_t ntasks;
	size_t places;           /* children in flight at once, at most */
	const char *method;      /* "fork", "vfork", or "mixed" */
	const char *shell;       /* of its sh commands, or NULL */
	bool others;             /* it execs more than applets: what these do */
	                         /* in turn nobody knows */
	bool no_mmu;             /* vfork, where fork would have been meant */
};

/* ---- building ---------------------------------------------------------- */

/* What a step's words refer to, after set-up. */
struct job_context {
	struct arena *arena;
	const struct plan *plan;
	struct scratch *scratch;
	const char *self;                /* forkload, for exec */
	const char *self_path;           /* as another program can exec it */
	const char *const *values;       /* of the resources; NULL: failed */
	const char *const *faults;       /* why a resource failed */
	char *const *environ;
	int64_t passes_per_ms;           /* of work_spin() */
	bool can_fork;                   /* else vfork is the default */
	int64_t seed;                    /* of the files' content */
};

/*
 * Adds to complaints what the parser could not see: a knob that the spawn
 * method cannot apply or that cannot matter to a step, a redirection from a
 * descriptor that is not open.
 */
void plan_check(const struct plan *plan, struct complaints *complaints);

/* Does a condition of "need" hold, here and now? */
bool condition_holds(const struct condition_use *use);

/*
 * Builds a step. What cannot be had, or is not there, makes job->skip.
 * -1 with why where forkload itself fails.
 */
int job_build(const struct job_context *context, const struct step *step,
              struct job *job, struct errmsg *why);

/* Gives back what libc built for its programs; the rest is the arena's. */
void job_release(struct job *job);

/* A command of set-up, built likewise; lacking is NULL or why it cannot be. */
int job_build_prepare(const struct job_context *context,
                      const struct script *script, struct program *program,
                      const char **lacking, struct errmsg *why);

/* ---- running ----------------------------------------------------------- */

/* One step in one round. */
struct sample {
	int64_t real_ns;
	struct usage children;   /* those waited for, orphans too */
	struct usage orphans;    /* of it */
	struct usage self;       /* the runner's own: fork is paid here */
	uint32_t forks;          /* processes made, of them */
	uint32_t execs;          /* so many exec'd */
};

/* A place for a child: in shared memory, for the guard watches timeouts. */
struct running {
	struct spawn_slot slot;
	const struct program *program;
	bool behind;             /* '&': its end is seen later than it is */
	int64_t repetition;      /* of the innermost repeat, from 1 */
	int64_t start_ns;        /* where details are asked for */
	int64_t first_pid;       /* in a round that learns */
};

/* The first thing that went wrong in a step. */
struct failure {
	const struct program *program;   /* NULL: nothing failed */
	struct spawn_slot slot;  /* as it was: where it got stuck */
	struct usage usage;      /* of a child that ended */
	bool timed_out;
	int64_t repetition;      /* of the innermost repeat, from 1 */
	int64_t of;              /* 0: not in a repeat */
	int status;              /* as wait4 tells it */
};

#define ORPHAN_NAME 16

/* Processes that outlived the program that left them behind. */
struct orphans {
	int64_t waited;          /* ended by themselves within a second */
	int64_t killed;
	struct usage usage;      /* of both */
	char name[ORPHAN_NAME];  /* of the first of which it was seen */
};

/*
 * What is known of a step's processes from the rounds that are not timed, for
 * the split of its CPU time.
 */
struct split_sum {
	/* of warm-up and split rounds */
	int64_t processes;       /* of programs, and of what they started */
	int64_t processes_ns;    /* CPU time of these */
	/* of split rounds */
	int64_t rounds;
	int64_t programs;
	struct spread spread;    /* of their user times, ns */
	struct split_reading seen;       /* summed up */
	int64_t cpu_ns;          /* exact */
};

/* More of a step's programs, from the timed rounds. */
struct detail {
	int64_t programs;        /* of which this is */
	struct histogram times;  /* from start to end, ns */
	int64_t first_ns, firsts;        /* of first repetitions */
	int64_t later_ns, laters;
	int64_t minor_faults, major_faults;
	int64_t voluntary, involuntary;  /* context switches */
	int64_t blocks_in, blocks_out;   /* of 512 bytes */
	int64_t most_rss_kib;
	int64_t runner_rss_kib;  /* a program's peak begins with this */
};

/* BLOCK: of a comparison, timed too. */
enum round_kind { ROUND_WARM, ROUND_SPLIT, ROUND_TIMED, ROUND_BLOCK };

/* What a runner needs; its parts lie in shared memory. */
struct job_runner {
	struct spawner spawner;
	struct running *running;         /* the largest job's places */
	struct failure *failure;
	/* of the job that is run */
	enum round_kind kind;
	struct orphans *orphans;
	struct splitter *splitter;       /* open, in ROUND_SPLIT */
	struct split_sum *split;
	struct detail *detail;           /* NULL: not asked for */
};

/*
 * Runs the job once. 0 with the sample filled; -1 with runner->failure
 * filled and no child left.
 */
int job_run(struct job_runner *runner, const struct job *job,
            struct sample *sample);

/*
 * Is the job one "repeat" whose passes can be timed one by one: not several at
 * once, nothing that runs on behind '&', nothing that prepares it?
 */
bool job_has_passes(const struct job *job);

/*
 * For such a job: warm passes that are not timed, then count that are, the
 * times of which go to values. The sample is the sum of those. 0, or -1 as
 * job_run().
 */
int job_run_passes(struct job_runner *runner, const struct job *job,
                   int64_t warm, int64_t count, int64_t *values,
                   struct sample *sample);

/* Runs one program, untimed, as prepare does: 0, or -1 likewise. */
int job_run_program(struct job_runner *runner, const struct program *program);

/* A failure in words: "PROGRAM: killed by signal 9 (Killed), repetition..." */
void failure_text(const struct failure *failure, char *text, size_t room);

/* The exit status of LANGUAGE.md that a failure calls for. */
int failure_status(const struct failure *failure);

#endif

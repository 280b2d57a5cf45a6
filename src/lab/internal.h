/*
 * internal: what the files of lab/ share. The order of things is in lab.c:
 * setup, build, verify, rounds, end.
 */
#ifndef FORKLOAD_LAB_INTERNAL_H
#define FORKLOAD_LAB_INTERNAL_H

#include "lab/comparison.h"
#include "lab/lab.h"
#include "sys/accounting.h"
#include "sys/cgroup.h"
#include "sys/guard.h"
#include "sys/server.h"

/* In shared memory: what a runner tells the guard. */
struct board {
	struct failure failure;
	size_t step;             /* that it is at */
	char trouble[640];       /* why a runner could not begin, or "" */
	char split_trouble[512]; /* why it could not open the splitter, or "" */
};

/* A process that runs steps; steps of another kind have another runner. */
struct runner {
	struct runner_kind kind;
	pid_t pid;               /* 0: not there */
	int order_fd;            /* guard's ends of two pipes */
	int reply_fd;
};

struct lab_server {
	struct server server;
	pid_t pid;
	const char *name;
	struct usage *rounds;    /* [round] */
};

/* Where the split of CPU time comes from; what runners use is shared. */
struct lab_split {
	struct accounting accounting;
	enum split_source source;        /* of the split rounds; KERNEL, */
	                         /* PRECISE: there are none */
	const char *why_not;     /* there is nothing better than the kernel's */
	bool *wanted;            /* [job]: it takes part in split rounds */
	struct split_sum *sums;  /* [job] */
	/* Its folder, or "". It is made when there are runners, and these do */
	/* not see the arena grow. */
	char cgroup[CGROUP_ROOM];
	struct usage *in_cgroup; /* [job]: of the timed rounds */
};

/* Operations before a block that are not measured, where it has several. */
#define BLOCK_WARM 2
/* Of a block: the step's values lie so far apart from the next one's. */
#define MOST_OPERATIONS 4096

/* An untimed command of set-up. */
struct lab_command {
	struct program program;
	const char *name;        /* "prepare", for messages */
};

/* A variant, or the only plan. */
struct side {
	const struct plan *plan;
	struct lab_command *setup, *undo;        /* around its steps; or NULL */
};

struct lab_sysctl;               /* see sysctls.c */

struct lab {
	struct arena *arena;
	const struct plan *plan;         /* of the first variant: what is set */
	                         /* up is the same in all */
	struct side *sides;
	size_t nvariants;        /* 1: nothing is compared */
	const struct side *entered;      /* to be undone; or NULL */
	struct lab_sysctl *sysctls;
	size_t nsysctls;
	const struct lab_options *options;
	const struct lab_hooks *hooks;
	struct guard guard;
	struct scratch scratch;
	struct result *result;
	int64_t begin_ns;
	int64_t rounds_most;     /* samples has room for so many, and one */
	int error_fd;            /* the children's standard error */
	int null_fd;
	/* of the plan's resources */
	const char **values;
	const char **faults;
	struct lab_server *servers;      /* one for each resource */
	/* of the plan's steps that were asked for, one variant's behind the */
	/* other's: [variant * nsteps + step] */
	struct job_context context;
	struct job *jobs;
	bool *active;            /* neither skipped nor failed */
	size_t nsteps;
	size_t njobs;
	size_t places;
	int64_t shortest_timeout_ns;     /* of any program; 0: none has one */
	struct sample *samples;
	int64_t *times_ns;       /* of a block's operations, in the runner: */
	                         /* [step * MOST_OPERATIONS + operation] */
	struct orphans *orphans; /* one for each job */
	struct detail *details;  /* one for each job, or NULL */
	struct lab_split split;
	struct running *running;
	struct spawner spawner;  /* that each runner starts with */
	struct board *board;
	struct runner *runners;
	size_t nrunners;
};

/*
 * Ends the run: keeps the first trouble and its exit status. Returns -1.
 */
int lab_trouble(struct lab *lab, int status, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Something could not be undone: never passed over, not even with -q. */
void lab_left_undone(struct lab *lab, const char *what);

/*
 * Did a signal or the time limit of the whole run end it? Then with the
 * trouble that says so.
 */
bool lab_is_over(struct lab *lab);

/* Memory that guard and runners share and that is touched only when used. */
void *lab_shared(struct lab *lab, size_t count, size_t size);

/* setup.c: every line of set-up, in order. -1: trouble. */
int lab_set_up(struct lab *lab);
/* A command, and its one run. -1: trouble. */
int lab_command_build(struct lab *lab, const struct script *script,
                      const char *name, struct lab_command *command);
int lab_command_run(struct lab *lab, const struct lab_command *command);
/* The resource's server was seen to end: tells so. */
int lab_check_servers(struct lab *lab);
/* The servers' CPU so far, into usages[resource]. -1: trouble. */
int lab_ask_servers(struct lab *lab, struct usage *usages);

/* finish.c: all that is known by now, into the result. */
void lab_finish(struct lab *lab);

/* verify.c: do the knobs take? Steps where one does not are skipped. */
int lab_verify(struct lab *lab);

/* sides.c */

/* The variants' commands, and that they are undone. -1: trouble. */
int lab_sides_build(struct lab *lab);
/* How programs are made, and how long the first one's arguments are. */
void lab_describe(struct lab *lab);
/* What can be compared, into the result; the jobs are built and verified. */
void lab_compare(struct lab *lab);
/* Before steps of a variant are run; leaves the one before. -1: trouble. */
int lab_enter(struct lab *lab, size_t variant);
int lab_leave(struct lab *lab);

/* sysctls.c */

/* Steps whose sysctls cannot be set are to be skipped. -1: trouble. */
int lab_sysctls_try(struct lab *lab);
/* As the job wants them; those of other jobs as they were. -1: trouble. */
int lab_sysctls_set(struct lab *lab, const struct job *job);
/* Do two jobs want the same of them? */
bool lab_same_machine(const struct lab *lab, const struct job *one,
                      const struct job *other);

/* What the guard orders from a runner. */
struct order {
	enum round_kind kind;
	size_t first, last;              /* jobs */
	struct sample *samples;          /* of the round; shared memory */
	/* ROUND_BLOCK: so many operations, the samples are their sums; */
	/* else so many passes of a repeat; 0: as it is written */
	int64_t count;
	struct block *blocks;            /* of the steps, and of the round */
};

/* runner.c */
enum order_result { ORDER_DONE, ORDER_FAILED, ORDER_ENDED };

/* The runner of that kind, forked where there is none yet; NULL: trouble. */
struct runner *runner_get(struct lab *lab, const struct runner_kind *kind);
/*
 * Has it run the jobs from first to last (not included). FAILED: board->step
 * and board->failure tell. ENDED: the run is over, with trouble.
 */
enum order_result runner_order(struct lab *lab, struct runner *runner,
                               const struct order *order);
/* They are not needed any more; runner_get() makes new ones. */
void runners_end(struct lab *lab);
/* At the end of the run, when there are no orders any more: 0, or -1. */
int runner_undo(struct lab *lab, const struct program *program);
/* Runs one set-up program in a process of its own. */
enum order_result runner_prepare(struct lab *lab,
                                 const struct program *program);
/* The tail of the children's standard error, or NULL. */
const char *runner_output(struct lab *lab);

/* runner_process.c: in the forked process. */

_Noreturn void runner_main(struct lab *lab, const struct runner_kind *kind,
                           int orders, int replies);
/* Runs one set-up program, answers, and leaves. */
_Noreturn void runner_prepare_main(struct lab *lab,
                                   const struct program *program,
                                   int replies);
/* What was written on standard error before is not the next program's. */
void runner_empty_output(const struct lab *lab, int fd);
/* What is noted from now on is that job's. */
void runner_aim(struct lab *lab, struct job_runner *self, size_t job);

/* block.c */

/* Must the steps of the variant's jobs be run by different runners? */
bool block_is_mixed(const struct lab *lab, const struct order *order);
/* In the guard, for such a variant: round by round. */
enum order_result block_run_mixed(struct lab *lab, const struct order *order);
/* In the runner: carries out a ROUND_BLOCK; 0: done, 1: a step failed. */
char block_run(struct lab *lab, struct job_runner *self,
               const struct order *order);

/* pairs.c: the rounds of a comparison. */
void lab_pairs(struct lab *lab);

/* rounds.c: warm-up and rounds. */
void lab_rounds(struct lab *lab);
/* As the command line says, or the workload, or else. 0 rounds: not told. */
int64_t lab_rounds_asked(const struct lab *lab);
int64_t lab_budget(const struct lab *lab);
/* What a round takes, 0 where that is not known, or -1: the run is over. */
int64_t lab_warm_up(struct lab *lab);
/* The rounds that split CPU time. -1: the run is over. */
int lab_split_up(struct lab *lab, int64_t took);
void lab_progress(struct lab *lab, int64_t rounds, int64_t asked,
                  int64_t budget);
/* The row behind the last is for samples that nobody reads. */
struct sample *lab_unread(const struct lab *lab);
/* A round or pair is complete: to who keeps the samples. */
void lab_tell_pair(struct lab *lab, int64_t pair);
/* The step at which the runner failed has no figure from now on. */
void lab_step_failed(struct lab *lab, enum round_kind kind, int64_t round);
/* Is the job run in such a round? */
bool lab_takes_part(const struct lab *lab, size_t job, enum round_kind kind);
/*
 * Jobs from *first to last, in the file's order, each by its own runner. Not
 * DONE: *first is where it came to an end.
 */
enum order_result lab_run_jobs(struct lab *lab, enum round_kind kind,
                               size_t *first, size_t last,
                               struct sample *samples);
/* One round of that kind. false: the run is over. */
bool lab_one_round(struct lab *lab, enum round_kind kind, int64_t round,
                   struct sample *samples);

/* split.c */

/* Looks at the kernel and chooses the source. -1: trouble. */
int lab_split_choose(struct lab *lab);
/* Room for what is found of the jobs, which there are by now. */
void lab_split_alloc(struct lab *lab);
/* How long the fewest split rounds take, about, where a round takes that. */
int64_t lab_split_needs(struct lab *lab, int64_t round_ns);
/*
 * Split rounds, of about a fifth of the budget; round_ns: what a round takes,
 * 0: not known. false: the run is over.
 */
bool lab_split_rounds(struct lab *lab, int64_t budget_ns, int64_t round_ns,
                      struct sample *unread);
/* A cgroup for the timed rounds, where they are so long that it is of use. */
void lab_split_group(struct lab *lab, int64_t timed_ns);
/* A runner was made: it belongs into the cgroup that there may be. */
void lab_split_add(struct lab *lab, pid_t runner);
/* At the end: into the steps' results. */
void lab_split_finish(struct lab *lab);

#endif

/*
 * internal: what the files of lab/ share. The order of things is in lab.c:
 * setup, build, verify, rounds, end.
 */
#ifndef FORKLOAD_LAB_INTERNAL_H
#define FORKLOAD_LAB_INTERNAL_H

#include "lab/lab.h"
#include "sys/guard.h"
#include "sys/server.h"

/* In shared memory: what a runner tells the guard. */
struct board {
	struct failure failure;
	size_t step;             /* that it is at */
	char trouble[640];       /* why a runner could not begin, or "" */
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

struct lab {
	struct arena *arena;
	const struct plan *plan;
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
	/* of the plan's steps that were asked for */
	struct job_context context;
	struct job *jobs;
	bool *active;            /* neither skipped nor failed */
	size_t njobs;
	size_t places;
	int64_t shortest_timeout_ns;     /* of any program; 0: none has one */
	struct sample *samples;
	struct orphans *orphans; /* one for each job */
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

/*
 * Did a signal or the time limit of the whole run end it? Then with the
 * trouble that says so.
 */
bool lab_is_over(struct lab *lab);

/* Memory that guard and runners share and that is touched only when used. */
void *lab_shared(struct lab *lab, size_t count, size_t size);

/* setup.c: every line of set-up, in order. -1: trouble. */
int lab_set_up(struct lab *lab);
/* The resource's server was seen to end: tells so. */
int lab_check_servers(struct lab *lab);
/* The servers' CPU so far, into usages[resource]. -1: trouble. */
int lab_ask_servers(struct lab *lab, struct usage *usages);

/* verify.c: do the knobs take? Steps where one does not are skipped. */
int lab_verify(struct lab *lab);

/* runner.c */
enum order_result { ORDER_DONE, ORDER_FAILED, ORDER_ENDED };

/* The runner of that kind, forked where there is none yet; NULL: trouble. */
struct runner *runner_get(struct lab *lab, const struct runner_kind *kind);
/*
 * Has it run the jobs from first to last (not included) into samples. FAILED:
 * board->step and board->failure tell. ENDED: the run is over, with trouble.
 */
enum order_result runner_order(struct lab *lab, struct runner *runner,
                               size_t first, size_t last,
                               struct sample *samples);
/* Runs one set-up program in a process of its own. */
enum order_result runner_prepare(struct lab *lab,
                                 const struct program *program);
/* The tail of the children's standard error, or NULL. */
const char *runner_output(struct lab *lab);

/* rounds.c: warm-up and rounds. */
void lab_rounds(struct lab *lab);

#endif

/*
 * runner_process: what a runner does, in its own process.
 */
#include "internal.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/units.h"
#include "sys/cgroup.h"
#include "sys/children.h"
#include "sys/knob.h"

/*
 * The guard was killed: nothing may outlive it. The children that share this
 * handler until they exec are told apart by their pid.
 */
static pid_t runner_pid;

static void
on_guard_death(int sig)
{
	(void)sig;
	if (getpid() != runner_pid)
		_exit(125);
	children_end(2 * NS_PER_S, NULL);
	_exit(125);
}

/* The lowest number that is free for it, or -1. */
static int
take_low(int *fd)
{
	int low = fcntl(*fd, F_DUPFD_CLOEXEC, 3);

	if (low >= 0)
		*fd = low;
	return low;
}

/*
 * Each fork copies the table of descriptors and each exec closes those that
 * are not for it: the runner has its pipe's ends, as low as they go, and the
 * workload's own. orders may be NULL.
 */
static int
set_descriptors(const struct lab *lab, int *orders, int *replies)
{
	int out = lab->options->show_output ? 2 : lab->null_fd;

	if (dup2(lab->null_fd, 0) < 0 || dup2(out, 1) < 0)
		return -1;
	if (!lab->options->show_output && dup2(lab->error_fd, 2) < 0)
		return -1;
	if ((orders && take_low(orders) < 0) || take_low(replies) < 0)
		return -1;
	close_from(FIRST_OWN_FD);
	return 0;
}

static int
set_ballast(int64_t bytes)
{
	char *memory;

	if (!bytes)
		return 0;
	if (!size_fits(bytes)) {
		errno = ENOMEM;
		return -1;
	}
	memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	/* Small pages: huge ones would make a fork look cheap. */
	madvise(memory, (size_t)bytes, MADV_NOHUGEPAGE);
	memset(memory, 1, (size_t)bytes);
	return 0;
}

static int
set_fds(int64_t count)
{
	for (int64_t i = 0; i < count; i++)
		if (fcntl(0, F_DUPFD, FIRST_OWN_FD) < 0) {
			/* A limit below the first of them. */
			if (errno == EINVAL)
				errno = EMFILE;
			return -1;
		}
	return 0;
}

/* -1 with why in board->trouble. */
static int
become_kind(struct lab *lab, const struct runner_kind *kind,
            struct job_runner *self, struct like_memory *memory)
{
	static const char *const what = "cannot give the runner its %s: %s";
	char *trouble = lab->board->trouble;
	size_t room = sizeof(lab->board->trouble);

	if (kind->like >= 0) {
		struct errmsg why;

		if (like_open(&likes[kind->like], memory, &why) < 0) {
			snprintf(trouble, room, what, "memory", why.text);
			return -1;
		}
		self->spawner.like = memory;
	}
	if (set_ballast(kind->ballast) < 0) {
		snprintf(trouble, room, what, "ballast", strerror(errno));
		return -1;
	}
	if (set_fds(kind->fds) < 0) {
		snprintf(trouble, room, what, "descriptors", strerror(errno));
		return -1;
	}
	return 0;
}

/*
 * The runner must not allocate in the arena: a chunk that it maps would be
 * unknown to the guard.
 */
static int
runner_init(struct lab *lab, const struct runner_kind *kind, int *orders,
            int *replies, struct job_runner *self,
            struct like_memory *memory)
{
	struct sigaction action = { .sa_handler = on_guard_death };

	runner_pid = getpid();
	sigaction(SIGTERM, &action, NULL);
	prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0);
	self->spawner = lab->spawner;
	self->running = lab->running;
	self->failure = &lab->board->failure;
	if (lab->options->cpus && cpus_bind(lab->options->cpus) < 0) {
		snprintf(lab->board->trouble, sizeof(lab->board->trouble),
		         "cannot run on CPU %s: %s", lab->options->cpus,
		         strerror(errno));
		return -1;
	}
	if (set_descriptors(lab, orders, replies) < 0) {
		snprintf(lab->board->trouble, sizeof(lab->board->trouble),
		         "cannot prepare the runner: %s", strerror(errno));
		return -1;
	}
	return become_kind(lab, kind, self, memory);
}

/* What was written before is not this program's. */
void
runner_empty_output(const struct lab *lab, int fd)
{
	if (!lab->options->show_output)
		(void)!ftruncate(fd, 0);
}

/* The splitter is open in split rounds only. false: it cannot be had. */
static bool
open_splitter(struct lab *lab, struct job_runner *self,
              struct splitter *splitter, enum round_kind kind)
{
	struct errmsg why;

	if (self->splitter && kind != ROUND_SPLIT) {
		splitter_close(splitter);
		self->splitter = NULL;
	}
	if (self->splitter || kind != ROUND_SPLIT)
		return true;
	if (splitter_open(splitter, lab->split.source,
	                  lab->context.passes_per_ms,
	                  (uint64_t)lab->context.seed, &why) < 0) {
		snprintf(lab->board->split_trouble,
		         sizeof(lab->board->split_trouble), "%s", why.text);
		return false;
	}
	self->splitter = splitter;
	return true;
}

/*
 * A timed round of a step, with what its cgroup says of it; but what prepares
 * it would be in that.
 */
static int
run_in_cgroup(struct lab *lab, struct job_runner *self, size_t step,
              struct sample *sample)
{
	struct usage *sum = &lab->split.in_cgroup[step], before, after;
	bool known = !lab->jobs[step].nprepares &&
	             cgroup_usage(lab->split.cgroup, &before) == 0;

	if (job_run(self, &lab->jobs[step], sample) < 0)
		return -1;
	if (known && cgroup_usage(lab->split.cgroup, &after) == 0)
		*sum = usage_add(*sum, usage_less(after, before));
	return 0;
}

void
runner_aim(struct lab *lab, struct job_runner *self, size_t job)
{
	lab->board->step = job;
	self->orphans = &lab->orphans[job];
	self->split = &lab->split.sums[job];
	self->detail = lab->details ? &lab->details[job] : NULL;
	runner_empty_output(lab, 2);
}

/* 0: done; 1: a step failed, which board->step and failure tell. */
static char
obey(struct lab *lab, struct job_runner *self, const struct order *order)
{
	bool in_cgroup = order->kind == ROUND_TIMED && lab->split.cgroup[0];

	self->kind = order->kind;
	if (order->kind == ROUND_BLOCK)
		return block_run(lab, self, order);
	for (size_t i = order->first; i < order->last; i++) {
		struct sample *sample = &order->samples[i];
		int result;

		if (!lab_takes_part(lab, i, order->kind))
			continue;
		/* In this process alone. */
		if (order->count)
			lab->jobs[i].tasks->count = order->count;
		runner_aim(lab, self, i);
		result = in_cgroup ? run_in_cgroup(lab, self, i, sample) :
		         job_run(self, &lab->jobs[i], sample);
		if (result < 0)
			return 1;
	}
	return 0;
}

_Noreturn void
runner_main(struct lab *lab, const struct runner_kind *kind, int orders,
            int replies)
{
	struct job_runner self = { 0 };
	struct splitter splitter;
	struct like_memory memory;
	struct order order;

	if (runner_init(lab, kind, &orders, &replies, &self, &memory) < 0)
		_exit(125);
	while (read_all(orders, &order, sizeof(order)) == sizeof(order)) {
		char reply = open_splitter(lab, &self, &splitter, order.kind) ?
		             obey(lab, &self, &order) : 0;

		if (write_all(replies, &reply, 1) < 0)
			break;
	}
	_exit(0);
}

/* A process of its own, that what it leaves running may go on until the end. */
_Noreturn void
runner_prepare_main(struct lab *lab, const struct program *program, int replies)
{
	const struct runner_kind plain = { .like = -1 };
	struct job_runner self = { 0 };
	char reply = 0;

	if (runner_init(lab, &plain, NULL, &replies, &self, NULL) < 0)
		_exit(125);
	prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
	if (job_run_program(&self, program) < 0)
		reply = 1;
	_exit(write_all(replies, &reply, 1) < 0 ? 125 : reply);
}

#include "spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#define STUCK 127                /* the exit status of a child that did */
#define CLONE_STACK (16 << 10)

/*
 * musl's vfork() is a plain fork on these; clone with a stack of its own is
 * the same to the kernel.
 */
#if !defined(__GLIBC__) && (defined(__powerpc__) || defined(__mips__) || \
                            defined(__riscv) || defined(__aarch64__))
#define VFORK_IS_FORK 1
#else
#define VFORK_IS_FORK 0
#endif

const char *const spawn_method_names[] = { "fork", "vfork", "posix", "clone" };

/* ---- in the child ------------------------------------------------------ */

/* What the child needs to know; on the parent's stack. */
struct start {
	const struct spawner *spawner;
	const struct spawn *spawn;
	int in, out;
	struct spawn_slot *slot;
};

/*
 * With clone the child runs on a stack that AddressSanitizer does not know,
 * and with vfork on the runner's own; its checks would write there.
 */
#define UNCHECKED __attribute__((no_sanitize("address")))

static UNCHECKED _Noreturn void
stuck(struct spawn_slot *slot, enum spawn_stage stage, size_t index)
{
	slot->error = errno;
	slot->index = (int)index;
	slot->stage = stage;
	_exit(STUCK);
}

static int
file_action_do(const struct file_action *action)
{
	int fd;

	switch (action->kind) {
	case FILE_OPEN:
		fd = open(action->path, action->flags, 0666);
		if (fd < 0 || fd == action->fd)
			return fd;
		if (dup2(fd, action->fd) < 0)
			return -1;
		return close(fd);
	case FILE_DUP:
		/* dup2 to itself would leave it close-on-exec. */
		if (action->from == action->fd)
			return fcntl(action->fd, F_SETFD, 0);
		return dup2(action->from, action->fd);
	case FILE_CLOSE:
		/* One that is not open is closed, as in a shell. */
		return close(action->fd) < 0 && errno != EBADF ? -1 : 0;
	}
	return -1;
}

static int
close_above(const struct spawn *spawn)
{
	struct rlimit limit;

	if (spawn->close == CLOSE_RANGE)
#ifdef SYS_close_range
		return (int)syscall(SYS_close_range, spawn->close_from, ~0U, 0);
#else
	{
		errno = ENOSYS;
		return -1;
	}
#endif
	if (getrlimit(RLIMIT_NOFILE, &limit) < 0)
		return -1;
	for (int fd = spawn->close_from; (rlim_t)fd < limit.rlim_cur; fd++)
		close(fd);
	return 0;
}

static UNCHECKED _Noreturn void
child(const struct start *start)
{
	const struct spawn *spawn = start->spawn;
	struct spawn_slot *slot = start->slot;

	if (start->spawner->like)
		like_child(start->spawner->like);
	if (start->in >= 0 && dup2(start->in, 0) < 0)
		stuck(slot, STAGE_FILE, 0);
	if (start->out >= 0 && dup2(start->out, 1) < 0)
		stuck(slot, STAGE_FILE, 0);
	if (spawn->dir && chdir(spawn->dir) < 0)
		stuck(slot, STAGE_DIR, 0);
	for (size_t i = 0; i < spawn->nactions; i++)
		if (file_action_do(&spawn->actions[i]) < 0)
			stuck(slot, STAGE_FILE, i);
	for (size_t i = 0; i < spawn->nknobs; i++)
		if (spawn->knobs[i].knob->apply(&spawn->knobs[i].value) < 0)
			stuck(slot, STAGE_KNOB, i);
	if (spawn->close != CLOSE_NONE && close_above(spawn) < 0)
		stuck(slot, STAGE_CLOSE, 0);
	if (!spawn->path)
		_exit(0);
	/* By way of syscall(), which fork has just used: its page is there, */
	/* while that of libc's execve() would cost each child a fault. */
	syscall(SYS_execve, spawn->path, spawn->argv, spawn->envp);
	stuck(slot, STAGE_EXEC, 0);
}

static UNCHECKED int
clone_child(void *start)
{
	child(start);
}

/* ---- the methods ------------------------------------------------------- */

/* The pid is in the slot before the child runs: the guard may need it. */
static pid_t
raw_fork(pid_t *pid)
{
#ifdef __s390__
	return (pid_t)syscall(SYS_clone, 0, SIGCHLD | CLONE_PARENT_SETTID, pid,
	                      NULL, 0);
#else
	return (pid_t)syscall(SYS_clone, SIGCHLD | CLONE_PARENT_SETTID, 0, pid,
	                      NULL, 0);
#endif
}

static pid_t
start_fork(struct start *start)
{
	pid_t pid = raw_fork(&start->slot->pid);

	if (pid == 0)
		child(start);
	if (pid > 0 && start->spawner->like)
		like_parent(start->spawner->like);
	return pid;
}

static pid_t
start_clone(struct start *start)
{
	return clone(clone_child, start->spawner->stack + CLONE_STACK,
	             CLONE_VM | CLONE_VFORK | CLONE_PARENT_SETTID | SIGCHLD,
	             start, &start->slot->pid);
}

static pid_t
start_vfork(struct start *start)
{
	pid_t pid;

	if (VFORK_IS_FORK)
		return start_clone(start);
	pid = vfork();
	if (pid == 0)
		child(start);
	return pid;
}

static int
posix_actions_add(posix_spawn_file_actions_t *to, const struct spawn *spawn,
                  int in, int out)
{
	int error = 0;

	if (in >= 0)
		error = posix_spawn_file_actions_adddup2(to, in, 0);
	if (!error && out >= 0)
		error = posix_spawn_file_actions_adddup2(to, out, 1);
	if (!error && spawn->dir)
		error = posix_spawn_file_actions_addchdir_np(to, spawn->dir);
	for (size_t i = 0; !error && i < spawn->nactions; i++) {
		const struct file_action *a = &spawn->actions[i];

		if (a->kind == FILE_OPEN)
			error = posix_spawn_file_actions_addopen(to, a->fd,
				a->path, a->flags, 0666);
		else if (a->kind == FILE_DUP)
			error = posix_spawn_file_actions_adddup2(to, a->from,
				a->fd);
		else
			error = posix_spawn_file_actions_addclose(to, a->fd);
	}
	return error;
}

static pid_t
start_posix(struct start *start)
{
	const struct spawn *spawn = start->spawn;
	posix_spawn_file_actions_t of_pipe, *actions = spawn->posix_actions;
	bool piped = start->in >= 0 || start->out >= 0;
	pid_t pid;

	/* A pipe's descriptors are known only now, as in any program that */
	/* builds a pipeline with posix_spawn. */
	if (piped) {
		errno = posix_spawn_file_actions_init(&of_pipe);
		if (errno)
			return -1;
		errno = posix_actions_add(&of_pipe, spawn, start->in,
		                          start->out);
		actions = &of_pipe;
	} else {
		errno = 0;
	}
	if (!errno)
		errno = posix_spawn(&pid, spawn->path, actions, NULL,
		                    spawn->argv, spawn->envp);
	if (piped) {
		int error = errno;

		posix_spawn_file_actions_destroy(&of_pipe);
		errno = error;
	}
	return errno ? -1 : pid;
}

static pid_t (*const methods[])(struct start *) = {
	[SPAWN_FORK] = start_fork, [SPAWN_VFORK] = start_vfork,
	[SPAWN_POSIX] = start_posix, [SPAWN_CLONE] = start_clone,
};

/* ---- for all ----------------------------------------------------------- */

void
spawner_init(struct spawner *spawner, struct arena *arena)
{
	spawner->like = NULL;
	spawner->stack = arena_alloc(arena, CLONE_STACK);
}

int
spawn_prepare(struct spawn *spawn, struct errmsg *why)
{
	posix_spawn_file_actions_t *actions;

	if (spawn->method != SPAWN_POSIX)
		return 0;
	if (!spawn->path)
		return errmsg_set(why, "posix_spawn makes no process without "
		                  "a program");
	if (!spawn->nactions && !spawn->dir)
		return 0;
	actions = malloc(sizeof(*actions));
	errno = actions ? posix_spawn_file_actions_init(actions) : ENOMEM;
	if (!errno)
		errno = posix_actions_add(actions, spawn, -1, -1);
	spawn->posix_actions = actions;
	if (errno)
		return errmsg_errno(why, "cannot build file actions");
	return 0;
}

void
spawn_release(struct spawn *spawn)
{
	if (!spawn->posix_actions)
		return;
	posix_spawn_file_actions_destroy(spawn->posix_actions);
	free(spawn->posix_actions);
	spawn->posix_actions = NULL;
}

int
spawn_start(const struct spawner *spawner, const struct spawn *spawn, int in,
            int out, struct spawn_slot *slot)
{
	struct start start = { spawner, spawn, in, out, slot };
	pid_t pid;

	slot->stage = STAGE_DONE;
	if (spawn->timeout_ns) {
		slot->timeout_ns = spawn->timeout_ns;
		slot->start_ns = clock_ns();
		__atomic_store_n(&slot->turn, slot->turn + 1,
		                 __ATOMIC_RELEASE);
	}
	pid = methods[spawn->method](&start);
	if (pid < 0) {
		slot->error = errno;
		/* posix_spawn does not tell which of its steps failed. */
		slot->stage = spawn->method == SPAWN_POSIX &&
		              errno != EAGAIN && errno != ENOMEM ?
		              STAGE_EXEC : STAGE_PROCESS;
		spawn_over(slot);
		return -1;
	}
	slot->pid = pid;
	return 0;
}

int
spawn_wait(struct spawn_slot *slot, int *status, struct rusage *usage)
{
	pid_t pid;

	do
		pid = wait4(slot->pid, status, 0, usage);
	while (pid < 0 && errno == EINTR);
	spawn_over(slot);
	return pid < 0 ? -1 : 0;
}

void
spawn_over(struct spawn_slot *slot)
{
	slot->pid = 0;
	if (slot->turn % 2 == 0)
		return;
	__atomic_store_n(&slot->turn, slot->turn + 1, __ATOMIC_RELEASE);
	/* Before the next child's start is written. */
	__atomic_thread_fence(__ATOMIC_RELEASE);
}

uint32_t
spawn_late(const struct spawn_slot *slot, int64_t now_ns, pid_t *pid,
           int64_t *due_ns)
{
	uint32_t turn = __atomic_load_n(&slot->turn, __ATOMIC_ACQUIRE);
	int64_t due = slot->start_ns + slot->timeout_ns;

	*due_ns = 0;
	*pid = __atomic_load_n(&slot->pid, __ATOMIC_RELAXED);
	__atomic_thread_fence(__ATOMIC_ACQUIRE);
	if (turn % 2 == 0 ||
	    __atomic_load_n(&slot->turn, __ATOMIC_RELAXED) != turn)
		return 0;
	if (due <= now_ns)
		return turn;
	*due_ns = due;
	return 0;
}

bool
spawn_was_late(const struct spawn_slot *slot)
{
	return slot->turn && slot->late_turn + 1 == slot->turn;
}

void
spawn_clear(struct spawn_slot *slot)
{
	slot->pid = 0;
	slot->turn = slot->late_turn = 0;
}

bool
spawn_can_fork(void)
{
	pid_t pid, none;
	int status;

	pid = raw_fork(&none);
	if (pid == 0)
		_exit(0);
	if (pid < 0)
		return errno != ENOSYS && errno != EINVAL;
	while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
		;
	return true;
}

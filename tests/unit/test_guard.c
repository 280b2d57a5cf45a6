#include "sys/guard.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#include "unit.h"

static int order[4], nundone;

static void
undo(void *what)
{
	order[nundone++] = *(int *)what;
}

START_TEST(undoes_the_last_first)
{
	int numbers[] = { 1, 2, 3 };
	struct guard guard;
	struct errmsg why;

	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	for (int i = 0; i < 3; i++)
		ck_assert_int_eq(guard_undo(&guard, undo, &numbers[i]), 0);
	ck_assert_int_eq(guard_end(&guard), 0);
	ck_assert_int_eq(nundone, 3);
	ck_assert_int_eq(order[0], 3);
	ck_assert_int_eq(order[2], 1);
}
END_TEST

START_TEST(tells_what_came_first)
{
	struct guard guard;
	struct errmsg why;
	int fds[2];
	pid_t pid;

	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	ck_assert_int_eq(pipe(fds), 0);
	ck_assert_int_eq(guard_wait(fds[0], clock_ns() + 1),
	                 GUARD_TIME);
	ck_assert_int_eq(write(fds[1], "", 1), 1);
	ck_assert_int_eq(guard_wait(fds[0], 0), GUARD_READY);
	pid = guard_fork(&guard, SIGKILL);
	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(guard_wait(-1, 0), GUARD_CHILD);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(guard_asked(), 0);
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(guard_wait(fds[0], 0), GUARD_SIGNAL);
	ck_assert_int_eq(guard_asked(), SIGTERM);
	ck_assert_int_eq(guard_end(&guard), 0);
}
END_TEST

/* Exec'd, a child of the guard has all signals as they are by default. */
START_TEST(what_children_exec_has_default_signals)
{
	struct guard guard;
	struct errmsg why;
	int status;
	pid_t pid;

	signal(SIGUSR1, SIG_IGN);
	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	pid = guard_fork(&guard, SIGKILL);
	if (pid == 0) {
		/* libc keeps signals 32 and 33 to itself. */
		execl("/bin/sh", "sh", "-c", "of() { sed -n \"s/^$1:.//p\" "
		      "/proc/$$/status; }; exit $(("
		      "((0x$(of SigBlk) | 0x$(of SigIgn)) & 0x7fffffff) != 0"
		      "))", NULL);
		_exit(125);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(guard_end(&guard), 0);
}
END_TEST

/* A terminal's signals come to the whole group: only the guard ends things. */
START_TEST(children_let_the_groups_signals_pass)
{
	static const int group[] = { SIGINT, SIGQUIT, SIGHUP };
	struct guard guard;
	struct errmsg why;
	int status;
	pid_t pid;

	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	pid = guard_fork(&guard, SIGKILL);
	if (pid == 0) {
		for (size_t i = 0; i < 3; i++)
			kill(getpid(), group[i]);
		_exit(7);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(WEXITSTATUS(status), 7);
	ck_assert_int_eq(guard_end(&guard), 0);
}
END_TEST

START_TEST(children_from_before_are_left_alone)
{
	pid_t before = fork(), own;
	struct guard guard;
	struct errmsg why;
	int status;

	if (before == 0)
		for (;;)
			pause();
	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	own = guard_fork(&guard, SIGKILL);
	if (own == 0)
		for (;;)
			pause();
	ck_assert_int_eq(guard_end(&guard), 0);
	ck_assert_int_eq(kill(own, 0), -1);
	ck_assert_int_eq(waitpid(before, &status, WNOHANG), 0);
	ck_assert_int_eq(kill(before, SIGKILL), 0);
	ck_assert_int_eq(waitpid(before, &status, 0), before);
}
END_TEST

UNIT_MAIN("guard", undoes_the_last_first, tells_what_came_first,
          what_children_exec_has_default_signals,
          children_let_the_groups_signals_pass,
          children_from_before_are_left_alone)

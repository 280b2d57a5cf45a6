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
	ck_assert_int_eq(guard_wait(&guard, fds[0], clock_ns() + 1),
	                 GUARD_TIME);
	ck_assert_int_eq(write(fds[1], "", 1), 1);
	ck_assert_int_eq(guard_wait(&guard, fds[0], 0), GUARD_READY);
	pid = guard_fork(&guard, SIGKILL);
	if (pid == 0)
		_exit(0);
	ck_assert_int_eq(guard_wait(&guard, -1, 0), GUARD_CHILD);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(guard_signal(), 0);
	kill(getpid(), SIGTERM);
	ck_assert_int_eq(guard_wait(&guard, fds[0], 0), GUARD_SIGNAL);
	ck_assert_int_eq(guard_signal(), SIGTERM);
	ck_assert_int_eq(guard_end(&guard), 0);
}
END_TEST

START_TEST(children_have_default_signals)
{
	struct guard guard;
	struct errmsg why;
	int status;
	pid_t pid;

	signal(SIGUSR1, SIG_IGN);
	ck_assert_int_eq(guard_begin(&guard, &why), 0);
	pid = guard_fork(&guard, SIGKILL);
	if (pid == 0) {
		struct sigaction action;
		sigset_t mask;
		int wrong = 0;

		sigprocmask(SIG_BLOCK, NULL, &mask);
		for (int sig = 1; sig < 32; sig++) {
			wrong += sigismember(&mask, sig) == 1;
			sigaction(sig, NULL, &action);
			wrong += action.sa_handler != SIG_DFL;
		}
		_exit(wrong);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_eq(guard_end(&guard), 0);
}
END_TEST

UNIT_MAIN("guard", undoes_the_last_first, tells_what_came_first,
          children_have_default_signals)

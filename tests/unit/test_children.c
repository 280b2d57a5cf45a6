#include "sys/children.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"

#include "unit.h"

struct seen {
	pid_t want;
	int found, others;
};

static void
look(pid_t pid, void *state)
{
	struct seen *seen = state;

	if (pid == seen->want)
		seen->found++;
	else
		seen->others++;
}

static pid_t
sleeper(void)
{
	pid_t pid = fork();

	if (pid == 0) {
		signal(SIGTERM, SIG_IGN);
		for (;;)
			pause();
	}
	return pid;
}

START_TEST(each_child_is_seen)
{
	struct seen seen = { sleeper(), 0, 0 };
	char name[32];

	children_each(getpid(), look, &seen);
	ck_assert_int_eq(seen.found, 1);
	ck_assert_int_eq(seen.others, 0);
	process_name(seen.want, name, sizeof(name));
	ck_assert_int_eq(strncmp(name, "test_children", 13), 0);
	ck_assert_int_eq(children_end(5 * NS_PER_S, NULL), 1);
	ck_assert_int_eq(kill(seen.want, 0), -1);
}
END_TEST

START_TEST(grandchildren_come_to_an_end_too)
{
	pid_t pid;
	int ready[2];
	char byte;

	ck_assert_int_eq(prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0), 0);
	ck_assert_int_eq(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		sleeper();
		setsid();
		sleeper();
		_exit(write(ready[1], "", 1) != 1);
	}
	ck_assert_int_eq(read(ready[0], &byte, 1), 1);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(children_end(5 * NS_PER_S, NULL), 2);
}
END_TEST

START_TEST(none)
{
	ck_assert_int_eq(children_end(NS_PER_S, NULL), 0);
}
END_TEST

UNIT_MAIN("children", each_child_is_seen, grandchildren_come_to_an_end_too,
          none)

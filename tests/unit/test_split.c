#include "sys/split.h"

#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/accounting.h"
#include "sys/cgroup.h"
#include "sys/work.h"
#include "unit.h"

START_TEST(kernel)
{
	struct accounting accounting;

	accounting_measure(&accounting, work_calibrate());
	/* HZ is 24 to 1200 wherever Linux runs. */
	ck_assert_int_ge(accounting.tick_ns, NS_PER_S / 1200);
	ck_assert_int_le(accounting.tick_ns, NS_PER_S / 24);
	ck_assert_int_gt(accounting.clock_resolution_ns, 0);
	ck_assert_int_ge(accounting.clock_cost_ns, 0);
}
END_TEST

/* A child's work is seen, and its parent's is not the child's. */
START_TEST(sampling)
{
	int64_t passes = work_calibrate();
	struct split_reading idle, busy;
	struct splitter splitter;
	struct errmsg why;
	pid_t pid;

	if (splitter_open(&splitter, SPLIT_SAMPLED, passes, 1, &why) < 0) {
		fprintf(stderr, "no sampling here: %s\n", why.text);
		return;
	}
	splitter_start(&splitter);
	splitter_stop(&splitter, 0, &idle);
	splitter_start(&splitter);
	splitter_spawn(&splitter, 20 * NS_PER_MS);
	pid = fork();
	if (pid == 0) {
		work_spin(passes * 20);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	splitter_collect(&splitter, 20 * NS_PER_MS, 1);
	splitter_stop(&splitter, 20 * NS_PER_MS, &busy);
	splitter_close(&splitter);
	ck_assert_int_ge(busy.seen_ns, busy.user_ns / 2);
	ck_assert_int_gt(busy.user_ns, 5 * NS_PER_MS);
	ck_assert_int_lt(idle.user_ns, 5 * NS_PER_MS);
	ck_assert(!busy.throttled);
}
END_TEST

START_TEST(group)
{
	struct arena *arena = arena_new(NULL);
	struct usage usage = { -1, -1 };
	struct errmsg why;
	char folder[CGROUP_ROOM];
	pid_t pid;

	if (cgroup_make(arena, folder, sizeof(folder), &why) < 0) {
		ck_assert_str_eq(folder, "");
		fprintf(stderr, "no cgroup here: %s\n", why.text);
		arena_free(arena);
		return;
	}
	pid = fork();
	if (pid == 0) {
		if (cgroup_add(folder, getpid()) < 0)
			_exit(1);
		work_spin(work_calibrate() * 20);
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	ck_assert_int_eq(cgroup_usage(folder, &usage), 0);
	ck_assert_int_gt(usage.user_us + usage.sys_us, 5000);
	ck_assert_int_eq(cgroup_remove(folder), 0);
	ck_assert_int_lt(cgroup_usage(folder, &usage), 0);
	arena_free(arena);
}
END_TEST

UNIT_MAIN("split", kernel, sampling, group)

#include "sys/condition.h"

#include <fcntl.h>
#include <sched.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "step/job.h"
#include "sys/knob.h"

#include "unit.h"

static const struct condition *
row(const char *name)
{
	const struct condition *at = conditions;

	while (at->name && strcmp(at->name, name) != 0)
		at++;
	ck_assert_msg(at->name != NULL, "there is no condition %s", name);
	return at;
}

static bool
holds(const char *name, const char *argument)
{
	int64_t have = 0;

	return row(name)->holds(argument, &have);
}

START_TEST(rows_are_whole)
{
	for (const struct condition *at = conditions; at->name; at++) {
		ck_assert_ptr_nonnull(at->holds);
		ck_assert_ptr_nonnull(at->help);
		ck_assert_ptr_eq(row(at->name), at);
		/* These characters end a name in "need". */
		ck_assert_ptr_null(strpbrk(at->name, "<>=!: "));
	}
	ck_assert_int_eq(row("root")->shape, CONDITION_PLAIN);
	ck_assert_int_eq(row("ipv6")->shape, CONDITION_PLAIN);
	ck_assert_int_eq(row("cpus")->shape, CONDITION_COMPARES);
	ck_assert_int_eq(row("cpus")->value.kind, VALUE_INT);
	ck_assert_int_eq(row("memory")->shape, CONDITION_COMPARES);
	ck_assert_int_eq(row("memory")->value.kind, VALUE_SIZE);
	ck_assert_int_eq(row("program")->shape, CONDITION_NAMES);
	ck_assert_int_eq(row("knob")->shape, CONDITION_NAMES);
}
END_TEST

START_TEST(who_it_is)
{
	ck_assert_int_eq(holds("root", NULL), geteuid() == 0);
	if (geteuid() != 0 || seteuid(65534) < 0)
		return;
	ck_assert(!holds("root", NULL));
	ck_assert_int_eq(seteuid(0), 0);
	ck_assert(holds("root", NULL));
}
END_TEST

START_TEST(cpus_that_may_be_used)
{
	const struct condition *cpus = row("cpus");
	cpu_set_t set, one;
	int64_t have = -1;
	int first = 0;

	ck_assert_int_eq(sched_getaffinity(0, sizeof(set), &set), 0);
	ck_assert(cpus->holds(NULL, &have));
	ck_assert_int_eq(have, CPU_COUNT(&set));
	while (!CPU_ISSET(first, &set))
		first++;
	CPU_ZERO(&one);
	CPU_SET(first, &one);
	ck_assert_int_eq(sched_setaffinity(0, sizeof(one), &one), 0);
	ck_assert(cpus->holds(NULL, &have));
	ck_assert_int_eq(have, 1);
}
END_TEST

START_TEST(memory_that_can_be_had)
{
	int64_t have = -1, most = (int64_t)sysconf(_SC_PHYS_PAGES) *
	                          sysconf(_SC_PAGESIZE);

	ck_assert(row("memory")->holds(NULL, &have));
	/* In bytes: a test program alone needs more than a megabyte. */
	ck_assert_int_gt(have, 1 << 20);
	ck_assert_int_le(have, most);
}
END_TEST

START_TEST(programs)
{
	char top[] = "/tmp/forkload-unit-XXXXXX", path[200];
	char tool[64], plain[64], folder[64];

	ck_assert_ptr_nonnull(mkdtemp(top));
	snprintf(tool, sizeof(tool), "%s/tool", top);
	snprintf(plain, sizeof(plain), "%s/plain", top);
	snprintf(folder, sizeof(folder), "%s/folder", top);
	close(open(tool, O_CREAT | O_WRONLY, 0700));
	close(open(plain, O_CREAT | O_WRONLY, 0600));
	ck_assert_int_eq(mkdir(folder, 0700), 0);
	snprintf(path, sizeof(path), "/nowhere:%s", top);
	ck_assert_int_eq(setenv("PATH", path, 1), 0);
	ck_assert(holds("program", "tool"));
	ck_assert(holds("program", tool));
	ck_assert(!holds("program", "plain"));
	ck_assert(!holds("program", plain));
	ck_assert(!holds("program", "folder"));
	ck_assert(!holds("program", "sh"));
	ck_assert(holds("program", "/bin/sh"));
	ck_assert(!holds("program", "./tool"));
	/* An empty part is the current folder. */
	ck_assert_int_eq(chdir(top), 0);
	ck_assert(holds("program", "./tool"));
	ck_assert_int_eq(setenv("PATH", "/nowhere:", 1), 0);
	ck_assert(holds("program", "tool"));
	ck_assert_int_eq(setenv("PATH", "/nowhere", 1), 0);
	ck_assert(!holds("program", "tool"));
	ck_assert_int_eq(unsetenv("PATH"), 0);
	ck_assert(holds("program", "sh"));
	ck_assert_int_eq(unlink(tool) | unlink(plain) | rmdir(folder), 0);
	ck_assert_int_eq(rmdir(top), 0);
}
END_TEST

START_TEST(knobs_that_are_known)
{
	for (const struct knob *knob = knobs; knob->name; knob++) {
		char name[40];

		snprintf(name, sizeof(name), "%s%s", knob->name,
		         knob->name[strlen(knob->name) - 1] == '.' ? "X" : "");
		ck_assert_msg(holds("knob", name), "%s", name);
	}
	ck_assert(!holds("knob", "nicer"));
	ck_assert(!holds("knob", "env."));
	ck_assert(!holds("knob", ""));
}
END_TEST

/* ---- comparing --------------------------------------------------------- */

static bool answer;

static bool
has_five(const char *argument, int64_t *have)
{
	ck_assert_ptr_null(argument);
	*have = 5;
	return answer;
}

static const struct condition five = { .name = "five", .holds = has_five };

static bool
five_is(const char *compare, int64_t value)
{
	struct condition_use use = { .condition = &five, .compare = compare,
	                             .value = value };

	return condition_holds(&use);
}

START_TEST(comparisons)
{
	answer = true;
	ck_assert(five_is(">=", 4) && five_is(">=", 5) && !five_is(">=", 6));
	ck_assert(five_is(">", 4) && !five_is(">", 5) && !five_is(">", 6));
	ck_assert(!five_is("<=", 4) && five_is("<=", 5) && five_is("<=", 6));
	ck_assert(!five_is("<", 4) && !five_is("<", 5) && five_is("<", 6));
	ck_assert(!five_is("=", 4) && five_is("=", 5) && !five_is("=", 6));
	ck_assert(five_is(NULL, 9));
	/* What cannot be found out holds in no comparison. */
	answer = false;
	ck_assert(!five_is(">=", 4) && !five_is("<", 6) && !five_is(NULL, 5));
}
END_TEST

UNIT_MAIN("condition", rows_are_whole, who_it_is, cpus_that_may_be_used,
          memory_that_can_be_had, programs, knobs_that_are_known, comparisons)

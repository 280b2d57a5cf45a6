#include "sys/knob.h"

#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"

#include "unit.h"

/* In a child: is it set, and then read back? 0: both; 2: may not; 1: wrong */
static int
set_and_read(const char *name, const char *text)
{
	const char *key;
	const struct knob *knob = knob_find(knobs, name, &key);
	struct value value;
	struct errmsg why;
	int status;
	pid_t pid;

	ck_assert_ptr_ne(knob, NULL);
	ck_assert_int_eq(value_read(&knob->value, text, &value, &why), 0);
	pid = fork();
	if (pid == 0) {
		if (knob->apply(&value) < 0)
			_exit(2);
		_exit(knob->took(&value) ? 0 : 1);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

START_TEST(what_is_set_is_read_back)
{
	ck_assert_int_eq(set_and_read("nofile", "64"), 0);
	ck_assert_int_eq(set_and_read("stack", "1m"), 0);
	ck_assert_int_eq(set_and_read("nice", "7"), 0);
	ck_assert_int_eq(set_and_read("sched", "batch"), 0);
	ck_assert_int_eq(set_and_read("sched", "idle"), 0);
	ck_assert_int_eq(set_and_read("sched", "other"), 0);
	ck_assert_int_eq(set_and_read("cpu", "0"), 0);
}
END_TEST

/* The kernel takes such a list for the CPUs that there are. */
START_TEST(cpus_that_are_not_there)
{
	static const char *const lists[] = {
		"0,1023", "0,1024", "0,2000", "0,4095"
	};

	for (size_t i = 0; i < sizeof(lists) / sizeof(*lists); i++)
		if (sysconf(_SC_NPROCESSORS_CONF) < 1024)
			ck_assert_int_eq(set_and_read("cpu", lists[i]), 1);
}
END_TEST

START_TEST(what_is_not_set_is_seen)
{
	const char *key;
	const struct knob *nice = knob_find(knobs, "nice", &key);
	const struct knob *nofile = knob_find(knobs, "nofile", &key);
	const struct knob *sched = knob_find(knobs, "sched", &key);
	struct value value = { 13, "13" };

	ck_assert(!nice->took(&value));
	ck_assert(!nofile->took(&value));
	value.n = SCHED_FIFO << 8 | 1;
	ck_assert(!sched->took(&value));
}
END_TEST

START_TEST(the_table_is_whole)
{
	int n = 0;

	for (const struct knob *k = knobs; k->name; k++, n++) {
		ck_assert_ptr_ne(k->help, NULL);
		ck_assert(!k->apply == !k->took);
		ck_assert(!k->apply || k->scope == KNOB_CHILD);
		/* posix_spawn cannot run our code in the child. */
		ck_assert(!(k->apply && (k->traits & TAKEN_BY_POSIX)));
		ck_assert_int_eq(k->id, n);
	}
}
END_TEST

START_TEST(names)
{
	const char *key = NULL;

	ck_assert_int_eq(knob_find(knobs, "env.PATH", &key)->id, KNOB_ENV);
	ck_assert_str_eq(key, "PATH");
	ck_assert_ptr_eq(knob_find(knobs, "env.", &key), NULL);
	ck_assert_ptr_eq(knob_find(knobs, "env", &key), NULL);
	ck_assert_ptr_eq(knob_find(knobs, "nic", &key), NULL);
}
END_TEST

UNIT_MAIN("knob", what_is_set_is_read_back, cpus_that_are_not_there,
          what_is_not_set_is_seen, the_table_is_whole, names)

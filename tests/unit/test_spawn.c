#include "sys/spawn.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/knob.h"

#include "unit.h"

static void
no_memory(void)
{
	exit(1);
}

static struct spawner spawner;
static struct spawn_slot *slot;

static void
start_up(void)
{
	if (slot)
		return;
	spawner_init(&spawner, arena_new(no_memory));
	slot = mmap(NULL, sizeof(*slot), PROT_READ | PROT_WRITE,
	            MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_ptr_ne(slot, MAP_FAILED);
}

/* The wait status of a shell's script under a method. */
static int
run_shell(struct spawn *spawn, const char *script)
{
	char *argv[] = { "sh", "-c", (char *)script, NULL };
	char *envp[] = { "PATH=/bin:/usr/bin", NULL };
	struct errmsg why;
	struct rusage usage;
	int status = -1;

	start_up();
	spawn->path = "/bin/sh";
	spawn->argv = argv;
	spawn->envp = envp;
	ck_assert_int_eq(spawn_prepare(spawn, &why), 0);
	ck_assert_int_eq(spawn_start(&spawner, spawn, -1, -1, slot), 0);
	ck_assert_int_gt(slot->pid, 0);
	ck_assert_int_eq(spawn_wait(slot, &status, &usage), 0);
	ck_assert_int_eq(slot->pid, 0);
	spawn_release(spawn);
	return status;
}

START_TEST(status_is_the_childs)
{
	for (int method = 0; method < 4; method++) {
		struct spawn spawn = { .method = (enum spawn_method)method };
		int status = run_shell(&spawn, "exit 42");

		ck_assert(WIFEXITED(status));
		ck_assert_int_eq(WEXITSTATUS(status), 42);
		status = run_shell(&spawn, "kill -9 $$");
		ck_assert(WIFSIGNALED(status));
		ck_assert_int_eq(WTERMSIG(status), 9);
	}
}
END_TEST

START_TEST(exec_failure_has_its_errno)
{
	for (int method = 0; method < 4; method++) {
		char *argv[] = { "x", NULL };
		struct spawn spawn = {
			.method = (enum spawn_method)method,
			.path = "/no/such/program", .argv = argv, .envp = argv,
		};
		struct errmsg why;
		struct rusage usage;
		int status;

		start_up();
		ck_assert_int_eq(spawn_prepare(&spawn, &why), 0);
		if (spawn_start(&spawner, &spawn, -1, -1, slot) == 0) {
			ck_assert_int_ne(method, SPAWN_POSIX);
			ck_assert_int_eq(spawn_wait(slot, &status, &usage), 0);
			ck_assert_int_eq(WEXITSTATUS(status), 127);
		}
		ck_assert_int_eq(slot->stage, STAGE_EXEC);
		ck_assert_int_eq(slot->error, ENOENT);
	}
}
END_TEST

START_TEST(file_actions_are_done_in_order)
{
	char name[] = "/tmp/forkload-unit-XXXXXX";
	int fd = mkstemp(name);

	ck_assert_int_ge(fd, 0);
	for (int method = 0; method < 4; method++) {
		struct file_action actions[] = {
			{ .kind = FILE_OPEN, .fd = 5, .path = name,
			  .flags = O_WRONLY | O_APPEND },
			{ .kind = FILE_DUP, .fd = 1, .from = 5 },
			{ .kind = FILE_CLOSE, .fd = 5 },
		};
		struct spawn spawn = {
			.method = (enum spawn_method)method,
			.actions = actions, .nactions = 3, .dir = "/",
		};
		char text[64];
		ssize_t n;

		ck_assert_int_eq(ftruncate(fd, 0), 0);
		ck_assert_int_eq(run_shell(&spawn, "pwd; echo x >&5"), 2 << 8);
		n = pread(fd, text, sizeof(text), 0);
		ck_assert_int_eq(n, 2);
		ck_assert_int_eq(memcmp(text, "/\n", 2), 0);
	}
	close(fd);
	unlink(name);
}
END_TEST

START_TEST(a_file_action_that_fails_is_told)
{
	static const enum spawn_method methods[] = {
		SPAWN_FORK, SPAWN_VFORK, SPAWN_CLONE,
	};

	for (int i = 0; i < 3; i++) {
		struct file_action actions[] = {
			{ .kind = FILE_DUP, .fd = 5, .from = 2 },
			{ .kind = FILE_OPEN, .fd = 0, .path = "/no/such",
			  .flags = O_RDONLY },
		};
		struct spawn spawn = {
			.method = methods[i], .actions = actions,
			.nactions = 2,
		};

		ck_assert_int_eq(run_shell(&spawn, "exit 0"), 127 << 8);
		ck_assert_int_eq(slot->stage, STAGE_FILE);
		ck_assert_int_eq(slot->index, 1);
		ck_assert_int_eq(slot->error, ENOENT);
	}
}
END_TEST

START_TEST(knobs_are_set_in_the_child_alone)
{
	static const enum spawn_method methods[] = {
		SPAWN_FORK, SPAWN_VFORK, SPAWN_CLONE,
	};
	struct rlimit before, after;
	const char *key;

	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &before), 0);
	for (int i = 0; i < 3; i++) {
		struct spawn_knob set[] = {
			{ knob_find(knobs, "nofile", &key), { 77, "77" } },
		};
		struct spawn spawn = {
			.method = methods[i], .knobs = set, .nknobs = 1,
		};

		ck_assert_int_eq(run_shell(&spawn, "exit $(ulimit -n)"),
		                 77 << 8);
	}
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &after), 0);
	ck_assert(before.rlim_cur == after.rlim_cur);
}
END_TEST

START_TEST(descriptors_are_closed)
{
	for (int how = CLOSE_LOOP; how <= CLOSE_RANGE; how++) {
		struct spawn spawn = {
			.close = (enum close_how)how, .close_from = 8,
		};
		int kept = fcntl(2, F_DUPFD, 7), shut = fcntl(2, F_DUPFD, 9);

		ck_assert_int_eq(kept, 7);
		ck_assert_int_eq(shut, 9);
		ck_assert_int_eq(run_shell(&spawn, "echo -n '' >&7"), 0);
		ck_assert_int_ne(run_shell(&spawn, "echo -n '' >&9"), 0);
		close(kept);
		close(shut);
	}
}
END_TEST

START_TEST(a_process_without_a_program)
{
	struct spawn spawn = { .method = SPAWN_FORK };
	struct errmsg why;
	struct rusage usage;
	int status;

	start_up();
	ck_assert_int_eq(spawn_start(&spawner, &spawn, -1, -1, slot), 0);
	ck_assert_int_eq(spawn_wait(slot, &status, &usage), 0);
	ck_assert_int_eq(status, 0);
	spawn.method = SPAWN_POSIX;
	ck_assert_int_eq(spawn_prepare(&spawn, &why), -1);
}
END_TEST

UNIT_MAIN("spawn", status_is_the_childs, exec_failure_has_its_errno,
          file_actions_are_done_in_order, a_file_action_that_fails_is_told,
          knobs_are_set_in_the_child_alone, descriptors_are_closed,
          a_process_without_a_program)

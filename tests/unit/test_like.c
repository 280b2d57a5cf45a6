#include "unit.h"

#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sys/like.h"

/* Without stdio, whose buffer might itself become a mapping. */
static long
mappings_now(void)
{
	char text[4096];
	int fd = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
	ssize_t got;
	long lines = 0;

	if (fd < 0)
		return -1;
	while ((got = read(fd, text, sizeof(text))) > 0)
		for (ssize_t i = 0; i < got; i++)
			lines += text[i] == '\n';
	close(fd);
	return lines;
}

/* The first byte of page n, as like.c spreads pages over mappings. */
static char
first_byte(const struct like_memory *memory, unsigned n)
{
	return memory->base[n % memory->mappings * memory->stride +
	                    n / memory->mappings * memory->page];
}

static long
faults_so_far(void)
{
	struct rusage usage;

	ck_assert_int_eq(getrusage(RUSAGE_SELF, &usage), 0);
	return usage.ru_minflt;
}

static void
open_it(const struct like *like, struct like_memory *memory)
{
	struct errmsg why;

	ck_assert_msg(like_open(like, memory, &why) == 0, "%s", why.text);
}

START_TEST(names_in_the_order_of_the_knob)
{
	ck_assert_str_eq(likes[0].name, "bash");
	ck_assert_str_eq(likes[1].name, "dash");
	ck_assert_str_eq(likes[2].name, "busybox");
	ck_assert_ptr_null(likes[3].name);
	ck_assert(!likes[0].vforks && likes[1].vforks && !likes[2].vforks);
}
END_TEST

START_TEST(every_mapping_is_one_to_the_kernel)
{
	for (const struct like *like = likes; like->name; like++) {
		struct like_memory memory;
		long before = mappings_now(), after;

		if (before < 0)
			return;
		open_it(like, &memory);
		after = mappings_now();
		ck_assert_int_eq(after - before, like->mappings);
		ck_assert_uint_ge(memory.pages, like->mappings);
		ck_assert_uint_ge(memory.pages * memory.page,
		                  like->dirty_kib * 1024UL);
	}
}
END_TEST

static unsigned
pages_with(const struct like_memory *memory, char byte)
{
	unsigned count = 0;

	for (unsigned i = 0; i < memory->pages; i++)
		count += first_byte(memory, i) == byte;
	return count;
}

/* Each write has a page of its own, and no other is touched. */
START_TEST(writes_stay_in_their_pages)
{
	for (const struct like *like = likes; like->name; like++) {
		struct like_memory memory;

		open_it(like, &memory);
		ck_assert_uint_eq(pages_with(&memory, 1), memory.pages);
		like_child(&memory);
		ck_assert_uint_gt(memory.child_writes, 0);
		ck_assert_uint_eq(pages_with(&memory, 3), memory.child_writes);
		like_parent(&memory);
		ck_assert_uint_gt(memory.parent_writes, 0);
		ck_assert_uint_eq(pages_with(&memory, 2), memory.parent_writes);
	}
}
END_TEST

/* Leaves with 0 where each write after a fork was a fault. */
static void
child_faults(const struct like_memory *memory)
{
	long before = faults_so_far();

	like_child(memory);
	_exit(faults_so_far() - before < (long)memory->child_writes);
}

START_TEST(each_write_after_a_fork_is_a_fault)
{
	for (const struct like *like = likes; like->name; like++) {
		struct like_memory memory;
		long before;
		int status;
		pid_t pid;

		open_it(like, &memory);
		pid = fork();
		ck_assert_int_ge(pid, 0);
		if (pid == 0)
			child_faults(&memory);
		before = faults_so_far();
		like_parent(&memory);
		ck_assert_int_ge(faults_so_far() - before,
		                 memory.parent_writes);
		ck_assert_int_eq(waitpid(pid, &status, 0), pid);
		ck_assert_int_eq(status, 0);
	}
}
END_TEST

UNIT_MAIN("like", names_in_the_order_of_the_knob,
          every_mapping_is_one_to_the_kernel, writes_stay_in_their_pages,
          each_write_after_a_fork_is_a_fault)

#include "base/arena.h"

#include <setjmp.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

static jmp_buf out_of_memory;

static void
no_memory(void)
{
	longjmp(out_of_memory, 1);
}

static int
is_zero(const char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		if (bytes[i])
			return 0;
	return 1;
}

START_TEST(objects_are_apart_zeroed_and_aligned)
{
	enum { MANY = 500 };
	struct arena *arena = arena_new(abort);
	unsigned char *objects[MANY];

	/* Several chunks, and objects larger than a chunk. */
	for (size_t i = 0; i < MANY; i++) {
		size_t size = i == 100 || i == 101 ? 1 << 20 : i;

		objects[i] = arena_alloc(arena, size);
		ck_assert_uint_eq((uintptr_t)objects[i] % 16, 0);
		ck_assert(is_zero((char *)objects[i], size));
		memset(objects[i], (int)(i % 255) + 1, size);
	}
	for (size_t i = 0; i < MANY; i++) {
		size_t size = i == 100 || i == 101 ? 1 << 20 : i;

		for (size_t at = 0; at < size; at++)
			ck_assert_uint_eq(objects[i][at], i % 255 + 1);
		/* One of no bytes has an address of its own too. */
		ck_assert(i == 0 || objects[i] != objects[i - 1]);
	}
	arena_free(arena);
	arena_free(NULL);
}
END_TEST

START_TEST(copies)
{
	struct arena *arena = arena_new(abort);
	char text[] = "abc";
	char *copy = arena_copy(arena, text, 2), *long_text;

	text[0] = 'x';
	ck_assert_mem_eq(copy, "ab", 3);
	ck_assert_mem_eq(arena_copy(arena, "a\0b", 3), "a\0b", 4);
	ck_assert_str_eq(arena_copy(arena, "", 0), "");
	ck_assert_str_eq(arena_printf(arena, "%s-%d", "n", 7), "n-7");
	ck_assert_str_eq(arena_printf(arena, "%s", ""), "");
	long_text = arena_printf(arena, "%0*d", 100000, 1);
	ck_assert_uint_eq(strlen(long_text), 100000);
	ck_assert_int_eq(long_text[99999], '1');
	arena_free(arena);
}
END_TEST

/* Places of 24 bytes: the new one is zeroed, the old ones are kept. */
struct entry {
	uint64_t n, twice;
	char tag;
};

START_TEST(arrays_grow)
{
	struct arena *arena = arena_new(abort);
	struct entry *list = NULL;
	size_t count = 0;

	for (uint64_t i = 0; i < 1000; i++) {
		struct entry *new = arena_push(arena, &list, &count,
		                               sizeof(*new));

		ck_assert_uint_eq(count, i + 1);
		ck_assert_ptr_eq(new, &list[i]);
		ck_assert(is_zero((char *)new, sizeof(*new)));
		*new = (struct entry){ i, 2 * i, 't' };
		/* So that a write beyond the array's room would show. */
		memset(arena_alloc(arena, 1), 0xff, 1);
		for (uint64_t j = 0; j <= i; j++)
			ck_assert(list[j].n == j && list[j].twice == 2 * j &&
			          list[j].tag == 't');
	}
	arena_free(arena);
}
END_TEST

/* An array that was cut is written over, with zeroes first. */
START_TEST(arrays_that_were_cut)
{
	struct arena *arena = arena_new(abort);
	int *list = NULL, *new;
	size_t count = 0;

	for (int i = 0; i < 3; i++) {
		new = arena_push(arena, &list, &count, sizeof(int));
		*new = 7;
	}
	count = 1;
	new = arena_push(arena, &list, &count, sizeof(int));
	ck_assert_int_eq(*new, 0);
	ck_assert_uint_eq(count, 2);
	ck_assert_int_eq(list[0], 7);
	arena_free(arena);
}
END_TEST

/* Does the call end in no_memory()? */
#define RUNS_OUT(call) (setjmp(out_of_memory) ? 1 : ((void)(call), 0))

START_TEST(too_much_is_told)
{
	struct arena *arena = arena_new(no_memory);

	ck_assert(RUNS_OUT(arena_alloc(arena, SIZE_MAX)));
	ck_assert(RUNS_OUT(arena_alloc(arena, SIZE_MAX / 2)));
	ck_assert(RUNS_OUT(arena_array(arena, SIZE_MAX / 2, 3)));
	/* The product would be 0. */
	ck_assert(RUNS_OUT(arena_array(arena, (SIZE_MAX >> 4) + 1, 16)));
	ck_assert(!RUNS_OUT(arena_array(arena, 0, 16)));
	ck_assert(!RUNS_OUT(arena_array(arena, 16, 0)));
	/* It is still whole. */
	ck_assert_str_eq(arena_copy(arena, "abc", 3), "abc");
	arena_free(arena);
}
END_TEST

START_TEST(a_fork_shares_it)
{
	struct arena *arena = arena_new(abort);
	char *small = arena_alloc(arena, 10);
	char *large = arena_alloc(arena, 1 << 20);
	int status;
	pid_t pid = fork();

	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		strcpy(small, "child");
		large[(1 << 20) - 1] = 'c';
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_str_eq(small, "child");
	ck_assert_int_eq(large[(1 << 20) - 1], 'c');
	arena_free(arena);
}
END_TEST

static long
mappings_now(void)
{
	FILE *maps = fopen("/proc/self/maps", "r");
	long lines = 0;
	int c;

	if (!maps)
		return -1;
	while ((c = getc(maps)) != EOF)
		lines += c == '\n';
	fclose(maps);
	return lines;
}

START_TEST(all_is_given_back)
{
	long before = mappings_now(), during, after;

	if (before < 0)
		return;
	before = mappings_now();
	for (int i = 0; i < 20; i++) {
		struct arena *arena = arena_new(abort);

		arena_alloc(arena, 100 << 10);
		arena_alloc(arena, 3 << 20);
		during = mappings_now();
		arena_free(arena);
		ck_assert_int_gt(during, before);
	}
	after = mappings_now();
	ck_assert_int_eq(after, before);
}
END_TEST

START_TEST(a_private_one_is_each_process_own)
{
	struct arena *shared = arena_new(no_memory);
	struct arena *own = arena_private(shared);
	int *seen = arena_alloc(shared, sizeof(*seen));
	int *copied = arena_alloc(own, sizeof(*copied));
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		*seen = *copied = 1;
		_exit(0);
	}
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(*seen, 1);
	ck_assert_int_eq(*copied, 0);
	arena_free(own);
	arena_free(shared);
}
END_TEST

UNIT_MAIN("arena", a_private_one_is_each_process_own,
          objects_are_apart_zeroed_and_aligned, copies, arrays_grow,
          arrays_that_were_cut, too_much_is_told, a_fork_shares_it,
          all_is_given_back)

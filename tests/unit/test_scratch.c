#include "sys/scratch.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"

#include "unit.h"

static void
no_memory(void)
{
	exit(1);
}

static uint64_t
sum_of(const char *path, int64_t *size)
{
	char text[8192];
	uint64_t sum = 0;
	int fd = open(path, O_RDONLY);
	ssize_t n;

	ck_assert_int_ge(fd, 0);
	*size = 0;
	while ((n = read(fd, text, sizeof(text))) > 0) {
		for (ssize_t i = 0; i < n; i++) {
			ck_assert(text[i] == ' ' || text[i] == '\n' ||
			          (text[i] >= 'a' && text[i] <= 'z'));
			sum = sum * 31 + (unsigned char)text[i];
		}
		*size += n;
	}
	close(fd);
	return sum;
}

START_TEST(files)
{
	struct arena *arena = arena_new(no_memory);
	const char *one, *same, *other;
	struct scratch scratch;
	struct errmsg why;
	int64_t size;
	uint64_t sum;
	struct stat st;
	char dir[4096];

	scratch_open(&scratch, NULL, NULL);
	ck_assert_int_ne(scratch.dir[0], '\0');
	strcpy(dir, scratch.dir);
	ck_assert_int_eq(stat(dir, &st), 0);
	ck_assert_int_eq(st.st_mode & 0777, 0700);
	ck_assert_int_eq(scratch_file(&scratch, arena, "one", 10000, 7, &one,
	                              &why), 0);
	ck_assert_int_eq(scratch_file(&scratch, arena, "same", 10000, 7,
	                              &same, &why), 0);
	ck_assert_int_eq(scratch_file(&scratch, arena, "other", 0, 8, &other,
	                              &why), 0);
	sum = sum_of(one, &size);
	ck_assert_int_eq(size, 10000);
	/* The same on every machine: this number was computed once. */
	ck_assert(sum == UINT64_C(0xa457da8b160c4d98));
	ck_assert(sum_of(same, &size) == sum);
	sum_of(other, &size);
	ck_assert_int_eq(size, 0);
	ck_assert_int_eq(scratch_close(&scratch, &why), 0);
	ck_assert_int_eq(access(dir, F_OK), -1);
	arena_free(arena);
}
END_TEST

START_TEST(whatever_is_in_it_goes)
{
	struct arena *arena = arena_new(no_memory);
	struct scratch scratch;
	const char *dir, *path;
	struct errmsg why;
	char top[4096];

	scratch_open(&scratch, NULL, NULL);
	strcpy(top, scratch.dir);
	ck_assert_int_eq(scratch_dir(&scratch, arena, "sub", &dir, &why), 0);
	path = arena_printf(arena, "%s/deep", dir);
	ck_assert_int_eq(mkdir(path, 0700), 0);
	ck_assert_int_eq(symlink("/etc", arena_printf(arena, "%s/l", path)), 0);
	close(open(arena_printf(arena, "%s/f", path), O_CREAT | O_WRONLY, 0));
	ck_assert_int_eq(chmod(path, 0), 0);
	ck_assert_int_eq(scratch_close(&scratch, &why), 0);
	ck_assert_int_eq(access(top, F_OK), -1);
	ck_assert_int_eq(access("/etc/passwd", F_OK), 0);
	arena_free(arena);
}
END_TEST

START_TEST(in_memory)
{
	struct arena *arena = arena_new(no_memory);
	struct scratch scratch = { .dir = "" };
	const char *path;
	struct errmsg why;
	char text[16];
	int64_t size;
	int fd;

	ck_assert_int_eq(scratch_file(&scratch, arena, "one", 5000, 7, &path,
	                              &why), 0);
	sum_of(path, &size);
	ck_assert_int_eq(size, 5000);
	ck_assert_int_eq(scratch_text(&scratch, arena, "hello", 5, &path,
	                              &why), 0);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), 5);
	ck_assert_str_eq(text, "hello");
	ck_assert_int_eq(scratch_dir(&scratch, arena, "d", &path, &why), -1);
	fd = scratch_unlinked(&scratch, &why);
	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write_all(fd, "ab", 2), 0);
	ck_assert_int_eq(pread(fd, text, 2, 0), 2);
	close(fd);
	arena_free(arena);
}
END_TEST

START_TEST(a_name_that_is_taken_is_an_error)
{
	struct arena *arena = arena_new(no_memory);
	struct scratch scratch;
	const char *path;
	struct errmsg why;

	/* O_EXCL: nothing is written through a link either. */
	scratch_open(&scratch, NULL, NULL);
	ck_assert_int_eq(symlink("/dev/full", arena_printf(arena, "%s/full",
	                                                   scratch.dir)), 0);
	ck_assert_int_eq(scratch_file(&scratch, arena, "full", 5000, 7, &path,
	                              &why), -1);
	ck_assert_ptr_ne(strstr(why.text, "cannot make the file full"), NULL);
	ck_assert_int_eq(scratch_close(&scratch, &why), 0);
	arena_free(arena);
}
END_TEST

static bool
give_up(void *asked)
{
	return ++*(int *)asked == 3;
}

START_TEST(what_is_given_up_leaves_no_file)
{
	struct arena *arena = arena_new(abort);
	struct scratch scratch;
	const char *path;
	struct errmsg why;
	int asked = 0;

	scratch_open(&scratch, give_up, &asked);
	ck_assert_int_eq(scratch_file(&scratch, arena, "big", 1 << 30, 1,
	                              &path, &why), -1);
	ck_assert_int_eq(asked, 3);
	ck_assert_int_eq(access(path, F_OK), -1);
	ck_assert_int_eq(scratch_close(&scratch, &why), 0);
	arena_free(arena);
}
END_TEST

UNIT_MAIN("scratch", what_is_given_up_leaves_no_file,
          files, whatever_is_in_it_goes, in_memory,
          a_name_that_is_taken_is_an_error)

#include "step/program.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "sys/knob.h"

#include "unit.h"

/* ---- where it is ------------------------------------------------------- */

/* A folder with files of every kind, which is also the current one. */
struct tree {
	struct arena *arena;
	char top[64];
};

static void
make_file(const char *path, const char *text, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write_all(fd, text, strlen(text)), 0);
	ck_assert_int_eq(fchmod(fd, mode), 0);
	close(fd);
}

static void
tree_make(struct tree *tree)
{
	tree->arena = arena_new(abort);
	strcpy(tree->top, "/tmp/forkload-unit-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(tree->top));
	ck_assert_int_eq(chdir(tree->top), 0);
	ck_assert_int_eq(mkdir("one", 0700), 0);
	ck_assert_int_eq(mkdir("two", 0700), 0);
	ck_assert_int_eq(mkdir("two/folder", 0700), 0);
	make_file("one/tool", "", 0700);
	make_file("two/tool", "", 0700);
	make_file("one/plain", "", 0600);
	make_file("two/second", "", 0700);
	make_file("two/script", "#! /bin/sh -e\n", 0700);
	make_file("two/lost", "#!/nowhere/sh -e\n:\n", 0700);
	make_file("here", "", 0700);
}

static void
tree_remove(const struct tree *tree)
{
	static const char *const files[] = {
		"one/tool", "two/tool", "one/plain", "two/second",
		"two/script", "two/lost", "here",
	};
	static const char *const folders[] = { "two/folder", "one", "two" };

	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		ck_assert_int_eq(unlink(files[i]), 0);
	for (size_t i = 0; i < sizeof(folders) / sizeof(*folders); i++)
		ck_assert_int_eq(rmdir(folders[i]), 0);
	ck_assert_int_eq(chdir("/"), 0);
	ck_assert_int_eq(rmdir(tree->top), 0);
	arena_free(tree->arena);
}

static void
finds(const struct tree *tree, const char *name, const char *path,
      const char *dir, const char *want)
{
	struct lack lack = { "before", 1 };

	ck_assert_str_eq(program_path(tree->arena, name, path, dir, &lack),
	                 want);
	ck_assert_msg(!lack.reason, "%s", lack.reason);
}

static void
lacks(const struct tree *tree, const char *name, const char *path,
      const char *dir, int status, const char *want)
{
	struct lack lack = { NULL, 0 };

	program_path(tree->arena, name, path, dir, &lack);
	ck_assert_msg(lack.reason != NULL, "%s is found", name);
	ck_assert_str_eq(lack.reason, want);
	ck_assert_int_eq(lack.status, status);
}

START_TEST(searched_in_the_path)
{
	struct tree tree;

	tree_make(&tree);
	finds(&tree, "tool", "one:two", NULL, "one/tool");
	finds(&tree, "tool", "two:one", NULL, "two/tool");
	/* A relative entry is seen from where the exec will happen. */
	finds(&tree, "tool", ":/bin", "one", "./tool");
	lacks(&tree, "here", ":one", "one", 127,
	      "cannot execute here: not found in PATH");
	finds(&tree, "second", "nowhere:one:two", NULL, "two/second");
	finds(&tree, "here", "one:", NULL, "./here");
	finds(&tree, "here", ":one", NULL, "./here");
	finds(&tree, "here", "one::two", NULL, "./here");
	finds(&tree, "here", "", NULL, "./here");
	finds(&tree, "sh", NULL, NULL, access("/usr/bin/sh", X_OK) == 0 ?
	      "/usr/bin/sh" : "/bin/sh");
	lacks(&tree, "here", "one:two", NULL, 127,
	      "cannot execute here: not found in PATH");
	lacks(&tree, "", "one", NULL, 127,
	      "cannot execute '': an empty name");
	tree_remove(&tree);
}
END_TEST

START_TEST(what_cannot_be_executed)
{
	struct tree tree;

	tree_make(&tree);
	lacks(&tree, "folder", "one:two", NULL, 126,
	      "cannot execute two/folder: Is a directory");
	lacks(&tree, "lost", "one:two", NULL, 126,
	      "cannot execute two/lost: its interpreter /nowhere/sh is "
	      "missing");
	lacks(&tree, "plain", "one:two", NULL, 126,
	      "cannot execute one/plain: Permission denied");
	lacks(&tree, "plain", "two", NULL, 127,
	      "cannot execute plain: not found in PATH");
	finds(&tree, "script", "two", NULL, "two/script");
	/* One that is no program does not hide one that is. */
	make_file("one/second", "", 0600);
	finds(&tree, "second", "one:two", NULL, "two/second");
	ck_assert_int_eq(unlink("one/second"), 0);
	tree_remove(&tree);
}
END_TEST

START_TEST(as_it_stands)
{
	struct tree tree;
	char absolute[80];

	tree_make(&tree);
	snprintf(absolute, sizeof(absolute), "%s/one/tool", tree.top);
	finds(&tree, "one/tool", "two", NULL, "one/tool");
	finds(&tree, "./here", NULL, NULL, "./here");
	finds(&tree, absolute, NULL, "/nowhere", absolute);
	/* Seen from dir; the path for execve stays what it is. */
	finds(&tree, "./tool", NULL, "one", "./tool");
	lacks(&tree, "./here", NULL, "one", 127,
	      "cannot execute ./here: No such file or directory");
	lacks(&tree, "here/tool", NULL, NULL, 127,
	      "cannot execute here/tool: Not a directory");
	lacks(&tree, "./one", NULL, NULL, 126,
	      "cannot execute ./one: Is a directory");
	lacks(&tree, "two/lost", NULL, NULL, 126,
	      "cannot execute two/lost: its interpreter /nowhere/sh is "
	      "missing");
	tree_remove(&tree);
}
END_TEST

/* ---- what it is given -------------------------------------------------- */

static struct setting
setting(const char *name, const char *text)
{
	struct setting new = { .word = { .npieces = 0 } };
	struct errmsg why = { "" };
	static struct piece pieces[8];
	static size_t used;

	new.knob = knob_find(knobs, name, &new.key);
	ck_assert_ptr_nonnull(new.knob);
	ck_assert_msg(value_read(&new.knob->value, text, &new.value,
	                         &why) == 0, "%s", why.text);
	ck_assert_uint_lt(used, 8);
	pieces[used].text = text;
	new.word.pieces = &pieces[used++];
	new.word.npieces = 1;
	return new;
}

START_TEST(values_of_an_environment)
{
	static char *list[] = { "AB=1", "A=2", "EMPTY=", "A=3", "B", NULL };

	ck_assert_str_eq(environ_value(list, "A"), "2");
	ck_assert_str_eq(environ_value(list, "AB"), "1");
	ck_assert_str_eq(environ_value(list, "EMPTY"), "");
	ck_assert_ptr_null(environ_value(list, "B"));
	ck_assert_ptr_null(environ_value(list, "C"));
	ck_assert_ptr_null(environ_value(NULL, "A"));
}
END_TEST

START_TEST(an_environment_that_is_told)
{
	static char *list[] = { "PATH=/bin", "HOME=/", "PATHS=x", NULL };
	struct setting told[] = {
		setting("env.NEW", "a=b"), setting("nice", "1"),
		setting("env.PATH", "/sbin"), setting("env.HOME", ""),
	};
	struct settings settings = { told, 4 }, none = { &told[1], 1 };
	struct job_context context = { .arena = arena_new(abort),
	                               .environ = list };
	char *const *made = program_environ(&context, &settings);

	ck_assert_str_eq(made[0], "PATH=/sbin");
	ck_assert_str_eq(made[1], "HOME=");
	ck_assert_str_eq(made[2], "PATHS=x");
	ck_assert_str_eq(made[3], "NEW=a=b");
	ck_assert_ptr_null(made[4]);
	/* The one that it was made from is as before. */
	ck_assert_str_eq(list[0], "PATH=/bin");
	ck_assert_ptr_eq(program_environ(&context, &none), list);
	arena_free(context.arena);
}
END_TEST

START_TEST(an_environment_with_a_reference)
{
	static char *list[] = { NULL };
	static const char *values[] = { "/tmp/one", "/tmp/two" };
	struct piece pieces[] = { { "a:", 0 }, { NULL, 1 } };
	struct setting told = { .word = { pieces, 2, { NULL, 0, 0 } } };
	struct settings settings = { &told, 1 };
	struct job_context context = { .arena = arena_new(abort),
	                               .environ = list, .values = values };
	char *const *made;

	told.knob = knob_find(knobs, "env.X", &told.key);
	made = program_environ(&context, &settings);
	ck_assert_str_eq(made[0], "X=a:/tmp/two");
	ck_assert_ptr_null(made[1]);
	arena_free(context.arena);
}
END_TEST

START_TEST(an_environment_that_is_padded)
{
	static char *list[] = { "A=1", NULL };
	struct setting pad = setting("envpad", "4k");
	struct setting zero = setting("envpad", "0");
	struct settings padded = { &pad, 1 }, unpadded = { &zero, 1 };
	struct job_context context = { .arena = arena_new(abort),
	                               .environ = list };
	char *const *made = program_environ(&context, &padded);
	const char *x = environ_value(made, "FORKLOAD_PAD");

	ck_assert_str_eq(made[0], "A=1");
	ck_assert_ptr_nonnull(x);
	ck_assert_uint_eq(strlen(x), 4096);
	ck_assert_uint_eq(strspn(x, "x"), 4096);
	ck_assert_ptr_null(made[2]);
	made = program_environ(&context, &unpadded);
	ck_assert_str_eq(made[0], "A=1");
	ck_assert_ptr_null(made[1]);
	arena_free(context.arena);
}
END_TEST

START_TEST(longer_names)
{
	struct arena *arena = arena_new(abort);

	ck_assert_str_eq(program_pad(arena, "sh", 0), "sh");
	ck_assert_str_eq(program_pad(arena, "sh", 2), "./sh");
	ck_assert_str_eq(program_pad(arena, "sh", 4), "././sh");
	ck_assert_str_eq(program_pad(arena, "./sh", 3), ".//./sh");
	ck_assert_str_eq(program_pad(arena, "/bin/sh", 3), "////bin/sh");
	for (int64_t bytes = 2; bytes < 300; bytes++) {
		const char *padded = program_pad(arena, "bin/sh", bytes);

		ck_assert_uint_eq(strlen(padded), 6 + (size_t)bytes);
		ck_assert_int_eq(padded[0], '.');
		ck_assert_str_eq(padded + bytes - 1, "/bin/sh");
	}
	arena_free(arena);
}
END_TEST

/* The label of one word that is len times c. */
static const char *
label_of(struct arena *arena, const char *text, size_t times)
{
	char word[400] = "", *argv[] = { word, NULL };

	for (size_t i = 0; i < times; i++)
		strcat(word, text);
	return program_label(arena, argv);
}

START_TEST(labels)
{
	struct arena *arena = arena_new(abort);
	char *argv[] = { "grep", "-c", "a\nb\tc", "", "x", NULL };
	const char *label;

	ck_assert_str_eq(program_label(arena, argv), "grep -c a b c  x");
	ck_assert_uint_eq(strlen(label_of(arena, "y", 60)), 60);
	label = label_of(arena, "y", 61);
	ck_assert_uint_eq(strlen(label), 60);
	ck_assert_str_eq(label + 56, "y...");
	/* 3 bytes a character: 57 is between two, 57 + 1 is within one. */
	label = label_of(arena, "\xe2\x82\xac", 30);
	ck_assert_uint_eq(strlen(label), 57 + 3);
	label = label_of(arena, "\xc3\xa9", 40);
	ck_assert_uint_eq(strlen(label), 56 + 3);
	ck_assert_str_eq(label + 54, "\xc3\xa9...");
	arena_free(arena);
}
END_TEST

UNIT_MAIN("program", searched_in_the_path, what_cannot_be_executed,
          as_it_stands, values_of_an_environment,
          an_environment_that_is_told, an_environment_with_a_reference,
          an_environment_that_is_padded, longer_names, labels)

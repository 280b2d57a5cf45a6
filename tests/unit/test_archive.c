#include "test_archive.h"

#include <sys/stat.h>

#include "lab/benchfmt.h"

/* ---- results ----------------------------------------------------------- */

START_TEST(results)
{
	struct fixture f;
	struct strbuf text = { 0 };
	const struct archive_series *series;
	const struct archive_run *run;
	struct archive archive;

	archive_setup(&f);
	text.arena = f.arena;
	put_run(&text, "5f0c", 5);
	put_run(&text, "77aa", 3);
	archive = read_text_back(&f, text.text);
	ck_assert_uint_eq(archive.nruns, 2);
	ck_assert_uint_eq(archive.nnotes, 0);
	ck_assert_uint_eq(check_blocks(&archive), 16);
	run = &archive.runs[0];
	ck_assert_str_eq(run->boot, "5f0c");
	ck_assert_str_eq(run->version, "0.1");
	ck_assert_str_eq(run->workload, "loopback 9f8e7d6c");
	ck_assert_str_eq(archive_fact(run, "kernel"), "6.12.0");
	ck_assert(archive_fact(run, "governor") == NULL);
	ck_assert(run->complete && !run->is_list);
	ck_assert_uint_eq(run->nseries, 2);
	series = archive_series(run, "Loopback/clients/aslr=off");
	ck_assert_ptr_nonnull(series);
	ck_assert_str_eq(series->parts[0], "loopback");
	ck_assert_str_eq(series->parts[1], "clients");
	ck_assert_str_eq(series->parts[2], "aslr=off");
	ck_assert_str_eq(series->unit, "ns");
	ck_assert(!series->higher_is_better);
	ck_assert_uint_eq(series->nblocks, 5);
	ck_assert_int_eq(series->scale, 1000);
	ck_assert_int_eq(series->blocks[4].value, 400041000);
	ck_assert_int_eq(series->blocks[4].sys, 301000000);
	ck_assert_int_eq(series->blocks[4].count, 50);
	ck_assert_int_eq(series->blocks[4].place.start_ns, 4000);
	ck_assert_int_eq(series->blocks[4].place.switches, 120);
	ck_assert_str_eq(archive.runs[1].boot, "77aa");
	archive_teardown(&f);
}
END_TEST

/* How many lines of blocks are whole in it. */
static size_t
whole_blocks(const char *text, size_t len)
{
	size_t count = 0;

	for (const char *end; (end = memchr(text, '\n', len)) != NULL;) {
		count += strncmp(text, "Benchmark", 9) == 0;
		len -= (size_t)(end + 1 - text);
		text = end + 1;
	}
	return count;
}

START_TEST(cut_at_every_byte)
{
	struct fixture f;
	struct strbuf text = { 0 };

	archive_setup(&f);
	text.arena = f.arena;
	put_run(&text, "5f0c", 8);
	ck_assert_uint_gt(text.len, 2048 + 300);
	for (size_t cut = 0; cut <= 2048; cut++) {
		size_t len = text.len - cut;
		struct archive archive;
		struct errmsg why;

		ck_assert(read_back(&f, text.text, len, &archive, &why) == 0);
		ck_assert_uint_eq(archive.nruns, 1);
		ck_assert_uint_eq(check_blocks(&archive),
		                  whole_blocks(text.text, len));
		ck_assert(archive.runs[0].complete == (cut == 0));
		ck_assert(is_noted(&archive, "its end is missing") ==
		          (cut > 0));
	}
	archive_teardown(&f);
}
END_TEST

/* A run that is appended to what a power failure has left. */
START_TEST(appended_behind_a_cut)
{
	struct fixture f;
	struct strbuf first = { 0 }, second = { 0 };

	archive_setup(&f);
	first.arena = second.arena = f.arena;
	put_run(&first, "5f0c", 2);
	put_run(&second, "77aa", 1);
	for (size_t len = first.len - 200; len < first.len; len++)
		for (int nuls = 0; nuls < 3; nuls++) {
			struct strbuf text = { .arena = f.arena };
			struct archive archive;
			struct errmsg why;

			strbuf_add(&text, first.text, len);
			strbuf_add(&text, "\0\0", (size_t)nuls);
			strbuf_add(&text, second.text, second.len);
			ck_assert(read_back(&f, text.text, text.len, &archive,
			                    &why) == 0);
			ck_assert_uint_eq(archive.nruns, 2);
			ck_assert(!archive.runs[0].complete ||
			          len == first.len - 1);
			ck_assert(archive.runs[1].complete);
			ck_assert_uint_eq(archive.runs[1].nseries, 2);
			check_blocks(&archive);
		}
	archive_teardown(&f);
}
END_TEST

START_TEST(lost_beginning)
{
	struct fixture f;
	struct strbuf text = { 0 };
	struct archive archive;

	archive_setup(&f);
	text.arena = f.arena;
	put_run(&text, "5f0c", 2);
	/* It does not tell its boot; so the file is one. */
	archive = read_text_back(&f, strstr(text.text, "Benchmark"));
	ck_assert_uint_eq(archive.nruns, 1);
	ck_assert(!archive.runs[0].boot && !archive.runs[0].is_list);
	ck_assert(is_noted(&archive, "run 1 lacks its beginning"));
	ck_assert_uint_eq(check_blocks(&archive), 4);
	/* Beside one that does it is left out. */
	put_run(&text, "77aa", 3);
	archive = read_text_back(&f, strstr(text.text, "Benchmark"));
	ck_assert_uint_eq(archive.nruns, 1);
	ck_assert_str_eq(archive.runs[0].boot, "77aa");
	ck_assert(is_noted(&archive, "does not tell its boot"));
	archive_teardown(&f);
}
END_TEST

START_TEST(damaged_lines)
{
	struct fixture f;
	const struct archive_series *series;
	struct archive archive;

	archive_setup(&f);
	archive = read_text_back(&f, "# forkload: 0.1\n# note\n#\n# empty:\n"
		"BenchmarkA/b 1 10 ns/op\n# block: pair=1\n"
		"BenchmarkA/b 1 twenty ns/op\n# block: pair=2\n"
		"BenchmarkA/b 1\nBenchmark\nBenchmarkA/b 1 3 ms/op\n"
		"BenchmarkA/b 1 99999999999999999999 ns/op\n"
		"BenchmarkA/b 1 30.5 ns/op 7 B/op 1 allocs/op\n"
		"# block: pair=3 other=x failures=1\n# block: pair=4\n"
		"# end: why=width\n");
	ck_assert_uint_eq(archive.nruns, 1);
	ck_assert(is_noted(&archive, "6 damaged lines were left out"));
	ck_assert_str_eq(archive_fact(&archive.runs[0], "empty"), "");
	series = archive_series(&archive.runs[0], "A/b");
	ck_assert_uint_eq(series->nblocks, 2);
	ck_assert_int_eq(series->blocks[0].place.pair, 1);
	ck_assert_int_eq(series->blocks[1].place.pair, 3);
	ck_assert_int_eq(series->blocks[1].place.failures, 1);
	ck_assert_int_eq(series->blocks[1].value, 30500);
	ck_assert_int_eq(series->blocks[1].user, -1);
	ck_assert(series->parts[2] == NULL);
	archive_teardown(&f);
}
END_TEST

/* ---- folders, and what cannot be read ---------------------------------- */

static void
put_file(struct fixture *f, const char *name, const char *text)
{
	char *path = arena_printf(f->arena, "%s/%s", f->path, name);
	int fd = open_file(path, O_WRONLY | O_CREAT, 0666);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write_all(fd, text, strlen(text)), 0);
	close(fd);
}

static void
remove_file(struct fixture *f, const char *name)
{
	unlink(arena_printf(f->arena, "%s/%s", f->path, name));
}

START_TEST(folders)
{
	struct fixture f;
	struct archive archive = { 0 };
	struct errmsg why;
	char *inner;

	archive_setup(&f);
	unlink(f.path);
	ck_assert_int_eq(archive_read(f.arena, f.path, &archive, &why), -1);
	ck_assert(strstr(why.text, f.path) != NULL);
	ck_assert(strstr(why.text, "No such file") != NULL);
	ck_assert_int_eq(mkdir(f.path, 0700), 0);
	ck_assert_int_eq(archive_read(f.arena, f.path, &archive, &why), -1);
	ck_assert(strstr(why.text, "holds no results") != NULL);
	put_file(&f, "b", "COUNT|2|1|lps\n");
	put_file(&f, "a", "COUNT|1|1|lps\n");
	put_file(&f, "README", "nothing to read\n");
	put_file(&f, "empty", "");
	inner = arena_printf(f.arena, "%s/inner", f.path);
	ck_assert_int_eq(mkdir(inner, 0700), 0);
	ck_assert_int_eq(symlink("/nowhere", arena_printf(f.arena, "%s/link",
	                                                  f.path)), 0);
	ck_assert_int_eq(archive_read(f.arena, f.path, &archive, &why), 0);
	ck_assert_uint_eq(archive.nruns, 2);
	ck_assert_int_eq(archive.runs[0].series[0].blocks[0].value, 1000);
	ck_assert_int_eq(archive.runs[1].series[0].blocks[0].value, 2000);
	remove_file(&f, "a");
	remove_file(&f, "b");
	remove_file(&f, "README");
	remove_file(&f, "empty");
	remove_file(&f, "link");
	rmdir(inner);
	ck_assert_int_eq(rmdir(f.path), 0);
	archive_teardown(&f);
}
END_TEST

START_TEST(nothing_to_read)
{
	static const char *const texts[] = {
		"", "\n", "no results\n", "# forkload: 0.1\n# boot: x\n",
		"BenchmarkA/b 1 3 ns/op", BENCHFMT_BEGIN "\n" BENCHFMT_END "\n",
	};
	struct fixture f;

	archive_setup(&f);
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct archive archive;
		struct errmsg why;

		ck_assert_int_eq(read_back(&f, texts[i], strlen(texts[i]),
		                           &archive, &why), -1);
		ck_assert(strstr(why.text, f.path) != NULL);
		ck_assert(strstr(why.text, "holds no results") != NULL);
	}
	archive_teardown(&f);
}
END_TEST

UNIT_MAIN("archive", results, cut_at_every_byte, appended_behind_a_cut,
          lost_beginning, damaged_lines, folders, nothing_to_read)

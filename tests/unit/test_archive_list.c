#include "test_archive.h"

static void
check_series(const struct archive *archive, const char *key, const char *name,
             const char *unit, bool higher, size_t count, int64_t last)
{
	const struct archive_series *series =
		archive_series(&archive->runs[0], key);

	ck_assert_msg(series != NULL, "no series '%s'", key);
	ck_assert_str_eq(series->parts[0], name);
	ck_assert_str_eq(series->unit, unit);
	ck_assert(series->higher_is_better == higher);
	ck_assert_uint_eq(series->nblocks, count);
	ck_assert_int_eq(series->blocks[count - 1].value, last);
}

START_TEST(lmbench_lists)
{
	struct fixture f;
	struct archive archive;

	archive_setup(&f);
	archive = read_text_back(&f,
		"Hi,\nhere are my numbers: 3 microseconds of them\n\n"
		"board.0:Simple syscall: 0.3734 microseconds\n"
		"results/ppc/board.1: Simple syscall: 0.5 microseconds\r\n"
		"> Simple syscall: 12 microseconds  \n"
		"\t> > File /tmp/XXX write bandwidth: 25911 KB/sec\n"
		"Process fork+/bin/sh -c: 10454.0000 microseconds\n"
		"AF_UNIX sock stream bandwidth: 1234.56 MB/sec\n"
		"Select on 10 fd's: 2.3284 microseconds\n"
		"Wrong: microseconds\nWrong: 1.2.3 microseconds\n"
		"Wrong: -3 microseconds\nWrong: 3microseconds\n"
		"Wrong: 3 microseconds each\n: 3 microseconds\nWrong: 3\n"
		"Simple read: 1.1355 microseconds");
	ck_assert_uint_eq(archive.nruns, 1);
	ck_assert_uint_eq(archive.nnotes, 0);
	ck_assert(archive.runs[0].is_list && archive.runs[0].complete);
	check_series(&archive, "Simple syscall: us", "Simple syscall", "us",
	             false, 3, 12000000);
	check_series(&archive, "File /tmp/XXX write bandwidth: KB/sec",
	             "File /tmp/XXX write bandwidth", "KB/sec", true, 1,
	             25911000);
	check_series(&archive, "Process fork+/bin/sh -c: us",
	             "Process fork+/bin/sh -c", "us", false, 1, 10454000000);
	check_series(&archive, "AF_UNIX sock stream bandwidth: MB/sec",
	             "AF_UNIX sock stream bandwidth", "MB/sec", true, 1,
	             1234560);
	check_series(&archive, "Select on 10 fd's: us", "Select on 10 fd's",
	             "us", false, 1, 2328400);
	check_series(&archive, "Simple read: us", "Simple read", "us", false,
	             1, 1135500);
	ck_assert_uint_eq(archive.runs[0].nseries, 6);
	archive_teardown(&f);
}
END_TEST

START_TEST(other_lists)
{
	struct fixture f;
	struct archive archive;

	archive_setup(&f);
	archive = read_text_back(&f, "COUNT|35861159|1|lps\n"
		" > COUNT|35545501.25|1|lps\nCOUNT|12|60|lpm\nCOUNT|x|1|lps\n"
		"COUNT|12|1\nCOUNT|12|1|\nCOUNT||1|lps\nTIME|30.0\n"
		"goos: linux\n"
		"BenchmarkFib-8 100 2500 ns/op\n"
		"BenchmarkFib-8 100 0.25 ns/op\n");
	ck_assert_uint_eq(archive.nruns, 1);
	check_series(&archive, "COUNT|1|lps", "COUNT", "lps", true, 2,
	             35545501250);
	check_series(&archive, "COUNT|60|lpm", "COUNT|60", "lpm", true, 1,
	             12000);
	check_series(&archive, "Fib-8", "Fib-8", "ns", false, 2, 250);
	ck_assert_uint_eq(archive.runs[0].nseries, 3);
	/* Lists of several boots. */
	archive = read_text_back(&f, "# boot: one\nCOUNT|1|1|lps\n"
		"COUNT|2|1|lps\n# boot: two\nCOUNT|3|1|lps\n");
	ck_assert_uint_eq(archive.nruns, 2);
	ck_assert_str_eq(archive.runs[0].boot, "one");
	ck_assert_str_eq(archive.runs[1].boot, "two");
	ck_assert_uint_eq(archive.runs[0].series[0].nblocks, 2);
	ck_assert(archive.runs[1].is_list);
	archive_teardown(&f);
}
END_TEST

UNIT_MAIN("archive_list", lmbench_lists, other_lists)

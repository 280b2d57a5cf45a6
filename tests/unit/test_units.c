#include "base/units.h"

#include <errno.h>
#include <string.h>

#include "unit.h"

struct number {
	const char *text;
	int64_t n;
};

typedef int reader(const char *text, int64_t *out);

static void
check_read(reader *read, const struct number *list, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		int64_t n = -77;

		ck_assert_msg(read(list[i].text, &n) == 0, "%s is refused",
		              list[i].text);
		ck_assert_msg(n == list[i].n, "%s gives %lld", list[i].text,
		              (long long)n);
	}
}

static void
check_refused(reader *read, const char *const *list, int error)
{
	for (; *list; list++) {
		int64_t n = -77;

		errno = 0;
		ck_assert_msg(read(*list, &n) == -1, "'%s' gives %lld", *list,
		              (long long)n);
		ck_assert_msg(errno == error, "'%s': %s", *list,
		              strerror(errno));
		ck_assert_int_eq(n, -77);
	}
}

#define CHECK_READ(read, list) \
	check_read(read, list, sizeof(list) / sizeof(*(list)))

START_TEST(whole_numbers)
{
	static const struct number right[] = {
		{ "0", 0 }, { "12", 12 }, { "-3", -3 }, { "007", 7 },
		{ "-0", 0 }, { "9223372036854775807", INT64_MAX },
		{ "-9223372036854775807", -INT64_MAX },
	};
	static const char *const wrong[] = {
		"", "-", "--3", "+3", " 3", "3 ", "3k", "0x10", "1e3", "3.0",
		NULL
	};
	static const char *const large[] = {
		"9223372036854775808", "99999999999999999999",
		"-99999999999999999999", NULL
	};

	CHECK_READ(parse_int, right);
	check_refused(parse_int, wrong, EINVAL);
	check_refused(parse_int, large, ERANGE);
}
END_TEST

START_TEST(sizes)
{
	static const struct number right[] = {
		{ "0", 0 }, { "64", 64 }, { "4k", 4096 }, { "0k", 0 },
		{ "2m", 2 << 20 }, { "1g", 1 << 30 },
		{ "8589934591g", INT64_C(8589934591) << 30 },
	};
	static const char *const wrong[] = {
		"", "k", "4K", "4kb", "4 k", "-4k", "1.5k", "4t", NULL
	};
	static const char *const large[] = {
		"8589934592g", "9223372036854775808", NULL
	};

	CHECK_READ(parse_size, right);
	check_refused(parse_size, wrong, EINVAL);
	check_refused(parse_size, large, ERANGE);
}
END_TEST

START_TEST(durations)
{
	static const struct number right[] = {
		{ "0", 0 }, { "0s", 0 }, { "20ns", 20 }, { "3us", 3000 },
		{ "10ms", 10000000 }, { "1s", 1000000000 },
		{ "2m", INT64_C(120000000000) }, { "1.5s", 1500000000 },
		{ "1.5us", 1500 }, { "0.25ms", 250000 },
		{ "0.5m", INT64_C(30000000000) },
		{ "1.000000001s", 1000000001 },
		/* What is finer than a nanosecond is dropped. */
		{ "1.9ns", 1 }, { "1.0019us", 1001 },
		{ "1.0000000019s", 1000000001 },
		{ "0.0000000000000000000000001s", 0 },
		{ "0.000000001m", 60 },
		{ "9223372035s", INT64_C(9223372035000000000) },
	};
	static const char *const wrong[] = {
		"", "1", "00", "s", ".5s", "1.s", "1.5", "-1s", "1 s", "1S",
		"1h", "1.5.5s", "1,5s", "1sec", NULL
	};
	static const char *const large[] = {
		"9223372036s", "153722868m", "9223372036854775808ns", NULL
	};

	CHECK_READ(parse_duration, right);
	check_refused(parse_duration, wrong, EINVAL);
	check_refused(parse_duration, large, ERANGE);
}
END_TEST

struct list {
	int cpus[16];
	int count;
};

static void
add_cpu(int cpu, void *state)
{
	struct list *list = state;

	ck_assert_int_lt(list->count, 16);
	list->cpus[list->count++] = cpu;
}

START_TEST(cpus_come_in_their_order)
{
	static const int want[] = { 7, 0, 2, 3, 4, 3 };
	static const char *const wrong[] = {
		"", ",", "0,", ",0", "0,,1", "2-", "-2", "5-2", "0 1", "a",
		"0-1-2", NULL
	};
	static const char *const large[] = {
		"4096", "0-4096", "0,99999999999999999999", NULL
	};
	struct list list = { .count = 0 };

	ck_assert_int_eq(parse_cpus("7,0,2-4,3", add_cpu, &list), 0);
	ck_assert_int_eq(list.count, 6);
	ck_assert_mem_eq(list.cpus, want, sizeof(want));
	ck_assert_int_eq(parse_cpus("4095", NULL, NULL), 0);
	ck_assert_int_eq(parse_cpus("3-3", NULL, NULL), 0);
	for (int i = 0; wrong[i]; i++) {
		ck_assert_int_eq(parse_cpus(wrong[i], NULL, NULL), -1);
		ck_assert_msg(errno == EINVAL, "'%s'", wrong[i]);
	}
	for (int i = 0; large[i]; i++) {
		ck_assert_int_eq(parse_cpus(large[i], NULL, NULL), -1);
		ck_assert_msg(errno == ERANGE, "'%s'", large[i]);
	}
}
END_TEST

START_TEST(sizes_with_addresses)
{
	ck_assert(size_fits(0));
	ck_assert(size_fits(INT32_MAX));
	ck_assert(size_fits(UINT32_MAX));
	ck_assert(!size_fits(-1));
	ck_assert(!size_fits(INT64_MIN));
	ck_assert_int_eq(size_fits(INT64_C(1) << 32), sizeof(size_t) > 4);
	ck_assert_int_eq(size_fits(INT64_C(4100) << 20), sizeof(size_t) > 4);
}
END_TEST

static void
check_text(char *(*format)(int64_t, char *, size_t), int64_t n,
           const char *want)
{
	char text[40];

	ck_assert_ptr_eq(format(n, text, sizeof(text)), text);
	ck_assert_str_eq(text, want);
}

START_TEST(written_exactly)
{
	check_text(format_size, 0, "0");
	check_text(format_size, 64, "64");
	check_text(format_size, 1025, "1025");
	check_text(format_size, 4096, "4k");
	check_text(format_size, 1536 << 10, "1536k");
	check_text(format_size, INT64_C(5) << 30, "5g");
	check_text(format_duration, 0, "0ns");
	check_text(format_duration, 999, "999ns");
	check_text(format_duration, 1500000, "1500us");
	check_text(format_duration, 10000000, "10ms");
	check_text(format_duration, INT64_C(120000000000), "2m");
	check_text(format_duration, INT64_C(90000000000), "90s");
}
END_TEST

/* What is written is read as the same number. */
START_TEST(there_and_back)
{
	uint64_t n = 1;
	char text[40];

	for (int i = 0; i < 2000; i++) {
		int64_t value = (int64_t)(n >> (1 + i % 60)), back;

		n = n * UINT64_C(6364136223846793005) + 1;
		format_size(value / 1024 * 1024, text, sizeof(text));
		ck_assert_int_eq(parse_size(text, &back), 0);
		ck_assert_int_eq(back, value / 1024 * 1024);
		format_duration(value / 1000 * 1000, text, sizeof(text));
		ck_assert_int_eq(parse_duration(text, &back), 0);
		ck_assert_int_eq(back, value / 1000 * 1000);
	}
}
END_TEST

START_TEST(shown_with_three_digits)
{
	check_text(show_duration, 0, "0 ns");
	check_text(show_duration, 999, "999 ns");
	check_text(show_duration, 1000, "1.00 us");
	check_text(show_duration, 9994, "9.99 us");
	check_text(show_duration, 9995, "10.0 us");
	check_text(show_duration, 99949, "99.9 us");
	check_text(show_duration, 99950, "100 us");
	check_text(show_duration, 524123, "524 us");
	check_text(show_duration, 999499, "999 us");
	check_text(show_duration, 999600, "1.00 ms");
	check_text(show_duration, 999500000, "1.00 s");
	check_text(show_duration, 13100000, "13.1 ms");
	check_text(show_duration, INT64_C(4900000000), "4.90 s");
	check_text(show_duration, INT64_C(123400000000), "123 s");
}
END_TEST

START_TEST(counts)
{
	char text[6];

	check_text(show_count, 0, "0");
	check_text(show_count, 110, "110");
	check_text(show_count, 1234567, "1,234,567");
	check_text(show_count, 100000, "100,000");
	check_text(show_count, -123, "-123");
	check_text(show_count, -1234, "-1,234");
	check_text(show_count, INT64_MIN, "-9,223,372,036,854,775,808");
	/* Cut, but never beyond its room. */
	show_count(1234567, text, sizeof(text));
	ck_assert_uint_lt(strlen(text), sizeof(text));
}
END_TEST

UNIT_MAIN("units", whole_numbers, sizes, durations, cpus_come_in_their_order,
          sizes_with_addresses, written_exactly, there_and_back,
          shown_with_three_digits, counts)

#include <string.h>

#include "sys/sysctl.h"

#include "unit.h"

START_TEST(reading)
{
	char value[SYSCTL_ROOM] = "";
	struct errmsg why;

	/* One that there is on each kernel with /proc. */
	if (sysctl_get("kernel.ostype", value, sizeof(value), &why) == 0)
		ck_assert_str_eq(value, "Linux");
	ck_assert_int_eq(sysctl_get("kernel.no_such", value, sizeof(value),
	                            &why), -1);
	ck_assert_ptr_nonnull(strstr(why.text, "kernel.no_such"));
}
END_TEST

START_TEST(wrong_names)
{
	static const char *const names[] = {
		"", ".", "a..b", ".a", "a.", "../../etc/passwd", "/etc/passwd",
		"a//b", "a\nb",
	};
	char value[SYSCTL_ROOM];
	struct errmsg why;

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		ck_assert_int_eq(sysctl_get(names[i], value, sizeof(value),
		                            &why), -1);
		ck_assert_ptr_nonnull(strstr(why.text, "not a sysctl's name"));
		ck_assert_int_eq(sysctl_set(names[i], "1", &why), -1);
	}
}
END_TEST

START_TEST(what_cannot_be_written)
{
	struct errmsg why;

	/* Read-only for all, or not there. */
	ck_assert_int_eq(sysctl_set("kernel.ostype", "Hurd", &why), -1);
	ck_assert_int_eq(sysctl_set("kernel.no_such", "1", &why), -1);
}
END_TEST

START_TEST(the_same_but_for_blanks)
{
	ck_assert(sysctl_same("1", "1"));
	ck_assert(sysctl_same("4 4  1\n", "4\t4\t1"));
	ck_assert(sysctl_same("", " "));
	ck_assert(!sysctl_same("1", "2"));
	ck_assert(!sysctl_same("1", "1 1"));
	ck_assert(!sysctl_same("11", "1 1"));
	ck_assert(!sysctl_same("1", "12"));
	ck_assert(!sysctl_same("12", "1"));
	ck_assert(!sysctl_same("", "1"));
}
END_TEST

UNIT_MAIN("sysctl", reading, wrong_names, what_cannot_be_written,
          the_same_but_for_blanks)

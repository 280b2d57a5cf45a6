/*
 * @work: a program of a given shape. What it does, in this order: work of the
 * CPU in user mode, memory touched page by page, calls of getppid, a file.
 */
#include "applet.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/units.h"
#include "sys/work.h"

int
work_check(int argc, char *const *argv, struct errmsg *why)
{
	(void)argv;
	if (argc > 1)
		return 0;
	return errmsg_set(why, "@work does nothing without cpu=, touch=, "
	                  "calls= or read=");
}

/* "123x": passes of the loop; by hand also a duration, measured here. */
static int
parse_work(const char *text, int64_t *passes)
{
	char number[24];
	size_t len = strlen(text);
	int64_t ns;

	if (len > 1 && len < sizeof(number) && text[len - 1] == 'x') {
		memcpy(number, text, len - 1);
		number[len - 1] = '\0';
		return parse_int(number, passes);
	}
	if (parse_duration(text, &ns) < 0 || ns > WORK_MOST_NS)
		return -1;
	*passes = ns / 1000 * work_calibrate() / 1000;
	return 0;
}

static int
touch(int64_t bytes)
{
	long page = sysconf(_SC_PAGESIZE);
	char *memory;

	if (bytes == 0)
		return 0;
	if (!size_fits(bytes)) {
		errno = ENOMEM;
		return -1;
	}
	memory = mmap(NULL, (size_t)bytes, PROT_READ | PROT_WRITE,
	              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (memory == MAP_FAILED)
		return -1;
	for (int64_t at = 0; at < bytes; at += page)
		((volatile char *)memory)[at] = 1;
	return 0;
}

int
applet_work(int argc, char **argv)
{
	const char *path = applet_option(argc, argv, "read");
	int64_t passes, bytes, calls;

	if (argc < 2 ||
	    applet_number(argc, argv, "cpu", parse_work, 0, &passes) < 0 ||
	    applet_number(argc, argv, "touch", parse_size, 0, &bytes) < 0 ||
	    applet_number(argc, argv, "calls", parse_int, 0, &calls) < 0)
		return applet_usage("@work");
	work_spin(passes);
	if (touch(bytes) < 0)
		return applet_fail("@work", "cannot get memory");
	for (int64_t i = 0; i < calls; i++)
		if (syscall(SYS_getppid) < 0)
			return applet_fail("@work", "cannot call getppid");
	if (path && applet_read_file(path) < 0)
		return applet_fail("@work", path);
	return 0;
}

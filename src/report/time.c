/* time: the formats "time" and "posix", as the shell's time prints. */
#include "report.h"

#include <inttypes.h>

#define US_PER_S 1000000

static void
minutes(struct strbuf *out, const char *name, int64_t us)
{
	int64_t ms = us / 1000;

	strbuf_printf(out, "%s\t%" PRId64 "m%" PRId64 ".%03" PRId64 "s\n",
	              name, ms / 60000, ms / 1000 % 60, ms % 1000);
}

static void
seconds(struct strbuf *out, const char *name, int64_t us)
{
	int64_t centi = us / (US_PER_S / 100);

	strbuf_printf(out, "%s %" PRId64 ".%02" PRId64 "\n", name,
	              centi / 100, centi % 100);
}

void
report_time_lines(const struct result *result, struct strbuf *out)
{
	struct figures f = result_figures(result, result->median, -1);

	strbuf_putc(out, '\n');
	minutes(out, "real", f.real_ns / 1000);
	minutes(out, "user", f.cpu.user_us);
	minutes(out, "sys", f.cpu.sys_us);
}

int
report_time(const struct result *result, const struct report_options *options,
            struct strbuf *out, struct errmsg *why)
{
	(void)options;
	(void)why;
	if (report_has_total(result))
		report_time_lines(result, out);
	return 0;
}

int
report_posix(const struct result *result,
             const struct report_options *options, struct strbuf *out,
             struct errmsg *why)
{
	struct figures f;

	(void)options;
	(void)why;
	if (!report_has_total(result))
		return 0;
	f = result_figures(result, result->median, -1);
	seconds(out, "real", f.real_ns / 1000);
	seconds(out, "user", f.cpu.user_us);
	seconds(out, "sys", f.cpu.sys_us);
	return 0;
}

#include "report.h"

#include <string.h>

/*
 * wait4's split is right on average from ten ticks a program up. The tick is
 * taken as 10 ms (HZ=100, the longest in use): what is true for it is true
 * for shorter ones.
 */
#define TEN_TICKS_US 100000

const struct report_format report_formats[] = {
	{ "table", report_table, "a table of the steps, 80 columns, for mail" },
	{ "time", report_time, "three lines as those of the shell's time" },
	{ "posix", report_posix, "three lines as those of time -p" },
	{ "sh", report_shell, "assignments for eval: fl_STEP_real_us=..." },
	{ 0 }
};

const struct report_format *
report_find(const char *name)
{
	for (const struct report_format *f = report_formats; f->name; f++)
		if (strcmp(f->name, name) == 0)
			return f;
	return NULL;
}

bool
report_has_total(const struct result *result)
{
	for (size_t i = 0; i < result->nsteps; i++)
		if (result->steps[i].outcome == OUTCOME_FAILED)
			return false;
	return result->median >= 0;
}

bool
report_split_is_guess(const struct result *result, long step)
{
	struct figures f = result_figures(result, result->median, step);
	int64_t cpu = f.cpu.user_us + f.cpu.sys_us;

	/* A long script may be many short programs. */
	for (size_t i = 0; i < result->nsteps; i++)
		if ((step < 0 || (size_t)step == i) && result->steps[i].others)
			return true;
	return f.programs == 0 || cpu / f.programs < TEN_TICKS_US;
}

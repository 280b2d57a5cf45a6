#include "report.h"

#include <string.h>

const struct report_format report_formats[] = {
	{ "table", report_table, "a table of the steps, 80 columns, for mail",
	  true },
	{ "time", report_time, "three lines as those of the shell's time",
	  false },
	{ "posix", report_posix, "three lines as those of time -p", false },
	{ "bench", report_bench, "the Go benchmark format, all samples", true },
	{ "sh", report_shell, "assignments for eval: fl_STEP_real_us=...",
	  true },
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

#include "step/internal.h"

#include "base/clock.h"

void
detail_note(struct detail *detail, const struct running *running,
            const struct rusage *usage)
{
	int64_t ns = clock_ns() - running->start_ns;

	/* The end of what runs behind '&' is seen later than it is. */
	if (!running->behind) {
		histogram_add(&detail->times, ns);
		if (running->repetition == 1) {
			detail->first_ns += ns;
			detail->firsts++;
		} else if (running->repetition > 1) {
			detail->later_ns += ns;
			detail->laters++;
		}
	}
	detail->programs++;
	detail->minor_faults += usage->ru_minflt;
	detail->major_faults += usage->ru_majflt;
	detail->voluntary += usage->ru_nvcsw;
	detail->involuntary += usage->ru_nivcsw;
	detail->blocks_in += usage->ru_inblock;
	detail->blocks_out += usage->ru_oublock;
	if (usage->ru_maxrss > detail->most_rss_kib)
		detail->most_rss_kib = usage->ru_maxrss;
}

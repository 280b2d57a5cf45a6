/*
 * compare: the report of "forkload compare": what two sides' results differ
 * in, then a verdict for each series.
 *
 * cmd/ fills the plain struct; nothing here is computed but how it reads. The
 * text is at most 80 columns wide, for mails.
 */
#ifndef FORKLOAD_REPORT_COMPARE_H
#define FORKLOAD_REPORT_COMPARE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"
#include "stats/compare.h"

/* Why there is no verdict. */
enum compare_lack {
	LACK_NOTHING,
	LACK_BOOTS,              /* one boot a side */
	LACK_MORE,               /* too few boots, or runs */
	LACK_ORDER,              /* runs of one boot, not alternated */
	LACK_RATIO               /* a value is 0 */
};

struct compare_row {
	const char *name;        /* "clients real" */
	const char *step;        /* "clients" */
	bool is_cpu;             /* else real time, or what a list tells */
	const char *unit;        /* "ns" is shown as s, ms, us */
	int64_t scale;           /* how many of a and b are one unit */
	bool higher_is_better;
	int64_t a, b;            /* the sides' medians */
	size_t na, nb;           /* what was compared: boots, or runs */
	const int64_t *each_a, *each_b;  /* their values */
	bool by_runs;
	size_t runs_a, runs_b;
	bool apart;              /* no run lies among those of the other side */
	enum compare_lack lack;
	struct interval interval;        /* of b over a */
	int64_t floor_ppm;               /* what cannot be told from 0 */
	struct judgement judgement;      /* by time: SLOWER is worse */
	int64_t needed;          /* boots, or runs, a side for a verdict */
	bool has_split;          /* of a change of CPU time: */
	bool guessed;            /* by the kernel's tick */
	int64_t user, sys;       /* the change of each */
	int64_t split_error;     /* how far these may be off; 0: not known */
};

/* Of what two sides' environments differ in. */
struct compare_difference {
	const char *key;
	const char *before, *after;
};

struct compare_side {
	const char *name;        /* the operand */
	size_t boots, runs;
};

struct compare_table {
	struct compare_side before, after;
	struct compare_difference *differences;
	size_t ndifferences;
	bool two_builds;         /* of a kernel */
	bool lengths;            /* arguments or environment differ in length */
	bool other_workload;     /* its text is not the same */
	struct compare_row *rows;
	size_t nrows;
	const char *lone_before, *lone_after;    /* series that only one side */
	                                         /* has; NULL: none */
	int64_t margin_ppm;
	int64_t tests;           /* verdicts that are right together */
	bool verbose;            /* each boot's value, too */
};

void report_compare(const struct compare_table *table, struct strbuf *out);

/*
 * A line that is broken before column 80, at blanks; lines but the first
 * begin with so many blanks. Where the buffer's last line has begun already
 * the text goes on there. A '\v' becomes a blank that is not broken at.
 */
void report_wrapped(struct strbuf *out, size_t indent, const char *text);

#endif

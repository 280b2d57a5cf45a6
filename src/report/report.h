/*
 * report: a result as text. One file and one row of the table per format.
 *
 * A writer adds to out; cmd/ writes that on standard output in one go. What
 * was not measured is not printed: where a step failed, no sum is.
 */
#ifndef FORKLOAD_REPORT_REPORT_H
#define FORKLOAD_REPORT_REPORT_H

#include <stdbool.h>

#include "base/errmsg.h"
#include "base/strbuf.h"
#include "lab/result.h"

struct report_options {
	bool color;
	bool verbose;
	bool histogram;
};

struct report_format {
	const char *name;        /* "table"; NULL ends the table */
	/* 0, or -1 with why where the result cannot be written so. */
	int (*write)(const struct result *result,
	             const struct report_options *options,
	             struct strbuf *out, struct errmsg *why);
	const char *help;
	bool compares;           /* it has a place for several variants */
};

extern const struct report_format report_formats[];

const struct report_format *report_find(const char *name);

/* Is there a sum to tell: a complete round, and no step that failed? */
bool report_has_total(const struct result *result);

/* The three lines of the shell's time: "real\t0m0.057s" and so on. */
void report_time_lines(const struct result *result, struct strbuf *out);

/* What is to be known beside the table's figures. */
void report_notes(const struct result *result,
                  const struct report_options *options, struct strbuf *out);

/* More of each step, for -v and --histogram; there is a complete round. */
void report_details(const struct result *result,
                    const struct report_options *options, struct strbuf *out);

/* The table of a comparison. */
void report_comparison(const struct result *result,
                       const struct report_options *options,
                       struct strbuf *out);

/* "SLOWER" and so on. */
const char *report_finding(enum finding finding);

/* The formats' writers. */
int report_table(const struct result *result,
                 const struct report_options *options, struct strbuf *out,
                 struct errmsg *why);
int report_time(const struct result *result,
                const struct report_options *options, struct strbuf *out,
                struct errmsg *why);
int report_posix(const struct result *result,
                 const struct report_options *options, struct strbuf *out,
                 struct errmsg *why);
int report_bench(const struct result *result,
                 const struct report_options *options, struct strbuf *out,
                 struct errmsg *why);
int report_shell(const struct result *result,
                 const struct report_options *options, struct strbuf *out,
                 struct errmsg *why);

#endif

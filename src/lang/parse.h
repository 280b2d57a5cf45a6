/*
 * parse: text to plan.
 *
 * Usage: fill a struct parse_input, call plan_parse(). All sources make one
 * workload, in their order. Everything that is wrong is collected; where
 * there is a complaint the plan is NULL and nothing may be run.
 */
#ifndef FORKLOAD_LANG_PARSE_H
#define FORKLOAD_LANG_PARSE_H

#include "lang/plan.h"

/* NAME=VALUE from the command line, which overrides "set NAME=...". */
struct assignment {
	const char *name;
	const char *value;
};

struct parse_input {
	struct arena *arena;             /* the plan will lie here */
	const struct vocabulary *vocabulary;
	const char *name;                /* of the workload */
	const struct source *sources;
	size_t nsources;
	const struct assignment *assignments;
	size_t nassignments;
};

/*
 * The plan, or NULL with at least one complaint. Its variants are not in it:
 * see variants.h.
 */
struct plan *plan_parse(const struct parse_input *input,
                        struct complaints *complaints);

#endif

/*
 * variants: the sides of a comparison, a plan each.
 *
 * A variant changes knobs and variables, and a variable's value stands in
 * the words of a plan: so the sources are read once for each variant, with its
 * variables instead of those that "set" sets, and its knobs are then laid over
 * those of the steps. What is set up and which steps there are must be the
 * same in all; a variable that a variant sets must be used.
 */
#ifndef FORKLOAD_LANG_VARIANTS_H
#define FORKLOAD_LANG_VARIANTS_H

#include "lang/parse.h"

#define MOST_VARIANTS 32

/* The same workload in each of its variants. */
struct plans {
	struct plan **list;      /* list[0] is the reference */
	size_t count;            /* 1: there is nothing to compare */
};

/*
 * Like plan_parse(). vary: a source of "variant" lines that stand for those
 * of the workload, or NULL. -1: there are complaints, and no plan.
 */
int plans_parse(const struct parse_input *input, const struct source *vary,
                struct complaints *complaints, struct plans *plans);

#endif

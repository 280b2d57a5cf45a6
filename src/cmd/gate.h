/*
 * gate: "--fail-if EXPR", a threshold that turns a figure into an exit
 * status.
 *
 * EXPR is [STEP-GLOB.]METRIC then > or >= then a number with a unit. Without
 * a glob it speaks of the whole round, else of each step that matches. The
 * figure is the one that the report shows. A percentage is of a comparison:
 * it is judged by the interval of the change, widened by what cannot be told
 * from 0: all of it beyond, all of it within, or else nobody can tell.
 */
#ifndef FORKLOAD_CMD_GATE_H
#define FORKLOAD_CMD_GATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errmsg.h"
#include "lab/result.h"
#include "lang/plan.h"

enum metric { METRIC_REAL, METRIC_USER, METRIC_SYS, METRIC_CPU };

struct gate {
	const char *text;
	const char *glob;        /* NULL: the whole round */
	enum metric metric;
	bool or_equal;
	int64_t limit_ns;
	bool percent;            /* then limit_ppm counts */
	int64_t limit_ppm;
};

/* 0, or -1 with why. */
int gate_parse(struct arena *arena, const char *text, struct gate *gate,
               struct errmsg *why);

/* Has one of them a percentage? */
bool gates_compare(const struct gate *gates, size_t count);

/* Does a step match that will be run? steps is --step's glob, or NULL. */
bool gate_applies(const struct gate *gate, const struct plan *plan,
                  const char *steps);

enum gate_verdict { GATE_HOLDS_NOT, GATE_HOLDS, GATE_CANNOT_TELL };

/*
 * Judges, with a sentence in why where the verdict is not GATE_HOLDS_NOT. A
 * user or sys that is the kernel's guess cannot be judged.
 */
enum gate_verdict gate_judge(struct arena *arena, const struct gate *gate,
                             const struct result *result, struct errmsg *why);

#endif

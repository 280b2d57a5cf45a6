/*
 * load: the workload that the command line asks for, read and checked.
 */
#ifndef FORKLOAD_CMD_LOAD_H
#define FORKLOAD_CMD_LOAD_H

#include "cmd/options.h"
#include "lang/plan.h"

/* The plan, or NULL after all that is wrong was told on standard error. */
const struct plan *load_plan(struct arena *arena,
                             const struct options *options);

#endif

/*
 * load: the workload that the command line asks for, read and checked.
 */
#ifndef FORKLOAD_CMD_LOAD_H
#define FORKLOAD_CMD_LOAD_H

#include "cmd/options.h"
#include "lang/variants.h"

/*
 * The plan, in each of its variants: 0, or -1 after all that is wrong was
 * told on standard error.
 */
int load_plans(struct arena *arena, const struct options *options,
               struct plans *plans);

#endif

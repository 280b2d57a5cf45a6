/*
 * condition: what "need" can ask of a machine. One row each.
 */
#ifndef FORKLOAD_SYS_CONDITION_H
#define FORKLOAD_SYS_CONDITION_H

#include "base/rows.h"

extern const struct condition conditions[];

#endif

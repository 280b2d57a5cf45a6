/*
 * stage: the parts of a command made ready: its knobs, its redirections, its
 * programs; for build.c alone, which makes tasks of them.
 */
#ifndef FORKLOAD_STEP_STAGE_H
#define FORKLOAD_STEP_STAGE_H

#include "step/job.h"

/* A step being built. */
struct build {
	const struct job_context *context;
	const struct settings *step;
	struct job *job;
	struct errmsg *why;
};

/* The step cannot be run: the first reason is kept, and 126, 127 or 0. */
void build_skip(struct build *build, int status, const char *reason);

/* A word in full; a resource that failed makes the step one to skip. */
const char *build_expand(struct build *build, const struct word *word);

/* A whole-number knob's value, or otherwise where it is not set. */
int64_t build_number(const struct settings *settings, int id,
                     int64_t otherwise);

/* Fill a program: 0, or -1 with build->why where forkload itself fails. */
int build_stage(struct build *build, const struct settings *settings,
                const struct stage *stage, struct program *program);
int build_script(struct build *build, const struct settings *settings,
                 const struct script *script, const struct redir *redirs,
                 size_t nredirs, struct program *program);
int build_fork(struct build *build, const struct settings *settings,
               struct program *program);

#endif

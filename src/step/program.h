/*
 * program: where a program is, and what it is given; for build.c alone.
 */
#ifndef FORKLOAD_STEP_PROGRAM_H
#define FORKLOAD_STEP_PROGRAM_H

#include "step/job.h"

/* Why a program cannot be run, and the exit status for it (126 or 127). */
struct lack {
	const char *reason;      /* NULL: nothing is lacking */
	int status;
};

/*
 * The path that execve is given for a program's name: as it stands where it
 * holds a '/' (seen from dir, which may be NULL), else searched in path.
 * Sets lack where there is nothing that can be executed.
 */
const char *program_path(struct arena *arena, const char *name,
                         const char *path, const char *dir,
                         struct lack *lack);

/* The environment with the settings' env.NAME and envpad. */
char *const *program_environ(const struct job_context *context,
                             const struct settings *settings);

/* The value of a name in an environment, or NULL. */
const char *environ_value(char *const *environ_list, const char *name);

/*
 * argv[0] made longer by bytes, such that it names the same file (but for one
 * byte before a relative name) and its last part stays as it is.
 */
const char *program_pad(struct arena *arena, const char *name, int64_t bytes);

/* An argument vector in one line, cut to what fits a message. */
const char *program_label(struct arena *arena, char *const *argv);

#endif

/*
 * applet: the small programs that are forkload itself, executed again.
 *
 * An applet leaves main() before anything is initialised: no stdio, no
 * locale, no allocation. Its words were checked by the language's parser;
 * run by hand it must not misbehave, so it checks what it needs once more.
 * Exit status: 0; 1 where the work failed; 2 where its words are wrong.
 */
#ifndef FORKLOAD_APPLET_APPLET_H
#define FORKLOAD_APPLET_APPLET_H

#include "base/rows.h"

extern const struct applet applets[];

/* One per file. */
int applet_true(int argc, char **argv);
int applet_exit(int argc, char **argv);
int applet_client(int argc, char **argv);
int applet_readfile(int argc, char **argv);
int applet_work(int argc, char **argv);
int applet_took(int argc, char **argv);

/* What params cannot say; the applet's row has it as check. */
int client_check(int argc, char *const *argv, struct errmsg *why);
int work_check(int argc, char *const *argv, struct errmsg *why);

/* The value of "name=value" among the words, or NULL. */
const char *applet_option(int argc, char *const *argv, const char *name);

/*
 * The option as a number, otherwise where it is not given: 0, or -1 where it
 * is none.
 */
int applet_number(int argc, char *const *argv, const char *name,
                  int (*read)(const char *text, int64_t *out),
                  int64_t otherwise, int64_t *out);

/*
 * Writes "@NAME: WHAT: REASON" (the reason from errno, where that is not 0)
 * on standard error in one write and returns 1.
 */
int applet_fail(const char *name, const char *what);
/* The same for wrong words; returns 2. */
int applet_usage(const char *name);

/* Reads a file to its end, so that nobody can drop the work: 0, or -1. */
int applet_read_file(const char *path);

#endif

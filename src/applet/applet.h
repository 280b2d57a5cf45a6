/*
 * applet: the small programs that are forkload itself, executed again.
 *
 * An applet leaves main() before anything is initialised: no stdio, no
 * locale, no allocation. It parses its few words by hand.
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

/*
 * Helpers for them. applet_fail() writes "forkload: @NAME: WHAT: REASON" (the
 * reason from errno, where it is not 0) in one write and returns 1.
 */
const char *applet_option(int argc, char **argv, const char *name);
int applet_fail(const char *name, const char *what);

#endif

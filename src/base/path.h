/*
 * path: the folders of PATH, as execvp(3) goes through them.
 */
#ifndef FORKLOAD_BASE_PATH_H
#define FORKLOAD_BASE_PATH_H

#include <stdbool.h>
#include <stddef.h>

/* Where PATH is not set. */
#define DEFAULT_PATH "/usr/local/bin:/usr/bin:/bin"

/*
 * Writes "FOLDER/NAME" for the first folder of *path ("./NAME" for an empty
 * one) and moves *path on to the next. false: there is none left.
 */
bool path_next(const char **path, const char *name, char *tried, size_t room);

#endif

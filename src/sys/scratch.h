/*
 * scratch: the private folder for a run's files, gone when it ends.
 *
 * It is made in $TMPDIR, else /tmp; where neither can be written there is
 * none (dir is ""), and files lie in memory instead. Such a file stays as
 * long as this process, which keeps it open.
 *
 * What fails returns -1 with why and leaves no half-written file.
 */
#ifndef FORKLOAD_SYS_SCRATCH_H
#define FORKLOAD_SYS_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/errmsg.h"

struct scratch {
	char dir[4096];
	int texts;               /* here-texts so far: their names */
	bool (*given_up)(void *state);
	void *state;
};

/*
 * Makes the folder, mode 700. Where it cannot, dir is "": never fails.
 * given_up is asked while a file is written, whether to stop; NULL: never.
 */
void scratch_open(struct scratch *scratch, bool (*given_up)(void *state),
                  void *state);

/*
 * A file of size bytes of seeded text: words of 1 to 9 lower-case letters,
 * blanks, a newline after about 64 bytes. *path is how children open it.
 */
int scratch_file(struct scratch *scratch, struct arena *arena,
                 const char *name, int64_t size, uint64_t seed,
                 const char **path, struct errmsg *why);

/* A file that holds text. */
int scratch_text(struct scratch *scratch, struct arena *arena,
                 const char *text, size_t len, const char **path,
                 struct errmsg *why);

/* An empty folder; -1 where there is no scratch folder. */
int scratch_dir(struct scratch *scratch, struct arena *arena,
                const char *name, const char **path, struct errmsg *why);

/* An unlinked file, open for reading and appending: its descriptor. */
int scratch_unlinked(struct scratch *scratch, struct errmsg *why);

/*
 * Unmounts what was mounted in the folder, removes it and all that is in it;
 * follows no link: 0, or -1 with why where something is left.
 */
int scratch_close(struct scratch *scratch, struct errmsg *why);

#endif

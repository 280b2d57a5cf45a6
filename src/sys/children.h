/*
 * children: the processes below this one that it did not name when it
 * started them, orphans that the sub-reaper was given among them.
 *
 * Only system calls are made, no allocation: this also runs in the runner's
 * handler for its guard's death.
 */
#ifndef FORKLOAD_SYS_CHILDREN_H
#define FORKLOAD_SYS_CHILDREN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Calls each() for every living child of process parent that /proc shows;
 * without /proc for none. each() may kill, not wait.
 */
void children_each(pid_t parent, void (*each)(pid_t pid, void *state),
                   void *state);

/* Children that are not this program's: whoever exec'd it had them before. */
#define MOST_FOREIGN 64

struct foreign {
	pid_t pids[MOST_FOREIGN];
	size_t count;
};

/* Notes the children that there are. */
void children_note(struct foreign *foreign);

/*
 * Kills (SIGKILL) and waits for all children but the foreign ones (NULL:
 * none), and the children that these leave behind, until none is left or ns
 * have passed. Returns how many there were, or -1 where some could not be
 * ended in time.
 */
int children_end(int64_t ns, const struct foreign *foreign);

/* Has a process ended, so that only its parent's wait is missing? */
bool process_ended(pid_t pid);

/*
 * The number that the kernel gave the newest process of the caller's pid
 * namespace, or 0: by how much it has grown so many were started since, until
 * the numbers begin anew.
 */
int64_t process_newest(void);

/* The name of a process, as /proc/PID/comm has it, else "". */
void process_name(pid_t pid, char *name, size_t room);

#endif

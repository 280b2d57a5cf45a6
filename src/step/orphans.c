#include "step/internal.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "sys/children.h"

#define ORPHAN_NS   NS_PER_S
#define GIVE_UP_NS  (10 * NS_PER_S)
#define ORPHAN_POLL NS_PER_MS

static void
name_it(pid_t pid, void *state)
{
	struct orphans *orphans = state;

	if (!orphans->name[0])
		process_name(pid, orphans->name, sizeof(orphans->name));
}

static void
name_and_kill(pid_t pid, void *state)
{
	name_it(pid, state);
	kill(pid, SIGKILL);
}

/* Waits for one that has ended: 1; 0: none has; -1: there is none. */
static int
reap(struct orphans *orphans, bool killing)
{
	siginfo_t info = { 0 };
	struct rusage rusage;
	int status;

	/* Left for a moment, that it still has a name. */
	while (waitid(P_ALL, 0, &info, WEXITED | WNOHANG | WNOWAIT) < 0)
		if (errno != EINTR)
			return -1;
	if (info.si_pid == 0)
		return 0;
	name_it(info.si_pid, orphans);
	while (wait4(info.si_pid, &status, 0, &rusage) < 0)
		if (errno != EINTR)
			return -1;
	orphans->usage = usage_add(orphans->usage, usage_of(&rusage));
	killing ? orphans->killed++ : orphans->waited++;
	return 1;
}

void
orphan_ended(struct orphans *orphans, const struct rusage *usage)
{
	orphans->usage = usage_add(orphans->usage, usage_of(usage));
	orphans->waited++;
}

void
orphans_end(struct orphans *orphans, bool at_once)
{
	int64_t until = 0;
	bool killing = at_once;

	for (;;) {
		int found = reap(orphans, killing);

		if (found < 0)
			return;
		if (found)
			continue;
		if (!until)
			until = clock_ns() + ORPHAN_NS;
		if (clock_ns() >= until + GIVE_UP_NS)
			return;
		killing = at_once || clock_ns() >= until;
		children_each(getpid(), killing ? name_and_kill : name_it,
		              orphans);
		clock_sleep(ORPHAN_POLL);
	}
}

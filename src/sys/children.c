#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"

#define POLL_NS NS_PER_MS

/* As getdents64(2) has it; libc's readdir() would allocate. */
struct entry {
	uint64_t inode;
	int64_t offset;
	uint16_t len;
	uint8_t type;
	char name[];
};

/* "/proc/" PID "/" FILE, without stdio. */
static void
proc_path(char *path, const char *pid, const char *file)
{
	memcpy(path, "/proc/", 6);
	path += 6;
	while (*pid)
		*path++ = *pid++;
	*path++ = '/';
	memcpy(path, file, strlen(file) + 1);
}

/* The state of a process (0: not known), and its parent. */
static char
state_of(const char *pid, pid_t *parent)
{
	char path[64], text[512];
	const char *at;

	*parent = 0;
	proc_path(path, pid, "stat");
	if (read_text(path, text, sizeof(text)) < 0)
		return 0;
	/* "PID (NAME) STATE PARENT ...": the name may hold anything. */
	at = strrchr(text, ')');
	if (!at || strlen(at) < 5)
		return 0;
	for (const char *digit = at + 4; *digit >= '0' && *digit <= '9';
	     digit++)
		*parent = *parent * 10 + (*digit - '0');
	return at[2];
}

static pid_t
pid_of(const char *name)
{
	pid_t pid = 0;

	for (; *name >= '0' && *name <= '9'; name++)
		pid = pid * 10 + (*name - '0');
	return *name ? 0 : pid;
}

void
children_each(pid_t parent, void (*each)(pid_t pid, void *state), void *state)
{
	char buffer[4096] __attribute__((aligned(8)));
	int fd = open_file("/proc", O_RDONLY | O_DIRECTORY, 0);
	long n;

	if (fd < 0)
		return;
	while ((n = syscall(SYS_getdents64, fd, buffer, sizeof(buffer))) > 0)
		for (long at = 0; at < n;) {
			struct entry *entry = (struct entry *)(buffer + at);
			pid_t pid = pid_of(entry->name), its_parent;

			at += entry->len;
			if (pid > 0 && state_of(entry->name, &its_parent) &&
			    its_parent == parent)
				each(pid, state);
		}
	close(fd);
}

static void
note_one(pid_t pid, void *state)
{
	struct foreign *foreign = state;

	if (foreign->count < MOST_FOREIGN)
		foreign->pids[foreign->count++] = pid;
}

void
children_note(struct foreign *foreign)
{
	foreign->count = 0;
	children_each(getpid(), note_one, foreign);
}

struct ending {
	const struct foreign *foreign;
	int own;                 /* that were seen in this turn */
};

static void
kill_own(pid_t pid, void *state)
{
	struct ending *ending = state;
	const struct foreign *foreign = ending->foreign;

	for (size_t i = 0; foreign && i < foreign->count; i++)
		if (foreign->pids[i] == pid)
			return;
	ending->own++;
	kill(pid, SIGKILL);
}

int
children_end(int64_t ns, const struct foreign *foreign)
{
	int64_t until = clock_ns() + ns;
	int ended = 0;

	for (;;) {
		struct ending ending = { foreign, 0 };
		pid_t pid = waitpid(-1, NULL, WNOHANG | __WALL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return ended;
		if (pid > 0) {
			ended++;
			continue;
		}
		children_each(getpid(), kill_own, &ending);
		if (!ending.own && foreign && foreign->count)
			return ended;
		if (clock_ns() > until)
			return -1;
		clock_sleep(POLL_NS);
	}
}

/* A number as text, at the end of room bytes: where it begins. */
static const char *
number(pid_t pid, char *text, size_t room)
{
	size_t at = room;

	text[--at] = '\0';
	for (; pid > 0 && at > 0; pid /= 10)
		text[--at] = (char)('0' + pid % 10);
	return text + at;
}

bool
process_ended(pid_t pid)
{
	char text[16];
	pid_t parent;
	char state = state_of(number(pid, text, sizeof(text)), &parent);

	return state == 'Z' || state == 'X';
}

void
process_name(pid_t pid, char *name, size_t room)
{
	char path[64], text[16];

	proc_path(path, number(pid, text, sizeof(text)), "comm");
	if (read_text(path, name, room) < 0)
		name[0] = '\0';
}

int64_t
process_newest(void)
{
	char text[128];
	const char *last;

	if (read_text("/proc/loadavg", text, sizeof(text)) < 0)
		return 0;
	last = strrchr(text, ' ');
	return last ? strtoll(last + 1, NULL, 10) : 0;
}

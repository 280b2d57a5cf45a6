#include "children.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "base/units.h"

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

/* The parent of a process: the second word behind its ")", or 0. */
static pid_t
parent_of(const char *pid)
{
	char path[64], text[512];
	const char *at;
	pid_t parent = 0;

	proc_path(path, pid, "stat");
	if (read_text(path, text, sizeof(text)) < 0)
		return 0;
	at = strrchr(text, ')');
	if (!at || strlen(at) < 5)
		return 0;
	for (at += 4; *at >= '0' && *at <= '9'; at++)
		parent = parent * 10 + (*at - '0');
	return parent;
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
			pid_t pid = pid_of(entry->name);

			at += entry->len;
			if (pid > 0 && parent_of(entry->name) == parent)
				each(pid, state);
		}
	close(fd);
}

static void
kill_one(pid_t pid, void *state)
{
	(void)state;
	kill(pid, SIGKILL);
}

int
children_end(int64_t ns)
{
	int64_t until = clock_ns() + ns;
	int ended = 0;

	for (;;) {
		pid_t pid = waitpid(-1, NULL, WNOHANG | __WALL);

		if (pid < 0 && errno == EINTR)
			continue;
		if (pid < 0)
			return ended;
		if (pid > 0) {
			ended++;
			continue;
		}
		if (clock_ns() > until)
			return -1;
		children_each(getpid(), kill_one, NULL);
		clock_sleep(POLL_NS);
	}
}

void
process_name(pid_t pid, char *name, size_t room)
{
	char path[64], number[16];
	size_t at = sizeof(number);

	number[--at] = '\0';
	for (; pid > 0 && at > 0; pid /= 10)
		number[--at] = (char)('0' + pid % 10);
	proc_path(path, number + at, "comm");
	if (read_text(path, name, room) < 0)
		name[0] = '\0';
}

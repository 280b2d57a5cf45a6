/*
 * bare METHOD COUNT PROGRAM [MAPPINGS KIB SHARED]: the smallest loop that
 * starts PROGRAM COUNT times and waits for it, which forkload is compared
 * with.
 *
 * METHOD is fork, vfork, posix or clone. Raw system calls are used where
 * libc's wrapper does work of its own. With MAPPINGS and KIB it first takes
 * that many more private mappings and writes that much in them, all
 * together, and as many SHARED ones of a page each, for each fork pays for
 * its parent's memory.
 *
 * Prints "COUNT NS USER SYS": nanoseconds of the whole loop, microseconds of
 * CPU of this process and of its children over the loop.
 */
#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define STACK 16384

extern char **environ;

struct figures {
	long long real_ns, user_us, sys_us;
};

static _Noreturn void
fail(const char *what)
{
	perror(what);
	exit(1);
}

/* ---- the methods ------------------------------------------------------- */

static _Noreturn void
become(char *const *argv)
{
	execve(argv[0], argv, environ);
	_exit(127);
}

static pid_t
by_fork(char *const *argv)
{
#ifdef __s390__
	pid_t pid = (pid_t)syscall(SYS_clone, 0, SIGCHLD, NULL, NULL, 0);
#else
	pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, 0, NULL, NULL, 0);
#endif

	if (pid == 0)
		become(argv);
	return pid;
}

static pid_t
by_vfork(char *const *argv)
{
	pid_t pid = vfork();

	if (pid == 0)
		become(argv);
	return pid;
}

static pid_t
by_posix(char *const *argv)
{
	pid_t pid;

	return posix_spawn(&pid, argv[0], NULL, NULL, argv, environ) ? -1 : pid;
}

static int
clone_child(void *argv)
{
	become(argv);
}

static pid_t
by_clone(char *const *argv)
{
	_Alignas(16) char stack[STACK];

	return clone(clone_child, stack + STACK,
	             CLONE_VM | CLONE_VFORK | SIGCHLD, (void *)argv);
}

struct method {
	const char *name;
	pid_t (*start)(char *const *argv);
};

static const struct method methods[] = {
	{ "fork", by_fork }, { "vfork", by_vfork },
	{ "posix", by_posix }, { "clone", by_clone },
};

static const struct method *
method_find(const char *name)
{
	for (size_t i = 0; i < sizeof(methods) / sizeof(methods[0]); i++)
		if (strcmp(methods[i].name, name) == 0)
			return &methods[i];
	return NULL;
}

/* ---- memory ------------------------------------------------------------ */

/* Where there are to be no more mappings: in the heap, which is one. */
static void
take_heap(size_t kib)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t bytes = kib * 1024;
	char *heap = sbrk((intptr_t)bytes);

	if (heap == (void *)-1)
		fail("sbrk");
	for (size_t at = 0; at < bytes; at += page)
		heap[at] = 1;
}

/* Holes between them, for touching mappings are one to the kernel. */
static void
take_memory(size_t mappings, size_t kib)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	size_t pages = kib * 1024 / page;
	size_t each, stride;
	char *hole;

	if (!mappings) {
		take_heap(kib);
		return;
	}
	if (pages < mappings)
		pages = mappings;
	each = (pages - 1) / mappings + 1;
	stride = (each + 1) * page;
	hole = mmap(NULL, mappings * stride + page, PROT_READ | PROT_WRITE,
	            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hole == MAP_FAILED)
		fail("mmap");
	for (size_t i = 0; i <= mappings; i++)
		if (munmap(hole + i * stride, page) < 0)
			fail("munmap");
	for (size_t i = 0; i < pages; i++)
		hole[i % mappings * stride + (1 + i / mappings) * page] = 1;
}

static void
take_shared(size_t mappings)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);

	for (size_t i = 0; i < mappings; i++) {
		char *shared = mmap(NULL, page, PROT_READ | PROT_WRITE,
		                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

		if (shared == MAP_FAILED)
			fail("mmap");
		*shared = 1;
	}
}

/* ---- the loop ---------------------------------------------------------- */

static long long
clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000LL + now.tv_nsec;
}

static void
cpu_add(int who, int sign, struct figures *figures)
{
	struct rusage usage;

	if (getrusage(who, &usage) < 0)
		fail("getrusage");
	figures->user_us += sign * (usage.ru_utime.tv_sec * 1000000LL +
	                            usage.ru_utime.tv_usec);
	figures->sys_us += sign * (usage.ru_stime.tv_sec * 1000000LL +
	                           usage.ru_stime.tv_usec);
}

/* Nothing is judged inside the loop but for what a user would judge. */
static void
loop(const struct method *method, long count, char *const *argv)
{
	for (long i = 0; i < count; i++) {
		int status;
		pid_t pid = method->start(argv);

		if (pid < 0 || syscall(SYS_wait4, pid, &status, 0, NULL) < 0)
			fail(argv[0]);
		if (status) {
			fprintf(stderr, "bare: %s failed\n", argv[0]);
			exit(1);
		}
	}
}

static void
measure(const struct method *method, long count, char *const *argv)
{
	struct figures figures = { 0, 0, 0 };

	cpu_add(RUSAGE_CHILDREN, -1, &figures);
	cpu_add(RUSAGE_SELF, -1, &figures);
	figures.real_ns = -clock_now();
	loop(method, count, argv);
	figures.real_ns += clock_now();
	cpu_add(RUSAGE_SELF, 1, &figures);
	cpu_add(RUSAGE_CHILDREN, 1, &figures);
	printf("%ld %lld %lld %lld\n", count, figures.real_ns,
	       figures.user_us, figures.sys_us);
}

int
main(int argc, char **argv)
{
	const struct method *method = argc > 1 ? method_find(argv[1]) : NULL;
	char *child_argv[] = { argc > 3 ? argv[3] : NULL, NULL };

	if (!method || (argc != 4 && argc != 7)) {
		fputs("usage: bare fork|vfork|posix|clone COUNT PROGRAM "
		      "[MAPPINGS KIB SHARED]\n", stderr);
		return 2;
	}
	if (argc == 7) {
		take_memory(strtoul(argv[4], NULL, 10),
		            strtoul(argv[5], NULL, 10));
		take_shared(strtoul(argv[6], NULL, 10));
	}
	measure(method, strtol(argv[2], NULL, 10), child_argv);
	return 0;
}

#include "base/io.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "unit.h"

#define LARGE (1 << 20)

static volatile sig_atomic_t alarms;

static void
count_alarm(int number)
{
	(void)number;
	alarms++;
}

/* A signal that often, which interrupts what waits; 0: none any more. */
static void
interrupt(int microseconds)
{
	struct sigaction action = { .sa_handler = count_alarm };
	struct itimerval timer = {
		{ 0, microseconds }, { 0, microseconds },
	};

	ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
	ck_assert_int_eq(setitimer(ITIMER_REAL, &timer, NULL), 0);
}

static char
byte_at(size_t i)
{
	return (char)(i % 251);
}

/* Leaves with 0 where the large text comes out of the pipe, bit by bit. */
static void
read_slowly(int fd)
{
	static char text[LARGE];
	size_t got = 0;

	while (got < LARGE) {
		size_t part = LARGE - got < 7000 ? LARGE - got : 7000;
		ssize_t n = read(fd, text + got, part);

		if (n <= 0)
			_exit(1);
		got += (size_t)n;
		usleep(100);
	}
	for (size_t i = 0; i < LARGE; i++)
		if (text[i] != byte_at(i))
			_exit(2);
	_exit(0);
}

START_TEST(a_write_is_whole_through_signals)
{
	static char text[LARGE];
	int ends[2], status;
	pid_t pid;

	for (size_t i = 0; i < LARGE; i++)
		text[i] = byte_at(i);
	ck_assert_int_eq(pipe(ends), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(ends[1]);
		read_slowly(ends[0]);
	}
	close(ends[0]);
	interrupt(1000);
	ck_assert_int_eq(write_all(ends[1], text, LARGE), 0);
	interrupt(0);
	close(ends[1]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	ck_assert_int_gt(alarms, 0);
}
END_TEST

/* A byte at a time, with a signal to the reader before each. */
static void
write_slowly(int fd)
{
	for (int i = 0; i < 10; i++) {
		usleep(2000);
		kill(getppid(), SIGALRM);
		usleep(2000);
		if (write(fd, &"0123456789"[i], 1) != 1)
			_exit(1);
	}
	_exit(0);
}

START_TEST(a_read_is_whole_through_signals)
{
	char text[12];
	int ends[2];
	pid_t pid;

	ck_assert_int_eq(pipe(ends), 0);
	interrupt(0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		write_slowly(ends[1]);
	close(ends[1]);
	ck_assert_int_eq(read_all(ends[0], text, sizeof(text)), 10);
	ck_assert_mem_eq(text, "0123456789", 10);
	ck_assert_int_gt(alarms, 0);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
}
END_TEST

START_TEST(ends_and_errors)
{
	char text[8] = "";
	int ends[2];

	signal(SIGPIPE, SIG_IGN);
	ck_assert_int_eq(pipe(ends), 0);
	ck_assert_int_eq(write_all(ends[1], "abcdef", 6), 0);
	ck_assert_int_eq(write_all(ends[1], "", 0), 0);
	ck_assert_int_eq(read_all(ends[0], text, 4), 4);
	ck_assert_mem_eq(text, "abcd", 4);
	close(ends[1]);
	ck_assert_int_eq(read_all(ends[0], text, 8), 2);
	ck_assert_mem_eq(text, "ef", 2);
	ck_assert_int_eq(read_all(ends[0], text, 8), 0);
	ck_assert_int_eq(write_all(ends[0], "a", 1), -1);
	ck_assert_int_eq(errno, EBADF);
	close(ends[0]);
	ck_assert_int_eq(read_all(ends[0], text, 1), -1);
	ck_assert_int_eq(errno, EBADF);
	ck_assert_int_eq(pipe(ends), 0);
	close(ends[0]);
	ck_assert_int_eq(write_all(ends[1], "a", 1), -1);
	ck_assert_int_eq(errno, EPIPE);
	close(ends[1]);
}
END_TEST

static void
write_file(const char *path, const char *text, size_t len)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0600);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write_all(fd, text, len), 0);
	close(fd);
}

START_TEST(small_files)
{
	char path[] = "/tmp/forkload-unit-XXXXXX", text[8] = "before";
	int fd = mkstemp(path);

	ck_assert_int_ge(fd, 0);
	close(fd);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "");
	write_file(path, "one\n", 4);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), 3);
	ck_assert_str_eq(text, "one");
	/* Only the last newline goes. */
	write_file(path, "a\nb\n\n", 5);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), 4);
	ck_assert_str_eq(text, "a\nb\n");
	/* What is too long is cut. */
	write_file(path, "0123456789", 10);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), 7);
	ck_assert_str_eq(text, "0123456");
	ck_assert_int_eq(unlink(path), 0);
	ck_assert_int_eq(read_text(path, text, sizeof(text)), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(read_text("/", text, sizeof(text)), -1);
	ck_assert_int_eq(errno, EISDIR);
	ck_assert_str_eq(text, "");
}
END_TEST

START_TEST(opened_files_close_on_exec)
{
	int fd = open_file("/dev/null", O_RDONLY, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
	close(fd);
	ck_assert_int_eq(open_file("/nowhere/at/all", O_RDONLY, 0), -1);
	ck_assert_int_eq(errno, ENOENT);
}
END_TEST

/* Leaves with 0 where just those above 2 were closed. */
static void
close_and_look(int low, int high)
{
	close_from(3);
	if (fcntl(low, F_GETFD) != -1 || fcntl(high, F_GETFD) != -1)
		_exit(1);
	for (int fd = 0; fd <= 2; fd++)
		if (fcntl(fd, F_GETFD) == -1)
			_exit(2);
	_exit(0);
}

START_TEST(what_was_inherited_is_closed)
{
	int low = open("/dev/null", O_RDONLY), high, status;
	pid_t pid;

	ck_assert_int_gt(low, 2);
	high = fcntl(low, F_DUPFD, 200);
	ck_assert_int_ge(high, 200);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0)
		close_and_look(low, high);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	close(low);
	close(high);
}
END_TEST

START_TEST(own_descriptors_lie_high)
{
	struct rlimit limit, small = { 50, 50 };
	int fd = open("/dev/null", O_RDONLY), first, second;

	first = fd_keep(fd);
	ck_assert_int_ge(first, FIRST_OWN_FD);
	ck_assert_int_eq(fcntl(first, F_GETFD), FD_CLOEXEC);
	ck_assert_int_eq(fcntl(fd, F_GETFD), -1);
	second = fd_keep(open("/dev/null", O_RDONLY));
	ck_assert_int_gt(second, first);
	close(first);
	close(second);
	errno = ENOENT;
	ck_assert_int_eq(fd_keep(-1), -1);
	ck_assert_int_eq(errno, ENOENT);
	ck_assert_int_eq(fd_keep(first), -1);
	ck_assert_int_eq(errno, EBADF);

	/* Where none may lie there, it stays. */
	ck_assert_int_eq(getrlimit(RLIMIT_NOFILE, &limit), 0);
	fd = open_file("/dev/null", O_RDONLY, 0);
	small.rlim_max = limit.rlim_max;
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &small), 0);
	ck_assert_int_eq(fd_keep(fd), fd);
	ck_assert_int_ge(fcntl(fd, F_GETFD), 0);
	ck_assert_int_eq(setrlimit(RLIMIT_NOFILE, &limit), 0);
	close(fd);
}
END_TEST

UNIT_MAIN("io", a_write_is_whole_through_signals,
          a_read_is_whole_through_signals, ends_and_errors, small_files,
          opened_files_close_on_exec, what_was_inherited_is_closed,
          own_descriptors_lie_high)

#include "applet/applet.h"

#include <signal.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "base/units.h"

#include "unit.h"

/* Words as an argument vector: its name, then they. */
#define WORDS(...) ((char *[]){ "@applet", __VA_ARGS__, NULL })

static int
words_in(char *const *argv)
{
	int argc = 0;

	while (argv[argc])
		argc++;
	return argc;
}

typedef int applet_main(int argc, char **argv);

static int
status_of(applet_main *applet, char **argv)
{
	return applet(words_in(argv), argv);
}

/* What it says on standard error goes into text. */
static int
status_and_said(applet_main *applet, char **argv, char *text, size_t room)
{
	FILE *file = tmpfile();
	int kept = dup(2), status;
	ssize_t n;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(dup2(fileno(file), 2), 2);
	status = status_of(applet, argv);
	ck_assert_int_eq(dup2(kept, 2), 2);
	close(kept);
	n = pread(fileno(file), text, room - 1, 0);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	fclose(file);
	return status;
}

/* ---- the table --------------------------------------------------------- */

START_TEST(rows_are_whole)
{
	static const char *const names[] = {
		"true", "exit", "client", "readfile", "work", "took"
	};
	size_t count = 0;

	for (const struct applet *at = applets; at->name; at++, count++) {
		ck_assert_uint_lt(count, 6);
		ck_assert_str_eq(at->name, names[count]);
		ck_assert_ptr_eq(applet_find(applets, at->name), at);
		ck_assert_ptr_nonnull(at->main);
		ck_assert_ptr_nonnull(at->params);
		ck_assert_ptr_nonnull(at->help);
		ck_assert_int_eq(at->hidden, strcmp(at->name, "took") == 0);
	}
	ck_assert_uint_eq(count, 6);
}
END_TEST

/* What the synopsis shows is what the parameters say. */
START_TEST(synopses_name_what_is_required)
{
	for (const struct applet *at = applets; at->name; at++)
		for (const struct param *p = at->params; p->name; p++) {
			char shown[80];

			ck_assert_ptr_nonnull(p->help);
			ck_assert_ptr_eq(param_find(at->params, p->name), p);
			snprintf(shown, sizeof(shown), "%s%s%s", p->name,
			         *p->name ? "=" : "", value_shape(p));
			ck_assert_msg(!p->required ||
			              strstr(at->synopsis, shown),
			              "@%s: %s", at->name, shown);
		}
}
END_TEST

/* ---- words ------------------------------------------------------------- */

START_TEST(options)
{
	char **argv = WORDS("send=64", "to", "times=", "sends=1", "send=65");
	int64_t n = -77;

	ck_assert_str_eq(applet_option(6, argv, "send"), "64");
	ck_assert_str_eq(applet_option(6, argv, "times"), "");
	ck_assert_ptr_null(applet_option(6, argv, "to"));
	ck_assert_ptr_null(applet_option(6, argv, "sen"));
	ck_assert_ptr_null(applet_option(1, argv, "send"));
	ck_assert_int_eq(applet_number(6, argv, "send", parse_int, 1, &n), 0);
	ck_assert_int_eq(n, 64);
	ck_assert_int_eq(applet_number(6, argv, "none", parse_int, 9, &n), 0);
	ck_assert_int_eq(n, 9);
	ck_assert_int_eq(applet_number(6, argv, "times", parse_int, 1, &n),
	                 -1);
	ck_assert_int_eq(applet_number(2, WORDS("n=-1"), "n", parse_int, 1,
	                               &n), -1);
}
END_TEST

START_TEST(clients_have_one_way)
{
	struct errmsg why = { "" };

	ck_assert_int_eq(client_check(2, WORDS("fd=3"), &why), 0);
	ck_assert_int_eq(client_check(2, WORDS("to=/x"), &why), 0);
	ck_assert_int_eq(client_check(3, WORDS("fd=3", "to=/x"), &why), -1);
	ck_assert_str_eq(why.text, "@client takes fd= or to=, not both");
	ck_assert_int_eq(client_check(2, WORDS("send=1"), &why), -1);
	ck_assert_str_eq(why.text, "@client needs fd= or to=");
}
END_TEST

/* As nanoseconds, times passes a millisecond, it stays a number. */
START_TEST(work_ends)
{
	const struct applet *work = applet_find(applets, "work");
	const struct param *cpu = param_find(work->params, "cpu");
	struct errmsg why = { "" };
	struct value value;

	ck_assert_int_eq(value_read(cpu, "60m", &value, &why), 0);
	ck_assert_int_eq(value_read(cpu, "3601s", &value, &why), -1);
	ck_assert_str_eq(why.text, "'3601s' is above 60m");
}
END_TEST

START_TEST(work_is_something)
{
	struct errmsg why = { "" };

	ck_assert_int_eq(work_check(2, WORDS("calls=1"), &why), 0);
	ck_assert_int_eq(work_check(1, WORDS(NULL), &why), -1);
	ck_assert_str_eq(why.text, "@work does nothing without cpu=, touch=, "
	                 "calls= or read=");
}
END_TEST

/* ---- what they do ------------------------------------------------------ */

START_TEST(statuses)
{
	static char *const wrong[] = { "-1", "256", "", "x", "1 " };
	char text[200];

	ck_assert_int_eq(status_of(applet_true, WORDS(NULL)), 0);
	ck_assert_int_eq(status_of(applet_exit, WORDS("0")), 0);
	ck_assert_int_eq(status_of(applet_exit, WORDS("255")), 255);
	for (size_t i = 0; i < sizeof(wrong) / sizeof(*wrong); i++) {
		ck_assert_int_eq(status_and_said(applet_exit, WORDS(wrong[i]),
		                                 text, sizeof(text)), 2);
		ck_assert_str_eq(text, "@exit: its words are wrong; see "
		                 "forkload help applets\n");
	}
	ck_assert_int_eq(status_and_said(applet_exit, WORDS(NULL), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_exit, WORDS("1", "2"), text,
	                                 sizeof(text)), 2);
}
END_TEST

START_TEST(files_are_read)
{
	char text[200];

	ck_assert_int_eq(status_of(applet_readfile, WORDS("/dev/null")), 0);
	ck_assert_int_eq(status_of(applet_readfile,
	                           WORDS("/proc/self/maps", "times=3")), 0);
	ck_assert_int_eq(status_and_said(applet_readfile, WORDS("/nowhere"),
	                                 text, sizeof(text)), 1);
	ck_assert_str_eq(text,
	                 "@readfile: /nowhere: No such file or directory\n");
	ck_assert_int_eq(status_and_said(applet_readfile, WORDS("/"), text,
	                                 sizeof(text)), 1);
	ck_assert_str_eq(text, "@readfile: /: Is a directory\n");
	ck_assert_int_eq(status_and_said(applet_readfile, WORDS(NULL), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_readfile,
	                                 WORDS("/dev/null", "times=x"), text,
	                                 sizeof(text)), 2);
}
END_TEST

START_TEST(works_of_a_shape)
{
	char text[200];

	ck_assert_int_eq(status_of(applet_work, WORDS("cpu=100x", "calls=2",
	                                              "touch=64k",
	                                              "read=/dev/null")), 0);
	ck_assert_int_eq(status_and_said(applet_work, WORDS("read=/nowhere"),
	                                 text, sizeof(text)), 1);
	ck_assert_str_eq(text,
	                 "@work: /nowhere: No such file or directory\n");
	ck_assert_int_eq(status_and_said(applet_work, WORDS("cpu=x"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_work, WORDS("cpu=61m"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_work, WORDS("touch=1z"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_work, WORDS(NULL), text,
	                                 sizeof(text)), 2);
}
END_TEST

/* ---- the client -------------------------------------------------------- */

/* The other end: takes that many bytes, sends count, whose first is i. */
static pid_t
peer(int fds[2], size_t takes, size_t sends, int first)
{
	unsigned char text[4096];
	pid_t pid;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid)
		return close(fds[1]) < 0 ? -1 : pid;
	close(fds[0]);
	if (read_all(fds[1], text, takes) != (ssize_t)takes)
		_exit(1);
	for (size_t i = 0; i < takes; i++)
		if (text[i] != i % 251)
			_exit(2);
	for (size_t i = 0; i < sends; i++)
		text[i] = (unsigned char)((i + (size_t)first) % 251);
	_exit(write_all(fds[1], text, sends) < 0 ? 3 : 0);
}

/* The client's status, and what it said, over such a connection. */
static int
talk(size_t takes, size_t sends, int first, char *text, size_t room)
{
	char fd_word[20];
	int fds[2], status, result;
	pid_t pid = peer(fds, takes, sends, first);

	snprintf(fd_word, sizeof(fd_word), "fd=%d", fds[0]);
	result = status_and_said(applet_client,
	                         WORDS(fd_word, "send=1k,0,500", "recv=600"),
	                         text, room);
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
	return result;
}

START_TEST(every_byte_is_checked)
{
	char text[200];

	ck_assert_int_eq(talk(1524, 600, 0, text, sizeof(text)), 0);
	ck_assert_str_eq(text, "");
	ck_assert_int_eq(talk(1524, 600, 1, text, sizeof(text)), 1);
	ck_assert_str_eq(text, "@client: the reply has wrong bytes\n");
	ck_assert_int_eq(talk(1524, 599, 0, text, sizeof(text)), 1);
	ck_assert_str_eq(text, "@client: the reply ended early\n");
}
END_TEST

/* A socket that keeps writes apart: one for each size, in their order. */
START_TEST(a_write_for_each_size)
{
	static const ssize_t want[] = { 32768, 5, 100000 };
	static unsigned char record[200000];
	char fd_word[20];
	int fds[2], status;
	pid_t pid;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_SEQPACKET, 0, fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		size_t place = 0;

		for (int i = 0; i < 3; i++) {
			ssize_t n = recv(fds[1], record, sizeof(record), 0);

			if (n != want[i])
				_exit(1);
			for (ssize_t at = 0; at < n; at++)
				if (record[at] != place++ % 251)
					_exit(2);
		}
		_exit(0);
	}
	close(fds[1]);
	snprintf(fd_word, sizeof(fd_word), "fd=%d", fds[0]);
	ck_assert_int_eq(status_of(applet_client,
	                           WORDS(fd_word, "send=32k,0,5,100000",
	                                 "recv=0")), 0);
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

static void
nothing(int sig)
{
	(void)sig;
}

/* Signals cut its writes short, and it goes on where they ended. */
START_TEST(a_request_in_parts)
{
	const struct itimerval often = { { 0, 1000 }, { 0, 1000 } };
	const struct itimerval never = { { 0, 0 }, { 0, 0 } };
	const struct sigaction handler = { .sa_handler = nothing };
	size_t want = 7 + (5 << 20), place = 0;
	unsigned char part[50000];
	char fd_word[20];
	int fds[2], status;
	pid_t pid;
	ssize_t n;

	ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, fds), 0);
	pid = fork();
	ck_assert_int_ge(pid, 0);
	if (pid == 0) {
		close(fds[0]);
		while ((n = read(fds[1], part, sizeof(part))) > 0) {
			for (ssize_t at = 0; at < n; at++)
				if (part[at] != place++ % 251)
					_exit(2);
			usleep(1000);
		}
		_exit(place == want ? 0 : 1);
	}
	close(fds[1]);
	sigaction(SIGALRM, &handler, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	snprintf(fd_word, sizeof(fd_word), "fd=%d", fds[0]);
	status = status_of(applet_client,
	                   WORDS(fd_word, "send=7,5m", "recv=0"));
	setitimer(ITIMER_REAL, &never, NULL);
	ck_assert_int_eq(status, 0);
	close(fds[0]);
	ck_assert_int_eq(waitpid(pid, &status, 0), pid);
	ck_assert_int_eq(status, 0);
}
END_TEST

START_TEST(client_words)
{
	char text[200];

	ck_assert_int_eq(status_and_said(applet_client, WORDS("fd=0"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_client, WORDS("send=1"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_client,
	                                 WORDS("fd=x", "send=1"), text,
	                                 sizeof(text)), 2);
	ck_assert_int_eq(status_and_said(applet_client,
	                                 WORDS("fd=0", "send=1,"), text,
	                                 sizeof(text)), 2);
	ck_assert_str_eq(text, "@client: its words are wrong; see forkload "
	                 "help applets\n");
}
END_TEST

/* What has not its value is written out; what it is told here is true. */
START_TEST(knobs_are_read_back)
{
	FILE *file = tmpfile();
	int kept = dup(1);
	char text[200];
	ssize_t n;

	ck_assert_ptr_nonnull(file);
	ck_assert_int_eq(dup2(fileno(file), 1), 1);
	ck_assert_int_eq(status_of(applet_took, WORDS(NULL)), 0);
	ck_assert_int_eq(status_of(applet_took, WORDS("status=3")), 0);
	ck_assert_int_eq(status_of(applet_took,
	                           WORDS("nofile=4", "status=0", "none=1",
	                                 "word")), 1);
	ck_assert_int_eq(dup2(kept, 1), 1);
	n = pread(fileno(file), text, sizeof(text) - 1, 0);
	ck_assert_int_ge(n, 0);
	text[n] = '\0';
	ck_assert_str_eq(text, "nofile=4\nnone=1\nword\n");
	close(kept);
	fclose(file);
}
END_TEST

UNIT_MAIN("table", rows_are_whole, synopses_name_what_is_required, options,
          clients_have_one_way, work_ends, work_is_something, statuses,
          files_are_read, works_of_a_shape, every_byte_is_checked,
          a_write_for_each_size, a_request_in_parts, client_words,
          knobs_are_read_back)

#include "sys/server.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/io.h"
#include "sys/net.h"

#include "unit.h"

#define CYCLE 251

static struct server server;
static pid_t pid;

static void
serve(int kind, const char *path)
{
	struct errmsg why;

	server.kind = kind;
	server.board = mmap(NULL, sizeof(*server.board),
	                    PROT_READ | PROT_WRITE,
	                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	ck_assert_int_eq(server_open(&server, path, &why), 0);
	pid = fork();
	if (pid == 0)
		server_run(&server);
	ck_assert_int_gt(pid, 0);
}

static void
end(void)
{
	kill(pid, SIGKILL);
	ck_assert_int_eq(waitpid(pid, NULL, 0), pid);
	server_close(&server);
}

static int
connected(void)
{
	struct errmsg why;
	int fd = net_connect(server.address, &why);

	ck_assert_msg(fd >= 0, "%s", why.text);
	return fd;
}

static void
set(enum server_option option, int64_t n, const char *text)
{
	server.options[option].n = n;
	server.options[option].text = text;
}

static void
fill(unsigned char *bytes, size_t len)
{
	for (size_t i = 0; i < len; i++)
		bytes[i] = (unsigned char)(i % CYCLE);
}

/* A whole exchange over a connection. */
static void
exchange(int fd, size_t request, size_t reply)
{
	static unsigned char out[70000], in[70000], want[70000];

	fill(out, request);
	fill(want, reply);
	ck_assert_int_eq(write_all(fd, out, request), 0);
	ck_assert_int_eq(read_all(fd, in, reply), (ssize_t)reply);
	ck_assert_int_eq(memcmp(in, want, reply), 0);
}

START_TEST(echoes)
{
	char text[] = "any bytes at all", back[sizeof(text)];
	int fd;

	serve(NET_TCP, NULL);
	ck_assert(net_is_tcp(server.address));
	fd = connected();
	ck_assert_int_eq(write_all(fd, text, sizeof(text)), 0);
	ck_assert_int_eq(read_all(fd, back, sizeof(text)), sizeof(text));
	ck_assert_str_eq(text, back);
	close(fd);
	end();
}
END_TEST

START_TEST(replies)
{
	int fd, other;

	set(SERVER_REQUEST, 1000, "1000");
	set(SERVER_REPLY, 70000, "70000");
	serve(NET_TCP, NULL);
	fd = connected();
	other = connected();
	for (int i = 0; i < 5; i++) {
		exchange(fd, 1000, 70000);
		exchange(other, 1000, 70000);
	}
	ck_assert_int_eq(server_ask(&server), 0);
	ck_assert_int_eq(server.board->wrong, 0);
	ck_assert_int_eq(server.board->refused, 0);
	close(fd);
	close(other);
	end();
}
END_TEST

START_TEST(requests_come_in_pieces_and_heaps)
{
	unsigned char out[30], in[30];
	int fd;

	set(SERVER_REQUEST, 10, "10");
	serve(NET_TCP, NULL);
	fd = connected();
	fill(out, 10);
	fill(out + 10, 10);
	fill(out + 20, 10);
	ck_assert_int_eq(write_all(fd, out, 3), 0);
	ck_assert_int_eq(write_all(fd, out + 3, 27), 0);
	ck_assert_int_eq(read_all(fd, in, 30), 30);
	ck_assert_int_eq(memcmp(in, out, 30), 0);
	close(fd);
	end();
}
END_TEST

START_TEST(wrong_bytes_end_the_connection)
{
	char in[4];
	int fd;

	set(SERVER_REQUEST, 4, "4");
	serve(NET_TCP, NULL);
	fd = connected();
	ck_assert_int_eq(write_all(fd, "abcd", 4), 0);
	ck_assert_int_eq(read_all(fd, in, 4), 0);
	ck_assert_int_eq(server.board->wrong, 1);
	close(fd);
	fd = connected();
	exchange(fd, 4, 4);
	close(fd);
	end();
}
END_TEST

START_TEST(unix_sockets)
{
	char path[] = "/tmp/forkload-unit-socket-XXXXXX";
	int fd = mkstemp(path);

	close(fd);
	unlink(path);
	set(SERVER_REPLY, 9, "9");
	serve(NET_UNIX, path);
	ck_assert_str_eq(server.address, path);
	fd = connected();
	exchange(fd, 9, 9);
	close(fd);
	end();
	unlink(path);
}
END_TEST

START_TEST(an_ended_writer_gets_its_reply)
{
	unsigned char out[4], in[8];
	int fd;

	set(SERVER_REQUEST, 4, "4");
	set(SERVER_REPLY, 8, "8");
	set(SERVER_DELAY, 20000000, "20ms");
	serve(NET_TCP, NULL);
	fd = connected();
	fill(out, 4);
	ck_assert_int_eq(write_all(fd, out, 4), 0);
	shutdown(fd, SHUT_WR);
	ck_assert_int_eq(read_all(fd, in, 8), 8);
	ck_assert_int_eq(read_all(fd, in, 1), 0);
	close(fd);
	end();
}
END_TEST

START_TEST(many_connections)
{
	int fds[100];

	set(SERVER_REQUEST, 1, "1");
	serve(NET_TCP, NULL);
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < 100; i++) {
			fds[i] = connected();
			exchange(fds[i], 1, 1);
		}
		for (int i = 0; i < 100; i++)
			close(fds[i]);
	}
	end();
}
END_TEST

/* What the server used of the CPU, in microseconds. */
static int64_t
cpu_us(void)
{
	ck_assert_int_eq(server_ask(&server), 0);
	return server.board->usage.user_us + server.board->usage.sys_us;
}

/*
 * The socket is full, and the delay is over: the server waits for room, and
 * is there for others.
 */
static void
waits_for_room(int fd)
{
	int64_t before = cpu_us();
	char byte = 0;
	int other;

	usleep(500000);
	ck_assert_int_lt(cpu_us() - before, 50000);
	other = connected();
	ck_assert_int_eq(write_all(other, &byte, 1), 0);
	ck_assert_int_eq(read_all(other, &byte, 1), 1);
	close(fd);
	close(other);
	end();
}

START_TEST(a_full_socket_is_waited_for)
{
	int fd;

	set(SERVER_REQUEST, 1, "1");
	set(SERVER_REPLY, 1 << 28, "256m");
	set(SERVER_DELAY, 1000, "1us");
	serve(NET_TCP, NULL);
	fd = connected();
	ck_assert_int_eq(write_all(fd, "", 1), 0);
	usleep(300000);
	waits_for_room(fd);
}
END_TEST

START_TEST(a_full_socket_of_echoes)
{
	static const char out[4096];
	int fd;

	set(SERVER_DELAY, 1000, "1us");
	serve(NET_TCP, NULL);
	fd = connected();
	for (int i = 0; i < 300; i++) {
		while (send(fd, out, sizeof(out), MSG_DONTWAIT) > 0)
			;
		usleep(1000);
	}
	waits_for_room(fd);
}
END_TEST

UNIT_MAIN("server", echoes, replies, requests_come_in_pieces_and_heaps,
          wrong_bytes_end_the_connection, unix_sockets,
          an_ended_writer_gets_its_reply, many_connections,
          a_full_socket_is_waited_for, a_full_socket_of_echoes)

/*
 * @client: requests and replies, every byte of which is checked: byte i of a
 * message is i mod 251.
 */
#include "applet.h"

#include <errno.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/units.h"
#include "sys/net.h"

#define CYCLE 251
#define BLOCK (64 * CYCLE)      /* of a reply, in one read */
#define RUN   (4179 * CYCLE)    /* of a request: PARTS of them are above 1g */
#define PARTS 1024              /* what writev() takes */

/* What the words say. */
struct client {
	int fd;                  /* -1: one connection for each request */
	const char *to;
	const char *send;
	int64_t recv;
	int64_t times;
	bool nodelay;
	unsigned char out[RUN + CYCLE];  /* the cycle, as far as needed */
};

int
client_check(int argc, char *const *argv, struct errmsg *why)
{
	bool fd = applet_option(argc, argv, "fd") != NULL;
	bool to = applet_option(argc, argv, "to") != NULL;

	if (fd != to)
		return 0;
	return errmsg_set(why, fd ? "@client takes fd= or to=, not both" :
	                  "@client needs fd= or to=");
}

/* Takes the first size off "64,32,8"; *list is NULL behind the last. */
static int
next_size(const char **list, int64_t *size)
{
	size_t n = strcspn(*list, ",");
	char number[24] = "";

	if (n >= sizeof(number))
		return -1;
	memcpy(number, *list, n);
	*list = (*list)[n] ? *list + n + 1 : NULL;
	return parse_size(number, size);
}

static int
read_largest(const char *list, int64_t *largest)
{
	int64_t size;

	*largest = 0;
	while (list) {
		if (next_size(&list, &size) < 0)
			return -1;
		if (size > *largest)
			*largest = size;
	}
	return 0;
}

/* From any place of the cycle on there are len bytes, or RUN. */
static void
fill(unsigned char *out, int64_t len)
{
	size_t want = CYCLE + (len < RUN ? (size_t)len : RUN);

	for (size_t i = 0; i < CYCLE; i++)
		out[i] = (unsigned char)i;
	for (size_t have = CYCLE; have < want; have += CYCLE)
		memcpy(out + have, out,
		       want - have < CYCLE ? want - have : CYCLE);
}

/* len bytes from place on, in one write where the kernel takes them so. */
static int
send_part(const struct client *client, int64_t place, int64_t len)
{
	static struct iovec parts[PARTS];

	while (len > 0) {
		int64_t left = len;
		int count = 0;
		ssize_t n;

		for (; left > 0 && count < PARTS; count++) {
			size_t part = left < RUN ? (size_t)left : RUN;

			parts[count].iov_base = (unsigned char *)client->out +
			                        place % CYCLE;
			parts[count].iov_len = part;
			left -= (int64_t)part;
		}
		n = count == 1 ? write(client->fd, parts[0].iov_base,
		                       parts[0].iov_len) :
		    writev(client->fd, parts, count);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		place += n;
		len -= n;
	}
	return 0;
}

/* "64,32,8": a write for each. */
static int
send_request(const struct client *client)
{
	const char *list = client->send;
	int64_t place = 0, size;

	while (list) {
		if (next_size(&list, &size) < 0 ||
		    send_part(client, place, size) < 0)
			return -1;
		place += size;
	}
	return 0;
}

static int
receive_reply(const struct client *client)
{
	static unsigned char in[BLOCK];
	int64_t place = 0;

	while (place < client->recv) {
		int64_t left = client->recv - place;
		ssize_t n = read(client->fd, in,
		                 left < BLOCK ? (size_t)left : BLOCK);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return applet_fail("@client", "cannot read the reply");
		errno = 0;
		if (n == 0)
			return applet_fail("@client", "the reply ended early");
		if (memcmp(in, client->out + place % CYCLE, (size_t)n) != 0)
			return applet_fail("@client",
			                   "the reply has wrong bytes");
		place += n;
	}
	return 0;
}

static int
exchange(const struct client *client)
{
	if (send_request(client) < 0)
		return applet_fail("@client", "cannot send the request");
	return receive_reply(client);
}

static int
connect_and_exchange(struct client *client)
{
	struct errmsg why;
	int status;

	client->fd = net_connect(client->to, &why);
	if (client->fd < 0) {
		errno = 0;
		return applet_fail("@client", why.text);
	}
	if (client->nodelay)
		net_nodelay(client->fd);
	status = exchange(client);
	close(client->fd);
	return status;
}

int
applet_client(int argc, char **argv)
{
	static struct client client;
	const char *nodelay = applet_option(argc, argv, "nodelay");
	int64_t fd, largest;
	int status = 0;

	client.to = applet_option(argc, argv, "to");
	client.send = applet_option(argc, argv, "send");
	client.nodelay = nodelay && strcmp(nodelay, "on") == 0;
	if (!client.send || (!client.to && !applet_option(argc, argv, "fd")) ||
	    applet_number(argc, argv, "fd", parse_int, -1, &fd) < 0 ||
	    applet_number(argc, argv, "send", read_largest, 0, &largest) < 0 ||
	    applet_number(argc, argv, "recv", parse_size, 0,
	                  &client.recv) < 0 ||
	    applet_number(argc, argv, "times", parse_int, 1,
	                  &client.times) < 0)
		return applet_usage("@client");
	client.fd = (int)fd;
	fill(client.out, largest > BLOCK ? largest : BLOCK);
	if (client.nodelay && !client.to)
		net_nodelay(client.fd);
	for (int64_t i = 0; i < client.times && status == 0; i++)
		status = client.to ? connect_and_exchange(&client) :
		         exchange(&client);
	return status;
}

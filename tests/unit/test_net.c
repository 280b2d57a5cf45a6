#include "sys/net.h"

#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "unit.h"

static void
refused(const char *address, const char *reason)
{
	struct errmsg why = { "" };

	ck_assert_int_eq(net_connect(address, &why), -1);
	ck_assert_msg(strstr(why.text, reason), "%s", why.text);
}

START_TEST(only_loopback)
{
	refused("/dev/tcp/10.0.0.1/80", "'10.0.0.1' is not on loopback");
	refused("/dev/tcp/8.8.8.8/53", "not on loopback");
	refused("/dev/tcp/2001:db8::1/80", "not on loopback");
	refused("/dev/tcp/example.org/80", "not on loopback");
	refused("/dev/tcp/0.0.0.0/80", "not on loopback");
}
END_TEST

START_TEST(wrong_addresses)
{
	char longest[300];

	refused("/dev/tcp/127.0.0.1", "is not /dev/tcp/HOST/PORT");
	refused("/dev/tcp/127.0.0.1/", "is not /dev/tcp/HOST/PORT");
	refused("/dev/tcp/127.0.0.1/0", "is not /dev/tcp/HOST/PORT");
	refused("/dev/tcp/127.0.0.1/65536", "is not /dev/tcp/HOST/PORT");
	refused("/dev/tcp//80", "is not /dev/tcp/HOST/PORT");
	refused("/no/such/socket",
	        "cannot connect to /no/such/socket: No such");
	memset(longest, 'x', sizeof(longest));
	longest[sizeof(longest) - 1] = '\0';
	refused(longest, "its path is longer than 107 bytes");
}
END_TEST

struct pair {
	int listener, client, server;
};

static struct pair
pair(enum net_family family)
{
	char address[64];
	struct errmsg why;
	struct pair it = { .server = -1 };

	it.listener = net_listen(family, NULL, 0, address, sizeof(address),
	                         &why);
	ck_assert_msg(it.listener >= 0, "%s", why.text);
	it.client = net_connect(address, &why);
	ck_assert_int_ge(it.client, 0);
	for (int i = 0; i < 1000 && it.server < 0; i++) {
		it.server = accept(it.listener, NULL, NULL);
		if (it.server < 0)
			usleep(1000);
	}
	ck_assert_int_ge(it.server, 0);
	return it;
}

/* The same, asked by another user, where this one may become that. */
static bool
others_say(int server, enum net_family family, int diag)
{
	bool ours;

	if (geteuid() != 0)
		return net_peer_is_ours(server, family, diag);
	ck_assert_int_eq(seteuid(12345), 0);
	ours = net_peer_is_ours(server, family, diag);
	ck_assert_int_eq(seteuid(0), 0);
	return ours;
}

static void
ours(enum net_family family, int diag)
{
	struct pair it = pair(family);

	ck_assert(net_peer_is_ours(it.server, family, diag));
	ck_assert_int_eq(others_say(it.server, family, diag), geteuid() != 0);
	/* It sends no more, but there is somebody who reads. */
	shutdown(it.client, SHUT_WR);
	ck_assert(net_peer_is_ours(it.server, family, diag));
	ck_assert_int_eq(others_say(it.server, family, diag), geteuid() != 0);
	close(it.server);
	close(it.client);
	close(it.listener);
}

/* No user holds a closed socket: it is not another's. */
static void
closed(enum net_family family, int diag, int linger)
{
	struct linger how = { .l_onoff = linger };
	struct pair it = pair(family);

	setsockopt(it.client, SOL_SOCKET, SO_LINGER, &how, sizeof(how));
	close(it.client);
	ck_assert(net_peer_is_ours(it.server, family, diag));
	ck_assert(others_say(it.server, family, diag));
	close(it.server);
	close(it.listener);
}

START_TEST(whose_peer)
{
	int diag = net_diag_open();

	ours(NET_TCP, diag);
	ours(NET_TCP6, diag);
	close(diag);
	/* By /proc/net/tcp. */
	ours(NET_TCP, -1);
	ours(NET_TCP6, -1);
}
END_TEST

START_TEST(closed_peers)
{
	int diag = net_diag_open();

	/* With a FIN, then with a reset. */
	for (int linger = 0; linger < 2; linger++) {
		closed(NET_TCP, diag, linger);
		closed(NET_TCP6, diag, linger);
		closed(NET_TCP, -1, linger);
		closed(NET_TCP6, -1, linger);
	}
	close(diag);
}
END_TEST

UNIT_MAIN("net", only_loopback, wrong_addresses, whose_peer, closed_peers)

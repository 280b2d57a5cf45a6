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

static void
ours(enum net_family family, int diag)
{
	char address[64];
	struct errmsg why;
	int listener = net_listen(family, NULL, 0, address, sizeof(address),
	                          &why);
	int client, server = -1;

	ck_assert_msg(listener >= 0, "%s", why.text);
	client = net_connect(address, &why);
	ck_assert_int_ge(client, 0);
	for (int i = 0; i < 1000 && server < 0; i++) {
		server = accept(listener, NULL, NULL);
		if (server < 0)
			usleep(1000);
	}
	ck_assert_int_ge(server, 0);
	ck_assert(net_peer_is_ours(server, family, diag));
	if (geteuid() == 0) {
		ck_assert_int_eq(seteuid(12345), 0);
		ck_assert(!net_peer_is_ours(server, family, diag));
		ck_assert_int_eq(seteuid(0), 0);
	}
	close(server);
	close(client);
	close(listener);
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

UNIT_MAIN("net", only_loopback, wrong_addresses, whose_peer)

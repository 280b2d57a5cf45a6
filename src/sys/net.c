#include "net.h"

#include <arpa/inet.h>
#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "base/units.h"

#define TCP_PREFIX "/dev/tcp/"

union address {
	struct sockaddr any;
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
	struct sockaddr_un un;
};

bool
net_is_tcp(const char *address)
{
	return str_starts(address, TCP_PREFIX);
}

static int
set_unix(const char *path, union address *out, socklen_t *len,
         struct errmsg *why)
{
	memset(&out->un, 0, sizeof(out->un));
	out->un.sun_family = AF_UNIX;
	if (strlen(path) >= sizeof(out->un.sun_path))
		return errmsg_set(why, "cannot use the socket %s: its path is "
		                  "longer than %zu bytes", path,
		                  sizeof(out->un.sun_path) - 1);
	memcpy(out->un.sun_path, path, strlen(path) + 1);
	*len = sizeof(out->un);
	return 0;
}

/* "/dev/tcp/HOST/PORT" */
static int
set_tcp(const char *address, union address *out, socklen_t *len,
        struct errmsg *why)
{
	const char *host = address + strlen(TCP_PREFIX);
	const char *slash = strrchr(host, '/');
	char name[64] = "";
	int64_t port;

	if (slash && (size_t)(slash - host) < sizeof(name))
		memcpy(name, host, (size_t)(slash - host));
	if (!name[0] || parse_int(slash + 1, &port) < 0 || port < 1 ||
	    port > 65535)
		return errmsg_set(why, "'%s' is not /dev/tcp/HOST/PORT",
		                  address);
	memset(out, 0, sizeof(*out));
	if (strcmp(name, "localhost") == 0)
		strcpy(name, "127.0.0.1");
	if (inet_pton(AF_INET, name, &out->v4.sin_addr) == 1 &&
	    ntohl(out->v4.sin_addr.s_addr) >> 24 == 127) {
		out->v4.sin_family = AF_INET;
		out->v4.sin_port = htons((uint16_t)port);
		*len = sizeof(out->v4);
		return 0;
	}
	if (inet_pton(AF_INET6, name, &out->v6.sin6_addr) == 1 &&
	    IN6_IS_ADDR_LOOPBACK(&out->v6.sin6_addr)) {
		out->v6.sin6_family = AF_INET6;
		out->v6.sin6_port = htons((uint16_t)port);
		*len = sizeof(out->v6);
		return 0;
	}
	return errmsg_set(why, "'%s' is not on loopback", name);
}

int
net_connect(const char *address, struct errmsg *why)
{
	union address to;
	socklen_t len = 0;
	int fd;

	if ((net_is_tcp(address) ? set_tcp : set_unix)(address, &to, &len,
	                                                why) < 0)
		return -1;
	fd = socket(to.any.sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return errmsg_errno(why, "cannot make a socket for %s",
		                    address);
	if (connect(fd, &to.any, len) == 0)
		return fd;
	errmsg_errno(why, "cannot connect to %s", address);
	close(fd);
	return -1;
}

void
net_nodelay(int fd)
{
	int on = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
}

/* ---- listening --------------------------------------------------------- */

static int
listen_address(enum net_family family, const char *path, union address *out,
               socklen_t *len, struct errmsg *why)
{
	memset(out, 0, sizeof(*out));
	if (family == NET_UNIX)
		return set_unix(path, out, len, why);
	if (family == NET_TCP6) {
		out->v6.sin6_family = AF_INET6;
		out->v6.sin6_addr = in6addr_loopback;
		*len = sizeof(out->v6);
	} else {
		out->v4.sin_family = AF_INET;
		out->v4.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
		*len = sizeof(out->v4);
	}
	return 0;
}

static void
write_address(const union address *at, const char *path, char *address,
              size_t room)
{
	if (at->any.sa_family == AF_UNIX)
		snprintf(address, room, "%s", path);
	else if (at->any.sa_family == AF_INET6)
		snprintf(address, room, TCP_PREFIX "::1/%d",
		         ntohs(at->v6.sin6_port));
	else
		snprintf(address, room, TCP_PREFIX "127.0.0.1/%d",
		         ntohs(at->v4.sin_port));
}

int
net_listen(enum net_family family, const char *path, int backlog,
           char *address, size_t room, struct errmsg *why)
{
	union address at;
	socklen_t len = 0;
	int fd;

	if (listen_address(family, path, &at, &len, why) < 0)
		return -1;
	fd = socket(at.any.sa_family,
	            SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return errmsg_errno(why, "cannot make a socket to serve on");
	if (bind(fd, &at.any, len) < 0 ||
	    listen(fd, backlog ? backlog : SOMAXCONN) < 0 ||
	    getsockname(fd, &at.any, &len) < 0) {
		errmsg_errno(why, "cannot serve on %s", family == NET_UNIX ?
		             path : "a free port of loopback");
		close(fd);
		return -1;
	}
	write_address(&at, path, address, room);
	return fd;
}

/* ---- whose peer -------------------------------------------------------- */

int
net_diag_open(void)
{
	return socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
	              NETLINK_SOCK_DIAG);
}

static void
set_diag_id(struct inet_diag_sockid *id, const union address *peer,
            const union address *own)
{
	memset(id, 0, sizeof(*id));
	if (peer->any.sa_family == AF_INET6) {
		id->idiag_sport = peer->v6.sin6_port;
		id->idiag_dport = own->v6.sin6_port;
		memcpy(id->idiag_src, &peer->v6.sin6_addr, 16);
		memcpy(id->idiag_dst, &own->v6.sin6_addr, 16);
	} else {
		id->idiag_sport = peer->v4.sin_port;
		id->idiag_dport = own->v4.sin_port;
		memcpy(id->idiag_src, &peer->v4.sin_addr, 4);
		memcpy(id->idiag_dst, &own->v4.sin_addr, 4);
	}
	id->idiag_cookie[0] = id->idiag_cookie[1] = INET_DIAG_NOCOOKIE;
}

/* Of a socket. */
struct owner {
	uint32_t user;
	uint32_t inode;          /* 0: it was closed, and user is no user */
};

/* Whose the peer's end of the connection is: 0, or -1: not told. */
static int
diag_owner(int diag, const union address *peer, const union address *own,
           struct owner *owner)
{
	struct {
		struct nlmsghdr head;
		struct inet_diag_req_v2 request;
	} ask = { { .nlmsg_len = sizeof(ask),
	            .nlmsg_type = SOCK_DIAG_BY_FAMILY,
	            .nlmsg_flags = NLM_F_REQUEST } , {
	            .sdiag_family = (uint8_t)peer->any.sa_family,
	            .sdiag_protocol = IPPROTO_TCP,
	            .idiag_states = ~0U } };
	struct {
		struct nlmsghdr head;
		struct inet_diag_msg message;
		char more[1024];
	} answer;
	ssize_t n;

	set_diag_id(&ask.request.id, peer, own);
	if (send(diag, &ask, sizeof(ask), 0) < 0)
		return -1;
	do
		n = recv(diag, &answer, sizeof(answer), 0);
	while (n < 0 && errno == EINTR);
	if (n < (ssize_t)(sizeof(answer.head) + sizeof(answer.message)) ||
	    answer.head.nlmsg_type != SOCK_DIAG_BY_FAMILY)
		return -1;
	owner->user = answer.message.idiag_uid;
	owner->inode = answer.message.idiag_inode;
	return 0;
}

/* "0100007F:1F90" as /proc/net/tcp has it: words in the host's order. */
static void
proc_address(const union address *at, char *text, size_t room)
{
	uint32_t words[4];

	if (at->any.sa_family == AF_INET) {
		snprintf(text, room, "%08X:%04X", at->v4.sin_addr.s_addr,
		         ntohs(at->v4.sin_port));
		return;
	}
	memcpy(words, &at->v6.sin6_addr, sizeof(words));
	snprintf(text, room, "%08X%08X%08X%08X:%04X", words[0], words[1],
	         words[2], words[3], ntohs(at->v6.sin6_port));
}

static int
proc_owner(const union address *peer, const union address *own,
           struct owner *owner)
{
	bool v6 = peer->any.sa_family == AF_INET6;
	FILE *file = fopen(v6 ? "/proc/net/tcp6" : "/proc/net/tcp", "re");
	char line[512], want[2][48], have[2][48];
	int result = -1;

	if (!file)
		return -1;
	proc_address(peer, want[0], sizeof(want[0]));
	proc_address(own, want[1], sizeof(want[1]));
	while (result < 0 && fgets(line, sizeof(line), file))
		if (sscanf(line, "%*s %47s %47s %*s %*s %*s %*s %u %*s %u",
		           have[0], have[1], &owner->user,
		           &owner->inode) == 4 &&
		    strcmp(have[0], want[0]) == 0 &&
		    strcmp(have[1], want[1]) == 0)
			result = 0;
	fclose(file);
	return result;
}

static bool
unix_peer_is_ours(int fd)
{
	struct ucred peer;
	socklen_t len = sizeof(peer);

	return getsockopt(fd, SOL_SOCKET, SO_PEERCRED, &peer, &len) == 0 &&
	       peer.uid == geteuid();
}

bool
net_peer_is_ours(int fd, enum net_family family, int diag)
{
	union address peer, own;
	socklen_t len = sizeof(peer);
	struct owner owner;

	if (family == NET_UNIX)
		return unix_peer_is_ours(fd);
	/* It is gone already: there is nobody to be refused. */
	if (getpeername(fd, &peer.any, &len) < 0)
		return true;
	len = sizeof(own);
	if (getsockname(fd, &own.any, &len) < 0)
		return false;
	if ((diag < 0 || diag_owner(diag, &peer, &own, &owner) < 0) &&
	    proc_owner(&peer, &own, &owner) < 0)
		return true;
	return owner.inode == 0 || owner.user == geteuid();
}

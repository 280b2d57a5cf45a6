#include "server.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/io.h"
#include "sys/knob.h"
#include "sys/net.h"

#define MOST_PEERS  512
#define CYCLE       251          /* byte i of a message is i mod that */
#define BLOCK       (256 * CYCLE)
#define ASK_NS      NS_PER_S
#define ASK_POLL_NS 20000

const struct server_kind server_kinds[] = {
	{ "tcp", NET_TCP, "a free port of 127.0.0.1" },
	{ "tcp6", NET_TCP6, "a free port of ::1" },
	{ "unix", NET_UNIX, "a socket in the scratch folder" },
	{ 0 }
};

const struct param server_params[] = {
	[SERVER_REQUEST] = { "request", VALUE_SIZE,
	  "bytes of a request; as the reply where only that is told",
	  .min = 1, .max = 1 << 30 },
	[SERVER_REPLY] = { "reply", VALUE_SIZE,
	  "bytes of a reply; as the request where only that is told",
	  .min = 1, .max = 1 << 30 },
	[SERVER_DELAY] = { "delay", VALUE_DURATION,
	  "waits so long before it replies", .max = 60 * NS_PER_S },
	[SERVER_BACKLOG] = { "backlog", VALUE_INT,
	  "connections that may wait to be accepted", .min = 1,
	  .max = 1 << 16 },
	[SERVER_NODELAY] = { "nodelay", VALUE_CHOICE,
	  "TCP_NODELAY on the server's own sockets (on unless told)",
	  .choices = "on|off" },
	[SERVER_CPU] = { "cpu", VALUE_CPUS, "the CPUs that it runs on",
	  .choices = NULL },
	[SERVER_OPTIONS] = { 0 }
};

/* A connection. */
struct peer {
	int fd;
	int64_t got;             /* of this request */
	int64_t owed;            /* of replies, still to be sent */
	int64_t sent;            /* of this reply */
	int64_t due_ns;          /* not before; 0: at once, or past */
	size_t echo_from, echo_to;       /* what is to be echoed */
	char *echo;
	bool ended;              /* it sends no more */
};

struct serving {
	struct server *server;
	struct peer peers[MOST_PEERS];
	struct pollfd polls[MOST_PEERS + 2];
	size_t npeers;
	int diag;
	bool echoes, nodelay;
	int64_t request, reply, delay_ns;
	unsigned char out[BLOCK];        /* the cycle, over and over */
	unsigned char in[BLOCK];
};

/* ---- in the guard ------------------------------------------------------ */

int
server_open(struct server *server, const char *path, struct errmsg *why)
{
	const struct value *backlog = &server->options[SERVER_BACKLOG];
	int fd = net_listen((enum net_family)server->kind, path,
	                    backlog->text ? (int)backlog->n : 0,
	                    server->address, sizeof(server->address), why);

	if (fd < 0)
		return -1;
	if (pipe2(server->control, O_CLOEXEC) < 0) {
		errmsg_errno(why, "cannot make a pipe");
		close(fd);
		return -1;
	}
	server->listen_fd = fd_keep(fd);
	server->control[0] = fd_keep(server->control[0]);
	server->control[1] = fd_keep(server->control[1]);
	if (server->listen_fd >= 0 && server->control[0] >= 0 &&
	    server->control[1] >= 0)
		return 0;
	errmsg_errno(why, "cannot keep a server's descriptors");
	server_close(server);
	return -1;
}

void
server_close(struct server *server)
{
	close(server->listen_fd);
	close(server->control[0]);
	close(server->control[1]);
}

int
server_ask(struct server *server)
{
	struct server_board *board = server->board;
	uint32_t asked = ++board->asked;
	int64_t until = clock_ns() + ASK_NS;

	if (write(server->control[1], "", 1) != 1)
		return -1;
	while (__atomic_load_n(&board->answered, __ATOMIC_ACQUIRE) != asked) {
		if (clock_ns() > until)
			return -1;
		clock_sleep(ASK_POLL_NS);
	}
	return 0;
}

/* ---- in the server: one peer ------------------------------------------- */

static void
drop(struct serving *serving, size_t i)
{
	close(serving->peers[i].fd);
	free(serving->peers[i].echo);
	serving->peers[i] = serving->peers[--serving->npeers];
}

/* Are the bytes those that stand at that place of a message? */
static bool
is_right(const struct serving *serving, int64_t place, const void *bytes,
         size_t len)
{
	return memcmp(serving->out + place % CYCLE, bytes, len) == 0;
}

/* Takes what was read: false where it is wrong. */
static bool
take_request(struct serving *serving, struct peer *peer, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t part = len - at;

		if ((int64_t)part > serving->request - peer->got)
			part = (size_t)(serving->request - peer->got);
		if (!is_right(serving, peer->got, serving->in + at, part)) {
			serving->server->board->wrong++;
			return false;
		}
		at += part;
		peer->got += (int64_t)part;
		if (peer->got < serving->request)
			continue;
		peer->got = 0;
		if (serving->delay_ns && peer->owed == 0)
			peer->due_ns = clock_ns() + serving->delay_ns;
		peer->owed += serving->reply;
	}
	return true;
}

/* May it be sent by now? From then on only a full socket holds it up. */
static bool
is_due(struct peer *peer)
{
	if (peer->due_ns && clock_ns() < peer->due_ns)
		return false;
	peer->due_ns = 0;
	return true;
}

/* Sends what is owed, as far as it goes: false where the peer is gone. */
static bool
send_replies(struct serving *serving, struct peer *peer)
{
	while (peer->owed > 0) {
		int64_t left = serving->reply - peer->sent;
		size_t from = (size_t)(peer->sent % CYCLE);
		size_t len = sizeof(serving->out) - from;
		ssize_t n;

		if (!is_due(peer))
			return true;
		if ((int64_t)len > left)
			len = (size_t)left;
		n = send(peer->fd, serving->out + from, len, MSG_NOSIGNAL);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		peer->sent += n;
		peer->owed -= n;
		if (peer->sent < serving->reply)
			continue;
		peer->sent = 0;
		if (serving->delay_ns && peer->owed > 0)
			peer->due_ns = clock_ns() + serving->delay_ns;
	}
	return true;
}

static bool
send_echo(struct peer *peer)
{
	while (peer->echo_from < peer->echo_to) {
		ssize_t n;

		if (!is_due(peer))
			return true;
		n = send(peer->fd, peer->echo + peer->echo_from,
		         peer->echo_to - peer->echo_from, MSG_NOSIGNAL);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR;
		peer->echo_from += (size_t)n;
	}
	return true;
}

/* An echo must have left before the next bytes are read. */
static bool
has_to_send(const struct peer *peer)
{
	return peer->owed > 0 || peer->echo_from < peer->echo_to;
}

static bool
send_some(struct serving *serving, struct peer *peer)
{
	return serving->echoes ? send_echo(peer) :
	       send_replies(serving, peer);
}

/* false where the connection is over. */
static bool
receive_some(struct serving *serving, struct peer *peer)
{
	char *to = serving->echoes ? peer->echo : (char *)serving->in;
	size_t room = serving->echoes ? 4096 :
	              sizeof(serving->in) - CYCLE;
	ssize_t n = recv(peer->fd, to, room, 0);

	if (n < 0)
		return errno == EAGAIN || errno == EINTR;
	if (n == 0) {
		peer->ended = true;
		return has_to_send(peer);
	}
	if (!serving->echoes)
		return take_request(serving, peer, (size_t)n);
	peer->echo_from = 0;
	peer->echo_to = (size_t)n;
	if (serving->delay_ns)
		peer->due_ns = clock_ns() + serving->delay_ns;
	return true;
}

/* ---- in the server: all of them ---------------------------------------- */

static void
accept_one(struct serving *serving)
{
	enum net_family family = (enum net_family)serving->server->kind;
	struct peer *peer = &serving->peers[serving->npeers];
	int fd = accept4(serving->server->listen_fd, NULL, NULL,
	                 SOCK_NONBLOCK | SOCK_CLOEXEC);

	if (fd < 0) {
		/* No descriptor left: poll would come back at once, forever. */
		if (errno == EMFILE || errno == ENFILE)
			clock_sleep(NS_PER_MS);
		return;
	}
	if (!net_peer_is_ours(fd, family, serving->diag)) {
		serving->server->board->refused++;
		close(fd);
		return;
	}
	if (serving->nodelay && family != NET_UNIX)
		net_nodelay(fd);
	memset(peer, 0, sizeof(*peer));
	peer->fd = fd;
	if (serving->echoes) {
		peer->echo = malloc(4096);
		if (!peer->echo) {
			close(fd);
			return;
		}
	}
	serving->npeers++;
}

static void
answer(struct serving *serving)
{
	struct server_board *board = serving->server->board;
	char byte;

	if (read(serving->server->control[0], &byte, 1) != 1)
		return;
	board->usage = usage_self();
	__atomic_store_n(&board->answered, board->asked, __ATOMIC_RELEASE);
}

/* When the first delayed reply is due, as poll's timeout; -1: none. */
static int64_t
next_due(const struct serving *serving)
{
	int64_t next = 0;

	for (size_t i = 0; i < serving->npeers; i++) {
		const struct peer *peer = &serving->peers[i];

		if (has_to_send(peer) && peer->due_ns &&
		    (!next || peer->due_ns < next))
			next = peer->due_ns;
	}
	return next;
}

static int
wait_for_work(struct serving *serving)
{
	int64_t due = next_due(serving), left;
	struct timespec timeout;

	serving->polls[0].fd = serving->server->control[0];
	serving->polls[0].events = POLLIN;
	serving->polls[1].fd = serving->npeers < MOST_PEERS ?
	                       serving->server->listen_fd : -1;
	serving->polls[1].events = POLLIN;
	for (size_t i = 0; i < serving->npeers; i++) {
		const struct peer *peer = &serving->peers[i];
		struct pollfd *poll = &serving->polls[i + 2];
		bool sends = has_to_send(peer);

		poll->fd = peer->fd;
		poll->events = 0;
		if (sends && !peer->due_ns)
			poll->events |= POLLOUT;
		if (!peer->ended && (!sends || !serving->echoes))
			poll->events |= POLLIN;
		/* Nothing to ask: its end would be told again and again. */
		if (!poll->events)
			poll->fd = -1;
	}
	left = due ? due - clock_ns() : 0;
	if (left < 0)
		left = 0;
	timeout.tv_sec = (time_t)(left / NS_PER_S);
	timeout.tv_nsec = (long)(left % NS_PER_S);
	return ppoll(serving->polls, serving->npeers + 2,
	             due ? &timeout : NULL, NULL);
}

/* Reads, and replies at once: no poll stands between the two. */
static bool
serve_peer(struct serving *serving, struct peer *peer, short happened)
{
	if (happened & (POLLIN | POLLHUP | POLLERR) && !peer->ended &&
	    !(serving->echoes && has_to_send(peer)) &&
	    !receive_some(serving, peer))
		return false;
	if (has_to_send(peer) && !send_some(serving, peer))
		return false;
	return !peer->ended || has_to_send(peer);
}

static void
serve(struct serving *serving)
{
	size_t n = serving->npeers;

	if (wait_for_work(serving) < 0)
		return;
	if (serving->polls[0].revents)
		answer(serving);
	/* From the last down: what is dropped is replaced by the last. */
	for (size_t i = n; i-- > 0;) {
		short happened = serving->polls[i + 2].fd < 0 ? 0 :
		                 serving->polls[i + 2].revents;

		if (!serve_peer(serving, &serving->peers[i], happened))
			drop(serving, i);
	}
	if (serving->polls[1].revents & POLLIN)
		accept_one(serving);
}

static void
set_sizes(struct serving *serving)
{
	const struct value *options = serving->server->options;
	const struct value *request = &options[SERVER_REQUEST];
	const struct value *reply = &options[SERVER_REPLY];

	serving->echoes = !request->text && !reply->text;
	serving->request = request->text ? request->n : reply->n;
	serving->reply = reply->text ? reply->n : request->n;
	serving->delay_ns = options[SERVER_DELAY].text ?
	                    options[SERVER_DELAY].n : 0;
	serving->nodelay = !options[SERVER_NODELAY].text ||
	                   options[SERVER_NODELAY].n == 0;
	for (size_t i = 0; i < sizeof(serving->out); i++)
		serving->out[i] = (unsigned char)(i % CYCLE);
}

void
server_run(struct server *server)
{
	struct serving *serving = calloc(1, sizeof(*serving));

	if (!serving || (server->options[SERVER_CPU].text &&
	                 cpus_bind(server->options[SERVER_CPU].text) < 0))
		_exit(125);
	serving->server = server;
	serving->diag = server->kind == NET_UNIX ? -1 : net_diag_open();
	set_sizes(serving);
	for (;;)
		serve(serving);
}

/*
 * server: the request/reply server of "serve", in a process of its own.
 *
 * Order: server_open() in the guard (finds the port, so that the address is
 * known), then server_run() in the process forked for it. The guard asks for
 * the server's CPU with server_ask(), between rounds.
 *
 * Byte i of each request and of each reply (i from 0 within the message) is
 * i mod 251; the server checks each request's bytes and closes the
 * connection of a client that sends others. Without sizes it echoes.
 * A peer that is not this user's is refused (its connection is closed).
 */
#ifndef FORKLOAD_SYS_SERVER_H
#define FORKLOAD_SYS_SERVER_H

#include <stdbool.h>
#include <stdint.h>

#include "base/errmsg.h"
#include "base/rows.h"
#include "sys/usage.h"

/* The kinds of "serve" and its options, in the order of enum server_option. */
extern const struct server_kind server_kinds[];
extern const struct param server_params[];

enum server_option {
	SERVER_REQUEST, SERVER_REPLY, SERVER_DELAY, SERVER_BACKLOG,
	SERVER_NODELAY, SERVER_CPU, SERVER_OPTIONS
};

/* In shared memory: what the server tells. */
struct server_board {
	struct usage usage;      /* its own CPU, when it was last asked */
	uint32_t asked;          /* counts server_ask() */
	uint32_t answered;       /* the same when usage is up to date */
	uint64_t wrong;          /* requests whose bytes were wrong */
	uint64_t refused;        /* peers of other users */
};

struct server {
	int kind;                        /* enum net_family */
	struct value options[SERVER_OPTIONS];  /* text NULL: not given */
	int listen_fd;
	int control[2];                  /* pipe: one byte asks for the usage */
	char address[128];
	struct server_board *board;
};

/*
 * Listens. path is where a unix socket is to be. board lies in shared
 * memory. 0, or -1 with why; then there is nothing to close.
 */
int server_open(struct server *server, const char *path, struct errmsg *why);

/* Serves until it is killed. Never returns; leaves with 125 on an error. */
_Noreturn void server_run(struct server *server);

/*
 * Asks and waits (at most a second) for board->usage: 0, or -1 where no
 * answer came.
 */
int server_ask(struct server *server);

void server_close(struct server *server);

#endif

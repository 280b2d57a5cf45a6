/*
 * net: addresses as bash writes them, and sockets on loopback only.
 *
 * An address is "/dev/tcp/HOST/PORT" with HOST a number (127.0.0.1, ::1) or
 * "localhost", or the path of a unix socket. Nothing here ever reaches
 * another machine: a HOST that is not on loopback is refused.
 *
 * All functions return -1 with why where they fail. Descriptors are
 * close-on-exec. net_connect() and what it calls allocate nothing, for the
 * applets use them.
 */
#ifndef FORKLOAD_SYS_NET_H
#define FORKLOAD_SYS_NET_H

#include <stdbool.h>
#include <stddef.h>

#include "base/errmsg.h"

enum net_family { NET_TCP, NET_TCP6, NET_UNIX };

/* Is it a "/dev/tcp/..." address (a path may still be a unix socket)? */
bool net_is_tcp(const char *address);

/*
 * Listens on a free port of loopback, or (NET_UNIX) at path, and writes the
 * address that clients use to address. backlog 0: SOMAXCONN.
 */
int net_listen(enum net_family family, const char *path, int backlog,
               char *address, size_t room, struct errmsg *why);

/* Connects; the descriptor. */
int net_connect(const char *address, struct errmsg *why);

/* Sets TCP_NODELAY; nothing where it is no TCP socket. */
void net_nodelay(int fd);

/* A sock_diag socket for net_peer_is_ours(), or -1 where there is none. */
int net_diag_open(void);

/*
 * Does the peer of an accepted socket belong to this process's user? For TCP
 * the kernel is asked over the diag socket, else /proc/net/tcp is read; where
 * neither is to be had the answer is yes, for there is no means to know. So it
 * is for a peer that was closed meanwhile: nobody holds that socket, and what
 * is sent to it nobody reads.
 */
bool net_peer_is_ours(int fd, enum net_family family, int diag);

#endif

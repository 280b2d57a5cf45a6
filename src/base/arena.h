/*
 * arena: memory that is given back all at once.
 *
 * The chunks are shared anonymous mappings. A fork does not copy the page
 * tables of such mappings, so what is kept here costs the runner's forks
 * nothing, and what one process writes is seen by all at the same address.
 * But a child of such a fork pays for its first look at it with a page fault:
 * what every child reads is better kept in a private arena.
 *
 * arena_alloc() never returns NULL: where there is no memory it calls the
 * function given to arena_new(), which must not return.
 */
#ifndef FORKLOAD_BASE_ARENA_H
#define FORKLOAD_BASE_ARENA_H

#include <stddef.h>

struct arena;

/* Returns NULL with errno where not even the first chunk can be had. */
struct arena *arena_new(void (*no_memory)(void));
void arena_free(struct arena *arena);

/* One whose memory each forked process has a copy of; lacks are told alike. */
struct arena *arena_private(const struct arena *like);

/* Zeroed bytes, aligned for any object. */
void *arena_alloc(struct arena *arena, size_t size);

/* count objects of size bytes; an overflow counts as no memory. */
void *arena_array(struct arena *arena, size_t count, size_t size);

/* A copy with a NUL behind it. */
char *arena_copy(struct arena *arena, const char *text, size_t len);
char *arena_printf(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/*
 * Makes room for one more element at the end of an array that grows by
 * doubling (the old one stays behind in the arena), adds 1 to *count and
 * returns the new element, zeroed. array is the address of the pointer to
 * the first element, which starts as NULL with *count 0.
 */
void *arena_push(struct arena *arena, void *array, size_t *count, size_t size);

#endif

#include "arena.h"

#include <errno.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#define FIRST_CHUNK ((size_t)64 << 10)
#define ALIGNMENT   16

struct chunk {
	struct chunk *older;
	size_t size;
	size_t used;
};

struct arena {
	void (*no_memory)(void);
	int sharing;             /* MAP_SHARED or MAP_PRIVATE */
	struct chunk *newest;
};

static size_t
round_up(size_t size)
{
	return (size + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static struct chunk *
chunk_new(size_t size, int sharing, struct chunk *older)
{
	struct chunk *chunk = mmap(NULL, size, PROT_READ | PROT_WRITE,
	                           sharing | MAP_ANONYMOUS, -1, 0);

	if (chunk == MAP_FAILED)
		return NULL;
	chunk->older = older;
	chunk->size = size;
	chunk->used = round_up(sizeof(*chunk));
	return chunk;
}

static struct arena *
make(int sharing, void (*no_memory)(void))
{
	struct chunk *chunk = chunk_new(FIRST_CHUNK, sharing, NULL);
	struct arena *arena;

	if (!chunk)
		return NULL;
	arena = (struct arena *)((char *)chunk + chunk->used);
	chunk->used += round_up(sizeof(*arena));
	arena->no_memory = no_memory;
	arena->sharing = sharing;
	arena->newest = chunk;
	return arena;
}

struct arena *
arena_new(void (*no_memory)(void))
{
	return make(MAP_SHARED, no_memory);
}

struct arena *
arena_private(const struct arena *like)
{
	struct arena *arena = make(MAP_PRIVATE, like->no_memory);

	if (!arena)
		like->no_memory();
	return arena;
}

void
arena_free(struct arena *arena)
{
	struct chunk *chunk = arena ? arena->newest : NULL;

	while (chunk) {
		struct chunk *older = chunk->older;

		munmap(chunk, chunk->size);
		chunk = older;
	}
}

void *
arena_alloc(struct arena *arena, size_t size)
{
	struct chunk *chunk = arena->newest;
	size_t rounded = round_up(size ? size : 1);
	size_t want = chunk->size * 2;
	void *object;

	if (rounded < size || rounded > SIZE_MAX / 4)
		arena->no_memory();
	if (rounded > chunk->size - chunk->used) {
		while (want < rounded + round_up(sizeof(*chunk)))
			want *= 2;
		chunk = chunk_new(want, arena->sharing, arena->newest);
		if (!chunk)
			arena->no_memory();
		arena->newest = chunk;
	}
	object = (char *)chunk + chunk->used;
	chunk->used += rounded;
	return object;
}

void *
arena_array(struct arena *arena, size_t count, size_t size)
{
	if (size && count > SIZE_MAX / size)
		arena->no_memory();
	return arena_alloc(arena, count * size);
}

char *
arena_copy(struct arena *arena, const char *text, size_t len)
{
	char *copy = arena_alloc(arena, len + 1);

	memcpy(copy, text, len);
	return copy;
}

char *
arena_printf(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;
	int len;

	va_start(args, format);
	len = vsnprintf(NULL, 0, format, args);
	va_end(args);
	if (len < 0)
		arena->no_memory();
	text = arena_alloc(arena, (size_t)len + 1);
	va_start(args, format);
	vsnprintf(text, (size_t)len + 1, format, args);
	va_end(args);
	return text;
}

void *
arena_push(struct arena *arena, void *array, size_t *count, size_t size)
{
	size_t n = *count;
	char *elements;

	memcpy(&elements, array, sizeof(elements));
	/* Room is for 4, 8, 16... elements: full exactly at those counts. */
	if (n == 0 || (n >= 4 && (n & (n - 1)) == 0)) {
		char *larger = arena_array(arena, n ? n * 2 : 4, size);

		if (n)
			memcpy(larger, elements, n * size);
		elements = larger;
		memcpy(array, &elements, sizeof(elements));
	}
	*count = n + 1;
	return memset(elements + n * size, 0, size);
}

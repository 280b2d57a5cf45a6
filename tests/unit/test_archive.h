/*
 * test_archive: files to be read back, for the tests of lab/archive.h.
 *
 * A test begins with archive_setup() and ends with archive_teardown(); each
 * reading gives back what the one before it has read.
 */
#ifndef FORKLOAD_TEST_ARCHIVE_H
#define FORKLOAD_TEST_ARCHIVE_H

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"
#include "base/strbuf.h"
#include "lab/archive.h"
#include "unit.h"

static inline void
no_memory(void)
{
	exit(1);
}

struct fixture {
	struct arena *arena;     /* of the text */
	struct arena *each;      /* of what is read, made anew each time */
	char path[64];
};

static inline void
archive_setup(struct fixture *f)
{
	int fd;

	f->arena = arena_new(no_memory);
	f->each = NULL;
	strcpy(f->path, "/tmp/forkload-archive-XXXXXX");
	fd = mkstemp(f->path);
	ck_assert_int_ge(fd, 0);
	close(fd);
}

static inline void
archive_teardown(struct fixture *f)
{
	unlink(f->path);
	arena_free(f->each);
	arena_free(f->arena);
}

static inline int
read_back(struct fixture *f, const char *text, size_t len,
          struct archive *archive, struct errmsg *why)
{
	int fd = open_file(f->path, O_WRONLY | O_TRUNC, 0);

	ck_assert_int_ge(fd, 0);
	ck_assert_int_eq(write_all(fd, text, len), 0);
	close(fd);
	arena_free(f->each);
	f->each = arena_new(no_memory);
	memset(archive, 0, sizeof(*archive));
	return archive_read(f->each, f->path, archive, why);
}

static inline struct archive
read_text_back(struct fixture *f, const char *text)
{
	struct archive archive;
	struct errmsg why;

	ck_assert_msg(read_back(f, text, strlen(text), &archive, &why) == 0,
	              "%s", why.text);
	return archive;
}

/* Has one note that text? */
static inline bool
is_noted(const struct archive *archive, const char *text)
{
	for (size_t i = 0; i < archive->nnotes; i++)
		if (strstr(archive->notes[i], text))
			return true;
	return false;
}

/* A block's value says which it is, so that no other can pass for it. */
static inline int
value_of(int pair, int side)
{
	return 400000 + pair * 10 + side;
}

static inline void
put_run(struct strbuf *out, const char *boot, int pairs)
{
	static const char *const names[] = { "aslr=on", "aslr=off" };

	strbuf_printf(out, "# forkload: 0.1\n# kernel: 6.12.0\n# boot: %s\n"
	              "# workload: loopback 9f8e7d6c\n# seed: 1\n", boot);
	for (int p = 0; p < pairs; p++)
		for (int side = 0; side < 2; side++)
			strbuf_printf(out, "BenchmarkLoopback/clients/%s 50 %d "
			              "ns/op 81000 user-ns/op 301000 sys-ns/op"
			              "\n# block: pair=%d position=%d start=%d "
			              "total=21206150 min=400000 q25=410000 "
			              "q75=430000 max=600000 switches=120 "
			              "failures=0\n", names[side],
			              value_of(p, side), p, side, p * 1000);
	strbuf_puts(out, "# split: clients/aslr=on: known, user 7 ppm, error "
	            "9 ppm\n# end: why=width pairs=5 looks=1\n");
}

/* Is each block one that was written, with its own place or none? */
static inline size_t
check_blocks(const struct archive *archive)
{
	size_t count = 0;

	for (size_t r = 0; r < archive->nruns; r++)
		for (size_t s = 0; s < archive->runs[r].nseries; s++) {
			const struct archive_series *series =
				&archive->runs[r].series[s];

			for (size_t i = 0; i < series->nblocks; i++) {
				const struct archive_block *b =
					&series->blocks[i];
				int64_t place = b->place.pair * 10 +
				                b->place.position;

				ck_assert(!b->placed || b->value ==
				          (400000 + place) * 1000);
				ck_assert_int_eq(b->user, 81000000);
				ck_assert_int_eq(b->value / 1000 % 10,
				                 strcmp(series->parts[2],
				                        "aslr=off") == 0);
				count++;
			}
		}
	return count;
}

#endif

#include "like.h"

#include <sys/mman.h>
#include <unistd.h>

/*
 * Measured on Linux 6.18, x86-64, with bash 5.2 in a UTF-8 locale, dash
 * 0.5.12 (both with glibc's shared libraries) and busybox 1.35 (static), in
 * a loop over a program without libc:
 *
 *                                        bash   dash  busybox
 *   mappings                               42     24       11
 *   KiB written                           276    104       64
 *   page faults a fork, in the parent      26      9        8
 *                       in the child       25     21       18
 *
 * (dash's after the fork of a subshell; it starts commands by vfork.) The
 * rows below are that without the runner's own 11 mappings, 40 KiB, 2 and 4
 * faults; but the shells' own work (parsing, their system calls) is not
 * there, and for it dash has 3 mappings more, busybox 6 and the 40 KiB. bash's
 * writes are fewer by 4 on each side: a loop of it takes 46 faults a program
 * in all, and the full counts here would take 54.
 * Microseconds a program, medians of 25 alternated blocks of 200 on one CPU,
 * the shell against this with spawn.c in a static glibc program: bash 267
 * and 278, dash's subshell 195 and 192, busybox 173 and 178; dash's vfork 88
 * and 85.
 */
const struct like likes[] = {
	{ "bash",    false, 31, 240, 20, 17 },
	{ "dash",    true,  16,  64,  7, 16 },
	{ "busybox", false,  6,  64,  6, 14 },
	{ NULL, false, 0, 0, 0, 0 },
};

/* Neighbours lie in different mappings, as what a shell writes does. */
static volatile char *
page_at(const struct like_memory *memory, unsigned n)
{
	return memory->base + n % memory->mappings * memory->stride +
	       n / memory->mappings * memory->page;
}

static unsigned
least(unsigned one, unsigned other)
{
	return one < other ? one : other;
}

/* Pages may be larger than 4 KiB: then there are fewer of them to write. */
static void
measure(const struct like *like, struct like_memory *memory)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned pages = (unsigned)(like->dirty_kib * 1024U / page);

	if (pages < like->mappings)
		pages = like->mappings;
	memory->page = page;
	memory->pages = pages;
	memory->mappings = like->mappings;
	memory->stride = page * (1 + (pages - 1) / like->mappings + 1);
	memory->parent_writes = least(like->parent_writes, pages);
	memory->child_writes = least(like->child_writes, pages);
}

/*
 * One mapping, with holes cut into it: what touches would be one mapping to
 * the kernel. The holes come before the writes, for pages that are written
 * first share the bookkeeping (anon_vma) that a fork copies.
 */
int
like_open(const struct like *like, struct like_memory *memory,
          struct errmsg *why)
{
	size_t len;
	char *hole;

	measure(like, memory);
	len = memory->page + memory->mappings * memory->stride;
	hole = mmap(NULL, len, PROT_READ | PROT_WRITE,
	            MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (hole == MAP_FAILED)
		return errmsg_errno(why, "cannot map %zu bytes", len);
	memory->base = hole + memory->page;
	for (unsigned i = 0; i <= memory->mappings; i++)
		if (munmap(hole + i * memory->stride, memory->page) < 0)
			return errmsg_errno(why, "cannot part a mapping");
	for (unsigned i = 0; i < memory->pages; i++)
		*page_at(memory, i) = 1;
	return 0;
}

void
like_parent(const struct like_memory *memory)
{
	for (unsigned i = 0; i < memory->parent_writes; i++)
		*page_at(memory, i) = 2;
}

/* From the other end: as few pages as can be are the parent's as well. */
void
like_child(const struct like_memory *memory)
{
	for (unsigned i = 0; i < memory->child_writes; i++)
		*page_at(memory, memory->pages - 1 - i) = 3;
}

/*
 * benchfmt: the small rules of results files, for those who write and read
 * them.
 *
 * A line "Benchmark" NAME COUNT VALUE UNIT... has its name's parts (workload,
 * step, variant) joined with '/'. A console's copy of a results file stands
 * between two marker lines, each of its lines with a check value behind it,
 * so that what a serial line or a kernel message damaged is found.
 * forkload(5) describes the format as a whole.
 */
#ifndef FORKLOAD_LAB_BENCHFMT_H
#define FORKLOAD_LAB_BENCHFMT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define BENCHFMT_NAME  "Benchmark"
#define BENCHFMT_BEGIN "----- forkload results begin -----"
#define BENCHFMT_END   "----- forkload results end -----"
/* Behind a line's text: this, then 8 hex digits. */
#define BENCHFMT_MARK  " ~"

/* FNV-1a, 32 bit, after Fowler, Noll and Vo. */
uint32_t benchfmt_check(const char *text, size_t len);

/*
 * Adds a part of a name as it is written: blanks, control characters, '%',
 * '/' and a '-' before a final number become %XX. The first part of a name
 * begins with an upper-case letter: readers of the format take no other.
 */
void benchfmt_part(struct strbuf *out, const char *part, bool first);

/*
 * The part that was written so, in the arena; a '%' without two hex digits
 * stays. Whether the first letter was a capital is not known any more.
 */
char *benchfmt_unpart(struct arena *arena, const char *text, size_t len);

/*
 * Adds lines (each with its newline; one that has none is given it) as a
 * console's copy: the markers around them, a check value behind each.
 */
void benchfmt_console(struct strbuf *out, const char *lines, size_t len);

#endif

/*
 * units: numbers with units, in and out.
 *
 * The readers take a whole word and return 0, or -1 where it is not such a
 * number or too large (EINVAL, ERANGE); *out is then untouched.
 */
#ifndef FORKLOAD_BASE_UNITS_H
#define FORKLOAD_BASE_UNITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define MOST_CPUS     4096
#define PPM_A_PERCENT 10000

/* "12", "-3" */
int parse_int(const char *text, int64_t *out);
/* "64", "4k", "2m", "1g", in units of 1024: bytes */
int parse_size(const char *text, int64_t *out);
/* "10ms", "1.5s", "3us", "20ns", "2m"; "0": nanoseconds */
int parse_duration(const char *text, int64_t *out);

/* "1", "0.5", "2%": millionths of the whole, so that "1" is 10000 */
int parse_percent(const char *text, int64_t *out);

/*
 * A list of CPUs, "0,2-5". Calls add(cpu, state) for each, where add is not
 * NULL; numbers are below MOST_CPUS.
 */
int parse_cpus(const char *text, void (*add)(int cpu, void *state),
               void *state);

/* Can memory be so large? 4g cannot, where an address has 32 bits. */
bool size_fits(int64_t bytes);

/* "4k", or the plain number where no unit divides it; returns text. */
char *format_size(int64_t bytes, char *text, size_t room);
/* "10ms": the largest unit that divides it (1500000 ns: "1500us"). */
char *format_duration(int64_t ns, char *text, size_t room);

/* For reading: three significant digits: "524 us", "13.1 ms", "4.90 s". */
char *show_duration(int64_t ns, char *text, size_t room);
/* "110", "1,234,567" */
char *show_count(int64_t count, char *text, size_t room);

#endif

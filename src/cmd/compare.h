/*
 * compare: what the files of the subcommand share.
 *
 * A side is one operand: the runs of its files, each of which belongs to a
 * boot. compare_sides.c reads sides and their values, compare_judge.c makes
 * the report's rows of two of them, compare_environment.c tells how they
 * differ; compare.c reads the command line and chooses the exit status.
 */
#ifndef FORKLOAD_CMD_COMPARE_H
#define FORKLOAD_CMD_COMPARE_H

#include "cmd/gate.h"
#include "lab/archive.h"
#include "report/compare.h"

struct side {
	const char *name;        /* the operand */
	struct archive archive;
	const char **boots;      /* their ids, without those that are equal */
	size_t nboots;
	size_t nruns;            /* values of lists counted as runs */
};

/* Reads an operand: 0, or -1 with why. */
int side_read(struct arena *arena, const char *path, struct side *side,
              struct errmsg *why);

enum side_figure { SIDE_REAL, SIDE_CPU, SIDE_USER, SIDE_SYS };

struct values {
	int64_t *list;
	size_t count;
};

/*
 * Of the series of that key: one value for each boot that has it (the median
 * of its blocks), or for each run. What failed, or was not told, is left out.
 */
struct values side_boot_values(struct arena *arena, const struct side *side,
                               const char *key, enum side_figure figure);
struct values side_run_values(struct arena *arena, const struct side *side,
                              const char *key, enum side_figure figure);

/* The first series of that key, or NULL. */
const struct archive_series *side_series(const struct side *side,
                                         const char *key);

/* All keys, in the order of the files. */
size_t side_keys(struct arena *arena, const struct side *side,
                 const char ***keys);

/* "clients", "clients aslr=on"; with the workload's name where asked for. */
const char *series_name(struct arena *arena,
                        const struct archive_series *series, bool workload);

/* One boot in all, and the same on both sides? */
bool sides_share_boot(const struct side *a, const struct side *b);

/* Did the runs of two sides alternate, as far as the files tell? */
bool sides_alternate(struct arena *arena, const struct side *a,
                     const struct side *b);

/* ---- rows -------------------------------------------------------------- */

struct compare_plan {
	int64_t margin_ppm;
	int64_t operands;        /* that are compared with the first */
};

/* Fills the table but for its differences; no rows: nothing is in common. */
void compare_sides(struct arena *arena, const struct side *a,
                   const struct side *b, const struct compare_plan *plan,
                   struct compare_table *table);

/* The same for the environments. */
void compare_environments(struct arena *arena, const struct side *a,
                          const struct side *b, struct compare_table *table);

/* A row's interval; where more is better with its sign turned, as time. */
struct interval row_in_time(const struct compare_row *row);

/* ---- exit statuses ----------------------------------------------------- */

/*
 * Judges a limit, which is a percentage, by all rows that it speaks of; a
 * sentence in why where the verdict is not GATE_HOLDS_NOT.
 */
enum gate_verdict compare_gate(const struct gate *gate,
                               const struct compare_table *table,
                               struct errmsg *why);

/* Is there a row that it speaks of? */
bool compare_gate_applies(const struct gate *gate,
                          const struct compare_table *table);

/*
 * Whose is NEW, of the sides GOOD, BAD and NEW? EXIT_DONE: GOOD's;
 * EXIT_FAILED: BAD's; EXIT_OWN: cannot tell. A line for each series in out.
 */
int compare_bisect(struct arena *arena, const struct side *sides,
                   struct strbuf *out);

#endif

/*
 * plot: results as a picture: SVG, by itself, readable without colour.
 *
 * A panel is a step of a workload: the distribution of the block medians of
 * each of its series, on one axis, and below it, where the blocks of two
 * series are pairs, their ratios in the order in which they ran, with the
 * interval of the median.
 */
#ifndef FORKLOAD_REPORT_PLOT_H
#define FORKLOAD_REPORT_PLOT_H

#include <stdint.h>

#include "base/strbuf.h"

struct plot_series {
	const char *name;        /* of the variant, or the file */
	const double *values;    /* the blocks' medians, in the panel's unit */
	size_t count;            /* at least 1 */
	/* Against the panel's first series, ppm, in order; NULL: no pairs. */
	const int64_t *ratios;
	size_t nratios;
};

struct plot_panel {
	const char *title;       /* "loopback / parse, FILE" */
	const char *unit;        /* "us" */
	const struct plot_series *series;
	size_t nseries;
};

/* All panels, one below the other, as one SVG document. */
void plot_svg(const struct plot_panel *panels, size_t count,
              struct strbuf *out);

#endif

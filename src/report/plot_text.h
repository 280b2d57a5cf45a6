/*
 * plot_text: a comparison's pairs as characters, in 80 columns.
 */
#ifndef FORKLOAD_REPORT_PLOT_TEXT_H
#define FORKLOAD_REPORT_PLOT_TEXT_H

#include "base/strbuf.h"
#include "lab/comparison.h"

/*
 * Of a step (nsteps: the round) in the first variant and in another: the
 * distribution of the blocks' medians, and the pairs' ratios in the order in
 * which they ran. Wants at least one pair.
 */
void plot_text(const struct comparison *comparison, size_t variant,
               size_t step, struct strbuf *out);

#endif

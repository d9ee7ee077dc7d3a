/* SPDX-License-Identifier: MIT */
/*
 * binned: operators for the steps of a reduction by index that sorts or splits.
 */
#ifndef CLF_BINNED_H
#define CLF_BINNED_H

#include "core/core.h"

/* An operator, and the texts that it points to. */
typedef struct clf_binned {
    clf_operator op;
    clf_text value, input, captured, source;
} clf_binned;
/* The first one's last captured array has these ulongs: bins of a row, elements of a row, bins of all rows. */
enum { CLF_BINNED_BINS, CLF_BINNED_SIZE, CLF_BINNED_END, CLF_BINNED_NUMBERS };
/* That of ranges has the first two of these, then the logarithm of the bins of a range, a power of two. */
enum { CLF_BINNED_SHIFT = CLF_BINNED_END };
/* For a sort, of one row or of rows: an element becomes its value, whose first field, the key, is its bin. */
clf_status clf_binned_elements(const clf_operator_copy *op, bool rows, clf_binned *binned, clf_error *error);
/* For a split: deals inputs out by ranges of bins. Those without a bin go to the last range, or beyond. */
clf_status clf_binned_ranges(const clf_operator_copy *op, clf_binned *binned, clf_error *error);
/* For a sort of unchanged elements by their first field, a bin of 32 bits: negative ones count as large. */
clf_status clf_binned_inputs(const clf_operator_copy *op, clf_binned *binned, clf_error *error);
/* For a reduction: combines values that exist, or makes them of elements. It points to texts of `op`. */
clf_status clf_binned_values(const clf_operator_copy *op, clf_binned *binned, clf_error *error);
clf_status clf_binned_made(const clf_operator_copy *op, clf_binned *binned, clf_error *error);
void clf_binned_free(clf_binned *binned);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The point of a case that is worth a line of a profile.
 *
 * Of each case (a primitive's family and a type) the point is taken whose geometric mean over shapes is the least, if
 * that is less than of the model, and of what clfold chose with the profiles that it had (rows "auto"), and if it is
 * much slower than these on no shape. Where it gains next to nothing, none: a profile is laid over the others, and
 * these do as well. Of several lengths of arrays the longest counts.
 */
#include "tune/tune.h"

#include <math.h>
#include <string.h>

static const double worth_a_line = 0.99; /* of the time without it */
static const double veto = 1.03;         /* on no shape more than that */

tune_row tune_as_shipped(const tune_row *row)
{
    tune_row shipped = *row;
    strcpy(shipped.variant, "auto");
    shipped.define[0] = '\0';
    return shipped;
}

/* Is it nearly as fast on every shape as the model, and as what ships if that is no worse than the model? */
static bool is_allowed(const tune_log *log, const tune_row *row, const tune_row *const *shape, unsigned shapes,
                       bool worse)
{
    for (unsigned s = 0; s < shapes; ++s) {
        const tune_row at = tune_row_at(row, shape[s]), shipped = tune_as_shipped(&at);
        const double now = worse ? 1 : tune_median(log, &shipped);
        if (!(tune_median(log, &at) <= veto * (now > 0 ? fmin(1, now) : 1)))
            return false;
    }
    return true;
}

/* What is in force without a line: what ships, or else the model. INFINITY if that fails. */
static double in_force(const tune_log *log, const tune_row *row, unsigned shapes)
{
    const tune_row shipped = tune_as_shipped(row);
    const double score = tune_score(log, &shipped, shapes);
    return score > 0 ? score : 1;
}

const tune_row *tune_best(const tune_log *log, const tune_row *last, double *gain, double *least)
{
    const tune_row *shape[16], *best = NULL;
    const unsigned shapes = tune_shapes(log, last, shape, 16);
    const double now = in_force(log, last, shapes);
    *gain = now > 1 ? now : worth_a_line * now; /* whatever is worse than the model gives way to that at the least */
    *least = fmin(1, now);
    for (size_t i = 0; i < log->count; ++i) {
        const tune_row *row = &log->row[i];
        if (!tune_same_case(row, last) || strcmp(row->variant, "auto") == 0 || (best && tune_same_point(row, best)))
            continue;
        const double score = tune_score(log, row, shapes);
        if (score > 0)
            *least = fmin(*least, score);
        if (score > 0 && score < *gain && is_allowed(log, row, shape, shapes, now > 1)) {
            best = row;
            *gain = score;
        }
    }
    if (!best)
        *gain = now;
    return best;
}

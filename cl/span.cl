/* SPDX-License-Identifier: MIT */
/*
 * span: the part of a share that is in local memory at a time, and how one unit (stretch.cl) combines it, whatever
 * segments end in it: each work-item combines its run of CLF_ITEMS elements (at most 32: a bit for each) in order,
 * and leaves in the place of each element that ends a segment what adds up since the one before; the unit scans the
 * runs, and the first end of each gets what lies left of the run.
 */
#include "group_scan.cl"

#if CLF_ITEMS > 32
#error "CLF_ITEMS is more than the bits of a word"
#endif

/* Elements at … at + count - 1. */
typedef struct {
    ulong at;
    uint count;
} clf_span;

/* Index of the lowest set bit; the mask is not 0. */
static inline uint clf_lowest(uint mask)
{
    return 31 - clz(mask & (~mask + 1));
}

/* Combines this work-item's run. `whole`: is the stretch full? A constant where this is inlined. */
static inline clf_run clf_row_walk(const clf_arguments *a, const clf_span *span, uint ends, bool whole,
                                   __local clf_value_stretches *data)
{
    const uint from = clf_unit_lane() * CLF_ITEMS;
    clf_value sum = clf_neutral();
    CLF_UNROLL_ROW for (uint j = 0; j < CLF_ITEMS; ++j) {
        if (whole || from + j < span->count) {
            clf_extra extra;
            const clf_input x = clf_stretches_get(&data->in, from + j, 1);
            sum = clf_combine(sum, clf_map_at(a, x, span->at + from + j, &extra));
            if (CLF_HAS_EXTRA)
                clf_stretches_set(&data->in, from + j, 1, extra);
            if (ends >> j & 1) {
                clf_values_set(data, from + j, sum);
                sum = clf_neutral();
            }
        }
    }
    return clf_run_of(sum, ends != 0);
}

/* Full stretches have code of their own, and those without ends, where there are lanes: see scan_tile.cl. */
#if CLF_LANE_WIDTH > 1

static inline clf_run clf_row_reduce(const clf_arguments *a, const clf_span *span, uint ends,
                                     __local clf_value_stretches *data)
{
    if (span->count != CLF_STRETCH)
        return clf_row_walk(a, span, ends, false, data);
    return clf_ballot(ends != 0) ? clf_row_walk(a, span, ends, true, data) : clf_row_walk(a, span, 0, true, data);
}

/* What lies left of this work-item in its unit; *all: everything, for all. */
static inline clf_run clf_unit_scan_runs(clf_run r, __local clf_group_storage *s, clf_run *all)
{
    const clf_mask heads = clf_run_heads(r);
    const clf_value inclusive = clf_lane_scan_resets(r.sum, heads);
    *all = clf_run_of(clf_value_from(inclusive, CLF_LANE_WIDTH - 1), heads != 0);
    return clf_run_of(clf_lane_exclusive(inclusive), clf_mask_below(heads) != 0);
}

#else

static inline clf_run clf_row_reduce(const clf_arguments *a, const clf_span *span, uint ends,
                                     __local clf_value_stretches *data)
{
    return clf_row_walk(a, span, ends, false, data);
}

static inline clf_run clf_unit_scan_runs(clf_run r, __local clf_group_storage *s, clf_run *all)
{
    return clf_group_scan_runs(r, s, all);
}

#endif

/*
 * Leaves the results of the segments that end in the span in the places of their last elements. Bit k of `ends`:
 * does one end with element k of this work-item's run? The span follows what is `open`; returns what is open behind.
 */
static inline clf_run clf_span_walk(const clf_arguments *a, const clf_span *span, uint ends, clf_run open,
                                    __local clf_value_stretches *data, __local clf_group_storage *group)
{
    clf_run all;
    const clf_run row = clf_row_reduce(a, span, ends, data);
    const clf_run left = clf_run_join(open, clf_unit_scan_runs(row, group, &all));
    if (ends) {
        const uint first = clf_unit_lane() * CLF_ITEMS + clf_lowest(ends);
        clf_values_set(data, first, clf_combine(left.sum, clf_values_get(data, first)));
    }
    return clf_run_join(open, all);
}

/* ---- Spans of a share -------------------------------------------------------------------------------- */

/*
 * How many spans elements first … last - 1 are, and how many elements the first one lacks, so that those behind it
 * start at multiples of 16 elements in memory.
 */
typedef struct {
    ulong count;
    uint lack;
} clf_spans;

static inline clf_spans clf_spans_of(const clf_arguments *a, ulong first, ulong last)
{
    clf_spans s;
    s.lack = CLF_STRETCH > 16 ? (16 - clf_inputs_head(&a->in, first) % 16) % 16 : 0;
    s.count = (last - first + s.lack + CLF_STRETCH - 1) / CLF_STRETCH;
    return s;
}

/* Elements of span k, which starts at `at`. */
static inline uint clf_spans_length(const clf_spans *s, ulong k, ulong at, ulong last)
{
    return (uint)min(last - at, (ulong)(k ? CLF_STRETCH : CLF_STRETCH - s->lack));
}

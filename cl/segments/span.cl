/* SPDX-License-Identifier: MIT */
/*
 * span: the part of a share that is in local memory at a time, and how one unit (lane.cl) combines it, whatever
 * segments end in it. Each work-item reads its run of CLF_ITEMS elements (at most 32: a bit for each) into registers
 * and combines them in order. For each element that ends a segment it stores the sum since the end before. That goes to
 * the element's place in local memory, or to a list of the span's results. Then the unit scans the runs, and the first
 * end of each is combined with the exclusive prefix of its run.
 *
 * Elements and results have no padding, so that runs are read as vectors. If a run is an odd number of vectors, no two
 * lanes access the same bank.
 *
 * needs: nothing
 * provides: clf_prefetch, clf_prefetch_begin, clf_prefetch_end, clf_run_ends, clf_span, clf_span_*
 */
#include "group/run.cl"
#include "memory/chunks.cl"
#include "memory/stretch_fields.cl"
#include "memory/wrapper.cl"
#include "segments/segment.cl"

#if CLF_ITEMS > 32
#error "CLF_ITEMS is more than the bits of a word"
#endif

/* Elements at … at + count - 1. */
typedef struct {
    ulong at;
    uint count;
} clf_span;

/* Is the span that begins at element `at`, of those before `last`, a whole stretch, of vectors where arrays have
 * them? */
static inline bool clf_span_whole(const clf_arguments *a, ulong at, ulong last)
{
    return CLF_LANE_WIDTH > 1 && last - at >= CLF_STRETCH && clf_inputs_head(&a->in, at) == 0 &&
           clf_inputs_aligned(&a->in, at);
}

/*
 * Fetches its elements. Synchronise the unit afterwards; it does in between, for compilers move no load beyond that to
 * where it is waited for.
 */
static inline void clf_span_fetch(const clf_arguments *a, const clf_span *span, ulong last, __local clf_stretches *data)
{
    if (clf_span_whole(a, span->at, last)) {
        clf_stripes stripes;
        clf_stripes_load(&a->in, span->at, &stripes);
        clf_lane_sync();
        clf_stripes_store(&stripes, data);
    } else {
        clf_stretches_fetch(&a->in, span->at, span->count, 0, data);
    }
}

/* The same in two steps: a whole stretch is on its way, in registers, while the one before is worked on. */
typedef struct {
    clf_stripes stripes;
    clf_flag whole;
} clf_prefetch;

static inline void clf_prefetch_begin(const clf_arguments *a, ulong at, ulong last, clf_prefetch *next)
{
    next->whole = clf_span_whole(a, at, last);
    if (next->whole)
        clf_stripes_load(&a->in, at, &next->stripes);
}

static inline void clf_prefetch_end(const clf_arguments *a, const clf_span *span, const clf_prefetch *next,
                                    __local clf_stretches *data)
{
    if (next->whole)
        clf_stripes_store(&next->stripes, data);
    else
        clf_stretches_fetch(&a->in, span->at, span->count, 0, data);
}

/* Index of the lowest set bit; the mask is not 0. */
static inline uint clf_lowest(uint mask)
{
    return 31 - clz(mask & (~mask + 1));
}

/*
 * Bit k of `bits`: does a segment end with element k of this work-item's run? Results go in those elements' places,
 * or, if `listed`, to a list from `at` on.
 */
typedef struct {
    uint bits, at;
    clf_flag listed;
} clf_run_ends;

/* Where the result goes of the segment that ends with element j of the run, `before` others in the run before it. */
static inline uint clf_run_result(clf_run_ends ends, uint j, uint before)
{
    return ends.listed ? ends.at + before : clf_unit_lane() * CLF_ITEMS + j;
}

/* The value of element j of this work-item's run. Extra outputs take its place. */
static inline clf_value clf_span_value(const clf_arguments *a, const clf_span *span, const clf_input *x,
                                       uint j CLF_NUMBERED_PARAMETER, __local clf_value_stretches *data)
{
    const uint place = clf_unit_lane() * CLF_ITEMS + j;
    clf_extra extra;
    const clf_value v = clf_map_at(a, x[j], span->at + place CLF_NUMBERED_SEGMENT, &extra);
    if (CLF_HAS_EXTRA)
        clf_stretches_set(&data->in, place, 0, extra);
    return v;
}

/* Combines this work-item's run. `whole`: is the stretch full? A constant where this is inlined. */
static inline clf_run clf_span_row_walk(const clf_arguments *a, const clf_span *span, const clf_input *x,
                                        clf_run_ends ends, bool whole, __local clf_value_stretches *data)
{
    const uint from = clf_unit_lane() * CLF_ITEMS;
    uint before = 0;
    clf_value sum = clf_neutral();
    CLF_NUMBERED(clf_numbering number = clf_numbering_at(a, span->at + from);)
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        if (whole || from + j < span->count) {
            CLF_NUMBERED(clf_numbering_next(a, &number, j && ends.bits >> (j - 1) & 1);)
            sum = clf_combine(sum, clf_span_value(a, span, x, j CLF_NUMBERED_BY(number), data));
            if (ends.bits >> j & 1) {
                clf_values_set(data, clf_run_result(ends, j, before++), sum);
                sum = clf_neutral();
            }
        }
    }
    return clf_run_of(sum, ends.bits != 0);
}

/* The same of a whole run in which no segment ends: neighbours first, so that combines wait for few others. */
static inline clf_run clf_span_row_tree(const clf_arguments *a, const clf_span *span, const clf_input *x,
                                        __local clf_value_stretches *data)
{
    clf_value v[CLF_ITEMS];
    CLF_NUMBERED(const clf_numbering number = clf_numbering_at(a, span->at + clf_unit_lane() * CLF_ITEMS);)
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
        v[j] = clf_span_value(a, span, x, j CLF_NUMBERED_BY(number), data);
    CLF_UNROLL for (uint d = 1; d < CLF_ITEMS; d *= 2)
        CLF_UNROLL for (uint j = 0; j + d < CLF_ITEMS; j += 2 * d)
            v[j] = clf_combine(v[j], v[j + d]);
    return clf_run_of(v[0], false);
}

/* Full stretches have code of their own, and those without ends, where there are lanes: see scan_tile.cl. */
static inline clf_run clf_span_row_reduce(const clf_arguments *a, const clf_span *span, const clf_input *x,
                                          clf_run_ends ends, __local clf_value_stretches *data)
{
    if (CLF_LANE_WIDTH == 1 || span->count != CLF_STRETCH)
        return clf_span_row_walk(a, span, x, ends, false, data);
    return clf_ballot(ends.bits != 0) ? clf_span_row_walk(a, span, x, ends, true, data)
                                      : clf_span_row_tree(a, span, x, data);
}

/*
 * Leaves the results of the segments that end in the span where they are to go: other elements' places only when all
 * are in registers. The span follows what is `open`; returns what is open behind.
 */
static inline clf_run clf_span_walk(const clf_arguments *a, const clf_span *span, clf_run_ends ends, clf_run open,
                                    __local clf_value_stretches *data, __local clf_run_totals *totals)
{
    clf_input x[CLF_ITEMS];
    clf_run all;
    clf_stretches_run(&data->in, x);
    if (ends.listed)
        clf_unit_sync();
    const clf_run row = clf_span_row_reduce(a, span, x, ends, data);
    const clf_run left = clf_run_combine(open, clf_run_unit_scan(row, totals, &all CLF_COMBINE_A));
    if (ends.bits) {
        const uint first = clf_run_result(ends, clf_lowest(ends.bits), 0);
        clf_values_set(data, first, clf_combine(left.sum, clf_values_get(data, first)));
    }
    return clf_run_combine(open, all);
}

/* ---- Spans of a share -------------------------------------------------------------------------------- */

/*
 * The span that begins at element `at`, of those before `last`: as long as a stretch, but for the last one of a share
 * and the first, which ends at a multiple of 16 elements in memory.
 */
static inline clf_span clf_span_at(const clf_arguments *a, ulong at, ulong last)
{
    const uint lack = CLF_STRETCH > 16 ? (16 - clf_inputs_head(&a->in, at) % 16) % 16 : 0;
    const clf_span s = {at, (uint)min(last - at, (ulong)CLF_STRETCH - lack)};
    return s;
}

/* SPDX-License-Identifier: MIT */
/*
 * expand: the common part of expansions. Segment k has results number ends[k - 1], or 0, up to ends[k] - 1. Results and
 * ends are one sequence, in which an end follows the last result of its segment (merge path). It is cut into equal
 * tiles, so a giant segment is spread evenly, and so are a million empty ones.
 *
 *   a->count   number of segments
 *   a->size    how many results there is room for: further ones are dropped, and count as nothing
 *   a->ends    of each segment; the last one is the number of results
 *
 * An end lies before the cut at `diagonal` if fewer results and ends come before it. So one bisection finds a cut.
 * Baxter, Modern GPU (load-balancing search, 2013); Green, McColl and Bader, GPU Merge Path (2012).
 *
 * Ends that do not ascend give any cuts, but none beyond the results or the segments.
 *
 * needs: a->ends, a->result, a->told
 * provides: clf_expand_range, clf_expand_range_of, clf_expand_tell, clf_expand_tile, clf_expand_tile_of,
 *           clf_expand_total, clf_expand_value, clf_expand_written, bisection
 */
#include "memory/wrapper.cl"
#include "memory/tile.cl"
#include "group/bisect.cl"

static inline clf_bisection clf_bisect_begin(const clf_arguments *a, ulong diagonal)
{
    const clf_bisection c = {max(diagonal, a->size) - a->size, min(diagonal, a->count)};
    return c;
}

static inline bool clf_bisect_before(const clf_arguments *a, ulong k, ulong diagonal)
{
    return min((ulong)a->ends[k], a->size) + k < diagonal;
}

/* Results that there are, and that are written. */
static inline ulong clf_expand_total(const clf_arguments *a)
{
    return a->count ? a->ends[a->count - 1] : 0;
}

static inline ulong clf_expand_written(const clf_arguments *a)
{
    return min(clf_expand_total(a), a->size);
}

/* The caller learns how many results there are. */
static inline void clf_expand_tell(const clf_arguments *a)
{
    if (a->told && get_global_id(0) == 0)
        *a->result = clf_expand_total(a);
}

/* The diagonals of a group's tile: equal, if there is nothing left for it. */
typedef struct {
    ulong from, to;
} clf_expand_range;

static inline clf_expand_range clf_expand_range_of(const clf_arguments *a)
{
    const ulong whole = clf_expand_written(a) + a->count;
    clf_expand_range r;
    r.from = min(get_group_id(0) * (ulong)CLF_TILE, whole);
    r.to = min(r.from + CLF_TILE, whole);
    return r;
}

/* Results from `first` on; segments from `segment` on, of which so many end here. That one begins at `start`. */
typedef struct {
    ulong first, segment, start;
    uint count, ends;
} clf_expand_tile;

/* The tile between two cuts. */
static inline clf_expand_tile clf_expand_tile_of(const clf_arguments *a, const clf_expand_range *r, ulong cut,
                                                 ulong end)
{
    const ulong written = clf_expand_written(a);
    clf_expand_tile t;
    t.segment = min(cut, a->count - 1);
    t.ends = (uint)(clamp(end, cut, cut + (r->to - r->from)) - cut);
    t.first = min(r->from - cut, written);
    t.count = (uint)(min(t.first + (r->to - r->from - t.ends), written) - t.first);
    t.start = cut ? a->ends[cut - 1] : 0;
    return t;
}

/* Result number i, of a segment that begins at `start`. */
static inline clf_value clf_expand_value(const clf_arguments *a, ulong segment, ulong start, ulong i)
{
    const clf_input x = {segment, i - start};
    clf_extra extra;
    return clf_map_at(a, x, i, &extra);
}

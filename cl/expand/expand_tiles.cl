/* SPDX-License-Identifier: MIT */
/*
 * expand_tiles: a tile of an expansion by a work-group. It reads the ends of its tile once, coalesced, into local
 * memory. Each work-item takes chunks of neighbouring results: a search of the ends for the first one, and for the
 * others at most a look at the next end, unless segments are empty. Where outputs allow it, chunks are aligned, and
 * written by vectors.
 *
 * The cuts of tiles lie in scratch (a->cuts), where an earlier launch has left them. If there are few tiles, each group
 * searches its own. No group waits for another.
 *
 *   scratch   ulong: the cut before tile 0 | before tile 1 | …
 *
 * needs: a->cuts, a->ends
 * provides: clf_expand_cuts_body, clf_expand_tiles_body
 */
#include "expand/expand.cl"
#include "memory/chunks.cl"

/* ---- Cuts ----------------------------------------------------------------------------------------------- */

typedef uchar clf_expand_cuts_storage; /* none needed */

/* One cut by each work-item. */
CLF_INLINE void clf_expand_cuts_body(const clf_arguments *a, __local clf_expand_cuts_storage *s)
{
    const ulong tile = get_global_id(0);
    if (tile * CLF_TILE < clf_expand_written(a) + a->count)
        ((__global ulong *)a->scratch)[tile] = clf_bisect(a, tile * CLF_TILE);
}

/* Both cuts of a tile; all ends come before the last cut. Synchronise the group afterwards. */
static inline void clf_expand_cuts_get(const clf_arguments *a, const clf_expand_range *r, __local ulong cut[2])
{
    const ulong whole = clf_expand_written(a) + a->count;
    if (!a->cuts)
        clf_bisect_group(a, r->from, r->to, cut);
    else
        for (uint k = clf_local_id(); k < 2; k += CLF_GROUP)
            cut[k] = (k ? r->to : r->from) == whole ? a->count
                                                    : ((__global const ulong *)a->scratch)[get_group_id(0) + k];
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

typedef struct {
    ulong cut[2];
    uint ends[CLF_TILE]; /* counted from the tile's first result */
} clf_expand_tiles_storage;

static inline void clf_expand_ends_load(const clf_arguments *a, const clf_expand_tile *t, __local uint *ends)
{
    CLF_LOOP for (uint m = clf_local_id(); m < t->ends; m += CLF_GROUP)
        ends[m] = (uint)min((ulong)a->ends[t->segment + m] - t->first, (ulong)t->count);
}

/* The first of the ends, from number `low` on, that lies behind a result of the tile. */
static inline uint clf_expand_find(const clf_expand_tile *t, __local const uint *ends, uint low, uint place)
{
    uint high = t->ends;
    while (low < high) {
        const uint m = (low + high) / 2;
        if (ends[m] <= place)
            low = m + 1;
        else
            high = m;
    }
    return low;
}

/* Where a work-item is: in which segment of the tile, where this begins, and ends in the tile. */
typedef struct {
    ulong segment, start;
    uint number, end;
} clf_expand_walk;

static inline void clf_expand_walk_to(const clf_arguments *a, const clf_expand_tile *t, __local const uint *ends,
                                      uint number, clf_expand_walk *w)
{
    w->number = number;
    w->segment = min(t->segment + number, a->count - 1);
    w->start = number ? t->first + ends[number - 1] : t->start;
    w->end = number < t->ends ? ends[number] : t->count;
}

/* To the segment of a result, which the segment at hand has not: mostly the next one. */
static inline void clf_expand_walk_on(const clf_arguments *a, const clf_expand_tile *t, __local const uint *ends,
                                      uint place, clf_expand_walk *w)
{
    clf_expand_walk_to(a, t, ends, min(w->number + 1, t->ends), w);
    if (w->end <= place)
        clf_expand_walk_to(a, t, ends, clf_expand_find(t, ends, w->number, place), w);
}

static inline void clf_expand_chunk(const clf_arguments *a, const clf_expand_tile *t, __local const uint *ends,
                                    uint place)
{
    clf_value v[CLF_CHUNK];
    clf_expand_walk w;
    clf_expand_walk_to(a, t, ends, clf_expand_find(t, ends, 0, place), &w);
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        if (w.end <= place + k)
            clf_expand_walk_on(a, t, ends, place + k, &w);
        v[k] = clf_expand_value(a, w.segment, w.start, t->first + place + k);
    }
    clf_results_store(&a->out, t->first + place, v);
}

/* Results before `first` and from `last` on, each by itself. */
static inline void clf_expand_singles(const clf_arguments *a, const clf_expand_tile *t, __local const uint *ends,
                                      uint first, uint last)
{
    CLF_LOOP for (uint j = clf_local_id(); j < first + (t->count - last); j += CLF_GROUP) {
        const uint place = j < first ? j : j - first + last;
        clf_expand_walk w;
        clf_expand_walk_to(a, t, ends, clf_expand_find(t, ends, 0, place), &w);
        clf_output_at(&a->out, t->first + place, clf_expand_value(a, w.segment, w.start, t->first + place));
    }
}

/* Where in the tile chunks begin, with a result whose number they divide: then all outputs that begin at whole vectors
 * are aligned. If some do not, at its end. */
static inline uint clf_expand_head(const clf_arguments *a, const clf_expand_tile *t)
{
    const uint head = (CLF_CHUNK - (uint)t->first % CLF_CHUNK) % CLF_CHUNK;
    return clf_results_aligned(&a->out, t->first + head) ? min(head, t->count) : t->count;
}

CLF_INLINE void clf_expand_tiles_body(const clf_arguments *a, __local clf_expand_tiles_storage *s)
{
    const clf_expand_range r = clf_expand_range_of(a);
    clf_expand_cuts_get(a, &r, s->cut);
    clf_group_sync();
    const clf_expand_tile t = clf_expand_tile_of(a, &r, s->cut[0], s->cut[1]);
    clf_expand_ends_load(a, &t, s->ends);
    clf_group_sync();
    const uint head = clf_expand_head(a, &t), chunks = (t.count - head) / CLF_CHUNK;
    clf_expand_tell(a);
    CLF_LOOP for (uint c = clf_local_id(); c < chunks; c += CLF_GROUP)
        clf_expand_chunk(a, &t, s->ends, head + c * CLF_CHUNK);
    clf_expand_singles(a, &t, s->ends, head, head + chunks * CLF_CHUNK);
}

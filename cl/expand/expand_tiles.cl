/* SPDX-License-Identifier: MIT */
/*
 * expand_tiles: a tile of an expansion by a work-group. It reads the ends of its tile, coalesced, and sets a bit for
 * each result where a segment begins, in local memory. The number of bits up to a result tells its segment, without a
 * search. Each work-item takes chunks of neighbouring results. Where outputs allow it, chunks are aligned, and written
 * by vectors.
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
#include "group/count.cl"
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

enum {
    CLF_EXPAND_WORDS_EACH = (CLF_TILE + 32 * CLF_GROUP - 1) / (32 * CLF_GROUP),
    CLF_EXPAND_WORDS = CLF_EXPAND_WORDS_EACH * CLF_GROUP
};

/* Results where segments begin are heads. Of each: its number in the tile, and that of the segment, 16 bits each. */
typedef struct {
    ulong cut[2];
    uint bits[CLF_EXPAND_WORDS + 1]; /* of results: is it a head? The last word has none */
    uint before[CLF_EXPAND_WORDS];   /* heads before each word */
    uint heads[CLF_TILE];
    clf_count_totals totals;
} clf_expand_tiles_storage;

/* The first result behind end number m of the tile, counted from its first one. */
static inline uint clf_expand_end(const clf_arguments *a, const clf_expand_tile *t, uint m)
{
    return (uint)min((ulong)a->ends[t->segment + m] - t->first, (ulong)t->count);
}

/*
 * Heads up to a result; of a tile without ends nothing is counted. (A shift by place % 32 ends Mesa's compiler:
 * rusticl_translator.c of tests/driver_bugs.)
 */
static inline uint clf_expand_rank(const clf_expand_tile *t, __local const clf_expand_tiles_storage *s, uint place)
{
    const uint bit = rotate(1u, place);
    return t->ends == 0 ? 0 : s->before[place / 32] + popcount(s->bits[place / 32] & (bit | (bit - 1)));
}

static inline void clf_expand_mark(const clf_arguments *a, const clf_expand_tile *t,
                                   __local clf_expand_tiles_storage *s)
{
    CLF_LOOP for (uint m = clf_local_id(); m < t->ends; m += CLF_GROUP) {
        const uint end = clf_expand_end(a, t, m);
        (void)atomic_or(&s->bits[end / 32], 1u << end % 32);
        s->heads[m] = 0;
    }
}

static inline void clf_expand_count(__local clf_expand_tiles_storage *s)
{
    const uint first = clf_local_id() * CLF_EXPAND_WORDS_EACH;
    uint sum = 0, all;
    for (uint k = 0; k < CLF_EXPAND_WORDS_EACH; ++k)
        sum += popcount(s->bits[first + k]);
    uint before = clf_count_group_scan(sum, &s->totals, &all);
    for (uint k = 0; k < CLF_EXPAND_WORDS_EACH; ++k) {
        s->before[first + k] = before;
        before += popcount(s->bits[first + k]);
    }
}

/* Behind empty segments, whose ends are equal, is the last of these. */
static inline void clf_expand_name(const clf_arguments *a, const clf_expand_tile *t,
                                   __local clf_expand_tiles_storage *s)
{
    CLF_LOOP for (uint m = clf_local_id(); m < t->ends; m += CLF_GROUP) {
        const uint end = clf_expand_end(a, t, m);
        (void)atomic_max(&s->heads[clf_expand_rank(t, s, end) - 1], end << 16 | (m + 1));
    }
}

/* Where a work-item is: in which segment, and where this begins. */
typedef struct {
    ulong segment, start;
} clf_expand_walk;

/* To the segment of head number `rank`; 0: to the one that began before the tile, or with it. */
static inline void clf_expand_walk_to(const clf_arguments *a, const clf_expand_tile *t,
                                      __local const clf_expand_tiles_storage *s, uint rank, clf_expand_walk *w)
{
    const uint head = rank ? s->heads[rank - 1] : 0;
    w->segment = min(t->segment + (head & 0xffff), a->count - 1);
    w->start = rank ? t->first + (head >> 16) : t->start;
}

static inline void clf_expand_chunk(const clf_arguments *a, const clf_expand_tile *t,
                                    __local const clf_expand_tiles_storage *s, uint place)
{
    const uint bits = (uint)(((ulong)s->bits[place / 32 + 1] << 32 | s->bits[place / 32]) >> place % 32);
    uint rank = clf_expand_rank(t, s, place);
    clf_value v[CLF_CHUNK];
    clf_expand_walk w;
    clf_expand_walk_to(a, t, s, rank, &w);
    if ((bits & ((1u << CLF_CHUNK) - 2)) == 0) /* of one segment: compilers load what is of it once */
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            v[k] = clf_expand_value(a, w.segment, w.start, t->first + place + k);
    else
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
            if (k && bits >> k & 1)
                clf_expand_walk_to(a, t, s, ++rank, &w);
            v[k] = clf_expand_value(a, w.segment, w.start, t->first + place + k);
        }
    clf_results_store(&a->out, t->first + place, v);
}

/* Results before `first` and from `last` on, each by itself. */
static inline void clf_expand_singles(const clf_arguments *a, const clf_expand_tile *t,
                                      __local const clf_expand_tiles_storage *s, uint first, uint last)
{
    CLF_LOOP for (uint j = clf_local_id(); j < first + (t->count - last); j += CLF_GROUP) {
        const uint place = j < first ? j : j - first + last;
        clf_expand_walk w;
        clf_expand_walk_to(a, t, s, clf_expand_rank(t, s, place), &w);
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
    CLF_LOOP for (uint k = clf_local_id(); k <= CLF_EXPAND_WORDS; k += CLF_GROUP)
        s->bits[k] = 0;
    clf_group_sync();
    const clf_expand_tile t = clf_expand_tile_of(a, &r, s->cut[0], s->cut[1]);
    if (CLF_LANE_WIDTH == 1 || t.ends) { /* PoCL 3.1 wants barriers outside conditions */
        clf_expand_mark(a, &t, s);
        clf_group_sync();
        clf_expand_count(s);
        clf_group_sync();
        clf_expand_name(a, &t, s);
        clf_group_sync();
    }
    const uint head = clf_expand_head(a, &t), chunks = (t.count - head) / CLF_CHUNK;
    clf_expand_tell(a);
    CLF_LOOP for (uint c = clf_local_id(); c < chunks; c += CLF_GROUP)
        clf_expand_chunk(a, &t, s, head + c * CLF_CHUNK);
    clf_expand_singles(a, &t, s, head, head + chunks * CLF_CHUNK);
}

/* SPDX-License-Identifier: MIT */
/*
 * expand_tiles: a tile of an expansion by a work-group. It reads the ends of its tile, coalesced, and sets a bit for
 * each result where a segment begins, in local memory. The number of bits up to a result tells its segment, without a
 * search. 32 work-items take rows of 32 results, so that what maps read by the index is coalesced; of results of less
 * than 4 bytes each takes neighbouring ones, which are written by vectors.
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

/* Two cuts by each warp. Behind all results and ends the cut is behind all segments, too. */
CLF_INLINE void clf_expand_cuts_body(const clf_arguments *a, __local clf_expand_cuts_storage *s)
{
    const ulong whole = clf_expand_written(a) + a->count, tile = get_global_id(0) / CLF_PROBES;
    const ulong cut = clf_bisect_by_half(a, min(tile * CLF_TILE, whole));
    if (clf_local_id() % CLF_PROBES == 0 && tile < a->cuts)
        ((__global ulong *)a->scratch)[tile] = tile * CLF_TILE < whole ? cut : a->count;
}

/* Both cuts of a tile, if they are in scratch: every work-item reads them, for that needs no barrier. */
static inline ulong2 clf_expand_cuts_load(const clf_arguments *a)
{
    const ulong tile = a->cuts ? get_group_id(0) : 0; /* some drivers run loads whose guard is false */
    __global const ulong *const cut = (__global const ulong *)a->scratch + tile;
    return a->cuts ? (ulong2)(cut[0], cut[1]) : (ulong2)(0);
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

enum {
    CLF_EXPAND_WORDS_EACH = (CLF_TILE + 32 * CLF_GROUP - 1) / (32 * CLF_GROUP),
    CLF_EXPAND_WORDS = CLF_EXPAND_WORDS_EACH * CLF_GROUP,
    CLF_EXPAND_BLOCKED = CLF_GROUP % 32 ? 1 : CLF_VALUE_BYTES < 4,
    CLF_EXPAND_STEP = CLF_EXPAND_BLOCKED ? 1 : 32,
    CLF_EXPAND_ROWS = CLF_VALUE_BYTES <= 4 ? 8 : CLF_VALUE_BYTES <= 8 ? 4 : CLF_VALUE_BYTES <= 16 ? 2 : 1,
    CLF_EXPAND_EACH = CLF_EXPAND_BLOCKED ? CLF_CHUNK : CLF_EXPAND_ROWS,
    CLF_EXPAND_PIECE = CLF_EXPAND_STEP * CLF_EXPAND_EACH
};

/*
 * Results where segments begin are heads. Of each: its place in the tile, and the number of its segment, 16 bits each.
 * Before them is the segment that began before the tile, or with it.
 */
typedef struct {
    ulong cut[2];
    uint2 words[CLF_EXPAND_WORDS + 1]; /* .x: of 32 results, is it a head? The last word has none. .y: heads before */
    uint heads[CLF_TILE + 1];
    clf_count_totals totals;
} clf_expand_tiles_storage;

/* The first result behind end number m of the tile, counted from its first one. */
static inline uint clf_expand_end(const clf_arguments *a, const clf_expand_tile *t, uint m)
{
    return (uint)min((ulong)a->ends[t->segment + m] - t->first, (ulong)t->count);
}

/* What is kept of the head behind it. */
static inline uint clf_expand_head(const clf_arguments *a, const clf_expand_tile *t, uint m, uint end)
{
    return end << 16 | (uint)min((ulong)m + 1, a->count - 1 - t->segment);
}

/*
 * Heads up to a place in a word; of a tile without ends nothing is counted. (A shift by place % 32 ends Mesa's
 * compiler: rusticl_translator.c of tests/driver_bugs.)
 */
static inline uint clf_expand_rank(const clf_expand_tile *t, __local const clf_expand_tiles_storage *s, uint word,
                                   uint place)
{
    const uint bit = rotate(1u, place);
    const uint2 w = s->words[word];
    return t->ends == 0 ? 0 : w.y + popcount(w.x & (bit | (bit - 1)));
}

/* Heads are named as if no segment was empty. Several ends are under way at a time. */
static inline void clf_expand_mark(const clf_arguments *a, const clf_expand_tile *t,
                                   __local clf_expand_tiles_storage *s)
{
    enum { MANY = 4 };
    CLF_LOOP for (uint first = clf_local_id(); first < t->ends; first += MANY * CLF_GROUP) {
        uint end[MANY];
        CLF_UNROLL for (uint k = 0; k < MANY; ++k)
            end[k] = clf_expand_end(a, t, min(first + k * CLF_GROUP, t->ends - 1));
        CLF_UNROLL for (uint k = 0; k < MANY; ++k) {
            const uint m = first + k * CLF_GROUP;
            if (m < t->ends) {
                (void)atomic_or((__local uint *)&s->words[end[k] / 32], 1u << end[k] % 32);
                s->heads[m + 1] = clf_expand_head(a, t, m, end[k]);
            }
        }
    }
}

/* How many heads there are. */
static inline uint clf_expand_count(__local clf_expand_tiles_storage *s)
{
    const uint first = clf_local_id() * CLF_EXPAND_WORDS_EACH;
    uint sum = 0, all;
    for (uint k = 0; k < CLF_EXPAND_WORDS_EACH; ++k)
        sum += popcount(s->words[first + k].x);
    uint before = clf_count_group_scan(sum, &s->totals, &all);
    for (uint k = 0; k < CLF_EXPAND_WORDS_EACH; ++k) {
        s->words[first + k].y = before;
        before += popcount(s->words[first + k].x);
    }
    return all;
}

/* Behind empty segments, whose ends are equal, is the last of these. No name so far is of a later one. */
static inline void clf_expand_name(const clf_arguments *a, const clf_expand_tile *t,
                                   __local clf_expand_tiles_storage *s)
{
    CLF_LOOP for (uint m = clf_local_id(); m < t->ends; m += CLF_GROUP) {
        const uint end = clf_expand_end(a, t, m);
        (void)atomic_max(&s->heads[clf_expand_rank(t, s, end / 32, end)], clf_expand_head(a, t, m, end));
    }
}

/* Result number i. */
static inline clf_value clf_expand_result(const clf_arguments *a, const clf_expand_tile *t, uint head, ulong i)
{
    const ulong start = head ? t->first + (head >> 16) : t->start;
    return clf_expand_value(a, t->segment + (head & 0xffff), start, i);
}

/*
 * A work-item's results of a piece. All are looked up before the first is made, so that what maps read is under way at
 * the same time; of those of one segment compilers load what is of it once.
 */
static inline void clf_expand_piece(const clf_arguments *a, const clf_expand_tile *t,
                                    __local const clf_expand_tiles_storage *s, uint place)
{
    const uint word = place / 32, first = CLF_EXPAND_BLOCKED ? clf_expand_rank(t, s, word, place) : 0;
    const uint bits = (uint)(((ulong)s->words[word + 1].x << 32 | s->words[word].x) >> place % 32);
    const bool one = CLF_EXPAND_BLOCKED ? (bits & ((1u << CLF_EXPAND_EACH) - 2)) == 0 : t->ends == 0;
    const ulong at = t->first + place; /* constants added to it cost no arithmetic */
    uint head[CLF_EXPAND_EACH];
    clf_value v[CLF_EXPAND_EACH];
    if (one) {
        head[0] = s->heads[first];
        CLF_UNROLL for (uint k = 0; k < CLF_EXPAND_EACH; ++k)
            v[k] = clf_expand_result(a, t, head[0], at + k * CLF_EXPAND_STEP);
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_EXPAND_EACH; ++k)
            head[k] = s->heads[CLF_EXPAND_BLOCKED ? first + popcount(bits & ((2u << k) - 2))
                                                  : clf_expand_rank(t, s, word + k, place)];
        CLF_UNROLL for (uint k = 0; k < CLF_EXPAND_EACH; ++k)
            v[k] = clf_expand_result(a, t, head[k], at + k * CLF_EXPAND_STEP);
    }
    if (CLF_EXPAND_BLOCKED)
        clf_results_store(&a->out, at, v);
    else
        CLF_UNROLL for (uint k = 0; k < CLF_EXPAND_EACH; ++k)
            clf_output_at(&a->out, at + k * CLF_EXPAND_STEP, v[k]);
}

/* Results before `first` and from `last` on, each by itself. */
static inline void clf_expand_singles(const clf_arguments *a, const clf_expand_tile *t,
                                      __local const clf_expand_tiles_storage *s, uint first, uint last)
{
    CLF_LOOP for (uint j = clf_local_id(); j < first + (t->count - last); j += CLF_GROUP) {
        const uint place = j < first ? j : j - first + last;
        const uint head = s->heads[clf_expand_rank(t, s, place / 32, place)];
        clf_output_at(&a->out, t->first + place, clf_expand_result(a, t, head, t->first + place));
    }
}

CLF_INLINE void clf_expand_tiles_body(const clf_arguments *a, __local clf_expand_tiles_storage *s)
{
    const clf_expand_range r = clf_expand_range_of(a);
    ulong2 cut = clf_expand_cuts_load(a);
    if (!a->cuts)
        clf_bisect_group(a, r.from, r.to, s->cut);
    CLF_LOOP for (uint k = clf_local_id(); k <= CLF_EXPAND_WORDS; k += CLF_GROUP)
        s->words[k] = (uint2)(0);
    s->heads[0] = 0;
    clf_group_sync();
    if (!a->cuts)
        cut = (ulong2)(s->cut[0], s->cut[1]);
    const clf_expand_tile t = clf_expand_tile_of(a, &r, cut.x, cut.y);
    if (CLF_LANE_WIDTH == 1 || t.ends) { /* PoCL 3.1 wants barriers outside conditions */
        clf_expand_mark(a, &t, s);
        clf_group_sync();
        const uint heads = clf_expand_count(s);
        clf_group_sync();
        if (CLF_LANE_WIDTH == 1 || heads != t.ends) {
            clf_expand_name(a, &t, s);
            clf_group_sync();
        }
    }
    /* pieces begin where lines of memory may, and vectors; if these are not aligned, at the end */
    const uint lack = min(-(uint)t.first % 32, t.count);
    const bool aligned = !CLF_EXPAND_BLOCKED || clf_results_aligned(&a->out, t.first + lack);
    const uint head = aligned ? lack : t.count, pieces = (t.count - head) / CLF_EXPAND_PIECE;
    clf_expand_tell(a);
    CLF_LOOP for (uint k = clf_local_id() / CLF_EXPAND_STEP; k < pieces; k += CLF_GROUP / CLF_EXPAND_STEP)
        clf_expand_piece(a, &t, s, head + k * CLF_EXPAND_PIECE + clf_local_id() % CLF_EXPAND_STEP);
    clf_expand_singles(a, &t, s, head, head + pieces * CLF_EXPAND_PIECE);
}

/* SPDX-License-Identifier: MIT */
/*
 * spine: what each tile adds up to (a partial) in scratch, between launches, and the one work-group that turns partials
 * into prefixes in place. Scratch: CLF_PARTIAL_WORDS words per tile behind the header.
 *
 * needs: arguments, state
 * provides: clf_partial_get, clf_partial_set, clf_scan_spine_body
 */
#include "chain/chain.cl"
#include "group/run.cl"

/* A tile's run: the words of its state, and whether it has a head. */
#define CLF_PARTIAL_WORDS (CLF_STATE_WORDS + (CLF_SEGMENT > 0))

static inline __global uint *clf_partial_of(const clf_arguments *a, uint tile)
{
    return (__global uint *)(a->scratch + CLF_HEADER_BYTES) + (size_t)tile * CLF_PARTIAL_WORDS;
}

static inline clf_run clf_partial_unpack(const uint w[CLF_PARTIAL_WORDS])
{
    return clf_run_of(clf_state_unpack(w), CLF_SEGMENT && w[CLF_PARTIAL_WORDS - 1]);
}

static inline clf_run clf_partial_get(const clf_arguments *a, uint tile)
{
    uint w[CLF_PARTIAL_WORDS];
    __global const uint *const from = clf_partial_of(a, tile);
    CLF_UNROLL for (uint k = 0; k < CLF_PARTIAL_WORDS; ++k)
        w[k] = from[k];
    return clf_partial_unpack(w);
}

static inline void clf_partial_pack(clf_run r, uint w[CLF_PARTIAL_WORDS])
{
    clf_state_pack(r.sum, w);
    if (CLF_SEGMENT)
        w[CLF_PARTIAL_WORDS - 1] = r.head;
}

static inline void clf_partial_set(const clf_arguments *a, uint tile, clf_run r)
{
    uint w[CLF_PARTIAL_WORDS];
    __global uint *const to = clf_partial_of(a, tile);
    clf_partial_pack(r, w);
    CLF_UNROLL for (uint k = 0; k < CLF_PARTIAL_WORDS; ++k)
        to[k] = w[k];
}

typedef clf_run_totals clf_scan_spine_storage;

/*
 * Tiles that a work-item has on their way at a time; loads don't overtake stores, so they come first. Their words go by
 * four, for what limits one group is how many loads it starts. Behind the last tile lies the rest of its vector.
 */
#define CLF_SPINE (CLF_PARTIAL_WORDS <= 3 ? 16 : 4)
#define CLF_SPINE_VECTORS (CLF_SPINE * CLF_PARTIAL_WORDS / 4)

/* Those from `tile` on that are there. */
static inline uint clf_spine_vectors(uint tile, uint tiles)
{
    return (min(tiles - tile, (uint)CLF_SPINE) * CLF_PARTIAL_WORDS + 3) / 4;
}

static inline void clf_spine_load(const clf_arguments *a, uint tile, uint tiles, uint w[4 * CLF_SPINE_VECTORS])
{
    __global const uint4 *const from = (__global const uint4 *)clf_partial_of(a, tile);
    const uint last = clf_spine_vectors(tile, tiles) - 1;
    CLF_UNROLL for (uint v = 0; v < CLF_SPINE_VECTORS; ++v) {
        CLF_SPLIT_4(w + 4 * v, from[min(v, last)]);
    }
}

static inline void clf_spine_store(const clf_arguments *a, uint tile, uint tiles, const uint w[4 * CLF_SPINE_VECTORS])
{
    __global uint4 *const to = (__global uint4 *)clf_partial_of(a, tile);
    const uint count = clf_spine_vectors(tile, tiles);
    CLF_UNROLL for (uint v = 0; v < CLF_SPINE_VECTORS; ++v)
        if (v < count)
            to[v] = (uint4)(CLF_JOIN_4(w + 4 * v));
}

/* Each work-item takes a range of consecutive tiles: barriers only between the two loops. */
CLF_INLINE void clf_scan_spine_body(const clf_arguments *a, __local clf_scan_spine_storage *s)
{
    const uint tiles = clf_tiles(a), each = (tiles + CLF_GROUP - 1) / CLF_GROUP;
    const uint share = (each + CLF_SPINE - 1) / CLF_SPINE * CLF_SPINE;
    const uint first = min(clf_local_id() * share, tiles), last = min(first + share, tiles);
    uint w[4 * CLF_SPINE_VECTORS];
    clf_run sum = clf_run_neutral(), all;
    for (uint tile = first; tile < last; tile += CLF_SPINE) {
        clf_spine_load(a, tile, tiles, w);
        CLF_UNROLL for (uint k = 0; k < CLF_SPINE; ++k)
            if (tile + k < last)
                sum = clf_run_combine(sum, clf_partial_unpack(w + k * CLF_PARTIAL_WORDS));
    }
    const clf_run left = clf_run_group_scan(sum, s, &all CLF_COMBINE_A);
    clf_run prefix = clf_run_combine(clf_run_of(clf_state_initial(a), false), left);
    for (uint tile = first; tile < last; tile += CLF_SPINE) {
        clf_spine_load(a, tile, tiles, w);
        CLF_UNROLL for (uint k = 0; k < CLF_SPINE; ++k) {
            const clf_run own = clf_partial_unpack(w + k * CLF_PARTIAL_WORDS);
            clf_partial_pack(prefix, w + k * CLF_PARTIAL_WORDS); /* also behind the last: a whole vector is stored */
            if (tile + k < last)
                prefix = clf_run_combine(prefix, own);
        }
        clf_spine_store(a, tile, tiles, w);
    }
}

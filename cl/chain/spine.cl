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

static inline void clf_partial_load(const clf_arguments *a, uint tile, uint w[CLF_PARTIAL_WORDS])
{
    __global const uint *const from = clf_partial_of(a, tile);
    CLF_UNROLL for (uint k = 0; k < CLF_PARTIAL_WORDS; ++k)
        w[k] = from[k];
}

static inline clf_run clf_partial_unpack(const uint w[CLF_PARTIAL_WORDS])
{
    return clf_run_of(clf_state_unpack(w), CLF_SEGMENT && w[CLF_PARTIAL_WORDS - 1]);
}

static inline clf_run clf_partial_get(const clf_arguments *a, uint tile)
{
    uint w[CLF_PARTIAL_WORDS];
    clf_partial_load(a, tile, w);
    return clf_partial_unpack(w);
}

static inline void clf_partial_set(const clf_arguments *a, uint tile, clf_run r)
{
    uint w[CLF_STATE_WORDS];
    __global uint *const to = clf_partial_of(a, tile);
    clf_state_pack(r.sum, w);
    if (CLF_SEGMENT)
        to[CLF_PARTIAL_WORDS - 1] = r.head;
    CLF_UNROLL for (uint k = 0; k < CLF_STATE_WORDS; ++k)
        to[k] = w[k];
}

typedef clf_run_totals clf_scan_spine_storage;

/* Partials that a work-item has on their way at a time. Loads don't overtake stores, so they come first. */
#define CLF_SPINE (CLF_PARTIAL_WORDS <= 3 ? 16 : CLF_PARTIAL_WORDS <= 9 ? 4 : 1)

/* Those from `tile` on, before `last`. */
static inline void clf_partials_load(const clf_arguments *a, uint tile, uint last, uint w[CLF_SPINE][CLF_PARTIAL_WORDS])
{
    CLF_UNROLL for (uint k = 0; k < CLF_SPINE; ++k)
        clf_partial_load(a, min(tile + k, last - 1), w[k]);
}

/* Each work-item takes a range of consecutive tiles: barriers only between the two loops. */
CLF_INLINE void clf_scan_spine_body(const clf_arguments *a, __local clf_scan_spine_storage *s)
{
    const uint tiles = clf_tiles(a), share = (tiles + CLF_GROUP - 1) / CLF_GROUP;
    const uint first = min(clf_local_id() * share, tiles), last = min(first + share, tiles);
    uint w[CLF_SPINE][CLF_PARTIAL_WORDS];
    clf_run sum = clf_run_neutral(), all;
    for (uint tile = first; tile < last; tile += CLF_SPINE) {
        clf_partials_load(a, tile, last, w);
        CLF_UNROLL for (uint k = 0; k < CLF_SPINE; ++k)
            if (tile + k < last)
                sum = clf_run_combine(sum, clf_partial_unpack(w[k]));
    }
    const clf_run left = clf_run_group_scan(sum, s, &all CLF_COMBINE_A);
    clf_run prefix = clf_run_combine(clf_run_of(clf_state_initial(a), false), left);
    for (uint tile = first; tile < last; tile += CLF_SPINE) {
        clf_partials_load(a, tile, last, w);
        CLF_UNROLL for (uint k = 0; k < CLF_SPINE; ++k)
            if (tile + k < last) {
                clf_partial_set(a, tile + k, prefix);
                prefix = clf_run_combine(prefix, clf_partial_unpack(w[k]));
            }
    }
}

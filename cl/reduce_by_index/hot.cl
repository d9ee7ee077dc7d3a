/* SPDX-License-Identifier: MIT */
/*
 * hot: bins that very many elements belong to. In global memory all groups would wait for each other there. So each
 * group combines its elements of these bins in local memory, and adds the result when it is done.
 *
 * One group looks for them among CLF_SAMPLES elements from all over the input. A bin's hash names a slot, which has
 * CLF_HOT_WAYS bins: in turn one of those that are left is picked, whichever, and is hot if enough elements of the
 * sample have it. One that is not picked is as slow as it would be without.
 *
 *   a->hot   the hot bins, counted through all rows, or CLF_COLD; bins beyond 2^32 are cold
 *
 * needs: a->hot, a->how
 * provides: clf_hot, CLF_HOT_BINS, clf_hot_close, CLF_HOT_COPIES, clf_hot_open, clf_hot_place, clf_index_sample_body
 */
#include "reduce_by_index/cell.cl"
#include "reduce_by_index/bins.cl"

#ifndef CLF_HOT
#define CLF_HOT 9
#endif

enum {
    CLF_HOT_SLOTS = 1 << CLF_HOT, /* fewer where local memory is short (global_defaults of reduce_by_index.c) */
    CLF_HOT_WAYS = 2,
    CLF_HOT_BINS = CLF_HOT_SLOTS * CLF_HOT_WAYS,
    CLF_HOT_COPIES = 16 / CLF_CELL_BYTES,
    CLF_SAMPLES = 8 * CLF_HOT_SLOTS,
    CLF_HOT_LEAST = 4 /* elements of the sample */
};
#define CLF_COLD (~0u)

static inline uint clf_hot_slot(uint bin)
{
    return bin * 0x9e3779b1u >> (32 - CLF_HOT);
}

/* ---- Which bins are hot ----------------------------------------------------------------------------------- */

/* The bin of sample k, counted through all rows; CLF_COLD: it has none. */
static inline uint clf_hot_sample(const clf_arguments *a, uint k)
{
    const ulong n = a->count * a->size, step = n / CLF_SAMPLES, bins = clf_bins(a);
    if (step == 0)
        return CLF_COLD;
    const ulong i = k * step + (k * 0x9e3779b1u) % step, row = i / a->size;
    const ulong bin = clf_bin_of(a, clf_input_at(&a->in, i), i);
    return bin < bins && row * bins + bin < CLF_COLD ? (uint)(row * bins + bin) : CLF_COLD;
}

typedef struct {
    uint bins[CLF_SAMPLES];
    uint picked[CLF_HOT_SLOTS]; /* a bin, */
    uint votes[CLF_HOT_SLOTS];  /* which so many of the sample have */
} clf_index_sample_storage;

/* Picks a bin for each slot of those that are left, and leaves the others. */
static inline void clf_hot_pick(const clf_arguments *a, uint way, __local clf_index_sample_storage *s)
{
    CLF_LOOP for (uint i = clf_local_id(); i < CLF_HOT_SLOTS; i += CLF_GROUP) {
        s->picked[i] = CLF_COLD;
        s->votes[i] = 0;
    }
    clf_group_sync();
    CLF_LOOP for (uint k = clf_local_id(); k < CLF_SAMPLES; k += CLF_GROUP)
        if (s->bins[k] != CLF_COLD)
            s->picked[clf_hot_slot(s->bins[k])] = s->bins[k];
    clf_group_sync();
    CLF_LOOP for (uint k = clf_local_id(); k < CLF_SAMPLES; k += CLF_GROUP) {
        const uint bin = s->bins[k], slot = clf_hot_slot(bin);
        if (bin != CLF_COLD && s->picked[slot] == bin) {
            (void)atomic_inc(&s->votes[slot]);
            s->bins[k] = CLF_COLD;
        }
    }
    clf_group_sync();
    CLF_LOOP for (uint i = clf_local_id(); i < CLF_HOT_SLOTS; i += CLF_GROUP)
        a->hot[i * CLF_HOT_WAYS + way] = s->votes[i] >= CLF_HOT_LEAST ? s->picked[i] : CLF_COLD;
    clf_group_sync();
}

CLF_INLINE void clf_index_sample_body(const clf_arguments *a, __local clf_index_sample_storage *s)
{
    CLF_LOOP for (uint k = clf_local_id(); k < CLF_SAMPLES; k += CLF_GROUP)
        s->bins[k] = clf_hot_sample(a, k);
    clf_group_sync();
    for (uint way = 0; way < CLF_HOT_WAYS; ++way)
        clf_hot_pick(a, way, s);
}

/* ---- What a group keeps ----------------------------------------------------------------------------------- */

typedef struct {
    uint bins[CLF_HOT_BINS];
    clf_cell cells[CLF_HOT_BINS * CLF_HOT_COPIES];
} clf_hot;

/* Where a bin's cells are; CLF_HOT_BINS: it is cold. */
static inline uint clf_hot_place(__local const clf_hot *h, ulong bin)
{
    const uint first = clf_hot_slot((uint)bin) * CLF_HOT_WAYS;
    uint place = CLF_HOT_BINS;
    CLF_UNROLL for (uint way = 0; way < CLF_HOT_WAYS; ++way)
        place = h->bins[first + way] == bin ? first + way : place;
    return bin != CLF_COLD ? place : CLF_HOT_BINS;
}

static inline void clf_hot_open(const clf_arguments *a, __local clf_hot *h)
{
    const clf_cell neutral = clf_cell_pack(clf_neutral());
    CLF_LOOP for (uint i = clf_local_id(); i < CLF_HOT_BINS; i += CLF_GROUP)
        h->bins[i] = a->how & CLF_INDEX_HOT ? a->hot[i] : CLF_COLD;
    CLF_LOOP for (uint i = clf_local_id(); i < CLF_HOT_BINS * CLF_HOT_COPIES; i += CLF_GROUP)
        h->cells[i] = neutral;
    clf_group_sync();
}

/* Adds to cells in global memory. */
static inline void clf_hot_close(const clf_arguments *a, __local const clf_hot *h, volatile __global clf_cell *cells)
{
    clf_group_sync();
    CLF_LOOP for (uint at = 0; at < CLF_HOT_BINS; at += CLF_GROUP) {
        const uint i = min(at + clf_local_id(), (uint)CLF_HOT_BINS - 1);
        const bool is_hot = at + clf_local_id() < CLF_HOT_BINS && h->bins[i] != CLF_COLD;
        clf_value sum = clf_neutral();
        for (uint k = 0; k < CLF_HOT_COPIES; ++k)
            sum = clf_combine(sum, clf_cell_unpack(h->cells[i * CLF_HOT_COPIES + k]));
        clf_cell_add_global(cells + (is_hot ? CLF_ENTRY_PLACE(a, h->bins[i]) : 0), sum, is_hot CLF_COMBINE_A);
    }
}

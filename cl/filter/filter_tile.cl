/* SPDX-License-Identifier: MIT */
/*
 * filter_tile: what every filter does to a tile: fetch; see which elements of each work-item's row are kept, a bit for
 * each; (find how many are kept before the tile;) bring those that are kept together in local memory; flush them.
 *
 * Results come together where they lie, array by array: first every work-item takes its row of the array into
 * registers, then all write what is kept of theirs. So a tile takes no more local memory than in a scan. (Straight from
 * registers to global memory, ranked by ballots, took a fifth longer on an H200.)
 */
#include "filter/filter_count.cl"
#include "chain/chain.cl"
#include "memory/tile_fields.cl"

typedef struct {
    clf_slab slab;
    clf_count_totals totals;
} clf_filter_storage;

/* A bit for each element of a row. */
#if CLF_ITEMS > 64
#error "a row of a filter has 64 elements at most"
#elif CLF_ITEMS > 32
typedef ulong clf_row_bits;
#else
typedef uint clf_row_bits;
#endif

/* One tile as one work-item sees it. */
typedef struct {
    ulong first;       /* index of the tile's first element */
    uint count;        /* elements in the tile */
    uint at;           /* of this work-item's row in the tile */
    clf_row_bits bits; /* which of the row are kept, */
    uint left;         /* how many of the tile's elements before the row, */
    uint kept;         /* and of all */
} clf_filter_tile;

/* The element before this work-item's row; anything where there is none. */
static inline clf_input clf_row_before(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s)
{
    if (t->at > 0)
        return clf_input_in(&s->slab, t->at - 1);
    return clf_input_at(&a->in, t->first > 0 ? t->first - 1 : 0);
}

/* `whole`: is the tile full? A constant where this is inlined. */
static inline clf_row_bits clf_row_kept(const clf_arguments *a, const clf_filter_tile *t,
                                        __local clf_filter_storage *s, bool whole)
{
    clf_row_bits bits = 0;
#if CLF_PAIRS
    clf_input before = clf_row_before(a, t, s);
#endif
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
#if !CLF_PAIRS
            const clf_input before = in[k];
#endif
            if (whole || t->at + j + k < t->count)
                bits |= (clf_row_bits)clf_is_kept(a, before, in[k], t->first + t->at + j + k) << (j + k);
#if CLF_PAIRS
            before = in[k];
#endif
        }
    }
    return bits;
}

#if CLF_LANE_WIDTH > 1
#define clf_filter_whole(t) ((t)->count == CLF_TILE)
#else
#define clf_filter_whole(t) false /* PoCL 3.1 miscompiles two copies: scan_tile.cl */
#endif

/* Fetches the tile and counts. */
static inline clf_filter_tile clf_filter_reduce(const clf_arguments *a, uint tile, __local clf_filter_storage *s)
{
    clf_filter_tile t;
    t.first = (ulong)tile * CLF_TILE;
    t.count = clf_tile_count(a, tile);
    t.at = clf_local_id() * CLF_ITEMS;
    clf_inputs_fetch(&a->in, t.first, t.count, &s->slab);
#if CLF_PAIRS
    clf_group_sync(); /* a row's neighbour may be another unit's */
#else
    clf_unit_sync();
#endif
    t.bits = clf_filter_whole(&t) ? clf_row_kept(a, &t, s, true) : clf_row_kept(a, &t, s, false);
    t.left = clf_count_group_scan((clf_count)popcount(t.bits), &s->totals, &t.kept);
    return t;
}

/* ---- Results -------------------------------------------------------------------------------------------- */

#if CLF_MAPPED
/* Values of the row in place of its inputs. */
static inline void clf_row_map(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s)
{
    CLF_UNROLL_CHUNKS for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) {
        clf_input in[CLF_CHUNK];
        clf_value out[CLF_CHUNK];
        clf_extra none[CLF_CHUNK];
        clf_inputs_get(&s->slab, j, in);
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            if (t->bits >> (j + k) & 1)
                out[k] = clf_value_copy(clf_map_at(a, in[k], t->first + t->at + j + k, &none[k])); /* value.cl */
        clf_outputs_set(&s->slab, j, out, none, 0);
    }
}
#endif

/* One array of results: brought together, and the first `some` flushed to place `to` on. */
#define CLF_TOGETHER(move, bytes, value, name, array, region) \
    { \
        move row[CLF_ITEMS]; \
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; j += CLF_CHUNK) \
            clf_row_get_##bytes(s->slab.region, j, row + j); \
        clf_group_sync(); \
        uint place = t->left; \
        CLF_UNROLL for (uint k = 0; k < CLF_ITEMS; ++k) \
            if (t->bits >> k & 1) \
                *clf_tile_element_##bytes(s->slab.region, place++) = row[k]; \
    }
static inline void clf_filter_together(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s)
{
#if CLF_MAPPED
    clf_row_map(a, t, s);
#endif
    CLF_ROUND_0(CLF_TOGETHER)
}

#define CLF_FLUSH_SOME(move, bytes, value, name, array, region) \
    clf_flush_some_##bytes((__global move *)a->out.array + to, some, s->slab.region);
/* `before`: how many elements before the tile are kept. Synchronise first. */
static inline void clf_filter_flush(const clf_arguments *a, const clf_filter_tile *t, __local clf_filter_storage *s,
                                    ulong to)
{
    const uint some = (uint)clf_filter_room(a, to, t->kept);
    clf_filter_tell(a, t->first + t->count, clf_total(a), to + t->kept);
    CLF_ROUND_0(CLF_FLUSH_SOME)
}

/* SPDX-License-Identifier: MIT */
/*
 * adjacent: what all kernels of adjacent_difference share: the result of a segment's first element, and halos.
 *
 * A tile needs one element besides its own, the one before it, which the group of the tile before may have overwritten
 * already if the call is in place. So a launch before lays that element's value, the halo, into scratch:
 *
 *   scratch   words of the halo of tile 0 (unused) | of tile 1 | …
 *
 * needs: nothing
 * provides: clf_adjacent_first, clf_adjacent_halos_body, clf_adjacent_result, clf_halo_get, clf_halo_of
 */
#include "memory/wrapper.cl"
#include "segments/segment.cl"

/*
 * The result of an element that starts a segment: f(initial, x), or x where there is no initial value. Here and below
 * values are chosen by if and copied field by field: value.cl says why.
 */
static inline clf_value clf_adjacent_first(const clf_arguments *a, clf_value x)
{
    if (a->flags & CLF_ARG_INITIAL)
        x = clf_combine(clf_initial(a), x);
    return clf_value_copy(x);
}

/* What is written for a value. */
static inline clf_result clf_adjacent_result(const clf_arguments *a, clf_value v, ulong index)
{
    return CLF_FINISHED(clf_finish_sum(a, v, index), v);
}

/* ---- Halos -------------------------------------------------------------------------------------------- */

static inline __global uint *clf_halo_words(const clf_arguments *a, ulong tile)
{
    return (__global uint *)a->scratch + tile * CLF_VALUE_WORDS;
}

static inline clf_value clf_halo_get(const clf_arguments *a, ulong tile)
{
    __global const uint *const words = clf_halo_words(a, tile);
    uint w[CLF_VALUE_WORDS];
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        w[k] = words[k];
    return clf_unpack(w);
}

static inline void clf_halo_set(const clf_arguments *a, ulong tile, clf_value v)
{
    __global uint *const words = clf_halo_words(a, tile);
    uint w[CLF_VALUE_WORDS];
    clf_pack(v, w);
    CLF_UNROLL for (uint k = 0; k < CLF_VALUE_WORDS; ++k)
        words[k] = w[k];
}

/* The value before a tile whose first element starts no segment. */
static inline clf_value clf_halo_of(const clf_arguments *a, ulong tile, bool in_place)
{
    if (in_place)
        return clf_halo_get(a, tile);
    return clf_value_copy(clf_value_at(a, tile * CLF_TILE - 1));
}

typedef uchar clf_adjacent_halos_storage; /* none needed */

CLF_INLINE void clf_adjacent_halos_body(const clf_arguments *a, __local clf_adjacent_halos_storage *s)
{
    const ulong total = clf_total(a);
    for (ulong tile = get_global_id(0) + 1; tile * CLF_TILE < total; tile += get_global_size(0))
        clf_halo_set(a, tile, clf_value_at(a, tile * CLF_TILE - 1));
}

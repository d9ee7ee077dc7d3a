/* SPDX-License-Identifier: MIT */
/*
 * gather: the common part of gathers and scatters. A gather reads where the indices point and writes contiguously; a
 * scatter (CLF_SCATTER = 1) does the reverse.
 *
 *   a->size    number of indices, and of elements of the array that is not indexed
 *   a->count   number of elements of the indexed array: an index that is not below this is ignored
 *
 * No group waits for another, and there is no scratch.
 *
 * needs: CLF_INDEX, CLF_SCATTER
 * provides: clf_gather_tile, clf_gather_tile_at, CLF_INDEX, clf_is_named, clf_read_at, clf_written_at
 */
#include "memory/wrapper.cl"
#include "memory/tile.cl"

#ifndef CLF_INDEX
#define CLF_INDEX uint
#endif
#ifndef CLF_SCATTER
#define CLF_SCATTER 0
#endif

/* A tile of consecutive indices: the first one, and how many there are. */
typedef struct {
    ulong first;
    uint count;
} clf_gather_tile;

/* Of no indices where the device knows of fewer than the host launched for. */
static inline clf_gather_tile clf_gather_tile_at(const clf_arguments *a)
{
    clf_gather_tile t;
    t.first = get_group_id(0) * (ulong)CLF_TILE;
    t.count = t.first < a->size ? (uint)min(a->size - t.first, (ulong)CLF_TILE) : 0;
    return t;
}

static inline bool clf_is_named(const clf_arguments *a, CLF_INDEX index)
{
    return index < a->count;
}

/* Where the element is read that index number `number` is for, and where it is written. */
static inline ulong clf_read_at(ulong number, CLF_INDEX index)
{
    return CLF_SCATTER ? number : index;
}

static inline ulong clf_written_at(ulong number, CLF_INDEX index)
{
    return CLF_SCATTER ? index : number;
}

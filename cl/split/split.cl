/* SPDX-License-Identifier: MIT */
/*
 * split: what all kernels of a stable partition by a digit share: the digit of an element, tiles, and the matrix of how
 * many elements of each part each tile has, part by part. CLF_PARTS is the least power of two that is not below the
 * number of parts, a->parts.
 *
 *   up      a->tile_counts[part * tiles + tile]
 *   scan    a->places[part * tiles + tile]: how many elements go before them, of all parts and tiles
 *   down    elements go there
 */
#include "memory/tile.cl"
#include "wrapper.cl"

#ifndef CLF_PARTS
#error "-D CLF_PARTS is missing"
#endif

/* Which part takes element i, which is x. */
static inline uint clf_digit(const clf_arguments *a, clf_input x, ulong i)
{
    return min(clf_part_of(a, x, i), a->parts - 1);
}

static inline uint clf_digit_at(const clf_arguments *a, ulong i)
{
    return clf_digit(a, clf_input_at(&a->in, i), i);
}

/* As many groups are launched as the host knows of tiles; of these the device may know that some have no elements. */
static inline uint clf_split_tile(void)
{
    return (uint)get_group_id(0);
}

static inline ulong clf_split_first(uint tile)
{
    return (ulong)tile * CLF_TILE;
}

static inline uint clf_split_count(const clf_arguments *a, uint tile)
{
    const ulong first = clf_split_first(tile);
    return !CLF_GIVEN || first < a->size ? (uint)min(a->size - first, (ulong)CLF_TILE) : 0;
}

/* Where the matrix has a part of a tile. */
static inline size_t clf_split_cell(uint part, uint tile)
{
    return (size_t)part * get_num_groups(0) + tile;
}

/* The first group says how many elements each part has, if anybody wants to know. */
static inline void clf_split_tell(const clf_arguments *a)
{
    if (!a->tell || get_group_id(0) > 0)
        return;
    for (uint part = clf_local_id(); part < a->parts; part += CLF_GROUP) {
        const ulong end = part + 1 < a->parts ? a->places[clf_split_cell(part + 1, 0)] : a->size;
        a->result[part] = end - a->places[clf_split_cell(part, 0)];
    }
}

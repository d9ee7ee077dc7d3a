/* SPDX-License-Identifier: MIT */
/*
 * merge_sort: a stable sort by merges. The first launch sorts tiles, from the input; then in each round (a->round, from
 * 0 on) neighbouring runs of CLF_TILE << round elements are merged two by two (path.cl), from a->out to the scratch of
 * a->second or back, so that the last round writes to a->out. A run without a neighbour is merged with nothing. Where
 * there are fewer elements than the host knew (given.cl), its last rounds are not needed, and do nothing.
 */
#include "memory/tile.cl"
#include "merge/path.cl"

#define CLF_TAKE_OUTPUT(f, type, move, bytes, name) to->p##f = (second ? a->second.p##f : a->out.p##f) + first;
static inline void clf_runs_out(const clf_arguments *a, bool second, ulong first, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_OUTPUT)
}

#define CLF_TAKE_INPUT(f, type, move, bytes, name) to->p##f = (second ? a->second.p##f : a->out.p##f) + first;
static inline void clf_runs_in(const clf_arguments *a, bool second, ulong first, clf_inputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_INPUT)
}

/* How many rounds there are. */
static inline uint clf_rounds(const clf_arguments *a)
{
    const ulong tiles = (a->size + CLF_TILE - 1) / CLF_TILE;
    return tiles > 1 ? 64 - (uint)clz(tiles - 1) : 0;
}

/* Does a round write to a->second, if so many follow it? */
static inline bool clf_is_to_second(uint following)
{
    return following % 2 != 0;
}

/* Is there such a tile, and anything to be done in this round? */
static inline bool clf_round_reaches(const clf_arguments *a, ulong tile)
{
    return !CLF_GIVEN || (tile * CLF_TILE < a->size && a->round < clf_rounds(a));
}

/* The two runs of which the merge is tile `tile`, which there is; *from: how far into both it begins. */
static inline clf_sequences clf_runs_at(const clf_arguments *a, ulong tile, ulong *from)
{
    const ulong length = (ulong)CLF_TILE << a->round, first = (tile >> (a->round + 1) << (a->round + 1)) * CLF_TILE;
    const ulong left = a->size - first;
    const bool to_second = clf_is_to_second(clf_rounds(a) - 1 - a->round);
    clf_sequences q;
    q.size = min(length, left);
    q.count = min(length, left - q.size);
    clf_runs_in(a, !to_second, first, &q.first);
    clf_runs_in(a, !to_second, first + q.size, &q.second);
    clf_runs_out(a, to_second, first, &q.out);
    *from = tile * CLF_TILE - first;
    return q;
}

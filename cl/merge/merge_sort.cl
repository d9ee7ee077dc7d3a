/* SPDX-License-Identifier: MIT */
/*
 * merge_sort: a stable sort by merges. The first launch sorts tiles, from the input. In each round (a->round, from 0
 * on) neighbouring runs of CLF_TILE << round elements are then merged in pairs (path.cl), from a->out to the scratch of
 * a->second or back. The last round writes to a->out. A run without a neighbour is merged with nothing. If the device
 * has fewer elements than the host knew (given.cl), the last rounds do nothing.
 *
 * Where `less` is no order, as a < b of floats with NaNs, neighbouring tiles of a merge may not fit together (path.cl).
 * Elements are then missing where the round wrote, but not where it read. Tiles that see this record it. The next round
 * leaves the elements where they are, because it would write there, and copies them to where they are missing. After
 * the last round a further launch (mend) does so.
 *
 *   scratch   of groups, ulong: cuts
 *             uint: has round r lost elements of the runs from tile 0 on? Then r + 1. | from tile 1 on? | …
 *             twice, so that rounds do not write what they read: of even rounds; of odd ones
 *
 * needs: a->cuts, a->round
 * provides: clf_is_to_second, clf_merge_sort_mend_body, clf_merge_sort_rounds, clf_round_reaches, clf_runs_*
 */
#include "memory/tile.cl"
#include "merge/path.cl"

#define CLF_TAKE_OUTPUT(f, type, move, bytes, name) to->p##f = (second ? a->second.p##f : a->out.p##f) + first;
static inline void clf_runs_out(const clf_arguments *a, bool second, ulong first, clf_outputs *to)
{
    CLF_VALUE_FIELDS(CLF_TAKE_OUTPUT)
}

#define CLF_MERGE_SORT_TAKE_INPUT(f, type, move, bytes, name) \
    to->p##f = (second ? a->second.p##f : a->out.p##f) + first;
static inline void clf_runs_in(const clf_arguments *a, bool second, ulong first, clf_inputs *to)
{
    CLF_VALUE_FIELDS(CLF_MERGE_SORT_TAKE_INPUT)
}

static inline ulong clf_merge_sort_tiles(const clf_arguments *a)
{
    return CLF_QUOTIENT(a->size + CLF_TILE - 1, CLF_TILE);
}

/* How many rounds there are. */
static inline uint clf_merge_sort_rounds(const clf_arguments *a)
{
    const ulong tiles = clf_merge_sort_tiles(a);
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
    return !CLF_GIVEN || (tile * CLF_TILE < a->size && a->round < clf_merge_sort_rounds(a));
}

/* The word of the runs that round `round` merges to one, tile `tile` among them. It is the round, if what the round
 * reads lacks elements. */
static inline __global uint *clf_run_word(const clf_arguments *a, ulong tile, uint round)
{
    const ulong tiles = clf_merge_sort_tiles(a);
    return (__global uint *)a->scratch + (a->cuts ? 2 * tiles : 0) + (round % 2) * tiles +
           (round < 63 ? tile >> (round + 1) << (round + 1) : 0);
}

/* No tile has lost any: for all tiles, of several, by the launch that sorts them. */
static inline void clf_runs_begin(const clf_arguments *a, ulong tile)
{
    if (!CLF_IS_ORDER && a->size > CLF_TILE) {
        const ulong tiles = clf_merge_sort_tiles(a);
        __global uint *const words = (__global uint *)a->scratch + (a->cuts ? 2 * tiles : 0);
        words[tile] = words[tiles + tile] = 0;
    }
}

/* Has the round before lost elements? */
static inline bool clf_runs_lack(const clf_arguments *a, ulong tile)
{
    return !CLF_IS_ORDER && a->round > 0 && *clf_run_word(a, tile, a->round) == a->round;
}

/* This round does. */
static inline void clf_runs_lose(const clf_arguments *a, ulong tile)
{
    *clf_run_word(a, tile, a->round + 1) = a->round + 1;
}

/* The tile, which was to be written in this round, to where this round would have read it. */
static inline void clf_runs_restore(const clf_arguments *a, ulong tile)
{
    const bool to_second = clf_is_to_second(clf_merge_sort_rounds(a) - 1 - a->round);
    const ulong end = min((tile + 1) * CLF_TILE, a->size);
    clf_inputs from;
    clf_outputs to;
    clf_runs_in(a, to_second, 0, &from);
    clf_runs_out(a, !to_second, 0, &to);
    CLF_LOOP for (ulong i = tile * CLF_TILE + clf_local_id(); i < end; i += CLF_GROUP)
        clf_output_at(&to, i, clf_input_at(&from, i));
}

typedef uchar clf_merge_sort_mend_storage; /* none needed */

CLF_INLINE void clf_merge_sort_mend_body(const clf_arguments *a, __local clf_merge_sort_mend_storage *s)
{
    const uint rounds = clf_merge_sort_rounds(a);
    if (rounds == 0 || *clf_run_word(a, 0, rounds) != rounds)
        return;
    clf_inputs from;
    clf_runs_in(a, true, 0, &from);
    CLF_LOOP for (ulong i = get_global_id(0); i < a->size; i += get_global_size(0))
        clf_output_at(&a->out, i, clf_input_at(&from, i));
}

/* The two runs of which the merge is tile `tile`, which there is; *from: how far into both it begins. */
static inline clf_sequences clf_runs_at(const clf_arguments *a, ulong tile, ulong *from)
{
    const ulong length = (ulong)CLF_TILE << a->round, first = (tile >> (a->round + 1) << (a->round + 1)) * CLF_TILE;
    const ulong left = a->size - first;
    const bool to_second = clf_is_to_second(clf_merge_sort_rounds(a) - 1 - a->round);
    clf_sequences q;
    q.size = min(length, left);
    q.count = min(length, left - q.size);
    CLF_LESS_SET(q)
    clf_runs_in(a, !to_second, first, &q.first);
    clf_runs_in(a, !to_second, first + q.size, &q.second);
    clf_runs_out(a, to_second, first, &q.out);
    *from = tile * CLF_TILE - first;
    return q;
}

/* SPDX-License-Identifier: MIT */
/*
 * segments_merge: the kernels that sort segments by merging (segments.cl): tiles, and passes that join tiles.
 *
 * needs: a->cuts, a->magic, a->pass, a->stride, a->unit
 * provides: clf_segments_merge_body, clf_segments_tiles_body
 */
#include "sort/segments_tile.cl"

/* ---- Tiles ---------------------------------------------------------------------------------------------- */

typedef clf_segments_storage clf_segments_tiles_storage;
typedef clf_segments_storage clf_segments_merge_storage;

/* Where element i of the tile lies among its units (2^32 / unit: `magic`; 0: they have no gaps). */
static inline uint clf_segments_tile_place(const clf_arguments *a, uint i)
{
#if CLF_SEGMENT == 1
    return a->magic ? i + mul_hi(i, a->magic) * (a->stride - a->unit) : i;
#else
    return i;
#endif
}

/* Full tiles have no gaps, and need not look at each element: all loads are under way together. */
CLF_INLINE void clf_segments_tile_fetch(const clf_arguments *a, ulong first, uint count,
                                        __local clf_segments_storage *s)
{
    if (count == CLF_TILE) {
        clf_key_bits key[CLF_ITEMS];
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            key[j] = clf_sorted_key(clf_sorted_input(a, first + (j * CLF_GROUP + clf_local_id())) CLF_LESS_A);
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            s->keys[CLF_SEGMENTS_SLOT(j * CLF_GROUP + clf_local_id())] = key[j];
        return;
    }
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
            s->keys[CLF_SEGMENTS_SLOT(clf_segments_tile_place(a, i))] = clf_sorted_key(clf_sorted_input(a, first + i)
                                                                                           CLF_LESS_A);
    }
}

#if CLF_KEY_ALONE

#define CLF_VALUE_FROM(f, type, move, bytes, name) v.name = as_##type((move)bits);
static inline clf_value clf_segments_value_of(clf_key_bits ordered)
{
    const clf_key_bits bits = clf_key_from_ordered(ordered);
    clf_value v;
    CLF_VALUE_FIELDS(CLF_VALUE_FROM)
    return v;
}

#endif

/* Is element i of the tile to be in a->second? A tile of a row has one piece. */
static inline bool clf_goes_to_second(const clf_segments_piece piece[2], ulong i)
{
    if (CLF_SEGMENT == 1)
        return piece[0].turns % 2 == 1;
    return (i < piece[0].end && piece[0].turns % 2 == 1) || (i >= piece[1].begin && piece[1].turns % 2 == 1);
}

static inline void clf_segments_tile_put(const clf_arguments *a, const clf_segments_piece piece[2], ulong i,
                                         clf_value v)
{
    clf_outputs to;
    clf_take_arrays(a, clf_goes_to_second(piece, i), &to);
    clf_output_at(&to, i, v);
}

#define CLF_SORTED_KEEP_FIELD(f, type, move, bytes, name) kept[j].name = v.name;

/* Values are all read before the first one is written: in place. */
CLF_INLINE void clf_segments_tile_write(const clf_arguments *a, const clf_segments_piece piece[2], ulong first,
                                        uint count, __local clf_segments_storage *s)
{
#if CLF_KEY_ALONE
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
            clf_segments_tile_put(a, piece, first + i,
                                  clf_segments_value_of(s->keys[CLF_SEGMENTS_SLOT(clf_segments_tile_place(a, i))]));
    }
#else
    clf_value kept[CLF_ITEMS];
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count) {
            const clf_value v = clf_sorted_input(a,
                                                 first + s->places[CLF_SEGMENTS_SLOT(clf_segments_tile_place(a, i))]);
            CLF_VALUE_FIELDS(CLF_SORTED_KEEP_FIELD)
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
            clf_segments_tile_put(a, piece, first + i, kept[j]);
    }
#endif
}

CLF_INLINE void clf_segments_tiles_body(const clf_arguments *a, __local clf_segments_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const ulong first = clf_tile_begin(a, tile);
    const uint count = (uint)(clf_tile_end(a, tile) - first);
    clf_segments_piece piece[2];
    clf_join join;
    clf_segments_tile_fetch(a, first, count, s);
    const clf_segments_share share = clf_segments_share_of(a, count, s);
    clf_group_sync();
    clf_segments_tile_sort(a, &share, s);
    clf_group_sync();
    clf_segments_pieces_of(a, tile, 0, piece, &join); /* not before: it would take registers meanwhile */
    clf_segments_tile_write(a, piece, first, count, s);
}

/* ---- Passes --------------------------------------------------------------------------------------------- */

static inline void clf_piece_copy(const clf_segments_piece *piece, const clf_outputs *from, const clf_outputs *to)
{
    for (ulong i = piece->begin + clf_local_id(); i < piece->end; i += CLF_GROUP)
        clf_output_at(to, i, clf_result_at(from, i));
}

/* Element i of what goes to a piece, of which the left part has `lefts`. */
static inline ulong clf_cut_source(const clf_segments_cut *cut, uint lefts, uint i)
{
    return i < lefts ? cut->left + i : cut->right + (i - lefts);
}

/* The piece that is joined; one of no elements, too, so that all groups synchronise alike. */
CLF_INLINE void clf_piece_join(const clf_segments_piece *piece, const clf_segments_cut *cut, const clf_outputs *from,
                               const clf_outputs *to, __local clf_segments_storage *s CLF_LESS_PARAMETER)
{
    const uint count = (uint)(piece->end - piece->begin), lefts = (uint)(cut->left_end - cut->left);
    const uint at = clf_local_id() * CLF_ITEMS, mine = count > at ? min(count - at, (uint)CLF_ITEMS) : 0;
    clf_pair pair;
    clf_items x;
    pair.left = 0;
    pair.middle = lefts;
    pair.right = count;
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
            s->keys[CLF_SEGMENTS_SLOT(i)] = clf_sorted_key_at(from, clf_cut_source(cut, lefts, i) CLF_LESS_C);
    }
    clf_group_sync();
    if (mine > 0)
        clf_pair_merge(&pair, at, false, &x, s);
    clf_group_sync();
    clf_items_put(&x, at, mine, s);
    clf_group_sync();
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
#if CLF_KEY_ALONE
            clf_output_at(to, piece->begin + i, clf_segments_value_of(s->keys[CLF_SEGMENTS_SLOT(i)]));
#else
            clf_output_at(to, piece->begin + i,
                          clf_result_at(from, clf_cut_source(cut, lefts, s->places[CLF_SEGMENTS_SLOT(i)])));
#endif
    }
}

CLF_INLINE void clf_segments_merge_body(const clf_arguments *a, __local clf_segments_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    clf_segments_piece piece[2], joined = {0, 0, 0, false};
    clf_join join;
    clf_segments_cut cut = {0, 0, 0};
    clf_outputs from, to;
    if (CLF_LANE_WIDTH > 1 &&
        a->cuts[tile] == CLF_CUT_NONE) /* PoCL 3.1, without lanes, fails on exits before barriers */
        return;
    clf_segments_pieces_of(a, tile, a->pass, piece, &join);
    for (uint k = 0; k < 2; ++k)
        if (piece[k].begin < piece[k].end && piece[k].turns > a->pass) {
            const bool second = clf_segments_piece_is_second(&piece[k], a->pass);
            if (piece[k].joined) {
                joined.begin = piece[k].begin;
                joined.end = piece[k].end;
                joined.turns = piece[k].turns;
                cut = clf_segments_cut_of(a, tile, &joined, &join);
            } else {
                clf_take_arrays(a, second, &from);
                clf_take_arrays(a, !second, &to);
                clf_piece_copy(&piece[k], &from, &to);
            }
        }
    clf_take_arrays(a, clf_segments_piece_is_second(&joined, a->pass), &from);
    clf_take_arrays(a, !clf_segments_piece_is_second(&joined, a->pass), &to);
    clf_piece_join(&joined, &cut, &from, &to, s CLF_LESS_A);
}

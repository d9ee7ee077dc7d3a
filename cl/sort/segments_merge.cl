/* SPDX-License-Identifier: MIT */
/*
 * segments_merge: the kernels that sort segments by merging (segments.cl): tiles, and passes that join tiles. In a tile
 * parts of segments are merged in pairs, by twice as many work-items each time. Each work-item finds by bisection where
 * its share begins in both parts ("merge path": Green, McColl and Bader 2012).
 *
 * needs: a->cuts, a->magic, a->moved, a->pass, a->stride, a->unit
 * provides: clf_segments_merge_body, clf_segments_tiles_body
 */
#include "sort/segments_tile.cl"

/* ---- Merging -------------------------------------------------------------------------------------------- */

/* How many of the first `place` elements of both the left part has; of equal ones the left's come first. */
static inline uint clf_pair_cut(const clf_pair *pair, uint place, __local const clf_segments_storage *s)
{
    const uint n_right = pair->right - pair->middle;
    uint low = place > n_right ? place - n_right : 0, high = min(place, pair->middle - pair->left);
    while (low < high) {
        const uint some = (low + high) / 2;
        if (CLF_KEY_AT_MOST(s->keys[CLF_SEGMENTS_SLOT(pair->left + some)],
                            s->keys[CLF_SEGMENTS_SLOT(pair->middle + place - 1 - some)]))
            low = some + 1;
        else
            high = some;
    }
    return low;
}

/*
 * CLF_ITEMS of their elements, from place `place` on; behind the last one anything. `placed`: with what s->places has,
 * else with where they lie. Nothing branches. A part at its end has the greatest key: of keys alone it does not matter
 * which of equal ones is taken.
 */
CLF_INLINE void clf_pair_merge(const clf_pair *pair, uint place, bool placed, bool alone, clf_items *x,
                               __local const clf_segments_storage *s)
{
    const uint cut = clf_pair_cut(pair, place, s);
    uint i = pair->left + cut, k = pair->middle + (place - cut);
    const clf_key_bits first = s->keys[CLF_SEGMENTS_SLOT(i)], second = s->keys[CLF_SEGMENTS_SLOT(k)];
    clf_key_bits left = i < pair->middle ? first : CLF_KEY_ONES, right = k < pair->right ? second : CLF_KEY_ONES;
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const bool is_left = CLF_KEY_AT_MOST(left, right) && (alone || i < pair->middle);
        x->key[j] = is_left ? left : right;
        CLF_PLACED(if (!alone) x->place[j] = is_left ? i : k;)
        CLF_PLACED(if (!alone && placed) x->place[j] = s->places[CLF_SEGMENTS_SLOT(x->place[j])];)
        i += is_left;
        k += !is_left;
        const uint at = is_left ? i : k, end = is_left ? pair->middle : pair->right;
        const clf_key_bits there = s->keys[CLF_SEGMENTS_SLOT(at)], next = at < end ? there : CLF_KEY_ONES;
        left = is_left ? next : left;
        right = is_left ? right : next;
    }
}

/* The pair that this work-item's share is of, of so many work-items each. */
static inline clf_pair clf_pair_of(const clf_segments_share *share, uint width, __local const clf_segments_storage *s)
{
    const uint first = (share->at - share->first) / CLF_ITEMS & ~(2 * width - 1);
    clf_pair pair;
    pair.left = share->first + first * CLF_ITEMS;
    pair.middle = min(pair.left + width * CLF_ITEMS, share->end);
    pair.right = min(pair.left + 2 * width * CLF_ITEMS, share->end);
    if (pair.middle < pair.right)
        clf_pair_within(&pair, first + width, s);
    return pair;
}

/* Of pairs of so many work-items, each sees what the others wrote. Those of a warp need not wait for others. */
static inline void clf_pairs_sync(const clf_arguments *a, uint workers)
{
    const uint beside = CLF_SEGMENT == 1 ? a->stride / CLF_ITEMS : CLF_GROUP; /* work-items of a unit */
    if (CLF_LANE_WIDTH > 1 && workers <= CLF_LANE_WIDTH && (beside & (workers - 1)) == 0)
        clf_lane_sync();
    else
        clf_group_sync();
}

/* Sorts the tile's keys. The caller synchronises before, and afterwards. */
CLF_INLINE void clf_segments_tile_sort(const clf_arguments *a, const clf_segments_share *share, bool alone,
                                       __local clf_segments_storage *s)
{
    /* Without lanes loops with barriers have a constant end. */
    const uint most = CLF_SEGMENT == 1 && CLF_LANE_WIDTH > 1 ? min(a->stride / CLF_ITEMS, (uint)CLF_GROUP) : CLF_GROUP;
    clf_items x;
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        x.key[j] = j < share->count ? s->keys[CLF_ITEM_SLOT(share->at, j)] : CLF_KEY_ONES;
        CLF_PLACED(if (!alone) x.place[j] = share->element + j;)
    }
    const uint team = clf_items_team(a, share);
    if (alone || team == 1) {
        /* What is lacking is no less than any, and comes after those that are equal: it stays behind. */
        if ((share->heads & ~clf_bits_from(share->count) & ~1u) == 0)
            clf_items_sort(&x, 0, alone);
        else
            clf_items_sort(&x, share->heads, alone);
        clf_items_network_join(x.key, 0, true, team);
    }
    CLF_PLACED(else clf_items_words(&x, share, team, s);)
    clf_items_put(&x, share->at, share->count, alone, s);
    CLF_LOOP for (uint width = 1; width < most; width *= 2) { /* from 1: all warps come to a barrier in one round */
        if (width < team || clf_nothing_merged(width, s))
            continue;
        clf_pairs_sync(a, 2 * width);
        const clf_pair pair = clf_pair_of(share, width, s);
        const uint begin = max(share->at, pair.left), end = min(share->at + share->count, pair.right);
        const uint count = pair.middle < pair.right && begin < end ? end - begin : 0;
        if (count > 0)
            clf_pair_merge(&pair, begin - pair.left, true, alone, &x, s);
        clf_pairs_sync(a, 2 * width);
        clf_items_put(&x, begin, count, alone, s);
    }
}

/* ---- Tiles ---------------------------------------------------------------------------------------------- */

typedef clf_segments_storage clf_segments_tiles_storage;
typedef clf_segments_storage clf_segments_merge_storage;

/* Where element i of the tile lies among its units (2^32 / unit: `magic`; 0: they have no gaps). */
static inline uint clf_segments_tile_place(const clf_arguments *a, uint i)
{
    return CLF_SEGMENT == 1 && a->magic ? i + mul_hi(i, a->magic) * (a->stride - a->unit) : i;
}

/* The same of element j of this work-item; full tiles have no gaps, so these differ by constants. */
static inline uint clf_segments_tile_slot(const clf_arguments *a, uint j, bool full)
{
    if (full && CLF_GROUP % CLF_SEGMENTS_BANKS == 0)
        return CLF_SEGMENTS_SLOT(clf_local_id()) + CLF_SEGMENTS_SLOT(j * CLF_GROUP);
    return CLF_SEGMENTS_SLOT(clf_segments_tile_place(a, j * CLF_GROUP + clf_local_id()));
}

/* Also notes whether it tells all bits of the value. A zero that is not −0 is +0. */
static inline clf_key_bits clf_segments_tile_key(const clf_arguments *a, ulong i, bool *untold)
{
    const clf_key_bits bits = clf_value_key(clf_sorted_input(a, i) CLF_LESS_A), key = clf_key_ordered(bits);
    if (CLF_KEY_TRIED)
        *untold |= CLF_KEY_EQUAL(bits, CLF_KEY_SIGN) | CLF_KEY_EQUAL(key, CLF_KEY_LAST);
    return key;
}

/* Its elements `from` … `count - 1`. Full tiles have no gaps: all loads are under way together. */
CLF_INLINE void clf_segments_tile_fetch(const clf_arguments *a, ulong first, uint from, uint count, bool *untold,
                                        __local clf_segments_storage *s)
{
    if (count - from == CLF_TILE) {
        clf_key_bits key[CLF_ITEMS];
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            key[j] = clf_segments_tile_key(a, first + clf_local_id() + j * CLF_GROUP, untold);
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            s->keys[clf_segments_tile_slot(a, j, true)] = key[j];
        return;
    }
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i >= from && i < count)
            s->keys[clf_segments_tile_slot(a, j, false)] = clf_segments_tile_key(a, first + i, untold);
    }
}

/* All elements of a tile of rows go to the arrays of its first one. */
static inline void clf_segments_tile_put(const clf_arguments *a, const clf_segments_turned *turned,
                                         const clf_outputs *firsts, ulong i, clf_value v)
{
    clf_outputs to;
    if (CLF_SEGMENT != 1)
        clf_take_arrays(a, clf_goes_to_second(turned, i), &to);
    clf_output_at(CLF_SEGMENT == 1 ? firsts : &to, i, v);
}

#define CLF_SORTED_KEEP_FIELD(f, type, move, bytes, name) kept[j].name = v.name;

/* An element of the sorted tile, by its key alone or from the input. */
static inline clf_value clf_segments_tile_value(const clf_arguments *a, ulong first, uint slot, bool alone,
                                                __local const clf_segments_storage *s)
{
    CLF_PLACED(if (!alone) return clf_sorted_input(a, first + s->places[slot]);)
    CLF_TOLD(return clf_key_value(s->keys[slot]);)
}

/* Values from the input are all read before the first one is written: in place. */
CLF_INLINE void clf_segments_tile_write(const clf_arguments *a, const clf_segments_turned *turned,
                                        const clf_outputs *to, ulong first, uint from, uint count, bool full,
                                        bool alone, __local clf_segments_storage *s)
{
    const ulong own = first + clf_local_id();
    clf_value kept[CLF_ITEMS];
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (full || (i >= from && i < count)) {
            const clf_value v = clf_segments_tile_value(a, first, clf_segments_tile_slot(a, j, full), alone, s);
            if (alone)
                clf_segments_tile_put(a, turned, to, own + j * CLF_GROUP, v);
            CLF_VALUE_FIELDS(CLF_SORTED_KEEP_FIELD)
        }
    }
    if (alone) {
        if (CLF_KEY_TRIED) /* LLVM 15 would join the last writes of both ways, and keep pointers in memory for them */
            clf_group_sync();
        return;
    }
    barrier(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (full || (i >= from && i < count))
            clf_segments_tile_put(a, turned, to, own + j * CLF_GROUP, kept[j]);
    }
}

CLF_INLINE void clf_segments_tile_finish(const clf_arguments *a, uint tile, ulong first, uint from, uint count,
                                         const clf_segments_share *share, bool alone, __local clf_segments_storage *s)
{
    clf_segments_tile_sort(a, share, alone, s);
    clf_group_sync();
    const clf_segments_turned turned = clf_segments_turned_of(a, tile); /* before, it would take registers meanwhile */
    clf_outputs to;
    clf_take_arrays(a, clf_goes_to_second(&turned, first), &to);
    if (CLF_LANE_WIDTH > 1 && count - from == CLF_TILE)
        clf_segments_tile_write(a, &turned, &to, first, from, count, true, alone, s);
    else
        clf_segments_tile_write(a, &turned, &to, first, from, count, false, alone, s);
}

CLF_INLINE void clf_segments_tiles_body(const clf_arguments *a, __local clf_segments_storage *s)
{
    const uint tile = (uint)get_group_id(0);
    const ulong first = clf_tile_begin(a, tile);
    ulong begin, end;
    clf_tile_own(a, tile, &begin, &end);
    if (CLF_LANE_WIDTH > 1 && begin == end) /* PoCL 3.1, without lanes, fails on exits before barriers */
        return;
    const uint from = (uint)(begin - first), count = (uint)(end - first);
    bool untold = false;
    if (CLF_KEY_TRIED && clf_local_id() == 0)
        s->untold = false;
    clf_segments_tile_fetch(a, first, from, count, &untold, s);
    const clf_segments_share share = clf_segments_share_of(a, from, count, s);
    clf_group_sync();
    if (CLF_KEY_TRIED) {
        if (untold) /* all write the same */
            s->untold = true;
        clf_group_sync();
    }
    if (CLF_KEY_TRIED && !s->untold)
        clf_segments_tile_finish(a, tile, first, from, count, &share, true, s);
    else
        clf_segments_tile_finish(a, tile, first, from, count, &share, CLF_KEY_ALONE, s);
}

/* ---- Passes --------------------------------------------------------------------------------------------- */

/* Element i of what goes to a piece, of which the left part has `lefts`. */
static inline ulong clf_cut_source(const clf_segments_cut *cut, uint lefts, uint i)
{
    return i < lefts ? cut->left + i : cut->right + (i - lefts);
}

/* An element of a joined piece, by its key alone or from where it came. */
static inline clf_value clf_piece_value(const clf_outputs *from, const clf_segments_cut *cut, uint lefts, uint slot,
                                        __local const clf_segments_storage *s)
{
    CLF_PLACED(return clf_result_at(from, clf_cut_source(cut, lefts, s->places[slot]));)
    CLF_TOLD(return clf_key_value(s->keys[slot]);)
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
        clf_pair_merge(&pair, at, false, CLF_KEY_ALONE, &x, s);
    clf_group_sync();
    clf_items_put(&x, at, mine, CLF_KEY_ALONE, s);
    clf_group_sync();
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint i = j * CLF_GROUP + clf_local_id();
        if (i < count)
            clf_output_at(to, piece->begin + i, clf_piece_value(from, cut, lefts, CLF_SEGMENTS_SLOT(i), s));
    }
}

/* A tile's piece k, if the pass moves it. */
CLF_INLINE void clf_piece_move(const clf_arguments *a, uint tile, uint k, __local clf_segments_storage *s)
{
    clf_segments_piece piece = clf_segments_piece_of(a, tile, k, a->pass);
    const bool second = clf_segments_piece_is_second(&piece, a->pass);
    clf_segments_cut cut = {0, 0, 0};
    clf_outputs from, to;
    if (piece.turns <= a->pass)
        piece.end = piece.begin;
    clf_take_arrays(a, second, &from);
    clf_take_arrays(a, !second, &to);
    if (piece.begin < piece.end && piece.joined)
        cut = clf_segments_cut_of(a, tile, k, &piece);
    else {
        clf_piece_copy(&piece, &from, &to);
        piece.end = piece.begin;
    }
    if (CLF_LANE_WIDTH == 1 || piece.begin < piece.end) /* PoCL 3.1, without lanes, fails on exits before barriers */
        clf_piece_join(&piece, &cut, &from, &to, s CLF_LESS_A);
}

CLF_INLINE void clf_segments_merge_body(const clf_arguments *a, __local clf_segments_storage *s)
{
#if CLF_LISTED
    const uint all = a->moved[a->pass];
    for (uint i = (uint)get_group_id(0); i < all; i += (uint)get_num_groups(0)) {
        const uint at = a->moved[CLF_PASSES_MOST + i];
        clf_piece_move(a, at / CLF_PIECES, at % CLF_PIECES, s);
        clf_group_sync();
    }
#else
    const uint at = (uint)get_group_id(0);
    if (CLF_LANE_WIDTH == 1 || a->cuts[at] != CLF_CUT_NONE)
        clf_piece_move(a, at / CLF_PIECES, at % CLF_PIECES, s);
#endif
}

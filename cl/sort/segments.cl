/* SPDX-License-Identifier: MIT */
/*
 * segments: segments are sorted, each by itself, by merging. This is what the kernels of segments_tile.cl and
 * segments_cpu.cl share. A tile is sorted first, segment by segment. If a segment lies in several tiles, its sorted
 * parts are merged in passes, each of which joins pairs of twice as many tiles as the one before.
 *
 *   CLF_SEGMENT = 1   a->count rows of a->size elements. A tile has whole rows, or an equal part of one
 *                 2   a->size elements in segments given by head bits: tiles cut them anywhere
 *
 * Passes over segments of several tiles need:
 *
 *   cuts      ulong: where in its left half the part of it begins that goes to a tile; CLF_CUT_NONE for tiles that this
 *             pass and the later ones leave as they are
 *   lasts     irregular: for each tile 1 + the last head in it and those before it, or 0
 *   firsts    irregular: from the last tile to the first, how far the first head in it and those behind it is from the
 *             end, or 0
 *   unit, stride, magic   elements of a tile's row (or of so many rows as one work-item takes), and places that it has
 *             in local memory: segments_tile.cl
 *   tiles     of a row; irregular: of all
 *   pass      joins pairs of 2^pass tiles
 *
 * An element goes back and forth between a->out and a->second (scratch, or with CLF_OVERWRITE the input) as often as
 * passes move its segment, and ends in a->out. So segments of one tile are written once, whatever other segments there
 * are.
 *
 * needs: a->cuts, a->firsts, a->lasts, a->pass, a->stride, a->tiles, a->unit
 * provides: CLF_CUT_NONE, clf_join, clf_segments_*, clf_sorted_*, clf_tile_begin, clf_tile_end
 */
#include "sort/values.cl"
#include "segments/segment.cl"

/* ---- Values --------------------------------------------------------------------------------------------- */

static inline clf_value clf_sorted_input(const clf_arguments *a, ulong i)
{
    clf_extra none;
    return clf_value_copy(clf_map_at(a, clf_input_at(&a->in, i), i, &none));
}

static inline clf_key_bits clf_sorted_key(clf_value v CLF_LESS_PARAMETER)
{
    return clf_key_ordered(clf_value_key(v CLF_LESS_C));
}

static inline clf_key_bits clf_sorted_key_at(const clf_outputs *from, ulong i CLF_LESS_PARAMETER)
{
    return clf_sorted_key(clf_result_at(from, i) CLF_LESS_C);
}

/* ---- Tiles ---------------------------------------------------------------------------------------------- */

/* Neighbouring elements, of which some passes move all. */
typedef struct {
    ulong begin, end;
    uint turns;      /* how many passes */
    clf_flag joined; /* in the pass at hand with what is beside it; else they are only copied */
} clf_segments_piece;

/* Two sorted parts of a segment, [left, middle) and [middle, right), that a pass makes one. */
typedef struct {
    ulong left, middle, right;
} clf_join;

static inline uint clf_log2_ceiling(uint x)
{
    return x > 1 ? 32 - (uint)clz(x - 1) : 0;
}

#if CLF_SEGMENT == 1

/* The first element of a tile, and behind its last one. */
static inline ulong clf_tile_begin(const clf_arguments *a, uint tile)
{
    if (a->tiles > 1)
        return tile / a->tiles * a->size + (ulong)(tile % a->tiles) * a->unit;
    return min((ulong)tile * (CLF_TILE / a->stride * a->unit), a->count * a->size);
}

static inline ulong clf_tile_end(const clf_arguments *a, uint tile)
{
    if (a->tiles <= 1)
        return clf_tile_begin(a, tile + 1);
    if (tile / a->tiles >= a->count)
        return clf_tile_begin(a, tile);
    return min(clf_tile_begin(a, tile) + a->unit, (tile / a->tiles + 1) * a->size);
}

/* What passes do with a tile: it is a part of one row. */
static inline void clf_segments_pieces_of(const clf_arguments *a, uint tile, uint pass, clf_segments_piece piece[2],
                                          clf_join *join)
{
    const uint place = a->tiles > 1 ? tile % a->tiles : 0;
    const ulong row = clf_tile_begin(a, tile) - (ulong)place * a->unit, left = (ulong)(place >> pass >> 1) << pass << 1;
    join->left = row + left * a->unit;
    join->middle = min(join->left + ((ulong)a->unit << pass), row + a->size);
    join->right = min(join->left + ((ulong)a->unit << pass << 1), row + a->size);
    piece[0].begin = clf_tile_begin(a, tile);
    piece[0].end = clf_tile_end(a, tile);
    piece[0].turns = clf_log2_ceiling(a->tiles);
    piece[0].joined = join->middle < join->right;
    piece[1].begin = piece[1].end = piece[0].end;
    piece[1].turns = 0;
    piece[1].joined = false;
}

#else

static inline ulong clf_tile_begin(const clf_arguments *a, uint tile)
{
    return min((ulong)tile * CLF_TILE, a->size);
}

static inline ulong clf_tile_end(const clf_arguments *a, uint tile)
{
    return clf_tile_begin(a, tile + 1);
}

/* Does a segment go on from the tile before? Then where it begins, and ends. */
static inline bool clf_goes_on(const clf_arguments *a, ulong tile, ulong *begin, ulong *end)
{
    if (tile == 0 || tile * CLF_TILE >= a->size || clf_is_head(a, tile * CLF_TILE))
        return false;
    const ulong first = a->firsts[a->tiles - 1 - tile];
    *begin = a->lasts[tile - 1] - 1;
    *end = a->size - first;
    return true;
}

/* Passes that move a segment: as many as the largest power of two that divides the number of a tile it goes on to. */
static inline uint clf_turns_of(ulong begin, ulong end)
{
    const uint differ = (uint)(begin / CLF_TILE) ^ (uint)((end - 1) / CLF_TILE);
    return differ ? 32 - (uint)clz(differ) : 0;
}

/* The segment that the tile before began, and the one that goes on in the next tile; all others are of one tile. */
static inline void clf_segments_pieces_of(const clf_arguments *a, uint tile, uint pass, clf_segments_piece piece[2],
                                          clf_join *join)
{
    const ulong begin = clf_tile_begin(a, tile), end = clf_tile_end(a, tile);
    const ulong left = (ulong)(tile >> pass >> 1) << pass << 1, middle = left + ((ulong)1 << pass);
    ulong from[3] = {0, 0, 0}, to[3] = {0, 0, 0};
    const bool joins = clf_goes_on(a, middle, &from[2], &to[2]);
    const bool before = begin < end && clf_goes_on(a, tile, &from[0], &to[0]);
    const bool behind = begin < end && clf_goes_on(a, (ulong)tile + 1, &from[1], &to[1]) && from[1] >= begin;
    join->left = max(left * CLF_TILE, from[2]);
    join->middle = joins ? middle * CLF_TILE : join->left;
    join->right = joins ? min((middle + ((ulong)1 << pass)) * CLF_TILE, to[2]) : join->left;
    piece[0].begin = begin;
    piece[0].end = before ? min(to[0], end) : begin;
    piece[0].turns = before ? clf_turns_of(from[0], to[0]) : 0;
    piece[0].joined = joins && before && from[0] == from[2];
    piece[1].begin = behind ? from[1] : end;
    piece[1].end = end;
    piece[1].turns = behind ? clf_turns_of(from[1], to[1]) : 0;
    piece[1].joined = joins && behind && from[1] == from[2];
}

/* The first and the last head of each tile, as a scan wants them. */
typedef uchar clf_segments_ends_storage; /* none needed */
CLF_INLINE void clf_segments_ends_body(const clf_arguments *a, __local clf_segments_ends_storage *s)
{
    const ulong tile = get_global_id(0);
    if (tile >= a->tiles)
        return;
    const ulong begin = clf_tile_begin(a, (uint)tile), end = clf_tile_end(a, (uint)tile);
    const ulong first = begin < end ? clf_next_head(a, begin, end) : end;
    a->lasts[tile] = first < end ? clf_last_head(a, begin, end) + 1 : 0;
    a->firsts[a->tiles - 1 - tile] = first < end ? a->size - first : 0;
}

#endif

/* ---- Cuts ----------------------------------------------------------------------------------------------- */

/* Is what a piece has before the pass, or what it has after so many turns more, in a->second? */
static inline bool clf_segments_piece_is_second(const clf_segments_piece *piece, uint turns_done)
{
    return (piece->turns - turns_done) % 2 == 1;
}

/* How many of the first `place` elements of both parts the left one has; of equal ones the left's come first. */
static inline ulong clf_join_cut(const clf_join *join, const clf_outputs *from, ulong place CLF_LESS_PARAMETER)
{
    const ulong n_right = join->right - join->middle;
    ulong low = max(place, n_right) - n_right, high = min(place, join->middle - join->left);
    while (low < high) {
        const ulong some = (low + high) / 2;
        if (CLF_KEY_AT_MOST(clf_sorted_key_at(from, join->left + some CLF_LESS_C),
                            clf_sorted_key_at(from, join->middle + place - 1 - some CLF_LESS_C)))
            low = some + 1;
        else
            high = some;
    }
    return low;
}

#define CLF_CUT_NONE (~0ul)

/* Of each tile where its part of the left half begins. What no pass needs any more takes one load. */
typedef uchar clf_segments_cuts_storage; /* none needed */
CLF_INLINE void clf_segments_cuts_body(const clf_arguments *a, __local clf_segments_cuts_storage *s)
{
    const ulong tile = get_global_id(0);
    clf_segments_piece piece[2];
    clf_join join;
    clf_outputs from;
    if (tile >= (CLF_SEGMENT == 1 ? a->count * a->tiles : a->tiles) || (a->pass > 0 && a->cuts[tile] == CLF_CUT_NONE))
        return;
    clf_segments_pieces_of(a, (uint)tile, a->pass, piece, &join);
    ulong cut = max(piece[0].turns, piece[1].turns) > a->pass ? 0 : CLF_CUT_NONE;
    for (uint k = 0; k < 2; ++k)
        if (piece[k].joined && piece[k].begin < piece[k].end) {
            clf_take_arrays(a, clf_segments_piece_is_second(&piece[k], a->pass), &from);
            cut = join.left + clf_join_cut(&join, &from, piece[k].begin - join.left CLF_LESS_A);
        }
    a->cuts[tile] = cut;
}

/* What of both parts goes to a piece: [left, left_end), then so many from `right` on. */
typedef struct {
    ulong left, left_end, right;
} clf_segments_cut;

static inline clf_segments_cut clf_segments_cut_of(const clf_arguments *a, uint tile, const clf_segments_piece *piece,
                                                   const clf_join *join)
{
    clf_segments_cut cut;
    cut.left = a->cuts[tile];
    cut.left_end = piece->end == join->right ? join->middle : a->cuts[tile + 1];
    cut.right = join->middle + (piece->begin - join->left) - (cut.left - join->left);
    return cut;
}

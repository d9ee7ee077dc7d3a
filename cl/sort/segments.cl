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
 *   cuts      ulong: where in its left half the part of it begins that goes to a tile's piece; CLF_CUT_NONE for those
 *             that this pass and the later ones leave as they are
 *   moved     irregular: how many pieces each pass moves, of CLF_PASSES_MOST, and behind these which (CLF_LISTED)
 *   lasts     irregular: for each tile 1 + the last head in it and those before it, or 0
 *   firsts    irregular: from the last tile to the first, how far the first head in it and those behind it is from the
 *             end, or 0
 *   unit, stride, magic   elements of a tile's row (or of so many rows as one work-item takes), and places that it has
 *             in local memory: segments_tile.cl
 *   tiles     of a row; irregular: of all
 *   pass      joins pairs of 2^pass tiles, counted from the segment's first one
 *   limit     irregular: longer segments are left to others (segments_long.cl); at least a tile, or 0: none are
 *
 * An element goes back and forth between a->out and a->second (scratch, or with CLF_OVERWRITE the input) as often as
 * passes move its segment, and ends in a->out. So segments of one tile are written once, whatever other segments there
 * are.
 *
 * needs: a->cuts, a->firsts, a->lasts, a->limit, a->moved, a->pass, a->stride, a->tiles, a->unit
 * provides: CLF_CUT_NONE, clf_goes_to_second, clf_join, CLF_LISTED, clf_log2_ceiling, CLF_PASSES_MOST, clf_piece_copy,
 *           CLF_PIECES, clf_segments_*, clf_sorted_*, clf_tile_begin, clf_tile_end, clf_tile_own
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

/* Two sorted parts of a segment, [left, middle) and [middle, right), that a pass makes one. */
typedef struct {
    ulong left, middle, right;
} clf_join;

/* Neighbouring elements of one segment of several tiles, all those that a tile has: of none if begin is end. */
typedef struct {
    ulong begin, end;
    uint turns;      /* so many passes move them */
    clf_flag joined; /* in the pass at hand, by `join`; else they are only copied */
    clf_join join;
} clf_segments_piece;

static inline uint clf_log2_ceiling(uint x)
{
    return x > 1 ? 32 - (uint)clz(x - 1) : 0;
}

/* Are pieces that a pass moves listed? Else each is a group's: without lanes all have the same barriers. */
#define CLF_LISTED (CLF_SEGMENT == 2 && CLF_LANE_WIDTH > 1)
enum { CLF_PASSES_MOST = 64 };

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

static inline void clf_tile_own(const clf_arguments *a, uint tile, ulong *begin, ulong *end)
{
    *begin = clf_tile_begin(a, tile);
    *end = clf_tile_end(a, tile);
}

/* A tile is a part of one row. */
enum { CLF_PIECES = 1 };
static inline clf_segments_piece clf_segments_piece_of(const clf_arguments *a, uint tile, uint k, uint pass)
{
    const uint place = a->tiles > 1 ? tile % a->tiles : 0;
    const ulong row = clf_tile_begin(a, tile) - (ulong)place * a->unit, left = (ulong)(place >> pass >> 1) << pass << 1;
    clf_segments_piece piece;
    piece.join.left = row + left * a->unit;
    piece.join.middle = min(piece.join.left + ((ulong)a->unit << pass), row + a->size);
    piece.join.right = min(piece.join.left + ((ulong)a->unit << pass << 1), row + a->size);
    piece.begin = clf_tile_begin(a, tile);
    piece.end = clf_tile_end(a, tile);
    piece.turns = clf_log2_ceiling(a->tiles);
    piece.joined = piece.join.middle < piece.join.right;
    return piece;
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

/* Is the segment left to others? */
static inline bool clf_is_long(const clf_arguments *a, ulong begin, ulong end)
{
    return a->limit > 0 && end - begin > a->limit;
}

/* Piece 0 is of the segment that a tile before began, piece 1 of the one that goes on behind the tile. */
enum { CLF_PIECES = 2 };
static inline clf_segments_piece clf_segments_piece_of(const clf_arguments *a, uint tile, uint k, uint pass)
{
    const ulong begin = clf_tile_begin(a, tile), end = clf_tile_end(a, tile);
    ulong from = 0, to = 0;
    clf_segments_piece piece = {k ? end : begin, k ? end : begin, 0, false, {0, 0, 0}};
    if (begin == end || !clf_goes_on(a, (ulong)tile + k, &from, &to) || (k > 0 && from < begin) ||
        clf_is_long(a, from, to))
        return piece;
    const ulong first = CLF_QUOTIENT(from, CLF_TILE), left = first + ((tile - first) >> pass >> 1 << pass << 1);
    piece.begin = max(from, begin);
    piece.end = min(to, end);
    piece.turns = clf_log2_ceiling((uint)(CLF_QUOTIENT(to - 1, CLF_TILE) - first) + 1);
    piece.join.left = max(left * CLF_TILE, from);
    piece.join.middle = min((left + (1ul << pass)) * CLF_TILE, to);
    piece.join.right = min((left + (2ul << pass)) * CLF_TILE, to);
    piece.joined = piece.join.middle < piece.join.right;
    return piece;
}

/* Those elements of a tile that are not left to others. */
static inline void clf_tile_own(const clf_arguments *a, uint tile, ulong *begin, ulong *end)
{
    ulong from, to;
    *begin = clf_tile_begin(a, tile);
    *end = clf_tile_end(a, tile);
    if (*begin < *end && clf_goes_on(a, (ulong)tile + 1, &from, &to) && from >= *begin && clf_is_long(a, from, to))
        *end = from;
    if (*begin < *end && clf_goes_on(a, tile, &from, &to) && clf_is_long(a, from, to))
        *begin = min(to, *end);
}

/* Bit k: is element i + k, before `end`, a head? */
static inline uint clf_head_bits_before(const clf_arguments *a, ulong i, ulong end)
{
    return i < end ? clf_head_bits(a, i) & (end - i < 32 ? ~(~0u << (uint)(end - i)) : ~0u) : 0;
}

/* The first and the last head of each tile, as a scan wants them; a warp each looks at several words at a time. */
enum { CLF_WORDS_AHEAD = CLF_GROUP == 1 ? 1 : 8 };
typedef uchar clf_segments_ends_storage; /* none needed */
CLF_INLINE void clf_segments_ends_body(const clf_arguments *a, __local clf_segments_ends_storage *s)
{
    const ulong tile = get_global_id(0) / CLF_LANE_WIDTH;
    if (CLF_LISTED && get_global_id(0) < CLF_PASSES_MOST)
        a->moved[get_global_id(0)] = 0;
    if (tile >= a->tiles)
        return;
    const ulong begin = clf_tile_begin(a, (uint)tile), end = clf_tile_end(a, (uint)tile);
    uint first = ~0u, last = 0;
    CLF_LOOP for (uint at = 0; begin + at < end; at += 32 * CLF_LANE_WIDTH * CLF_WORDS_AHEAD) {
        const uint i = at + 32 * clf_lane_id();
        uint bits[CLF_WORDS_AHEAD];
        CLF_UNROLL for (uint k = 0; k < CLF_WORDS_AHEAD; ++k)
            bits[k] = clf_head_bits_before(a, begin + i + 32 * CLF_LANE_WIDTH * k, end);
        CLF_UNROLL for (uint k = 0; k < CLF_WORDS_AHEAD; ++k)
            if (bits[k]) {
                first = min(first, i + 32 * CLF_LANE_WIDTH * k + (31 - (uint)clz(bits[k] & -bits[k])));
                last = i + 32 * CLF_LANE_WIDTH * k + (32 - (uint)clz(bits[k]));
            }
    }
    CLF_LOOP for (uint apart = CLF_LANE_WIDTH / 2; apart > 0; apart /= 2) {
        first = min(first, clf_word_from(first, clf_lane_id() ^ apart));
        last = max(last, clf_word_from(last, clf_lane_id() ^ apart));
    }
    a->lasts[tile] = last > 0 ? begin + last : 0; /* all write the same */
    a->firsts[a->tiles - 1 - tile] = last > 0 ? a->size - (begin + first) : 0;
}

#endif

/* ---- Cuts ----------------------------------------------------------------------------------------------- */

/* Is what a piece has before the pass, or what it has after so many turns more, in a->second? */
static inline bool clf_segments_piece_is_second(const clf_segments_piece *piece, uint turns_done)
{
    return (piece->turns - turns_done) % 2 == 1;
}

static inline void clf_piece_copy(const clf_segments_piece *piece, const clf_outputs *from, const clf_outputs *to)
{
    for (ulong i = piece->begin + clf_local_id(); i < piece->end; i += CLF_GROUP)
        clf_output_at(to, i, clf_result_at(from, i));
}

/* Which of a tile's elements are to be in a->second: some of those before `head`, and from `tail` on. */
typedef struct {
    ulong head, tail;
} clf_segments_turned;

static inline clf_segments_turned clf_segments_turned_of(const clf_arguments *a, uint tile)
{
    const clf_segments_piece first = clf_segments_piece_of(a, tile, 0, 0);
    const clf_segments_piece last = clf_segments_piece_of(a, tile, CLF_PIECES - 1, 0);
    clf_segments_turned turned;
    turned.head = first.turns % 2 == 1 ? first.end : 0;
    turned.tail = CLF_PIECES > 1 && last.turns % 2 == 1 ? last.begin : ~0ul;
    return turned;
}

static inline bool clf_goes_to_second(const clf_segments_turned *turned, ulong i)
{
    return i < turned->head || i >= turned->tail;
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

/* Of each piece where its part of the left half begins. What no pass needs any more takes one load. */
typedef uchar clf_segments_cuts_storage; /* none needed */
CLF_INLINE void clf_segments_cuts_body(const clf_arguments *a, __local clf_segments_cuts_storage *s)
{
    const ulong at = get_global_id(0), tile = at / CLF_PIECES;
    clf_outputs from;
    if (tile >= (CLF_SEGMENT == 1 ? a->count * a->tiles : a->tiles) || (a->pass > 0 && a->cuts[at] == CLF_CUT_NONE))
        return;
    const clf_segments_piece piece = clf_segments_piece_of(a, (uint)tile, (uint)at % CLF_PIECES, a->pass);
    ulong cut = piece.turns > a->pass ? 0 : CLF_CUT_NONE;
    if (piece.joined && piece.begin < piece.end) {
        clf_take_arrays(a, clf_segments_piece_is_second(&piece, a->pass), &from);
        cut = piece.join.left + clf_join_cut(&piece.join, &from, piece.begin - piece.join.left CLF_LESS_A);
    }
    a->cuts[at] = cut;
    if (CLF_LISTED && cut != CLF_CUT_NONE)
        a->moved[CLF_PASSES_MOST + atomic_inc(&a->moved[a->pass])] = (uint)at;
}

/* What of both parts goes to a piece: [left, left_end), then so many from `right` on. */
typedef struct {
    ulong left, left_end, right;
} clf_segments_cut;

/* Behind it the segment goes on in the next tile's first piece. */
static inline clf_segments_cut clf_segments_cut_of(const clf_arguments *a, uint tile, uint k,
                                                   const clf_segments_piece *piece)
{
    const clf_join *const join = &piece->join;
    clf_segments_cut cut;
    cut.left = a->cuts[tile * (ulong)CLF_PIECES + k];
    cut.left_end = piece->end == join->right ? join->middle : a->cuts[(tile + 1ul) * CLF_PIECES];
    cut.right = join->middle + (piece->begin - join->left) - (cut.left - join->left);
    return cut;
}

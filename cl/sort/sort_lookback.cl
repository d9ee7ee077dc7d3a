/* SPDX-License-Identifier: MIT */
/*
 * sort_lookback: a pass of a radix sort in one launch, which reads and writes each value once ("onesweep": Adinets and
 * Merrill 2022). The place of a tile's digits depends on the number of elements with the same digit in earlier tiles.
 * Each tile publishes its counts early. For each digit a work-item looks back, as in a chained scan (Merrill and
 * Garland 2016), once the tile's elements are in order in local memory.
 *
 *   tile_counts   uint, digit by digit for each tile: status (upper two bits: nothing, of the tile, up to and with the
 *                 tile) and number. There are two such matrices: a pass that is needed clears the other one for the
 *                 next, and the host clears the first.
 *
 * Waiting is bounded: after CLF_SPIN polls a work-item counts its digit in the awaited tile by itself. The elements are
 * still there, because no pass writes to where it reads.
 *
 * A launch sorts a portion of a->portion_tiles tiles, whose elements 30 bits can count. The last tile of a portion
 * stores where its digits begin in the next launch. Where no pass is needed, the last launch copies (sort_keys.cl).
 *
 * needs: CLF_SPIN, CLF_STREAMS, a->control, a->in_place, a->pass, a->portion, a->portion_tiles, a->portions,
 *        a->tile_counts, a->tiles
 * provides: clf_digit_slots_of, clf_sort_pass_body, clf_sort_tile
 */
#include "sort/control.cl"
#include "sort/sort_keys.cl"
#include "device/atomics.cl"
#include "digit/digit_tile.cl"

enum { CLF_DIGIT_NUMBER = 0x3fffffff, CLF_DIGIT_OF_TILE = 0x40000000u, CLF_DIGIT_UP_TO = 0x80000000u };

typedef volatile __global uint *clf_digit_slots;

/* Of tile `tile`, in the matrix of this turn, or the one of the next. */
static inline clf_digit_slots clf_digit_slots_of(const clf_arguments *a, uint turn, ulong tile)
{
    return a->tile_counts + ((ulong)(turn % 2) * a->tiles + tile) * CLF_PARTS;
}

/* ---- Look-back ------------------------------------------------------------------------------------------ */

/* Numbers that a work-item has on their way at a time. */
enum { CLF_DIGITS_AHEAD = CLF_STREAMS };

/*
 * Adds up what the tiles before say of a digit: *back of them, of which `slot` is the word behind the nearest. In the
 * end *back is 0, or so many tiles are left, of which the nearest has said nothing for too long.
 */
static inline uint clf_digit_lookback(clf_digit_slots slot, uint *back)
{
    uint number = 0, left = *back;
    for (uint polls = 0; left > 0 && polls <= CLF_SPIN; ++polls) {
        uint words[CLF_DIGITS_AHEAD];
        CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_AHEAD; ++k)
            words[k] = k < left ? clf_uint_load(slot - (k + 1) * (size_t)CLF_PARTS) : 0;
        uint taken = 0;
        bool done = false;
        CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_AHEAD; ++k)
            if (taken == k && !done && words[k] != 0) {
                number += words[k] & CLF_DIGIT_NUMBER;
                done = (words[k] & CLF_DIGIT_UP_TO) != 0;
                ++taken;
            }
        polls = taken ? 0 : polls;
        left = done ? 0 : left - taken;
        slot -= taken * (size_t)CLF_PARTS;
    }
    *back = left;
    return number;
}

/* Where a tile's elements begin. */
#ifndef CLF_DIGIT_TILE_FIRST
#define CLF_DIGIT_TILE_FIRST(a, tile) clf_digit_tile_at(a, tile).first
#endif

/* The fallback: how many elements of a full tile have the digit, by one work-item. */
static inline uint clf_digit_recount(const clf_elements *e, ulong tile, uint digit)
{
    const ulong first = CLF_DIGIT_TILE_FIRST(e->a, (uint)tile);
    uint number = 0;
    CLF_LOOP for (uint k = 0; k < CLF_TILE; ++k)
        number += clf_digit_at(e, first + k) == digit;
    return number;
}

/* Elements with the digit in the tiles `first` … `tile - 1`. */
static inline uint clf_digit_before(const clf_elements *e, uint turn, ulong first, ulong tile, uint digit)
{
    uint back = (uint)(tile - first);
    uint number = clf_digit_lookback(clf_digit_slots_of(e->a, turn, tile) + digit, &back);
    while (back > 0) {
        number += clf_digit_recount(e, first + back - 1, digit);
        --back;
        number += clf_digit_lookback(clf_digit_slots_of(e->a, turn, first + back) + digit, &back);
    }
    return number;
}

/* ---- A pass --------------------------------------------------------------------------------------------- */

typedef struct {
    clf_digit_storage tile;
    uint ticket;
} clf_sort_pass_storage;

/* The tile, of those of the portion, that this group takes. */
static inline uint clf_sort_take(const clf_arguments *a, __local clf_sort_pass_storage *s)
{
    const uint portions = a->portions;
    return clf_place_take(a->control + CLF_CONTROL_TICKETS + a->pass * portions + a->portion, 0,
                          (uint)get_num_groups(0), &s->ticket);
}

/*
 * The elements of tile `tile`. (With a copy of this for full tiles, whose count is constant, a pass took 820 instead of
 * 620 µs on an H200: NVIDIA's compiler does worse with so much code.)
 */
CLF_INLINE void clf_sort_tile(const clf_elements *e, uint turn, ulong tile, const clf_digit_tile *t,
                              __local clf_sort_pass_storage *s)
{
    const clf_arguments *const a = e->a;
    const ulong first = t->first, start = tile - t->number + (ulong)a->portion * a->portion_tiles;
    const uint count = t->count;
    uint totals[CLF_DIGITS_EACH], starts[CLF_DIGITS_EACH];
    clf_ranked r;
    clf_digit_rank(e, first, count, &r, &s->tile);
    clf_group_sync();
    clf_digit_totals(count, totals, &s->tile);
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k)
        if (clf_digit_mine(k) < CLF_PARTS && !clf_place_stalled(tile))
            clf_uint_store(clf_digit_slots_of(a, turn, tile) + clf_digit_mine(k),
                           totals[k] | (tile == start ? CLF_DIGIT_UP_TO : CLF_DIGIT_OF_TILE));
    clf_digit_starts(totals, starts, &s->tile);
    clf_group_sync();
    clf_digit_together(e, first, count, &r, &s->tile); /* meanwhile others say theirs */
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        const uint digit = clf_digit_mine(k);
        if (digit < CLF_PARTS) {
            const ulong begin = clf_starts(a, t->row, a->pass, a->portion)[digit];
            const uint before = clf_digit_before(e, turn, start, tile, digit);
            clf_uint_store(clf_digit_slots_of(a, turn, tile) + digit, (before + totals[k]) | CLF_DIGIT_UP_TO);
            s->tile.to[digit] = begin + before - starts[k];
            if (tile + 1 == start + a->portion_tiles)
                clf_starts(a, t->row, a->pass, a->portion + 1)[digit] = begin + before + totals[k];
        }
    }
    clf_group_sync();
    clf_digit_write(e, first, count, &r, &s->tile);
}

CLF_INLINE void clf_sort_pass_body(const clf_arguments *a, __local clf_sort_pass_storage *s)
{
    const clf_pass p = clf_pass_of(a, a->pass);
    clf_elements e;
    if (!p.needed) {
        if (p.turns == 0 && a->pass + 1 == CLF_PASSES && a->portion == 0 && !a->in_place)
            clf_sort_finish_turns(a, 0);
        return;
    }
    const ulong tile = (ulong)a->portion * a->portion_tiles + clf_sort_take(a, s);
    clf_elements_begin(a, p.turn, p.turns, &e);
    const clf_digit_tile t = clf_digit_tile_at(a, (uint)tile);
    for (uint k = clf_local_id(); k < CLF_PARTS; k += CLF_GROUP)
        *(clf_digit_slots_of(a, p.turn + 1, tile) + k) = 0;
    if (CLF_GIVEN && CLF_LEAVES_EARLY && t.count == 0)
        return;
    clf_sort_tile(&e, p.turn, tile, &t, s);
}

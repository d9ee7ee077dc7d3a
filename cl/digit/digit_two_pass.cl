/* SPDX-License-Identifier: MIT */
/*
 * digit_two_pass: all tiles scattered by digits: reduce, then scan, then scatter (Merrill and Grimshaw 2011). `up`
 * counts each tile's digits, a scan makes places of the counts, and `down` scatters the tile. No group waits for
 * another. Where there is one tile `down` knows the places by itself.
 *
 * needs: elements, a->places, a->tile_counts
 * provides: clf_digit_down_body, clf_digit_up_body
 */
#include "digit/digit_tile.cl"

CLF_INLINE void clf_digit_down_body(const clf_arguments *a, __local clf_digit_storage *s)
{
    const clf_digit_tile tile = clf_digit_tile_at(a, clf_group_from_behind());
    uint totals[CLF_DIGITS_EACH], starts[CLF_DIGITS_EACH];
    clf_elements e;
    clf_ranked r;
    const bool any = clf_elements_open(a, &e) && (!CLF_GIVEN || tile.count > 0);
    const uint count = any ? tile.count : 0;
    const bool alone = get_num_groups(0) == 1;
    if (!any && CLF_LEAVES_EARLY)
        return;
    clf_digit_rank(&e, tile.first, count, &r, s);
    clf_group_sync();
    clf_digit_totals(count, totals, s);
    clf_digit_starts(totals, starts, s);
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        const uint digit = clf_digit_mine(k);
        const bool is = digit < clf_digits(a);
        if (digit < CLF_PARTS)
            s->to[digit] = is && !alone ? a->places[clf_digit_cell(a, &tile, digit)] - starts[k] : 0;
        if (is && alone && count > 0)
            clf_elements_tell(&e, digit, starts[k], totals[k]);
    }
    clf_group_sync();
    clf_digit_together(&e, tile.first, count, &r, s);
    clf_group_sync();
    clf_digit_write(&e, tile.first, count, &r, s);
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

typedef clf_digit_storage clf_digit_down_storage;
typedef struct {
    uint counts[CLF_PARTS];
} clf_digit_up_storage;

/* A digit and how often it came in a row: where all elements have one digit, counters would else be fought for. */
typedef struct {
    uint digit, times;
} clf_digit_run;

static inline void clf_digit_run_end(const clf_digit_run *run, __local clf_digit_up_storage *s)
{
    if (run->times > 0)
        atomic_add(&s->counts[run->digit], run->times);
}

static inline void clf_digit_run_add(clf_digit_run *run, uint digit, __local clf_digit_up_storage *s)
{
    if (digit != run->digit) {
        clf_digit_run_end(run, s);
        run->digit = digit;
        run->times = 0;
    }
    ++run->times;
}

#if CLF_LANE_WIDTH > 1

/* Digits that are under way at a time. */
enum { CLF_DIGIT_AHEAD = 8 };

/* Element of the tile that is digit k of those from j on; is it there? */
static inline uint clf_ahead_place(uint j, uint k)
{
    return (j + k) * CLF_GROUP + clf_local_id();
}

static inline bool clf_ahead_is(uint j, uint k, uint count)
{
    return j + k < CLF_ITEMS && clf_ahead_place(j, k) < count;
}

static inline void clf_digits_load(const clf_elements *e, ulong first, uint count, uint j, uint digits[CLF_DIGIT_AHEAD])
{
    CLF_UNROLL for (uint k = 0; k < CLF_DIGIT_AHEAD; ++k)
        digits[k] = clf_digit_at(e, first + min(clf_ahead_place(j, k), count - 1));
}

#endif

static inline void clf_digit_count_tile(const clf_elements *e, ulong first, uint count, __local clf_digit_up_storage *s)
{
#if CLF_LANE_WIDTH > 1 && CLF_PARTS <= CLF_LANE_WIDTH
    /* Every lane counts one digit. */
    uint sum = 0;
    CLF_LOOP for (uint j = 0; j < CLF_ITEMS; j += CLF_DIGIT_AHEAD) {
        uint digits[CLF_DIGIT_AHEAD];
        clf_digits_load(e, first, count, j, digits);
        CLF_UNROLL for (uint k = 0; k < CLF_DIGIT_AHEAD; ++k) {
            clf_mask lanes = clf_ballot(clf_ahead_is(j, k, count));
            CLF_UNROLL for (uint bit = 1; bit < CLF_PARTS; bit <<= 1) {
                const clf_mask with = clf_ballot((digits[k] & bit) != 0);
                lanes &= clf_lane_id() & bit ? with : ~with;
            }
            sum += (uint)popcount(lanes);
        }
    }
    if (clf_lane_id() < CLF_PARTS)
        atomic_add(&s->counts[clf_lane_id()], sum);
#else
    clf_digit_run run = {0, 0};
#if CLF_LANE_WIDTH > 1
    CLF_LOOP for (uint j = 0; j < CLF_ITEMS; j += CLF_DIGIT_AHEAD) {
        uint digits[CLF_DIGIT_AHEAD];
        clf_digits_load(e, first, count, j, digits);
        CLF_UNROLL for (uint k = 0; k < CLF_DIGIT_AHEAD; ++k)
            if (clf_ahead_is(j, k, count))
                clf_digit_run_add(&run, digits[k], s);
    }
#else
    CLF_LOOP for (uint k = clf_local_id(); k < count; k += CLF_GROUP)
        clf_digit_run_add(&run, clf_digit_at(e, first + k), s);
#endif
    clf_digit_run_end(&run, s);
#endif
}

CLF_INLINE void clf_digit_up_body(const clf_arguments *a, __local clf_digit_up_storage *s)
{
    const clf_digit_tile tile = clf_digit_tile_at(a, (uint)get_group_id(0));
    clf_elements e;
    if (!clf_elements_open(a, &e))
        return;
    for (uint digit = clf_local_id(); digit < CLF_PARTS; digit += CLF_GROUP)
        s->counts[digit] = 0;
    clf_group_sync();
    if (!CLF_GIVEN || tile.count > 0)
        clf_digit_count_tile(&e, tile.first, tile.count, s);
    clf_group_sync();
    for (uint digit = clf_local_id(); digit < clf_digits(a); digit += CLF_GROUP)
        a->tile_counts[clf_digit_cell(a, &tile, digit)] = s->counts[digit];
}

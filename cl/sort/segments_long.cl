/* SPDX-License-Identifier: MIT */
/*
 * segments_long: those segments that are longer than a->limit are sorted digit by digit (sort_lookback.cl), each for
 * itself. They are longer than a tile of segments.cl, a "span" here, so that each span begins one at most, its last,
 * and what is known of spans tells where that begins and ends. Long segments are rows, which have tiles of their own.
 *
 *   find      how many long segments a span begins (0 or 1: the upper half), and how many tiles these have: a->found,
 *             which the host has summed up then
 *   tell      which row a tile is of: a->tile_rows, or CLF_ROW_NONE; and where a row begins, ends, and has its first
 *             tile: a->rows
 *   count     all digits of a tile, added to the counters of its row
 *   schedule  a group for each row that there may be: where does each digit begin?
 *   pass      one turn of elements from one array to the other. None is left out: of rows each would need others. Where
 *             there are more turns than passes, so that the last one ends in a->out, the last digit takes two
 *
 *   lasts, firsts   of spans: segments.cl
 *
 * needs: a->control, a->firsts, a->found, a->lasts, a->limit, a->rows, a->spans, a->tile_rows, a->tiles, a->turn
 * provides: clf_long_*
 */
#include "sort/control.cl"
#include "digit/digit.cl"

#define CLF_ROW_NONE (~0u)

/* Without elements, if there is no such tile. */
static inline clf_digit_tile clf_long_tile_at(const clf_arguments *a, uint tile)
{
    clf_digit_tile t = {0, 0, 0, 0};
    const uint row = a->tile_rows[tile];
    if (row == CLF_ROW_NONE)
        return t;
    t.row = row;
    t.number = tile - (uint)a->rows[3 * (size_t)row + 2];
    t.first = a->rows[3 * (size_t)row] + t.number * (ulong)CLF_TILE;
    t.count = (uint)min(a->rows[3 * (size_t)row + 1] - t.first, (ulong)CLF_TILE);
    return t;
}

#define CLF_DIGIT_TILE_FIRST(a, tile) clf_long_tile_at(a, tile).first
#include "sort/sort_lookback.cl"

/* ---- Rows ----------------------------------------------------------------------------------------------- */

/* The segment of a span's last head: where it begins, and ends. */
static inline ulong clf_long_begin(const clf_arguments *a, uint span)
{
    return a->lasts[span] - 1;
}

static inline ulong clf_long_end(const clf_arguments *a, uint span)
{
    return a->size - (span + 1 < a->spans ? a->firsts[a->spans - 2 - span] : 0);
}

typedef uchar clf_long_find_storage; /* none needed */
CLF_INLINE void clf_long_find_body(const clf_arguments *a, __local clf_long_find_storage *s)
{
    const uint span = (uint)get_global_id(0);
    if (span >= a->spans)
        return;
    const bool begins = a->lasts[span] > (span > 0 ? a->lasts[span - 1] : 0);
    const ulong length = begins ? clf_long_end(a, span) - clf_long_begin(a, span) : 0;
    a->found[span] = length > a->limit ? (1ul << 32) + (length + CLF_TILE - 1) / CLF_TILE : 0;
}

typedef uchar clf_long_tell_storage; /* none needed */
CLF_INLINE void clf_long_tell_body(const clf_arguments *a, __local clf_long_tell_storage *s)
{
    const uint tile = (uint)get_global_id(0);
    uint low = 0, high = a->spans; /* the first span up to which there are more tiles */
    if (tile >= a->tiles)
        return;
    while (low < high) {
        const uint middle = (low + high) / 2;
        if ((uint)a->found[middle] > tile)
            high = middle;
        else
            low = middle + 1;
    }
    if (low == a->spans) {
        a->tile_rows[tile] = CLF_ROW_NONE;
        return;
    }
    const uint row = (uint)(a->found[low] >> 32) - 1, first = low > 0 ? (uint)a->found[low - 1] : 0;
    a->tile_rows[tile] = row;
    if (tile == first) {
        a->rows[3 * (size_t)row] = clf_long_begin(a, low);
        a->rows[3 * (size_t)row + 1] = clf_long_end(a, low);
        a->rows[3 * (size_t)row + 2] = first;
    }
}

/* ---- Before the passes ---------------------------------------------------------------------------------- */

static inline uint clf_long_tiles(const clf_arguments *a)
{
    return (uint)a->found[a->spans - 1];
}

static inline void clf_long_count_clear(__local clf_sort_counts *s)
{
    for (uint k = clf_local_id(); k < CLF_PASSES * CLF_PARTS * CLF_COPIES; k += CLF_GROUP)
        s->counts[k] = 0;
    clf_group_sync();
}

/* Counts a tile, and tells others what there is of its row, if the tile is the group's last one of it. */
static inline void clf_long_count_tile(const clf_arguments *a, const clf_digit_tile *t, bool last,
                                       __local clf_sort_counts *s)
{
    clf_elements e;
    clf_elements_begin(a, 0, 1, &e);
    clf_sort_count_all(&e, t->first, t->first + t->count, 0, 1, s);
    if (last) {
        clf_group_sync();
        clf_sort_count_flush(clf_control_counters_of(a, t->row, 0, 0), s);
        clf_group_sync();
    }
}

typedef clf_sort_counts clf_long_count_storage;

/* Groups have several tiles in turn, as many as keep the device busy; without lanes one each. */
#if CLF_LANE_WIDTH > 1

CLF_INLINE void clf_long_count_body(const clf_arguments *a, __local clf_long_count_storage *s)
{
    const uint all = clf_long_tiles(a), each = (all + (uint)get_num_groups(0) - 1) / (uint)get_num_groups(0);
    const uint first = (uint)get_group_id(0) * each, end = min(first + each, all);
    bool clear = true;
    for (uint tile = first; tile < end; ++tile) {
        const clf_digit_tile t = clf_long_tile_at(a, tile);
        if (clear)
            clf_long_count_clear(s);
        clear = tile + 1 == end || a->tile_rows[tile + 1] != t.row;
        clf_long_count_tile(a, &t, clear, s);
    }
}

#else

CLF_INLINE void clf_long_count_body(const clf_arguments *a, __local clf_long_count_storage *s)
{
    const clf_digit_tile t = clf_long_tile_at(a, (uint)get_group_id(0));
    clf_long_count_clear(s);
    clf_long_count_tile(a, &t, true, s);
}

#endif

typedef clf_count64_totals clf_long_schedule_storage;
CLF_INLINE void clf_long_schedule_body(const clf_arguments *a, __local clf_long_schedule_storage *s)
{
    const uint row = (uint)get_group_id(0);
    if (CLF_LEAVES_EARLY && row >= (uint)(a->found[a->spans - 1] >> 32))
        return;
    clf_sort_schedule_row(a, row, true, 1, a->rows[3 * (size_t)row], a->rows[3 * (size_t)row + 1], s);
}

/* ---- Passes --------------------------------------------------------------------------------------------- */

/*
 * Groups have a tile each, as many as there may be. Those that have none leave at once, so that the others take the
 * tickets.
 */
typedef clf_sort_pass_storage clf_long_pass_storage;
CLF_INLINE void clf_long_pass_body(const clf_arguments *a, __local clf_long_pass_storage *s)
{
    const uint taken = CLF_LEAVES_EARLY ? clf_long_tiles(a) : (uint)get_num_groups(0);
    clf_elements e;
    if (CLF_LEAVES_EARLY && get_group_id(0) >= taken)
        return;
    const uint tile = clf_place_take(a->control + CLF_CONTROL_TICKETS + a->turn, 0, taken, &s->ticket);
    const clf_digit_tile t = clf_long_tile_at(a, tile);
    clf_elements_begin(a, a->turn, 0, &e);
    for (uint k = clf_local_id(); k < CLF_PARTS; k += CLF_GROUP)
        *(clf_digit_slots_of(a, a->turn + 1, tile) + k) = 0;
    clf_sort_tile(&e, a->turn, tile, &t, s);
}

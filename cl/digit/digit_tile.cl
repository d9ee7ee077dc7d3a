/* SPDX-License-Identifier: MIT */
/*
 * digit_tile: a tile dealt out by digits, by a group. Its elements are ranked by digit, stably; each field is brought
 * together in local memory in order of digits (Satish, Harris and Garland 2009), and so every digit's are written in
 * one run.
 *
 * Elements are ranked in columns, each with a counter of its own per digit. A column is a warp, which takes its
 * elements striped: ballots, one per bit of the digit, say which lanes have the same. Elements that the last tile lacks
 * have the last digit, and so come last. Where there are no lanes a column is a work-item with a row of consecutive
 * elements.
 *
 *   clf_digit_rank      fetches the elements and counts them      synchronise
 *   clf_digit_totals    how many there are of each digit
 *   clf_digit_starts    where each digit begins in the tile       the caller sets s->to
 *   clf_digit_write     all fields
 */
#include "group/count.cl"
#include "digit/digit.cl"

#if CLF_TILE >= 65536
#error "places in a tile are 16 bits"
#endif

#define CLF_COLUMNS (CLF_LANE_WIDTH > 1 ? CLF_WARPS : CLF_GROUP)
/* Digits of a work-item: from clf_digit_mine(0) on, one behind the other; some have none. */
#define CLF_DIGITS_EACH ((CLF_PARTS + CLF_GROUP - 1) / CLF_GROUP)

/*
 * Where element `place` is among those brought together: every 32nd place has a gap behind it. Of sorted keys a tile
 * often has 32, or 64, of each digit, and elements so far apart would be in one bank of local memory.
 */
#define CLF_TOGETHER_AT(place) ((place) + (place) / 32)
#define CLF_TOGETHER_MEMBER(f, type, move, bytes, name) type field##f[CLF_TOGETHER_AT(CLF_TILE)];
typedef struct {
    union {
        CLF_VALUE_FIELDS(CLF_TOGETHER_MEMBER)
    } together;                               /* one field of the tile, in order of digits */
    ulong to[CLF_PARTS];                      /* where a digit's elements go, less the digit's place in the tile */
    clf_count_totals totals;
    ushort counters[CLF_PARTS * CLF_COLUMNS]; /* of each digit in each column; then the places of the next ones */
#if !CLF_DIGIT_OF_VALUE
    uchar digits[CLF_TILE];                   /* of the elements, in order of digits */
#endif
} clf_digit_storage;

/* Neighbouring work-items of a warp look at several digits, those of others at several columns. */
static inline uint clf_counter_at(uint column, uint digit)
{
    return CLF_LANE_WIDTH > 1 ? column * CLF_PARTS + digit : digit * CLF_COLUMNS + column;
}

static inline uint clf_digit_mine(uint k)
{
    return clf_local_id() * CLF_DIGITS_EACH + k;
}

/* ---- Ranks ---------------------------------------------------------------------------------------------- */

#if CLF_LANE_WIDTH > 1

/* Lanes that have the same digit as this one. */
static inline clf_mask clf_digit_peers(uint digit)
{
    clf_mask lanes = ~(clf_mask)0 >> (sizeof(clf_mask) * 8 - CLF_LANE_WIDTH); /* no more than there are */
    CLF_UNROLL for (uint bit = 1; bit < CLF_PARTS; bit <<= 1)
        lanes = clf_ballot_same(digit, bit, lanes);
    return lanes;
}

/* Element j of this lane, in the tile. */
static inline uint clf_lane_place(uint j)
{
    return clf_warp_id() * (CLF_LANE_WIDTH * CLF_ITEMS) + j * CLF_LANE_WIDTH + clf_lane_id();
}

/*
 * What a lane keeps of its elements. Those of few bytes stay in registers, others are read again for each field. A word
 * has a rank in its lower half and the digit in the upper; or, where the digit is easily had again, two ranks.
 */
#define CLF_KEPT (CLF_ELEMENT_BYTES <= 8)
#define CLF_RANK_PAIRS (CLF_KEPT && CLF_DIGIT_CHEAP)
typedef struct {
    uint ranks[CLF_RANK_PAIRS ? (CLF_ITEMS + 1) / 2 : CLF_ITEMS];
    clf_element kept[CLF_KEPT ? CLF_ITEMS : 1];
} clf_ranked;

/* Element j of this lane, which is element i, again. */
CLF_INLINE clf_element clf_ranked_element(const clf_elements *e, const clf_ranked *r, ulong i, uint j)
{
#if CLF_KEPT
    return r->kept[j];
#else
    return clf_element_at(e, i);
#endif
}

CLF_INLINE uint clf_ranked_digit(const clf_elements *e, const clf_ranked *r, uint j)
{
#if CLF_RANK_PAIRS
    return clf_element_digit(e, r->kept[j], 0);
#else
    return r->ranks[j] >> 16;
#endif
}

CLF_INLINE uint clf_ranked_rank(const clf_ranked *r, uint j)
{
#if CLF_RANK_PAIRS
    return r->ranks[j / 2] >> j % 2 * 16 & 0xffff;
#else
    return r->ranks[j] & 0xffff;
#endif
}

CLF_INLINE void clf_ranked_set(clf_ranked *r, uint j, uint rank)
{
#if CLF_RANK_PAIRS
    if (j % 2)
        r->ranks[j / 2] |= rank << 16;
    else
        r->ranks[j / 2] = rank;
#else
    r->ranks[j] |= rank;
#endif
}

#define CLF_DIGIT_KEEP_FIELD(f, type, move, bytes, name) r->kept[j].name = x.name;
CLF_INLINE void clf_column_keep(const clf_elements *e, ulong i, uint j, clf_ranked *r)
{
    const clf_element x = clf_element_at(e, i);
#if CLF_KEPT
    CLF_ELEMENT_FIELDS(CLF_DIGIT_KEEP_FIELD)
#endif
#if !CLF_RANK_PAIRS
    r->ranks[j] = clf_element_digit(e, x, i) << 16;
#endif
}

/*
 * All loads first, so that they are under way together. Behind the end the last element is read again; full tiles need
 * not look, and so no register for each address.
 */
CLF_INLINE void clf_column_fetch(const clf_elements *e, ulong first, uint count, clf_ranked *r)
{
    if (count == CLF_TILE) {
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            clf_column_keep(e, first + clf_lane_place(0) + j * CLF_LANE_WIDTH, j, r);
    } else {
        CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j)
            clf_column_keep(e, first + min(clf_lane_place(j), count - 1), j, r);
    }
}

/* The digit of element j of this lane. */
CLF_INLINE uint clf_column_digit(const clf_elements *e, uint count, const clf_ranked *r, uint j)
{
    const uint digit = clf_ranked_digit(e, r, j); /* of whatever is there: nothing branches */
    return clf_lane_place(j) < count ? digit : CLF_PARTS - 1;
}

/* Ranks the elements, and leaves in the column's counters how many it has of each digit. */
CLF_INLINE void clf_column_rank(const clf_elements *e, uint count, clf_ranked *r, __local clf_digit_storage *s)
{
    const uint column = clf_warp_id();
    for (uint digit = clf_lane_id(); digit < CLF_PARTS; digit += CLF_LANE_WIDTH)
        s->counters[clf_counter_at(column, digit)] = 0;
    clf_lane_sync();
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const uint digit = clf_column_digit(e, count, r, j), at = clf_counter_at(column, digit);
        const clf_mask peers = clf_digit_peers(digit), below = clf_mask_below(peers);
        const uint before = s->counters[at];
        clf_lane_sync();
        if (below == 0)
            s->counters[at] = (ushort)(before + (uint)popcount(peers));
        clf_lane_sync();
        clf_ranked_set(r, j, before + (uint)popcount(below));
    }
}

#else

/*
 * What a work-item keeps: where its row begins, and how many elements it has. In groups that are no power of two, or
 * large, that is volatile for PoCL, which else asks one work-item for all whether it has any
 * (tests/driver_bugs/pocl_return.c); in others it does not, and would compile for minutes.
 */
#if CLF_CPU && (CLF_GROUP >= 256 || (CLF_GROUP & (CLF_GROUP - 1)))
#define CLF_SAVED volatile
#else
#define CLF_SAVED
#endif
typedef struct {
    ulong row;
    CLF_SAVED uint mine;
} clf_ranked;

static inline void clf_column_count(const clf_elements *e, ulong first, uint count, clf_ranked *r,
                                    __local clf_digit_storage *s)
{
    const uint column = clf_local_id(), at = column * CLF_ITEMS;
    r->row = first + at;
    r->mine = at < count ? min(count - at, (uint)CLF_ITEMS) : 0;
    for (uint digit = 0; digit < CLF_PARTS; ++digit)
        s->counters[clf_counter_at(column, digit)] = 0;
    CLF_LOOP for (uint k = 0; k < r->mine; ++k)
        ++s->counters[clf_counter_at(column, clf_digit_at(e, r->row + k))];
}

#endif

CLF_INLINE void clf_digit_rank(const clf_elements *e, ulong first, uint count, clf_ranked *r,
                               __local clf_digit_storage *s)
{
#if CLF_LANE_WIDTH > 1
    clf_column_fetch(e, first, count, r);
    clf_column_rank(e, count, r, s);
#else
    clf_column_count(e, first, count, r, s);
#endif
}

/* ---- Digits --------------------------------------------------------------------------------------------- */

/* Of this work-item's digits, how many elements the tile has. */
static inline void clf_digit_totals(uint count, uint totals[CLF_DIGITS_EACH], __local clf_digit_storage *s)
{
    const uint lacking = CLF_LANE_WIDTH > 1 ? CLF_TILE - count : 0;
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        totals[k] = 0;
        if (clf_digit_mine(k) < CLF_PARTS)
            for (uint column = 0; column < CLF_COLUMNS; ++column)
                totals[k] += s->counters[clf_counter_at(column, clf_digit_mine(k))];
        if (clf_digit_mine(k) == CLF_PARTS - 1)
            totals[k] -= lacking;
    }
}

/*
 * Makes places in the tile of all counters: digit by digit, of each column by column. starts: where this work-item's
 * digits begin in the tile.
 */
static inline void clf_digit_starts(const uint totals[CLF_DIGITS_EACH], uint starts[CLF_DIGITS_EACH],
                                    __local clf_digit_storage *s)
{
    clf_count sum = 0, all;
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k)
        sum += totals[k];
    uint place = clf_count_group_scan(sum, &s->totals, &all);
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        starts[k] = place;
        if (clf_digit_mine(k) < CLF_PARTS)
            for (uint column = 0; column < CLF_COLUMNS; ++column) {
                const uint at = clf_counter_at(column, clf_digit_mine(k)), some = s->counters[at];
                s->counters[at] = (ushort)place;
                place += some;
            }
    }
}

/* ---- Fields --------------------------------------------------------------------------------------------- */

#if CLF_DIGIT_OF_VALUE
#define CLF_DIGIT_KEEP(f, place, digit)
#define CLF_DIGIT_KEPT(k) clf_value_digit(e, (clf_value){s->together.field0[at]})
#else
#define CLF_DIGIT_KEEP(f, place, digit) \
    if (f == 0) \
        s->digits[place] = (uchar)(digit);
#define CLF_DIGIT_KEPT(k) s->digits[k]
#endif

/* Field f of the values, brought together; with the first one the digits, too. */
#if CLF_LANE_WIDTH > 1
#define CLF_DIGIT_TOGETHER(f, name) \
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) { \
        const ulong i = first + min(clf_lane_place(j), count - 1); \
        const uint digit = clf_column_digit(e, count, r, j); \
        const uint place = s->counters[clf_counter_at(clf_warp_id(), digit)] + clf_ranked_rank(r, j); \
        const clf_value v = clf_element_value(e, clf_ranked_element(e, r, i, j), i); \
        s->together.field##f[CLF_TOGETHER_AT(place)] = v.name; \
        CLF_DIGIT_KEEP(f, place, digit) \
    }
#else
/* Counters count on: so every other field is walked backwards, and finds the same places. */
#define CLF_DIGIT_TOGETHER(f, name) \
    CLF_LOOP for (uint k = 0; k < r->mine; ++k) { \
        const ulong i = r->row + (f % 2 ? r->mine - 1 - k : k); \
        const clf_element x = clf_element_at(e, i); \
        const uint digit = clf_element_digit(e, x, i), at = clf_counter_at(clf_local_id(), digit); \
        const uint place = f % 2 ? s->counters[at] - 1u : s->counters[at]; \
        const clf_value v = clf_element_value(e, x, i); \
        s->counters[at] = (ushort)(f % 2 ? place : place + 1); \
        s->together.field##f[CLF_TOGETHER_AT(place)] = v.name; \
        CLF_DIGIT_KEEP(f, place, digit) \
    }
#endif

/* Where element j * CLF_GROUP + local id is. */
#if CLF_GROUP % 32 == 0
#define CLF_TOGETHER_OF_ROW(j) ((j) * CLF_TOGETHER_AT(CLF_GROUP) + CLF_TOGETHER_AT(clf_local_id()))
#else
#define CLF_TOGETHER_OF_ROW(j) CLF_TOGETHER_AT((j) * CLF_GROUP + clf_local_id())
#endif

/* And written. */
#define CLF_DIGIT_FIELD(f, type, move, bytes, name) \
    if (f > 0) { \
        clf_group_sync(); \
        CLF_DIGIT_TOGETHER(f, name) \
        clf_group_sync(); \
        clf_digit_flush_##f(e, count, s); \
    }
#define CLF_DIGIT_STORE(f, place) \
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) { \
        const uint k = j * CLF_GROUP + clf_local_id(), at = CLF_TOGETHER_OF_ROW(j); \
        if (k < count) \
            out[(place)s->to[CLF_DIGIT_KEPT(k)] + k] = s->together.field##f[at]; \
    }
/* Places of 32 bits, where they are enough, take fewer instructions. */
#define CLF_DIGIT_FLUSH(f, type, move, bytes, name) \
    CLF_INLINE void clf_digit_flush_##f(const clf_elements *e, uint count, __local clf_digit_storage *s) \
    { \
        __global type *const out = clf_elements_out(e)->p##f; \
        if (e->a->size >> 32) { \
            CLF_DIGIT_STORE(f, ulong) \
        } else { \
            CLF_DIGIT_STORE(f, uint) \
        } \
    }
CLF_VALUE_FIELDS(CLF_DIGIT_FLUSH)

#define CLF_DIGIT_FIRST(f, type, move, bytes, name) \
    if (f == 0) { \
        CLF_DIGIT_TOGETHER(f, name) \
    }

/* Before s->to is known: the first field, brought together. Synchronise before. */
CLF_INLINE void clf_digit_together(const clf_elements *e, ulong first, uint count, const clf_ranked *r,
                                   __local clf_digit_storage *s)
{
    CLF_VALUE_FIELDS(CLF_DIGIT_FIRST)
}

/* Writes it, and the others. Synchronise before. */
CLF_INLINE void clf_digit_write(const clf_elements *e, ulong first, uint count, const clf_ranked *r,
                                __local clf_digit_storage *s)
{
    clf_digit_flush_0(e, count, s);
    CLF_VALUE_FIELDS(CLF_DIGIT_FIELD)
}

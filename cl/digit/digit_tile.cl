/* SPDX-License-Identifier: MIT */
/*
 * digit_tile: a tile dealt out by digits, by a group. Its elements are ranked by digit, stably; each field is brought
 * together in local memory in order of digits (Satish, Harris and Garland 2009), and so every digit's are written in
 * one run.
 *
 * Elements are ranked in columns (column.cl), each with a counter of its own per digit. A column takes its elements
 * striped. Ballots, one per bit of the digit, or words in local memory say which of its work-items have the same.
 * Elements that the last tile lacks have the last digit, and so come last.
 *
 *   clf_digit_rank      fetches the elements and counts them      synchronise
 *   clf_digit_totals    how many there are of each digit
 *   clf_digit_starts    where each digit begins in the tile       the caller sets s->to
 *   clf_digit_write     all fields
 */
#include "group/count.cl"
#include "digit/column.cl"
#include "digit/digit.cl"

#if CLF_TILE >= 65536
#error "places in a tile are 16 bits"
#endif

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
        CLF_VALUE_FIELDS(CLF_TOGETHER_MEMBER) /* one field of the tile, in order of digits; and before that, */
#if CLF_LANE_WIDTH == 1
        uint peers[2][CLF_PARTS * CLF_COLUMNS]; /* in turn: who has this digit in this column */
#endif
    } together;
    ulong to[CLF_PARTS];                      /* where a digit's elements go, less the digit's place in the tile */
    clf_count_totals totals;
    ushort counters[CLF_PARTS * CLF_COLUMNS]; /* of each digit in each column; then the places of the next ones */
#if !CLF_DIGIT_OF_VALUE
    uchar digits[CLF_TILE];                   /* of the elements, in order of digits */
#endif
} clf_digit_storage;

static inline uint clf_counter_at(uint column, uint digit)
{
    return column * CLF_PARTS + digit;
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

#endif

/* Element j of this work-item, in the tile. */
static inline uint clf_column_place(uint j)
{
    return clf_column_id() * (CLF_COLUMN_WIDTH * CLF_ITEMS) + j * CLF_COLUMN_WIDTH + clf_column_lane();
}

/*
 * What a work-item keeps of its elements. Those of few bytes stay in registers, others are read again for each field. A
 * word has a rank in its lower half and the digit in the upper; or, where the digit is easily had again, two ranks.
 */
#define CLF_KEPT (CLF_ELEMENT_BYTES <= 8)
#define CLF_RANK_PAIRS (CLF_KEPT && CLF_DIGIT_CHEAP)
typedef struct {
    uint ranks[CLF_RANK_PAIRS ? (CLF_ITEMS + 1) / 2 : CLF_ITEMS];
    clf_element kept[CLF_KEPT ? CLF_ITEMS : 1];
} clf_ranked;

/* Element j of this work-item, which is element i, again. (Inlined by force, a struct that is returned becomes what
 * Oclgrind does not know.) */
#if CLF_CPU
static inline
#else
CLF_INLINE
#endif
clf_element clf_ranked_element(const clf_elements *e, const clf_ranked *r, ulong i, uint j)
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
        CLF_UNROLL_COLUMN for (uint j = 0; j < CLF_ITEMS; ++j)
            clf_column_keep(e, first + clf_column_place(0) + j * CLF_COLUMN_WIDTH, j, r);
    } else if (CLF_LEAVES_EARLY || count > 0) {
        CLF_UNROLL_COLUMN for (uint j = 0; j < CLF_ITEMS; ++j)
            clf_column_keep(e, first + min(clf_column_place(j), count - 1), j, r);
    }
}

/* The digit of element j of this work-item. */
CLF_INLINE uint clf_column_digit(const clf_elements *e, uint count, const clf_ranked *r, uint j)
{
#if CLF_CPU && CLF_LANE_WIDTH == 1
    if (count == 0)
        return CLF_PARTS - 1; /* nothing was read */
#endif
    const uint digit = clf_ranked_digit(e, r, j); /* of whatever is there: nothing branches */
    return clf_column_place(j) < count ? digit : CLF_PARTS - 1;
}

/* How many elements that the column has ranked have this digit; counts one more of this work-item, its `j`-th. */
CLF_INLINE uint clf_column_next(uint digit, uint j, __local clf_digit_storage *s)
{
    const uint at = clf_counter_at(clf_column_id(), digit);
#if CLF_LANE_WIDTH > 1
    const clf_mask peers = clf_digit_peers(digit);
#else
    volatile __local uint *const word = s->together.peers[j % 2] + at;
    atomic_or(word, 1u << clf_column_lane());
    clf_group_sync();
    const uint peers = *word;
#endif
    const clf_column_mask below = clf_column_below(peers);
    const uint before = s->counters[at];
    clf_column_sync();
    if (below == 0) {
        s->counters[at] = (ushort)(before + (uint)popcount(peers));
#if CLF_LANE_WIDTH == 1
        *word = 0; /* is asked for again the time after next, and seen by then */
#endif
    }
#if CLF_LANE_WIDTH > 1
    clf_lane_sync();
#endif
    return before + (uint)popcount(below);
}

/* Ranks the elements, and leaves in the column's counters how many it has of each digit. */
CLF_INLINE void clf_digit_rank(const clf_elements *e, ulong first, uint count, clf_ranked *r,
                               __local clf_digit_storage *s)
{
    clf_column_fetch(e, first, count, r);
    for (uint digit = clf_column_lane(); digit < CLF_PARTS; digit += CLF_COLUMN_WIDTH) {
        const uint at = clf_counter_at(clf_column_id(), digit);
        s->counters[at] = 0;
#if CLF_LANE_WIDTH == 1
        s->together.peers[0][at] = s->together.peers[1][at] = 0;
#endif
    }
    clf_column_sync();
    CLF_UNROLL_COLUMN for (uint j = 0; j < CLF_ITEMS; ++j)
        clf_ranked_set(r, j, clf_column_next(clf_column_digit(e, count, r, j), j, s));
}

/* ---- Digits --------------------------------------------------------------------------------------------- */

/* Of this work-item's digits, how many elements the tile has. */
static inline void clf_digit_totals(uint count, uint totals[CLF_DIGITS_EACH], __local clf_digit_storage *s)
{
    CLF_UNROLL for (uint k = 0; k < CLF_DIGITS_EACH; ++k) {
        totals[k] = 0;
        if (clf_digit_mine(k) < CLF_PARTS)
            for (uint column = 0; column < CLF_COLUMNS; ++column)
                totals[k] += s->counters[clf_counter_at(column, clf_digit_mine(k))];
        if (clf_digit_mine(k) == CLF_PARTS - 1)
            totals[k] -= CLF_TILE - count;
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
#define CLF_DIGIT_TOGETHER(f, name) \
    CLF_UNROLL_COLUMN for (uint j = 0; j < (CLF_LEAVES_EARLY || count > 0 ? CLF_ITEMS : 0); ++j) { \
        const ulong i = first + min(clf_column_place(j), count - 1); \
        const uint digit = clf_column_digit(e, count, r, j); \
        const uint place = s->counters[clf_counter_at(clf_column_id(), digit)] + clf_ranked_rank(r, j); \
        const clf_value v = clf_element_value(e, clf_ranked_element(e, r, i, j), i); \
        s->together.field##f[CLF_TOGETHER_AT(place)] = v.name; \
        CLF_DIGIT_KEEP(f, place, digit) \
    }

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

/* SPDX-License-Identifier: MIT */
/*
 * split_tile: a partition by a digit, each group with a tile: reduce, then scan, then scatter (Merrill and Grimshaw
 * 2011). `up` counts the tile's digits. `down` ranks its elements by digit, stably, brings each field together in local
 * memory in order of parts (Satish, Harris and Garland 2009), and so writes every part in one run.
 *
 * Elements are ranked in columns, each with a counter of its own per digit. A column is a warp, which takes its
 * elements striped: ballots, one per bit of the digit, say which lanes have the same. Where there are no lanes it is a
 * work-item with a row of consecutive elements.
 */
#include "group/count.cl"
#include "split/split.cl"

#if CLF_TILE >= 65536
#error "places in a tile are 16 bits"
#endif

#define CLF_COLUMNS (CLF_LANE_WIDTH > 1 ? CLF_WARPS : CLF_GROUP)
/* Digits that a work-item scans. */
#define CLF_DIGITS_EACH ((CLF_PARTS + CLF_GROUP - 1) / CLF_GROUP)

#define CLF_TOGETHER_MEMBER(f, type, move, bytes, name) type field##f[CLF_TILE];
typedef struct {
    union {
        CLF_VALUE_FIELDS(CLF_TOGETHER_MEMBER)
    } together;                              /* one field of the tile, in order of parts */
    ulong to[CLF_PARTS];                     /* where a part's elements go, less the part's place in the tile */
    clf_count_totals totals;
    ushort counters[CLF_PARTS * CLF_COLUMNS]; /* of each digit in each column; then the places of the next ones */
    uchar digits[CLF_TILE];                  /* of the elements, in order of parts */
} clf_split_down_storage;

/* Neighbouring work-items of a warp look at several digits, those of others at several columns. */
static inline uint clf_counter_at(uint column, uint digit)
{
    return CLF_LANE_WIDTH > 1 ? column * CLF_PARTS + digit : digit * CLF_COLUMNS + column;
}

/* ---- Ranks ---------------------------------------------------------------------------------------------- */

#if CLF_LANE_WIDTH > 1

/* Lanes that have the same digit as this one, of those in `lanes`. */
static inline clf_mask clf_digit_peers(uint digit, clf_mask lanes)
{
    CLF_UNROLL for (uint bit = 1; bit < CLF_PARTS; bit <<= 1) {
        const bool set = (digit & bit) != 0;
        const clf_mask with = clf_ballot(set);
        lanes &= set ? with : ~with;
    }
    return lanes;
}

/* Element j of this lane, in the tile. */
static inline uint clf_lane_place(uint j)
{
    return clf_warp_id() * (CLF_LANE_WIDTH * CLF_ITEMS) + j * CLF_LANE_WIDTH + clf_lane_id();
}

/* Inputs of few bytes stay in registers, others are read again for each field. */
#define CLF_ADD_BYTES(f, type, move, bytes, name) + bytes
#if (0 CLF_INPUT_FIELDS(CLF_ADD_BYTES)) <= 8
#define CLF_KEPT CLF_ITEMS
#else
#define CLF_KEPT 1
#endif

/* A rank in its column is the lower half of a word, the digit the upper one. */
enum { CLF_DIGIT_SHIFT = 16 };
typedef struct {
    uint ranks[CLF_ITEMS];
    clf_input kept[CLF_KEPT];
} clf_lane_elements;

/* All loads first, so that they are under way together. Behind the end the last element is read again. */
#define CLF_KEEP(f, type, move, bytes, name) e->kept[j].name = x.name;
static inline void clf_column_fetch(const clf_arguments *a, ulong first, uint count, clf_lane_elements *e)
{
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const ulong i = first + min(clf_lane_place(j), count - 1);
        const clf_input x = clf_input_at(&a->in, i);
        e->ranks[j] = clf_digit(a, x, i) << CLF_DIGIT_SHIFT;
#if CLF_KEPT > 1 || CLF_ITEMS == 1
        CLF_INPUT_FIELDS(CLF_KEEP)
#endif
    }
}

/* Ranks the elements, and leaves in the column's counters how many it has of each digit. */
static inline void clf_column_rank(uint count, clf_lane_elements *e, __local clf_split_down_storage *s)
{
    const uint column = clf_warp_id();
    for (uint digit = clf_lane_id(); digit < CLF_PARTS; digit += CLF_LANE_WIDTH)
        s->counters[clf_counter_at(column, digit)] = 0;
    clf_lane_sync();
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) {
        const bool there = clf_lane_place(j) < count;
        const uint digit = e->ranks[j] >> CLF_DIGIT_SHIFT, at = clf_counter_at(column, digit);
        const clf_mask peers = clf_digit_peers(digit, clf_ballot(there)), below = clf_mask_below(peers);
        const uint before = s->counters[at];
        clf_lane_sync();
        if (there && below == 0)
            s->counters[at] = (ushort)(before + (uint)popcount(peers));
        clf_lane_sync();
        e->ranks[j] |= before + (uint)popcount(below);
    }
}

#else

/* Elements of this work-item's row. */
static inline uint clf_row_elements(uint count)
{
    const uint at = clf_local_id() * CLF_ITEMS;
    return at < count ? min(count - at, (uint)CLF_ITEMS) : 0;
}

static inline void clf_column_count(const clf_arguments *a, ulong first, uint count, __local clf_split_down_storage *s)
{
    const uint column = clf_local_id(), mine = clf_row_elements(count);
    const ulong row = first + column * CLF_ITEMS;
    for (uint digit = 0; digit < CLF_PARTS; ++digit)
        s->counters[clf_counter_at(column, digit)] = 0;
    CLF_LOOP for (uint k = 0; k < mine; ++k)
        ++s->counters[clf_counter_at(column, clf_digit_at(a, row + k))];
}

#endif

/*
 * Makes places in the tile of all counters, digit by digit, of each column by column; and finds where the parts go.
 * Synchronise before and after.
 */
static inline void clf_split_scan(const clf_arguments *a, uint tile, __local clf_split_down_storage *s)
{
    const uint begin = clf_local_id() * CLF_DIGITS_EACH, end = min(begin + CLF_DIGITS_EACH, (uint)CLF_PARTS);
    clf_count sum = 0, all;
    for (uint digit = begin; digit < end; ++digit)
        for (uint column = 0; column < CLF_COLUMNS; ++column)
            sum += s->counters[clf_counter_at(column, digit)];
    uint place = clf_count_group_scan(sum, &s->totals, &all);
    for (uint digit = begin; digit < end; ++digit) {
        s->to[digit] = digit < a->parts ? a->places[clf_split_cell(digit, tile)] - place : 0;
        for (uint column = 0; column < CLF_COLUMNS; ++column) {
            const uint at = clf_counter_at(column, digit), some = s->counters[at];
            s->counters[at] = (ushort)place;
            place += some;
        }
    }
}

/* ---- Fields --------------------------------------------------------------------------------------------- */

static inline clf_value clf_split_value(const clf_arguments *a, clf_input x, ulong i)
{
    clf_extra none;
    return clf_value_copy(clf_map_at(a, x, i, &none)); /* value.cl */
}

/* Field f of the values, brought together; with the first one the digits, too. */
#if CLF_LANE_WIDTH > 1
#if CLF_KEPT == CLF_ITEMS
#define CLF_LANE_INPUT(i, j) e.kept[j]
#else
#define CLF_LANE_INPUT(i, j) clf_input_at(&a->in, i)
#endif
#define CLF_SPLIT_TOGETHER(f, name) \
    CLF_UNROLL for (uint j = 0; j < CLF_ITEMS; ++j) { \
        const ulong i = first + clf_lane_place(j); \
        if (clf_lane_place(j) < count) { \
            const uint digit = e.ranks[j] >> CLF_DIGIT_SHIFT; \
            const uint place = s->counters[clf_counter_at(clf_warp_id(), digit)] + (e.ranks[j] & 0xffff); \
            const clf_value v = clf_split_value(a, CLF_LANE_INPUT(i, j), i); \
            s->together.field##f[place] = v.name; \
            if (f == 0) \
                s->digits[place] = (uchar)digit; \
        } \
    }
#else
/* Counters count on: so every other field is walked backwards, and finds the same places. */
#define CLF_SPLIT_TOGETHER(f, name) \
    CLF_LOOP for (uint k = 0; k < mine; ++k) { \
        const ulong i = row + (f % 2 ? mine - 1 - k : k); \
        const clf_input x = clf_input_at(&a->in, i); \
        const uint digit = clf_digit(a, x, i), at = clf_counter_at(column, digit); \
        const uint place = f % 2 ? s->counters[at] - 1u : s->counters[at]; \
        const clf_value v = clf_split_value(a, x, i); \
        s->counters[at] = (ushort)(f % 2 ? place : place + 1); \
        s->together.field##f[place] = v.name; \
        if (f == 0) \
            s->digits[place] = (uchar)digit; \
    }
#endif

/* And written. */
#define CLF_SPLIT_FIELD(f, type, move, bytes, name) \
    clf_group_sync(); \
    CLF_SPLIT_TOGETHER(f, name) \
    clf_group_sync(); \
    for (uint k = clf_local_id(); k < count; k += CLF_GROUP) \
        a->out.p##f[s->to[s->digits[k]] + k] = s->together.field##f[k];

static inline void clf_split_down_body(const clf_arguments *a, __local clf_split_down_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    const ulong first = clf_split_first(tile);
    clf_split_tell(a);
    if (CLF_GIVEN && count == 0)
        return;
#if CLF_LANE_WIDTH > 1
    clf_lane_elements e;
    clf_column_fetch(a, first, count, &e);
    clf_column_rank(count, &e, s);
#else
    const uint column = clf_local_id(), mine = clf_row_elements(count);
    const ulong row = first + column * CLF_ITEMS;
    clf_column_count(a, first, count, s);
#endif
    clf_group_sync();
    clf_split_scan(a, tile, s);
    CLF_VALUE_FIELDS(CLF_SPLIT_FIELD)
}

/* ---- Counting ------------------------------------------------------------------------------------------- */

typedef struct {
    uint counts[CLF_PARTS];
} clf_split_up_storage;

/* A digit and how often it came in a row: where all elements are of one part, counters would else be fought for. */
typedef struct {
    uint digit, times;
} clf_digit_run;

static inline void clf_digit_run_end(const clf_digit_run *run, __local clf_split_up_storage *s)
{
    if (run->times > 0)
        atomic_add(&s->counts[run->digit], run->times);
}

static inline void clf_digit_run_add(clf_digit_run *run, uint digit, __local clf_split_up_storage *s)
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
enum { CLF_AHEAD = 8 };

/* Element of the tile that is digit k of those from j on; is it there? */
static inline uint clf_ahead_place(uint j, uint k)
{
    return (j + k) * CLF_GROUP + clf_local_id();
}

static inline bool clf_ahead_is(uint j, uint k, uint count)
{
    return j + k < CLF_ITEMS && clf_ahead_place(j, k) < count;
}

static inline void clf_digits_load(const clf_arguments *a, ulong first, uint count, uint j, uint digits[CLF_AHEAD])
{
    CLF_UNROLL for (uint k = 0; k < CLF_AHEAD; ++k)
        digits[k] = clf_digit_at(a, first + min(clf_ahead_place(j, k), count - 1));
}

#endif

static inline void clf_split_count_digits(const clf_arguments *a, ulong first, uint count,
                                          __local clf_split_up_storage *s)
{
#if CLF_LANE_WIDTH > 1 && CLF_PARTS <= CLF_LANE_WIDTH
    /* Every lane counts one digit. */
    uint sum = 0;
    CLF_LOOP for (uint j = 0; j < CLF_ITEMS; j += CLF_AHEAD) {
        uint digits[CLF_AHEAD];
        clf_digits_load(a, first, count, j, digits);
        CLF_UNROLL for (uint k = 0; k < CLF_AHEAD; ++k) {
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
    CLF_LOOP for (uint j = 0; j < CLF_ITEMS; j += CLF_AHEAD) {
        uint digits[CLF_AHEAD];
        clf_digits_load(a, first, count, j, digits);
        CLF_UNROLL for (uint k = 0; k < CLF_AHEAD; ++k)
            if (clf_ahead_is(j, k, count))
                clf_digit_run_add(&run, digits[k], s);
    }
#else
    CLF_LOOP for (uint k = clf_local_id(); k < count; k += CLF_GROUP)
        clf_digit_run_add(&run, clf_digit_at(a, first + k), s);
#endif
    clf_digit_run_end(&run, s);
#endif
}

static inline void clf_split_up_body(const clf_arguments *a, __local clf_split_up_storage *s)
{
    const uint tile = clf_split_tile(), count = clf_split_count(a, tile);
    for (uint part = clf_local_id(); part < CLF_PARTS; part += CLF_GROUP)
        s->counts[part] = 0;
    clf_group_sync();
    if (!CLF_GIVEN || count > 0)
        clf_split_count_digits(a, clf_split_first(tile), count, s);
    clf_group_sync();
    for (uint part = clf_local_id(); part < a->parts; part += CLF_GROUP)
        a->tile_counts[clf_split_cell(part, tile)] = s->counts[part];
}

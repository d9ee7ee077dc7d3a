/* SPDX-License-Identifier: MIT */
/*
 * sort_keys: what a radix sort does once, before and behind its passes:
 *
 *   count      all digits of all keys, in one reading; launched with a->portion for each portion of the input that
 *              32-bit counters can count: counters[portion or row][pass][digit]; every row has as many groups
 *   schedule   a group for each row: which passes are needed (a->control), and where does each digit begin (a->starts)?
 *              Where one portion of one row is all, and groups can tell which of them is the last one to count, that
 *              one does so, and there is no such launch
 *   finish     what is not in a->out goes there: without a pass, or in place behind an odd number of them, or
 *              behind an even one where a->second is the input. Passes that look back, neither in place nor over the
 *              input, need no such launch
 *
 * The groups of `count` and `finish` stride over the elements.
 *
 * needs: a->control, a->portion, a->portion_tiles, a->portions, a->row_tiles, a->tiles
 * provides: CLF_COPIES, clf_sort_*
 */
#include "sort/control.cl"
#include "device/atomics.cl"
#include "digit/digit.cl"
#include "group/count.cl"

/* ---- Counting ------------------------------------------------------------------------------------------- */

/*
 * Lanes of a warp that have the same digit would wait for each other: so every counter is there several times. On CPUs
 * a work-item has counters of its own.
 */
#if CLF_GROUP == 1
#define CLF_COPIES 1
#define CLF_SORT_COUNTED __private
#else
#define CLF_COPIES (CLF_PASSES > 8 ? 2 : 4) /* 32 KiB at most */
#define CLF_SORT_COUNTED __local
#endif

typedef struct {
    uint counts[CLF_PASSES * CLF_PARTS * CLF_COPIES];
} clf_sort_counts;

static inline void clf_sort_count_add(uint pass, uint digit, uint times, CLF_SORT_COUNTED clf_sort_counts *s)
{
    CLF_SORT_COUNTED uint *const counter =
        &s->counts[(pass * CLF_PARTS + digit) * CLF_COPIES + clf_local_id() % CLF_COPIES];
#if CLF_GROUP == 1
    *counter += times;
#else
    atomic_add(counter, times);
#endif
}

/* Keys that a work-item has under way at a time. */
enum { CLF_KEYS_AHEAD = CLF_GROUP == 1 ? 1 : 8 };

static inline clf_key_bits clf_sort_key_at(const clf_elements *e, ulong i)
{
    return clf_key_ordered(clf_value_key(clf_element_at(e, i) CLF_LESS_OF(e->a)));
}

/* The key `at` and those every CLF_GROUP elements behind it. Where all have a digit, its counter is added to once. */
static inline void clf_sort_count_some(const clf_elements *e, ulong at, CLF_SORT_COUNTED clf_sort_counts *s)
{
    clf_key_bits keys[CLF_KEYS_AHEAD], differ = (clf_key_bits)0;
    CLF_UNROLL for (uint k = 0; k < CLF_KEYS_AHEAD; ++k)
        keys[k] = clf_sort_key_at(e, at + k * CLF_GROUP);
    CLF_UNROLL for (uint k = 1; k < CLF_KEYS_AHEAD; ++k)
        differ |= keys[k] ^ keys[0];
    CLF_UNROLL for (uint pass = 0; pass < CLF_PASSES; ++pass) {
        if (!clf_key_digit(differ, pass))
            clf_sort_count_add(pass, clf_key_digit(keys[0], pass), CLF_KEYS_AHEAD, s);
        else {
            CLF_UNROLL for (uint k = 0; k < CLF_KEYS_AHEAD; ++k)
                clf_sort_count_add(pass, clf_key_digit(keys[k], pass), 1, s);
        }
    }
}

static inline void clf_sort_count_one(clf_key_bits key, CLF_SORT_COUNTED clf_sort_counts *s)
{
    CLF_UNROLL for (uint pass = 0; pass < CLF_PASSES; ++pass)
        clf_sort_count_add(pass, clf_key_digit(key, pass), 1, s);
}

/* Counts a share of the elements first … end - 1, the number `share` of `shares`. */
static inline void clf_sort_count_all(const clf_elements *e, ulong first, ulong end, uint share, uint shares,
                                      CLF_SORT_COUNTED clf_sort_counts *s)
{
    const ulong stride = (ulong)CLF_GROUP * CLF_KEYS_AHEAD;
#if CLF_GROUP == 1
    const ulong each = (end - first + shares - 1) / shares, step = stride, begin = first + share * each;
    end = min(begin + each, end);
#else
    const ulong begin = first + share * stride, step = shares * stride;
#endif
    ulong at = begin + clf_local_id();
    CLF_LOOP for (; at + (CLF_KEYS_AHEAD - 1) * CLF_GROUP < end; at += step)
        clf_sort_count_some(e, at, s);
    CLF_LOOP for (; at < end; at += CLF_GROUP) /* of the last turn, fewer */
        clf_sort_count_one(clf_sort_key_at(e, at), s);
}

/* Adds what a group counted to counters of all. */
static inline void clf_sort_count_flush(__global uint *counters, const CLF_SORT_COUNTED clf_sort_counts *s)
{
    for (uint k = clf_local_id(); k < CLF_PASSES * CLF_PARTS; k += CLF_GROUP) {
        uint sum = 0;
        CLF_UNROLL for (uint copy = 0; copy < CLF_COPIES; ++copy)
            sum += s->counts[k * CLF_COPIES + copy];
        if (sum)
            (void)atomic_add(&counters[k], sum);
    }
}

static inline void clf_sort_count_into(const clf_arguments *a, CLF_SORT_COUNTED clf_sort_counts *s)
{
    const uint shares = (uint)get_num_groups(0) / (a->tiles / a->row_tiles), row = (uint)get_group_id(0) / shares;
    const ulong first = row * clf_row_size(a) + (ulong)a->portion * a->portion_tiles * CLF_TILE;
    const ulong end = min(first + (ulong)a->portion_tiles * CLF_TILE, clf_row_end(a, row));
    clf_elements e;
    clf_elements_begin(a, 0, 1, &e);
    for (uint k = clf_local_id(); k < CLF_PASSES * CLF_PARTS * CLF_COPIES; k += CLF_GROUP)
        s->counts[k] = 0;
    clf_group_sync();
    uint turns;
    if (first < end && !clf_control_bucketed(a, &turns))
        clf_sort_count_all(&e, first, end, (uint)get_group_id(0) % shares, shares, s);
    clf_group_sync();
    clf_sort_count_flush(clf_control_counters_of(a, row, a->portion, 0), s);
}

/* ---- Schedule ------------------------------------------------------------------------------------------- */

/* Elements of a row that have a digit in a pass. */
static inline clf_count64 clf_sort_counted(const clf_arguments *a, uint row, uint portions, uint pass_and_digit)
{
    clf_count64 sum = 0;
    for (uint portion = 0; portion < portions; ++portion)
        sum += clf_control_counters_of(a, row, portion, 0)[pass_and_digit];
    return sum;
}

/*
 * Of a row, the elements first ... end - 1. The counters of all passes are scanned as one array, where those of a pass
 * add up to the elements of the row. A pass is needed where some elements have a digit, and others have not. Where it
 * is not wanted nothing is done: on CPUs all groups meet the same barriers, else PoCL 3.1 ends the process.
 */
CLF_INLINE void clf_sort_schedule_row(const clf_arguments *a, uint row, bool wanted, uint portions, ulong first,
                                      ulong end, __local clf_count64_totals *s)
{
    const uint all = wanted ? CLF_PASSES * CLF_PARTS : 0, each = (all + CLF_GROUP - 1) / CLF_GROUP;
    const uint begin = min(clf_local_id() * each, all), last = min(begin + each, all);
    clf_count64 sum = 0, total;
    CLF_UNROLL_4 for (uint k = begin; k < last; ++k)
        sum += clf_sort_counted(a, row, portions, k);
    ulong before = clf_count64_group_scan(sum, s, &total);
    CLF_UNROLL_4 for (uint k = begin; k < last; ++k) {
        const clf_count64 count = clf_sort_counted(a, row, portions, k);
        const uint pass = k / CLF_PARTS;
        if (count > 0 && count < end - first)
            a->control[pass] = 1; /* was 0 */
        clf_starts(a, row, pass, 0)[k % CLF_PARTS] = first + before - pass * (end - first);
        before += count;
    }
}

typedef clf_count64_totals clf_sort_schedule_storage;
CLF_INLINE void clf_sort_schedule_body(const clf_arguments *a, __local clf_sort_schedule_storage *s)
{
    const uint row = (uint)get_group_id(0);
    clf_sort_schedule_row(a, row, true, a->portions, row * clf_row_size(a), clf_row_end(a, row), s);
}

#if CLF_GROUP == 1

typedef uchar clf_sort_count_storage; /* none needed */
CLF_INLINE void clf_sort_count_body(const clf_arguments *a, __local clf_sort_count_storage *s)
{
    clf_sort_counts own;
    clf_sort_count_into(a, &own);
}

#else

typedef union {
    clf_sort_counts counts;
    struct {
        clf_count64_totals totals;
        uint is_last; /* of all groups to finish? */
    } then;
} clf_sort_count_storage;

CLF_INLINE void clf_sort_count_body(const clf_arguments *a, __local clf_sort_count_storage *s)
{
    const bool schedules = CLF_ATOMICS >= 2 && a->tiles == a->row_tiles && a->portions == 1;
    clf_sort_count_into(a, &s->counts);
    clf_fence_release();
    clf_group_sync();
    if (clf_local_id() == 0)
        s->then.is_last = schedules && clf_ticket_take(a->control + CLF_CONTROL_COUNTED) + 1 == get_num_groups(0);
    clf_group_sync();
    if (CLF_CPU || s->then.is_last) {
        clf_fence_acquire();
        clf_sort_schedule_row(a, 0, s->then.is_last, 1, 0, a->size, &s->then.totals);
    }
}

#endif

/* ---- Finish --------------------------------------------------------------------------------------------- */

typedef uchar clf_sort_finish_storage; /* none needed */

/* Elements that a work-item has under way at a time. */
enum { CLF_COPIED_AHEAD = CLF_GROUP == 1 ? 1 : CLF_ELEMENT_BYTES > 16 ? 2 : 8 };

/* Elements behind `last` are the same as that one. */
static inline void clf_sort_copy(const clf_elements *e, ulong last)
{
    const ulong block = CLF_GROUP * CLF_COPIED_AHEAD, step = get_num_groups(0) * block, end = e->a->size;
    CLF_LOOP for (ulong at = get_group_id(0) * block + clf_local_id(); at < end; at += step) {
        clf_value some[CLF_COPIED_AHEAD];
        CLF_UNROLL for (uint k = 0; k < CLF_COPIED_AHEAD; ++k)
            some[k] = clf_element_at(e, min(at + k * CLF_GROUP, last));
        CLF_UNROLL for (uint k = 0; k < CLF_COPIED_AHEAD; ++k)
            if (at + k * CLF_GROUP < end)
                clf_output_at(&e->to, at + k * CLF_GROUP, some[k]);
    }
}

/* Do keys tell all of values? Then those of one row that no pass had to move are all the same, and one is read. */
#define CLF_KEYS_TELL_ALL (CLF_KEY_IS_VALUE && CLF_KEY_INVERTIBLE && CLF_VALUE_COUNT == 1)

/* Behind so many turns. */
static inline void clf_sort_finish_turns(const clf_arguments *a, uint turns)
{
    clf_elements e;
    if (turns > 0 && clf_turn_is_out(a, turns - 1, turns))
        return;
    clf_elements_begin(a, turns, turns + 1, &e);
    clf_take_arrays(a, false, &e.to);
    clf_sort_copy(&e, CLF_KEYS_TELL_ALL && turns == 0 && a->tiles == a->row_tiles ? 0 : a->size - 1);
}

CLF_INLINE void clf_sort_finish_body(const clf_arguments *a, __local clf_sort_finish_storage *s)
{
    const clf_pass p = clf_pass_of(a, CLF_PASSES);
    uint turns;
    clf_sort_finish_turns(a, clf_control_bucketed(a, &turns) ? turns : p.turns);
}

/* SPDX-License-Identifier: MIT */
/*
 * buckets_cpu: a radix sort from the top on CPU devices, where each work-group is one work-item. Elements are split
 * into buckets by the highest bits in which keys differ. A bucket fits a cache, and is sorted there by its lower bits:
 * a pass in the cache takes a third of the time of one through memory.
 *
 *   differ   the bits in which keys differ
 *   up       how many elements of each bucket each share of the input has; the scan of these counts follows, as for
 *            digits. Shares are larger than tiles, so that a bucket gets whole lines of each
 *   choose   where buckets begin, and whether each is small enough for one work-item. Otherwise the passes of all
 *            elements do the work, and the other kernels here do nothing
 *   down     elements go to their buckets
 *   sort     every bucket by itself
 *
 * In a call the split is turn 0, and the passes in buckets are the turns behind it (key.cl).
 *
 * needs: a->bucket_bits, a->bucket_most, a->bucket_shares, a->control, a->places, a->starts, a->tile_counts
 * provides: clf_buckets_*, CLF_BUCKETS_FEW
 */
#include "sort/sort_keys.cl"
#include "digit/digit_lines.cl"
#include "digit/places_cpu.cl"

enum { CLF_BUCKETS_FEW = 24, CLF_BUCKETS_STEPS = 8 }; /* elements to insert one by one; steps of each of more */

/* How keys are cut: bits up to the highest that differs, those below the bucket's, and passes by `width` of these. */
typedef struct {
    uint used, shift, passes, width;
} clf_buckets;

static inline clf_buckets clf_buckets_of(const clf_arguments *a)
{
    uint used = 0;
    for (uint k = 0; k < CLF_CONTROL_DIFFERING; ++k) {
        const uint differ = a->control[CLF_CONTROL_DIFFER + k];
        used = differ ? 32 * (k + 1) - (uint)clz(differ) : used;
    }
    clf_buckets b = {used, used > a->bucket_bits ? used - a->bucket_bits : 0, 0, 0};
    b.passes = (b.shift + 7) / 8;
    b.width = b.passes > 0 ? (b.shift + b.passes - 1) / b.passes : 0;
    return b;
}

/* Turns that are to be done by buckets; none where passes of all elements do the work, or all keys are the same. */
static inline uint clf_buckets_turns(const clf_arguments *a)
{
    uint turns;
    (void)clf_control_bucketed(a, &turns);
    return turns;
}

static inline uint clf_buckets_count(const clf_arguments *a)
{
    return 1u << a->bucket_bits;
}

static inline uint clf_buckets_number(const clf_arguments *a, const clf_buckets *b, clf_key_bits key)
{
    return clf_key_at(key, b->shift) & (clf_buckets_count(a) - 1);
}

/* Where a share of the input begins; behind the last one is all of it. */
static inline ulong clf_buckets_share(const clf_arguments *a, size_t share)
{
    return min((a->size + get_num_groups(0) - 1) / get_num_groups(0) * share, a->size);
}

/* Where the matrix has the bucket of a share. */
static inline size_t clf_buckets_cell(const clf_arguments *a, uint bucket, size_t share)
{
    return (size_t)bucket * a->bucket_shares + share;
}

/* ---- Differ, and choose ---------------------------------------------------------------------------------- */

typedef uchar clf_buckets_differ_storage; /* none needed: here and below */
typedef uchar clf_buckets_choose_storage;
typedef uchar clf_buckets_up_storage;
typedef uchar clf_buckets_down_storage;
typedef uchar clf_buckets_sort_storage;

CLF_INLINE void clf_buckets_differ_body(const clf_arguments *a, __local clf_buckets_differ_storage *s)
{
    const ulong begin = clf_buckets_share(a, get_group_id(0)), end = clf_buckets_share(a, get_group_id(0) + 1);
    clf_key_bits differ = (clf_key_bits)0;
    clf_elements e;
    clf_elements_begin(a, 0, 1, &e);
    if (begin >= end)
        return;
    const clf_key_bits some = clf_sort_key_at(&e, 0);
    CLF_LOOP for (ulong i = begin; i < end; ++i)
        differ |= clf_sort_key_at(&e, i) ^ some;
    for (uint k = 0; k < CLF_CONTROL_DIFFERING && 4 * k < CLF_KEY_BYTES; ++k)
        (void)atomic_or(&a->control[CLF_CONTROL_DIFFER + k], clf_key_at(differ, 32 * k));
}

CLF_INLINE void clf_buckets_choose_body(const clf_arguments *a, __local clf_buckets_choose_storage *s)
{
    const clf_buckets b = clf_buckets_of(a);
    const uint count = clf_buckets_count(a);
    ulong most = 0, begin = 0;
    a->control[CLF_CONTROL_BUCKETED] = b.used == 0; /* no turn: all keys are the same */
    if (b.used == 0)
        return;
    for (uint bucket = 0; bucket < count; ++bucket) {
        const ulong end = bucket + 1 < count ? a->places[clf_buckets_cell(a, bucket + 1, 0)] : a->size;
        most = max(most, end - begin);
        a->starts[bucket] = begin;
        begin = end;
    }
    a->starts[count] = begin;
    a->control[CLF_CONTROL_BUCKETED] = most <= a->bucket_most ? 2 + b.passes : 0;
}

/* ---- The split ------------------------------------------------------------------------------------------- */

CLF_INLINE void clf_buckets_up_body(const clf_arguments *a, __local clf_buckets_up_storage *s)
{
    const ulong begin = clf_buckets_share(a, get_group_id(0)), end = clf_buckets_share(a, get_group_id(0) + 1);
    const clf_buckets b = clf_buckets_of(a);
    uint counts[CLF_DIGIT_LINES];
    clf_elements e;
    if (b.used == 0)
        return;
    clf_elements_begin(a, 0, 1 + b.passes, &e);
    for (uint bucket = 0; bucket < clf_buckets_count(a); ++bucket)
        counts[bucket] = 0;
    CLF_LOOP for (ulong i = begin; i < end; ++i)
        ++counts[clf_buckets_number(a, &b, clf_sort_key_at(&e, i))];
    for (uint bucket = 0; bucket < clf_buckets_count(a); ++bucket)
        a->tile_counts[clf_buckets_cell(a, bucket, get_group_id(0))] = counts[bucket];
}

CLF_INLINE void clf_buckets_down_body(const clf_arguments *a, __local clf_buckets_down_storage *s)
{
    const ulong begin = clf_buckets_share(a, get_group_id(0)), end = clf_buckets_share(a, get_group_id(0) + 1);
    const clf_buckets b = clf_buckets_of(a);
    const uint count = clf_buckets_count(a);
    clf_digit_lines lines;
    clf_digit_target target;
    clf_elements e;
    if (clf_buckets_turns(a) == 0)
        return;
    clf_elements_begin(a, 0, 1 + b.passes, &e);
    clf_digit_target_open(&target, &e.to, a->size * CLF_ELEMENT_BYTES > CLF_DIGIT_MUCH);
    for (uint bucket = 0; bucket < count; ++bucket)
        lines.from[bucket] = lines.to[bucket] = a->places[clf_buckets_cell(a, bucket, get_group_id(0))];
    CLF_LOOP for (ulong i = begin; i < end; ++i) {
        const clf_value v = clf_element_at(&e, i);
        clf_digit_lines_put(&lines, clf_buckets_number(a, &b, clf_key_ordered(clf_value_key(v CLF_LESS_A))), v,
                            &target);
    }
    clf_digit_lines_close(&lines, count, &target);
}

/* ---- In a bucket ----------------------------------------------------------------------------------------- */

static inline clf_key_bits clf_buckets_key(const clf_outputs *values, ulong i CLF_LESS_PARAMETER)
{
    return clf_key_ordered(clf_value_key(clf_result_at(values, i) CLF_LESS_C));
}

/*
 * Insertion, from what turn `turn` finds to where all turns end; in place, if that is the same. For elements of which
 * few are far from their places: after `most` steps the others are left as they are, and it is false.
 */
static inline bool clf_buckets_insert(const clf_arguments *a, const clf_buckets *b, uint turn, ulong first, ulong end,
                                      ulong most)
{
    clf_elements e, last;
    ulong steps = 0;
    clf_elements_begin(a, turn, 1 + b->passes, &e);
    clf_elements_begin(a, b->passes, 1 + b->passes, &last);
    CLF_LOOP for (ulong i = first; i < end; ++i) {
        const clf_value v = clf_result_at(&e.from, i);
        const clf_key_bits key = clf_key_ordered(clf_value_key(v CLF_LESS_A));
        const ulong stop = steps <= most ? first : i;
        ulong place = i;
        CLF_LOOP for (; place > stop && CLF_KEY_LESS(key, clf_buckets_key(&last.to, place - 1 CLF_LESS_A)); --place)
            clf_output_at(&last.to, place, clf_result_at(&last.to, place - 1));
        clf_output_at(&last.to, place, v);
        steps += i - place;
    }
    return steps <= most;
}

/* If digits do not depend on each other: have few elements all of them in common with another? */
static inline bool clf_buckets_apart(__private uint (*counts)[CLF_PARTS], uint digits, float size)
{
    float common = size;
    for (uint pass = 0; pass < digits; ++pass) {
        float pairs = 0;
        for (uint digit = 0; digit < CLF_PARTS; ++digit)
            pairs += (float)counts[pass][digit] * counts[pass][digit];
        common *= pairs / (size * size);
    }
    return common <= 1;
}

static inline void clf_buckets_pass(const clf_elements *e, uint shift, uint mask, ulong first, ulong end,
                                    __private uint *places)
{
    CLF_LOOP for (ulong i = first; i < end; ++i) {
        const clf_value v = clf_result_at(&e->from, i);
        const clf_key_bits key = clf_key_ordered(clf_value_key(v CLF_LESS_OF(e->a)));
        clf_output_at(&e->to, first + places[clf_key_at(key, shift) & mask]++, v);
    }
}

/*
 * Turns from `turn` on, by digits of so many bits from bit `low` on; returns how many were done. None are, if all keys
 * are the same, or if these are only the `upper` digits, and do not tell elements apart. While digits are counted the
 * cache gets what the first pass writes to, whose order it cannot foresee.
 */
#define CLF_BUCKETS_FETCH(f, type, move, bytes, name) CLF_PREFETCH(e.to.p##f + i, 1);
static inline uint clf_buckets_passes(const clf_arguments *a, const clf_buckets *b, uint turn, uint passes, uint width,
                                      uint low, bool upper, ulong first, ulong end)
{
    uint counts[CLF_PASSES][CLF_PARTS];
    const uint mask = (1u << width) - 1;
    clf_elements e;
    for (uint pass = 0; pass < passes; ++pass)
        for (uint digit = 0; digit <= mask; ++digit)
            counts[pass][digit] = 0;
    clf_elements_begin(a, turn, 1 + b->passes, &e);
    const clf_key_bits some = clf_buckets_key(&e.from, first CLF_LESS_A);
    clf_key_bits differ = (clf_key_bits)0;
    CLF_LOOP for (ulong i = first; i < end; ++i) {
        const clf_key_bits key = clf_buckets_key(&e.from, i CLF_LESS_A);
        CLF_VALUE_FIELDS(CLF_BUCKETS_FETCH)
        differ |= key ^ some;
        CLF_UNROLL for (uint pass = 0; pass < CLF_PASSES; ++pass)
            if (pass < passes)
                ++counts[pass][clf_key_at(key, low + pass * width) & mask];
    }
    if (CLF_KEY_EQUAL(differ, (clf_key_bits)0) || (upper && !clf_buckets_apart(counts, passes, (float)(end - first))))
        return 0;
    CLF_LOOP for (uint pass = 0; pass < passes; ++pass) {
        clf_elements_begin(a, turn + pass, 1 + b->passes, &e);
        clf_digit_places(counts[pass], mask + 1);
        clf_buckets_pass(&e, low + pass * width, mask, first, end, counts[pass]);
    }
    return passes;
}

/*
 * By as many upper digits as tell most elements apart, and then by insertion, which takes about as long as a pass.
 * Where keys lie so that it would take longer, by all digits.
 */
static inline void clf_buckets_sort_one(const clf_arguments *a, const clf_buckets *b, ulong first, ulong end)
{
    const uint few = (39 - (uint)clz((uint)(end - first))) / 8;
    uint turn = 1;
    if (few + 1 < b->passes && clf_buckets_passes(a, b, turn, few, 8, b->shift - 8 * few, true, first, end)) {
        if (clf_buckets_insert(a, b, turn + few, first, end, CLF_BUCKETS_STEPS * (end - first)))
            return;
        turn += b->passes;
    }
    turn += clf_buckets_passes(a, b, turn, b->passes, b->width, 0, false, first, end);
    if ((turn - b->passes) % 2 == 0)
        (void)clf_buckets_insert(a, b, turn, first, end, 0);
}

/* Neighbouring buckets, which often are as large, go to different work-items. */
CLF_INLINE void clf_buckets_sort_body(const clf_arguments *a, __local clf_buckets_sort_storage *s)
{
    const clf_buckets b = clf_buckets_of(a);
    const uint step = (uint)get_num_groups(0);
    if (clf_buckets_turns(a) < 2)
        return;
    CLF_LOOP for (uint bucket = (uint)get_group_id(0); bucket < clf_buckets_count(a); bucket += step) {
        const ulong first = a->starts[bucket], end = a->starts[bucket + 1];
        if (end - first > CLF_BUCKETS_FEW)
            clf_buckets_sort_one(a, &b, first, end);
        else
            (void)clf_buckets_insert(a, &b, 1, first, end, ~0ul);
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * buckets_cpu: a radix sort from the top on CPU devices, where each work-group is one work-item. Elements are split
 * into buckets by the highest bits in which keys differ. A bucket fits a cache, or is split once more, and is sorted
 * there: by networks (buckets_network_cpu.cl), or by its lower bits. A pass in the cache takes a third of the time of
 * one through memory.
 *
 *   differ   the bits in which keys differ, and how far they are from one of them
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
#include "sort/buckets_network_cpu.cl"

enum { CLF_BUCKETS_FEW = 24, CLF_BUCKETS_STEPS = 8 }; /* elements to insert one by one; steps of each of more */
/* A large bucket is split by so many bits at most, and by a few more than it takes for its parts not to be large. */
enum { CLF_BUCKETS_LARGE = 1 << 15, CLF_BUCKETS_BITS = 9, CLF_BUCKETS_MORE = 3 };

/* How keys are cut: what they are above `base` has `used` bits, of which the upper ones are the bucket's number. */
typedef struct {
    clf_key_bits base;
    uint used, shift, passes; /* passes by up to 8 of the bits below */
} clf_buckets;

/* Bits of a number of which a->control has the words. */
static inline uint clf_buckets_bits(const clf_arguments *a, uint first)
{
    uint bits = 0;
    for (uint k = 0; k < CLF_CONTROL_DIFFERING; ++k) {
        const uint word = a->control[first + k];
        bits = word ? 32 * (k + 1) - (uint)clz(word) : bits;
    }
    return bits;
}

/*
 * Integers of both signs, say, are near a key, but differ from it in higher bits than those of how far they are. Then
 * the base is farther below it than any of them, on the border of a bucket; else it is 0, as for keys of 128 bits.
 */
static inline clf_buckets clf_buckets_of(const clf_arguments *a)
{
    const uint apart = clf_buckets_bits(a, CLF_CONTROL_APART), differ = clf_buckets_bits(a, CLF_CONTROL_DIFFER);
    const bool around = CLF_KEY_BYTES <= 8 && apart + 2 < differ;
    clf_buckets b = {(clf_key_bits)0, around ? apart + 2 : differ};
    b.shift = b.used > a->bucket_bits ? b.used - a->bucket_bits : 0;
    b.passes = (b.shift + 7) / 8;
    if (around) {
        const clf_key_bits reach = clf_key_shifted(1, apart), each = clf_key_shifted(1, b.shift);
        for (uint k = 0; k < CLF_CONTROL_DIFFERING && 4 * k < CLF_KEY_BYTES; ++k)
            b.base |= clf_key_shifted(a->control[CLF_CONTROL_SOME + k], 32 * k);
        b.base = CLF_KEY_LESS(reach, b.base) ? b.base - reach & ~(each - 1) : (clf_key_bits)0;
    }
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

static inline clf_key_bits clf_buckets_key(const clf_outputs *values, ulong i CLF_LESS_PARAMETER)
{
    return clf_key_ordered(clf_value_key(clf_result_at(values, i) CLF_LESS_C));
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
    clf_key_bits differ = (clf_key_bits)0, apart = (clf_key_bits)0;
    clf_elements e;
    clf_elements_begin(a, 0, 1, &e);
    if (begin >= end)
        return;
    const clf_key_bits some = clf_sort_key_at(&e, 0);
    CLF_LOOP for (ulong i = begin; i < end; ++i) {
        const clf_key_bits key = clf_sort_key_at(&e, i);
        differ |= key ^ some;
        apart |= CLF_KEY_MAX(key, some) - CLF_KEY_MIN(key, some);
    }
    for (uint k = 0; k < CLF_CONTROL_DIFFERING && 4 * k < CLF_KEY_BYTES; ++k) {
        (void)atomic_or(&a->control[CLF_CONTROL_DIFFER + k], clf_key_at(differ, 32 * k));
        (void)atomic_or(&a->control[CLF_CONTROL_APART + k], clf_key_at(apart, 32 * k));
        (void)atomic_or(&a->control[CLF_CONTROL_SOME + k], clf_key_at(some, 32 * k));
    }
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

/* A few elements from i on, and a digit of each, the lowest bit of which is bit `shift`. */
static inline uint clf_buckets_look(const clf_elements *e, const clf_buckets *b, uint shift, uint mask, ulong i,
                                    ulong end, __private clf_value *values, __private uint *digits)
{
    const uint ahead = (uint)min(end - i, (ulong)CLF_BUCKET_AHEAD);
    for (uint k = 0; k < ahead; ++k) {
        values[k] = clf_element_at(e, i + k);
        const clf_key_bits key = clf_key_ordered(clf_value_key(values[k] CLF_LESS_OF(e->a)));
        digits[k] = clf_key_at(key - b->base, shift) & mask;
    }
    return ahead;
}

static inline void clf_buckets_tally(const clf_elements *e, const clf_buckets *b, uint shift, uint mask, ulong first,
                                     ulong end, __private uint *counts)
{
    clf_value values[CLF_BUCKET_AHEAD];
    uint digits[CLF_BUCKET_AHEAD];
    for (uint digit = 0; digit <= mask; ++digit)
        counts[digit] = 0;
    CLF_LOOP for (ulong i = first; i < end; i += CLF_BUCKET_AHEAD) {
        const uint ahead = clf_buckets_look(e, b, shift, mask, i, end, values, digits);
        for (uint k = 0; k < ahead; ++k)
            ++counts[digits[k]];
    }
}

CLF_INLINE void clf_buckets_up_body(const clf_arguments *a, __local clf_buckets_up_storage *s)
{
    const ulong begin = clf_buckets_share(a, get_group_id(0)), end = clf_buckets_share(a, get_group_id(0) + 1);
    const clf_buckets b = clf_buckets_of(a);
    uint counts[CLF_DIGIT_LINES];
    clf_elements e;
    if (b.used == 0)
        return;
    clf_elements_begin(a, 0, 1 + b.passes, &e);
    clf_buckets_tally(&e, &b, b.shift, clf_buckets_count(a) - 1, begin, end, counts);
    for (uint bucket = 0; bucket < clf_buckets_count(a); ++bucket)
        a->tile_counts[clf_buckets_cell(a, bucket, get_group_id(0))] = counts[bucket];
}

CLF_INLINE void clf_buckets_down_body(const clf_arguments *a, __local clf_buckets_down_storage *s)
{
    const ulong begin = clf_buckets_share(a, get_group_id(0)), end = clf_buckets_share(a, get_group_id(0) + 1);
    const clf_buckets b = clf_buckets_of(a);
    const uint count = clf_buckets_count(a);
    clf_value values[CLF_BUCKET_AHEAD];
    uint digits[CLF_BUCKET_AHEAD];
    clf_digit_lines lines;
    clf_digit_target target;
    clf_elements e;
    if (clf_buckets_turns(a) == 0)
        return;
    clf_elements_begin(a, 0, 1 + b.passes, &e);
    clf_digit_target_open(&target, &e.to, a->size * CLF_ELEMENT_BYTES > CLF_DIGIT_MUCH);
    for (uint bucket = 0; bucket < count; ++bucket)
        lines.from[bucket] = lines.to[bucket] = a->places[clf_buckets_cell(a, bucket, get_group_id(0))];
    CLF_LOOP for (ulong i = begin; i < end; i += CLF_BUCKET_AHEAD) {
        const uint ahead = clf_buckets_look(&e, &b, b.shift, count - 1, i, end, values, digits);
        for (uint k = 0; k < ahead; ++k)
            clf_digit_lines_put(&lines, digits[k], values[k], &target);
    }
    clf_digit_lines_close(&lines, count, &target);
}

/* ---- In a bucket ----------------------------------------------------------------------------------------- */

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
    clf_digit_places(places, mask + 1);
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
        clf_buckets_pass(&e, low + pass * width, mask, first, end, counts[pass]);
    }
    return passes;
}

/*
 * What turn `turn` finds, where keys differ in their lowest `shift` bits alone: by networks if they can, or by as many
 * upper digits as tell most elements apart, and then by insertion, which takes about as long as a pass. Where keys lie
 * so that it would take longer, by all digits.
 */
static inline void clf_buckets_sort_some(const clf_arguments *a, const clf_buckets *b, uint turn, uint shift,
                                         ulong first, ulong end)
{
    const uint passes = (shift + 7) / 8, few = (39 - (uint)clz((uint)(end - first))) / 8;
    const bool is_small = end - first <= CLF_BUCKETS_FEW;
    clf_elements e, last;
    clf_elements_begin(a, turn, 1 + b->passes, &e);
    clf_elements_begin(a, b->passes, 1 + b->passes, &last);
    if (!is_small) {
        if (clf_bucket_sort(a, &e.from, &last.to, first, end, shift))
            return;
        if (few + 1 < passes && clf_buckets_passes(a, b, turn, few, 8, shift - 8 * few, true, first, end)) {
            if (clf_buckets_insert(a, b, turn + few, first, end, CLF_BUCKETS_STEPS * (end - first)))
                return;
            turn = 1 + b->passes;
        }
        turn += clf_buckets_passes(a, b, turn, passes, (shift + passes - 1) / max(passes, 1u), 0, false, first, end);
    }
    if (is_small || (turn - b->passes) % 2 == 0)
        (void)clf_buckets_insert(a, b, turn, first, end, is_small ? ~0ul : 0);
}

/* A large bucket is split once more, in the other array, unless all keys are the same. */
static inline void clf_buckets_sort_one(const clf_arguments *a, const clf_buckets *b, ulong first, ulong end)
{
    const uint most = min(b->shift, (uint)CLF_BUCKETS_BITS);
    uint places[1 << CLF_BUCKETS_BITS], bits = 0;
    clf_elements e;
    clf_elements_begin(a, 1, 1 + b->passes, &e);
    while (bits < most && (end - first) >> bits >= CLF_BUCKETS_LARGE)
        ++bits;
    const clf_key_bits some = clf_buckets_key(&e.from, first CLF_LESS_A);
    ulong alike = bits > 0 ? first + 1 : end;
    while (alike < end && CLF_KEY_EQUAL(clf_buckets_key(&e.from, alike CLF_LESS_A), some))
        ++alike;
    if (alike == end) {
        clf_buckets_sort_some(a, b, 1, bits > 0 ? 0 : b->shift, first, end);
        return;
    }
    bits = min(bits + CLF_BUCKETS_MORE, most);
    const uint shift = b->shift - bits, mask = (1u << bits) - 1;
    clf_buckets_tally(&e, b, shift, mask, first, end, places);
    clf_buckets_pass(&e, shift, mask, first, end, places);
    ulong begin = first;
    for (uint part = 0; part <= mask; ++part) {
        clf_buckets_sort_some(a, b, 2, shift, begin, first + places[part]);
        begin = first + places[part];
    }
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
        if (first < end)
            clf_buckets_sort_one(a, &b, first, end);
    }
}

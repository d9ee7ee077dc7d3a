/* SPDX-License-Identifier: MIT */
/*
 * buckets_network_cpu: buckets (buckets_cpu.cl) sorted by networks, where the key is all there is to a value. The range
 * of a bucket's keys is cut into equal parts, each of which has few elements if keys are even. It is sorted by itself.
 *
 * needs: nothing
 * provides: clf_bucket_*, CLF_BUCKET_*
 */
#include "sort/network_cpu.cl"

enum { CLF_BUCKET_AHEAD = 32 }; /* elements whose numbers vectors compute before they go there */

/* Integers of 64 bits are sorted faster by passes: their keys are not computed, and few digits tell them apart. */
#if CLF_CPU && CLF_KEY_IS_VALUE && (CLF_KEY_BYTES == 4 || (CLF_KEY_BYTES == 8 && CLF_KEY_KIND == 2))

/* Elements of a part if keys are even, and at most, 6 standard deviations more; of a bucket at least; and its parts. */
enum { CLF_BUCKET_USUAL = 175, CLF_BUCKET_MOST = 256, CLF_BUCKET_LEAST = 128, CLF_BUCKET_PARTS = 192 };

typedef struct {
    clf_network_row rows[CLF_BUCKET_PARTS][CLF_BUCKET_MOST / 16];
    uint sizes[CLF_BUCKET_PARTS];
} clf_bucket_table;

static inline uint clf_bucket_part(clf_network_bits key, uint parts, uint shift)
{
    return (uint)((key & (((clf_network_bits)1 << shift) - 1)) * parts >> shift);
}

/* Are keys even? Of every 16th element 11 go to each part then, and 32 are 6 standard deviations more. */
static inline bool clf_bucket_is_even(const clf_arguments *a, const clf_outputs *from, ulong first, ulong end,
                                      uint parts, uint shift)
{
    uint sizes[CLF_BUCKET_PARTS] = {0}, most = 0;
    CLF_LOOP for (ulong i = first; i < end; i += 16) {
        const clf_network_bits key = clf_key_ordered(clf_value_key(clf_result_at(from, i) CLF_LESS_A));
        most = max(most, ++sizes[clf_bucket_part(key, parts, shift)]);
    }
    return most <= CLF_BUCKET_MOST / 8;
}

/* Keys go to their parts. Returns what the largest part has; or ~0, if a key does not tell its value. */
static inline uint clf_bucket_deal(const clf_arguments *a, const clf_outputs *from, ulong first, ulong end, uint parts,
                                   uint shift, __private clf_bucket_table *t)
{
    clf_network_bits keys[CLF_BUCKET_AHEAD];
    uint numbers[CLF_BUCKET_AHEAD], inexact = 0, most = 0;
    CLF_LOOP for (ulong i = first; i < end; i += CLF_BUCKET_AHEAD) {
        const uint ahead = (uint)min(end - i, (ulong)CLF_BUCKET_AHEAD);
        for (uint k = 0; k < ahead; ++k) {
            keys[k] = clf_key_ordered(clf_value_key(clf_result_at(from, i + k) CLF_LESS_A));
            numbers[k] = clf_bucket_part(keys[k], parts, shift);
            inexact |= CLF_NETWORK_INEXACT(keys[k]);
        }
        for (uint k = 0; k < ahead; ++k) {
            const uint at = min(t->sizes[numbers[k]]++, (uint)CLF_BUCKET_MOST - 1);
            ((__private clf_network_bits *)t->rows[numbers[k]])[at] = keys[k];
        }
    }
    for (uint part = 0; part < parts; ++part)
        most = max(most, t->sizes[part]);
    return inexact ? ~0u : most;
}

/* Elements first … end - 1, whose keys differ in their lowest `shift` bits alone; or false, and they are as before. */
static inline bool clf_bucket_sort(const clf_arguments *a, const clf_outputs *from, const clf_outputs *to, ulong first,
                                   ulong end, uint shift)
{
    clf_bucket_table t;
    const uint parts = (uint)min((end - first) / CLF_BUCKET_USUAL + 1, (ulong)CLF_BUCKET_PARTS + 1);
    const ulong some = first + (end - first) / 16; /* of which parts have few, if keys are even, or many, if sorted */
    if (end - first < CLF_BUCKET_LEAST || parts > CLF_BUCKET_PARTS)
        return false;
    for (uint part = 0; part < parts; ++part)
        t.sizes[part] = 0;
    const uint most = clf_bucket_deal(a, from, first, some, parts, shift, &t);
    const bool is_sorted = most > min((ulong)CLF_BUCKET_MOST, some - first) / 2 && most < ~0u;
    if (most > CLF_BUCKET_MOST / 8 && !(is_sorted && clf_bucket_is_even(a, from, first, end, parts, shift)))
        return false;
    if (clf_bucket_deal(a, from, some, end, parts, shift, &t) > CLF_BUCKET_MOST)
        return false;
    for (uint part = 0; part < parts; first += t.sizes[part++]) {
        __private clf_network_bits *const words = (__private clf_network_bits *)t.rows[part];
        for (uint i = t.sizes[part]; i < CLF_BUCKET_MOST; ++i)
            words[i] = ~(clf_network_bits)0;
        clf_network_sort(t.rows[part], CLF_BUCKET_MOST / 16, 16);
        for (uint i = 0; i < t.sizes[part]; ++i)
            clf_output_at(to, first + i, clf_key_value(words[i]));
    }
    return true;
}
#else
#define clf_bucket_sort(a, from, to, first, end, shift) false
#endif

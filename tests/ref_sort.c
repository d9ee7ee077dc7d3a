/* SPDX-License-Identifier: MIT */
/* The reference of sorts: a merge sort by keys that are compared as the numbers they are. */
#include "ref.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Keys ------------------------------------------------------------------------------------------------------ */

static double half_number(cl_ushort half)
{
    const int exponent = half >> 10 & 31, fraction = half & 1023;
    const double magnitude = exponent == 31 ? (fraction ? NAN : INFINITY)
                             : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                            : ldexp(fraction, -24);
    return half & 0x8000 ? -magnitude : magnitude;
}

static double real_number(clf_type type, const void *key)
{
    cl_ushort half;
    cl_float single;
    cl_double wide;
    switch (type) {
    case CLF_HALF: memcpy(&half, key, sizeof half); return half_number(half);
    case CLF_BFLOAT16: memcpy(&half, key, sizeof half); return gen_bfloat16_value(half);
    case CLF_FLOAT: memcpy(&single, key, sizeof single); return single;
    default: memcpy(&wide, key, sizeof wide); return wide;
    }
}

static cl_ulong unsigned_number(clf_type type, const void *key)
{
    cl_uchar a;
    cl_ushort b;
    cl_uint c;
    cl_ulong d;
    switch (clf_type_size(type)) {
    case 1: memcpy(&a, key, sizeof a); return a;
    case 2: memcpy(&b, key, sizeof b); return b;
    case 4: memcpy(&c, key, sizeof c); return c;
    default: memcpy(&d, key, sizeof d); return d;
    }
}

static cl_long signed_number(clf_type type, const void *key)
{
    const cl_ulong bits = unsigned_number(type, key);
    switch (type) {
    case CLF_CHAR: return (cl_char)bits;
    case CLF_SHORT: return (cl_short)bits;
    case CLF_INT: return (cl_int)bits;
    default: return (cl_long)bits;
    }
}

/* By sign and bits: of negative ones those with larger bits come first. */
static bool totally_before(clf_type type, const void *a, const void *b)
{
    const cl_ulong x = unsigned_number(type, a), y = unsigned_number(type, b);
    const unsigned sign = (unsigned)clf_type_size(type) * 8 - 1;
    const bool minus_x = x >> sign & 1, minus_y = y >> sign & 1;
    return minus_x != minus_y ? minus_x : minus_x ? x > y : x < y;
}

static bool integer_before(clf_type type, const void *a, const void *b)
{
    switch (type) {
    case CLF_CHAR:
    case CLF_SHORT:
    case CLF_INT:
    case CLF_LONG: return signed_number(type, a) < signed_number(type, b);
    default: return unsigned_number(type, a) < unsigned_number(type, b);
    }
}

/* The upper half says it, or else the lower one. */
static bool pair_before(const cl_ulong a[2], const cl_ulong b[2])
{
    return a[1] != b[1] ? a[1] < b[1] : a[0] < b[0];
}

/* Does a key come before another? `flags`: CLF_DESCENDING, CLF_TOTAL_ORDER. */
static bool key_before(const ref_sort *sort, unsigned flags, const void *a, const void *b)
{
    const clf_type type = sort->type;
    const void *const first = flags & CLF_DESCENDING ? b : a, *const second = flags & CLF_DESCENDING ? a : b;
    if (sort->wide)
        return pair_before(first, second);
    if (type < CLF_HALF)
        return integer_before(type, first, second);
    if (flags & CLF_TOTAL_ORDER)
        return totally_before(type, first, second);
    const bool nan_a = isnan(real_number(type, a)), nan_b = isnan(real_number(type, b));
    if (nan_a || nan_b)
        return !nan_a;
    return real_number(type, first) < real_number(type, second);
}

/* ---- The reference --------------------------------------------------------------------------------------------- */

typedef struct keyed {
    cl_ulong key[2]; /* its bytes come first */
    size_t index;
} keyed;

/* The two sorted halves of list[begin .. end) become one; of equal ones those of the first half come first. */
static void merge_halves(const ref_sort *sort, unsigned flags, size_t begin, size_t middle, size_t end, keyed *list,
                         keyed *spare)
{
    size_t i = begin, j = middle;
    for (size_t k = begin; k < end; ++k)
        if (j == end || (i < middle && !key_before(sort, flags, list[j].key, list[i].key)))
            spare[k] = list[i++];
        else
            spare[k] = list[j++];
    memcpy(&list[begin], &spare[begin], (end - begin) * sizeof *list);
}

static void sort_keys(const ref_sort *sort, unsigned flags, size_t n, keyed *list, keyed *spare)
{
    for (size_t half = 1; half < n; half *= 2)
        for (size_t begin = 0; n - begin > half; begin += 2 * half) {
            const size_t end = n - begin < 2 * half ? n : begin + 2 * half;
            merge_halves(sort, flags, begin, begin + half, end, list, spare);
            if (end == n)
                break;
        }
}

static void key_of(const ref_sort *sort, const void *value, cl_ulong key[2])
{
    key[0] = key[1] = 0;
    if (sort->key)
        sort->key(value, key);
    else
        memcpy(key, (const char *)value + sort->value.field[sort->field].offset,
               clf_type_size(sort->type) * (sort->wide ? 2 : 1));
}

/* Element i as it is sorted. */
static void value_of(const ref_sort *sort, const void *const *in, size_t i, ref_element *value)
{
    ref_element x;
    ref_gather(&sort->input, in, i, &x);
    if (sort->map)
        sort->map(&x, i, value);
    else
        *value = x;
}

static int by_index(const void *a, const void *b)
{
    const keyed *const x = a, *const y = b;
    return x->index < y->index ? -1 : x->index > y->index;
}

/* The first k of n elements, from element `first` on, to places from `to` on. */
static void top_of_row(const ref_sort *sort, unsigned flags, size_t first, size_t n, size_t k, const void *const *in,
                       size_t to, void *const *out)
{
    keyed *const list = malloc((n + 1) * sizeof *list), *const spare = malloc((n + 1) * sizeof *spare);
    ref_element value;
    if (!list || !spare)
        abort();
    for (size_t i = 0; i < n; ++i) {
        value_of(sort, in, first + i, &value);
        key_of(sort, &value, list[i].key);
        list[i].index = first + i;
    }
    sort_keys(sort, flags, n, list, spare);
    if (flags & CLF_UNSORTED)
        qsort(list, k, sizeof *list, by_index);
    for (size_t i = 0; i < k; ++i) {
        value_of(sort, in, list[i].index, &value);
        ref_scatter(&sort->value, out, to + i, &value);
    }
    free(spare);
    free(list);
}

void ref_top_k(const ref_sort *sort, unsigned flags, size_t count, size_t size, size_t k, const void *const *in,
               void *const *out)
{
    const size_t results = k < size ? k : size;
    for (size_t row = 0; row < count; ++row)
        top_of_row(sort, flags, row * size, size, results, in, row * results, out);
}

void ref_irregular_top_k(const ref_sort *sort, unsigned flags, size_t count, const size_t *lengths, size_t k,
                         const void *const *in, void *const *out, cl_ulong *offsets)
{
    offsets[0] = 0;
    for (size_t i = 0, first = 0; i < count; first += lengths[i++]) {
        const size_t results = k < lengths[i] ? k : lengths[i];
        top_of_row(sort, flags, first, lengths[i], results, in, (size_t)offsets[i], out);
        offsets[i + 1] = offsets[i] + results;
    }
}

void ref_sort_segments(const ref_sort *sort, unsigned flags, size_t count, const size_t *lengths, const void *const *in,
                       void *const *out)
{
    for (size_t k = 0, begin = 0; k < count; begin += lengths[k++])
        top_of_row(sort, flags, begin, lengths[k], lengths[k], in, begin, out);
}

void ref_sort_run(const ref_sort *sort, unsigned flags, size_t n, const void *const *in, void *const *out)
{
    ref_sort_segments(sort, flags, 1, &n, in, out);
}

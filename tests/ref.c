/* SPDX-License-Identifier: MIT */
/*
 * The reference scan. Tuples are gathered from their arrays into a struct, combined one after the other from left
 * to right, and scattered again; nothing here is clever.
 */
#include "ref.h"

#include <string.h>

void ref_gather(const ref_layout *layout, const void *const *arrays, size_t index, void *element)
{
    for (size_t f = 0; f < layout->count; ++f) {
        size_t bytes = layout->field[f].bytes;
        memcpy((char *)element + layout->field[f].offset, (const char *)arrays[f] + index * bytes, bytes);
    }
}

void ref_scatter(const ref_layout *layout, void *const *arrays, size_t index, const void *element)
{
    for (size_t f = 0; f < layout->count; ++f) {
        size_t bytes = layout->field[f].bytes;
        memcpy((char *)arrays[f] + index * bytes, (const char *)element + layout->field[f].offset, bytes);
    }
}

/* Copies field by field, for the padding of a static struct need not be readable through its fields. */
static void copy_value(const ref_layout *layout, void *to, const void *from)
{
    for (size_t f = 0; f < layout->count; ++f)
        memcpy((char *)to + layout->field[f].offset, (const char *)from + layout->field[f].offset,
               layout->field[f].bytes);
}

/* What is combined with what follows, and what is written where nothing does. */
static const void *start_of(const ref_operator *op, const void *initial)
{
    return initial ? initial : op->neutral;
}

static const void *nothing_of(const ref_operator *op, const void *initial)
{
    return initial || !op->nothing ? start_of(op, initial) : op->nothing;
}

static size_t bytes_of_real(size_t real)
{
    return real == REF_BFLOAT16 ? 2 : real;
}

/* Infinity is all ones in the exponent; a NaN has a fraction besides. */
static bool is_same_number(size_t real, const void *a, const void *b)
{
    const size_t bytes = bytes_of_real(real);
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    const uint64_t infinity = real == REF_BFLOAT16 ? 0x7f80
                              : bytes == 2         ? 0x7c00
                              : bytes == 4         ? 0x7f800000
                                                   : 0x7ff0000000000000;
    uint64_t x = 0, y = 0;
    memcpy(&x, a, bytes); /* little-endian */
    memcpy(&y, b, bytes);
    const bool zeros = !((x | y) & ~sign), nans = (x & ~sign) > infinity && (y & ~sign) > infinity;
    return x == y || zeros || nans;
}

bool ref_same(size_t real, size_t bytes, const void *a, const void *b)
{
    if (real == 0)
        return memcmp(a, b, bytes) == 0;
    bool same = true;
    for (size_t at = 0; at < bytes; at += bytes_of_real(real))
        same = same && is_same_number(real, (const char *)a + at, (const char *)b + at);
    return same;
}

size_t ref_wrong_byte(size_t real, size_t bytes, const unsigned char *a, const unsigned char *b)
{
    const size_t each = real ? bytes_of_real(real) : 1;
    size_t at = 0;
    while (at < bytes && (a[at] == b[at] || (real && ref_same(real, each, a + at / each * each, b + at / each * each))))
        ++at;
    return at;
}

void ref_scan(const ref_operator *op, size_t n, const void *const *in, void *const *out, const void *initial,
              bool exclusive)
{
    ref_segmented_scan(op, n, NULL, in, out, initial, exclusive);
}

/* What the map makes of element i, or the element. */
static void take(const ref_operator *op, const void *const *in, size_t i, void *value, void *extra)
{
    _Alignas(REF_ALIGN) char x[REF_MAX_BYTES];
    ref_gather(&op->input, in, i, op->map ? x : value);
    if (op->map)
        op->map(x, i, value, extra);
}

/* Element i, which begins a segment, or continues it behind `total`: that of the elements before, and then up to it. */
static void scan_element(const ref_operator *op, const void *const *in, void *const *out, size_t i, bool first,
                         bool reversed, const void *initial, bool exclusive, char *total)
{
    _Alignas(REF_ALIGN) char value[REF_MAX_BYTES], extra[REF_MAX_BYTES], next[REF_MAX_BYTES];
    take(op, in, i, value, extra);
    if (first)
        copy_value(&op->value, total, start_of(op, initial));
    op->combine(reversed ? value : total, reversed ? total : value, next);
    ref_scatter(&op->value, out, i, !exclusive ? next : first ? nothing_of(op, initial) : total);
    ref_scatter(&op->extra, out + op->value.count, i, extra);
    copy_value(&op->value, total, next);
}

void ref_reverse_scan(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                      void *const *out, const void *initial, bool exclusive)
{
    _Alignas(REF_ALIGN) char total[REF_MAX_BYTES];
    for (size_t i = n; i-- > 0;)
        scan_element(op, in, out, i, i == n - 1 || heads[i + 1], true, initial, exclusive, total);
}

void ref_segmented_scan(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                        void *const *out, const void *initial, bool exclusive)
{
    _Alignas(REF_ALIGN) char total[REF_MAX_BYTES];
    for (size_t i = 0; i < n; ++i)
        scan_element(op, in, out, i, i == 0 || (heads && heads[i]), false, initial, exclusive, total);
}

void ref_adjacent_difference(const ref_operator *op, size_t n, const unsigned char *heads, const void *const *in,
                             void *const *out, const void *initial)
{
    _Alignas(REF_ALIGN) char value[REF_MAX_BYTES], extra[REF_MAX_BYTES];
    _Alignas(REF_ALIGN) char before[REF_MAX_BYTES], result[REF_MAX_BYTES];

    for (size_t i = 0; i < n; ++i) {
        take(op, in, i, value, extra);
        if (heads[i] && initial)
            copy_value(&op->value, before, initial);
        if (heads[i] && !initial)
            copy_value(&op->value, result, value);
        else
            op->combine(before, value, result);
        ref_scatter(&op->value, out, i, result);
        ref_scatter(&op->extra, out + op->value.count, i, extra);
        copy_value(&op->value, before, value);
    }
}

/* Combines elements i … end - 1 to one result. */
static void reduce_segment(const ref_operator *op, size_t i, size_t end, const void *const *in, void *const *out,
                           const void *initial, void *total)
{
    _Alignas(REF_ALIGN) char value[REF_MAX_BYTES], extra[REF_MAX_BYTES], next[REF_MAX_BYTES];

    copy_value(&op->value, total, i == end ? nothing_of(op, initial) : start_of(op, initial));
    for (; i < end; ++i) {
        take(op, in, i, value, extra);
        op->combine(total, value, next);
        ref_scatter(&op->extra, out + op->value.count, i, extra);
        copy_value(&op->value, total, next);
    }
}

void ref_reduce(const ref_operator *op, size_t count, size_t size, const void *const *in, void *const *out,
                const void *initial)
{
    _Alignas(REF_ALIGN) char total[REF_MAX_BYTES];
    for (size_t s = 0; s < count; ++s) {
        reduce_segment(op, s * size, (s + 1) * size, in, out, initial, total);
        ref_scatter(&op->value, out, s, total);
    }
}

void ref_irregular_reduce(const ref_operator *op, size_t count, const size_t *lengths, size_t room,
                          const void *const *in, void *const *out, const void *initial)
{
    _Alignas(REF_ALIGN) char total[REF_MAX_BYTES];
    size_t at = 0;
    for (size_t s = 0; s < count; at += lengths[s++]) {
        reduce_segment(op, at, at + lengths[s], in, out, initial, total);
        if (s < room)
            ref_scatter(&op->value, out, s, total);
    }
}

void ref_transpose(size_t bytes, size_t batch, size_t rows, size_t columns, const void *in, void *out)
{
    for (size_t b = 0; b < batch; ++b)
        for (size_t r = 0; r < rows; ++r)
            for (size_t c = 0; c < columns; ++c)
                memcpy((char *)out + ((b * columns + c) * rows + r) * bytes,
                       (const char *)in + ((b * rows + r) * columns + c) * bytes, bytes);
}

const clf_operator *ref_clf(const ref_operator *op)
{
    return op->clf ? op->clf : clf_builtin(op->kind, op->type);
}

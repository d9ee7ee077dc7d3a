/* SPDX-License-Identifier: MIT */
/*
 * Segments of any lengths. A list of lengths says what they are; heads and everything else is derived from it,
 * one segment after the other.
 */
#include "irregular.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static void *checked_calloc(size_t count, size_t bytes)
{
    void *memory = calloc(count ? count : 1, bytes);
    ck_assert_msg(memory, "out of memory");
    return memory;
}

/* ---- Shapes ---------------------------------------------------------------------------------------------------- */

enum { MANY = 1000 };

static void append(irregular *s, size_t *left, size_t length)
{
    s->lengths[s->count] = length < *left ? length : *left;
    *left -= s->lengths[s->count++];
}

static size_t power_law(gen *random)
{
    const size_t most = (size_t)1 << gen_below(random, 16);
    return gen_chance(random, 70) ? 1 + (size_t)gen_below(random, 3) : 1 + (size_t)gen_below(random, most);
}

/* The segment that follows, which has at least one element. */
static size_t next_length(gen *random, irregular_shape shape, size_t at, size_t n, size_t scale)
{
    switch (shape) {
    case SHAPE_GIANT: return n;
    case SHAPE_SINGLES: return 1;
    case SHAPE_LONG: return 1 + (size_t)gen_below(random, scale);
    case SHAPE_POWER_LAW: return power_law(random);
    case SHAPE_BOUNDARIES: return at % scale == 1 && scale > 2 ? scale - 2 : 1;
    default: return 1 + (size_t)gen_below(random, 8);
    }
}

irregular irregular_make(gen *random, irregular_shape shape, size_t n, size_t scale)
{
    irregular s = {.n = n, .lengths = checked_calloc(4 * n + 2 * MANY, sizeof *s.lengths)};
    const size_t first = shape == SHAPE_EMPTY_START ? MANY : 0, last = shape == SHAPE_EMPTY_END ? MANY : 0;
    size_t left = n, none = 0;
    for (size_t k = 0; k < first; ++k)
        append(&s, &none, 0);
    for (bool middle = shape == SHAPE_EMPTY_MIDDLE; left > 0;) {
        for (size_t k = 0; middle && left <= n / 2 && k < MANY; ++k)
            append(&s, &none, 0);
        middle = middle && left > n / 2;
        for (size_t k = 0; shape == SHAPE_EMPTY_BETWEEN && k < 3 && gen_chance(random, 60); ++k)
            append(&s, &none, 0);
        append(&s, &left, next_length(random, shape, n - left, n, scale));
    }
    for (size_t k = 0; k < last; ++k)
        append(&s, &none, 0);
    return s;
}

void irregular_free(irregular *segments)
{
    free(segments->lengths);
    segments->lengths = NULL;
}

/* ---- Telling --------------------------------------------------------------------------------------------------- */

void irregular_heads(const irregular *segments, unsigned char *heads)
{
    size_t at = 0;
    memset(heads, 0, segments->n);
    for (size_t k = 0; k < segments->count; at += segments->lengths[k++])
        if (segments->lengths[k] > 0)
            heads[at] = 1;
}

static void make_bytes(const irregular *s, const unsigned char *heads, gen *random, unsigned char *bytes)
{
    for (size_t i = 0; i < s->n; ++i)
        bytes[i] = heads[i] ? (unsigned char)(1 + gen_below(random, 255)) : 0;
    if (s->n > 0 && gen_chance(random, 50))
        bytes[0] = 0;
}

static void make_bits(const irregular *s, const unsigned char *heads, gen *random, cl_uint *words)
{
    const size_t bits = (s->n + 31) / 32 * 32;
    for (size_t i = 0; i < bits; ++i)
        if (i < s->n ? heads[i] : gen_chance(random, 50))
            words[i / 32] |= (cl_uint)1 << i % 32;
    if (s->n > 0 && gen_chance(random, 50))
        words[0] &= ~(cl_uint)1;
}

static void put_number(void *entries, clf_type type, size_t index, cl_ulong number)
{
    if (type == CLF_UINT)
        ((cl_uint *)entries)[index] = (cl_uint)number;
    else
        ((cl_ulong *)entries)[index] = number;
}

static void make_numbers(const irregular *s, const clf_segmentation *how, void *entries)
{
    const bool lengths = how->by == CLF_BY_LENGTHS;
    size_t at = 0;
    for (size_t k = 0; k < s->count; at += s->lengths[k++])
        put_number(entries, how->type, k, lengths ? s->lengths[k] : at);
    if (!lengths)
        put_number(entries, how->type, s->count, at);
}

/* One of five keys. Integers differ in the lowest or the highest byte; the array was cleared. */
static void put_key(unsigned char *entry, clf_type type, unsigned key)
{
    const size_t bytes = clf_type_size(type);
    const float number = (float)key - 2.5f;
    const double wide = (double)key - 2.5;
    const cl_ushort half = gen_half(number);
    if (type == CLF_FLOAT)
        memcpy(entry, &number, bytes);
    else if (type == CLF_DOUBLE)
        memcpy(entry, &wide, bytes);
    else if (type == CLF_HALF)
        memcpy(entry, &half, bytes);
    else
        entry[key % 2 ? bytes - 1 : 0] = (unsigned char)key;
}

static void make_keys(const irregular *s, const unsigned char *heads, clf_type type, gen *random,
                      unsigned char *entries)
{
    unsigned key = 0;
    for (size_t i = 0; i < s->n; ++i) {
        if (heads[i])
            key = (key + 1 + (unsigned)gen_below(random, 4)) % 5;
        put_key(entries + i * clf_type_size(type), type, key);
    }
}

size_t irregular_element(const clf_segmentation *how)
{
    return how->by == CLF_BY_HEAD_BYTES ? 1 : how->by == CLF_BY_HEAD_BITS ? 4 : clf_type_size(how->type);
}

void *irregular_entries(const irregular *s, const clf_segmentation *how, gen *random, size_t *bytes)
{
    const size_t element = irregular_element(how);
    const size_t entries = how->by == CLF_BY_HEAD_BITS ? (s->n + 31) / 32
                           : how->by == CLF_BY_OFFSETS ? s->count + 1
                           : how->by == CLF_BY_LENGTHS ? s->count
                                                       : s->n;
    unsigned char *const heads = checked_calloc(s->n, 1);
    void *const made = checked_calloc(entries, element);
    irregular_heads(s, heads);
    if (how->by == CLF_BY_HEAD_BYTES)
        make_bytes(s, heads, random, made);
    else if (how->by == CLF_BY_HEAD_BITS)
        make_bits(s, heads, random, made);
    else if (how->by == CLF_BY_KEYS)
        make_keys(s, heads, how->type, random, made);
    else
        make_numbers(s, how, made);
    free(heads);
    *bytes = entries * element;
    return made;
}

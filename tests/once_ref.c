/* SPDX-License-Identifier: MIT */
/* What one-call functions write: elements in order, and what follows from that. */
#include "once_case.h"

#include <stdlib.h>
#include <string.h>

bool once_is_rows(once_function f)
{
    return f == ONCE_ROWS_SORT || f == ONCE_ROWS_TOP_K || f == ONCE_ROWS_ARG_TOP_K || f == ONCE_ROWS_ARGMIN ||
           f == ONCE_ROWS_ARGMAX || f == ONCE_ROWS_SCAN;
}

bool once_is_segments(once_function f)
{
    return f == ONCE_SEGMENTS_SORT || f == ONCE_SEGMENTS_ARGMIN || f == ONCE_SEGMENTS_ARGMAX ||
           f == ONCE_SEGMENTS_INCLUSIVE || f == ONCE_SEGMENTS_EXCLUSIVE || f == ONCE_SEGMENTS_REDUCE;
}

/* ---- Elements ---------------------------------------------------------------------------------------------------- */

static unsigned bits_of(clf_type type) { return 8 * (unsigned)clf_type_size(type); }
static bool is_real(clf_type type) { return type >= CLF_HALF; }

/* The bits of infinity, which are those of an exponent. */
static uint64_t infinity_of(clf_type type)
{
    const uint64_t infinities[] = {[CLF_HALF] = 0x7c00, [CLF_FLOAT] = 0x7f800000u, [CLF_DOUBLE] = 0x7ff0000000000000u,
                                   [CLF_BFLOAT16] = 0x7f80};
    return infinities[type];
}

static uint64_t load(clf_type type, const void *element)
{
    uint64_t bits = 0;
    memcpy(&bits, element, clf_type_size(type)); /* little-endian hosts */
    return bits;
}

/* No number that is so small that devices may take it for 0. */
void once_element(gen *random, clf_type type, unsigned wild, void *element)
{
    static const int64_t few[] = {0, 1, -1, 2, 3, -3, 100, -100};
    uint64_t bits = gen_bits(random), sign = (uint64_t)gen_below(random, 2) << (bits_of(type) - 1);
    if (!is_real(type)) {
        bits = gen_chance(random, wild) ? bits : (uint64_t)few[gen_below(random, COUNT(few))];
    } else if (gen_chance(random, wild)) {
        bits = (bits & infinity_of(type)) == 0 ? sign : bits;
    } else {
        const uint64_t infinity = infinity_of(type), one = infinity / 2 & infinity, kind = gen_below(random, 8);
        bits = sign | (kind == 0   ? infinity + 1 + gen_below(random, 3)
                       : kind == 1 ? infinity
                       : kind == 2 ? 0
                                   : one + (kind - 3) * 5);
    }
    memcpy(element, &bits, clf_type_size(type));
}

/* Where a key belongs: behind all others, if it is last; else the order of numbers is that of keys. */
typedef struct ranked {
    bool last;
    int64_t number;
    size_t index;
} ranked;

static ranked rank_of(clf_type type, unsigned flags, const void *element, size_t index)
{
    const unsigned bits = bits_of(type);
    const uint64_t word = load(type, element), sign = (uint64_t)1 << (bits - 1);
    ranked r = {.index = index};
    if (!is_real(type)) {
        const bool is_signed = type == CLF_CHAR || type == CLF_SHORT || type == CLF_INT || type == CLF_LONG;
        r.number = (int64_t)(is_signed ? (word ^ sign) - sign : word ^ (uint64_t)1 << 63);
        return r;
    }
    const uint64_t size = word & ~sign;
    r.last = size > infinity_of(type) && !(flags & CLF_TOTAL_ORDER);
    r.number = word & sign ? -(int64_t)size - (flags & CLF_TOTAL_ORDER ? 1 : 0) : (int64_t)size;
    r.number = r.last ? 0 : r.number;
    return r;
}

static bool are_alike(const ranked *a, const ranked *b)
{
    return a->last == b->last && a->number == b->number;
}

static int ascending(const void *a, const void *b)
{
    const ranked *const x = a, *const y = b;
    if (x->last != y->last)
        return x->last - y->last;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->index < y->index ? -1 : 1;
}

static int descending(const void *a, const void *b)
{
    const ranked *const x = a, *const y = b;
    return x->last == y->last && x->number != y->number ? ascending(b, a) : ascending(a, b);
}

/* Elements first … first + n - 1 in order, by their indices; the caller's to free. */
static ranked *sorted(const once_case *c, unsigned flags, size_t first, size_t n, const void *in)
{
    const size_t bytes = clf_type_size(c->key.type);
    ranked *const all = malloc((n + 1) * sizeof *all);
    ck_assert(all);
    for (size_t i = 0; i < n; ++i)
        all[i] = rank_of(c->key.type, flags, (const char *)in + (first + i) * bytes, first + i);
    qsort(all, n, sizeof *all, flags & CLF_DESCENDING ? descending : ascending);
    return all;
}

static bool is_nan(clf_type type, const void *element)
{
    return rank_of(type, 0, element, 0).last;
}

static void copy(size_t bytes, void *out, size_t to, const void *in, size_t from)
{
    memcpy((char *)out + to * bytes, (const char *)in + from * bytes, bytes);
}

static void write_index(const once_case *c, void *out, size_t to, size_t index)
{
    const cl_ulong wide = index;
    memcpy((char *)out + to * (c->key.wide_indices ? 8 : 4), &wide, c->key.wide_indices ? 8 : 4);
}

void once_edges(const once_case *c, gen *random, void *edges)
{
    const size_t n = c->size + 1, bytes = clf_type_size(c->key.type);
    char *const drawn = malloc(n * bytes);
    ck_assert(drawn);
    for (size_t i = 0; i < n; ++i)
        do
            once_element(random, c->key.type, c->wild, drawn + i * bytes);
        while (is_nan(c->key.type, drawn + i * bytes));
    ranked *const order = sorted(c, 0, 0, n, drawn);
    for (size_t i = 0; i < n; ++i)
        copy(bytes, edges, i, drawn, order[i].index);
    free(order);
    free(drawn);
}

/* ---- What comes of it -------------------------------------------------------------------------------------------- */

/* The first k of each part as sorted: elements, payloads, or indices in the part. */
static void write_sorted(const once_case *c, const once_parts *parts, void *const *in, void *const *out)
{
    const once_function f = c->key.function;
    const bool top_k = f == ONCE_ROWS_TOP_K || f == ONCE_ARG_TOP_K || f == ONCE_ROWS_ARG_TOP_K;
    const unsigned flags = f == ONCE_SORT_DESCENDING ? CLF_DESCENDING : c->key.flags;
    for (size_t p = 0, first = 0, to = 0; p < parts->count; first += parts->lengths[p++]) {
        const size_t length = parts->lengths[p], most = top_k && c->k < length ? c->k : length;
        ranked *const order = sorted(c, flags, first, length, in[0]);
        for (size_t i = 0; i < most; ++i, ++to) {
            if (f == ONCE_ARGSORT)
                write_index(c, out[0], to, order[i].index - first);
            else
                copy(clf_type_size(c->key.type), out[0], to, in[0], order[i].index);
            if (f == ONCE_SORT_PAIRS)
                copy(c->key.payload, out[1], to, in[1], order[i].index);
            if (f == ONCE_ARG_TOP_K || f == ONCE_ROWS_ARG_TOP_K)
                write_index(c, out[1], to, order[i].index - first);
        }
        free(order);
    }
}

static void write_extremes(const once_case *c, const once_parts *parts, void *const *in, void *const *out)
{
    const once_function f = c->key.function;
    const bool largest = f == ONCE_ARGMAX || f == ONCE_ROWS_ARGMAX || f == ONCE_SEGMENTS_ARGMAX;
    const ref_operator *const op = ref_builtin(largest ? CLF_MAX : CLF_MIN, c->key.type);
    for (size_t p = 0, first = 0; p < parts->count; first += parts->lengths[p++]) {
        ranked *const order = sorted(c, largest ? CLF_DESCENDING : 0, first, parts->lengths[p], in[0]);
        if (parts->lengths[p])
            copy(clf_type_size(c->key.type), out[0], p, in[0], order[0].index);
        else
            copy(clf_type_size(c->key.type), out[0], p, op->nothing, 0);
        write_index(c, out[1], p, parts->lengths[p] ? order[0].index - (once_is_segments(f) ? 0 : first) : SIZE_MAX);
        free(order);
    }
}

static void write_combined(const once_case *c, const once_parts *parts, void *const *in, void *const *out)
{
    const ref_operator *const op = ref_builtin(c->key.op, c->key.type);
    const bool exclusive = c->key.function != ONCE_SEGMENTS_INCLUSIVE;
    if (c->key.function == ONCE_SEGMENTS_REDUCE) {
        ref_irregular_reduce(op, parts->count, parts->lengths, parts->count, (const void *const *)in, out, NULL);
        return;
    }
    unsigned char *const heads = calloc(c->n + 1, 1);
    size_t n = 0;
    ck_assert(heads);
    for (size_t p = 0; p < parts->count; n += parts->lengths[p++])
        heads[n] = 1;
    ref_segmented_scan(op, n, heads, (const void *const *)in, out, NULL, exclusive);
    free(heads);
}

static void write_columns(const once_case *c, void *const *in, void *const *out)
{
    const size_t columns = c->size, rows = columns ? c->n / columns : 0, bytes = clf_type_size(c->key.type);
    void *const turned = malloc(c->n * bytes + 1);
    const void *const from = turned;
    ck_assert(turned);
    ref_transpose(bytes, 1, rows, columns, in[0], turned);
    ref_reduce(ref_builtin(c->key.op, c->key.type), columns, rows, &from, out, NULL);
    free(turned);
}

static size_t write_groups(const once_case *c, size_t n, void *const *in, void *const *out)
{
    const bool counts = c->key.function == ONCE_GROUP_COUNTS;
    const ref_operator *const op = ref_builtin(c->key.op, c->key.value_type);
    const size_t bytes = clf_type_size(c->key.value_type);
    ranked *const order = sorted(c, 0, 0, n, in[0]);
    size_t groups = 0;
    for (size_t i = 0; i < n; ++i) {
        const bool starts = i == 0 || !are_alike(&order[i - 1], &order[i]);
        if (starts)
            copy(clf_type_size(c->key.type), out[0], groups++, in[0], order[i].index);
        if (counts)
            ((cl_ulong *)out[1])[groups - 1] = starts ? 1 : ((cl_ulong *)out[1])[groups - 1] + 1;
        else if (starts)
            copy(bytes, out[1], groups - 1, in[1], order[i].index);
        else {
            char *const sum = (char *)out[1] + (groups - 1) * bytes;
            ref_element both;
            op->combine(sum, (const char *)in[1] + order[i].index * bytes, &both);
            memcpy(sum, &both, bytes);
        }
    }
    free(order);
    return groups;
}

/* Elements that are bins. */
static void write_histogram(const once_case *c, size_t n, void *const *in, void *const *out)
{
    cl_uint *const counts = out[0];
    memset(counts, 0, c->size * sizeof *counts);
    for (size_t i = 0; i < n; ++i) {
        const ranked x = rank_of(c->key.type, 0, (const char *)in[0] + i * clf_type_size(c->key.type), i);
        const bool is_unsigned = c->key.type % 2; /* their ranks are moved */
        const uint64_t bin = (uint64_t)x.number ^ (is_unsigned ? (uint64_t)1 << 63 : 0);
        if (bin < c->size)
            ++counts[bin];
    }
}

/* Elements in order, and edges passed on the way. */
static void write_between(const once_case *c, size_t n, void *const *in, void *const *out)
{
    ranked *const order = sorted(c, 0, 0, n, in[0]), *const edges = sorted(c, 0, 0, c->size + 1, in[1]);
    cl_ulong *const counts = calloc(c->size + 1, sizeof *counts);
    size_t passed = 0; /* edges that are not above the element */
    ck_assert(counts);
    for (size_t i = 0; i < n && !order[i].last; ++i) {
        while (passed <= c->size && edges[passed].number <= order[i].number)
            ++passed;
        if (passed > 0 && passed <= c->size)
            ++counts[passed - 1];
        else if (passed > 0 && c->size > 0 && c->key.flags & CLF_UPPER_END && edges[c->size].number == order[i].number)
            ++counts[c->size - 1];
    }
    for (size_t b = 0; b < c->size; ++b)
        write_index(c, out[0], b, counts[b]);
    free(counts);
    free(edges);
    free(order);
}

size_t once_expect(const once_case *c, const once_parts *parts, void *const *in, void *const *out)
{
    const once_function f = c->key.function;
    if (f == ONCE_GROUP_BY || f == ONCE_GROUP_COUNTS)
        return write_groups(c, parts->lengths[0], in, out);
    if (f == ONCE_HISTOGRAM)
        write_histogram(c, parts->lengths[0], in, out);
    else if (f == ONCE_HISTOGRAM_EDGES)
        write_between(c, parts->lengths[0], in, out);
    else if (f == ONCE_COLUMNS_REDUCE)
        write_columns(c, in, out);
    else if (f >= ONCE_ROWS_SCAN)
        write_combined(c, parts, in, out);
    else if (f >= ONCE_ARGMIN)
        write_extremes(c, parts, in, out);
    else
        write_sorted(c, parts, in, out);
    return 0;
}

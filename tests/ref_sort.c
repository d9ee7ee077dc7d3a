/* SPDX-License-Identifier: MIT */
/*
 * Sorts for tests: keys of every type alone, with payload, of several fields, behind a map; and the reference, a merge
 * sort by keys that are compared as the numbers they are.
 */
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

bool ref_key_before(clf_type type, unsigned flags, const void *a, const void *b)
{
    const void *const first = flags & CLF_DESCENDING ? b : a, *const second = flags & CLF_DESCENDING ? a : b;
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
    cl_ulong key; /* its bytes come first */
    size_t index;
} keyed;

/* The two sorted halves of list[begin .. end) become one; of equal ones those of the first half come first. */
static void merge_halves(clf_type type, unsigned flags, size_t begin, size_t middle, size_t end, keyed *list,
                         keyed *spare)
{
    size_t i = begin, j = middle;
    for (size_t k = begin; k < end; ++k)
        if (j == end || (i < middle && !ref_key_before(type, flags, &list[j].key, &list[i].key)))
            spare[k] = list[i++];
        else
            spare[k] = list[j++];
    memcpy(&list[begin], &spare[begin], (end - begin) * sizeof *list);
}

static void sort_keys(clf_type type, unsigned flags, size_t n, keyed *list, keyed *spare)
{
    for (size_t half = 1; half < n; half *= 2)
        for (size_t begin = 0; n - begin > half; begin += 2 * half) {
            const size_t end = n - begin < 2 * half ? n : begin + 2 * half;
            merge_halves(type, flags, begin, begin + half, end, list, spare);
            if (end == n)
                break;
        }
}

static void key_of(const ref_sort *sort, const void *value, cl_ulong *key)
{
    *key = 0;
    if (sort->key)
        sort->key(value, key);
    else
        memcpy(key, (const char *)value + sort->value.field[sort->field].offset, clf_type_size(sort->type));
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
        key_of(sort, &value, &list[i].key);
        list[i].index = first + i;
    }
    sort_keys(sort->type, flags, n, list, spare);
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
    size_t n = 0;
    for (size_t k = 0; k < count; ++k)
        n += lengths[k];
    keyed *const list = malloc((n + 1) * sizeof *list), *const spare = malloc((n + 1) * sizeof *spare);
    ref_element value;
    if (!list || !spare)
        abort();
    for (size_t i = 0; i < n; ++i) {
        value_of(sort, in, i, &value);
        key_of(sort, &value, &list[i].key);
        list[i].index = i;
    }
    for (size_t k = 0, begin = 0; k < count; begin += lengths[k++])
        sort_keys(sort->type, flags, lengths[k], list + begin, spare);
    for (size_t i = 0; i < n; ++i) {
        value_of(sort, in, list[i].index, &value);
        ref_scatter(&sort->value, out, i, &value);
    }
    free(spare);
    free(list);
}

void ref_sort_run(const ref_sort *sort, unsigned flags, size_t n, const void *const *in, void *const *out)
{
    ref_sort_segments(sort, flags, 1, &n, in, out);
}

/* ---- Operators ------------------------------------------------------------------------------------------------- */

/* A field of so many bytes, the k-th; and operators with fields of these. */
#define AT(bytes, k) {(bytes), (k) * 16}
#define OPERATOR(...) &(const clf_operator){.size = sizeof(clf_operator), __VA_ARGS__}

static const clf_operator scalars[CLF_TYPE_COUNT] = {
#define SCALAR(type) {.size = sizeof(clf_operator), .value = type " v;"}
    SCALAR("char"), SCALAR("uchar"), SCALAR("short"), SCALAR("ushort"), SCALAR("int"), SCALAR("uint"),
    SCALAR("long"), SCALAR("ulong"), SCALAR("half"),  SCALAR("float"),  SCALAR("double"), SCALAR("bfloat16")};

static cl_ulong mixed(cl_ulong index)
{
    return (index + 1) * 0x9e3779b97f4a7c15u >> 7;
}

/* By what two fields make together, small whole numbers, so that squares are exact. */
static void radius_key(const void *value, void *key)
{
    cl_float p[2];
    memcpy(&p[0], value, sizeof p[0]);
    memcpy(&p[1], (const char *)value + 16, sizeof p[1]);
    const cl_float squared = p[0] * p[0] + p[1] * p[1];
    memcpy(key, &squared, sizeof squared);
}

static void radius_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_float p[2] = {(cl_float)(bits & 63) - 32, (cl_float)(bits >> 6 & 63) - 32};
    (void)index;
    memcpy(x, &p[0], sizeof p[0]);
    memcpy((char *)x + 16, &p[1], sizeof p[1]);
}

static void order_map(const void *x, cl_ulong index, void *value)
{
    const cl_uint at = (cl_uint)index;
    memcpy(value, x, sizeof(cl_float));
    memcpy((char *)value + 16, &at, sizeof at);
}

/* What is captured hides the key: that of element i is x ^ hidden[i]. */
static void captured_map(const void *x, cl_ulong index, void *value)
{
    cl_uint parts[2];
    memcpy(&parts[0], x, sizeof parts[0]);
    memcpy(&parts[1], (const char *)x + 16, sizeof parts[1]);
    parts[0] ^= parts[1];
    memcpy(value, &index, sizeof index);
    memcpy((char *)value + 16, &parts[0], sizeof parts[0]);
}

static void captured_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_uint hidden = (cl_uint)mixed(index), shown = (cl_uint)bits ^ hidden;
    memcpy(x, &shown, sizeof shown);
    memcpy((char *)x + 16, &hidden, sizeof hidden);
}

/* Row i, whose key lies in a captured column. */
static void indirect_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_uint row = (cl_uint)index, key = (cl_uint)bits;
    memcpy(x, &row, sizeof row);
    memcpy((char *)x + 16, &key, sizeof key);
}

static void indirect_key(const void *value, void *key)
{
    memcpy(key, (const char *)value + 16, sizeof(cl_int));
}

static void wide_make(cl_ulong bits, cl_ulong index, void *x)
{
    for (cl_ulong k = 0; k < 16; ++k) {
        const cl_ulong part = k == 3 ? bits : mixed(16 * index + k);
        memcpy((char *)x + 8 * k, &part, sizeof part);
    }
}

static void wide_key(const void *value, void *key)
{
    memcpy(key, (const char *)value + 3 * 8, 8);
}

static void constant_key(const void *value, void *key)
{
    const cl_uint seven = 7;
    (void)value;
    memcpy(key, &seven, sizeof seven);
}

#define BOTH(...) .value = {__VA_ARGS__}, .input = {__VA_ARGS__}
static const ref_sort sorts[REF_SORT_COUNT - CLF_TYPE_COUNT] = {
#define OF(which) [REF_SORT_##which - CLF_TYPE_COUNT]
    OF(PAIR) = {"pairs", OPERATOR(.value = "float key; uint payload;"), CLF_FLOAT, BOTH(2, {AT(4, 0), AT(4, 1)})},
    OF(LAST) = {"tuples by the last field",
                OPERATOR(.value = "uint tag; uchar mark; short key;", .key = "short by",
                         .source = "short by(clf_value v) { return v.key; }"),
                CLF_SHORT, BOTH(3, {AT(4, 0), AT(1, 1), AT(2, 2)}), .field = 2},
    OF(RADIUS) = {"points by distance",
                  OPERATOR(.value = "float x; float y;", .key = "float radius",
                           .source = "float radius(clf_value p) { return p.x * p.x + p.y * p.y; }"),
                  CLF_FLOAT, BOTH(2, {AT(4, 0), AT(4, 1)}), .key = radius_key, .make = radius_make},
    OF(ORDER) = {"keys and where they were",
                 OPERATOR(.input = "float key;", .value = "float key; uint index;", .map = "at",
                          .source = "clf_value at(clf_input x, ulong i) { clf_value v = {x.key, (uint)i}; return v; }"),
                 CLF_FLOAT, .value = {2, {AT(4, 0), AT(4, 1)}}, .input = {1, {AT(4, 0)}}, .map = order_map},
    OF(CAPTURED) = {"indices by captured keys",
                    OPERATOR(.input = "uint x;", .captured = "uint hidden;", .value = "ulong at; uint key;",
                             .map = "show", .key = "uint shown",
                             .source = "uint shown(clf_value v, const clf_captured *c) { return v.key; }\n"
                                       "clf_value show(clf_input x, ulong i, const clf_captured *c)\n"
                                       "{ clf_value v = {i, x.x ^ c->hidden[i]}; return v; }"),
                    CLF_UINT, .value = {2, {AT(8, 0), AT(4, 1)}}, .input = {2, {AT(4, 0), AT(4, 1)}}, .field = 1,
                    .map = captured_map, .make = captured_make},
    OF(VECTORS) = {"vectors by shorts", OPERATOR(.value = "ushort key; float4 payload; uchar2 two;"), CLF_USHORT,
                   BOTH(3, {AT(2, 0), AT(16, 1), AT(2, 2)})},
    OF(MIXED) = {"longs with 1 to 16 bytes",
                 OPERATOR(.value = "long key; uchar a; ushort b; uint c; ulong d; uint4 e; char16 f; short2 g;"),
                 CLF_LONG,
                 BOTH(8, {AT(8, 0), AT(1, 1), AT(2, 2), AT(4, 3), AT(8, 4), AT(16, 5), AT(16, 6), AT(4, 7)})},
    OF(MANY) = {"sixteen fields",
                OPERATOR(.value = "uchar a; uchar b; uchar c; uchar d; ushort e; ushort f; ushort g; ushort h; uint i; "
                                  "uint j; uint k; uint l; uchar m; uchar n; uint key; uchar o;",
                         .key = "uint by", .source = "uint by(clf_value v) { return v.key; }"),
                CLF_UINT,
                BOTH(16, {AT(1, 0), AT(1, 1), AT(1, 2), AT(1, 3), AT(2, 4), AT(2, 5), AT(2, 6), AT(2, 7), AT(4, 8),
                          AT(4, 9), AT(4, 10), AT(4, 11), AT(1, 12), AT(1, 13), AT(4, 14), AT(1, 15)}),
                .field = 14},
    OF(WIDE) = {"128 bytes",
                OPERATOR(.value = "ulong16 v;", .key = "ulong fourth",
                         .source = "ulong fourth(clf_value x) { return x.v.s3; }"),
                CLF_ULONG, BOTH(1, {{128, 0}}), .key = wide_key, .make = wide_make},
    OF(CONSTANT) = {"pairs by a constant",
                    OPERATOR(.value = "uint key; ushort payload;", .key = "uint seven",
                             .source = "uint seven(clf_value v) { return 7; }"),
                    CLF_UINT, BOTH(2, {AT(4, 0), AT(2, 1)}), .key = constant_key},
    OF(INDIRECT) = {"rows by a captured column",
                    OPERATOR(.value = "uint row;", .captured = "int column;", .key = "int by",
                             .source = "int by(clf_value v, const clf_captured *c) { return c->column[v.row]; }"),
                    CLF_INT, .value = {1, {AT(4, 0)}}, .input = {2, {AT(4, 0), AT(4, 1)}}, .key = indirect_key,
                    .make = indirect_make},
    OF(ARRAYS) = {"shorts with arrays",
                  OPERATOR(.value = "uchar a[7]; short key; uint b[3]; ulong c[1];", .key = "short by",
                           .source = "short by(clf_value v) { return v.key; }"),
                  CLF_SHORT, BOTH(4, {AT(7, 0), AT(2, 1), AT(12, 2), AT(8, 3)}), .field = 1},
};

const ref_sort *ref_sort_of(int which)
{
    static const ref_sort of_scalars[CLF_TYPE_COUNT] = {
#define ALONE(TYPE, bytes) [TYPE] = {#TYPE " alone", &scalars[TYPE], TYPE, BOTH(1, {AT(bytes, 0)})}
        ALONE(CLF_CHAR, 1), ALONE(CLF_UCHAR, 1), ALONE(CLF_SHORT, 2), ALONE(CLF_USHORT, 2),
        ALONE(CLF_INT, 4),  ALONE(CLF_UINT, 4),  ALONE(CLF_LONG, 8),  ALONE(CLF_ULONG, 8),
        ALONE(CLF_HALF, 2), ALONE(CLF_FLOAT, 4), ALONE(CLF_DOUBLE, 8), ALONE(CLF_BFLOAT16, 2)};
    return which < CLF_TYPE_COUNT ? &of_scalars[which] : &sorts[which - CLF_TYPE_COUNT];
}

/* SPDX-License-Identifier: MIT */
/* Orders for tests: plain, descending, by a field of a tuple, by two, elements of 1 to 128 bytes; and the reference. */
#include "ref_functions.h"

#include <stdlib.h>
#include <string.h>

void ref_merge(const ref_order *order, size_t n_first, size_t n_second, const void *const *in, void *const *out)
{
    const void *const *const second = in + order->value.count;
    ref_element x, y;
    size_t i = 0, j = 0;
    while (i < n_first || j < n_second) {
        if (i < n_first)
            ref_gather(&order->value, in, i, &x);
        if (j < n_second)
            ref_gather(&order->value, second, j, &y);
        if (j == n_second || (i < n_first && !order->less(&y, &x))) {
            ref_scatter(&order->value, out, i + j, &x);
            ++i;
        } else {
            ref_scatter(&order->value, out, i + j, &y);
            ++j;
        }
    }
}

/* Does element i come before element j, which stands behind it? Not if j is less. */
static bool stays_before(const ref_order *order, const void *const *in, size_t i, size_t j)
{
    ref_element x, y;
    ref_gather(&order->value, in, i, &x);
    ref_gather(&order->value, in, j, &y);
    return !order->less(&y, &x);
}

/* Sorts the numbers of elements, by halves, with room for as many beside. */
static void sort_numbers(const ref_order *order, const void *const *in, size_t n, size_t *numbers, size_t *beside)
{
    const size_t half = n / 2;
    size_t i = 0, j = half;
    if (n < 2)
        return;
    sort_numbers(order, in, half, numbers, beside);
    sort_numbers(order, in, n - half, numbers + half, beside);
    for (size_t k = 0; k < n; ++k)
        beside[k] = j == n || (i < half && stays_before(order, in, numbers[i], numbers[j])) ? numbers[i++]
                                                                                            : numbers[j++];
    memcpy(numbers, beside, n * sizeof *numbers);
}

void ref_merge_sort(const ref_order *order, size_t n, const void *const *in, void *const *out)
{
    size_t *const numbers = malloc((2 * n + 1) * sizeof *numbers);
    ref_element x;
    if (!numbers)
        abort();
    for (size_t i = 0; i < n; ++i)
        numbers[i] = i;
    sort_numbers(order, in, n, numbers, numbers + n);
    for (size_t i = 0; i < n; ++i) {
        ref_gather(&order->value, in, numbers[i], &x);
        ref_scatter(&order->value, out, i, &x);
    }
    free(numbers);
}

cl_ulong ref_sorted_until(const ref_order *order, size_t n, const void *const *in)
{
    for (size_t i = 1; i < n; ++i)
        if (!stays_before(order, in, i - 1, i))
            return i;
    return n;
}

cl_ulong ref_bound(const ref_order *order, bool upper, size_t n, const void *const *in, size_t needle)
{
    ref_element x, y;
    cl_ulong position = 0;
    ref_gather(&order->value, in + order->value.count, needle, &y);
    for (size_t low = 0, high = n; low < high;) { /* all below `low` come before the needle, none from `high` on */
        const size_t middle = low + (high - low) / 2;
        ref_gather(&order->value, in, middle, &x);
        if (upper ? !order->less(&y, &x) : order->less(&x, &y))
            low = middle + 1;
        else
            high = middle;
        position = low;
    }
    return position;
}

/* ---- One field ------------------------------------------------------------------------------------------------- */

/* A number of this type; in order of `rank`, of which the most differ. */
#define NUMBERS(name, type, of_rank) \
    static const clf_operator name##_clf = { \
        .size = sizeof(clf_operator), .value = #type " v;", .less = "below", \
        .source = "bool below(clf_input a, clf_input b) { return a.v < b.v; }"}; \
    static bool name##_less(const void *a, const void *b) \
    { \
        return ((const one_##name *)a)->v < ((const one_##name *)b)->v; \
    } \
    static void name##_make(cl_ulong rank, cl_ulong tag, void *x) \
    { \
        (void)tag; \
        ((one_##name *)x)->v = (cl_##type)(of_rank); \
    }
NUMBERS(int, int, (cl_int)rank - 100)
NUMBERS(byte, uchar, rank < 255 ? rank : 255)

/* ---- Keys and payload ------------------------------------------------------------------------------------------ */

/* Descending. */
typedef struct down {
    cl_float key;
    cl_uint tag;
} down;

static const clf_operator down_clf = {.size = sizeof(clf_operator), .value = "float key; uint tag;", .less = "above",
                                      .source = "bool above(clf_input a, clf_input b) { return a.key > b.key; }"};

REF_SAME(down_less, down, x.key > y.key)
REF_MAKE(down_make, down, (down){-(cl_float)rank, (cl_uint)tag})

/* By a field in the middle. */
typedef struct tuple {
    cl_ulong tag;
    cl_ushort key;
    cl_uchar mark;
} tuple;

static const clf_operator tuple_clf = {
    .size = sizeof(clf_operator), .value = "ulong tag; ushort key; uchar mark;", .less = "by_key",
    .source = "bool by_key(clf_input a, clf_input b) { return a.key < b.key; }"};

REF_SAME(tuple_less, tuple, x.key < y.key)
REF_MAKE(tuple_make, tuple, (tuple){.tag = tag, .key = (cl_ushort)(rank < 65535 ? rank : 65535),
         .mark = (cl_uchar)(tag * 7)})

/* By two fields, one of them descending, the other the less significant. */
typedef struct pair {
    cl_short minor;
    cl_int major;
    cl_uint tag;
} pair;

static const clf_operator pair_clf = {
    .size = sizeof(clf_operator), .value = "short minor; int major; uint tag;", .less = "by_both",
    .source = "bool by_both(clf_input a, clf_input b)\n"
              "{ return a.major != b.major ? a.major > b.major : a.minor < b.minor; }"};

REF_SAME(pair_less, pair, x.major != y.major ? x.major > y.major : x.minor < y.minor)
REF_MAKE(pair_make, pair, (pair){.minor = (cl_short)(rank % 4), .major = -(cl_int)(rank / 4), .tag = (cl_uint)tag})

/* 128 bytes, of which 8 are compared. */
typedef struct wide {
    cl_ulong v[16];
} wide;

static const clf_operator wide_clf = {.size = sizeof(clf_operator), .value = "ulong16 v;", .less = "by_fourth",
                                      .source = "bool by_fourth(clf_input a, clf_input b) { return a.v.s3 < b.v.s3; }"};

REF_SAME(wide_less, wide, x.v[3] < y.v[3])

static void wide_make(cl_ulong rank, cl_ulong tag, void *x)
{
    wide *const w = x;
    for (int k = 0; k < 16; ++k)
        w->v[k] = k == 3 ? rank : tag * 16 + (cl_ulong)k;
}

/* By what captured arrays say of an index: the high bytes of ranks, then the low ones. */
enum { ENTRIES = 4096, SHUFFLE = 2731 /* odd; ranks are all over the arrays */ };

typedef struct indirect {
    cl_uint at;
    cl_ushort tag;
} indirect;

static const clf_operator captured_clf = {
    .size = sizeof(clf_operator), .value = "uint at; ushort tag;", .captured = "ushort high; uchar low;",
    .less = "by_columns",
    .source = "bool by_columns(clf_input a, clf_input b, const clf_captured *c)\n"
              "{\n    const ushort x = c->high[a.at], y = c->high[b.at];\n"
              "    return x != y ? x < y : c->low[a.at] < c->low[b.at];\n}\n"};

static cl_uint captured_rank(cl_uint at)
{
    cl_uint rank = 0;
    for (cl_uint bit = 1; bit < ENTRIES; bit *= 2) /* the inverse, bit by bit */
        rank |= (rank * SHUFFLE ^ at) & bit;
    return rank;
}

REF_SAME(captured_less, indirect, captured_rank(x.at) < captured_rank(y.at))
REF_MAKE(captured_make, indirect, (indirect){.at = (cl_uint)(rank < ENTRIES ? rank : ENTRIES - 1) * SHUFFLE % ENTRIES,
         .tag = (cl_ushort)tag})

static void captured_fill(void *const *arrays)
{
    for (cl_uint at = 0; at < ENTRIES; ++at) {
        ((cl_ushort *)arrays[0])[at] = (cl_ushort)(captured_rank(at) / 256);
        ((cl_uchar *)arrays[1])[at] = (cl_uchar)captured_rank(at);
    }
}

/* The key is in an array, behind another. */
typedef struct arrays {
    cl_uchar tag[3];
    cl_uint key[5];
} arrays;

static const clf_operator arrays_clf = {
    .size = sizeof(clf_operator), .value = "uchar tag[3]; uint key[5];", .less = "by_last",
    .source = "bool by_last(clf_input a, clf_input b) { return a.key[4] < b.key[4]; }"};

REF_SAME(arrays_less, arrays, x.key[4] < y.key[4])
REF_MAKE(arrays_make, arrays, (arrays){{(cl_uchar)tag, (cl_uchar)(tag >> 8), (cl_uchar)(tag >> 16)},
                                    {(cl_uint)tag, 1, (cl_uint)tag * 3, 2, (cl_uint)rank}})

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const ref_order orders[REF_ORDER_COUNT] = {
    [REF_ORDER_INT] = {"ints", &int_clf, REF_FIELDS(one_int, v), int_less, .make = int_make},
    [REF_ORDER_DOWN] = {"descending", &down_clf, REF_FIELDS(down, key, tag), down_less, .make = down_make},
    [REF_ORDER_BYTE] = {"bytes", &byte_clf, REF_FIELDS(one_byte, v), byte_less, .make = byte_make},
    [REF_ORDER_TUPLE] = {"tuples by a field", &tuple_clf, REF_FIELDS(tuple, tag, key, mark), tuple_less,
                         .make = tuple_make},
    [REF_ORDER_PAIR] = {"tuples by two fields", &pair_clf, REF_FIELDS(pair, minor, major, tag), pair_less,
                        .make = pair_make},
    [REF_ORDER_WIDE] = {"128 bytes", &wide_clf, REF_FIELDS(wide, v), wide_less, .make = wide_make},
    [REF_ORDER_CAPTURED] = {"captured columns", &captured_clf,
                            REF_FIELDS(indirect, at, tag), captured_less, captured_make,
                            {2, {{sizeof(cl_ushort), 0}, {sizeof(cl_uchar), 0}}}, ENTRIES, captured_fill},
    [REF_ORDER_ARRAYS] = {"arrays", &arrays_clf, REF_FIELDS(arrays, tag, key), arrays_less, .make = arrays_make},
};

const ref_order *ref_order_of(int which)
{
    return &orders[which];
}

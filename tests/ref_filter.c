/* SPDX-License-Identifier: MIT */
/* Filters and partitions for tests: elements of 1 to 64 bytes, tuples, results of a map; and the reference. */
#include "ref_functions.h"

#include <string.h>

const char *ref_filter_primitive(const ref_filter *filter)
{
    return filter->clf->same ? "unique" : filter->parts > 1 ? "partition" : "filter";
}

/* Part 0 is what a filter keeps. */
static size_t part_of(const ref_filter *filter, const void *before, const void *x, size_t i)
{
    if (filter->part)
        return filter->part(x);
    return filter->keep(i > 0 ? before : NULL, x, i) ? 0 : 1;
}

void ref_filter_run(const ref_filter *filter, size_t n, size_t room, const void *const *in, void *const *out,
                    cl_ulong counts[REF_MAX_PARTS])
{
    ref_element before, x, value;
    memset(counts, 0, REF_MAX_PARTS * sizeof *counts);
    for (size_t i = 0; i < n; ++i) {
        ref_gather(&filter->input, in, i, &x);
        ref_gather(&filter->input, in, i > 0 ? i - 1 : 0, &before);
        const size_t part = part_of(filter, &before, &x, i);
        if (part >= filter->parts)
            continue;
        if (filter->map)
            filter->map(&x, i, &value);
        if (counts[part] < room)
            ref_scatter(&filter->value, out + part * filter->value.count, counts[part], filter->map ? &value : &x);
        ++counts[part];
    }
}

/* ---- One field ------------------------------------------------------------------------------------------------- */

static const clf_operator int_clf = {
    .size = sizeof(clf_operator), .value = "int v;", .predicate = "is_positive",
    .source = "bool is_positive(clf_input x, ulong i) { return x.v > 0; }"};

REF_KEEP(int_keep, one_int, x.v > 0)

REF_GENERATE_KEPT(int_generate, one_int, (one_int){wanted + (wanted ? 1 : -1) * (cl_int)gen_below(random, 1u << 30)})

/* Captured: which bytes are kept. */
static const clf_operator byte_clf = {
    .size = sizeof(clf_operator), .value = "uchar v;", .predicate = "odd",
    .source = "bool odd(clf_input x, ulong i) { return x.v % 2 != 0; }"};

REF_KEEP(byte_keep, one_byte, x.v % 2 != 0)
REF_GENERATE_KEPT(byte_generate, one_byte, (one_byte){(cl_uchar)(gen_below(random, 128) * 2 + wanted)})

static const clf_operator wide_clf = {
    .size = sizeof(clf_operator), .value = "ulong8 v;", .predicate = "kept",
    .source = "bool kept(clf_input x, ulong i) { return x.v.s7 & 1; }"};

REF_KEEP(wide_keep, one_vector, x.v[7] & 1)
REF_GENERATE_KEPT(wide_generate, one_vector, ref_vector(random, (gen_bits(random) & ~(cl_ulong)1) | wanted))

/* ---- Tuples and maps --------------------------------------------------------------------------------------------- */

/* A flag in an array of its own, which is left out of the results, and the index, which is added. */
typedef struct tuple_in {
    cl_float x;
    cl_uchar flag;
    cl_ulong id;
} tuple_in;
typedef struct tuple {
    cl_ulong id;
    cl_uint at;
    cl_short low;
    cl_float x;
} tuple;

static const clf_operator tuple_clf = {
    .size = sizeof(clf_operator), .input = "float x; uchar flag; ulong id;",
    .value = "ulong id; uint at; short low; float x;", .predicate = "flagged", .map = "listed",
    .source = "bool flagged(clf_input x, ulong i) { return x.flag != 0; }\n"
              "clf_value listed(clf_input x, ulong i) { clf_value v = {x.id, (uint)i, (short)(x.id / 2), x.x};"
              " return v; }"};

REF_KEEP(tuple_keep, tuple_in, x.flag != 0)
REF_MAP(tuple_map, tuple_in, tuple, (tuple){x.id, (cl_uint)index, (cl_short)(x.id / 2), x.x})
REF_GENERATE_KEPT(tuple_generate, tuple_in, (tuple_in){
    (cl_float)gen_below(random, 1000), (cl_uchar)(wanted ? gen_between(random, 1, 255) : 0), gen_bits(random) >> 40})

/* Of the index and nothing else; the value is wider than the input. */
typedef struct place {
    cl_ulong at;
} place;

static const clf_operator index_clf = {
    .size = sizeof(clf_operator), .input = "ushort v;", .value = "ulong at;", .predicate = "large", .map = "index_of",
    .source = "bool large(clf_input x, ulong i) { return x.v >= 1000; }\n"
              "clf_value index_of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};

REF_KEEP(index_keep, one_short, x.v >= 1000)
REF_MAP(index_map, char, place, (place){index})
REF_GENERATE_KEPT(index_generate, one_short, (one_short){(cl_ushort)(gen_below(random, 1000) + (wanted ? 1000 : 0))})

/* Arrays of small elements beside each other in local memory, where those of small groups begin anywhere. */
typedef struct small {
    cl_uchar a, b;
    cl_ushort c;
} small;

static const clf_operator small_clf = {
    .size = sizeof(clf_operator), .value = "uchar a; uchar b; ushort c;", .predicate = "low",
    .source = "bool low(clf_input x, ulong i) { return x.b < 128; }"};

REF_KEEP(small_keep, small, x.b < 128)
REF_GENERATE_KEPT(small_generate, small, (small){
    (cl_uchar)gen_below(random, 256), (cl_uchar)(gen_below(random, 128) + (wanted ? 0 : 128)),
    (cl_ushort)gen_below(random, 65536)})

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

static const clf_operator unique_clf = {
    .size = sizeof(clf_operator), .value = "int v;", .same = "equal",
    .source = "bool equal(clf_input a, clf_input b) { return a.v == b.v; }"};

REF_KEEP(unique_keep, one_int, index == 0 || before->v != x.v)
REF_GENERATE_KEPT(unique_generate, one_int, (one_int){(cl_int)(run * 2654435761u)})

/* Runs by key, with the first payload of each, and where it starts. */
typedef struct keyed {
    cl_uchar key;
    cl_ulong payload;
} keyed;
typedef struct start {
    cl_uchar key;
    cl_ulong payload, at;
} start;

static const clf_operator runs_clf = {
    .size = sizeof(clf_operator), .input = "uchar key; ulong payload;", .value = "uchar key; ulong payload; ulong at;",
    .same = "same_key", .map = "begin",
    .source = "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }\n"
              "clf_value begin(clf_input x, ulong i) { clf_value v = {x.key, x.payload, i}; return v; }"};

REF_KEEP(runs_keep, keyed, index == 0 || before->key != x.key)
REF_MAP(runs_map, keyed, start, (start){x.key, x.payload, index})
REF_GENERATE_KEPT(runs_generate, keyed, (keyed){.key = (cl_uchar)run, .payload = gen_bits(random)})

/* Runs by what a captured array, which hides nothing but a mask, says of bytes: it has it everywhere. */
enum { MASK = 0xa5c3 };
typedef struct masked {
    cl_ushort v, mask;
} masked;

static const clf_operator captured_clf = {
    .size = sizeof(clf_operator), .value = "ushort v;", .captured = "ushort mask;", .same = "alike",
    .source = "bool alike(clf_input a, clf_input b, const clf_captured *c)\n"
              "{ return a.v == (b.v ^ c->mask[0]) || a.v / 2 == b.v / 2; }"};

REF_KEEP(captured_keep, masked, index == 0 || !(before->v == (x.v ^ MASK) || before->v / 2 == x.v / 2))
REF_GENERATE_KEPT(captured_generate, masked, (masked){
    (cl_ushort)((run * 2 + gen_below(random, 2)) ^ (gen_below(random, 2) ? MASK : 0)), MASK})

/* ---- Partitions ------------------------------------------------------------------------------------------------- */

/* In three: what is wanted comes first, the others go by a bit. Parts of more than 2 are the last. */
static const clf_operator three_clf = {
    .size = sizeof(clf_operator), .value = "int v;", .part = "third",
    .source = "uint third(clf_input x, ulong i) { return x.v > 0 ? 0 : x.v % 2 ? 1 : 7; }"};

REF_OF(unsigned, three_part, one_int, x.v > 0 ? 0 : x.v % 2 ? 1 : 2)

static const clf_operator three_bytes_clf = {
    .size = sizeof(clf_operator), .value = "uchar v;", .part = "low",
    .source = "uint low(clf_input x, ulong i) { return x.v % 2 ? 0u : x.v % 4 ? 2u : 1u; }"};

REF_OF(unsigned, three_bytes_part, one_byte, x.v % 2 ? 0 : x.v % 4 ? 2 : 1)

/* Stable: the index is a result, beside the value. */
typedef struct placed {
    cl_int v;
    cl_ulong at;
} placed;

static const clf_operator three_places_clf = {
    .size = sizeof(clf_operator), .input = "int v;", .value = "int v; ulong at;", .part = "which",
    .map = "with_index",
    .source = "uint which(clf_input x, ulong i) { return x.v > 0 ? 1 : x.v % 2 ? 0 : 2; }\n"
              "clf_value with_index(clf_input x, ulong i) { clf_value v = {x.v, i}; return v; }"};

REF_OF(unsigned, three_places_part, one_int, x.v > 0 ? 1 : x.v % 2 ? 0 : 2)
REF_MAP(three_places_map, one_int, placed, (placed){x.v, index})

/* ---- All -------------------------------------------------------------------------------------------------------- */

static const ref_filter filters[REF_FILTER_COUNT] = {
    [REF_FILTER_INT] = {"positive ints", &int_clf, REF_BOTH(one_int, v), int_keep, NULL, int_generate, 1, NULL},
    [REF_FILTER_BYTE] = {"odd bytes", &byte_clf, REF_BOTH(one_byte, v), byte_keep, NULL, byte_generate, 1, NULL},
    [REF_FILTER_TUPLE] = {"tuples by a flag", &tuple_clf, REF_FIELDS(tuple, id, at, low, x),
                          REF_FIELDS(tuple_in, x, flag, id), tuple_keep, tuple_map, tuple_generate, 1, NULL},
    [REF_FILTER_INDEX] = {"indices of shorts", &index_clf, REF_FIELDS(place, at), REF_FIELDS(one_short, v),
                          index_keep, index_map, index_generate, 1, NULL},
    [REF_FILTER_WIDE] = {"vectors", &wide_clf, REF_BOTH(one_vector, v), wide_keep, NULL, wide_generate, 1, NULL},
    [REF_FILTER_SMALL] = {"tuples of small fields", &small_clf, REF_BOTH(small, a, b, c), small_keep, NULL,
                          small_generate, 1, NULL},
    [REF_UNIQUE_INT] = {"runs of ints", &unique_clf, REF_BOTH(one_int, v), unique_keep, NULL, unique_generate, 1, NULL},
    [REF_UNIQUE_RUNS] = {"runs by key", &runs_clf, REF_FIELDS(start, key, payload, at), REF_FIELDS(keyed, key, payload),
                         runs_keep, runs_map, runs_generate, 1, NULL},
    [REF_UNIQUE_CAPTURED] = {"runs by a captured mask", &captured_clf, REF_FIELDS(masked, v),
                             REF_FIELDS(masked, v, mask), captured_keep, NULL, captured_generate, 1, NULL},
    [REF_PARTITION_INT] = {"positive ints and others", &int_clf, REF_BOTH(one_int, v), int_keep, NULL, int_generate, 2,
                           NULL},
    [REF_PARTITION_BYTE] = {"odd and even bytes", &byte_clf, REF_BOTH(one_byte, v), byte_keep, NULL, byte_generate, 2,
                            NULL},
    [REF_PARTITION_TUPLE] = {"tuples with and without a flag", &tuple_clf, REF_FIELDS(tuple, id, at, low, x),
                             REF_FIELDS(tuple_in, x, flag, id), tuple_keep, tuple_map, tuple_generate, 2, NULL},
    [REF_THREE_INT] = {"ints in three", &three_clf, REF_BOTH(one_int, v), NULL, NULL, int_generate, 3, three_part},
    [REF_THREE_BYTE] = {"bytes in three", &three_bytes_clf, REF_BOTH(one_byte, v), NULL, NULL, byte_generate, 3,
                        three_bytes_part},
    [REF_THREE_PLACES] = {"ints in three, with their indices", &three_places_clf, REF_FIELDS(placed, v, at),
                          REF_FIELDS(one_int, v), NULL, three_places_map, int_generate, 3, three_places_part},
};

const ref_filter *ref_filter_of(int which)
{
    if (which == REF_FILTER_ARRAYS)
        return &ref_filter_arrays;
    return &filters[which];
}

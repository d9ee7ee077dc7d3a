/* SPDX-License-Identifier: MIT */
/* A filter, and a reduction by key, whose fields are arrays: parts of ref_filter.c and of ref_by_key.c. */
#include "ref_functions.h"

#include <stdio.h>
#include <string.h>

/* ---- A filter --------------------------------------------------------------------------------------------------- */

/* Arrays are mapped to others. */
typedef struct arrays_in {
    cl_uchar v[3];
    cl_int w[5];
} arrays_in;
typedef struct arrays {
    cl_int w[5];
    cl_ushort odd[1];
} arrays;

static const clf_operator arrays_clf = {
    .size = sizeof(clf_operator), .input = "uchar v[3]; int w[5];", .value = "int w[5]; ushort odd[1];",
    .predicate = "kept", .map = "turned",
    .source = "bool kept(clf_input x, ulong i) { return x.v[2] & 1; }\n"
              "clf_value turned(clf_input x, ulong i)\n"
              "{\n"
              "    clf_value v;\n"
              "    for (int k = 0; k < 5; ++k)\n"
              "        v.w[k] = x.w[4 - k];\n"
              "    v.odd[0] = x.v[0] * 256 + x.v[1];\n"
              "    return v;\n"
              "}\n"};

REF_KEEP(arrays_keep, arrays_in, x.v[2] & 1)

static void arrays_map(const void *x, cl_ulong index, void *value)
{
    const arrays_in *const in = x;
    (void)index;
    for (int k = 0; k < 5; ++k)
        ((arrays *)value)->w[k] = in->w[4 - k];
    ((arrays *)value)->odd[0] = (cl_ushort)(in->v[0] * 256 + in->v[1]);
}

static void arrays_generate(gen *random, bool wanted, cl_ulong run, void *x)
{
    arrays_in *const in = x;
    (void)run;
    for (int k = 0; k < 5; ++k)
        in->w[k] = (cl_int)gen_bits(random);
    for (int k = 0; k < 3; ++k)
        in->v[k] = (cl_uchar)((gen_bits(random) & 0xfe) | wanted);
}

const ref_filter ref_filter_arrays = {"arrays", &arrays_clf, REF_FIELDS(arrays, w, odd),
                                      REF_FIELDS(arrays_in, v, w), arrays_keep, arrays_map,
                                      arrays_generate, 1, NULL};

/* ---- A reduction by key ----------------------------------------------------------------------------------------- */

/* Products of matrices (ref_grid), of which the key is an array, too. */
typedef struct keyed {
    cl_uchar key[3];
    cl_uint m[9];
} keyed;

static void keyed_map(const void *x, cl_ulong index, void *value, void *extra)
{
    const keyed *const in = x;
    (void)index;
    memcpy(value, in->m, sizeof in->m);
    memcpy(extra, in->key, sizeof in->key);
}

REF_SAME(keyed_same, keyed, memcmp(x.key, y.key, 3) == 0)

static void keyed_generate(gen *random, cl_ulong run, cl_ulong index, void *x)
{
    keyed *const in = x;
    ref_grid.generate(random, index, in->m);
    in->key[0] = 7;
    in->key[1] = (cl_uchar)(run >> 8);
    in->key[2] = (cl_uchar)run;
}

const ref_by_key *ref_by_key_arrays(void)
{
    static char source[2048];
    static clf_operator clf = {
        .size = sizeof clf, .input = "uchar key[3]; uint m[9];", .value = "uint m[9];", .extra = "uchar key[3];",
        .map = "split", .combine = "times", .neutral = "one", .same = "equal", .source = source};
    static const ref_by_key op = {
        "arrays", &clf, {1, {{36, 0}}}, REF_FIELDS(keyed, key, m), {1, {{3, 0}}},
        NULL, keyed_map, keyed_same, keyed_generate, 0};
    static ref_by_key made;
    snprintf(source, sizeof source,
             "%s"
             "clf_value split(clf_input x, ulong i, clf_extra *e)\n"
             "{\n"
             "    clf_value v;\n"
             "    for (int k = 0; k < 9; ++k)\n"
             "        v.m[k] = x.m[k];\n"
             "    for (int k = 0; k < 3; ++k)\n"
             "        e->key[k] = x.key[k];\n"
             "    return v;\n"
             "}\n"
             "bool equal(clf_input a, clf_input b)\n"
             "{ return a.key[0] == b.key[0] && a.key[1] == b.key[1] && a.key[2] == b.key[2]; }\n",
             ref_grid.clf->source);
    made = op;
    made.combine = ref_grid.combine;
    return &made;
}

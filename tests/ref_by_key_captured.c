/* SPDX-License-Identifier: MIT */
/*
 * Runs for tests whose keys lie in a captured array: indices, whose affine functions do not commute, modulo a prime
 * that lies in another one.
 */
#include "ref.h"

#include <string.h>

typedef struct affine {
    cl_uint scale, shift;
} affine;
typedef struct indirect {
    cl_uint at;
    cl_ushort key, modulus;
} indirect;
enum { PRIME = 65521 };

static const clf_operator captured_clf = {
    .size = sizeof(clf_operator), .input = "uint at;", .value = "uint scale; uint shift;",
    .captured = "ushort keys; ushort modulus;", .combine = "compose", .neutral = "identity", .same = "alike",
    .map = "function", .flags = CLF_COMBINE_CAPTURES,
    .source = "clf_value compose(clf_value x, clf_value y, const clf_captured *c)\n"
              "{\n"
              "    const uint m = c->modulus[0];\n"
              "    clf_value v = {x.scale * y.scale % m, (x.shift * y.scale + y.shift) % m};\n"
              "    return v;\n"
              "}\n"
              "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
              "bool alike(clf_input a, clf_input b, const clf_captured *c) { return c->keys[a.at] == c->keys[b.at]; }\n"
              "clf_value function(clf_input x, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {(2 * x.at + 1) % c->modulus[0], c->keys[x.at] % c->modulus[0]}; return v; }"};

static void captured_combine(const void *a, const void *b, void *out)
{
    const affine *l = a, *r = b;
    const affine v = {l->scale * r->scale % PRIME, (l->shift * r->scale + r->shift) % PRIME};
    memcpy(out, &v, sizeof v);
}

static void captured_map(const void *x, cl_ulong index, void *value, void *extra)
{
    const indirect *in = x;
    const affine v = {(2 * in->at + 1) % PRIME, in->key % PRIME};
    (void)index, (void)extra;
    memcpy(value, &v, sizeof v);
}

static bool captured_same(const void *a, const void *b)
{
    return ((const indirect *)a)->key == ((const indirect *)b)->key;
}

static void captured_generate(gen *random, cl_ulong run, cl_ulong index, void *x)
{
    const indirect in = {(cl_uint)index, (cl_ushort)run, PRIME};
    (void)random;
    memcpy(x, &in, sizeof in);
}

const ref_by_key ref_by_key_captured = {
    "captured keys", &captured_clf, {2, {REF_FIELD(affine, scale), REF_FIELD(affine, shift)}},
    {3, {REF_FIELD(indirect, at), REF_FIELD(indirect, key), REF_FIELD(indirect, modulus)}}, {0, {{0, 0}}},
    captured_combine, captured_map, captured_same, captured_generate, 0};

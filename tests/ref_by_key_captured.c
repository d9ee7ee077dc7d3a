/* SPDX-License-Identifier: MIT */
/*
 * Runs for tests whose keys lie in a captured array: indices, whose affine functions do not commute, modulo a prime
 * that lies in another one.
 */
#include "ref_functions.h"

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
    .source = REF_MODULAR_SOURCE
              "bool alike(clf_input a, clf_input b, const clf_captured *c) { return c->keys[a.at] == c->keys[b.at]; }\n"
              "clf_value function(clf_input x, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {(2 * x.at + 1) % c->modulus[0], c->keys[x.at] % c->modulus[0]}; return v; }"};

REF_COMBINE(captured_combine, affine, (affine){x.scale * y.scale % PRIME, (x.shift * y.scale + y.shift) % PRIME})
REF_MAP_PLAIN(captured_map, indirect, affine, (affine){(2 * x.at + 1) % PRIME, x.key % PRIME})
REF_SAME(captured_same, indirect, x.key == y.key)
REF_GENERATE_RUN(captured_generate, indirect, (indirect){(cl_uint)index, (cl_ushort)run, PRIME})

const ref_by_key ref_by_key_captured = {
    "captured keys", &captured_clf, REF_FIELDS(affine, scale, shift),
    REF_FIELDS(indirect, at, key, modulus), {0, {{0, 0}}},
    captured_combine, captured_map, captured_same, captured_generate, 0};

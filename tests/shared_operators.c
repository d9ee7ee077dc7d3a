/* SPDX-License-Identifier: MIT */
/* Operators that tests and clfold-bench share: see shared_operators.h. */
#include "shared_operators.h"

const clf_operator shared_mat2 = {
    .size = sizeof(clf_operator), .value = SHARED_MAT2_FIELDS, .source = SHARED_MAT2_SOURCE,
    .combine = "multiply", .neutral = "one",
};

const clf_operator shared_affine = {
    .size = sizeof(clf_operator), .value = "uint scale; uint shift;",
    .source = "/* First x, then y. */\n"
              "clf_value compose(clf_value x, clf_value y)\n"
              "{ clf_value z = {x.scale * y.scale, x.shift * y.scale + y.shift}; return z; }\n"
              "clf_value identity(void) { clf_value z = {1, 0}; return z; }\n",
    .combine = "compose", .neutral = "identity",
};

const clf_operator shared_lssp = {
    .size = sizeof(clf_operator),
    .value = "int best; int head; int tail; int length; int first; int last;", .input = "int x;",
    .source = "/* best: longest run inside; head, tail: runs that touch the ends. */\n"
              "clf_value join(clf_value x, clf_value y)\n"
              "{\n"
              "    bool joined = x.last <= y.first || x.length == 0 || y.length == 0;\n"
              "    clf_value z;\n"
              "    z.best = max(max(x.best, y.best), joined ? x.tail + y.head : 0);\n"
              "    z.head = x.head == x.length && joined ? x.length + y.head : x.head;\n"
              "    z.tail = y.tail == y.length && joined ? y.length + x.tail : y.tail;\n"
              "    z.length = x.length + y.length;\n"
              "    z.first = x.length == 0 ? y.first : x.first;\n"
              "    z.last = y.length == 0 ? x.last : y.last;\n"
              "    return z;\n"
              "}\n"
              "clf_value empty(void) { clf_value z = {0, 0, 0, 0, 0, 0}; return z; }\n"
              "clf_value single(clf_input in, ulong i) { clf_value z = {1, 1, 1, 1, in.x, in.x}; return z; }\n",
    .combine = "join", .neutral = "empty", .map = "single",
};

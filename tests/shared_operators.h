/* SPDX-License-Identifier: MIT */
/*
 * Operators that tests and clfold-bench share, in OpenCL C; ref_user.c and ref_tuple.c have the same in C. The bench
 * takes both from there (bench/rows/user_operators.c).
 */
#ifndef CLFOLD_SHARED_OPERATORS_H
#define CLFOLD_SHARED_OPERATORS_H

#include <clfold/clfold.h>

/*
 * mat2     the product of 2 x 2 matrices modulo 46337, the largest prime P with 2 (P - 1)^2 < 2^32: not commutative
 * affine   composition of x -> scale x + shift modulo 2^32, first the left one: not commutative
 * lssp     the longest non-decreasing run ("longest satisfying segment problem"): one input, a map, six fields; not
 *          commutative
 */
extern const clf_operator shared_mat2, shared_affine, shared_lssp;

/* For operators with further functions on such matrices: `multiply` and `one`. */
#define SHARED_MAT2_FIELDS "uint a; uint b; uint c; uint d;"
#define SHARED_MAT2_SOURCE                                          \
    "#define P 46337u\n"                                              \
    "clf_value multiply(clf_value x, clf_value y)\n"                  \
    "{\n"                                                             \
    "    clf_value z;\n"                                              \
    "    z.a = (x.a * y.a + x.b * y.c) % P;\n"                        \
    "    z.b = (x.a * y.b + x.b * y.d) % P;\n"                        \
    "    z.c = (x.c * y.a + x.d * y.c) % P;\n"                        \
    "    z.d = (x.c * y.b + x.d * y.d) % P;\n"                        \
    "    return z;\n"                                                 \
    "}\n"                                                             \
    "clf_value one(void) { clf_value z = {1, 0, 0, 1}; return z; }\n"

#endif

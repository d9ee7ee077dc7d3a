/* SPDX-License-Identifier: MIT */
/*
 * Seeded random numbers, the same on every machine, and random elements for the built-in operators. A case of
 * a suite draws everything from gen_seed(seed, case number), so that one failing case can be run alone.
 */
#ifndef CLFOLD_TESTS_GEN_H
#define CLFOLD_TESTS_GEN_H

#include "clfold/clfold.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct gen {
    uint64_t state[4];
} gen;

gen gen_seed(uint64_t seed, uint64_t stream);
uint64_t gen_bits(gen *random);
uint64_t gen_below(gen *random, uint64_t bound); /* 0 … bound-1; bound > 0 */
int64_t gen_between(gen *random, int64_t low, int64_t high);
bool gen_chance(gen *random, unsigned percent);

/* An array length up to `most`: often tiny, often within 2 of a multiple of `tile`, otherwise anything. */
size_t gen_size(gen *random, size_t tile, size_t most);

/*
 * An input element for a built-in operator, such that every element matters to the results and that floating-point
 * results are exact in every order of evaluation, commuted ones included: small whole numbers, powers of two.
 */
void gen_builtin(gen *random, clf_op op, clf_type type, cl_ulong index, void *element);
/* Sometimes, of floating types, a NaN, a zero or an infinity instead, and true. */
bool gen_special(gen *random, clf_op op, clf_type type, cl_ulong index, void *element);

/* Half precision on the host: exact for the whole numbers up to 2048 and the powers of two that tests use. */
cl_ushort gen_half(float value);
float gen_half_value(cl_ushort half);

/* The same of bfloat16, whose numbers are all there. */
cl_ushort gen_bfloat16(float value);
float gen_bfloat16_value(cl_ushort upper);

#endif

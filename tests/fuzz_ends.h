/* SPDX-License-Identifier: MIT */
/* Operators of fuzz_ends.c: what the operator's knob tells of them, and how they combine. */
#ifndef CLFOLD_TESTS_FUZZ_ENDS_H
#define CLFOLD_TESTS_FUZZ_ENDS_H

#include "fuzz.h"

enum { ENDS_RESULTS = 3 /* at most */, ENDS_CAPTURED = 8 };
extern const cl_uint ends_captured[ENDS_CAPTURED];

/*
 * Affine functions do not commute. The least is of floats, told by their bits. Modular ones are affine, and combine
 * reads the modulus. Those of arrays have their two numbers in one field; those that are joined with a sum have three.
 */
enum { ENDS_SUM, ENDS_AFFINE, ENDS_LEAST, ENDS_MODULAR, ENDS_ARRAYS, ENDS_JOINED, ENDS_KINDS };

/* What the knobs ask for, as far as the primitive has it. */
typedef struct ends {
    const clf_primitive *primitive;
    int kind;
    bool affine, steps, numbered, captures, placed, finished;
    unsigned flags; /* of the plan */
    cl_uint results;
    cl_ulong wanted;
} ends;

ends ends_of(const fuzz_case *c);
clf_plan *ends_plan(const fuzz_case *c, const ends *e);

/* Of minima p is the number's bits, which have the order of positive numbers. */
typedef struct ends_value {
    cl_uint p, q, total;
} ends_value;
extern const ends_value ends_neutral[ENDS_KINDS], ends_initials[ENDS_KINDS];
ends_value ends_combine(int kind, ends_value a, ends_value b);
/* Modulo what combine reads, if it does. */
ends_value ends_reduced(int kind, ends_value a);

#endif

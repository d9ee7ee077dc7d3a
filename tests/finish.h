/* SPDX-License-Identifier: MIT */
/*
 * Operators whose results are made by `finish`, each twice: in OpenCL C, and in C for the reference. They see all that
 * finish gets: affine functions, which do not commute, with captured arrays and extra outputs; sums; minima.
 */
#ifndef CLFOLD_TESTS_FINISH_H
#define CLFOLD_TESTS_FINISH_H

#include "gen.h"
#include "harness.h"
#include "route.h"

enum { FINISH_N = 1000, FINISH_FIELDS = 3, FINISH_CAPTURED = 8 };

/* Values of all operators; of minima p is the number's bits. */
typedef struct finish_value {
    cl_uint p, q;
} finish_value;

/* An element: x and y are the input fields. */
typedef struct finish_input {
    cl_uint x;
    cl_ushort y;
} finish_input;

/* What a scan hands over; of a reduction there is the value and the index. */
typedef struct finish_step {
    finish_value value, before;
    finish_input x;
    cl_ulong index;
} finish_step;

typedef struct finish_operator {
    const char *name;
    const clf_operator *scan, *reduction;
    cl_uint inputs, results, bytes[FINISH_FIELDS], reduced[FINISH_FIELDS], reduced_results;
    cl_uint place[FINISH_FIELDS]; /* which input's place a result of a scan takes in place; NONE: its own */
    finish_value (*map)(finish_input x, cl_ulong index);
    finish_value (*combine)(finish_value a, finish_value b);
    finish_value nothing; /* what no elements add up to */
    void (*step)(const finish_step *step, cl_ulong out[FINISH_FIELDS]);
    void (*sum)(finish_value v, cl_ulong index, cl_ulong out[FINISH_FIELDS]);
} finish_operator;
enum { FINISH_NONE = 9, FINISH_OPERATORS = 3 };
extern const finish_operator finish_operators[FINISH_OPERATORS];
extern const cl_uint finish_captured[FINISH_CAPTURED];

/* A call's elements and arrays. */
typedef struct finish_data {
    const finish_operator *op;
    finish_input x[FINISH_N];
    cl_uint offsets[FINISH_N + 1];
    size_t n, count;
    clf_array in[3], out[FINISH_FIELDS + 1], told;
} finish_data;

void finish_fill(finish_data *d, gen *random);
void finish_cut(finish_data *d, gen *random, size_t size);
void finish_open_outputs(finish_data *d, cl_uint results, const cl_uint *bytes, bool in_place);
void finish_close_data(finish_data *d, cl_uint results, bool in_place);
void finish_expect(const finish_data *d, cl_uint field, cl_uint bytes, bool shared, size_t n, const cl_ulong *wanted,
                   const char *what);
/* The operator of a reduction, with results that are the number of each and its value's fields; until the next. */
const clf_operator *finish_numbered(const clf_operator *op);
/* To a way's variant of scans. Tiles are small: those of a CPU have no group. */
route finish_route(const way *w, int turn);

#endif

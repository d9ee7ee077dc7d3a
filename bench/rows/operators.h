/* SPDX-License-Identifier: MIT */
/* What is scanned, reduced and combined by bins: operators, their inputs, and their sequential references. */
#ifndef CLFOLD_BENCH_OPERATORS_H
#define CLFOLD_BENCH_OPERATORS_H

#include "common/common.h"

/* ---- operators.c, *_operators.c: what is scanned, its inputs, and its sequential reference ----------------------- */

enum { BENCH_FIELDS = 6 };

typedef struct bench_operator {
    const char *name, *type; /* as on the command line; "4xu32" for a tuple */
    const clf_operator *op;
    unsigned inputs, outputs;
    cl_ulong wanted;             /* clf_plan_options.wanted: `outputs` are the first results; 0: all */
    unsigned captured;           /* so many of the inputs, the last ones, are captured arrays … */
    unsigned each[BENCH_FIELDS]; /* … of so many elements per column; 0: one */
    unsigned extras;             /* so many of the outputs, the last ones, are mapped outputs: an element per element */
    cl_ulong columns;            /* the longest segment to come (set by data.c) */
    unsigned in_size[BENCH_FIELDS], out_size[BENCH_FIELDS]; /* bytes of an element of each field */
    clf_op builtin;
    clf_type scalar;
    int tested;     /* its number among operators of the tests (tests/ref.h) */
    cl_ulong first; /* index of the first element that `scan` is given, for maps that know it */
    /* NULL: the primitive fills, and sends, all inputs itself. */
    void (*fill)(const struct bench_operator *self, cl_ulong n, void *const *in);
    void (*scan)(const struct bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out);
} bench_operator;

/* False if there is no such pair. */
bool bench_find_operator(const char *op, const char *type, bench_operator *found);
/* Do other primitives than histograms know it? */
bool bench_is_operator(const char *op);
/* Is it one of the operators on tuples, which have no other type? */
bool bench_find_user_operator(const char *op, bench_operator *found);
/* A whole number as element i of an array of that type, which can tell it exactly. */
void bench_store_whole(clf_type type, void *to, cl_ulong i, int whole);
/* Words for --list. */
extern const char *const bench_type_names[CLF_TYPE_COUNT + 1];
/* Name of operator number i on tuples; NULL behind the last. */
const char *bench_user_operator_name(unsigned i);

/* Tables of operators on tuples end with one without a name. */
extern const bench_operator bench_user_operators[], bench_map_operators[];
/* mat2 for others: an element. */
void bench_mat2_element(cl_ulong i, uint32_t matrix[4]);
/* An input of the bench: element i is what the expression says. */
#define BENCH_FILL(name, type, expression)                                                                             \
    static void name##_fill(const bench_operator *self, cl_ulong n, void *const *in)                                   \
    {                                                                                                                  \
        (void)self;                                                                                                    \
        for (cl_ulong i = 0; i < n; ++i)                                                                               \
            ((type *)in[0])[i] = (type)(expression);                                                                   \
    }
/* A scan of one input by running totals, which name##_step takes from each element to the next. */
#define BENCH_SCAN(name, input, total, fields, ...)                                                                    \
    static void name##_scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out) \
    {                                                                                                                  \
        total now[fields] = {__VA_ARGS__}, before[fields];                                                             \
        for (cl_ulong i = 0; i < n; ++i) {                                                                             \
            memcpy(before, now, sizeof now);                                                                           \
            name##_step(((const input *)in[0])[i], now);                                                               \
            for (unsigned f = 0; f < self->outputs; ++f)                                                               \
                ((total *)out[f])[i] = exclusive ? before[f] : now[f];                                                 \
        }                                                                                                              \
    }

/* bin_operators.c: what histograms combine; the first is usual, the first few they alone know. Ends with NULL. */
extern const char *const bench_bin_ops[];
enum { BENCH_OWN_BIN_OPS = 4 };
bool bench_is_bin_op(const char *op);
/* `type` is that of bins, which are the first input. There is no fill and no scan: */
bool bench_find_bin_operator(const char *op, const char *type, bench_operator *found);
/* Elements [first, last) of the inputs behind the first. */
void bench_fill_bin_values(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in);
/* What bins [first, last) of a histogram of n elements come to, in the elements' order. */
void bench_combine_bins(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in,
                        void *const *out);
/* Elements of an input of `n` elements, in segments of `size`; of an output. */
cl_ulong bench_input_elements(const bench_operator *op, unsigned input, cl_ulong n, cl_ulong size);
cl_ulong bench_output_elements(const bench_operator *op, unsigned output, cl_ulong n, cl_ulong results);
/* Bytes of one element over all fields: read + written. */
unsigned bench_traffic(const bench_operator *op);

/* ---- verify.c ---------------------------------------------------------------------------------------------------- */

/* Compares the first n elements of one field, of `size` bytes each; says where they differ. */
bool bench_same_memory(const void *got, const void *expected, cl_ulong first, cl_ulong n, unsigned size);
/* The same of floats, which may be wrong by a part of what is expected. */
bool bench_near_floats(const float *got, const float *expected, cl_ulong first, cl_ulong n, float within);

#endif

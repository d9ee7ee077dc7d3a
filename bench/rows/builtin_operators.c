/* SPDX-License-Identifier: MIT */
/*
 * The built-in operators, their inputs, and sequential loops that do the same. Inputs depend on the index alone,
 * so a shorter input is a prefix of a longer one, and so is its scan. Floating inputs are chosen so that every
 * partial result is exact in any association, hence comparable bit by bit: a sum's inputs are the differences of a
 * bounded random sequence of integers (any contiguous sum is bounded), a product's are 1 and -1.
 */
#include "rows/operators.h"

#include <math.h>
#include <string.h>

const char *const bench_type_names[CLF_TYPE_COUNT + 1] = {
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", NULL,
};

/* Random bits; odd for a product, or it would be zero for ever after a few dozen elements. */
#define FILL_INTEGERS(type)                                              \
    for (cl_ulong i = 0; i < n; ++i)                                     \
        ((type *)in[0])[i] = (type)(bench_hash(i) | odd)

static void fill_integers(const bench_operator *self, cl_ulong n, void *const *in)
{
    const uint64_t odd = self->builtin == CLF_PRODUCT;
    switch (self->in_size[0]) {
    case 1: FILL_INTEGERS(uint8_t); break;
    case 2: FILL_INTEGERS(uint16_t); break;
    case 4: FILL_INTEGERS(uint32_t); break;
    default: FILL_INTEGERS(uint64_t); break;
    }
}

/* The integer that element i of a floating input is. */
static int float_element(const bench_operator *self, cl_ulong i)
{
    const uint64_t mask = self->scalar == CLF_HALF ? 3 : self->scalar == CLF_FLOAT ? 255 : 65535;
    if (self->builtin == CLF_PRODUCT)
        return bench_hash(i) & 1 ? 1 : -1;
    return (int)(bench_hash(i + 1) & mask) - (int)(bench_hash(i) & mask);
}

static void fill_floats(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i) {
        int element = float_element(self, i);
        if (self->scalar == CLF_HALF)
            ((uint16_t *)in[0])[i] = bench_half((float)element);
        else if (self->scalar == CLF_FLOAT)
            ((float *)in[0])[i] = (float)element;
        else
            ((double *)in[0])[i] = element;
    }
}

/* ---- Scans: integers wrap around (computed in 64 bits, then cut) ------------------------------------------------- */

/* `expression` of the total so far and x, for every element. */
#define LOOP(type, expression)                          \
    for (cl_ulong i = 0; i < n; ++i) {                  \
        const type x = source[i], before = total;       \
        total = (type)(expression);                     \
        target[i] = exclusive ? before : total;         \
    }

#define WIDE(value) ((uint64_t)(value))

#define DEFINE_INTEGER_SCAN(name, type, least, largest)                                             \
    static void name(clf_op op, cl_ulong n, bool exclusive, const type *source, type *target)       \
    {                                                                                               \
        type total = (type)(op == CLF_MIN ? (largest) : op == CLF_MAX ? (least)                     \
                          : op == CLF_AND ? (type)-1 : op == CLF_PRODUCT);                          \
        switch (op) {                                                                               \
        case CLF_SUM: LOOP(type, WIDE(total) + WIDE(x)) break;                                      \
        case CLF_PRODUCT: LOOP(type, WIDE(total) * WIDE(x)) break;                                  \
        case CLF_MIN: LOOP(type, total < x ? total : x) break;                                      \
        case CLF_MAX: LOOP(type, total > x ? total : x) break;                                      \
        case CLF_AND: LOOP(type, total & x) break;                                                  \
        case CLF_OR: LOOP(type, total | x) break;                                                   \
        default: LOOP(type, total ^ x) break;                                                       \
        }                                                                                           \
    }

DEFINE_INTEGER_SCAN(scan_i8, int8_t, INT8_MIN, INT8_MAX)
DEFINE_INTEGER_SCAN(scan_u8, uint8_t, 0, UINT8_MAX)
DEFINE_INTEGER_SCAN(scan_i16, int16_t, INT16_MIN, INT16_MAX)
DEFINE_INTEGER_SCAN(scan_u16, uint16_t, 0, UINT16_MAX)
DEFINE_INTEGER_SCAN(scan_i32, int32_t, INT32_MIN, INT32_MAX)
DEFINE_INTEGER_SCAN(scan_u32, uint32_t, 0, UINT32_MAX)
DEFINE_INTEGER_SCAN(scan_i64, int64_t, INT64_MIN, INT64_MAX)
DEFINE_INTEGER_SCAN(scan_u64, uint64_t, 0, UINT64_MAX)

#define DEFINE_FLOAT_SCAN(name, type)                                                               \
    static void name(clf_op op, cl_ulong n, bool exclusive, const type *source, type *target)       \
    {                                                                                               \
        type total = op == CLF_MIN ? (type)INFINITY : op == CLF_MAX ? (type)-INFINITY               \
                   : op == CLF_PRODUCT ? (type)1 : (type)0;                                         \
        switch (op) {                                                                               \
        case CLF_SUM: LOOP(type, total + x) break;                                                  \
        case CLF_PRODUCT: LOOP(type, total * x) break;                                              \
        case CLF_MIN: LOOP(type, total < x ? total : x) break;                                      \
        default: LOOP(type, total > x ? total : x) break;                                           \
        }                                                                                           \
    }

DEFINE_FLOAT_SCAN(scan_f32, float)
DEFINE_FLOAT_SCAN(scan_f64, double)

static void scan_f16(clf_op op, cl_ulong n, bool exclusive, const uint16_t *source, uint16_t *target)
{
    float total = op == CLF_MIN ? INFINITY : op == CLF_MAX ? -INFINITY : op == CLF_PRODUCT;
    for (cl_ulong i = 0; i < n; ++i) {
        float x = bench_from_half(source[i]), before = total;
        total = op == CLF_SUM ? total + x : op == CLF_PRODUCT ? total * x : (op == CLF_MIN) == (x < total) ? x : total;
        target[i] = bench_half(exclusive ? before : total);
    }
}

static void reference(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    switch (self->scalar) {
    case CLF_CHAR: scan_i8(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_UCHAR: scan_u8(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_SHORT: scan_i16(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_USHORT: scan_u16(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_INT: scan_i32(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_UINT: scan_u32(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_LONG: scan_i64(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_ULONG: scan_u64(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_HALF: scan_f16(self->builtin, n, exclusive, in[0], out[0]); break;
    case CLF_FLOAT: scan_f32(self->builtin, n, exclusive, in[0], out[0]); break;
    default: scan_f64(self->builtin, n, exclusive, in[0], out[0]); break;
    }
}

/* ---- By name ----------------------------------------------------------------------------------------------------- */

static bool index_of(const char *const *names, const char *name, unsigned *index)
{
    for (*index = 0; names[*index]; ++*index)
        if (strcmp(names[*index], name) == 0)
            return true;
    return false;
}

bool bench_find_operator(const char *op, const char *type, bench_operator *found)
{
    unsigned scalar, builtin = 0;
    if (!index_of(bench_type_names, type, &scalar))
        return false;
    while (builtin < CLF_OP_COUNT && strcmp(clf_op_name((clf_op)builtin), op) != 0)
        ++builtin;
    if (builtin == CLF_OP_COUNT || !clf_builtin((clf_op)builtin, (clf_type)scalar))
        return false;
    *found = (bench_operator){
        .name = clf_op_name((clf_op)builtin), .type = bench_type_names[scalar],
        .op = clf_builtin((clf_op)builtin, (clf_type)scalar), .inputs = 1, .outputs = 1,
        .builtin = (clf_op)builtin, .scalar = (clf_type)scalar,
        .fill = scalar < CLF_HALF ? fill_integers : fill_floats, .scan = reference,
    };
    found->in_size[0] = found->out_size[0] = (unsigned)clf_type_size((clf_type)scalar);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * What histograms combine by bin, each beside its sequential reference in C. The first input is the bin.
 *
 *     count      how many elements a bin has, in 32 bits: there are no values
 *     own_count  the same by an operator from source, which devices have no atomic operation for
 *     argmin     the least of f32 values and where it is, the first of equals: 8 bytes, a map that knows the index
 *     sum, max   of f32 values
 *     box        the box that holds points of two f32: 16 bytes
 *     mat2       the product of 2 x 2 matrices modulo a prime, in the elements' order: 16 bytes, not commutative
 *
 * Sums are exact in any order: values are whole numbers, of which no more than about 2^20 are not 0.
 */
#include "rows/operators.h"
#include "../../tests/ref.h"
#include "../../tests/shared_operators.h"

#include <string.h>

/* All inputs but the bins, and all outputs, are of 32 bits. */
typedef struct bin_operator {
    const char *name, *input, *value, *source, *map, *combine, *neutral;
    unsigned inputs, outputs;                              /* inputs behind the bin */
    bool ordered;                                          /* not commutative */
    bool looks;                                            /* at the index of elements */
    uint32_t empty[4];                                     /* the bits of what a bin without elements has */
    void (*make)(cl_ulong n, cl_ulong i, uint32_t *value); /* element i of n */
    void (*add)(void *const *in, cl_ulong i, void *const *out, cl_ulong bin);
} bin_operator;

/* ---- Counts ---- */

#define ONE "clf_value one(clf_input x, ulong i) { clf_value v; v.count = 1; return v; }\n"

static void add_one(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    (void)in;
    (void)i;
    ((cl_uint *)out[0])[bin]++;
}

/* ---- Sums and maxima ---- */

#define OF_X "clf_value of_x(clf_input in, ulong i) { clf_value v; v.x = in.x; return v; }\n"

static uint32_t bits_of(float x)
{
    uint32_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static void make_small(cl_ulong n, cl_ulong i, uint32_t *value)
{
    const uint64_t random = bench_hash(i), every = n >> 20 ? n >> 20 : 1;
    *value = bits_of(random % every ? 0.0f : (float)((int)(random >> 40 & 15) - 8));
}

static void make_number(cl_ulong n, cl_ulong i, uint32_t *value)
{
    (void)n;
    *value = bits_of((float)(bench_hash(i) % 100003) - 50000);
}

static void add_x(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    ((float *)out[0])[bin] += ((const float *)in[1])[i];
}

static void take_larger(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    const float x = ((const float *)in[1])[i];
    float *const most = (float *)out[0] + bin;
    *most = x > *most ? x : *most;
}

/* ---- The least, and where ---- */

static void take_less(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    const float x = ((const float *)in[1])[i];
    float *const least = (float *)out[0] + bin;
    if (x < *least) {
        *least = x;
        ((cl_uint *)out[1])[bin] = (cl_uint)i;
    }
}

/* ---- Boxes: left, bottom, right, top ---- */

static void make_point(cl_ulong n, cl_ulong i, uint32_t *value)
{
    make_number(n, i, value);
    value[1] = bits_of((float)(bench_hash(i + n) % 10007) - 5000);
}

static void hold(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    for (unsigned f = 0; f < 4; ++f) {
        const float x = ((const float *)in[1 + f % 2])[i];
        float *const side = (float *)out[f] + bin;
        *side = f < 2 ? (x < *side ? x : *side) : (x > *side ? x : *side);
    }
}

/* ---- Matrices ---- */

static void make_matrix(cl_ulong n, cl_ulong i, uint32_t *value)
{
    (void)n;
    bench_mat2_element(i, value);
}

static void multiply(void *const *in, cl_ulong i, void *const *out, cl_ulong bin)
{
    ref_element product, element, next;
    for (unsigned f = 0; f < 4; ++f) {
        memcpy(product.bytes + 4 * f, (const cl_uint *)out[f] + bin, sizeof(cl_uint));
        memcpy(element.bytes + 4 * f, (const cl_uint *)in[f + 1] + i, sizeof(cl_uint));
    }
    ref_user(REF_MATRIX)->combine(&product, &element, &next);
    for (unsigned f = 0; f < 4; ++f)
        memcpy((cl_uint *)out[f] + bin, next.bytes + 4 * f, sizeof(cl_uint));
}

/* ---- The list ---- */

static const bin_operator bin_operators[] = {
    {.name = "count", .input = "", .value = "uint count;", .source = ONE, .map = "one", .combine = "clf_sum",
     .outputs = 1, .add = add_one},
    {.name = "own_count", .input = "", .value = "uint count;", .map = "one", .combine = "add", .neutral = "zero",
     .source = ONE "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n"
                   "clf_value zero(void) { clf_value v; v.count = 0; return v; }\n",
     .outputs = 1, .add = add_one},
    {.name = "argmin", .input = "float x;", .value = "float least; uint where;", .map = "here", .combine = "lesser",
     .neutral = "none",
     .source = "clf_value here(clf_input in, ulong i) { clf_value v = {in.x, (uint)i}; return v; }\n"
               "clf_value none(void) { clf_value v = {INFINITY, 0xffffffffu}; return v; }\n"
               "clf_value lesser(clf_value a, clf_value b)\n"
               "{\n"
               "    const bool second = b.least < a.least || (b.least == a.least && b.where < a.where);\n"
               "    clf_value v;\n"
               "    v.least = second ? b.least : a.least;\n"
               "    v.where = second ? b.where : a.where;\n"
               "    return v;\n"
               "}\n",
     .looks = true, .inputs = 1, .outputs = 2, .empty = {0x7f800000, 0xffffffff}, .make = make_number,
     .add = take_less},
    {.name = "sum", .input = "float x;", .value = "float x;", .source = OF_X, .map = "of_x", .combine = "clf_sum",
     .inputs = 1, .outputs = 1, .make = make_small, .add = add_x},
    {.name = "max", .input = "float x;", .value = "float x;", .source = OF_X, .map = "of_x", .combine = "clf_max",
     .inputs = 1, .outputs = 1, .empty = {0xff800000}, .make = make_number, .add = take_larger},
    {.name = "box", .input = "float x; float y;", .value = "float left; float bottom; float right; float top;",
     .map = "around", .combine = "both", .neutral = "nothing",
     .source = "clf_value around(clf_input in, ulong i) { clf_value v = {in.x, in.y, in.x, in.y}; return v; }\n"
               "clf_value nothing(void) { clf_value v = {INFINITY, INFINITY, -INFINITY, -INFINITY}; return v; }\n"
               "clf_value both(clf_value a, clf_value b)\n"
               "{\n"
               "    clf_value v = {fmin(a.left, b.left), fmin(a.bottom, b.bottom), fmax(a.right, b.right),\n"
               "                   fmax(a.top, b.top)};\n"
               "    return v;\n"
               "}\n",
     .inputs = 2, .outputs = 4, .empty = {0x7f800000, 0x7f800000, 0xff800000, 0xff800000}, .make = make_point,
     .add = hold},
    {.name = "mat2", .input = "uint a; uint b; uint c; uint d;", .value = "uint a; uint b; uint c; uint d;",
     .source = SHARED_MAT2_SOURCE "clf_value of(clf_input in, ulong i)\n"
                                 "{ clf_value v = {in.a, in.b, in.c, in.d}; return v; }\n",
     .map = "of", .combine = "multiply", .neutral = "one", .inputs = 4, .outputs = 4, .ordered = true,
     .empty = {1, 0, 0, 1}, .make = make_matrix, .add = multiply},
};

const char *const bench_bin_ops[] = {
    "count", "own_count", "argmin", "box", "sum", "max", "mat2", NULL,
};

static const bin_operator *operator_of(const char *name)
{
    for (unsigned i = 0; i < sizeof bin_operators / sizeof bin_operators[0]; ++i)
        if (strcmp(bin_operators[i].name, name) == 0)
            return &bin_operators[i];
    return NULL;
}

bool bench_is_bin_op(const char *op)
{
    for (unsigned i = 0; bench_bin_ops[i]; ++i)
        if (strcmp(bench_bin_ops[i], op) == 0)
            return true;
    return false;
}

/* Of signed bins of 8 and 16 bits the bits are taken as they are, so that there are 256 and 65536 of them. */
static const char *bin_field(const bench_operator *of_type)
{
    static const char *const fields[] = {"uchar bin; ", "uchar bin; ", "ushort bin; ", "ushort bin; ",
                                         "int bin; ",   "uint bin; ",  "long bin; ",   "ulong bin; "};
    return of_type->scalar < sizeof fields / sizeof fields[0] ? fields[of_type->scalar] : NULL;
}

bool bench_find_bin_operator(const char *op, const char *type, bench_operator *found)
{
    static char input[80]; /* the operator found last */
    static clf_operator made;
    const bin_operator *const from = operator_of(op);
    if (!from || !bench_find_operator("sum", type, found) || !bin_field(found))
        return false;
    snprintf(input, sizeof input, "%s%s", bin_field(found), from->input);
    made = (clf_operator){.size = sizeof made, .input = input, .value = from->value, .source = from->source,
                          .map = from->map, .combine = from->combine, .neutral = from->neutral,
                          .flags = (from->ordered ? 0 : CLF_COMMUTATIVE) | (from->looks ? 0 : CLF_NO_INDEX)};
    *found = (bench_operator){.name = from->name, .type = found->type, .op = &made, .inputs = 1 + from->inputs,
                              .outputs = from->outputs, .in_size = {found->in_size[0], 4, 4, 4, 4},
                              .out_size = {4, 4, 4, 4}};
    return true;
}

void bench_fill_bin_values(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in)
{
    const bin_operator *const op = operator_of(self->name);
    uint32_t value[4];
    for (cl_ulong i = first; i < last && op->make; ++i) {
        op->make(n, i, value);
        for (unsigned f = 0; f < op->inputs; ++f)
            ((uint32_t *)in[f + 1])[i] = value[f];
    }
}

#define COMBINE(type)                                                  \
    for (cl_ulong i = 0; i < n; ++i) {                                 \
        const cl_ulong bin = ((const type *)in[0])[i];                 \
        if (bin >= first && bin < last)                                \
            op->add(in, i, out, bin);                                  \
    }

void bench_combine_bins(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in,
                        void *const *out)
{
    const bin_operator *const op = operator_of(self->name);
    for (unsigned f = 0; f < op->outputs; ++f)
        for (cl_ulong bin = first; bin < last; ++bin)
            ((uint32_t *)out[f])[bin] = op->empty[f];
    switch (self->in_size[0]) {
    case 1: COMBINE(uint8_t) break;
    case 2: COMBINE(uint16_t) break;
    case 4: COMBINE(uint32_t) break;
    default: COMBINE(uint64_t) break;
    }
}

/* SPDX-License-Identifier: MIT */
/*
 * The built-in operators, their inputs, and sequential scans by the tests' operators in C. Inputs depend on the index
 * alone, so a shorter input is a prefix of a longer one, and so is its scan. Floating inputs are chosen so that every
 * partial result is exact in any association, hence comparable bit by bit: a sum's inputs are the differences of a
 * bounded random sequence of integers (any contiguous sum is bounded), a product's are 1 and -1.
 */
#include "rows/operators.h"
#include "../../tests/ref.h"

#include <string.h>

const char *const bench_type_names[CLF_TYPE_COUNT + 1] = {
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", NULL,
};

/* Random bits; odd for a product, or it would be zero for ever after a few dozen elements. */
static void fill_integers(const bench_operator *self, cl_ulong n, void *const *in)
{
    const uint64_t odd = self->builtin == CLF_PRODUCT;
    for (cl_ulong i = 0; i < n; ++i)
        bench_store(in[0], i, self->in_size[0], bench_hash(i) | odd);
}

/* The integer that element i of a floating input is. */
static int float_element(const bench_operator *self, cl_ulong i)
{
    const uint64_t mask = self->scalar == CLF_HALF ? 3 : self->scalar == CLF_FLOAT ? 255 : 65535;
    if (self->builtin == CLF_PRODUCT)
        return bench_hash(i) & 1 ? 1 : -1;
    return (int)(bench_hash(i + 1) & mask) - (int)(bench_hash(i) & mask);
}

void bench_store_whole(clf_type type, void *to, cl_ulong i, int whole)
{
    if (type == CLF_HALF)
        ((cl_ushort *)to)[i] = gen_half((float)whole);
    else if (type == CLF_FLOAT)
        ((cl_float *)to)[i] = (cl_float)whole;
    else if (type == CLF_DOUBLE)
        ((cl_double *)to)[i] = whole;
    else
        bench_store(to, i, (unsigned)clf_type_size(type), (uint64_t)whole);
}

static void fill_floats(const bench_operator *self, cl_ulong n, void *const *in)
{
    for (cl_ulong i = 0; i < n; ++i)
        bench_store_whole(self->scalar, in[0], i, float_element(self, i));
}

/* Each result is what the tests' operator makes of the one before it and an element. */
static void scan(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
{
    const ref_operator *const op = ref_builtin(self->builtin, self->scalar);
    const size_t size = self->in_size[0];
    const void *total = op->nothing;
    const char *x = in[0];
    char *result = out[0];
    if (exclusive && n > 0) {
        memcpy(result, total, size);
        result += size;
        --n;
    }
    for (cl_ulong i = 0; i < n; ++i, x += size, result += size) {
        op->combine(total, x, result);
        total = result;
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
        .fill = scalar < CLF_HALF ? fill_integers : fill_floats, .scan = scan,
    };
    found->in_size[0] = found->out_size[0] = (unsigned)clf_type_size((clf_type)scalar);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * The built-in operators and their inputs. Inputs depend on the index alone, so a shorter input is a prefix
 * of a longer one, and so is its scan. Floating inputs are chosen so that every partial result is exact in
 * any association, hence comparable bit by bit: a sum's inputs are the differences of a bounded random
 * sequence of integers (any contiguous sum is bounded), a product's are 1 and -1.
 */
#include "bench.h"

#include <string.h>

const char *const bench_type_names[CLF_TYPE_COUNT + 1] = {
    "i8", "u8", "i16", "u16", "i32", "u32", "i64", "u64", "f16", "f32", "f64", NULL,
};

uint64_t bench_hash(uint64_t i)
{
    uint64_t x = (i + 1) * UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 32) * UINT64_C(0xD6E8FEB86659FD93);
    return x ^ x >> 29;
}

uint64_t bench_load(const void *from, cl_ulong i, unsigned size)
{
    cl_uchar byte;
    cl_ushort half;
    cl_uint word;
    uint64_t all;
    void *const to = size == 1 ? (void *)&byte : size == 2 ? (void *)&half : size == 4 ? (void *)&word : (void *)&all;
    memcpy(to, (const char *)from + i * size, size);
    return size == 1 ? byte : size == 2 ? half : size == 4 ? word : all;
}

void bench_store(void *to, cl_ulong i, unsigned size, uint64_t value)
{
    const cl_uchar byte = (cl_uchar)value;
    const cl_ushort half = (cl_ushort)value;
    const cl_uint word = (cl_uint)value;
    const void *from = size == 1 ? (const void *)&byte : size == 2 ? (const void *)&half
                       : size == 4 ? (const void *)&word : (const void *)&value;
    memcpy((char *)to + i * size, from, size);
}

/* Random bits; odd for a product, or it would be zero for ever after a few dozen elements. */
#define FILL_INTEGERS(type)                                              \
    for (cl_ulong i = 0; i < n; i++)                                     \
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
    for (cl_ulong i = 0; i < n; i++) {
        int element = float_element(self, i);
        if (self->scalar == CLF_HALF)
            ((uint16_t *)in[0])[i] = bench_half((float)element);
        else if (self->scalar == CLF_FLOAT)
            ((float *)in[0])[i] = (float)element;
        else
            ((double *)in[0])[i] = element;
    }
}

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
        builtin++;
    if (builtin == CLF_OP_COUNT || !clf_builtin((clf_op)builtin, (clf_type)scalar))
        return false;
    *found = (bench_operator){
        .name = clf_op_name((clf_op)builtin), .type = bench_type_names[scalar],
        .op = clf_builtin((clf_op)builtin, (clf_type)scalar), .inputs = 1, .outputs = 1,
        .builtin = (clf_op)builtin, .scalar = (clf_type)scalar,
        .fill = scalar < CLF_HALF ? fill_integers : fill_floats, .scan = bench_reference,
    };
    found->in_size[0] = found->out_size[0] = (unsigned)clf_type_size((clf_type)scalar);
    return true;
}

bool bench_is_operator(const char *op)
{
    bench_operator found;
    return bench_find_user_operator(op, &found) || bench_find_operator(op, "i32", &found);
}

cl_ulong bench_input_elements(const bench_operator *op, unsigned input, cl_ulong n, cl_ulong size)
{
    return input + op->captured < op->inputs ? n : size * (op->each[input] ? op->each[input] : 1);
}

cl_ulong bench_output_elements(const bench_operator *op, unsigned output, cl_ulong n, cl_ulong results)
{
    return output + op->extras < op->outputs ? results : n;
}

unsigned bench_traffic(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned i = 0; i < op->inputs; i++)
        bytes += op->in_size[i];
    for (unsigned i = 0; i < op->outputs; i++)
        bytes += op->out_size[i];
    return bytes;
}

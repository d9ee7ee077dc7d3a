/* SPDX-License-Identifier: MIT */
/*
 * The built-in operators in C, one function for each pair of operator and type. Integers are combined as 64-bit
 * unsigned numbers and cut down to their type, which is what wrapping around means; halves are combined as floats.
 * Of floating minima and maxima NaN is the neutral element, and infinity what no elements add up to.
 */
#include "ref.h"

#include <limits.h>
#include <math.h>
#include <string.h>

/* COMBINE(sum_cl_int, cl_int, …) defines a combine function whose operands are a and b. */
#define COMBINE(NAME, T, EXPRESSION)                                   \
    static void NAME(const void *left, const void *right, void *out)   \
    {                                                                  \
        const T a = *(const T *)left, b = *(const T *)right;           \
        const T result = (T)(EXPRESSION);                              \
        memcpy(out, &result, sizeof result);                           \
    }

/* A NaN is ignored where the other operand is a number. */
static double least(double a, double b) { return isnan(a) || b < a ? b : a; }
static double largest(double a, double b) { return isnan(a) || b > a ? b : a; }

#define GENERATE(NAME, OP, TYPE)                                       \
    static void NAME(gen *random, cl_ulong index, void *input)         \
    {                                                                  \
        if (!gen_special(random, OP, TYPE, index, input))              \
            gen_builtin(random, OP, TYPE, index, input);               \
    }

#define ARITHMETIC(X, T, TYPE) \
    X(sum, CLF_SUM, T, TYPE) X(product, CLF_PRODUCT, T, TYPE) X(min, CLF_MIN, T, TYPE) X(max, CLF_MAX, T, TYPE)
#define BITWISE(X, T, TYPE) X(and, CLF_AND, T, TYPE) X(or, CLF_OR, T, TYPE) X(xor, CLF_XOR, T, TYPE)

#define GENERATOR(NAME, OP, T, TYPE) GENERATE(generate_##NAME##_##T, OP, TYPE)
#define ENTRY(NAME, OP, T, TYPE)                                                                    \
    [OP] = {.name = #NAME " " #T, .kind = OP, .type = TYPE,                                         \
            .value = {1, {{sizeof(T), 0}}}, .input = {1, {{sizeof(T), 0}}},                         \
            .neutral = &neutral_##T[OP], .nothing = &nothing_##T[OP],                             \
            .real = TYPE < CLF_HALF ? 0 : TYPE == CLF_BFLOAT16 ? REF_BFLOAT16 : sizeof(T),          \
            .combine = NAME##_##T, .generate = generate_##NAME##_##T},

#define INTEGER_TYPE(T, TYPE, LEAST, MOST)                                                          \
    COMBINE(sum_##T, T, (uint64_t)a + (uint64_t)b)                                                  \
    COMBINE(product_##T, T, (uint64_t)a * (uint64_t)b)                                              \
    COMBINE(min_##T, T, b < a ? b : a)                                                              \
    COMBINE(max_##T, T, b > a ? b : a)                                                              \
    COMBINE(and_##T, T, a & b)                                                                      \
    COMBINE(or_##T, T, a | b)                                                                       \
    COMBINE(xor_##T, T, a ^ b)                                                                      \
    ARITHMETIC(GENERATOR, T, TYPE)                                                                  \
    BITWISE(GENERATOR, T, TYPE)                                                                     \
    static const T neutral_##T[CLF_OP_COUNT] = {0, 1, MOST, LEAST, (T)-1, 0, 0};                    \
    static const T nothing_##T[CLF_OP_COUNT] = {0, 1, MOST, LEAST, (T)-1, 0, 0};                    \
    static const ref_operator table_##T[CLF_OP_COUNT] = {ARITHMETIC(ENTRY, T, TYPE) BITWISE(ENTRY, T, TYPE)};

#define FLOATING_TYPE(T, TYPE)                                                                      \
    COMBINE(sum_##T, T, a + b)                                                                      \
    COMBINE(product_##T, T, a * b)                                                                  \
    COMBINE(min_##T, T, least(a, b))                                                                \
    COMBINE(max_##T, T, largest(a, b))                                                              \
    ARITHMETIC(GENERATOR, T, TYPE)                                                                  \
    static const T neutral_##T[CLF_OP_COUNT] = {0, 1, NAN, NAN, 0, 0, 0};                           \
    static const T nothing_##T[CLF_OP_COUNT] = {0, 1, INFINITY, -INFINITY, 0, 0, 0};                \
    static const ref_operator table_##T[CLF_OP_COUNT] = {ARITHMETIC(ENTRY, T, TYPE)};

INTEGER_TYPE(cl_char, CLF_CHAR, SCHAR_MIN, SCHAR_MAX)
INTEGER_TYPE(cl_uchar, CLF_UCHAR, 0, UCHAR_MAX)
INTEGER_TYPE(cl_short, CLF_SHORT, SHRT_MIN, SHRT_MAX)
INTEGER_TYPE(cl_ushort, CLF_USHORT, 0, USHRT_MAX)
INTEGER_TYPE(cl_int, CLF_INT, INT_MIN, INT_MAX)
INTEGER_TYPE(cl_uint, CLF_UINT, 0, UINT_MAX)
INTEGER_TYPE(cl_long, CLF_LONG, INT64_MIN, INT64_MAX)
INTEGER_TYPE(cl_ulong, CLF_ULONG, 0, UINT64_MAX)
FLOATING_TYPE(cl_float, CLF_FLOAT)
FLOATING_TYPE(cl_double, CLF_DOUBLE)

/*
 * Types of 16 bits have no arithmetic in C. Numbers of the tests are such that sums of floats, narrowed at the end, are
 * those of bfloat16.
 */
#define BRIEF_TYPE(T, TYPE, OF, WIDE, ONE, NONE, ENDLESS)                                           \
    typedef cl_ushort T;                                                                            \
    COMBINE(sum_##T, T, OF((float)(WIDE(a) + WIDE(b))))                                             \
    COMBINE(product_##T, T, OF((float)(WIDE(a) * WIDE(b))))                                         \
    COMBINE(min_##T, T, OF((float)least(WIDE(a), WIDE(b))))                                         \
    COMBINE(max_##T, T, OF((float)largest(WIDE(a), WIDE(b))))                                       \
    ARITHMETIC(GENERATOR, T, TYPE)                                                                  \
    static const T neutral_##T[CLF_OP_COUNT] = {0, ONE, NONE, NONE, 0, 0, 0};                       \
    static const T nothing_##T[CLF_OP_COUNT] = {0, ONE, ENDLESS, 0x8000 | ENDLESS, 0, 0, 0};        \
    static const ref_operator table_##T[CLF_OP_COUNT] = {ARITHMETIC(ENTRY, T, TYPE)};

BRIEF_TYPE(half, CLF_HALF, gen_half, gen_half_value, 0x3c00, 0x7e00, 0x7c00)
BRIEF_TYPE(bfloat16, CLF_BFLOAT16, gen_bfloat16, gen_bfloat16_value, 0x3f80, 0x7fc0, 0x7f80)

static const ref_operator *const tables[CLF_TYPE_COUNT] = {
    [CLF_CHAR] = table_cl_char,   [CLF_UCHAR] = table_cl_uchar, [CLF_SHORT] = table_cl_short,
    [CLF_USHORT] = table_cl_ushort, [CLF_INT] = table_cl_int,   [CLF_UINT] = table_cl_uint,
    [CLF_LONG] = table_cl_long,   [CLF_ULONG] = table_cl_ulong, [CLF_HALF] = table_half,
    [CLF_FLOAT] = table_cl_float, [CLF_DOUBLE] = table_cl_double, [CLF_BFLOAT16] = table_bfloat16,
};

const ref_operator *ref_builtin(clf_op kind, clf_type type)
{
    const ref_operator *op = &tables[type][kind];
    return op->combine ? op : NULL;
}

/* SPDX-License-Identifier: MIT */
/*
 * What a result must be: sequential loops with the built-in operators, and a bit-by-bit comparison. Integers
 * wrap around (computed in 64 bits, then cut); floating inputs are such that nothing rounds (operators.c).
 */
#include "bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* `expression` of the total so far and x, for every element. */
#define LOOP(type, expression)                          \
    for (cl_ulong i = 0; i < n; i++) {                  \
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

uint16_t bench_half(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    uint32_t sign = bits >> 16 & 0x8000, exponent = bits >> 23 & 0xFF, fraction = bits >> 13 & 0x3FF;
    if (exponent == 0xFF)
        return (uint16_t)(sign | 0x7C00); /* infinity: no NaN comes here */
    return (uint16_t)(exponent < 113 ? sign : sign | (exponent - 112) << 10 | fraction);
}

float bench_from_half(uint16_t half)
{
    uint32_t exponent = half >> 10 & 31;
    uint32_t bits = (uint32_t)(half & 0x8000) << 16;
    if (exponent == 31)
        bits |= UINT32_C(0x7F800000);
    else if (exponent)
        bits |= (exponent + 112) << 23 | (uint32_t)(half & 0x3FF) << 13;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static void scan_f16(clf_op op, cl_ulong n, bool exclusive, const uint16_t *source, uint16_t *target)
{
    float total = op == CLF_MIN ? INFINITY : op == CLF_MAX ? -INFINITY : op == CLF_PRODUCT;
    for (cl_ulong i = 0; i < n; i++) {
        float x = bench_from_half(source[i]), before = total;
        total = op == CLF_SUM ? total + x
              : op == CLF_PRODUCT ? total * x
              : (op == CLF_MIN) == (x < total) ? x : total;
        target[i] = bench_half(exclusive ? before : total);
    }
}

void bench_reference(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out)
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

static void print_element(const char *what, const unsigned char *element, unsigned size)
{
    fprintf(stderr, " %s 0x", what);
    for (unsigned i = size; i-- > 0;) /* read as little-endian: enough for a person */
        fprintf(stderr, "%02x", element[i]);
}

bool bench_same_memory(const void *got, const void *expected, cl_ulong first, cl_ulong n, unsigned size)
{
    const unsigned char *a = got, *b = expected;
    if (memcmp(a, b, (size_t)(n * size)) == 0)
        return true;
    while (memcmp(a, b, size) == 0) {
        a += size;
        b += size;
        first++;
    }
    bench_progress("%s", "");
    fprintf(stderr, "  element %llu:", (unsigned long long)first);
    print_element("got", a, size);
    print_element("expected", b, size);
    fputc('\n', stderr);
    return false;
}

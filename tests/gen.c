/* SPDX-License-Identifier: MIT */
/*
 * Random numbers: xoshiro256** (Blackman and Vigna 2018), seeded through splitmix64.
 *
 * Elements are chosen to make errors visible. Sums, products and XOR of integers take all bits (products odd
 * numbers, so that no factor is ever lost). Maxima climb with the index and minima fall, so that the last
 * elements still count; AND and OR change one bit once in a while.
 */
#include "gen.h"

#include <string.h>

static uint64_t splitmix(uint64_t *state)
{
    uint64_t z = *state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

gen gen_seed(uint64_t seed, uint64_t stream)
{
    gen random;
    uint64_t state = seed;
    state = splitmix(&state) + stream;
    for (int i = 0; i < 4; ++i)
        random.state[i] = splitmix(&state);
    return random;
}

static uint64_t rotate_left(uint64_t x, int by)
{
    return (x << by) | (x >> (64 - by));
}

uint64_t gen_bits(gen *random)
{
    uint64_t *s = random->state;
    uint64_t result = rotate_left(s[1] * 5, 7) * 9, shifted = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= shifted;
    s[3] = rotate_left(s[3], 45);
    return result;
}

uint64_t gen_below(gen *random, uint64_t bound)
{
    return gen_bits(random) % bound;
}

int64_t gen_between(gen *random, int64_t low, int64_t high)
{
    return low + (int64_t)gen_below(random, (uint64_t)(high - low) + 1);
}

bool gen_chance(gen *random, unsigned percent)
{
    return gen_below(random, 100) < percent;
}

size_t gen_size(gen *random, size_t tile, size_t most)
{
    size_t n = (size_t)gen_below(random, most + 1);
    if (gen_chance(random, 20))
        n = (size_t)gen_below(random, 5);
    else if (gen_chance(random, 50) && most >= tile)
        n = (size_t)(gen_below(random, most / tile) + 1) * tile + (size_t)gen_below(random, 5) - 2;
    return n < most ? n : most;
}

cl_ushort gen_half(float value)
{
    cl_uint bits;
    memcpy(&bits, &value, sizeof bits);
    cl_uint sign = (bits >> 16) & 0x8000u, magnitude = bits & 0x7fffffffu;
    if (magnitude > 0x7f800000u) /* not a number; quiet */
        return (cl_ushort)(sign | 0x7e00u | ((magnitude >> 13) & 0x1ffu));
    if (magnitude >= 0x47800000u) /* 65536 and above, infinity */
        return (cl_ushort)(sign | 0x7c00u);
    if (magnitude < 0x38800000u) /* below the normal halves: only 0 is used */
        return (cl_ushort)sign;
    return (cl_ushort)(sign | ((magnitude - 0x38000000u) >> 13));
}

float gen_half_value(cl_ushort half)
{
    cl_uint sign = (half & 0x8000u) << 16, magnitude = half & 0x7fffu;
    cl_uint finite = magnitude ? (magnitude << 13) + 0x38000000u : 0;
    cl_uint endless = magnitude > 0x7c00u ? 0x7fc00000u : 0x7f800000u;
    cl_uint bits = sign | (magnitude >= 0x7c00u ? endless : finite);
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* Rounded by arithmetic, where the library does it by bits: halfway between two neighbours the even one is taken. */
cl_ushort gen_bfloat16(float value)
{
    cl_uint bits;
    memcpy(&bits, &value, sizeof bits);
    const cl_ushort below = (cl_ushort)(bits >> 16);
    if (value != value)
        return below | 0x40;
    const cl_uint rest = bits & 0xffff;
    return rest > 0x8000 || (rest == 0x8000 && below % 2) ? (cl_ushort)(below + 1) : below;
}

float gen_bfloat16_value(cl_ushort upper)
{
    const cl_uint bits = (cl_uint)upper << 16;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* All bits count; the low bytes of a little-endian number are stored as any integer type. */
static uint64_t integer_bits(gen *random, clf_op op, unsigned bits, bool is_signed, cl_ulong index)
{
    uint64_t rare = gen_chance(random, 2) ? (uint64_t)1 << gen_below(random, bits) : 0;
    uint64_t most = ((uint64_t)1 << (bits - 1)) - 1; /* of the signed type; enough for the unsigned one */
    uint64_t height = index / 16 + gen_below(random, 20);
    height = height < most ? height : most;
    switch (op) {
    case CLF_PRODUCT: return gen_bits(random) | 1;
    case CLF_MIN: return is_signed ? 0 - height : most - height;
    case CLF_MAX: return height;
    case CLF_AND: return ~rare;
    case CLF_OR: return rare;
    default: return gen_bits(random);
    }
}

static bool is_extreme(clf_op op)
{
    return op == CLF_MIN || op == CLF_MAX;
}

/* Of minima and maxima there are runs of NaNs. */
static bool in_nan_run(clf_op op, cl_ulong index)
{
    return is_extreme(op) && index / 40 % 8 == 3;
}

/* Often so in minima and maxima, also before all else; in sums and products it decides all that follows, so rarely. */
static bool is_special(gen *random, clf_op op, cl_ulong index)
{
    if (!is_extreme(op))
        return gen_below(random, 3000) == 0;
    return in_nan_run(op, index) || gen_chance(random, index < 3 ? 50 : 5);
}

/* NaNs of any sign and payload, zeros of both signs, infinities; rarely that which no minimum, or maximum, passes. */
static float special_value(gen *random, clf_op op, cl_ulong index)
{
    static const cl_uint zeros[] = {0, 0x80000000u}, infinities[] = {0x7f800000u, 0xff800000u};
    const uint64_t kind = in_nan_run(op, index) ? 0 : gen_below(random, 100);
    const bool passed = is_extreme(op) && !gen_chance(random, 10);
    cl_uint bits = 0x7fc00000u | ((cl_uint)gen_bits(random) & 0x803fffffu);
    if (kind >= 50)
        bits = kind < 80 ? zeros[gen_below(random, 2)] : infinities[passed ? op == CLF_MAX : gen_below(random, 2)];
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/*
 * Sums wander within the whole numbers that both small types hold. Products are of signs and a few powers of
 * two, in any order: a commutative built-in may take all even elements before the odd ones.
 */
static float floating_value(gen *random, clf_op op, clf_type type, cl_ulong index)
{
    float sign = gen_chance(random, 50) ? -1.0f : 1.0f;
    float height = (float)(index / 16 % 2000 + gen_below(random, 20));
    uint64_t rare = gen_below(random, type == CLF_HALF ? 100 : 2000);
    const bool brief = type == CLF_HALF || type == CLF_BFLOAT16;
    switch (op) {
    case CLF_PRODUCT: return sign * (brief || rare > 1 ? 1.0f : rare ? 0.5f : 2.0f);
    case CLF_MIN: return 1.0f - height;
    case CLF_MAX: return height - 1.0f;
    default: return brief ? (rare == 0 ? sign : 0.0f) : (float)gen_between(random, -3, 3);
    }
}

static void floating_element(clf_type type, float value, void *element)
{
    cl_ushort half = type == CLF_HALF ? gen_half(value) : gen_bfloat16(value);
    double wide = value;
    if (type == CLF_HALF || type == CLF_BFLOAT16)
        memcpy(element, &half, sizeof half);
    else if (type == CLF_FLOAT)
        memcpy(element, &value, sizeof value);
    else
        memcpy(element, &wide, sizeof wide);
}

static void integer_element(clf_type type, uint64_t bits, void *element)
{
    cl_uchar b8 = (cl_uchar)bits;
    cl_ushort b16 = (cl_ushort)bits;
    cl_uint b32 = (cl_uint)bits;
    switch (clf_type_size(type)) {
    case 1: memcpy(element, &b8, 1); break;
    case 2: memcpy(element, &b16, 2); break;
    case 4: memcpy(element, &b32, 4); break;
    default: memcpy(element, &bits, 8); break;
    }
}

void gen_builtin(gen *random, clf_op op, clf_type type, cl_ulong index, void *element)
{
    if (type >= CLF_HALF) {
        floating_element(type, floating_value(random, op, type, index), element);
        return;
    }
    bool is_signed = type == CLF_CHAR || type == CLF_SHORT || type == CLF_INT || type == CLF_LONG;
    unsigned bits = (unsigned)clf_type_size(type) * 8;
    integer_element(type, integer_bits(random, op, bits, is_signed, index), element);
}

bool gen_special(gen *random, clf_op op, clf_type type, cl_ulong index, void *element)
{
    if (type < CLF_HALF || !is_special(random, op, index))
        return false;
    floating_element(type, special_value(random, op, index), element);
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * candidates: the elements that laws are tried with. The simplest come first, so that a counterexample of small numbers
 * is one of simple values.
 */
#include "explore/laws.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { SMALL = 17, BYTE_VALUES = 256, USUAL = 128, LEAST_VALUES = 8, MOST_VALUES = 1024 };

typedef struct source {
    uint64_t state;
    bool plain;
} source;

static uint64_t next(source *s)
{
    s->state ^= s->state << 13;
    s->state ^= s->state >> 7;
    s->state ^= s->state << 17;
    return s->state * 0x2545f4914f6cdd1du;
}

static cl_uint below(source *s, cl_uint bound)
{
    return (cl_uint)((next(s) >> 32) % bound);
}

/* ---- Integers ------------------------------------------------------------------------------------------ */

/* 0, 1, -1, 2 …, or 0, 1, 2 … */
static uint64_t small_integer(bool is_signed, cl_uint rank)
{
    if (!is_signed)
        return rank;
    return rank % 2 ? (rank + 1) / 2 : (uint64_t)0 - rank / 2;
}

/* The bits of boundary number `rank`; false: there is none. */
static bool boundary_integer(bool is_signed, cl_uint bits, cl_uint rank, uint64_t *number)
{
    const uint64_t one = 1, most = ~(uint64_t)0 >> (64 - bits + is_signed), least = is_signed ? ~most : 0;
    const uint64_t list[] = {most, least, most - 1, least + 1, one << (bits / 2), (one << (bits / 2)) - 1,
                             (uint64_t)0 - (one << (bits / 2)), one << (bits - 2), 100, (uint64_t)0 - 100,
                             most / 2, least / 2, one << (bits / 4), most / 3, one << (bits - 3)};
    *number = rank < CLF_COUNT(list) ? list[rank] : 0;
    return rank < CLF_COUNT(list);
}

/* Of all magnitudes; plain ones up to 2^(bits / 2 - 2), half of them negative. */
static uint64_t random_integer(source *s, bool is_signed, cl_uint bits)
{
    const uint64_t number = next(s);
    if (!s->plain)
        return number >> below(s, bits);
    const uint64_t magnitude = number % (((uint64_t)1 << (bits / 2 - 2)) + 1);
    return is_signed && number >> 63 ? (uint64_t)0 - magnitude : magnitude;
}

static uint64_t integer(source *s, clf_type type, cl_uint rank)
{
    const cl_uint bits = (cl_uint)(8 * clf_type_size(type));
    const bool is_signed = clf_type_is_signed(type);
    const cl_uint most = s->plain && bits == 8 ? (is_signed ? 9 : 5) : SMALL;
    uint64_t number;
    if (rank < most)
        return small_integer(is_signed, rank);
    if (!s->plain && boundary_integer(is_signed, bits, rank - SMALL, &number))
        return number;
    return random_integer(s, is_signed, bits);
}

/* ---- Floating-point numbers ---------------------------------------------------------------------------- */

static const double smalls[] = {0, 1, -1, 2, -2, 0.5, -0.5, 3, -3, 4, -4, 0.25, 5, -7, 10, -16, 100};

static bool boundary_real(clf_type type, cl_uint rank, double *number)
{
    const double most = type == CLF_HALF ? 65504 : type != CLF_DOUBLE ? FLT_MAX : DBL_MAX;
    const double least = type == CLF_HALF ? 0x1p-14 : type != CLF_DOUBLE ? FLT_MIN : DBL_MIN;
    const double list[] = {most, -most, least, -0.0, (double)INFINITY, -(double)INFINITY, (double)NAN,
                           1024, -1024, 0x1p-10, 0x1p11};
    *number = rank < CLF_COUNT(list) ? list[rank] : 0;
    return rank < CLF_COUNT(list);
}

/* Eleven digits, which are those of half, and a magnitude of 2^-6 to 2^6. */
static double random_real(source *s)
{
    const double digits = 1024 + below(s, 1024);
    return (below(s, 2) ? 1 : -1) * ldexp(digits, (int)below(s, 13) - 16);
}

static double real(source *s, clf_type type, cl_uint rank)
{
    double number;
    if (rank < SMALL)
        return smalls[rank];
    return !s->plain && boundary_real(type, rank - SMALL, &number) ? number : random_real(s);
}

/* The bits of a half. All numbers here are halves, but for denormal ones. */
static uint16_t half_bits(double x)
{
    const uint16_t sign = x < 0 || (x == 0 && 1 / x < 0) ? 0x8000 : 0;
    int exponent;
    if (x != x)
        return 0x7e00;
    if (fabs(x) == (double)INFINITY)
        return sign | 0x7c00;
    const double digits = frexp(fabs(x), &exponent); /* 0.5 to 1 */
    if (digits == 0)
        return sign;
    return (uint16_t)(sign | (unsigned)(exponent + 14) << 10 | ((unsigned)(digits * 2048) & 0x3ff));
}

/* The upper half of a float's bits. */
static uint16_t bfloat16_bits(double x)
{
    const float single = (float)x;
    uint32_t bits;
    memcpy(&bits, &single, sizeof bits);
    return (uint16_t)(bits >> 16);
}

/* ---- Elements ------------------------------------------------------------------------------------------ */

static void store(unsigned char *to, clf_type type, uint64_t bits, double number)
{
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = type == CLF_HALF       ? half_bits(number)
                         : type == CLF_BFLOAT16 ? bfloat16_bits(number)
                                                : (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    const float single = type == CLF_FLOAT ? (float)number : 0;
    const size_t bytes = clf_type_size(type);
    const void *const from = type == CLF_FLOAT    ? (const void *)&single
                             : type == CLF_DOUBLE ? (const void *)&number
                             : bytes == 1         ? (const void *)&one
                             : bytes == 2         ? (const void *)&two
                             : bytes == 4         ? (const void *)&four
                                                  : (const void *)&bits;
    memcpy(to, from, bytes);
}

static void make_scalar(source *s, clf_type type, cl_uint rank, unsigned char *to)
{
    if (clf_type_is_real(type))
        store(to, type, 0, real(s, type, rank));
    else
        store(to, type, integer(s, type, rank), 0);
}

/* The rank of a scalar in element `rank` of a tuple: all 0, all 1, one field after the other, then any mixture. */
static cl_uint rank_within(source *s, const clf_fields *fields, cl_uint field, cl_uint rank)
{
    const cl_uint scalars = fields->count, simple = 2 + 2 * scalars;
    if (rank < 2)
        return rank;
    if (rank < simple)
        return (rank - 2) % scalars == field ? 1 + (rank - 2) / scalars : 0;
    const cl_uint range = 3 + rank / 4;
    return below(s, 3) ? below(s, range < SMALL ? range : SMALL) : SMALL + below(s, 64);
}

static bool is_scalar(const clf_fields *fields)
{
    return fields->count == 1 && clf_field_is_scalar(&fields->field[0]);
}

static void make_elements(source *s, clf_candidates *c)
{
    for (cl_uint rank = 0; rank < c->elements; ++rank) {
        for (cl_uint f = 0; f < c->fields->count; ++f) {
            const clf_field *const field = &c->fields->field[f];
            const size_t scalar = clf_type_size(field->type);
            for (cl_uint k = 0; k < field->width; ++k)
                make_scalar(s, field->type, is_scalar(c->fields) ? rank : rank_within(s, c->fields, f, rank),
                            c->data[f] + rank * field->bytes + k * scalar);
        }
    }
}

/* Every value of 8 bits. */
static void make_bytes(clf_candidates *c)
{
    const bool is_signed = clf_type_is_signed(c->fields->field[0].type);
    for (cl_uint rank = 0; rank < BYTE_VALUES; ++rank)
        c->data[0][rank] = (unsigned char)small_integer(is_signed, rank);
}

/* The caller's, from all places. */
static void copy_elements(clf_candidates *c, const clf_laws_options *options)
{
    for (cl_uint f = 0; f < c->fields->count; ++f) {
        const size_t bytes = c->fields->field[f].bytes;
        for (cl_uint i = 0; i < c->elements; ++i) {
            const size_t at = (size_t)((double)i * (double)options->count / c->elements);
            memcpy(c->data[f] + i * bytes, (const unsigned char *)options->elements[f] + at * bytes, bytes);
        }
    }
}

/* ---- How many ------------------------------------------------------------------------------------------ */

static clf_status check_options(const clf_fields *fields, const clf_laws_options *options, clf_error *error)
{
    if (options->flags & ~(CLF_LAWS_PLAIN | CLF_LAWS_EXTREME))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.flags has unknown flags: 0x%x", options->flags);
    if (options->flags == (CLF_LAWS_PLAIN | CLF_LAWS_EXTREME))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.flags: plain and extreme numbers exclude each other");
    if (options->values && (options->values < LEAST_VALUES || options->values > MOST_VALUES))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.values is %u: needs %d to %d, or 0", options->values,
                        (int)LEAST_VALUES, (int)MOST_VALUES);
    if (!options->count != !options->elements)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.elements and .count go together");
    for (cl_uint f = 0; options->elements && f < fields->count; ++f)
        if (!options->elements[f])
            return clf_fail(error, CLF_E_ARGUMENT, "clf_laws_options.elements[%u], of field '%s', is NULL", f,
                            fields->field[f].name);
    return CLF_SUCCESS;
}

/* How many elements, and values; are elements the numbers of one byte? */
static bool count(clf_candidates *c, const clf_operator_copy *op, const clf_laws_options *options)
{
    const bool scalar = !c->maps && is_scalar(&op->value) && !options->count;
    if (scalar && op->value.field[0].bytes == 1 && !(options->flags & CLF_LAWS_PLAIN) && !options->values) {
        c->elements = c->values = BYTE_VALUES;
        return true;
    }
    c->values = options->values ? options->values : USUAL;
    c->elements = scalar ? c->values : c->values / 2;
    if (options->count && options->count < c->elements)
        c->elements = (cl_uint)options->count;
    return false;
}

static bool is_plain(const clf_candidates *c, const clf_operator_copy *op, unsigned flags)
{
    return flags & CLF_LAWS_PLAIN || (!(flags & CLF_LAWS_EXTREME) && (c->maps || !is_scalar(&op->value)));
}

clf_status clf_candidates_open(clf_candidates *c, const clf_operator_copy *op, const clf_laws_options *options,
                               clf_error *error)
{
    *c = (clf_candidates){.maps = op->map && (!op->captured.count || options->captured)};
    c->fields = c->maps ? &op->input : &op->value;
    CLF_TRY(check_options(c->fields, options, error));
    source s = {.state = (options->seed + 1) * 0x9e3779b97f4a7c15u | 1, .plain = is_plain(c, op, options->flags)};
    const bool bytes = count(c, op, options);
    for (cl_uint f = 0; f < c->fields->count; ++f) {
        c->data[f] = malloc((size_t)c->elements * c->fields->field[f].bytes);
        if (!c->data[f])
            return clf_fail(error, CLF_E_NO_MEMORY, "no memory for the values that are tried");
    }
    if (options->count)
        copy_elements(c, options);
    else if (bytes)
        make_bytes(c);
    else
        make_elements(&s, c);
    return CLF_SUCCESS;
}

void clf_candidates_close(clf_candidates *c)
{
    for (size_t f = 0; f < CLF_COUNT(c->data); ++f)
        free(c->data[f]);
}

/* SPDX-License-Identifier: MIT */
/*
 * Functions of the tests' operators in C, of one expression each: of elements x and y of type T, of their index, and of
 * whatever else a function of that kind gets.
 */
#ifndef CLFOLD_TESTS_REF_FUNCTIONS_H
#define CLFOLD_TESTS_REF_FUNCTIONS_H

#include "ref.h"

/* x is the left one. */
#define REF_COMBINE(NAME, T, ...) \
    static void NAME(const void *left, const void *right, void *result) \
    { \
        const T x = *(const T *)left, y = *(const T *)right; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_SAME(NAME, T, ...) \
    static bool NAME(const void *left, const void *right) \
    { \
        const T x = *(const T *)left, y = *(const T *)right; \
        return __VA_ARGS__; \
    }

/* What an input is mapped to: a T. */
#define REF_MAP(NAME, INPUT, T, ...) \
    static void NAME(const void *element, cl_ulong index, void *result) \
    { \
        const INPUT x = *(const INPUT *)element; \
        (void)x, (void)index; \
        *(T *)result = __VA_ARGS__; \
    }
/* The same of operators whose maps may have extra outputs, which this one has not. */
#define REF_MAP_PLAIN(NAME, INPUT, T, ...) \
    static void NAME(const void *element, cl_ulong index, void *result, void *extra) \
    { \
        const INPUT x = *(const INPUT *)element; \
        (void)x, (void)index, (void)extra; \
        *(T *)result = __VA_ARGS__; \
    }

/* A bin, a digit or a part of an element. */
#define REF_OF(TYPE, NAME, T, ...) \
    static TYPE NAME(const void *element) \
    { \
        const T x = *(const T *)element; \
        return (TYPE)(__VA_ARGS__); \
    }
/* Is x kept, behind *before? That is NULL of the first. */
#define REF_KEEP(NAME, T, ...) \
    static bool NAME(const void *neighbour, const void *element, cl_ulong index) \
    { \
        const T *const before = neighbour, x = *(const T *)element; \
        (void)before, (void)index; \
        return __VA_ARGS__; \
    }

/* Generators: of an operator, of a bin, of a digit, of what is kept or not, of runs, and of ranks. */
#define REF_GENERATE(NAME, T, ...) \
    static void NAME(gen *random, cl_ulong index, void *result) \
    { \
        (void)random, (void)index; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_GENERATE_BIN(NAME, T, ...) \
    static void NAME(gen *random, int64_t bin, void *result) \
    { \
        (void)random; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_GENERATE_DIGIT(NAME, T, ...) \
    static void NAME(gen *random, unsigned digit, void *result) \
    { \
        (void)random; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_GENERATE_KEPT(NAME, T, ...) \
    static void NAME(gen *random, bool wanted, cl_ulong run, void *result) \
    { \
        (void)random, (void)wanted, (void)run; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_GENERATE_RUN(NAME, T, ...) \
    static void NAME(gen *random, cl_ulong run, cl_ulong index, void *result) \
    { \
        (void)random, (void)run, (void)index; \
        *(T *)result = __VA_ARGS__; \
    }
#define REF_MAKE(NAME, T, ...) \
    static void NAME(cl_ulong rank, cl_ulong tag, void *result) \
    { \
        (void)tag; \
        *(T *)result = __VA_ARGS__; \
    }

/* Elements of one field. */
typedef struct one_byte {
    cl_uchar v;
} one_byte;
typedef struct one_short {
    cl_ushort v;
} one_short;
typedef struct one_int {
    cl_int v;
} one_int;
typedef struct one_vector {
    cl_ulong v[8];
} one_vector;

/* Random numbers, but for the last one, which tells elements apart. */
static inline one_vector ref_vector(gen *random, cl_ulong last)
{
    one_vector x;
    for (int k = 0; k < 7; ++k)
        x.v[k] = gen_bits(random);
    x.v[7] = last;
    return x;
}

/* Affine maps of fields `scale` and `shift` modulo a prime, which all elements of a captured array are. */
#define REF_MODULAR_SOURCE \
    "clf_value compose(clf_value x, clf_value y, const clf_captured *c)\n" \
    "{\n" \
    "    const uint m = c->modulus[0];\n" \
    "    clf_value v = {x.scale * y.scale % m, (x.shift * y.scale + y.shift) % m};\n" \
    "    return v;\n" \
    "}\n" \
    "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"

/* A struct's fields; a value of one field. */
#define REF_ONE(T) {1, {{sizeof(T), 0}}}
#define REF_FIELDS(...) \
    REF_NINTH(__VA_ARGS__, REF_8, REF_7, REF_6, REF_5, REF_4, REF_3, REF_2, REF_1, )(__VA_ARGS__)
#define REF_NINTH(S, A, B, C, D, E, F, G, H, NAME, ...) NAME
#define REF_1(S, A) {1, {REF_FIELD(S, A)}}
#define REF_2(S, A, B) {2, {REF_FIELD(S, A), REF_FIELD(S, B)}}
#define REF_3(S, A, B, C) {3, {REF_FIELD(S, A), REF_FIELD(S, B), REF_FIELD(S, C)}}
#define REF_4(S, A, B, C, D) {4, {REF_FIELD(S, A), REF_FIELD(S, B), REF_FIELD(S, C), REF_FIELD(S, D)}}
#define REF_6(S, A, B, C, D, E, F) \
    {6, {REF_FIELD(S, A), REF_FIELD(S, B), REF_FIELD(S, C), REF_FIELD(S, D), REF_FIELD(S, E), REF_FIELD(S, F)}}
#define REF_8(S, A, B, C, D, E, F, G, H) \
    {8, {REF_FIELD(S, A), REF_FIELD(S, B), REF_FIELD(S, C), REF_FIELD(S, D), REF_FIELD(S, E), REF_FIELD(S, F), \
         REF_FIELD(S, G), REF_FIELD(S, H)}}
/* The value's, and the same ones of the input. */
#define REF_BOTH(...) REF_FIELDS(__VA_ARGS__), REF_FIELDS(__VA_ARGS__)

#endif

/* SPDX-License-Identifier: MIT */
/*
 * The larger operators of ref_user.c: many fields, vector fields, maps, extra outputs.
 */
#include "ref_functions.h"
#include "shared_operators.h"

#include <math.h>

#define COMBINE_NEUTRAL .combine = "combine", .neutral = "neutral"

/* ---- Eight fields: an affine map of 64 bits (hash, factor) that does not commute, and sums of all sizes ---- */

typedef struct eight {
    cl_uchar a;
    cl_ulong hash;
    cl_ushort c;
    cl_uint d;
    cl_long e;
    cl_uint2 f;
    cl_char g;
    cl_ulong factor;
} eight;

static const clf_operator eight_clf = {
    .size = sizeof(clf_operator), COMBINE_NEUTRAL,
    /* Names of parameters of the macros that handle fields (cl/memory/value.cl), and of variables there. */
    .value = "uchar type; ulong hash; ushort move; uint bytes; long name; uint2 f; char F; ulong w;",
    .source =
    "clf_value neutral(void)\n"
    "{\n"
    "    clf_value r;\n"
    "    r.type = 0; r.hash = 0; r.move = 0; r.bytes = 0; r.name = 0; r.f = (uint2)(0, 0); r.F = 0; r.w = 1;\n"
    "    return r;\n"
    "}\n"
    "clf_value combine(clf_value x, clf_value y)\n"
    "{\n"
    "    x.type += y.type; x.hash = x.hash * y.w + y.hash; x.move ^= y.move; x.bytes += y.bytes; x.name += y.name;\n"
    "    x.f += y.f; x.F ^= y.F; x.w *= y.w;\n"
    "    return x;\n"
    "}\n"};

static void eight_combine(const void *left, const void *right, void *out)
{
    eight x = *(const eight *)left;
    const eight y = *(const eight *)right;
    x.a = (cl_uchar)(x.a + y.a);
    x.hash = x.hash * y.factor + y.hash;
    x.c ^= y.c;
    x.d += y.d;
    x.e += y.e;
    x.f.s[0] += y.f.s[0];
    x.f.s[1] += y.f.s[1];
    x.g ^= y.g;
    x.factor *= y.factor;
    *(eight *)out = x;
}

static void eight_generate(gen *random, cl_ulong index, void *input)
{
    uint64_t bits = gen_bits(random);
    *(eight *)input = (eight){
        .a = (cl_uchar)bits, .hash = gen_bits(random), .c = (cl_ushort)(bits >> 8), .d = (cl_uint)(bits >> 24),
        .e = gen_between(random, -1000000000, 1000000000) * 1000, .f = {{(cl_uint)bits, (cl_uint)index}},
        .g = (cl_char)(bits >> 50), .factor = gen_bits(random) | 1};
}

#define EIGHT_LAYOUT                                                                                             \
    {8, {REF_FIELD(eight, a), REF_FIELD(eight, hash), REF_FIELD(eight, c), REF_FIELD(eight, d),                  \
         REF_FIELD(eight, e), REF_FIELD(eight, f), REF_FIELD(eight, g), REF_FIELD(eight, factor)}}
const ref_operator ref_eight = {
    .name = "eight", .clf = &eight_clf, .value = EIGHT_LAYOUT, .input = EIGHT_LAYOUT,
    .neutral = &(const eight){.factor = 1}, .combine = eight_combine, .generate = eight_generate};

/* ---- Vector fields ------------------------------------------------------------------------------------------ */

typedef struct vectors {
    cl_char16 a;
    cl_float4 b;
    cl_long2 c;
} vectors;

static const clf_operator vectors_clf = {
    .size = sizeof(clf_operator), COMBINE_NEUTRAL,
    .value = "char16 a; float4 b; long2 c;",
    .source =
    "clf_value neutral(void)\n"
    "{\n"
    "    clf_value r;\n"
    "    r.a = (char16)(0); r.b = (float4)(-INFINITY); r.c = (long2)(0);\n"
    "    return r;\n"
    "}\n"
    "clf_value combine(clf_value x, clf_value y)\n"
    "{ x.a ^= y.a; x.b = fmax(x.b, y.b); x.c += y.c; return x; }\n"};

static void vectors_combine(const void *left, const void *right, void *out)
{
    vectors x = *(const vectors *)left;
    const vectors *y = right;
    for (int i = 0; i < 16; ++i)
        x.a.s[i] ^= y->a.s[i];
    for (int i = 0; i < 4; ++i)
        x.b.s[i] = x.b.s[i] > y->b.s[i] ? x.b.s[i] : y->b.s[i];
    for (int i = 0; i < 2; ++i)
        x.c.s[i] += y->c.s[i];
    *(vectors *)out = x;
}

static void vectors_generate(gen *random, cl_ulong index, void *input)
{
    vectors *x = input;
    for (int i = 0; i < 16; ++i)
        x->a.s[i] = (cl_char)gen_bits(random);
    for (int i = 0; i < 4; ++i)
        gen_builtin(random, CLF_MAX, CLF_FLOAT, index, &x->b.s[i]);
    for (int i = 0; i < 2; ++i)
        x->c.s[i] = gen_between(random, -1000000000, 1000000000) * 1000;
}

#define VECTORS_LAYOUT REF_FIELDS(vectors, a, b, c)
#define LEAST_FLOATS {{-INFINITY, -INFINITY, -INFINITY, -INFINITY}}
const ref_operator ref_vectors = {
    .name = "vectors", .clf = &vectors_clf, .value = VECTORS_LAYOUT, .input = VECTORS_LAYOUT,
    .neutral = &(const vectors){.b = LEAST_FLOATS}, .combine = vectors_combine, .generate = vectors_generate};

/* ---- Bracket matching (the bicyclic monoid): what a stretch of brackets closes and opens ------------------- */

typedef struct brackets {
    cl_uint closes, opens;
} brackets;

static const clf_operator brackets_clf = {
    .size = sizeof(clf_operator), COMBINE_NEUTRAL,
    .value = "uint closes; uint opens;",
    .source =
    "clf_value neutral(void) { clf_value r = {0, 0}; return r; }\n"
    "clf_value combine(clf_value x, clf_value y)\n"
    "{\n"
    "    uint matched = min(x.opens, y.closes);\n"
    "    clf_value r = {x.closes + y.closes - matched, x.opens + y.opens - matched};\n"
    "    return r;\n"
    "}\n"};

static void brackets_combine(const void *left, const void *right, void *out)
{
    const brackets x = *(const brackets *)left, y = *(const brackets *)right;
    cl_uint matched = x.opens < y.closes ? x.opens : y.closes;
    *(brackets *)out = (brackets){x.closes + y.closes - matched, x.opens + y.opens - matched};
}

REF_GENERATE(brackets_generate, brackets, gen_chance(random, 50) ? (brackets){1, 0} : (brackets){0, 1})

#define BRACKETS_LAYOUT REF_FIELDS(brackets, closes, opens)
const ref_operator ref_brackets = {
    .name = "brackets", .clf = &brackets_clf, .value = BRACKETS_LAYOUT, .input = BRACKETS_LAYOUT,
    .neutral = &(const brackets){0, 0}, .combine = brackets_combine, .generate = brackets_generate};

/* ---- Longest sorted stretch (a "longest satisfying segment problem"): map of one array to six fields ------- */

typedef struct lssp {
    cl_int best, prefix, suffix, length, first, last;
} lssp;

static cl_int larger(cl_int a, cl_int b)
{
    return a > b ? a : b;
}

static void lssp_combine(const void *left, const void *right, void *out)
{
    const lssp x = *(const lssp *)left, y = *(const lssp *)right;
    if (x.length == 0 || y.length == 0) {
        *(lssp *)out = x.length == 0 ? y : x;
        return;
    }
    bool joined = x.last <= y.first;
    *(lssp *)out = (lssp){
        .best = larger(larger(x.best, y.best), joined ? x.suffix + y.prefix : 0),
        .prefix = joined && x.prefix == x.length ? x.length + y.prefix : x.prefix,
        .suffix = joined && y.suffix == y.length ? x.suffix + y.length : y.suffix,
        .length = x.length + y.length, .first = x.first, .last = y.last};
}

REF_MAP_PLAIN(lssp_map, cl_int, lssp, (lssp){1, 1, 1, 1, x, x})

/* Climbs for long, then falls: stretches span many tiles. */
static void lssp_generate(gen *random, cl_ulong index, void *input)
{
    bool fall = gen_chance(random, 1) && gen_chance(random, 5);
    *(cl_int *)input = fall ? -(cl_int)index : (cl_int)index;
}

const ref_operator ref_lssp = {
    .name = "lssp", .clf = &shared_lssp,
    .value = REF_FIELDS(lssp, best, prefix, suffix, length, first, last), .input = REF_ONE(cl_int),
    .neutral = &(const lssp){0}, .combine = lssp_combine, .map = lssp_map, .generate = lssp_generate};

/* ---- Two inputs of different types, a map that knows the index, two extra outputs -------------------------- */

typedef struct select_input {
    cl_uchar flag;
    cl_float weight;
} select_input;

typedef struct select_value {
    cl_uint kept;
    cl_float total;
} select_value;

typedef struct select_extra {
    cl_ushort tripled;
    cl_ulong where;
} select_extra;

static const clf_operator select_clf = {
    .size = sizeof(clf_operator), COMBINE_NEUTRAL, .map = "select_map", .flags = CLF_COMMUTATIVE,
    .value = "uint kept; float total;", .input = "uchar flag; float weight;", .extra = "ushort tripled; ulong where;",
    .source =
    "clf_value neutral(void) { clf_value r = {0, 0.0f}; return r; }\n"
    "clf_value combine(clf_value x, clf_value y)\n"
    "{ clf_value r = {x.kept + y.kept, x.total + y.total}; return r; }\n"
    "clf_value select_map(clf_input x, ulong index, clf_extra *extra)\n"
    "{\n"
    "    clf_value r = {x.flag, x.flag ? x.weight : 0.0f};\n"
    "    extra->tripled = (ushort)(3 * (int)x.weight);\n"
    "    extra->where = 5 * index + x.flag;\n"
    "    return r;\n"
    "}\n"};

REF_COMBINE(select_combine, select_value, (select_value){x.kept + y.kept, x.total + y.total})

static void select_map(const void *input, cl_ulong index, void *value, void *extra)
{
    const select_input x = *(const select_input *)input;
    *(select_value *)value = (select_value){x.flag, x.flag ? x.weight : 0.0f};
    *(select_extra *)extra = (select_extra){(cl_ushort)(3 * (int)x.weight), 5 * index + x.flag};
}

REF_GENERATE(select_generate, select_input, (select_input){gen_chance(random, 50), (float)gen_below(random, 16)})

const ref_operator ref_select = {
    .name = "select", .clf = &select_clf,
    .value = REF_FIELDS(select_value, kept, total), .input = REF_FIELDS(select_input, flag, weight),
    .extra = REF_FIELDS(select_extra, tripled, where),
    .neutral = &(const select_value){0, 0}, .combine = select_combine, .map = select_map,
    .generate = select_generate};

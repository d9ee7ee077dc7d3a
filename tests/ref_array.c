/* SPDX-License-Identifier: MIT */
/*
 * Operators whose fields are arrays, for ref_user.c:
 *
 *     grid      operands swapped: a product of matrices; 36 bytes, which no vector is
 *     sums      a built-in operator on each of ten floats
 *     bundle    arrays of all sizes of scalars beside plain fields; a map, and extra outputs
 */
#include "ref_functions.h"

#include <string.h>

/* ---- Product of 3×3 matrices, with wrap-around ---------------------------------------------------------- */

typedef struct grid {
    cl_uint m[9];
} grid;

static const clf_operator grid_clf = {
    .size = sizeof(clf_operator), .value = "uint m[9];", .combine = "times", .neutral = "one",
    .source =
    "clf_value one(void) { clf_value e = {{{1, 0, 0, 0, 1, 0, 0, 0, 1}}}; return e; }\n"
    "clf_value times(clf_value a, clf_value b)\n"
    "{\n"
    "    clf_value r;\n"
    "    for (int i = 0; i < 9; ++i)\n"
    "        r.m[i] = a.m[i / 3 * 3] * b.m[i % 3] + a.m[i / 3 * 3 + 1] * b.m[i % 3 + 3]\n"
    "               + a.m[i / 3 * 3 + 2] * b.m[i % 3 + 6];\n"
    "    return r;\n"
    "}\n"};

static void grid_combine(const void *left, const void *right, void *out)
{
    const grid a = *(const grid *)left, b = *(const grid *)right;
    grid *const r = out;
    for (int i = 0; i < 9; ++i) {
        r->m[i] = 0;
        for (int k = 0; k < 3; ++k)
            r->m[i] += a.m[i / 3 * 3 + k] * b.m[3 * k + i % 3];
    }
}

/* Determinant 1, so that no product ever collapses. */
static void grid_generate(gen *random, cl_ulong index, void *input)
{
    static const int places[] = {1, 2, 3, 5, 6, 7};
    grid *const x = input;
    *x = (grid){{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    x->m[places[index % 6]] = (cl_uint)gen_bits(random);
}

const ref_operator ref_grid = {
    .name = "grid", .clf = &grid_clf, .value = REF_FIELDS(grid, m), .input = REF_FIELDS(grid, m),
    .neutral = &(const grid){{1, 0, 0, 0, 1, 0, 0, 0, 1}}, .combine = grid_combine, .generate = grid_generate};

/* ---- Ten sums ------------------------------------------------------------------------------------------- */

typedef struct sums {
    cl_float a[10];
} sums;

static const clf_operator sums_clf = {
    .size = sizeof(clf_operator), .value = "float a[10];", .combine = "clf_sum", .flags = CLF_COMMUTATIVE};

static void sums_combine(const void *left, const void *right, void *out)
{
    const sums x = *(const sums *)left, y = *(const sums *)right;
    for (int i = 0; i < 10; ++i)
        ((sums *)out)->a[i] = x.a[i] + y.a[i];
}

static void sums_generate(gen *random, cl_ulong index, void *input)
{
    for (int i = 0; i < 10; ++i)
        ((sums *)input)->a[i] = (float)gen_below(random, index % 64 ? 8 : 16);
}

const ref_operator ref_sums = {
    .name = "sums", .clf = &sums_clf, .value = REF_FIELDS(sums, a), .input = REF_FIELDS(sums, a),
    .neutral = &(const sums){{0}}, .real = sizeof(cl_float), .combine = sums_combine, .generate = sums_generate};

/* ---- Arrays of all sizes -------------------------------------------------------------------------------- */

typedef struct bundle_input {
    cl_uchar x[7], one[1];
    cl_ushort y;
} bundle_input;

typedef struct bundle {
    cl_uchar last[3];
    cl_ulong affine[2]; /* as ref_affine: a hash, a factor */
    cl_short sum[3];
    cl_uint count;
} bundle;

typedef struct bundle_extra {
    cl_char e[7]; /* in the place of an input */
    cl_uint n[2];
} bundle_extra;

static const clf_operator bundle_clf = {
    .size = sizeof(clf_operator), .combine = "combine", .neutral = "neutral", .map = "made",
    .input = "uchar type[7]; uchar one[1]; ushort y;",
    .value = "uchar last[3]; ulong affine[2]; short sum[3]; uint count;", .extra = "char e[7]; uint n[2];",
    .source =
    "clf_value neutral(void) { clf_value e = {.last = {0}, .affine = {0, 1}, .sum = {0}, .count = 0}; return e; }\n"
    "clf_value combine(clf_value a, clf_value b)\n"
    "{\n"
    "    for (int i = 0; i < 3; ++i)\n"
    "        a.last[i] = b.count ? b.last[i] : a.last[i];\n"
    "    a.affine[0] = a.affine[0] * b.affine[1] + b.affine[0];\n"
    "    a.affine[1] *= b.affine[1];\n"
    "    for (int i = 0; i < 3; ++i)\n"
    "        a.sum[i] = (short)((ushort)a.sum[i] + (ushort)b.sum[i]);\n"
    "    a.count += b.count;\n"
    "    return a;\n"
    "}\n"
    "clf_value made(clf_input x, ulong index, clf_extra *extra)\n"
    "{\n"
    "    clf_value v;\n"
    "    for (int i = 0; i < 3; ++i)\n"
    "        v.last[i] = x.type[i];\n"
    "    v.affine[0] = x.y;\n"
    "    v.affine[1] = 2 * (ulong)x.one[0] + 1;\n"
    "    for (int i = 0; i < 3; ++i)\n"
    "        v.sum[i] = (short)(x.type[i + 4] * (i + 1));\n"
    "    v.count = 1;\n"
    "    for (int i = 0; i < 7; ++i)\n"
    "        extra->e[i] = (char)(x.type[i] / 2);\n"
    "    extra->n[0] = (uint)index;\n"
    "    extra->n[1] = x.y;\n"
    "    return v;\n"
    "}\n"};

static void bundle_combine(const void *left, const void *right, void *out)
{
    bundle a = *(const bundle *)left;
    const bundle b = *(const bundle *)right;
    if (b.count)
        memcpy(a.last, b.last, sizeof a.last);
    a.affine[0] = a.affine[0] * b.affine[1] + b.affine[0];
    a.affine[1] *= b.affine[1];
    for (int i = 0; i < 3; ++i)
        a.sum[i] = (cl_short)((cl_ushort)a.sum[i] + (cl_ushort)b.sum[i]);
    a.count += b.count;
    *(bundle *)out = a;
}

static void bundle_map(const void *input, cl_ulong index, void *value, void *extra)
{
    const bundle_input x = *(const bundle_input *)input;
    bundle *const v = value;
    *v = (bundle){{x.x[0], x.x[1], x.x[2]}, {x.y, 2 * (cl_ulong)x.one[0] + 1}, {0}, 1};
    for (int i = 0; i < 3; ++i)
        v->sum[i] = (cl_short)(x.x[i + 4] * (i + 1));
    for (int i = 0; i < 7; ++i)
        ((bundle_extra *)extra)->e[i] = (cl_char)(x.x[i] / 2);
    ((bundle_extra *)extra)->n[0] = (cl_uint)index;
    ((bundle_extra *)extra)->n[1] = x.y;
}

static void bundle_generate(gen *random, cl_ulong index, void *input)
{
    bundle_input *const x = input;
    (void)index;
    for (int i = 0; i < 7; ++i)
        x->x[i] = (cl_uchar)gen_bits(random);
    x->one[0] = (cl_uchar)gen_bits(random);
    x->y = (cl_ushort)gen_bits(random);
}

const ref_operator ref_bundle = {
    .name = "bundle", .clf = &bundle_clf,
    .value = REF_FIELDS(bundle, last, affine, sum, count), .input = REF_FIELDS(bundle_input, x, one, y),
    .extra = REF_FIELDS(bundle_extra, e, n),
    .neutral = &(const bundle){{0}, {0, 1}, {0}, 0}, .combine = bundle_combine, .map = bundle_map,
    .generate = bundle_generate};

/* SPDX-License-Identifier: MIT */
/* Sorts for tests: keys of every type alone, with payload, of several fields, behind a map. */
#include "ref.h"

#include <string.h>

/* A field of so many bytes, the k-th; and operators with fields of these. */
#define AT(bytes, k) {(bytes), (k) * 16}
#define OPERATOR(...) &(const clf_operator){.size = sizeof(clf_operator), __VA_ARGS__}

static const clf_operator scalars[CLF_TYPE_COUNT] = {
#define SCALAR(type) {.size = sizeof(clf_operator), .value = type " v;"}
    SCALAR("char"), SCALAR("uchar"), SCALAR("short"), SCALAR("ushort"), SCALAR("int"), SCALAR("uint"),
    SCALAR("long"), SCALAR("ulong"), SCALAR("half"),  SCALAR("float"),  SCALAR("double"), SCALAR("bfloat16")};

static cl_ulong mixed(cl_ulong index)
{
    return (index + 1) * 0x9e3779b97f4a7c15u >> 7;
}

/* By what two fields make together, small whole numbers, so that squares are exact. */
static void radius_key(const void *value, void *key)
{
    cl_float p[2];
    memcpy(&p[0], value, sizeof p[0]);
    memcpy(&p[1], (const char *)value + 16, sizeof p[1]);
    const cl_float squared = p[0] * p[0] + p[1] * p[1];
    memcpy(key, &squared, sizeof squared);
}

static void radius_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_float p[2] = {(cl_float)(bits & 63) - 32, (cl_float)(bits >> 6 & 63) - 32};
    (void)index;
    memcpy(x, &p[0], sizeof p[0]);
    memcpy((char *)x + 16, &p[1], sizeof p[1]);
}

static void order_map(const void *x, cl_ulong index, void *value)
{
    const cl_uint at = (cl_uint)index;
    memcpy(value, x, sizeof(cl_float));
    memcpy((char *)value + 16, &at, sizeof at);
}

/* What is captured hides the key: that of element i is x ^ hidden[i]. */
static void captured_map(const void *x, cl_ulong index, void *value)
{
    cl_uint parts[2];
    memcpy(&parts[0], x, sizeof parts[0]);
    memcpy(&parts[1], (const char *)x + 16, sizeof parts[1]);
    parts[0] ^= parts[1];
    memcpy(value, &index, sizeof index);
    memcpy((char *)value + 16, &parts[0], sizeof parts[0]);
}

static void captured_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_uint hidden = (cl_uint)mixed(index), shown = (cl_uint)bits ^ hidden;
    memcpy(x, &shown, sizeof shown);
    memcpy((char *)x + 16, &hidden, sizeof hidden);
}

/* Row i, whose key lies in a captured column. */
static void indirect_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_uint row = (cl_uint)index, key = (cl_uint)bits;
    memcpy(x, &row, sizeof row);
    memcpy((char *)x + 16, &key, sizeof key);
}

static void indirect_key(const void *value, void *key)
{
    memcpy(key, (const char *)value + 16, sizeof(cl_int));
}

/* Keys that differ in both halves, or in one of them, by bits alone. */
static void halves_of(cl_ulong bits, cl_ulong halves[2])
{
    halves[0] = bits % 4 == 1 ? 5 : bits;
    halves[1] = bits % 4 == 2 ? 5 : bits % 4 == 3 ? ~bits >> 8 : bits;
}

static void ulong2_make(cl_ulong bits, cl_ulong index, void *x)
{
    (void)index;
    halves_of(bits, x);
}

static void halves_make(cl_ulong bits, cl_ulong index, void *x)
{
    cl_ulong halves[2];
    halves_of(bits, halves);
    memcpy(x, &halves[0], sizeof halves[0]);
    memcpy((char *)x + 16, &index, sizeof(cl_uint));
    memcpy((char *)x + 2 * 16, &halves[1], sizeof halves[1]);
}

static void halves_key(const void *value, void *key)
{
    memcpy(key, value, sizeof(cl_ulong));
    memcpy((char *)key + sizeof(cl_ulong), (const char *)value + 2 * 16, sizeof(cl_ulong));
}

static void wide_make(cl_ulong bits, cl_ulong index, void *x)
{
    for (cl_ulong k = 0; k < 16; ++k) {
        const cl_ulong part = k == 3 ? bits : mixed(16 * index + k);
        memcpy((char *)x + 8 * k, &part, sizeof part);
    }
}

static void wide_key(const void *value, void *key)
{
    memcpy(key, (const char *)value + 3 * 8, 8);
}

static void constant_key(const void *value, void *key)
{
    const cl_uint seven = 7;
    (void)value;
    memcpy(key, &seven, sizeof seven);
}

#define BOTH(...) .value = {__VA_ARGS__}, .input = {__VA_ARGS__}
static const ref_sort sorts[REF_SORT_COUNT - CLF_TYPE_COUNT] = {
#define OF(which) [REF_SORT_##which - CLF_TYPE_COUNT]
    OF(PAIR) = {"pairs", OPERATOR(.value = "float key; uint payload;"), CLF_FLOAT, BOTH(2, {AT(4, 0), AT(4, 1)})},
    OF(LAST) = {"tuples by the last field",
                OPERATOR(.value = "uint tag; uchar mark; short key;", .key = "short by",
                         .source = "short by(clf_value v) { return v.key; }"),
                CLF_SHORT, BOTH(3, {AT(4, 0), AT(1, 1), AT(2, 2)}), .field = 2},
    OF(RADIUS) = {"points by distance",
                  OPERATOR(.value = "float x; float y;", .key = "float radius",
                           .source = "float radius(clf_value p) { return p.x * p.x + p.y * p.y; }"),
                  CLF_FLOAT, BOTH(2, {AT(4, 0), AT(4, 1)}), .key = radius_key, .make = radius_make},
    OF(ORDER) = {"keys and where they were",
                 OPERATOR(.input = "float key;", .value = "float key; uint index;", .map = "at",
                          .source = "clf_value at(clf_input x, ulong i) { clf_value v = {x.key, (uint)i}; return v; }"),
                 CLF_FLOAT, .value = {2, {AT(4, 0), AT(4, 1)}}, .input = {1, {AT(4, 0)}}, .map = order_map},
    OF(CAPTURED) = {"indices by captured keys",
                    OPERATOR(.input = "uint x;", .captured = "uint hidden;", .value = "ulong at; uint key;",
                             .map = "show", .key = "uint shown",
                             .source = "uint shown(clf_value v, const clf_captured *c) { return v.key; }\n"
                                       "clf_value show(clf_input x, ulong i, const clf_captured *c)\n"
                                       "{ clf_value v = {i, x.x ^ c->hidden[i]}; return v; }"),
                    CLF_UINT, .value = {2, {AT(8, 0), AT(4, 1)}}, .input = {2, {AT(4, 0), AT(4, 1)}}, .field = 1,
                    .map = captured_map, .make = captured_make},
    OF(VECTORS) = {"vectors by shorts", OPERATOR(.value = "ushort key; float4 payload; uchar2 two;"), CLF_USHORT,
                   BOTH(3, {AT(2, 0), AT(16, 1), AT(2, 2)})},
    OF(MIXED) = {"longs with 1 to 16 bytes",
                 OPERATOR(.value = "long key; uchar a; ushort b; uint c; ulong d; uint4 e; char16 f; short2 g;"),
                 CLF_LONG,
                 BOTH(8, {AT(8, 0), AT(1, 1), AT(2, 2), AT(4, 3), AT(8, 4), AT(16, 5), AT(16, 6), AT(4, 7)})},
    OF(MANY) = {"sixteen fields",
                OPERATOR(.value = "uchar a; uchar b; uchar c; uchar d; ushort e; ushort f; ushort g; ushort h; uint i; "
                                  "uint j; uint k; uint l; uchar m; uchar n; uint key; uchar o;",
                         .key = "uint by", .source = "uint by(clf_value v) { return v.key; }"),
                CLF_UINT,
                BOTH(16, {AT(1, 0), AT(1, 1), AT(1, 2), AT(1, 3), AT(2, 4), AT(2, 5), AT(2, 6), AT(2, 7), AT(4, 8),
                          AT(4, 9), AT(4, 10), AT(4, 11), AT(1, 12), AT(1, 13), AT(4, 14), AT(1, 15)}),
                .field = 14},
    OF(WIDE) = {"128 bytes",
                OPERATOR(.value = "ulong16 v;", .key = "ulong fourth",
                         .source = "ulong fourth(clf_value x) { return x.v.s3; }"),
                CLF_ULONG, BOTH(1, {{128, 0}}), .key = wide_key, .make = wide_make},
    OF(CONSTANT) = {"pairs by a constant",
                    OPERATOR(.value = "uint key; ushort payload;", .key = "uint seven",
                             .source = "uint seven(clf_value v) { return 7; }"),
                    CLF_UINT, BOTH(2, {AT(4, 0), AT(2, 1)}), .key = constant_key},
    OF(INDIRECT) = {"rows by a captured column",
                    OPERATOR(.value = "uint row;", .captured = "int column;", .key = "int by",
                             .source = "int by(clf_value v, const clf_captured *c) { return c->column[v.row]; }"),
                    CLF_INT, .value = {1, {AT(4, 0)}}, .input = {2, {AT(4, 0), AT(4, 1)}}, .key = indirect_key,
                    .make = indirect_make},
    OF(ARRAYS) = {"shorts with arrays",
                  OPERATOR(.value = "uchar a[7]; short key; uint b[3]; ulong c[1];", .key = "short by",
                           .source = "short by(clf_value v) { return v.key; }"),
                  CLF_SHORT, BOTH(4, {AT(7, 0), AT(2, 1), AT(12, 2), AT(8, 3)}), .field = 1},
    OF(ULONG2) = {"ulong2 alone", OPERATOR(.value = "ulong2 v;"), CLF_ULONG, true, BOTH(1, {AT(16, 0)}),
                  .make = ulong2_make},
    OF(HALVES) = {"tuples by 128 bits",
                  OPERATOR(.value = "ulong low; uint tag; ulong high;", .key = "ulong2 whole",
                           .source = "ulong2 whole(clf_value v) { return (ulong2)(v.low, v.high); }"),
                  CLF_ULONG, true, BOTH(3, {AT(8, 0), AT(4, 1), AT(8, 2)}), .key = halves_key, .make = halves_make},
    OF(ARRAY) = {"arrays alone", OPERATOR(.value = "short a[5];", .key = "short by",
                                          .source = "short by(clf_value v) { return v.a[0]; }"),
                 CLF_SHORT, BOTH(1, {AT(10, 0)})},
};

const ref_sort *ref_sort_of(int which)
{
    static const ref_sort of_scalars[CLF_TYPE_COUNT] = {
#define ALONE(TYPE, bytes) [TYPE] = {#TYPE " alone", &scalars[TYPE], TYPE, BOTH(1, {AT(bytes, 0)})}
        ALONE(CLF_CHAR, 1), ALONE(CLF_UCHAR, 1), ALONE(CLF_SHORT, 2), ALONE(CLF_USHORT, 2),
        ALONE(CLF_INT, 4),  ALONE(CLF_UINT, 4),  ALONE(CLF_LONG, 8),  ALONE(CLF_ULONG, 8),
        ALONE(CLF_HALF, 2), ALONE(CLF_FLOAT, 4), ALONE(CLF_DOUBLE, 8), ALONE(CLF_BFLOAT16, 2)};
    return which < CLF_TYPE_COUNT ? &of_scalars[which] : &sorts[which - CLF_TYPE_COUNT];
}

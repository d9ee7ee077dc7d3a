/* SPDX-License-Identifier: MIT */
/* Expansions: the reference, and operators. */
#include "ref_expand.h"

#include "primitives.h"

#include <string.h>

#define NUMBER "    const uint n = (uint)(3 * at.segment + 7 * at.place + i) & 0xffff;\n"
#define CAPTURED_NUMBER "    const uint n = (uint)(3 * at.segment + 7 * at.place + i + c->x[at.segment]) & 0xffff;\n"
#define PLAIN(fields, of)                                                                                   \
    {.size = sizeof(clf_operator), .value = fields, .map = "result",                                        \
     .source = "clf_value result(clf_input at, ulong i)\n{\n" NUMBER "    clf_value v = {" of "};\n"        \
               "    return v;\n}\n"}
#define CAPTURED(fields, of)                                                                                \
    {.size = sizeof(clf_operator), .value = fields, .captured = "uint x;", .map = "result",                 \
     .source = "clf_value result(clf_input at, ulong i, const clf_captured *c)\n{\n" CAPTURED_NUMBER        \
               "    clf_value v = {" of "};\n    return v;\n}\n"}

static const clf_operator operators[REF_EXPAND_COUNT] = {
    CAPTURED("uint v;", "n"),
    PLAIN("ulong v;", "n"),
    CAPTURED("uchar v;", "(uchar)n"),
    PLAIN("ushort v;", "(ushort)n"),
    CAPTURED("float4 v;", "(float4)((float)n)"),
    PLAIN("long16 v;", "(long16)((long)n)"),
    CAPTURED("float x; uchar y; ulong z;", "(float)n, (uchar)(n + 1), n + 2"),
    PLAIN("int4 a; uchar b; ushort2 c; float d;",
          "(int4)((int)n), (uchar)(n + 1), (ushort2)((ushort)(n + 2)), (float)(n + 3)"),
    CAPTURED("uchar2 v;", "(uchar2)((uchar)n)"),
    PLAIN("ushort v[3]; ulong w[2];", "{(ushort)n, (ushort)n, (ushort)n}, {n + 1, n + 1}"),
};

static const ref_expand list[REF_EXPAND_COUNT] = {
    {"uint", true, &operators[0], 1, {{1, CLF_UINT}}},
    {"ulong", false, &operators[1], 1, {{1, CLF_ULONG}}},
    {"uchar", true, &operators[2], 1, {{1, CLF_UCHAR}}},
    {"ushort", false, &operators[3], 1, {{1, CLF_USHORT}}},
    {"float4", true, &operators[4], 1, {{4, CLF_FLOAT}}},
    {"long16", false, &operators[5], 1, {{16, CLF_LONG}}},
    {"float, uchar, ulong", true, &operators[6], 3, {{1, CLF_FLOAT}, {1, CLF_UCHAR}, {1, CLF_ULONG}}},
    {"int4, uchar, ushort2, float", false, &operators[7], 4,
     {{4, CLF_INT}, {1, CLF_UCHAR}, {2, CLF_USHORT}, {1, CLF_FLOAT}}},
    {"uchar2", true, &operators[8], 1, {{2, CLF_UCHAR}}},
    {"arrays", false, &operators[9], 2, {{3, CLF_USHORT}, {2, CLF_ULONG}}},
};

const ref_expand *ref_expand_of(int which)
{
    return &list[which];
}

size_t ref_expand_bytes(const ref_expand *op, size_t field)
{
    return op->field[field].width * clf_type_size(op->field[field].type);
}

static void put(clf_type type, cl_uint n, size_t at, void *out)
{
    const cl_uchar byte = (cl_uchar)n;
    const cl_ushort half = (cl_ushort)n;
    const cl_ulong whole = n;
    const cl_float real = (cl_float)n;
    const size_t bytes = clf_type_size(type);
    const void *const from = type == CLF_FLOAT ? (const void *)&real
                             : bytes == 1      ? (const void *)&byte
                             : bytes == 2      ? (const void *)&half
                             : bytes == 4      ? (const void *)&n
                                               : (const void *)&whole;
    memcpy((char *)out + at * bytes, from, bytes);
}

static void put_result(const ref_expand *op, cl_uint n, size_t i, void *const *out)
{
    for (size_t f = 0; f < op->fields; ++f)
        for (size_t k = 0; k < op->field[f].width; ++k)
            put(op->field[f].type, n + (cl_uint)f, i * op->field[f].width + k, out[f]);
}

cl_ulong ref_expand_run(const ref_expand *op, size_t count, const size_t *lengths, size_t room, const cl_uint *captured,
                        void *const *out)
{
    cl_ulong i = 0;
    for (size_t segment = 0; segment < count; ++segment)
        for (size_t place = 0; place < lengths[segment]; ++place, ++i)
            if (i < room)
                put_result(op, (cl_uint)(3 * segment + 7 * place + i + (op->captured ? captured[segment] : 0)) & 0xffff,
                           (size_t)i, out);
    return i;
}

/* ---- The registry ---------------------------------------------------------------------------------------------- */

static const clf_operator *operator_number(int number)
{
    return number < REF_EXPAND_COUNT ? &operators[number] : NULL;
}

/* By lengths, where nothing is said: they are scanned, too. */
static clf_status plan_of(clf_context *context, const plan_parts *p, const clf_plan_options *options, clf_plan **plan,
                          clf_error *error)
{
    static const clf_segmentation lengths = {sizeof lengths, CLF_BY_LENGTHS, CLF_UINT};
    const bool said = p->how && (p->how->by == CLF_BY_OFFSETS || p->how->by == CLF_BY_LENGTHS);
    return clf_expand_plan(context, p->op, said ? p->how : &lengths, p->flags, options, plan, error);
}

const primitive_row expand_row = {"expand", .by_parts = plan_of, .op = operator_number, .usual = REF_EXPAND_UINT};

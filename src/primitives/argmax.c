/* SPDX-License-Identifier: MIT */
/*
 * argmax: one-call functions for the least and the largest element and where it is: of an array, of rows and of
 * segments. They are reductions of elements with their indices.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>

/* ---- Plans --------------------------------------------------------------------------------------------- */

/*
 * No element has the index NONE. A number comes before a NaN, any element before none, and equal ones in order.
 * Compilers warn of a.v != a.v where v is an integer, and drivers print that; differ(a, a) is silent.
 */
#define BETTER                                                                                                         \
    "#define A NUMBER(a.v)\n"                                                                                          \
    "#define B NUMBER(b.v)\n"                                                                                          \
    "#define NONE ((INDEX)~0ul)\n"                                                                                     \
    "bool differ(clf_value a, clf_value b) { return A != B; }\n"                                                       \
    "bool is_better(clf_value b, clf_value a)\n"                                                                       \
    "{\n"                                                                                                              \
    "    if (differ(a, a))\n"                                                                                          \
    "        return differ(b, b) ? b.at < a.at : b.at != NONE;\n"                                                      \
    "    if (differ(b, b))\n"                                                                                          \
    "        return a.at == NONE;\n"                                                                                   \
    "    return B %s A || (B == A && b.at < a.at);\n"                                                                  \
    "}\n"                                                                                                              \
    "clf_value better(clf_value a, clf_value b) { return is_better(b, a) ? b : a; }\n"                                 \
    "clf_value none(void) { clf_value y; y.v = (%s)%s; y.at = NONE; return y; }\n"

/* The last that could be a minimum, or a maximum. */
static const char *limit(clf_type type, bool largest)
{
    static const char *const limits[CLF_TYPE_COUNT][2] = {
        [CLF_CHAR] = {"CHAR_MAX", "CHAR_MIN"}, [CLF_UCHAR] = {"UCHAR_MAX", "0"},
        [CLF_SHORT] = {"SHRT_MAX", "SHRT_MIN"}, [CLF_USHORT] = {"USHRT_MAX", "0"},
        [CLF_INT] = {"INT_MAX", "INT_MIN"}, [CLF_UINT] = {"UINT_MAX", "0"},
        [CLF_LONG] = {"LONG_MAX", "LONG_MIN"}, [CLF_ULONG] = {"ULONG_MAX", "0"},
        [CLF_HALF] = {"INFINITY", "-INFINITY"}, [CLF_FLOAT] = {"INFINITY", "-INFINITY"},
        [CLF_DOUBLE] = {"INFINITY", "-INFINITY"}, [CLF_BFLOAT16] = {"0x7f80", "0xff80"}};
    return limits[type][largest];
}

static bool is_max(clf_kept_kind kind)
{
    return kind == CLF_KEPT_ARGMAX || kind == CLF_KEPT_ROWS_ARGMAX || kind == CLF_KEPT_SEGMENTS_ARGMAX;
}

/* The operator, and the texts that it points to. */
typedef struct extreme {
    clf_placed placed;
    char source[1200];
    clf_operator op;
} extreme;

static const clf_operator *operator_of(const clf_wanted *w, clf_type index_type, bool rows, extreme *e)
{
    const bool largest = is_max(w->kind);
    e->op = *clf_placed_operator(&e->placed, w->type, index_type, rows);
    snprintf(e->source, sizeof e->source, "%s%s" BETTER, e->placed.source, CLF_NUMBERS(w->type), largest ? ">" : "<",
             clf_type_name(w->type), limit(w->type, largest));
    e->op.source = e->source;
    e->op.combine = "better";
    e->op.neutral = "none";
    e->op.flags = CLF_COMMUTATIVE;
    return &e->op;
}

static clf_status compile(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const bool rows = w->kind == CLF_KEPT_ROWS_ARGMIN || w->kind == CLF_KEPT_ROWS_ARGMAX;
    extreme e;
    return clf_reduce_plan(context, operator_of(w, w->other, rows, &e), w->flags, NULL, plan, error);
}

/* The types of indices and of offsets are in w->bytes, and w->other. */
static clf_status compile_segments(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    const clf_segmentation by_offsets = clf_kept_offsets(w->other);
    extreme e;
    return clf_irregular_reduce_plan(context, operator_of(w, (clf_type)w->bytes, false, &e), &by_offsets, w->flags,
                                     NULL, plan, error);
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

/* Refuses a type that does not tell so many indices, and that there is none, apart. */
static clf_status check_index(clf_context *context, const char *name, clf_type index_type, cl_ulong numbers)
{
    const cl_ulong with_none = numbers < CL_ULONG_MAX ? numbers + 1 : numbers;
    return clf_kept_check_index(context, name, "index_type", index_type, with_none);
}

static clf_status of_array(clf_context *context, const char *name, clf_kept_kind kind, const clf_call *call,
                           clf_type type, clf_type index_type, cl_ulong n, const clf_array *in, const clf_array *out)
{
    const clf_wanted wanted = {.kind = kind, .type = type, .other = index_type};
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    CLF_TRY(check_index(context, name, index_type, n));
    return clf_kept_call(context, name, call, &wanted, compile, &task);
}

static clf_status of_rows(clf_context *context, const char *name, clf_kept_kind kind, const clf_call *call,
                          clf_type type, clf_type index_type, cl_ulong count, cl_ulong size, const clf_array *in,
                          const clf_array *out)
{
    const clf_wanted wanted = {.kind = kind, .type = type, .other = index_type};
    clf_call copy;
    clf_task task = {.count = count, .size = size, .counted = true, .in = in, .out = out};
    CLF_TRY(check_index(context, name, index_type, size));
    return clf_kept_call(context, name, clf_placed_call(call, &copy), &wanted, compile, &task);
}

typedef struct segments {
    clf_type offset_type;
    cl_ulong n, count;
    clf_array offsets;
} segments;

static clf_status of_segments(clf_context *context, const char *name, clf_kept_kind kind, const clf_call *call,
                              clf_type type, clf_type index_type, const segments *s, const clf_array *in,
                              const clf_array *out)
{
    const clf_wanted wanted = {.kind = kind, .type = type, .other = s->offset_type, .bytes = (size_t)index_type};
    clf_task task = {.count = 1, .size = s->n, .entries = s->count, .segments = &s->offsets, .in = in, .out = out};
    CLF_TRY(check_index(context, name, index_type, s->n));
    CLF_TRY(clf_kept_check_index(context, name, "offset_type", s->offset_type, 0));
    return clf_kept_call(context, name, call, &wanted, compile_segments, &task);
}

clf_status clf_array_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type, cl_ulong n,
                            clf_array in, clf_array out_value, clf_array out_index)
{
    const clf_array out[] = {out_value, out_index};
    return of_array(context, __func__, CLF_KEPT_ARGMIN, call, type, index_type, n, &in, out);
}

clf_status clf_array_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type, cl_ulong n,
                            clf_array in, clf_array out_value, clf_array out_index)
{
    const clf_array out[] = {out_value, out_index};
    return of_array(context, __func__, CLF_KEPT_ARGMAX, call, type, index_type, n, &in, out);
}

clf_status clf_rows_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                           cl_ulong count, cl_ulong size, clf_array in, clf_array out_values, clf_array out_indices)
{
    const clf_array ins[] = {in, in}, out[] = {out_values, out_indices};
    return of_rows(context, __func__, CLF_KEPT_ROWS_ARGMIN, call, type, index_type, count, size, ins, out);
}

clf_status clf_rows_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                           cl_ulong count, cl_ulong size, clf_array in, clf_array out_values, clf_array out_indices)
{
    const clf_array ins[] = {in, in}, out[] = {out_values, out_indices};
    return of_rows(context, __func__, CLF_KEPT_ROWS_ARGMAX, call, type, index_type, count, size, ins, out);
}

clf_status clf_segments_argmin(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                               clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets, clf_array in,
                               clf_array out_values, clf_array out_indices)
{
    const segments s = {offset_type, n, count, offsets};
    const clf_array out[] = {out_values, out_indices};
    return of_segments(context, __func__, CLF_KEPT_SEGMENTS_ARGMIN, call, type, index_type, &s, &in, out);
}

clf_status clf_segments_argmax(clf_context *context, const clf_call *call, clf_type type, clf_type index_type,
                               clf_type offset_type, cl_ulong n, cl_ulong count, clf_array offsets, clf_array in,
                               clf_array out_values, clf_array out_indices)
{
    const segments s = {offset_type, n, count, offsets};
    const clf_array out[] = {out_values, out_indices};
    return of_segments(context, __func__, CLF_KEPT_SEGMENTS_ARGMAX, call, type, index_type, &s, &in, out);
}

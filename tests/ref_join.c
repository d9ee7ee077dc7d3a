/* SPDX-License-Identifier: MIT */
/*
 * Joined operators and their reference: on the device one operator made by clf_operator_join, here the operators
 * that it was made of, each on its own fields.
 *
 *     stats    sum, smallest and largest: built-ins, nothing but names that clash
 *     streaks  the longest sorted stretch, a recurrence that knows the index, and a sum: a map, a map, no map;
 *              one input, nine outputs; functions of the same names
 *     marks    two maps with extra outputs from two inputs of different types; fields of 1 to 8 bytes
 *     nested   a joined operator, joined with another
 */
#include "harness.h"
#include "ref_functions.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- A recurrence from one int: x → scale·x + shift --------------------------------------------------------- */

typedef struct ramp {
    cl_uint scale, shift;
} ramp;

static const clf_operator ramp_clf = {
    .size = sizeof(clf_operator), .value = "uint scale; uint shift;", .input = "int number;", .map = "map",
    .source = "#define FACTOR 3\n"
              "typedef uint word;\n"
              "enum { ONE = 1, STEP };\n"
              "constant word seed = 5;\n"
              "word shift(word a, word b) { return a * FACTOR + b * seed; } /* named as a field */\n"
              "clf_value neutral(void) { clf_value e = {ONE, 0}; return e; }\n"
              "clf_value map(clf_input x, ulong index)\n"
              "{ clf_value r = {STEP * (word)x.number + 1, shift((word)x.number, (word)index)}; return r; }\n"
              "clf_value combine(clf_value x, clf_value y)\n"
              "{ clf_value r = {x.scale * y.scale, x.shift * y.scale + y.shift}; return r; }\n",
    .combine = "combine", .neutral = "neutral"};

REF_COMBINE(ramp_combine, ramp, (ramp){x.scale * y.scale, x.shift * y.scale + y.shift})
REF_MAP_PLAIN(ramp_map, cl_int, ramp, (ramp){2 * (cl_uint)x + 1, (cl_uint)x * 3 + (cl_uint)index * 5})

static const ref_operator ramp_op = {
    .name = "ramp", .clf = &ramp_clf, .value = REF_FIELDS(ramp, scale, shift),
    .input = REF_ONE(cl_int), .neutral = &(const ramp){1, 0}, .combine = ramp_combine, .map = ramp_map};

/* ---- From a flag and a weight: the last weight under a flag, and two extra outputs -------------------------- */

typedef struct trace {
    cl_float total; /* named as a field of ref_select's, but something else */
    cl_uchar full;
} trace;

typedef struct trace_extra {
    cl_uchar flagged;
    cl_float where;
} trace_extra;

static const clf_operator trace_clf = {
    .size = sizeof(clf_operator), .value = "float total; uchar full;", .input = "uchar set; float amount;",
    .extra = "uchar flagged; float where;", .map = "trace_map",
    .source = "#define FACTOR 4\n"
              "enum { ONE = 7, STEP = ONE + 1 };\n"
              "typedef float word;\n"
              "word mix(word a, word b) { return a * FACTOR + b; }\n"
              "clf_value neutral(void) { clf_value e = {0, 0}; return e; }\n"
              "clf_value combine(clf_value x, clf_value y) { return y.full ? y : x; }\n"
              "clf_value trace_map(clf_input x, ulong index, clf_extra *extra)\n"
              "{\n"
              "    clf_value r = {x.set ? x.amount : 0, x.set != 0};\n"
              "    extra->flagged = (uchar)(x.set * ONE + STEP);\n"
              "    extra->where = mix(x.amount, (word)(index % 16));\n"
              "    return r;\n"
              "}\n",
    .combine = "combine", .neutral = "neutral"};

REF_COMBINE(trace_combine, trace, y.full ? y : x)

/* The input is ref_select's. */
static void trace_map(const void *input, cl_ulong index, void *value, void *extra)
{
    const cl_uchar flag = *((const cl_uchar *)input + ref_select.input.field[0].offset);
    cl_float weight;
    memcpy(&weight, (const char *)input + ref_select.input.field[1].offset, sizeof weight);
    *(trace *)value = (trace){flag ? weight : 0, flag != 0};
    *(trace_extra *)extra = (trace_extra){(cl_uchar)(flag * 7 + 8), weight * 4 + (cl_float)(index % 16)};
}

static const ref_operator trace_op = {
    .name = "trace", .clf = &trace_clf, .value = REF_FIELDS(trace, total, full),
    .extra = REF_FIELDS(trace_extra, flagged, where),
    .neutral = &(const trace){0}, .combine = trace_combine, .map = trace_map};

/* ---- Joining ----------------------------------------------------------------------------------------------------- */

enum { MOST = 4 };

typedef struct join {
    size_t count;
    const ref_operator *part[MOST];
    ref_operator op;
    _Alignas(REF_ALIGN) unsigned char neutral[REF_MAX_BYTES];
    clf_operator *joined;
} join;

static join joins[REF_JOIN_COUNT];

/* Copies between the joined struct and a part's: field `first` of the joined one is the part's first. */
static void copy_fields(const ref_layout *joined, size_t first, const ref_layout *own, void *to, const void *from,
                        bool in)
{
    for (size_t f = 0; f < own->count; ++f) {
        const size_t there = joined->field[first + f].offset, here = own->field[f].offset;
        memcpy((char *)to + (in ? here : there), (const char *)from + (in ? there : here), own->field[f].bytes);
    }
}

static void combine(const join *j, const void *left, const void *right, void *out)
{
    _Alignas(REF_ALIGN) unsigned char x[REF_MAX_BYTES], y[REF_MAX_BYTES], z[REF_MAX_BYTES];
    for (size_t i = 0, first = 0; i < j->count; first += j->part[i++]->value.count) {
        const ref_layout *own = &j->part[i]->value;
        copy_fields(&j->op.value, first, own, x, left, true);
        copy_fields(&j->op.value, first, own, y, right, true);
        j->part[i]->combine(x, y, z);
        copy_fields(&j->op.value, first, own, out, z, false);
    }
}

static void map(const join *j, const void *input, cl_ulong index, void *value, void *extra)
{
    _Alignas(REF_ALIGN) unsigned char v[REF_MAX_BYTES], e[REF_MAX_BYTES];
    for (size_t i = 0, first = 0, extras = 0; i < j->count; ++i) {
        const ref_operator *part = j->part[i];
        if (part->map)
            part->map(input, index, v, e);
        copy_fields(&j->op.value, first, &part->value, value, part->map ? v : input, false);
        copy_fields(&j->op.extra, extras, &part->extra, extra, e, false);
        first += part->value.count;
        extras += part->extra.count;
    }
}

/* Function pointers know nothing of the operator that they belong to: one pair of functions for each. */
#define FUNCTIONS(K)                                                                              \
    static void combine_##K(const void *a, const void *b, void *out) { combine(&joins[K], a, b, out); } \
    static void map_##K(const void *x, cl_ulong i, void *v, void *e) { map(&joins[K], x, i, v, e); }
FUNCTIONS(REF_STATS)
FUNCTIONS(REF_STREAKS)
FUNCTIONS(REF_MARKS)
FUNCTIONS(REF_NESTED)
#define POINTERS(K, NAME) [K] = {.name = NAME, .combine = combine_##K, .map = map_##K}
static const ref_operator functions[REF_JOIN_COUNT] = {
    POINTERS(REF_STATS, "joined stats"), POINTERS(REF_STREAKS, "joined streaks"),
    POINTERS(REF_MARKS, "joined marks"), POINTERS(REF_NESTED, "joined twice")};

/* Appends fields as C lays out structs. */
static size_t append_fields(ref_layout *joined, size_t end, const ref_layout *own)
{
    for (size_t f = 0; f < own->count; ++f) {
        const size_t bytes = own->field[f].bytes, offset = (end + bytes - 1) / bytes * bytes;
        joined->field[joined->count].bytes = bytes;
        joined->field[joined->count++].offset = offset;
        end = offset + bytes;
    }
    return end;
}

static clf_operator *join_on_device(size_t count, const clf_operator *const *list)
{
    clf_operator *joined = NULL;
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_join((cl_uint)count, list, &joined, &error);
    if (status != CLF_SUCCESS) { /* the fuzzer asks outside of any test, too */
        fprintf(stderr, "clf_operator_join: %d %s\n", status, error.message);
        abort();
    }
    return joined;
}

static void fill(int which, clf_operator *joined, size_t count, const ref_operator *const *part)
{
    join *j = &joins[which];
    size_t value_end = 0, extra_end = 0, first = 0;
    j->count = count;
    memcpy(j->part, part, count * sizeof *part);
    j->op = functions[which];
    j->joined = joined;
    j->op.clf = joined;
    j->op.input = part[0]->input;
    j->op.generate = part[0]->generate;
    j->op.neutral = j->neutral;
    for (size_t i = 0; i < count; ++i) {
        value_end = append_fields(&j->op.value, value_end, &part[i]->value);
        extra_end = append_fields(&j->op.extra, extra_end, &part[i]->extra);
    }
    for (size_t i = 0; i < count; first += part[i++]->value.count)
        copy_fields(&j->op.value, first, &part[i]->value, j->neutral, part[i]->neutral, false);
}

static void make(int which, size_t count, const ref_operator *const *part)
{
    const clf_operator *list[MOST];
    for (size_t i = 0; i < count; ++i)
        list[i] = ref_clf(part[i]);
    fill(which, join_on_device(count, list), count, part);
}

/* A sum, (the recurrence twice), and the largest. */
static void make_nested(void)
{
    const ref_operator *const part[] = {ref_builtin(CLF_SUM, CLF_INT), &ramp_op, &ramp_op,
                                        ref_builtin(CLF_MAX, CLF_INT)};
    const clf_operator *const inner[] = {ref_clf(part[1]), ref_clf(part[2])};
    clf_operator *const pair = join_on_device(2, inner);
    const clf_operator *const outer[] = {ref_clf(part[0]), pair, ref_clf(part[3])};
    fill(REF_NESTED, join_on_device(3, outer), 4, part);
    clf_operator_release(pair);
}

const ref_operator *ref_join(int which)
{
    if (joins[which].count == 0) {
        switch (which) {
        case REF_STATS:
            make(which, 3, (const ref_operator *const[]){ref_builtin(CLF_SUM, CLF_INT), ref_builtin(CLF_MIN, CLF_INT),
                                                         ref_builtin(CLF_MAX, CLF_INT)});
            break;
        case REF_STREAKS:
            make(which, 3, (const ref_operator *const[]){&ref_lssp, &ramp_op, ref_builtin(CLF_SUM, CLF_INT)});
            break;
        case REF_MARKS: make(which, 2, (const ref_operator *const[]){&ref_select, &trace_op}); break;
        default: make_nested();
        }
    }
    return &joins[which].op;
}

void ref_join_close(void)
{
    for (int which = 0; which < REF_JOIN_COUNT; ++which) {
        if (joins[which].joined)
            assert_ok(clf_operator_release(joins[which].joined));
        joins[which] = (join){.count = 0};
    }
}

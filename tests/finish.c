/* SPDX-License-Identifier: MIT */
/* Operators with finish, and calls of theirs. */
#include "finish.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const cl_uint finish_captured[FINISH_CAPTURED] = {3, 14, 15, 92, 65, 35, 89, 79};

/* ---- Affine functions ------------------------------------------------------------------------------------------ */

#define AFFINE                                                                                           \
    "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"                                     \
    "clf_value compose(clf_value x, clf_value y)\n"                                                      \
    "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"                                        \
    "clf_value function(clf_input in, ulong i, const clf_captured *c, clf_extra *e)\n"                   \
    "{ clf_value v = {2 * in.x + 1, in.y + (uint)i}; e->seen = in.x ^ c->w[i % 8]; return v; }\n"
#define AFFINE_FIELDS                                                                                    \
    .size = sizeof(clf_operator), .value = "uint p; uint q;", .input = "uint x; ushort y;",              \
    .extra = "uint seen;", .captured = "uint w;", .combine = "compose", .neutral = "identity", .map = "function"

static const clf_operator affine_scan = {
    AFFINE_FIELDS, .result = "ushort low; ulong both; uint rest;", .finish = "finish",
    .source = AFFINE "clf_result finish(clf_value a, clf_value before, clf_input in, ulong i, const clf_captured *c)\n"
                     "{\n"
                     "    clf_result r;\n"
                     "    r.low = (ushort)(a.q + in.y);\n"
                     "    r.both = (ulong)a.p << 32 | before.p;\n"
                     "    r.rest = before.q ^ (in.x + (uint)i * c->w[(i + a.q) % 8]);\n"
                     "    return r;\n"
                     "}\n"};
static const clf_operator affine_reduction = {
    AFFINE_FIELDS, .result = "ushort low; ulong both;", .finish = "finish",
    .source = AFFINE "clf_result finish(clf_value a, ulong i, const clf_captured *c)\n"
                     "{ clf_result r = {(ushort)(a.q + c->w[i % 8]), (ulong)a.p << 32 | (uint)i}; return r; }\n"};

static finish_value affine_map(finish_input in, cl_ulong i)
{
    return (finish_value){2 * in.x + 1, in.y + (cl_uint)i};
}

static finish_value affine_combine(finish_value x, finish_value y)
{
    return (finish_value){x.p * y.p, x.q * y.p + y.q};
}

static void affine_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_ushort)(s->value.q + s->x.y);
    out[1] = (cl_ulong)s->value.p << 32 | s->before.p;
    out[2] = s->before.q ^ (s->x.x + (cl_uint)s->index * finish_captured[(s->index + s->value.q) % FINISH_CAPTURED]);
}

static void affine_sum(finish_value v, cl_ulong i, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_ushort)(v.q + finish_captured[i % FINISH_CAPTURED]);
    out[1] = (cl_ulong)v.p << 32 | (cl_uint)i;
}

/* ---- Sums ------------------------------------------------------------------------------------------------------ */

#define SUM_FIELDS .size = sizeof(clf_operator), .value = "uint p;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE

static const clf_operator sum_scan = {
    SUM_FIELDS, .result = "uint r;", .finish = "finish",
    .source = "clf_result finish(clf_value a, clf_value before, clf_input x, ulong i)\n"
              "{ clf_result r = {a.p * 5 + before.p * 3 + x.p + (uint)i}; return r; }\n"};
static const clf_operator sum_reduction = {
    SUM_FIELDS, .result = "uchar r;", .finish = "finish",
    .source = "clf_result finish(clf_value a, ulong i) { clf_result r = {(uchar)(a.p + i)}; return r; }\n"};

static finish_value same_map(finish_input in, cl_ulong i)
{
    (void)i;
    return (finish_value){in.x, 0};
}

static finish_value sum_combine(finish_value x, finish_value y)
{
    return (finish_value){x.p + y.p, 0};
}

static void sum_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_uint)(s->value.p * 5 + s->before.p * 3 + s->x.x + (cl_uint)s->index);
}

static void sum_sum(finish_value v, cl_ulong i, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_uchar)(v.p + i);
}

/* ---- Minima of numbers that are told by their bits -------------------------------------------------------------- */

#define LEAST_FIELDS .size = sizeof(clf_operator), .value = "float p;", .combine = "clf_min", .flags = CLF_COMMUTATIVE

static const clf_operator least_scan = {
    LEAST_FIELDS, .result = "uint least; float before;", .finish = "finish",
    .source = "clf_result finish(clf_value a, clf_value before, clf_input x, ulong i)\n"
              "{ clf_result r = {as_uint(a.p) + as_uint(x.p) + (uint)i, before.p}; return r; }\n"};
static const clf_operator least_reduction = {
    LEAST_FIELDS, .result = "ulong least;", .finish = "finish",
    .source = "clf_result finish(clf_value a, ulong i) { clf_result r = {(ulong)as_uint(a.p) << 8 ^ i}; return r; }\n"};

/* Bits of positive numbers have the order of the numbers. */
static finish_value least_combine(finish_value x, finish_value y)
{
    return x.p < y.p ? x : y;
}

static void least_step(const finish_step *s, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_uint)(s->value.p + s->x.x + (cl_uint)s->index);
    out[1] = s->before.p;
}

static void least_sum(finish_value v, cl_ulong i, cl_ulong out[FINISH_FIELDS])
{
    out[0] = (cl_ulong)v.p << 8 ^ i;
}

const finish_operator finish_operators[FINISH_OPERATORS] = {
    {"affine", &affine_scan, &affine_reduction, 2, 3, {2, 8, 4}, {2, 8}, 2, {1, FINISH_NONE, 0}, affine_map,
     affine_combine, {1, 0}, affine_step, affine_sum},
    {"sum", &sum_scan, &sum_reduction, 1, 1, {4}, {1}, 1, {0}, same_map, sum_combine, {0, 0}, sum_step, sum_sum},
    {"least", &least_scan, &least_reduction, 1, 2, {4, 4}, {8}, 1, {FINISH_NONE, 0}, same_map, least_combine,
     {0x7f800000, 0}, least_step, least_sum},
};

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

enum { GUARD = 16 };

void finish_fill(finish_data *d, gen *random)
{
    static cl_uint x[FINISH_N];
    static cl_ushort y[FINISH_N];
    for (size_t i = 0; i < FINISH_N; ++i) {
        const float positive = (float)gen_below(random, 500);
        x[i] = (cl_uint)gen_bits(random);
        if (strcmp(d->op->name, "least") == 0)
            memcpy(&x[i], &positive, sizeof positive);
        y[i] = (cl_ushort)gen_bits(random);
        d->x[i] = (finish_input){x[i], y[i]};
    }
    d->in[0] = (clf_array){rig_buffer(sizeof x, x), 0};
    d->in[1] = (clf_array){rig_buffer(sizeof y, y), 0};
    if (d->op->inputs == 2)
        d->in[2] = (clf_array){rig_buffer(sizeof finish_captured, finish_captured), 0};
}

/* Segments of `size` elements, or of any, some of which are empty. */
void finish_cut(finish_data *d, gen *random, size_t size)
{
    d->count = 0;
    d->offsets[0] = 0;
    for (size_t at = 0; at < d->n && d->count < FINISH_N; d->offsets[++d->count] = (cl_uint)at) {
        at += size ? size : gen_chance(random, 30) ? 0 : gen_below(random, 60);
        at = at < d->n && d->count + 1 < FINISH_N ? at : d->n;
    }
    d->told = (clf_array){rig_buffer((d->count + 1) * sizeof *d->offsets, d->offsets), 0};
}

/* Outputs, of which those that can take the place of an input. */
void finish_open_outputs(finish_data *d, cl_uint results, const cl_uint *bytes, bool in_place)
{
    static cl_uchar pattern[(FINISH_N + GUARD) * 8];
    memset(pattern, 0xa5, sizeof pattern);
    for (cl_uint f = 0; f <= results; ++f) {
        const bool shared = in_place && f < results && d->op->place[f] != FINISH_NONE;
        const size_t element = f < results ? bytes[f] : 4; /* the extra output comes last */
        d->out[f] = shared ? d->in[d->op->place[f]]
                           : (clf_array){rig_buffer((FINISH_N + GUARD) * element, pattern), GUARD / 2};
    }
}

void finish_close_data(finish_data *d, cl_uint results, bool in_place)
{
    for (cl_uint f = 0; f <= results; ++f)
        if (!in_place || f == results || d->op->place[f] == FINISH_NONE)
            clReleaseMemObject(d->out[f].buffer);
    rig_release(d->in[0], d->in[1], d->told);
    if (d->op->inputs == 2)
        clReleaseMemObject(d->in[2].buffer);
}

/* Result i of a field, which must be this; places from `n` on are as they were. */
void finish_expect(const finish_data *d, cl_uint field, cl_uint bytes, bool shared, size_t n, const cl_ulong *wanted,
                   const char *what)
{
    static cl_uchar got[(FINISH_N + GUARD) * 8];
    const size_t at = d->out[field].offset, room = FINISH_N + (shared ? 0 : GUARD);
    rig_read(the_rig()->queue, d->out[field].buffer, room * bytes, got);
    for (size_t i = 0; i < n; ++i) {
        cl_ulong value = 0;
        memcpy(&value, got + (at + i) * bytes, bytes); /* the lowest bytes: hosts of OpenCL devices are little-endian */
        ck_assert_msg(value == wanted[i], "%s: field %u of result %zu is %llx, not %llx", what, field, i,
                      (unsigned long long)value, (unsigned long long)wanted[i]);
    }
    for (size_t i = 0; !shared && i < room * bytes; ++i)
        if (i < at * bytes || i >= (at + n) * bytes)
            ck_assert_msg(got[i] == 0xa5, "%s: byte %zu of field %u is written", what, i, field);
}

/* " r.a = v.a;" for each field of a list, whose name, or an array's length, stands before a semicolon. */
static void write_copies(const char *fields, char *text, size_t bytes)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789";
    size_t length = 0;
    for (const char *end = strchr(fields, ';'); end; end = strchr(end + 1, ';')) {
        const char *behind = end;
        while (end[-1] == ']' && *behind != '[')
            --behind;
        const char *name = behind;
        while (name > fields && strchr(letters, name[-1]))
            --name;
        const int width = (int)(behind - name);
        const char *const at = behind < end ? "[k]" : "";
        length += (size_t)snprintf(text + length, bytes - length, " for (uint k = 0; k < %d; ++k) r.%.*s%s = v.%.*s%s;",
                                   behind < end ? atoi(behind + 1) : 1, width, name, at, width, name, at);
        ck_assert_uint_lt(length, bytes);
    }
}

const clf_operator *finish_numbered(const clf_operator *op)
{
    static clf_operator made;
    static char result[256], source[8192];
    char copies[512] = "";
    write_copies(op->value, copies, sizeof copies);
    snprintf(result, sizeof result, "ulong the_number; %s", op->value);
    const int length = snprintf(
        source, sizeof source,
        "%s\nclf_result with_number(clf_value v, ulong i%s)\n{ clf_result r; r.the_number = i;%s return r; }\n",
        op->source ? op->source : "", op->captured ? ", const clf_captured *c" : "", copies);
    ck_assert_int_lt(length, (int)sizeof source);
    made = *op;
    made.result = result;
    made.source = source;
    made.finish = "with_number";
    return &made;
}

route finish_route(const way *w, int turn)
{
    static const char *const of_cpus[] = {"items=77", "items=77,streams=2", "items=77,streams=32"};
    static const char *const of_others[] = {"items=3,group=32", "items=4,group=32,rounds=2"};
    const bool one = w->variant && strcmp(w->variant, "one_group") == 0;
    return (route){w->disable, w->variant,
                   way_is_for_cpus(w) ? of_cpus[turn % 3] : one ? "items=33,group=32" : of_others[turn % 2]};
}

/* SPDX-License-Identifier: MIT */
/* Plans that want some results. */
#include "wanted.h"

#include <stdio.h>

/* ---- Operators ------------------------------------------------------------------------------------------------- */

const clf_operator wanted_largest_sum = {
    .size = sizeof wanted_largest_sum, .value = "int best; int head; int tail; int all;", .input = "int x;",
    .map = "one", .combine = "join", .neutral = "none",
    .source = "clf_value one(clf_input x, ulong i) { int p = max(x.x, 0); clf_value v = {p, p, p, x.x}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0, 0, 0}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {max(max(a.best, b.best), a.tail + b.head), max(a.head, a.all + b.head),\n"
              "                   max(b.tail, a.tail + b.all), a.all + b.all};\n"
              "    return v;\n"
              "}\n"};

/* Fields of several sizes, an extra output, and an input for one field alone. */
static const clf_operator mixed = {
    .size = sizeof mixed, .value = "uchar last; ulong hash; ushort count;", .input = "uint x; ushort y;",
    .extra = "uint e;", .map = "one", .combine = "join", .neutral = "none",
    .source = "clf_value one(clf_input in, ulong i, clf_extra *extra)\n"
              "{ extra->e = in.x + (uint)i; clf_value v = {(uchar)(1 + in.y % 255), in.x, 1}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0, 0}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    ulong power = 1;\n"
              "    for (uint k = 0; k < b.count; ++k)\n"
              "        power *= 31;\n"
              "    clf_value v = {b.last ? b.last : a.last, a.hash * power + b.hash, (ushort)(a.count + b.count)};\n"
              "    return v;\n"
              "}\n"};

/* Without a map, so that results take the places of inputs; nothing is infinite. */
static const clf_operator least = {.size = sizeof least, .value = "float a; float b; float c;", .combine = "clf_min",
                                   .flags = CLF_COMMUTATIVE};

/* Parts of one that is joined: the second finishes, the third is the library's. */
#define HASHES(parameters) \
    {.size = sizeof(clf_operator), .value = "uint hash; uint power;", .input = "int x;", .map = "seven", \
     .combine = "chain", .neutral = "nothing", .result = "ushort high; uint low;", .finish = "end", \
     .source = "clf_value seven(clf_input in, ulong i) { clf_value v = {(uint)in.x + 7, 31}; return v; }\n" \
               "clf_value nothing(void) { clf_value v = {0, 1}; return v; }\n" \
               "clf_value chain(clf_value a, clf_value b)\n" \
               "{ clf_value v = {a.hash * b.power + b.hash, a.power * b.power}; return v; }\n" \
               "clf_result end(clf_value a, " parameters "ulong i)\n" \
               "{ clf_result r = {(ushort)(a.hash >> 16), a.hash ^ (uint)i}; return r; }\n"}
static const clf_operator hashes[2] = {HASHES(""), HASHES("clf_value before, clf_input in, ")};
static const clf_operator most = {.size = sizeof most, .value = "int x;", .combine = "clf_max"};

enum { JOINED = WANTED_OPERATORS - 1 };
static const struct {
    const char *name;
    const clf_operator *op; /* NULL: one of suite `finish`, or made by join_parts */
} operators[WANTED_OPERATORS] = {
    {"finish", NULL}, {"largest sum", &wanted_largest_sum}, {"mixed", &mixed}, {"least", &least}, {"joined", NULL}};

const clf_operator *wanted_operator(size_t which, bool scans)
{
    const clf_operator *const op = operators[which].op;
    return op ? op : scans ? finish_operators[0].scan : finish_operators[0].reduction;
}

/* The same of a reduction, with runs of several elements. */
static const clf_operator *keyed_operator(const clf_operator *op, size_t which)
{
    static clf_operator made[WANTED_OPERATORS];
    static char sources[WANTED_OPERATORS][4096];
    const char *const field = op == &least ? "a" : "x";
    made[which] = *op;
    made[which].same = "same";
    made[which].source = sources[which];
    snprintf(sources[which], sizeof *sources,
             "%sbool same(clf_input a, clf_input b%s) { return (int)a.%s / 64 == (int)b.%s / 64; }\n",
             op->source ? op->source : "", op->captured ? ", const clf_captured *c" : "", field, field);
    return &made[which];
}

clf_operator *wanted_join(bool scans, bool keyed)
{
    const clf_operator *parts[] = {&wanted_largest_sum, &hashes[scans], &most};
    clf_operator *joined = NULL;
    for (size_t i = 0; keyed && i < COUNT(parts); ++i)
        parts[i] = keyed_operator(parts[i], i);
    assert_ok(clf_operator_join(COUNT(parts), parts, &joined, NULL));
    return joined;
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static clf_plan *plan_of(const route *r, const wanted_case *c, cl_ulong wanted)
{
    clf_operator *const joined = c->op == JOINED ? wanted_join(c->scans, c->keyed) : NULL;
    const clf_operator *const op = wanted_operator(c->op, c->scans);
    const plan_parts parts = {.op = joined ? joined : c->keyed ? keyed_operator(op, c->op) : op, .flags = c->flags,
                              .wanted = wanted, .how = c->how};
    clf_plan *const plan = route_plan(r, c->primitive, &parts, operators[c->op].name);
    clf_operator_release(joined);
    return plan;
}

/* Small whole numbers, of any type. */
static void fill(const clf_fields *fields, wanted_data *d, gen *random)
{
    for (cl_uint f = 0; f < fields->count; ++f) {
        for (size_t i = 0; i < WANTED_N; ++i) {
            const cl_int number = (cl_int)gen_between(random, -100, 100);
            const float real = (float)number;
            const bool is_real = fields->field[f].type == CLF_FLOAT;
            memcpy(&d->in[f][i * fields->field[f].bytes], is_real ? (const void *)&real : (const void *)&number,
                   fields->field[f].bytes);
        }
    }
    d->count = 0;
    for (size_t at = 0; at < WANTED_N; d->offsets[++d->count] = (cl_uint)at) { /* none is empty: flags tell the same */
        d->flags[at] = 1;
        at += 1 + gen_below(random, 60);
        at = at < WANTED_N ? at : WANTED_N;
    }
}

/* What the plan writes: `got` has its arrays by their places in `out`; those that there are not are as they were. */
static void run_plan(clf_plan *plan, const wanted_case *c, const wanted_data *d,
                     cl_uchar got[WANTED_ARRAYS][WANTED_N * WANTED_BYTES])
{
    const clf_operator_copy *const op = &plan->op;
    const cl_uint made = clf_operator_made(op)->count, outputs = made + op->extra.count;
    clf_array in[WANTED_ARRAYS] = {{0}}, out[WANTED_ARRAYS] = {{0}};
    for (cl_uint i = 0; i < op->input.count; ++i)
        in[i] = (clf_array){rig_buffer(sizeof d->in[i], d->in[i]), 0};
    if (op->captured.count)
        in[op->input.count] = (clf_array){rig_buffer(sizeof finish_captured, finish_captured), 0};
    for (cl_uint f = 0; f < outputs; ++f) {
        const bool shared = c->in_place && f < op->input.count && f < made;
        if (f < made && plan->op.wanted && !(plan->op.wanted >> f & 1))
            continue;
        out[f] = shared ? in[f] : (clf_array){rig_buffer(sizeof got[f], got[f]), 0};
    }
    const cl_uchar initial[64] = {1, 0, 0, 0, 0, 0, 128, 63, 3};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = c->size % 2 ? initial : NULL,
                           .out_count = outputs};
    const clf_status status = c->call(plan, &call, c, d, in, out);
    ck_assert_msg(status == CLF_SUCCESS || (status == CLF_E_UNSUPPORTED && c->in_place), "%s: %d", c->primitive,
                  status);
    for (cl_uint f = 0; f < outputs; ++f) {
        if (out[f].buffer)
            rig_read(the_rig()->queue, out[f].buffer, sizeof got[f], got[f]);
        if (out[f].buffer && out[f].buffer != in[f].buffer)
            clReleaseMemObject(out[f].buffer);
    }
    for (cl_uint i = 0; i < op->input.count + op->captured.count; ++i)
        clReleaseMemObject(in[i].buffer);
}

/* The plan of the case, beside one that wants all. */
static void compare(clf_plan *all, clf_plan *some, const wanted_case *c, gen *random, const char *variant)
{
    static cl_uchar expected[WANTED_ARRAYS][WANTED_N * WANTED_BYTES], got[WANTED_ARRAYS][WANTED_N * WANTED_BYTES];
    static wanted_data d;
    const cl_uint made = clf_operator_made(&all->op)->count;
    d = (wanted_data){.count = 0};
    fill(&all->op.input, &d, random);
    memset(expected, 0xa5, sizeof expected);
    memset(got, 0xa5, sizeof got);
    run_plan(all, c, &d, expected);
    run_plan(some, c, &d, got);
    for (cl_uint f = 0; f < made + all->op.extra.count; ++f)
        ck_assert_msg((f < made && !(c->wanted >> f & 1)) || memcmp(expected[f], got[f], sizeof got[f]) == 0,
                      "%s of %s, variant %s, flags %x, wanted %llx, rows of %zu, in place %d: output %u differs",
                      c->primitive, operators[c->op].name, variant ? variant : "default", c->flags,
                      (unsigned long long)c->wanted, c->size, c->in_place, f);
}

/* A mask, or two. */
void wanted_run(const route *r, wanted_case c, const size_t *sizes, size_t count, gen *random)
{
    const bool shares = c.op == 3 && c.may_share;
    clf_plan *const all = plan_of(r, &c, 0);
    const cl_uint made = all ? clf_operator_made(&all->op)->count : 0;
    const cl_ulong bit = 1ull << (all ? gen_below(random, made) : 0), every = (1ull << made) - 1;
    const bool flipped = gen_chance(random, 50);
    for (int turn = 0; all && turn < (rig_full() ? 2 : 1); ++turn) {
        c.wanted = (turn == 1) != flipped ? every & ~bit : bit;
        clf_plan *const some = plan_of(r, &c, c.wanted);
        ck_assert_ptr_nonnull(some);
        for (size_t i = 0; i < 2 * count; ++i) {
            c.size = sizes[i / 2];
            c.in_place = shares && i % 2;
            compare(all, some, &c, random, r->variant);
        }
        assert_ok(clf_plan_release(some));
    }
    if (all)
        assert_ok(clf_plan_release(all));
}

bool wanted_in_turn(size_t op, int test, size_t of)
{
    return rig_full() || (op + (size_t)test) % of == 0;
}

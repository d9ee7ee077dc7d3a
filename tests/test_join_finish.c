/* SPDX-License-Identifier: MIT */
/*
 * Joined operators of which some have `finish`: what each writes by itself, bit by bit, in scans and reductions of
 * every shape and variant, joined twice, with wanted results; and what is refused.
 */
#include "finish.h"

#include <stdio.h>

enum { N = 700, ROW = 35, OFFSETS = 31, BINS = 40, PARTS = 3, OUTPUTS = 5 };

/* ---- Operators --------------------------------------------------------------------------------------------------- */

/* Affine functions, which do not commute; sums without `finish`; minima. Two have arrays, two a name of results. */
#define AFFINE "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"                             \
               "clf_value compose(clf_value x, clf_value y)\n"                                              \
               "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"                                \
               "clf_value map(clf_input in, ulong i, const clf_captured *c)\n"                              \
               "{ clf_value v = {2 * in.x + 1, in.y + (uint)i + c->w[i % 8]}; return v; }\n"                \
               "bool same(clf_input a, clf_input b, const clf_captured *c) { return a.x / 16 == b.x / 16; }\n" \
               "uint bin(clf_input in, ulong i, const clf_captured *c) { return in.y % 50; }\n"
#define OTHERS "bool same(clf_input a, clf_input b) { return a.x / 16 == b.x / 16; }\n" \
               "uint bin(clf_input in, ulong i) { return in.y % 50; }\n"
static const char *const sources[PARTS][2] = {
    {AFFINE "clf_result end(clf_value a, ulong i, const clf_captured *c)\n"
            "{ clf_result r = {(ushort)(a.q + c->w[i % 8]), (ulong)a.p << 32 | (uint)i}; return r; }\n",
     AFFINE "clf_result end(clf_value a, clf_value before, clf_input in, ulong i, const clf_captured *c)\n"
            "{ clf_result r = {(ushort)(a.q + in.y + c->w[i % 8]), (ulong)a.p << 32 | before.q}; return r; }\n"},
    {OTHERS "clf_value map(clf_input in, ulong i) { clf_value v = {in.x, {1, in.x, (uint)i}}; return v; }\n",
     OTHERS "clf_value map(clf_input in, ulong i) { clf_value v = {in.x, {1, in.x, (uint)i}}; return v; }\n"},
    {OTHERS "clf_value map(clf_input in, ulong i) { clf_value v = {in.x}; return v; }\n"
            "clf_result end(clf_value a, ulong i) { clf_result r = {{(short)a.m, (short)(a.m + 3 * i)}}; return r; }\n",
     OTHERS "clf_value map(clf_input in, ulong i) { clf_value v = {in.x}; return v; }\n"
            "clf_result end(clf_value a, clf_value before, clf_input in, ulong i)\n"
            "{ clf_result r = {{(short)a.m, (short)(3 * (before.m ^ in.x) + i)}}; return r; }\n"}};
#define BASE .size = sizeof(clf_operator), .input = "uint x; ushort y;", .map = "map"
static const clf_operator bases[PARTS] = {
    {BASE, .value = "uint p; uint q;", .captured = "uint w;", .combine = "compose", .neutral = "identity",
     .result = "ushort low; ulong both;", .finish = "end"},
    {BASE, .value = "ulong s; uint n[3];", .combine = "clf_sum", .flags = CLF_COMMUTATIVE},
    {BASE, .value = "uint m;", .combine = "clf_min", .flags = CLF_COMMUTATIVE, .result = "short low[2];",
     .finish = "end"}};
static const cl_uint counts[PARTS] = {2, 2, 1}, bytes_of[OUTPUTS] = {2, 8, 8, 12, 4};

/* ---- Calls ------------------------------------------------------------------------------------------------------- */

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
typedef enum call_kind { SCAN, SCAN_ROWS, SCAN_ANY, REDUCE, REDUCE_ANY, BY_KEY, BY_INDEX, CALLS } call_kind;
static const char *const names[CALLS] = {"scan", "segmented_scan", "irregular_scan", "reduce", "irregular_reduce",
                                         "reduce_by_key", "reduce_by_index"};

static clf_operator part_of(size_t k, call_kind kind, bool deals)
{
    clf_operator op = bases[k];
    op.source = sources[k][kind <= SCAN_ANY];
    op.same = kind == BY_KEY ? "same" : NULL;
    op.part = kind == BY_INDEX && deals ? "bin" : NULL;
    return op;
}

/* All of them; or the first two, and these with the last. */
static clf_operator *join_parts(call_kind kind, bool twice)
{
    const clf_operator parts[PARTS] = {part_of(0, kind, true), part_of(1, kind, false), part_of(2, kind, false)};
    const clf_operator *const list[] = {&parts[0], &parts[1], &parts[2]};
    clf_operator *two = NULL, *all = NULL;
    if (!twice) {
        assert_ok(clf_operator_join(PARTS, list, &all, NULL));
        return all;
    }
    assert_ok(clf_operator_join(2, list, &two, NULL));
    assert_ok(clf_operator_join(2, (const clf_operator *const[]){two, &parts[2]}, &all, NULL));
    assert_ok(clf_operator_release(two));
    return all;
}

typedef struct joint_data {
    clf_array in[3], offsets, count;
    cl_uchar got[OUTPUTS][N * 12];
} joint_data;

static clf_status call_of(clf_plan *plan, call_kind kind, const joint_data *d, const clf_array *out)
{
    const clf_call *const on = CLF_ON(the_rig()->queue);
    switch (kind) {
    case SCAN: return clf_scan(plan, on, N, d->in, out);
    case SCAN_ROWS: return clf_segmented_scan(plan, on, N / ROW, ROW, d->in, out);
    case SCAN_ANY: return clf_irregular_scan(plan, on, N, OFFSETS - 1, &d->offsets, d->in, out);
    case REDUCE: return clf_segmented_reduce(plan, on, N / ROW, ROW, d->in, out);
    case REDUCE_ANY: return clf_irregular_reduce(plan, on, N, OFFSETS - 1, &d->offsets, d->in, out, NULL);
    case BY_KEY: return clf_reduce_by_key(plan, on, N, N, d->in, out, &d->count);
    default: return clf_reduce_by_index(plan, on, N, BINS, d->in, out);
    }
}

/* What a plan writes to outputs from `first` on, of which some are wanted. */
static void run_plan(clf_plan *plan, call_kind kind, joint_data *d, cl_uint first, cl_uint count, cl_ulong wanted)
{
    clf_array out[OUTPUTS] = {{0}};
    for (cl_uint f = 0; f < count; ++f) {
        memset(d->got[first + f], 0xa5, sizeof d->got[0]);
        if (!wanted || wanted >> f & 1)
            out[f] = (clf_array){rig_buffer(N * bytes_of[first + f], d->got[first + f]), 0};
    }
    assert_ok(call_of(plan, kind, d, out));
    for (cl_uint f = 0; f < count; ++f) {
        if (!out[f].buffer)
            continue;
        rig_read(the_rig()->queue, out[f].buffer, N * bytes_of[first + f], d->got[first + f]);
        clReleaseMemObject(out[f].buffer);
    }
}

static void fill(joint_data *d, gen *random)
{
    cl_uint x[N], offsets[OFFSETS] = {0};
    cl_ushort y[N];
    for (size_t i = 0; i < N; ++i) {
        x[i] = (cl_uint)gen_below(random, 64);
        y[i] = (cl_ushort)gen_bits(random);
    }
    for (size_t k = 1; k < OFFSETS; ++k)
        offsets[k] = k == OFFSETS - 1 ? N : offsets[k - 1] + (cl_uint)gen_below(random, N / OFFSETS);
    d->in[0] = (clf_array){rig_buffer(sizeof x, x), 0};
    d->in[1] = (clf_array){rig_buffer(sizeof y, y), 0};
    d->in[2] = (clf_array){rig_buffer(sizeof finish_captured, finish_captured), 0};
    d->offsets = (clf_array){rig_buffer(sizeof offsets, offsets), 0};
    d->count = (clf_array){rig_buffer(sizeof(cl_ulong), NULL), 0};
}

/* The joined operator's results are those of its parts. */
static void run_case(const route *r, call_kind kind, bool twice, cl_ulong wanted, gen *random)
{
    static joint_data each, all;
    const bool irregular = kind == SCAN_ANY || kind == REDUCE_ANY;
    plan_parts parts = {.how = irregular ? &by_offsets : NULL, .wanted = wanted};
    clf_operator *const joined = join_parts(kind, twice);
    parts.op = joined;
    clf_plan *plan = route_plan(r, names[kind], &parts, "joined");
    assert_ok(clf_operator_release(joined));
    if (!plan)
        return;
    fill(&all, random);
    memcpy(&each, &all, sizeof each);
    run_plan(plan, kind, &all, 0, OUTPUTS, wanted);
    assert_ok(clf_plan_release(plan));
    const route plain = {r->disable, NULL, NULL};
    parts.wanted = 0;
    for (cl_uint k = 0, first = 0; k < PARTS; first += counts[k++]) {
        const clf_operator op = part_of(k, kind, true);
        parts.op = &op;
        plan = route_plan(&plain, names[kind], &parts, "part");
        run_plan(plan, kind, &each, first, counts[k], 0);
        assert_ok(clf_plan_release(plan));
    }
    for (cl_uint f = 0; f < OUTPUTS; ++f)
        ck_assert_msg((wanted && !(wanted >> f & 1)) || memcmp(all.got[f], each.got[f], N * bytes_of[f]) == 0,
                      "%s, variant %s, joined twice %d, wanted %x: result %u differs", names[kind],
                      r->variant ? r->variant : "default", twice, (unsigned)wanted, f);
    rig_release(all.in[0], all.in[1], all.in[2], all.offsets, all.count);
}

/* ---- Tests ------------------------------------------------------------------------------------------------------- */

TEST(scans)
{
    const way *const w = &ways[_i / (SCAN_ANY + 1)];
    const call_kind kind = (call_kind)(_i % (SCAN_ANY + 1));
    const route r = finish_route(w, _i);
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    if ((w->variant && (strcmp(w->variant, "propagate") == 0 || strcmp(w->variant, "one_group") == 0)) ||
        (!rig_full() && (_i / (SCAN_ANY + 1) + _i) % 3))
        return;
    run_case(&r, kind, _i % 2, _i % 3 == 1 ? 10 : 0, &random);
}

TEST(reductions)
{
    const call_kind kind = (call_kind)(REDUCE + _i % (CALLS - REDUCE));
    const size_t variant = (size_t)_i / (CALLS - REDUCE);
    gen random = gen_seed(the_rig()->seed, 100 + (uint64_t)_i);
    if (variant > variant_count(names[kind]))
        return;
    const way w = variant ? way_to(names[kind], variant - 1) : (way){NULL, NULL};
    const bool few = w.variant && (strcmp(w.variant, "one_group") == 0 || strcmp(w.variant, "warp") == 0 ||
                                   strcmp(w.variant, "sequential") == 0);
    const bool in_any_order = kind == BY_INDEX && w.variant && strcmp(w.variant, "cpu") && strcmp(w.variant, "sorted");
    const route r = {w.disable, w.variant, NULL};
    if (!few && !in_any_order)
        run_case(&r, kind, variant % 2, variant % 3 == 1 ? 18 : 0, &random);
}

/* Names are as those of values; wrong functions are found behind the parts. */
TEST(fields_and_errors)
{
    clf_operator *joined = join_parts(SCAN, false);
    ck_assert_str_eq(joined->result, "ushort p0_low; ulong p0_both; ulong p1_s; uint p1_n[3]; short p2_low[2];");
    ck_assert_str_eq(joined->value, "uint p; uint q; ulong s; uint n[3]; uint m;");
    assert_ok(clf_operator_release(joined));
    clf_operator parts[] = {part_of(1, SCAN, false), part_of(2, REDUCE, false)}; /* finish is for reductions */
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_ok(clf_operator_join(2, (const clf_operator *const[]){&parts[0], &parts[1]}, &joined, NULL));
    ck_assert_str_eq(joined->result, "ulong s; uint n[3]; short low[2];");
    assert_status(clf_scan_plan(rig_context(NULL), joined, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_msg(strstr(error.log, "operator1.finish") || strstr(error.log, "join.cl"), "%s", error.log);
    assert_ok(clf_reduce_plan(rig_context(NULL), joined, 0, NULL, &plan, &error));
    assert_ok(clf_plan_release(plan));
    assert_ok(clf_operator_check(rig_context(NULL), joined, NULL, NULL, &error));
    assert_ok(clf_operator_release(joined));
    parts[0].result = "uint r;";
    assert_status(clf_operator_join(2, (const clf_operator *const[]){&parts[0], &parts[1]}, &joined, &error),
                  CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "operator 0: clf_operator.finish is NULL, and result is not");
}

TEST(scans_on_little_data)
{
    const route r = {"cpu", _i ? "large" : "two_pass", "items=3,group=32"};
    gen random = gen_seed(the_rig()->seed, 200 + (uint64_t)_i);
    run_case(&r, _i ? REDUCE : SCAN_ROWS, true, 0, &random);
}

RIG_PART(add_join_finish_tests, {scans, WAY_COUNT *(SCAN_ANY + 1)}, {reductions, 8 * (CALLS - REDUCE)},
         {fields_and_errors, 1})

RIG_PART(add_join_kernel_tests, {scans_on_little_data, 2})

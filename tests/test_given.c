/* SPDX-License-Identifier: MIT */
/*
 * Calls whose true size or initial value only the device knows (clf_call.actual, .initial_arrays): every primitive and
 * variant, sizes of 0, around tiles, the call's own, and more than that; outputs beyond must stay as they are.
 */
#include "reduce_case.h"
#include "scan_case.h"

static const size_t parts[] = {0, 1, 63, 64, 65, 255, 257, 1000, 2999, 3000, 3001, 1u << 30};

/* Operators that do not commute, with extra outputs, of several rounds, and of one byte. */
static const int operators[] = {REF_MATRIX, REF_SELECT, REF_LSSP, REF_MIXED, REF_MODULAR};

/* Two of them for each way, or all: compiling is what takes time. */
static size_t rounds(void)
{
    return rig_full() ? COUNT(operators) : 1;
}

static int operator_of(int which, size_t part, size_t round)
{
    return operators[((size_t)which + part % 2 + round) % COUNT(operators)];
}

/* Some of all combinations, or all of them. */
static bool skip(size_t turn)
{
    return !rig_full() && (turn + the_rig()->seed) % 3 != 0;
}

/* ---- Scans ------------------------------------------------------------------------------------------------------- */

static scan_case scan_of(int which, int operator, size_t part, bool initial)
{
    const bool cpu = ways[which].variant && strcmp(ways[which].variant, "cpu") == 0;
    return (scan_case){.plan = {ref_user(operator), CLF_FROM_DEVICE | (part & 1 ? CLF_EXCLUSIVE : 0),
                                ways[which].disable, ways[which].variant,
                                cpu                   ? "items=64"
                                : ways[which].variant ? "group=32,items=4"
                                                      : NULL},
                       .n = 3000, .offset = part % 5, .initial = true, .in_place = part % 3 == 0,
                       .given = {.size = !initial || (part + (size_t)operator) % 3 != 0,
                                 .initial = initial, .actual = part},
                       .scratch = (scratch_kind)(part % 3), .unordered = part % 7 == 1, .seed = the_rig()->seed + part,
                       .suite = "given",
                       .number = -1};
}

TEST(scans_end_where_the_device_says)
{
    for (size_t round = 0; round < rounds(); ++round)
        for (size_t p = 0; p < COUNT(parts); ++p)
            scan_case_run(scan_of(_i, operator_of(_i, parts[p], round), parts[p], p % 2 == 0));
}

/* Of segments shorter and longer than tiles the device says how many there are. */
TEST(segmented_scans_have_as_many_segments_as_the_device_says)
{
    static const size_t sizes[] = {1, 8, 100, 600, 3000};
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t p = 0; p < COUNT(parts); ++p) {
            scan_case test = scan_of(_i, operator_of(_i, parts[p], s % rounds()), parts[p], p % 2 == 0);
            test.segmented = true;
            test.size = sizes[s];
            test.given.actual = parts[p] / sizes[s];
            if (!skip(s + p))
                scan_case_run(test);
        }
}

/* Differences end there, too, in elements or in segments. */
TEST(adjacent_differences_end_where_the_device_says)
{
    static const size_t sizes[] = {0, 1, 8, 100, 600, 3000};
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t p = 0; p < COUNT(parts); ++p) {
            scan_case test = scan_of(0, 0, parts[p], p % 2 == 0);
            test.plan.op = ref_difference(s % 2 ? REF_MAPPED : REF_BYTES_4);
            test.plan.flags = CLF_FROM_DEVICE;
            test.plan.disable = _i ? "cpu" : NULL;
            test.plan.parameters = _i ? "group=32,items=8" : "items=64,streams=8";
            test.adjacent = true;
            test.segmented = sizes[s] > 0;
            test.size = sizes[s];
            test.initial = (s + p) % 5 != 0;
            test.in_place = (s + p) % 2;
            test.given.actual = parts[p] / (sizes[s] ? sizes[s] : 1);
            if (!skip(s + p))
                scan_case_run(test);
        }
}

#define HOW(BY, TYPE) {sizeof(clf_segmentation), BY, TYPE}
static const clf_segmentation hows[] = {HOW(CLF_BY_OFFSETS, CLF_UINT), HOW(CLF_BY_HEAD_BITS, CLF_CHAR),
                                        HOW(CLF_BY_LENGTHS, CLF_ULONG), HOW(CLF_BY_KEYS, CLF_INT),
                                        HOW(CLF_BY_OFFSETS, CLF_ULONG), HOW(CLF_BY_HEAD_BYTES, CLF_CHAR)};

TEST(irregular_scans_end_where_the_device_says)
{
    for (size_t h = 0; h < COUNT(hows); ++h)
        for (size_t p = 0; p < COUNT(parts); ++p) {
            gen random = gen_seed(the_rig()->seed + p, h);
            irregular segments = irregular_make(&random, (irregular_shape)(p % SHAPE_COUNT), 3000, 100);
            scan_case test = scan_of(_i, operator_of(_i, parts[p], h % rounds()), parts[p], p % 2 == 0);
            test.how = &hows[h];
            test.segments = &segments;
            if (!skip(h + p))
                scan_case_run(test);
            irregular_free(&segments);
        }
}

/* ---- Reductions --------------------------------------------------------------------------------- */

static const struct {
    const char *disable, *variant, *parameters;
} routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "items=64,groups=7,streams=8"},
    {"cpu", NULL, NULL},
    {"cpu", "large", "group=32,items=2,groups=12"},
    {"cpu", "warp", "group=32,items=2"},
    {"cpu", "small", "group=64,items=48"}, /* with items=128 PoCL 3.1 does not survive operator matrix */
    {"cpu", "sequential", "group=32,items=4"},
    {"cpu,c11,int64_atomics", "large", "group=32,items=2,groups=12"},
};

static reduce_case reduction_of(int route, int operator, size_t part)
{
    const ref_operator *op = ref_user(operator);
    return (reduce_case){.plan = {op, (ref_clf(op)->flags & CLF_COMMUTATIVE) != 0, routes[route].disable,
                                  routes[route].variant, routes[route].parameters, NULL},
                         .count = 1, .size = 3000, .offset = part % 5, .initial = true, .in_place = part % 3 == 0,
                         .given = {.size = part % 2 || (part + (size_t)operator) % 3 != 0,
                                   .initial = part % 2 == 0, .actual = part},
                         .own_scratch = part % 4 == 1, .unordered = part % 7 == 1,
                         .seed = the_rig()->seed + part, .suite = "given", .number = -1};
}

TEST(reductions_end_where_the_device_says)
{
    for (size_t round = 0; round < rounds(); ++round)
        for (size_t p = 0; p < COUNT(parts); ++p)
            reduce_case_run(reduction_of(_i, operator_of(_i, parts[p], round), parts[p]));
}

TEST(segmented_reductions_have_as_many_segments_as_the_device_says)
{
    static const size_t sizes[] = {0, 1, 8, 100, 600};
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t p = 0; p < COUNT(parts); ++p) {
            reduce_case test = reduction_of(_i, operator_of(_i, parts[p], s % rounds()), parts[p]);
            test.size = sizes[s];
            test.count = sizes[s] ? 3000 / sizes[s] : 30;
            test.given.actual = parts[p] / (sizes[s] ? sizes[s] : 100);
            if (!skip(s + p))
                reduce_case_run(test);
        }
}

TEST(irregular_reductions_end_where_the_device_says)
{
    static const struct {
        const char *disable, *variant, *parameters;
    } ways_of[] = {{NULL, NULL, NULL}, {NULL, "cpu", "groups=7,streams=3"}, {"cpu", NULL, NULL},
                   {"cpu", "shares", "group=32,items=4,groups=8"}};
    for (size_t w = 0; w < COUNT(ways_of); ++w)
        for (size_t p = 0; p < COUNT(parts); ++p) {
            gen random = gen_seed(the_rig()->seed + p, (uint64_t)_i);
            irregular segments = irregular_make(&random, (irregular_shape)(p % SHAPE_COUNT), 3000, 100);
            reduce_case test = reduction_of(0, operator_of((int)w, parts[p], (size_t)_i % rounds()), parts[p]);
            test.plan.disable = ways_of[w].disable;
            test.plan.variant = ways_of[w].variant;
            test.plan.parameters = ways_of[w].parameters;
            test.plan.how = &hows[_i];
            test.segments = &segments;
            test.count = segments.count;
            if (!skip(w + p))
                reduce_case_run(test);
            irregular_free(&segments);
        }
}

/* ---- A chain of calls without the host ---------------------------------------------------------- */

/* A sum becomes the initial value of a scan; nothing is read back in between, and the queue keeps no order. */
TEST(results_go_from_call_to_call)
{
    const rig *r = the_rig();
    cl_int data[1000], sum = 0, got[1000];
    for (int i = 0; i < 1000; ++i)
        sum += data[i] = i % 13 - 5;
    clf_plan *reduce, *scan;
    assert_ok(clf_reduce_plan(rig_context(NULL), clf_builtin(CLF_SUM, CLF_INT), 0, NULL, &reduce, NULL));
    assert_ok(clf_scan_plan(rig_context(NULL), clf_builtin(CLF_SUM, CLF_INT), CLF_EXCLUSIVE | CLF_FROM_DEVICE, NULL,
                            &scan, NULL));
    const clf_array in = {rig_buffer(sizeof data, data), 0}, total = {rig_buffer(16, NULL), 2},
                    out = {rig_buffer(sizeof data, NULL), 0};
    cl_event reduced = NULL, scanned = NULL;
    clf_call call = {.size = sizeof call, .queue = r->unordered, .event = &reduced};
    assert_ok(clf_reduce(reduce, &call, 1000, &in, &total));
    call = (clf_call){.size = sizeof call, .queue = r->unordered, .wait_count = 1, .wait = &reduced, .event = &scanned,
                      .initial_arrays = &total};
    assert_ok(clf_scan(scan, &call, 1000, &in, &out));
    assert_ok(clWaitForEvents(1, &scanned));
    rig_read(r->queue, out.buffer, sizeof got, got);
    for (int i = 0; i < 1000; sum += data[i++])
        ck_assert_int_eq(got[i], sum);
    clReleaseEvent(reduced);
    clReleaseEvent(scanned);
    rig_release(in, total, out);
    rig_release_plans(reduce, scan);
}

/* ---- What is no call ---------------------------------------------------------------------------- */

TEST(malformed_calls_are_refused)
{
    const rig *r = the_rig();
    clf_plan *plan = rig_plan(&(plan_key){ref_user(REF_INT_SUM), CLF_FROM_DEVICE, NULL, NULL, NULL});
    const clf_array in = {rig_buffer(400, NULL), 0}, out = {rig_buffer(400, NULL), 0}, size = {rig_buffer(16, NULL), 1};
    const clf_array first = {out.buffer, 0}, beyond = {size.buffer, 2};
    const cl_int zero = 0;
    const clf_call bad[] = {
        {.queue = r->queue},
        {.size = sizeof(clf_call) - 8, .queue = r->queue},
        {.size = sizeof(clf_call)},
        {.size = sizeof(clf_call), .queue = r->queue, .initial = &zero, .initial_arrays = &in},
        {.size = sizeof(clf_call), .queue = r->queue, .in_count = 2},
        {.size = sizeof(clf_call), .queue = r->queue, .out_count = 3},
    };
    assert_status(clf_scan(plan, NULL, 100, &in, &out), CLF_E_ARGUMENT);
    for (size_t i = 0; i < COUNT(bad); ++i)
        assert_status(clf_scan(plan, &bad[i], 100, &in, &out), CLF_E_ARGUMENT);
    clf_call call = {.size = sizeof call, .queue = r->queue, .actual = first};
    assert_status(clf_scan(plan, &call, 100, &in, &out), CLF_E_ALIAS);
    call.actual = beyond;
    assert_status(clf_scan(plan, &call, 100, &in, &out), CLF_E_BUFFER);
    call = (clf_call){.size = sizeof call, .queue = r->queue, .initial_arrays = &first};
    assert_status(clf_scan(plan, &call, 100, &in, &out), CLF_E_ALIAS);
    call = (clf_call){.size = sizeof call, .queue = r->queue, .in_count = 1, .out_count = 1, .actual = size};
    assert_ok(clf_scan(plan, &call, 100, &in, &out));
    clf_plan *other = rig_plan(&(plan_key){ref_user(REF_INT_SUM), 0, NULL, NULL, NULL});
    assert_status(clf_scan(other, &call, 100, &in, &out), CLF_E_ARGUMENT);
    assert_ok(clFinish(r->queue));
    rig_release(in, out, size);
}

RIG_SUITE(given, NULL, {scans_end_where_the_device_says, WAY_COUNT},
          {segmented_scans_have_as_many_segments_as_the_device_says, WAY_COUNT},
          {adjacent_differences_end_where_the_device_says, 2}, {irregular_scans_end_where_the_device_says, WAY_COUNT},
          {reductions_end_where_the_device_says, COUNT(routes)},
          {segmented_reductions_have_as_many_segments_as_the_device_says, COUNT(routes)},
          {irregular_reductions_end_where_the_device_says, COUNT(hows)}, {results_go_from_call_to_call, 1},
          {malformed_calls_are_refused, 1})

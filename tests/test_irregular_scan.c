/* SPDX-License-Identifier: MIT */
/*
 * Scans of irregular segments against the reference: every way of telling where segments start, every shape, every way
 * of scanning; stalled tiles; workspaces shared with other scans; random cases; bad arguments, and arrays that lie.
 */
#include "scan_case.h"

#include <stdlib.h>
#include <string.h>

#define HOW(BY, TYPE) {sizeof(clf_segmentation), BY, TYPE}

static const clf_segmentation hows[] = {
    HOW(CLF_BY_HEAD_BYTES, CLF_CHAR), HOW(CLF_BY_HEAD_BITS, CLF_CHAR), HOW(CLF_BY_OFFSETS, CLF_UINT),
    HOW(CLF_BY_LENGTHS, CLF_UINT), HOW(CLF_BY_KEYS, CLF_INT), HOW(CLF_BY_OFFSETS, CLF_ULONG),
    HOW(CLF_BY_LENGTHS, CLF_ULONG), HOW(CLF_BY_KEYS, CLF_CHAR), HOW(CLF_BY_KEYS, CLF_UCHAR),
    HOW(CLF_BY_KEYS, CLF_SHORT), HOW(CLF_BY_KEYS, CLF_USHORT), HOW(CLF_BY_KEYS, CLF_UINT),
    HOW(CLF_BY_KEYS, CLF_LONG), HOW(CLF_BY_KEYS, CLF_ULONG), HOW(CLF_BY_KEYS, CLF_HALF),
    HOW(CLF_BY_KEYS, CLF_FLOAT), HOW(CLF_BY_KEYS, CLF_DOUBLE),
};
enum { KINDS = 5 /* the first of them: one of each kind */ };

/* Runs `test` with n elements in segments of this shape. */
static void run_shape(scan_case test, irregular_shape shape, size_t n, size_t scale)
{
    gen random = gen_seed(test.seed + n, (uint64_t)shape);
    irregular segments = irregular_make(&random, shape, n, scale);
    test.n = n;
    test.segments = &segments;
    scan_case_run(test);
    irregular_free(&segments);
}

static scan_case irregular_case(const plan_key *key, const clf_segmentation *how, uint64_t seed)
{
    return (scan_case){.plan = *key, .how = how, .offset = (size_t)seed % 5, .aligned = seed % 7 == 2,
                       .seed = the_rig()->seed + seed, .initial = seed % 3 == 1, .in_place = seed % 4 == 3,
                       .suite = "irregular_scan", .number = -1};
}

/* Every shape of a few tiles, the kinds by turns. */
static void run_shapes(const plan_key *key, size_t turn)
{
    const clf_plan *plan = rig_plan_of("irregular_scan", key, &hows[turn % KINDS]);
    const size_t tile = plan ? plan_tile(plan) : 0;
    for (size_t shape = 0; plan && shape < SHAPE_COUNT; ++shape)
        run_shape(irregular_case(key, &hows[(shape + turn) % KINDS], shape + turn), (irregular_shape)shape,
                  3 * tile + 17, tile);
}

/* ---- Every way of telling --------------------------------------------------------------------------- */

TEST(every_kind_on_every_size)
{
    const plan_key key = {.op = ref_user(REF_INT_SUM), .flags = _i % 2,
                          .parameters = the_rig()->cpu_kernels ? "items=100" : "items=4,group=32"};
    static const size_t sizes[] = {0, 1, 2, 31, 32, 33, 64, 127, 128, 129, 400, 8191, 8192, 8193, 40000};
    if (!rig_plan_of("irregular_scan", &key, &hows[_i]))
        return;
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        for (size_t shape = 0; shape < SHAPE_COUNT; ++shape) {
            scan_case test = irregular_case(&key, &hows[_i], s + shape);
            test.scratch = s % 2 ? SCRATCH_POOL : SCRATCH_OWN; /* of just the words of bits that sizes need */
            run_shape(test, (irregular_shape)shape, sizes[s], 1 + sizes[s] / 3);
        }
    }
}

/* The kernels that make bits have a form for devices that are no CPUs. */
TEST(every_kind_without_cpu_kernels)
{
    const plan_key key = {.op = ref_user(REF_INT_SUM), .disable = "cpu", .variant = "two_pass",
                          .parameters = "items=3,group=32"};
    if (!rig_plan_of("irregular_scan", &key, &hows[_i]))
        return;
    for (size_t shape = 0; shape < SHAPE_COUNT; ++shape)
        run_shape(irregular_case(&key, &hows[_i], shape), (irregular_shape)shape, 20000 + shape, 96);
}

/* ---- Every way of scanning -------------------------------------------------------------------------- */

TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        for (int exclusive = 0; reference && exclusive < 2; ++exclusive)
            if (rig_full() || (op + _i) % 6 == exclusive)
                run_shapes(&(plan_key){.op = reference, .flags = exclusive,
                                      .parameters = !the_rig()->cpu_kernels ? NULL
                                                    : _i % 2           ? "items=333,nontemporal=2"
                                                                       : "items=333"},
                           (size_t)(op + _i));
    }
}

TEST(operators_of_users)
{
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_MODULAR, REF_SELECT, REF_AFFINE, REF_LAST};
    for (size_t o = 0; o < (rig_full() ? COUNT(operators) : 4); ++o) {
        const bool cpu = way_is_for_cpus(&ways[_i]);
        run_shapes(&(plan_key){ref_user(operators[o]), (o + (size_t)_i) % 2, ways[_i].disable, ways[_i].variant,
                              cpu ? "items=500,streams=3" : o ? "items=4,group=64" : "items=36,group=32"},
                   o + (size_t)_i);
    }
}

/*
 * Operators that choose between whole operands, in groups of a few work-items, whose loops compilers unroll most: there
 * NVIDIA's lost a field (without PTX, in place).
 */
TEST(operators_that_choose)
{
    static const int operators[] = {REF_FIRST, REF_LAST, REF_SELECT};
    static const char *const groups[] = {"group=4,items=8", "group=32,items=5"};
    for (size_t k = 0; k < COUNT(operators) * COUNT(groups); ++k) {
        const plan_key key = {ref_user(operators[k / 2]), k % 2, "cpu", _i ? "two_pass" : NULL, groups[k % 2]};
        clf_plan *plan = rig_plan_of("irregular_scan", &key, &hows[0]);
        for (size_t tiles = 1; plan && tiles < 40; tiles *= 3) {
            scan_case test = irregular_case(&key, &hows[0], k);
            test.in_place = true;
            run_shape(test, SHAPE_GIANT, tiles * plan_tile(plan) + 1, 1);
            run_shape(test, SHAPE_LONG, tiles * plan_tile(plan) + 1, plan_tile(plan));
        }
    }
}

/* ---- Stalled tiles ---------------------------------------------------------------------------------- */

TEST(stalled_tiles)
{
    const way *const w = &ways[WAY_SINGLE_PASS + _i];
    static const char *const settings[] = {"items=4,group=64,stall=2,reverse=1,spin=0",
                                           "items=4,group=64,stall=1,reverse=1,spin=4",
                                           "items=2,group=32,stall=3,spin=4"};
    static const irregular_shape shapes[] = {SHAPE_GIANT, SHAPE_SHORT, SHAPE_LONG, SHAPE_BOUNDARIES, SHAPE_POWER_LAW};
    for (size_t k = 0; k < COUNT(settings) * COUNT(shapes); ++k) {
        const plan_key key = {ref_user(k % 2 ? REF_MATRIX : REF_INT_SUM), k % 3 == 0, w->disable,
                              w->variant, settings[k / COUNT(shapes)]};
        scan_case test = irregular_case(&key, &hows[k % KINDS], k);
        test.scratch = k % 2 ? SCRATCH_POOL : SCRATCH_OWN;
        if (rig_plan_of("irregular_scan", &key, test.how))
            run_shape(test, shapes[k % COUNT(shapes)], 6000, k % 2 ? 128 : 1500);
    }
}

/* ---- Workspaces ------------------------------------------------------------------------------------- */

/* Bits that one call leaves in a workspace must not be messages to the next. */
TEST(workspaces_are_shared)
{
    const plan_key key = {.op = ref_user(REF_INT_SUM), .disable = "cpu", .variant = "serial",
                          .parameters = "items=4,group=64"};
    if (!rig_plan(&key))
        return;
    for (size_t k = 0; k < 40; ++k) {
        scan_case plain = irregular_case(&key, NULL, k), test = irregular_case(&key, &hows[_i], k);
        plain.n = 256 * (k % 2 ? k + 1 : 200) + k;
        run_shape(test, SHAPE_SHORT, 30000 - 700 * k, 8);
        scan_case_run(plain);
    }
}

/* ---- Random cases ----------------------------------------------------------------------------------- */

static void run_random_case(const plan_key menu[10], long number)
{
    gen random = gen_seed(the_rig()->seed, 7000 + (uint64_t)number);
    const plan_key *key = &menu[gen_below(&random, 10)];
    const clf_segmentation *how = &hows[gen_below(&random, KINDS)];
    const clf_plan *plan = rig_plan_of("irregular_scan", key, how);
    if (!plan)
        return;
    scan_case test = irregular_case(key, how, (uint64_t)number);
    scan_case_vary(&test, &random);
    test.number = number;
    const irregular_shape shape = (irregular_shape)gen_below(&random, SHAPE_COUNT);
    const size_t tile = plan_tile(plan), scale = 1 + (size_t)gen_below(&random, gen_chance(&random, 50) ? tile : 64);
    run_shape(test, shape, gen_size(&random, tile, 5 * tile), scale);
}

TEST(random_cases)
{
    plan_key menu[10];
    gen random = gen_seed(the_rig()->seed, 6999);
    for (size_t i = 0; i < COUNT(menu); ++i)
        menu[i] = scan_case_key(&random);
    for (long number = -1; rig_next_case(400, &number);)
        run_random_case(menu, number);
}

/* ---- Arguments -------------------------------------------------------------------------------------- */

static clf_status make_plan(const clf_segmentation *how, unsigned flags)
{
    clf_plan *plan = NULL;
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_INT);
    clf_status status = clf_irregular_scan_plan(rig_context(NULL), sum, how, flags, NULL, &plan, NULL);
    ck_assert((status == CLF_SUCCESS) == (plan != NULL));
    clf_plan_release(plan);
    return status;
}

TEST(plans_that_cannot_be)
{
    const clf_segmentation no_size = {0, CLF_BY_KEYS, CLF_INT}, no_kind = HOW((clf_segments_by)7, CLF_INT);
    const clf_segmentation no_type = HOW(CLF_BY_KEYS, CLF_TYPE_COUNT), floats = HOW(CLF_BY_OFFSETS, CLF_FLOAT);
    const clf_segmentation signs = HOW(CLF_BY_LENGTHS, CLF_INT), half = HOW(CLF_BY_KEYS, CLF_HALF);
    const clf_segmentation *const bad[] = {NULL, &no_size, &no_kind, &no_type, &floats, &signs};
    for (size_t k = 0; k < COUNT(bad); ++k)
        assert_status(make_plan(bad[k], 0), CLF_E_ARGUMENT);
    assert_status(make_plan(&hows[0], 2), CLF_E_ARGUMENT);
    assert_ok(make_plan(&hows[0], CLF_EXCLUSIVE));
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_INT);
    clf_context *context = rig_context(NULL);
    clf_plan *plan = NULL;
    assert_status(clf_irregular_scan_plan(rig_context("fp16"), sum, &half, 0, NULL, &plan, NULL), CLF_E_UNSUPPORTED);
    assert_status(clf_irregular_scan_plan(NULL, sum, &hows[0], 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_scan_plan(context, NULL, &hows[0], 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_scan_plan(context, sum, &hows[0], 0, NULL, NULL, NULL), CLF_E_ARGUMENT);
}

static clf_status call(clf_plan *plan, cl_ulong n, cl_ulong count, const clf_array *segments, const clf_array *in,
                       const clf_array *out)
{
    return clf_irregular_scan(plan, CLF_ON(the_rig()->queue), n, count, segments, in, out);
}

TEST(calls_that_cannot_be)
{
    const ref_operator *sum = ref_user(REF_INT_SUM);
    clf_plan *bytes = rig_plan_of("irregular_scan", &(plan_key){.op = sum}, &hows[0]);
    clf_plan *bits = rig_plan_of("irregular_scan", &(plan_key){.op = sum}, &hows[1]);
    clf_plan *offsets = rig_plan_of("irregular_scan", &(plan_key){.op = sum}, &hows[2]);
    clf_plan *lengths = rig_plan_of("irregular_scan", &(plan_key){.op = sum}, &hows[3]);
    clf_plan *scan = rig_plan(&(plan_key){.op = sum});
    const clf_array in = {rig_buffer(400, NULL), 0}, out = {rig_buffer(400, NULL), 0}, few = {rig_buffer(16, NULL), 0};
    const clf_array nothing = {NULL, 0}, behind = {few.buffer, 4}, inside = {out.buffer, 50};
    cl_ulong size = 0;

    assert_status(call(NULL, 100, 0, &few, &in, &out), CLF_E_ARGUMENT);
    assert_status(call(scan, 100, 0, &few, &in, &out), CLF_E_ARGUMENT);
    assert_status(call(bytes, 100, 0, NULL, &in, &out), CLF_E_ARGUMENT);
    assert_status(call(bytes, 100, 0, &nothing, &in, &out), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 0, &few, &in, &out), CLF_E_ARGUMENT); /* elements, but no segments */
    assert_status(call(lengths, 100, 0, &few, &in, &out), CLF_E_ARGUMENT);
    assert_status(call(bytes, 17, 0, &few, &in, &out), CLF_E_BUFFER);
    assert_status(call(bits, 100, 0, &behind, &in, &out), CLF_E_BUFFER);
    assert_status(call(offsets, 100, 4, &few, &in, &out), CLF_E_BUFFER);
    assert_status(call(lengths, 100, 5, &few, &in, &out), CLF_E_BUFFER);
    assert_status(call(offsets, 100, CL_ULONG_MAX, &few, &in, &out), CLF_E_OVERFLOW);
    assert_status(call(bytes, 100, 0, &inside, &in, &out), CLF_E_ALIAS);
    assert_status(call(bytes, 101, 0, &in, &in, &out), CLF_E_BUFFER);
    assert_ok(call(bytes, 100, 0, &in, &in, &out)); /* flags may be the input, too */
    assert_ok(call(offsets, 0, 0, NULL, NULL, NULL));
    assert_ok(call(lengths, 0, 10, &nothing, NULL, NULL));
    assert_ok(clFinish(the_rig()->queue));

    assert_status(clf_plan_scratch(NULL, 100, 1, &size), CLF_E_ARGUMENT);
    assert_status(clf_plan_scratch(bytes, 100, 1, NULL), CLF_E_ARGUMENT);
    const clf_array scratch = {few.buffer, 0};
    assert_status(clf_irregular_scan(
                      lengths, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .scratch = scratch},
                      100, 4, &few, &in, &out),
                  CLF_E_SCRATCH);
    assert_status(clf_irregular_scan(bytes,
                                     &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1},
                                     100, 0, &in, &in, &out),
                  CL_INVALID_EVENT_WAIT_LIST);
    rig_release(in, out, few);
}

TEST(sizes_that_32_bits_do_not_hold)
{
    clf_plan *lengths = rig_plan_of("irregular_scan", &(plan_key){.op = ref_builtin(CLF_SUM, CLF_CHAR)}, &hows[3]);
    const cl_ulong n = (cl_ulong)1 << 32;
    cl_int status = CL_SUCCESS;
    /* Only the checks look at it; where there is no room for it, there is nothing to check. */
    cl_mem large = clCreateBuffer(the_rig()->cl, CL_MEM_READ_WRITE, (size_t)n, NULL, &status);
    if (!large)
        return;
    const clf_array array = {large, 0}, few = {rig_buffer(16, NULL), 0};
    assert_status(call(lengths, n, 4, &few, &array, &array), CLF_E_OVERFLOW);
    clReleaseMemObject(large);
    clReleaseMemObject(few.buffer);
}

/* Numbers that are no offsets or lengths: nothing outside of the output may change. */
TEST(arrays_that_lie)
{
    enum { N = 5000, MANY = 900, CANARY = 1000 };
    static unsigned char output[N * 4 + 2 * CANARY], entries[(MANY + 1) * 8];
    const clf_segmentation *how = &hows[_i % 2 ? 2 + _i / 2 % 2 : 5 + _i / 2 % 2];
    const plan_key key = {.op = ref_user(REF_INT_SUM), .disable = _i % 3 ? NULL : "cpu"};
    clf_plan *plan = rig_plan_of("irregular_scan", &key, how);
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (size_t k = 0; k < sizeof entries; k += 4) {
        const cl_uint number = (cl_uint)gen_below(&random, gen_chance(&random, 80) ? 2 * N : CL_UINT_MAX);
        memcpy(entries + k, &number, 4);
    }
    memset(output, 0x77, sizeof output);
    const clf_array out = {rig_buffer(sizeof output, output), CANARY / 4}, in = {rig_buffer(N * 4, NULL), 0};
    const clf_array segments = {rig_buffer(sizeof entries, entries), 0};
    assert_ok(call(plan, N, MANY, &segments, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof output, output);
    for (size_t k = 0; k < CANARY; ++k)
        ck_assert(output[k] == 0x77 && output[N * 4 + CANARY + k] == 0x77);
    rig_release(out, in, segments);
}

RIG_SUITE(irregular_scan, random_cases, {plans_that_cannot_be, 1}, {calls_that_cannot_be, 1},
          {sizes_that_32_bits_do_not_hold, 1}, {arrays_that_lie, 8}, {every_kind_on_every_size, COUNT(hows)},
          {every_kind_without_cpu_kernels, COUNT(hows)}, {builtins_of_a_type, CLF_BFLOAT16},
          {operators_of_users, WAY_COUNT}, {operators_that_choose, 2}, {stalled_tiles, SINGLE_PASS_WAYS},
          {workspaces_are_shared, KINDS})

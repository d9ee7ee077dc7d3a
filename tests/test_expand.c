/* SPDX-License-Identifier: MIT */
/*
 * Expansions against the reference: every variant, elements of 1 to 128 bytes, tuples, offsets and lengths of both
 * types, sizes around everything that the kernels distinguish, room for fewer results, numbers of segments that only
 * the device knows; lengths whose sum is too large to count; what bad arguments do.
 */
#include "expand_case.h"
#include "injection.h"
#include "refused.h"

#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {
    {NULL, NULL, NULL}, {NULL, "cpu", "items=64"}, {"cpu", NULL, NULL}, {"cpu", "tiles", "items=4,group=32"},
    {"cpu", "tiles", "items=3,group=64"}, {ROUTE_BARE, NULL, "items=1,group=2"}, {"cpu", "tiles", "items=12,group=1"},
};
enum { ROUTES = COUNT(routes) };

static expand_key key_of(int which, int op, int how)
{
    return (expand_key){ref_expand_of(op), &expand_ways[how], routes[which]};
}

/* Room is for all results, for one less, for more, for half of them, for none. */
static size_t room_of(size_t n, unsigned turn)
{
    const size_t rooms[] = {n, n ? n - 1 : 3, n + 21, n / 2, n, 0};
    return rooms[turn % COUNT(rooms)];
}

/* Circumstances go by the numbers, so that each comes with each. */
static void run_case(clf_plan *plan, const expand_key *key, irregular_shape shape, size_t n, unsigned turn,
                     const size_t *actual)
{
    gen random = gen_seed(the_rig()->seed, turn);
    irregular segments = irregular_make(&random, shape, n, 100);
    const expand_case test = {.key = *key, .segments = &segments, .room = room_of(n, turn), .uncounted = turn % 7 == 5,
                              .under = {.offset = turn % 4 ? turn % 9 : 0, .tight = turn % 5 == 2,
                                        .unordered = turn % 11 == 3, .gated = turn % 13 == 4, .seed = n + turn,
                                        .scratch = (scratch_kind)(turn % 3), .number = -1, .given = actual != NULL,
                                        .actual = actual ? *actual : 0}};
    expand_case_run(plan, test);
    irregular_free(&segments);
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

/* Of each size some shapes, in turn. */
static void run_shapes(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    (void)tile;
    for (unsigned shape = turn % 3; shape < SHAPE_COUNT; shape += 3)
        run_case(plan, key, (irregular_shape)shape, n, turn + shape, actual);
}

TEST(sizes_around_boundaries)
{
    for (int op = 0; op < REF_EXPAND_COUNT; ++op) {
        const expand_key key = key_of(_i / EXPAND_WAYS, op, _i % EXPAND_WAYS);
        clf_plan *plan = rig_full() || op == 0 || (op + _i) % 8 == 0 ? expand_plan(&key, false) : NULL;
        route_run_sizes(plan, &key, &(route_sizes){.most = 1000, .farthest = 3, .step = 1}, run_shapes);
    }
}

/* Many tiles, whose cuts are made beforehand. */
TEST(usual_tiles)
{
    const expand_key key = key_of(_i / EXPAND_WAYS % 2 ? 2 : 0, _i / EXPAND_WAYS / 2 ? 6 : 0, _i % EXPAND_WAYS);
    clf_plan *plan = expand_plan(&key, false);
    for (int shape = 0; plan && shape < SHAPE_COUNT; ++shape)
        run_case(plan, &key, (irregular_shape)shape, 70000 + (size_t)shape, (unsigned)shape * 6, NULL);
    clf_plan_release(plan);
}

TEST(sizes_on_the_device)
{
    const expand_key key = key_of(_i / EXPAND_WAYS, _i % 2 ? 6 : 1, _i % EXPAND_WAYS);
    route_run_given(expand_plan(&key, true), &key, 3000, run_shapes);
}

/* ---- What is special ------------------------------------------------------------------------------------------- */

/* Empty segments by the million, and one that is not. */
TEST(a_million_empty_segments)
{
    enum { MILLION = 1000000, LAST = 700001, N = 5000 };
    size_t *const lengths = calloc(MILLION, sizeof *lengths);
    ck_assert(lengths);
    lengths[LAST] = N;
    const irregular segments = {N, MILLION, lengths};
    const expand_key key = key_of(_i % 2 ? 2 : 0, 0, _i / 2);
    clf_plan *plan = expand_plan(&key, false);
    expand_case_run(plan, (expand_case){.key = key, .segments = &segments, .room = N, .under = {.number = -1}});
    clf_plan_release(plan);
    free(lengths);
}

/* Offsets that do not ascend, or lie far beyond: results are anything, but nothing else is touched. */
TEST(malformed_offsets)
{
    enum { SEGMENTS = 3000, ROOM = 5000, EXTRA = 64 };
    const cl_command_queue q = the_rig()->queue;
    gen random = gen_seed(the_rig()->seed, 5);
    cl_uint offsets[SEGMENTS + 1], out[ROOM + EXTRA], x[SEGMENTS];
    for (int i = 0; i <= SEGMENTS; ++i)
        offsets[i] = (cl_uint)gen_below(&random, i % 5 ? 9000 : (uint64_t)1 << 32);
    memset(out, 0xab, sizeof out);
    memset(x, 0, sizeof x);
    const expand_key key = key_of(_i, 0, 0);
    clf_plan *plan = expand_plan(&key, false);
    const clf_array a[] = {{rig_buffer(sizeof offsets, offsets), 0}, {rig_buffer(sizeof x, x), 0},
                           {rig_buffer(sizeof out, out), 0}};
    if (plan)
        assert_ok(clf_expand(plan, CLF_ON(q), SEGMENTS, ROOM, &a[0], &a[1], &a[2], NULL));
    rig_read(q, a[2].buffer, sizeof out, out);
    for (size_t i = ROOM; i < ROOM + EXTRA; ++i)
        ck_assert_uint_eq(out[i], 0xabababab);
    rig_release(a[0], a[1], a[2]);
    clf_plan_release(plan);
}

/* More than 32 bits count, more than 64, and much more: the first results are right, and the count does not wrap. */
TEST(sums_that_are_too_large)
{
    enum { COUNT_OF = 5, ROOM = 300 };
    static const cl_ulong lengths[3][COUNT_OF] = {{7, 0xffffffff, 0xffffffff, 0, 5},
                                                  {7, ~(cl_ulong)0 - 7, 0, 0, 0},
                                                  {7, ~(cl_ulong)0 - 7, 1, (cl_ulong)1 << 63, ~(cl_ulong)0}};
    static const cl_ulong totals[3] = {(cl_ulong)7 + 0xffffffff + 0xffffffff + 5, ~(cl_ulong)0, ~(cl_ulong)0};
    const cl_command_queue q = the_rig()->queue;
    const int which = _i % 3;
    cl_uint narrow[COUNT_OF], out[ROOM], x[COUNT_OF] = {10, 20, 30, 40, 50};
    cl_ulong total = 0;
    for (int i = 0; i < COUNT_OF; ++i)
        narrow[i] = (cl_uint)lengths[which][i];
    const expand_key key = key_of(_i / 3, 0, which == 0 ? 2 : 3);
    clf_plan *plan = expand_plan(&key, false);
    const void *const given = which ? (const void *)lengths[which] : narrow;
    const clf_array a[] = {{rig_buffer(which ? sizeof lengths[0] : sizeof narrow, given), 0},
                           {rig_buffer(sizeof x, x), 0}, {rig_buffer(sizeof out, NULL), 0}, {rig_buffer(8, NULL), 0}};
    if (plan) {
        assert_ok(clf_expand(plan, CLF_ON(q), COUNT_OF, ROOM, &a[0], &a[1], &a[2], &a[3]));
        rig_read(q, a[2].buffer, sizeof out, out);
        rig_read(q, a[3].buffer, sizeof total, &total);
        ck_assert_uint_eq(total, totals[which]);
        for (cl_uint i = 0; i < ROOM; ++i)
            ck_assert_uint_eq(out[i], i < 7 ? 7 * i + i + 10 : 3 + 7 * (i - 7) + i + 20);
    }
    rig_release(a[0], a[1], a[2], a[3]);
    clf_plan_release(plan);
}

/* Runs of an array and their lengths, and the array again: the number of runs stays on the device. */
TEST(run_lengths_and_back)
{
    enum { N = 20000 };
    static cl_int x[N], got[N];
    clf_context *const context = rig_context(_i ? "cpu" : NULL);
    const cl_command_queue q = the_rig()->queue;
    gen random = gen_seed(the_rig()->seed, 3);
    cl_ulong results = 0;
    for (int i = 0; i < N; ++i)
        x[i] = i && gen_chance(&random, 80) ? x[i - 1] : (cl_int)gen_below(&random, 1000);
    const clf_array a[] = {{rig_buffer(sizeof x, x), 0}, {rig_buffer(sizeof x, NULL), 0},
                           {rig_buffer(8 * N, NULL), 0}, {rig_buffer(8, NULL), 0}, {rig_buffer(sizeof x, NULL), 0},
                           {rig_buffer(8, NULL), 0}};
    const clf_call of_runs = {.size = sizeof of_runs, .queue = q, .actual = a[3]};
    assert_ok(clf_array_run_lengths(context, CLF_ON(q), CLF_INT, N, a[0], a[1], a[2], a[3]));
    assert_ok(clf_array_repeat(context, &of_runs, CLF_INT, CLF_ULONG, N, N, a[1], a[2], a[4], a[5]));
    rig_read(q, a[4].buffer, sizeof got, got);
    rig_read(q, a[5].buffer, sizeof results, &results);
    ck_assert_uint_eq(results, N);
    ck_assert(memcmp(x, got, sizeof x) == 0);
    rig_release(a[0], a[1], a[2], a[3], a[4], a[5]);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_expand_plan(r.context, ref_expand_of(0)->clf, &expand_ways[0], 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_expand_plan(r.context, ref_expand_of(0)->clf, &expand_ways[3], 0, NULL, &r.plan[1], NULL));
    clf_plan *const offsets = r.plan[0], *const lengths = r.plan[1];
    const clf_array x = refused_array(&r, 400), s = refused_array(&r, 400), out = refused_array(&r, 400);
    const clf_array n = refused_array(&r, 8), none = {NULL, 0}, behind = {x.buffer, 1};
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    const clf_call given = {.size = sizeof(clf_call), .queue = q, .actual = n};
    const clf_call two = {.size = sizeof(clf_call), .queue = q, .in_count = 2};
#define EXPECT(status, sentence, plan, call, ...) \
    rig_expect(&r.told, clf_expand(plan, call, __VA_ARGS__), status, "clf_expand: " sentence)
    EXPECT(CLF_E_ALIAS, "out[0] overlaps segments", offsets, CLF_ON(q), 99, 100, &s, &x, &s, &n);
    EXPECT(CLF_E_ALIAS, "out[0] overlaps in[0]", offsets, CLF_ON(q), 99, 100, &s, &x, &x, &n);
    EXPECT(CLF_E_ALIAS, "result_count overlaps out[0]", offsets, CLF_ON(q), 99, 100, &s, &x, &out, &out);
    EXPECT(CLF_E_BUFFER, "segments.buffer ends before element 100", offsets, CLF_ON(q), 100, 100, &s, &x, &out, &n);
    EXPECT(CLF_E_BUFFER, "segments.buffer ends before element 50", lengths, CLF_ON(q), 51, 100, &s, &x, &out, &n);
    EXPECT(CLF_E_BUFFER, "out[0].buffer ends before element 100", offsets, CLF_ON(q), 9, 101, &s, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "segments is NULL", offsets, CLF_ON(q), 9, 9, NULL, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "in is NULL", offsets, CLF_ON(q), 9, 9, &s, NULL, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "out is NULL", offsets, CLF_ON(q), 9, 9, &s, &x, NULL, &n);
    EXPECT(CLF_E_ARGUMENT, "a call that expands has no initial value", offsets, &initial, 9, 9, &s, &x, &out, &n);
    EXPECT(CLF_E_ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE", offsets, &given,
           9, 9, &s, &x, &out, NULL);
    EXPECT(CLF_E_ARGUMENT, "call->in_count is 2, and the operator has 1 arrays there", offsets, &two, 9, 9, &s, &x,
           &out, &n);
    EXPECT(CLF_E_OVERFLOW, "count + room does not fit 64 bits", offsets, CLF_ON(q), ~0ull - 4, 9, &s, &x, &out, &n);
    rig_expect(&r.told, clf_array_repeat(r.context, CLF_ON(q), CLF_LONG, CLF_UINT, 60, 9, x, s, out, none),
               CLF_E_BUFFER, "clf_array_repeat: in[0].buffer ends before element 59");
    rig_expect(&r.told, clf_array_repeat(r.context, CLF_ON(q), CLF_INT, CLF_UINT, 60, 9, x, s, behind, none),
               CLF_E_ALIAS, "clf_array_repeat: out[0] overlaps in[0]");
    assert_ok(clf_expand(offsets, CLF_ON(q), 0, 9, NULL, NULL, NULL, &n));
    assert_ok(clf_expand(lengths, CLF_ON(q), 9, 0, NULL, NULL, NULL, NULL));
    refused_close(&r);
}

TEST(plans_that_are_none)
{
    clf_error error = {.size = sizeof error};
    clf_context *const context = rig_context(NULL);
    const clf_segmentation bits = {sizeof bits, CLF_BY_HEAD_BITS, CLF_UINT};
    const clf_segmentation ints = {sizeof ints, CLF_BY_OFFSETS, CLF_INT};
    clf_operator op = *ref_expand_of(0)->clf;
    clf_plan *plan = NULL;
#define REFUSED(said, ...) \
    do { \
        assert_status(clf_expand_plan(__VA_ARGS__, NULL, &plan, &error), CLF_E_ARGUMENT); \
        ck_assert_msg(strstr(error.message, said), "%s", error.message); \
    } while (0)
    REFUSED("segments of an expand are told by offsets or lengths", context, &op, &bits, 0);
    REFUSED("offsets and lengths are of type CLF_UINT or CLF_ULONG", context, &op, &ints, 0);
    REFUSED("clf_segmentation.size", context, &op, NULL, 0);
    REFUSED("must not be NULL", context, NULL, &expand_ways[0], 0);
    REFUSED("must not be NULL", NULL, &op, &expand_ways[0], 0);
    assert_status(clf_expand_plan(context, &op, &expand_ways[0], CLF_EXCLUSIVE, NULL, &plan, &error), CLF_E_ARGUMENT);
    op.input = "uint y;";
    REFUSED("clf_operator.input: kernels make the elements", context, &op, &expand_ways[0], 0);
    op.input = NULL;
    op.extra = "uint y;";
    REFUSED("an expand has no extra outputs", context, &op, &expand_ways[0], 0);
    op.extra = NULL;
    op.combine = "clf_sum";
    REFUSED("clf_operator.combine", context, &op, &expand_ways[0], 0);
    op.combine = NULL;
    op.map = NULL;
    op.captured = NULL;
    REFUSED("clf_operator.map is NULL", context, &op, &expand_ways[0], 0);
    ck_assert_ptr_null(plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static expand_key menu[10];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    const size_t n = gen_size(own, 128, 5000);
    irregular segments = irregular_make(own, (irregular_shape)gen_below(own, SHAPE_COUNT), n,
                                        1 + (size_t)gen_below(own, 300));
    const expand_case test = {.key = menu[which], .segments = &segments, .room = room_of(n, (unsigned)gen_bits(own)),
                              .uncounted = gen_chance(own, 20), .under = circumstances_random(own, number)};
    expand_case_run(plan, test);
    irregular_free(&segments);
}

static clf_plan *draw(size_t i, gen *random)
{
    const int which = (int)gen_below(random, ROUTES), op = (int)gen_below(random, REF_EXPAND_COUNT);
    menu[i] = key_of(which, op, (int)gen_below(random, EXPAND_WAYS));
    return expand_plan(&menu[i], false);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 8000, 300, draw, run_random);
}

RIG_SUITE(expand, random_cases, {sizes_around_boundaries, ROUTES * EXPAND_WAYS}, {usual_tiles, 4 * EXPAND_WAYS},
          {sizes_on_the_device, ROUTES * EXPAND_WAYS}, {a_million_empty_segments, 2 * EXPAND_WAYS},
          {malformed_offsets, ROUTES}, {sums_that_are_too_large, 3 * ROUTES}, {run_lengths_and_back, 2},
          {refused_arguments_are_named, 1}, {plans_that_are_none, 1})

/* ---- For other suites ------------------------------------------------------------------------------------------ */

/* Suite kernel: little data of every operator. */
TEST(expansions_on_little_data)
{
    const way w = way_to("expand", (size_t)_i);
    for (int op = 0; op < REF_EXPAND_COUNT; ++op) {
        const expand_key key = {ref_expand_of(op), &expand_ways[op % EXPAND_WAYS],
                                {w.disable, w.variant, w.disable ? "items=16,group=32" : "items=64"}};
        clf_plan *plan = expand_plan(&key, false);
        for (unsigned shape = 0; plan && shape < SHAPE_COUNT; ++shape)
            run_case(plan, &key, (irregular_shape)shape, 140 + 100 * (shape % 3), 12 * shape + shape % 4, NULL);
        clf_plan_release(plan);
    }
}

RIG_PART(add_expand_kernel_tests, {expansions_on_little_data, variant_count("expand")})

/* Suite injection: each of ROWS elements ROW times, by lengths. */
static const clf_operator rows_again = {
    .size = sizeof rows_again, .value = "int v;", .captured = "int x;", .map = "again",
    .source = "clf_value again(clf_input at, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {c->x[at.segment]}; return v; }\n"};

WORLD_CALL(expand, clf_expand(plan, call, ROWS, ELEMENTS, &w->lengths, &w->in, &w->out, &w->count))

WORLD_RESULT(row_element, world_element(i / ROW))

/* Tiles so small that their cuts are made beforehand. */
static const subject list[] = {
    {"expand", "expand", expand, row_element, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.op = &rows_again, .how = &world_by_lengths}, .parameters = "items=1", .on_cpus = "items=64"}};
const subjects expand_subjects = {list, COUNT(list)};

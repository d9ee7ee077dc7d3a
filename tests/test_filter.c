/* SPDX-License-Identifier: MIT */
/*
 * Filters and partitions against the reference: every variant, elements of 1 to 64 bytes, tuples and maps, sizes around
 * everything that the kernels distinguish, what is kept from nothing to all of it, too little room, sizes that only the
 * device knows; and what bad arguments do.
 */
#include "cases.h"
#include "refused.h"

#include <stdio.h>
#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const route routes[] = {{NULL, NULL, NULL},
                               {NULL, "cpu", "items=3001,nontemporal=2"},
                               {"cpu", NULL, NULL},
                               {"cpu", "serial", "items=4,group=32"},
                               {"cpu", "two_pass", "items=12,group=64"},
                               {"cpu", "one_group", "items=8,group=64"},
                               {"cpu", "window", "items=4,group=64"},
                               {"cpu", "central", "items=8,group=64"},
                               {ROUTE_BARE, NULL, "items=3,group=2"}};
enum { ROUTES = COUNT(routes) };

static filter_key key_of(int which, int filter)
{
    return (filter_key){ref_filter_of(filter), routes[which], false};
}

filter_case filter_case_of(const filter_key *key, size_t n, unsigned turn)
{
    static const unsigned percents[] = {50, 0, 100, 1, 99, 25};
    return (filter_case){.key = *key, .n = n, .room = turn % 5 == 4 ? n / 3 : n, .percent = percents[turn % 6],
                         .pattern = (filter_pattern)(turn % 7 % FILTER_PATTERNS),
                         .under = {.offset = turn % 3 ? turn % 9 : 0, .unordered = turn % 11 == 3,
                                   .scratch = turn % 4 == 1, .seed = n, .number = -1}};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_size(clf_plan *plan, const void *key, size_t n, size_t tile, unsigned turn, const size_t *actual)
{
    (void)tile;
    filter_case test = filter_case_of(key, n, turn);
    circumstances_give(&test.under, actual, turn);
    filter_case_run(plan, test);
}

static void run_sizes(const filter_key *key)
{
    const route_sizes sizes = {.most = 5000, .farthest = 40, .step = 1, .tiles = 9, .turns = 24};
    route_run_sizes(filter_plan(key, false), key, &sizes, run_size);
}

TEST(sizes_around_boundaries)
{
    for (int f = 0; f < REF_FILTER_COUNT; ++f) {
        const filter_key key = key_of(_i, f);
        if (rig_full() || f == REF_FILTER_INT || (f + _i) % 5 == 0)
            run_sizes(&key);
    }
}

TEST(every_size)
{
    const filter_key key = key_of(_i ? 3 : 1, _i ? REF_UNIQUE_RUNS : REF_FILTER_TUPLE);
    clf_plan *plan = filter_plan(&key, false);
    for (size_t n = 0; plan && n <= 300; ++n)
        filter_case_run(plan, filter_case_of(&key, n, (unsigned)n));
    clf_plan_release(plan);
}

/* Many tiles of the size that is really used, and a part of one. */
TEST(usual_tiles)
{
    static const char *const variants[] = {NULL, NULL, "cpu"};
    const filter_key key = {ref_filter_of(_i / 3), {_i % 3 == 1 ? "cpu" : NULL, variants[_i % 3], NULL}, false};
    clf_plan *plan = rig_full() || _i % 3 == 0 || _i / 3 % 3 == _i % 3 ? filter_plan(&key, false) : NULL;
    for (unsigned turn = 0; plan && turn < 12; ++turn)
        ck_assert(filter_case_run(plan, filter_case_of(&key, turn < 6 ? 70000 + turn : turn - 5, turn)));
    clf_plan_release(plan);
}

/* ---- Tiles that wait in vain ----------------------------------------------------------------------------------- */

/* Filters, unique and partitions: tiles that say nothing, in any order, and others that help themselves. */
TEST(stalled_tiles)
{
    static const char *const variants[] = {"serial", "window", "central", "cpu"};
    static const char *const stalls[] = {"items=4,group=64,count=1,stall=2,reverse=1,spin=0",
                                         "items=4,group=64,count=1,stall=1,reverse=1,spin=4",
                                         "items=2,group=32,count=1,stall=3,spin=4"};
    static const int filters[] = {REF_FILTER_TUPLE, REF_UNIQUE_RUNS, REF_PARTITION_BYTE, REF_THREE_INT};
    enum { FALLBACKS = 3 };
    cl_uint fallbacks = 0;
    for (size_t f = 0; f < COUNT(filters); ++f) {
        const char *const parameters = _i < 3 ? stalls[(f + (size_t)_i) % 3] : "items=64,count=1,stall=2,spin=1";
        const filter_key key = {ref_filter_of(filters[f]), {_i < 3 ? "cpu" : NULL, variants[_i], parameters}, false};
        clf_plan *plan = filter_plan(&key, false);
        for (unsigned turn = 0; plan && turn < 12; ++turn) {
            cl_uint header[GUARDED_HEADER] = {0};
            filter_case test = filter_case_of(&key, 40 * plan_tile(plan) + 3, turn);
            test.under.scratch = true;
            test.header = header;
            if (filter_case_run(plan, test))
                fallbacks += header[FALLBACKS];
        }
        clf_plan_release(plan);
    }
    if (the_rig()->is_cpu && _i < 3)
        ck_assert_msg(fallbacks > 0, "no fallback: %s", variants[_i]);
}

/* ---- Flag bits ------------------------------------------------------------------------------------------------- */

static const clf_operator by_bits = {
    .size = sizeof by_bits, .value = "ushort v;", .captured = "uint bits;", .predicate = "flagged",
    .source = "bool flagged(clf_input x, ulong i, const clf_captured *c) { return c->bits[i / 32] >> i % 32 & 1; }"};

static bool bit(const cl_uint *bits, size_t i)
{
    return bits[i / 32] >> i % 32 & 1;
}

/* n shorts by bits whose words begin anywhere in a buffer; behind bit n - 1 there is anything. */
static void run_bits(clf_plan *plan, size_t n, size_t offset)
{
    enum { MOST = 6000, WORDS = MOST / 32 + 20 };
    static cl_ushort values[MOST + 20], expected[MOST], got[MOST];
    static cl_uint words[WORDS];
    gen random = gen_seed(the_rig()->seed + n, 3);
    const cl_uint *const bits = words + offset;
    cl_ulong kept = 0, count = 0;
    ck_assert(n <= MOST && offset < 20);
    for (size_t i = 0; i < COUNT(values); ++i)
        values[i] = (cl_ushort)gen_bits(&random);
    for (size_t i = 0; i < WORDS; ++i)
        words[i] = (cl_uint)gen_bits(&random);
    memset(expected, 0xa5, sizeof expected);
    memset(got, 0xa5, sizeof got);
    for (size_t i = 0; i < n; ++i)
        if (bit(bits, i))
            expected[kept++] = values[offset + i];
    const clf_array in[] = {{rig_buffer(sizeof values, values), offset}, {rig_buffer(sizeof words, words), offset}};
    const clf_array out = {rig_buffer(sizeof got, got), 0}, result = {rig_buffer(8, NULL), 0};
    assert_ok(clf_filter(plan, CLF_ON(the_rig()->queue), n, n, in, &out, &result));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    rig_read(the_rig()->queue, result.buffer, 8, &count);
    ck_assert_msg(count == kept && memcmp(got, expected, sizeof got) == 0, "n %zu, offset %zu: %lu kept, not %lu", n,
                  offset, (unsigned long)count, (unsigned long)kept);
    rig_release(in[0], in[1], out, result);
}

TEST(by_flag_bits)
{
    static const size_t sizes[] = {0, 1, 31, 32, 33, 63, 64, 65, 511, 512, 513, 2048, 5999};
    clf_plan *const plan = route_plan(&routes[_i], "filter", &(plan_parts){.op = &by_bits}, "flag bits");
    if (!plan)
        return;
    const bool one_group = routes[_i].variant && strcmp(routes[_i].variant, "one_group") == 0;
    for (size_t i = 0; i < COUNT(sizes); ++i)
        if (!one_group || sizes[i] <= plan_tile(plan))
            run_bits(plan, sizes[i], i % 7 + 3 * (i % 2));
    clf_plan_release(plan);
}

/* ---- What only the device knows -------------------------------------------------------------------------------- */

TEST(sizes_on_the_device)
{
    const filter_key key = key_of(_i, _i % 2 ? REF_UNIQUE_INT : REF_FILTER_TUPLE);
    route_run_given(filter_plan(&key, true), &key, 5000, run_size);
}

/* Filter, then a reduction of as many as were kept, and the host learns the sum alone. */
TEST(chained_without_the_host)
{
    enum { N = 10000 };
    clf_plan *filter = filter_plan(&(filter_key){.filter = ref_filter_of(REF_FILTER_INT)}, false), *sum = NULL;
    cl_int data[N], got = 0, expected = 0;
    for (int i = 0; i < N; ++i) {
        data[i] = i % 7 - 3;
        expected += data[i] > 0 ? data[i] : 0;
    }
    assert_ok(clf_reduce_plan(rig_context(NULL), clf_builtin(CLF_SUM, CLF_INT), CLF_FROM_DEVICE, NULL, &sum, NULL));
    const cl_command_queue queue = the_rig()->queue;
    const clf_array in = {rig_buffer(sizeof data, data), 0}, kept = {rig_buffer(sizeof data, NULL), 0};
    const clf_array count = {rig_buffer(8, NULL), 0}, out = {rig_buffer(4, NULL), 0};
    assert_ok(clf_filter(filter, CLF_ON(queue), N, N, &in, &kept, &count));
    assert_ok(clf_reduce(sum, &(clf_call){.size = sizeof(clf_call), .queue = queue, .actual = count}, N, &kept, &out));
    rig_read(queue, out.buffer, sizeof got, &got);
    ck_assert_int_eq(got, expected);
    rig_release(in, kept, count, out);
    rig_release_plans(filter, sum);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_filter_plan(r.context, ref_filter_of(REF_FILTER_INT)->clf, 0, NULL, &r.plan[0], NULL));
    clf_plan *const plan = r.plan[0];
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400), count = refused_array(&r, 8);
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_filter(plan, CLF_ON(q), 100, 100, &a, &a, &count));
    REFUSES(&r.told, BUFFER, "in[0].buffer ends before element 100",
            clf_filter(plan, CLF_ON(q), 101, 9, &a, &b, &count));
    REFUSES(&r.told, ARGUMENT, "result_count is NULL", clf_filter(plan, CLF_ON(q), 100, 9, &a, &b, NULL));
    REFUSES(&r.told, ARGUMENT, "a filter has no initial value", clf_filter(plan, &initial, 9, 9, &a, &b, &count));
    assert_status(clf_filter(plan, CLF_ON(q), 100, 100, &a, &b, &b), CLF_E_ALIAS);
    assert_status(clf_unique(plan, CLF_ON(q), 9, 9, &a, &b, &count), CLF_E_ARGUMENT);
    assert_ok(clf_filter(plan, CLF_ON(q), 100, 0, &a, NULL, &count)); /* only counted */
    refused_close(&r);
}

/* Parts must not overlap each other, and each has its room; there are as many counts as parts. */
TEST(refused_partitions)
{
    refused r;
    refused_open(&r);
    const cl_command_queue q = r.queue;
    assert_ok(clf_partition_plan(r.context, ref_filter_of(REF_PARTITION_INT)->clf, 0, NULL, &r.plan[0], NULL));
    assert_ok(clf_partition_plan(r.context, ref_filter_of(REF_THREE_INT)->clf, 0, NULL, &r.plan[1], NULL));
    clf_plan *const two = r.plan[0], *const three = r.plan[1];
    const clf_array a = refused_array(&r, 400), counts = refused_array(&r, 16);
    const cl_mem b = refused_array(&r, 400).buffer;
    const clf_array out[] = {{b, 0}, {b, 50}, {b, 75}}, aliased[] = {{b, 0}, {a.buffer, 0}};
    const clf_array near[] = {{b, 0}, {b, 50}, {b, 70}};
    const clf_call short_list = {.size = sizeof(clf_call), .queue = q, .out_count = 1};
    REFUSES(&r.told, BUFFER, "out[1].buffer ends before element 100",
            clf_partition(two, CLF_ON(q), 100, 51, &a, out, &counts));
    REFUSES(&r.told, ALIAS, "out[2] overlaps out[1]", clf_partition(three, CLF_ON(q), 100, 25, &a, near, &counts));
    REFUSES(&r.told, ALIAS, "out[1] overlaps in[0]", clf_partition(two, CLF_ON(q), 100, 50, &a, aliased, &counts));
    REFUSES(&r.told, BUFFER, "result_count.buffer ends before element 2",
            clf_partition(three, CLF_ON(q), 100, 25, &a, out, &counts));
    REFUSES(&r.told, ARGUMENT, "call->out_count is 1, and the operator has 2 arrays there",
            clf_partition(two, &short_list, 100, 25, &a, out, &counts));
    assert_status(clf_filter(two, CLF_ON(q), 9, 9, &a, out, &counts), CLF_E_ARGUMENT);
    assert_ok(clf_partition(two, CLF_ON(q), 100, 50, &a, out, &counts));
    refused_close(&r);
}

TEST(operators_that_are_none)
{
    static const clf_operator wrong[] = {
        {.size = sizeof(clf_operator), .value = "int v;", .source = "bool f(clf_input x, ulong i) { return 1; }"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .predicate = "f", .neutral = "g"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .predicate = "f", .same = "g"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .predicate = "f", .map = "g",
         .extra = "int x;"},
        {.size = sizeof(clf_operator), .value = "int v;", .source = "", .predicate = "f", .input = "int x;"},
    };
    static const clf_operator shape = {.size = sizeof(clf_operator), .value = "int v;", .predicate = "f",
                                       .source = "bool f(clf_input x, uint i) { return 1; }"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t i = 0; i < COUNT(wrong); ++i)
        assert_status(clf_filter_plan(rig_context(NULL), &wrong[i], 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_filter_plan(rig_context(NULL), &shape, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_ptr_nonnull(strstr(error.message, "clf_operator.predicate: the source has no function bool f"));
    assert_status(clf_reduce_plan(rig_context(NULL), ref_filter_of(REF_FILTER_INT)->clf, 0, NULL, &plan, &error),
                  CLF_E_ARGUMENT);
    assert_status(clf_unique_plan(rig_context(NULL), ref_filter_of(REF_FILTER_INT)->clf, 0, NULL, &plan, &error),
                  CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

/* By default parameters: longer rows of tuples ended the process (driver_bugs.txt). */
TEST(tuples_in_three)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "short x;", .value = "short a; long b; char c;", .map = "make", .part = "which",
        .source = "clf_value make(clf_input x, ulong i) { clf_value v = {x.x, x.x + 1, (char)i}; return v; }\n"
                  "uint which(clf_input x, ulong i) { return (uint)i % 3; }"};
    clf_array array[11]; /* input, counts, outputs */
    cl_ulong counts[3];
    for (size_t k = 0; k < 11; ++k)
        array[k] = (clf_array){rig_buffer(8 * 3000, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_partition_plan, rig_context("cpu"), &op, 0, NULL);
    assert_ok(clf_partition(plan, CLF_ON(the_rig()->queue), 3000, 3000, &array[0], &array[2], &array[1]));
    rig_read(the_rig()->queue, array[1].buffer, sizeof counts, counts);
    ck_assert(counts[0] == 1000 && counts[1] == 1000 && counts[2] == 1000);
    clf_plan_release(plan);
    for (size_t k = 0; k < COUNT(array); ++k)
        clReleaseMemObject(array[k].buffer);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static filter_key menu[8];

static void run_random(size_t which, clf_plan *plan, gen *own, long number)
{
    filter_case test = {.key = menu[which], .under = circumstances_random(own, number)};
    test.n = gen_size(own, 128, 6000);
    test.room = gen_chance(own, 70) ? test.n : (size_t)gen_below(own, test.n + 1);
    test.pattern = (filter_pattern)gen_below(own, FILTER_PATTERNS);
    test.percent = (unsigned)gen_below(own, 101);
    filter_case_run(plan, test);
}

static clf_plan *draw(size_t i, gen *random)
{
    menu[i] = key_of((int)gen_below(random, ROUTES), (int)gen_below(random, REF_FILTER_COUNT));
    return filter_plan(&menu[i], false);
}

TEST(random_cases)
{
    route_run_random(COUNT(menu), 5000, 300, draw, run_random);
}

/* What `same` captures overlaps no output, not in place either. */
TEST(captured_by_same)
{
    const clf_array buffer[] = {{rig_buffer(400, NULL), 0}, {rig_buffer(400, NULL), 0}, {rig_buffer(400, NULL), 0}};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .in_count = 2, .out_count = 1};
    clf_array in[] = {buffer[0], {NULL, 0}};
    clf_plan *const plan = RIG_PLAN(clf_unique_plan, rig_context(NULL), ref_filter_of(REF_UNIQUE_CAPTURED)->clf,
                                    CLF_IN_PLACE, NULL);
    assert_status(clf_unique(plan, &call, 100, 100, in, &buffer[1], &buffer[2]), CLF_E_ARGUMENT);
    for (int i = 0; i < 3; ++i) {
        in[1] = buffer[i];
        assert_status(clf_unique(plan, &call, 100, 100, in, &buffer[i > 0], &buffer[2]), CLF_E_ALIAS);
    }
    rig_release(buffer[0], buffer[1], buffer[2]);
    clf_plan_release(plan);
}

RIG_SUITE_OF(filter, random_cases, (add_in_place_tests), {sizes_around_boundaries, ROUTES}, {every_size, 2},
             {usual_tiles, 3 * REF_FILTER_COUNT}, {stalled_tiles, 4}, {by_flag_bits, ROUTES},
             {sizes_on_the_device, ROUTES}, {chained_without_the_host, 1}, {tuples_in_three, 1},
             {refused_arguments_are_named, 1}, {refused_partitions, 1}, {operators_that_are_none, 1},
             {captured_by_same, 1})

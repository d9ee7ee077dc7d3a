/* SPDX-License-Identifier: MIT */
/*
 * Reductions of irregular segments against the reference: every way of telling where segments start, every shape,
 * every variant; sizes around units, tiles and shares; room for fewer results than there are; random cases (--seed S
 * --case K repeats one); bad arguments, and arrays that lie.
 */
#include "reduce_case.h"

#include <stdlib.h>
#include <string.h>

#define HOW(BY, TYPE) {sizeof(clf_segmentation), BY, TYPE}

static const clf_segmentation hows[] = {
    HOW(CLF_BY_OFFSETS, CLF_UINT), HOW(CLF_BY_HEAD_BITS, CLF_CHAR), HOW(CLF_BY_LENGTHS, CLF_ULONG),
    HOW(CLF_BY_KEYS, CLF_INT), HOW(CLF_BY_OFFSETS, CLF_ULONG), HOW(CLF_BY_HEAD_BYTES, CLF_CHAR),
    HOW(CLF_BY_LENGTHS, CLF_UINT), HOW(CLF_BY_KEYS, CLF_DOUBLE),
};

/* Ways to ask: the default and every named variant, as CPU and as GPU-shaped kernels, with small tiles. */
static const struct {
    const char *disable, *variant, *parameters;
} routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "groups=7,streams=3"},
    {"cpu", NULL, NULL},
    {"cpu", "shares", "group=64,items=4,groups=8"},
    {"cpu", "shares", "group=32,items=3,groups=40"},
};
enum { ROUTES = 5, BITS = 1, KINDS = 4 /* the first of `hows`: two for each kernel */ };

static reduce_key key_of(int route, const clf_segmentation *how, const ref_operator *op)
{
    return (reduce_key){op, (ref_clf(op)->flags & CLF_COMMUTATIVE) != 0, routes[route].disable, routes[route].variant,
                        routes[route].parameters, how};
}

/* n elements in segments of this shape, and room for all results; of some, for fewer. */
static void run_shape(reduce_case test, irregular_shape shape, size_t n, size_t scale)
{
    gen random = gen_seed(test.seed + n, (uint64_t)shape);
    irregular segments = irregular_make(&random, shape, n, scale);
    test.segments = &segments;
    test.count = segments.count - segments.count * (test.seed % 3) / 5;
    reduce_case_run(test);
    irregular_free(&segments);
}

static reduce_case case_of(const reduce_key *key, uint64_t mix)
{
    return (reduce_case){.plan = *key, .offset = mix % 5, .initial = mix % 3 == 0, .in_place = mix % 4 == 0,
                         .own_scratch = mix % 7 == 0, .unordered = mix % 11 == 0, .uncounted = mix % 6 == 0,
                         .seed = the_rig()->seed + mix, .suite = "irregular_reduce", .number = -1};
}

static void run_shapes(const reduce_key *key, size_t n, size_t mix)
{
    for (size_t shape = 0; shape < SHAPE_COUNT; ++shape)
        run_shape(case_of(key, mix + shape), (irregular_shape)shape, n, 1 + n / 3);
}

TEST(every_kind_on_every_size)
{
    static const size_t sizes[] = {0, 1, 2, 31, 33, 64, 127, 128, 129, 255, 256, 400, 1024, 4097, 20011};
    for (int route = 0; route < ROUTES; ++route) {
        if (!rig_full() && _i >= KINDS && route % 3 != 0) /* those differ in how bits and starts are made */
            continue;
        const reduce_key key = key_of(route, &hows[_i], ref_user(_i % 2 ? REF_AFFINE : REF_INT_SUM));
        for (size_t s = 0; s < COUNT(sizes); ++s)
            if (rig_full() || route == 0 || (s + (size_t)route) % 3 == 0)
                run_shapes(&key, sizes[s], s * 17 + (size_t)route);
    }
}

TEST(operators_of_users)
{
    for (int route = 0; route < ROUTES; ++route) {
        const size_t turn = the_rig()->seed + (size_t)(_i + route);
        if (!rig_full() && turn % 4 != 0)
            continue;
        const reduce_key key = key_of(route, &hows[(turn + turn / 4) % KINDS], ref_user(_i));
        run_shapes(&key, 3000, turn);
        run_shapes(&key, 70, turn + 1);
    }
}

TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        for (int route = 0; reference && route < 3; route += 2) {
            const reduce_key key = key_of(route, &hows[(op + _i) % 2], reference);
            if (rig_full() || (op == _i % CLF_OP_COUNT && route == _i % 2 * 2))
                run_shapes(&key, 9000, (size_t)(op + _i));
        }
    }
}

/* Ends wherever a stretch or a share may begin, and every number of elements. */
TEST(every_small_size)
{
    for (int how = 0; how < 2; ++how) {
        const reduce_key key = key_of(_i, &hows[how], ref_user(REF_MATRIX));
        for (size_t n = 0; n < 300; ++n)
            run_shape(case_of(&key, n), n % 2 ? SHAPE_EMPTY_BETWEEN : SHAPE_SHORT, n, 8);
        for (size_t scale = 2; scale < 140; scale += 3)
            run_shape(case_of(&key, scale), SHAPE_BOUNDARIES, 2000, scale);
    }
}

/* Groups with fewer work-items than a vector may have elements, of 1, 2, 4 and 8 bytes, and of all of them. */
TEST(small_groups)
{
    static const clf_type types[] = {CLF_CHAR, CLF_USHORT, CLF_INT, CLF_LONG};
    static const size_t sizes[] = {1, 5, 31, 64, 671};
    const int group = _i % SMALL_GROUPS, type = _i / SMALL_GROUPS;
    const ref_operator *op = type < (int)COUNT(types) ? ref_builtin(CLF_MIN, types[type]) : ref_user(REF_MIXED);
    for (int k = 0; k < SMALL_ITEMS * 2; ++k) {
        const int items = k % SMALL_ITEMS, how = k / SMALL_ITEMS;
        if (!rig_full() && (the_rig()->seed + (uint64_t)(_i + items + 3 * how)) % SMALL_ITEMS != 0)
            continue;
        const reduce_key key = {op, k % 2, "cpu", "shares", reduce_small_parameters(group, items), &hows[how]};
        for (size_t s = 0; s < COUNT(sizes); ++s)
            run_shapes(&key, sizes[s], s + (size_t)k);
    }
    rig_forget(); /* they are many */
}

/* Far more ends in one place than any share has elements. */
TEST(a_million_empty_ones)
{
    enum { MILLION = 1000000, N = 5000 };
    irregular segments = {.n = N, .count = MILLION + 2, .lengths = calloc(MILLION + 2, sizeof(size_t))};
    ck_assert(segments.lengths);
    const size_t where[] = {1, MILLION, MILLION / 2};
    const reduce_key key = key_of(_i, &hows[0], ref_user(REF_INT_SUM));
    for (size_t w = 0; w < COUNT(where); ++w) {
        segments.lengths[where[w]] = N - 3;
        segments.lengths[w] = 3;
        reduce_case test = case_of(&key, w);
        test.segments = &segments;
        test.count = segments.count;
        reduce_case_run(test);
        segments.lengths[where[w]] = segments.lengths[w] = 0;
    }
    free(segments.lengths);
}

/* ---- Random cases ----------------------------------------------------------------------------------- */

static void random_case(long number)
{
    gen random = gen_seed(the_rig()->seed, 9000 + (uint64_t)number);
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_SELECT};
    const int route = (int)gen_below(&random, ROUTES), how = (int)gen_below(&random, KINDS);
    const int operator= operators[(how + route) % 4]; /* few plans: compiling costs */
    const reduce_key key = key_of(route, &hows[how], ref_user(operator));
    reduce_case test = case_of(&key, gen_below(&random, 100000));
    test.number = number;
    const size_t n = gen_size(&random, 256, 30000);
    run_shape(test, (irregular_shape)gen_below(&random, SHAPE_COUNT), n, 1 + (size_t)gen_below(&random, 600));
}

TEST(random_cases)
{
    for (long number = -1; rig_next_case(300, &number);)
        random_case(number);
}

/* ---- Bad arguments ---------------------------------------------------------------------------------- */

TEST(plans_that_cannot_be)
{
    const clf_segmentation wrong[] = {{0, CLF_BY_OFFSETS, CLF_UINT}, HOW(CLF_BY_LENGTHS, CLF_FLOAT),
                                      HOW((clf_segments_by)9, CLF_UINT)};
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_INT);
    clf_context *context = rig_context(NULL);
    clf_plan *plan = NULL;
    for (size_t k = 0; k < COUNT(wrong); ++k)
        assert_status(clf_irregular_reduce_plan(context, sum, &wrong[k], 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_reduce_plan(context, sum, NULL, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_reduce_plan(context, sum, &hows[0], CLF_EXCLUSIVE, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_reduce_plan(NULL, sum, &hows[0], 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_irregular_reduce_plan(context, sum, &hows[0], 0, NULL, NULL, NULL), CLF_E_ARGUMENT);
    ck_assert(!plan);
}

static clf_plan *plan_by(const clf_segmentation *how)
{
    const reduce_key key = key_of(0, how, ref_user(REF_INT_SUM));
    return reduce_plan(&key);
}

static clf_status call(clf_plan *plan, cl_ulong n, cl_ulong count, const clf_array *segments, const clf_array *in,
                       const clf_array *out, const clf_array *result_count)
{
    return clf_irregular_reduce(plan, CLF_ON(the_rig()->queue), n, count, segments, in, out, result_count);
}

TEST(calls_that_cannot_be)
{
    clf_plan *offsets = plan_by(&hows[0]), *bits = plan_by(&hows[BITS]), *lengths = plan_by(&hows[2]);
    const reduce_key plain = {.op = ref_user(REF_INT_SUM)};
    const clf_array in = {rig_buffer(400, NULL), 0}, out = {rig_buffer(400, NULL), 0}, few = {rig_buffer(16, NULL), 0};
    const clf_array nothing = {NULL, 0}, inside = {out.buffer, 50}, behind = {few.buffer, 2}, first = {out.buffer, 0};

    assert_status(call(NULL, 100, 3, &few, &in, &out, NULL), CLF_E_ARGUMENT);
    assert_status(call(reduce_plan(&plain), 100, 3, &few, &in, &out, NULL), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 3, NULL, &in, &out, NULL), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 3, &nothing, &in, &out, NULL), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 3, &few, &in, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 0, &few, &in, &out, NULL), CLF_E_ARGUMENT); /* elements, but no segments */
    assert_status(call(lengths, 100, 0, &few, &in, &out, NULL), CLF_E_ARGUMENT);
    assert_status(call(offsets, 100, 4, &few, &in, &out, NULL), CLF_E_BUFFER);
    assert_status(call(lengths, 100, 3, &few, &in, &out, NULL), CLF_E_BUFFER); /* of 8 bytes each */
    assert_status(call(bits, 100, 101, &few, &in, &out, NULL), CLF_E_BUFFER);
    assert_status(call(bits, 100, 3, &few, &in, &out, &behind), CLF_E_BUFFER);
    assert_status(call(offsets, 100, 3, &inside, &in, &out, NULL), CLF_SUCCESS); /* apart from the results */
    assert_status(call(offsets, 100, 3, &first, &in, &out, NULL), CLF_E_ALIAS);
    assert_status(call(offsets, 100, 100, &in, &few, &few, NULL), CLF_E_BUFFER);
    assert_status(call(offsets, 99, 99, &out, &in, &in, NULL), CLF_E_ALIAS); /* not in place of an input */
    assert_status(call(bits, 100, 10, &few, &in, &out, &first), CLF_E_ALIAS);
    assert_status(call(bits, 100, 10, &few, &in, &out, &few), CLF_E_ALIAS);
    assert_status(call(bits, 100, 10, &few, &in, &out, &in), CLF_E_ALIAS);
    assert_status(call(offsets, 1, CL_ULONG_MAX, &few, &in, &out, NULL), CLF_E_OVERFLOW);
    const clf_array scratch = {few.buffer, 0};
    assert_status(clf_irregular_reduce(
                      lengths, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .scratch = scratch},
                      100, 2, &few, &in, &out, NULL),
                  CLF_E_SCRATCH);
    assert_ok(call(offsets, 0, 0, NULL, NULL, NULL, NULL));
    assert_ok(call(bits, 0, 10, NULL, NULL, &out, NULL));
    assert_ok(call(bits, 100, 0, &few, &in, NULL, NULL));
    assert_ok(clFinish(the_rig()->queue));
    rig_release(in, out, few);
}

/* Numbers that are no offsets or lengths: nothing outside of the output may change. */
TEST(arrays_that_lie)
{
    enum { N = 5000, MANY = 900, CANARY = 1000 };
    static unsigned char output[MANY * 4 + 2 * CANARY], entries[(MANY + 1) * 8];
    const clf_segmentation *how = &hows[_i % 4 * 2 == 6 ? 6 : _i % 3 * 2];
    const reduce_key key = key_of(_i % 2 ? 3 : 0, how, ref_user(REF_INT_SUM));
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (size_t k = 0; k < sizeof entries; k += 4) {
        const cl_uint number = (cl_uint)gen_below(&random, gen_chance(&random, 80) ? 2 * N : CL_UINT_MAX);
        memcpy(entries + k, &number, 4);
    }
    memset(output, 0x77, sizeof output);
    const clf_array out = {rig_buffer(sizeof output, output), CANARY / 4}, in = {rig_buffer(N * 4, NULL), 0};
    const clf_array segments = {rig_buffer(sizeof entries, entries), 0};
    assert_ok(call(reduce_plan(&key), N, MANY, &segments, &in, &out, NULL));
    rig_read(the_rig()->queue, out.buffer, sizeof output, output);
    for (size_t k = 0; k < CANARY; ++k)
        ck_assert(output[k] == 0x77 && output[MANY * 4 + CANARY + k] == 0x77);
    rig_release(out, in, segments);
}

RIG_SUITE(irregular_reduce, random_cases, {small_groups, 5 * SMALL_GROUPS}, {plans_that_cannot_be, 1},
          {calls_that_cannot_be, 1}, {arrays_that_lie, 8}, {every_kind_on_every_size, COUNT(hows)},
          {operators_of_users, REF_USER_COUNT}, {builtins_of_a_type, CLF_BFLOAT16}, {every_small_size, ROUTES},
          {a_million_empty_ones, ROUTES})

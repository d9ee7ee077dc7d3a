/* SPDX-License-Identifier: MIT */
/*
 * Adjacent differences against the reference: every variant, elements of 1 to 128 bytes, operators that neither commute
 * nor associate (ref_difference.c) and those of users, sizes and segments around everything that the kernels
 * distinguish (vector, chunk, row, tile, block of a CPU), in place, and what calls cost: how many commands, and
 * scratch.
 */
#include "route.h"
#include "scan_case.h"
#include "wanted.h"

#include <stdio.h>
#include <string.h>

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *disable, *variant, *parameters;
} routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "items=100,streams=8"},
    {NULL, "cpu", "items=64,streams=1"},
    {"cpu", NULL, NULL},
    {"cpu", "chunks", "items=8,group=32"},
    {"cpu", "chunks", "items=32,group=64"},
    {"cpu", "chunks", "items=3,group=32"},
    {"ptx,int64_atomics,c11,subgroups,progress,cpu", NULL, "items=4,group=2"},
};
enum { ROUTES = COUNT(routes) };

static plan_key key_of(int number, const ref_operator *op)
{
    return (plan_key){op, 0, routes[number].disable, routes[number].variant, routes[number].parameters};
}

/* Circumstances go by the numbers, so that each comes with each. `size` 0: no segments. */
static scan_case case_of(const plan_key *key, size_t n, size_t size)
{
    const size_t turn = n + size;
    return (scan_case){.plan = *key, .n = size ? n / size * size : n, .adjacent = true, .segmented = size > 0,
                       .size = size, .offset = turn % 7, .aligned = turn % 3 == 0, .initial = turn % 4 == 1,
                       .in_place = turn / 2 % 2, .unordered = turn % 11 == 3, .scratch = (scratch_kind)(turn % 3),
                       .seed = the_rig()->seed + n, .suite = "adjacent_difference", .number = -1};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

static void run_sizes(const plan_key *key)
{
    const clf_plan *plan = rig_plan_of("adjacent_difference", key, NULL);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan), group = plan_group(plan);
    const size_t sizes[] = {0, 1, 2, 3, 4, 5, 15, 16, 17, group - 1, group, group + 1, 4 * group + 1, tile / 2,
                            tile - 1, tile, tile + 1, tile + 2, 2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile + 7};
    for (size_t i = 0; i < COUNT(sizes); ++i)
        for (int in_place = 0; in_place < 2; ++in_place) {
            scan_case test = case_of(key, sizes[i], 0);
            test.in_place = in_place;
            scan_case_run(test);
        }
}

TEST(sizes_around_boundaries)
{
    for (int o = 0; o < REF_DIFFERENCE_COUNT; ++o) {
        const plan_key key = key_of(_i, ref_difference(o));
        if (rig_full() || (o + _i) % 3 == 0)
            run_sizes(&key);
    }
}

TEST(every_size_with_small_tiles)
{
    const plan_key key = {ref_difference(_i % 2 ? REF_MAPPED : REF_BYTES_4), 0, _i < 2 ? NULL : "cpu",
                          _i < 2 ? "cpu" : "chunks", _i < 2 ? "items=24,streams=5" : "items=4,group=32"};
    for (size_t n = 0; n <= 300; ++n)
        if (rig_plan_of("adjacent_difference", &key, NULL))
            scan_case_run(case_of(&key, n, 0));
}

/* ---- Segments -------------------------------------------------------------------------------------------------- */

static void run_segments(const plan_key *key)
{
    const clf_plan *plan = rig_plan_of("adjacent_difference", key, NULL);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan);
    const size_t sizes[] = {1, 2, 3, 5, 7, 13, 16, 31, 33, 101, tile / 2, tile - 1, tile, tile + 1, 2 * tile + 1};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        const size_t many = 3 * tile + 100 > 3 * sizes[i] ? 3 * tile + 100 : 3 * sizes[i];
        scan_case test = case_of(key, many, sizes[i]);
        scan_case_run(test);
        test.in_place = !test.in_place;
        test.initial = !test.initial;
        scan_case_run(test);
        scan_case_run(case_of(key, sizes[i], sizes[i]));
    }
}

TEST(segments_of_any_size)
{
    static const int operators[] = {REF_BYTES_4, REF_BYTES_1, REF_MAPPED};
    for (int o = 0; o < (int)COUNT(operators); ++o) {
        const plan_key key = key_of(_i, ref_difference(operators[o]));
        if (rig_full() || (o + _i) % 3 == 0)
            run_segments(&key);
    }
}

TEST(no_segments)
{
    const plan_key key = key_of(_i, ref_difference(REF_BYTES_4));
    scan_case empty = case_of(&key, 0, 0);
    empty.segmented = true;
    if (!rig_plan_of("adjacent_difference", &key, NULL))
        return;
    ck_assert(scan_case_run(case_of(&key, 0, 5)));
    ck_assert(scan_case_run(empty));
}

/* ---- Operators of users and built-in ones ---------------------------------------------------------------------- */

TEST(operators_of_users)
{
    for (int op = 0; op < REF_USER_COUNT; ++op) {
        const plan_key key = key_of(_i, ref_user(op));
        const clf_plan *plan = rig_full() || (op + _i) % 3 == 0 ? rig_plan_of("adjacent_difference", &key, NULL) : NULL;
        const size_t tile = plan ? plan_tile(plan) : 0;
        if (plan) {
            scan_case_run(case_of(&key, 3 * tile + 5 + (size_t)op, 0));
            scan_case_run(case_of(&key, 2 * tile + 50, 19));
        }
    }
}

TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        const plan_key key = key_of((op + _i) % 2 ? 1 : 4, reference);
        if (reference && (rig_full() || (op + _i) % 4 == 0) && rig_plan_of("adjacent_difference", &key, NULL))
            scan_case_run(case_of(&key, 2000 + (size_t)op, op % 3 ? 0 : 37));
    }
}

/* Dividing the last element of a segment, 0, into the first of the next ends the process on many a CPU. */
TEST(segments_are_never_mixed)
{
    static const clf_operator quotient = {
        .size = sizeof(clf_operator), .value = "int v;", .combine = "divide", .neutral = "one",
        .source = "clf_value one(void) { clf_value e = {1}; return e; }\n"
                  "clf_value divide(clf_value a, clf_value b) { clf_value r = {b.v / a.v}; return r; }\n"};
    enum { SIZE = 6, ALL = 900 };
    cl_int data[ALL], got[ALL];
    for (int i = 0; i < ALL; ++i)
        data[i] = i % SIZE == SIZE - 1 ? 0 : i + 1;
    const clf_plan_options options = {.size = sizeof options, .variant = routes[_i].variant,
                                      .parameters = routes[_i].parameters};
    clf_plan *plan = NULL;
    const clf_status status = clf_adjacent_difference_plan(rig_context(routes[_i].disable), &quotient, 0, &options,
                                                           &plan, NULL);
    if (status == CLF_E_PARAMETER || status == CLF_E_UNSUPPORTED)
        return;
    assert_ok(status);
    const clf_array array = {rig_buffer(sizeof data, data), 0};
    assert_ok(clf_segmented_adjacent_difference(plan, CLF_ON(the_rig()->queue), ALL / SIZE, SIZE, &array, &array));
    rig_read(the_rig()->queue, array.buffer, sizeof got, got);
    for (int i = 0; i < ALL; ++i)
        ck_assert_int_eq(got[i], i % SIZE ? data[i] / data[i - 1] : data[i]);
    clReleaseMemObject(array.buffer);
    clf_plan_release(plan);
}

/* ---- What a call costs ----------------------------------------------------------------------------------------- */

static unsigned long commands_of(clf_plan *plan, cl_ulong count, cl_ulong size, const clf_array *in,
                                 const clf_array *out)
{
    const unsigned long before = layer_commands();
    assert_ok(clf_segmented_adjacent_difference(plan, CLF_ON(the_rig()->queue), count, size, in, out));
    return layer_commands() - before;
}

/* One launch; in place another before it, but where no tile needs an element of another. */
TEST(halos_only_where_they_are_needed)
{
    const plan_key key = {ref_difference(REF_BYTES_4), 0, _i ? "cpu" : NULL, _i ? "chunks" : "cpu",
                          _i ? "items=4,group=64" : "items=256"};
    clf_plan *plan = rig_plan_of("adjacent_difference", &key, NULL);
    if (!plan)
        return;
    const clf_array in = {rig_buffer(40000, NULL), 0}, out = {rig_buffer(40000, NULL), 0};
    cl_ulong bytes = 1;
    ck_assert_uint_eq(plan_tile(plan), 256);
    ck_assert_uint_eq(commands_of(plan, 1, 10000, &in, &out), 1);
    ck_assert_uint_eq(commands_of(plan, 10, 1000, &in, &out), 1);
    ck_assert_uint_eq(commands_of(plan, 1, 256, &in, &in), 1);
    ck_assert_uint_eq(commands_of(plan, 80, 64, &in, &in), 1);
    ck_assert_uint_eq(commands_of(plan, 20, 257, &in, &in), 2);
    ck_assert_uint_eq(commands_of(plan, 1, 10000, &in, &in), 2);
    assert_ok(clf_plan_scratch(plan, 256, 0, &bytes));
    ck_assert_uint_eq(bytes, 0);
    assert_ok(clf_plan_scratch(plan, 257, 0, &bytes));
    ck_assert_uint_eq(bytes, 16); /* two tiles, rounded up */
    assert_ok(clFinish(the_rig()->queue));
    rig_release(in, out);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    rig_told t = {0};
    const clf_operator *op = ref_clf(ref_difference(REF_BYTES_4));
    clf_plan *plan = NULL, *scan = rig_plan(&(plan_key){.op = ref_user(REF_INT_SUM)});
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &t);
    assert_ok(clf_adjacent_difference_plan(context, op, 0, NULL, &plan, NULL));
    const cl_command_queue q = the_rig()->queue;
    const clf_array a = {rig_buffer(400, NULL), 0}, b = {rig_buffer(400, NULL), 0}, a1 = {a.buffer, 1};
    const clf_call from_device = {.size = sizeof(clf_call), .queue = q, .actual = b};
    const cl_ulong large = (cl_ulong)1 << 33;
    REFUSES(&t, ARGUMENT, "call->queue is NULL", clf_adjacent_difference(plan, CLF_ON(NULL), 9, &a, &b));
    REFUSES(&t, BUFFER, "in[0].buffer ends before element 100", clf_adjacent_difference(plan, CLF_ON(q), 101, &a, &b));
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_adjacent_difference(plan, CLF_ON(q), 9, &a, &a1));
    REFUSES(&t, OVERFLOW, "count * size does not fit 64 bits",
            clf_segmented_adjacent_difference(plan, CLF_ON(q), large, large, &a, &b));
    REFUSES(&t, ARGUMENT, "in is NULL", clf_segmented_adjacent_difference(plan, CLF_ON(q), 3, 9, NULL, &b));
    REFUSES(&t, ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE",
            clf_adjacent_difference(plan, &from_device, 9, &a, &b));
    rig_expect(&t, clf_adjacent_difference(scan, CLF_ON(q), 9, &a, &b), CLF_E_ARGUMENT, "");
    rig_expect(&t, clf_adjacent_difference_plan(context, op, CLF_EXCLUSIVE, NULL, &scan, NULL), CLF_E_ARGUMENT, "");
    rig_release(a, b);
    rig_release_all(context, plan);
}

/* ---- Random cases ---------------------------------------------------------------------------------------------- */

static plan_key random_key(gen *random)
{
    const int number = (int)gen_below(random, ROUTES), user = (int)gen_below(random, REF_USER_COUNT);
    const int difference = (int)gen_below(random, REF_DIFFERENCE_COUNT);
    return key_of(number, gen_chance(random, 50) ? ref_difference(difference) : ref_user(user));
}

static scan_case random_case(const plan_key *key, gen *random)
{
    const clf_plan *plan = rig_plan_of("adjacent_difference", key, NULL);
    const size_t tile = plan ? plan_tile(plan) < 5000 ? plan_tile(plan) : 5000 : 1;
    const size_t n = gen_size(random, tile, 5 * tile), size = gen_size(random, gen_chance(random, 50) ? tile : 8, n);
    scan_case test = case_of(key, n, gen_chance(random, 50) ? size : 0);
    scan_case_vary(&test, random);
    return test;
}

TEST(random_cases)
{
    scan_case_run_random(12, 7000, random_key, random_case);
}

/* ---- Results that operators make by finish --------------------------------------------------------------------- */

static const finish_value initials[] = {{7, 5}, {7, 0}, {0x40000000, 0}};

static void check_differences(const finish_data *d, size_t size, bool initial, bool in_place)
{
    static cl_ulong wanted[FINISH_FIELDS][FINISH_N];
    for (size_t i = 0; i < d->n; ++i) {
        cl_ulong out[FINISH_FIELDS] = {0};
        finish_value v = d->op->map(d->x[i], i);
        if (i % size)
            v = d->op->combine(d->op->map(d->x[i - 1], i - 1), v);
        else if (initial)
            v = d->op->combine(initials[d->op - finish_operators], v);
        d->op->sum(v, i, out);
        for (cl_uint f = 0; f < d->op->reduced_results; ++f)
            wanted[f][i] = out[f];
    }
    for (cl_uint f = 0; f < d->op->reduced_results; ++f)
        finish_expect(d, f, d->op->reduced[f], in_place && f == 0, d->n, wanted[f], d->op->name);
}

/* The first result of affine functions may take the place of their second input. */
TEST(finished)
{
    static const size_t sizes[] = {1, 3, 32, 96, 97, FINISH_N};
    const finish_operator *const op = &finish_operators[_i / 2];
    const route r = {_i % 2 ? "cpu" : NULL, NULL, _i % 2 ? "group=32" : "items=77,streams=16"};
    gen random = gen_seed(the_rig()->seed, 900 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&r, "adjacent_difference", &(plan_parts){.op = op->reduction}, op->name);
    for (size_t turn = 0; plan && turn < 4 * COUNT(sizes); ++turn) {
        const size_t size = sizes[turn / 4];
        const bool initial = turn % 2, in_place = turn / 2 % 2 && op->inputs == 2;
        finish_data d = {.op = op, .n = FINISH_N / size * size};
        const clf_call call = {.size = sizeof call, .queue = the_rig()->queue,
                               .initial = initial ? &initials[op - finish_operators] : NULL};
        finish_fill(&d, &random);
        finish_cut(&d, &random, size);
        finish_open_outputs(&d, op->reduced_results, op->reduced, false);
        const clf_array kept = d.out[0];
        d.out[0] = in_place ? d.in[1] : kept;
        assert_ok(clf_segmented_adjacent_difference(plan, &call, d.count, size, d.in, d.out));
        check_differences(&d, size, initial, in_place);
        d.out[0] = kept;
        finish_close_data(&d, op->reduced_results, false);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
}

/* ---- Results that a plan wants, of several ---------------------------------------------------------------------- */

static clf_status call_wanted(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                              const clf_array *in, const clf_array *out)
{
    (void)d;
    return clf_segmented_adjacent_difference(plan, call, WANTED_N / c->size, c->size, in, out);
}

TEST(wanted)
{
    static const size_t sizes[] = {WANTED_N, 30, 9};
    const route r = {_i % 2 ? "cpu" : NULL, NULL, _i % 2 ? "items=3,group=32" : "items=77,streams=16"};
    gen random = gen_seed(the_rig()->seed, 950 + (uint64_t)_i);
    const wanted_case c = {.primitive = "adjacent_difference", .call = call_wanted, .op = (size_t)_i / 2,
                           .may_share = true};
    wanted_run(&r, c, sizes, COUNT(sizes), &random);
}

RIG_SUITE(adjacent_difference, random_cases, {sizes_around_boundaries, ROUTES}, {every_size_with_small_tiles, 4},
          {segments_of_any_size, ROUTES}, {no_segments, ROUTES}, {operators_of_users, ROUTES},
          {builtins_of_a_type, CLF_BFLOAT16}, {segments_are_never_mixed, ROUTES}, {halos_only_where_they_are_needed, 2},
          {refused_arguments_are_named, 1}, {finished, 2 * FINISH_OPERATORS}, {wanted, 2 * WANTED_OPERATORS})

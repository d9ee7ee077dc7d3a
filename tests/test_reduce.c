/* SPDX-License-Identifier: MIT */
/*
 * Reductions against the reference: every built-in, every operator of ref_user.c in every variant,
 * counts and sizes around everything where the dispatcher or a kernel changes its ways, and random cases
 * (--seed S --case K repeats one).
 */
#include "reduce_case.h"

#include <string.h>

/* Ways to ask for a reduction: the default and every named variant, as CPU and as GPU-shaped kernels. */
static const struct {
    const char *disable, *variant, *parameters;
} routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "items=64"},
    {"cpu", NULL, "fewest=2"}, /* all roles, though tests have few segments */
    {"cpu", "large", "group=64,items=4,groups=8"},
    {"cpu", "small", "group=64,items=4"},
    {"cpu", "sequential", "group=32,items=4"},
    {"cpu", "warp", "group=32,items=4"},
};
enum { ROUTES = 7, FIRST_SMALL_ROUTE = 3, SMALL_ROUTES = 4 /* the named variants with groups */ };

static reduce_key key_of(int route, const ref_operator *op, bool commutes)
{
    return (reduce_key){op, commutes, routes[route].disable, routes[route].variant, routes[route].parameters, NULL};
}

/* Of the users' operators, those for which it would be true. */
static bool may_commute(int operator)
{
    return operator== REF_INT_SUM || operator== REF_MIXED || operator== REF_VECTORS;
}

static void run_shape(const reduce_key *key, size_t count, size_t size)
{
    const size_t mix = count * 7 + size;
    reduce_case test = {.plan = *key, .count = count, .size = size, .offset = mix % 5, .initial = mix % 3 == 0,
                        .in_place = mix % 4 == 0, .own_scratch = mix % 7 == 0, .unordered = mix % 11 == 0,
                        .seed = the_rig()->seed + mix, .number = -1};
    reduce_case_run(test);
}

/* Around nothing, powers of two, stretches (64 x 4, 256 x 32 elements …) and parts. */
static void run_shapes(const reduce_key *key, bool many)
{
    static const size_t sizes[] = {0, 1, 2, 3, 4, 7, 31, 32, 33, 63, 64, 65, 100, 255, 256, 257, 519, 1000, 4097};
    static const size_t counts[] = {1, 2, 3, 5, 16, 31, 65, 257, 1030};
    for (size_t s = 0; s < COUNT(sizes); ++s)
        for (size_t c = 0; c < COUNT(counts); ++c)
            if (counts[c] * sizes[s] <= (many ? 40000 : 3000))
                run_shape(key, counts[c], sizes[s]);
    if (many) {
        run_shape(key, 0, 5);
        run_shape(key, 1, 100003);
        run_shape(key, 3, 8192);
        run_shape(key, 5, 8193);
        run_shape(key, 2, 65536);
        run_shape(key, 30011, 3);
    }
}

TEST(builtins_of_a_type)
{
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const ref_operator *reference = ref_builtin((clf_op)op, (clf_type)_i);
        for (int route = 0; reference && route < 3; route += 2) {
            const reduce_key key = key_of(route, reference, true);
            if (rig_full() || route == 0 || op == _i % CLF_OP_COUNT)
                run_shapes(&key, op == CLF_SUM && route == 0);
        }
    }
}

/* Those that may commute are promised to in every other way. A third of the rest goes each way; another for another
 * seed. */
TEST(operators_of_users)
{
    for (int route = 0; route < ROUTES; ++route) {
        const bool some = _i <= REF_MIXED || _i == REF_SELECT;
        if (!rig_full() && !some && (the_rig()->seed + (uint64_t)(_i + route)) % 3 != 0)
            continue;
        const reduce_key key = key_of(route, ref_user(_i), may_commute(_i) && route % 2 == 0);
        run_shapes(&key, _i <= REF_MATRIX);
        if (may_commute(_i) && rig_full()) {
            const reduce_key other = key_of(route, ref_user(_i), route % 2 != 0);
            run_shapes(&other, false);
        }
    }
}

/* Sizes 1 to 300 and counts so that stretches are full, and not. */
TEST(every_small_size)
{
    const reduce_key sum = key_of(_i, ref_user(REF_INT_SUM), true), matrix = key_of(_i, ref_user(REF_MATRIX), false);
    for (size_t size = 1; size <= 300; ++size) {
        run_shape(&sum, 1 + 2000 / size, size);
        if (size % 3 == 0)
            run_shape(&matrix, 1 + 700 / size, size);
    }
}

/* CPU kernels take several short segments at once: every size up to a few vectors, counts that fill vectors, and
 * not. */
TEST(vectors_of_a_type)
{
    const ref_operator *const sum = ref_builtin(CLF_SUM, (clf_type)_i), *const least = ref_builtin(CLF_MIN,
                                                                                                   (clf_type)_i);
    for (size_t size = 1; size <= 67; ++size) {
        const reduce_key one = key_of(0, least, true), several = key_of(1, sum, true);
        run_shape(&one, 14 + size % 5, size);
        run_shape(&one, 49, size);
        run_shape(&several, 300, size);
    }
}

/* Elements of 1 and 2 bytes in vectors and words: whole ones, parts, and segments of as many. */
TEST(small_elements)
{
    static const size_t sizes[] = {1, 2, 3, 4, 5, 8, 12, 15, 16, 17, 24, 31, 32, 33, 64, 90};
    const reduce_key key = {
        ref_builtin(CLF_SUM, (clf_type)(CLF_CHAR + _i)), true, "cpu", "small", "group=64,items=16", NULL};
    for (size_t s = 0; s < COUNT(sizes); ++s) {
        for (size_t count = 1; count < 9000 / sizes[s]; count = count * 9 + s) {
            reduce_case test = {.plan = key, .count = count, .size = sizes[s], .aligned = count % 4, .offset = s,
                                .initial = count % 3 == 0, .seed = the_rig()->seed + count, .number = -1};
            reduce_case_run(test);
        }
    }
}

/* Words beside bytes, in segments of whole vectors of these: each unit's stretches end before the next unit's begin. */
TEST(small_elements_beside_words)
{
    static const size_t sizes[] = {16, 32, 48}, counts[] = {35, 64, 300};
    static const char *const parameters[] = {NULL, "group=64,items=16", "group=256,items=16"};
    const reduce_key key = {ref_user(_i % 2 ? REF_LAST : REF_FIRST), false, "cpu", "small", parameters[_i / 2], NULL};
    for (uint64_t k = 0; k < COUNT(sizes) * COUNT(counts) * 4; ++k) {
        const reduce_case test = {.plan = key, .count = counts[k % COUNT(counts)], .size = sizes[k / 3 % COUNT(sizes)],
                                  .aligned = k % 2, .offset = k % 2 ? 0 : 1, .initial = k % 4 > 1,
                                  .seed = the_rig()->seed + k, .number = -1};
        reduce_case_run(test);
    }
}

/* Elements of 1, 2, 4 and 8 bytes, and all of them: a vector has at most as many as there are work-items. */
static const ref_operator *operator_of_size(int size)
{
    static const clf_type types[] = {CLF_CHAR, CLF_USHORT, CLF_INT, CLF_LONG};
    return size < (int)COUNT(types) ? ref_builtin(CLF_MIN, types[size]) : ref_user(REF_MIXED);
}

/* A seventh of all ways per run, unless in full; together with other seeds all. */
TEST(small_groups)
{
    static const size_t sizes[] = {1, 2, 3, 5, 8, 13, 16, 31, 61, 100}, counts[] = {1, 2, 11, 64};
    const int group = _i % SMALL_GROUPS, size = _i / SMALL_GROUPS;
    for (int k = 0; k < SMALL_ITEMS * SMALL_ROUTES; ++k) {
        const int items = k % SMALL_ITEMS, route = FIRST_SMALL_ROUTE + k / SMALL_ITEMS;
        if (!rig_full() && (the_rig()->seed + (uint64_t)(_i + items + route)) % SMALL_ITEMS != 0)
            continue;
        const reduce_key key = {operator_of_size(size), k % 2, "cpu", routes[route].variant,
                                reduce_small_parameters(group, items), NULL};
        for (size_t s = 0; s < COUNT(sizes); ++s)
            for (size_t c = 0; c < COUNT(counts); ++c)
                run_shape(&key, counts[c], sizes[s]);
    }
    rig_forget(); /* they are many */
}

static void expect_variant(const reduce_key *key, cl_ulong count, cl_ulong size, const char *name)
{
    const clf_plan *plan = reduce_plan(key);
    if (plan)
        ck_assert_str_eq(clf_reduce_variant(plan, count, size), name);
}

/* Short segments, one long one, none; and those asked for by name keep their name. */
TEST(dispatcher)
{
    const ref_operator *const sum = ref_builtin(CLF_SUM, CLF_INT);
    const reduce_key key = key_of(2, sum, true);
    expect_variant(&key, 1000, 3, "small");
    expect_variant(&key, 1000, 0, "small");
    expect_variant(&key, 1, 1 << 24, "large");
    expect_variant(&key, 1 << 20, 1 << 24, "large");
    for (int route = 3; route < ROUTES; ++route) {
        const reduce_key forced = key_of(route, sum, true);
        expect_variant(&forced, 1000, 3, routes[route].variant);
        expect_variant(&forced, 1, 1 << 24, routes[route].variant);
    }
    ck_assert_ptr_null(clf_reduce_variant(NULL, 1, 1));
}

/* Many floats lose no more than few do, whatever the order and the shape of the sum: no chain of additions is long. */
TEST(sums_of_many_floats)
{
    enum { N = 1 << 22 };
    static const clf_operator op[] = {
        {.size = sizeof *op, .value = "float x;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE},
        {.size = sizeof *op, .value = "float x; float y;", .combine = "clf_sum"},
        {.size = sizeof *op, .value = "float x; float y;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE}};
    static cl_float x[N], sum;
    for (size_t i = 0; i < N; ++i)
        x[i] = 0.1F;
    const clf_array first = {rig_buffer(sizeof x, x), 0}, in[] = {first, first};
    const clf_array to = {rig_buffer(2 * sizeof sum, NULL), 0}, out[] = {to, {to.buffer, 1}};
    for (size_t k = 0; k < COUNT(op); ++k) {
        clf_plan *plan = NULL;
        assert_ok(clf_reduce_plan(rig_context(NULL), &op[k], 0, NULL, &plan, NULL));
        assert_ok(clf_reduce(plan, CLF_ON(the_rig()->queue), N, in, out));
        rig_read(the_rig()->queue, to.buffer, sizeof sum, &sum);
        ck_assert_msg(sum > 419426 && sum < 419435, "operator %zu: the sum is %g", k, (double)sum);
        clf_plan_release(plan);
    }
    rig_release(first, to);
}

static void random_case(long number)
{
    gen random = gen_seed(the_rig()->seed, 5000 + (uint64_t)number);
    static const int operators[] = {REF_INT_SUM, REF_MATRIX, REF_MIXED, REF_SELECT};
    const int operator= operators[gen_below(&random, COUNT(operators))];
    reduce_case test = {.number = number};
    const bool commutes = may_commute(operator) && gen_chance(&random, 50);
    test.plan = key_of((int)gen_below(&random, ROUTES), ref_user(operator), commutes);
    test.size = gen_size(&random, 256, 20000);
    test.count = 1 + gen_size(&random, 64, test.size ? 60000 / test.size : 1000);
    test.offset = (size_t)gen_below(&random, 40);
    test.initial = gen_chance(&random, 40);
    test.in_place = gen_chance(&random, 30);
    test.unordered = gen_chance(&random, 30);
    test.own_scratch = gen_chance(&random, 30);
    test.seed = gen_bits(&random);
    reduce_case_run(test);
}

TEST(random_cases)
{
    for (long number = -1; rig_next_case(400, &number);)
        random_case(number);
}

RIG_SUITE(reduce, random_cases, {small_groups, 5 * SMALL_GROUPS}, {builtins_of_a_type, CLF_BFLOAT16},
          {operators_of_users, REF_USER_COUNT}, {vectors_of_a_type, CLF_BFLOAT16},
          {small_elements, CLF_INT - CLF_CHAR}, {small_elements_beside_words, 6}, {every_small_size, ROUTES},
          {dispatcher, 1}, {sums_of_many_floats, 1})

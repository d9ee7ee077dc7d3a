/* SPDX-License-Identifier: MIT */
/*
 * The rule of NaN in the library's minima and maxima: of NaNs alone the result is NaN, of nothing it is infinity, in
 * every primitive and variant, with initial values, which may be NaN, and joined. (Reductions by index:
 * test_extremes_index.c.)
 */
#include "extremes.h"
#include "route.h"

#include <math.h>
#include <stdio.h>

enum { N = 1000 };
static const char small[] = "items=3,group=32,groups=5";

/* Small tiles: those of a CPU have no group. */
static const char *tiles_of(const way *w)
{
    return way_is_for_cpus(w) ? "items=77" : "items=3,group=32";
}

/* Minima by even routes, maxima by odd ones. */
static clf_op op_of(int i)
{
    return i % 2 ? CLF_MAX : CLF_MIN;
}

static clf_array array_of(size_t bytes, const void *data)
{
    return (clf_array){rig_buffer(bytes, data), 0};
}

static void read_and_release(clf_array array, size_t bytes, void *data)
{
    rig_read(the_rig()->queue, array.buffer, bytes, data);
    clReleaseMemObject(array.buffer);
}

/* ---- Scans ----------------------------------------------------------------------------------------------------- */

enum { PLAIN, REGULAR, IRREGULAR, KINDS };

/* Ascending offsets, some of them the same; returns how many segments. */
static size_t make_offsets(gen *random, size_t n, cl_uint *offsets)
{
    size_t count = 0;
    offsets[0] = 0;
    for (size_t at = 0; at < n || count < 3; offsets[++count] = (cl_uint)at)
        at += gen_chance(random, 30) ? 0 : 1 + gen_below(random, 60);
    while (offsets[count] > n)
        offsets[count] = (cl_uint)n;
    return count;
}

static void scan_once(clf_plan *plan, int kind, bool exclusive, clf_op op, const float *initial, size_t size,
                      const char *what, gen *random)
{
    static float x[N], got[N];
    static cl_uint offsets[4 * N];
    const size_t n = kind == REGULAR ? N / size * size : N - gen_below(random, 100);
    const size_t count = make_offsets(random, n, offsets);
    extremes_fill(random, x, n);
    const clf_array in = array_of(sizeof x, x), out = array_of(sizeof got, NULL);
    const clf_array told = array_of((count + 1) * sizeof *offsets, offsets);
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = initial};
    assert_ok(kind == PLAIN     ? clf_scan(plan, &call, n, &in, &out)
              : kind == REGULAR ? clf_segmented_scan(plan, &call, n / size, size, &in, &out)
                                : clf_irregular_scan(plan, &call, n, count, &told, &in, &out));
    read_and_release(out, sizeof got, got);
    for (size_t i = 0, first = 0, k = 0; i < n; ++i) {
        while (kind == IRREGULAR && offsets[k + 1] <= i)
            first = offsets[++k];
        if (kind == REGULAR && i % size == 0)
            first = i;
        extremes_expect(got[i], extremes_of(op, initial, x + first, i - first + !exclusive), what, i);
    }
    rig_release(in, told);
}

static clf_plan *scan_plan(const way *w, int kind, bool exclusive, clf_op op)
{
    static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
    const route r = {w->disable, w->variant, tiles_of(w)};
    const plan_parts parts = {.op = clf_builtin(op, CLF_FLOAT), .flags = exclusive ? CLF_EXCLUSIVE : 0,
                              .how = &by_offsets};
    return route_plan(&r,
                      kind == PLAIN     ? "scan"
                      : kind == REGULAR ? "segmented_scan"
                                        : "irregular_scan",
                      &parts, "floating extremes");
}

TEST(scans)
{
    static const size_t sizes[] = {1, 3, 33, 96, 97, N};
    const way *const w = &ways[_i / KINDS];
    const int kind = _i % KINDS;
    const bool one = w->variant && strcmp(w->variant, "one_group") == 0;
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (int exclusive = !rig_in_turn(_i, 3); !one && exclusive < 2; ++exclusive) {
        const clf_op op = op_of(_i + exclusive);
        clf_plan *const plan = scan_plan(w, kind, exclusive, op);
        const float initials[] = {extremes_nan(&random), 2};
        for (int turn = 0; plan && turn < 2 * (int)COUNT(sizes); ++turn) {
            char what[100];
            const int initial = turn % 3; /* none, NaN, a number */
            snprintf(what, sizeof what, "scan, kind %d, variant %s, exclusive %d, initial %d, size %zu", kind,
                     w->variant ? w->variant : "default", exclusive, initial, sizes[turn / 2]);
            scan_once(plan, kind, exclusive, op, initial ? &initials[initial - 1] : NULL, sizes[turn / 2], what,
                      &random);
        }
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

/* ---- Reductions ------------------------------------------------------------------------------------------------ */

static const struct {
    const char *variant;
    size_t count, size;
} shapes[] = {
    {NULL, 1, N},   {NULL, 1, 0},  {NULL, 9, 0},   {NULL, 90, 11}, {"cpu", 1, N},  {"cpu", 1, 0},  {"cpu", 9, 0},
    {"cpu", 90, 3}, {"cpu", 50, 20}, {"cpu", 7, 140}, {"large", 1, N}, {"large", 3, 300}, {"large", 3, 0},
    {"warp", 8, 120}, {"warp", 5, 0}, {"small", 300, 3}, {"small", 20, 50}, {"small", 7, 0}, {"sequential", 90, 11},
    {"sequential", 4, 0}};

static const struct {
    const char *name, *type;
    cl_uint fields; /* a sum besides, and both extremes */
} reduced[] = {{"a minimum", "float", 1}, {"sum, least and largest", "float", 3}};

/* The joined operator, or a minimum; the caller's to release if it is joined. */
static clf_operator *joined_operator(void)
{
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_FLOAT), clf_builtin(CLF_MIN, CLF_FLOAT),
                                        clf_builtin(CLF_MAX, CLF_FLOAT)};
    clf_operator *joined = NULL;
    assert_ok(clf_operator_join(3, list, &joined, NULL));
    return joined;
}

/* Results of segments that begin at offsets, by one extreme, or joined. */
static void expect_segments(const clf_array *out, cl_uint fields, size_t count, const cl_uint *offsets,
                            const float *initial, const float *x, const char *what)
{
    static float got[6 * N];
    for (cl_uint f = 0; f < fields; ++f) {
        read_and_release(out[f], count * sizeof *got, got);
        for (size_t k = 0; (f > 0 || fields == 1) && k < count; ++k)
            extremes_expect(got[k],
                            extremes_of(f == 2 ? CLF_MAX : CLF_MIN, initial ? initial + f : NULL, x + offsets[k],
                                        offsets[k + 1] - offsets[k]),
                            what, k);
    }
}

static void reduce_once(clf_plan *plan, cl_uint fields, size_t count, size_t size, const float *initial,
                        const char *what, gen *random)
{
    static float x[N];
    static cl_uint offsets[N + 1];
    extremes_fill(random, x, N);
    for (size_t k = 0; k <= count; ++k)
        offsets[k] = (cl_uint)(k * size);
    const clf_array in = array_of(sizeof x, x);
    clf_array out[3];
    for (cl_uint f = 0; f < fields; ++f)
        out[f] = array_of(count * sizeof(float), NULL);
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = initial};
    assert_ok(count == 1 ? clf_reduce(plan, &call, size, &in, out)
                         : clf_segmented_reduce(plan, &call, count, size, &in, out));
    expect_segments(out, fields, count, offsets, initial, x, what);
    clReleaseMemObject(in.buffer);
}

TEST(reductions)
{
    const size_t shape = (size_t)_i / COUNT(reduced), what_kind = (size_t)_i % COUNT(reduced);
    const char *const variant = shapes[shape].variant;
    const route r = {variant && strcmp(variant, "cpu") ? "cpu" : NULL, variant, small};
    const cl_uint fields = reduced[what_kind].fields;
    clf_operator *const joined = joined_operator();
    const clf_operator *const op = fields > 1 ? joined : clf_builtin(CLF_MIN, CLF_FLOAT);
    gen random = gen_seed(the_rig()->seed, 500 + (uint64_t)_i);
    const float initials[] = {0, extremes_nan(&random), extremes_nan(&random)};
    clf_plan *const plan = route_plan(&r, "reduce", &(plan_parts){.op = op}, "extremes");
    for (int turn = 0; plan && turn < 6; ++turn) {
        char what[100];
        snprintf(what, sizeof what, "%s, variant %s, %zu of %zu, initial %d", reduced[what_kind].name,
                 variant ? variant : "default", shapes[shape].count, shapes[shape].size, turn % 2);
        reduce_once(plan, fields, shapes[shape].count, shapes[shape].size, turn % 2 ? initials + (fields == 1) : NULL,
                    what, &random);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
    assert_ok(clf_operator_release(joined));
}

/* Empty segments among segments of NaNs, in shares that begin and end anywhere. */
TEST(irregular_reductions)
{
    static const char *const variants[][2] = {{NULL, NULL}, {NULL, "cpu"}, {"cpu", "shares"}};
    static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
    static float x[N];
    static cl_uint offsets[4 * N];
    const route r = {variants[_i / 2][0], variants[_i / 2][1], small};
    const cl_uint fields = reduced[_i % 2].fields;
    clf_operator *const joined = joined_operator();
    const clf_operator *const op = fields > 1 ? joined : clf_builtin(CLF_MIN, CLF_FLOAT);
    gen random = gen_seed(the_rig()->seed, 700 + (uint64_t)_i);
    const float initials[] = {0, extremes_nan(&random), 1};
    clf_plan *const plan = route_plan(&r, "irregular_reduce", &(plan_parts){.op = op, .how = &by_offsets}, "extremes");
    for (int turn = 0; plan && turn < 9; ++turn) {
        const size_t n = N - 7 * (size_t)turn, count = make_offsets(&random, n, offsets);
        const float *const initial = turn % 3 == 2 ? initials + (fields == 1) : NULL;
        extremes_fill(&random, x, n);
        const clf_array in = array_of(sizeof x, x), told = array_of((count + 1) * sizeof *offsets, offsets);
        clf_array out[3];
        for (cl_uint f = 0; f < fields; ++f)
            out[f] = array_of(count * sizeof(float), NULL);
        const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = initial};
        assert_ok(clf_irregular_reduce(plan, &call, n, count, &told, &in, out, NULL));
        expect_segments(out, fields, count, offsets, initial, x, "irregular reduction");
        rig_release(in, told);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
    assert_ok(clf_operator_release(joined));
}

/* ---- Reductions by key ----------------------------------------------------------------------------------------- */

/* Runs of nothing but NaNs, wherever tiles are cut. */
TEST(runs)
{
    enum { LENGTH = 6 * N };
    static const clf_operator least = {
        .size = sizeof least, .input = "uint key; float x;", .value = "float v;", .combine = "clf_min",
        .map = "of", .same = "alike", .flags = CLF_COMMUTATIVE,
        .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }\n"
                  "bool alike(clf_input a, clf_input b) { return a.key == b.key; }"};
    static float x[LENGTH], got[LENGTH];
    static cl_uint key[LENGTH], offsets[LENGTH + 1];
    const char *const variant = ways[_i].variant && strcmp(ways[_i].variant, "propagate") == 0 ? "two_pass"
                                                                                               : ways[_i].variant;
    const bool one = variant && strcmp(variant, "one_group") == 0;
    const route r = {ways[_i].disable, variant, one ? NULL : tiles_of(&ways[_i])};
    gen random = gen_seed(the_rig()->seed, 900 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&r, "reduce_by_key", &(plan_parts){.op = &least}, "minima");
    const size_t n = one ? 100 : LENGTH;
    for (int turn = 0; plan && turn < 3; ++turn) {
        const uint64_t longest = turn == 0 ? 1 : turn == 1 ? 5 : 200;
        size_t count = 0;
        for (size_t i = 0; i < n; offsets[count] = (cl_uint)i) {
            const bool nans = gen_chance(&random, 60);
            for (uint64_t length = 1 + gen_below(&random, longest); length > 0 && i < n; --length, ++i) {
                x[i] = nans ? extremes_nan(&random) : (float)gen_below(&random, 9);
                key[i] = (cl_uint)count;
            }
            ++count;
        }
        const clf_array in[] = {array_of(n * sizeof *key, key), array_of(n * sizeof *x, x)};
        const clf_array out = array_of(n * sizeof *got, NULL), told = array_of(sizeof(cl_ulong), NULL);
        cl_ulong counted;
        assert_ok(clf_reduce_by_key(plan, CLF_ON(the_rig()->queue), n, n, in, &out, &told));
        read_and_release(told, sizeof counted, &counted);
        ck_assert_uint_eq(counted, count);
        expect_segments(&out, 1, count, offsets, NULL, x, variant ? variant : "default");
        rig_release(in[0], in[1]);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
}

RIG_SUITE_OF(extremes, NULL, (add_extremes_index_tests), {scans, WAY_COUNT * KINDS},
             {reductions, COUNT(shapes) * COUNT(reduced)}, {irregular_reductions, 6}, {runs, WAY_COUNT})

/* SPDX-License-Identifier: MIT */
/*
 * CLF_REPEATABLE: sums of floats whose last bits tell in which order they were added, again and again by one plan. All
 * variants that repeat, and what clfold chooses on several devices, give the same bits each time; all others are
 * refused. The suite runs with more threads than cores, so that groups take turns anew in every call.
 */
#include "harness.h"
#include "primitives.h"
#include "route.h"

#include <string.h>

enum { N = 40000, RUN = 700, ROW = 80, AGAIN = 12 };

/* The elements of all tests, and room for results. */
typedef struct arrays {
    clf_array in[2], offsets, out, count; /* in: a key or bin, a float */
} arrays;

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
static const clf_segmentation by_keys = {sizeof by_keys, CLF_BY_KEYS, CLF_UINT};

#define SUMS(more) \
    .size = sizeof(clf_operator), .input = "uint key; float x;", .value = "float sum;", .map = "of", \
    .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX, \
    .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }\n" more
static const clf_operator of_bins = {SUMS("")};
static const clf_operator of_keys = {SUMS("bool same_key(clf_input a, clf_input b) { return a.key == b.key; }"),
                                     .same = "same_key"};

#define CALL(NAME, FUNCTION, ...) \
    static clf_status NAME(clf_plan *plan, size_t n, const arrays *x) \
    { \
        return FUNCTION(plan, CLF_ON(the_rig()->queue), __VA_ARGS__); \
    }
CALL(scan, clf_scan, n, &x->in[1], &x->out)
CALL(scan_rows, clf_segmented_scan, n / (n / 3), n / 3, &x->in[1], &x->out)
CALL(scan_segments, clf_irregular_scan, n, n, &x->in[0], &x->in[1], &x->out)
CALL(reduce, clf_reduce, n, &x->in[1], &x->out)
CALL(reduce_rows, clf_segmented_reduce, n / ROW, ROW, &x->in[1], &x->out)
CALL(reduce_segments, clf_irregular_reduce, n, 2, &x->offsets, &x->in[1], &x->out, NULL)
CALL(reduce_runs, clf_irregular_reduce, n, n, &x->in[0], &x->in[1], &x->out, &x->count)
CALL(reduce_keys, clf_reduce_by_key, n, n, x->in, &x->out, &x->count)
CALL(reduce_bins, clf_reduce_by_index, n, N / RUN + 1, x->in, &x->out)

/* Calls of all primitives that take the flag. */
static const struct {
    const char *primitive;
    clf_status (*run)(clf_plan *plan, size_t n, const arrays *x);
    const clf_operator *op; /* NULL: sums of floats */
    const clf_segmentation *how;
} calls[] = {
    {"scan", scan, NULL, NULL},
    {"segmented_scan", scan_rows, NULL, NULL},
    {"irregular_scan", scan_segments, NULL, &by_keys},
    {"reduce", reduce, NULL, NULL},
    {"reduce", reduce_rows, NULL, NULL},
    {"irregular_reduce", reduce_segments, NULL, &by_offsets},
    {"irregular_reduce", reduce_runs, NULL, &by_keys},
    {"reduce_by_key", reduce_keys, &of_keys, NULL},
    {"reduce_by_index", reduce_bins, &of_bins, NULL},
};

enum { CALLS = COUNT(calls) };

/* ---- Runs ---------------------------------------------------------------------------------------------- */

static float x[N], first[N], again[N], earlier[N];

/* Floats of many sizes: whatever the order of two additions is, the last bits tell. */
static arrays arrays_open(void)
{
    static cl_uint key[N];
    static const cl_uint offsets[] = {0, N / 3, N};
    gen random = gen_seed(the_rig()->seed, 0);
    for (int i = 0; i < N; ++i) {
        key[i] = (cl_uint)i / RUN;
        x[i] = (float)gen_between(&random, -99999, 99999) / (float)(1 << gen_below(&random, 16));
    }
    memset(first, 0, sizeof first);
    return (arrays){{{rig_buffer(sizeof key, key), 0}, {rig_buffer(sizeof x, x), 0}},
                    {rig_buffer(sizeof offsets, offsets), 0},
                    {rig_buffer(sizeof first, first), 0},
                    {rig_buffer(sizeof(cl_ulong), NULL), 0}};
}

static void arrays_close(const arrays *a)
{
    rig_release(a->in[0], a->in[1], a->offsets, a->out, a->count);
}

static clf_status run(int call, clf_plan *plan, size_t n, const arrays *a, float results[N])
{
    const clf_status status = calls[call].run(plan, n, a);
    if (status == CLF_SUCCESS)
        rig_read(the_rig()->queue, a->out.buffer, N * sizeof *results, results);
    return status;
}

/* Calls of the plan until one differs from the first, at most so many. Did one? */
static bool differs(int call, clf_plan *plan, int most)
{
    const arrays a = arrays_open();
    size_t n = N;
    clf_status status = run(call, plan, n, &a, first);
    if (status == CLF_E_UNSUPPORTED) { /* by one tile */
        n = plan_tile(plan);
        status = run(call, plan, n, &a, first);
    }
    assert_ok(status);
    bool same = true;
    for (int k = 1; k < most && same; ++k) {
        assert_ok(run(call, plan, n, &a, again));
        same = memcmp(first, again, sizeof first) == 0;
    }
    arrays_close(&a);
    return !same;
}

/* ---- Plans --------------------------------------------------------------------------------------------- */

/* Many small tiles, whose groups differ in when they come. */
static const char small[] = "items=8,group=32,groups=64,parting=2";

static clf_plan *plan_of(int call, const route *by, unsigned flags)
{
    const char *const primitive = calls[call].primitive;
    const plan_parts parts = {.op = calls[call].op ? calls[call].op : clf_builtin(CLF_SUM, CLF_FLOAT),
                              .flags = flags, .how = calls[call].how};
    return route_plan(by, primitive, &parts, "sums of floats");
}

static void refuse(int call, const clf_variant *variant)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const plan_parts parts = {.op = calls[call].op ? calls[call].op : clf_builtin(CLF_SUM, CLF_FLOAT),
                              .flags = CLF_REPEATABLE, .how = calls[call].how};
    const clf_plan_options options = {.size = sizeof options, .variant = variant->name};
    assert_status(primitive_plan(calls[call].primitive, rig_context(NULL), &parts, &options, &plan, &error),
                  CLF_E_UNSUPPORTED);
    ck_assert_ptr_null(plan);
    ck_assert_msg(strstr(error.message, "its plan must not be CLF_REPEATABLE"), "%s", error.message);
}

TEST(variants_repeat_or_are_refused)
{
    const char *const primitive = calls[_i].primitive;
    for (size_t v = 0; v < variant_count(primitive); ++v) {
        const clf_variant *const variant = variant_number(primitive, v);
        const way w = way_to(primitive, v);
        if (!variant->repeats) {
            refuse(_i, variant);
            continue;
        }
        clf_plan *plan = plan_of(_i, &(route){w.disable, w.variant, small}, CLF_REPEATABLE);
        if (!plan)
            continue;
        ck_assert_msg(!differs(_i, plan, AGAIN), "%s %s", primitive, variant->name);
        clf_plan_release(plan);
    }
}

/* As far as clfold chooses: on this device, on a GPU that makes progress, and on one that has nothing. */
TEST(choices_repeat)
{
    static const char *const disables[] = {NULL, "cpu", ROUTE_BARE};
    for (size_t d = 0; d < COUNT(disables); ++d) {
        clf_plan *plan = plan_of(_i, &(route){disables[d], NULL, NULL}, CLF_REPEATABLE);
        ck_assert_ptr_nonnull(plan);
        for (size_t role = 0; role < CLF_MAX_ROLES; ++role)
            ck_assert(!plan->engine[role] || plan->engine[role]->variant->repeats);
        ck_assert_msg(!differs(_i, plan, AGAIN), "%s without %s", calls[_i].primitive, disables[d]);
        clf_plan_release(plan);
    }
}

/* A tile that has waited in vain adds up others' elements by the same brackets: of arrays, rows and segments. */
TEST(patience_makes_no_difference)
{
    static const char *const settings[] = {"items=16,spin=1048576", "items=16,spin=0", "items=16,spin=3,stall=700"};
    for (size_t k = 0; k < COUNT(settings) && way_is_here(&(way){NULL, "cpu"}); ++k) {
        clf_plan *plan = plan_of(_i, &(route){NULL, "cpu", settings[k]}, CLF_REPEATABLE);
        ck_assert_ptr_nonnull(plan);
        ck_assert_msg(!differs(_i, plan, AGAIN), "%s %s", calls[_i].primitive, settings[k]);
        if (k == 0)
            memcpy(earlier, first, sizeof first);
        ck_assert_msg(memcmp(earlier, first, sizeof first) == 0, "%s %s", calls[_i].primitive, settings[k]);
        clf_plan_release(plan);
    }
}

/* What the flag is for: a scan whose tiles add up what comes before them, if those of others come late. */
TEST(others_differ)
{
    static const char *const settings[] = {"items=8,group=32", "items=8,group=32,spin=2,reverse=1"};
    bool one_differs = false;
    for (size_t k = 0; k < 2 * variant_count("scan") && !one_differs; ++k) {
        const clf_variant *const v = variant_number("scan", k / 2);
        const bool repeats = v->repeats || variant_is_for_cpus(v); /* or has no such order of tiles */
        clf_plan *plan = repeats ? NULL : plan_of(0, &(route){"cpu", v->name, settings[k % 2]}, 0);
        one_differs = plan && !differs(0, plan, 1) && k % 2 && memcmp(earlier, first, sizeof first) != 0;
        memcpy(earlier, first, sizeof first);
        clf_plan_release(plan);
    }
    ck_assert(one_differs);
}

RIG_SUITE(repeatable, NULL, {variants_repeat_or_are_refused, CALLS}, {choices_repeat, CALLS},
          {patience_makes_no_difference, 3}, {others_differ, 1})

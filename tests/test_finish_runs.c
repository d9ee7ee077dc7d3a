/* SPDX-License-Identifier: MIT */
/*
 * Results that operators make by `finish`: reductions by key and by index of every variant, in rows, with sizes on the
 * device, with bins and arrays that are empty.
 */
#include "finish.h"

#include <stdio.h>

enum { ROOM = FINISH_N, MOST_SOURCE = 2000 };

/* ---- Runs ------------------------------------------------------------------------------------------------------- */

/* Of elements of any bits, and of small numbers. */
static const char *const sames[FINISH_OPERATORS] = {
    "bool alike(clf_input a, clf_input b, const clf_captured *c) { return (a.x * 7 + b.x + c->w[1]) % 8 < 6; }\n",
    "bool alike(clf_input a, clf_input b) { return (a.p * 7 + b.p + 14) % 8 < 6; }\n",
    "bool alike(clf_input a, clf_input b) { return ((uint)a.p * 7 + (uint)b.p) % 8 < 6; }\n"};

static cl_uint number_of(cl_uint bits)
{
    float number;
    memcpy(&number, &bits, sizeof number);
    return (cl_uint)number;
}

static bool are_alike(const finish_data *d, size_t i)
{
    const cl_uint a = d->x[i - 1].x, b = d->x[i].x;
    if (d->op == &finish_operators[2])
        return (number_of(a) * 7 + number_of(b)) % 8 < 6;
    return (a * 7 + b + 14) % 8 < 6;
}

/* Returns the number of runs; those of one element are left out, if asked for. */
static size_t reference_of_runs(const finish_data *d, size_t n, bool nontrivial, cl_ulong wanted[][FINISH_N])
{
    size_t runs = 0;
    for (size_t i = 0, end; i < n; i = end) {
        cl_ulong out[FINISH_FIELDS] = {0};
        finish_value sum = d->op->map(d->x[i], i);
        for (end = i + 1; end < n && are_alike(d, end); ++end)
            sum = d->op->combine(sum, d->op->map(d->x[end], end));
        if (nontrivial && end == i + 1)
            continue;
        d->op->sum(sum, runs, out);
        for (cl_uint f = 0; f < d->op->reduced_results; ++f)
            wanted[f][runs] = out[f];
        wanted[d->op->reduced_results][runs++] = d->x[i].x ^ finish_captured[i % FINISH_CAPTURED];
    }
    return runs;
}

static void run_runs(clf_plan *plan, const finish_operator *op, size_t n, size_t room, bool nontrivial,
                     const cl_ulong *actual, gen *random)
{
    static cl_ulong wanted[FINISH_FIELDS + 1][FINISH_N];
    char what[128];
    finish_data d = {.op = op, .n = n};
    cl_ulong count = 77;
    const clf_array counted = {rig_buffer(sizeof count, &count), 0};
    const clf_array given = {actual ? rig_buffer(sizeof *actual, actual) : NULL, 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .actual = given};
    finish_fill(&d, random);
    finish_cut(&d, random, 0); /* what finish_close_data expects */
    finish_open_outputs(&d, op->reduced_results, op->reduced, false);
    assert_ok(clf_reduce_by_key(plan, &call, n, room, d.in, d.out, &counted));
    const size_t runs = reference_of_runs(&d, actual ? (size_t)*actual : n, nontrivial, wanted);
    snprintf(what, sizeof what, "%s by key, n %zu, room %zu", op->name, n, room);
    rig_read(the_rig()->queue, counted.buffer, sizeof count, &count);
    ck_assert_msg(count == runs, "%s: %llu runs, not %zu", what, (unsigned long long)count, runs);
    for (cl_uint f = 0; f < op->reduced_results + (op->inputs == 2); ++f)
        finish_expect(&d, f, f < op->reduced_results ? op->reduced[f] : 4, false, runs < room ? runs : room, wanted[f],
                      what);
    finish_close_data(&d, op->reduced_results, false);
    clReleaseMemObject(counted.buffer);
    if (actual)
        clReleaseMemObject(given.buffer);
}

static clf_plan *plan_of_runs(const finish_operator *of, const route *r, unsigned flags)
{
    char source[MOST_SOURCE];
    clf_operator op = *of->reduction;
    snprintf(source, sizeof source, "%s%s", op.source, sames[of - finish_operators]);
    op.source = source;
    op.same = "alike";
    return route_plan(r, "reduce_by_key", &(plan_parts){.op = &op, .flags = flags}, of->name);
}

static route route_to(const char *primitive, size_t variant)
{
    const way w = way_to(primitive, variant);
    return (route){w.disable, w.variant, way_is_for_cpus(&w) ? "items=77" : "items=3,group=32"};
}

enum { KEY_WAYS = 7 }; /* variants, and the choice of the library's */

TEST(runs)
{
    static const size_t sizes[] = {0, 1, 2, 95, 96, 97, 500, FINISH_N - 3};
    const size_t variant = (size_t)_i / FINISH_OPERATORS;
    const finish_operator *const op = &finish_operators[_i % FINISH_OPERATORS];
    if (variant > variant_count("reduce_by_key"))
        return;
    const route r = variant ? route_to("reduce_by_key", variant - 1) : (route){NULL, NULL, NULL};
    const bool one = r.variant && strcmp(r.variant, "one_group") == 0;
    gen random = gen_seed(the_rig()->seed, 900 + (uint64_t)_i);
    for (unsigned turn = 0; turn < 2; ++turn) {
        const bool nontrivial = turn == 1;
        clf_plan *const plan = plan_of_runs(op, &r, nontrivial ? CLF_NONTRIVIAL_RUNS : CLF_FROM_DEVICE);
        for (size_t s = 0; plan && s < COUNT(sizes); ++s) {
            const size_t n = one && sizes[s] > 96 ? 96 : sizes[s];
            const cl_ulong actual = s % 3 == 2 ? n / 2 : n;
            run_runs(plan, op, n, s % 4 == 3 ? n / 5 : n, nontrivial, nontrivial ? NULL : &actual, &random);
        }
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

/* ---- Bins ------------------------------------------------------------------------------------------------------- */

#define BINS_OF(in, number, more) "uint bin(clf_input " in ", ulong i" more ") { return (" number ") % 60; }\n"

/* Affine functions, which do not commute; sums, of which the fields are more and narrower; the least, as codes. */
static const clf_operator affine = {
    .size = sizeof affine, .value = "uint p; uint q;", .input = "uint x; ushort y;", .captured = "uint w;",
    .combine = "compose", .neutral = "identity", .map = "function", .part = "bin", .finish = "finish",
    .result = "ushort low; ulong both;",
    .source = "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
              "clf_value compose(clf_value x, clf_value y)\n"
              "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"
              "clf_value function(clf_input in, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {2 * in.x + 1, in.y + (uint)i}; return v; }\n"
              "clf_result finish(clf_value a, ulong i, const clf_captured *c)\n"
              "{ clf_result r = {(ushort)(a.q + c->w[i % 8]), (ulong)a.p << 32 | (uint)i}; return r; }\n"
              BINS_OF("in", "in.x >> 5", ", const clf_captured *c")};
static const clf_operator total = {
    .size = sizeof total, .value = "uint p;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .result = "uchar r;", .finish = "finish", .part = "bin",
    .source = "clf_result finish(clf_value a, ulong i) { clf_result r = {(uchar)(a.p + i)}; return r; }\n"
              BINS_OF("x", "x.p >> 5", "")};
static const clf_operator least = {
    .size = sizeof least, .value = "float p;", .combine = "clf_min", .flags = CLF_COMMUTATIVE, .part = "bin",
    .result = "ulong least;", .finish = "finish",
    .source = "clf_result finish(clf_value a, ulong i) { clf_result r = {(ulong)as_uint(a.p) << 8 ^ i}; return r; }\n"
              BINS_OF("x", "(uint)x.p", "")};
static const clf_operator *const binning[FINISH_OPERATORS] = {&affine, &total, &least};

static cl_uint bin_of(const finish_data *d, size_t i)
{
    return (d->op == &finish_operators[2] ? number_of(d->x[i].x) : d->x[i].x >> 5) % 60;
}

typedef struct bins_case {
    size_t rows, size, bins, actual; /* actual: of rows, or of the elements of one */
    bool given;
} bins_case;

static void reference_of_bins(const finish_data *d, const bins_case *c, size_t row, cl_ulong wanted[][FINISH_N])
{
    const size_t size = c->given && c->rows == 1 ? c->actual : c->size;
    for (size_t bin = 0; bin < c->bins; ++bin) {
        cl_ulong out[FINISH_FIELDS] = {0};
        finish_value sum = d->op->nothing;
        for (size_t i = row * c->size; i < row * c->size + size; ++i)
            if (bin_of(d, i) == bin)
                sum = d->op->combine(sum, d->op->map(d->x[i], i));
        d->op->sum(sum, row * c->bins + bin, out);
        for (cl_uint f = 0; f < d->op->reduced_results; ++f)
            wanted[f][row * c->bins + bin] = out[f];
    }
}

static void run_bins(clf_plan *plan, const finish_operator *op, const bins_case *c, bool own_scratch, gen *random)
{
    static cl_ulong wanted[FINISH_FIELDS][FINISH_N];
    char what[128];
    finish_data d = {.op = op, .n = c->rows * c->size};
    const cl_ulong actual = c->actual;
    cl_ulong bytes = 0;
    if (own_scratch)
        assert_ok(clf_plan_scratch(plan, d.n, c->rows * c->bins, &bytes));
    const clf_array given = {c->given ? rig_buffer(sizeof actual, &actual) : NULL, 0};
    const clf_array scratch = {bytes ? rig_buffer((size_t)bytes, NULL) : NULL, 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .actual = given, .scratch = scratch};
    finish_fill(&d, random);
    finish_cut(&d, random, 0);
    finish_open_outputs(&d, op->reduced_results, op->reduced, false);
    const clf_status status = c->rows == 1
                                  ? clf_reduce_by_index(plan, &call, c->size, c->bins, d.in, d.out)
                                  : clf_segmented_reduce_by_index(plan, &call, c->rows, c->size, c->bins, d.in, d.out);
    ck_assert_msg(status == CLF_SUCCESS || status == CLF_E_UNSUPPORTED, "%d", status);
    const size_t rows = c->given && c->rows > 1 ? c->actual : c->rows;
    for (size_t row = 0; row < rows; ++row)
        reference_of_bins(&d, c, row, wanted);
    snprintf(what, sizeof what, "%s by index, %zu rows of %zu in %zu bins, given %d: %zu", op->name, c->rows, c->size,
             c->bins, c->given, c->actual);
    for (cl_uint f = 0; status == CLF_SUCCESS && f < op->reduced_results; ++f)
        finish_expect(&d, f, op->reduced[f], false, rows * c->bins, wanted[f], what);
    finish_close_data(&d, op->reduced_results, false);
    if (c->given)
        clReleaseMemObject(given.buffer);
    if (bytes)
        clReleaseMemObject(scratch.buffer);
}

enum { INDEX_WAYS = 6 };

static clf_plan *plan_of_bins(size_t variant, const finish_operator *op, unsigned flags)
{
    const route chosen = {NULL, NULL, "items=4,group=32,groups=5"};
    route r = variant ? route_to("reduce_by_index", variant - 1) : chosen;
    r.parameters = chosen.parameters;
    return route_plan(&r, "reduce_by_index", &(plan_parts){.op = binning[op - finish_operators], .flags = flags},
                      op->name);
}

TEST(bins)
{
    static const bins_case cases[] = {
        {1, FINISH_N, 50, 0, false}, {1, FINISH_N, 3, 0, false}, {1, 40, 900, 0, false}, {1, 0, 20, 0, false},
        {1, 700, 200, 0, false},     {9, 100, 50, 0, false},     {90, 11, 10, 0, false}, {4, 0, 10, 0, false},
        {1, FINISH_N, 50, 333, true}, {1, FINISH_N, 200, 0, true}, {9, 100, 50, 5, true}, {9, 100, 2, 0, true}};
    const size_t variant = (size_t)_i / FINISH_OPERATORS;
    const finish_operator *const op = &finish_operators[_i % FINISH_OPERATORS];
    gen random = gen_seed(the_rig()->seed, 1000 + (uint64_t)_i);
    if (variant > variant_count("reduce_by_index"))
        return;
    for (unsigned given = 0; given < 2; ++given) {
        clf_plan *const plan = plan_of_bins(variant, op, given ? CLF_FROM_DEVICE : 0);
        for (size_t k = 0; plan && k < COUNT(cases); ++k)
            if (cases[k].given == given)
                run_bins(plan, op, &cases[k], k % 3 != 1, &random);
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

TEST(bins_that_are_updated)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_reduce_by_index_plan(rig_context(NULL), &total, CLF_UPDATE, NULL, &plan, &error),
                  CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message,
                     "clf_operator.finish: bins that are updated (CLF_UPDATE) hold values, and it must be NULL");
    ck_assert_ptr_null(plan);
}

/* ---- Suites ----------------------------------------------------------------------------------------------------- */

TEST(on_little_data)
{
    static const bins_case one = {1, 300, 50, 0, false};
    const finish_operator *const op = &finish_operators[_i % FINISH_OPERATORS];
    const size_t variant = (size_t)_i / FINISH_OPERATORS;
    gen random = gen_seed(the_rig()->seed, 1100 + (uint64_t)_i);
    clf_plan *const by_index = variant < INDEX_WAYS ? plan_of_bins(variant, op, 0) : NULL;
    const route r = variant && variant <= variant_count("reduce_by_key") ? route_to("reduce_by_key", variant - 1)
                                                                         : (route){NULL, NULL, NULL};
    clf_plan *const by_key = plan_of_runs(op, &r, 0);
    if (by_index) {
        run_bins(by_index, op, &one, false, &random);
        assert_ok(clf_plan_release(by_index));
    }
    if (by_key) {
        run_runs(by_key, op, 90, 90, false, NULL, &random);
        assert_ok(clf_plan_release(by_key));
    }
}

RIG_PART(add_finish_kernel_tests, {on_little_data, KEY_WAYS * FINISH_OPERATORS})

RIG_PART(add_finish_runs_tests, {runs, KEY_WAYS * FINISH_OPERATORS}, {bins, INDEX_WAYS * FINISH_OPERATORS},
         {bins_that_are_updated, 1})

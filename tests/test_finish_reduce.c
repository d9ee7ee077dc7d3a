/* SPDX-License-Identifier: MIT */
/* Results that operators make by `finish`: reductions of every kind and variant; segments that are empty. */
#include "finish.h"
#include "route.h"

#include <stdio.h>

static const finish_value initials[] = {{7, 5}, {7, 0}, {0x40000000, 0}};
static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
static const clf_segmentation by_flags = {sizeof by_flags, CLF_BY_HEAD_BYTES, CLF_UCHAR};

static void reference(const finish_data *d, bool initial, cl_ulong wanted[FINISH_FIELDS][FINISH_N])
{
    for (size_t k = 0; k < d->count; ++k) {
        cl_ulong out[FINISH_FIELDS] = {0};
        finish_value sum = initial ? initials[d->op - finish_operators] : d->op->nothing;
        for (size_t i = d->offsets[k]; i < d->offsets[k + 1]; ++i)
            sum = d->op->combine(sum, d->op->map(d->x[i], i));
        d->op->sum(sum, k, out);
        for (cl_uint f = 0; f < d->op->reduced_results; ++f)
            wanted[f][k] = out[f];
    }
}

static void check(const finish_data *d, size_t n, bool initial, const char *what)
{
    static cl_ulong wanted[FINISH_FIELDS][FINISH_N];
    reference(d, initial, wanted);
    for (cl_uint f = 0; f < d->op->reduced_results; ++f)
        finish_expect(d, f, d->op->reduced[f], false, d->count, wanted[f], what);
    for (size_t i = 0; d->op->inputs == 2 && i < n; ++i)
        wanted[0][i] = d->x[i].x ^ finish_captured[i % FINISH_CAPTURED];
    if (d->op->inputs == 2)
        finish_expect(d, d->op->reduced_results, 4, false, n, wanted[0], what);
}

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static const struct {
    const char *variant;
    size_t count, size;
} shapes[] = {
    {NULL, 1, FINISH_N}, {NULL, 1, 0},    {NULL, 9, 0},    {NULL, 90, 11},  {"cpu", 1, FINISH_N}, {"cpu", 1, 0},
    {"cpu", 9, 0},       {"cpu", 90, 3},  {"cpu", 50, 20}, {"cpu", 7, 140}, {"large", 1, FINISH_N}, {"large", 3, 300},
    {"large", 3, 0},     {"warp", 8, 120}, {"warp", 5, 0}, {"small", 300, 3}, {"small", 120, 8}, {"small", 20, 50},
    {"small", 7, 0},     {"sequential", 90, 11}, {"sequential", 4, 0}};

static void run_rows(clf_plan *plan, const finish_operator *op, size_t shape, bool initial, gen *random)
{
    char what[128];
    const size_t count = shapes[shape].count, size = shapes[shape].size;
    finish_data d = {.op = op, .n = count * size};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue,
                           .initial = initial ? &initials[op - finish_operators] : NULL};
    finish_fill(&d, random);
    finish_cut(&d, random, size ? size : 1);
    d.count = count;
    for (size_t k = 0; size == 0 && k <= count; ++k)
        d.offsets[k] = 0;
    finish_open_outputs(&d, op->reduced_results, op->reduced, false);
    assert_ok(count == 1 ? clf_reduce(plan, &call, size, d.in, d.out)
                         : clf_segmented_reduce(plan, &call, count, size, d.in, d.out));
    snprintf(what, sizeof what, "%s, variant %s, %zu of %zu, initial %d", op->name,
             shapes[shape].variant ? shapes[shape].variant : "default", count, size, initial);
    check(&d, count * size, initial, what);
    finish_close_data(&d, op->reduced_results, false);
}

TEST(rows)
{
    const size_t shape = (size_t)_i / FINISH_OPERATORS;
    const finish_operator *const op = &finish_operators[_i % FINISH_OPERATORS];
    const char *const variant = shapes[shape].variant;
    const route r = {variant && strcmp(variant, "cpu") ? "cpu" : NULL, variant,
                     variant && strcmp(variant, "small") == 0 ? "items=4,group=32" : "items=3,group=32,groups=5"};
    gen random = gen_seed(the_rig()->seed, 600 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&r, "reduce", &(plan_parts){.op = op->reduction}, op->name);
    for (int turn = 0; plan && turn < 2; ++turn)
        run_rows(plan, op, shape, turn, &random);
    if (plan)
        assert_ok(clf_plan_release(plan));
}

/* Elements of a byte, and rows of a power of two that fits a vector: what clf_reduce_tiny does. */
TEST(tiny_rows)
{
    enum { ROWS = 333, ALL = ROWS * 16 };
    static const clf_operator op = {
        .size = sizeof op, .value = "uchar v;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE, .result = "ushort r;",
        .source = "clf_result f(clf_value a, ulong i) { clf_result r = {(ushort)(a.v + 3 * i)}; return r; }\n",
        .finish = "f"};
    const size_t size = (size_t)1 << _i;
    cl_uchar x[ALL];
    cl_ushort got[ROWS];
    gen random = gen_seed(the_rig()->seed, 800 + (uint64_t)_i);
    for (size_t i = 0; i < ALL; ++i)
        x[i] = (cl_uchar)gen_bits(&random);
    const clf_array in = {rig_buffer(sizeof x, x), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    const route r = {"cpu", "small", "items=16,group=32"};
    clf_plan *const plan = route_plan(&r, "reduce", &(plan_parts){.op = &op}, "bytes");
    if (plan)
        assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), ROWS, size, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (size_t k = 0; plan && k < ROWS; ++k) {
        cl_uchar sum = 0;
        for (size_t i = 0; i < size; ++i)
            sum = (cl_uchar)(sum + x[k * size + i]);
        ck_assert_uint_eq(got[k], (cl_ushort)(sum + 3 * k));
    }
    rig_release(in, out);
    if (plan)
        assert_ok(clf_plan_release(plan));
}

/* ---- Segments of any lengths ----------------------------------------------------------------------------------- */

static clf_array flags_of(const finish_data *d)
{
    static cl_uchar flags[FINISH_N];
    memset(flags, 0, sizeof flags);
    for (size_t k = 0; k < d->count; ++k)
        flags[d->offsets[k]] = 1;
    return (clf_array){rig_buffer(sizeof flags, flags), 0};
}

/* Segments told by flags are not empty. */
static void drop_empty(finish_data *d)
{
    size_t kept = 0;
    for (size_t k = 0; k < d->count; ++k)
        if (d->offsets[k + 1] > d->offsets[k])
            d->offsets[++kept] = d->offsets[k + 1];
    d->count = kept;
}

static void run_segments(clf_plan *plan, const finish_operator *op, bool flags, bool initial, size_t n, gen *random)
{
    finish_data d = {.op = op, .n = n};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue,
                           .initial = initial ? &initials[op - finish_operators] : NULL};
    finish_fill(&d, random);
    finish_cut(&d, random, 0);
    for (; n == 0 && d.count < 9; ++d.count) /* nothing but empty ones */
        d.offsets[d.count + 1] = 0;
    if (n == 0) {
        clReleaseMemObject(d.told.buffer);
        d.told = (clf_array){rig_buffer(10 * sizeof *d.offsets, d.offsets), 0};
    }
    if (flags)
        drop_empty(&d);
    const clf_array told = flags ? flags_of(&d) : d.told, counted = {rig_buffer(sizeof(cl_ulong), NULL), 0};
    finish_open_outputs(&d, op->reduced_results, op->reduced, false);
    assert_ok(clf_irregular_reduce(plan, &call, n, d.count, &told, d.in, d.out, flags ? &counted : NULL));
    check(&d, n, initial, op->name);
    finish_close_data(&d, op->reduced_results, false);
    clReleaseMemObject(counted.buffer);
    if (flags)
        clReleaseMemObject(told.buffer);
}

TEST(segments)
{
    static const char *const variants[][2] = {{NULL, NULL}, {NULL, "cpu"}, {"cpu", "shares"}};
    const finish_operator *const op = &finish_operators[_i % FINISH_OPERATORS];
    const bool flags = _i / FINISH_OPERATORS % 2;
    const char *const *const variant = variants[_i / FINISH_OPERATORS / 2];
    const route r = {variant[0], variant[1], "items=3,group=32,groups=5"};
    gen random = gen_seed(the_rig()->seed, 700 + (uint64_t)_i);
    clf_plan *const plan = route_plan(
        &r, "irregular_reduce", &(plan_parts){.op = op->reduction, .how = flags ? &by_flags : &by_offsets}, op->name);
    for (size_t turn = 0; plan && turn < 6; ++turn)
        run_segments(plan, op, flags, turn % 2, turn > 3 && !flags ? 0 : FINISH_N - 77 * turn, &random);
    if (plan)
        assert_ok(clf_plan_release(plan));
}

RIG_PART(add_finish_reduce_tests, {rows, COUNT(shapes) * FINISH_OPERATORS}, {tiny_rows, 5},
         {segments, 6 * FINISH_OPERATORS})

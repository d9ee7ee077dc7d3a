/* SPDX-License-Identifier: MIT */
/*
 * Plans that want some results (clf_plan_options.wanted): each is what a plan that wants all writes there, bit by bit,
 * by every variant of scans and reductions, also by key, of segments told in every way; placed scans, no elements,
 * sizes on the device.
 */
#include "wanted.h"

enum { N = WANTED_N };
static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
static const clf_segmentation by_flags = {sizeof by_flags, CLF_BY_HEAD_BYTES, CLF_UCHAR};

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static clf_status scan(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                       const clf_array *in, const clf_array *out)
{
    (void)c, (void)d;
    return clf_scan(plan, call, N, in, out);
}

static clf_status scan_rows(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                            const clf_array *in, const clf_array *out)
{
    (void)d;
    return clf_segmented_scan(plan, call, N / c->size, c->size, in, out);
}

static clf_status reduce_rows(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                              const clf_array *in, const clf_array *out)
{
    (void)d;
    return clf_segmented_reduce(plan, call, N / c->size, c->size, in, out);
}

/* Segments of any lengths, by offsets or by flags. */
static clf_status segments(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                           const clf_array *in, const clf_array *out)
{
    const bool flags = c->how == &by_flags;
    const clf_array told = {flags ? rig_buffer(sizeof d->flags, d->flags) : rig_buffer(sizeof d->offsets, d->offsets),
                            0};
    const clf_status status = c->scans ? clf_irregular_scan(plan, call, N, d->count, &told, in, out)
                                       : clf_irregular_reduce(plan, call, N, d->count, &told, in, out, NULL);
    clReleaseMemObject(told.buffer);
    return status;
}

static clf_status reduce_by_key(clf_plan *plan, const clf_call *call, const wanted_case *c, const wanted_data *d,
                                const clf_array *in, const clf_array *out)
{
    const clf_array counted = {rig_buffer(sizeof(cl_ulong), NULL), 0};
    const clf_status status = clf_reduce_by_key(plan, call, N, N, in, out, &counted);
    (void)c, (void)d;
    clReleaseMemObject(counted.buffer);
    return status;
}

/* ---- Variants -------------------------------------------------------------------------------------------------- */

TEST(scans)
{
    static const size_t sizes[] = {3, 100, N};
    const way *const w = &ways[_i / 3];
    const route r = finish_route(w, _i);
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    if (w->variant && strcmp(w->variant, "propagate") == 0)
        return;
    static const wanted_case kinds[] = {
        {.primitive = "scan", .call = scan, .scans = true, .may_share = true},
        {.primitive = "segmented_scan", .call = scan_rows, .scans = true, .may_share = true},
        {.primitive = "irregular_scan", .call = segments, .how = &by_offsets, .scans = true, .may_share = true}};
    for (size_t op = 0; op < WANTED_OPERATORS; ++op) {
        wanted_case c = kinds[_i % 3];
        c.op = op;
        c.flags = (op % 2 ? CLF_EXCLUSIVE : 0u) | (op / 2 ? CLF_REVERSE : 0u);
        if (wanted_in_turn(op, _i + _i / 3, WANTED_OPERATORS))
            wanted_run(&r, c, sizes, c.call == scan_rows ? COUNT(sizes) : 1, &random);
    }
}

/* CPUs scan rows side by side, and shares (GPUs' compilers take minutes); before the first of minima is infinity. */
TEST(side_by_side)
{
    static const size_t sizes[] = {3, 100, N};
    static const char *const parameters[] = {NULL, "items=77,streams=32", "items=300,streams=16", "items=64,streams=8"};
    static const wanted_case kinds[] = {
        {.primitive = "scan", .call = scan, .scans = true, .may_share = true},
        {.primitive = "segmented_scan", .call = scan_rows, .scans = true, .may_share = true},
        {.primitive = "irregular_scan", .call = segments, .how = &by_flags, .scans = true, .may_share = true}};
    const route r = {NULL, "cpu", the_rig()->is_cpu ? parameters[_i / 3] : NULL};
    gen random = gen_seed(the_rig()->seed, 600 + (uint64_t)_i);
    for (unsigned turn = 0; turn < 2 * WANTED_OPERATORS; ++turn) {
        wanted_case c = kinds[_i % 3];
        c.op = turn / 2;
        c.flags = turn % 2 ? CLF_EXCLUSIVE : 0;
        if (wanted_in_turn(turn, _i, 2) || c.op == 3)
            wanted_run(&r, c, sizes, c.call == scan_rows ? COUNT(sizes) : 1, &random);
    }
}

static const struct {
    const char *primitive, *variant;
    const clf_segmentation *how;
    size_t count, sizes[3];
} reductions[] = {{"reduce", NULL, NULL, 3, {N, 9, 100}},   {"reduce", "cpu", NULL, 3, {N, 9, 100}},
                  {"reduce", "large", NULL, 2, {N, 100}},   {"reduce", "warp", NULL, 1, {100}},
                  {"reduce", "small", NULL, 2, {3, 10}},    {"reduce", "sequential", NULL, 2, {3, 50}},
                  {"irregular_reduce", "cpu", &by_offsets, 1, {1}}, {"irregular_reduce", "shares", &by_offsets, 1, {1}},
                  {"irregular_reduce", "cpu", &by_flags, 1, {2}}, {"irregular_reduce", "shares", &by_flags, 1, {2}}};

TEST(reduces)
{
    const char *const variant = reductions[_i].variant;
    const route r = {variant && strcmp(variant, "cpu") ? "cpu" : NULL, variant,
                     variant && strcmp(variant, "small") == 0 ? "items=4,group=32" : "items=3,group=32,groups=5"};
    gen random = gen_seed(the_rig()->seed, 100 + (uint64_t)_i);
    for (size_t op = 0; op < WANTED_OPERATORS; ++op) {
        const wanted_case c = {.primitive = reductions[_i].primitive, .op = op, .how = reductions[_i].how,
                               .call = reductions[_i].how ? segments : reduce_rows};
        if (wanted_in_turn(op, _i, 2))
            wanted_run(&r, c, reductions[_i].sizes, reductions[_i].count, &random);
    }
}

TEST(runs)
{
    static const size_t even = 2; /* there is no initial value */
    const way w = way_to("reduce_by_key", (size_t)_i);
    const route r = {w.disable, w.variant, w.disable ? "items=4,group=32" : "items=64"};
    gen random = gen_seed(the_rig()->seed, 200 + (uint64_t)_i);
    for (size_t op = 0; op < WANTED_OPERATORS; ++op)
        if (wanted_in_turn(op, _i, 2) && strcmp(w.variant, "one_group"))
            wanted_run(&r, (wanted_case){.primitive = "reduce_by_key", .call = reduce_by_key, .keyed = true, .op = op},
                       &even, 1, &random);
}

/* What parts that nobody wants add up to is not handed on. */
TEST(unwanted_parts_are_not_carried)
{
    enum { BEST = 1, FIRST_HASH = 1 << 4, MOST = 1 << 6 };
    static const struct {
        cl_ulong wanted;
        cl_uint words;
    } cases[] = {{0, 7}, {BEST, 4}, {FIRST_HASH, 2}, {MOST, 1}, {BEST | MOST, 5}, {FIRST_HASH << 1 | MOST, 3}};
    clf_operator *const joined = wanted_join(true, false);
    for (size_t i = 0; i < COUNT(cases); ++i) {
        const plan_parts parts = {.op = joined, .wanted = cases[i].wanted};
        clf_plan *const plan = route_plan(&(route){"cpu", NULL, NULL}, "scan", &parts, "joined");
        ck_assert_uint_eq(plan->engine[0]->state_bytes, 4 * cases[i].words);
        assert_ok(clf_plan_release(plan));
    }
    assert_ok(clf_operator_release(joined));
}

/* Rows of no elements, which read captured arrays alone. */
TEST(rows_without_elements)
{
    enum { ROWS = 9 };
    const route r = {_i ? "cpu" : NULL, NULL, NULL};
    cl_ulong got[2][ROWS];
    const clf_array in[] = {{0}, {0}, {rig_buffer(sizeof finish_captured, finish_captured), 0}};
    for (cl_ulong wanted = 0; wanted < 3; wanted += 2) {
        clf_plan *const plan = route_plan(&r, "reduce",
                                          &(plan_parts){.op = wanted_operator(0, false), .wanted = wanted}, "finish");
        const clf_array low = {wanted ? NULL : rig_buffer(sizeof got[0], NULL), 0};
        const clf_array out[] = {low, {rig_buffer(sizeof got[0], NULL), 0}}; /* and no third one, of extra outputs */
        assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), ROWS, 0, in, out));
        rig_read(the_rig()->queue, out[1].buffer, sizeof got[0], got[wanted / 2]);
        assert_ok(clf_plan_release(plan));
        clReleaseMemObject(out[1].buffer);
        if (!wanted)
            clReleaseMemObject(low.buffer);
    }
    clReleaseMemObject(in[2].buffer);
    ck_assert_mem_eq(got[0], got[1], sizeof got[0]);
}

/* ---- Placed scans ---------------------------------------------------------------------------------------------- */

/* Results of the odd elements, backwards; by `finish`, and as values. */
#define PLACED "ulong to(clf_value a, clf_value before, clf_input in, ulong i)\n" \
               "{ return in.x & 1 ? a.odd - 1 : CLF_NOWHERE; }\n"               \
               "clf_value one(clf_input in, ulong i) { clf_value v = {in.x & 1, in.x}; return v; }\n"
static const clf_operator placed[] = {
    {.size = sizeof placed[0], .input = "uint x;", .value = "uint odd; ulong sum;", .map = "one", .combine = "clf_sum",
     .flags = CLF_COMMUTATIVE, .place = "to", .source = PLACED},
    {.size = sizeof placed[0], .input = "uint x;", .value = "uint odd; ulong sum;", .map = "one", .combine = "clf_sum",
     .flags = CLF_COMMUTATIVE, .place = "to", .result = "uchar x; ulong sum; uint i;", .finish = "end",
     .source = PLACED "clf_result end(clf_value a, clf_value before, clf_input in, ulong i)\n"
                      "{ clf_result r = {(uchar)in.x, a.sum, (uint)i}; return r; }\n"}};

TEST(placed_scans)
{
    const way *const w = &ways[_i / 2];
    const route r = finish_route(w, 1);
    const clf_operator *const op = &placed[_i % 2];
    cl_uint x[N];
    cl_ulong got[N], sum = 0, count = 0;
    gen random = gen_seed(the_rig()->seed, 300 + (uint64_t)_i);
    for (size_t i = 0; i < N; ++i)
        x[i] = (cl_uint)gen_bits(&random);
    if (w->variant && strcmp(w->variant, "propagate") == 0)
        return;
    clf_plan *const plan = route_plan(&r, "scan", &(plan_parts){.op = op, .wanted = 2}, "placed sums");
    if (!plan)
        return;
    const clf_array in = {rig_buffer(sizeof x, x), 0}, counted = {rig_buffer(sizeof count, NULL), 0};
    const clf_array out[] = {{0}, {rig_buffer(sizeof got, NULL), 0}, {0}};
    assert_ok(clf_scan_placed(plan, CLF_ON(the_rig()->queue), N, N, &in, out, &counted));
    rig_read(the_rig()->queue, out[1].buffer, sizeof got, got);
    rig_read(the_rig()->queue, counted.buffer, sizeof count, &count);
    cl_ulong odd = 0;
    for (size_t i = 0; i < N; ++i) {
        sum += x[i];
        if (x[i] & 1)
            ck_assert_uint_eq(got[odd++], sum);
    }
    ck_assert_uint_eq(count, odd);
    assert_ok(clf_plan_release(plan));
    rig_release(in, counted, out[1]);
}

TEST(sizes_on_the_device)
{
    static const clf_operator pairs = {.size = sizeof pairs, .value = "uchar a; int x;", .combine = "clf_sum"};
    const route r = {_i % 2 ? "cpu" : NULL, NULL, NULL};
    const size_t at = _i < 2 ? 3 : 1; /* of the result that is wanted, the last one */
    const cl_ulong actual = 500;
    const cl_int initial[2] = {0, 77};
    cl_int x[N], got[N], sum = initial[1];
    for (int i = 0; i < N; ++i)
        x[i] = i % 7 - 3;
    clf_plan *const plan = route_plan(&r, "scan",
                                      &(plan_parts){.op = _i < 2 ? &wanted_largest_sum : &pairs,
                                                    .flags = CLF_FROM_DEVICE, .wanted = 1 << at}, "sums");
    const clf_array in = {rig_buffer(sizeof x, x), 0}, start = {rig_buffer(sizeof initial, initial), 0};
    const clf_array ins[] = {in, in}, first[] = {start, {start.buffer, at == 1}, start, {start.buffer, 1}};
    clf_array out[4] = {{0}};
    out[at] = (clf_array){rig_buffer(sizeof x, x), 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial_arrays = first,
                           .actual = {rig_buffer(sizeof actual, &actual), 0}};
    assert_ok(clf_scan(plan, &call, N, ins, out));
    rig_read(the_rig()->queue, out[at].buffer, sizeof got, got);
    for (int i = 0; i < N; ++i)
        ck_assert_int_eq(got[i], i < (int)actual ? (sum += x[i]) : x[i]);
    assert_ok(clf_plan_release(plan));
    rig_release(in, start, out[at], call.actual);
}

/* ---- Programs -------------------------------------------------------------------------------------------------- */

static unsigned long compiled(const clf_plan *plan)
{
    return atomic_load(&plan->context->compiler.compiled) + atomic_load(&plan->context->compiler.from_disk);
}

/* Who wants all has the programs of those who say nothing; and no call compiles what clf_plan_compile has. */
TEST(all_is_nothing)
{
    const route r = {NULL, NULL, NULL};
    clf_plan *const plan = route_plan(&r, "reduce", &(plan_parts){.op = &wanted_largest_sum}, "sums");
    const unsigned long before = compiled(plan);
    clf_plan *const all = route_plan(&r, "reduce", &(plan_parts){.op = &wanted_largest_sum, .wanted = 15}, "sums");
    ck_assert_uint_eq(compiled(plan), before);
    clf_plan *const one = route_plan(&r, "reduce", &(plan_parts){.op = &wanted_largest_sum, .wanted = 1}, "sums");
    assert_ok(clf_plan_compile(one, NULL));
    const unsigned long after = compiled(plan);
    const clf_array in = {rig_buffer(N * 4, NULL), 0}, out[] = {{rig_buffer(N * 4, NULL), 0}, {0}, {0}, {0}};
    for (cl_ulong size = 1; size <= N; size *= 3)
        assert_ok(clf_segmented_reduce(one, CLF_ON(the_rig()->queue), N / size, size, &in, out));
    ck_assert_uint_eq(compiled(plan), after);
    rig_release_plans(plan, all, one);
    rig_release(in, out[0]);
}

/* A variant of each, for Oclgrind. */
TEST(some_on_little_data)
{
    static const struct {
        const char *variant;
        size_t op;
        wanted_case c;
    } all[] = {{"two_pass", 2, {.primitive = "segmented_scan", .call = scan_rows, .scans = true}},
               {"one_group", 1, {.primitive = "scan", .call = scan, .scans = true}},
               {"small", 1, {.primitive = "reduce", .call = reduce_rows}},
               {"shares", 2, {.primitive = "irregular_reduce", .call = segments, .how = &by_offsets}},
               {"two_pass", 1, {.primitive = "reduce_by_key", .call = reduce_by_key, .keyed = true}}};
    static const size_t size = 10;
    const route r = {"cpu", all[_i].variant,
                     all[_i].c.call == scan ? "items=33,group=32" : "items=4,group=32,groups=3"};
    gen random = gen_seed(the_rig()->seed, 400 + (uint64_t)_i);
    wanted_case c = all[_i].c;
    c.op = all[_i].op;
    wanted_run(&r, c, &size, 1, &random);
}

RIG_PART(add_wanted_kernel_tests, {some_on_little_data, 5})

RIG_SUITE_OF(wanted, NULL, (add_wanted_index_tests, add_wanted_refusal_tests), {scans, WAY_COUNT * 3},
             {side_by_side, 4 * 3}, {reduces, COUNT(reductions)}, {runs, variant_count("reduce_by_key")},
             {unwanted_parts_are_not_carried, 1}, {rows_without_elements, 2}, {placed_scans, 2 * WAY_COUNT},
             {sizes_on_the_device, 4}, {all_is_nothing, 1})

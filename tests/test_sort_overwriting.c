/* SPDX-License-Identifier: MIT */
/*
 * Sorts that use their inputs instead of scratch (CLF_OVERWRITE_INPUT): a part of suite `sort`. Whatever number of
 * passes there is, results are in the outputs; scratch is as small as told; and what cannot be given up is refused.
 */
#include "cases.h"
#include "refused.h"

#include <string.h>

static const route routes[] = {
    {NULL, "cpu", "items=64"},
    {NULL, "cpu", "items=1000"}, /* all in one tile */
    {"cpu", "lookback", "items=3,group=64"},
    {"cpu", "lookback", "items=1,group=32,spin=0,stall=3,limit=200"},
    {"cpu", "two_pass", "items=5,group=64"},
    {"cpu", "merge", NULL},
};
enum { ROUTES = COUNT(routes) };

/* ---- Results --------------------------------------------------------------------------------------------------- */

TEST(every_number_of_passes)
{
    static const int sorts[] = {CLF_ULONG, REF_SORT_PAIR, REF_SORT_MIXED};
    const sort_key key = {ref_sort_of(sorts[_i / ROUTES]), CLF_OVERWRITE_INPUT, routes[_i % ROUTES], SORT_WHOLE, 0, 0};
    const size_t bytes = clf_type_size(key.sort->type);
    clf_plan *plan = rig_full() || _i / ROUTES == _i % 3 ? sort_plan(&key) : NULL; /* they take long to compile */
    for (unsigned some = 0; plan && some < (bytes == 8 ? 24u : 16u); ++some) {
        sort_case test = sort_case_of(&key, 450, some);
        test.pattern = SORT_SOME;
        test.bytes = bytes < 8 ? some : some < 9 ? 0xffu >> some : some < 17 ? 1u << (some - 9) : 37 * some;
        sort_case_run(plan, test);
    }
    clf_plan_release(plan);
}

TEST(sizes_on_the_device)
{
    const sort_key key = {ref_sort_of(REF_SORT_PAIR), CLF_OVERWRITE_INPUT | CLF_FROM_DEVICE, routes[_i], SORT_WHOLE, 0,
                          0};
    clf_plan *plan = sort_plan(&key);
    const size_t tile = plan ? plan_tile(plan) : 1, n = 3 * tile + 5;
    const size_t actual[] = {0, 1, tile - 1, tile, tile + 1, 2 * tile + 3, n, n + 1};
    for (unsigned i = 0; plan && i < 2 * COUNT(actual); ++i)
        sort_case_run_given(plan, &key, n, actual[i % COUNT(actual)], i);
    clf_plan_release(plan);
}

/* ---- Scratch --------------------------------------------------------------------------------------------------- */

static cl_ulong scratch_of(clf_plan *plan, cl_ulong n)
{
    cl_ulong bytes = 0;
    assert_ok(clf_plan_scratch(plan, n, 10, &bytes));
    clf_plan_release(plan);
    return bytes;
}

static clf_plan *plan_of(int kind, unsigned flags)
{
    static const clf_operator pairs = {.size = sizeof pairs, .value = "uint key; ulong payload;"};
    static const clf_operator ordered = {.size = sizeof ordered, .value = "uint key; ulong payload;", .less = "below",
                                         .source = "bool below(clf_input a, clf_input b) { return a.key < b.key; }"};
    const clf_segmentation lengths = {.size = sizeof lengths, .by = CLF_BY_LENGTHS, .type = CLF_UINT};
    clf_context *const context = rig_context(kind < 4 ? NULL : "cpu");
    clf_plan *plan = NULL;
    switch (kind % 4) {
    case 0: assert_ok(clf_sort_plan(context, &pairs, flags, NULL, &plan, NULL)); break;
    case 1: assert_ok(clf_segmented_sort_plan(context, &pairs, flags, NULL, &plan, NULL)); break;
    case 2: assert_ok(clf_irregular_sort_plan(context, &pairs, &lengths, flags, NULL, &plan, NULL)); break;
    default: assert_ok(clf_merge_sort_plan(context, &ordered, flags, NULL, &plan, NULL));
    }
    return plan;
}

/*
 * Less by all values, and so small that these are not there. Only long rows that are sorted digit by digit may have
 * more counters than that, for each has its own, and where groups are small, rows of some thousand elements are long.
 */
TEST(scratch_is_what_is_left)
{
    enum { SIZE = 1 << 22, EACH = 12 /* bytes */ };
    const cl_ulong usual = scratch_of(plan_of(_i, 0), SIZE), less = scratch_of(plan_of(_i, CLF_OVERWRITE_INPUT), SIZE);
    ck_assert_uint_ge(usual, less + (cl_ulong)SIZE * EACH);
    ck_assert_uint_le(less, (cl_ulong)SIZE * EACH / (_i % 4 == 1 ? 1 : 2));
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arrays)
{
    static const clf_operator pairs = {.size = sizeof pairs, .value = "float key; uint payload;"};
    const unsigned flags = CLF_OVERWRITE_INPUT | CLF_FROM_DEVICE;
    refused r;
    cl_int code;
    refused_open(&r);
    assert_ok(clf_sort_plan(r.context, &pairs, flags, NULL, &r.plan[0], NULL));
    clf_plan *const plan = r.plan[0];
    const clf_call *const on = CLF_ON(r.queue);
    const clf_array a = refused_array(&r, 400), b = refused_array(&r, 400), c = refused_array(&r, 400);
    const clf_array d = refused_array(&r, 400);
    const clf_array read_only = {clCreateBuffer(the_rig()->cl, CL_MEM_READ_ONLY, 400, NULL, &code), 0};
    const clf_array in[] = {a, b}, out[] = {c, d}, twice[] = {a, a}, partly[] = {c, b}, read[] = {a, read_only};
    const clf_call given = {.size = sizeof given, .queue = r.queue, .actual = {b.buffer, 3}};
    const unsigned long before = layer_commands();
    REFUSES(&r.told, ALIAS, "out[0] overlaps in[0]", clf_sort(plan, on, 9, in, in));
    REFUSES(&r.told, ALIAS, "out[1] overlaps in[1]", clf_sort(plan, on, 9, in, partly));
    REFUSES(&r.told, ALIAS, "in[1] overlaps in[0]", clf_sort(plan, on, 9, twice, out));
    REFUSES(&r.told, BUFFER, "in[1].buffer is read-only", clf_sort(plan, on, 9, read, out));
    REFUSES(&r.told, ALIAS, "call->actual overlaps in[1]", clf_sort(plan, &given, 9, in, out));
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(clf_sort(plan, on, 9, in, out));
    assert_ok(clFinish(r.queue));
    clReleaseMemObject(read_only.buffer);
    refused_close(&r);
}

static void refuse_plan(clf_status status, const clf_error *error, const clf_plan *plan)
{
    assert_status(status, CLF_E_ARGUMENT);
    ck_assert_msg(strstr(error->message, "there is a map"), "%s", error->message);
    ck_assert_ptr_null(plan);
}

TEST(refused_maps)
{
    const clf_operator *const mapped = ref_sort_of(REF_SORT_ORDER)->clf;
    const clf_segmentation lengths = {.size = sizeof lengths, .by = CLF_BY_LENGTHS, .type = CLF_UINT};
    const unsigned flags = CLF_OVERWRITE_INPUT;
    clf_context *const context = rig_context(NULL);
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    refuse_plan(clf_sort_plan(context, mapped, flags, NULL, &plan, &error), &error, plan);
    refuse_plan(clf_segmented_sort_plan(context, mapped, flags, NULL, &plan, &error), &error, plan);
    refuse_plan(clf_irregular_sort_plan(context, mapped, &lengths, flags, NULL, &plan, &error), &error, plan);
    assert_status(clf_sort_plan(context, NULL, flags, NULL, &plan, &error), CLF_E_ARGUMENT);
    assert_status(clf_top_k_plan(context, ref_sort_of(CLF_INT)->clf, flags, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_ptr_null(plan);
}

RIG_PART(add_sort_overwriting_tests, {every_number_of_passes, 3 * ROUTES}, {sizes_on_the_device, ROUTES},
         {scratch_is_what_is_left, 8}, {refused_arrays, 1}, {refused_maps, 1})

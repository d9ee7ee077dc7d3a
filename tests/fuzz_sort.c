/* SPDX-License-Identifier: MIT */
/* Sorts, by keys and by comparison, and top-k for the fuzzer: the operator's knob tells which, and in which order. */
#include "fuzz.h"

#include "cases.h"

#include <string.h>

static const ref_sort *sort_of(const fuzz_case *c)
{
    return ref_sort_of((int)(c->knob[FUZZ_OPERATOR] % REF_SORT_COUNT));
}

fuzz_operand sort_operand(const fuzz_case *c)
{
    return (fuzz_operand){sort_of(c)->name, false};
}

static unsigned flags_of(const fuzz_case *c)
{
    const uint64_t turn = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT;
    return sort_flags((unsigned)turn) | (c->knob[FUZZ_FLAG] ? CLF_FROM_DEVICE : 0);
}

/*
 * PoCL 3.1 crashes while it compiles some kernels of tuples. For groups of less than 8 it takes minutes: there each
 * work-item has 32 digits and more.
 */
bool fuzz_sort_ends_the_process(const fuzz_case *c)
{
    const unsigned *items = fuzz_parameter(c, FUZZ_ITEMS), *group = fuzz_parameter(c, FUZZ_GROUP);
    return (group && *group < 8) || (items && *items >= 16 && strcmp(fuzz_primitive_name(c), "sort") != 0) ||
           (sort_of(c)->value.count > 4 && ((group && *group < 64) || (items && *items >= 16)));
}

bool run_sort(const fuzz_case *c)
{
    static kept last;
    const clf_segmentation *const how = fuzz_how_of(c);
    const bool in_rows = strcmp(fuzz_primitive_name(c), "segmented_sort") == 0;
    const size_t n = (size_t)c->knob[FUZZ_N], size = (size_t)c->knob[FUZZ_SIZE];
    const size_t rows = in_rows && size ? n / size : 0;
    const int which = (int)(c->knob[FUZZ_OPERATOR] % REF_SORT_COUNT);
    const bool overwrites = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT & 4;
    const sort_key key = {sort_of(c), flags_of(c) | sort_overwriting(which, overwrites), fuzz_route_of(c),
                          .kind = in_rows ? SORT_ROWS : how ? SORT_SEGMENTS : SORT_WHOLE,
                          .by = how ? how->by : CLF_BY_OFFSETS, .type = how ? how->type : CLF_UINT};
    if (needs_plan(&last, c))
        last.plan = sort_plan(&key);
    const sort_case test = {
        .key = key, .n = in_rows ? rows * size : n, .rows = rows,
        .lengths = (irregular_shape)(c->knob[FUZZ_SHAPE] % SHAPE_COUNT), .scale = fuzz_scale_of(c),
        .pattern = (sort_pattern)(c->knob[FUZZ_SHAPE] % SORT_PATTERNS),
        .bytes = (unsigned)(c->knob[FUZZ_DATA] % 256),
        .place = c->knob[FUZZ_IN_PLACE] ? (guarded_place)(1 + c->knob[FUZZ_DATA] % (PLACES - 1)) : PLACE_APART,
        .under = fuzz_under(c, (key.flags & CLF_FROM_DEVICE) != 0,
                            in_rows ? (size_t)(c->knob[FUZZ_DATA] % (rows + 2)) : size), .suite = "fuzz"};
    if (last.plan)
        sort_case_run(last.plan, test);
    return last.plan;
}

/* The knob HOW says whether the size is on the device, and inputs are overwritten. */
bool run_compare(const fuzz_case *c)
{
    static kept last;
    const compare_key key = {
        .kind = strcmp(fuzz_primitive_name(c), "merge_sort") == 0 ? MERGE_SORT : IS_SORTED, .order = fuzz_order_of(c),
        .route = fuzz_route_of(c), .from_device = c->knob[FUZZ_HOW] % 2, .overwrites = c->knob[FUZZ_HOW] / 2 % 2};
    if (needs_plan(&last, c))
        last.plan = compare_plan(&key);
    if (last.plan)
        compare_case_run(last.plan, (compare_case){
            .key = key, .n = (size_t)c->knob[FUZZ_N],
            .pattern = (compare_pattern)(c->knob[FUZZ_SHAPE] % COMPARE_PATTERNS),
            .place = c->knob[FUZZ_IN_PLACE] ? (guarded_place)(1 + c->knob[FUZZ_DATA] % (PLACES - 1))
                                            : PLACE_APART,
            .under = fuzz_under(c, false, (size_t)c->knob[FUZZ_SIZE])});
    return last.plan;
}

bool run_top_k(const fuzz_case *c)
{
    static kept last;
    const unsigned unsorted = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT & 4 ? CLF_UNSORTED : 0;
    const sort_key key = {sort_of(c), flags_of(c) | unsorted, fuzz_route_of(c), .kind = SORT_WHOLE};
    const bool rows = strcmp(fuzz_primitive_name(c), "segmented_top_k") == 0;
    const size_t n = (size_t)c->knob[FUZZ_N], size = (size_t)c->knob[FUZZ_SIZE] % (n + 1) + 1;
    if (needs_plan(&last, c))
        last.plan = top_k_plan(&key);
    const sort_case data = {
        .key = key, .n = rows ? n / size * size : n,
        .pattern = (sort_pattern)(c->knob[FUZZ_SHAPE] % SORT_PATTERNS), .bytes = (unsigned)(c->knob[FUZZ_DATA] % 256),
        .under = fuzz_under(c, (key.flags & CLF_FROM_DEVICE) != 0,
                            rows ? (size_t)c->knob[FUZZ_ROOM] % (n / size + 2) : (size_t)c->knob[FUZZ_SIZE]),
        .suite = "fuzz"};
    const size_t most = rows ? size : n, k = (size_t)c->knob[FUZZ_ROOM] % (most + 2);
    if (last.plan)
        top_k_case_run(last.plan, (top_k_case){.sort = data, .rows = rows, .size = size,
                                                .k = c->knob[FUZZ_DATA] % 2 ? k : k % 40});
    return last.plan;
}

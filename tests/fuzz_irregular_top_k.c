/* SPDX-License-Identifier: MIT */
/* How a fuzzer runs a top-k of segments of any lengths. */
#include "fuzz.h"
#include "irregular_top_k_case.h"

fuzz_operand irregular_top_k_operand(const fuzz_case *c)
{
    const ref_sort *const sort = ref_sort_of((int)(c->knob[FUZZ_OPERATOR] % REF_SORT_COUNT));
    return (fuzz_operand){sort->name, sort->value.count > 4};
}

bool run_irregular_top_k(const fuzz_case *c)
{
    static kept last;
    const uint64_t turn = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT;
    const clf_segmentation *const how = &told_ways[turn / 8 % TOLD_WAYS];
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    const unsigned flags = sort_flags((unsigned)turn) | (turn & 4 ? CLF_UNSORTED : 0) |
                           (from_device ? CLF_FROM_DEVICE : 0);
    const sort_key key = {ref_sort_of((int)(c->knob[FUZZ_OPERATOR] % REF_SORT_COUNT)), flags, fuzz_route_of(c),
                          .kind = SORT_SEGMENTS, .by = how->by, .type = how->type};
    const size_t n = (size_t)c->knob[FUZZ_N], k = (size_t)c->knob[FUZZ_ROOM] % (n + 2);
    if (needs_plan(&last, c))
        last.plan = irregular_top_k_plan(&key);
    const sort_case data = {
        .key = key, .n = n, .lengths = (irregular_shape)(c->knob[FUZZ_SHAPE] % SHAPE_COUNT), .scale = fuzz_scale_of(c),
        .pattern = (sort_pattern)(c->knob[FUZZ_SHAPE] % SORT_PATTERNS), .bytes = (unsigned)(c->knob[FUZZ_DATA] % 256),
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_SIZE]), .suite = "fuzz"};
    const irregular_top_k_case test = {.sort = data, .k = c->knob[FUZZ_DATA] % 2 ? k : k % 40,
                                       .unasked = c->knob[FUZZ_INITIAL] != 0};
    if (last.plan)
        irregular_top_k_case_run(last.plan, test);
    return last.plan;
}

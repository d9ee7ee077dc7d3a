/* SPDX-License-Identifier: MIT */
/* Sorts and top-k for the fuzzer: the operator's knob tells which, and in which order. */
#include "fuzz.h"

#include "top_k_case.h"

#include <string.h>

const ref_sort *fuzz_sort_of(const fuzz_case *c)
{
    return ref_sort_of((int)(c->knob[FUZZ_OPERATOR] % REF_SORT_COUNT));
}

static unsigned flags_of(const fuzz_case *c)
{
    const uint64_t turn = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT;
    return (turn & 1 ? CLF_DESCENDING : 0) | (turn & 2 ? CLF_TOTAL_ORDER : 0) |
           (c->knob[FUZZ_FLAG] ? CLF_FROM_DEVICE : 0);
}

/* PoCL 3.1 crashes on look-back in small groups and on some kernels of tuples; large groups it gets wrong. */
bool fuzz_sort_ends_the_process(const fuzz_case *c)
{
    const unsigned *items = fuzz_parameter(c, FUZZ_ITEMS), *group = fuzz_parameter(c, FUZZ_GROUP);
    return (group && (*group < 32 || *group > 128)) ||
           (fuzz_sort_of(c)->value.count > 4 && ((group && *group < 64) || (items && *items >= 16)));
}

bool run_sort(const fuzz_case *c)
{
    static kept last;
    const sort_key key = {fuzz_sort_of(c), flags_of(c), fuzz_disabled_of(c), fuzz_variant(c), fuzz_parameters_of(c)};
    if (needs_plan(&last, c))
        last.plan = sort_plan(&key);
    const sort_case test = {
        .key = key, .n = (size_t)c->knob[FUZZ_N], .pattern = (sort_pattern)(c->knob[FUZZ_SHAPE] % SORT_PATTERNS),
        .bytes = (unsigned)(c->knob[FUZZ_DATA] % 256), .offset = (size_t)c->knob[FUZZ_OFFSET],
        .place = c->knob[FUZZ_IN_PLACE] ? (sort_place)(1 + c->knob[FUZZ_DATA] % (SORT_PLACES - 1)) : SORT_APART,
        .tight = c->knob[FUZZ_OFFSET2] == 1, .given = (key.flags & CLF_FROM_DEVICE) != 0,
        .actual = (size_t)c->knob[FUZZ_SIZE], .unordered = c->knob[FUZZ_UNORDERED] != 0,
        .gated = c->knob[FUZZ_GATED] != 0, .scratch = (sort_scratch)(c->knob[FUZZ_SCRATCH] % 3),
        .seed = c->knob[FUZZ_DATA], .number = -1, .suite = "fuzz"};
    if (last.plan)
        sort_case_run(last.plan, &test);
    return last.plan != NULL;
}

bool run_top_k(const fuzz_case *c)
{
    static kept last;
    const unsigned unsorted = c->knob[FUZZ_OPERATOR] / REF_SORT_COUNT & 4 ? CLF_UNSORTED : 0;
    const sort_key key = {fuzz_sort_of(c), flags_of(c) | unsorted, fuzz_disabled_of(c), fuzz_variant(c),
                          fuzz_parameters_of(c)};
    const bool rows = strcmp(fuzz_primitive_name(c), "segmented_top_k") == 0;
    const size_t n = (size_t)c->knob[FUZZ_N], size = (size_t)c->knob[FUZZ_SIZE] % (n + 1) + 1;
    if (needs_plan(&last, c))
        last.plan = top_k_plan(&key);
    const sort_case data = {
        .key = key, .n = rows ? n / size * size : n,
        .pattern = (sort_pattern)(c->knob[FUZZ_SHAPE] % SORT_PATTERNS), .bytes = (unsigned)(c->knob[FUZZ_DATA] % 256),
        .offset = (size_t)c->knob[FUZZ_OFFSET], .tight = c->knob[FUZZ_OFFSET2] == 1,
        .given = (key.flags & CLF_FROM_DEVICE) != 0,
        .actual = rows ? (size_t)c->knob[FUZZ_ROOM] % (n / size + 2) : (size_t)c->knob[FUZZ_SIZE],
        .unordered = c->knob[FUZZ_UNORDERED] != 0, .gated = c->knob[FUZZ_GATED] != 0,
        .scratch = (sort_scratch)(c->knob[FUZZ_SCRATCH] % 3), .seed = c->knob[FUZZ_DATA], .number = -1,
        .suite = "fuzz"};
    const size_t most = rows ? size : n, k = (size_t)c->knob[FUZZ_ROOM] % (most + 2);
    if (last.plan)
        top_k_case_run(last.plan, &(top_k_case){.sort = data, .rows = rows, .size = size,
                                                .k = c->knob[FUZZ_DATA] % 2 ? k : k % 40});
    return last.plan != NULL;
}

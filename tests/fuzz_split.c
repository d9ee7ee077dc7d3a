/* SPDX-License-Identifier: MIT */
/* Splits for the fuzzer: the operator's knob tells which, and the number of parts. */
#include "fuzz.h"

#include "split_case.h"

#include <string.h>

const ref_split *fuzz_split_of(const fuzz_case *c)
{
    return ref_split_of((int)(c->knob[FUZZ_OPERATOR] % REF_SPLIT_COUNT));
}

static unsigned parts_of(const fuzz_case *c)
{
    static const unsigned parts[] = {256, 1, 2, 3, 10, 16, 17, 100, 255};
    return parts[c->knob[FUZZ_OPERATOR] / REF_SPLIT_COUNT % COUNT(parts)];
}

bool run_split(const fuzz_case *c)
{
    static clf_plan *plan;
    static fuzz_case made; /* what `plan` was made from */
    const split_key key = {fuzz_split_of(c), parts_of(c), fuzz_disabled_of(c), fuzz_variant(c),
                           fuzz_parameters_of(c)};
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    if (!plan || memcmp(made.knob, c->knob, sizeof made.knob[0] * FUZZ_CALL) != 0) {
        if (plan)
            clf_plan_release(plan);
        made = *c;
        plan = NULL; /* should the next line fail */
        plan = split_plan(&key, from_device);
    }
    const split_case test = {
        .key = key, .n = (size_t)c->knob[FUZZ_N], .period = (size_t)c->knob[FUZZ_SIZE],
        .pattern = (split_pattern)(c->knob[FUZZ_SHAPE] % SPLIT_PATTERNS), .offset = (size_t)c->knob[FUZZ_OFFSET],
        .tight = c->knob[FUZZ_OFFSET2] == 1, .uncounted = c->knob[FUZZ_ROOM] == 1, .given = from_device,
        .actual = (size_t)c->knob[FUZZ_SIZE], .unordered = c->knob[FUZZ_UNORDERED] != 0,
        .gated = c->knob[FUZZ_GATED] != 0, .own_scratch = c->knob[FUZZ_SCRATCH] != 0, .seed = c->knob[FUZZ_DATA],
        .number = -1};
    if (plan)
        split_case_run(plan, &test);
    return plan != NULL;
}

/* SPDX-License-Identifier: MIT */
/* How a fuzzer runs expansions. */
#include "expand_case.h"
#include "fuzz.h"

static const ref_expand *operator_of(const fuzz_case *c)
{
    return ref_expand_of((int)(c->knob[FUZZ_OPERATOR] % REF_EXPAND_COUNT));
}

fuzz_operand expand_operand(const fuzz_case *c)
{
    return (fuzz_operand){operator_of(c)->name, operator_of(c)->fields > 1};
}

/* Room for all results, for fewer, or for more. */
static size_t room_of(const fuzz_case *c)
{
    const size_t n = (size_t)c->knob[FUZZ_N];
    return c->knob[FUZZ_ROOM] == 1 ? n / 2 : c->knob[FUZZ_ROOM] == 2 ? 0 : n + 13 * (size_t)c->knob[FUZZ_ROOM];
}

bool run_expand(const fuzz_case *c)
{
    static kept last;
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    const expand_key key = {operator_of(c), &expand_ways[c->knob[FUZZ_OPERATOR] / REF_EXPAND_COUNT % EXPAND_WAYS],
                            fuzz_route_of(c)};
    if (needs_plan(&last, c))
        last.plan = expand_plan(&key, from_device);
    if (!last.plan)
        return false;
    gen random = gen_seed(c->knob[FUZZ_DATA], 7);
    irregular segments = irregular_make(&random, (irregular_shape)(c->knob[FUZZ_SHAPE] % SHAPE_COUNT),
                                        (size_t)c->knob[FUZZ_N], fuzz_scale_of(c));
    const expand_case test = {
        .key = key, .segments = &segments, .room = room_of(c), .uncounted = c->knob[FUZZ_INITIAL] != 0,
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_DATA] % (segments.count + 2))};
    expand_case_run(last.plan, test);
    irregular_free(&segments);
    return true;
}

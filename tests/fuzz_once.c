/* SPDX-License-Identifier: MIT */
/* How a fuzzer runs one-call functions. Their plans are those of contexts, which the harness keeps. */
#include "fuzz.h"

#include "once_case.h"

static once_key key_of(const fuzz_case *c)
{
    once_key key;
    gen random = gen_seed(c->knob[FUZZ_OPERATOR] / ONCE_FUNCTIONS, c->knob[FUZZ_OPERATOR]);
    once_draw_key(&random, (once_function)(c->knob[FUZZ_OPERATOR] % ONCE_FUNCTIONS), &key);
    key.given = key.given && c->knob[FUZZ_FLAG];
    key.disable = fuzz_disabled_of(c);
    return key;
}

fuzz_operand once_operand(const fuzz_case *c)
{
    return (fuzz_operand){once_name(key_of(c).function), false};
}

bool run_once(const fuzz_case *c)
{
    const once_case test = {
        .key = key_of(c), .n = (size_t)c->knob[FUZZ_N], .size = (size_t)c->knob[FUZZ_SIZE],
        .k = (size_t)c->knob[FUZZ_DATA] % 50,
        .shape = (irregular_shape)(c->knob[FUZZ_SHAPE] % SHAPE_COUNT), .wild = (unsigned)(c->knob[FUZZ_DATA] % 101),
        .places = c->knob[FUZZ_IN_PLACE] ? (guarded_place)(1 + c->knob[FUZZ_DATA] % (PLACES - 1)) : PLACE_APART,
        .under = fuzz_under(c, false, (size_t)c->knob[FUZZ_DATA] % (c->knob[FUZZ_N] + 3))};
    return once_case_run(test);
}

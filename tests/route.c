/* SPDX-License-Identifier: MIT */
/* Routes: plans, failures, random cases. */
#include "route.h"

#include <stdarg.h>
#include <stdio.h>

static const char *or(const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

void route_begin(route_plan *p, const route *r, const char *primitive)
{
    *p = (route_plan){.primitive = primitive, .parameters = r->parameters, .variant = r->variant,
                      .context = rig_context(r->disable), .error = {.size = sizeof p->error}};
    p->options = (clf_plan_options){.size = sizeof p->options, .variant = r->variant,
                                    .parameters = rig_taken(primitive, r->variant, r->parameters, p->taken)};
}

clf_plan *route_end(const route_plan *p, clf_status status, const char *of)
{
    if (rig_lacks(status, p->parameters, &p->error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s of %s, %s, %s: %d %s\n%s", p->primitive, of,
                  or(p->variant, "default"), or(p->parameters, ""), status, p->error.message, p->error.log);
    return p->plan;
}

void route_fail(const route *r, const char *suite, long number, const char *what, const char *format, ...)
{
    char call[1024], one[64] = "";
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(call, sizeof call, format, arguments);
    va_end(arguments);
    if (number >= 0)
        snprintf(one, sizeof one, " --case %ld", number);
    ck_abort_msg("%s\n    %s\n    variant %s, parameters %s, disabled %s\n"
                 "    replay: clfold-tests --suite %s --seed %llu%s",
                 what, call, or(r->variant, "default"), or(r->parameters, "default"), or(r->disable, "nothing"), suite,
                 (unsigned long long)the_rig()->seed, one);
}

void route_run_random(clf_plan *const *plans, size_t count, uint64_t seed, long usual, route_random *run)
{
    const long only = rig_number("CLFOLD_TEST_CASE", -1), all = rig_number("CLFOLD_TEST_CASES", usual);
    for (long number = only < 0 ? 0 : only; number < (only < 0 ? all : only + 1); number++) {
        gen own = gen_seed(the_rig()->seed, seed + (uint64_t)number);
        const size_t which = (size_t)gen_below(&own, count);
        if (plans[which])
            run(which, plans[which], &own, number);
    }
    for (size_t i = 0; i < count; i++)
        if (plans[i])
            clf_plan_release(plans[i]);
}

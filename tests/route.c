/* SPDX-License-Identifier: MIT */
/* Routes: plans, failures, random cases. */
#include "route.h"

#include <stdarg.h>
#include <stdio.h>

static const char * or (const char *text, const char *otherwise)
{
    return text ? text : otherwise;
}

/* ---- Variants ---------------------------------------------------------------------------------------------------- */

way way_to(const char *primitive, size_t variant)
{
    const clf_variant *const v = variant_number(primitive, variant);
    return (way){variant_is_for_cpus(v) ? NULL : "cpu", v->name};
}

bool way_is_here(const way *w)
{
    const clf_facts *const facts = &rig_context(NULL)->facts;
    return w->disable || !w->variant || !facts->is_rusticl || facts->type & CL_DEVICE_TYPE_CPU;
}

/* ---- Plans ------------------------------------------------------------------------------------------------------- */

clf_plan *route_plan(const route *r, const char *primitive, const plan_parts *parts, const char *of)
{
    char taken[RIG_PARAMETERS];
    const clf_plan_options options = {.size = sizeof options, .variant = r->variant,
                                      .parameters = rig_taken(primitive, r->variant, r->parameters, taken),
                                      .wanted = parts->wanted};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = primitive_plan(primitive, rig_context(r->disable), parts, &options, &plan, &error);
    if (rig_lacks(status, r->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s of %s, %s, %s: %d %s\n%s", primitive, of,
                  or (r->variant, "default"), or (r->parameters, ""), status, error.message, error.log);
    return plan;
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
    ck_abort_msg(
        "%s\n    %s\n    variant %s, parameters %s, disabled %s\n"
        "    replay: clfold-tests --suite %s --seed %llu%s",
        what, call, or (r->variant, "default"), or (r->parameters, "default"), or (r->disable, "nothing"), suite,
        (unsigned long long)the_rig()->seed, one);
}

void route_run_sizes(clf_plan *plan, const void *key, const route_sizes *how, route_size *run)
{
    if (!plan)
        return;
    const size_t tile = plan_tile(plan) < how->most ? plan_tile(plan) : how->most;
    const size_t sizes[] = {0, 1, 2, 3, 7, 8, 9, 17, 31, 32, 33, 257, 1009, tile / 2, tile - 1, tile, tile + 1,
                            2 * tile - 1, 2 * tile, 2 * tile + 1, 3 * tile, 4 * tile + 1, 5 * tile + 7, 8 * tile,
                            9 * tile + 1, how->farthest * tile + 3};
    for (unsigned i = 0; i < COUNT(sizes); ++i)
        run(plan, key, sizes[i], tile, how->step * i, NULL);
    for (unsigned turn = 0; turn < how->turns; ++turn)
        run(plan, key, how->tiles * tile + turn, tile, turn, NULL);
    clf_plan_release(plan);
}

void route_run_given(clf_plan *plan, const void *key, size_t most, route_size *run)
{
    if (!plan)
        return;
    const size_t tile = plan_tile(plan) < most ? plan_tile(plan) : most, n = 3 * tile + 5;
    const size_t actual[] = {0, 1, tile, tile + 1, n - 1, n, n + 100};
    for (unsigned i = 0; i < COUNT(actual); ++i)
        run(plan, key, n, tile, i, &actual[i]);
    clf_plan_release(plan);
}

void route_run_random(size_t count, uint64_t seed, long usual, route_draw *draw, route_random *run)
{
    clf_plan *plans[ROUTE_MOST_PLANS];
    gen random = gen_seed(the_rig()->seed, seed - 1);
    for (size_t i = 0; i < count; ++i)
        plans[i] = draw(i, &random);
    for (long number = -1; rig_next_case(usual, &number);) {
        gen own = gen_seed(the_rig()->seed, seed + (uint64_t)number);
        const size_t which = (size_t)gen_below(&own, count);
        if (plans[which])
            run(which, plans[which], &own, number);
    }
    for (size_t i = 0; i < count; ++i)
        clf_plan_release(plans[i]);
}

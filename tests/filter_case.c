/* SPDX-License-Identifier: MIT */
/* One filter, checked. */
#include "cases.h"

#include <string.h>

clf_plan *filter_plan(const filter_key *key, bool from_device)
{
    const unsigned flags = (from_device ? CLF_FROM_DEVICE : 0) | (key->in_place ? CLF_IN_PLACE : 0);
    return route_plan(&key->route, ref_filter_primitive(key->filter),
                      &(plan_parts){.op = key->filter->clf, .flags = flags}, key->filter->name);
}

static void fail_case(const filter_case *c, const char *what)
{
    route_fail(&c->key.route, "filter", c->under.number, what,
               "%s of %s\n    n %zu, room %zu, pattern %d, %u %%, in place %d\n    %s",
               ref_filter_primitive(c->key.filter), c->key.filter->name, c->n, c->room, (int)c->pattern, c->percent,
               c->in_place, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static bool wanted(const filter_case *c, gen *random, size_t i, bool before)
{
    switch (c->pattern) {
    case FILTER_RANDOM: return gen_chance(random, c->percent);
    case FILTER_RUNS: return gen_chance(random, 1) ? gen_chance(random, c->percent) : before;
    case FILTER_SPARSE: return i % 512 == 77;
    default: return i >= c->n - c->n / 8;
    }
}

static void generate(const filter_case *c, void *const *in)
{
    const ref_filter *filter = c->key.filter;
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    cl_ulong run = 0;
    bool now = false;
    for (size_t i = 0; i < c->n; ++i) {
        now = wanted(c, &random, i, now);
        run += now;
        filter->generate(&random, now, run, &x);
        ref_scatter(&filter->input, in, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

/* The outputs part by part, as the call has them. */
static void open_arrays(const filter_case *c, guarded_call *g)
{
    const ref_filter *filter = c->key.filter;
    const size_t room = c->room < c->n ? c->room : c->n;
    const uint64_t seed = c->under.seed + 100;
    guarded_add_fields(&g->in, "input", &filter->input, seed, c->n, c->under.offset, false);
    for (size_t part = 0, k = 20; part < filter->parts; ++part, k += filter->value.count)
        guarded_add_fields(&g->out, "output", &filter->value, seed + k, room, c->under.offset + k, false);
    guarded_add(&g->out, "counts", guarded_open(seed + 80, 8, filter->parts, c->under.offset + 80, false));
    guarded_add_size(&g->in, seed + 81, c->under.actual, c->under.offset + 81, false);
    generate(c, g->in.data);
    guarded_choose_places(g, c->in_place ? PLACE_SWAPPED : PLACE_APART, c->under.seed,
                          filter->input.count - (filter->clf->captured ? 1 : 0), 0,
                          filter->parts * filter->value.count);
}

static void expect(const filter_case *c, guarded_call *g)
{
    const ref_filter *filter = c->key.filter;
    cl_ulong counts[REF_MAX_PARTS];
    const size_t n = circumstances_size(&c->under, c->n);
    ref_filter_run(filter, n, c->room, (const void *const *)g->in.data, g->out.data, counts);
    memcpy(g->out.data[g->out.count - 1], counts, filter->parts * sizeof *counts);
    guarded_place_results(g, counts[0] < c->room ? (size_t)counts[0] : c->room);
}

typedef clf_status (*filter_call)(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                                  const clf_array *out, const clf_array *result_count);

static filter_call call_of(const ref_filter *filter)
{
    return filter->clf->same ? clf_unique : filter->parts > 1 ? clf_partition : clf_filter;
}

bool filter_case_run(clf_plan *plan, filter_case test)
{
    guarded_call g = guarded_under(&test.under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.n);
    const clf_status status = call_of(test.key.filter)(plan, &g.call, test.n, test.room, g.in.device, g.out.device,
                                                       &g.out.device[g.out.count - 1]);
    guarded_end(&g, status);
    if (status != CLF_E_UNSUPPORTED) {
        expect(&test, &g);
        if (!guarded_check(&g, false))
            fail_case(&test, g.what);
        if (test.header)
            guarded_header(&g, 0, test.header);
    }
    guarded_close(&g);
    return status == CLF_SUCCESS;
}

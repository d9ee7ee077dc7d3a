/* SPDX-License-Identifier: MIT */
/* One split, checked. */
#include "cases.h"
#include "guarded.h"

#include <string.h>

clf_plan *split_plan(const split_key *key, bool from_device)
{
    const plan_parts parts = {.op = key->split->clf, .flags = from_device ? CLF_FROM_DEVICE : 0, .parts = key->parts};
    return route_plan(&key->route, "split", &parts, key->split->name);
}

static void fail_case(const split_case *c, const char *what)
{
    route_fail(&c->key.route, "split", c->under.number, what,
               "split of %s in %u parts\n    n %zu, pattern %d, period %zu\n    %s", c->key.split->name, c->key.parts,
               c->n, (int)c->pattern, c->period, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static unsigned digit_of(const split_case *c, gen *random, size_t i)
{
    const unsigned parts = c->key.parts, most = c->key.split->most;
    switch (c->pattern) {
    case SPLIT_RANDOM: return (unsigned)gen_below(random, parts);
    case SPLIT_BEYOND: return (unsigned)gen_below(random, 2 * parts <= most ? 2 * parts : most + 1);
    case SPLIT_ONE: return (unsigned)(c->under.seed % parts);
    case SPLIT_DESCENDING: return parts - 1 - (unsigned)(i * parts / c->n);
    default: return (unsigned)(i / (c->period ? c->period : 1) * 7 % parts);
    }
}

static void generate(const split_case *c, void *const *in)
{
    const ref_split *split = c->key.split;
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    for (size_t i = 0; i < c->n; ++i) {
        split->generate(&random, digit_of(c, &random, i), &x);
        ref_scatter(&split->input, in, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

static void open_arrays(const split_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const ref_split *split = c->key.split;
    const uint64_t seed = u->seed + 100;
    guarded_add_fields(&g->in, "input", &split->input, seed, c->n, u->offset, u->tight);
    guarded_add_fields(&g->out, "output", &split->value, seed + 20, c->n, u->offset + 20, u->tight);
    guarded_add(&g->out, "counts", guarded_open(seed + 80, 8, c->key.parts, u->offset + 80, u->tight));
    guarded_add_size(&g->in, seed + 81, u->actual, u->offset + 81, u->tight);
    generate(c, g->in.data);
}

static void expect(const split_case *c, guarded_call *g)
{
    cl_ulong counts[REF_MOST_PARTS];
    const size_t n = circumstances_size(&c->under, c->n);
    ref_split_run(c->key.split, c->key.parts, n, (const void *const *)g->in.data, g->out.data, counts);
    if (!c->uncounted)
        memcpy(g->out.data[g->out.count - 1], counts, c->key.parts * sizeof *counts);
}

void split_case_run(clf_plan *plan, split_case test)
{
    guarded_call g = guarded_under(&test.under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.n);
    const clf_status status = clf_split(plan, &g.call, test.n, g.in.device, g.out.device,
                                        test.uncounted ? NULL : &g.out.device[g.out.count - 1]);
    guarded_end(&g, status);
    expect(&test, &g);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
}

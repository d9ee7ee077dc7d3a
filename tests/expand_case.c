/* SPDX-License-Identifier: MIT */
/* One expansion, checked. */
#include "expand_case.h"

#include <stdlib.h>
#include <string.h>

const clf_segmentation expand_ways[EXPAND_WAYS] = {{sizeof *expand_ways, CLF_BY_OFFSETS, CLF_UINT},
                                                   {sizeof *expand_ways, CLF_BY_OFFSETS, CLF_ULONG},
                                                   {sizeof *expand_ways, CLF_BY_LENGTHS, CLF_UINT},
                                                   {sizeof *expand_ways, CLF_BY_LENGTHS, CLF_ULONG}};

clf_plan *expand_plan(const expand_key *key, bool from_device)
{
    const plan_parts parts = {.op = key->op->clf, .flags = from_device ? CLF_FROM_DEVICE : 0, .how = key->how};
    return route_plan(&key->route, "expand", &parts, key->op->name);
}

static void fail_case(const expand_case *c, const char *what)
{
    route_fail(&c->key.route, "expand", c->under.number, what,
               "%s by %s of %zu bits\n    count %zu, n %zu, room %zu, uncounted %d\n    %s", c->key.op->name,
               c->key.how->by == CLF_BY_OFFSETS ? "offsets" : "lengths", 8 * clf_type_size(c->key.how->type),
               c->segments->count, c->segments->n, c->room, c->uncounted, circumstances_text(&c->under));
}

/* What the call reads are a captured array, segments, and the number of these. */
enum { CAPTURED, SEGMENTS };

static void open_arrays(const expand_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const uint64_t seed = u->seed + 100;
    gen random = gen_seed(the_rig()->seed, seed);
    guarded_add(&g->in, "captured", guarded_open(seed, 4, c->segments->count, u->offset, u->tight));
    guarded_add_segments(&g->in, c->segments, c->key.how, &random, seed + 1, u->offset + 1, u->tight);
    guarded_add_size(&g->in, seed + 2, u->actual, u->offset + 2, u->tight);
    for (size_t f = 0; f < c->key.op->fields; ++f)
        guarded_add(&g->out, "output",
                    guarded_open(seed + 20 + f, ref_expand_bytes(c->key.op, f), c->room,
                                 u->offset + (u->seed % 3 ? 16 : f), u->tight));
    guarded_add(&g->out, "count", guarded_open(seed + 60, 8, 1, u->offset + 60, u->tight));
    g->segments = c->segments->count;
}

static void expect(const expand_case *c, guarded_call *g)
{
    const size_t count = circumstances_size(&c->under, c->segments->count);
    const cl_ulong total = ref_expand_run(c->key.op, count, c->segments->lengths, c->room, g->in.data[CAPTURED],
                                          g->out.data);
    if (!c->uncounted)
        *(cl_ulong *)g->out.data[g->out.count - 1] = total;
}

void expand_case_run(clf_plan *plan, expand_case test)
{
    guarded_call g = guarded_under(&test.under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.room);
    g.call.in_count = test.key.op->captured;
    g.call.out_count = (cl_uint)test.key.op->fields;
    const clf_status status = clf_expand(plan, &g.call, test.segments->count, test.room, &g.in.device[SEGMENTS],
                                         g.in.device, g.out.device,
                                         test.uncounted ? NULL : &g.out.device[g.out.count - 1]);
    guarded_end(&g, status);
    expect(&test, &g);
    const bool right = guarded_check(&g, false);
    if (!right)
        fail_case(&test, g.what);
    guarded_close(&g);
}

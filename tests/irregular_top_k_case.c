/* SPDX-License-Identifier: MIT */
/* One top-k of segments of any lengths, checked. */
#include "irregular_top_k_case.h"

#include <stdlib.h>
#include <string.h>

const clf_segmentation told_ways[TOLD_WAYS] = {{sizeof *told_ways, CLF_BY_OFFSETS, CLF_UINT},
                                               {sizeof *told_ways, CLF_BY_OFFSETS, CLF_ULONG},
                                               {sizeof *told_ways, CLF_BY_LENGTHS, CLF_UINT},
                                               {sizeof *told_ways, CLF_BY_LENGTHS, CLF_ULONG}};

clf_plan *irregular_top_k_plan(const sort_key *key)
{
    const clf_segmentation how = {sizeof how, key->by, key->type};
    const plan_parts parts = {.op = key->sort->clf, .flags = key->flags, .how = &how};
    return route_plan(&key->route, "irregular_top_k", &parts, key->sort->name);
}

static void fail_case(const irregular_top_k_case *t, const char *what)
{
    const sort_case *const c = &t->sort;
    route_fail(&c->key.route, c->suite ? c->suite : "irregular_top_k", c->under.number, what,
               "top-k of %s, flags 0x%x, told by %d of type %d, lengths %d (scale %zu)\n"
               "    n %zu, k %zu, pattern %d (bytes 0x%x), unasked %d\n    %s",
               c->key.sort->name, c->key.flags, (int)c->key.by, (int)c->key.type, (int)c->lengths, c->scale, c->n, t->k,
               (int)c->pattern, c->bytes, t->unasked, circumstances_text(&c->under));
}

/* min(n, count * k) */
static size_t room_of(const irregular_top_k_case *t, const irregular *segments)
{
    const size_t n = t->sort.n, k = t->k < n ? t->k : n;
    return segments->count * k < n ? segments->count * k : n;
}

/* Inputs, a size, and what tells of segments; results, and where they are. */
static void open_arrays(const irregular_top_k_case *t, const irregular *segments, gen *random, guarded_call *g)
{
    const sort_case *const c = &t->sort;
    const circumstances *const u = &c->under;
    const clf_segmentation how = {sizeof how, c->key.by, c->key.type};
    const ref_sort *const sort = c->key.sort;
    guarded_add_fields(&g->in, "input", &sort->input, u->seed + 100, c->n, u->offset, u->tight);
    guarded_add_fields(&g->out, "output", &sort->value, u->seed + 200, room_of(t, segments), u->offset + 3, u->tight);
    guarded_add(&g->out, "offsets", guarded_open(u->seed + 260, 8, segments->count + 1, u->offset + 2, u->tight));
    guarded_add_size(&g->in, u->seed + 300, u->actual, u->offset, u->tight);
    guarded_add_segments(&g->in, segments, &how, random, u->seed + 301, u->offset + 1, u->tight);
    sort_case_generate(c, g->in.data);
    g->segments = segments->count;
}

/* Makes of all arrays what they should be; segments end with the elements that there are. */
static void expect(const irregular_top_k_case *t, irregular *segments, guarded_call *g)
{
    const sort_case *const c = &t->sort;
    size_t left = circumstances_size(&c->under, c->n);
    cl_ulong *const offsets = malloc((segments->count + 1) * sizeof *offsets);
    ck_assert(offsets);
    for (size_t i = 0; i < segments->count; left -= segments->lengths[i++])
        if (segments->lengths[i] > left)
            segments->lengths[i] = left;
    ref_irregular_top_k(c->key.sort, c->key.flags, segments->count, segments->lengths, t->k,
                        (const void *const *)g->in.data, g->out.data, offsets);
    if (!t->unasked)
        memcpy(g->out.data[g->out.count - 1], offsets, (segments->count + 1) * sizeof *offsets);
    free(offsets);
}

void irregular_top_k_case_run(clf_plan *plan, irregular_top_k_case test)
{
    const sort_case *const c = &test.sort;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 3);
    irregular segments = irregular_make(&random, c->lengths, c->n, c->scale);
    guarded_call g = guarded_under(&c->under);
    open_arrays(&test, &segments, &random, &g);
    guarded_begin(&g, plan, c->n);
    g.call.in_count = (cl_uint)c->key.sort->input.count;
    g.call.out_count = (cl_uint)c->key.sort->value.count;
    const clf_array *const offsets = test.unasked ? NULL : &g.out.device[g.out.count - 1];
    const clf_status status = clf_irregular_top_k(plan, &g.call, c->n, segments.count, test.k,
                                                  &g.in.device[g.in.count - 1], g.in.device, g.out.device, offsets);
    guarded_end(&g, status);
    expect(&test, &segments, &g);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
    irregular_free(&segments);
}

/* SPDX-License-Identifier: MIT */
/* One merge or one search for bounds, checked. */
#include "cases.h"
#include "guarded.h"

const char *merge_name(merge_kind kind)
{
    static const char *const names[MERGE_KINDS] = {"merge", "bounds", "sorted_bounds"};
    return names[kind];
}

clf_plan *merge_plan(const merge_key *key)
{
    const unsigned upper = key->upper && key->kind != MERGE ? CLF_UPPER : 0;
    const plan_parts parts = {.op = key->order->clf, .flags = upper | (key->from_device ? CLF_FROM_DEVICE : 0),
                              .type = key->wide ? CLF_ULONG : CLF_UINT};
    return route_plan(&key->route, merge_name(key->kind), &parts, key->order->name);
}

static void fail_case(const merge_case *c, const char *what)
{
    route_fail(&c->key.route, "merge", c->under.number, what,
               "%s of %s, upper %d, wide %d\n"
               "    %zu and %zu elements (given %d: %zu and %zu), pattern %d\n    %s",
               merge_name(c->key.kind), c->key.order->name, c->key.upper, c->key.wide, c->n_first, c->n_second,
               c->key.from_device, c->actual[0], c->actual[1], (int)c->pattern, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

/* The rank of the next element, which is not below `rank`. */
static cl_ulong next_rank(const merge_case *c, gen *random, int sequence, size_t i, cl_ulong rank)
{
    switch (c->pattern) {
    case MERGE_RANDOM: return rank + gen_below(random, 4);
    case MERGE_ALTERNATING: return 2 * i + (cl_ulong)sequence;
    case MERGE_EQUAL: return 7;
    case MERGE_BEFORE: return (sequence ? c->n_first : 0) + i;
    case MERGE_BEHIND: return (sequence ? 0 : c->n_second) + i;
    case MERGE_RUNS: return rank + gen_chance(random, 1);
    default: return i % 300 ? rank : rank + 1 + gen_below(random, 2);
    }
}

static void generate(const merge_case *c, int sequence, void *const *in)
{
    const ref_layout *layout = &c->key.order->value;
    const size_t n = sequence ? c->n_second : c->n_first;
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1 + (uint64_t)sequence);
    cl_ulong rank = 0;
    for (size_t i = 0; i < n; ++i) {
        rank = next_rank(c, &random, sequence, i, rank);
        const bool any = c->disorder || (sequence && c->key.kind == BOUNDS);
        const cl_ulong own = any ? gen_below(&random, 2 * (c->n_first + c->n_second)) : rank;
        c->key.order->make(own, 2 * i + (cl_ulong)sequence, &x);
        ref_scatter(layout, in, i, &x);
    }
}

void order_capture(const ref_order *order, const circumstances *u, guarded_list *list)
{
    guarded_add_fields(list, "captured", &order->captured, u->seed + 150, order->entries, u->offset + 1, u->tight);
    if (order->capture)
        order->capture(list->data + list->count - order->captured.count);
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

static void open_arrays(const merge_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const ref_layout *layout = &c->key.order->value;
    const bool merges = c->key.kind == MERGE;
    const ref_layout positions = {1, {{c->key.wide ? 8 : 4, 0}}};
    const size_t results = merges ? c->n_first + c->n_second : c->n_second, behind = layout->count;
    guarded_add_fields(&g->in, "input", layout, u->seed + 100, c->n_first, u->offset, u->tight);
    guarded_add_fields(&g->in, "input", layout, u->seed + 100 + behind, c->n_second, u->offset + behind, u->tight);
    order_capture(c->key.order, u, &g->in);
    guarded_add_fields(&g->out, "output", merges ? layout : &positions, u->seed + 200, results, u->offset + 3,
                       u->tight);
    guarded_add(&g->in, "sizes", guarded_open(u->seed + 300, sizeof(cl_ulong), 2, u->offset, u->tight));
    for (size_t k = 0; k < 2; ++k)
        ((cl_ulong *)g->in.data[g->in.count - 1])[k] = c->actual[k];
    generate(c, 0, g->in.data);
    generate(c, 1, g->in.data + layout->count);
}

/* How many elements of a sequence, which has n at most, there really are. */
static size_t really(const merge_case *c, int sequence, size_t n)
{
    return c->key.from_device && c->actual[sequence] < n ? c->actual[sequence] : n;
}

static void expect(const merge_case *c, guarded_call *g)
{
    const size_t n_first = really(c, 0, c->n_first), n_second = really(c, 1, c->n_second);
    const void *const *in = (const void *const *)g->in.data;
    if (c->key.kind == MERGE)
        ref_merge(c->key.order, n_first, n_second, in, g->out.data);
    for (size_t i = 0; c->key.kind != MERGE && i < n_second; ++i) {
        const cl_ulong position = ref_bound(c->key.order, c->key.upper, n_first, in, i);
        if (c->key.wide)
            ((cl_ulong *)g->out.data[0])[i] = position;
        else
            ((cl_uint *)g->out.data[0])[i] = (cl_uint)position;
    }
}

void merge_case_run(clf_plan *plan, merge_case test)
{
    guarded_call g = guarded_under(&test.under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.n_first + test.n_second);
    g.call.in_count = (cl_uint)g.in.count - 1; /* the sizes are none of them */
    g.call.out_count = (cl_uint)g.out.count;
    if (test.key.from_device)
        g.call.actual = g.in.device[g.in.count - 1];
    for (size_t k = 0; k < g.in.count; ++k)
        if (g.in.array[k].n == 0)
            g.in.device[k] = (clf_array){0}; /* nobody looks at it */
    const clf_status status = (test.key.kind == MERGE ? clf_merge : clf_bounds)(
        plan, &g.call, test.n_first, test.n_second, g.in.device, g.out.device);
    guarded_end(&g, status);
    if (!test.disorder)
        expect(&test, &g);
    if (!guarded_check(&g, test.disorder))
        fail_case(&test, g.what);
    guarded_close(&g);
}

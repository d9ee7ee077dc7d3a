/* SPDX-License-Identifier: MIT */
/* One sort by comparison, or one test whether elements are sorted, checked. */
#include "cases.h"

static const char *name_of(compare_kind kind)
{
    static const char *const names[COMPARE_KINDS] = {"merge_sort", "is_sorted"};
    return names[kind];
}

clf_plan *compare_plan(const compare_key *key)
{
    const unsigned flags = (key->from_device ? CLF_FROM_DEVICE : 0) |
                           (key->overwrites && key->kind == MERGE_SORT ? CLF_OVERWRITE_INPUT : 0);
    return route_plan(&key->route, name_of(key->kind), &(plan_parts){.op = key->order->clf, .flags = flags},
                      key->order->name);
}

static void fail_case(const compare_case *c, const char *what)
{
    route_fail(&c->key.route, "merge_sort", c->under.number, what,
               "%s of %s\n    n %zu (from the device %d; overwritten %d), pattern %d, place %d\n    %s",
               name_of(c->key.kind), c->key.order->name, c->n, c->key.from_device, c->key.overwrites, (int)c->pattern,
               (int)c->place, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static cl_ulong rank_of(const compare_case *c, gen *random, size_t i, size_t odd)
{
    switch (c->pattern) {
    case COMPARE_RANDOM: return gen_below(random, c->n < 200 ? 250 : c->n);
    case COMPARE_DOWN: return c->n - i;
    case COMPARE_EQUAL: return 7;
    case COMPARE_TWO: return 5 - i % 2;
    case COMPARE_FEW: return gen_below(random, 5);
    case COMPARE_TEETH: return i % 300;
    case COMPARE_STEPS: return i / 7;
    default: return i != odd ? i + 1 : 0;
    }
}

static void generate(const compare_case *c, void *const *in)
{
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    const size_t anywhere = c->n ? (size_t)gen_below(&random, c->n) : 0;
    const size_t odd = c->pattern == COMPARE_ONE ? anywhere : c->pattern == COMPARE_LAST ? c->n - 1 : c->n;
    for (size_t i = 0; i < c->n; ++i) {
        c->key.order->make(rank_of(c, &random, i, odd), i, &x);
        ref_scatter(&c->key.order->value, in, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

static void open_arrays(const compare_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const ref_layout *const layout = &c->key.order->value;
    guarded_add_fields(&g->in, "input", layout, u->seed + 100, c->n, u->offset, u->tight);
    if (c->key.kind == MERGE_SORT) {
        guarded_add_fields(&g->out, "output", layout, u->seed + 200, c->n, u->offset + 3, u->tight);
        guarded_choose_places(g, c->key.overwrites ? PLACE_APART : c->place, u->seed, layout->count, 0, layout->count);
        g->given_up = c->key.overwrites ? layout->count : 0;
    } else {
        guarded_add(&g->out, "count", guarded_open(u->seed + 200, sizeof(cl_ulong), 1, u->offset + 3, u->tight));
    }
    generate(c, g->in.data);
    order_capture(c->key.order, u, &g->in);
    guarded_add_size(&g->in, u->seed + 300, u->actual, u->offset, u->tight);
}

static void expect(const compare_case *c, guarded_call *g)
{
    const size_t n = c->key.from_device && c->under.actual < c->n ? c->under.actual : c->n;
    if (c->key.kind == MERGE_SORT)
        ref_merge_sort(c->key.order, n, (const void *const *)g->in.data, g->out.data);
    else
        *(cl_ulong *)g->out.data[0] = ref_sorted_until(c->key.order, n, (const void *const *)g->in.data);
    guarded_place_results(g, n);
}

void compare_case_run(clf_plan *plan, compare_case test)
{
    const size_t fields = test.key.order->value.count, captured = test.key.order->captured.count;
    guarded_call g = guarded_under(&test.under);
    g.given = test.key.from_device;
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.n);
    g.call.in_count = (cl_uint)(fields + captured);
    if (test.key.kind == MERGE_SORT)
        g.call.out_count = (cl_uint)fields;
    const clf_status status = (test.key.kind == MERGE_SORT ? clf_merge_sort : clf_is_sorted)(
        plan, &g.call, test.n, test.n ? g.in.device : NULL, g.out.device);
    guarded_end(&g, status);
    expect(&test, &g);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
}

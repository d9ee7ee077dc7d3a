/* SPDX-License-Identifier: MIT */
/* One top-k, checked. */
#include "cases.h"

clf_plan *top_k_plan(const sort_key *key)
{
    return route_plan(&key->route, "top_k", &(plan_parts){.op = key->sort->clf, .flags = key->flags}, key->sort->name);
}

static void fail_case(const top_k_case *t, const char *what)
{
    const sort_case *const c = &t->sort;
    route_fail(&c->key.route, c->suite ? c->suite : "top_k", c->under.number, what,
               "top-k of %s, flags 0x%x\n    n %zu (rows %d of %zu), k %zu, pattern %d (bytes 0x%x)\n    %s",
               c->key.sort->name, c->key.flags, c->n, t->rows, t->size, t->k, (int)c->pattern, c->bytes,
               circumstances_text(&c->under));
}

/* Elements of a row, and rows. */
static size_t size_of(const top_k_case *t) { return t->rows ? t->size : t->sort.n; }
static size_t count_of(const top_k_case *t) { return !t->rows ? 1 : t->size ? t->sort.n / t->size : 0; }
static size_t results_of(const top_k_case *t) { return t->k < size_of(t) ? t->k : size_of(t); }

static void open_arrays(const top_k_case *t, guarded_call *g)
{
    const sort_case *const c = &t->sort;
    const circumstances *const u = &c->under;
    const ref_sort *const sort = c->key.sort;
    const size_t results = count_of(t) * results_of(t);
    guarded_add_fields(&g->in, "input", &sort->input, u->seed + 100, c->n, u->offset, u->tight);
    guarded_add_fields(&g->out, "output", &sort->value, u->seed + 200, results, u->offset + 3, u->tight);
    guarded_add_size(&g->in, u->seed + 300, u->actual, u->offset, u->tight);
    sort_case_generate(c, g->in.data);
}

/* Makes of all arrays what they should be. */
static void expect(const top_k_case *t, guarded_call *g)
{
    const sort_case *const c = &t->sort;
    size_t count = count_of(t), size = size_of(t);
    if (c->under.given && t->rows)
        count = c->under.actual < count ? c->under.actual : count;
    else if (c->under.given)
        size = c->under.actual < size ? c->under.actual : size;
    ref_top_k(c->key.sort, c->key.flags, count, size, t->k, (const void *const *)g->in.data, g->out.data);
}

static clf_status enqueue(clf_plan *plan, const top_k_case *t, const guarded_call *g)
{
    if (t->rows)
        return clf_segmented_top_k(plan, &g->call, count_of(t), t->size, t->k, g->in.device, g->out.device);
    return clf_top_k(plan, &g->call, t->sort.n, t->k, g->in.device, g->out.device);
}

void top_k_case_run(clf_plan *plan, top_k_case test)
{
    const sort_case *const c = &test.sort;
    guarded_call g = guarded_under(&c->under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, c->n);
    g.call.in_count = (cl_uint)c->key.sort->input.count;
    g.call.out_count = (cl_uint)c->key.sort->value.count;
    const clf_status status = enqueue(plan, &test, &g);
    guarded_end(&g, status);
    expect(&test, &g);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
}

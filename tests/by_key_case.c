/* SPDX-License-Identifier: MIT */
/* One reduction by key, checked. */
#include "cases.h"
#include "finish.h"

clf_plan *by_key_plan(const by_key_key *key, bool from_device)
{
    const unsigned flags = (from_device ? CLF_FROM_DEVICE : 0) | (key->nontrivial ? CLF_NONTRIVIAL_RUNS : 0);
    const clf_operator *const op = key->finished ? finish_numbered(key->op->clf) : key->op->clf;
    const plan_parts parts = {.op = op, .flags = flags, .wanted = key->wanted};
    return route_plan(&key->route, "reduce_by_key", &parts, key->op->name);
}

static void fail_case(const by_key_case *c, const char *what)
{
    route_fail(&c->key.route, "reduce_by_key", c->under.number, what,
               "reduce_by_key of %s, finished %d, wanted 0x%x, without runs of one %d\n"
               "    n %zu, room %zu, pattern %d, %u %%\n    %s",
               c->key.op->name, c->key.finished, (unsigned)c->key.wanted, c->key.nontrivial, c->n, c->room,
               (int)c->pattern, c->percent, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static bool is_head(const by_key_case *c, gen *random, size_t i)
{
    switch (c->pattern) {
    case BY_KEY_RANDOM: return gen_chance(random, c->percent);
    case BY_KEY_ONE: return false;
    case BY_KEY_EACH: return true;
    case BY_KEY_LONG: return gen_below(random, 3 * c->tile + 1) == 0;
    case BY_KEY_STARTS: return i % c->tile == 0;
    case BY_KEY_TURNS: return (i + c->under.seed) % 3 != 1;
    default: return i % c->tile == c->tile - 1;
    }
}

static void generate(const by_key_case *c, void *const *in)
{
    const ref_by_key *op = c->key.op;
    ref_element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    cl_ulong run = 0;
    for (size_t i = 0; i < c->n; ++i) {
        run += is_head(c, &random, i);
        op->generate(&random, run, i, &x);
        ref_scatter(&op->input, in, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

static void open_arrays(const by_key_case *c, guarded_call *g)
{
    const ref_by_key *op = c->key.op;
    const size_t room = c->room < c->n ? c->room : c->n, values = op->value.count;
    const uint64_t seed = c->under.seed + 100;
    guarded_add_fields(&g->in, "input", &op->input, seed, c->n, c->under.offset, false);
    if (c->key.finished)
        guarded_add(&g->out, "number", guarded_open(seed + 19, 8, room, c->under.offset + 19, false));
    guarded_add_fields(&g->out, "output", &op->value, seed + 20, room, c->under.offset + 20, false);
    guarded_want(g, c->key.wanted, g->out.count);
    guarded_add_fields(&g->out, "output", &op->extra, seed + 20 + values, room, c->under.offset + 20 + values, false);
    guarded_add(&g->out, "count", guarded_open(seed + 40, 8, 1, c->under.offset + 40, false));
    guarded_add_size(&g->in, seed + 41, c->under.actual, c->under.offset + 41, false);
    generate(c, g->in.data);
}

static void expect(const by_key_case *c, guarded_call *g)
{
    const size_t n = circumstances_size(&c->under, c->n);
    const size_t runs = ref_by_key_run(c->key.op, c->key.nontrivial, n, c->room, (const void *const *)g->in.data,
                                       g->out.data + c->key.finished);
    *(cl_ulong *)g->out.data[g->out.count - 1] = runs;
    for (size_t i = 0; c->key.finished && i < runs && i < c->room; ++i)
        ((cl_ulong *)g->out.data[0])[i] = i;
}

bool by_key_case_run(clf_plan *plan, by_key_case test)
{
    guarded_call g = guarded_under(&test.under);
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.n);
    const clf_status status = clf_reduce_by_key(plan, &g.call, test.n, test.room, g.in.device, g.out.device,
                                                &g.out.device[g.out.count - 1]);
    guarded_end(&g, status);
    if (status != CLF_E_UNSUPPORTED) {
        expect(&test, &g);
        g.out.array[test.key.finished].real = test.key.op->real;
        if (!guarded_check(&g, false))
            fail_case(&test, g.what);
        if (test.header)
            guarded_header(&g, 0, test.header);
    }
    guarded_close(&g);
    return status == CLF_SUCCESS;
}

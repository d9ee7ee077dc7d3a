/* SPDX-License-Identifier: MIT */
/* One reduction by index, checked. */
#include "cases.h"
#include "finish.h"
#include "guarded.h"

#include <stdlib.h>
#include <string.h>

clf_plan *index_plan(const index_key *key)
{
    const clf_operator *const op = key->finished ? finish_numbered(key->index->clf) : key->index->clf;
    const plan_parts parts = {.op = op, .flags = key->flags, .wanted = key->wanted};
    return route_plan(&key->route, "reduce_by_index", &parts, key->index->name);
}

static void fail_case(const index_case *c, const char *what)
{
    route_fail(&c->key.route, "reduce_by_index", c->under.number, what,
               "reduce_by_index of %s, finished %d, wanted 0x%x, flags 0x%x\n"
               "    rows %zu (%d), size %zu, bins %zu, pattern %d\n    %s",
               c->key.index->name, c->key.finished, (unsigned)c->key.wanted, c->key.flags, c->count, c->rows, c->size,
               c->bins, (int)c->pattern, circumstances_text(&c->under));
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static int64_t beyond(const index_case *c, gen *random)
{
    const ref_index *const index = c->key.index;
    const int64_t behind = (int64_t)c->bins + (int64_t)gen_below(random, 100);
    if (index->least < 0 && (gen_chance(random, 50) || behind > index->most))
        return gen_chance(random, 50) ? -1 : index->least;
    return gen_chance(random, 20) || behind > index->most ? index->most : behind;
}

static int64_t bin_of(const index_case *c, gen *random, size_t i)
{
    const uint64_t bins = c->bins ? c->bins : 1, n = c->size ? c->size : 1;
    switch (c->pattern) {
    case INDEX_UNIFORM: return (int64_t)gen_below(random, bins);
    case INDEX_BEYOND: return gen_chance(random, 50) ? beyond(c, random) : (int64_t)gen_below(random, bins);
    case INDEX_ONE: return (int64_t)bins - 1;
    case INDEX_SORTED: return (int64_t)(i % n * bins / n);
    case INDEX_TWO: return i % 2 ? (int64_t)bins / 2 : 0;
    case INDEX_NONE: return beyond(c, random);
    default: return (int64_t)gen_below(random, gen_below(random, gen_below(random, bins) + 1) + 1);
    }
}

typedef union element {
    unsigned char bytes[REF_MAX_BYTES];
    cl_ulong16 aligned;
} element;

static void make(const index_case *c, gen *random, size_t i, element *x)
{
    const ref_index *const index = c->key.index;
    int64_t bin = bin_of(c, random, i);
    bin = bin > index->most ? index->most : bin < index->least ? index->least : bin;
    index->generate(random, bin, x);
}

/* What combine captures has an element even if there are no others. */
static size_t input_size(const index_case *c)
{
    return c->count * c->size + ref_combine_captures(c->key.index->clf);
}

static void generate(const index_case *c, void *const *in)
{
    element x;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 1);
    for (size_t i = 0; i < input_size(c); ++i) {
        make(c, &random, i, &x);
        ref_scatter(&c->key.index->input, in, i, &x);
    }
}

/* What is to be updated: values that elements have. */
static void generate_old(const index_case *c, void *const *out)
{
    element x, value;
    gen random = gen_seed(the_rig()->seed + c->under.seed, 2);
    for (size_t b = 0; c->key.flags & CLF_UPDATE && b < c->count * c->bins; ++b) {
        make(c, &random, b, &x);
        if (c->key.index->map)
            c->key.index->map(&x, b, &value);
        ref_scatter(&c->key.index->value, out, b, c->key.index->map ? &value : &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

static void open_arrays(const index_case *c, guarded_call *g)
{
    const circumstances *const u = &c->under;
    const ref_index *const index = c->key.index;
    const uint64_t seed = u->seed + 100;
    guarded_add_fields(&g->in, "input", &index->input, seed, input_size(c), u->offset, u->tight);
    if (c->key.finished)
        guarded_add(&g->out, "number", guarded_open(seed + 19, 8, c->count * c->bins, u->offset + 19, u->tight));
    guarded_add_fields(&g->out, "output", &index->value, seed + 20, c->count * c->bins, u->offset + 20, u->tight);
    guarded_add_size(&g->in, seed + 81, u->actual, u->offset + 81, u->tight);
    guarded_want(g, c->key.wanted, g->out.count);
    generate(c, g->in.data);
    generate_old(c, g->out.data + c->key.finished);
}

/* Bins that elements belong to are compared as numbers; of updated ones the others stay, bit by bit. */
static void expect(const index_case *c, guarded_call *g, bool *touched)
{
    const size_t known = circumstances_size(&c->under, c->rows ? c->count : c->size);
    ref_index_run(c->key.index, c->rows ? known : 1, c->rows ? c->size : known, c->bins,
                  (c->key.flags & CLF_UPDATE) != 0, (const void *const *)g->in.data, g->out.data + c->key.finished,
                  touched);
    for (size_t b = 0; c->key.finished && b < (c->rows ? known : 1) * c->bins; ++b)
        ((cl_ulong *)g->out.data[0])[b] = b;
    for (size_t k = c->key.finished; k < g->out.count; ++k) {
        g->out.array[k].real = ref_index_built(c->key.index) ? ref_index_built(c->key.index)->real : 0;
        g->out.array[k].numbers = touched;
    }
}

void index_case_run(clf_plan *plan, index_case test)
{
    guarded_call g = guarded_under(&test.under);
    g.segments = test.count * test.bins;
    bool *const touched = calloc(test.count * test.bins + 1, sizeof *touched);
    ck_assert_msg(touched, "out of memory");
    open_arrays(&test, &g);
    guarded_begin(&g, plan, test.count * test.size);
    const clf_status status = test.rows
                                  ? clf_segmented_reduce_by_index(plan, &g.call, test.count, test.size, test.bins,
                                                                  g.in.device, g.out.device)
                                  : clf_reduce_by_index(plan, &g.call, test.size, test.bins, g.in.device, g.out.device);
    guarded_end(&g, status);
    if (status == CLF_E_UNSUPPORTED && test.may_refuse)
        g.status = CLF_SUCCESS; /* nothing is written */
    else
        expect(&test, &g, touched);
    if (!guarded_check(&g, false))
        fail_case(&test, g.what);
    guarded_close(&g);
    free(touched);
}

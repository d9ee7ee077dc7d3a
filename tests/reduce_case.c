/* SPDX-License-Identifier: MIT */
/* One reduction, checked. */
#include "reduce_case.h"
#include "guarded.h"
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static clf_plan *plan_with(const reduce_key *key, unsigned flags)
{
    const bool turned = key->commutes != ((ref_clf(key->op)->flags & CLF_COMMUTATIVE) != 0);
    const plan_key plain = {key->op, flags | (turned ? RIG_TURNED : 0u), key->disable, key->variant, key->parameters};
    return rig_plan_of(key->how ? "irregular_reduce" : "reduce", &plain, key->how);
}

clf_plan *reduce_plan(const reduce_key *key)
{
    return plan_with(key, 0);
}

const char *reduce_small_parameters(int group, int items)
{
    static char texts[SMALL_GROUPS][SMALL_ITEMS][24];
    static const unsigned numbers[SMALL_ITEMS] = {4, 1, 16, 2, 3, 8, 6};
    char *text = texts[group][items];
    snprintf(text, sizeof texts[0][0], "group=%u,items=%u", 2u << group, numbers[items]);
    return text;
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

typedef struct trial {
    const reduce_case *test;
    const ref_operator *op;
    size_t n, there, results; /* elements; those that there are on the device; values written */
    irregular seen;           /* irregular segments that have results */
    guarded_call g;           /* behind inputs what tells of segments, behind outputs the place for their number */
    _Alignas(REF_ALIGN) unsigned char initial[REF_MAX_BYTES];
} trial;

static void fail_trial(const trial *t, const char *what)
{
    const reduce_case *c = t->test;
    const route r = {c->plan.disable, c->plan.variant, c->plan.parameters};
    route_fail(&r, c->suite ? c->suite : "reduce", c->number, what,
               "reduction of %s%s, segments by %d\n"
               "    n %zu, count %zu, size %zu, offset %zu, aligned %d, initial %d, in place %d, out of order %d, "
               "own scratch %d",
               c->plan.op->name, c->plan.commutes ? " (commutes)" : "", c->plan.how ? (int)c->plan.how->by : -1, t->n,
               c->count, c->size, c->offset, c->aligned, c->initial, c->in_place, c->unordered, c->own_scratch);
}

/* Heads and keys know nothing of empty segments. */
static bool by_heads(const clf_segmentation *how)
{
    return how->by != CLF_BY_OFFSETS && how->by != CLF_BY_LENGTHS;
}

/* Segments end with the first n elements; those behind are empty, or unknown where heads tell. */
static void cut_segments(irregular *seen, size_t n, bool heads)
{
    size_t kept = 0, start = 0;
    for (size_t k = 0; k < seen->count; ++k) {
        const size_t left = start < n ? n - start : 0;
        start += seen->lengths[k];
        if (seen->lengths[k] > left)
            seen->lengths[k] = left;
        if (!heads || seen->lengths[k] > 0)
            kept = k + 1;
    }
    seen->count = kept;
}

static void count_elements(trial *t)
{
    const reduce_case *c = t->test;
    t->n = c->segments ? c->segments->n : c->count * c->size;
    t->there = c->segments || c->count == 1 ? given_size(&c->given, t->n) : given_size(&c->given, c->count) * c->size;
    t->results = c->count;
    if (!c->segments)
        return;
    t->seen = (irregular){.n = t->n, .lengths = calloc(c->segments->count + 1, sizeof *t->seen.lengths)};
    ck_assert_msg(t->seen.lengths, "out of memory");
    for (size_t k = 0; k < c->segments->count; ++k)
        if (c->segments->lengths[k] > 0 || !by_heads(c->plan.how))
            t->seen.lengths[t->seen.count++] = c->segments->lengths[k];
    if (!by_heads(c->plan.how))
        t->results = t->seen.count;
    cut_segments(&t->seen, t->there, by_heads(c->plan.how));
}

static void open_arrays(trial *t)
{
    const reduce_case *const c = t->test;
    const ref_operator *const op = t->op;
    const size_t n = t->n + ref_combine_captures(ref_clf(op)); /* what combine captures has an element always */
    const uint64_t seed = c->seed + 100;
    guarded_call *const g = &t->g;
    gen random = gen_seed(c->seed, 2);
    *g = (guarded_call){.unordered = c->unordered, .gated = c->gated, .own = c->own_scratch,
                        .segments = c->segments ? t->results : 0, .real = op->real};
    g->in.aligned = g->out.aligned = c->aligned;
    guarded_add_fields(&g->in, "input", &op->input, seed, n, c->offset, c->tight);
    guarded_generate(&g->in, op, c->seed, n);
    guarded_add_fields(&g->out, "value", &op->value, seed + 20, t->results, c->offset + 3, c->tight);
    guarded_add_fields(&g->out, "extra output", &op->extra, seed + 40, t->n, c->offset + 7, c->tight);
    guarded_choose_places(g, c->in_place ? PLACE_SAME : PLACE_APART, 0, op->input.count, op->value.count, g->out.count);
    if (!c->plan.how)
        return;
    guarded_add_segments(&g->in, c->segments, c->plan.how, &random, seed + 60, c->offset + 1, c->tight);
    guarded_add(&g->out, "count", guarded_open(seed + 61, sizeof(cl_ulong), 1, c->offset + 2, c->tight));
}

static const void *initial_of(const trial *t)
{
    return t->test->initial ? t->initial : NULL;
}

static clf_status enqueue(trial *t, clf_plan *plan)
{
    const reduce_case *c = t->test;
    const clf_array *const in = t->g.in.device, *const out = t->g.out.device;
    const clf_array *const counted = &out[t->g.out.count - 1];
    clf_call *const call = &t->g.call;
    given_arrays arrays;
    clf_status status;
    call->initial = initial_of(t);
    given_open(&arrays, &c->given, &t->op->value, initial_of(t), call);
    if (c->plan.how)
        status = clf_irregular_reduce(plan, call, t->n, t->results, &in[t->op->input.count], in, out,
                                      c->uncounted ? NULL : counted);
    else
        status = c->count == 1 ? clf_reduce(plan, call, c->size, in, out)
                               : clf_segmented_reduce(plan, call, c->count, c->size, in, out);
    given_close(&arrays);
    guarded_end(&t->g, status);
    return status;
}

/* Makes of all arrays what they should be. */
static void expect(trial *t)
{
    const reduce_case *const c = t->test;
    const void *const *const in = (const void *const *)t->g.in.data;
    void *const *const out = t->g.out.data;
    if (c->plan.how)
        ref_irregular_reduce(t->op, t->seen.count, t->seen.lengths, t->results, in, out, initial_of(t));
    else if (c->count == 1)
        ref_reduce(t->op, 1, t->there, in, out, initial_of(t));
    else
        ref_reduce(t->op, given_size(&c->given, c->count), c->size, in, out, initial_of(t));
    guarded_place_results(&t->g, t->there);
    if (c->plan.how && !c->uncounted && by_heads(c->plan.how))
        *(cl_ulong *)out[t->g.out.count - 1] = t->seen.count;
}

bool reduce_case_run(reduce_case test)
{
    trial t = {.test = &test, .op = test.plan.op};
    const bool from_device = test.given.size || test.given.initial;
    clf_plan *plan = plan_with(&test.plan, from_device ? CLF_FROM_DEVICE : 0);
    if (!plan)
        return false;
    count_elements(&t);
    open_arrays(&t);
    given_choose_initial(t.op, test.seed, t.initial);
    guarded_begin(&t.g, plan, t.n);
    const clf_status status = enqueue(&t, plan);
    const bool may_refuse = test.size > 0 && test.plan.variant &&
                            strcmp(test.plan.variant, "small") == 0; /* too long for it */
    if (status != CLF_E_UNSUPPORTED || !may_refuse) {
        expect(&t);
        if (!guarded_check(&t.g, false))
            fail_trial(&t, t.g.what);
    }
    guarded_close(&t.g);
    free(t.seen.lengths);
    return status == CLF_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* One scan or adjacent difference, checked. */
#include "scan_case.h"
#include "guarded.h"
#include "primitives/primitives.h"
#include "route.h"

#include <stdlib.h>

typedef struct trial {
    const scan_case *test;
    const ref_operator *op;
    guarded_call g; /* behind inputs what tells of irregular segments */
    _Alignas(REF_ALIGN) unsigned char initial[REF_MAX_BYTES];
} trial;

static void fail_trial(const trial *t, const char *what)
{
    const scan_case *c = t->test;
    const route r = {c->plan.disable, c->plan.variant, c->plan.parameters};
    route_fail(&r, c->suite, c->number, what,
               "%s of %s, segments by %d\n"
               "    n %zu, size %zu, offset %zu, aligned %d, initial %d, in place %d, out of order %d, scratch %d",
               c->adjacent                     ? "adjacent difference"
               : c->plan.flags & CLF_REVERSE   ? "scan from the right"
               : c->plan.flags & CLF_EXCLUSIVE ? "exclusive scan"
                                               : "inclusive scan",
               c->plan.op->name, c->how ? (int)c->how->by : -1, c->n, c->size, c->offset, c->aligned, c->initial,
               c->in_place, c->unordered, (int)c->scratch);
}

static const void *initial_of(const trial *t)
{
    return t->test->initial ? t->initial : NULL;
}

static void open_arrays(trial *t)
{
    const scan_case *const c = t->test;
    const ref_operator *const op = t->op;
    const uint64_t seed = c->seed + 100;
    guarded_call *const g = &t->g;
    gen random = gen_seed(c->seed, 2);
    *g = (guarded_call){.unordered = c->unordered, .gated = c->gated, .own = c->scratch, .real = op->real,
                        .segments = c->segments ? c->segments->count : 0};
    g->in.aligned = g->out.aligned = c->aligned;
    guarded_add_fields(&g->in, "input", &op->input, seed, c->n, c->offset, c->tight);
    guarded_generate(&g->in, op, c->seed, c->n);
    guarded_add_fields(&g->out, "value", &op->value, seed + 20, c->n, c->offset + 3, c->tight);
    guarded_add_fields(&g->out, "extra output", &op->extra, seed + 40, c->n, c->offset + 7, c->tight);
    guarded_choose_places(g, c->in_place ? PLACE_SAME : PLACE_APART, 0, op->input.count, 0, g->out.count);
    if (c->how)
        guarded_add_segments(&g->in, c->segments, c->how, &random, seed + 60, c->offset, c->tight);
}

/* Makes of all arrays what they should be. */
static void expect(trial *t)
{
    const scan_case *const c = t->test;
    const void *const *const in = (const void *const *)t->g.in.data;
    const size_t unit = c->segmented && c->size ? c->size : 1; /* what a size on the device counts */
    const size_t n = given_size(&c->given, c->n / unit) * unit;
    unsigned char *heads = calloc(c->n + 1, 1);
    ck_assert_msg(heads, "out of memory");
    for (size_t i = 0; i < c->n; ++i)
        heads[i] = c->segmented ? i % c->size == 0 : i == 0;
    if (c->segments)
        irregular_heads(c->segments, heads);
    if (c->adjacent)
        ref_adjacent_difference(t->op, n, heads, in, t->g.out.data, initial_of(t));
    else
        (c->plan.flags & CLF_REVERSE ? ref_reverse_scan : ref_segmented_scan)(
            t->op, n, heads, in, t->g.out.data, initial_of(t), c->plan.flags & CLF_EXCLUSIVE);
    guarded_place_results(&t->g, n);
    free(heads);
}

clf_status scan_case_difference(clf_plan *plan, const clf_call *call, bool rows, size_t count, size_t size,
                                const clf_array *in, const clf_array *out)
{
    return rows ? clf_segmented_adjacent_difference(plan, call, count, size, in, out)
                : clf_adjacent_difference(plan, call, size, in, out);
}

static clf_status enqueue(trial *t, clf_plan *plan)
{
    const scan_case *const c = t->test;
    const clf_array *const in = t->g.in.device, *const out = t->g.out.device;
    const size_t size = c->size, count = size ? c->n / size : 3;
    clf_call *const call = &t->g.call;
    given_arrays arrays;
    clf_status status;
    call->initial = initial_of(t);
    given_open(&arrays, &c->given, &t->op->value, initial_of(t), call);
    if (c->adjacent)
        status = scan_case_difference(plan, call, c->segmented, count, c->segmented ? size : c->n, in, out);
    else if (c->segments)
        status = clf_irregular_scan(plan, call, c->n, c->segments->count, &in[t->op->input.count], in, out);
    else if (c->segmented)
        status = clf_segmented_scan(plan, call, count, size, in, out);
    else
        status = clf_scan(plan, call, c->n, in, out);
    given_close(&arrays);
    guarded_end(&t->g, status);
    return status;
}

/* It lies behind what the call takes for itself, and head bits. */
static void read_header(const trial *t, const clf_plan *plan)
{
    const cl_ulong heads = t->test->segments ? clf_heads_words(t->test->n) * 4 : 0;
    cl_ulong bytes = 0;
    assert_ok(clf_plan_scratch(plan, 0, 0, &bytes));
    guarded_header(&t->g, (size_t)(bytes + (heads + 15) / 16 * 16), t->test->header);
}

bool scan_case_run(scan_case test)
{
    trial t = {.test = &test, .op = test.plan.op};
    clf_plan *plan = rig_plan_of(test.adjacent    ? "adjacent_difference"
                                 : test.how       ? "irregular_scan"
                                 : test.segmented ? "segmented_scan"
                                                  : "scan",
                                 &test.plan, test.how);
    if (!plan)
        return false;
    open_arrays(&t);
    given_choose_initial(t.op, test.seed, t.initial);
    guarded_begin(&t.g, plan, test.n);
    const clf_status status = enqueue(&t, plan);
    if (status != CLF_E_UNSUPPORTED) {
        expect(&t);
        if (!guarded_check(&t.g, false))
            fail_trial(&t, t.g.what);
        if (test.header && test.scratch)
            read_header(&t, plan);
    }
    guarded_close(&t.g);
    return status == CLF_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * Results that operators make by `finish`: scans of every kind and variant, inclusive and exclusive, in place, with
 * initial values, sizes on the device; what is refused.
 */
#include "finish.h"
#include "irregular.h"

#include <stdio.h>

enum { PLAIN, REGULAR, IRREGULAR, KINDS };

static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};

/* ---- Scans ----------------------------------------------------------------------------------------------------- */

typedef struct scan_key {
    const finish_operator *op;
    int kind;
    bool exclusive, reversed, in_place, initial;
} scan_key;

static const finish_value initials[] = {{7, 5}, {7, 0}, {0x40000000, 0}};

/* Does a segment begin with element i, from the right maybe? */
static bool is_first(const finish_data *d, const scan_key *key, size_t i)
{
    bool found = false;
    for (size_t k = 0; key->kind != PLAIN && k <= d->count && !found; ++k)
        found = d->offsets[k] == (key->reversed ? i + 1 : i);
    return found;
}

/* What the reference says of all elements. */
static void scan_reference(const finish_data *d, const scan_key *key, cl_ulong wanted[FINISH_FIELDS][FINISH_N])
{
    const finish_value first = key->initial ? initials[key->op - finish_operators] : d->op->nothing;
    finish_value sum = first;
    for (size_t j = 0; j < d->n; ++j) {
        const size_t i = key->reversed ? d->n - 1 - j : j;
        cl_ulong out[FINISH_FIELDS] = {0};
        const finish_value before = is_first(d, key, i) ? first : sum, x = d->op->map(d->x[i], i);
        sum = key->reversed ? d->op->combine(x, before) : d->op->combine(before, x);
        d->op->step(&(finish_step){key->exclusive ? before : sum, before, d->x[i], i}, out);
        for (cl_uint f = 0; f < d->op->results; ++f)
            wanted[f][i] = out[f];
    }
}

static void run_scan(clf_plan *plan, const scan_key *key, size_t n, size_t size, const cl_ulong *actual, gen *random)
{
    static cl_ulong wanted[FINISH_FIELDS][FINISH_N];
    char what[128];
    finish_data d = {.op = key->op, .n = n};
    const clf_array given = {actual ? rig_buffer(sizeof *actual, actual) : NULL, 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .actual = given,
                           .initial = key->initial ? &initials[key->op - finish_operators] : NULL};
    finish_fill(&d, random);
    finish_cut(&d, random, key->kind == REGULAR ? size : 0);
    finish_open_outputs(&d, d.op->results, d.op->bytes, key->in_place);
    assert_ok(key->kind == PLAIN     ? clf_scan(plan, &call, n, d.in, d.out)
              : key->kind == REGULAR ? clf_segmented_scan(plan, &call, n / size, size, d.in, d.out)
                                     : clf_irregular_scan(plan, &call, n, d.count, &d.told, d.in, d.out));
    d.n = actual && *actual < n ? (size_t)*actual : n;
    scan_reference(&d, key, wanted);
    snprintf(what, sizeof what, "%s, kind %d, exclusive %d, initial %d, in place %d, %zu of %zu", d.op->name, key->kind,
             key->exclusive, key->initial, key->in_place, n, size);
    for (cl_uint f = 0; f < d.op->results; ++f)
        finish_expect(&d, f, d.op->bytes[f], key->in_place && d.op->place[f] != FINISH_NONE, d.n, wanted[f], what);
    for (size_t i = 0; d.op->inputs == 2 && i < d.n; ++i)
        wanted[0][i] = d.x[i].x ^ finish_captured[i % FINISH_CAPTURED];
    if (d.op->inputs == 2)
        finish_expect(&d, d.op->results, 4, false, d.n, wanted[0], what);
    if (actual)
        clReleaseMemObject(given.buffer);
    finish_close_data(&d, d.op->results, key->in_place);
}

static clf_plan *scan_plan(const route *r, const scan_key *key, unsigned flags)
{
    static const char *const names[] = {"scan", "segmented_scan", "irregular_scan"};
    const plan_parts parts = {.op = key->op->scan, .flags = flags | (key->exclusive ? CLF_EXCLUSIVE : 0u) |
                                       (key->reversed ? CLF_REVERSE : 0u),
                              .how = &by_offsets};
    return route_plan(r, names[key->kind], &parts, key->op->name);
}

TEST(scans)
{
    static const size_t sizes[] = {1, 3, 33, 96, 97, FINISH_N};
    const way *const w = &ways[_i / KINDS];
    const bool refused = w->variant && strcmp(w->variant, "propagate") == 0;
    const route r = finish_route(w, _i);
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (int which = 0; !refused && which < 2 * FINISH_OPERATORS; ++which) {
        scan_key key = {.op = &finish_operators[which / 2], .kind = _i % KINDS, .exclusive = which % 2,
                        .reversed = which % 3 == 1};
        clf_plan *const plan = rig_full() || (which + _i) % 3 == 0 || (which + _i) % 7 == 0 ? scan_plan(&r, &key, 0)
                                                                                            : NULL;
        for (int turn = 0; plan && turn < 2 * (int)COUNT(sizes); ++turn) {
            key.initial = turn % 3 == 1;
            key.in_place = turn % 2 && (!w->variant || rig_context(w->disable)->facts.fence); /* else refused */
            const size_t size = sizes[turn / 2], n = key.kind == REGULAR ? FINISH_N / size * size : FINISH_N - 7;
            run_scan(plan, &key, turn == 0 ? size : n, size, NULL, &random);
        }
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

TEST(scans_of_sizes_on_the_device)
{
    static const cl_ulong actual[] = {0, 1, 96, 500, FINISH_N};
    const way w = {_i % 2 ? "cpu" : NULL, NULL};
    const scan_key key = {.op = &finish_operators[_i / 2], .kind = PLAIN, .exclusive = _i == 1};
    const route r = finish_route(&w, 0);
    gen random = gen_seed(the_rig()->seed, 300 + (uint64_t)_i);
    clf_plan *const plan = scan_plan(&r, &key, CLF_FROM_DEVICE);
    for (size_t i = 0; plan && i < COUNT(actual); ++i)
        run_scan(plan, &key, FINISH_N - 3, 1, &actual[i], &random);
    if (plan)
        assert_ok(clf_plan_release(plan));
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

#define STEP "clf_result step(clf_value a, clf_value b, clf_input x, ulong i) { clf_result r = {a.v}; return r; }\n"

static const struct {
    const char *primitive, *result, *finish, *captured, *source, *variant;
    clf_status status;
    const char *message;
} refusals[] = {
    {"scan", "short r;", NULL, NULL, STEP, NULL, CLF_E_ARGUMENT, "clf_operator.finish is NULL, and result is not"},
    {"scan", NULL, "step", NULL, STEP, NULL, CLF_E_ARGUMENT, "clf_operator.result is NULL, and finish is not"},
    {"scan", "short", "step", NULL, STEP, NULL, CLF_E_ARGUMENT, "result"},
    {"scan", "", "step", NULL, STEP, NULL, CLF_E_ARGUMENT, "result"},
    {"scan", "short r;", "9step", NULL, STEP, NULL, CLF_E_ARGUMENT,
     "clf_operator.finish: '9step' is not the name of a function"},
    {"scan", "short r;", "clf_step", NULL, STEP, NULL, CLF_E_ARGUMENT,
     "clf_operator.finish: 'clf_step' begins like the library's own names"},
    {"scan", "short r;", "step", NULL, NULL, NULL, CLF_E_ARGUMENT, "the operator has no source"},
    {"scan", "short r;", "steps", NULL, STEP, NULL, CLF_E_OPERATOR,
     "clf_operator.finish: the source has no function clf_result steps(clf_value clf_a, clf_value clf_b, clf_input "
     "clf_x, ulong clf_i)"},
    {"scan", "short r;", "step", "int w;", STEP, NULL, CLF_E_OPERATOR,
     "clf_operator.finish: the source has no function clf_result step(clf_value clf_a, clf_value clf_b, clf_input "
     "clf_x, ulong clf_i, const clf_captured *clf_c)"},
    {"scan", "short r;", "step", NULL,
     "clf_value step(clf_value a, clf_value b, clf_input x, ulong i) { return a; }\n", NULL, CLF_E_OPERATOR,
     "clf_operator.finish: "},
    {"scan", "short r;", "step", NULL, "clf_result step(clf_value a, ulong i) { clf_result r = {a.v}; return r; }\n",
     NULL, CLF_E_OPERATOR, "clf_operator.finish: "},
    {"scan", "short r;", "step", NULL, STEP, "propagate", CLF_E_UNSUPPORTED,
     "clf_operator.finish: variant \"propagate\" "},
    {"filter", "short r;", "step", NULL, STEP, NULL, CLF_E_UNSUPPORTED,
     "clf_operator.finish: filter has none, and must find NULL here"},
};

TEST(operators_refused)
{
    const clf_operator op = {.size = sizeof op, .value = "int v;", .combine = "clf_sum",
                             .captured = refusals[_i].captured, .source = refusals[_i].source,
                             .result = refusals[_i].result, .finish = refusals[_i].finish};
    const clf_plan_options options = {.size = sizeof options, .variant = refusals[_i].variant};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = primitive_plan(refusals[_i].primitive, rig_context("cpu"), &(plan_parts){.op = &op},
                                             &options, &plan, &error);
    ck_assert_msg(status == refusals[_i].status && strstr(error.message, refusals[_i].message), "%d %s\n%s", status,
                  error.message, error.log);
}

/* A descriptor of the size before there was `finish` is one without it. */
TEST(the_size_before)
{
    clf_operator op = *clf_builtin(CLF_SUM, CLF_INT);
    op.size = offsetof(clf_operator, result);
    op.result = op.finish = "no string that anybody may read";
    clf_plan *plan = RIG_PLAN(clf_scan_plan, rig_context(NULL), &op, 0, NULL);
    assert_ok(clf_plan_release(plan));
    op.size -= 1;
    assert_status(clf_scan_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
}

/* Laws are those of what is combined. */
TEST(laws)
{
    for (int i = 0; i < FINISH_OPERATORS; ++i) {
        clf_error error = {.size = sizeof error};
        const bool captured = finish_operators[i].scan->captured;
        const clf_status status = clf_operator_check(rig_context(NULL), finish_operators[i].scan, NULL, NULL, &error);
        ck_assert_msg(captured || status == CLF_SUCCESS, "%s: %d %s", finish_operators[i].name, status, error.message);
    }
}

TEST(calls_refused)
{
    rig_told t = {0}, *const told = &t;
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = told);
    const clf_operator *const op = finish_operators[0].scan;
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, context, op, 0, NULL);
    clf_array in[3], out[4];
    for (int i = 0; i < 4; ++i)
        out[i] = (clf_array){rig_buffer(8000, NULL), 0};
    for (int i = 0; i < 3; ++i)
        in[i] = (clf_array){rig_buffer(8000, NULL), 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .out_count = 3};
    REFUSES(told, ARGUMENT, "call->out_count is 3, and the operator has 4 arrays there",
            clf_scan(plan, &call, 100, in, out));
    const clf_array kept = out[1];
    out[1] = in[0]; /* of another size of elements */
    REFUSES(told, ALIAS, "out[1] overlaps in[0]", clf_scan(plan, CLF_ON(the_rig()->queue), 100, in, out));
    out[1] = in[2]; /* captured */
    REFUSES(told, ALIAS, "out[1] overlaps in[2]", clf_scan(plan, CLF_ON(the_rig()->queue), 100, in, out));
    out[1] = kept;
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), 100, in, out));
    rig_release_all(context, plan);
    rig_release(in[0], in[1], in[2], out[0], out[1], out[2], out[3]);
}

RIG_SUITE_OF(finish, NULL, (add_finish_reduce_tests, add_finish_narrow_tests, add_finish_runs_tests),
             {scans, WAY_COUNT * KINDS}, {scans_of_sizes_on_the_device, 2 * FINISH_OPERATORS},
             {operators_refused, COUNT(refusals)}, {the_size_before, 1}, {laws, 1}, {calls_refused, 1})

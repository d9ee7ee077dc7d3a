/* SPDX-License-Identifier: MIT */
/*
 * One reduction, checked. Every array is a buffer with an image of all its bytes before the call and
 * another of what they must be afterwards. An extra output in place shares the buffer of its input.
 */
#include "reduce_case.h"
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 1024, FILLER = 0xa5, MAX_ARRAYS = 3 * CLF_MAX_FIELDS + 2, MAX_PLANS = 512 };

/* ---- Plans ----------------------------------------------------------------------------------------------------- */

static struct {
    reduce_key key;
    unsigned flags;
    clf_plan *plan;
} plans[MAX_PLANS];
static size_t plan_count;

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

static clf_plan *compile_plan(const reduce_key *key, unsigned flags)
{
    const route r = {key->disable, key->variant, key->parameters};
    clf_operator op = *ref_clf(key->op);
    op.flags = (op.flags & CLF_COMBINE_CAPTURES) | (key->commutes ? CLF_COMMUTATIVE : 0u);
    const bool changed = op.flags != ref_clf(key->op)->flags; /* a copy of a built-in has no vector form */
    const plan_parts parts = {.op = changed ? &op : ref_clf(key->op), .flags = flags, .how = key->how};
    return route_plan(&r, key->how ? "irregular_reduce" : "reduce", &parts, key->op->name);
}

static clf_plan *plan_with(const reduce_key *key, unsigned flags)
{
    for (size_t i = 0; i < plan_count; ++i) {
        const reduce_key *k = &plans[i].key;
        if (k->op == key->op && k->commutes == key->commutes && k->how == key->how && plans[i].flags == flags &&
            same(k->disable, key->disable) && same(k->variant, key->variant) && same(k->parameters, key->parameters))
            return plans[i].plan;
    }
    ck_assert(plan_count < MAX_PLANS);
    plans[plan_count].key = *key;
    plans[plan_count].flags = flags;
    plans[plan_count].plan = compile_plan(key, flags);
    return plans[plan_count++].plan;
}

clf_plan *reduce_plan(const reduce_key *key)
{
    return plan_with(key, 0);
}

void reduce_forget(void)
{
    for (; plan_count > 0; --plan_count)
        if (plans[plan_count - 1].plan)
            clf_plan_release(plans[plan_count - 1].plan);
}

void reduce_close(void)
{
    reduce_forget();
    rig_close();
}

const char *reduce_small_parameters(int group, int items)
{
    static char texts[SMALL_GROUPS][SMALL_ITEMS][24];
    static const unsigned numbers[SMALL_ITEMS] = {4, 1, 16, 2, 3, 8, 6};
    char *text = texts[group][items];
    snprintf(text, sizeof texts[0][0], "group=%u,items=%u", 2u << group, numbers[items]);
    return text;
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

typedef struct array {
    size_t element, first, count, bytes; /* bytes of an element; index of the first; elements; bytes of the buffer */
    unsigned char *before, *after;
    cl_mem buffer;
} array;

typedef struct trial {
    const reduce_case *test;
    const ref_operator *op;
    size_t arrays;
    array array[MAX_ARRAYS];
    array *in[CLF_MAX_FIELDS], *out[2 * CLF_MAX_FIELDS];
    size_t n, results;        /* elements; values written */
    irregular seen;           /* irregular segments that have results */
    array *entries, *counted; /* what tells of them, and the place for their number; or NULL */
    _Alignas(REF_ALIGN) unsigned char initial[REF_MAX_BYTES];
} trial;

static void fail_trial(const trial *t, const char *what)
{
    const reduce_case *c = t->test;
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg(
        "%s\n    reduction of %s%s, variant %s, parameters %s, disabled %s, segments by %d\n"
        "    n %zu, count %zu, size %zu, offset %zu, aligned %d, initial %d, in place %d, out of order %d, "
        "own scratch %d\n"
        "    replay: clfold-tests --suite %s --seed %llu%s",
        what, c->plan.op->name, c->plan.commutes ? " (commutes)" : "", c->plan.variant ? c->plan.variant : "default",
        c->plan.parameters ? c->plan.parameters : "default", c->plan.disable ? c->plan.disable : "nothing",
        c->plan.how ? (int)c->plan.how->by : -1, t->n, c->count, c->size, c->offset, c->aligned, c->initial,
        c->in_place, c->unordered, c->own_scratch, c->suite ? c->suite : "reduce", (unsigned long long)the_rig()->seed,
        replay);
}

static array *add_array(trial *t, size_t element, size_t count)
{
    array *a = &t->array[t->arrays];
    a->element = element;
    a->count = count;
    a->first = CANARY / element + (t->test->aligned ? 0 : t->test->offset + t->arrays);
    ++t->arrays;
    a->bytes = (a->first + count) * element + (t->test->tight ? 0 : CANARY);
    a->before = malloc(a->bytes);
    a->after = malloc(a->bytes);
    ck_assert_msg(a->before && a->after, "out of memory");
    memset(a->before, FILLER, a->bytes);
    return a;
}

static void *data_of(unsigned char *image, const array *a)
{
    return image + a->first * a->element;
}

/* What combine captures has an element even if there are no others. */
static void add_inputs(trial *t)
{
    const ref_layout *layout = &t->op->input;
    const size_t n = t->n + ref_combine_captures(ref_clf(t->op));
    void *data[CLF_MAX_FIELDS];
    for (size_t f = 0; f < layout->count; ++f) {
        t->in[f] = add_array(t, layout->field[f].bytes, n);
        data[f] = data_of(t->in[f]->before, t->in[f]);
    }
    gen random = gen_seed(t->test->seed, 0);
    for (size_t i = 0; i < n; ++i) {
        _Alignas(REF_ALIGN) unsigned char element[REF_MAX_BYTES];
        t->op->generate(&random, i, element);
        ref_scatter(layout, data, i, element);
    }
}

static array *free_input(const trial *t, size_t element, size_t outs)
{
    for (size_t i = 0; i < t->op->input.count; ++i) {
        bool taken = t->in[i]->element != element;
        for (size_t o = 0; o < outs; ++o)
            taken = taken || t->out[o] == t->in[i];
        if (!taken)
            return t->in[i];
    }
    return NULL;
}

static void add_outputs(trial *t)
{
    const ref_layout *value = &t->op->value, *extra = &t->op->extra;
    for (size_t f = 0; f < value->count; ++f)
        t->out[f] = add_array(t, value->field[f].bytes, t->results);
    for (size_t f = 0; f < extra->count; ++f) {
        const size_t o = value->count + f, bytes = extra->field[f].bytes;
        array *shared = t->test->in_place ? free_input(t, bytes, o) : NULL;
        t->out[o] = shared ? shared : add_array(t, bytes, t->n);
    }
}

static size_t out_count(const trial *t)
{
    return t->op->value.count + t->op->extra.count;
}

/* Heads and keys know nothing of empty segments. */
static bool by_heads(const clf_segmentation *how)
{
    return how->by != CLF_BY_OFFSETS && how->by != CLF_BY_LENGTHS;
}

static void predict(trial *t)
{
    const void *in[CLF_MAX_FIELDS];
    void *out[2 * CLF_MAX_FIELDS];
    for (size_t i = 0; i < t->arrays; ++i)
        memcpy(t->array[i].after, t->array[i].before, t->array[i].bytes);
    for (size_t i = 0; i < t->op->input.count; ++i)
        in[i] = data_of(t->in[i]->before, t->in[i]);
    for (size_t o = 0; o < out_count(t); ++o)
        out[o] = data_of(t->out[o]->after, t->out[o]);
    const void *initial = t->test->initial ? t->initial : NULL;
    const cl_ulong count = t->seen.count;
    if (t->test->plan.how)
        ref_irregular_reduce(t->op, t->seen.count, t->seen.lengths, t->results, in, out, initial);
    else
        ref_reduce(t->op, t->test->count == 1 ? 1 : given_size(&t->test->given, t->test->count),
                   t->test->count == 1 ? given_size(&t->test->given, t->test->size) : t->test->size, in, out, initial);
    if (t->counted && by_heads(t->test->plan.how))
        memcpy(data_of(t->counted->after, t->counted), &count, sizeof count);
}

/* ---- Irregular segments ------------------------------------------------------------------------- */

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
    cut_segments(&t->seen, given_size(&c->given, t->n), by_heads(c->plan.how));
}

static void add_entries(trial *t)
{
    const clf_segmentation *how = t->test->plan.how;
    if (!how)
        return;
    gen random = gen_seed(t->test->seed, 2);
    size_t bytes;
    void *entries = irregular_entries(t->test->segments, how, &random, &bytes);
    const size_t element = how->by == CLF_BY_HEAD_BYTES  ? 1
                           : how->by == CLF_BY_HEAD_BITS ? 4
                                                         : clf_type_size(how->type);
    t->entries = add_array(t, element, bytes / element);
    memcpy(data_of(t->entries->before, t->entries), entries, bytes);
    free(entries);
    if (!t->test->uncounted)
        t->counted = add_array(t, sizeof(cl_ulong), 1);
}

/* ---- Running ------------------------------------------------------------------------------------ */

/* What was held back until the call was enqueued. */
static void fill_late(const trial *t)
{
    for (size_t i = 0; t->test->gated && i < t->arrays; ++i)
        rig_write_late(t->array[i].buffer, t->array[i].bytes, t->array[i].before);
}

static clf_status enqueue(const trial *t, clf_plan *plan, cl_command_queue queue, const clf_array *scratch)
{
    clf_array in[CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS];
    cl_event event = NULL;
    const reduce_case *c = t->test;
    const cl_event gate = rig_gate(c->gated);
    const void *initial = c->initial ? t->initial : NULL;
    for (size_t i = 0; i < t->op->input.count; ++i)
        in[i] = (clf_array){t->in[i]->buffer, t->in[i]->first};
    for (size_t o = 0; o < out_count(t); ++o)
        out[o] = (clf_array){t->out[o]->buffer, t->out[o]->first};
    clf_call call = {.size = sizeof call, .queue = queue, .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL,
                     .event = &event, .initial = initial};
    if (scratch)
        call.scratch = *scratch;
    given_arrays arrays;
    given_open(&arrays, &c->given, &t->op->value, initial, &call);
    clf_status status;
    if (c->plan.how) {
        const clf_array entries = {t->entries->buffer, t->entries->first};
        const clf_array counted = t->counted ? (clf_array){t->counted->buffer, t->counted->first} : (clf_array){0};
        status = clf_irregular_reduce(plan, &call, t->n, t->results, &entries, in, out, t->counted ? &counted : NULL);
    } else if (c->count == 1) {
        status = clf_reduce(plan, &call, c->size, in, out);
    } else {
        status = clf_segmented_reduce(plan, &call, c->count, c->size, in, out);
    }
    given_close(&arrays);
    fill_late(t);
    rig_gate_open(gate);
    if (status == CLF_SUCCESS) {
        status = clWaitForEvents(1, &event);
        clReleaseEvent(event);
    }
    return status;
}

static void check_array(const trial *t, cl_command_queue queue, const array *a)
{
    unsigned char *got = malloc(a->bytes);
    char text[128];
    ck_assert_msg(got, "out of memory");
    rig_read(queue, a->buffer, a->bytes, got);
    const size_t i = ref_wrong_byte(a->element == t->op->real ? a->element : 0, a->bytes, got, a->after);
    if (i < a->bytes) {
        snprintf(text, sizeof text, "array %d of %zu-byte elements: element %ld, byte %zu is 0x%02x, not 0x%02x",
                 (int)(a - t->array), a->element, (long)(i / a->element) - (long)a->first, i % a->element, got[i],
                 a->after[i]);
        fail_trial(t, text);
    }
    free(got);
}

static clf_status run(trial *t, clf_plan *plan, cl_command_queue queue)
{
    cl_ulong bytes = 0;
    clf_array scratch = {NULL, 16};
    if (t->test->own_scratch) {
        assert_ok(clf_plan_scratch(plan, t->n, t->test->segments ? t->results : 0, &bytes));
        scratch.buffer = rig_buffer((size_t)bytes + 16, NULL); /* not a byte more than said */
    }
    const clf_status status = enqueue(t, plan, queue, scratch.buffer ? &scratch : NULL);
    if (scratch.buffer)
        clReleaseMemObject(scratch.buffer);
    return status;
}

bool reduce_case_run(const reduce_case *test)
{
    trial t = {.test = test, .op = test->plan.op};
    const bool from_device = test->given.size || test->given.initial;
    clf_plan *plan = plan_with(&test->plan, from_device ? CLF_FROM_DEVICE : 0);
    cl_command_queue queue = test->unordered ? the_rig()->unordered : the_rig()->queue;
    if (!plan)
        return false;
    count_elements(&t);
    add_inputs(&t);
    add_outputs(&t);
    add_entries(&t);
    given_choose_initial(t.op, test->seed, t.initial);
    predict(&t);
    for (size_t i = 0; i < t.arrays; ++i)
        t.array[i].buffer = rig_buffer(t.array[i].bytes, test->gated ? NULL : t.array[i].before);
    const clf_status status = run(&t, plan, queue);
    const bool may_refuse = test->size > 0 && same(test->plan.variant, "small"); /* too long for it */
    if (status != CLF_SUCCESS && !(status == CLF_E_UNSUPPORTED && may_refuse))
        fail_trial(&t, clf_status_text(status));
    for (size_t i = 0; i < t.arrays; ++i) {
        if (status == CLF_SUCCESS)
            check_array(&t, queue, &t.array[i]);
        clReleaseMemObject(t.array[i].buffer);
        free(t.array[i].before);
        free(t.array[i].after);
    }
    free(t.seen.lengths);
    return status == CLF_SUCCESS;
}

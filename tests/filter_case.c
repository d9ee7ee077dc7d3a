/* SPDX-License-Identifier: MIT */
/* One filter, checked. */
#include "filter_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

clf_plan *filter_plan(const filter_key *key, bool from_device)
{
    const clf_operator *op = key->filter->clf;
    const char *name = ref_filter_primitive(key->filter);
    char taken[RIG_PARAMETERS];
    const clf_plan_options options = {
        .size = sizeof options, .variant = key->variant,
        .parameters = rig_taken(name, key->variant, key->parameters, taken)};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status =
        (op->same ? clf_unique_plan : key->filter->parts > 1 ? clf_partition_plan : clf_filter_plan)(
            rig_context(key->disable), op, (from_device ? CLF_FROM_DEVICE : 0) | (key->in_place ? CLF_IN_PLACE : 0),
            &options, &plan, &error);
    if (rig_lacks(status, key->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s, %s, %s: %d %s\n%s", key->filter->name,
                  key->variant ? key->variant : "default", key->parameters ? key->parameters : "", status,
                  error.message, error.log);
    return plan;
}

static void fail_case(const filter_case *c, const char *what)
{
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg("%s\n    filter of %s, variant %s, parameters %s, disabled %s\n"
                 "    n %zu (given %d: %zu), room %zu, pattern %d, %u %%, offset %zu, out of order %d, late %d, "
                 "in place %d\n"
                 "    replay: clfold-tests --suite filter --seed %llu%s",
                 what, c->key.filter->name, c->key.variant ? c->key.variant : "default",
                 c->key.parameters ? c->key.parameters : "default", c->key.disable ? c->key.disable : "nothing", c->n,
                 c->given, c->actual, c->room, (int)c->pattern, c->percent, c->offset, c->unordered, c->gated,
                 c->in_place, (unsigned long long)the_rig()->seed, replay);
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

/* An array of a case: what the host expects it to be in the end, and the device's. */
typedef struct array {
    unsigned char *bytes;
    size_t element, first, all; /* bytes of an element; elements before it; bytes of the buffer */
    clf_array device;
} array;

static array array_open(const filter_case *c, size_t element, size_t n, size_t k)
{
    array a = {.element = element, .first = CANARY + c->offset + k};
    gen random = gen_seed(the_rig()->seed + c->seed, 100 + k);
    a.all = (a.first + n + CANARY) * element;
    a.bytes = malloc(a.all);
    ck_assert_msg(a.bytes != NULL, "out of memory");
    for (size_t i = 0; i < a.all; i++)
        a.bytes[i] = (unsigned char)gen_bits(&random);
    return a;
}

static void *array_data(const array *a)
{
    return a->bytes + a->first * a->element;
}

static void array_send(array *a, bool late)
{
    a->device = (clf_array){rig_buffer(a->all, late ? NULL : a->bytes), a->first};
}

static void array_check(const filter_case *c, const array *a, const char *name, size_t k)
{
    unsigned char *got = malloc(a->all);
    char text[128];
    ck_assert_msg(got != NULL, "out of memory");
    rig_read(c->unordered ? the_rig()->unordered : the_rig()->queue, a->device.buffer, a->all, got);
    for (size_t i = 0; i < a->all; i++) {
        if (got[i] != a->bytes[i]) {
            snprintf(text, sizeof text, "%s %zu: element %ld, byte %zu is 0x%02x, not 0x%02x", name, k,
                     (long)(i / a->element) - (long)a->first, i % a->element, got[i], a->bytes[i]);
            fail_case(c, text);
        }
    }
    free(got);
}

static void array_close(array *a)
{
    clReleaseMemObject(a->device.buffer);
    free(a->bytes);
}

/* ---- Data ------------------------------------------------------------------------------------------------------ */

static bool wanted(const filter_case *c, gen *random, size_t i, bool before)
{
    switch (c->pattern) {
    case FILTER_RANDOM:
        return gen_chance(random, c->percent);
    case FILTER_RUNS:
        return gen_chance(random, 1) ? gen_chance(random, c->percent) : before;
    case FILTER_SPARSE:
        return i % 512 == 77;
    default:
        return i >= c->n - c->n / 8;
    }
}

static void generate(const filter_case *c, const array *in)
{
    const ref_filter *filter = c->key.filter;
    union {
        unsigned char bytes[REF_MAX_BYTES];
        cl_ulong16 aligned;
    } x;
    void *arrays[CLF_MAX_FIELDS];
    gen random = gen_seed(the_rig()->seed + c->seed, 1);
    cl_ulong run = 0;
    bool now = false;
    for (size_t k = 0; k < filter->input.count; k++)
        arrays[k] = array_data(&in[k]);
    for (size_t i = 0; i < c->n; i++) {
        now = wanted(c, &random, i, now);
        run += now;
        filter->generate(&random, now, run, &x);
        ref_scatter(&filter->input, arrays, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

typedef struct arrays {
    array in[CLF_MAX_FIELDS], out[REF_MAX_PARTS * CLF_MAX_FIELDS], count, actual;
    clf_array in_device[CLF_MAX_FIELDS], out_device[REF_MAX_PARTS * CLF_MAX_FIELDS];
} arrays;

/* Part by part, as the call has them. */
static size_t outputs(const filter_case *c)
{
    return c->key.filter->parts * c->key.filter->value.count;
}

/* In place: the input that output k replaces, from which no output before it was the last to take one; or -1. */
static int replaced_by(const filter_case *c, size_t k)
{
    const ref_filter *filter = c->key.filter;
    bool taken[CLF_MAX_FIELDS] = {false};
    int input = -1;
    for (size_t out = 0; c->in_place && out <= k; out++) {
        input = -1;
        for (size_t i = filter->input.count; i-- > 0;) /* the last one: fields of tuples change places */
            if (input < 0 && !taken[i] && filter->input.field[i].bytes == filter->value.field[out].bytes)
                input = (int)i;
        if (input >= 0)
            taken[input] = true;
    }
    return input;
}

/* Of inputs the host expects the results where these are. */
static void replace_inputs(const filter_case *c, arrays *a, size_t results)
{
    for (size_t k = 0; c->in_place && k < outputs(c); k++) {
        const int input = replaced_by(c, k);
        if (input >= 0)
            memcpy(array_data(&a->in[input]), array_data(&a->out[k]), results * a->out[k].element);
    }
}

static void open_arrays(const filter_case *c, arrays *a)
{
    const ref_filter *filter = c->key.filter;
    const size_t room = c->room < c->n ? c->room : c->n;
    for (size_t k = 0; k < filter->input.count; k++)
        a->in[k] = array_open(c, filter->input.field[k].bytes, c->n, k);
    for (size_t k = 0; k < outputs(c); k++)
        a->out[k] = array_open(c, filter->value.field[k % filter->value.count].bytes, room, k + 20);
    a->count = array_open(c, 8, filter->parts, 80);
    a->actual = array_open(c, 8, 1, 81);
    *(cl_ulong *)array_data(&a->actual) = c->actual;
    generate(c, a->in);
    for (size_t k = 0; k < filter->input.count; k++) {
        array_send(&a->in[k], c->gated);
        a->in_device[k] = a->in[k].device;
    }
    for (size_t k = 0; k < outputs(c); k++) {
        array_send(&a->out[k], false);
        const int input = replaced_by(c, k);
        a->out_device[k] = input < 0 ? a->out[k].device : a->in[input].device;
    }
    array_send(&a->count, false);
    array_send(&a->actual, c->gated);
}

static void send_late(const filter_case *c, const arrays *a)
{
    for (size_t k = 0; k < c->key.filter->input.count; k++)
        rig_write_late(a->in[k].device.buffer, a->in[k].all, a->in[k].bytes);
    rig_write_late(a->actual.device.buffer, a->actual.all, a->actual.bytes);
}

static void check_arrays(const filter_case *c, arrays *a)
{
    const ref_filter *filter = c->key.filter;
    const void *in[CLF_MAX_FIELDS];
    void *out[REF_MAX_PARTS * CLF_MAX_FIELDS];
    cl_ulong counts[REF_MAX_PARTS];
    for (size_t k = 0; k < filter->input.count; k++)
        in[k] = array_data(&a->in[k]);
    for (size_t k = 0; k < outputs(c); k++)
        out[k] = array_data(&a->out[k]);
    const size_t n = c->given && c->actual < c->n ? c->actual : c->n;
    ref_filter_run(filter, n, c->room, in, out, counts);
    memcpy(array_data(&a->count), counts, filter->parts * sizeof *counts);
    array_check(c, &a->count, "count", 0);
    replace_inputs(c, a, counts[0] < c->room ? (size_t)counts[0] : c->room);
    for (size_t k = 0; k < outputs(c); k++)
        if (replaced_by(c, k) < 0)
            array_check(c, &a->out[k], "output", k);
    for (size_t k = 0; k < filter->input.count; k++)
        array_check(c, &a->in[k], "input", k);
}

static void close_arrays(const filter_case *c, arrays *a)
{
    for (size_t k = 0; k < c->key.filter->input.count; k++)
        array_close(&a->in[k]);
    for (size_t k = 0; k < outputs(c); k++)
        array_close(&a->out[k]);
    array_close(&a->count);
    array_close(&a->actual);
}

typedef clf_status (*filter_call)(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                                  const clf_array *out, const clf_array *result_count);

static filter_call call_of(const ref_filter *filter)
{
    return filter->clf->same ? clf_unique : filter->parts > 1 ? clf_partition : clf_filter;
}

bool filter_case_run(clf_plan *plan, const filter_case *test)
{
    arrays a;
    cl_ulong bytes = 0;
    cl_event event = NULL;
    open_arrays(test, &a);
    const cl_event gate = rig_gate(test->gated);
    clf_call call = {.size = sizeof call, .queue = test->unordered ? the_rig()->unordered : the_rig()->queue,
                     .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL, .event = &event};
    if (test->given)
        call.actual = a.actual.device;
    assert_ok(clf_plan_scratch(plan, test->n, 0, &bytes));
    if (test->own_scratch && bytes)
        call.scratch = (clf_array){rig_buffer(bytes, NULL), 0};
    const clf_status status = call_of(test->key.filter)(plan, &call, test->n, test->room, a.in_device, a.out_device,
                                                        &a.count.device);
    if (test->gated)
        send_late(test, &a);
    rig_gate_open(gate);
    if (status == CLF_SUCCESS) {
        assert_ok(clWaitForEvents(1, &event));
        clReleaseEvent(event);
        check_arrays(test, &a);
    } else if (status != CLF_E_UNSUPPORTED) {
        fail_case(test, clf_status_text(status));
    }
    if (call.scratch.buffer)
        clReleaseMemObject(call.scratch.buffer);
    close_arrays(test, &a);
    return status == CLF_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/* One reduction by key, checked. */
#include "by_key_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

clf_plan *by_key_plan(const by_key_key *key, bool from_device)
{
    char taken[RIG_PARAMETERS];
    const clf_plan_options options = {.size = sizeof options, .variant = key->variant,
                                      .parameters = rig_taken("reduce_by_key", key->variant, key->parameters, taken)};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = clf_reduce_by_key_plan(rig_context(key->disable), key->op->clf,
                                                     from_device ? CLF_FROM_DEVICE : 0, &options, &plan, &error);
    if (rig_lacks(status, key->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s, %s, %s: %d %s\n%s", key->op->name,
                  key->variant ? key->variant : "default", key->parameters ? key->parameters : "", status,
                  error.message, error.log);
    return plan;
}

static void fail_case(const by_key_case *c, const char *what)
{
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg("%s\n    reduce_by_key of %s, variant %s, parameters %s, disabled %s\n"
                 "    n %zu (given %d: %zu), room %zu, pattern %d, %u %%, offset %zu, out of order %d, late %d\n"
                 "    replay: clfold-tests --suite reduce_by_key --seed %llu%s",
                 what, c->key.op->name, c->key.variant ? c->key.variant : "default",
                 c->key.parameters ? c->key.parameters : "default", c->key.disable ? c->key.disable : "nothing", c->n,
                 c->given, c->actual, c->room, (int)c->pattern, c->percent, c->offset, c->unordered, c->gated,
                 (unsigned long long)the_rig()->seed, replay);
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

/* An array of a case: what the host expects it to be in the end, and the device's. */
typedef struct array {
    unsigned char *bytes;
    size_t element, first, all; /* bytes of an element; elements before it; bytes of the buffer */
    clf_array device;
} array;

static array array_open(const by_key_case *c, size_t element, size_t n, size_t k)
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

static void array_check(const by_key_case *c, const array *a, const char *name, size_t k)
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

static bool is_head(const by_key_case *c, gen *random, size_t i)
{
    switch (c->pattern) {
    case BY_KEY_RANDOM:
        return gen_chance(random, c->percent);
    case BY_KEY_ONE:
        return false;
    case BY_KEY_EACH:
        return true;
    case BY_KEY_LONG:
        return gen_below(random, 3 * c->tile + 1) == 0;
    case BY_KEY_STARTS:
        return i % c->tile == 0;
    default:
        return i % c->tile == c->tile - 1;
    }
}

static void generate(const by_key_case *c, const array *in)
{
    const ref_by_key *op = c->key.op;
    union {
        unsigned char bytes[REF_MAX_BYTES];
        cl_ulong16 aligned;
    } x;
    void *arrays[CLF_MAX_FIELDS];
    gen random = gen_seed(the_rig()->seed + c->seed, 1);
    cl_ulong run = 0;
    for (size_t k = 0; k < op->input.count; k++)
        arrays[k] = array_data(&in[k]);
    for (size_t i = 0; i < c->n; i++) {
        run += is_head(c, &random, i);
        op->generate(&random, run, i, &x);
        ref_scatter(&op->input, arrays, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

typedef struct arrays {
    array in[CLF_MAX_FIELDS], out[CLF_MAX_FIELDS], count, actual;
    clf_array in_device[CLF_MAX_FIELDS], out_device[CLF_MAX_FIELDS];
} arrays;

static size_t outputs(const ref_by_key *op)
{
    return op->value.count + op->extra.count;
}

static size_t output_bytes(const ref_by_key *op, size_t k)
{
    return k < op->value.count ? op->value.field[k].bytes : op->extra.field[k - op->value.count].bytes;
}

static void open_arrays(const by_key_case *c, arrays *a)
{
    const ref_by_key *op = c->key.op;
    const size_t room = c->room < c->n ? c->room : c->n;
    for (size_t k = 0; k < op->input.count; k++)
        a->in[k] = array_open(c, op->input.field[k].bytes, c->n, k);
    for (size_t k = 0; k < outputs(op); k++)
        a->out[k] = array_open(c, output_bytes(op, k), room, k + 20);
    a->count = array_open(c, 8, 1, 40);
    a->actual = array_open(c, 8, 1, 41);
    *(cl_ulong *)array_data(&a->actual) = c->actual;
    generate(c, a->in);
    for (size_t k = 0; k < op->input.count; k++) {
        array_send(&a->in[k], c->gated);
        a->in_device[k] = a->in[k].device;
    }
    for (size_t k = 0; k < outputs(op); k++) {
        array_send(&a->out[k], false);
        a->out_device[k] = a->out[k].device;
    }
    array_send(&a->count, false);
    array_send(&a->actual, c->gated);
}

static void send_late(const by_key_case *c, const arrays *a)
{
    for (size_t k = 0; k < c->key.op->input.count; k++)
        rig_write_late(a->in[k].device.buffer, a->in[k].all, a->in[k].bytes);
    rig_write_late(a->actual.device.buffer, a->actual.all, a->actual.bytes);
}

static void check_arrays(const by_key_case *c, arrays *a)
{
    const ref_by_key *op = c->key.op;
    const void *in[CLF_MAX_FIELDS];
    void *out[CLF_MAX_FIELDS];
    for (size_t k = 0; k < op->input.count; k++)
        in[k] = array_data(&a->in[k]);
    for (size_t k = 0; k < outputs(op); k++)
        out[k] = array_data(&a->out[k]);
    const size_t n = c->given && c->actual < c->n ? c->actual : c->n;
    *(cl_ulong *)array_data(&a->count) = ref_by_key_run(op, n, c->room, in, out);
    array_check(c, &a->count, "count", 0);
    for (size_t k = 0; k < outputs(op); k++)
        array_check(c, &a->out[k], "output", k);
    for (size_t k = 0; k < op->input.count; k++)
        array_check(c, &a->in[k], "input", k);
}

static void close_arrays(const by_key_case *c, arrays *a)
{
    for (size_t k = 0; k < c->key.op->input.count; k++)
        array_close(&a->in[k]);
    for (size_t k = 0; k < outputs(c->key.op); k++)
        array_close(&a->out[k]);
    array_close(&a->count);
    array_close(&a->actual);
}

bool by_key_case_run(clf_plan *plan, const by_key_case *test)
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
    const clf_status status = clf_reduce_by_key(plan, &call, test->n, test->room, a.in_device, a.out_device,
                                                &a.count.device);
    if (test->gated)
        send_late(test, &a);
    rig_gate_open(gate);
    if (status == CLF_SUCCESS) {
        assert_ok(clWaitForEvents(1, &event));
        clReleaseEvent(event);
        check_arrays(test, &a);
        if (test->header && call.scratch.buffer)
            rig_read(call.queue, call.scratch.buffer, 16 * sizeof *test->header, test->header);
    } else if (status != CLF_E_UNSUPPORTED) {
        fail_case(test, clf_status_text(status));
    }
    if (call.scratch.buffer)
        clReleaseMemObject(call.scratch.buffer);
    close_arrays(test, &a);
    return status == CLF_SUCCESS;
}

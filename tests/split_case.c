/* SPDX-License-Identifier: MIT */
/* One split, checked. */
#include "split_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

clf_plan *split_plan(const split_key *key, bool from_device)
{
    char taken[RIG_PARAMETERS];
    const clf_plan_options options = {.size = sizeof options, .variant = key->variant,
                                      .parameters = rig_taken("split", key->variant, key->parameters, taken)};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = clf_split_plan(rig_context(key->disable), key->split->clf, key->parts,
                                             from_device ? CLF_FROM_DEVICE : 0, &options, &plan, &error);
    if (rig_lacks(status, key->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s in %u, %s, %s: %d %s\n%s", key->split->name, key->parts,
                  key->variant ? key->variant : "default", key->parameters ? key->parameters : "", status,
                  error.message, error.log);
    return plan;
}

static void fail_case(const split_case *c, const char *what)
{
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg("%s\n    split of %s in %u parts, variant %s, parameters %s, disabled %s\n"
                 "    n %zu (given %d: %zu), pattern %d, period %zu, offset %zu, out of order %d, late %d, scratch %d\n"
                 "    replay: clfold-tests --suite split --seed %llu%s",
                 what, c->key.split->name, c->key.parts, c->key.variant ? c->key.variant : "default",
                 c->key.parameters ? c->key.parameters : "default", c->key.disable ? c->key.disable : "nothing", c->n,
                 c->given, c->actual, (int)c->pattern, c->period, c->offset, c->unordered, c->gated, c->own_scratch,
                 (unsigned long long)the_rig()->seed, replay);
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

/* An array of a case: what the host expects it to be in the end, and the device's. */
typedef struct array {
    unsigned char *bytes;
    size_t element, first, all; /* bytes of an element; elements before it; bytes of the buffer */
    clf_array device;
} array;

static void array_open(const split_case *c, array *a, size_t element, size_t n, size_t k)
{
    gen random = gen_seed(the_rig()->seed + c->seed, 100 + k);
    *a = (array){.element = element, .first = CANARY + c->offset + k};
    a->all = (a->first + n + (c->tight ? 0 : CANARY)) * element;
    a->bytes = malloc(a->all);
    ck_assert_msg(a->bytes != NULL, "out of memory");
    for (size_t i = 0; i < a->all; i++)
        a->bytes[i] = (unsigned char)gen_bits(&random);
}

static void *array_data(const array *a)
{
    return a->bytes + a->first * a->element;
}

static void array_send(array *a, bool late)
{
    a->device = (clf_array){rig_buffer(a->all, late ? NULL : a->bytes), a->first};
}

static void array_check(const split_case *c, const array *a, const char *name, size_t k)
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

static unsigned digit_of(const split_case *c, gen *random, size_t i)
{
    const unsigned parts = c->key.parts, most = c->key.split->most;
    switch (c->pattern) {
    case SPLIT_RANDOM:
        return (unsigned)gen_below(random, parts);
    case SPLIT_BEYOND:
        return (unsigned)gen_below(random, 2 * parts <= most ? 2 * parts : most + 1);
    case SPLIT_ONE:
        return (unsigned)(c->seed % parts);
    case SPLIT_DESCENDING:
        return parts - 1 - (unsigned)(i * parts / c->n);
    default:
        return (unsigned)(i / (c->period ? c->period : 1) * 7 % parts);
    }
}

static void generate(const split_case *c, const array *in)
{
    const ref_split *split = c->key.split;
    union {
        unsigned char bytes[REF_MAX_BYTES];
        cl_ulong16 aligned;
    } x;
    void *arrays[CLF_MAX_FIELDS];
    gen random = gen_seed(the_rig()->seed + c->seed, 1);
    for (size_t k = 0; k < split->input.count; k++)
        arrays[k] = array_data(&in[k]);
    for (size_t i = 0; i < c->n; i++) {
        split->generate(&random, digit_of(c, &random, i), &x);
        ref_scatter(&split->input, arrays, i, &x);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

typedef struct arrays {
    array in[CLF_MAX_FIELDS], out[CLF_MAX_FIELDS], counts, actual;
    clf_array in_device[CLF_MAX_FIELDS], out_device[CLF_MAX_FIELDS];
} arrays;

static void open_arrays(const split_case *c, arrays *a)
{
    const ref_split *split = c->key.split;
    for (size_t k = 0; k < split->input.count; k++)
        array_open(c, &a->in[k], split->input.field[k].bytes, c->n, k);
    for (size_t k = 0; k < split->value.count; k++)
        array_open(c, &a->out[k], split->value.field[k].bytes, c->n, k + 20);
    array_open(c, &a->counts, 8, c->key.parts, 80);
    array_open(c, &a->actual, 8, 1, 81);
    *(cl_ulong *)array_data(&a->actual) = c->actual;
    generate(c, a->in);
    for (size_t k = 0; k < split->input.count; k++) {
        array_send(&a->in[k], c->gated);
        a->in_device[k] = a->in[k].device;
    }
    for (size_t k = 0; k < split->value.count; k++) {
        array_send(&a->out[k], false);
        a->out_device[k] = a->out[k].device;
    }
    array_send(&a->counts, false);
    array_send(&a->actual, c->gated);
}

static void send_late(const split_case *c, const arrays *a)
{
    for (size_t k = 0; k < c->key.split->input.count; k++)
        rig_write_late(a->in[k].device.buffer, a->in[k].all, a->in[k].bytes);
    rig_write_late(a->actual.device.buffer, a->actual.all, a->actual.bytes);
}

static void check_arrays(const split_case *c, arrays *a)
{
    const ref_split *split = c->key.split;
    const void *in[CLF_MAX_FIELDS];
    void *out[CLF_MAX_FIELDS];
    cl_ulong counts[REF_MOST_PARTS];
    for (size_t k = 0; k < split->input.count; k++)
        in[k] = array_data(&a->in[k]);
    for (size_t k = 0; k < split->value.count; k++)
        out[k] = array_data(&a->out[k]);
    ref_split_run(split, c->key.parts, c->given && c->actual < c->n ? c->actual : c->n, in, out, counts);
    if (!c->uncounted)
        memcpy(array_data(&a->counts), counts, c->key.parts * sizeof *counts);
    array_check(c, &a->counts, "counts", 0);
    for (size_t k = 0; k < split->value.count; k++)
        array_check(c, &a->out[k], "output", k);
    for (size_t k = 0; k < split->input.count; k++)
        array_check(c, &a->in[k], "input", k);
}

static void close_arrays(const split_case *c, arrays *a)
{
    for (size_t k = 0; k < c->key.split->input.count; k++)
        array_close(&a->in[k]);
    for (size_t k = 0; k < c->key.split->value.count; k++)
        array_close(&a->out[k]);
    array_close(&a->counts);
    array_close(&a->actual);
}

/* Full of anything. (And Oclgrind 21.10 takes what lies in a buffer beyond the size of a former one for uninitialised,
 * whatever kernels write there, unless the host wrote it first.) */
static clf_array open_scratch(const clf_plan *plan, const split_case *c)
{
    cl_ulong bytes = 0;
    assert_ok(clf_plan_scratch(plan, c->n, 0, &bytes));
    if (!c->own_scratch || bytes == 0)
        return (clf_array){0};
    unsigned char *const data = malloc((size_t)bytes);
    ck_assert_msg(data != NULL, "out of memory");
    memset(data, 0xa5, (size_t)bytes);
    const clf_array scratch = {rig_buffer((size_t)bytes, data), 0};
    free(data);
    return scratch;
}

void split_case_run(clf_plan *plan, const split_case *test)
{
    arrays a;
    cl_event event = NULL;
    open_arrays(test, &a);
    const cl_event gate = rig_gate(test->gated);
    clf_call call = {.size = sizeof call, .queue = test->unordered ? the_rig()->unordered : the_rig()->queue,
                     .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL, .event = &event};
    if (test->given)
        call.actual = a.actual.device;
    call.scratch = open_scratch(plan, test);
    const clf_status status = clf_split(plan, &call, test->n, a.in_device, a.out_device,
                                        test->uncounted ? NULL : &a.counts.device);
    if (test->gated)
        send_late(test, &a);
    rig_gate_open(gate);
    if (status != CLF_SUCCESS)
        fail_case(test, clf_status_text(status));
    assert_ok(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    check_arrays(test, &a);
    if (call.scratch.buffer)
        clReleaseMemObject(call.scratch.buffer);
    close_arrays(test, &a);
}

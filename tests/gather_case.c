/* SPDX-License-Identifier: MIT */
/* One gather or scatter, checked. */
#include "gather_case.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

clf_plan *gather_plan(const gather_key *key, bool from_device)
{
    char taken[RIG_PARAMETERS];
    const clf_plan_options options = {
        .size = sizeof options, .variant = key->variant,
        .parameters = rig_taken(key->scatter ? "scatter" : "gather", key->variant, key->parameters, taken)};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_status status = (key->scatter ? clf_scatter_plan : clf_gather_plan)(
        rig_context(key->disable), key->moved->fields, key->wide ? CLF_ULONG : CLF_UINT,
        from_device ? CLF_FROM_DEVICE : 0, &options, &plan, &error);
    if (rig_lacks(status, key->parameters, &error))
        return NULL;
    ck_assert_msg(status == CLF_SUCCESS, "plan of %s, %s, %s: %d %s\n%s", key->moved->fields,
                  key->variant ? key->variant : "default", key->parameters ? key->parameters : "", status,
                  error.message, error.log);
    return plan;
}

static void fail_case(const gather_case *c, const char *what)
{
    char replay[64] = "";
    if (c->number >= 0)
        snprintf(replay, sizeof replay, " --case %ld", c->number);
    ck_abort_msg("%s\n    %s of %s by indices of %d bits, variant %s, parameters %s, disabled %s\n"
                 "    n %zu, m %zu (given %d: %zu), pattern %d, offset %zu, out of order %d, late %d\n"
                 "    replay: clfold-tests --suite gather --seed %llu%s",
                 what, c->key.scatter ? "scatter" : "gather", c->key.moved->fields, c->key.wide ? 64 : 32,
                 c->key.variant ? c->key.variant : "default", c->key.parameters ? c->key.parameters : "default",
                 c->key.disable ? c->key.disable : "nothing", c->n, c->m, c->given, c->actual, (int)c->pattern,
                 c->offset, c->unordered, c->gated, (unsigned long long)the_rig()->seed, replay);
}

/* ---- Arrays ---------------------------------------------------------------------------------------------------- */

/* An array of a case: what the host expects it to be in the end, and the device's. */
typedef struct array {
    unsigned char *bytes;
    size_t element, first, all; /* bytes of an element; elements before it; bytes of the buffer */
    clf_array device;
} array;

static array array_open(const gather_case *c, size_t element, size_t n, size_t k)
{
    array a = {.element = element, .first = CANARY + c->offset + k};
    gen random = gen_seed(the_rig()->seed + c->seed, 100 + k);
    a.all = (a.first + n + (c->tight ? 0 : CANARY)) * element;
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

static clf_array array_send(array *a, bool late)
{
    a->device = (clf_array){rig_buffer(a->all, late ? NULL : a->bytes), a->first};
    return a->device;
}

static unsigned char *array_read(const gather_case *c, const array *a)
{
    unsigned char *got = malloc(a->all);
    ck_assert_msg(got != NULL, "out of memory");
    rig_read(c->unordered ? the_rig()->unordered : the_rig()->queue, a->device.buffer, a->all, got);
    return got;
}

static void array_compare(const gather_case *c, const array *a, const unsigned char *got, const char *name, size_t k)
{
    char text[128];
    for (size_t i = 0; i < a->all; i++) {
        if (got[i] != a->bytes[i]) {
            snprintf(text, sizeof text, "%s %zu: element %ld, byte %zu is 0x%02x, not 0x%02x", name, k,
                     (long)(i / a->element) - (long)a->first, i % a->element, got[i], a->bytes[i]);
            fail_case(c, text);
        }
    }
}

static void array_close(array *a)
{
    clReleaseMemObject(a->device.buffer);
    free(a->bytes);
}

/* ---- Indices --------------------------------------------------------------------------------------------------- */

static cl_ulong *permuted(const gather_case *c, gen *random)
{
    cl_ulong *list = malloc((c->n + 1) * sizeof *list);
    ck_assert_msg(list != NULL, "out of memory");
    for (size_t i = 0; i < c->n; i++) {
        const size_t k = (size_t)gen_below(random, i + 1);
        list[i] = list[k];
        list[k] = i;
    }
    return list;
}

static cl_ulong outside(const gather_case *c, gen *random)
{
    const cl_ulong some[] = {c->n, c->n + 1, 0xffffffff, c->key.wide ? (cl_ulong)1 << 63 : c->n + 2,
                             gen_bits(random) | 0x80000000u, c->key.wide ? ~(cl_ulong)0 : c->n};
    return gen_chance(random, 33) && c->n ? gen_below(random, c->n) : some[gen_below(random, COUNT(some))];
}

static cl_ulong index_of(const gather_case *c, gen *random, const cl_ulong *list, size_t i)
{
    switch (c->pattern) {
    case GATHER_PERMUTED:
        return i < c->n ? list[i] : i;
    case GATHER_IDENTITY:
        return i;
    case GATHER_REVERSE:
        return (cl_ulong)c->n - 1 - i;
    case GATHER_RANDOM:
        return c->n ? gen_below(random, c->n) : 0;
    case GATHER_EQUAL:
        return c->n / 2;
    default:
        return outside(c, random);
    }
}

/* As the reference takes them, and as the array has them. The caller frees the former. */
static cl_ulong *generate(const gather_case *c, const array *to)
{
    cl_ulong *indices = malloc((c->m + 1) * sizeof *indices);
    gen random = gen_seed(the_rig()->seed + c->seed, 1);
    cl_ulong *list = c->pattern == GATHER_PERMUTED ? permuted(c, &random) : NULL;
    ck_assert_msg(indices != NULL, "out of memory");
    for (size_t i = 0; i < c->m; i++) {
        indices[i] = index_of(c, &random, list, i);
        if (!c->key.wide)
            indices[i] = (cl_uint)indices[i];
        if (c->key.wide)
            ((cl_ulong *)array_data(to))[i] = indices[i];
        else
            ((cl_uint *)array_data(to))[i] = (cl_uint)indices[i];
    }
    free(list);
    return indices;
}

/* ---- Results of scatters --------------------------------------------------------------------------------------- */

/* Is this component of element `at` that of some element that goes there? */
static bool is_candidate(const cl_ulong *indices, size_t m, size_t at, const array *in, size_t byte, size_t bytes,
                         const unsigned char *got)
{
    for (size_t i = 0; i < m; i++)
        if (indices[i] == at &&
            memcmp((const unsigned char *)array_data(in) + i * in->element + byte, got, bytes) == 0)
            return true;
    return false;
}

/* Of elements with several indices the reference has the last; any other will do. Makes `got` what it expects. */
static void allow_candidates(const gather_case *c, const cl_ulong *indices, size_t m, const array *in, const array *out,
                             size_t component, unsigned char *got)
{
    for (size_t i = 0; i < c->n * out->element; i += component) {
        unsigned char *here = got + out->first * out->element + i;
        const unsigned char *expected = (const unsigned char *)array_data(out) + i;
        if (memcmp(here, expected, component) != 0 &&
            is_candidate(indices, m, i / out->element, in, i % out->element, component, here))
            memcpy(here, expected, component);
    }
}

/* ---- A case ---------------------------------------------------------------------------------------------------- */

typedef struct arrays {
    array in[CLF_MAX_FIELDS], out[CLF_MAX_FIELDS], index, actual;
    clf_array in_device[CLF_MAX_FIELDS], out_device[CLF_MAX_FIELDS];
    cl_ulong *indices;
} arrays;

static void open_arrays(const gather_case *c, arrays *a)
{
    const ref_moved *moved = c->key.moved;
    for (size_t k = 0; k < moved->count; k++) {
        a->in[k] = array_open(c, moved->field[k].bytes, c->key.scatter ? c->m : c->n, k);
        a->out[k] = array_open(c, moved->field[k].bytes, c->key.scatter ? c->n : c->m, k + 20);
        a->in_device[k] = array_send(&a->in[k], c->gated);
        a->out_device[k] = array_send(&a->out[k], false);
    }
    a->index = array_open(c, c->key.wide ? 8 : 4, c->m, 40);
    a->indices = generate(c, &a->index);
    array_send(&a->index, c->gated);
    a->actual = array_open(c, 8, 1, 41);
    *(cl_ulong *)array_data(&a->actual) = c->actual;
    array_send(&a->actual, c->gated);
}

static void send_late(const gather_case *c, const arrays *a)
{
    for (size_t k = 0; k < c->key.moved->count; k++)
        rig_write_late(a->in[k].device.buffer, a->in[k].all, a->in[k].bytes);
    rig_write_late(a->index.device.buffer, a->index.all, a->index.bytes);
    rig_write_late(a->actual.device.buffer, a->actual.all, a->actual.bytes);
}

static void check_unchanged(const gather_case *c, const array *a, const char *name, size_t k)
{
    unsigned char *got = array_read(c, a);
    array_compare(c, a, got, name, k);
    free(got);
}

static void check_arrays(const gather_case *c, const arrays *a)
{
    const ref_moved *moved = c->key.moved;
    const size_t m = c->given && c->actual < c->m ? c->actual : c->m;
    for (size_t k = 0; k < moved->count; k++) {
        unsigned char *got = array_read(c, &a->out[k]);
        ref_move(c->key.scatter, moved->field[k].bytes, c->n, m, a->indices, array_data(&a->in[k]),
                 array_data(&a->out[k]));
        if (c->key.scatter)
            allow_candidates(c, a->indices, m, &a->in[k], &a->out[k], moved->field[k].scalar, got);
        array_compare(c, &a->out[k], got, "output", k);
        free(got);
        check_unchanged(c, &a->in[k], "input", k);
    }
    check_unchanged(c, &a->index, "indices", 0);
}

static void close_arrays(const gather_case *c, arrays *a)
{
    for (size_t k = 0; k < c->key.moved->count; k++) {
        array_close(&a->in[k]);
        array_close(&a->out[k]);
    }
    array_close(&a->index);
    array_close(&a->actual);
    free(a->indices);
}

bool gather_case_run(clf_plan *plan, const gather_case *test)
{
    arrays a;
    cl_event event = NULL;
    open_arrays(test, &a);
    const cl_event gate = rig_gate(test->gated);
    clf_call call = {.size = sizeof call, .queue = test->unordered ? the_rig()->unordered : the_rig()->queue,
                     .wait_count = gate ? 1 : 0, .wait = gate ? &gate : NULL, .event = &event};
    if (test->given)
        call.actual = a.actual.device;
    const clf_status status =
        test->key.scatter ? clf_scatter(plan, &call, test->m, test->n, a.in_device, &a.index.device, a.out_device)
                          : clf_gather(plan, &call, test->n, test->m, a.in_device, &a.index.device, a.out_device);
    if (test->gated)
        send_late(test, &a);
    rig_gate_open(gate);
    if (status != CLF_SUCCESS)
        fail_case(test, clf_status_text(status));
    assert_ok(clWaitForEvents(1, &event));
    clReleaseEvent(event);
    check_arrays(test, &a);
    close_arrays(test, &a);
    return true;
}

/* SPDX-License-Identifier: MIT */
/* Calls that are refused. */
#include "refused.h"

#include <stdio.h>

void refused_open(refused *r)
{
    *r = (refused){.queue = the_rig()->queue};
    r->context = RIG_CONTEXT(.notify = rig_listen, .user = &r->told);
}

clf_array refused_array(refused *r, size_t bytes)
{
    ck_assert(r->buffers < REFUSED_BUFFERS);
    r->buffer[r->buffers] = rig_buffer(bytes, NULL);
    return (clf_array){r->buffer[r->buffers++], 0};
}

void refused_close(refused *r)
{
    assert_ok(clFinish(r->queue));
    for (size_t i = 0; i < r->buffers; ++i)
        clReleaseMemObject(r->buffer[i]);
    for (size_t i = 0; i < REFUSED_PLANS; ++i)
        if (r->plan[i])
            clf_plan_release(r->plan[i]);
    clf_context_release(r->context);
}

/* ---- Sorts ----------------------------------------------------------------------------------------------------- */

typedef struct trial {
    refused *r;
    const refused_sort *sort;
    clf_array in[2], out[2], scratch;
    cl_ulong scratch_bytes; /* that 100 elements need */
} trial;

static void refuse(const trial *t, const clf_call *call, cl_ulong n, const clf_array *in, const clf_array *out,
                   clf_status status, const char *sentence)
{
    char text[256];
    snprintf(text, sizeof text, "%s: %s", t->sort->name, sentence);
    rig_expect(&t->r->told, t->sort->call(t->r->plan[0], call, n, in, out), status, text);
}

static void refuse_arrays(const trial *t)
{
    const clf_call *const on = CLF_ON(t->r->queue);
    const clf_array *const in = t->in, *const out = t->out, c = out[0], d = out[1], none = {NULL, 0};
    const clf_array twice[] = {c, c}, half[] = {c, none}, beside[] = {c, {d.buffer, 1}}, behind[] = {{c.buffer, 1}, d};
    const clf_array in_d[] = {in[0], d}, both_first[] = {in[0], in[0]};
    refuse(t, on, 9, NULL, out, CLF_E_ARGUMENT, "in is NULL");
    refuse(t, on, 9, in, NULL, CLF_E_ARGUMENT, "out is NULL");
    refuse(t, on, 9, half, out, CLF_E_ARGUMENT, "in[1].buffer is NULL");
    refuse(t, on, 9, in, half, CLF_E_ARGUMENT, "out[1].buffer is NULL");
    refuse(t, on, 101, in, out, CLF_E_BUFFER, "in[0].buffer ends before element 100");
    refuse(t, on, 100, in, behind, CLF_E_BUFFER, "out[0].buffer ends before element 100");
    refuse(t, on, 9, in, twice, CLF_E_ALIAS, "out[1] overlaps out[0]");
    refuse(t, on, 9, in_d, beside, CLF_E_ALIAS, "out[1] overlaps in[1]");
    refuse(t, on, UINT64_MAX, in, out, CLF_E_OVERFLOW, "the end of in[0] does not fit the address space");
    if (t->sort->in_place)
        refuse(t, on, 9, in, both_first, CLF_E_ALIAS, "out[1] overlaps out[0]");
    else
        refuse(t, on, 9, in, in, CLF_E_ALIAS, "out[0] overlaps in[0]");
}

static void refuse_calls(const trial *t)
{
    static const cl_float initial[2];
    const cl_command_queue q = t->r->queue;
    const clf_array *const in = t->in, *const out = t->out;
    refuse(t, NULL, 9, in, out, CLF_E_ARGUMENT, "call is NULL");
    refuse(t, CLF_ON(NULL), 9, in, out, CLF_E_ARGUMENT, "call->queue is NULL");
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .initial = initial}, 9, in, out, CLF_E_ARGUMENT,
           t->sort->initial);
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .initial_arrays = in}, 9, in, out, CLF_E_ARGUMENT,
           t->sort->initial);
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .actual = out[1]}, 9, in, out, CLF_E_ARGUMENT,
           "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE");
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .out_count = 4}, 9, in, out, CLF_E_ARGUMENT,
           "call->out_count is 4, and the operator has 2 arrays there");
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .in_count = 1}, 9, in, out, CLF_E_ARGUMENT,
           "call->in_count is 1, and the operator has 2 arrays there");
}

/* Not for calls that need none. */
static void refuse_scratch(const trial *t)
{
    const cl_mem buffer = t->scratch.buffer;
    const cl_command_queue q = t->r->queue;
    const clf_array within[] = {t->out[0], t->scratch};
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .scratch = {buffer, 8}}, 100, t->in, t->out,
           CLF_E_SCRATCH, "scratch.offset is no multiple of 16");
    refuse(t, &(clf_call){.size = sizeof(clf_call), .queue = q, .scratch = t->scratch}, 9, t->in, within, CLF_E_ALIAS,
           "call->scratch overlaps out[1]");
    const cl_ulong behind = t->sort->all_scratch ? 32 : t->scratch_bytes / 16 * 16;
    const clf_call late = {.size = sizeof late, .queue = q, .scratch = {buffer, behind}};
    assert_status(t->sort->call(t->r->plan[0], &late, 100, t->in, t->out), CLF_E_SCRATCH);
    t->r->told = (rig_told){0};
}

void refused_check_sort(refused *r, const refused_sort *sort)
{
    trial t = {.r = r, .sort = sort};
    assert_ok(clf_plan_scratch(r->plan[0], 100, 0, &t.scratch_bytes));
    t.scratch = refused_array(r, (size_t)t.scratch_bytes + 16);
    for (size_t k = 0; k < 2; ++k) {
        t.in[k] = refused_array(r, 400);
        t.out[k] = refused_array(r, 400 + 8 * k);
    }
    const unsigned long before = layer_commands();
    refuse_arrays(&t);
    refuse_calls(&t);
    if (t.scratch_bytes > 0)
        refuse_scratch(&t);
    assert_status(sort->call(r->plan[1], CLF_ON(r->queue), 9, t.in, t.out), CLF_E_ARGUMENT);
    assert_status(sort->call(NULL, CLF_ON(r->queue), 9, t.in, t.out), CLF_E_ARGUMENT);
    r->told = (rig_told){0};
    ck_assert_uint_eq(layer_commands(), before);
    assert_ok(sort->call(r->plan[0], CLF_ON(r->queue), 0, NULL, NULL));
    if (sort->in_place)
        assert_ok(sort->call(r->plan[0], &(clf_call){.size = sizeof(clf_call), .queue = r->queue, .scratch = t.scratch},
                             100, t.in, t.in));
}

/* ---- Orders ---------------------------------------------------------------------------------------------------- */

#define ORDER(...) {.size = sizeof(clf_operator), .value = "int v;", .source = BELOW, __VA_ARGS__}
#define BELOW "bool below(clf_input a, clf_input b) { return a.v < b.v; }"
const clf_operator refused_orders[REFUSED_ORDERS] = {
    ORDER(.less = NULL),
    ORDER(.less = "below", .map = "m"),
    ORDER(.less = "below", .input = "int x;"),
    ORDER(.less = "below", .extra = "int x;"),
    ORDER(.less = "below", .combine = "f"),
};

/* ---- Sentences --------------------------------------------------------------------------------------------------- */

void rig_listen(const char *sentence, clf_status status, void *user)
{
    rig_told *told = user;
    ++told->calls;
    told->status = status;
    snprintf(told->sentence, sizeof told->sentence, "%s", sentence);
}

void rig_expect(rig_told *told, clf_status actual, clf_status status, const char *sentence)
{
    assert_status(actual, status);
    ck_assert_str_eq(told->sentence, sentence);
    ck_assert_int_eq(told->calls, *sentence != '\0');
    if (*sentence)
        assert_status(told->status, status);
    *told = (rig_told){0};
}

void rig_refuses(rig_told *told, clf_status actual, clf_status status, const char *call, const char *sentence)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%.*s: %s", (int)strcspn(call, "("), call, sentence);
    rig_expect(told, actual, status, whole);
}

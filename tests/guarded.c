/* SPDX-License-Identifier: MIT */
/* A call with arrays between canaries. */
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CANARY = 64 /* elements on either side */ };

guarded guarded_open(uint64_t seed, size_t element, size_t n, size_t offset, bool tight)
{
    guarded g = {.element = element, .first = CANARY + offset, .n = n};
    gen random = gen_seed(the_rig()->seed, seed);
    g.all = (g.first + n + (tight ? 0 : CANARY)) * element;
    g.bytes = malloc(g.all);
    ck_assert_msg(g.bytes != NULL, "out of memory");
    for (size_t i = 0; i < g.all; i++)
        g.bytes[i] = (unsigned char)gen_bits(&random);
    return g;
}

void guarded_add(guarded_list *list, const char *name, guarded array)
{
    ck_assert(list->count < GUARDED_MOST);
    list->name[list->count] = name;
    list->array[list->count] = array;
    list->data[list->count++] = array.bytes + array.first * array.element;
}

void guarded_replace(guarded_call *g, size_t out, size_t in)
{
    ck_assert(out < g->out.count && in < g->in.count);
    ck_assert(g->out.array[out].element == g->in.array[in].element && g->out.array[out].n <= g->in.array[in].n);
    for (size_t k = 0; k < g->out.count; k++)
        ck_assert_msg(g->out.place[k] != in + 1, "two outputs in one place");
    g->out.place[out] = in + 1;
}

/* ---- The call -------------------------------------------------------------------------------------------------- */

/* An array in the place of another has none: it is one of `places`. */
static void make_buffers(guarded_list *list, const guarded_list *places, bool late)
{
    for (size_t k = 0; k < list->count; k++) {
        guarded *const g = &list->array[k];
        if (list->place[k]) {
            list->device[k] = places->device[list->place[k] - 1];
            continue;
        }
        g->buffer = rig_buffer(g->all, late ? NULL : g->bytes);
        list->device[k] = (clf_array){g->buffer, g->first};
    }
}

/* Full of anything. (And Oclgrind 21.10 takes what lies in a buffer beyond the size of a former one for uninitialised,
 * whatever kernels write there, unless the host wrote it first.) */
static clf_array open_scratch(const clf_plan *plan, cl_ulong n, bool wanted)
{
    cl_ulong bytes = 0;
    assert_ok(clf_plan_scratch(plan, n, 0, &bytes));
    if (!wanted || bytes == 0)
        return (clf_array){0};
    unsigned char *const data = malloc((size_t)bytes);
    ck_assert_msg(data != NULL, "out of memory");
    memset(data, 0xa5, (size_t)bytes);
    const clf_array scratch = {rig_buffer((size_t)bytes, data), 0};
    free(data);
    return scratch;
}

void guarded_begin(guarded_call *g, const clf_plan *plan, cl_ulong n)
{
    make_buffers(&g->in, NULL, g->gated);
    make_buffers(&g->out, &g->in, false);
    g->gate = rig_gate(g->gated);
    g->call = (clf_call){.size = sizeof g->call, .queue = g->unordered ? the_rig()->unordered : the_rig()->queue,
                         .wait_count = g->gate ? 1 : 0, .wait = g->gate ? &g->gate : NULL, .event = &g->event,
                         .scratch = open_scratch(plan, n, g->own_scratch)};
}

void guarded_end(guarded_call *g, clf_status status)
{
    for (size_t k = 0; g->gated && k < g->in.count; k++)
        rig_write_late(g->in.array[k].buffer, g->in.array[k].all, g->in.array[k].bytes);
    rig_gate_open(g->gate);
    if (status != CLF_SUCCESS)
        return;
    assert_ok(clWaitForEvents(1, &g->event));
    clReleaseEvent(g->event);
}

/* ---- Its results ----------------------------------------------------------------------------------------------- */

unsigned char *guarded_read(const guarded_call *g, const guarded *array)
{
    unsigned char *const got = malloc(array->all);
    ck_assert_msg(got != NULL, "out of memory");
    rig_read(g->call.queue, array->buffer, array->all, got);
    return got;
}

static bool is_inside(const guarded *g, size_t i)
{
    return i / g->element >= g->first && i / g->element < g->first + g->n;
}

static bool is_right(const guarded_call *call, const guarded *g, bool anything, const char *name, char *what,
                     size_t bytes)
{
    unsigned char *const got = guarded_read(call, g);
    size_t i = 0;
    while (i < g->all && (got[i] == g->bytes[i] || (anything && is_inside(g, i))))
        i++;
    if (i < g->all)
        snprintf(what, bytes, "%s: element %ld, byte %zu is 0x%02x, not 0x%02x", name,
                 (long)(i / g->element) - (long)g->first, i % g->element, got[i], g->bytes[i]);
    free(got);
    return i == g->all;
}

bool guarded_check(const guarded_call *g, bool anything, char *what, size_t bytes)
{
    char name[64];
    for (size_t k = 0; k < g->out.count + g->in.count; k++) {
        const bool out = k < g->out.count;
        const guarded_list *const list = out ? &g->out : &g->in;
        const size_t at = out ? k : k - g->out.count;
        snprintf(name, sizeof name, "%s, %s[%zu]", list->name[at], out ? "out" : "in", at);
        if (!list->place[at] && !is_right(g, &list->array[at], out && anything, name, what, bytes))
            return false;
    }
    return true;
}

static void close_list(const guarded_list *list)
{
    for (size_t k = 0; k < list->count; k++) {
        if (list->array[k].buffer)
            clReleaseMemObject(list->array[k].buffer);
        free(list->array[k].bytes);
    }
}

void guarded_close(guarded_call *g)
{
    if (g->call.scratch.buffer)
        clReleaseMemObject(g->call.scratch.buffer);
    close_list(&g->in);
    close_list(&g->out);
}

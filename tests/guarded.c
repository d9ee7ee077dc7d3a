/* SPDX-License-Identifier: MIT */
/* A call with arrays between canaries. */
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Elements on either side: 4096 bytes or more, and whole vectors. */
static size_t canary(size_t element)
{
    return (4096 / element / 64 + 1) * 64;
}

guarded guarded_open(uint64_t seed, size_t element, size_t n, size_t offset, bool tight)
{
    guarded g = {.element = element, .first = canary(element) + offset, .n = n};
    gen random = gen_seed(the_rig()->seed, seed);
    g.all = (g.first + n + (tight ? 0 : canary(element))) * element;
    g.bytes = malloc(g.all);
    ck_assert_msg(g.bytes, "out of memory");
    for (size_t i = 0; i < g.all; i += sizeof(uint64_t)) {
        const uint64_t bits = gen_bits(&random);
        memcpy(g.bytes + i, &bits, g.all - i < sizeof bits ? g.all - i : sizeof bits);
    }
    return g;
}

void guarded_add(guarded_list *list, const char *name, guarded array)
{
    ck_assert(list->count < GUARDED_MOST);
    list->name[list->count] = name;
    list->array[list->count] = array;
    list->data[list->count++] = array.bytes + array.first * array.element;
}

void guarded_add_fields(guarded_list *list, const char *name, const ref_layout *layout, uint64_t seed, size_t n,
                        size_t offset, bool tight)
{
    for (size_t k = 0; k < layout->count; ++k)
        guarded_add(list, name,
                    guarded_open(seed + k, layout->field[k].bytes, n, list->aligned ? 0 : offset + k, tight));
}

void guarded_generate(const guarded_list *list, const ref_operator *op, uint64_t seed, size_t n)
{
    gen random = gen_seed(seed, 0);
    for (size_t i = 0; i < n; ++i) {
        _Alignas(REF_ALIGN) unsigned char element[REF_MAX_BYTES];
        op->generate(&random, i, element);
        ref_scatter(&op->input, list->data, i, element);
    }
}

void guarded_add_segments(guarded_list *list, const irregular *segments, const clf_segmentation *how, gen *random,
                          uint64_t seed, size_t offset, bool tight)
{
    const size_t element = irregular_element(how);
    size_t bytes;
    void *const entries = irregular_entries(segments, how, random, &bytes);
    guarded_add(list, "segments", guarded_open(seed, element, bytes / element, list->aligned ? 0 : offset, tight));
    memcpy(list->data[list->count - 1], entries, bytes);
    free(entries);
}

void guarded_add_size(guarded_list *list, uint64_t seed, size_t size, size_t offset, bool tight)
{
    guarded_add(list, "size", guarded_open(seed, sizeof(cl_ulong), 1, offset, tight));
    *(cl_ulong *)list->data[list->count - 1] = size;
    list->size = list->count;
}

/* ---- Circumstances -------------------------------------------------------------------------------------------- */

circumstances circumstances_random(gen *random, long number)
{
    circumstances under = {.seed = (uint64_t)number, .number = number};
    under.offset = (size_t)gen_below(random, 20);
    under.tight = gen_chance(random, 30);
    under.unordered = gen_chance(random, 20);
    under.gated = gen_chance(random, 10);
    under.scratch = (scratch_kind)gen_below(random, 3);
    return under;
}

void circumstances_give(circumstances *under, const size_t *actual, unsigned turn)
{
    if (!actual)
        return;
    under->given = true;
    under->actual = *actual;
    under->gated = turn % 2;
}

size_t circumstances_size(const circumstances *under, size_t most)
{
    return under->given && under->actual < most ? under->actual : most;
}

const char *circumstances_text(const circumstances *under)
{
    static char text[200];
    snprintf(text, sizeof text, "given %d: %zu, offset %zu, tight %d, out of order %d, late %d, scratch %d, data %llu",
             under->given, under->actual, under->offset, under->tight, under->unordered, under->gated,
             (int)under->scratch, (unsigned long long)under->seed);
    return text;
}

guarded_call guarded_under(const circumstances *under)
{
    return (guarded_call){.unordered = under->unordered, .gated = under->gated, .given = under->given,
                          .own = under->scratch};
}

/* ---- Places ---------------------------------------------------------------------------------------------------- */

static bool is_taken(const guarded_call *g, size_t in)
{
    for (size_t k = 0; k < g->out.count; ++k)
        if (g->out.place[k] == in + 1)
            return true;
    return false;
}

/* The first input that is free, of its size, from its own on; of swapped ones the last. */
void guarded_choose_places(guarded_call *g, guarded_place how, uint64_t seed, size_t inputs, size_t first, size_t end)
{
    for (size_t k = first; how != PLACE_APART && k < end; ++k) {
        const guarded *const out = &g->out.array[k];
        const bool moves = !g->out.none[k] && (how != PLACE_PARTLY || (k + seed) % 2 == 0);
        for (size_t j = 0; j < inputs && !g->out.place[k] && moves; ++j) {
            const size_t i = how == PLACE_SWAPPED ? inputs - 1 - j : (j + k) % inputs;
            if (!is_taken(g, i) && g->in.array[i].element == out->element && g->in.array[i].n >= out->n)
                g->out.place[k] = i + 1;
        }
    }
}

void guarded_want(guarded_call *g, cl_ulong wanted, size_t results)
{
    for (size_t k = 0; wanted && k < results; ++k)
        g->out.none[k] = !(wanted >> k & 1);
}

void guarded_place_results(guarded_call *g, size_t results)
{
    for (size_t k = 0; k < g->out.count; ++k)
        if (g->out.place[k])
            memcpy(g->in.data[g->out.place[k] - 1], g->out.data[k], results * g->out.array[k].element);
}

/* ---- The call -------------------------------------------------------------------------------------------------- */

/* An array in the place of another has none: it is one of `places`. */
static void make_buffers(guarded_list *list, const guarded_list *places, bool late)
{
    for (size_t k = 0; k < list->count; ++k) {
        guarded *const g = &list->array[k];
        if (list->place[k])
            list->device[k] = places->device[list->place[k] - 1];
        if (list->place[k] || list->none[k])
            continue;
        g->buffer = rig_buffer(g->all, late ? NULL : g->bytes);
        list->device[k] = (clf_array){g->buffer, g->first};
    }
}

/* (Oclgrind 21.10 takes what lies in a buffer beyond the size of a former one for uninitialised, whatever kernels write
 * there, unless the host wrote it first.) */
static clf_array open_scratch(const clf_plan *plan, cl_ulong n, guarded_call *g)
{
    enum { SEED = 400, ODD = 7 * 16 };
    const guarded *const first = &g->in.array[0];
    cl_ulong bytes = 0;
    if (g->own == SCRATCH_POOL)
        return (clf_array){0};
    assert_ok(clf_plan_scratch(plan, n, g->segments, &bytes));
    g->scratch = guarded_open(SEED, 1, (size_t)bytes, bytes == 0 || g->own == SCRATCH_OWN_OFFSET ? ODD : 0,
                              first->all == (first->first + first->n) * first->element);
    g->scratch.buffer = rig_buffer(g->scratch.all, g->scratch.bytes);
    return (clf_array){g->scratch.buffer, g->scratch.first};
}

void guarded_begin(guarded_call *g, const clf_plan *plan, cl_ulong n)
{
    make_buffers(&g->in, NULL, g->gated);
    make_buffers(&g->out, &g->in, false);
    g->gate = rig_gate(g->gated);
    g->call = (clf_call){.size = sizeof g->call, .queue = g->unordered ? the_rig()->unordered : the_rig()->queue,
                         .wait_count = g->gate ? 1 : 0, .wait = g->gate ? &g->gate : NULL, .event = &g->event,
                         .scratch = open_scratch(plan, n, g)};
    if (g->given)
        g->call.actual = g->in.device[g->in.size - 1];
}

void guarded_end(guarded_call *g, clf_status status)
{
    g->status = status;
    for (size_t k = 0; g->gated && k < g->in.count; ++k)
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
    ck_assert_msg(got, "out of memory");
    rig_read(g->call.queue, array->buffer, array->all, got);
    return got;
}

static bool is_inside(const guarded *g, size_t i)
{
    return i / g->element >= g->first && i / g->element < g->first + g->n;
}

/* Are the bytes of the element that byte i is of as they should be, for numbers? Then i goes behind it. */
static bool is_number(const guarded *g, const unsigned char *got, size_t *i)
{
    const size_t at = *i / g->element * g->element;
    if (!g->real || !is_inside(g, *i) || (g->numbers && !g->numbers[*i / g->element - g->first]) ||
        !ref_same(g->real, g->element, got + at, g->bytes + at))
        return false;
    *i = at + g->element - 1;
    return true;
}

static bool is_right(const guarded_call *call, const guarded *g, bool anything, const char *name, char *what,
                     size_t bytes)
{
    unsigned char *const got = guarded_read(call, g);
    size_t i = 0;
    while (i < g->all && (got[i] == g->bytes[i] || (anything && is_inside(g, i)) || is_number(g, got, &i)))
        ++i;
    if (i < g->all)
        snprintf(what, bytes, "%s: element %ld, byte %zu is 0x%02x, not 0x%02x", name,
                 (long)(i / g->element) - (long)g->first, i % g->element, got[i], g->bytes[i]);
    free(got);
    return i == g->all;
}

bool guarded_check(guarded_call *g, bool anything)
{
    char name[64];
    snprintf(g->what, sizeof g->what, "%s", clf_status_text(g->status));
    if (g->status != CLF_SUCCESS)
        return false;
    for (size_t k = 0; k < g->out.count + g->in.count; ++k) {
        const bool out = k < g->out.count;
        guarded_list *const list = out ? &g->out : &g->in;
        const size_t at = out ? k : k - g->out.count;
        if (g->real == list->array[at].element)
            list->array[at].real = g->real;
        snprintf(name, sizeof name, "%s, %s[%zu]", list->name[at], out ? "out" : "in", at);
        const bool any = out ? anything : at < g->given_up;
        if (!list->place[at] && !list->none[at] && !is_right(g, &list->array[at], any, name, g->what, sizeof g->what))
            return false;
    }
    return !g->scratch.bytes || is_right(g, &g->scratch, true, "scratch", g->what, sizeof g->what);
}

void guarded_header(const guarded_call *g, size_t at, cl_uint header[GUARDED_HEADER])
{
    const size_t bytes = GUARDED_HEADER * sizeof *header;
    memset(header, 0, bytes);
    if (!g->scratch.bytes)
        return;
    cl_uint before[GUARDED_HEADER];
    unsigned char *const got = guarded_read(g, &g->scratch);
    memcpy(before, g->scratch.bytes + g->scratch.first + at, bytes);
    memcpy(header, got + g->scratch.first + at, bytes);
    free(got);
    for (size_t k = 0; k < GUARDED_HEADER; ++k)
        header[k] = header[k] == before[k] ? 0 : header[k];
}

static void close_list(const guarded_list *list)
{
    for (size_t k = 0; k < list->count; ++k) {
        if (list->array[k].buffer)
            clReleaseMemObject(list->array[k].buffer);
        free(list->array[k].bytes);
    }
}

void guarded_close(guarded_call *g)
{
    if (g->scratch.buffer)
        clReleaseMemObject(g->scratch.buffer);
    free(g->scratch.bytes);
    close_list(&g->in);
    close_list(&g->out);
}

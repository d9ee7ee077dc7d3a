/* SPDX-License-Identifier: MIT */
/* An array between canaries. */
#include "guarded.h"

#include <stdio.h>
#include <stdlib.h>

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

void *guarded_data(const guarded *g)
{
    return g->bytes + g->first * g->element;
}

void guarded_send(guarded *g, bool late)
{
    g->device = (clf_array){rig_buffer(g->all, late ? NULL : g->bytes), g->first};
}

void guarded_send_late(const guarded *g)
{
    rig_write_late(g->device.buffer, g->all, g->bytes);
}

static bool is_inside(const guarded *g, size_t i)
{
    return i / g->element >= g->first && i / g->element < g->first + g->n;
}

bool guarded_check(const guarded *g, cl_command_queue queue, bool anything_inside, char *what, size_t bytes)
{
    unsigned char *got = malloc(g->all);
    size_t i = 0;
    ck_assert_msg(got != NULL, "out of memory");
    rig_read(queue, g->device.buffer, g->all, got);
    while (i < g->all && (got[i] == g->bytes[i] || (anything_inside && is_inside(g, i))))
        i++;
    if (i < g->all)
        snprintf(what, bytes, "element %ld, byte %zu is 0x%02x, not 0x%02x", (long)(i / g->element) - (long)g->first,
                 i % g->element, got[i], g->bytes[i]);
    free(got);
    return i == g->all;
}

void guarded_close(guarded *g)
{
    clReleaseMemObject(g->device.buffer);
    free(g->bytes);
}

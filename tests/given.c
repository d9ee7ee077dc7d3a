/* SPDX-License-Identifier: MIT */
#include "given.h"

size_t given_size(const given *g, size_t most)
{
    return g->size && g->actual < most ? g->actual : most;
}

void given_choose_initial(const ref_operator *op, uint64_t seed, void *initial)
{
    gen random = gen_seed(seed, 1);
    _Alignas(REF_ALIGN) unsigned char element[REF_MAX_BYTES], extra[REF_MAX_BYTES];
    op->generate(&random, 50, op->map ? element : initial);
    if (op->map)
        op->map(element, 50, initial, extra);
}

/* A buffer with one element behind `before` others. */
static clf_array array_of(const void *element, size_t bytes, size_t before)
{
    unsigned char data[8 * REF_MAX_BYTES];
    memset(data, 0xa5, sizeof data);
    memcpy(data + before * bytes, element, bytes);
    return (clf_array){rig_buffer((before + 1) * bytes, data), before};
}

void given_open(given_arrays *arrays, const given *g, const ref_layout *value, const void *initial, clf_call *call)
{
    const cl_ulong actual = g->actual;
    *arrays = (given_arrays){0};
    if (g->size)
        call->actual = arrays->actual = array_of(&actual, sizeof actual, 3);
    if (!g->initial || !initial)
        return;
    for (arrays->count = 0; arrays->count < value->count; ++arrays->count) {
        const size_t f = arrays->count;
        const unsigned char *at = (const unsigned char *)initial + value->field[f].offset;
        arrays->initial[f] = array_of(at, value->field[f].bytes, (f + 1) % 4);
    }
    call->initial = NULL;
    call->initial_arrays = arrays->initial;
}

void given_close(given_arrays *arrays)
{
    if (arrays->actual.buffer)
        clReleaseMemObject(arrays->actual.buffer);
    for (size_t f = 0; f < arrays->count; ++f)
        clReleaseMemObject(arrays->initial[f].buffer);
}

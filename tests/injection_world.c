/* SPDX-License-Identifier: MIT */
/* The arrays of the calls that suite `injection` lets fail. */
#include "injection.h"

#include <string.h>

const clf_segmentation world_by_lengths = {sizeof world_by_lengths, CLF_BY_LENGTHS, CLF_UINT};

cl_int world_element(int i)
{
    return i % 7 - 2;
}

cl_int world_sum(int first, int last)
{
    cl_int result = 0;
    for (int i = first; i <= last; ++i)
        result += world_element(i);
    return result;
}

void world_open(world *w)
{
    cl_int in[ELEMENTS];
    cl_uint lengths[ROWS];
    cl_uchar flags[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i) {
        in[i] = world_element(i);
        flags[i] = i % ROW == 0;
    }
    for (int i = 0; i < ROWS; ++i)
        lengths[i] = ROW;
    const cl_buffer_region behind = {4096, sizeof in};
    cl_int status;
    w->whole = rig_buffer(behind.origin + behind.size, NULL);
    w->in.buffer = clCreateSubBuffer(w->whole, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &behind, &status);
    w->in.offset = 0;
    assert_ok(status);
    assert_ok(clEnqueueWriteBuffer(the_rig()->queue, w->in.buffer, CL_TRUE, 0, sizeof in, in, 0, NULL, NULL));
    w->lengths = (clf_array){rig_buffer(sizeof lengths, lengths), 0};
    w->flags = (clf_array){rig_buffer(sizeof flags, flags), 0};
    w->out = (clf_array){rig_buffer(sizeof in, in), 0};
    w->count = (clf_array){rig_buffer(2 * sizeof(cl_ulong), NULL), 0};
}

void world_close(world *w)
{
    const clf_array *const all[] = {&w->in, &w->lengths, &w->flags, &w->out, &w->count};
    for (size_t i = 0; i < COUNT(all); ++i)
        clReleaseMemObject(all[i]->buffer);
    clReleaseMemObject(w->whole);
}

void world_wipe(const world *w)
{
    cl_int out[ELEMENTS];
    for (int i = 0; i < ELEMENTS; ++i)
        out[i] = WORLD_PATTERN;
    assert_ok(clEnqueueWriteBuffer(the_rig()->queue, w->out.buffer, CL_TRUE, 0, sizeof out, out, 0, NULL, NULL));
}

bool world_is_wiped(const world *w)
{
    cl_int out[ELEMENTS];
    rig_read(the_rig()->queue, w->out.buffer, sizeof out, out);
    for (int i = 0; i < ELEMENTS; ++i)
        if (out[i] != WORLD_PATTERN)
            return false;
    return true;
}

bool world_is_right(const world *w, const subject *s)
{
    static cl_int expected[ELEMENTS];
    static const subject *of; /* that they are of: many calls of one follow each other */
    cl_int out[ELEMENTS];
    for (int i = 0; i < ELEMENTS && s != of; ++i)
        expected[i] = i < s->results ? s->expected(i) : WORLD_PATTERN;
    of = s;
    rig_read(the_rig()->queue, w->out.buffer, sizeof out, out);
    return memcmp(out, expected, sizeof out) == 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * One operator's data for the largest case to come: input, room for the expected result, and the buffers on the device.
 * What is expected depends on the primitive, so each fills in `expected` itself.
 */
#include "bench.h"

#include <stdlib.h>

/* Memory here, and as much on the device. */
static void *open_field(const bench_session *session, cl_ulong bytes, clf_array *array)
{
    *array = (clf_array){bench_buffer(session->cl, bytes), 0};
    return bench_alloc((size_t)bytes);
}

static void close_field(void *memory, const clf_array *array)
{
    free(memory);
    clReleaseMemObject(array->buffer);
}

void bench_open_data(bench_data *data)
{
    const bench_operator *op = &data->op;
    bench_session *session = data->session;
    bench_progress("preparing %s of %s, %llu elements", op->name, op->type, (unsigned long long)data->limit);
    for (unsigned i = 0; i < op->inputs; i++)
        data->in[i] = open_field(session, data->limit * op->in_size[i], &data->in_array[i]);
    for (unsigned i = 0; i < op->outputs; i++)
        data->expected[i] = open_field(session, data->results * op->out_size[i], &data->out_array[i]);
    op->fill(op, data->limit, data->in);
    for (unsigned i = 0; i < op->inputs; i++)
        bench_write(session->queue, data->in_array[i].buffer, data->in[i], data->limit * op->in_size[i]);
}

void bench_close_data(bench_data *data)
{
    for (unsigned i = 0; i < data->op.inputs; i++)
        close_field(data->in[i], &data->in_array[i]);
    for (unsigned i = 0; i < data->op.outputs; i++)
        close_field(data->expected[i], &data->out_array[i]);
}

void bench_poison(const bench_data *data, cl_ulong results)
{
    const cl_uchar pattern = 0xA5;
    cl_command_queue queue = data->session->queue;
    for (unsigned i = 0; i < data->op.outputs && results; i++)
        bench_check(clEnqueueFillBuffer(queue, data->out_array[i].buffer, &pattern, 1, 0,
                                        (size_t)(results * data->op.out_size[i]), 0, NULL, NULL), "fill");
    bench_check(clFinish(queue), "clFinish"); /* a peer has a queue of its own */
}

bool bench_is_right(const bench_data *data, cl_ulong results)
{
    cl_command_queue queue = data->session->queue;
    for (unsigned i = 0; i < data->op.outputs; i++)
        if (!bench_same(queue, data->out_array[i].buffer, data->expected[i], results, data->op.out_size[i]))
            return false;
    return true;
}

/* SPDX-License-Identifier: MIT */
/*
 * One operator's data for the largest case to come: input, room for the expected result, and the buffers on the device.
 * What is expected depends on the primitive, so each fills in `expected` itself.
 */
#include "rows/rows.h"

#include <stdlib.h>

/* Memory here, and as much on the device. */
static void *open_field(const bench_session *session, cl_ulong bytes, clf_array *array)
{
    *array = (clf_array){bench_buffer(session->cl, bytes), 0};
    return bench_alloc((size_t)bytes);
}

static void close_field(void *memory, clf_array *array)
{
    free(memory);
    clReleaseMemObject(array->buffer);
    *array = (clf_array){0}; /* the next operator's plans may want fewer results */
}

/* Memory that drivers pin: reading a gigabyte into any other takes many times as long as comparing it. */
enum { STAGING = 1 << 25 };

static void open_staging(bench_data *data)
{
    cl_int status;
    const bench_session *session = data->session;
    data->staging = clCreateBuffer(session->cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, STAGING, NULL, &status);
    bench_check(status, "clCreateBuffer");
    data->staged = clEnqueueMapBuffer(session->queue, data->staging, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, STAGING, 0,
                                      NULL, NULL, &status);
    bench_check(status, "clEnqueueMapBuffer");
}

static void close_staging(bench_data *data)
{
    cl_command_queue queue = data->session->queue;
    bench_check(clEnqueueUnmapMemObject(queue, data->staging, data->staged, 0, NULL, NULL), "clEnqueueUnmapMemObject");
    bench_check(clFinish(queue), "clFinish");
    clReleaseMemObject(data->staging);
}

static cl_ulong input_bytes(const bench_data *data, unsigned input)
{
    const bench_operator *op = &data->op;
    return bench_input_elements(op, input, data->limit, op->columns) * op->in_size[input];
}

static cl_ulong output_bytes(const bench_data *data, unsigned output, cl_ulong n, cl_ulong results)
{
    return bench_output_elements(&data->op, output, n, results) * data->op.out_size[output];
}

void bench_open_data(bench_data *data)
{
    const bench_operator *op = &data->op;
    bench_session *session = data->session;
    bench_progress("preparing %s of %s, %llu elements", op->name, op->type, (unsigned long long)data->limit);
    for (unsigned i = 0; i < op->inputs; ++i)
        data->in[i] = open_field(session, input_bytes(data, i), &data->in_array[i]);
    for (unsigned i = 0; i < op->outputs; ++i)
        data->expected[i] = open_field(session, output_bytes(data, i, data->limit, data->results), &data->out_array[i]);
    open_staging(data);
    if (!op->fill)
        return;
    op->fill(op, data->limit, data->in);
    for (unsigned i = 0; i < op->inputs; ++i)
        bench_write(session->queue, data->in_array[i].buffer, data->in[i], input_bytes(data, i));
}

void bench_close_data(bench_data *data)
{
    close_staging(data);
    for (unsigned i = 0; i < data->op.inputs; ++i)
        close_field(data->in[i], &data->in_array[i]);
    for (unsigned i = 0; i < data->op.outputs; ++i)
        close_field(data->expected[i], &data->out_array[i]);
}

void bench_poison(const bench_data *data, cl_ulong results)
{
    const cl_uchar pattern = BENCH_POISON;
    cl_command_queue queue = data->session->queue;
    for (unsigned i = 0; i < data->op.outputs && results; ++i)
        bench_check(clEnqueueFillBuffer(queue, data->out_array[i].buffer, &pattern, 1, 0,
                                        (size_t)output_bytes(data, i, data->n, results), 0, NULL, NULL),
                    "fill");
    bench_check(clFinish(queue), "clFinish"); /* a peer has a queue of its own */
}

static bool field_is_right(const bench_data *data, unsigned field, cl_ulong results)
{
    const unsigned size = data->op.out_size[field];
    const float within = data->primitive->kind ? data->primitive->kind->within : 0;
    for (cl_ulong done = 0, most = STAGING / size; done < results; done += most) {
        const cl_ulong count = results - done < most ? results - done : most;
        bench_read(data->session->queue, data->out_array[field].buffer, data->staged, done * size, count * size);
        const char *const expected = (const char *)data->expected[field] + done * size;
        if (within > 0 ? !bench_near_floats(data->staged, (const float *)expected, done, count, within)
                       : !bench_same_memory(data->staged, expected, done, count, size))
            return false;
    }
    return true;
}

bool bench_is_right(const bench_data *data, cl_ulong results)
{
    for (unsigned i = 0; i < data->op.outputs; ++i)
        if (!field_is_right(data, i, bench_output_elements(&data->op, i, data->n, results)))
            return false;
    return true;
}

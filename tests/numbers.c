/* SPDX-License-Identifier: MIT */
/* A sum of ints, and queues. */
#include "numbers.h"

#include <string.h>

clf_plan *sum_plan(const char *disable)
{
    return rig_plan(&(plan_key){.op = ref_user(REF_INT_SUM), .disable = disable});
}

void numbers_open(numbers *x, uint64_t stream)
{
    cl_int data[N];
    gen random = gen_seed(the_rig()->seed, stream);
    cl_uint sum = 0;
    for (size_t i = 0; i < N; ++i) {
        data[i] = (cl_int)gen_between(&random, -1000, 1000);
        sum += (cl_uint)data[i];
        x->expected[i] = (cl_int)sum;
    }
    x->in = (clf_array){rig_buffer(sizeof data, data), 0};
    memset(data, 0xa5, sizeof data);
    x->out = (clf_array){rig_buffer(sizeof data, data), 0};
}

void numbers_close(numbers *x)
{
    rig_release(x->in, x->out);
}

bool is_scanned(const numbers *x, cl_command_queue queue)
{
    cl_int result[N];
    clEnqueueReadBuffer(queue, x->out.buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL);
    return memcmp(result, x->expected, sizeof result) == 0;
}

bool is_untouched(const numbers *x, cl_command_queue queue)
{
    cl_int result[N], filler[N];
    memset(filler, 0xa5, sizeof filler);
    clEnqueueReadBuffer(queue, x->out.buffer, CL_TRUE, 0, sizeof result, result, 0, NULL, NULL);
    return memcmp(result, filler, sizeof result) == 0;
}

cl_command_queue new_queue(bool unordered)
{
    cl_int status;
    cl_command_queue_properties properties = unordered ? CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE : 0;
    cl_command_queue queue = clCreateCommandQueue(the_rig()->cl, the_rig()->device, properties, &status);
    if (unordered && status != CL_SUCCESS)
        return new_queue(false);
    assert_ok(status);
    return queue;
}

/* SPDX-License-Identifier: MIT */
/*
 * Device memory and its pinned twin. Drivers copy fastest to and from memory that they have allocated themselves. So
 * the host's part is a buffer (CL_MEM_ALLOC_HOST_PTR), mapped once and used by its address.
 */
#include "distributed/distributed.h"

#include <string.h>

clf_status clf_dist_block_make(clf_dist_block *block, cl_command_queue queue, size_t bytes, bool device, bool host)
{
    cl_context cl;
    cl_int status = clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof cl, &cl, NULL);
    *block = (clf_dist_block){.bytes = bytes};
    if (status == CL_SUCCESS && device)
        block->device = clCreateBuffer(cl, CL_MEM_READ_WRITE, bytes, NULL, &status);
    if (status == CL_SUCCESS && host)
        block->pinned = clCreateBuffer(cl, CL_MEM_READ_WRITE | CL_MEM_ALLOC_HOST_PTR, bytes, NULL, &status);
    if (status == CL_SUCCESS && host)
        block->host = clEnqueueMapBuffer(queue, block->pinned, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0, NULL,
                                         NULL, &status);
    if (status == CL_SUCCESS && host)
        memset(block->host, 0, bytes);
    if (status != CL_SUCCESS)
        clf_dist_block_free(block, queue);
    return status;
}

void clf_dist_block_free(clf_dist_block *block, cl_command_queue queue)
{
    if (block->host && clEnqueueUnmapMemObject(queue, block->pinned, block->host, 0, NULL, NULL) == CL_SUCCESS)
        (void)clFinish(queue);
    if (block->pinned)
        (void)clReleaseMemObject(block->pinned);
    if (block->device)
        (void)clReleaseMemObject(block->device);
    *block = (clf_dist_block){0};
}

clf_status clf_dist_block_write(const clf_dist_block *block, cl_command_queue queue, size_t at, size_t bytes)
{
    return bytes == 0
               ? CLF_SUCCESS
               : clEnqueueWriteBuffer(queue, block->device, CL_FALSE, at, bytes, block->host + at, 0, NULL, NULL);
}

clf_status clf_dist_block_read(const clf_dist_block *block, cl_command_queue queue, size_t at, size_t bytes)
{
    return bytes == 0 ? CLF_SUCCESS
                      : clEnqueueReadBuffer(queue, block->device, CL_FALSE, at, bytes, block->host + at, 0, NULL, NULL);
}

/* SPDX-License-Identifier: MIT */
/*
 * Preloaded by oclgrind.sh. Oclgrind 21.10 takes memory that clEnqueueFillBuffer wrote for uninitialised, and also what
 * clEnqueueWriteBuffer wrote unless it started at the buffer's first byte. So here a fill rewrites the whole buffer.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl.h>

#include <stdlib.h>
#include <string.h>

cl_int clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes,
                           size_t offset, size_t bytes, cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    size_t size = 0;
    cl_int status = clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof size, &size, NULL);
    char *content = status ? NULL : malloc(size);
    if (!content)
        return status ? status : CL_OUT_OF_HOST_MEMORY;
    status = clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, size, content, wait_count, wait, NULL);
    for (size_t i = 0; i < bytes; i += pattern_bytes)
        memcpy(content + offset + i, pattern, pattern_bytes);
    if (!status)
        status = clEnqueueWriteBuffer(queue, buffer, CL_TRUE, 0, size, content, 0, NULL, event);
    free(content);
    return status;
}

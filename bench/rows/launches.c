/* SPDX-License-Identifier: MIT */
/*
 * Counts commands where they are enqueued, so that "launches" is what happened and not what a variant claims:
 * on ELF systems a program's own definition of a function comes before a shared library's, so these stand in
 * front of the OpenCL loader's and pass on to them. Elsewhere nothing is counted.
 */
#if defined(__linux__) && !defined(_GNU_SOURCE)
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#endif
#include "rows/rows.h"

#ifdef __linux__
#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

typedef cl_int (CL_API_CALL *kernel_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *,
                                              const size_t *, const size_t *, cl_uint, const cl_event *,
                                              cl_event *);
typedef cl_int (CL_API_CALL *fill_function)(cl_command_queue, cl_mem, const void *, size_t, size_t, size_t,
                                            cl_uint, const cl_event *, cl_event *);

static atomic_uint launches;
static _Atomic(kernel_function) next_kernel; /* looked up once: a look-up costs a good part of a small launch */
static _Atomic(fill_function) next_fill;

unsigned bench_launches(void)
{
    return atomic_load(&launches);
}

/* The loader's function. ISO C knows no cast from void * to a function pointer: hence the memcpy. */
static void find_next(const char *name, void *function, size_t bytes)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol)
        bench_die("the OpenCL loader has no %s", name);
    memcpy(function, &symbol, bytes);
}

cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                          const size_t *offset, const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    kernel_function next = atomic_load_explicit(&next_kernel, memory_order_relaxed);
    if (!next) {
        find_next("clEnqueueNDRangeKernel", &next, sizeof next);
        atomic_store(&next_kernel, next);
    }
    atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
    return next(queue, kernel, dimensions, offset, global, local, wait_count, wait, event);
}

cl_int CL_API_CALL clEnqueueFillBuffer(cl_command_queue queue, cl_mem buffer, const void *pattern,
                                       size_t pattern_bytes, size_t offset, size_t bytes, cl_uint wait_count,
                                       const cl_event *wait, cl_event *event)
{
    fill_function next = atomic_load_explicit(&next_fill, memory_order_relaxed);
    if (!next) {
        find_next("clEnqueueFillBuffer", &next, sizeof next);
        atomic_store(&next_fill, next);
    }
    atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);
    return next(queue, buffer, pattern, pattern_bytes, offset, bytes, wait_count, wait, event);
}

#else

unsigned bench_launches(void)
{
    return 0;
}

#endif

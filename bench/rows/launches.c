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

static atomic_uint launches;

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

/* It is looked up once: a look-up costs a good part of a small launch. */
#define COUNTED(name, parameters, arguments)                                                \
    cl_int CL_API_CALL name parameters                                                      \
    {                                                                                       \
        typedef cl_int(CL_API_CALL * function) parameters;                                  \
        static _Atomic(function) found;                                                     \
        function next = atomic_load_explicit(&found, memory_order_relaxed);                 \
        if (!next) {                                                                        \
            find_next(#name, &next, sizeof next);                                           \
            atomic_store(&found, next);                                                     \
        }                                                                                   \
        atomic_fetch_add_explicit(&launches, 1, memory_order_relaxed);                      \
        return next arguments;                                                              \
    }

COUNTED(clEnqueueNDRangeKernel,
        (cl_command_queue queue, cl_kernel kernel, cl_uint dimensions, const size_t *offset, const size_t *global,
         const size_t *local, cl_uint wait_count, const cl_event *wait, cl_event *event),
        (queue, kernel, dimensions, offset, global, local, wait_count, wait, event))
COUNTED(clEnqueueFillBuffer,
        (cl_command_queue queue, cl_mem buffer, const void *pattern, size_t pattern_bytes, size_t offset, size_t bytes,
         cl_uint wait_count, const cl_event *wait, cl_event *event),
        (queue, buffer, pattern, pattern_bytes, offset, bytes, wait_count, wait, event))

#else

unsigned bench_launches(void)
{
    return 0;
}

#endif

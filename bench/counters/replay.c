/* SPDX-License-Identifier: MIT */
/*
 * replay: a library to be preloaded into clfold-bench, so that NVIDIA's profiler, which does not see what OpenCL
 * launches, sees its kernels: each is run once more through CUDA, from the program that the driver compiled, with
 * copies of its arguments. counters.sh builds it and calls it; environment variables say what is replayed:
 *
 *   REPLAY_KERNELS   an extended regular expression of kernels' names; default: all
 *   REPLAY_GROUPS    launches of fewer groups are left out; default 1000
 *   REPLAY_TIMES     how many launches of each kernel, the first ones; default 1
 *
 * Not for several threads. Where a replay fails, CUDA's reason is printed to stderr; the OpenCL program goes on all the
 * same.
 */
#define _GNU_SOURCE 1 /* RTLD_NEXT */
#define CL_TARGET_OPENCL_VERSION 120
#include <CL/cl.h>
#include <cuda.h>

#include <dlfcn.h>
#include <regex.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ARGUMENTS = 128, MOST_BYTES = 128, MOST_KERNELS = 1024, MOST_NAMES = 256, MOST_BUFFERS = 1 << 16 };

/* A kernel's arguments, as they were set. */
typedef struct arguments {
    cl_kernel kernel;
    cl_uint count;
    size_t bytes[MOST_ARGUMENTS];
    unsigned char value[MOST_ARGUMENTS][MOST_BYTES];
} arguments;

/* How often a kernel of this name was replayed. */
typedef struct history {
    char name[128];
    int times;
} history;

/* A buffer of OpenCL and its copy in CUDA. */
typedef struct copy {
    cl_mem buffer;
    CUdeviceptr device;
} copy;

static arguments *known[MOST_KERNELS];
static cl_mem buffers[MOST_BUFFERS];
static history histories[MOST_NAMES];
static int known_count, buffer_count, history_count;

/* The loader's function of this name. ISO C knows no cast from void * to a function pointer: hence the memcpy. */
#define FIND_NEXT(function, type) \
    static type next; \
    if (!next) { \
        void *symbol = dlsym(RTLD_NEXT, #function); \
        memcpy(&next, &symbol, sizeof next); \
    }

static arguments *arguments_of(cl_kernel kernel)
{
    for (int i = 0; i < known_count; ++i)
        if (known[i]->kernel == kernel)
            return known[i];
    arguments *a = known_count < MOST_KERNELS ? calloc(1, sizeof *a) : NULL;
    if (!a) {
        fprintf(stderr, "replay: too many kernels\n");
        exit(1);
    }
    a->kernel = kernel;
    known[known_count++] = a;
    return a;
}

/* ---- What is watched ----------------------------------------------------------------------------------- */

typedef cl_mem(CL_API_CALL *create_function)(cl_context, cl_mem_flags, size_t, void *, cl_int *);
cl_mem CL_API_CALL clCreateBuffer(cl_context context, cl_mem_flags flags, size_t bytes, void *host, cl_int *status)
{
    FIND_NEXT(clCreateBuffer, create_function)
    cl_mem buffer = next(context, flags, bytes, host, status);
    if (buffer && buffer_count < MOST_BUFFERS)
        buffers[buffer_count++] = buffer;
    return buffer;
}

typedef cl_int(CL_API_CALL *set_function)(cl_kernel, cl_uint, size_t, const void *);
cl_int CL_API_CALL clSetKernelArg(cl_kernel kernel, cl_uint number, size_t bytes, const void *value)
{
    FIND_NEXT(clSetKernelArg, set_function)
    if (number < MOST_ARGUMENTS && bytes <= MOST_BYTES) {
        arguments *const a = arguments_of(kernel);
        a->bytes[number] = bytes;
        memset(a->value[number], 0, MOST_BYTES);
        if (value)
            memcpy(a->value[number], value, bytes);
        a->count = number < a->count ? a->count : number + 1;
    }
    return next(kernel, number, bytes, value);
}

/* ---- Replaying ----------------------------------------------------------------------------------------- */

static bool done(CUresult result, const char *what)
{
    const char *text = "unknown error";
    if (result == CUDA_SUCCESS)
        return true;
    cuGetErrorString(result, &text);
    fprintf(stderr, "replay: %s: %s\n", what, text);
    return false;
}

static bool is_buffer(cl_mem candidate)
{
    for (int i = buffer_count; i-- > 0;)
        if (buffers[i] == candidate)
            return true;
    return false;
}

/*
 * The PTX of a kernel's program. OpenCL's special registers, which hold offsets of launches, are not set by CUDA: zeros
 * take their place.
 */
static char *ptx_of(cl_kernel kernel)
{
    static const char special[] = "%envreg";
    cl_program program = NULL;
    size_t bytes = 0;
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof bytes, &bytes, NULL);
    char *const ptx = calloc(1, bytes + 1);
    if (!ptx)
        return NULL;
    clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof ptx, &(unsigned char *){(unsigned char *)ptx}, NULL);
    for (char *at = ptx; (at = strstr(at, special));) {
        const size_t length = sizeof special - 1 + strspn(at + sizeof special - 1, "0123456789");
        memset(at, ' ', length);
        *at = '0';
    }
    return ptx;
}

/* The limit of registers that the program was built with, which its PTX does not tell; 0: none. */
static unsigned registers_of(cl_kernel kernel)
{
    static const char option[] = "-cl-nv-maxrregcount=";
    cl_program program = NULL;
    cl_device_id device = NULL;
    char options[1 << 14] = "";
    clGetKernelInfo(kernel, CL_KERNEL_PROGRAM, sizeof program, &program, NULL);
    clGetProgramInfo(program, CL_PROGRAM_DEVICES, sizeof device, &device, NULL);
    clGetProgramBuildInfo(program, device, CL_PROGRAM_BUILD_OPTIONS, sizeof options, options, NULL);
    const char *const at = strstr(options, option);
    return at ? (unsigned)strtoul(at + sizeof option - 1, NULL, 10) : 0;
}

/* Copies the buffer, unless an argument before was the same one. */
static bool copy_buffer(cl_command_queue queue, cl_mem buffer, copy copies[], int *count, CUdeviceptr *device)
{
    size_t bytes = 0;
    for (int i = 0; i < *count; ++i)
        if (copies[i].buffer == buffer) {
            *device = copies[i].device;
            return true;
        }
    clGetMemObjectInfo(buffer, CL_MEM_SIZE, sizeof bytes, &bytes, NULL);
    void *const host = malloc(bytes);
    bool ok = host && clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL) == CL_SUCCESS &&
              done(cuMemAlloc(device, bytes), "memory");
    if (ok) {
        copies[(*count)++] = (copy){buffer, *device};
        ok = done(cuMemcpyHtoD(*device, host, bytes), "copy");
    }
    free(host);
    return ok;
}

static void launch(cl_command_queue queue, arguments *a, CUfunction function, size_t groups, size_t group)
{
    void *pointers[MOST_ARGUMENTS];
    CUdeviceptr devices[MOST_ARGUMENTS];
    copy copies[MOST_ARGUMENTS];
    int count = 0;
    bool ok = true;
    for (cl_uint i = 0; ok && i < a->count; ++i) {
        cl_mem buffer = NULL;
        memcpy(&buffer, a->value[i], sizeof buffer);
        pointers[i] = a->value[i];
        if (a->bytes[i] == sizeof buffer && buffer && is_buffer(buffer)) {
            ok = copy_buffer(queue, buffer, copies, &count, &devices[i]);
            pointers[i] = &devices[i];
        }
    }
    if (ok && done(cuLaunchKernel(function, (unsigned)groups, 1, 1, (unsigned)group, 1, 1, 0, NULL, pointers, NULL),
                   "launch"))
        done(cuCtxSynchronize(), "run");
    for (int i = 0; i < count; ++i)
        cuMemFree(copies[i].device);
}

static bool open_cuda(void)
{
    static CUcontext context;
    CUdevice device;
    if (!context && (!done(cuInit(0), "CUDA") || !done(cuDeviceGet(&device, 0), "device") ||
                     !done(cuDevicePrimaryCtxRetain(&context, device), "context")))
        return false;
    return done(cuCtxSetCurrent(context), "context");
}

static void replay(cl_command_queue queue, cl_kernel kernel, const char *name, size_t groups, size_t group)
{
    char *const ptx = ptx_of(kernel);
    CUmodule module = NULL;
    CUfunction function = NULL;
    int registers = 0, spilled = 0, local = 0;
    const unsigned limit = registers_of(kernel);
    CUjit_option option = CU_JIT_MAX_REGISTERS;
    void *value = (void *)(uintptr_t)limit;
    if (ptx && open_cuda() && done(cuModuleLoadDataEx(&module, ptx, limit > 0, &option, &value), "program") &&
        done(cuModuleGetFunction(&function, module, name), name)) {
        cuFuncGetAttribute(&registers, CU_FUNC_ATTRIBUTE_NUM_REGS, function);
        cuFuncGetAttribute(&spilled, CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES, function);
        cuFuncGetAttribute(&local, CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES, function);
        fprintf(stderr, "replay: %s: %zu groups of %zu, %d registers, %d bytes spilled, %d bytes of local memory\n",
                name, groups, group, registers, spilled, local);
        launch(queue, arguments_of(kernel), function, groups, group);
    }
    if (module)
        cuModuleUnload(module);
    free(ptx);
}

/* ---- What is chosen ------------------------------------------------------------------------------------ */

static long number_of(const char *variable, long otherwise)
{
    const char *const text = getenv(variable);
    return text ? atol(text) : otherwise;
}

static bool is_wanted(const char *name)
{
    static regex_t pattern;
    static bool compiled;
    const char *const text = getenv("REPLAY_KERNELS");
    if (!compiled && regcomp(&pattern, text ? text : ".", REG_EXTENDED | REG_NOSUB) != 0) {
        fprintf(stderr, "replay: bad REPLAY_KERNELS\n");
        exit(1);
    }
    compiled = true;
    return regexec(&pattern, name, 0, NULL, 0) == 0;
}

/* Is this launch one of the first of that kernel? */
static bool is_due(const char *name)
{
    int i = 0;
    while (i < history_count && strcmp(histories[i].name, name) != 0)
        ++i;
    if (i == MOST_NAMES)
        return false;
    if (i == history_count)
        snprintf(histories[history_count++].name, sizeof histories[i].name, "%s", name);
    return histories[i].times++ < number_of("REPLAY_TIMES", 1);
}

typedef cl_int(CL_API_CALL *launch_function)(cl_command_queue, cl_kernel, cl_uint, const size_t *, const size_t *,
                                             const size_t *, cl_uint, const cl_event *, cl_event *);
/* clfold's kernels have one dimension; others are passed on. */
cl_int CL_API_CALL clEnqueueNDRangeKernel(cl_command_queue queue, cl_kernel kernel, cl_uint dimensions,
                                          const size_t *offset, const size_t *global, const size_t *local,
                                          cl_uint wait_count, const cl_event *wait, cl_event *event)
{
    FIND_NEXT(clEnqueueNDRangeKernel, launch_function)
    char name[128] = "";
    const size_t groups = dimensions == 1 && local ? global[0] / local[0] : 0;
    clGetKernelInfo(kernel, CL_KERNEL_FUNCTION_NAME, sizeof name, name, NULL);
    if (groups > 0 && groups >= (size_t)number_of("REPLAY_GROUPS", 1000) && is_wanted(name) && is_due(name)) {
        clFinish(queue);
        replay(queue, kernel, name, groups, local[0]);
    }
    return next(queue, kernel, dimensions, offset, global, local, wait_count, wait, event);
}

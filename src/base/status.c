/* SPDX-License-Identifier: MIT */
/*
 * Statuses, their texts, and the error details that a caller may ask for. One X-macro list per origin, so
 * that a code stands in exactly one place. OpenCL's codes are spelled as numbers: the header in use may be
 * older than the platform that returns one.
 */
#include "base/base.h"

#include <stdio.h>
#include <string.h>
#ifndef _WIN32
#include <sched.h>
#endif

/* clf_status_text has no room for names. */
#define WHICH " (clf_context_options.notify is told which)"
#define OWN_STATUSES(X)                                                                             \
    X(CLF_SUCCESS, "success")                                                                       \
    X(CLF_E_ARGUMENT, "an argument is null, unknown or malformed" WHICH)                            \
    X(CLF_E_CONTEXT, "a queue, buffer or event belongs to another context or device" WHICH)         \
    X(CLF_E_OVERFLOW, "a size in bytes does not fit the address space")                             \
    X(CLF_E_BUFFER, "a buffer is too small, forbids the access, or is an image" WHICH)              \
    X(CLF_E_ALIAS, "arrays overlap in a way that is not allowed" WHICH)                             \
    X(CLF_E_SCRATCH, "the scratch buffer is too small or misaligned")                               \
    X(CLF_E_UNSUPPORTED, "the device cannot do this")                                               \
    X(CLF_E_OPERATOR, "the operator does not compile; the error's log has the compiler's words")    \
    X(CLF_E_LAW, "the operator breaks a law; the error's message has a counterexample")             \
    X(CLF_E_PARAMETER, "a tuning parameter or profile line is unknown or out of range")             \
    X(CLF_E_NO_MEMORY, "the host is out of memory")                                                 \
    X(CLF_E_INTERNAL, "a bug in clfold: please report it")

#define OPENCL_STATUSES(X)                                                                          \
    X(-1, CL_DEVICE_NOT_FOUND, "no such OpenCL device")                                             \
    X(-2, CL_DEVICE_NOT_AVAILABLE, "the device is not available")                                   \
    X(-3, CL_COMPILER_NOT_AVAILABLE, "the platform has no compiler")                                \
    X(-4, CL_MEM_OBJECT_ALLOCATION_FAILURE, "the device is out of memory for a buffer")             \
    X(-5, CL_OUT_OF_RESOURCES, "the device is out of resources")                                    \
    X(-6, CL_OUT_OF_HOST_MEMORY, "the OpenCL platform is out of host memory")                       \
    X(-7, CL_PROFILING_INFO_NOT_AVAILABLE, "the event has no profiling information")                \
    X(-8, CL_MEM_COPY_OVERLAP, "source and destination of a copy overlap")                          \
    X(-9, CL_IMAGE_FORMAT_MISMATCH, "the images differ in format")                                  \
    X(-10, CL_IMAGE_FORMAT_NOT_SUPPORTED, "the image format is not supported")                      \
    X(-11, CL_BUILD_PROGRAM_FAILURE, "a program does not build")                                    \
    X(-12, CL_MAP_FAILURE, "a buffer cannot be mapped")                                             \
    X(-13, CL_MISALIGNED_SUB_BUFFER_OFFSET, "the offset of a sub-buffer is misaligned")             \
    X(-14, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST, "a command in the wait list failed")       \
    X(-15, CL_COMPILE_PROGRAM_FAILURE, "a program does not compile")                                \
    X(-16, CL_LINKER_NOT_AVAILABLE, "the platform has no linker")                                   \
    X(-17, CL_LINK_PROGRAM_FAILURE, "a program does not link")                                      \
    X(-18, CL_DEVICE_PARTITION_FAILED, "the device cannot be partitioned")                          \
    X(-19, CL_KERNEL_ARG_INFO_NOT_AVAILABLE, "the kernel has no argument information")              \
    X(-30, CL_INVALID_VALUE, "a value is invalid")                                                  \
    X(-31, CL_INVALID_DEVICE_TYPE, "the device type is invalid")                                    \
    X(-32, CL_INVALID_PLATFORM, "the platform is invalid")                                          \
    X(-33, CL_INVALID_DEVICE, "the device is invalid")                                              \
    X(-34, CL_INVALID_CONTEXT, "the context is invalid")                                            \
    X(-35, CL_INVALID_QUEUE_PROPERTIES, "the queue properties are invalid")                         \
    X(-36, CL_INVALID_COMMAND_QUEUE, "the command queue is invalid")                                \
    X(-37, CL_INVALID_HOST_PTR, "the host pointer is invalid")                                      \
    X(-38, CL_INVALID_MEM_OBJECT, "the memory object is invalid")                                   \
    X(-39, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR, "the image format is invalid")                       \
    X(-40, CL_INVALID_IMAGE_SIZE, "the image size is invalid")                                      \
    X(-41, CL_INVALID_SAMPLER, "the sampler is invalid")                                            \
    X(-42, CL_INVALID_BINARY, "the program binary is invalid")                                      \
    X(-43, CL_INVALID_BUILD_OPTIONS, "the build options are invalid")                               \
    X(-44, CL_INVALID_PROGRAM, "the program is invalid")                                            \
    X(-45, CL_INVALID_PROGRAM_EXECUTABLE, "the program is not built for the device")                \
    X(-46, CL_INVALID_KERNEL_NAME, "the program has no kernel of this name")                        \
    X(-47, CL_INVALID_KERNEL_DEFINITION, "the kernel differs between devices")                      \
    X(-48, CL_INVALID_KERNEL, "the kernel is invalid")                                              \
    X(-49, CL_INVALID_ARG_INDEX, "the kernel has no argument of this number")                       \
    X(-50, CL_INVALID_ARG_VALUE, "a kernel argument is invalid")                                    \
    X(-51, CL_INVALID_ARG_SIZE, "a kernel argument has the wrong size")                             \
    X(-52, CL_INVALID_KERNEL_ARGS, "a kernel argument is not set")                                  \
    X(-53, CL_INVALID_WORK_DIMENSION, "the number of dimensions is invalid")                        \
    X(-54, CL_INVALID_WORK_GROUP_SIZE, "the work-group size is invalid")                            \
    X(-55, CL_INVALID_WORK_ITEM_SIZE, "the number of work-items is invalid")                        \
    X(-56, CL_INVALID_GLOBAL_OFFSET, "the global offset is invalid")                                \
    X(-57, CL_INVALID_EVENT_WAIT_LIST, "the wait list is invalid")                                  \
    X(-58, CL_INVALID_EVENT, "the event is invalid")                                                \
    X(-59, CL_INVALID_OPERATION, "the operation is invalid")                                        \
    X(-60, CL_INVALID_GL_OBJECT, "the OpenGL object is invalid")                                    \
    X(-61, CL_INVALID_BUFFER_SIZE, "the buffer size is invalid")                                    \
    X(-62, CL_INVALID_MIP_LEVEL, "the mipmap level is invalid")                                     \
    X(-63, CL_INVALID_GLOBAL_WORK_SIZE, "the global work size is invalid")                          \
    X(-64, CL_INVALID_PROPERTY, "a property is invalid")                                            \
    X(-65, CL_INVALID_IMAGE_DESCRIPTOR, "the image descriptor is invalid")                          \
    X(-66, CL_INVALID_COMPILER_OPTIONS, "the compiler options are invalid")                         \
    X(-67, CL_INVALID_LINKER_OPTIONS, "the linker options are invalid")                             \
    X(-68, CL_INVALID_DEVICE_PARTITION_COUNT, "the number of sub-devices is invalid")               \
    X(-69, CL_INVALID_PIPE_SIZE, "the pipe size is invalid")                                        \
    X(-70, CL_INVALID_DEVICE_QUEUE, "the device queue is invalid")                                  \
    X(-71, CL_INVALID_SPEC_ID, "the specialization constant is unknown")                            \
    X(-72, CL_MAX_SIZE_RESTRICTION_EXCEEDED, "a size restriction is exceeded")

#define EXTENSION_STATUSES(X)                                                                       \
    X(-1000, CL_INVALID_GL_SHAREGROUP_REFERENCE_KHR, "the OpenGL share group is invalid")           \
    X(-1001, CL_PLATFORM_NOT_FOUND_KHR, "no OpenCL platform is installed")                          \
    X(-1002, CL_INVALID_D3D10_DEVICE_KHR, "the Direct3D 10 device is invalid")                      \
    X(-1003, CL_INVALID_D3D10_RESOURCE_KHR, "the Direct3D 10 resource is invalid")                  \
    X(-1004, CL_D3D10_RESOURCE_ALREADY_ACQUIRED_KHR, "the Direct3D 10 resource is acquired already")\
    X(-1005, CL_D3D10_RESOURCE_NOT_ACQUIRED_KHR, "the Direct3D 10 resource is not acquired")        \
    X(-1006, CL_INVALID_D3D11_DEVICE_KHR, "the Direct3D 11 device is invalid")                      \
    X(-1007, CL_INVALID_D3D11_RESOURCE_KHR, "the Direct3D 11 resource is invalid")                  \
    X(-1008, CL_D3D11_RESOURCE_ALREADY_ACQUIRED_KHR, "the Direct3D 11 resource is acquired already")\
    X(-1009, CL_D3D11_RESOURCE_NOT_ACQUIRED_KHR, "the Direct3D 11 resource is not acquired")        \
    X(-1057, CL_DEVICE_PARTITION_FAILED_EXT, "the device cannot be partitioned")                    \
    X(-1058, CL_INVALID_PARTITION_COUNT_EXT, "the number of sub-devices is invalid")                \
    X(-1059, CL_INVALID_PARTITION_NAME_EXT, "the partition scheme is invalid")                      \
    X(-1092, CL_EGL_RESOURCE_NOT_ACQUIRED_KHR, "the EGL resource is not acquired")                  \
    X(-1093, CL_INVALID_EGL_OBJECT_KHR, "the EGL object is invalid")                                \
    X(-9999, NVIDIA, "an illegal read or write by a kernel")

unsigned clf_version(void)
{
    return CLFOLD_VERSION_MAJOR * 10000 + CLFOLD_VERSION_MINOR * 100 + CLFOLD_VERSION_PATCH;
}

const char *clf_status_text(clf_status status)
{
#define OWN_CASE(code, text) case code: return text;
#define OPENCL_CASE(code, name, text) case code: return #name ": " text;
    switch (status) {
        OWN_STATUSES(OWN_CASE)
        OPENCL_STATUSES(OPENCL_CASE)
        EXTENSION_STATUSES(OPENCL_CASE)
    }
#undef OWN_CASE
#undef OPENCL_CASE
    return status < 0 ? "an OpenCL status that clfold does not know" : "not a status of clfold";
}

clf_status clf_fail(clf_error *error, clf_status status, const char *format, ...)
{
    if (error && error->size == sizeof *error) {
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(error->message, sizeof error->message, format, arguments);
        va_end(arguments);
        error->status = status;
    }
    return status;
}

clf_status clf_error_reset(clf_error *error)
{
    if (!error)
        return CLF_SUCCESS;
    if (error->size != sizeof *error)
        return CLF_E_ARGUMENT;
    error->status = CLF_SUCCESS;
    error->message[0] = '\0';
    error->log[0] = '\0';
    return CLF_SUCCESS;
}

void clf_lock_acquire(clf_lock *lock)
{
    while (atomic_flag_test_and_set_explicit(&lock->flag, memory_order_acquire)) {
#ifndef _WIN32
        sched_yield(); /* the holder may be waiting for this very core */
#endif
    }
}

void clf_lock_release(clf_lock *lock)
{
    atomic_flag_clear_explicit(&lock->flag, memory_order_release);
}

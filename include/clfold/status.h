/* SPDX-License-Identifier: MIT */
/* Version, status and error: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_STATUS_H
#define CLFOLD_STATUS_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 300
#endif
#ifdef __APPLE__
#include <OpenCL/cl.h>
#else
#include <CL/cl.h>
#endif
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 1. Version, status and error ---------------------------------------------------------------------- */

#define CLFOLD_VERSION_MAJOR 0
#define CLFOLD_VERSION_MINOR 1
#define CLFOLD_VERSION_PATCH 0
#define CLFOLD_VERSION_STRING "0.1.0"

#if defined(_WIN32) && !defined(CLFOLD_STATIC)
#ifdef CLFOLD_BUILDING
#define CLF_API __declspec(dllexport)
#else
#define CLF_API __declspec(dllimport)
#endif
#elif defined(__GNUC__)
#define CLF_API __attribute__((visibility("default")))
#else
#define CLF_API
#endif

/* The version of the library in use, as major * 10000 + minor * 100 + patch. */
CLF_API unsigned clf_version(void);

/*
 * Zero is success. A negative status is OpenCL's own code, passed through unchanged. A positive one is clfold's and
 * never changes its value.
 */
typedef cl_int clf_status;
enum {
    CLF_SUCCESS = 0,
    CLF_E_ARGUMENT = 10,    /* a null pointer, an unknown enumerator or flag, a malformed descriptor */
    CLF_E_CONTEXT = 12,     /* a queue, buffer or event belongs to another cl_context or device */
    CLF_E_OVERFLOW = 14,    /* a size times an element size does not fit the address space */
    CLF_E_BUFFER = 16,      /* a buffer ends too early for the call, or forbids the access; or it is an image */
    CLF_E_ALIAS = 18,       /* arrays overlap in a way other than the allowed "in place", or scratch an array */
    CLF_E_SCRATCH = 20,     /* the scratch buffer is too small or misaligned */
    CLF_E_UNSUPPORTED = 22, /* the device has no such type, or the variant asked for by name cannot do the call */
    CLF_E_OPERATOR = 30,    /* the operator does not compile; clf_error.log has the compiler's messages */
    CLF_E_LAW = 32,         /* the operator breaks a law; clf_error.message has a counterexample (section 19) */
    CLF_E_PARAMETER = 40,   /* a tuning parameter or profile line is unknown or out of range, or not the variant's */
    CLF_E_NO_MEMORY = 50,   /* the host is out of memory */
    CLF_E_INTERNAL = 90     /* a bug in clfold: please report it */
};

/* A sentence for any status, OpenCL's codes included. Never NULL; static storage. */
CLF_API const char *clf_status_text(clf_status status);

/*
 * Details of a failure, filled by functions that compile. Owned by the caller, who first sets `size` to
 * sizeof(clf_error). `log` is the OpenCL compiler's build log (its start, if it is long). It reports lines of the
 * caller's source as operator.cl:LINE, counted from the first line of clf_operator.source. A function that is missing
 * from the source, or has another shape, is an error at clf_operator.combine (neutral, map …), and the message names
 * it; for joined operators only the log does.
 */
typedef struct clf_error {
    size_t size;
    clf_status status;
    char message[256]; /* one sentence: what failed, and on what */
    char log[4096];
} clf_error;

#ifdef __cplusplus
}
#endif
#endif

/* SPDX-License-Identifier: MIT */
/*
 * Another library doing the same job, for comparison. The benchmark asks `open` for a job, tells it a shape, calls it
 * once, fetches and checks the result, then times call and wait exactly as it times clfold; and so for every
 * shape. C and C++; no OpenCL header needed.
 */
#ifndef CLFOLD_PEER_H
#define CLFOLD_PEER_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct peer_job {
    const char *primitive, *op, *type; /* words of the command line */
    int exclusive;
    uint64_t n, results;      /* elements of the input and of the result, at most */
    unsigned kept;            /* filter: values whose low seven bits are below this are kept */
    uint64_t bins;            /* histograms: so many, told by the first field */
    const uint32_t *indices;  /* gather, scatter: filled anew for each shape */
    unsigned inputs, outputs; /* fields */
    void *const *in;          /* the input on the host, one array per field */
    /* For peers on OpenCL: cl_context, cl_device_id, cl_command_queue, and cl_mem of the first field. */
    void *context, *device, *queue, *in_buffer, *out_buffer;
} peer_job;

typedef struct peer {
    const char *name;
    void *(*open)(const peer_job *job); /* NULL: this peer does not do that */
    /* Of the calls to come: `count` segments of `size` elements. 0: this peer does not do that. */
    int (*shape)(void *state, uint64_t count, uint64_t size);
    void (*call)(void *state);                    /* starts one */
    void (*copy)(void *state);                    /* starts copying as many bytes; the pointer may be NULL */
    void (*wait)(void *state);                    /* until all that were started are done */
    void (*fetch)(void *state, void *const *out); /* the result, one array per field */
    void (*close)(void *state);
    uint64_t (*moved)(void *state); /* bytes that the last call's kernels read and wrote; the pointer may be NULL */
    int by_name;                    /* not among "all": slow, or no library */
    const char *(*version)(void);   /* of the library; the pointer, and what it returns, may be NULL */
} peer;

/* Those that were built in; ends with NULL. */
extern const peer *const peer_list[];

extern const peer peer_std_serial, peer_std_par, peer_openmp, peer_boost_compute, peer_cub;
extern const peer peer_vqsort, peer_pyopencl, peer_numpy;
extern const peer peer_gems39, peer_hillis_steele, peer_blelloch;
extern const peer peer_contraction, peer_interleaved, peer_by_warps, peer_halves;

#ifdef __cplusplus
}
#endif
#endif

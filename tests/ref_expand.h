/* SPDX-License-Identifier: MIT */
/* What expansions do, and operators for them, each in C and in OpenCL C: every size of element, tuples, no captured. */
#ifndef CLFOLD_TESTS_REF_EXPAND_H
#define CLFOLD_TESTS_REF_EXPAND_H

#include "ref.h"

enum { REF_EXPAND_UINT, REF_EXPAND_COUNT = 10 };

/* Values are made of a number below 2^16: field f is that plus f, in each component. */
typedef struct ref_expand {
    const char *name;
    bool captured; /* a uint for each segment, which counts in */
    const clf_operator *clf;
    size_t fields;
    struct {
        size_t width;
        clf_type type;
    } field[4];
} ref_expand;

const ref_expand *ref_expand_of(int which);
size_t ref_expand_bytes(const ref_expand *op, size_t field);

/* Segments of these lengths; results from `room` on are dropped. Returns how many there are. */
cl_ulong ref_expand_run(const ref_expand *op, size_t count, const size_t *lengths, size_t room, const cl_uint *captured,
                        void *const *out);

#endif

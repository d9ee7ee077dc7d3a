/* SPDX-License-Identifier: MIT */
/*
 * values: arrays in scratch for the values of n elements, one for each field: of sorts and top-k, which need a place
 * beside the caller's outputs.
 */
#include "primitives/primitives.h"

enum { ALIGNED = 128 /* bytes: fields of any size begin there */ };

cl_ulong clf_values_bytes(const clf_fields *fields, cl_ulong n)
{
    cl_ulong bytes = 0;
    for (cl_uint i = 0; n > 0 && i < fields->count; ++i)
        bytes += clf_scratch_round(n * fields->field[i].bytes) + ALIGNED;
    return bytes;
}

void clf_values_place(const clf_fields *fields, cl_ulong n, cl_mem scratch, cl_ulong at, clf_array *values)
{
    for (cl_uint i = 0; i < fields->count; ++i) {
        const cl_uint bytes = fields->field[i].bytes;
        at = clf_ceiling(at, ALIGNED) * ALIGNED;
        values[i] = (clf_array){scratch, at / bytes};
        at += n * bytes;
    }
}

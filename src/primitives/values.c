/* SPDX-License-Identifier: MIT */
/*
 * values: arrays in scratch for the values of n elements, one for each field: of sorts and top-k, which need a place
 * beside the caller's outputs; or where sorts may overwrite them, the inputs instead.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { ALIGNED = 128 /* bytes: fields of any size begin there */ };

cl_ulong clf_values_bytes(const clf_fields *fields, cl_ulong n)
{
    cl_ulong bytes = 0;
    for (cl_uint i = 0; n > 0 && i < fields->count; ++i)
        bytes += clf_scratch_for(n, fields->field[i].bytes) + ALIGNED;
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

/* ---- Sorts --------------------------------------------------------------------------------------------- */

clf_status clf_overwriting_check(const clf_operator *op, unsigned flags, clf_error *error)
{
    if (!(flags & CLF_OVERWRITE_INPUT) || !op || op->size != sizeof *op || !op->map)
        return CLF_SUCCESS; /* or refused by what all plans check */
    CLF_TRY(clf_error_reset(error));
    return clf_fail(error, CLF_E_ARGUMENT, "CLF_OVERWRITE_INPUT: inputs must be the values that are sorted, "
                    "and there is a map");
}

cl_ulong clf_spare_bytes(unsigned flags, const clf_fields *value, cl_ulong n)
{
    return flags & CLF_OVERWRITE_INPUT ? 0 : clf_values_bytes(value, n);
}

void clf_spare_place(unsigned flags, const clf_fields *value, cl_ulong n, const clf_array *in, cl_mem scratch,
                     cl_ulong at, clf_array *spare)
{
    if (flags & CLF_OVERWRITE_INPUT)
        memcpy(spare, in, value->count * sizeof *spare);
    else
        clf_values_place(value, n, scratch, at, spare);
}

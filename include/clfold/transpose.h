/* SPDX-License-Identifier: MIT */
/* Transpose: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_TRANSPOSE_H
#define CLFOLD_TRANSPOSE_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 9. Transpose ------------------------------------------------------------------------------------ */

/*
 * Compiles a transposition of matrices of elements of 1 to 16 bytes: any type of that size, scalars and structs
 * alike. `options` and `error` may be NULL.
 *
 * Each call takes the variant that suits its shape:
 *
 *   - "tile": tiles through local memory, in whole words however rows are aligned
 *   - "packed": the same for elements of 1 or 2 bytes in rows of whole aligned words, also few of them
 *   - "thin": few rows or few columns, whole ones, so that no work-item idles
 *   - "small": several matrices in a work-group
 *   - "cpu"
 *
 * Matrices of one row or one column are copied. All variants read and write each element once. Neighbouring work-items
 * access neighbouring words on both sides, whatever the sizes and offsets.
 */
CLF_API clf_status clf_transpose_plan(clf_context *context, size_t element_bytes, const clf_plan_options *options,
                                      clf_plan **plan, clf_error *error);

/*
 * Enqueues the transposition of `batch` matrices of [rows][columns] elements, one after the other: out[b][c][r] =
 * in[b][r][c]. Offsets count elements. No scratch is needed.
 *
 * The arrays must not overlap (CLF_E_ALIAS), with one exception. A matrix of one row or one column has the same layout
 * as its transpose, so there `out` may be exactly `in`.
 */
CLF_API clf_status clf_transpose(clf_plan *plan, const clf_call *call, cl_ulong batch, cl_ulong rows, cl_ulong columns,
                                 const clf_array *in, const clf_array *out);

/* The variant that such a call takes with offsets of 0, or "copy"; NULL if this is no such plan. */
CLF_API const char *clf_transpose_variant(const clf_plan *plan, cl_ulong batch, cl_ulong rows, cl_ulong columns);

#ifdef __cplusplus
}
#endif
#endif

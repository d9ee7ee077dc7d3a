/* SPDX-License-Identifier: MIT */
/* Gather and scatter: a part of clfold.h, which says how every call behaves. */
#ifndef CLFOLD_GATHER_H
#define CLFOLD_GATHER_H

#include <clfold/plan.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- 16. Gather and scatter ---------------------------------------------------------------------------- */

/*
 * Compiles a gather or a scatter. A gather reads where an array of indices points; a scatter writes there. There is no
 * operator: `fields` lists the fields of an element as in clf_operator, "float x; int y;". One call moves all of them.
 * Indices are of `index_type`, CLF_UINT or CLF_ULONG. `flags` is 0 or CLF_FROM_DEVICE. `options` and `error` may be
 * NULL.
 *
 * Variants: "direct", and "cpu". Both read indices and elements once, in one launch. "direct" accesses the indices, and
 * the array that is not indexed, coalesced. It has several indexed loads in flight at a time.
 */
CLF_API clf_status clf_gather_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);
CLF_API clf_status clf_scatter_plan(clf_context *context, const char *fields, clf_type index_type, unsigned flags,
                                    const clf_plan_options *options, clf_plan **plan, clf_error *error);

/*
 * Enqueues out[i] = in[indices[i]] for each i < m.
 *
 * n         elements of `in`. An index that is not below n is ignored: out[i] is not modified
 * in, out   one array of n, and one of m elements per field
 * indices   m of the plan's type; any may occur any number of times
 * call      how it runs. With CLF_FROM_DEVICE the number of indices may lie on the device (call->actual), where for
 *           example a filter wrote it: m is then the maximum
 *
 * No output overlaps an input or the indices (CLF_E_ALIAS), but inputs and indices may overlap each other. There is no
 * initial value, and no scratch is needed. Arrays of zero elements are ignored.
 */
CLF_API clf_status clf_gather(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong m, const clf_array *in,
                              const clf_array *indices, const clf_array *out);

/*
 * Enqueues out[indices[i]] = in[i] for each i < m, the scatter of Futhark.
 *
 * n         elements of `out`. An index that is not below n is ignored: nothing is written for it. So an index of ~0
 *           skips an element. Elements of `out` without an index are not modified
 * in, out   one array of m, and one of n elements per field
 *
 * If several indices are equal, it is unspecified which of their elements is written. The choice may differ for each
 * field, and each component of a vector or array: the result may mix several elements. Everything else is as in
 * clf_gather.
 */
CLF_API clf_status clf_scatter(clf_plan *plan, const clf_call *call, cl_ulong m, cl_ulong n, const clf_array *in,
                               const clf_array *indices, const clf_array *out);

#ifdef __cplusplus
}
#endif
#endif

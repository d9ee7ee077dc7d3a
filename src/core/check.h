/* SPDX-License-Identifier: MIT */
/*
 * check.c: the arguments of a call, before anything is enqueued.
 */
#ifndef CLF_CHECK_H
#define CLF_CHECK_H

#include "probe/probe.h"

enum { CLF_MAX_SETS = 3 }; /* clf_operator_copy.in_sets, .out_sets */

/* The role of an array in a call. */
typedef enum clf_span_role {
    CLF_SPAN_IN, CLF_SPAN_CAPTURED, CLF_SPAN_VALUE, CLF_SPAN_EXTRA, CLF_SPAN_INITIAL, CLF_SPAN_SEGMENTS,
    CLF_SPAN_INDICES, CLF_SPAN_EDGES, CLF_SPAN_LOW_AND_HIGH, CLF_SPAN_BEGIN_AND_WIDTH, CLF_SPAN_ACTUAL,
    CLF_SPAN_RESULT_COUNT, CLF_SPAN_SCRATCH
} clf_span_role;

/* The bytes that an array occupies in the buffer that owns the memory. */
typedef struct clf_span {
    clf_span_role role;
    cl_uint index; /* among the arguments `in` or `out` */
    cl_mem owner;
    cl_ulong begin, end;
    cl_uint element;
    bool replaced; /* of an input: some output takes its place */
} clf_span;

/* A call, and the arrays of it that have been checked. */
typedef struct clf_check {
    clf_context *context;
    const char *call;  /* "clf_scan" */
    bool values_apart; /* values may not take the place of inputs */
    bool extra_apart;  /* nor extra outputs, of which there are as many as values */
    bool values_fewer; /* values that take the place of an input may end before it */
    bool overwrites;   /* inputs are written, too (CLF_OVERWRITE_INPUT): nothing may take their place */
    bool in_place;     /* some output takes the place of an input */
    cl_uint count;
    clf_span span[(CLF_MAX_SETS + CLF_MAX_SETS + 3) * CLF_MAX_FIELDS + 4];
} clf_check;

/* Reports "CALL: sentence" to the context's callback, and returns `status`. Every refused argument ends here. */
clf_status clf_refuse(const clf_check *check, clf_status status, const char *format, ...) CLF_PRINTF(3, 4);
/* The same for a plan, or NULL, that is not of the call's primitive. */
clf_status clf_refuse_plan(const clf_plan *plan, const char *call);
/* Begins the check of a call: it is well-formed, and fits context and operator; …_in: outputs are not checked. */
clf_status clf_check_begin(clf_check *check, clf_context *context, const char *name, const clf_operator_copy *op,
                           const clf_call *call);
clf_status clf_check_begin_in(clf_check *check, clf_context *context, const char *name, const clf_operator_copy *op,
                              const clf_call *call);
clf_status clf_check_wait_list(const clf_check *check, cl_uint wait_count, const cl_event *wait);
/*
 * Checks buffers, sizes, contexts and overlaps as clf_scan documents; may set in_place. Input set s has n_in[s]
 * elements, value set s n_out[s]; extra outputs have n_in[0]. Arrays of zero elements are ignored.
 */
clf_status clf_check_arrays(clf_check *check, const clf_operator_copy *op, const cl_ulong *n_in, const cl_ulong *n_out,
                            const clf_array *in, const clf_array *out);
/* The number of elements of so many rows; refused if 64 bits cannot count these. */
clf_status clf_rows_elements(const clf_check *check, cl_ulong count, cl_ulong size, cl_ulong *n);
/* Checks the size and the initial value on the device, if the plan's flags allow them. */
clf_status clf_check_given(clf_check *check, const clf_operator_copy *op, unsigned flags, const clf_call *call);
/* Refuses an initial value. `what` has none: "merge". */
clf_status clf_check_no_initial(const clf_check *check, const clf_call *call, const char *what);
/* An array that is read, of any role but CAPTURED: so many entries of so many bytes. */
clf_status clf_check_entries(clf_check *check, clf_span_role role, const clf_array *array, cl_uint bytes, cl_ulong n);
/* So many cl_ulongs that are written; the only output, n elements of `bytes` bytes; how many the caller means. */
clf_status clf_check_result_count(clf_check *check, const clf_array *result_count, cl_ulong count);
clf_status clf_check_out(clf_check *check, const clf_array *out, cl_uint bytes, cl_ulong n);
clf_status clf_check_out_count(const clf_check *check, const clf_call *call, cl_uint needed);
clf_status clf_check_scratch(clf_check *check, const clf_array *scratch, cl_ulong bytes); /* the caller's; goes last */
/* Do the arrays of these fields begin at multiples of 16 bytes, judged by their offsets? */
bool clf_arrays_aligned(const clf_fields *fields, const clf_array *array);

#endif

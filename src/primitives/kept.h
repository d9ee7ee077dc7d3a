/* SPDX-License-Identifier: MIT */
/*
 * kept: the plans of one-call functions, and what these functions share.
 */
#ifndef CLF_KEPT_H
#define CLF_KEPT_H

#include "core/core.h"

/* What a plan is for. */
typedef enum clf_kept_kind {
    CLF_KEPT_SCAN, CLF_KEPT_ROWS_SCAN, CLF_KEPT_SEGMENTS_SCAN, CLF_KEPT_REDUCE, CLF_KEPT_SEGMENTS_REDUCE,
    CLF_KEPT_ARGMIN, CLF_KEPT_ARGMAX, CLF_KEPT_ROWS_ARGMIN, CLF_KEPT_ROWS_ARGMAX, CLF_KEPT_SEGMENTS_ARGMIN,
    CLF_KEPT_SEGMENTS_ARGMAX, CLF_KEPT_FILTER, CLF_KEPT_UNIQUE, CLF_KEPT_RUN_LENGTHS, CLF_KEPT_SORT,
    CLF_KEPT_SORT_PAIRS, CLF_KEPT_ARGSORT, CLF_KEPT_ROWS_SORT, CLF_KEPT_SEGMENTS_SORT, CLF_KEPT_TOP_K,
    CLF_KEPT_ARG_TOP_K, CLF_KEPT_ROWS_ARG_TOP_K, CLF_KEPT_GROUP_SORT, CLF_KEPT_GROUP_BY, CLF_KEPT_COUNT_SORT,
    CLF_KEPT_GROUP_COUNTS, CLF_KEPT_SHUFFLE, CLF_KEPT_PERMUTATION, CLF_KEPT_HISTOGRAM, CLF_KEPT_HISTOGRAM_EVEN,
    CLF_KEPT_HISTOGRAM_EDGES, CLF_KEPT_HISTOGRAM_RANGE, CLF_KEPT_TRANSPOSE, CLF_KEPT_REPEAT
} clf_kept_kind;

/* A plan: two of which any of these differ are two plans. What a kind has no use for is 0. */
typedef struct clf_wanted {
    clf_kept_kind kind;
    clf_op op;
    clf_type type, other; /* other: of values, indices or offsets beside elements of `type` */
    unsigned flags;       /* of the plan, CLF_FROM_DEVICE apart */
    size_t bytes;         /* of an element that has no type, up to 16; or what else tells plans apart */
} clf_wanted;
typedef clf_status (*clf_wanted_compile)(clf_context *context, const clf_wanted *wanted, clf_plan **plan,
                                         clf_error *error);

/*
 * The context's plan of the kind, which is compiled where there is none yet. The call, `name`, takes sizes and initial
 * values from the device if it says so, and then the plan has CLF_FROM_DEVICE; a `call` of NULL never does.
 */
clf_status clf_kept_plan(clf_context *context, const char *name, const clf_call *call, const clf_wanted *wanted,
                         clf_wanted_compile compile, clf_plan **plan);
/* That plan's call: refusals name the function that was called, and not the primitive. */
clf_status clf_kept_call(clf_context *context, const char *name, const clf_call *call, const clf_wanted *wanted,
                         clf_wanted_compile compile, clf_task *task);
/* Refuses a call before there is a plan. The context may be NULL: then there is nobody to tell. */
clf_status clf_kept_refuse(clf_context *context, const char *name, clf_status status, const char *why);
/* Refuses a type that there is not, or an operator that does not exist on it; */
clf_status clf_kept_check_operator(clf_context *context, const char *name, clf_op op, clf_type type);
/*
 * a type of indices or offsets, named `what`, that is neither CLF_UINT nor CLF_ULONG, or that does not tell so
 * many numbers apart;
 */
clf_status clf_kept_check_index(clf_context *context, const char *name, const char *what, clf_type type,
                                cl_ulong numbers);
/* and flags other than those of orders. */
clf_status clf_kept_check_order(clf_context *context, const char *name, unsigned flags);
/* Segments by offsets of a type. */
clf_segmentation clf_kept_offsets(clf_type type);
/* What a source with NUMBER(x) begins with: that is the number of an element x of the type, which compares as it. */
#define CLF_NUMBERS(type) ((type) == CLF_BFLOAT16 ? "#define NUMBER clf_widen\n" : "#define NUMBER\n")
/* The plan for elements of so many bytes, 1 to 16. */
clf_status clf_kept_transpose(clf_context *context, const char *name, size_t element_bytes, clf_plan **plan);

/* ---- placed.c: elements with their indices --------------------------------------------------------------- */

/*
 * An operator whose map makes of an element "TYPE v; INDEX at;", v the element and at its index, of the whole array, or
 * of its row: then the input is the captured array, too. And the texts that it points to.
 */
typedef struct clf_placed {
    char value[48], input[32], captured[32], source[400];
    clf_operator op;
} clf_placed;
const clf_operator *clf_placed_operator(clf_placed *placed, clf_type type, clf_type index_type, bool rows);
/* The caller's call for rows, in which one input counts as both; `copy` is used for that. */
const clf_call *clf_placed_call(const clf_call *call, clf_call *copy);

#endif

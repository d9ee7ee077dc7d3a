/* SPDX-License-Identifier: MIT */
/*
 * laws: what clf_operator_check tries, and what it says. For laws.c, and tests of it.
 */
#ifndef CLF_LAWS_H
#define CLF_LAWS_H

#include "core/core.h"

/* ---- candidates.c: elements that are tried ------------------------------------------------------------- */

typedef struct clf_candidates {
    bool maps;                /* the map is called: elements are inputs */
    const clf_fields *fields; /* of elements: of inputs, or of values */
    cl_uint elements, values; /* the values are the elements, or what the map makes of these, and further ones */
    unsigned char *data[CLF_MAX_FIELDS]; /* malloc'ed: an array for each field */
} clf_candidates;
/* The simplest first; to be closed, whether it fails or not. */
clf_status clf_candidates_open(clf_candidates *c, const clf_operator_copy *op, const clf_laws_options *options,
                               clf_error *error);
void clf_candidates_close(clf_candidates *c);

/* ---- subject.c: an operator's program, arrays and queue ------------------------------------------------- */

enum { CLF_SUBJECT_KERNELS = 3 };
typedef struct clf_subject {
    clf_context *context;
    clf_operator_copy op;
    cl_program program;
    clf_kernel_pool kernels[CLF_SUBJECT_KERNELS];
    cl_command_queue queue;
    clf_check check;
    clf_chain chain;
    clf_arguments arguments; /* one array and two numbers besides */
    clf_array in[2 * CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS];
} clf_subject;
/* Context and operator are set, all else is 0; `captured` are the caller's, or NULL. To be closed, whatever fails. */
clf_status clf_subject_compile(clf_subject *s, const clf_entry *entry, const clf_array *captured, clf_error *error);
clf_status clf_subject_open(clf_subject *s);
clf_status clf_subject_array(const clf_subject *s, cl_uint count, cl_uint bytes, clf_array *array);
clf_status clf_subject_launch(clf_subject *s, cl_uint kernel, cl_ulong count, cl_uint size);
void clf_subject_close(clf_subject *s);
/* What its source sees besides what its program calls: captured arrays, and results. */
clf_status clf_subject_declare(clf_subject *s, const clf_operator *op, clf_error *error);
void clf_subject_write(clf_text *text, const clf_operator_copy *op);
static inline clf_status clf_laws_fail(clf_status status, clf_error *error)
{
    return clf_fail(error, status, "the laws could not be tried: %s", clf_status_text(status));
}

/* Index number j that functions are asked with: cl/laws/index.cl. */
static inline cl_ulong clf_laws_index(const clf_operator_copy *op, cl_uint j)
{
    return op->captured.count || j < 32 ? j : (cl_ulong)j << (j % 41);
}

/* May every other index be tried? Not where the number of the segment changes with it. */
static inline bool clf_laws_promise_no_index(const clf_operator_copy *op)
{
    return (op->flags & (CLF_NO_INDEX | CLF_WITH_SEGMENT)) == CLF_NO_INDEX;
}

/* ---- words.c: a case in words -------------------------------------------------------------------------- */

/* 3, (1, 2) of a vector, {sum 1, count 2} of a tuple; `arrays` has one for each field. */
void clf_element_write(clf_text *text, const clf_fields *fields, const unsigned char *const *arrays, cl_uint at);

/* Where clf_laws_show puts what, behind the values. */
enum { CLF_SHOWN_A, CLF_SHOWN_B, CLF_SHOWN_C, CLF_SHOWN_LEFT, CLF_SHOWN_RIGHT, CLF_SHOWN_NEUTRAL, CLF_SHOWN };
typedef struct clf_broken_case {
    clf_law law;
    const clf_operator_copy *op;
    const clf_candidates *candidates;
    cl_uint element;                            /* laws of the map: of which element, */
    cl_ulong index;                             /* and with which other index */
    const unsigned char *value[CLF_MAX_FIELDS]; /* of each field, CLF_SHOWN elements */
} clf_broken_case;
void clf_broken_case_write(clf_text *text, const clf_broken_case *broken);

/* ---- order.c: does `less` say an order? ----------------------------------------------------------------- */

/* The least broken case of one of its laws; less[i + j * n] is what `less` says of elements i and j. */
clf_status clf_order_try(const cl_uint *less, cl_uint n, clf_law law, bool *broken, cl_uint at[3]);

/* ---- answers.c: functions that combine nothing ---------------------------------------------------------- */

/* The function that a program calls, of a copy that was taken for it alone. */
extern const clf_entry clf_answers_entry;
/* Tries the laws of all of an operator's functions but of what it combines, if captured arrays are there. */
clf_status clf_answers_try(clf_context *context, const clf_operator *op, const clf_laws_options *options,
                           clf_laws *result, clf_text *sentence, clf_error *error);

/* ---- laws.c -------------------------------------------------------------------------------------------- */

/* What its program is made for. */
extern const clf_entry clf_laws_entry;

#endif

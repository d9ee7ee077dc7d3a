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

/* ---- words.c: a case in words -------------------------------------------------------------------------- */

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

/* ---- laws.c -------------------------------------------------------------------------------------------- */

/* What its program is made for. */
extern const clf_entry clf_laws_entry;

#endif

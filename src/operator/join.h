/* SPDX-License-Identifier: MIT */
/*
 * join: what its files have in common. Operators that are joined are parts; their lists of fields follow each other.
 */
#ifndef CLF_JOIN_H
#define CLF_JOIN_H

#include "operator/operator.h"

/* Inputs are those of the first part. */
enum clf_join_list { VALUE, EXTRA, CAPTURED, RESULT, INPUT, LISTS };

typedef struct clf_join_part {
    clf_operator_copy op;
    clf_names declared, macros;
} clf_join_part;

typedef struct clf_join {
    cl_uint count;
    clf_join_part item[CLF_MAX_FIELDS];
    bool prefixed[LISTS]; /* do two of its fields have the same name? */
    bool finishes;        /* has a part `finish`? Then values are the results of all others */
} clf_join;

/* ---- join_check.c: parts that go together ------------------------------------------------------------------ */

/* Takes the parts into a zeroed join, which is to be freed even if it fails. */
clf_status clf_join_check(clf_join *p, cl_uint count, const clf_operator *const *operators, clf_error *error);
void clf_join_free(clf_join *p); /* what it holds */
const clf_fields *clf_join_fields(const clf_join *p, cl_uint i, enum clf_join_list list);

/* ---- join_names.c ------------------------------------------------------------------------------------------- */

/* Is this word of part i's source to be renamed? */
bool clf_join_is_renamed(const clf_join *p, cl_uint i, const char *word, size_t length);
void clf_join_write_renamed(clf_text *t, const clf_join *p, cl_uint i, const char *source);
/* "p1_best" where names clash, else "best"; inputs have the names of the first part's. */
void clf_join_write_name(clf_text *t, const clf_join *p, cl_uint i, enum clf_join_list list, cl_uint f);
void clf_join_write_list(clf_text *t, const clf_join *p, enum clf_join_list list);

#endif

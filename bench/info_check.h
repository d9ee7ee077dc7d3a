/* SPDX-License-Identifier: MIT */
/* clfold-info --check: an operator in a file. */
#ifndef CLFOLD_INFO_CHECK_H
#define CLFOLD_INFO_CHECK_H

#include "common/common.h"

/* ---- info_arrays.c: what arrays hold ---------------------------------------------------------------------------- */

/* A captured array, or elements that are tried: its name, and its numbers as a text, which is written to. */
typedef struct info_array {
    char name[64];
    char *text;
    bool captured;
    unsigned field; /* the first one is 0 */
    clf_type type;
    size_t count;
    void *data; /* malloc'ed */
} info_array;
/* Finds the field of its name, and what it holds. */
void info_array_fill(info_array *a, const char *fields);

/* ---- info_check.c ----------------------------------------------------------------------------------------------- */

/* Prints what each device, or this one, says of the operator. Do all laws hold everywhere? */
bool info_check(const char *path, const char *device);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * trial.c: a plan called on elements of our own, to check and to time other engines of it. For explore.c alone.
 */
#ifndef CLF_TRIAL_H
#define CLF_TRIAL_H

#include "core/core.h"

typedef struct clf_rows {
    cl_ulong count, size;
} clf_rows;
typedef struct clf_trial {
    clf_plan plan; /* like the one that is tuned, whose engines others may take the place of */
    cl_command_queue queue;
    cl_ulong n; /* elements that there are */
    clf_array in[CLF_MAX_FIELDS], out[2 * CLF_MAX_FIELDS];
} clf_trial;
/* Elements for so much time; to be closed, whether it fails or not. */
clf_status clf_trial_open(clf_trial *trial, const clf_plan *plan, cl_uint milliseconds);
void clf_trial_close(clf_trial *trial);
/* What comes out, one malloc'ed array for each output, NULL beforehand; and is that what comes out now? */
clf_status clf_trial_expect(clf_trial *trial, clf_rows rows, void **expected);
bool clf_trial_is_right(clf_trial *trial, clf_rows rows, void *const *expected);
/* Seconds of a call, of so many. */
clf_status clf_trial_time(clf_trial *trial, clf_rows rows, cl_uint calls, double *seconds);

#endif

/* SPDX-License-Identifier: MIT */
/* What a call leaves to the device: its true size (clf_call.actual) and its initial value (clf_call.initial_arrays). */
#ifndef CLFOLD_TESTS_GIVEN_H
#define CLFOLD_TESTS_GIVEN_H

#include "harness.h"

typedef struct given {
    bool size, initial; /* is there a size, and does the initial value lie on the device? */
    size_t actual;      /* the size: elements, of segmented calls segments; may be more than the call's */
} given;

/* The true size of a call that says `most`. */
size_t given_size(const given *g, size_t most);

/* An initial value, in `initial`: one that some element could have. */
void given_choose_initial(const ref_operator *op, uint64_t seed, void *initial);

/* The buffers of a call. */
typedef struct given_arrays {
    clf_array actual, initial[CLF_MAX_FIELDS];
    size_t count;
} given_arrays;

/* Makes buffers of what is given and names them in the call; `initial` is NULL or the struct of the value's fields. */
void given_open(given_arrays *arrays, const given *g, const ref_layout *value, const void *initial, clf_call *call);
void given_close(given_arrays *arrays);

#endif

/* SPDX-License-Identifier: MIT */
/* Reductions by index for tests, and what they compute, written plainly. */
#ifndef CLFOLD_TESTS_REF_INDEX_H
#define CLFOLD_TESTS_REF_INDEX_H

#include "ref.h"

/*
 * An element belongs to the bin that `bin` says; beyond those that there are it is left out. A generator makes an
 * element of a bin from `least` to `most`.
 */
typedef struct ref_index {
    const char *name;
    const clf_operator *clf;
    ref_layout value, input; /* input: captured arrays, too */
    const void *neutral;
    void (*combine)(const void *a, const void *b, void *out);
    void (*map)(const void *x, cl_ulong index, void *value); /* NULL: the input is the value */
    int64_t (*bin)(const void *x);
    void (*generate)(gen *random, int64_t bin, void *x);
    int64_t least, most;
} ref_index;
enum { REF_INDEX_COUNT_OWN, REF_INDEX_COUNT_NATIVE, REF_INDEX_ITSELF, REF_INDEX_LARGEST, REF_INDEX_SHORTS,
       REF_INDEX_BYTES, REF_INDEX_VECTOR, REF_INDEX_FIRST_LEAST, REF_INDEX_JOINED, REF_INDEX_LONG, REF_INDEX_MEAN,
       REF_INDEX_PRODUCT, REF_INDEX_CAPTURED, REF_INDEX_WIDE, /* too wide for atomics, and: */ REF_INDEX_FOUR,
       REF_INDEX_LINE,
       /* those that do not commute: */ REF_INDEX_AFFINE, REF_INDEX_MATRIX, REF_INDEX_LAST, REF_INDEX_MODULAR,
       REF_INDEX_ARRAYS, REF_INDEX_COUNT };
const ref_index *ref_index_of(int which);
const ref_index *ref_index_tuple_of(int which);   /* those of ref_index_tuple.c */
const ref_index *ref_index_ordered_of(int which); /* and of ref_index_ordered.c */
/* A built-in of one type, of which there must be one, with its bins beside it; in static storage, until the next. */
const ref_index *ref_index_builtin(clf_op op, clf_type type);
/* The built-in; NULL of all others. */
const ref_operator *ref_index_built(const ref_index *index);
/*
 * The arrays of `out` hold what was there before; rows from `count` on stay. `update`: that stands left of it all.
 * `touched`: of each bin, whether an element belongs to it; all false before. If bins are updated the others stay.
 */
void ref_index_run(const ref_index *index, size_t count, size_t size, size_t bins, bool update, const void *const *in,
                   void *const *out, bool *touched);
/* Frees what was joined. */
void ref_index_close(void);

#endif

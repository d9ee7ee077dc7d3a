/* SPDX-License-Identifier: MIT */
/* Segments of any lengths, and the arrays that tell a device about them in every way that there is. */
#ifndef CLFOLD_TESTS_IRREGULAR_H
#define CLFOLD_TESTS_IRREGULAR_H

#include "gen.h"

#include "clfold/clfold.h"

#include <stddef.h>

typedef struct irregular {
    size_t n, count; /* elements; segments, empty ones included */
    size_t *lengths;
} irregular;

typedef enum irregular_shape {
    SHAPE_GIANT,         /* one segment */
    SHAPE_SINGLES,       /* n segments of one element */
    SHAPE_SHORT,         /* 1 to 8 elements */
    SHAPE_LONG,          /* up to `scale` elements */
    SHAPE_POWER_LAW,     /* most are short and a few hold most elements */
    SHAPE_BOUNDARIES,    /* starts at multiples of `scale`, and one before and behind */
    SHAPE_EMPTY_BETWEEN, /* more empty ones than others, anywhere */
    SHAPE_EMPTY_START,   /* a thousand empty ones first … */
    SHAPE_EMPTY_END,     /* … or last … */
    SHAPE_EMPTY_MIDDLE,  /* … or in one place in the middle */
    SHAPE_COUNT
} irregular_shape;

/* n elements in segments of this shape; of n = 0 all are empty, if there are any. */
irregular irregular_make(gen *random, irregular_shape shape, size_t n, size_t scale);
void irregular_free(irregular *segments);

/* heads[i] is 1 where element i starts a segment, else 0. */
void irregular_heads(const irregular *segments, unsigned char *heads);

/* Bytes of an entry. */
size_t irregular_element(const clf_segmentation *how);

/* The array that says so, malloc'ed; head flags leave open whether element 0 starts one, and so do the bits behind
 * the n-th. Keys come again, but never side by side. */
void *irregular_entries(const irregular *segments, const clf_segmentation *how, gen *random, size_t *bytes);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * A call of a test with its arrays: each at an odd place in a buffer of its own, with canaries around it, and what the
 * host expects the whole buffer to be in the end. Inputs have to be there only when the wait list is complete.
 */
#ifndef CLFOLD_TESTS_GUARDED_H
#define CLFOLD_TESTS_GUARDED_H

#include "harness.h"
#include "irregular.h"

typedef struct guarded {
    unsigned char *bytes;
    size_t element, first, n, all; /* bytes of an element; elements before the array, and in it; bytes of the buffer */
    cl_mem buffer;
    size_t real;         /* bytes of floating numbers, as in ref_operator; 0: bits are compared */
    const bool *numbers; /* only of these elements: NULL is all */
} guarded;

/* Random bytes, of which the array begins `offset` elements behind the canary; the buffer ends with it if `tight`. */
guarded guarded_open(uint64_t seed, size_t element, size_t n, size_t offset, bool tight);

/* Arrays in the order of the call; behind them those that it gets by themselves: counts, indices, a size. */
enum { GUARDED_MOST = 3 * CLF_MAX_FIELDS + 1 };
typedef struct guarded_list {
    bool aligned; /* arrays that are added begin right behind their canaries, at whole vectors, whatever their offset */
    size_t count;
    const char *name[GUARDED_MOST]; /* for messages */
    guarded array[GUARDED_MOST];
    void *data[GUARDED_MOST];       /* as the reference takes them */
    clf_array device[GUARDED_MOST]; /* as the call takes them, from guarded_begin on */
    size_t size;                    /* 1 + the array of guarded_add_size; 0: none */
    size_t place[GUARDED_MOST];     /* of outputs: 1 + the input whose place it takes; 0: it has a buffer of its own */
    bool none[GUARDED_MOST];        /* of outputs: the call has {NULL, 0} in its place */
} guarded_list;

void guarded_add(guarded_list *list, const char *name, guarded array);
/* An array of n elements for each field: the k-th with seed + k, and at offset + k. */
void guarded_add_fields(guarded_list *list, const char *name, const ref_layout *layout, uint64_t seed, size_t n,
                        size_t offset, bool tight);
/* The first arrays become elements 0 … n - 1 as the operator's generator makes them. */
void guarded_generate(const guarded_list *list, const ref_operator *op, uint64_t seed, size_t n);
/* What tells of segments. */
void guarded_add_segments(guarded_list *list, const irregular *segments, const clf_segmentation *how, gen *random,
                          uint64_t seed, size_t offset, bool tight);
/* One number, as sizes on the device are: that of the call, where it is given. */
void guarded_add_size(guarded_list *list, uint64_t seed, size_t size, size_t offset, bool tight);

/* Under which circumstances a call is made: a part of each case. */
typedef struct circumstances {
    size_t offset;                /* array k starts this many + k elements behind the canary */
    bool tight, unordered, gated; /* buffers end with their arrays; out-of-order queue; the call waits for an event, and
                                     data come only after it is enqueued */
    bool given;                   /* the size lies on the device, of rows their number: */
    size_t actual;                /* this one */
    scratch_kind scratch;         /* true: a buffer */
    uint64_t seed;                /* of the data */
    long number;                  /* for the replay line; negative: not a random case */
} circumstances;

/* Those of a random case, at random, but for the size on the device. */
circumstances circumstances_random(gen *random, long number);
/* The size lies on the device, unless that is NULL; every other turn data come late. */
void circumstances_give(circumstances *under, const size_t *actual, unsigned turn);
/* The size that counts, of a call that says `most`. */
size_t circumstances_size(const circumstances *under, size_t most);
/* In words, until the next call. */
const char *circumstances_text(const circumstances *under);

typedef struct guarded_call {
    bool unordered, gated, given; /* as circumstances have them */
    scratch_kind own;             /* so is this */
    size_t segments;              /* that scratch is for */
    size_t real;                  /* arrays of elements of so many bytes have floating numbers: as in ref_operator */
    size_t given_up;              /* so many of the first inputs may be anything in the end; canaries not */
    guarded_list in, out;         /* what it reads, and what it writes */
    guarded scratch;              /* full of anything; it ends with its buffer if the first input does */
    clf_call call;
    cl_event gate, event;
    clf_status status; /* of the call, from guarded_end on */
    char what[128];    /* what guarded_check found */
} guarded_call;

/* Where outputs are. An output lies only where an input of its size does. */
typedef enum guarded_place {
    PLACE_APART,
    PLACE_SAME,    /* each where an input of its size is, */
    PLACE_PARTLY,  /* every other one, */
    PLACE_SWAPPED, /* or each where another input is, if that is possible */
    PLACES
} guarded_place;

/* Outputs from `first` up to `end` get places of the first `inputs`, if there are any: they have no buffers. */
void guarded_choose_places(guarded_call *g, guarded_place how, uint64_t seed, size_t inputs, size_t first, size_t end);
/* Of the first `results` outputs there are those that have a bit of `wanted`, or all, if that is 0. */
void guarded_want(guarded_call *g, cl_ulong wanted, size_t results);
/* A call without arrays under these circumstances. */
guarded_call guarded_under(const circumstances *under);
/* The host has results, of so many elements, in the outputs' data: those that are written to inputs go there. */
void guarded_place_results(guarded_call *g, size_t results);
/* Makes the buffers and `call`, for n elements. Where scratch is the pool's there need not be a plan. */
void guarded_begin(guarded_call *g, const clf_plan *plan, cl_ulong n);
/* The call was enqueued with this status: sends what comes late, and waits for its end. */
void guarded_end(guarded_call *g, clf_status status);
/* True if the call succeeded and all buffers are as expected; else `what` says what is wrong. `anything`: outputs may
 * be anything, canaries not. */
bool guarded_check(guarded_call *g, bool anything);
/* All that is in an array's buffer; the caller's to free. */
unsigned char *guarded_read(const guarded_call *g, const guarded *array);
/* The words from byte `at` of own scratch on, after the call: 0 where it wrote nothing. */
enum { GUARDED_HEADER = 16 };
void guarded_header(const guarded_call *g, size_t at, cl_uint header[GUARDED_HEADER]);
void guarded_close(guarded_call *g);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the programs of Larsen 2017, chapter 7, share: two ways to a sum of each segment, whose elements a map makes.
 * One is a reduction. The other, the paper's baseline, is a segmented scan, which writes all running sums; then the
 * last of each segment is fetched. Each way is timed: the whole program, and the segmented part of it.
 */
#ifndef CLFOLD_REDOMAP_H
#define CLFOLD_REDOMAP_H

#include "example.h"

enum redomap_way { BY_REDUCTION, BY_SCAN, REDOMAP_WAYS };
enum { REDOMAP_FIELDS = 4 };
static const char *const redomap_names[REDOMAP_WAYS] = {"by a reduction", "by a scan"};

typedef struct redomap {
    example *x;
    clf_plan *reduce, *scan, *last;
    cl_ulong segments, size;
    int fields;
    clf_array running[REDOMAP_FIELDS], ends; /* the scan's results, and where segments end in them */
    double part;                             /* microseconds, of all calls of redomap_run */
} redomap;

/* From 0 to 1, in steps of 2^-24, which floats have. */
static inline float redomap_noise(cl_uint *state)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)(*state >> 8) / (float)(1 << 24);
}

/*
 * The operator of the reduction, and that of the scan, which writes values: `fields` of `bytes` each. Its results need
 * memory for all elements.
 */
static inline redomap redomap_open(example *x, const clf_operator *reduced, const clf_operator *scanned, int fields,
                                   size_t bytes, cl_ulong segments, cl_ulong size)
{
    redomap r = {.x = x, .segments = segments, .size = size, .fields = fields};
    cl_ulong *const ends = malloc(segments * sizeof *ends);
    check(ends ? CLF_SUCCESS : CLF_E_NO_MEMORY, "ends of segments", NULL);
    check(clf_reduce_plan(x->context, reduced, 0, NULL, &r.reduce, &x->error), "clf_reduce_plan", &x->error);
    check(clf_segmented_scan_plan(x->context, scanned, 0, NULL, &r.scan, &x->error), "clf_segmented_scan_plan",
          &x->error);
    check(clf_gather_plan(x->context, scanned->value, CLF_ULONG, 0, NULL, &r.last, &x->error), "clf_gather_plan",
          &x->error);
    for (cl_ulong s = 0; s < segments; ++s)
        ends[s] = (s + 1) * size - 1;
    r.ends = example_array(x, segments * sizeof *ends, ends);
    for (int f = 0; f < fields; ++f)
        r.running[f] = example_array(x, segments * size * bytes, NULL);
    free(ends);
    return r;
}

static inline void redomap_close(redomap *r)
{
    example_release(r->running, (size_t)r->fields);
    example_release(&r->ends, 1);
    clf_plan_release(r->reduce);
    clf_plan_release(r->scan);
    clf_plan_release(r->last);
}

/* `in` are the operator's inputs and captured arrays; `out` its results, then the extra ones of its map. */
static inline void redomap_run(redomap *r, enum redomap_way way, const clf_array *in, cl_uint in_count,
                               const clf_array *out, cl_uint out_count)
{
    clf_call call = {.size = sizeof call, .queue = r->x->queue, .in_count = in_count, .out_count = out_count};
    clf_array written[2 * REDOMAP_FIELDS];
    clFinish(r->x->queue);
    const double from = example_time();
    if (way == BY_REDUCTION) {
        check(clf_segmented_reduce(r->reduce, &call, r->segments, r->size, in, out), "clf_segmented_reduce", NULL);
    } else {
        for (cl_uint f = 0; f < out_count; ++f)
            written[f] = f < (cl_uint)r->fields ? r->running[f] : out[f];
        check(clf_segmented_scan(r->scan, &call, r->segments, r->size, in, written), "clf_segmented_scan", NULL);
        check(clf_gather(r->last, CLF_ON(r->x->queue), r->segments * r->size, r->segments, r->running, &r->ends, out),
              "clf_gather", NULL);
    }
    clFinish(r->x->queue);
    r->part += example_time() - from;
}

/* Prints the segmented part of `whole` microseconds, and begins anew. */
static inline void redomap_print(redomap *r, const char *way, double whole)
{
    printf("%s: %.0f us; the segmented part %.0f us, %.1f %%\n", way, whole, r->part, 100 * r->part / whole);
    r->part = 0;
}

/* A program that is nothing else: its second call is timed, for the first one compiles. */
static inline void redomap_whole(redomap *r, enum redomap_way way, const clf_array *in, cl_uint in_count,
                                 const clf_array *out, cl_uint out_count)
{
    redomap_run(r, way, in, in_count, out, out_count);
    r->part = 0;
    const double from = example_time();
    redomap_run(r, way, in, in_count, out, out_count);
    redomap_print(r, redomap_names[way], example_time() - from);
}
#endif

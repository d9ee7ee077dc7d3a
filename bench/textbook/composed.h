/* SPDX-License-Identifier: MIT */
/*
 * Scans by composition, after Pizzuti, Steuwer and Dubach (2022): small steps put together by parameters. To explore,
 * and to compare with; the library has none of them.
 *
 *     a block of BS elements in local memory, or of block sums:
 *         levels of up-sweep by BF, until SE elements are left      (Brent-Kung steps)
 *         the root: SE elements scanned                             serial, kogge_stone or sklansky
 *         as many levels of down-sweep
 *     all elements: blocks scanned, their sums scanned in the same way, level by level, and propagated
 *
 * SE = 1 is the scan of Brent and Kung, SE = BS the root's alone; Sklansky's around one step up and down is that of
 * Ladner and Fischer. Any n, any associative operator.
 */
#ifndef CLFOLD_COMPOSED_H
#define CLFOLD_COMPOSED_H

#include "rows/rows.h"

typedef enum composed_root { COMPOSED_SERIAL, COMPOSED_KOGGE_STONE, COMPOSED_SKLANSKY } composed_root;
typedef struct composed_shape {
    composed_root root;
    unsigned bs, bf, se; /* powers of two; bs = se * bf^levels */
} composed_shape;

enum { COMPOSED_LEVELS = 40 };
typedef struct composed {
    composed_shape shape;
    const bench_operator *op;
    cl_program program;
    cl_kernel blocks, sums, propagate_sums, propagate;
    unsigned levels; /* of block sums, for `limit` elements */
    cl_mem level[COMPOSED_LEVELS];
    cl_mem traced; /* -D TRACE: levels of the first block, thrice, of 2 bs; -D COUNT: applications of the operator */
} composed;

/* Are elements values, without a map, and is the operator one? */
bool composed_knows(const bench_operator *op);
/* NULL, or why there is none of this shape. `options`: for the compiler, "" or "-D TRACE" or "-D COUNT". */
const char *composed_open(composed *c, bench_session *session, const bench_operator *op, composed_shape shape,
                          cl_ulong limit, const char *options);
void composed_close(composed *c);
clf_status composed_enqueue(const composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in,
                            const clf_array *out, cl_event *event);

/* ---- composed_count.c ------------------------------------------------------------------------------------------ */

/* Sums, with the depth of the tree of operations that a value is the result of. */
extern const bench_operator composed_deep;
/* How deep a block's scan is, and how often it applies the operator, measured; NULL, or why not. */
const char *composed_count(bench_session *session, composed_shape shape, cl_uint *depth, cl_uint *applied);

/* ---- composed_scan.c: rows; of all networks by their depth, then by their work --------------------------------- */

extern const bench_primitive composed_rows[];

#endif

/* SPDX-License-Identifier: MIT */
/*
 * Scans by composition, after Pizzuti, Steuwer and Dubach (2022): small steps put together by a language. To explore,
 * and to compare with; the library has none of them.
 *
 *     blocks 512 | step 4 | step 2 | sklansky | lookback 32
 *
 *     blocks BS [padded]    so many elements are in local memory; padded: a word is left free behind 32
 *     step BF               up-sweep by BF before what follows, down-sweep after it (Brent and Kung)
 *     serial, kogge_stone, sklansky    the root: what scans the SE elements that are left
 *     propagate             how blocks meet: their sums are scanned in the same way, level by level, and added: 4n
 *     reduce                sums first, then blocks are read again and scanned: 3n
 *     lookback [W]          while other blocks are at work, by W messages at a time (Merrill and Garland): 2n
 *
 * Steps down to SE = 1 are the scan of Brent and Kung; Sklansky's root within one step is that of Ladner and Fischer.
 * Any n, any associative operator; blocks and steps are powers of two.
 */
#ifndef CLFOLD_COMPOSED_H
#define CLFOLD_COMPOSED_H

#include "rows/rows.h"

/* ---- composed_scheme.c ----------------------------------------------------------------------------------------- */

typedef enum composed_root { COMPOSED_SERIAL, COMPOSED_KOGGE_STONE, COMPOSED_SKLANSKY } composed_root;
typedef enum composed_meeting { COMPOSED_PROPAGATE, COMPOSED_REDUCE, COMPOSED_LOOKBACK } composed_meeting;
enum { COMPOSED_STEPS = 16, COMPOSED_TEXT = 256 };
typedef struct composed_scheme {
    unsigned bs, se, window; /* se: what the steps leave for the root */
    unsigned count, step[COMPOSED_STEPS];
    bool padded;
    composed_root root;
    composed_meeting meeting;
} composed_scheme;

/* NULL, or what is wrong with the text. */
const char *composed_parse(const char *text, composed_scheme *scheme);
void composed_print(const composed_scheme *scheme, char text[COMPOSED_TEXT]);
/* Work-items of a group; values in its local memory; the macros that composed.cl needs. */
unsigned composed_group(const composed_scheme *scheme);
unsigned composed_room(const composed_scheme *scheme);
void composed_write(FILE *file, const composed_scheme *scheme);

/* ---- composed.c ------------------------------------------------------------------------------------------------ */

enum { COMPOSED_LEVELS = 40, COMPOSED_KERNELS = 7 };
typedef struct composed {
    composed_scheme scheme;
    const bench_operator *op;
    cl_program program;
    cl_kernel kernel[COMPOSED_KERNELS];
    unsigned levels; /* of block sums, for `limit` elements */
    cl_mem level[COMPOSED_LEVELS];
    cl_mem slots;          /* of look-back: a counter, and messages */
    cl_uint before, epoch; /* blocks that calls before had; calls */
    cl_mem traced;         /* -D TRACE: levels of the first block, thrice; -D COUNT: applications of the operator */
} composed;

/* Are elements values, without a map, and is the operator one? */
bool composed_knows(const bench_operator *op);
/* NULL, or why there is none by this text. `options`: for the compiler, "" or "-D TRACE" or "-D COUNT". */
const char *composed_open(composed *c, bench_session *session, const bench_operator *op, const char *scheme,
                          cl_ulong limit, const char *options);
void composed_close(composed *c);
clf_status composed_enqueue(composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in, const clf_array *out,
                            cl_event *event);

/* ---- composed_count.c ------------------------------------------------------------------------------------------ */

/* Sums, with the depth of the tree of operations that a value is the result of. */
extern const bench_operator composed_deep;
/* How deep a block's scan is, and how often it applies the operator, measured; NULL, or why not. */
const char *composed_count(bench_session *session, const char *scheme, cl_uint *depth, cl_uint *applied);

/* ---- composed_row.c: the row of a scheme ----------------------------------------------------------------------- */

/* A scheme by a name of its own, with parameters; NULL: by its text. What was counted; 0: nothing. */
typedef struct composed_ranked {
    const char *name;
    char scheme[COMPOSED_TEXT], define[48];
    cl_uint depth, applied;
} composed_ranked;
/* The microseconds that it took; infinite: it has no row, or a wrong one. */
double composed_row(bench_data *data, bench_shape shape, const composed_ranked *it);

/* ---- composed_search.c: the fastest schemes of 4n, 3n and 2n, by hill climbing --------------------------------- */

void composed_search(bench_data *data, const bench_shapes *shapes);

/* ---- composed_scan.c: rows; of all networks by their depth, then by their work --------------------------------- */

extern const bench_primitive composed_rows[];

#endif

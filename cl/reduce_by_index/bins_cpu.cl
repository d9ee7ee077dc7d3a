/* SPDX-License-Identifier: MIT */
/*
 * bins_cpu: elements and their bins, CLF_BINS_SIDES at a time.
 *
 * In a histogram by edges (src/primitives/histograms.c) searches go on side by side in vectors. A search of one element
 * is a chain of loads, and compilers put a branch into each of its steps, half of which a CPU predicts wrongly. Every
 * edge that is looked at exists, whatever edges and elements are.
 *
 * needs: nothing
 * provides: CLF_BINS_SIDES, clf_sides_load
 */
#include "reduce_by_index/result.cl"

#ifdef CLF_EDGES
#define CLF_BINS_SIDES 8
typedef CLF_PASTE(CLF_EDGE_TYPE, 8) clf_edges;

static inline clf_edges clf_edges_at(__global const CLF_EDGE_TYPE *edges, uint8 at)
{
    return (clf_edges)(edges[at.s0], edges[at.s1], edges[at.s2], edges[at.s3], edges[at.s4], edges[at.s5], edges[at.s6],
                       edges[at.s7]);
}

/* The last of the lower edges that is not above x, or ~0 for what lies in no bin. */
static inline uint8 clf_edges_search(__global const CLF_EDGE_TYPE *edges, uint bins, clf_edges x)
{
    uint8 at = 0;
    for (uint left = bins; left > 1; left -= left / 2)
        at += as_uint8(convert_int8(clf_edges_at(edges, at + left / 2) <= x)) & (left / 2);
    const int8 inside = convert_int8((clf_edges_at(edges, at) <= x) & (x CLF_EDGES_BELOW(clf_edges)(edges[bins])));
    return at | ~as_uint8(inside);
}

/* Elements from number i on, and their bins; behind `end` there are none. */
static inline void clf_sides_load(const clf_arguments *a, ulong i, ulong end, clf_input x[CLF_BINS_SIDES],
                                  ulong bin[CLF_BINS_SIDES])
{
    CLF_EDGE_TYPE scalars[CLF_BINS_SIDES];
    uint found[CLF_BINS_SIDES];
    CLF_UNROLL for (uint k = 0; k < CLF_BINS_SIDES; ++k) {
        x[k] = clf_input_at(&a->in, min(i + k, end - 1));
        scalars[k] = x[k].CLF_EDGE_FIELD;
    }
    vstore8(clf_edges_search(a->captured.CLF_EDGES, (uint)clf_bins(a), vload8(0, scalars)), 0, found);
    CLF_UNROLL for (uint k = 0; k < CLF_BINS_SIDES; ++k)
        bin[k] = found[k];
}

#else
#define CLF_BINS_SIDES 1
static inline void clf_sides_load(const clf_arguments *a, ulong i, ulong end, clf_input x[CLF_BINS_SIDES],
                                  ulong bin[CLF_BINS_SIDES])
{
    x[0] = clf_input_at(&a->in, i);
    bin[0] = clf_bin_of(a, x[0], i);
}
#endif

/* SPDX-License-Identifier: MIT */
/*
 * scatter: a part of one row whose elements go to a table in local memory by the device's own atomics for the operator
 * (CLF_NATIVE). The number of instructions limits this. So full rounds do not test whether an element exists; nor
 * whether its bin exists, if the bin's type has no number beyond the bins. Without `keep` the table has
 * CLF_SCATTER_COPIES copies, and elements are added one by one. With it, a work-item keeps the sum of chunks whose
 * elements all have the same bin, and adds it when the bin changes. There is nothing here unless the device has such
 * atomics.
 *
 * needs: table, a->copies, a->how
 * provides: clf_scatter_part
 */
#include "reduce_by_index/cell.cl"
#include "reduce_by_index/walk.cl"

#ifdef CLF_NATIVE

enum { CLF_SCATTER_COPIES = 32 /* src/primitives/index_cut.c: MOST_COPIES */ };

typedef struct {
    const clf_arguments *a;
    __local clf_cell *cells; /* those of the work-item's copy begin here */
    clf_bin first, width;
    uint copies;
    clf_bin bin; /* what is kept: of this bin; at first nothing of the first one */
    clf_value sum;
} clf_scatter;

static inline clf_value clf_scatter_value(const clf_scatter *w, clf_input x, ulong index)
{
    clf_extra none;
    return clf_value_copy(clf_map_at(w->a, x, index, &none));
}

CLF_INLINE void clf_scatter_add(const clf_scatter *w, clf_bin bin, clf_value v, bool keep)
{
    clf_cell_add_local(w->cells + (uint)bin * (keep ? w->copies : CLF_SCATTER_COPIES), v, true);
}

/* The sum of a chunk is kept. */
static inline void clf_scatter_keep(clf_scatter *w, const clf_input x[CLF_CHUNK], ulong index, clf_bin bin)
{
    if (bin != w->bin) {
        clf_scatter_add(w, w->bin, w->sum, true);
        w->sum = clf_neutral();
        w->bin = bin;
    }
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        w->sum = clf_combine(w->sum, clf_scatter_value(w, x[k], index + k));
}

CLF_INLINE void clf_scatter_chunk(clf_scatter *w, const clf_packed *packed, ulong index, bool keep, bool all)
{
    clf_input x[CLF_CHUNK];
    clf_bin bin[CLF_CHUNK], differ = 0;
    clf_packed_split(packed, x);
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        bin[k] = (clf_bin)clf_bin_of(w->a, x[k], index + k) - w->first;
        differ |= bin[k] ^ bin[0];
    }
    if (keep && !differ) {
        if (bin[0] < w->width)
            clf_scatter_keep(w, x, index, bin[0]);
        return;
    }
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        if (all || bin[k] < w->width)
            clf_scatter_add(w, bin[k], clf_scatter_value(w, x[k], index + k), keep);
}

/* Fewer elements than a chunk has. */
static inline void clf_scatter_few(clf_scatter *w, ulong from, ulong to, bool keep)
{
    CLF_LOOP for (ulong i = from + clf_local_id(); i < to; i += CLF_GROUP) {
        const clf_input x = clf_input_at(&w->a->in, i);
        const clf_bin bin = (clf_bin)clf_bin_of(w->a, x, i) - w->first;
        if (bin < w->width)
            clf_scatter_add(w, bin, clf_scatter_value(w, x, i), keep);
    }
}

/* A round: a chunk of a work-item in each of the group's rows; all loads first. */
CLF_INLINE void clf_scatter_round(clf_scatter *w, ulong mine, bool aligned, bool keep, bool all)
{
    clf_packed packed[CLF_WALK_ROWS];
    CLF_UNROLL for (uint j = 0; j < CLF_WALK_ROWS; ++j)
        clf_packed_load(&w->a->in, mine + j * (CLF_GROUP * CLF_CHUNK), aligned, &packed[j]);
    CLF_UNROLL for (uint j = 0; j < CLF_WALK_ROWS; ++j)
        clf_scatter_chunk(w, &packed[j], mine + j * (CLF_GROUP * CLF_CHUNK), keep, all);
}

/* Whole rounds, then what chunks are left. */
CLF_INLINE void clf_scatter_rounds(clf_scatter *w, ulong body, ulong to, bool aligned, bool keep, bool all)
{
    const ulong row = (ulong)CLF_GROUP * CLF_CHUNK, round = row * CLF_WALK_ROWS;
    ulong at = body + clf_local_id() * CLF_CHUNK;
    const ulong whole = at + (to - body) / round * round;
    CLF_LOOP for (; at < whole; at += round)
        clf_scatter_round(w, at, aligned, keep, all);
    CLF_LOOP for (; at + CLF_CHUNK <= to; at += row) {
        clf_packed packed;
        clf_packed_load(&w->a->in, at, aligned, &packed);
        clf_scatter_chunk(w, &packed, at, keep, all);
    }
}

CLF_INLINE void clf_scatter_as(clf_scatter *w, ulong from, ulong to, bool keep, bool all)
{
    const ulong start = min(from + clf_inputs_head(&w->a->in, from), to);
    const bool aligned = clf_inputs_aligned(&w->a->in, start);
    const ulong body = aligned ? start : from;
    clf_scatter_few(w, from, body, keep);
    if (aligned)
        clf_scatter_rounds(w, body, to, true, keep, all);
    else
        clf_scatter_rounds(w, body, to, false, keep, all);
    clf_scatter_few(w, body + (to - body) / CLF_CHUNK * CLF_CHUNK, to, keep);
}

/* A part of one row; cells of the work-item's copy begin at `cells`. */
static inline void clf_scatter_part(const clf_arguments *a, const clf_bins_part *p, __local clf_cell *cells)
{
    clf_scatter w;
    w.a = a;
    w.cells = cells;
    w.copies = a->copies;
    w.first = (clf_bin)p->first;
    w.width = (clf_bin)p->width;
    w.bin = 0;
    w.sum = clf_neutral();
    if (!(a->how & CLF_INDEX_SCATTER)) {
        clf_scatter_as(&w, p->from, p->to, true, false);
        if (p->from < p->to)
            clf_scatter_add(&w, w.bin, w.sum, true);
        return;
    }
#if CLF_BIN_NUMBERS > 0
    if (p->first == 0 && p->width >= CLF_BIN_NUMBERS) {
        clf_scatter_as(&w, p->from, p->to, false, true);
        return;
    }
#endif
    clf_scatter_as(&w, p->from, p->to, false, false);
}

#endif

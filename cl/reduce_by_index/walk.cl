/* SPDX-License-Identifier: MIT */
/*
 * walk: a group reads the elements of a part, by vectors, neighbouring work-items neighbouring ones, and gives each to
 * a table. With `keep` a work-item combines neighbours of the same bin before that: of sorted elements, or where all
 * are in one bin, there are few atomics. All work-items of the group take every step.
 * Takes from the file that includes this one
 *
 *   clf_bin             its bins: ulong, or uint, which is enough where bins are fewer than 2^31 and elements say
 *                       theirs in 32 bits: negative ones are then beyond all
 *   clf_table           a table
 *   clf_table_add(const clf_table *, clf_bin, clf_value, bool wanted)      nothing happens unless it is wanted
 *
 * needs: table
 * provides: clf_walk, clf_walk_picked, CLF_WALK_ROWS
 */
#include "memory/chunks.cl"
#include "reduce_by_index/bins.cl"

#define CLF_WALK_ROWS (CLF_ITEMS / CLF_CHUNK)

typedef struct {
    const clf_arguments *a;
    const clf_table *table;
    clf_bin first, width; /* bins of the part; those of all its rows lie one behind the other in the table */
    ulong from;           /* its first element */
    clf_flag several;     /* rows, */
    uint size;            /* of so many elements */
    clf_flag keep;
    clf_bin bin; /* what is kept: of this bin; at first nothing of the first one */
    clf_value sum;
} clf_walker;

/* An element's bin, and its value; of another part's bins the neutral element, for the map sees no others. */
static inline bool clf_walker_see(const clf_walker *w, clf_input x, ulong index, bool there, clf_bin *bin, clf_value *v)
{
    *bin = (clf_bin)clf_bin_of(w->a, x, index) - w->first;
    const bool is_mine = there && *bin < w->width;
    clf_extra none;
    *v = clf_neutral();
    if (w->several)
        *bin += (uint)(index - w->from) / w->size * w->width;
    if (is_mine)
        *v = clf_value_copy(clf_map_at(w->a, x, index, &none));
    return is_mine;
}

#ifdef CLF_NATIVE

static inline void clf_walk_element(clf_walker *w, clf_input x, ulong index, bool there)
{
    clf_bin bin;
    clf_value v;
    const bool is_mine = clf_walker_see(w, x, index, there, &bin, &v);
    clf_table_add(w->table, bin, v, is_mine);
}

/* Atomics are cheap: kept are chunks all of whose elements have one bin. */
static inline void clf_walk_chunk(clf_walker *w, const clf_input x[CLF_CHUNK], ulong index, bool there)
{
    clf_bin bin[CLF_CHUNK];
    clf_value v[CLF_CHUNK];
    clf_flag is_mine[CLF_CHUNK];
    bool alike = w->keep;
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k) {
        is_mine[k] = clf_walker_see(w, x[k], index + k, there, &bin[k], &v[k]);
        alike = alike && is_mine[k] && bin[k] == bin[0];
    }
    if (alike) {
        if (bin[0] != w->bin) {
            clf_table_add(w->table, w->bin, w->sum, true);
            w->sum = clf_neutral();
            w->bin = bin[0];
        }
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            w->sum = clf_combine(w->sum, v[k]);
    } else {
        CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
            clf_table_add(w->table, bin[k], v[k], is_mine[k]);
    }
}

#else

#define CLF_KEEP(f, type, move, bytes, name) \
    v.name = flush ? old.name : v.name;      \
    w->sum.name = flush ? fresh.name : both.name;
static inline void clf_walker_keep(clf_walker *w, clf_bin bin, clf_value v, bool is_mine)
{
    CLF_COMBINE_FROM(w->a)
    const clf_value both = clf_combine(w->sum, v), old = w->sum, fresh = v;
    const bool flush = is_mine && bin != w->bin;
    CLF_VALUE_FIELDS(CLF_KEEP)
    clf_table_add(w->table, w->bin, v, flush CLF_COMBINE_A);
    w->bin = is_mine ? bin : w->bin;
}

static inline void clf_walk_element(clf_walker *w, clf_input x, ulong index, bool there)
{
    clf_bin bin;
    clf_value v;
    const bool is_mine = clf_walker_see(w, x, index, there, &bin, &v);
    clf_walker_keep(w, bin, v, is_mine);
}

static inline void clf_walk_chunk(clf_walker *w, const clf_input x[CLF_CHUNK], ulong index, bool there)
{
    CLF_UNROLL for (uint k = 0; k < CLF_CHUNK; ++k)
        clf_walk_element(w, x[k], index + k, there);
}

#endif

/* Fewer elements than a chunk: one for each work-item. */
static inline void clf_walk_few(clf_walker *w, ulong from, ulong to)
{
    for (ulong at = from; at < to; at += CLF_GROUP) {
        const ulong i = at + clf_local_id();
        clf_walk_element(w, clf_input_at(&w->a->in, i < to ? i : at), i, i < to);
    }
}

/* The chunks of a round: all loads first, of those that do not exist the last one in their stead. */
static inline void clf_walk_round(clf_walker *w, ulong body, ulong place, ulong chunks, bool aligned)
{
    clf_packed packed[CLF_WALK_ROWS];
    CLF_UNROLL for (uint j = 0; j < CLF_WALK_ROWS; ++j)
        clf_packed_load(&w->a->in, body + min(place + j * CLF_GROUP, chunks - 1) * CLF_CHUNK, aligned, &packed[j]);
    CLF_UNROLL for (uint j = 0; j < CLF_WALK_ROWS; ++j) {
        clf_input x[CLF_CHUNK];
        clf_packed_split(&packed[j], x);
        clf_walk_chunk(w, x, body + (place + j * CLF_GROUP) * CLF_CHUNK, place + j * CLF_GROUP < chunks);
    }
}

static inline clf_walker clf_walker_of(const clf_arguments *a, const clf_bins_part *p, const clf_table *table,
                                       bool keep, bool several)
{
    clf_walker w;
    w.a = a;
    w.table = table;
    w.first = (clf_bin)p->first;
    w.width = (clf_bin)p->width;
    w.from = p->from;
    w.several = several;
    w.size = (uint)a->size;
    w.keep = keep;
    w.bin = 0;
    w.sum = clf_neutral();
    return w;
}

static inline void clf_walk_as(const clf_arguments *a, const clf_bins_part *p, const clf_table *table, bool keep,
                               bool several)
{
    const ulong start = min(p->from + clf_inputs_head(&a->in, p->from), p->to);
    const bool aligned = clf_inputs_aligned(&a->in, start);
    const ulong body = aligned ? start : p->from, chunks = (p->to - body) / CLF_CHUNK;
    clf_walker w = clf_walker_of(a, p, table, keep, several);
    clf_walk_few(&w, p->from, body);
    if (aligned) {
        CLF_LOOP for (ulong at = 0; at < chunks; at += CLF_GROUP * CLF_WALK_ROWS)
            clf_walk_round(&w, body, at + clf_local_id(), chunks, true);
    } else {
        CLF_LOOP for (ulong at = 0; at < chunks; at += CLF_GROUP * CLF_WALK_ROWS)
            clf_walk_round(&w, body, at + clf_local_id(), chunks, false);
    }
    clf_walk_few(&w, body + chunks * CLF_CHUNK, p->to);
    if (keep)
        clf_table_add(table, w.bin, w.sum, p->from < p->to CLF_COMBINE_A);
}

/* A part of several rows takes a division for each element. */
static inline void clf_walk(const clf_arguments *a, const clf_bins_part *p, const clf_table *table, bool keep)
{
    if (p->rows > 1)
        clf_walk_as(a, p, table, keep, true);
    else
        clf_walk_as(a, p, table, keep, false);
}

#ifndef CLF_NATIVE

/* Elements of a work-item that are under way at a time: of 20 bytes eight. */
#define CLF_PICKED (CLF_INPUT_BYTES > 80 ? 1 : CLF_INPUT_BYTES > 20 ? 160 / (CLF_INPUT_BYTES + 1) : 8)

/*
 * The same where few elements of a chunk are of the part: of all elements only the fields are loaded that say their
 * bins (the compiler leaves out the others), and whole those of the part. All loads of a round before their use.
 */
static inline void clf_walk_picked(const clf_arguments *a, const clf_bins_part *p, const clf_table *table)
{
    clf_walker w = clf_walker_of(a, p, table, true, false);
    CLF_LOOP for (ulong at = p->from; at < p->to; at += CLF_GROUP * CLF_PICKED) {
        clf_bin bin[CLF_PICKED];
        clf_input x[CLF_PICKED];
        clf_flag is_mine[CLF_PICKED];
        CLF_UNROLL for (uint k = 0; k < CLF_PICKED; ++k) {
            const ulong i = at + k * CLF_GROUP + clf_local_id(), there = min(i, p->to - 1);
            bin[k] = (clf_bin)clf_bin_of(a, clf_input_at(&a->in, there), there) - w.first;
            is_mine[k] = i < p->to && bin[k] < w.width;
        }
        CLF_UNROLL for (uint k = 0; k < CLF_PICKED; ++k)
            if (is_mine[k])
                x[k] = clf_input_at(&a->in, at + k * CLF_GROUP + clf_local_id());
        CLF_UNROLL for (uint k = 0; k < CLF_PICKED; ++k) {
            clf_value v = clf_neutral();
            clf_extra none;
            if (is_mine[k])
                v = clf_value_copy(clf_map_at(a, x[k], at + k * CLF_GROUP + clf_local_id(), &none));
            clf_walker_keep(&w, bin[k], v, is_mine[k]);
        }
    }
    clf_table_add(table, w.bin, w.sum, p->from < p->to CLF_COMBINE_A);
}

#endif

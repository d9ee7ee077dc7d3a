/* SPDX-License-Identifier: MIT */
/*
 * merge_sort_cpu: a merge sort (merge_sort.cl), a tile by each work-item. A tile is sorted within the caches. First
 * rows of eight are sorted by their ranks. Then runs are merged in pairs, back and forth between two arrays, from both
 * ends at a time.
 *
 * needs: nothing
 * provides: clf_merge_sort_merge_body, clf_merge_sort_tile_body
 */
#include "merge/path_merge_cpu.cl"
#include "merge/merge_sort.cl"

typedef uchar clf_merge_sort_tile_storage; /* none needed */
typedef uchar clf_merge_sort_merge_storage;

enum { CLF_ROW = 8 };

/* ---- A row ---------------------------------------------------------------------------------------------- */

/* Elements have a place each, unless `less` is no order: then they stay where they are. */
static inline bool clf_row_is_ranked(const uint rank[CLF_ROW])
{
    uint places = 0;
    CLF_UNROLL for (uint k = 0; k < CLF_ROW; ++k)
        places |= 1u << rank[k];
    return places == (1u << CLF_ROW) - 1;
}

/* A row from `in` to `out`, which may be the same place. Of two elements the second goes before if it is less. */
static inline void clf_row_whole(const clf_inputs *in, const clf_outputs *out CLF_LESS_PARAMETER)
{
    clf_input row[CLF_ROW];
    uint rank[CLF_ROW];
    CLF_UNROLL for (uint k = 0; k < CLF_ROW; ++k) {
        row[k] = clf_input_at(in, k);
        rank[k] = k;
    }
    CLF_UNROLL for (uint k = 1; k < CLF_ROW; ++k)
        CLF_UNROLL for (uint i = 0; i < k; ++i) {
            const uint before = clf_is_less(row[k], row[i] CLF_LESS_C);
            rank[i] += before;
            rank[k] -= before;
        }
    const bool is_ranked = clf_row_is_ranked(rank);
    CLF_UNROLL for (uint k = 0; k < CLF_ROW; ++k)
        clf_output_at(out, is_ranked ? rank[k] : k, row[k]);
}

/* The same of fewer elements. */
static inline void clf_row_part(const clf_inputs *in, const clf_outputs *out, uint count CLF_LESS_PARAMETER)
{
    clf_input row[CLF_ROW];
    uint rank[CLF_ROW] = {0, 1, 2, 3, 4, 5, 6, 7};
    CLF_LOOP for (uint k = 0; k < count; ++k) {
        row[k] = clf_input_at(in, k);
        CLF_LOOP for (uint i = 0; i < k; ++i) {
            const uint before = clf_is_less(row[k], row[i] CLF_LESS_C);
            rank[i] += before;
            rank[k] -= before;
        }
    }
    const bool is_ranked = clf_row_is_ranked(rank);
    CLF_LOOP for (uint k = 0; k < count; ++k)
        clf_output_at(out, is_ranked ? rank[k] : k, row[k]);
}

/* ---- Two runs ------------------------------------------------------------------------------------------- */

/*
 * Of the same length: the first half of all from the front and the other half from behind, which do not wait for each
 * other, and neither of which can meet an end. Do they meet each other? If not, `less` is no order.
 */
#define CLF_RUNS_FRONT(f, type, move, bytes, name) q->out.p##f[k] = takes_first ? x.name : y.name;
#define CLF_RUNS_BEHIND(f, type, move, bytes, name) \
    q->out.p##f[2 * q->size - 1 - k] = takes_last ? v.name : u.name;
static inline bool clf_runs_merge_equal(const clf_sequences *q)
{
    ulong i = 0, j = 0, first = q->size - 1, second = q->size - 1;
    CLF_LOOP for (ulong k = 0; k < q->size; ++k) {
        const clf_input x = clf_input_at(&q->first, i), y = clf_input_at(&q->second, j);
        const clf_input u = clf_input_at(&q->first, first), v = clf_input_at(&q->second, second);
        const bool takes_first = clf_comes_first(x, y CLF_LESS_Q(q));
        const bool takes_last = clf_comes_first(u, v CLF_LESS_Q(q));
        CLF_VALUE_FIELDS(CLF_RUNS_FRONT)
        CLF_VALUE_FIELDS(CLF_RUNS_BEHIND)
        i += takes_first;
        j += !takes_first;
        first -= !takes_last;
        second -= takes_last;
    }
    return i == first + 1;
}

/* Runs of which elements would be lost stay as they are. */
static inline void clf_runs_merge(const clf_arguments *a, const clf_sequences *q)
{
    bool complete;
    if (q->size == q->count) {
        complete = clf_runs_merge_equal(q);
    } else {
        const clf_path_end e = clf_path_cpu_walk(a, q, 0, q->size + q->count);
        complete = e.first_end == e.next;
    }
    if (!complete) {
        clf_merge_copy(q, &q->first, 0, q->size, 0);
        clf_merge_copy(q, &q->second, 0, q->count, q->size);
    }
}

/* ---- A tile --------------------------------------------------------------------------------------------- */

#define CLF_RUN_INPUT(f, type, move, bytes, name) in.p##f = a->in.p##f + at;
static inline void clf_tile_rows(const clf_arguments *a, ulong from, ulong end, bool second)
{
    CLF_LOOP for (ulong at = from; at < end; at += CLF_ROW) {
        clf_inputs in;
        clf_outputs out;
        CLF_INPUT_FIELDS(CLF_RUN_INPUT)
        clf_runs_out(a, second, at, &out);
        if (end - at >= CLF_ROW)
            clf_row_whole(&in, &out CLF_LESS_A);
        else
            clf_row_part(&in, &out, (uint)(end - at) CLF_LESS_A);
    }
}

/* Runs of so many elements, the last of which may be shorter. */
static inline void clf_tile_round(const clf_arguments *a, ulong from, ulong end, ulong length, bool to_second)
{
    CLF_LOOP for (ulong at = from; at < end; at += 2 * length) {
        clf_sequences q;
        q.size = min(length, end - at);
        q.count = min(length, end - at - q.size);
        CLF_LESS_SET(q)
        clf_runs_in(a, !to_second, at, &q.first);
        clf_runs_in(a, !to_second, at + q.size, &q.second);
        clf_runs_out(a, to_second, at, &q.out);
        clf_runs_merge(a, &q);
    }
}

CLF_INLINE void clf_merge_sort_tile_body(const clf_arguments *a, __local clf_merge_sort_tile_storage *s)
{
    const ulong from = get_group_id(0) * (ulong)CLF_TILE;
    if (CLF_GIVEN && from >= a->size)
        return;
    const ulong end = min(from + CLF_TILE, a->size);
    bool second = clf_is_to_second(clf_merge_sort_rounds(a));
    clf_runs_begin(a, get_group_id(0));
    CLF_LOOP for (ulong length = CLF_ROW; length < end - from; length *= 2)
        second = !second;
    clf_tile_rows(a, from, end, second);
    CLF_LOOP for (ulong length = CLF_ROW; length < end - from; length *= 2) {
        second = !second;
        clf_tile_round(a, from, end, length, second);
    }
}

CLF_INLINE void clf_merge_sort_merge_body(const clf_arguments *a, __local clf_merge_sort_merge_storage *s)
{
    if (!clf_round_reaches(a, get_group_id(0)))
        return;
    ulong from;
    const clf_sequences q = clf_runs_at(a, get_group_id(0), &from);
    if (clf_runs_lack(a, get_group_id(0))) {
        clf_runs_restore(a, get_group_id(0));
        return;
    }
    const clf_path_end e = clf_path_cpu_walk(a, &q, from, min(from + CLF_TILE, clf_path_total(&q)));
    if (e.first_end != e.next)
        clf_runs_lose(a, get_group_id(0));
}

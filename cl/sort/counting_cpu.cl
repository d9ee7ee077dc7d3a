/* SPDX-License-Identifier: MIT */
/*
 * counting_cpu: a sort by counting (counting.cl) on CPU devices, where each work-group is one work-item. It counts a
 * chunk, and then fills an equal share of the output, run by run.
 *
 * needs: a->chunks, a->places, a->starts
 * provides: clf_counting_count_body, clf_counting_fill_body, clf_counting_starts_body, clf_counting_sum_body
 */
#include "sort/counting.cl"

typedef uchar clf_counting_count_storage; /* none needed: here and below */
typedef uchar clf_counting_sum_storage;
typedef uchar clf_counting_starts_storage;
typedef uchar clf_counting_fill_storage;

static inline uint clf_counted_input(const clf_arguments *a, ulong i)
{
    return clf_counted_key(a, clf_input_at(&a->in, i), i);
}

#if CLF_KEY_BYTES == 1
/* Several counters for each key, so that equal ones do not wait for each other. */
enum { CLF_COUNTING_TURNS = 4 };
static inline void clf_counting_cpu_chunk(const clf_arguments *a, clf_counted_range r, __global uint *table)
{
    uint counts[CLF_COUNTING_TURNS][CLF_COUNTED_KEYS];
    const ulong whole = r.from + (r.to - r.from) / CLF_COUNTING_TURNS * CLF_COUNTING_TURNS;
    for (uint turn = 0; turn < CLF_COUNTING_TURNS; ++turn)
        for (uint k = 0; k < CLF_COUNTED_KEYS; ++k)
            counts[turn][k] = 0;
    for (ulong i = r.from; i < whole; i += CLF_COUNTING_TURNS)
        CLF_UNROLL for (uint turn = 0; turn < CLF_COUNTING_TURNS; ++turn)
            ++counts[turn][clf_counted_input(a, i + turn)];
    for (ulong i = whole; i < r.to; ++i)
        ++counts[0][clf_counted_input(a, i)];
    for (uint k = 0; k < CLF_COUNTED_KEYS; ++k) {
        uint sum = 0;
        for (uint turn = 0; turn < CLF_COUNTING_TURNS; ++turn)
            sum += counts[turn][k];
        table[k] = sum;
    }
}
#else
static inline void clf_counting_cpu_chunk(const clf_arguments *a, clf_counted_range r, __global uint *table)
{
    for (uint k = 0; k < CLF_COUNTED_KEYS; ++k)
        table[k] = 0;
    for (ulong i = r.from; i < r.to; ++i)
        ++table[clf_counted_input(a, i)];
}
#endif

CLF_INLINE void clf_counting_count_body(const clf_arguments *a, __local clf_counting_count_storage *s)
{
    const uint chunk = (uint)get_group_id(0);
    clf_counting_cpu_chunk(a, clf_counted_share(a->size, chunk, a->chunks), clf_counted_table(a, chunk));
}

CLF_INLINE void clf_counting_sum_body(const clf_arguments *a, __local clf_counting_sum_storage *s)
{
    const clf_counted_range r = clf_counted_share(CLF_COUNTED_KEYS, (uint)get_group_id(0), (uint)get_num_groups(0));
    for (ulong k = r.from; k < r.to; ++k)
        a->places[k] = 0;
    for (uint chunk = 0; chunk < a->chunks; ++chunk)
        for (ulong k = r.from; k < r.to; ++k)
            a->places[k] += clf_counted_table(a, chunk)[clf_counted_bits((uint)k)];
}

CLF_INLINE void clf_counting_starts_body(const clf_arguments *a, __local clf_counting_starts_storage *s)
{
    ulong place = 0;
    for (uint k = 0; k < CLF_COUNTED_KEYS; ++k) {
        a->starts[k] = place;
        place += a->places[k];
    }
    a->starts[CLF_COUNTED_KEYS] = place;
}

CLF_INLINE void clf_counting_fill_body(const clf_arguments *a, __local clf_counting_fill_storage *s)
{
    const clf_counted_range r = clf_counted_share(a->size, (uint)get_group_id(0), (uint)get_num_groups(0));
    __global clf_key_word *const out = clf_counted_output(a);
    ulong at = r.from;
    for (uint k = at < r.to ? clf_counted_key_at(a, at) : 0; at < r.to; ++k) {
        const ulong end = min(a->starts[k + 1], r.to);
        const clf_key_word bits = clf_counted_bits(k);
        for (; at < end; ++at)
            out[at] = bits;
    }
}

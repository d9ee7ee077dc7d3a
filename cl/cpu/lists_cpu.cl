/* SPDX-License-Identifier: MIT */
/*
 * lists_cpu: short segments of any lengths side by side, by one work-item of a CPU. Each of CLF_STREAMS lanes has a
 * segment of its own and combines its next element in each round. A lane whose segment has ended takes another. So
 * compilers make vectors of the combinations, whatever the lengths: one after the other each would wait for the last.
 *
 * needs: nothing
 * provides: CLF_LISTS, CLF_LISTS_FEW, clf_lists, clf_lists_reduce
 */
#include "segments/merge_path.cl"
#include "cpu/range_cpu.cl"

#if defined(CLF_STREAMS) && CLF_STREAMS > 1 && CLF_STREAMS <= 64 && !defined(CLF_VECTOR_WIDTH)

/* Is that worth it? A single field is combined faster than it is brought to a lane. */
#define CLF_LISTS (CLF_VALUE_COUNT > 1 && !CLF_HAS_EXTRA)

enum { CLF_LIST_SHORT = 128 /* elements */, CLF_LISTS_FEW = 4 * CLF_STREAMS };

/* Of each lane: the next element, how far it is to the one after, and the end. Idle lanes stay at the first of all. */
typedef struct {
    clf_sides part;
    ulong at[CLF_STREAMS], step[CLF_STREAMS], end[CLF_STREAMS], list[CLF_STREAMS];
    ulong first, from, next, last; /* segments next … last - 1 are left, and begin at element `from` */
    uint busy;
} clf_lists;

/* The next short segment goes to a lane, and longer ones before it are done. */
static inline void clf_lists_take(const clf_arguments *a, clf_lists *s, uint lane, __local clf_range_storage *storage)
{
    s->at[lane] = s->first;
    s->step[lane] = 0;
    s->end[lane] = ~0ul;
    while (s->step[lane] == 0 && s->next < s->last) {
        const ulong k = s->next++, at = s->from, end = clamp(clf_segment_end(a, k), at, a->size);
        s->from = end;
        if (end - at - 1 >= CLF_LIST_SHORT) {
            clf_segment_done(a, k, clf_stretch_reduce(a, at, end, storage));
            continue;
        }
        s->at[lane] = at;
        s->step[lane] = 1;
        s->end[lane] = end;
        s->list[lane] = k;
        clf_side_set(&s->part, lane, clf_neutral());
        ++s->busy;
    }
}

/* A round; bit k: has lane k's segment ended? */
static inline ulong clf_lists_round(const clf_arguments *a, clf_lists *s)
{
    clf_input_sides x;
    ulong ended = 0;
    for (uint k = 0; k < CLF_STREAMS; ++k)
        clf_input_side_set(&x, k, clf_input_at(&a->in, s->at[k]));
    for (ulong k = 0; k < CLF_STREAMS; ++k) {
        const clf_value v = clf_input_reduce(a, clf_input_side_get(&x, k), s->at[k]);
        clf_side_set(&s->part, k, clf_combine(clf_side_get(&s->part, k), v));
    }
    for (uint k = 0; k < CLF_STREAMS; ++k) {
        s->at[k] += s->step[k];
        ended |= (ulong)(s->at[k] == s->end[k]) << k;
    }
    return ended;
}

/* Whole segments first … last - 1, which begin at element `from`. */
static inline void clf_lists_reduce(const clf_arguments *a, ulong first, ulong last, ulong from,
                                    __local clf_range_storage *storage)
{
    clf_lists s = {.first = from, .from = from, .next = first, .last = last, .busy = 0};
    for (uint k = 0; k < CLF_STREAMS; ++k)
        clf_lists_take(a, &s, k, storage);
    while (s.busy > 0)
        for (ulong ended = clf_lists_round(a, &s); ended; ended &= ended - 1) {
            const uint k = popcount((ended & -ended) - 1);
            clf_segment_done(a, s.list[k], clf_side_get(&s.part, k));
            --s.busy;
            clf_lists_take(a, &s, k, storage);
        }
}

#endif

/* SPDX-License-Identifier: MIT */
/*
 * path_cpu: a tile of a merge path by one work-item, in CLF_STREAMS equal parts that advance round-robin. A step waits
 * for the one before it, but not for those of other parts.
 *
 * No branch depends on a comparison. As long as the shorter of two pieces has elements left, neither can end: so all
 * parts take that many steps, and then look again. A file that includes this one defines what is declared here.
 *
 * needs: path step, CLF_STREAMS
 * provides: clf_path_cpu_tile, clf_path_cpu_walk, clf_path_end
 */
#include "merge/path.cl"

/*
 * Takes one element, of diagonal `at`, of a part none of whose pieces is at its end, and whose next of the first
 * sequence is `first`; is it that? And takes the rest of a part, of whose pieces at most one is not at its end.
 */
static inline bool clf_path_step(const clf_arguments *a, const clf_sequences *q, ulong first, ulong at);
static inline void clf_path_finish(const clf_arguments *a, const clf_sequences *q, clf_path_part *p);

/* How many steps are sure to meet no end. */
static inline ulong clf_path_sure(const clf_path_part *p)
{
    return min(p->first_end - p->first, p->second_end - p->second);
}

/* So many steps in one part; */
static inline void clf_path_cpu_steps(const clf_arguments *a, const clf_sequences *q, clf_path_part *p, ulong steps)
{
    const ulong from = p->first + p->second, to = from + steps;
    CLF_LOOP for (ulong at = from; at < to; ++at)
        p->first += clf_path_step(a, q, p->first, at);
    p->second = to - p->first;
}

/* and in all, side by side. Of each a step changes one number: so they fit the registers. */
static inline void clf_path_cpu_steps_all(const clf_arguments *a, const clf_sequences *q, clf_path_part *p, ulong steps)
{
    ulong first[CLF_STREAMS], at[CLF_STREAMS];
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s) {
        first[s] = p[s].first;
        at[s] = p[s].first + p[s].second;
    }
    CLF_LOOP for (ulong k = 0; k < steps; ++k)
        CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s)
            first[s] += clf_path_step(a, q, first[s], at[s] + k);
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s) {
        p[s].first = first[s];
        p[s].second = at[s] + steps - first[s];
    }
}

/* Where a walk ends in the first sequence, and where one from there on begins: the same, if `less` is an order. */
typedef struct {
    ulong first_end, next;
} clf_path_end;

/* From diagonal `from` to `to`. */
static inline clf_path_end clf_path_cpu_walk(const clf_arguments *a, const clf_sequences *q, ulong from, ulong to)
{
    clf_path_part p[CLF_STREAMS];
    clf_path_end e;
    ulong begin = from, cut = clf_bisect(q, from);
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s) {
        const ulong end = from + (to - from) * (s + 1) / CLF_STREAMS;
        e.next = clf_bisect(q, end);
        p[s] = clf_path_part_of(begin, end, cut, e.next);
        begin = end;
        cut = p[s].first_end;
    }
    e.first_end = cut;
    for (;;) {
        ulong sure = clf_path_sure(&p[0]);
        CLF_UNROLL for (uint s = 1; s < CLF_STREAMS; ++s)
            sure = min(sure, clf_path_sure(&p[s]));
        if (sure == 0)
            break;
        clf_path_cpu_steps_all(a, q, p, sure);
    }
    CLF_UNROLL for (uint s = 0; s < CLF_STREAMS; ++s) {
        for (ulong sure = clf_path_sure(&p[s]); sure > 0; sure = clf_path_sure(&p[s]))
            clf_path_cpu_steps(a, q, &p[s], sure);
        clf_path_finish(a, q, &p[s]);
    }
    return e;
}

/* The work-item's tile of the call's two sequences; and what is to be done where it has ended, at diagonal `to`. */
#if CLF_IN_SETS > 1
static inline void clf_path_ended(const clf_arguments *a, const clf_sequences *q, ulong to, const clf_path_end *e);

static inline void clf_path_cpu_tile(const clf_arguments *a)
{
    const clf_sequences q = clf_sequences_of(a);
    const ulong from = get_group_id(0) * (ulong)CLF_ITEMS, to = min(from + CLF_ITEMS, clf_path_total(&q));
    if (clf_path_reaches(&q, from)) {
        const clf_path_end e = clf_path_cpu_walk(a, &q, from, to);
        clf_path_ended(a, &q, to, &e);
    }
}
#endif

/* SPDX-License-Identifier: MIT */
/*
 * bisect: cuts of two sequences that are walked as one (merge path), found by bisection: of all elements before the cut
 * at `diagonal`, how many are the first sequence's.
 *
 * Whoever includes this file defines the two functions that are declared here, and what they look at, if that is not
 * clf_arguments. Lanes of a warp that look for a cut together take few steps, each of which waits for memory.
 *
 * Odeh, Green, Mwassi, Shmueli and Birk, Merge Path (2012).
 */
#include "device/lane.cl"
#include "memory/value.cl"

#ifndef CLF_BISECTED
#define CLF_BISECTED clf_arguments
#endif

/* How many there are: all below `low` lie before the cut, none from `high` on. */
typedef struct {
    ulong low, high;
} clf_bisection;

/* What is known from the start; and whether element k lies before the cut, for k from low to high - 1. */
static inline clf_bisection clf_bisect_begin(const CLF_BISECTED *a, ulong diagonal);
static inline bool clf_bisect_before(const CLF_BISECTED *a, ulong k, ulong diagonal);

/* By one work-item. */
static inline ulong clf_bisect(const CLF_BISECTED *a, ulong diagonal)
{
    clf_bisection c = clf_bisect_begin(a, diagonal);
    while (c.low < c.high) {
        const ulong k = c.low + (c.high - c.low) / 2;
        if (clf_bisect_before(a, k, diagonal))
            c.low = k + 1;
        else
            c.high = k;
    }
    return c.low;
}

#if CLF_LANE_WIDTH > 1

/* By a warp: each `probes` neighbouring lanes, a power of two from 2 on, look for the cut at their diagonal. */
static inline ulong clf_bisect_by(const CLF_BISECTED *a, ulong diagonal, uint probes)
{
    const uint shift = clf_highest(probes), probe = clf_lane_id() & (probes - 1), lowest = clf_lane_id() - probe;
    const clf_mask mine = ((clf_mask)1 << (probes - 1) << 1) - 1;
    clf_bisection c = clf_bisect_begin(a, diagonal);
    while (clf_ballot(c.low < c.high)) {
        const bool open = c.low < c.high;
        const ulong step = (c.high - c.low + probes - 1) >> shift, k = c.low + step * (probe + 1) - 1;
        const bool before = open && k < c.high && clf_bisect_before(a, k, diagonal);
        const clf_mask votes = clf_ballot(before) >> lowest & mine;
        if (open) {
            c.low += step * popcount(votes);
            c.high = min(c.high, c.low + step - 1);
        }
    }
    return c.low;
}

enum { CLF_PROBES = CLF_LANE_WIDTH / 2 };

/* The cut at `first`, in the lower half of the lanes, and at `last`, in the upper. */
static inline ulong clf_bisect_both(const CLF_BISECTED *a, ulong first, ulong last)
{
    return clf_bisect_by(a, clf_lane_id() < CLF_PROBES ? first : last, CLF_PROBES);
}

#endif

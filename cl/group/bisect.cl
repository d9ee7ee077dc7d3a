/* SPDX-License-Identifier: MIT */
/*
 * bisect: cuts of two sequences that are traversed as one (merge path), found by bisection: how many of the elements
 * before the cut at `diagonal` belong to the first sequence?
 *
 * A file that includes this one defines the two functions that are declared here, and what they read, if that is not
 * clf_arguments. Warps search for the cuts on both sides of a share at once, with half of their lanes each. Few rounds
 * are needed, because each one waits for memory.
 *
 * Odeh, Green, Mwassi, Shmueli and Birk, Merge Path (2012).
 *
 * needs: bisection
 * provides: clf_bisect, clf_bisect_both, clf_bisect_by_half, clf_bisect_group, clf_bisection, CLF_PROBES, bisection
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

enum { CLF_PROBES = CLF_LANE_WIDTH / 2 };

/* By half a warp; the other half, too, has one diagonal for all of its lanes. */
static inline ulong clf_bisect_by_half(const CLF_BISECTED *a, ulong diagonal)
{
    const uint upper = clf_lane_id() / CLF_PROBES, probe = clf_lane_id() % CLF_PROBES;
    clf_bisection c = clf_bisect_begin(a, diagonal);
    while (clf_ballot(c.low < c.high)) {
        const bool open = c.low < c.high;
        const ulong step = (c.high - c.low + CLF_PROBES - 1) / CLF_PROBES, k = c.low + step * (probe + 1) - 1;
        const bool before = open && k < c.high && clf_bisect_before(a, k, diagonal);
        const clf_mask votes = clf_ballot(before) >> upper * CLF_PROBES & (((clf_mask)1 << CLF_PROBES) - 1);
        if (open) {
            c.low += step * popcount(votes);
            c.high = min(c.high, c.low + step - 1);
        }
    }
    return c.low;
}

/* By a warp: the cut at `first`, in the lower half of the lanes, and at `last`, in the upper. */
static inline ulong clf_bisect_both(const CLF_BISECTED *a, ulong first, ulong last)
{
    return clf_bisect_by_half(a, clf_lane_id() / CLF_PROBES ? last : first);
}

/* By a group: both cuts to local memory. Synchronise it afterwards. */
static inline void clf_bisect_group(const CLF_BISECTED *a, ulong first, ulong last, __local ulong cut[2])
{
    if (clf_warp_id() == 0) {
        const ulong found = clf_bisect_both(a, first, last);
        if (clf_lane_id() % CLF_PROBES == 0)
            cut[clf_lane_id() / CLF_PROBES] = found;
    }
}

#else

enum { CLF_PROBES = 1 };

static inline ulong clf_bisect_by_half(const CLF_BISECTED *a, ulong diagonal)
{
    return clf_bisect(a, diagonal);
}

static inline void clf_bisect_group(const CLF_BISECTED *a, ulong first, ulong last, __local ulong cut[2])
{
    for (uint k = clf_local_id(); k < 2; k += CLF_GROUP)
        cut[k] = clf_bisect(a, k ? last : first);
}

#endif

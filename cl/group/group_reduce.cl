/* SPDX-License-Identifier: MIT */
/*
 * group_reduce: values of neighbouring work-items combined in order: within a unit (lane.cl) by runs
 * of equal length, and across the work-group; and what becomes of a segment's total.
 *
 * The storage may be reused after the next barrier.
 *
 * needs: CLF_SEGMENT_IS_EMPTY
 * provides: clf_run_total, clf_segment_done, clf_units_total
 */
#include "group/state_value.cl"
#include "group/run.cl"
#include "memory/stretch.cl"

typedef struct {
    clf_value value[CLF_LANE_WIDTH > 1 ? CLF_UNITS : CLF_GROUP];
} clf_reduce_storage;

/* What each run of neighbours in a unit adds up to, right for its last; `place`: of this work-item in its run. */
#if CLF_LANE_WIDTH > 1

static inline clf_value clf_run_total(clf_value v, uint place, __local clf_reduce_storage *s CLF_COMBINE_PARAMETER)
{
    return clf_state_lane_reach(v, place CLF_COMBINE_A);
}

#else

static inline clf_value clf_run_total(clf_value v, uint place, __local clf_reduce_storage *s CLF_COMBINE_PARAMETER)
{
    const uint id = clf_local_id();
    for (uint d = 1; d < CLF_GROUP; d <<= 1) {
        s->value[id] = v;
        clf_group_sync();
        if (place >= d)
            v = clf_combine(s->value[id - d], v);
        clf_group_sync();
    }
    return v;
}

#endif

/*
 * What the units' totals, each in its last work-item, add up to, right for the last work-item of the group.
 */
static inline clf_value clf_units_total(clf_value v, __local clf_reduce_storage *s CLF_COMBINE_PARAMETER)
{
    if (CLF_UNITS == 1)
        return v;
    if (clf_unit_lane() == CLF_UNIT - 1)
        s->value[clf_unit_id()] = v;
    clf_group_sync();
    v = s->value[0];
    CLF_UNROLL for (uint k = 1; k < CLF_UNITS; ++k)
        v = clf_combine(v, s->value[k]);
    return v;
}

/* Has a segment no elements? Of irregular ones a file that includes this one knows. */
#ifndef CLF_SEGMENT_IS_EMPTY
#define CLF_SEGMENT_IS_EMPTY(a, segment) ((a)->size == 0)
#endif

/* The value of a segment, to its place. */
static inline void clf_segment_done(const clf_arguments *a, ulong segment, clf_value v)
{
    if (a->flags & CLF_ARG_INITIAL)
        v = clf_combine(clf_initial(a), v);
    else if (CLF_EXTREMES && CLF_SEGMENT_IS_EMPTY(a, segment))
        v = clf_nothing();
    clf_output_at(&a->out, segment, CLF_FINISHED(clf_finish_sum(a, v, segment), v));
}

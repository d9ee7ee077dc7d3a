/* SPDX-License-Identifier: MIT */
/*
 * column: neighbouring work-items that rank their elements together, one of each at a time. A column is a warp, which
 * has ballots. Where there are no lanes it is up to 32 work-items, which say in local memory what digits they have: a
 * word for each digit, a bit for each work-item. All columns of the group then go in step.
 *
 * needs: nothing
 * provides: clf_column_*, CLF_COLUMN_WIDTH, CLF_COLUMNS, CLF_UNROLL_COLUMN
 */
#include "device/lane.cl"

#define CLF_COLUMN_WIDTH \
    (CLF_LANE_WIDTH > 1 ? CLF_LANE_WIDTH : CLF_GROUP % 32 == 0 ? 32 : CLF_GROUP % 16 == 0 ? 16 : \
     CLF_GROUP % 8 == 0 ? 8 : CLF_GROUP % 4 == 0 ? 4 : CLF_GROUP % 2 == 0 ? 2 : 1)
typedef clf_mask clf_column_mask;
#define CLF_COLUMNS (CLF_GROUP / CLF_COLUMN_WIDTH)

/* Loops over the elements of a work-item: CPUs, which run this for tests alone, would compile copies for minutes. */
#if CLF_CPU && CLF_LANE_WIDTH == 1
#define CLF_UNROLL_COLUMN CLF_LOOP
#else
#define CLF_UNROLL_COLUMN CLF_UNROLL
#endif

static inline uint clf_column_id(void)
{
    return CLF_LANE_WIDTH > 1 ? clf_warp_id() : clf_local_id() / CLF_COLUMN_WIDTH;
}

/* Which of its work-items. */
static inline uint clf_column_lane(void)
{
    return CLF_LANE_WIDTH > 1 ? clf_lane_id() : clf_local_id() % CLF_COLUMN_WIDTH;
}

/* Of these work-items, those before this one. */
static inline clf_column_mask clf_column_below(clf_column_mask mask)
{
    return mask & (((clf_column_mask)1 << clf_column_lane()) - 1);
}

/* What the column's work-items wrote to local memory is seen by the others. All of the group call it. */
static inline void clf_column_sync(void)
{
    clf_unit_sync();
}

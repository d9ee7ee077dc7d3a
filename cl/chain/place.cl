/* SPDX-License-Identifier: MIT */
/*
 * place: which tile a group takes. By ticket, so that a tile waits for those alone that have started; or by the group's
 * number, for devices that start groups in order (CLF_TICKET = 0).
 *
 * Test builds: with CLF_REVERSE tiles are handed out last first. With CLF_STALL = k every k-th does not publish early
 * what it has.
 *
 * needs: CLF_REVERSE, CLF_STALL, CLF_TICKET
 * provides: clf_place_stalled, clf_place_take
 */
#include "device/atomics.cl"

static inline bool clf_place_stalled(ulong tile)
{
#if defined(CLF_STALL) && CLF_STALL > 0
    return (tile + 1) % CLF_STALL == 0;
#else
    return false;
#endif
}

/* Which of `groups` places in the order of tiles this group takes; `place` is in local memory. */
static inline uint clf_place_take(volatile __global uint *counter, uint before, uint groups, __local uint *place)
{
    uint mine = (uint)get_group_id(0);
    if (CLF_TICKET) {
        if (clf_local_id() == 0)
            *place = clf_ticket_take(counter) - before;
        clf_group_sync();
        mine = *place;
    }
#if defined(CLF_REVERSE) && CLF_REVERSE
    mine = groups - 1 - mine;
#endif
    return mine;
}

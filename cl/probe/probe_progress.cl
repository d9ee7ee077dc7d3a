/* SPDX-License-Identifier: MIT */
/*
 * probe_progress: does a started work-group go on while later ones wait for it? (Host: progress.c.)
 *
 * Groups take tickets. Each waits for the word of the ticket before its own, and then writes its own word: the whole
 * device waits in one row. Every wait is bounded by so many polls; who gives up lets all others give up. Some groups
 * do more work than others, so that their successors wait for long.
 *
 * data: [0] tickets, [1] groups that gave up, both zero before the run; [2] polls; [3] unused; from [4] on one word per
 * group, zero before the run.
 *
 * needs: nothing
 * provides: nothing
 */
#include "device/atomics.cl"

enum { PROBE_WORK = 64 };

static inline bool probe_arrives(__global uint *data, uint group)
{
    CLF_LOOP for (uint k = 0; k < data[2]; ++k) {
        if (clf_uint_load((volatile __global uint *)data + 4 + group))
            return true;
        if (k % 16 == 15 && clf_uint_load((volatile __global uint *)data + 1))
            return false;
    }
    return false;
}

__kernel CLF_PIN_GROUP void clf_probe(__global uint *data)
{
    if (clf_local_id() == 0) {
        const uint group = clf_ticket_take((volatile __global uint *)data);
        const uint work = group % 7 == 0 ? PROBE_WORK : 0;
        CLF_LOOP for (uint k = 0; k < work; ++k)
            (void)clf_uint_load((volatile __global uint *)data + 4 + group);
        if (group > 0 && !probe_arrives(data, group - 1))
            (void)clf_ticket_take((volatile __global uint *)data + 1);
        clf_uint_store((volatile __global uint *)data + 4 + group, 1);
    }
    clf_group_sync(); /* the others stay as long */
}

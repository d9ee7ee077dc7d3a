/* SPDX-License-Identifier: MIT */
/*
 * probe_units: how many work-groups run at a time? (Host side: src/program/units.c.)
 *
 * Each group counts itself in, stays for some polls, and counts itself out. A full device shows the highest count.
 * Every group leaves after PROBE_POLLS polls, whatever others do.
 *
 * data: [0] groups that run now, [1] the most that ran at a time. Both zero before the run.
 */
#include "device/atomics.cl"

#ifndef PROBE_POLLS
#define PROBE_POLLS 64
#endif

__kernel CLF_PIN_GROUP
void clf_probe(__global uint *data)
{
    volatile __global uint *const now = data;
    if (clf_local_id() == 0) {
        (void)atomic_max((volatile __global uint *)data + 1, atomic_inc(now) + 1);
        CLF_LOOP for (uint k = 0; k < PROBE_POLLS; ++k)
            if (atomic_or(now, 0u) == 0) /* never: this group is counted */
                break;
        (void)atomic_dec(now);
    }
    clf_group_sync(); /* the others stay as long */
}

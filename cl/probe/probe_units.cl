/* SPDX-License-Identifier: MIT */
/*
 * probe_units: how many work-groups run at a time, and do they start in order? PROBE_ITEMS=1: how many work-items?
 * (Host: src/probe/units.c.)
 *
 * Each counts itself in, stays for some polls, and counts itself out. A full device shows the highest count.
 * Every one leaves after so many polls, whatever others do, or when as many as there can be ran at a time.
 *
 * data: [0] how many run now, [1] the most that ran at a time, [4] how many have started, [5] the most places that a
 * group started before or after its own, all zero before the run; [2] polls; [3] how many there can be.
 *
 * needs: nothing
 * provides: probe
 */
#include "device/atomics.cl"

#ifndef PROBE_ITEMS
#define PROBE_ITEMS 0
#endif

__kernel CLF_PIN_GROUP void clf_probe(__global uint *data)
{
    volatile __global uint *const now = data;
    if (PROBE_ITEMS || clf_local_id() == 0) {
        const uint place = atomic_inc(now + 4);
        (void)atomic_max(now + 5, abs_diff(place, (uint)get_group_id(0)));
        (void)atomic_max((volatile __global uint *)data + 1, atomic_inc(now) + 1);
        CLF_LOOP for (uint k = 0; k < data[2]; ++k)
            if (atomic_or(now, 0u) >= data[3])
                break;
        (void)atomic_dec(now);
    }
    clf_group_sync(); /* the others stay as long */
}

/* SPDX-License-Identifier: MIT */
/*
 * probe_structs: is a struct copied before it is written again, where a loop is unrolled? Mesa 25.0's compiler
 * drops the first store: its pass for dead stores does not see that a copy reads (tests/driver_bugs/rusticl_struct.c).
 *
 * data: 4 numbers that are not 0; those that were copied right are 0 afterwards (host side: src/probe/probe.c).
 *
 * needs: nothing
 * provides: probe
 */
#include "device/base.cl"

typedef struct {
    uint number;
} probe_struct;

__kernel CLF_PIN_GROUP void clf_probe(__global uint *data)
{
    probe_struct copies[4], next;
    for (uint k = 0; k < 4; ++k) {
        next.number = data[k];
        copies[k] = next;
    }
    for (uint k = 0; k < 4; ++k)
        data[k] -= copies[k].number;
}

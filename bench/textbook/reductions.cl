/* SPDX-License-Identifier: MIT */
/*
 * Sums as CUDA's tutorials have them (Harris 2007), and Larsen (2017, 4.3.2 and appendix A): each group sums as many
 * elements as it has work-items, or twice as many, and further launches sum what they leave. By -D: T, GROUP.
 *
 *     interleaved   neighbours first, in order; the stride doubles, and with it the conflicts of local memory's banks
 *     by_warps      32 work-items at a time, in order, then what they leave
 *     halves        the upper half is added to the lower one, two elements at the beginning: not in order
 *
 * In CUDA the work-items of a warp needed no barrier among themselves; here each step has one.
 */
#ifdef EXTENSION
#pragma OPENCL EXTENSION EXTENSION : enable
#endif

enum { WARP = 32 };

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void interleaved(__global const T *in, __global T *out,
                                                                             ulong n)
{
    __local T data[GROUP];
    const uint id = get_local_id(0);
    const ulong i = get_global_id(0);
    data[id] = i < n ? in[i] : (T)0;
    for (uint apart = 1; apart < GROUP; apart *= 2) {
        const uint at = 2 * apart * id;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (at < GROUP)
            data[at] += data[at + apart];
    }
    if (id == 0)
        out[get_group_id(0)] = data[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void by_warps(__global const T *in, __global T *out,
                                                                          ulong n)
{
    __local T data[GROUP], left[WARP];
    const uint id = get_local_id(0), lane = id % WARP;
    const ulong i = get_global_id(0);
    data[id] = i < n ? in[i] : (T)0;
    if (id < WARP)
        left[id] = (T)0;
    for (uint apart = 1; apart < WARP; apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (lane % (2 * apart) == 0)
            data[id] += data[id + apart];
    }
    if (lane == 0)
        left[id / WARP] = data[id];
    for (uint apart = 1; apart < WARP; apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < WARP && id % (2 * apart) == 0)
            left[id] += left[id + apart];
    }
    if (id == 0)
        out[get_group_id(0)] = left[0];
}

__kernel __attribute__((reqd_work_group_size(GROUP, 1, 1))) void halves(__global const T *in, __global T *out, ulong n)
{
    __local T data[GROUP];
    const uint id = get_local_id(0);
    const ulong i = get_group_id(0) * (ulong)(2 * GROUP) + id;
    data[id] = (T)((i < n ? in[i] : (T)0) + (i + GROUP < n ? in[i + GROUP] : (T)0));
    for (uint apart = GROUP / 2; apart > 0; apart /= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id < apart)
            data[id] += data[id + apart];
    }
    if (id == 0)
        out[get_group_id(0)] = data[0];
}

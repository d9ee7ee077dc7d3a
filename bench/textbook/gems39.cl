/* SPDX-License-Identifier: MIT */
/*
 * The scan of GPU Gems 3, chapter 39 (Harris, Sengupta and Owens 2007), written afresh: blocks are scanned
 * work-efficiently in local memory, whose addresses are padded against bank conflicts; their sums are scanned by the
 * same kernel; and each element takes what stands before its block. By -D: T, and GROUP: a block is twice as long.
 */
#ifdef EXTENSION
#pragma OPENCL EXTENSION EXTENSION : enable
#endif
#define BLOCK (2 * GROUP)
#define BANKS 32
#define AT(i) ((i) + (i) / BANKS) /* an element of padding after each row of banks */

/* Block sums are the inclusive scans' last elements. In place too: a block is read whole before it is written. */
__kernel void blocks(__global const T *in, __global T *out, __global T *sums, ulong n, uint inclusive)
{
    __local T x[AT(BLOCK - 1) + 1];
    const uint near = get_local_id(0), far = near + GROUP;
    const ulong first = (ulong)get_group_id(0) * BLOCK;
    const T low = first + near < n ? in[first + near] : (T)0, high = first + far < n ? in[first + far] : (T)0;
    uint apart = 1;
    x[AT(near)] = low;
    x[AT(far)] = high;
    for (uint pairs = GROUP; pairs > 0; pairs /= 2, apart *= 2) {
        barrier(CLK_LOCAL_MEM_FENCE);
        if (near < pairs) {
            const uint right = (2 * near + 2) * apart - 1;
            x[AT(right)] += x[AT(right - apart)];
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (near == 0) {
        sums[get_group_id(0)] = x[AT(BLOCK - 1)];
        x[AT(BLOCK - 1)] = 0;
    }
    for (uint pairs = 1; pairs <= GROUP; pairs *= 2) {
        apart /= 2;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (near < pairs) {
            const uint right = (2 * near + 2) * apart - 1;
            const T before = x[AT(right)];
            x[AT(right)] = before + x[AT(right - apart)];
            x[AT(right - apart)] = before;
        }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first + near < n)
        out[first + near] = inclusive ? (T)(x[AT(near)] + low) : x[AT(near)];
    if (first + far < n)
        out[first + far] = inclusive ? (T)(x[AT(far)] + high) : x[AT(far)];
}

/* "Uniform add": one sum to all elements of a block. */
__kernel void add(__global T *out, __global const T *sums, ulong n)
{
    __local T before;
    const ulong first = (ulong)get_group_id(0) * BLOCK + get_local_id(0);
    if (get_local_id(0) == 0)
        before = sums[get_group_id(0)];
    barrier(CLK_LOCAL_MEM_FENCE);
    if (first < n)
        out[first] += before;
    if (first + GROUP < n)
        out[first + GROUP] += before;
}

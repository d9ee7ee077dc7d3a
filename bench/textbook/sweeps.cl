/* SPDX-License-Identifier: MIT */
/*
 * Scans and sums of all elements in steps, a launch each, as they were written for machines with a processor per
 * element. By -D: T.
 *
 *     Hillis and Steele (1986)   in step d each element takes the one 2^d before it: log n steps, n log n work
 *     Blelloch (1990)            an up-sweep to a balanced tree of sums, and a down-sweep: 2 log n steps, 2n work
 *     contraction                the upper half is added to the lower one: log n steps, n work (Henriksen 2020)
 */
#ifdef EXTENSION
#pragma OPENCL EXTENSION EXTENSION : enable
#endif

__kernel void step_from(__global const T *in, __global T *out, ulong n, ulong apart)
{
    const ulong i = get_global_id(0);
    if (i < n)
        out[i] = i >= apart ? (T)(in[i - apart] + in[i]) : in[i];
}

/* An exclusive scan is one of the elements before. */
__kernel void shift(__global const T *in, __global T *out, ulong n)
{
    const ulong i = get_global_id(0);
    if (i < n)
        out[i] = i > 0 ? in[i - 1] : (T)0;
}

/* Up to a power of two, for the tree. */
__kernel void pad(__global const T *in, __global T *tree, ulong n)
{
    const ulong i = get_global_id(0);
    tree[i] = i < n ? in[i] : (T)0;
}

/* Nodes `apart` elements from their siblings; a node's number is the work-item's. */
__kernel void up(__global T *tree, ulong apart)
{
    const ulong right = (2 * get_global_id(0) + 2) * apart - 1;
    tree[right] += tree[right - apart];
}

/* The root starts from nothing, whatever its sum is. */
__kernel void down(__global T *tree, ulong apart, uint root)
{
    const ulong right = (2 * get_global_id(0) + 2) * apart - 1;
    const T left = tree[right - apart], before = root ? (T)0 : tree[right];
    tree[right - apart] = before;
    tree[right] = before + left;
}

/* Half as many elements, each the sum of two; the last one is the result. */
__kernel void contract(__global T *tree, __global T *sum, ulong n)
{
    const ulong i = get_global_id(0);
    const T both = tree[i] + tree[i + n];
    if (n > 1)
        tree[i] = both;
    else
        *sum = both;
}

__kernel void take(__global const T *tree, __global const T *in, __global T *out, ulong n, uint inclusive)
{
    const ulong i = get_global_id(0);
    if (i < n)
        out[i] = inclusive ? (T)(tree[i] + in[i]) : tree[i];
}

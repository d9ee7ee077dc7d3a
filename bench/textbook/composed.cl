/* SPDX-License-Identifier: MIT */
/*
 * The steps of composed.h. Before this stand, generated: clf_value, combine, neutral, and lists of fields: IN, OUT
 * (arguments), LOAD (an initialiser), STORE. By -D: BS, BF, LEVELS, SE (what is left after them) and ROOT.
 */
#define GROUP (BS / BF)
#define LOCAL_VALUES (2 * BS)
#define LEVELS_BEFORE ((BS - SE) * BF / (BF - 1)) /* elements of all levels before the root's: BS + BS / BF + ... */

#ifdef COUNT
#define TRACED , __global uint *traced
#define COMBINE(a, b) (++*applied, combine(a, b))
#define TELL_COUNT atomic_add(traced, applications);
#else
#define COMBINE(a, b) combine(a, b)
#define TELL_COUNT
#ifdef TRACE
#define TRACED , __global clf_value *traced
#else
#define TRACED
#endif
#endif

/* Tests look at all levels of the first block: after the up-sweep, after the root, at the end. */
#ifdef TRACE
#define TELL(x, stage)                                                        \
    if (get_group_id(0) == 0)                                                 \
        for (uint i = get_local_id(0); i < LOCAL_VALUES; i += GROUP)          \
            traced[stage * LOCAL_VALUES + i] = (x)[i];                        \
    barrier(CLK_LOCAL_MEM_FENCE);
#define SCAN_BLOCK(x) scan_block(x, &applications, traced)
#define SCAN_SUMS(x) scan_block(x, &applications, traced + 3 * LOCAL_VALUES)
#else
#define TELL(x, stage)
#define SCAN_BLOCK(x) scan_block(x, &applications)
#define SCAN_SUMS(x) scan_block(x, &applications)
#endif

/* Each chunk of BF elements of a level to one of the next. */
void up(__local const clf_value *from, __local clf_value *to, uint chunks, uint *applied)
{
    for (uint c = get_local_id(0); c < chunks; c += GROUP) {
        clf_value sum = from[c * BF];
        for (uint j = 1; j < BF; j++)
            sum = COMBINE(sum, from[c * BF + j]);
        to[c] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Elements of a level from scanned ones of the next, which are the last ones of their chunks. */
void down(__local const clf_value *from, __local clf_value *to, uint chunks, uint *applied)
{
    for (uint c = get_local_id(0); c < chunks; c += GROUP) {
        clf_value sum = to[c * BF];
        if (c > 0)
            sum = COMBINE(from[c - 1], sum);
        to[c * BF] = sum;
        for (uint j = 1; j + 1 < BF; j++) {
            sum = COMBINE(sum, to[c * BF + j]);
            to[c * BF + j] = sum;
        }
        to[c * BF + BF - 1] = from[c];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

#if ROOT == 0
void root(__local clf_value *x, uint *applied)
{
    if (get_local_id(0) == 0)
        for (uint i = 1; i < SE; i++)
            x[i] = COMBINE(x[i - 1], x[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
}
#elif ROOT == 1
/* Kogge and Stone: in each step every element takes the one `apart` before it. */
void root(__local clf_value *x, uint *applied)
{
    clf_value mine[BF];
    for (uint apart = 1; apart < SE; apart *= 2) {
        for (uint k = 0, i = get_local_id(0); i < SE; i += GROUP, k++)
            if (i >= apart)
                mine[k] = COMBINE(x[i - apart], x[i]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0, i = get_local_id(0); i < SE; i += GROUP, k++)
            if (i >= apart)
                x[i] = mine[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#else
/* Sklansky: in each step the second half of each pair of runs takes the last element of the first. */
void root(__local clf_value *x, uint *applied)
{
    for (uint run = 1; run < SE; run *= 2) {
        for (uint p = get_local_id(0); p < SE / 2; p += GROUP) {
            const uint second = p / run * 2 * run + run;
            x[second + p % run] = COMBINE(x[second - 1], x[second + p % run]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}
#endif

/* Scans x[0 .. BS); levels lie behind each other. */
#ifdef TRACE
void scan_block(__local clf_value *x, uint *applied, __global clf_value *traced)
#else
void scan_block(__local clf_value *x, uint *applied)
#endif
{
    uint size = BS;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint level = 0; level < LEVELS; level++) {
        up(x, x + size, size / BF, applied);
        x += size;
        size /= BF;
    }
    TELL(x - LEVELS_BEFORE, 0)
    root(x, applied);
    TELL(x - LEVELS_BEFORE, 1)
    for (uint level = 0; level < LEVELS; level++) {
        down(x, x - size * BF, size, applied);
        size *= BF;
        x -= size;
    }
    TELL(x, 2)
}

__kernel void blocks(IN, OUT, __global clf_value *sums, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0;
    for (uint i = get_local_id(0); i < BS; i += GROUP) {
        if (first + i < n) {
            const clf_value value = LOAD(first + i);
            x[i] = value;
        } else {
            x[i] = neutral();
        }
    }
    SCAN_BLOCK(x);
    for (uint i = get_local_id(0); i < BS && first + i < n; i += GROUP) {
        STORE(first + i, x[i])
    }
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = x[BS - 1];
    TELL_COUNT
}

/* The same of block sums, in their place. */
__kernel void sums(__global clf_value *values, __global clf_value *next, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0;
    for (uint i = get_local_id(0); i < BS; i += GROUP) {
        if (first + i < n)
            x[i] = values[first + i];
        else
            x[i] = neutral();
    }
    SCAN_SUMS(x);
    for (uint i = get_local_id(0); i < BS && first + i < n; i += GROUP)
        values[first + i] = x[i];
    if (get_local_id(0) == 0)
        next[get_group_id(0)] = x[BS - 1];
    TELL_COUNT
}

/* Elements behind the first block take what lies before their own. */
__kernel void propagate_sums(__global clf_value *values, __global const clf_value *scanned, ulong n TRACED)
{
    const ulong i = get_global_id(0) + (ulong)BS;
    if (i < n) {
        values[i] = combine(scanned[i / BS - 1], values[i]);
#ifdef COUNT
        atomic_inc(traced);
#endif
    }
}

__kernel void propagate(OUT, __global const clf_value *scanned, ulong n TRACED)
{
    const ulong i = get_global_id(0) + (ulong)BS;
    if (i < n) {
        const clf_value value = AGAIN(i);
        const clf_value sum = combine(scanned[i / BS - 1], value);
        STORE(i, sum)
#ifdef COUNT
        atomic_inc(traced);
#endif
    }
}

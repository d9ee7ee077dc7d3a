/* SPDX-License-Identifier: MIT */
/*
 * The steps of composed.h. Before this stand, generated: clf_value, combine, neutral, and lists of fields: IN, OUT
 * (arguments), LOAD (an initialiser), STORE; and of the scheme BS, GROUP, LOCAL_VALUES, WINDOW, AT, UPS, ROOT, TOTAL
 * and DOWNS.
 */
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

/* ---- Within a block ----------------------------------------------------------------------------------------- */

/* Each chunk of `by` elements of a level to one of the next. */
void up(__local const clf_value *from, __local clf_value *to, uint chunks, uint by, uint *applied)
{
    for (uint c = get_local_id(0); c < chunks; c += GROUP) {
        clf_value sum = from[AT(c * by)];
        for (uint j = 1; j < by; j++)
            sum = COMBINE(sum, from[AT(c * by + j)]);
        to[AT(c)] = sum;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* Elements of a level from scanned ones of the next, which are the last ones of their chunks. */
void down(__local const clf_value *from, __local clf_value *to, uint chunks, uint by, uint *applied)
{
    for (uint c = get_local_id(0); c < chunks; c += GROUP) {
        clf_value sum = to[AT(c * by)];
        if (c > 0)
            sum = COMBINE(from[AT(c - 1)], sum);
        to[AT(c * by)] = sum;
        for (uint j = 1; j + 1 < by; j++) {
            sum = COMBINE(sum, to[AT(c * by + j)]);
            to[AT(c * by + j)] = sum;
        }
        to[AT(c * by + by - 1)] = from[AT(c)];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
}

void serial(__local clf_value *x, uint size, uint *applied)
{
    if (get_local_id(0) == 0)
        for (uint i = 1; i < size; i++)
            x[AT(i)] = COMBINE(x[AT(i - 1)], x[AT(i)]);
    barrier(CLK_LOCAL_MEM_FENCE);
}

/* In each step every element takes the one `apart` before it. Two of a work-item at most: without steps. */
void kogge_stone(__local clf_value *x, uint size, uint *applied)
{
    clf_value mine[2];
    for (uint apart = 1; apart < size; apart *= 2) {
        for (uint k = 0, i = get_local_id(0); i < size; i += GROUP, k++)
            if (i >= apart)
                mine[k] = COMBINE(x[AT(i - apart)], x[AT(i)]);
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0, i = get_local_id(0); i < size; i += GROUP, k++)
            if (i >= apart)
                x[AT(i)] = mine[k];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* In each step the second half of each pair of runs takes the last element of the first. */
void sklansky(__local clf_value *x, uint size, uint *applied)
{
    for (uint run = 1; run < size; run *= 2) {
        for (uint p = get_local_id(0); p < size / 2; p += GROUP) {
            const uint second = p / run * 2 * run + run;
            x[AT(second + p % run)] = COMBINE(x[AT(second - 1)], x[AT(second + p % run)]);
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
}

/* Scans the block; levels lie behind each other. */
#ifdef TRACE
void scan_block(__local clf_value *x, uint *applied, __global clf_value *traced)
#else
void scan_block(__local clf_value *x, uint *applied)
#endif
{
    barrier(CLK_LOCAL_MEM_FENCE);
    UPS
    TELL(x, 0)
        ROOT
    TELL(x, 1)
        DOWNS
    TELL(x, 2)
}

/* What is written at the end of a block is nobody's: any value will do, so this need not be neutral. */
#define LOAD_BLOCK(from)                                                      \
    for (uint i = get_local_id(0); i < BS; i += GROUP) {                      \
        if (first + i < n) {                                                  \
            const clf_value value = from;                                     \
            x[AT(i)] = value;                                                 \
        } else {                                                              \
            x[AT(i)] = neutral();                                             \
        }                                                                     \
    }

/* ---- Blocks scanned, sums propagated ------------------------------------------------------------------------ */

__kernel void blocks(IN, OUT, __global clf_value *sums, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0;
    LOAD_BLOCK(LOAD(first + i))
    SCAN_BLOCK(x);
    for (uint i = get_local_id(0); i < BS && first + i < n; i += GROUP) {
        STORE(first + i, x[AT(i)])
    }
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = x[AT(BS - 1)];
    TELL_COUNT
}

/* The same of block sums, in their place. */
__kernel void sums(__global clf_value *values, __global clf_value *next, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0;
    LOAD_BLOCK(values[first + i])
    SCAN_SUMS(x);
    for (uint i = get_local_id(0); i < BS && first + i < n; i += GROUP)
        values[first + i] = x[AT(i)];
    if (get_local_id(0) == 0)
        next[get_group_id(0)] = x[AT(BS - 1)];
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

/* ---- Sums first --------------------------------------------------------------------------------------------- */

__kernel void reduce(IN, __global clf_value *sums, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0, *const applied = &applications;
    LOAD_BLOCK(LOAD(first + i))
    barrier(CLK_LOCAL_MEM_FENCE);
    UPS ROOT if (get_local_id(0) == 0) sums[get_group_id(0)] = x[TOTAL];
    TELL_COUNT
}

/* The block's first element takes what lies before it, and so all do. */
__kernel void rescan(IN, OUT, __global const clf_value *scanned, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES];
    const ulong first = (ulong)get_group_id(0) * BS;
    uint applications = 0, *const applied = &applications;
    LOAD_BLOCK(LOAD(first + i))
    if (get_local_id(0) == 0 && get_group_id(0) > 0)
        x[0] = COMBINE(scanned[get_group_id(0) - 1], x[0]);
    SCAN_BLOCK(x);
    for (uint i = get_local_id(0); i < BS && first + i < n; i += GROUP) {
        STORE(first + i, x[AT(i)])
    }
    TELL_COUNT
}

/* ---- Look-back ---------------------------------------------------------------------------------------------- */

/*
 * A message is a value by halves of words, each beside a tag: the call, and what the value is. So it is whole when all
 * tags are equal, and needs no fence. Behind the counter each block has one.
 */
enum { NOTHING = 0, SUM = 1, UP_TO = 2 };
#define HALVES ((sizeof(clf_value) + 1) / 2)
#define FIRST_MESSAGE 16
#define MOST_POLLS (1u << 22)
typedef union {
    clf_value value;
    ushort part[HALVES];
} message;

void tell(volatile __global uint *slots, uint block, clf_value value, uint tag)
{
    message m;
    m.part[HALVES - 1] = 0;
    m.value = value;
    for (uint k = 0; k < HALVES; k++)
        slots[FIRST_MESSAGE + (size_t)block * HALVES + k] = tag << 16 | m.part[k];
}

uint listen(volatile __global uint *slots, uint block, uint call, __local clf_value *value)
{
    message m;
    uint tag = 0;
    bool whole = true;
    for (uint k = 0; k < HALVES; k++) {
        const uint word = slots[FIRST_MESSAGE + (size_t)block * HALVES + k];
        tag = k == 0 ? word >> 16 : tag;
        whole = whole && word >> 16 == tag;
        m.part[k] = (ushort)word;
    }
    *value = m.value;
    return whole && tag >> 2 == call ? tag & 3 : NOTHING;
}

/* Blocks by the order in which groups start: each waits for such alone as run already. Patience has an end. */
__kernel void chained(IN, OUT, volatile __global uint *slots, uint before, uint call, ulong n TRACED)
{
    __local clf_value x[LOCAL_VALUES], told[WINDOW], prefix;
    __local uint status[WINDOW], left;
    const uint id = get_local_id(0);
    uint applications = 0, *const applied = &applications;
    if (id == 0)
        left = atomic_inc(slots) - before;
    barrier(CLK_LOCAL_MEM_FENCE);
    const uint block = left;
    const ulong first = (ulong)block * BS;
    LOAD_BLOCK(LOAD(first + i))
    SCAN_BLOCK(x);
    if (id == 0)
        tell(slots, block, x[AT(BS - 1)], call << 2 | (block == 0 ? UP_TO : SUM));
    bool any = false;
    for (uint end = block, polls = 0; end > 0 && polls < MOST_POLLS; polls = left == end ? polls + 1 : 0, end = left) {
        if (id < WINDOW)
            status[id] = id < end ? listen(slots, end - 1 - id, call, told + id) : NOTHING;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (id == 0) {
            uint taken = 0;
            bool found = false;
            for (; taken < WINDOW && status[taken] != NOTHING && !found; taken++) {
                prefix = any ? COMBINE(told[taken], prefix) : told[taken];
                any = true;
                found = status[taken] == UP_TO;
            }
            left = found ? 0 : end - taken;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (id == 0 && block > 0)
        tell(slots, block, COMBINE(prefix, x[AT(BS - 1)]), call << 2 | UP_TO);
    for (uint i = id; i < BS && first + i < n; i += GROUP) {
        clf_value value = x[AT(i)];
        if (block > 0)
            value = COMBINE(prefix, value);
        STORE(first + i, value)
    }
    TELL_COUNT
}

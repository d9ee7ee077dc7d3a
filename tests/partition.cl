/* SPDX-License-Identifier: MIT */
/*
 * partition: the single-pass chain and the spine with a state of their own (test_chain.c). Odd numbers go to one array
 * and even ones to another, in order, each from the start of its segment on; the state is how many there are of both.
 * There is no operator here, and no clf_value.
 */
#include "device/base.cl"

typedef struct {
    __global const uint *in;
    __global uint *odds, *evens;
    ulong count, size;
    __global uchar *scratch;
    uint epoch, ticket, flags;
} clf_arguments;
enum { CLF_ARG_IN_PLACE = 1, CLF_ARG_ALONE = 2, CLF_ARG_NEAR = 4 };

/* ---- The state --------------------------------------------------------------------------------------- */

typedef struct {
    uint odds, evens;
} clf_state;
#define CLF_STATE_WORDS 2

static inline void clf_state_pack(clf_state s, uint w[CLF_STATE_WORDS])
{
    w[0] = s.odds;
    w[1] = s.evens;
}

static inline clf_state clf_state_unpack(const uint w[CLF_STATE_WORDS])
{
    const clf_state s = {w[0], w[1]};
    return s;
}

static inline clf_state clf_state_combine(clf_state left, clf_state right)
{
    const clf_state s = {left.odds + right.odds, left.evens + right.evens};
    return s;
}

static inline clf_state clf_state_neutral(void)
{
    const clf_state s = {0, 0};
    return s;
}

static inline clf_state clf_state_initial(const clf_arguments *a)
{
    return clf_state_neutral();
}

static inline clf_state clf_state_at(const clf_arguments *a, ulong i)
{
    const clf_state s = {a->in[i] & 1, ~a->in[i] & 1};
    return s;
}

static inline clf_state clf_state_copy(clf_state s)
{
    return s;
}

/* ---- A tile ------------------------------------------------------------------------------------------ */

#include "chain/single_pass.cl"
#include "chain/spine.cl"

/* Elements first … last - 1 of the tile: this work-item's row. */
typedef struct {
    ulong tile; /* its first element */
    uint first, last;
} partition_row;

static inline partition_row partition_row_of(const clf_arguments *a, uint tile)
{
    const uint count = clf_tile_count(a, tile), first = min(clf_local_id() * CLF_ITEMS, count);
    const partition_row r = {(ulong)tile * CLF_TILE, first, min(first + CLF_ITEMS, count)};
    return r;
}

static inline clf_run partition_reduce(const clf_arguments *a, partition_row r)
{
    return clf_recompute(a, r.tile, r.first, r.last);
}

/* Writes the row; `before`: what lies before it in its segment. */
static inline void partition_write(const clf_arguments *a, partition_row r, clf_state before)
{
    for (uint k = r.first; k < r.last; ++k) {
        const ulong i = r.tile + k, position = clf_position(a, i);
        if (position == 0)
            before = clf_state_neutral();
        const ulong start = i - position;
        if (a->in[i] & 1)
            a->odds[start + before.odds] = a->in[i];
        else
            a->evens[start + before.evens] = a->in[i];
        before = clf_state_combine(before, clf_state_at(a, i));
    }
}

static inline clf_state partition_before(clf_state prefix, clf_run left)
{
    return clf_run_combine(clf_run_of(prefix, false), left).sum;
}

/* ---- Kernels ----------------------------------------------------------------------------------------- */

#define PARAMETERS                                                                                               \
    __global const uint *in, __global uint *odds, __global uint *evens, ulong count, ulong size,                 \
        __global uchar *scratch, uint epoch, uint ticket
#define ARGUMENTS {in, odds, evens, count, size, scratch, epoch, ticket, 0}
#define KERNEL __kernel __attribute__((reqd_work_group_size(CLF_GROUP, 1, 1))) CLF_PIN_LANES void

KERNEL partition_single_pass(PARAMETERS)
{
    __local clf_run_totals totals;
    __local clf_single_pass_storage pass;
    const clf_arguments a = ARGUMENTS;
    clf_run all;
    uint tile;
    if (!clf_single_pass_take(&a, &pass, &tile))
        return;
    const partition_row row = partition_row_of(&a, tile);
    const clf_run left = clf_run_group_scan(partition_reduce(&a, row), &totals, &all);
    if (CLF_LOOKBACK_WAITS)
        clf_single_pass_prefix(&a, tile, clf_heads_at_start(clf_segment_heads_of(&a, row.tile)), all, &pass);
    clf_group_sync();
    partition_write(&a, row, partition_before(pass.prefix, left));
}

KERNEL partition_up(PARAMETERS)
{
    __local clf_run_totals totals;
    const clf_arguments a = ARGUMENTS;
    const uint tile = (uint)get_group_id(0);
    clf_run all;
    (void)clf_run_group_scan(partition_reduce(&a, partition_row_of(&a, tile)), &totals, &all);
    if (clf_local_id() == 0)
        clf_partial_set(&a, tile, all);
}

KERNEL partition_spine(PARAMETERS)
{
    __local clf_scan_spine_storage storage;
    const clf_arguments a = ARGUMENTS;
    clf_scan_spine_body(&a, &storage);
}

KERNEL partition_down(PARAMETERS)
{
    __local clf_run_totals totals;
    const clf_arguments a = ARGUMENTS;
    const uint tile = (uint)get_group_id(0);
    const partition_row row = partition_row_of(&a, tile);
    clf_run all;
    const clf_run left = clf_run_group_scan(partition_reduce(&a, row), &totals, &all);
    partition_write(&a, row, partition_before(clf_partial_get(&a, tile).sum, left));
}

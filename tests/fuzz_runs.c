/* SPDX-License-Identifier: MIT */
/*
 * How a fuzzer runs filters, reductions by key, splits, gathers and scatters, merges and bounds, and transpositions:
 * each family keeps the plan of its last call.
 */
#include "fuzz.h"

#include "cases.h"

#include <stdio.h>
#include <string.h>

circumstances fuzz_under(const fuzz_case *c, bool given, size_t actual)
{
    return (circumstances){.offset = (size_t)c->knob[FUZZ_OFFSET], .tight = c->knob[FUZZ_OFFSET2] == 1, .given = given,
                           .actual = actual, .unordered = c->knob[FUZZ_UNORDERED] != 0,
                           .gated = c->knob[FUZZ_GATED] != 0, .scratch = (scratch_kind)(c->knob[FUZZ_SCRATCH] % 3),
                           .seed = c->knob[FUZZ_DATA], .number = -1};
}

bool needs_plan(kept *last, const fuzz_case *c)
{
    if (last->plan && memcmp(last->made.knob, c->knob, sizeof c->knob[0] * FUZZ_CALL) == 0)
        return false;
    if (last->plan)
        clf_plan_release(last->plan);
    *last = (kept){.made = *c}; /* with no plan, should making one fail */
    return true;
}

/* Of the primitive's the one that the operator's knob tells. */
static const ref_filter *filter_of(const fuzz_case *c)
{
    const ref_filter *own[REF_FILTER_COUNT];
    size_t count = 0;
    for (int f = 0; f < REF_FILTER_COUNT; ++f)
        if (strcmp(ref_filter_primitive(ref_filter_of(f)), fuzz_primitive_name(c)) == 0)
            own[count++] = ref_filter_of(f);
    return own[c->knob[FUZZ_OPERATOR] % count];
}

fuzz_operand filter_operand(const fuzz_case *c)
{
    return (fuzz_operand){filter_of(c)->name, filter_of(c)->value.count > 1};
}

bool run_filter(const fuzz_case *c)
{
    static kept last;
    const bool can_in_place = filter_of(c)->parts == 1, from_device = c->knob[FUZZ_FLAG] != 0;
    const filter_key key = {filter_of(c), fuzz_route_of(c), can_in_place};
    const size_t n = (size_t)c->knob[FUZZ_N];
    if (needs_plan(&last, c))
        last.plan = filter_plan(&key, from_device);
    const filter_case test = {
        .key = key, .n = n, .room = c->knob[FUZZ_ROOM] == 1 ? n / 2 : n + (size_t)c->knob[FUZZ_ROOM],
        .pattern = (filter_pattern)(c->knob[FUZZ_SHAPE] % FILTER_PATTERNS),
        .percent = (unsigned)(c->knob[FUZZ_DATA] % 101), .in_place = can_in_place && c->knob[FUZZ_IN_PLACE] != 0,
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_SIZE])};
    return last.plan && filter_case_run(last.plan, test);
}

/* The operator's knob without what stands for `finish`. */
static uint64_t plain_of(const fuzz_case *c)
{
    return c->knob[FUZZ_OPERATOR] % FUZZ_ENDS;
}

const ref_by_key *fuzz_by_key_of(const fuzz_case *c)
{
    return ref_by_key_of((int)(plain_of(c) % REF_BY_KEY_COUNT));
}

fuzz_operand by_key_operand(const fuzz_case *c)
{
    return (fuzz_operand){fuzz_by_key_of(c)->name, false};
}

bool run_by_key(const fuzz_case *c)
{
    static kept last;
    const bool finished = c->knob[FUZZ_OPERATOR] >= FUZZ_ENDS;
    const cl_ulong all = (1ull << (fuzz_by_key_of(c)->value.count + finished)) - 1;
    const by_key_key key = {fuzz_by_key_of(c), fuzz_route_of(c), plain_of(c) / REF_BY_KEY_COUNT % 2, finished,
                            c->knob[FUZZ_HOW] & all};
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    const size_t n = (size_t)c->knob[FUZZ_N];
    if (needs_plan(&last, c))
        last.plan = by_key_plan(&key, from_device);
    const by_key_case test = {
        .key = key, .n = n, .room = c->knob[FUZZ_ROOM] == 1 ? n / 2 : n + (size_t)c->knob[FUZZ_ROOM],
        .tile = last.plan ? plan_tile(last.plan) : 1,
        .pattern = (by_key_pattern)(c->knob[FUZZ_SHAPE] % BY_KEY_PATTERNS),
        .percent = (unsigned)(c->knob[FUZZ_DATA] % 101),
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_SIZE])};
    return last.plan && by_key_case_run(last.plan, test);
}

static const ref_split *split_of(const fuzz_case *c)
{
    return ref_split_of((int)(c->knob[FUZZ_OPERATOR] % REF_SPLIT_COUNT));
}

fuzz_operand split_operand(const fuzz_case *c)
{
    return (fuzz_operand){split_of(c)->name, split_of(c)->value.count > 1};
}

/* The operator's knob tells the number of parts, too. */
static unsigned parts_of(const fuzz_case *c)
{
    static const unsigned parts[] = {256, 1, 2, 3, 10, 16, 17, 100, 255};
    return parts[c->knob[FUZZ_OPERATOR] / REF_SPLIT_COUNT % COUNT(parts)];
}

bool run_split(const fuzz_case *c)
{
    static kept last;
    const split_key key = {split_of(c), parts_of(c), fuzz_route_of(c)};
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    if (needs_plan(&last, c))
        last.plan = split_plan(&key, from_device);
    const split_case test = {
        .key = key, .n = (size_t)c->knob[FUZZ_N], .period = (size_t)c->knob[FUZZ_SIZE],
        .pattern = (split_pattern)(c->knob[FUZZ_SHAPE] % SPLIT_PATTERNS), .uncounted = c->knob[FUZZ_ROOM] == 1,
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_SIZE])};
    if (last.plan)
        split_case_run(last.plan, test);
    return last.plan;
}

static const ref_index *index_of(const fuzz_case *c)
{
    const uint64_t k = plain_of(c), extreme = k - FUZZ_EXTREMES;
    if (k < FUZZ_EXTREMES)
        return ref_index_of((int)(k % REF_INDEX_COUNT));
    return ref_index_builtin(extreme % 2 ? CLF_MAX : CLF_MIN, (clf_type)(CLF_HALF + extreme / 2 % 3));
}

fuzz_operand index_operand(const fuzz_case *c)
{
    return (fuzz_operand){index_of(c)->name, false};
}

/* Of rows, if there is a batch: then each has so many elements. The size is the number of bins. */
bool run_index(const fuzz_case *c)
{
    static kept last;
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    const uint64_t k = plain_of(c);
    const unsigned further = (unsigned)(k < FUZZ_EXTREMES ? k / REF_INDEX_COUNT : (k - FUZZ_EXTREMES) / 6);
    const bool finished = c->knob[FUZZ_OPERATOR] >= FUZZ_ENDS && index_of(c) != ref_index_of(REF_INDEX_JOINED);
    const bool updates = further % 2 && !finished;
    const cl_ulong all = (1ull << (index_of(c)->value.count + finished)) - 1;
    const index_key key = {index_of(c), (from_device ? CLF_FROM_DEVICE : 0u) | (updates ? CLF_UPDATE : 0u) |
                           (further % 4 == 2 ? CLF_ORDERED : 0u), fuzz_route_of(c), finished,
                           further / 4 % 2 && !updates ? 1 + further % all : 0};
    const size_t n = (size_t)c->knob[FUZZ_N], count = c->knob[FUZZ_BATCH] ? (size_t)c->knob[FUZZ_BATCH] : 1;
    if (needs_plan(&last, c))
        last.plan = index_plan(&key);
    const index_case test = {
        .key = key, .count = count, .size = n / count, .bins = (size_t)c->knob[FUZZ_SIZE],
        .rows = c->knob[FUZZ_BATCH] != 0, .pattern = (index_pattern)(c->knob[FUZZ_SHAPE] % INDEX_PATTERNS),
        .may_refuse = true,
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_DATA] % ((c->knob[FUZZ_BATCH] ? count : n) + 2))};
    if (last.plan)
        index_case_run(last.plan, test);
    return last.plan;
}

static const ref_moved *moved_of(const fuzz_case *c)
{
    return ref_moved_of((int)(c->knob[FUZZ_OPERATOR] % REF_MOVED_COUNT));
}

fuzz_operand gather_operand(const fuzz_case *c)
{
    return (fuzz_operand){moved_of(c)->fields, false};
}

bool run_gather(const fuzz_case *c)
{
    static kept last;
    const gather_key key = {moved_of(c), strcmp(fuzz_primitive_name(c), "scatter") == 0,
                            c->knob[FUZZ_OPERATOR] / REF_MOVED_COUNT % 2 != 0, fuzz_route_of(c)};
    const bool from_device = c->knob[FUZZ_FLAG] != 0;
    const size_t n = (size_t)c->knob[FUZZ_N];
    if (needs_plan(&last, c))
        last.plan = gather_plan(&key, from_device);
    const gather_case test = {
        .key = key, .n = c->knob[FUZZ_ROOM] == 1 ? n / 2 : n + (size_t)c->knob[FUZZ_ROOM], .m = n,
        .pattern = (gather_pattern)(c->knob[FUZZ_SHAPE] % GATHER_PATTERNS),
        .under = fuzz_under(c, from_device, (size_t)c->knob[FUZZ_SIZE])};
    return last.plan && gather_case_run(last.plan, test);
}

const ref_order *fuzz_order_of(const fuzz_case *c)
{
    return ref_order_of((int)(c->knob[FUZZ_OPERATOR] % REF_ORDER_COUNT));
}

fuzz_operand order_operand(const fuzz_case *c)
{
    return (fuzz_operand){fuzz_order_of(c)->name, fuzz_order_of(c)->value.count > 1};
}

/*
 * Two sequences of `size` and of n elements; the knob HOW says which bounds of which type, and whether sizes are on the
 * device, less or more than the call says.
 */
bool run_merge(const fuzz_case *c)
{
    static kept last;
    const char *const name = fuzz_primitive_name(c);
    const merge_key key = {
        .kind = strcmp(name, "merge") == 0 ? MERGE : strcmp(name, "bounds") == 0 ? BOUNDS : SORTED_BOUNDS,
        .order = fuzz_order_of(c), .upper = c->knob[FUZZ_FLAG] != 0, .wide = c->knob[FUZZ_HOW] % 2,
        .route = fuzz_route_of(c), .from_device = c->knob[FUZZ_HOW] / 2 % 2};
    const size_t first = (size_t)c->knob[FUZZ_SIZE], second = (size_t)c->knob[FUZZ_N];
    if (needs_plan(&last, c))
        last.plan = merge_plan(&key);
    if (last.plan)
        merge_case_run(last.plan, (merge_case){
            .key = key, .n_first = first, .n_second = second,
            .actual = {c->knob[FUZZ_INITIAL] ? first / 2 : first + 1, c->knob[FUZZ_IN_PLACE] ? second / 3 : second + 1},
            .pattern = (merge_pattern)(c->knob[FUZZ_SHAPE] % MERGE_PATTERNS), .disorder = c->knob[FUZZ_ROOM] == 3,
            .under = fuzz_under(c, false, 0)});
    return last.plan;
}

fuzz_operand transpose_operand(const fuzz_case *c)
{
    static char name[32];
    snprintf(name, sizeof name, "%u-byte elements", (unsigned)(c->knob[FUZZ_OPERATOR] % 16 + 1));
    return (fuzz_operand){name, false};
}

/* The operator's knob tells the size of elements. */
bool run_transpose(const fuzz_case *c)
{
    static kept last;
    const transpose_key key = {(size_t)c->knob[FUZZ_OPERATOR] % 16 + 1, fuzz_route_of(c)};
    if (needs_plan(&last, c))
        last.plan = transpose_plan(&key);
    const size_t n = (size_t)c->knob[FUZZ_N], columns = (size_t)c->knob[FUZZ_SIZE];
    const transpose_case test = {
        .key = key, .batch = (size_t)c->knob[FUZZ_BATCH] + 1, .rows = columns ? n / columns : n, .columns = columns,
        .in_offset = (size_t)c->knob[FUZZ_OFFSET], .out_offset = (size_t)c->knob[FUZZ_OFFSET2],
        .unordered = c->knob[FUZZ_UNORDERED] != 0, .gated = c->knob[FUZZ_GATED] != 0, .seed = c->knob[FUZZ_DATA],
        .number = -1};
    return last.plan && transpose_case_run(last.plan, test);
}

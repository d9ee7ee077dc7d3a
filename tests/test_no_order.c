/* SPDX-License-Identifier: MIT */
/*
 * Operators whose `less` is no order: what sorts by comparison and merges write are still all elements, each once;
 * bounds are all written, and none is more than there are elements.
 */
#include "route.h"

#include <stdio.h>

static const route routes[] = {
    {NULL, NULL, NULL},
    {NULL, "cpu", "items=50,streams=3"},
    {NULL, "cpu", "items=64,streams=1"},
    {"cpu", NULL, NULL},
    {"cpu", "tiles", "items=3,group=32"},
    {"cpu", "tiles", "items=4,group=64"},
    {"cpu", "tiles", "items=12,group=8"},
    {ROUTE_BARE, "tiles", "items=5,group=24"},
    {ROUTE_BARE, "tiles", "items=1,group=2"},
};
enum { ROUTES = COUNT(routes) };

/* Any bit, the same for the same two elements; a < b of floats with NaNs; a circle; `not more`; always. */
static const char *const orders[] = {
    ("bool less(clf_input a, clf_input b) { uint h = a.key * 2654435761u ^ b.key * 2246822519u; h ^= h >> 15;\n"
     "    h *= 2654435769u; return h >> 31; }\n"),
    "bool less(clf_input a, clf_input b) { return as_float(a.key) < as_float(b.key); }\n",
    "bool less(clf_input a, clf_input b) { return (a.key - b.key) % 5u > 2; }\n",
    "bool less(clf_input a, clf_input b) { return a.key <= b.key; }\n",
    "bool less(clf_input a, clf_input b) { return true; }\n",
};
enum { ORDERS = COUNT(orders), FLOATS = 1 };

/* Keys alone; with a payload that makes elements large. */
static const char *const values[] = {"uint key;", "uint key; ulong4 payload; uchar last;"};
static const size_t bytes[][3] = {{4}, {4, 32, 1}};
enum { KINDS = COUNT(values), MOST_FIELDS = 3, CANARY = 0xee };

static cl_uint fields_of(int kind)
{
    return kind ? 3 : 1;
}

static clf_operator operator_of(int kind, int order)
{
    return (clf_operator){.size = sizeof(clf_operator), .value = values[kind], .less = "less", .source = orders[order]};
}

/* Some routes by each order, or all: compiling is what takes time. */
static bool is_tried(int turn)
{
    return rig_full() || (turn % ROUTES + turn / ROUTES) % 3 == 0;
}

/* Different keys: floats, of which many are NaNs, or numbers. */
static cl_uint key_of(gen *random, int order, size_t i)
{
    const cl_uint bits = (cl_uint)gen_bits(random);
    if (order == FLOATS)
        return gen_chance(random, 20) ? 0x7fc00000u | (cl_uint)i : (bits & 0x3f000000u) | (cl_uint)i;
    return (bits & 0xfff00000u) | (cl_uint)i;
}

/* ---- Arrays -------------------------------------------------------------------------------------------- */

/* Elements, the last 24 bits of whose keys are their numbers; and as many results, with one more behind. */
typedef struct world {
    int kind;
    size_t n;
    cl_uint *keys;
    unsigned char *data;
    clf_array in[MOST_FIELDS], out[MOST_FIELDS];
} world;

static unsigned char byte_of(cl_uint key, size_t field, size_t i)
{
    return field ? (unsigned char)((key >> 3) + 7 * i + field) : ((const unsigned char *)&key)[i];
}

static void world_open(world *w, int kind, int order, size_t n, uint64_t seed)
{
    gen random = gen_seed(the_rig()->seed, 31000 + seed);
    *w = (world){.kind = kind, .n = n};
    w->keys = malloc((n + 1) * sizeof *w->keys);
    w->data = malloc((n + 1) * 32);
    for (size_t i = 0; i < n; ++i)
        w->keys[i] = key_of(&random, order, i);
    for (size_t f = 0; f < fields_of(kind); ++f) {
        const size_t each = bytes[kind][f];
        for (size_t i = 0; i < n * each; ++i)
            w->data[i] = byte_of(w->keys[i / each], f, i % each);
        w->in[f] = (clf_array){rig_buffer((n + 1) * each, w->data), 0};
        memset(w->data, CANARY, (n + 1) * each);
        w->out[f] = (clf_array){rig_buffer((n + 1) * each, w->data), 0};
    }
}

/* Every element once, whole, and nothing behind. */
static bool world_is_permuted(world *w, size_t n)
{
    unsigned char *const seen = calloc(w->n + 1, 1);
    cl_uint *const keys = malloc((w->n + 1) * sizeof *keys);
    bool right = true;
    rig_read(the_rig()->queue, w->out[0].buffer, (w->n + 1) * sizeof *keys, keys);
    for (size_t i = 0; i < n; ++i) {
        const size_t number = keys[i] & 0xfffff;
        right = right && number < n && keys[i] == w->keys[number] && !seen[number]++;
    }
    for (size_t f = 0; f < fields_of(w->kind) && right; ++f) {
        const size_t each = bytes[w->kind][f];
        rig_read(the_rig()->queue, w->out[f].buffer, (w->n + 1) * each, w->data);
        for (size_t i = 0; i < (w->n + 1) * each; ++i)
            right = right && w->data[i] == (i / each < n ? byte_of(keys[i / each], f, i % each) : CANARY);
    }
    free(seen);
    free(keys);
    return right;
}

static void world_close(world *w)
{
    for (size_t f = 0; f < fields_of(w->kind); ++f) {
        rig_release(w->in[f], w->out[f]);
    }
    free(w->keys);
    free(w->data);
}

/* ---- Sorts --------------------------------------------------------------------------------------------- */

/* Numbers of the device: how many elements there are, or of either sequence. */
static clf_array told(cl_ulong first, cl_ulong second)
{
    const cl_ulong numbers[] = {first, second};
    return (clf_array){rig_buffer(sizeof numbers, numbers), 0};
}

static void sort(clf_plan *plan, const route *r, int kind, int order, size_t n, size_t actual)
{
    world w;
    world_open(&w, kind, order, n, n + (size_t)order);
    const clf_array size = told(actual, 0);
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue,
                           .actual = actual < n ? size : (clf_array){0}};
    assert_ok(clf_merge_sort(plan, &call, n, w.in, w.out));
    if (!world_is_permuted(&w, actual))
        route_fail(r, "merge_sort", -1, "elements are lost", "order %d, kind %d, %zu of %zu", order, kind, actual, n);
    clReleaseMemObject(size.buffer);
    world_close(&w);
}

static clf_plan *sort_plan(const route *r, int kind, int order, unsigned flags)
{
    const clf_operator op = operator_of(kind, order);
    return route_plan(r, "merge_sort", &(plan_parts){.op = &op, .flags = flags}, "no order");
}

TEST(sorts_lose_nothing)
{
    const route *const r = &routes[_i % ROUTES];
    const int order = _i / ROUTES, kind = _i % KINDS;
    if (!is_tried(_i))
        return;
    clf_plan *const plan = sort_plan(r, kind, order, 0);
    const size_t tile = plan ? plan_tile(plan) : 1, most = tile > 2000 ? 40000 : 9000;
    const size_t sizes[] = {1, 2, 5, 8, 13, 16, 17, tile / 2 + 1, tile - 1, tile, tile + 1, 2 * tile, 3 * tile - 2,
                            4 * tile, 5 * tile + 3, 9 * tile + 1, 16 * tile, 33 * tile - 1, most};
    for (size_t i = 0; plan && i < COUNT(sizes); ++i)
        if (sizes[i] > 0 && sizes[i] <= most)
            sort(plan, r, kind, order, sizes[i], sizes[i]);
    clf_plan_release(plan);
}

TEST(sorts_of_sizes_on_the_device_lose_nothing)
{
    const route *const r = &routes[_i];
    clf_plan *const plan = sort_plan(r, 0, _i % 2, CLF_FROM_DEVICE);
    const size_t tile = plan ? plan_tile(plan) : 1, n = tile > 2000 ? 30000 : 20 * tile + 5;
    const size_t sizes[] = {0, 1, tile / 2, tile, tile + 1, 2 * tile, 3 * tile, 5 * tile + 1, 11 * tile, n - 1};
    for (size_t i = 0; plan && i < COUNT(sizes); ++i)
        if (sizes[i] < n)
            sort(plan, r, 0, _i % 2, n, sizes[i]);
    clf_plan_release(plan);
}

/* ---- Merges and bounds --------------------------------------------------------------------------------- */

static void second_inputs(const world *w, size_t n_first, clf_array in[2 * MOST_FIELDS])
{
    const cl_uint fields = fields_of(w->kind);
    for (cl_uint f = 0; f < fields; ++f) {
        in[f] = w->in[f];
        in[fields + f] = (clf_array){w->in[f].buffer, n_first};
    }
}

static void merge(clf_plan *plan, const route *r, int kind, int order, size_t n_first, size_t n_second)
{
    world w;
    clf_array in[2 * MOST_FIELDS];
    world_open(&w, kind, order, n_first + n_second, n_first + (size_t)order);
    second_inputs(&w, n_first, in);
    assert_ok(clf_merge(plan, CLF_ON(the_rig()->queue), n_first, n_second, in, w.out));
    if (!world_is_permuted(&w, w.n))
        route_fail(r, "merge_sort", -1, "a merge loses elements", "order %d, kind %d, %zu and %zu", order, kind,
                   n_first, n_second);
    world_close(&w);
}

/* Positions are written over a pattern that is no position. */
static void bounds(clf_plan *plan, const route *r, int order, size_t n, size_t m)
{
    world w;
    clf_array in[2 * MOST_FIELDS];
    world_open(&w, 0, order, n + m, n + (size_t)order);
    second_inputs(&w, n, in);
    assert_ok(clf_bounds(plan, CLF_ON(the_rig()->queue), n, m, in, w.out));
    cl_uint *const positions = malloc((w.n + 1) * sizeof *positions);
    rig_read(the_rig()->queue, w.out[0].buffer, (w.n + 1) * sizeof *positions, positions);
    for (size_t i = 0; i <= w.n; ++i)
        if (i < m ? positions[i] > n : positions[i] != 0xeeeeeeee)
            route_fail(r, "merge_sort", -1, "a bound is none", "order %d, %zu in %zu: [%zu] is %u", order, m, n, i,
                       (unsigned)positions[i]);
    free(positions);
    world_close(&w);
}

typedef void pair_of_sizes(clf_plan *plan, const route *r, int kind, int order, size_t first, size_t second);

static void bounds_of(clf_plan *plan, const route *r, int kind, int order, size_t first, size_t second)
{
    (void)kind;
    bounds(plan, r, order, first, second);
}

static void all_sizes(clf_plan *plan, const route *r, int kind, int order, pair_of_sizes *run)
{
    const size_t tile = plan_tile(plan), most = tile > 2000 ? 4 * tile : 40 * tile;
    const size_t sizes[][2] = {{1, 1}, {0, 5}, {7, 3}, {tile / 2, tile / 3}, {tile / 2, tile - tile / 2}, {tile, tile},
                               {3 * tile, 1}, {tile + 1, 5 * tile}, {2 * tile - 1, 2 * tile}, {most, most - 3},
                               {most / 7, 6 * most / 7}};
    for (size_t i = 0; i < COUNT(sizes); ++i)
        if (sizes[i][1] > 0)
            run(plan, r, kind, order, sizes[i][0], sizes[i][1]);
}

TEST(merges_lose_nothing)
{
    const route *const r = &routes[_i % ROUTES];
    const int order = _i / ROUTES, kind = (_i + 1) % KINDS;
    const clf_operator op = operator_of(kind, order);
    if (!is_tried(_i + 1))
        return;
    clf_plan *const plan = route_plan(r, "merge", &(plan_parts){.op = &op}, "no order");
    if (plan) {
        all_sizes(plan, r, kind, order, merge);
        clf_plan_release(plan);
    }
}

TEST(bounds_are_all_written)
{
    const route *const r = &routes[_i % ROUTES];
    const int order = _i / ROUTES;
    const clf_operator op = operator_of(0, order);
    const plan_parts parts = {.op = &op, .flags = _i % 2 ? CLF_UPPER : 0, .type = CLF_UINT};
    if (!is_tried(_i + 2))
        return;
    clf_plan *const plan = route_plan(r, "sorted_bounds", &parts, "no order");
    if (plan) {
        all_sizes(plan, r, 0, order, bounds_of);
        clf_plan_release(plan);
    }
}

RIG_PART(add_no_order_tests, {sorts_lose_nothing, ROUTES * ORDERS}, {sorts_of_sizes_on_the_device_lose_nothing, ROUTES},
         {merges_lose_nothing, ROUTES * ORDERS}, {bounds_are_all_written, ROUTES * ORDERS})

/* SPDX-License-Identifier: MIT */
/*
 * reduce_by_key: one result for each run of neighbours that belong together. The algorithms are in cl/reduce_by_key/: a
 * chained scan of heads and sums, whose tiles bring together the results of the runs that end in them.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

enum {
    MOST_ITEMS = 64, /* a row's elements have a bit each: cl/reduce_by_key/by_key_tile.cl */
    ROW_BYTES = 144, ROW_BYTES_ROOMY = 176, ROOMY = 96 << 10, /* bytes of local memory */
    COUNT_WORDS = 2, ITEMS_OF_MESA = 11, ITEMS_OF_BYTES = 24
};

/* A tile's regions; the totals of a scan and what groups exchange, of a value with a count; and a value kept apart. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_ulong totals = facts->lane_width > 1 ? 3 * (group / facts->lane_width) : group + group / 7 + 8;
    if (items > MOST_ITEMS)
        return CL_ULONG_MAX;
    return clf_slab_bytes(op, 1, group, items) + (totals + 4) * (2 * op->value.bytes + 32) + op->extra.bytes;
}

/*
 * An odd number of vectors of the smallest field, so that its rows need no padding, or of halves of one of bytes; of
 * wide tuples, of whose fields a row has as many, parts of a vector. Several groups are to share a multiprocessor.
 * (CPUs run this for tests, and PoCL 3.1 ends the process while it compiles long rows of tuples.)
 */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0;
    const cl_ulong most = clf_local_most(facts) >= ROOMY ? ROW_BYTES_ROOMY : ROW_BYTES; /* in all regions */
    cl_uint vector = 16 / clf_smallest_field(op), vectors = 9;
    while (vectors > 1 && (vectors * vector > MOST_ITEMS || clf_slab_bytes(op, 1, 1, vectors * vector) > most))
        vectors -= 2;
    while (vector > 1 && clf_slab_bytes(op, 1, 1, vectors * vector) > most)
        vector /= 2;
    const bool bytes = most == ROW_BYTES_ROOMY && vectors * vector == 16 &&
                       clf_slab_bytes(op, 1, 1, ITEMS_OF_BYTES) <= most;
    const bool words = clf_smallest_field(op) == 4 && clf_slab_bytes(op, 1, 1, ITEMS_OF_MESA) <= most;
    const bool mesa = facts->optimiser && facts->lane_width > 1 && words;
    clf_parameter_set(parameters, "rounds", 1);
    clf_parameter_default(parameters, "items",
                          cpu     ? 4
                          : mesa  ? ITEMS_OF_MESA
                          : bytes ? ITEMS_OF_BYTES
                                  : vectors * vector);
}

static const clf_variant variants[] = {
    CLF_COUNTED_CPU("reduce_by_key/by_key_cpu.cl", "clf_by_key"),
    CLF_COUNTED_TILES("reduce_by_key/by_key_tile.cl", "clf_by_key", tile_local),
    CLF_COUNTED_ONE_GROUP("reduce_by_key/by_key_tile.cl", "clf_by_key", tile_local),
    {.name = NULL},
};

/* ---- Primitives -------------------------------------------------------------------------------------- */

const clf_primitive clf_reduce_by_key_primitive = {
    .name = "reduce_by_key", CLF_COUNTED_WITH(CLF_NONTRIVIAL_RUNS | CLF_REPEATABLE),
    .function = CLF_FINISHING | CLF_FUNCTION_SAME,
    .more_words = COUNT_WORDS, .macro = {CLF_NONTRIVIAL_RUNS, "CLF_NONTRIVIAL"},
    .variants = variants, .defaults = tile_defaults};

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_reduce_by_key_plan(clf_context *context, const clf_operator *op, unsigned flags,
                                  const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_reduce_by_key_primitive, op, flags, options, plan, error);
}

clf_status clf_reduce_by_key(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                             const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .most = room, .in = in, .out = out, .result = result_count};
    return clf_call_task(plan, &clf_reduce_by_key_primitive, "clf_reduce_by_key", call, &task);
}

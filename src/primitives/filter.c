/* SPDX-License-Identifier: MIT */
/*
 * filter: elements kept in order, by a predicate (filter) or where they differ from the one before (unique), or dealt
 * out to two or three outputs (partition). The algorithms are in cl/filter/: a chained scan of counts, whose tiles
 * bring together what they keep.
 */
#include "primitives/primitives.h"

/* ---- Variants ---------------------------------------------------------------------------------------- */

/* A row's elements have a bit each; of three parts a word counts two (cl/filter/filter_tile.cl). */
enum { MOST_ITEMS = 64, MOST_OF_THREE = 65535, ITEMS_OF_MESA = 15 };
/* Of the widest array's row; where wide neighbours are compared, too, these many would be too few registers. */
enum { ROW_BYTES = 144, ROW_BYTES_COMPARED = 112, WIDE = 8 };

/* A tile's arrays, and what warps and the central group exchange: up to 64 bytes each. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    if (items > MOST_ITEMS || (op->out_sets > 2 && group * items > MOST_OF_THREE))
        return CL_ULONG_MAX;
    return clf_slab_bytes(op, 1, group, items) + (group / facts->lane_width + 2) * 64ul;
}

/*
 * Rows of some hundred bytes of the widest array: an odd number of vectors, so that rows need no padding. (CPUs run
 * this for tests, and PoCL 3.1 ends the process while it compiles long rows of tuples.)
 */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const cl_uint vector = 16 / clf_smallest_field(op), bytes = clf_fields_largest(&op->input);
    const bool few = op->same && bytes >= WIDE && facts->lane_width > 1;
    cl_uint vectors = 9;
    while (vectors > 1 &&
           (vectors * vector * bytes > (few ? ROW_BYTES_COMPARED : ROW_BYTES) || vectors * vector > MOST_ITEMS))
        vectors -= 2;
    clf_parameter_set(parameters, "rounds", 1);
    const bool is_short = facts->type & CL_DEVICE_TYPE_CPU && (facts->is_cpu || op->value.count > 1);
    clf_parameter_default(parameters, "items",
                          is_short                          ? vector
                          : clf_chained_by_words(facts, op) ? ITEMS_OF_MESA
                                                            : vectors * vector);
}

static const clf_variant variants[] = {
    CLF_COUNTED_CPU("filter/filter_cpu.cl", "clf_filter"),
    CLF_COUNTED_TILES("filter/filter_tile.cl", "clf_filter", tile_local),
    CLF_COUNTED_ONE_GROUP("filter/filter_tile.cl", "clf_filter", tile_local),
    {.name = NULL},
};

/* ---- Primitives -------------------------------------------------------------------------------------- */

enum { COUNT_WORDS = 2 }; /* a count in the chain's state */
const clf_primitive clf_filter_primitive = {
    .name = "filter", CLF_COUNTED_WITH(CLF_IN_PLACE), .function = CLF_FUNCTION_PREDICATE,
    .state_words = COUNT_WORDS, .variants = variants, .defaults = tile_defaults};
const clf_primitive clf_unique_primitive = {
    .name = "unique", CLF_COUNTED_WITH(CLF_IN_PLACE), .function = CLF_FUNCTION_SAME,
    .state_words = COUNT_WORDS, .profile = "filter", .variants = variants, .defaults = tile_defaults};
/* Of partitions there are two, known to others by one name. */
const clf_primitive clf_partition_primitive = {
    .name = "partition", CLF_COUNTED, .function = CLF_FUNCTION_PREDICATE, .out_sets = 2, .state_words = COUNT_WORDS,
    .profile = "filter", .variants = variants, .defaults = tile_defaults};
static const clf_primitive in_three = {
    .name = "partition", CLF_COUNTED, .function = CLF_FUNCTION_PART, .out_sets = 3, .state_words = 2 * COUNT_WORDS,
    .profile = "filter", .variants = variants, .defaults = tile_defaults};

/* ---- By a threshold of keys ---------------------------------------------------------------------------- */

/* Of many elements few are kept, for a top-k. */
static const clf_variant least_variants[] = {
    CLF_COUNTED_CPU("filter/least_cpu.cl", "clf_filter"),
    CLF_COUNTED_TILES("filter/least_tile.cl", "clf_filter", tile_local),
    {.name = NULL},
};

static const clf_named_array least_arrays[] = {{"ulong", "result"}, {"ulong", "control"}, {NULL, NULL}};
static const clf_primitive least_primitive = {
    .name = "filter", .flags = CLF_DESCENDING | CLF_TOTAL_ORDER | CLF_FROM_DEVICE, .function = CLF_FUNCTION_KEY,
    .state_words = COUNT_WORDS, .define = clf_define_order, .write = clf_key_write, .arrays = least_arrays,
    .variants = least_variants, .roles = clf_main_role, .choose = clf_choose_main, .run = clf_chained_run,
    .defaults = tile_defaults};

clf_status clf_least_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                          clf_error *error)
{
    return clf_own_weaken(
        plan, clf_plan_create_form(context, &least_primitive, (clf_form){.later = true}, op, flags, NULL, plan, error));
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_filter_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_filter_primitive, op, flags, options, plan, error);
}

clf_status clf_partition_plan(clf_context *context, const clf_operator *op, unsigned flags,
                              const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    const bool three = op && clf_operator_is_known(op) && op->part;
    return clf_plan_create(context, three ? &in_three : &clf_partition_primitive, op, flags, options, plan, error);
}

clf_status clf_unique_plan(clf_context *context, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    return clf_plan_create(context, &clf_unique_primitive, op, flags, options, plan, error);
}

clf_status clf_filter(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                      const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .most = room, .in = in, .out = out, .result = result_count};
    return clf_call_task(plan, &clf_filter_primitive, "clf_filter", call, &task);
}

clf_status clf_unique(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                      const clf_array *out, const clf_array *result_count)
{
    clf_task task = {.count = 1, .size = n, .most = room, .in = in, .out = out, .result = result_count};
    return clf_call_task(plan, &clf_unique_primitive, "clf_unique", call, &task);
}

clf_status clf_partition(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong room, const clf_array *in,
                         const clf_array *out, const clf_array *result_counts)
{
    clf_task task = {.count = 1, .size = n, .most = room, .in = in, .out = out, .result = result_counts};
    return clf_call_task(plan, &clf_partition_primitive, "clf_partition", call, &task);
}

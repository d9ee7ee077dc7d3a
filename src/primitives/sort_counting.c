/* SPDX-License-Identifier: MIT */
/*
 * sort_counting: sorts of keys of 8 and 16 bits with nothing else, by counting them (cl/sort/counting.cl): the input is
 * read once, and the output written once. Variants of sort.c for plans of such operators; on CPUs and elsewhere.
 */
#include "primitives/primitives.h"

enum { COUNT, SUM, STARTS, FILL }; /* kernels */
const char *const clf_counting_kernels[] = {"clf_counting_count", "clf_counting_sum", "clf_counting_starts",
                                            "clf_counting_fill", NULL};
const char *const clf_counting_numbers[] = {"chunks", NULL};

/* As cl/sort/counting_groups.cl has them. */
enum {
    MOST_SIDE_BYTES = 4,
    MOST_SIDE_SHORTS = 64, /* keys that a group of SUM has */
    STARTS_EACH = 512,     /* and one of STARTS */
    FILLED_BYTES = 8 * 16  /* and what a work-item of FILL writes */
};
enum { MOST_CHUNK = 1 << 30 /* elements that 32 bits surely count */ };

static bool are_bytes(const clf_operator_copy *op)
{
    return op->key_bytes == 1;
}

static cl_ulong keys_of(const clf_operator_copy *op)
{
    return are_bytes(op) ? 1 << 8 : 1 << 16;
}

/* ---- For which operators --------------------------------------------------------------------------------- */

/* Equal keys are alike to the last bit: but for −0 and NaNs. */
clf_status clf_counting_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error)
{
    const clf_operator_copy *const op = &plan->op;
    if (op->form != CLF_SORT_CALLS)
        return clf_fail(error, CLF_E_UNSUPPORTED, "variant \"%s\" is no step of other primitives", variant->name);
    if (!op->key && op->value.count == 1 && op->key_bytes <= 2 &&
        (!clf_type_is_real(op->key_type) || plan->flags & CLF_TOTAL_ORDER))
        return CLF_SUCCESS;
    return clf_fail(error, CLF_E_UNSUPPORTED,
                    "variant \"%s\" sorts keys of up to 16 bits with nothing else, of which "
                    "equal ones are alike: integers, or in total order",
                    variant->name);
}

/* ---- Variants -------------------------------------------------------------------------------------------- */

/* Bytes of inputs that a work-item has under way, by vectors of as many elements as make 16 bytes of the key. */
static cl_uint usual_items(const clf_operator_copy *op)
{
    enum { UNDER_WAY = 64, MOST = 32 };
    const cl_uint chunk = 16 / clf_smallest_field(op), element = op->input.count ? clf_fields_sum(&op->input) : 1;
    const cl_uint rows = UNDER_WAY / (chunk * element);
    return chunk * rows > MOST ? MOST : rows > 1 ? chunk * rows : chunk;
}

/* Counters of a group: of bytes a copy for each lane; else of a slice of all keys: the larger, the fewer groups read
 * the same. */
static cl_uint usual_cells(const clf_facts *facts, const clf_operator_copy *op, const clf_parameters *parameters)
{
    enum { LOCAL = 96 << 10, COPIES = 32, RESERVED = 64 /* bytes that drivers keep for themselves */ };
    const cl_ulong most = clf_local_most(facts) - RESERVED, keys = keys_of(op);
    const cl_ulong asked = clf_parameter_get(parameters, "local", 0);
    const cl_ulong cells = clf_least(asked ? asked : LOCAL, most) / sizeof(cl_uint);
    cl_uint copies = 1;
    if (!are_bytes(op))
        return (cl_uint)clf_least(keys, cells > 64 ? cells : 64);
    while (copies < COPIES && 2 * copies * keys <= cells)
        copies *= 2;
    return copies * (cl_uint)keys;
}

/* Groups that fill a compute unit of an H200. */
void clf_counting_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { WANTED = 512, LARGE = 12288 /* cells, of which few groups have room beside each other */ };
    const cl_uint usual = clf_usual_group(facts), cells = usual_cells(facts, op, parameters);
    const bool is_cpu = facts->type & CL_DEVICE_TYPE_CPU;
    clf_parameter_set(parameters, "cells", cells);
    clf_parameter_default(parameters, "group", facts->max_group < WANTED || is_cpu ? usual : WANTED);
    clf_parameter_default(parameters, "items", usual_items(op));
    clf_parameter_default(parameters, "groups", facts->units * (cells > LARGE ? 2 : 4));
}

void clf_counting_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)op;
    clf_parameter_default(parameters, "groups", facts->units);
}

/* Of the other kernels: counters are as many as fit. */
cl_ulong clf_counting_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts, (void)op, (void)items;
    return group * sizeof(cl_ulong) + 512;
}

/* ---- A call ---------------------------------------------------------------------------------------------- */

/* Groups that count the same chunk. */
static cl_ulong slices_of(const clf_engine *engine)
{
    return are_bytes(engine->op) || clf_engine_is_cpu(engine)
               ? 1
               : clf_ceiling(keys_of(engine->op), clf_parameter_get(&engine->parameters, "cells", 1));
}

/* As many as keep the device busy, if each has as many elements as there are keys, and none too many to count. */
static cl_ulong chunks_of(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong groups = clf_parameter_get(&engine->parameters, "groups", 1) / slices_of(engine);
    const cl_ulong few = clf_engine_is_cpu(engine) ? 4 * keys_of(engine->op) : keys_of(engine->op);
    const cl_ulong fewest = few > engine->tile ? few : engine->tile;
    const cl_ulong useful = clf_least(groups, n / fewest), needed = clf_ceiling(n, MOST_CHUNK);
    const cl_ulong chunks = useful > needed ? useful : needed;
    return chunks ? chunks : 1;
}

static cl_ulong sum_groups(const clf_engine *engine)
{
    const cl_ulong most = are_bytes(engine->op) ? MOST_SIDE_BYTES : MOST_SIDE_SHORTS, group = engine->group;
    const cl_ulong side = group >= most ? most : group >= 32 ? 32 : group >= 8 ? 8 : 2;
    return clf_engine_is_cpu(engine) ? clf_parameter_get(&engine->parameters, "groups", 1) : keys_of(engine->op) / side;
}

static cl_ulong starts_groups(const clf_engine *engine)
{
    return clf_engine_is_cpu(engine) ? 1 : clf_ceiling(keys_of(engine->op), STARTS_EACH);
}

static cl_ulong fill_groups(const clf_engine *engine, cl_ulong n)
{
    if (clf_engine_is_cpu(engine))
        return chunks_of(engine, n);
    return clf_ceiling(n * engine->op->key_bytes, (cl_ulong)FILLED_BYTES * engine->group);
}

/* Counts of chunks; how many there are of keys, and of neighbours; and where each begins. */
static cl_ulong take_arrays(const clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong keys = keys_of(engine->op), chunks = chunks_of(engine, arguments->size);
    clf_array *const arrays = arguments->arrays;
    arrays[CLF_SORT_TILE_COUNTS] = clf_run_array(run, CLF_PLAIN, chunks * keys, sizeof(cl_uint));
    arrays[CLF_SORT_PLACES] = clf_run_array(run, CLF_PLAIN, 2 * keys, sizeof(cl_ulong));
    arrays[CLF_SORT_STARTS] = clf_run_array(run, CLF_PLAIN, keys + 1, sizeof(cl_ulong));
    arrays[CLF_SORT_CONTROL] = arrays[CLF_SORT_TILE_COUNTS];
    return chunks;
}

clf_status clf_counting_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong chunks = take_arrays(engine, run, arguments);
    const cl_ulong groups[] = {chunks * slices_of(engine), sum_groups(engine), starts_groups(engine),
                               fill_groups(engine, arguments->size)};
    const clf_array out[] = {arguments->out[0], arguments->out[0]}; /* there is no second one */
    arguments->out = out;
    arguments->numbers[0] = (cl_uint)chunks;
    for (cl_uint kernel = COUNT; kernel <= FILL; ++kernel)
        CLF_TRY(clf_run_launch(run, engine, kernel, arguments, groups[kernel]));
    return CLF_SUCCESS;
}

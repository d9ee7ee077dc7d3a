/* SPDX-License-Identifier: MIT */
/*
 * chained: primitives whose tiles follow from each other (cl/chain): scans, filters. What their variants have in
 * common: defaults, scratch, launches.
 */
#include "primitives/primitives.h"

cl_ulong clf_chained_total(const clf_arguments *arguments)
{
    return arguments->count * arguments->size;
}

cl_ulong clf_chained_tiles(const clf_engine *engine, cl_ulong n)
{
    return clf_ceiling(n, engine->tile);
}

/*
 * Polls before a waiting group helps itself: on GPUs long against any pause of a running group and short
 * against a watchdog; on CPUs, where the group waited for may not be running at all, short.
 */
enum { SPIN_GPU = 1 << 16, SPIN_CPU = 1 << 8 };

/* Where 64 registers are all there are, values of 8 bytes and tuples in long tiles go to scratch (Intel's compiler). */
static bool fits_registers(const clf_facts *facts, const clf_operator_copy *op)
{
    const bool narrow = op->input.count == 1 && op->value.count == 1 && op->extra.count == 0 &&
                        op->input.bytes <= 4 && op->value.bytes <= 4;
    return narrow || !clf_short_of_registers(facts);
}

/*
 * How long tiles are where nobody says. On GPUs a tile pays for its look-back once, however long it is, so two groups
 * and more share a compute unit's local memory; with lanes, which look back fast, four of narrow values (bytes). On an
 * H200 without PTX and profile scans take 0.2 to 0.7 of the time that Clausen's model (model.c), which holds elsewhere,
 * makes of them. Of wide tuples fewer work-items have more elements each.
 */
enum { MOST_TILE = 36864, NARROW_TILE = 18432, NARROW = 8, WIDE = 32, GROUP_OF_LANES = 128 };
enum { LEAST_ITEMS = 16, LEAST_GROUP = 64 };

static void tile_length(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0, lanes = facts->lane_width > 1;
    const cl_ulong share = clf_local_most(facts) / 8 * 3;
    const cl_ulong most = lanes && op->value.bytes <= NARROW ? NARROW_TILE : MOST_TILE;
    const cl_ulong bytes = share < most ? share : most;
    if (cpu || !fits_registers(facts, op) || clf_parameter_get(parameters, "items", 0) != 0)
        return;
    const cl_uint rounds = clf_tile_rounds(op, parameters), usual = clf_usual_group(facts);
    cl_uint group = lanes && op->value.bytes < WIDE && usual > GROUP_OF_LANES ? GROUP_OF_LANES : usual;
    while (group > LEAST_GROUP && clf_slab_bytes(op, rounds, group, LEAST_ITEMS) > bytes)
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "local", (cl_uint)bytes);
}

static void chain_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                           cl_uint lookback)
{
    tile_length(facts, op, parameters);
    clf_tile_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "lookback", lookback);
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", facts->type & CL_DEVICE_TYPE_CPU ? SPIN_CPU : SPIN_GPU);
}

void clf_chained_serial_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0);
}

void clf_chained_window_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 1);
}

void clf_chained_central_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 2);
}

/* A slot per tile, a cache line for each; or two per tile side by side, where a central group serves (chain.cl). */
enum { SLOT_APART = 128 };

cl_ulong clf_chained_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong lines = clf_ceiling(engine->slot_bytes, SLOT_APART);
    return CLF_SCRATCH_HEADER + clf_scratch_for(clf_chained_tiles(engine, n), lines * SLOT_APART);
}

cl_ulong clf_chained_central_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong served = CLF_SCRATCH_HEADER + clf_scratch_for(clf_chained_tiles(engine, n), 2 * engine->slot_bytes);
    const cl_ulong alone = clf_chained_scratch(engine, n);
    return served > alone ? served : alone;
}

static clf_status enqueue_groups(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_ulong groups,
                                 cl_uint *tickets)
{
    if (!(arguments->flags & CLF_ARG_ALONE))
        *tickets = clf_parameter_get(&engine->parameters, "ticket", 0) ? (cl_uint)groups : 0;
    return clf_launch(chain, &engine->kernels[0], arguments, groups, engine->group);
}

clf_status clf_chained_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    return enqueue_groups(engine, chain, arguments, clf_chained_tiles(engine, clf_chained_total(arguments)), tickets);
}

/* The central group comes on top, where it is of use. */
clf_status clf_chained_central_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                  cl_uint *tickets)
{
    const cl_ulong central = arguments->flags & (CLF_ARG_ALONE | CLF_ARG_NEAR) ? 0 : 1;
    const cl_ulong tiles = clf_chained_tiles(engine, clf_chained_total(arguments));
    return enqueue_groups(engine, chain, arguments, tiles + central, tickets);
}

void clf_chained_two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0);
    clf_parameter_set(parameters, "ticket", 0);
}

/* A value per tile, and whether a segment starts in it. */
cl_ulong clf_chained_two_pass_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_uint bytes = engine->state_bytes + 4 * engine->primitive->head_words;
    return CLF_SCRATCH_HEADER + clf_scratch_for(clf_chained_tiles(engine, n), bytes);
}

clf_status clf_chained_two_pass_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                   cl_uint *tickets)
{
    const cl_ulong tiles = clf_chained_tiles(engine, clf_chained_total(arguments));
    (void)tickets;
    if (!(arguments->flags & CLF_ARG_ALONE)) {
        CLF_TRY(clf_launch(chain, &engine->kernels[0], arguments, tiles, engine->group));
        CLF_TRY(clf_launch(chain, &engine->kernels[1], arguments, 1, engine->group));
    }
    return clf_launch(chain, &engine->kernels[2], arguments, tiles, engine->group);
}

/* All elements in the tile of one group. */
clf_status clf_chained_one_group_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                         cl_uint *tickets)
{
    (void)tickets;
    if (arguments->size > engine->tile)
        return clf_refuse(chain->check, CLF_E_UNSUPPORTED, "variant \"one_group\" takes %u elements at most",
                          (unsigned)engine->tile);
    return clf_launch(chain, &engine->kernels[0], arguments, 1, engine->group);
}

/*
 * On a CPU a tile is what stays in the second-level cache between its two readings, with what is written
 * meanwhile: a quarter of it. (CPU drivers tend to say its size, or less, when asked for local memory.) More than 128
 * KiB gains nothing, and many cores have few tiles each: 2^22 bytes took 16 of them half as long again by 512 KiB.
 */
static cl_uint cpu_tile(const clf_facts *facts, const clf_operator_copy *op)
{
    const cl_ulong least = 1u << 18, most = 1u << 19, cache = facts->local_bytes;
    const cl_ulong bytes = (cache < least ? least : cache > most ? most : cache) / 4;
    const cl_uint element = clf_fields_sum(&op->input), items = (cl_uint)bytes / (element ? element : 4);
    return items < 512 ? 512 : items / 16 * 16;
}

static cl_ulong cpu_groups(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong tiles = clf_chained_tiles(engine, n), cores = engine->context->facts.units;
    return tiles < cores ? tiles : cores;
}

void clf_chained_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_parameter_default(parameters, "items", cpu_tile(facts, op));
    clf_parameter_default(parameters, "ticket", 1);
    clf_parameter_default(parameters, "spin", 1 << 14);
    clf_parameter_default(parameters, "nontemporal", 1);
}

/* A group that is alone has nobody to send messages to. */
cl_ulong clf_chained_cpu_scratch(const clf_engine *engine, cl_ulong n)
{
    return cpu_groups(engine, n) > 1 ? clf_chained_scratch(engine, n) : 0;
}

/* Stores go past the caches where input and output would not fit (nontemporal = 1; 0: never, 2: always). */
static bool cpu_streams_out(const clf_engine *engine, const clf_arguments *arguments)
{
    const cl_uint when = clf_parameter_get(&engine->parameters, "nontemporal", 0);
    const cl_uint element = clf_fields_sum(&arguments->op->value) + clf_fields_sum(&arguments->op->input);
    const cl_ulong cache = engine->context->facts.cache_bytes;
    const bool large = cache > 0 && clf_chained_total(arguments) > cache / element;
    return when == 2 || (when == 1 && large && !(arguments->flags & CLF_ARG_IN_PLACE));
}

/*
 * One group per core: each takes tiles until there are none. A group takes one ticket more than it has tiles.
 * Where tiles are made of whole segments there is one group per tile.
 */
clf_status clf_chained_cpu_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments,
                                   cl_uint *tickets)
{
    const bool alone = (arguments->flags & CLF_ARG_ALONE) != 0;
    const cl_ulong n = clf_chained_total(arguments);
    const cl_ulong tile = alone ? engine->tile - engine->tile % arguments->size : engine->tile;
    const cl_ulong tiles = clf_ceiling(n, tile), groups = alone ? tiles : cpu_groups(engine, n);
    clf_arguments with_flags = *arguments;
    if (tiles > (cl_uint)CL_INT_MAX) /* more tickets than the counter has */
        return clf_refuse(chain->check, CLF_E_OVERFLOW, "%llu tiles are more than 32 bits can count",
                          (unsigned long long)tiles);
    if (cpu_streams_out(engine, arguments))
        with_flags.flags |= CLF_ARG_STREAM;
    *tickets = !alone && groups > 1 ? (cl_uint)(tiles + groups) : 0;
    if (clf_arguments_size_given(arguments))
        *tickets = CLF_TICKETS_UNKNOWN; /* fewer tiles, fewer tickets */
    return clf_launch(chain, &engine->kernels[0], &with_flags, groups, 1);
}

/* ---- Results that the device counts -------------------------------------------------------------------- */

const char *const clf_chained_room[] = {"room_low", "room_high", NULL};
const clf_named_array clf_chained_result[] = {{"ulong", "result"}, {NULL, NULL}};

enum { MAIN, SMALL };
const char *const clf_chained_roles[] = {"main", "small", NULL};

const clf_variant *clf_chained_variant_for(const clf_plan *plan, cl_uint role)
{
    (void)role;
    return plan->context->facts.is_cpu ? NULL : clf_variant_named(plan->primitive, "one_group");
}

clf_engine *clf_chained_choose(const clf_plan *plan, const clf_shape *shape)
{
    clf_engine *const small = plan->engine[SMALL];
    return small && shape->size <= small->tile ? small : plan->engine[MAIN];
}

/* Of no elements there are no results. */
static clf_status count_nothing(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const clf_array *const result = &arguments->arrays[0];
    (void)state, (void)scratch;
    return clf_chain_fill(chain, result->buffer, 8 * result->offset, 8 * arguments->op->out_sets);
}

/*
 * In place. Results of a tile go where an earlier tile, or this one, had its elements; and a group that has waited in
 * vain for an earlier tile goes on without it (cl/chain/lookback.cl), so it could write over what that one, not even
 * started maybe, has yet to read. To wait until it has read would be to wait without a bound. In two passes nobody
 * waits, but elements are read again while others write. So inputs that are overwritten are copied to scratch first.
 *
 * But where all elements are in one tile there is one group that reads and writes. Variant "one_group" has read the
 * tile before it writes the first result, with a fence in between, for which others have no use. On CPUs results of a
 * piece of the tile are written when all of the piece is read, to no place behind it, and all neighbours are looked at
 * beforehand (cl/filter/filter_cpu.cl).
 */
static bool is_one_tile(const clf_plan *plan, cl_ulong n)
{
    const clf_engine *const engine = clf_chained_choose(plan, &(clf_shape){1, 1, n, false, false});
    const bool fences = clf_engine_is_cpu(engine) || engine->variant->way == CLF_COUNTED_BY_ONE_GROUP;
    return fences && n <= engine->tile;
}

/* Bytes for n elements at a multiple of their size, wherever scratch begins. */
static cl_ulong copy_bytes(cl_uint element, cl_ulong n)
{
    return clf_scratch_for(n, element) + (element > 16 ? element : 0);
}

cl_ulong clf_chained_copies_scratch(const clf_plan *plan, cl_ulong n, cl_ulong count)
{
    cl_ulong bytes = 0;
    (void)count;
    if (!(plan->flags & CLF_IN_PLACE) || is_one_tile(plan, n))
        return 0;
    for (cl_uint i = 0; i < plan->op.input.count; ++i)
        bytes += copy_bytes(plan->op.input.field[i].bytes, n);
    return bytes;
}

typedef struct copied_call {
    const clf_plan *plan;
    const clf_array *in;                  /* the caller's */
    clf_array copies[2 * CLF_MAX_FIELDS]; /* the same, but for those that are copied; captured arrays too */
    bool replaced[CLF_MAX_FIELDS];
} copied_call;

/* Copies to the workspace what is overwritten; without one only says how many bytes that takes. */
static clf_status copy_inputs(copied_call *state, clf_chain *chain, cl_ulong n, const clf_workspace *workspace,
                              cl_ulong *bytes)
{
    *bytes = 0;
    for (cl_uint i = 0; i < state->plan->op.input.count; ++i) {
        const cl_uint element = state->plan->op.input.field[i].bytes;
        if (!state->replaced[i])
            continue;
        if (workspace) {
            state->copies[i] = (clf_array){workspace->buffer, clf_ceiling(workspace->offset + *bytes, element)};
            CLF_TRY(clf_chain_copy(chain, &state->in[i], &state->copies[i], n, element));
        }
        *bytes += copy_bytes(element, n);
    }
    return CLF_SUCCESS;
}

static clf_status enqueue_copied(void *own, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    copied_call *const state = own;
    const clf_plan *const plan = state->plan;
    const cl_ulong n = arguments->size;
    cl_ulong bytes;
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(copy_inputs(state, chain, n, NULL, &bytes));
    CLF_TRY(clf_scratch_take(plan->context, chain, scratch, bytes, &borrowed, &workspace));
    workspace->clean = 0; /* elements could be taken for messages */
    const clf_array rest = clf_scratch_behind(scratch, bytes);
    clf_status status = copy_inputs(state, chain, n, workspace, &bytes);
    arguments->in = state->copies;
    if (status == CLF_SUCCESS)
        status = clf_engine_enqueue(clf_chained_choose(plan, &(clf_shape){1, 1, n, false, false}), chain, arguments, n,
                                    &rest);
    clf_scratch_return(plan->context, chain, workspace, 0, status);
    return status;
}

static clf_status run_copied(const clf_plan *plan, clf_check *check, const clf_call *call, clf_arguments *arguments)
{
    const cl_uint arrays = plan->op.input.count + plan->op.captured.count;
    copied_call state = {.plan = plan, .in = arguments->in};
    for (cl_uint i = 0; i < arrays; ++i)
        state.copies[i] = arguments->in[i];
    for (cl_uint i = 0; i < check->count; ++i)
        if (check->span[i].role == CLF_SPAN_IN)
            state.replaced[check->span[i].index] = check->span[i].replaced;
    return clf_run(check, plan, call, arguments, false, enqueue_copied, &state);
}

clf_status clf_chained_run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong room,
                           const clf_array *in, const clf_array *out, const clf_array *result_count)
{
    clf_check check;
    CLF_TRY(clf_check_begin(&check, plan->context, name, &plan->op, call));
    check.values_apart = !(plan->flags & CLF_IN_PLACE);
    check.values_fewer = check.extra_apart = true;
    CLF_TRY(clf_check_no_initial(&check, call, plan->primitive->name));
    if (!result_count)
        return clf_refuse(&check, CLF_E_ARGUMENT, "result_count is NULL");
    const cl_ulong most = room < n ? room : n, rooms[CLF_MAX_SETS] = {most, most, most};
    CLF_TRY(clf_check_arrays(&check, &plan->op, &n, rooms, in, out));
    CLF_TRY(clf_check_result_count(&check, result_count, plan->op.out_sets));
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = most ? out : clf_no_arrays, .count = 1, .size = n,
                               .arrays = {*result_count}, .numbers = {(cl_uint)room, (cl_uint)(room >> 32)}};
    if (n == 0)
        return clf_run(&check, plan, call, &arguments, false, count_nothing, NULL);
    if (check.in_place && !is_one_tile(plan, n))
        return run_copied(plan, &check, call, &arguments);
    clf_engine *const engine = clf_chained_choose(plan, &(clf_shape){1, 1, n, false, false});
    return clf_engine_run(engine, plan, &check, call, &arguments, n, false);
}

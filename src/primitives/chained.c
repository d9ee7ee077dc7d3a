/* SPDX-License-Identifier: MIT */
/*
 * chained: primitives whose tiles follow from each other (cl/chain): scans, filters. What their variants have in
 * common: defaults, scratch, launches.
 */
#include "primitives/primitives.h"

#include <string.h>

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
    const bool narrow = op->input.count == 1 && op->value.count == 1 && op->extra.count == 0 && op->input.bytes <= 4 &&
                        op->value.bytes <= 4;
    return narrow || !clf_short_of_registers(facts);
}

bool clf_chained_by_words(const clf_facts *facts, const clf_operator_copy *op)
{
    return facts->optimiser && facts->lane_width > 1 && op->input.bytes == 4 && op->value.bytes == 4 &&
           op->extra.count == 0;
}

/*
 * How long tiles are where nobody says. On GPUs a tile pays for its look-back once, however long it is, so two groups
 * and more share a compute unit's local memory; with lanes, which look back fast, four of narrow values (bytes). Wider
 * values get tiles of `wide` bytes, partly in memory that the driver does not say. On an H200 without PTX and profile
 * scans take 0.2 to 0.7 of the time that Clausen's model (model.c), which holds elsewhere, makes of them. Of wide
 * tuples fewer work-items have more elements each.
 */
enum { MOST_TILE = 36864, NARROW_TILE = 20480, WIDE_TILE = 57344, NARROW = 8, WIDE = 32, GROUP_OF_LANES = 128 };
enum { LEAST_ITEMS = 16, LEAST_OF_LANES = 12, LEAST_GROUP = 64, ITEMS_OF_MESA = 17 };

static void tile_length(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters, cl_ulong wide)
{
    const bool cpu = (facts->type & CL_DEVICE_TYPE_CPU) != 0, lanes = facts->lane_width > 1;
    const bool narrow = op->value.bytes <= NARROW &&
                        (lanes || op->value.bytes < NARROW || clf_smallest_field(op) < NARROW);
    const cl_ulong most = narrow ? lanes ? NARROW_TILE : MOST_TILE : wide;
    const cl_ulong share = clf_local_most(facts) / 8 * 3 + (most > MOST_TILE ? facts->local_more / 2 : 0);
    const cl_ulong bytes = share < most ? share : most;
    if (cpu || !fits_registers(facts, op) || clf_parameter_get(parameters, "items", 0) != 0)
        return;
    const cl_uint rounds = clf_tile_rounds(op, parameters), usual = clf_usual_group(facts);
    cl_uint group = lanes && op->value.bytes < WIDE && usual > GROUP_OF_LANES ? GROUP_OF_LANES : usual;
    while (group > LEAST_GROUP && clf_slab_bytes(op, rounds, group, lanes ? LEAST_OF_LANES : LEAST_ITEMS) > bytes)
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "local", (cl_uint)bytes);
    if (clf_chained_by_words(facts, op))
        clf_parameter_default(parameters, "items", ITEMS_OF_MESA);
}

static void chain_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                           cl_uint lookback, cl_ulong wide)
{
    tile_length(facts, op, parameters, wide);
    clf_tile_defaults(facts, op, parameters);
    clf_parameter_set(parameters, "lookback", lookback);
    clf_parameter_default(parameters, "ticket", !facts->in_order);
    clf_parameter_default(parameters, "spin", facts->type & CL_DEVICE_TYPE_CPU ? SPIN_CPU : SPIN_GPU);
}

void clf_chained_serial_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0, WIDE_TILE);
}

void clf_chained_window_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 1, MOST_TILE);
}

void clf_chained_central_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 2, MOST_TILE);
}

/* A slot per tile, a cache line for each; or two per tile side by side, where a central group serves (chain.cl). */
enum { SLOT_APART = 128 };

static cl_ulong slots_bytes(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong lines = clf_ceiling(engine->slot_bytes, SLOT_APART);
    return CLF_SCRATCH_HEADER + clf_scratch_for(clf_chained_tiles(engine, n), lines * SLOT_APART);
}

static cl_ulong served_bytes(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong served = CLF_SCRATCH_HEADER + clf_scratch_for(clf_chained_tiles(engine, n), 2 * engine->slot_bytes);
    const cl_ulong alone = slots_bytes(engine, n);
    return served > alone ? served : alone;
}

static clf_status launch_groups(clf_engine *engine, clf_run *run, clf_arguments *arguments, cl_ulong bytes,
                                cl_ulong groups)
{
    if (!(arguments->flags & CLF_ARG_ALONE)) {
        clf_run_scratch(run, CLF_MESSAGES, bytes, arguments);
        clf_run_tickets(run, clf_parameter_get(&engine->parameters, "ticket", 0) ? groups : 0);
    }
    return clf_run_launch(run, engine, 0, arguments, groups);
}

clf_status clf_chained_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong n = clf_chained_total(arguments);
    return launch_groups(engine, run, arguments, slots_bytes(engine, n), clf_chained_tiles(engine, n));
}

/* The central group comes on top, where it is of use. */
clf_status clf_chained_central_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong central = arguments->flags & (CLF_ARG_ALONE | CLF_ARG_NEAR) ? 0 : 1;
    const cl_ulong n = clf_chained_total(arguments);
    return launch_groups(engine, run, arguments, served_bytes(engine, n), clf_chained_tiles(engine, n) + central);
}

void clf_chained_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    chain_defaults(facts, op, parameters, 0, MOST_TILE);
    clf_parameter_set(parameters, "ticket", 0);
}

void clf_chained_two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    clf_chained_tile_defaults(facts, op, parameters);
    clf_parameter_default(parameters, "partials", 1 << 11);
    clf_parameter_set(parameters, "several", facts->optimiser && !(facts->type & CL_DEVICE_TYPE_CPU));
}

/* A value per tile, and whether a segment starts in it. */
void clf_chained_two_pass_scratch(const clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_uint bytes = engine->state_bytes + 4 * engine->primitive->head_words;
    const cl_ulong tiles = clf_chained_tiles(engine, clf_chained_total(arguments));
    if (!(arguments->flags & CLF_ARG_ALONE))
        clf_run_scratch(run, CLF_PLAIN, CLF_SCRATCH_HEADER + clf_scratch_for(tiles, bytes), arguments);
}

clf_status clf_chained_two_pass_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const cl_ulong tiles = clf_chained_tiles(engine, clf_chained_total(arguments));
    const cl_ulong most = clf_parameter_get(&engine->parameters, "partials", 1), each = clf_ceiling(tiles, most);
    const bool alone = (arguments->flags & CLF_ARG_ALONE) != 0, counted = tiles <= CL_INT_MAX; /* else refused */
    const bool several = counted && !alone && each > 1 && clf_parameter_get(&engine->parameters, "several", 0);
    const cl_ulong groups = several ? clf_ceiling(tiles, each) : tiles;
    clf_chained_two_pass_scratch(engine, run, arguments);
    if (!alone)
        CLF_TRY(clf_run_launch(run, engine, 0, arguments, groups));
    if (!alone && groups > most)
        CLF_TRY(clf_run_launch(run, engine, 1, arguments, 1));
    return clf_run_launch(run, engine, 2, arguments, groups);
}

/* All elements in the tile of one group. */
clf_status clf_chained_one_group_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    if (arguments->size > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"one_group\" takes %u elements at most",
                              (unsigned)engine->tile);
    return clf_run_launch(run, engine, 0, arguments, 1);
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

/* Stores go past the caches where input and output would not fit (nontemporal = 1; 0: never, 2: always). */
static bool cpu_streams_out(const clf_engine *engine, const clf_arguments *arguments)
{
    const cl_uint when = clf_parameter_get(&engine->parameters, "nontemporal", 0);
    const cl_uint element = clf_fields_sum(&arguments->op->value) + clf_fields_sum(&arguments->op->input);
    const cl_ulong cache = engine->context->facts.cache_bytes;
    if (clf_fields_have_array(clf_operator_results(arguments->op)) || clf_fields_have_array(&arguments->op->extra))
        return false; /* they fill no lines */
    const bool large = cache > 0 && clf_chained_total(arguments) > cache / element;
    return when == 2 || (when == 1 && large && !(arguments->flags & CLF_ARG_IN_PLACE));
}

/*
 * One group per core: each takes tiles until there are none. A group takes one ticket more than it has tiles; where it
 * is alone it has nobody to send messages to. Where tiles are made of whole segments there is one group per tile.
 */
clf_status clf_chained_cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    const bool alone = (arguments->flags & CLF_ARG_ALONE) != 0;
    const cl_ulong n = clf_chained_total(arguments);
    const cl_ulong tile = alone ? engine->tile - engine->tile % arguments->size : engine->tile;
    const cl_ulong tiles = clf_ceiling(n, tile), groups = alone ? tiles : cpu_groups(engine, n);
    if (!alone && groups > 1) {
        clf_run_scratch(run, CLF_MESSAGES, slots_bytes(engine, n), arguments);
        clf_run_tickets(run, tiles + groups);
    }
    if (clf_arguments_size_given(arguments))
        clf_run_tickets(run, CLF_TICKETS_UNKNOWN); /* fewer tiles, fewer tickets */
    if (tiles > (cl_uint)CL_INT_MAX)               /* more tickets than the counter has */
        return CLF_RUN_REFUSE(run, CLF_E_OVERFLOW, "%llu tiles are more than 32 bits can count",
                              (unsigned long long)tiles);
    if (cpu_streams_out(engine, arguments))
        arguments->flags |= CLF_ARG_STREAM;
    return clf_run_launch(run, engine, 0, arguments, groups);
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

clf_engine *clf_chained_choose(const clf_plan *plan, const clf_task *task)
{
    clf_engine *const small = plan->engine[SMALL];
    return small && task->size <= small->tile ? small : plan->engine[MAIN];
}

/*
 * In place. Results of a tile go where an earlier tile, or this one, had its elements; and a group that has waited in
 * vain for an earlier tile goes on without it (cl/chain/chain.cl), so it could write over what that one, not even
 * started maybe, has yet to read. To wait until it has read would be to wait without a bound. In two passes nobody
 * waits, but elements are read again while others write. So inputs that are overwritten are copied to scratch first.
 *
 * But where all elements are in one tile there is one group that reads and writes. Variant "one_group" has read the
 * tile before it writes the first result, with a fence in between, for which others have no use. On CPUs results of a
 * piece of the tile are written when all of the piece is read, to no place behind it, and all neighbours are looked at
 * beforehand (cl/filter/filter_cpu.cl).
 */
static bool is_one_tile(const clf_engine *engine, cl_ulong n)
{
    const bool fences = clf_engine_is_cpu(engine) || engine->variant->way == CLF_COUNTED_BY_ONE_GROUP;
    return fences && n <= engine->tile;
}

static clf_status copy_inputs(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *in)
{
    const cl_uint arrays = plan->op.input.count + plan->op.captured.count;
    memcpy(in, task->in, arrays * sizeof *in);
    for (cl_uint i = 0; i < plan->op.input.count; ++i) {
        const cl_uint element = plan->op.input.field[i].bytes;
        if (!(task->replaced >> i & 1))
            continue;
        in[i] = clf_run_array(run, CLF_PLAIN, task->size, element);
        CLF_TRY(clf_run_copy(run, &task->in[i], &in[i], task->size, element));
    }
    return CLF_SUCCESS;
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

clf_status clf_chained_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const clf_operator_copy *const op = &plan->op;
    CLF_TRY(clf_check_out_count(check, call, clf_operator_arrays(op)));
    check->values_apart = !(plan->flags & CLF_IN_PLACE);
    check->values_fewer = check->extra_apart = true;
    CLF_TRY(clf_check_no_initial(check, call, plan->primitive->name));
    if (!task->result)
        return clf_refuse(check, CLF_E_ARGUMENT, "result_count is NULL");
    const cl_ulong most = clf_least(task->most, task->size), rooms[CLF_MAX_SETS] = {most, most, most};
    CLF_TRY(clf_check_arrays(check, op, &task->size, rooms, task->in, task->out));
    CLF_TRY(clf_check_result_count(check, task->result, op->out_sets));
    task->in_place = check->in_place;
    for (cl_uint i = 0; i < check->count; ++i)
        if (check->span[i].role == CLF_SPAN_IN && check->span[i].replaced)
            task->replaced |= (cl_ulong)1 << check->span[i].index;
    return CLF_SUCCESS;
}

clf_status clf_chained_run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    clf_engine *const engine = plan->primitive->choose(plan, task);
    const bool in_place = task->in_place && plan->flags & CLF_IN_PLACE;
    clf_array in[2 * CLF_MAX_FIELDS];
    clf_arguments arguments;
    if (task->size == 0 && run->sink != CLF_MEASURE) /* there are no results */
        return clf_run_zero(run, task->result, plan->op.out_sets, sizeof(cl_ulong));
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (in_place && !is_one_tile(engine, task->size)) {
        CLF_TRY(copy_inputs(plan, run, task, in));
        arguments.in = in;
    }
    if (clf_least(task->most, task->size) == 0)
        arguments.out = clf_no_arrays;
    arguments.arrays[0] = clf_array_of(task->result);
    arguments.arrays[1] = clf_array_of(task->told);
    arguments.numbers[0] = (cl_uint)task->most;
    arguments.numbers[1] = (cl_uint)(task->most >> 32);
    return engine->variant->run(engine, run, &arguments);
}

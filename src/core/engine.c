/* SPDX-License-Identifier: MIT */
/*
 * engine: a variant with its parameters, compiled for an operator when it is first needed.
 *
 * Parameters come from, last word first: the caller's plan options, the caller's profile, the built-in
 * profile of the device, the variant's defaults. A profile may speak of a variant or of a role.
 */
#include "core/core.h"

#include <stdlib.h>

/* ---- Parameters -------------------------------------------------------------------------------------- */

/* Local memory of a variant's kernels. */
static cl_ulong local_needed(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                             const clf_parameters *list, cl_uint items)
{
    const cl_uint group = clf_parameter_get(list, "group", 256);
    return variant->local ? variant->local(facts, op, group, items)
                          : clf_tile_local(facts, op, clf_tile_rounds(op, list), group, items);
}

/* A profile knows the value's size, but not how many arrays go with it. */
static void fit_items(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                      clf_parameters *list)
{
    const cl_uint group = clf_parameter_get(list, "group", 256);
    cl_uint items = clf_parameter_get(list, "items", 0);
    if (items == 0 || group == 1)
        return;
    while (items > 1 && local_needed(variant, facts, op, list, items) > facts->local_bytes)
        --items;
    clf_parameter_set(list, "items", items);
}

/*
 * Where the defaults do not fit, groups are smaller, and then the elements per work-item fewer; what was asked for
 * stands. (Transpositions know which parameters of theirs go together.)
 */
static void fit_group(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                      const clf_parameters *asked, clf_parameters *list)
{
    cl_uint group = clf_parameter_get(list, "group", 1), items = clf_parameter_get(list, "items", 1);
    if (!op->source || variant->needs & CLF_NEEDS_CPU)
        return;
    while (clf_parameter_get(asked, "group", 0) == 0 && group / 2 >= clf_least_group(facts) &&
           group / 2 % facts->lane_width == 0 && local_needed(variant, facts, op, list, items) > facts->local_bytes)
        clf_parameter_set(list, "group", group /= 2);
    while (clf_parameter_get(asked, "items", 0) == 0 && items > 1 &&
           local_needed(variant, facts, op, list, items) > facts->local_bytes)
        clf_parameter_set(list, "items", --items);
}

/* Group size and items within what the device and the kernels can do? Of a CPU's group is 1, and items is the tile. */
static clf_status check_sizes(const clf_facts *facts, const clf_variant *variant, const clf_parameters *list,
                              clf_error *error)
{
    const cl_uint usual = facts->lane_width > 1 ? facts->lane_width : 2;
    const cl_uint group = clf_parameter_get(list, "group", usual), items = clf_parameter_get(list, "items", 1);
    if (variant->needs & CLF_NEEDS_CPU)
        return CLF_SUCCESS;
    if (group <= 1 || group > facts->max_group || group % facts->lane_width != 0)
        return clf_fail(error, CLF_E_PARAMETER, "group=%u: needs a multiple of %u from 2 to %u", group,
                        facts->lane_width, (unsigned)facts->max_group);
    if (items == 0 || items > CLF_MOST_ITEMS)
        return clf_fail(error, CLF_E_PARAMETER, "items=%u: needs 1 to %d", items, (int)CLF_MOST_ITEMS);
    return CLF_SUCCESS;
}

/* Do they make a tile that fits local memory? */
static clf_status check_tile(const clf_facts *facts, const clf_operator_copy *op, const clf_variant *variant,
                             const clf_parameters *list, clf_error *error)
{
    const cl_uint group = clf_parameter_get(list, "group", 1), items = clf_parameter_get(list, "items", 1);
    CLF_TRY(check_sizes(facts, variant, list, error));
    if ((variant->needs & CLF_NEEDS_CPU) && !variant->local)
        return CLF_SUCCESS;
    if (local_needed(variant, facts, op, list, items) > facts->local_bytes)
        return clf_fail(error, CLF_E_PARAMETER, "group=%u, items=%u: the tile does not fit %lu bytes of local memory",
                        group, items, (unsigned long)facts->local_bytes);
    return CLF_SUCCESS;
}

static clf_status engine_parameters(clf_engine *engine, const clf_primitive *primitive, cl_uint role,
                                    const clf_operator_copy *op, const char *text, clf_error *error)
{
    const clf_facts *facts = &engine->context->facts;
    const clf_profile *profile = &engine->context->profile;
    clf_parameters asked = {0};
    char type_class[16];
    if (engine->variant->local || engine->variant->needs & CLF_NEEDS_CPU)
        clf_type_class(&op->value, type_class);
    else
        clf_tile_class(op, type_class);
    if (primitive->profile)
        clf_profile_lookup(profile, facts, primitive->profile, type_class, engine->variant->name, primitive->roles[role],
                           &engine->parameters);
    clf_profile_lookup(profile, facts, primitive->name, type_class, engine->variant->name, primitive->roles[role],
                       &engine->parameters);
    CLF_TRY(clf_parameters_parse(text, &asked, error));
    for (cl_uint i = 0; i < asked.count; ++i)
        clf_parameter_set(&engine->parameters, asked.item[i].name, asked.item[i].value);
    CLF_TRY(check_sizes(facts, engine->variant, &engine->parameters, error)); /* before anything is made of them */
    if (clf_parameter_get(&asked, "items", 0) == 0) /* what is asked for stands, or is refused below */
        fit_items(engine->variant, facts, op, &engine->parameters);
    engine->variant->defaults(facts, op, &engine->parameters);
    fit_group(engine->variant, facts, op, &asked, &engine->parameters);
    return check_tile(facts, op, engine->variant, &engine->parameters, error);
}

/* ---- Compiling --------------------------------------------------------------------------------------- */

static void write_options(clf_text *text, const clf_engine *engine)
{
    const clf_facts *facts = &engine->context->facts;
    const bool alone = engine->group == 1; /* one work-item per group: no lanes */
    clf_text_format(text, "%s -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u -D CLF_EXCLUSIVE=%d -D CLF_GIVEN=%d",
                    facts->std, (int)facts->atomics, alone ? 0 : (int)facts->lanes, alone ? 1 : facts->lane_width,
                    (engine->flags & CLF_EXCLUSIVE) != 0, (engine->flags & CLF_FROM_DEVICE) != 0);
    if (engine->primitive->options)
        clf_text_format(text, " %s", engine->primitive->options);
    const cl_uint registers = clf_parameter_get(&engine->parameters, "registers", 0);
    if (registers && facts->is_nvidia)
        clf_text_format(text, " -cl-nv-maxrregcount=%u", registers);
    for (cl_uint i = 0; i < engine->parameters.count; ++i) {
        char name[24];
        const clf_parameter *p = &engine->parameters.item[i];
        for (size_t k = 0; k < sizeof name; ++k)
            name[k] = p->name[k] >= 'a' && p->name[k] <= 'z' ? (char)(p->name[k] - 'a' + 'A') : p->name[k];
        clf_text_format(text, " -D CLF_%s=%u", name, p->value);
    }
}

/* The program, with the message of a failure in words of clf_operator. */
static clf_status compile(const clf_engine *engine, cl_program *program, clf_error *error)
{
    const clf_operator_copy *const op = engine->op;
    clf_text source = {0}, options = {0};
    const clf_entry entry = {engine->variant->file, engine->variant->kernels, engine->primitive->arrays,
                             engine->variant->numbers};
    clf_status status = clf_source_write(&source, op, clf_parameter_get(&engine->parameters, "rounds", 1), &entry);
    write_options(&options, engine);
    if (status == CLF_SUCCESS && options.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        status = clf_compile(&engine->context->compiler, source.data, options.data, program, error);
    else
        clf_fail(error, status, "the source of variant \"%s\" could not be written", engine->variant->name);
    if (status == CLF_E_OPERATOR && op->source)
        status = clf_function_blame(op, status, error);
    clf_text_free(&source);
    clf_text_free(&options);
    return status;
}

/* Of threads that compile the same engine at a time, the first to come back gives it its program. */
static void take_program(clf_engine *engine, cl_program program)
{
    clf_lock_acquire(&engine->lock);
    const bool first = !engine->program;
    if (first) {
        engine->program = program;
        for (size_t i = 0; engine->variant->kernels[i]; ++i) {
            engine->kernels[i].program = program;
            engine->kernels[i].name = engine->variant->kernels[i];
        }
    }
    clf_lock_release(&engine->lock);
    if (!first)
        clReleaseProgram(program);
}

clf_status clf_engine_compile(clf_engine *engine, clf_error *error)
{
    cl_program program;
    if (atomic_load_explicit(&engine->compiled, memory_order_acquire))
        return CLF_SUCCESS;
    CLF_TRY(compile(engine, &program, error));
    take_program(engine, program);
    atomic_store_explicit(&engine->compiled, true, memory_order_release);
    return CLF_SUCCESS;
}

void clf_engine_free(clf_engine *engine)
{
    if (!engine)
        return;
    for (size_t i = 0; i < CLF_MAX_KERNELS; ++i)
        clf_kernel_pool_free(&engine->kernels[i]);
    if (engine->program)
        clReleaseProgram(engine->program);
    free(engine);
}

static cl_uint value_words(const clf_fields *value)
{
    cl_uint words = 0;
    for (cl_uint i = 0; i < value->count; ++i)
        words += value->field[i].bytes < 4 ? 1 : value->field[i].bytes / 4;
    return words;
}

/* Of every word of a message a half is tag, and several words make pairs: cl/group/message.cl. */
static cl_uint slot_bytes(cl_uint value)
{
    return value == 4 ? 8 : (value + 7) / 8 * 16;
}

static void count_arguments(clf_engine *engine)
{
    for (const clf_named_array *array = engine->primitive->arrays; array && array->name; ++array)
        ++engine->array_count;
    for (const char *const *number = engine->variant->numbers; number && *number; ++number)
        ++engine->number_count;
}

clf_status clf_engine_create(clf_plan *plan, cl_uint role, const clf_variant *variant, const char *parameters,
                             clf_error *error)
{
    clf_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    plan->engine[role] = engine;
    engine->context = plan->context;
    engine->primitive = plan->primitive;
    engine->variant = variant;
    engine->op = &plan->op;
    engine->flags = plan->flags;
    CLF_TRY(engine_parameters(engine, plan->primitive, role, &plan->op, parameters, error));
    engine->group = clf_parameter_get(&engine->parameters, "group", 1);
    engine->tile = engine->group * clf_parameter_get(&engine->parameters, "items", 1);
    engine->value_bytes = 4 * value_words(&plan->op.value);
    engine->slot_bytes = slot_bytes(engine->value_bytes);
    count_arguments(engine);
    return CLF_SUCCESS;
}

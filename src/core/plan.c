/* SPDX-License-Identifier: MIT */
/*
 * plan: variants chosen, given their parameters, and compiled.
 *
 * Which engines a plan has, and which one a call takes, is the primitive's own business (clf_primitive.variant_for,
 * .choose).
 *
 * Parameters come from, last word first: the caller's plan options, the caller's profile, the built-in
 * profile of the device, the variant's defaults. A profile may speak of a variant or of a role.
 */
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- Choosing ---------------------------------------------------------------------------------------- */

/* Has the device what the variant needs? Asked for by name, any variant runs on any device. */
static bool suits(const clf_variant *variant, const clf_facts *facts)
{
    return (!(variant->needs & CLF_NEEDS_LANES) || facts->lanes != CLF_LANES_LOCAL) &&
           (!(variant->needs & CLF_NEEDS_CPU) || facts->is_cpu) &&
           (!(variant->needs & CLF_NEEDS_PROGRESS) || facts->progress);
}

const clf_variant *clf_variant_named(const clf_primitive *primitive, const char *name)
{
    for (const clf_variant *v = primitive->variants; v->name; ++v)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

const clf_variant *clf_variant_profiled(const clf_primitive *primitive, const clf_context *context,
                                        const char *type_class, cl_uint role)
{
    const char *const names[] = {primitive->name, primitive->profile};
    char chosen[32];
    for (size_t i = 0; i < CLF_COUNT(names); ++i) {
        if (names[i] && clf_profile_cast(&context->profile, &context->facts, names[i], type_class,
                                         primitive->roles[role], chosen)) {
            const clf_variant *v = clf_variant_named(primitive, chosen);
            return v && suits(v, &context->facts) ? v : NULL;
        }
    }
    return NULL;
}

static const clf_variant *variant_chosen(const clf_context *context, const clf_primitive *primitive,
                                         const char *type_class)
{
    const clf_variant *profiled = clf_variant_profiled(primitive, context, type_class, 0);
    if (profiled)
        return profiled;
    for (const clf_variant *v = primitive->variants; v->name; ++v)
        if (!(v->needs & CLF_NEEDS_ASKING) && suits(v, &context->facts))
            return v;
    return NULL;
}

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

static void write_options(clf_text *text, const clf_engine *engine, unsigned flags)
{
    const clf_facts *facts = &engine->context->facts;
    const bool alone = engine->group == 1; /* one work-item per group: no lanes */
    clf_text_format(text, "%s -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u -D CLF_EXCLUSIVE=%d -D CLF_GIVEN=%d",
                    facts->std, (int)facts->atomics, alone ? 0 : (int)facts->lanes, alone ? 1 : facts->lane_width,
                    (flags & CLF_EXCLUSIVE) != 0, (flags & CLF_FROM_DEVICE) != 0);
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

static clf_status engine_compile(clf_engine *engine, const clf_operator_copy *op, unsigned flags, clf_error *error)
{
    clf_text source = {0}, options = {0};
    const clf_entry entry = {engine->variant->file, engine->variant->kernels, engine->primitive->arrays,
                             engine->variant->numbers};
    clf_status status = clf_source_write(&source, op, clf_parameter_get(&engine->parameters, "rounds", 1), &entry);
    write_options(&options, engine, flags);
    if (status == CLF_SUCCESS && options.failed)
        status = CLF_E_NO_MEMORY;
    if (status == CLF_SUCCESS)
        status = clf_compile(&engine->context->compiler, source.data, options.data, &engine->program, error);
    else
        clf_fail(error, status, "the source of variant \"%s\" could not be written", engine->variant->name);
    if (status == CLF_E_OPERATOR && op->source)
        status = clf_function_blame(op, status, error);
    clf_text_free(&source);
    clf_text_free(&options);
    for (size_t i = 0; status == CLF_SUCCESS && engine->variant->kernels[i]; ++i) {
        engine->kernels[i].program = engine->program;
        engine->kernels[i].name = engine->variant->kernels[i];
    }
    return status;
}

static void engine_free(clf_engine *engine)
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

static clf_status engine_create(clf_plan *plan, cl_uint role, const clf_variant *variant, const char *parameters,
                                clf_error *error)
{
    clf_engine *engine = calloc(1, sizeof *engine);
    if (!engine)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    plan->engine[role] = engine;
    engine->context = plan->context;
    engine->primitive = plan->primitive;
    engine->variant = variant;
    CLF_TRY(engine_parameters(engine, plan->primitive, role, &plan->op, parameters, error));
    engine->group = clf_parameter_get(&engine->parameters, "group", 1);
    engine->tile = engine->group * clf_parameter_get(&engine->parameters, "items", 1);
    engine->value_bytes = 4 * value_words(&plan->op.value);
    engine->slot_bytes = slot_bytes(engine->value_bytes);
    count_arguments(engine);
    return engine_compile(engine, &plan->op, plan->flags, error);
}

/* ---- Plans ------------------------------------------------------------------------------------------- */

static clf_status check_types(const clf_facts *facts, const clf_operator_copy *op, clf_error *error)
{
    const clf_fields *lists[] = {&op->value, &op->input, &op->extra, &op->captured};
    for (size_t l = 0; l < CLF_COUNT(lists); ++l) {
        if (clf_fields_use(lists[l], CLF_DOUBLE) && !facts->fp64)
            return clf_fail(error, CLF_E_UNSUPPORTED, "the device has no double (cl_khr_fp64)");
        if (clf_fields_use(lists[l], CLF_HALF) && !facts->fp16)
            return clf_fail(error, CLF_E_UNSUPPORTED, "the device has no half (cl_khr_fp16)");
    }
    return CLF_SUCCESS;
}

/* The engines of a plan whose variants clfold chooses. */
static clf_status compile_chosen(clf_plan *plan, const char *parameters, clf_error *error)
{
    char type_class[16];
    clf_type_class(&plan->op.value, type_class);
    const clf_variant *variant = variant_chosen(plan->context, plan->primitive, type_class);
    if (!variant)
        return clf_fail(error, CLF_E_INTERNAL, "no variant of %s suits the device", plan->primitive->name);
    CLF_TRY(engine_create(plan, 0, variant, parameters, error));
    for (cl_uint role = 1; plan->primitive->roles[role]; ++role) {
        variant = plan->primitive->variant_for(plan, role);
        if (variant)
            CLF_TRY(engine_create(plan, role, variant, parameters, error));
    }
    return CLF_SUCCESS;
}

static clf_status compile_asked(clf_plan *plan, const char *name, const char *parameters, clf_error *error)
{
    const clf_variant *variant = clf_variant_named(plan->primitive, name);
    if (!variant)
        return clf_fail(error, CLF_E_ARGUMENT, "%s has no variant \"%s\"", plan->primitive->name, name);
    return engine_create(plan, 0, variant, parameters, error);
}

static void plan_free(clf_plan *plan)
{
    for (size_t i = 0; i < CLF_MAX_ROLES; ++i)
        engine_free(plan->engine[i]);
    if (plan->primitive->close)
        plan->primitive->close(plan);
    clf_operator_free(&plan->op);
    if (!plan->weak)
        clf_context_release(plan->context);
    free(plan);
}

static clf_status check_options(const clf_plan_options *options, clf_error *error)
{
    if (options && options->size != sizeof *options)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_plan_options.size is not sizeof(clf_plan_options)");
    return CLF_SUCCESS;
}

/* Gives the plan its operator, or, where that is NULL, elements of so many bytes. */
static clf_status take_operator(clf_plan *plan, const clf_operator *op, cl_uint element_bytes, clf_error *error)
{
    if (!op) {
        clf_operator_none(element_bytes, &plan->op);
        return CLF_SUCCESS;
    }
    CLF_TRY(clf_operator_check(op, &plan->op, error));
    return check_types(&plan->context->facts, &plan->op, error);
}

static clf_status create(clf_context *context, const clf_primitive *primitive, const clf_operator *op,
                         cl_uint element_bytes, unsigned flags, const clf_plan_options *options, clf_plan **result,
                         clf_error *error)
{
    *result = NULL;
    CLF_TRY(check_options(options, error));
    clf_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    atomic_init(&plan->references, 1);
    plan->context = context;
    plan->primitive = primitive;
    plan->flags = flags;
    clf_context_retain(context);
    clf_status status = take_operator(plan, op, element_bytes, error);
    const char *variant = options ? options->variant : NULL, *parameters = options ? options->parameters : NULL;
    if (status == CLF_SUCCESS)
        status = variant ? compile_asked(plan, variant, parameters, error) : compile_chosen(plan, parameters, error);
    if (status != CLF_SUCCESS) {
        plan_free(plan);
        return status;
    }
    *result = plan;
    return CLF_SUCCESS;
}

clf_status clf_plan_create(clf_context *context, const clf_primitive *primitive, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **result, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    if (!context || !op || !result)
        return clf_fail(error, CLF_E_ARGUMENT, "context, operator and plan must not be NULL");
    if (flags & ~primitive->flags)
        return clf_fail(error, CLF_E_ARGUMENT, "unknown flags 0x%x", flags & ~primitive->flags);
    return create(context, primitive, op, 0, flags, options, result, error);
}

clf_status clf_plan_create_moving(clf_context *context, const clf_primitive *primitive, cl_uint element_bytes,
                                  const clf_plan_options *options, clf_plan **result, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    if (!context || !result)
        return clf_fail(error, CLF_E_ARGUMENT, "context and plan must not be NULL");
    return create(context, primitive, NULL, element_bytes, 0, options, result, error);
}

clf_status clf_plan_retain(clf_plan *plan)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    atomic_fetch_add(&plan->references, 1);
    return CLF_SUCCESS;
}

clf_status clf_plan_release(clf_plan *plan)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    if (atomic_fetch_sub(&plan->references, 1) == 1)
        plan_free(plan);
    return CLF_SUCCESS;
}

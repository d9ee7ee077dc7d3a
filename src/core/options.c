/* SPDX-License-Identifier: MIT */
/*
 * options: the parameters of an engine, and the options that its program is compiled with.
 *
 * Parameters come from, last word first: the caller's plan options, what clf_context_tune found, CLFOLD_PROFILE's file,
 * the caller's profile, the built-in ones, the variant's defaults. Profiles name variants or roles.
 */
#include "core/core.h"

#include <stdio.h>
#include <string.h>

/* ---- Whose parameter it is --------------------------------------------------------------------------- */

bool clf_variant_takes(const clf_primitive *primitive, const clf_variant *variant, const char *parameter)
{
    return clf_list_has(variant->parameters, parameter) || clf_list_has(primitive->parameters, parameter) ||
           clf_parameter_known(parameter)->reader == CLF_READ_BY_COMPILER; /* any program has a compiler */
}

/* Does `variant` take the parameter, or, where that is NULL, any of the primitive's? */
static bool is_taken(const clf_primitive *primitive, const clf_variant *variant, const char *parameter)
{
    if (variant)
        return clf_variant_takes(primitive, variant, parameter);
    for (const clf_variant *v = primitive->variants; v->name; ++v)
        if (clf_variant_takes(primitive, v, parameter))
            return true;
    return false;
}

clf_status clf_check_taken(const clf_primitive *primitive, const clf_variant *variant, const clf_parameters *asked,
                           clf_error *error)
{
    cl_uint i = 0;
    char list[200] = "";
    while (i < asked->count && is_taken(primitive, variant, asked->item[i].name))
        ++i;
    if (i == asked->count)
        return CLF_SUCCESS;
    size_t length = 0;
    const clf_known_parameter *p;
    for (size_t k = 0; (p = clf_parameter_number(k)); ++k)
        if (is_taken(primitive, variant, p->name) && length < sizeof list)
            length += (size_t)snprintf(list + length, sizeof list - length, "%s%s", length ? ", " : "", p->name);
    return clf_fail(error, CLF_E_PARAMETER, "%s%s%s takes no parameter \"%s\", but %s", primitive->name,
                    variant ? "'s " : "", variant ? variant->name : "", asked->item[i].name, list);
}

/* Adds those that the engine takes. Of a plan with several variants some may be for others. */
static void take(const clf_engine *engine, const clf_parameters *from, clf_parameters *to)
{
    for (cl_uint i = 0; i < from->count; ++i)
        if (clf_variant_takes(engine->primitive, engine->variant, from->item[i].name))
            clf_parameter_set_from(to, from->item[i].name, from->item[i].value, from->item[i].origin);
}

/* Says of what is asked for that it is. */
static void take_asked(const clf_engine *engine, const clf_parameters *asked, clf_parameters *own)
{
    take(engine, asked, own);
    for (cl_uint i = 0; i < own->count; ++i)
        own->item[i].origin = (clf_origin){"plan", 0};
}

/* ---- For CPUs ---------------------------------------------------------------------------------------- */

bool clf_variant_is_cpu(const clf_variant *variant)
{
    return (variant->needs & CLF_NEEDS_CPU) != 0;
}

bool clf_engine_is_cpu(const clf_engine *engine)
{
    return clf_variant_is_cpu(engine->variant);
}

/* ---- What fits the device ---------------------------------------------------------------------------- */

cl_ulong clf_no_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    (void)facts, (void)op, (void)group, (void)items;
    return 0;
}

/* Local memory of a variant's kernels. */
static cl_ulong local_needed(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                             const clf_parameters *list, cl_uint items)
{
    const cl_uint group = clf_parameter_get(list, "group", 256);
    if (variant->local)
        return variant->local(facts, op, group, items);
    return clf_variant_is_cpu(variant) ? 0 : clf_tile_local(facts, op, clf_tile_rounds(op, list), group, items);
}

static const clf_origin cut = {"cut to fit", 0};

/* A profile knows the value's size, but not how many arrays go with it. */
static void fit_items(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                      clf_parameters *list)
{
    cl_uint items = clf_parameter_get(list, "items", 0);
    while (items > 1 && local_needed(variant, facts, op, list, items) > clf_local_most(facts))
        clf_parameter_set_from(list, "items", --items, cut);
}

/*
 * Where the defaults do not fit, groups are smaller, and then the elements per work-item fewer; what was asked for
 * stands. (Transpositions know which parameters of theirs go together.)
 */
static void fit_group(const clf_variant *variant, const clf_facts *facts, const clf_operator_copy *op,
                      const clf_parameters *asked, clf_parameters *list)
{
    cl_uint group = clf_parameter_get(list, "group", 1), items = clf_parameter_get(list, "items", 1);
    if (!op->source || clf_variant_is_cpu(variant))
        return;
    while (clf_parameter_get(asked, "group", 0) == 0 && group / 2 >= clf_least_group(facts) &&
           group / 2 % facts->lane_width == 0 && local_needed(variant, facts, op, list, items) > clf_local_most(facts))
        clf_parameter_set_from(list, "group", group /= 2, cut);
    if (clf_parameter_get(asked, "items", 0) == 0)
        fit_items(variant, facts, op, list);
}

/* Group size and items within what the device and the kernels can do? Of a CPU's group is 1, and items is the tile. */
static clf_status check_sizes(const clf_facts *facts, const clf_variant *variant, const clf_parameters *list,
                              clf_error *error)
{
    const cl_uint usual = facts->lane_width > 1 ? facts->lane_width : 2;
    const cl_uint group = clf_parameter_get(list, "group", usual), items = clf_parameter_get(list, "items", 1);
    if (clf_variant_is_cpu(variant))
        return CLF_SUCCESS;
    if (facts->max_group < usual) /* nobody need have asked for anything */
        return clf_fail(error, CLF_E_UNSUPPORTED, "\"%s\" needs groups of %u work-items, and the device's have %u",
                        variant->name, usual, (unsigned)facts->max_group);
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
    if (items == 0)
        return clf_fail(error, CLF_E_PARAMETER, "group=%u: too small a tile for elements of %u bytes", group,
                        op->value.bytes);
    CLF_TRY(check_sizes(facts, variant, list, error));
    const cl_ulong needed = local_needed(variant, facts, op, list, items);
    if (needed <= clf_local_most(facts))
        return CLF_SUCCESS;
    clf_parameters fitting = *list;
    fit_items(variant, facts, op, &fitting);
    const cl_uint fewer = clf_parameter_get(&fitting, "items", 1);
    if (fewer > 1 && needed == CL_ULONG_MAX) /* not for want of memory */
        return clf_fail(error, CLF_E_PARAMETER, "group=%u, items=%u: \"%s\" has no such tile, but of items=%u", group,
                        items, variant->name, fewer);
    return clf_fail(error, CLF_E_PARAMETER, "group=%u, items=%u: the tile does not fit %lu bytes of local memory",
                    group, items, (unsigned long)clf_local_most(facts));
}

/* ---- An engine's ------------------------------------------------------------------------------------- */

void clf_engine_class(const clf_engine *engine, char name[16])
{
    if (engine->variant->local || clf_engine_is_cpu(engine)) /* no tile kernels */
        clf_type_class(&engine->op->value, name);
    else
        clf_tile_class(engine->op, name);
}

/* What profiles say of the engine's variant and role. */
static void look_up(const clf_engine *engine, cl_uint role, clf_parameters *list)
{
    const clf_primitive *primitive = engine->primitive;
    const char *const names[] = {primitive->profile, primitive->name};
    char type_class[16];
    clf_engine_class(engine, type_class);
    for (size_t i = 0; i < CLF_COUNT(names); ++i)
        if (names[i])
            clf_profile_lookup(&engine->context->profile, &engine->context->facts, names[i], type_class,
                               engine->variant->name, primitive->roles[role], list);
}

clf_status clf_engine_tune(clf_engine *engine, cl_uint role, const clf_parameters *asked, clf_error *error)
{
    const clf_operator_copy *const op = engine->op;
    const clf_facts *facts = &engine->context->facts;
    clf_parameters *const list = &engine->parameters, profiled = {0}, own = {0};
    look_up(engine, role, &profiled);
    take(engine, &profiled, list);
    take_asked(engine, asked, &own);
    take(engine, &own, list);
    CLF_TRY(check_sizes(facts, engine->variant, list, error)); /* before anything is made of them */
    if (clf_parameter_get(&own, "items", 0) == 0)              /* what is asked for stands, or is refused below */
        fit_items(engine->variant, facts, op, list);
    if (clf_engine_is_cpu(engine))
        clf_parameter_set(list, "group", 1);
    else if (engine->primitive->defaults)
        engine->primitive->defaults(facts, op, list);
    if (engine->variant->defaults)
        engine->variant->defaults(facts, op, list);
    fit_group(engine->variant, facts, op, &own, list);
    return check_tile(facts, op, engine->variant, list, error);
}

/* ---- Where it is from -------------------------------------------------------------------------------- */

static void describe_origin(clf_text *text, clf_origin origin)
{
    if (origin.source && origin.line)
        clf_text_format(text, "%s:%u\n", origin.source, origin.line);
    else
        clf_text_format(text, "%s\n", origin.source ? origin.source : "default");
}

/* The line of a profile that gave the role its variant, if one did. */
static clf_origin variant_origin(const clf_plan *plan, cl_uint role)
{
    const clf_primitive *const primitive = plan->primitive;
    const char *const names[] = {primitive->name, primitive->profile};
    char type_class[16], chosen[32];
    clf_origin origin;
    clf_type_class(&plan->op.value, type_class);
    for (size_t i = 0; i < CLF_COUNT(names); ++i)
        if (names[i] && clf_profile_variant(&plan->context->profile, &plan->context->facts, names[i], type_class,
                                            primitive->roles[role], chosen, &origin))
            return strcmp(chosen, plan->engine[role]->variant->name) == 0 ? origin : (clf_origin){NULL, 0};
    return (clf_origin){NULL, 0};
}

static void describe_tuning(clf_text *text, const clf_plan *plan, cl_uint role)
{
    const clf_engine *const engine = plan->engine[role];
    const char *const name = plan->primitive->roles[role];
    clf_text_format(text, "%s\tvariant\t%s\t", name, engine->variant->name);
    describe_origin(text, variant_origin(plan, role));
    for (cl_uint i = 0; i < engine->parameters.count; ++i) {
        const clf_parameter *const p = &engine->parameters.item[i];
        if (!clf_parameter_known(p->name))
            continue; /* the variant's own business */
        clf_text_format(text, "%s\t%s\t%u\t", name, p->name, p->value);
        describe_origin(text, p->origin);
    }
}

clf_status clf_plan_describe_tuning(const clf_plan *plan, char *out, size_t bytes, size_t *needed)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    clf_text text = {0};
    for (cl_uint role = 0; plan->primitive->roles[role]; ++role)
        if (plan->engine[role])
            describe_tuning(&text, plan, role);
    const clf_status status = clf_text_export(&text, out, bytes, needed);
    clf_text_free(&text);
    return status;
}

/* ---- As options of a compiler ------------------------------------------------------------------------ */

/* " -D CLF_ITEMS=20", if kernels read it. */
static void write_parameter(clf_text *text, const clf_parameter *p)
{
    const clf_known_parameter *known = clf_parameter_known(p->name);
    char name[sizeof p->name];
    if (known && known->reader != CLF_READ_BY_KERNELS)
        return;
    for (size_t k = 0; k < sizeof name; ++k)
        name[k] = p->name[k] >= 'a' && p->name[k] <= 'z' ? (char)(p->name[k] - 'a' + 'A') : p->name[k];
    clf_text_format(text, " -D CLF_%s=%u", name, p->value);
}

void clf_define_rows(const clf_engine *engine, clf_text *options)
{
    (void)engine;
    clf_text_format(options, " -D CLF_SEGMENT=1");
}

void clf_engine_options(clf_text *text, const clf_engine *engine)
{
    const clf_facts *facts = &engine->context->facts;
    const clf_primitive *const primitive = engine->primitive;
    const bool is_cpu = clf_engine_is_cpu(engine);
    clf_text_format(text,
                    "%s -D CLF_CPU=%d -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u -D CLF_EXCLUSIVE=%d"
                    " -D CLF_GIVEN=%d",
                    facts->std, (facts->type & CL_DEVICE_TYPE_CPU) != 0, (int)facts->atomics,
                    is_cpu ? 0 : (int)facts->lanes, is_cpu ? 1 : facts->lane_width,
                    (engine->flags & primitive->exclusive) != 0, (engine->flags & CLF_FROM_DEVICE) != 0);
    if (engine->flags & primitive->macro.flag) /* plans without it keep their programs, and what caches have of them */
        clf_text_format(text, " -D %s=1", primitive->macro.name);
    clf_facts_avoid_bugs(facts, text);
    if (facts->is_pocl && clf_source_prints(engine->op->source)) /* optimised, it may never end: driver_bugs.txt */
        clf_text_format(text, " -cl-opt-disable");
    if (engine->op->flags & CLF_DENORMS_ARE_ZERO)
        clf_text_format(text, " -cl-denorms-are-zero");
    if (primitive->define)
        primitive->define(engine, text);
    const cl_uint registers = clf_parameter_get(&engine->parameters, "registers", 0);
    const cl_uint group = clf_parameter_get(&engine->parameters, "group", 1);
    /* A higher limit is none: of so many work-items there would be no group. */
    if (registers && facts->is_nvidia && registers * group <= facts->registers)
        clf_text_format(text, " -cl-nv-maxrregcount=%u -D CLF_REGISTERS_LIMITED=1", registers);
    for (cl_uint i = 0; i < engine->parameters.count; ++i)
        write_parameter(text, &engine->parameters.item[i]);
}

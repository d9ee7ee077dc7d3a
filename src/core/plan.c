/* SPDX-License-Identifier: MIT */
/*
 * plan: variants chosen for an operator on a device.
 *
 * Which engines a plan has, and which one a call takes, is the primitive's own business (clf_primitive.variant_for,
 * .choose).
 */
#include "core/core.h"

#include <stdlib.h>
#include <string.h>

/* ---- Choosing ---------------------------------------------------------------------------------------- */

/* Integers repeat in any order, if the library combines them. */
static bool repeats_enough(const clf_variant *variant, const clf_plan *plan)
{
    return variant->repeats || !(plan->flags & CLF_REPEATABLE) || clf_operator_is_exact(&plan->op);
}

/*
 * May clfold choose the variant: can it do any call of the plan, and has the device what it needs? Asked for by name,
 * any variant runs on any device; but Mesa's driver of GPUs ends the process over those for CPUs (zink_private.c).
 */
static bool suits(const clf_variant *variant, const clf_plan *plan)
{
    const clf_facts *const facts = &plan->context->facts;
    return !(variant->needs & CLF_NEEDS_ASKING) && repeats_enough(variant, plan) &&
           (!(variant->needs & CLF_NEEDS_LANES) || facts->lanes != CLF_LANES_LOCAL) &&
           (!(variant->needs & CLF_NEEDS_CPU) || facts->is_cpu) &&
           (!(variant->needs & CLF_NEEDS_PROGRESS) || facts->progress) &&
           (!variant->takes || variant->takes(plan, variant, NULL) == CLF_SUCCESS);
}

const clf_variant *clf_variant_named(const clf_primitive *primitive, const char *name)
{
    for (const clf_variant *v = primitive->variants; v->name; ++v)
        if (strcmp(v->name, name) == 0)
            return v;
    return NULL;
}

const clf_variant *clf_variant_profiled(const clf_plan *plan, const char *type_class, cl_uint role)
{
    const clf_primitive *const primitive = plan->primitive;
    const clf_context *const context = plan->context;
    const char *const names[] = {primitive->name, primitive->profile};
    char chosen[32];
    for (size_t i = 0; i < CLF_COUNT(names); ++i) {
        if (names[i] && clf_profile_variant(&context->profile, &context->facts, names[i], type_class,
                                            primitive->roles[role], chosen, NULL)) {
            const clf_variant *v = clf_variant_named(primitive, chosen);
            return v && suits(v, plan) ? v : NULL;
        }
    }
    return NULL;
}

const char *const clf_main_role[] = {"main", NULL};

clf_engine *clf_choose_main(const clf_plan *plan, const clf_task *task)
{
    (void)task;
    return plan->engine[0];
}

static const clf_variant *variant_chosen(const clf_plan *plan, const char *type_class)
{
    const clf_variant *profiled = clf_variant_profiled(plan, type_class, 0);
    if (profiled)
        return profiled;
    for (const clf_variant *v = plan->primitive->variants; v->name; ++v)
        if (suits(v, plan))
            return v;
    return NULL;
}

/* ---- Plans ------------------------------------------------------------------------------------------- */

clf_status clf_check_types(const clf_facts *facts, const clf_operator_copy *op, clf_error *error)
{
    const clf_fields *lists[] = {&op->value, &op->input, &op->extra, &op->captured, &op->result};
    for (size_t l = 0; l < CLF_COUNT(lists); ++l) {
        if ((clf_fields_use(lists[l], CLF_DOUBLE) || op->key_type == CLF_DOUBLE) && !facts->fp64)
            return clf_fail(error, CLF_E_UNSUPPORTED, "the device has no double (cl_khr_fp64)");
        if ((clf_fields_use(lists[l], CLF_HALF) || op->key_type == CLF_HALF) && !facts->fp16)
            return clf_fail(error, CLF_E_UNSUPPORTED, "the device has no half (cl_khr_fp16)");
    }
    return CLF_SUCCESS;
}

/* The engines of a plan whose variants clfold chooses. */
static clf_status take_chosen(clf_plan *plan, const clf_parameters *asked, clf_error *error)
{
    char type_class[16];
    CLF_TRY(clf_check_taken(plan->primitive, NULL, asked, error));
    clf_type_class(&plan->op.value, type_class);
    const clf_variant *variant = variant_chosen(plan, type_class);
    if (!variant)
        return clf_fail(error, CLF_E_INTERNAL, "no variant of %s suits the device", plan->primitive->name);
    CLF_TRY(clf_engine_create(plan, 0, variant, asked, error));
    for (cl_uint role = 1; plan->primitive->roles[role]; ++role) {
        variant = plan->primitive->variant_for(plan, role);
        if (variant)
            CLF_TRY(clf_engine_create(plan, role, variant, asked, error));
    }
    return CLF_SUCCESS;
}

static clf_status take_asked(clf_plan *plan, const char *name, const clf_parameters *asked, clf_error *error)
{
    const clf_variant *const variant = clf_variant_named(plan->primitive, name);
    const clf_facts *const facts = &plan->context->facts;
    if (!variant)
        return clf_fail(error, CLF_E_ARGUMENT, "%s has no variant \"%s\"", plan->primitive->name, name);
    if (!repeats_enough(variant, plan))
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "variant \"%s\" combines in an order that depends on timing: its plan must not be "
                        "CLF_REPEATABLE",
                        name);
    if (variant->takes)
        CLF_TRY(variant->takes(plan, variant, error));
    CLF_TRY(clf_check_taken(plan->primitive, variant, asked, error));
    CLF_TRY(clf_engine_create(plan, 0, variant, asked, error));
    if (clf_variant_is_cpu(variant) && facts->is_rusticl && !(facts->type & CL_DEVICE_TYPE_CPU))
        return clf_fail(error, CLF_E_UNSUPPORTED, "variant \"%s\" is for CPUs: this driver has it on no other", name);
    return CLF_SUCCESS;
}

static void plan_free(clf_plan *plan)
{
    for (size_t i = 0; i < CLF_MAX_ROLES; ++i)
        clf_engine_free(plan->engine[i]);
    if (plan->primitive->close)
        plan->primitive->close(plan);
    clf_operator_free(&plan->op);
    if (!plan->weak)
        clf_context_release(plan->context);
    free(plan);
}

static clf_status check_options(const clf_plan_options *options, clf_error *error)
{
    if (options && options->size != sizeof *options && options->size != offsetof(clf_plan_options, wanted))
        return clf_fail(error, CLF_E_ARGUMENT, "clf_plan_options.size is not sizeof(clf_plan_options)");
    return CLF_SUCCESS;
}

/* Options may end before it. */
static cl_ulong wanted_of(const clf_plan_options *options)
{
    return options && options->size == sizeof *options ? options->wanted : 0;
}

/* Gives the plan its operator, or, where that is NULL, elements of so many bytes. */
static clf_status take_operator(clf_plan *plan, const clf_operator *op, cl_uint element_bytes, cl_ulong wanted,
                                clf_error *error)
{
    const unsigned function = plan->primitive->function ? plan->primitive->function : CLF_FUNCTION_COMBINE;
    if (wanted && (!op || !(function & CLF_FUNCTION_FINISH)))
        return clf_fail(error, CLF_E_UNSUPPORTED,
                        "clf_plan_options.wanted: %s writes all results, and must find 0 here", plan->primitive->name);
    if (!op) {
        clf_operator_none(element_bytes, &plan->op);
        return CLF_SUCCESS;
    }
    if (!(function & CLF_FUNCTION_COMBINE) && clf_operator_is_known(op) && op->extra)
        return clf_fail(error, CLF_E_ARGUMENT, "a%s %s has no extra outputs",
                        strchr("aeiou", plan->primitive->name[0]) ? "n" : "", plan->primitive->name);
    if (!(function & CLF_FUNCTION_FINISH) && clf_operator_finish(op))
        return clf_fail(error, CLF_E_UNSUPPORTED, "clf_operator.finish: %s has none, and must find NULL here",
                        plan->primitive->name);
    if (!(function & CLF_FUNCTION_PLACE) && clf_operator_place(op))
        return clf_fail(error, CLF_E_UNSUPPORTED, "clf_operator.place: %s has none, and must find NULL here",
                        plan->primitive->name);
    if (!(function & CLF_FUNCTION_SEGMENTS) && clf_operator_is_known(op) && op->flags & CLF_WITH_SEGMENT)
        return clf_fail(error, CLF_E_UNSUPPORTED, "clf_operator.flags: CLF_WITH_SEGMENT: %s has no segments",
                        plan->primitive->name);
    CLF_TRY(clf_operator_take(op, function, &plan->op, error));
    CLF_TRY(clf_operator_want(&plan->op, wanted, error));
    plan->op.in_sets = plan->primitive->in_sets ? plan->primitive->in_sets : 1;
    plan->op.out_sets = plan->primitive->out_sets ? plan->primitive->out_sets : 1;
    plan->op.coded = plan->primitive->coded;
    return clf_check_types(&plan->context->facts, &plan->op, error);
}

static clf_status create(clf_context *context, const clf_primitive *primitive, clf_form form, const clf_operator *op,
                         cl_uint element_bytes, unsigned flags, const clf_plan_options *options, clf_plan **result,
                         clf_error *error)
{
    CLF_TRY(check_options(options, error));
    clf_plan *plan = calloc(1, sizeof *plan);
    if (!plan)
        return clf_fail(error, CLF_E_NO_MEMORY, "out of memory");
    atomic_init(&plan->references, 1);
    plan->context = context;
    plan->primitive = primitive;
    plan->flags = flags;
    clf_context_retain(context);
    clf_status status = take_operator(plan, op, element_bytes, wanted_of(options), error);
    plan->op.form = form.number;
    if (plan->op.numbers && form.numbers)
        plan->op.numbers = form.numbers;
    plan->op.reversed = (flags & primitive->reverse) != 0;
    const char *const variant = options ? options->variant : NULL;
    clf_parameters asked = {0};
    if (status == CLF_SUCCESS && options)
        status = clf_parameters_parse(options->parameters, &asked, error);
    if (status == CLF_SUCCESS)
        status = variant ? take_asked(plan, variant, &asked, error) : take_chosen(plan, &asked, error);
    if (status == CLF_SUCCESS && !form.later)
        status = clf_engine_compile(plan->engine[0], error);
    if (status != CLF_SUCCESS) {
        plan_free(plan);
        return status;
    }
    *result = plan;
    return CLF_SUCCESS;
}

clf_status clf_plan_none(clf_plan **plan, clf_error *error)
{
    if (plan)
        *plan = NULL;
    return clf_error_reset(error);
}

clf_status clf_plan_create_form(clf_context *context, const clf_primitive *primitive, clf_form form,
                                const clf_operator *op, unsigned flags, const clf_plan_options *options,
                                clf_plan **result, clf_error *error)
{
    CLF_TRY(clf_plan_none(result, error));
    if (!context || !op || !result)
        return clf_fail(error, CLF_E_ARGUMENT, "context, operator and plan must not be NULL");
    if (flags & ~primitive->flags)
        return clf_fail(error, CLF_E_ARGUMENT, "unknown flags 0x%x", flags & ~primitive->flags);
    return create(context, primitive, form, op, 0, flags, options, result, error);
}

clf_status clf_plan_create(clf_context *context, const clf_primitive *primitive, const clf_operator *op, unsigned flags,
                           const clf_plan_options *options, clf_plan **result, clf_error *error)
{
    return clf_plan_create_form(context, primitive, (clf_form){0}, op, flags, options, result, error);
}

clf_status clf_plan_create_moving(clf_context *context, const clf_primitive *primitive, cl_uint element_bytes,
                                  const clf_plan_options *options, clf_plan **result, clf_error *error)
{
    CLF_TRY(clf_plan_none(result, error));
    if (!context || !result)
        return clf_fail(error, CLF_E_ARGUMENT, "context and plan must not be NULL");
    return create(context, primitive, (clf_form){0}, NULL, element_bytes, 0, options, result, error);
}

clf_status clf_plan_compile(clf_plan *plan, clf_error *error)
{
    CLF_TRY(clf_error_reset(error));
    if (!plan)
        return clf_fail(error, CLF_E_ARGUMENT, "plan must not be NULL");
    for (size_t i = 0; i < CLF_MAX_ROLES; ++i)
        if (plan->engine[i])
            CLF_TRY(clf_engine_compile(plan->engine[i], error));
    return plan->primitive->compile ? plan->primitive->compile(plan, error) : CLF_SUCCESS;
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

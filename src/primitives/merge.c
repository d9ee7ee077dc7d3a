/* SPDX-License-Identifier: MIT */
/*
 * merge: two sorted sequences as one, by the merge path of cl/merge/.
 */
#include "primitives/primitives.h"

static const char *const cuts[] = {"cuts", NULL};
static const char *const cpu_kernels[] = {"clf_merge_cpu", NULL};
static const char *const tile_kernels[] = {"clf_path_cuts", "clf_merge_tiles", NULL};

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/merge_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = clf_path_cpu_defaults, .enqueue = clf_path_cpu_enqueue},
    {.name = "tiles", .file = "merge/merge_tiles.cl", .kernels = tile_kernels, .numbers = cuts,
     .parameters = "items,group", .defaults = clf_path_defaults, .local = clf_path_local, .scratch = clf_path_scratch,
     .enqueue = clf_path_enqueue},
    {.name = NULL},
};

const clf_primitive clf_merge_primitive = {
    .name = "merge", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_LESS, .in_sets = 2, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main};

clf_status clf_merge_plan(clf_context *context, const clf_operator *op, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_path_check_operator("merge", op, error));
    return clf_plan_create(context, &clf_merge_primitive, op, flags, options, plan, error);
}

clf_status clf_merge(clf_plan *plan, const clf_call *call, cl_ulong n_first, cl_ulong n_second, const clf_array *in,
                     const clf_array *out)
{
    clf_check check;
    const cl_ulong n_in[] = {n_first, n_second}, total = n_first + n_second;
    if (!plan || plan->primitive != &clf_merge_primitive)
        return clf_refuse_plan(plan, "clf_merge");
    CLF_TRY(clf_path_check_call(&check, plan, call, "clf_merge", "merge"));
    CLF_TRY(clf_check_out_count(&check, call, plan->op.value.count));
    if (total < n_first)
        return clf_refuse(&check, CLF_E_OVERFLOW, "n_first + n_second does not fit 64 bits");
    CLF_TRY(clf_check_arrays(&check, &plan->op, n_in, &total, in, out));
    if (total == 0)
        return clf_run_nothing(&check, call);
    clf_array inputs[2 * CLF_MAX_FIELDS];
    clf_path_inputs(plan, n_in, in, inputs);
    clf_arguments arguments = {.op = &plan->op, .in = inputs, .out = out, .count = n_second, .size = n_first};
    return clf_engine_run(plan->engine[0], plan, &check, call, &arguments, total, false);
}

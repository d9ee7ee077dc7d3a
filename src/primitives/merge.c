/* SPDX-License-Identifier: MIT */
/*
 * merge: two sorted sequences as one, by the merge path of cl/merge/.
 */
#include "primitives/primitives.h"

static const char *const cuts[] = {"cuts", NULL};
static const char *const cpu_kernels[] = {"clf_merge_cpu", "clf_merge_mend", NULL};
static const char *const tile_kernels[] = {"clf_path_cuts", "clf_merge_tiles", "clf_merge_mend", NULL};
enum { CPU_MEND = 1, MEND }; /* the last ones */

/* Behind what else tiles have a word each, if there are several (cl/merge/path_mend.cl). */
static cl_ulong mend_bytes(const clf_engine *engine, const clf_arguments *arguments)
{
    const cl_ulong tiles = clf_ceiling(arguments->size + arguments->count, engine->tile);
    return tiles > 1 ? clf_scratch_for(tiles, sizeof(cl_uint)) : 0;
}

static clf_status mend(clf_engine *engine, clf_run *run, const clf_arguments *arguments, cl_uint kernel)
{
    enum { MOST = 64 /* groups: each looks at all words */ };
    const cl_ulong tiles = clf_ceiling(arguments->size + arguments->count, engine->tile);
    return tiles == 1 ? CLF_SUCCESS : clf_run_launch(run, engine, kernel, arguments, clf_least(tiles, MOST));
}

static clf_status cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    clf_run_scratch(run, CLF_PLAIN, mend_bytes(engine, arguments), arguments);
    CLF_TRY(clf_path_cpu_launch(engine, run, arguments));
    return mend(engine, run, arguments, CPU_MEND);
}

static clf_status tiles_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    CLF_TRY(clf_path_launch(engine, run, arguments, mend_bytes(engine, arguments)));
    return mend(engine, run, arguments, MEND);
}

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/merge_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = clf_path_cpu_defaults, .run = cpu_launch},
    {.name = "tiles", .file = "merge/merge_tiles.cl", .kernels = tile_kernels, .numbers = cuts,
     .parameters = "items,group", .defaults = clf_path_defaults, .local = clf_path_local, .run = tiles_launch},
    {.name = NULL},
};

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The first sequence has `size` elements, the second `count`. */
static clf_status check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task)
{
    const cl_ulong n_in[] = {task->size, task->count}, total = task->size + task->count;
    CLF_TRY(clf_path_check_call(check, plan, call, "merge"));
    CLF_TRY(clf_check_out_count(check, call, plan->op.value.count));
    if (total < task->size)
        return clf_refuse(check, CLF_E_OVERFLOW, "n_first + n_second does not fit 64 bits");
    CLF_TRY(clf_check_arrays(check, &plan->op, n_in, &total, task->in, task->out));
    task->nothing = total == 0;
    return CLF_SUCCESS;
}

static clf_status run(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    return clf_path_run(plan, run, task, NULL);
}

const clf_primitive clf_merge_primitive = {
    .name = "merge", .flags = CLF_FROM_DEVICE, .function = CLF_FUNCTION_LESS, .in_sets = 2, .variants = variants,
    .roles = clf_main_role, .choose = clf_choose_main, .check = check, .run = run, .worst = clf_path_worst};

clf_status clf_merge_plan(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                          clf_plan **plan, clf_error *error)
{
    CLF_TRY(clf_path_check_operator("merge", op, plan, error));
    return clf_plan_create(context, &clf_merge_primitive, op, flags, options, plan, error);
}

clf_status clf_merge(clf_plan *plan, const clf_call *call, cl_ulong n_first, cl_ulong n_second, const clf_array *in,
                     const clf_array *out)
{
    clf_task task = {.size = n_first, .count = n_second, .in = in, .out = out};
    return clf_call_task(plan, &clf_merge_primitive, "clf_merge", call, &task);
}

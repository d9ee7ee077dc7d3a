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
static cl_ulong cpu_scratch(const clf_engine *engine, cl_ulong n)
{
    const cl_ulong tiles = clf_ceiling(n, engine->tile);
    return tiles > 1 ? clf_scratch_for(tiles, sizeof(cl_uint)) : 0;
}

static cl_ulong tiles_scratch(const clf_engine *engine, cl_ulong n)
{
    return clf_path_scratch(engine, n) + cpu_scratch(engine, n);
}

static clf_status mend(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint kernel)
{
    enum { MOST = 64 /* groups: each looks at all words */ };
    const cl_ulong tiles = clf_ceiling(arguments->size + arguments->count, engine->tile);
    clf_arguments own = *arguments;
    if (tiles == 1)
        return CLF_SUCCESS;
    own.numbers[0] = clf_path_has_cuts(engine, tiles);
    return clf_launch(chain, &engine->kernels[kernel], &own, clf_least(tiles, MOST), engine->group);
}

static clf_status cpu_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    CLF_TRY(clf_path_cpu_enqueue(engine, chain, arguments, tickets));
    return mend(engine, chain, arguments, CPU_MEND);
}

static clf_status tiles_enqueue(clf_engine *engine, clf_chain *chain, const clf_arguments *arguments, cl_uint *tickets)
{
    CLF_TRY(clf_path_enqueue(engine, chain, arguments, tickets));
    return mend(engine, chain, arguments, MEND);
}

static const clf_variant variants[] = {
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "merge/merge_cpu.cl", .kernels = cpu_kernels,
     .parameters = "items,streams", .defaults = clf_path_cpu_defaults, .scratch = cpu_scratch, .enqueue = cpu_enqueue},
    {.name = "tiles", .file = "merge/merge_tiles.cl", .kernels = tile_kernels, .numbers = cuts,
     .parameters = "items,group", .defaults = clf_path_defaults, .local = clf_path_local, .scratch = tiles_scratch,
     .enqueue = tiles_enqueue},
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

/* SPDX-License-Identifier: MIT */
/*
 * sort_few: as many elements as one group takes, sorted in one launch (cl/sort/sort_one_group.cl). A variant of sort.c.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { MOST_ITEMS = 16, MOST_IN_TILE = 65535 /* places are 16 bits */ };
const char *const clf_few_kernels[] = {"clf_sort_one_group", NULL}, *const clf_few_numbers[] = {"wanted", NULL};

/* Keys, with gaps, and places. */
cl_ulong clf_few_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const cl_uint bytes = op->key_bytes > 4 ? op->key_bytes : 4;
    const cl_ulong tile = (cl_ulong)group * items, slots = tile + tile / (128 / bytes) + 1;
    (void)facts;
    if (items > MOST_ITEMS || (items & (items - 1)) || tile > MOST_IN_TILE)
        return CL_ULONG_MAX;
    return slots * (bytes + sizeof(cl_ushort)) + 64;
}

/*
 * The time is latency: many work-items have few elements each, and few registers for keys and values. On an H200 2^12
 * u32 take 11.4 us by 1024 work-items with 4, and pairs 15.7; by half as many with twice as many 11.5 and 17.7.
 */
void clf_few_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { BYTES = 32, WANTED = 1024 };
    const cl_uint value = clf_fields_sum(&op->value), widest = value > op->key_bytes ? value : op->key_bytes;
    const cl_uint usual = clf_usual_group(facts);
    cl_uint items = 4;
    while (items > 1 && items * widest > BYTES)
        items /= 2;
    clf_parameter_default(parameters, "items", items);
    clf_parameter_default(parameters, "group", facts->lane_width > 1 && facts->max_group >= WANTED ? WANTED : usual);
}

/* Where other ways have few launches, too: on an H200 2^10 u32 take 8.3 us, by merging 11.8, and 2^12 11.4 and 13.2. */
cl_ulong clf_few_most(const clf_operator_copy *op)
{
    enum { KEYS = 1 << 12, WITH_VALUES = 1 << 11, WIDE = 1 << 10 };
    return op->key_bytes > 4 ? WIDE : op->key || op->value.count > 1 ? WITH_VALUES : KEYS;
}

bool clf_sort_is_few(const clf_plan *plan, cl_ulong size)
{
    const clf_engine *const few = plan->engine[CLF_SORT_FEW];
    const cl_uint most = plan->engine[CLF_SORT_SMALL] ? (cl_uint)clf_few_most(&plan->op) : CL_UINT_MAX;
    return few && size <= few->tile && size <= clf_parameter_get(&few->parameters, "limit", most);
}

clf_status clf_sort_compile_few(clf_plan *plan, clf_error *error)
{
    return plan->engine[CLF_SORT_FEW] ? clf_engine_compile(plan->engine[CLF_SORT_FEW], error) : CLF_SUCCESS;
}

/* A top-k wants the first task->most elements alone. */
clf_status clf_few_run(clf_engine *engine, clf_run *run, const clf_task *task)
{
    clf_array out[2 * CLF_MAX_FIELDS] = {{0}}; /* nothing in scratch */
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (task->size > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"one_group\" sorts %u elements at most",
                              (unsigned)engine->tile);
    memcpy(out, task->out, engine->op->value.count * sizeof *out);
    arguments.out = out;
    arguments.numbers[0] = (cl_uint)(task->most && task->most < task->size ? task->most : task->size);
    return clf_run_launch(run, engine, 0, &arguments, 1);
}

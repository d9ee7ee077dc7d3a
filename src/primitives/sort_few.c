/* SPDX-License-Identifier: MIT */
/*
 * sort_few: a few elements, by tiles that are sorted in one launch, each by a group, and runs that are then merged by
 * ranks, many in a launch (cl/sort/sort_ranks.cl). What one group takes needs no other launch, and no scratch. A
 * variant of sort.c.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { MOST_ITEMS = 16, MOST_IN_TILE = 65535 /* places are 16 bits */, MOST = 1 << 29 };
enum { TILES, RANKS };                  /* kernels */
enum { WANTED, IN_SECOND, RUN, WHOLE }; /* numbers */
const char *const clf_few_kernels[] = {"clf_sort_one_group", "clf_sort_ranks", NULL};
const char *const clf_few_numbers[] = {"wanted", "in_second", "run", "whole", NULL};

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
static void defaults(const clf_facts *facts, const clf_operator_copy *op, cl_uint large, clf_parameters *parameters)
{
    enum { BYTES = 32 };
    const cl_uint value = clf_fields_sum(&op->value), widest = value > op->key_bytes ? value : op->key_bytes;
    cl_uint items = 4;
    while (items > 1 && items * widest > BYTES)
        items /= 2;
    clf_parameter_default(parameters, "items", items);
    clf_parameter_default(parameters, "group",
                          facts->lane_width > 1 && facts->max_group >= large ? large : clf_usual_group(facts));
    clf_parameter_default(parameters, "streams", 16);
}

void clf_few_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    defaults(facts, op, 1024, parameters);
}

/* More tiles than one: an H100 sorts 2^14 and 2^16 u32 in 19 and 33 us by these groups, by larger ones in 23 and 41. */
void clf_ranks_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    defaults(facts, op, 512, parameters);
}

/* Where calls are merged, too: on an H200 2^10 u32 take 8.3 us, by merging 11.8, and 2^12 11.4 and 13.2. */
cl_ulong clf_few_most(const clf_operator_copy *op)
{
    enum { KEYS = 1 << 12, WITH_VALUES = 1 << 11, WIDE = 1 << 10 };
    return op->key_bytes > 4 ? WIDE : op->key || op->value.count > 1 ? WITH_VALUES : KEYS;
}

bool clf_sort_is_few(const clf_plan *plan, cl_ulong size)
{
    const clf_engine *const few = plan->engine[CLF_SORT_FEW], *const small = plan->engine[CLF_SORT_SMALL];
    const bool merges = small && small->variant->way == CLF_SORT_BY_MERGING;
    const cl_uint most = merges ? (cl_uint)clf_few_most(&plan->op) : CL_UINT_MAX;
    return few && size <= few->tile && size <= clf_parameter_get(&few->parameters, "limit", most);
}

clf_status clf_sort_compile_few(clf_plan *plan, clf_error *error)
{
    return plan->engine[CLF_SORT_FEW] ? clf_engine_compile(plan->engine[CLF_SORT_FEW], error) : CLF_SUCCESS;
}

static cl_uint rounds_of(cl_ulong runs, cl_uint ways)
{
    cl_uint rounds = 0;
    for (; runs > 1; runs = clf_ceiling(runs, ways))
        ++rounds;
    return rounds;
}

/* Runs that are merged at a time: as few launches as there may be, of about as many runs each. */
static cl_uint ways_of(const clf_engine *engine, cl_ulong tiles)
{
    const cl_uint most = clf_parameter_get(&engine->parameters, "streams", 2);
    const cl_uint rounds = rounds_of(tiles, most > 2 ? most : 2);
    cl_uint ways = 2;
    while (rounds_of(tiles, ways) > rounds)
        ++ways;
    return ways;
}

/* A top-k, of what one group takes, wants the first task->most elements alone. */
clf_status clf_few_run(clf_engine *engine, clf_run *run, const clf_task *task)
{
    const cl_ulong tiles = clf_ceiling(task->size, engine->tile), size = task->size;
    const cl_ulong wanted = tiles == 1 && task->most ? clf_least(task->most, size) : size;
    const cl_uint ways = ways_of(engine, tiles);
    cl_uint rounds = rounds_of(tiles, ways);
    clf_array out[2 * CLF_MAX_FIELDS] = {{0}};
    clf_arguments arguments;
    CLF_TRY(clf_run_begin(run, engine, task, &arguments));
    if (size > MOST)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"%s\" sorts %d elements at most", engine->variant->name,
                              MOST);
    memcpy(out, task->out, engine->op->value.count * sizeof *out);
    if (tiles > 1)
        clf_spare_take(engine->flags, run, &engine->op->value, size, task->in, out + engine->op->value.count);
    arguments.out = out;
    arguments.numbers[WANTED] = (cl_uint)wanted;
    arguments.numbers[IN_SECOND] = rounds % 2;
    CLF_TRY(clf_run_launch(run, engine, TILES, &arguments, tiles));
    for (cl_ulong length = engine->tile; length < size; length *= ways) {
        arguments.numbers[RUN] = (cl_uint)length;
        arguments.numbers[WHOLE] = (cl_uint)clf_least(length * ways, size);
        arguments.numbers[IN_SECOND] = rounds-- % 2;
        CLF_TRY(clf_run_launch(run, engine, RANKS, &arguments, clf_ceiling(size, engine->group)));
    }
    return CLF_SUCCESS;
}

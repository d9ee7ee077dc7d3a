/* SPDX-License-Identifier: MIT */
/*
 * sort_few: as many elements as one group takes, sorted in one launch (cl/sort/sort_one_group.cl). A variant of sort.c.
 */
#include "primitives/primitives.h"

#include <string.h>

enum { MOST_ITEMS = 16, MOST_IN_TILE = 65535 /* places are 16 bits */ };
const char *const clf_few_kernels[] = {"clf_sort_one_group", NULL};

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

/* The time is latency: a work-item has few elements, and few registers for keys and values. */
void clf_few_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { BYTES = 64, WANTED = 512 };
    const cl_uint value = clf_fields_sum(&op->value), widest = value > op->key_bytes ? value : op->key_bytes;
    const cl_uint usual = clf_usual_group(facts);
    cl_uint items = 4;
    while (items > 1 && items * widest > BYTES)
        items /= 2;
    clf_parameter_default(parameters, "items", items);
    clf_parameter_default(parameters, "group", facts->lane_width > 1 && facts->max_group >= WANTED ? WANTED : usual);
}

clf_status clf_few_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments)
{
    clf_array out[2 * CLF_MAX_FIELDS] = {{0}}; /* nothing in scratch */
    if (arguments->size > engine->tile)
        return CLF_RUN_REFUSE(run, CLF_E_UNSUPPORTED, "variant \"one_group\" sorts %u elements at most",
                              (unsigned)engine->tile);
    memcpy(out, arguments->out, engine->op->value.count * sizeof *out);
    arguments->out = out;
    return clf_run_launch(run, engine, 0, arguments, 1);
}

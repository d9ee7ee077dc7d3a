/* SPDX-License-Identifier: MIT */
/*
 * describe: a plan in words, for people and for the tools, which read it back: "name = value" on each line.
 */
#include "core/core.h"

/* Elements per work-item that the model would take, whatever profiles and options say. */
static cl_uint model_items(const clf_plan *plan)
{
    return clf_tile_model(&plan->context->facts, &plan->op,
                          clf_parameter_get(&plan->engine[0]->parameters, "rounds", 1));
}

static void describe_engine(clf_text *text, const char *role, const clf_engine *engine)
{
    if (!engine)
        return;
    clf_text_format(text, "%s = %s", role, engine->variant->name);
    for (cl_uint i = 0; i < engine->parameters.count; ++i)
        clf_text_format(text, " %s=%u", engine->parameters.item[i].name, engine->parameters.item[i].value);
    clf_text_format(text, "\n");
}

clf_status clf_plan_describe(const clf_plan *plan, cl_ulong n, char *out, size_t bytes, size_t *needed)
{
    if (!plan)
        return CLF_E_ARGUMENT;
    const clf_engine *used = plan->primitive->choose(plan, &(clf_task){.batch = 1, .count = 1, .size = n});
    cl_ulong scratch = 0;
    clf_text text = {0};
    clf_plan_scratch(plan, n, 0, &scratch); /* 0, if it is too much for any device */
    clf_text_format(&text, "primitive = %s\nvariant = %s\ntile = %u\nscratch = %llu\n", plan->primitive->name,
                    used->variant->name, used->tile, (unsigned long long)scratch);
    clf_text_format(&text, "model = %u\nvariants =", model_items(plan));
    for (const clf_variant *v = plan->primitive->variants; v->name; ++v)
        clf_text_format(&text, " %s", v->name);
    clf_text_format(&text, "\n");
    for (cl_uint role = 0; plan->primitive->roles[role]; ++role)
        describe_engine(&text, plan->primitive->roles[role], plan->engine[role]);
    const clf_status status = clf_text_export(&text, out, bytes, needed);
    clf_text_free(&text);
    return status;
}

/* SPDX-License-Identifier: MIT */
/*
 * shuffle: random permutations: a sort by keys of 64 bits, of which element i's is word i of a sequence that the seed
 * names. Philox4x32-10 makes word i of i itself (Salmon, Moraes, Dror and Shaw 2011), so every device has the same
 * keys; the sort is stable, so it has the same permutation, too.
 */
#include "primitives/primitives.h"

#include <stdio.h>

#define PHILOX                                                                                                         \
    "ulong random_key(ulong index, ulong seed)\n"                                                                      \
    "{\n"                                                                                                              \
    "    uint a = (uint)index, b = (uint)(index >> 32), c = 0, d = 0, k = (uint)seed, l = (uint)(seed >> 32);\n"       \
    "    for (int round = 0; round < 10; ++round) {\n"                                                                 \
    "        const uint high_a = mul_hi(a, 0xd2511f53u), low_a = a * 0xd2511f53u;\n"                                   \
    "        const uint high_c = mul_hi(c, 0xcd9e8d57u), low_c = c * 0xcd9e8d57u;\n"                                   \
    "        a = high_c ^ b ^ k;\n"                                                                                    \
    "        b = low_c;\n"                                                                                             \
    "        c = high_a ^ d ^ l;\n"                                                                                    \
    "        d = low_a;\n"                                                                                             \
    "        k += 0x9e3779b9u;\n"                                                                                      \
    "        l += 0xbb67ae85u;\n"                                                                                      \
    "    }\n"                                                                                                          \
    "    return (ulong)b << 32 | a;\n"                                                                                 \
    "}\n"                                                                                                              \
    "clf_value key_with(clf_input x, ulong i, const clf_captured *c)\n"                                                \
    "{\n"                                                                                                              \
    "    clf_value y;\n"                                                                                               \
    "    y.key = random_key(i, c->seed[0]);\n"

static clf_status plan_of(clf_context *context, const char *input, clf_type type, const char *source, clf_plan **plan,
                          clf_error *error)
{
    char value[48];
    snprintf(value, sizeof value, "ulong key; %s v;", clf_type_name(type));
    const clf_operator op = {.size = sizeof op, .value = value, .input = input, .captured = "ulong seed;",
                             .map = "key_with", .source = source};
    return clf_sort_plan(context, &op, 0, NULL, plan, error);
}

clf_status clf_shuffle_plan(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    char input[32];
    snprintf(input, sizeof input, "%s v;", clf_type_name(type));
    return plan_of(context, input, type, PHILOX "    y.v = x.v;\n    return y;\n}\n", plan, error);
}

clf_status clf_permutation_plan(clf_context *context, clf_type type, clf_plan **plan, clf_error *error)
{
    return plan_of(context, "", type, type == CLF_UINT ? PHILOX "    y.v = (uint)i;\n    return y;\n}\n"
                                                       : PHILOX "    y.v = i;\n    return y;\n}\n", plan, error);
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

typedef struct shuffling {
    const clf_plan *plan;
    cl_ulong seed;
    bool in_place;
} shuffling;

enum { KEYS_AT = 16 /* bytes; the seed is before */ };

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const shuffling *const s = state;
    clf_context *const context = s->plan->context;
    const cl_ulong bytes = KEYS_AT + clf_scratch_for(arguments->size, sizeof(cl_ulong));
    const clf_array rest = clf_scratch_behind(scratch, bytes);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(context, chain, scratch, bytes, &borrowed, &workspace));
    workspace->clean = 0; /* keys could be taken for messages */
    const clf_array seed = {workspace->buffer, workspace->offset / sizeof(cl_ulong)};
    const clf_array keys = {workspace->buffer, (workspace->offset + KEYS_AT) / sizeof(cl_ulong)};
    const bool has_input = s->plan->op.input.count > 0;
    const clf_array in[] = {has_input ? arguments->in[0] : seed, seed}, out[] = {keys, arguments->out[0]};
    clf_status status = clf_chain_write(chain, workspace->buffer, workspace->offset, s->seed);
    if (status == CLF_SUCCESS)
        status = clf_sort_within(s->plan, chain,
                                 &(clf_sort_step){1, arguments->size, s->in_place, in, out, {0}}, &rest);
    clf_scratch_return(context, chain, workspace, 0, status);
    return status;
}

/* `in` may be NULL: then there are no inputs. */
static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong seed,
                      const clf_array *in, const clf_array *out)
{
    const clf_field *const v = &plan->op.value.field[1];
    shuffling state = {.plan = plan, .seed = seed};
    clf_operator_copy moved;
    clf_check check;
    clf_operator_none(v->bytes, &moved);
    moved.input.count = in ? 1 : 0;
    CLF_TRY(clf_check_begin(&check, plan->context, name, &moved, call));
    CLF_TRY(clf_check_no_initial(&check, call, name + sizeof "clf_array_" - 1));
    if (v->type == CLF_UINT && !in && n > (cl_ulong)1 << 32)
        return clf_refuse(&check, CLF_E_OVERFLOW, "indices of so many elements do not fit CLF_UINT");
    CLF_TRY(clf_check_arrays(&check, &moved, &n, &n, in, out));
    CLF_TRY(clf_check_given(&check, &moved, 0, call));
    if (n == 0)
        return clf_run_nothing(&check, call);
    state.in_place = check.in_place;
    clf_arguments arguments = {.op = &plan->op, .in = in, .out = out, .count = 1, .size = n};
    return clf_run(&check, plan, call, &arguments, false, enqueue, &state);
}

clf_status clf_shuffle_run(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong seed, const clf_array *in,
                           const clf_array *out)
{
    return run(plan, "clf_array_shuffle", call, n, seed, in, out);
}

clf_status clf_permutation_run(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong seed, const clf_array *out)
{
    return run(plan, "clf_array_permutation", call, n, seed, NULL, out);
}

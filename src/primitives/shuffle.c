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
    return plan_of(context, "", type,
                   type == CLF_UINT ? PHILOX "    y.v = (uint)i;\n    return y;\n}\n"
                                    : PHILOX "    y.v = i;\n    return y;\n}\n",
                   plan, error);
}

/* ---- Calls ------------------------------------------------------------------------------------------- */

/* The seed is behind the inputs, and before the keys, which are values. */
static clf_status shuffle(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const clf_array seed = clf_run_array(run, CLF_PLAIN, 1, sizeof(cl_ulong));
    const clf_array keys = clf_run_array(run, CLF_PLAIN, task->size, sizeof(cl_ulong));
    const clf_array in[] = {task->in ? task->in[0] : seed, seed}, out[] = {keys, task->out[0]};
    clf_task sort = *task;
    sort.in = in;
    sort.out = out;
    CLF_TRY(clf_run_write(run, &seed, task->seed));
    return clf_run_step(run, plan, &sort);
}

/* `in` may be NULL: then there are no inputs. */
static clf_status run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong seed,
                      const clf_array *in, const clf_array *out)
{
    const clf_field *const v = &plan->op.value.field[1];
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
    clf_task task = {.count = 1, .size = n, .seed = seed, .in_place = check.in_place, .in = in, .out = out};
    return n ? clf_call_run(&check, plan, call, shuffle, &task) : clf_call_nothing(&check, call);
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

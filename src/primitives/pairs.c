/* SPDX-License-Identifier: MIT */
/*
 * pairs: keys sorted with a payload of 1 to 16 bytes each. Payloads of 1, 2, 4, 8 and 16 bytes are a field, and this is
 * a plain sort. Others are not: they are taken apart into arrays of words, which are sorted as so many fields, and put
 * together again. To take apart is to transpose a matrix that has a payload in each row.
 */
#include "primitives/kept.h"
#include "primitives/primitives.h"

#include <stdio.h>
#include <string.h>

/* The largest word of which a payload is a whole number. */
static cl_uint word_bytes(size_t payload_bytes)
{
    cl_uint bytes = 16;
    while (payload_bytes % bytes != 0)
        bytes /= 2;
    return bytes;
}

static clf_status compile(clf_context *context, const clf_wanted *w, clf_plan **plan, clf_error *error)
{
    static const char *const words[] = {[1] = "uchar", [2] = "ushort", [4] = "uint", [8] = "ulong", [16] = "uint4"};
    const cl_uint word = word_bytes(w->bytes);
    char value[32 + 16 * 12];
    int length = snprintf(value, sizeof value, "%s key;", clf_type_name(w->type));
    for (cl_uint i = 0; i < w->bytes / word; ++i)
        length += snprintf(value + length, sizeof value - (size_t)length, " %s p%u;", words[word], (unsigned)i);
    const clf_operator op = {.size = sizeof op, .value = value};
    return clf_sort_plan(context, &op, w->flags, NULL, plan, error);
}

/* ---- Payloads of several words -------------------------------------------------------------------------- */

enum { MOST_WORDS = 15 };

/* A payload's words are the fields behind the key. Payloads as rows of words, */
static clf_array words_of(const clf_plan *sort, clf_array payloads)
{
    return (clf_array){payloads.buffer, payloads.offset * (sort->op.value.count - 1)};
}

/* and an array for each word of a payload, one behind the other. */
static void planes_of(const clf_plan *sort, clf_array all, cl_ulong n, clf_array *planes)
{
    for (cl_uint i = 0; i + 1 < sort->op.value.count; ++i)
        planes[i] = (clf_array){all.buffer, all.offset + i * n};
}

static clf_status turn(clf_run *run, const clf_task *task, cl_ulong rows, cl_ulong columns, const clf_array *in,
                       const clf_array *out)
{
    return clf_run_step(run, task->other,
                        &(clf_task){.batch = 1, .count = rows, .size = columns, .in = in, .out = out});
}

/*
 * Payloads are taken apart to `before`, sorted to `after`, and put together. All n are put together, whatever size the
 * device has: so `after` starts as the payloads of the output, which then keeps what lies behind that size. These are
 * copied first, because a kernel may not read a write-only buffer. Without such a size payloads are sorted in place.
 */
static clf_status sort_apart(const clf_plan *plan, clf_run *run, const clf_task *task)
{
    const cl_ulong n = task->size, words = plan->op.value.count - 1, all = n * words;
    const cl_uint word = plan->op.value.field[1].bytes;
    const bool given = task->given.buffer;
    const clf_array before = clf_run_array(run, CLF_PLAIN, all, word);
    const clf_array after = given ? clf_run_array(run, CLF_PLAIN, all, word) : before;
    const clf_array from = words_of(plan, task->in[1]), to = words_of(plan, task->out[1]);
    clf_array in[1 + MOST_WORDS] = {task->in[0]}, out[1 + MOST_WORDS] = {task->out[0]};
    clf_task sort = *task;
    planes_of(plan, before, n, in + 1);
    planes_of(plan, after, n, out + 1);
    sort.in = in;
    sort.out = out;
    sort.in_place = true;
    if (given) {
        CLF_TRY(clf_run_copy(run, &to, &before, all, word));
        CLF_TRY(turn(run, task, n, words, &before, &after));
    }
    CLF_TRY(turn(run, task, n, words, &from, &before));
    CLF_TRY(clf_run_step(run, plan, &sort));
    return turn(run, task, words, n, &after, &to);
}

static clf_status run_apart(const clf_plan *sort, size_t payload_bytes, const char *name, const clf_call *call,
                            clf_task *task)
{
    clf_operator_copy of_call, payload;
    clf_check check;
    clf_operator_none(sort->op.value.field[0].bytes, &of_call);
    clf_operator_none((cl_uint)payload_bytes, &payload);
    of_call.input.field[of_call.input.count++] = payload.input.field[0];
    of_call.value = of_call.input;
    CLF_TRY(clf_check_begin(&check, sort->context, name, &of_call, call));
    CLF_TRY(clf_check_no_initial(&check, call, "sort"));
    CLF_TRY(clf_check_arrays(&check, &of_call, &task->size, &task->size, task->in, task->out));
    return task->size ? clf_call_run(&check, sort, call, sort_apart, task) : clf_call_nothing(&check, call);
}

/* ---- Calls ------------------------------------------------------------------------------------------------ */

clf_status clf_array_sort_pairs(clf_context *context, const clf_call *call, clf_type key_type, size_t payload_bytes,
                                unsigned flags, cl_ulong n, clf_array keys, clf_array payloads, clf_array out_keys,
                                clf_array out_payloads)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SORT_PAIRS, .type = key_type, .flags = flags, .bytes = payload_bytes};
    const clf_array in[] = {keys, payloads}, out[] = {out_keys, out_payloads};
    clf_task task = {.count = 1, .size = n, .in = in, .out = out};
    clf_plan *sort, *transpose;
    CLF_TRY(clf_kept_check_order(context, __func__, flags));
    if (payload_bytes < 1 || payload_bytes > 16)
        return clf_kept_refuse(context, __func__, CLF_E_ARGUMENT, "payload_bytes is not from 1 to 16");
    const cl_uint word = word_bytes(payload_bytes);
    const bool whole = word == payload_bytes;
    CLF_TRY(clf_kept_plan(context, __func__, call, &wanted, compile, &sort));
    if (whole)
        return clf_call_task(sort, sort->primitive, __func__, call, &task);
    CLF_TRY(clf_kept_transpose(context, __func__, word, &transpose));
    task.other = transpose;
    return run_apart(sort, payload_bytes, __func__, call, &task);
}

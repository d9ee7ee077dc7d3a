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
    for (cl_uint i = 0; i < w->bytes / word; i++)
        length += snprintf(value + length, sizeof value - (size_t)length, " %s p%u;", words[word], (unsigned)i);
    const clf_operator op = {.size = sizeof op, .value = value};
    return clf_sort_plan(context, &op, w->flags, NULL, plan, error);
}

/* ---- Payloads of several words -------------------------------------------------------------------------- */

enum { MOST_WORDS = 15 };

typedef struct sorting {
    const clf_plan *sort, *transpose;
    cl_uint word, words; /* bytes of one; how many a payload has */
} sorting;

/* Payloads as rows of words, */
static clf_array words_of(const sorting *s, clf_array payloads)
{
    return (clf_array){payloads.buffer, payloads.offset * s->words};
}

/* An array for each word of a payload, one behind the other. */
static void planes_of(const sorting *s, clf_array all, cl_ulong n, clf_array *planes)
{
    for (cl_uint i = 0; i < s->words; i++)
        planes[i] = (clf_array){all.buffer, all.offset + i * n};
}

/*
 * Payloads are taken apart to `before`, sorted to `after`, and put together. All n are put together, whatever size the
 * device has: so `after` starts as the payloads of the output, which then keeps what lies behind that size. These are
 * copied first, because a kernel may not read a write-only buffer.
 */
static clf_status all_steps(const sorting *s, clf_chain *chain, const clf_arguments *arguments, clf_array before,
                            clf_array after, const clf_array *scratch)
{
    const cl_ulong n = arguments->size;
    const clf_array from = words_of(s, arguments->in[1]), to = words_of(s, arguments->out[1]);
    clf_array in[1 + MOST_WORDS] = {arguments->in[0]}, out[1 + MOST_WORDS] = {arguments->out[0]};
    planes_of(s, before, n, in + 1);
    planes_of(s, after, n, out + 1);
    if (arguments->given.buffer) {
        CLF_TRY(clf_chain_copy(chain, &to, &before, n * s->words, s->word));
        CLF_TRY(clf_transpose_within(s->transpose, chain, n, s->words, &before, &after));
    }
    CLF_TRY(clf_transpose_within(s->transpose, chain, n, s->words, &from, &before));
    CLF_TRY(clf_sort_within(s->sort, chain, &(clf_sort_step){1, n, true, in, out, arguments->given}, scratch));
    return clf_transpose_within(s->transpose, chain, s->words, n, &after, &to);
}

static clf_status enqueue(void *state, clf_chain *chain, clf_arguments *arguments, const clf_array *scratch)
{
    const sorting *const s = state;
    const cl_ulong each = clf_scratch_round(arguments->size * s->words * s->word);
    const cl_ulong apart = arguments->given.buffer ? each : 0; /* else payloads are sorted in place */
    const clf_array rest = clf_scratch_behind(scratch, each + apart);
    clf_workspace borrowed, *workspace = NULL;
    CLF_TRY(clf_scratch_take(s->sort->context, chain, scratch, each + apart, &borrowed, &workspace));
    workspace->clean = 0; /* payloads could be taken for messages */
    const clf_array before = {workspace->buffer, workspace->offset / s->word};
    const clf_array after = {workspace->buffer, (workspace->offset + apart) / s->word};
    const clf_status status = all_steps(s, chain, arguments, before, after, &rest);
    clf_scratch_return(s->sort->context, chain, workspace, 0, status);
    return status;
}

static clf_status run_apart(const sorting *s, const char *name, const clf_call *call, cl_ulong n, const clf_array *in,
                            const clf_array *out)
{
    clf_operator_copy of_call, payload;
    clf_check check;
    clf_operator_none(s->sort->op.value.field[0].bytes, &of_call);
    clf_operator_none(s->words * s->word, &payload);
    of_call.input.field[of_call.input.count++] = payload.input.field[0];
    of_call.value = of_call.input;
    CLF_TRY(clf_check_begin(&check, s->sort->context, name, &of_call, call));
    CLF_TRY(clf_check_no_initial(&check, call, "sort"));
    CLF_TRY(clf_check_arrays(&check, &of_call, &n, &n, in, out));
    if (n == 0)
        return clf_run_nothing(&check, call);
    clf_arguments arguments = {.op = &s->sort->op, .in = in, .out = out, .count = 1, .size = n};
    return clf_run(&check, s->sort, call, &arguments, false, enqueue, (sorting *)s);
}

/* ---- Calls ------------------------------------------------------------------------------------------------ */

clf_status clf_array_sort_pairs(clf_context *context, const clf_call *call, clf_type key_type, size_t payload_bytes,
                                unsigned flags, cl_ulong n, clf_array keys, clf_array payloads, clf_array out_keys,
                                clf_array out_payloads)
{
    const clf_wanted wanted = {.kind = CLF_KEPT_SORT_PAIRS, .type = key_type, .flags = flags, .bytes = payload_bytes};
    const clf_array in[] = {keys, payloads}, out[] = {out_keys, out_payloads};
    clf_plan *sort, *transpose;
    CLF_TRY(clf_kept_check_order(context, __func__, flags));
    if (payload_bytes < 1 || payload_bytes > 16)
        return clf_kept_refuse(context, __func__, CLF_E_ARGUMENT, "payload_bytes is not from 1 to 16");
    const cl_uint word = word_bytes(payload_bytes);
    const bool whole = word == payload_bytes;
    CLF_TRY(clf_kept_plan(context, __func__, call, &wanted, compile, &sort));
    if (whole)
        return clf_sort(sort, call, n, in, out);
    CLF_TRY(clf_kept_transpose(context, __func__, word, &transpose));
    return run_apart(&(sorting){sort, transpose, word, (cl_uint)payload_bytes / word}, __func__, call, n, in, out);
}

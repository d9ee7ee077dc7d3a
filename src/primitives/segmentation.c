/* SPDX-License-Identifier: MIT */
/*
 * segmentation: what plans for irregular segments keep: how the caller tells where segments start, the kernel that
 * makes head bits of that (heads.c), and, where lengths tell, the scan that makes offsets of them.
 */
#include "primitives/primitives.h"

#include <stdlib.h>

/* ---- Segmentations ----------------------------------------------------------------------------------- */

/* Is it one we know, of a type that it can have and the device has? */
static clf_status check_known(const clf_segmentation *segmentation, const clf_facts *facts, clf_error *error)
{
    if (!segmentation || segmentation->size != sizeof *segmentation)
        return clf_fail(error, CLF_E_ARGUMENT, "clf_segmentation.size is not sizeof(clf_segmentation)");
    const clf_type type = segmentation->type;
    switch (segmentation->by) {
    case CLF_BY_HEAD_BYTES:
    case CLF_BY_HEAD_BITS: return CLF_SUCCESS;
    case CLF_BY_OFFSETS:
    case CLF_BY_LENGTHS:
        if (type != CLF_UINT && type != CLF_ULONG)
            return clf_fail(error, CLF_E_ARGUMENT, "offsets and lengths are of type CLF_UINT or CLF_ULONG");
        return CLF_SUCCESS;
    case CLF_BY_KEYS:
        if (clf_type_size(type) == 0)
            return clf_fail(error, CLF_E_ARGUMENT, "unknown type %d of keys", (int)type);
        if (type == CLF_BFLOAT16)
            return clf_fail(error, CLF_E_UNSUPPORTED,
                            "keys are of CLF_BFLOAT16: say CLF_USHORT, which tells bits apart");
        if ((type == CLF_DOUBLE && !facts->fp64) || (type == CLF_HALF && !facts->fp16))
            return clf_fail(error, CLF_E_UNSUPPORTED, "the device has no %s", clf_type_name(type));
        return CLF_SUCCESS;
    }
    return clf_fail(error, CLF_E_ARGUMENT, "unknown kind %d of segmentation", (int)segmentation->by);
}

cl_uint clf_segmentation_bytes(const clf_segmentation *segmentation)
{
    switch (segmentation->by) {
    case CLF_BY_HEAD_BYTES: return 1;
    case CLF_BY_HEAD_BITS: return 4;
    default: return (cl_uint)clf_type_size(segmentation->type);
    }
}

cl_ulong clf_segmentation_entries(const clf_segmentation *segmentation, cl_ulong n, cl_ulong count)
{
    switch (segmentation->by) {
    case CLF_BY_HEAD_BITS: return clf_heads_words(n);
    case CLF_BY_OFFSETS: return count + 1;
    case CLF_BY_LENGTHS: return count;
    default: return n;
    }
}

/* ---- What plans keep -------------------------------------------------------------------------------------- */

clf_status clf_told_check(const clf_context *context, const clf_segmentation *segmentation, clf_plan **plan,
                          clf_error *error)
{
    CLF_TRY(clf_plan_none(plan, error));
    if (!context)
        return clf_fail(error, CLF_E_ARGUMENT, "context, operator and plan must not be NULL");
    return check_known(segmentation, &context->facts, error);
}

/* Heads before each word of bits; the first one's lowest bit is set, whatever it is. */
static const clf_operator heads_before = {
    .size = sizeof heads_before, .input = "uint word;", .value = "ulong heads;", .combine = "clf_sum",
    .map = "count", .flags = CLF_COMMUTATIVE,
    .source = "clf_value count(clf_input in, ulong i) { clf_value v = {popcount(in.word | (i == 0))}; return v; }\n"};

static clf_status open(clf_plan *plan, const clf_segmentation *s, bool needs_heads, unsigned flags, clf_error *error)
{
    CLF_TRY(clf_own_memory(plan, sizeof(clf_told), error));
    clf_told *const told = plan->own;
    told->segmentation = *s;
    if (needs_heads || plan->op.numbers)
        CLF_TRY(clf_heads_open(&told->heads, &plan->context->compiler, s, plan->op.numbers, error));
    if (plan->op.numbers)
        CLF_TRY(clf_own_weaken(&told->heads_scan, clf_scan_plan(plan->context, &heads_before, CLF_EXCLUSIVE, NULL,
                                                                &told->heads_scan, error)));
    if (s->by != CLF_BY_LENGTHS)
        return CLF_SUCCESS;
    return clf_own_weaken(&told->lengths_scan, clf_scan_plan(plan->context, clf_builtin(CLF_SUM, s->type), flags, NULL,
                                                             &told->lengths_scan, error));
}

clf_status clf_told_open(clf_plan **plan, const clf_segmentation *segmentation, bool needs_heads, unsigned flags,
                         clf_error *error)
{
    return clf_own_finish(plan, open(*plan, segmentation, needs_heads, flags, error));
}

clf_status clf_told_compile(clf_plan *plan, clf_error *error)
{
    const clf_told *const told = plan->own;
    if (!told)
        return CLF_SUCCESS; /* a step, which has offsets */
    if (told->ends_scan)
        CLF_TRY(clf_plan_compile(told->ends_scan, error));
    if (told->sort)
        CLF_TRY(clf_plan_compile(told->sort, error));
    if (told->heads_scan)
        CLF_TRY(clf_plan_compile(told->heads_scan, error));
    return told->lengths_scan ? clf_plan_compile(told->lengths_scan, error) : CLF_SUCCESS;
}

void clf_told_close(clf_plan *plan)
{
    clf_told *const told = plan->own;
    if (!told)
        return;
    clf_heads_close(&told->heads);
    if (told->lengths_scan)
        clf_plan_release(told->lengths_scan);
    if (told->ends_scan)
        clf_plan_release(told->ends_scan);
    if (told->sort)
        clf_plan_release(told->sort);
    if (told->heads_scan)
        clf_plan_release(told->heads_scan);
    free(told);
}

const clf_segmentation *clf_told_segmentation(const clf_plan *plan)
{
    return &((const clf_told *)plan->own)->segmentation;
}

clf_status clf_told_check_array(clf_check *check, const clf_plan *plan, const clf_task *task)
{
    const clf_segmentation *s = clf_told_segmentation(plan);
    const cl_ulong n = task->size, count = task->entries;
    const bool counted = s->by == CLF_BY_OFFSETS || s->by == CLF_BY_LENGTHS;
    if (n > 0 && counted && count == 0)
        return clf_refuse(check, CLF_E_ARGUMENT, "count is 0, and n is not");
    if (counted && (count == CL_ULONG_MAX || (s->type == CLF_UINT && n > CL_UINT_MAX)))
        return clf_refuse(check, CLF_E_OVERFLOW, "n or count does not fit the type of segments");
    return clf_check_entries(check, CLF_SPAN_SEGMENTS, task->segments, clf_segmentation_bytes(s),
                             n > 0 ? clf_segmentation_entries(s, n, count) : 0);
}

/* ---- What kernels are told ------------------------------------------------------------------------------ */

static bool by_starts(const clf_segmentation *s)
{
    return s->by == CLF_BY_OFFSETS || s->by == CLF_BY_LENGTHS;
}

clf_numbers clf_told_numbers(const clf_segmentation *s)
{
    return by_starts(s) ? CLF_NUMBERS_BY_NAMES : CLF_NUMBERS_OF_HEADS;
}

/* In the arrays behind the head bits. */
static clf_status make_numbers(const clf_plan *plan, clf_run *run, const clf_task *task, const clf_array *starts,
                               clf_array *heads)
{
    clf_told *const told = plan->own;
    const cl_ulong n = task->size, count = task->entries, words = clf_heads_words(n);
    if (!plan->op.numbers || words == 0)
        return CLF_SUCCESS;
    heads[1] = clf_run_array(run, CLF_PLAIN, words, sizeof(cl_ulong));
    const clf_task scan = {.count = 1, .size = words, .any = task->any, .in = heads, .out = heads + 1};
    CLF_TRY(clf_run_step(run, told->heads_scan, &scan));
    if (!by_starts(&told->segmentation))
        return CLF_SUCCESS;
    heads[2] = clf_run_array(run, CLF_PLAIN, n <= count ? n : count + 1, sizeof(cl_ulong));
    return clf_heads_name(&told->heads, run, n, count, starts, heads, heads + 1, heads + 2);
}

clf_status clf_told_starts(const clf_plan *plan, clf_run *run, const clf_task *task, const clf_array *starts,
                           clf_array *heads)
{
    clf_told *const told = plan->own;
    *heads = clf_run_array(run, CLF_PLAIN, clf_heads_words(task->size), sizeof(cl_uint));
    CLF_TRY(clf_heads_run(&told->heads, run, task->size, task->entries, starts, heads));
    return make_numbers(plan, run, task, starts, heads);
}

clf_status clf_told_heads(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *heads)
{
    clf_told *const told = plan->own;
    const clf_array *entries = task->segments;
    clf_array starts;
    *heads = clf_array_of(entries);
    if (told->segmentation.by == CLF_BY_HEAD_BITS)
        return make_numbers(plan, run, task, NULL, heads);
    if (told->lengths_scan) {
        starts = clf_run_array(run, CLF_PLAIN, task->entries, clf_segmentation_bytes(&told->segmentation));
        const clf_task scan = {.count = 1, .size = task->entries, .any = task->any, .in = entries, .out = &starts};
        CLF_TRY(clf_run_step(run, told->lengths_scan, &scan));
        entries = &starts;
    }
    return clf_told_starts(plan, run, task, entries, heads);
}

clf_status clf_told_offsets(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *offsets)
{
    const clf_told *const told = plan->own;
    const cl_uint bytes = clf_segmentation_bytes(&told->segmentation);
    *offsets = clf_array_of(task->segments);
    if (!told->lengths_scan)
        return CLF_SUCCESS;
    *offsets = clf_run_array(run, CLF_PLAIN, task->entries + 1, bytes);
    const clf_array ends = {offsets->buffer, offsets->offset + 1};
    const clf_task scan = {.count = 1, .size = task->entries, .any = task->any, .in = task->segments, .out = &ends};
    CLF_TRY(clf_run_zero(run, offsets, 1, bytes));
    return task->entries ? clf_run_step(run, told->lengths_scan, &scan) : CLF_SUCCESS;
}

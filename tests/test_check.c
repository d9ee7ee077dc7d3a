/* SPDX-License-Identifier: MIT */
/*
 * check.c: arrays that are too short, overlap, lie in another context or may not be accessed.
 */
#include "fields.h"

#include "core/core.h"

enum { N = 100 };

static clf_status begin(clf_check *checked, cl_command_queue queue)
{
    static const clf_operator_copy nothing;
    return clf_check_begin(checked, rig_context(NULL), "test", &nothing, CLF_ON(queue));
}

static clf_status check_queue_and_arrays(cl_command_queue queue, const clf_array *in, const clf_array *out)
{
    const clf_operator_copy op = make_fields();
    clf_check checked;
    CLF_TRY(begin(&checked, queue));
    return clf_check_arrays(&checked, &op, &(cl_ulong){N}, &(cl_ulong){N}, in, out);
}

static clf_status check_sizes(cl_ulong n_in, cl_ulong n_out, clf_array x, clf_array a, clf_array b, bool *in_place)
{
    const clf_operator_copy op = make_fields();
    const clf_array in[] = {x}, out[] = {a, b};
    clf_check checked;
    CLF_TRY(begin(&checked, the_rig()->queue));
    const clf_status status = clf_check_arrays(&checked, &op, &n_in, &n_out, in, out);
    *in_place = checked.in_place;
    return status;
}

static clf_status check(cl_ulong n, clf_array x, clf_array a, clf_array b, bool *in_place)
{
    return check_sizes(n, n, x, a, b, in_place);
}

TEST(sizes_are_checked)
{
    bool in_place;
    cl_mem x = rig_buffer(4 * N, NULL), a = rig_buffer(4 * N, NULL), b = rig_buffer(2 * N, NULL);
    const clf_array none = {NULL, 0}, x0 = {x, 0}, a0 = {a, 0}, b0 = {b, 0}, b1 = {b, 1};
    assert_ok(check(N, x0, a0, b0, &in_place));
    ck_assert(!in_place);
    assert_ok(check(N - 1, x0, a0, b1, &in_place));
    assert_status(check(N, x0, a0, b1, &in_place), CLF_E_BUFFER);
    assert_status(check(N + 1, x0, a0, b0, &in_place), CLF_E_BUFFER);
    assert_status(check(N, none, a0, b0, &in_place), CLF_E_ARGUMENT);
    assert_status(check(N, x0, a0, none, &in_place), CLF_E_ARGUMENT);
    assert_status(check(CL_ULONG_MAX, x0, a0, b0, &in_place), CLF_E_OVERFLOW);
    assert_status(check(CL_ULONG_MAX / 4 + 1, x0, a0, b0, &in_place), CLF_E_OVERFLOW);
    assert_status(check(N, (clf_array){x, CL_ULONG_MAX}, a0, b0, &in_place), CLF_E_OVERFLOW);
    assert_status(check(N, (clf_array){x, CL_ULONG_MAX - N}, a0, b0, &in_place), CLF_E_OVERFLOW);
    assert_ok(check(0, none, none, none, &in_place));
    rig_release_buffers(x, a, b);
}

TEST(access_is_checked)
{
    bool in_place;
    cl_int status;
    cl_mem any = rig_buffer(4 * N, NULL), b = rig_buffer(2 * N, NULL);
    cl_mem read = clCreateBuffer(the_rig()->cl, CL_MEM_READ_ONLY, 4 * N, NULL, &status);
    assert_ok(status);
    cl_mem write = clCreateBuffer(the_rig()->cl, CL_MEM_WRITE_ONLY, 4 * N, NULL, &status);
    assert_ok(status);
    assert_ok(check(N, (clf_array){read, 0}, (clf_array){write, 0}, (clf_array){b, 0}, &in_place));
    assert_status(check(N, (clf_array){write, 0}, (clf_array){any, 0}, (clf_array){b, 0}, &in_place), CLF_E_BUFFER);
    assert_status(check(N, (clf_array){any, 0}, (clf_array){read, 0}, (clf_array){b, 0}, &in_place), CLF_E_BUFFER);
    rig_release_buffers(any, b, read, write);
}

static cl_mem sub_buffer(cl_mem parent, size_t origin, size_t bytes)
{
    cl_int status;
    const cl_buffer_region region = {origin, bytes};
    cl_mem sub = clCreateSubBuffer(parent, CL_MEM_READ_WRITE, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    assert_ok(status);
    return sub;
}

TEST(overlaps_are_found)
{
    bool in_place;
    cl_mem big = rig_buffer(65536, NULL), b = rig_buffer(2 * N, NULL);
    const clf_array b0 = {b, 0}, at0 = {big, 0};
    assert_ok(check(N, at0, at0, b0, &in_place));
    ck_assert(in_place);
    assert_ok(check(N, at0, (clf_array){big, N}, b0, &in_place)); /* neighbours, the output behind the input … */
    ck_assert(!in_place);
    assert_ok(check(N, (clf_array){big, N}, at0, b0, &in_place)); /* … and before it */
    ck_assert(!in_place);
    assert_ok(check(N, (clf_array){big, 2 * N}, at0, (clf_array){big, 2 * N}, &in_place)); /* outputs, too */
    assert_status(check(N, at0, (clf_array){big, N - 1}, b0, &in_place), CLF_E_ALIAS);
    assert_status(check(N, (clf_array){big, 1}, at0, b0, &in_place), CLF_E_ALIAS);
    assert_status(check(N, at0, (clf_array){big, N}, at0, &in_place), CLF_E_ALIAS); /* another element size */
    assert_status(check_sizes(N, 2 * N, at0, (clf_array){big, 5000}, at0, &in_place),
                  CLF_E_ALIAS); /* of another element size, but the same bytes */
    assert_status(check(N, (clf_array){b, 0}, at0, at0, &in_place), CLF_E_BUFFER);
    assert_status(check(N, (clf_array){big, 5000}, at0, at0, &in_place), CLF_E_ALIAS); /* outputs */
    rig_release_buffers(big, b);
}

TEST(overlaps_are_found_through_sub_buffers)
{
    bool in_place;
    cl_mem big = rig_buffer(65536, NULL), b = rig_buffer(2 * N, NULL);
    cl_mem low = sub_buffer(big, 0, 4096), high = sub_buffer(big, 4096, 4096), twin = sub_buffer(big, 0, 4096);
    const clf_array b0 = {b, 0}, low0 = {low, 0}, high0 = {high, 0};
    assert_ok(check(N, low0, high0, b0, &in_place));
    ck_assert(!in_place);
    assert_ok(check(N, low0, (clf_array){twin, 0}, b0, &in_place));
    ck_assert(in_place);
    assert_ok(check(N, high0, (clf_array){big, 1024}, b0, &in_place));
    ck_assert(in_place);
    assert_status(check(N, high0, (clf_array){big, 1025}, b0, &in_place), CLF_E_ALIAS);
    assert_status(check(N, low0, (clf_array){twin, 1}, b0, &in_place), CLF_E_ALIAS);
    assert_status(check(1025, low0, high0, b0, &in_place), CLF_E_BUFFER); /* the sub-buffer's own end counts */
    rig_release_buffers(low, high, twin, big, b);
}

TEST(other_contexts_are_found)
{
    const rig *r = the_rig();
    bool in_place;
    cl_int status;
    cl_context other = clCreateContext(NULL, 1, &r->device, NULL, NULL, &status);
    assert_ok(status);
    cl_command_queue queue = clCreateCommandQueue(other, r->device, 0, &status);
    assert_ok(status);
    cl_mem foreign = clCreateBuffer(other, CL_MEM_READ_WRITE, 4 * N, NULL, &status);
    assert_ok(status);
    cl_mem a = rig_buffer(4 * N, NULL), b = rig_buffer(2 * N, NULL);
    const clf_array out[] = {{a, 0}, {b, 0}};
    assert_status(check(N, (clf_array){foreign, 0}, out[0], out[1], &in_place), CLF_E_CONTEXT);
    assert_status(check_queue_and_arrays(queue, out, out), CLF_E_CONTEXT);
    assert_status(check_queue_and_arrays(NULL, out, out), CLF_E_ARGUMENT);
    assert_status(check_queue_and_arrays(r->queue, NULL, out), CLF_E_ARGUMENT);
    assert_status(check_queue_and_arrays(r->queue, out, NULL), CLF_E_ARGUMENT);
    rig_release_buffers(a, b, foreign);
    clReleaseCommandQueue(queue);
    clReleaseContext(other);
}

/* One-call functions refuse types and operators before there is a plan. */
TEST(one_calls_are_told)
{
    rig_told told = {0};
    const clf_call *const on = CLF_ON(the_rig()->queue);
    const clf_array a = {0};
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &told);
    REFUSES(&told, ARGUMENT, "there is no CLF_AND of float",
            clf_inclusive_scan(context, on, CLF_AND, CLF_FLOAT, 8, a, a));
    REFUSES(&told, ARGUMENT, "type is no clf_type", clf_array_sort(context, on, CLF_TYPE_COUNT, 8, a, a));
    REFUSES(&told, ARGUMENT, "type is none of an integer", clf_array_histogram(context, on, CLF_FLOAT, 8, 8, a, a));
    REFUSES(&told, ARGUMENT, "type is neither CLF_FLOAT nor CLF_DOUBLE",
            clf_array_histogram_even(context, on, CLF_INT, 8, 8, a, a, a));
    REFUSES(&told, OVERFLOW, "bins is more than 2^32 - 256",
            clf_array_histogram_even(context, on, CLF_FLOAT, 8, (cl_ulong)1 << 32, a, a, a));
    REFUSES(&told, ARGUMENT, "type is no clf_type", clf_array_shuffle(context, on, CLF_TYPE_COUNT, 8, 1, a, a));
    REFUSES(&told, ARGUMENT, "index_type is neither CLF_UINT nor CLF_ULONG",
            clf_array_permutation(context, on, CLF_INT, 8, 1, a));
    REFUSES(&told, ARGUMENT, "element_bytes is not from 1 to 16", clf_matrix_transpose(context, on, 17, 2, 2, a, a));
    clf_context_release(context);
}

RIG_SUITE(check, NULL, {sizes_are_checked, 1}, {one_calls_are_told, 1}, {access_is_checked, 1}, {overlaps_are_found, 1},
          {overlaps_are_found_through_sub_buffers, 1}, {other_contexts_are_found, 1})

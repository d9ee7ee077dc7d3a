/* SPDX-License-Identifier: MIT */
/*
 * The arguments of an enqueue: every wrong one has its status, and leaves all buffers as they were.
 */
#include "harness.h"

#include <string.h>

enum { N = 100, BYTES = N * sizeof(cl_int) };

/* Two arrays of N ints filled with a pattern, and a plan. */
typedef struct scene {
    clf_plan *plan;
    cl_mem in, out;
    unsigned char pattern[BYTES];
} scene;

static scene open_scene(void)
{
    scene s = {.plan = rig_plan(&(plan_key){.op = ref_user(REF_INT_SUM)})};
    memset(s.pattern, 0x5c, sizeof s.pattern);
    s.in = rig_buffer(BYTES, s.pattern);
    s.out = rig_buffer(BYTES, s.pattern);
    return s;
}

/* Closing checks that no call has changed anything. */
static void close_scene(scene *s)
{
    unsigned char got[BYTES];
    rig_read(the_rig()->queue, s->in, BYTES, got);
    ck_assert_mem_eq(got, s->pattern, BYTES);
    rig_read(the_rig()->queue, s->out, BYTES, got);
    ck_assert_mem_eq(got, s->pattern, BYTES);
    rig_release_buffers(s->in, s->out);
}

static clf_status scan(const scene *s, cl_ulong n, clf_array in, clf_array out)
{
    cl_event event = NULL;
    clf_status status = clf_scan(
        s->plan, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .event = &event}, n, &in, &out);
    ck_assert_msg(status == CLF_SUCCESS || !event, "an event of a call that failed");
    if (event)
        clReleaseEvent(event);
    return status;
}

static clf_array at(cl_mem buffer, cl_ulong offset)
{
    return (clf_array){buffer, offset};
}

TEST(null_arguments)
{
    scene s = open_scene();
    const clf_array in = at(s.in, 0), out = at(s.out, 0);
    cl_command_queue queue = the_rig()->queue;
    assert_status(clf_scan(NULL, CLF_ON(queue), N, &in, &out), CLF_E_ARGUMENT);
    assert_status(clf_scan(s.plan, CLF_ON(NULL), N, &in, &out), CLF_E_ARGUMENT);
    assert_status(clf_scan(s.plan, CLF_ON(queue), N, NULL, &out), CLF_E_ARGUMENT);
    assert_status(clf_scan(s.plan, CLF_ON(queue), N, &in, NULL), CLF_E_ARGUMENT);
    assert_status(scan(&s, N, at(NULL, 0), out), CLF_E_ARGUMENT);
    assert_status(scan(&s, N, in, at(NULL, 0)), CLF_E_ARGUMENT);
    assert_status(clf_plan_scratch(s.plan, N, 0, NULL), CLF_E_ARGUMENT);
    assert_ok(scan(&s, 0, in, out));
    close_scene(&s);
}

TEST(wait_lists)
{
    scene s = open_scene();
    const clf_array in = at(s.in, 0), out = at(s.out, 0);
    cl_event none = NULL;
    assert_status(clf_scan(s.plan, &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1}, N,
                           &in, &out),
                  CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_ne(
        clf_scan(s.plan,
                 &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1, .wait = &none}, N,
                 &in, &out),
        CLF_SUCCESS);
    close_scene(&s);
}

TEST(short_buffers)
{
    scene s = open_scene();
    assert_status(scan(&s, N + 1, at(s.in, 0), at(s.out, 0)), CLF_E_BUFFER);
    assert_status(scan(&s, N, at(s.in, 1), at(s.out, 0)), CLF_E_BUFFER);
    assert_status(scan(&s, N, at(s.in, 0), at(s.out, 1)), CLF_E_BUFFER);
    assert_status(scan(&s, 1, at(s.in, 0), at(s.out, N)), CLF_E_BUFFER);
    assert_status(scan(&s, 1, at(s.in, (cl_ulong)1 << 61), at(s.out, 0)), CLF_E_BUFFER);
    close_scene(&s);
}

TEST(overflows)
{
    scene s = open_scene();
    const cl_ulong most = ~(cl_ulong)0;
    assert_status(scan(&s, most, at(s.in, 0), at(s.out, 0)), CLF_E_OVERFLOW);
    assert_status(scan(&s, most / 4 + 2, at(s.in, 0), at(s.out, 0)), CLF_E_OVERFLOW);
    assert_status(scan(&s, 1, at(s.in, most), at(s.out, 0)), CLF_E_OVERFLOW);
    assert_status(scan(&s, 1, at(s.in, 0), at(s.out, most - 1)), CLF_E_OVERFLOW);
    close_scene(&s);
}

TEST(overlaps)
{
    scene s = open_scene();
    assert_status(scan(&s, 50, at(s.in, 0), at(s.in, 1)), CLF_E_ALIAS);
    assert_status(scan(&s, 50, at(s.in, 10), at(s.in, 0)), CLF_E_ALIAS);
    assert_status(scan(&s, 50, at(s.in, 49), at(s.in, 0)), CLF_E_ALIAS);
    close_scene(&s);
}

/* An output directly behind an input, or before it, is apart from it. */
TEST(side_by_side)
{
    scene s = open_scene();
    assert_ok(scan(&s, 50, at(s.in, 0), at(s.in, 50)));
    assert_ok(scan(&s, 50, at(s.in, 50), at(s.in, 0)));
    /* Not through another queue: tests/driver_bugs/intel_queues.c. */
    assert_ok(clEnqueueWriteBuffer(the_rig()->queue, s.in, CL_TRUE, 0, BYTES, s.pattern, 0, NULL, NULL));
    close_scene(&s);
}

/* Outputs of several fields: two on one place, two on one input, and one on an input of another element
 * size. */
TEST(overlaps_of_fields)
{
    unsigned char pattern[1024], got[1024];
    memset(pattern, 0x5c, sizeof pattern);
    cl_mem a = rig_buffer(sizeof pattern, pattern), b = rig_buffer(sizeof pattern, pattern);
    cl_command_queue queue = the_rig()->queue;
    clf_plan *affine = rig_plan(&(plan_key){.op = ref_user(REF_AFFINE)});
    clf_plan *select = rig_plan(&(plan_key){.op = ref_user(REF_SELECT)});
    const clf_array in[] = {at(a, 0), at(a, 100)}, same[] = {at(b, 0), at(b, 0)}, near[] = {at(b, 0), at(b, 99)};
    const clf_array twice[] = {at(a, 0), at(a, 0)};
    /* uint, float, ushort, ulong */
    const clf_array selected[] = {at(b, 0), at(b, 50), at(b, 200), at(b, 50)};
    const clf_array mapped[] = {at(a, 0), at(a, 100)}; /* uchar, float */
    const clf_array other_size[] = {at(a, 0), at(b, 50), at(b, 200), at(b, 60)};
    assert_status(clf_scan(affine, CLF_ON(queue), 100, in, same), CLF_E_ALIAS);
    assert_status(clf_scan(affine, CLF_ON(queue), 100, in, near), CLF_E_ALIAS);
    assert_status(clf_scan(affine, CLF_ON(queue), 100, in, twice), CLF_E_ALIAS);
    assert_status(clf_scan(select, CLF_ON(queue), 20, mapped, other_size), CLF_E_ALIAS);
    assert_status(clf_scan(select, CLF_ON(queue), 20, mapped, selected), CLF_E_ALIAS);
    rig_read(queue, a, sizeof got, got);
    ck_assert_mem_eq(got, pattern, sizeof got);
    rig_read(queue, b, sizeof got, got);
    ck_assert_mem_eq(got, pattern, sizeof got);
    rig_release_buffers(a, b);
}

static cl_mem part(cl_mem buffer, size_t origin, size_t size, cl_mem_flags flags)
{
    cl_int status;
    const cl_buffer_region region = {origin, size};
    cl_mem result = clCreateSubBuffer(buffer, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, &status);
    assert_ok(status);
    return result;
}

/* Sub-buffers overlap by their places in the parent. */
TEST(overlaps_of_sub_buffers)
{
    enum { WHOLE = 1 << 16, HALF = WHOLE / 2 };
    static unsigned char pattern[WHOLE];
    clf_plan *plan = rig_plan(&(plan_key){.op = ref_user(REF_INT_SUM)});
    const scene s = {.plan = plan};
    cl_mem whole = rig_buffer(WHOLE, pattern);
    cl_mem left = part(whole, 0, HALF, CL_MEM_READ_WRITE), right = part(whole, HALF, HALF, CL_MEM_READ_WRITE);
    assert_status(scan(&s, 100, at(left, 0), at(whole, 50)), CLF_E_ALIAS);
    assert_status(scan(&s, 100, at(whole, HALF / 4 - 10), at(right, 0)), CLF_E_ALIAS);
    assert_ok(scan(&s, 100, at(left, 0), at(right, 0)));
    assert_ok(scan(&s, 100, at(whole, HALF / 4 + 10), at(right, 10)));
    clFinish(the_rig()->queue);
    rig_release_buffers(left, right, whole);
}

TEST(access_flags)
{
    scene s = open_scene();
    cl_int status;
    cl_mem read_only = clCreateBuffer(the_rig()->cl, CL_MEM_READ_ONLY, BYTES, NULL, &status);
    assert_ok(status);
    cl_mem write_only = clCreateBuffer(the_rig()->cl, CL_MEM_WRITE_ONLY, BYTES, NULL, &status);
    assert_ok(status);
    assert_status(scan(&s, N, at(s.in, 0), at(read_only, 0)), CLF_E_BUFFER);
    assert_status(scan(&s, N, at(write_only, 0), at(s.out, 0)), CLF_E_BUFFER);
    rig_release_buffers(read_only, write_only);
    close_scene(&s);
}

/* ---- Foreign objects ----------------------------------------------------------------------------------- */

TEST(another_context)
{
    scene s = open_scene();
    cl_int status;
    cl_device_id device = the_rig()->device;
    cl_context foreign = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    assert_ok(status);
    cl_command_queue queue = clCreateCommandQueue(foreign, device, 0, &status);
    assert_ok(status);
    cl_mem buffer = clCreateBuffer(foreign, CL_MEM_READ_WRITE, BYTES, NULL, &status);
    assert_ok(status);
    cl_event event = clCreateUserEvent(foreign, &status);
    assert_ok(status);
    const clf_array in = at(s.in, 0), out = at(s.out, 0);
    assert_status(scan(&s, N, at(buffer, 0), out), CLF_E_CONTEXT);
    assert_status(scan(&s, N, in, at(buffer, 0)), CLF_E_CONTEXT);
    assert_status(clf_scan(s.plan, CLF_ON(queue), N, &in, &out), CLF_E_CONTEXT);
    assert_status(
        clf_scan(s.plan,
                 &(clf_call){.size = sizeof(clf_call), .queue = the_rig()->queue, .wait_count = 1, .wait = &event}, N,
                 &in, &out),
        CLF_E_CONTEXT);
    assert_ok(clSetUserEventStatus(event, CL_COMPLETE));
    clReleaseEvent(event);
    clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(foreign);
    close_scene(&s);
}

/* A part of the device stands for another device, where the driver makes queues for it in this context. */
TEST(another_device)
{
    scene s = open_scene();
    const clf_array in = at(s.in, 0), out = at(s.out, 0);
    const cl_device_partition_property parting[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[256];
    cl_uint count = 0;
    cl_int status = clCreateSubDevices(the_rig()->device, parting, COUNT(parts), parts, &count);
    if (status != CL_SUCCESS || count < 2) {
        close_scene(&s);
        return;
    }
    cl_command_queue queue = clCreateCommandQueue(the_rig()->cl, parts[1], 0, &status);
    if (status == CL_SUCCESS) {
        assert_status(clf_scan(s.plan, CLF_ON(queue), N, &in, &out), CLF_E_CONTEXT);
        clReleaseCommandQueue(queue);
    }
    for (cl_uint i = 0; i < count; ++i)
        clReleaseDevice(parts[i]);
    close_scene(&s);
}

/* A context of the whole device takes a part of it: some drivers say that a part's context is the whole's. */
TEST(a_part_of_the_device)
{
    const cl_device_partition_property parting[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_device_id parts[256], smaller[256];
    cl_uint count = 0, pieces = 0;
    clf_context *context = NULL;
    clf_error error = {.size = sizeof error};
    if (clCreateSubDevices(the_rig()->device, parting, COUNT(parts), parts, &count) != CL_SUCCESS)
        return;
    if (clCreateSubDevices(parts[0], parting, COUNT(smaller), smaller, &pieces) != CL_SUCCESS)
        pieces = 0;
    for (int k = 0; k < (pieces ? 2 : 1); ++k) {
        const clf_status status = clf_context_create(the_rig()->cl, k ? smaller[0] : parts[0], NULL, &context, &error);
        ck_assert_msg(status != CLF_E_CONTEXT, "%s", error.message); /* the driver may refuse its programs */
        if (status == CLF_SUCCESS)
            assert_ok(clf_context_release(context));
    }
    for (cl_uint i = 0; i < count; ++i)
        clReleaseDevice(parts[i]);
    for (cl_uint i = 0; i < pieces; ++i)
        clReleaseDevice(smaller[i]);
}

RIG_PART(add_call_tests, {null_arguments, 1}, {wait_lists, 1}, {short_buffers, 1}, {overflows, 1}, {overlaps, 1},
         {side_by_side, 1}, {overlaps_of_fields, 1}, {overlaps_of_sub_buffers, 1}, {access_flags, 1},
         {another_context, 1}, {another_device, 1}, {a_part_of_the_device, 1})

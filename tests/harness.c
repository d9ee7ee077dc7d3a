/* SPDX-License-Identifier: MIT */
/*
 * The device under test. The rig is the only global of the tests: Check's fixtures and tests take no arguments.
 */
#ifndef _WIN32
#define _POSIX_C_SOURCE 200809L
#endif
#include "harness.h"
#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_DEVICES = 64, MAX_CONTEXTS = 16, MAX_PLANS = 1536 };

typedef struct kept_plan {
    plan_key key;
    const char *primitive;
    const clf_segmentation *how; /* of irregular segments; else NULL */
    clf_plan *plan;
} kept_plan;

static struct {
    rig rig;
    cl_command_queue late; /* of rig_write_late */
    size_t contexts, plans;
    struct {
        const char *disable;
        clf_context *context;
    } context[MAX_CONTEXTS];
    kept_plan plan[MAX_PLANS];
} state;

way ways[WAY_COUNT] = {{NULL, NULL}, {NULL, "cpu"}, {"cpu", NULL}};

/* The library's variants are listed by what they are chosen before: single-pass ones first. */
static void find_ways(void)
{
    size_t count = 3;
    for (size_t i = variant_count("scan"); i-- > 0;)
        if (!variant_is_for_cpus(variant_number("scan", i))) {
            ck_assert_msg(count < WAY_COUNT, "scans have more variants than WAY_COUNT of tests/harness.h says");
            ways[count++] = way_to("scan", i);
        }
    ck_assert_msg(count == WAY_COUNT, "scans have fewer variants than WAY_COUNT of tests/harness.h says");
}

const rig *the_rig(void)
{
    return &state.rig;
}

void check_status(clf_status actual, clf_status expected, const char *what, const char *file, int line)
{
    if (actual != expected)
        ck_abort_msg("%s:%d: %s is %d (%s), not %d (%s)", file, line, what, actual, clf_status_text(actual), expected,
                     clf_status_text(expected));
}

clf_plan *rig_planned(const char *file, int line, rig_planner *make, clf_context *context, const clf_operator *op,
                      unsigned flags, const clf_plan_options *options)
{
    clf_plan *plan = NULL;
    clf_error error = {.size = sizeof error};
    const clf_status status = make(context, op, flags, options, &plan, &error);
    ck_assert_msg(status == CLF_SUCCESS, "%s:%d: %d %s\n%s", file, line, status, error.message, error.log);
    return plan;
}

/* ---- Settings ------------------------------------------------------------------------------------------------ */

void rig_set(const char *variable, const char *value)
{
#ifdef _WIN32
    _putenv_s(variable, value);
#else
    setenv(variable, value, 1);
#endif
}

bool rig_is_number(const char *text)
{
    return *text && text[strspn(text, "0123456789")] == '\0';
}

long rig_number(const char *variable, long otherwise)
{
    const char *text = getenv(variable);
    return text && *text ? strtol(text, NULL, 0) : otherwise;
}

bool rig_next_case(long usual, long *number)
{
    const long only = rig_number("CLFOLD_TEST_CASE", -1);
    if (only >= 0 && *number == only)
        return false;
    *number = only < 0 ? *number + 1 : only;
    return only >= 0 || *number < rig_number("CLFOLD_TEST_CASES", usual);
}

bool rig_full(void)
{
    return rig_number("CLFOLD_TEST_FULL", 0) != 0;
}

bool rig_in_turn(int turn, int of)
{
    return rig_full() || turn % of == 0;
}

/* ---- Choosing a device --------------------------------------------------------------------------------------- */

static cl_uint list_devices(cl_device_id devices[MAX_DEVICES])
{
    cl_platform_id platforms[16];
    cl_uint platform_count = 0, count = 0;
    if (clGetPlatformIDs(16, platforms, &platform_count) != CL_SUCCESS)
        return 0;
    for (cl_uint p = 0; p < platform_count && p < 16; ++p) {
        cl_uint found = 0;
        cl_int status = clGetDeviceIDs(platforms[p], CL_DEVICE_TYPE_ALL, MAX_DEVICES - count, devices + count, &found);
        if (status == CL_SUCCESS)
            count = count + found < MAX_DEVICES ? count + found : MAX_DEVICES;
    }
    return count;
}

static bool is_called(cl_device_id device, const char *text)
{
    cl_platform_id platform;
    char name[256] = "", platform_name[256] = "";
    clGetDeviceInfo(device, CL_DEVICE_NAME, sizeof name, name, NULL);
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_NAME, sizeof platform_name, platform_name, NULL);
    return strstr(name, text) || strstr(platform_name, text);
}

static cl_device_id choose_device(void)
{
    cl_device_id devices[MAX_DEVICES];
    cl_uint count = list_devices(devices);
    const char *wanted = getenv("CLFOLD_TEST_DEVICE");
    char *rest = NULL;
    unsigned long number = wanted ? strtoul(wanted, &rest, 10) : 0;
    if (!wanted || (*wanted && !*rest))
        return number < count ? devices[number] : NULL;
    for (cl_uint i = 0; i < count; ++i)
        if (is_called(devices[i], wanted))
            return devices[i];
    return NULL;
}

static bool is_forgetful(cl_device_id device)
{
    char version[256] = "";
    cl_platform_id platform = NULL;
    clGetDeviceInfo(device, CL_DEVICE_PLATFORM, sizeof platform, &platform, NULL);
    clGetPlatformInfo(platform, CL_PLATFORM_VERSION, sizeof version, version, NULL);
    const char *const pocl = strstr(version, "PoCL ");
    return pocl && strtoul(pocl + strlen("PoCL "), NULL, 10) >= 5;
}

/* ---- Opening and closing --------------------------------------------------------------------------------------- */

void rig_open(void)
{
    rig *r = &state.rig;
    cl_device_type type = 0;
    cl_int status = CL_SUCCESS;
    memset(&state, 0, sizeof state);
    find_ways();
    r->seed = (uint64_t)rig_number("CLFOLD_TEST_SEED", 1);
    r->device = choose_device();
    ck_assert_msg(r->device, "there is no such OpenCL device");
    clGetDeviceInfo(r->device, CL_DEVICE_NAME, sizeof r->name, r->name, NULL);
    clGetDeviceInfo(r->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
    r->is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
    r->forgetful = r->is_cpu && is_forgetful(r->device);
    r->cpu_kernels = r->is_cpu && !strstr(rig_disabled("", (char[256]){""}), "cpu");
    r->cl = clCreateContext(NULL, 1, &r->device, NULL, NULL, &status);
    assert_ok(status);
    r->queue = clCreateCommandQueue(r->cl, r->device, 0, &status);
    assert_ok(status);
    state.late = clCreateCommandQueue(r->cl, r->device, 0, &status);
    assert_ok(status);
    r->unordered = clCreateCommandQueue(r->cl, r->device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &status);
    if (status != CL_SUCCESS)
        r->unordered = clCreateCommandQueue(r->cl, r->device, 0, &status);
    assert_ok(status);
}

void rig_close(void)
{
    const cl_command_queue queues[] = {state.rig.queue, state.rig.unordered, state.late};
    for (size_t i = 0; i < COUNT(queues); ++i) /* PoCL crashes where a process ends while it compiles a kernel */
        clFinish(queues[i]);
    rig_forget();
    for (size_t i = 0; i < state.contexts; ++i)
        clf_context_release(state.context[i].context);
    for (size_t i = 0; i < COUNT(queues); ++i)
        clReleaseCommandQueue(queues[i]);
    ref_join_close();
    clReleaseContext(state.rig.cl);
    memset(&state, 0, sizeof state);
}

/* ---- Contexts and plans ------------------------------------------------------------------------------------------ */

static bool same(const char *a, const char *b)
{
    return a == b || (a && b && strcmp(a, b) == 0);
}

const char *rig_disabled(const char *asked, char text[256])
{
    const char *besides = getenv("CLFOLD_TEST_DISABLE");
    if (!besides || !*besides)
        return asked;
    snprintf(text, 256, "%s%s%s", asked ? asked : "", asked ? "," : "", besides);
    return text;
}

clf_context *rig_make_context(const clf_context_options *options)
{
    clf_context *context = NULL;
    assert_ok(clf_context_create(the_rig()->cl, the_rig()->device, options, &context, NULL));
    return context;
}

clf_context *rig_context(const char *disable)
{
    char text[256];
    for (size_t i = 0; i < state.contexts; ++i)
        if (same(state.context[i].disable, disable))
            return state.context[i].context;
    ck_assert(state.contexts < MAX_CONTEXTS);

    clf_context_options options = {.size = sizeof options, .disable = rig_disabled(disable, text)};
    clf_error error = {.size = sizeof error};
    clf_context *context = NULL;
    clf_status status = clf_context_create(state.rig.cl, state.rig.device, &options, &context, &error);
    ck_assert_msg(status == CLF_SUCCESS, "clf_context_create: %d %s\n%s", status, error.message, error.log);
    state.context[state.contexts].disable = disable;
    state.context[state.contexts++].context = context;
    return context;
}

static bool same_key(const plan_key *a, const plan_key *b)
{
    return a->op == b->op && a->flags == b->flags && same(a->disable, b->disable) && same(a->variant, b->variant) &&
           same(a->parameters, b->parameters);
}

static bool takes(const char *primitive, const char *variant, const char *parameter)
{
    for (size_t i = 0; i < variant_count(primitive); ++i)
        if (same(variant_number(primitive, i)->name, variant))
            return clf_variant_takes(primitive_known(primitive), variant_number(primitive, i), parameter);
    return true; /* it will be refused for its name */
}

const char *rig_taken(const char *primitive, const char *variant, const char *parameters, char taken[RIG_PARAMETERS])
{
    clf_parameters list = {0};
    size_t length = 0;
    if (!variant || !parameters || clf_parameters_parse(parameters, &list, NULL) != CLF_SUCCESS)
        return parameters;
    taken[0] = '\0';
    for (cl_uint i = 0; i < list.count; ++i)
        if (takes(primitive, variant, list.item[i].name))
            length += (size_t)snprintf(taken + length, RIG_PARAMETERS - length, "%s%s=%u", length ? "," : "",
                                       list.item[i].name, list.item[i].value);
    return taken;
}

bool rig_lacks(clf_status status, const char *parameters, const clf_error *error)
{
    ck_assert_msg(!strstr(error->message, "takes no parameter"), "%s", error->message);
    return status == CLF_E_UNSUPPORTED || (status == CLF_E_PARAMETER && parameters);
}

clf_plan *rig_plan_of(const char *primitive, const plan_key *key, const clf_segmentation *how)
{
    const route r = {key->disable, key->variant, key->parameters};
    clf_operator turned = *ref_clf(key->op); /* a copy of a built-in has no vector form */
    turned.flags ^= CLF_COMMUTATIVE;
    const plan_parts parts = {.op = key->flags & RIG_TURNED ? &turned : ref_clf(key->op),
                              .flags = key->flags & ~RIG_TURNED, .how = how};
    for (size_t i = 0; i < state.plans; ++i)
        if (same_key(&state.plan[i].key, key) && same(state.plan[i].primitive, primitive) && state.plan[i].how == how)
            return state.plan[i].plan;
    ck_assert(state.plans < MAX_PLANS);
    state.plan[state.plans] = (kept_plan){*key, primitive, how, route_plan(&r, primitive, &parts, key->op->name)};
    return state.plan[state.plans++].plan;
}

clf_plan *rig_plan(const plan_key *key)
{
    return rig_plan_of("scan", key, NULL);
}

void rig_forget(void)
{
    for (; state.plans > 0; --state.plans)
        if (state.plan[state.plans - 1].plan)
            clf_plan_release(state.plan[state.plans - 1].plan);
}

/* The number behind `label` in the description of what the plan does for many elements. */
static size_t described(const clf_plan *plan, const char *label)
{
    char text[4096];
    assert_ok(clf_plan_describe(plan, (cl_ulong)1 << 40, text, sizeof text, NULL));
    const char *at = strstr(text, label);
    ck_assert_msg(at, "no \"%s\" in clf_plan_describe:\n%s", label, text);
    return (size_t)strtoul(at + strlen(label), NULL, 10);
}

size_t plan_tile(const clf_plan *plan)
{
    return described(plan, "tile = ");
}

size_t plan_group(const clf_plan *plan)
{
    return described(plan, "group=");
}

/* ---- Buffers ----------------------------------------------------------------------------------------------------- */

cl_mem rig_buffer(size_t bytes, const void *data)
{
    cl_int status = CL_SUCCESS;
    cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    union {
        const void *in;
        void *out;
    } host = {data}; /* OpenCL only reads it */
    cl_mem buffer = clCreateBuffer(state.rig.cl, flags, bytes ? bytes : 1, host.out, &status);
    assert_ok(status);
    return buffer;
}

void rig_release_list(size_t count, const clf_array *list)
{
    for (size_t i = 0; i < count; ++i)
        clReleaseMemObject(list[i].buffer);
}

void rig_release_buffer_list(size_t count, const cl_mem *list)
{
    for (size_t i = 0; i < count; ++i)
        clReleaseMemObject(list[i]);
}

void rig_release_plan_list(size_t count, clf_plan *const *list)
{
    for (size_t i = 0; i < count; ++i)
        assert_ok(list[i] ? clf_plan_release(list[i]) : CLF_SUCCESS);
}

void rig_read(cl_command_queue queue, cl_mem buffer, size_t bytes, void *data)
{
    assert_ok(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
}

/* ---- Gates ------------------------------------------------------------------------------------------------------- */

cl_event rig_gate(bool wanted)
{
    cl_int status = CL_SUCCESS;
    cl_event gate = wanted ? clCreateUserEvent(state.rig.cl, &status) : NULL;
    assert_ok(status);
    return gate;
}

void rig_gate_open(cl_event gate)
{
    assert_ok(gate ? clSetUserEventStatus(gate, CL_COMPLETE) : CL_SUCCESS);
    if (gate)
        clReleaseEvent(gate);
}

void rig_write_late(cl_mem buffer, size_t bytes, const void *data)
{
    assert_ok(clEnqueueWriteBuffer(state.late, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL));
    assert_ok(clFinish(state.late)); /* Intel's CPU runtime returns before: driver_bugs/intel_queues.c */
}

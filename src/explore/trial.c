/* SPDX-License-Identifier: MIT */
/*
 * trial: calls of a plan on elements of our own, checked and timed, with another engine in the place of one of the
 * plan's. What is right is what the plan itself makes of the elements.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS /* clCreateCommandQueue: the one that every version has */
#include "explore/trial.h"

#include <stdlib.h>
#include <string.h>

/* ---- Elements ------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t x)
{
    x = (x ^ (x >> 31)) * 0x7fb5d329728ea185u;
    x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44du;
    return x ^ (x >> 33);
}

static void store(unsigned char *to, size_t bytes, uint64_t bits)
{
    const uint8_t one = (uint8_t)bits;
    const uint16_t two = (uint16_t)bits;
    const uint32_t four = (uint32_t)bits;
    switch (bytes) {
    case 1: memcpy(to, &one, bytes); break;
    case 2: memcpy(to, &two, bytes); break;
    case 4: memcpy(to, &four, bytes); break;
    default: memcpy(to, &bits, bytes);
    }
}

static uint64_t load(const unsigned char *from, size_t bytes)
{
    uint16_t two = 0;
    uint32_t four = 0;
    uint64_t eight = 0;
    switch (bytes) {
    case 2: memcpy(&two, from, bytes); return two;
    case 4: memcpy(&four, from, bytes); return four;
    default: memcpy(&eight, from, bytes); return eight;
    }
}

/*
 * Integers below 128; of floating-point numbers a few ones among zeros, so that sums and products are exact in whatever
 * order, and in half precision, too.
 */
static void fill(const clf_field *field, cl_uint number, cl_ulong count, unsigned char *to)
{
    const size_t bytes = clf_type_size(field->type);
    const bool real = clf_type_is_real(field->type);
    const uint64_t one = field->type == CLF_BFLOAT16 ? 0x3f80
                         : bytes == 2                ? 0x3c00
                         : bytes == 4                ? 0x3f800000
                                                     : 0x3ff0000000000000;
    for (cl_ulong i = 0; i < count * field->width; ++i) {
        const uint64_t number_i = mix(i * CLF_MAX_FIELDS + number);
        store(to + i * bytes, bytes, !real ? number_i & 127 : number_i % 2048 == 0 ? one : 0);
    }
}

/* The same so many elements again and again. */
enum { PATTERN = 1 << 20 };

static clf_status send(const clf_trial *t, cl_uint number, const clf_field *field, cl_mem buffer)
{
    const cl_ulong most = t->n < PATTERN ? t->n : PATTERN;
    unsigned char *pattern = malloc((size_t)(most * field->bytes));
    if (!pattern)
        return CLF_E_NO_MEMORY;
    fill(field, number, most, pattern);
    clf_status status = CLF_SUCCESS;
    for (cl_ulong at = 0; at < t->n && status == CLF_SUCCESS; at += most) {
        const cl_ulong count = t->n - at < most ? t->n - at : most;
        status = clEnqueueWriteBuffer(t->queue, buffer, CL_TRUE, (size_t)(at * field->bytes),
                                      (size_t)(count * field->bytes), pattern, 0, NULL, NULL);
    }
    free(pattern);
    return status;
}

/* ---- Results ------------------------------------------------------------------------------------------- */

static const clf_field *output_field(const clf_trial *t, cl_uint output)
{
    return clf_output_field(&t->plan.op, output);
}

static cl_uint outputs_of(const clf_trial *t)
{
    return clf_operator_outputs(&t->plan.op);
}

/* Results of a shape in this output. */
static cl_ulong results_of(const clf_trial *t, clf_rows rows, cl_uint output)
{
    const bool sums = t->plan.primitive->tuned->sums && output < clf_operator_results(&t->plan.op)->count;
    return sums ? rows.count : rows.count * rows.size;
}

/* By how many of the least steps of the type two numbers differ: bits count up from zero on either side. */
static uint64_t distance(const unsigned char *a, const unsigned char *b, size_t bytes)
{
    const uint64_t sign = (uint64_t)1 << (8 * bytes - 1);
    uint64_t bits[2] = {load(a, bytes), load(b, bytes)};
    for (int k = 0; k < 2; ++k)
        bits[k] = bits[k] & sign ? sign - (bits[k] & (sign - 1)) : sign + bits[k];
    return bits[0] > bits[1] ? bits[0] - bits[1] : bits[1] - bits[0];
}

/* Rounding depends on the order of operations: numbers may differ in the lower half of their digits. */
static bool are_near(const clf_field *field, const unsigned char *a, const unsigned char *b, cl_ulong count)
{
    const size_t bytes = clf_type_size(field->type);
    const uint64_t most = (uint64_t)1 << (bytes == 2 ? 5 : bytes == 4 ? 12 : 26);
    for (cl_ulong i = 0; i < count * field->width; ++i)
        if (distance(a + i * bytes, b + i * bytes, bytes) > most)
            return false;
    return true;
}

static bool are_equal(const clf_field *field, const void *a, const void *b, cl_ulong count)
{
    return memcmp(a, b, (size_t)(count * field->bytes)) == 0 ||
           (clf_type_is_real(field->type) && are_near(field, a, b, count));
}

static clf_status call_plan(clf_trial *t, clf_rows rows)
{
    const clf_call call = {.size = sizeof call, .queue = t->queue};
    return t->plan.primitive->tuned->call(&t->plan, &call, rows.count, rows.size, t->in, t->out);
}

/* Overwrites the results of earlier calls, and calls the plan. */
static clf_status call_once(clf_trial *t, clf_rows rows)
{
    const cl_uchar other = 0xa5;
    for (cl_uint o = 0; o < outputs_of(t); ++o)
        CLF_TRY(clEnqueueFillBuffer(t->queue, t->out[o].buffer, &other, 1, 0,
                                    (size_t)(results_of(t, rows, o) * output_field(t, o)->bytes), 0, NULL, NULL));
    CLF_TRY(call_plan(t, rows));
    return clFinish(t->queue);
}

static clf_status fetch(const clf_trial *t, clf_rows rows, cl_uint output, void *to)
{
    const cl_ulong bytes = results_of(t, rows, output) * output_field(t, output)->bytes;
    return clEnqueueReadBuffer(t->queue, t->out[output].buffer, CL_TRUE, 0, (size_t)bytes, to, 0, NULL, NULL);
}

clf_status clf_trial_expect(clf_trial *t, clf_rows rows, void **expected)
{
    CLF_TRY(call_once(t, rows));
    for (cl_uint o = 0; o < outputs_of(t); ++o) {
        expected[o] = malloc((size_t)(results_of(t, rows, o) * output_field(t, o)->bytes));
        if (!expected[o])
            return CLF_E_NO_MEMORY;
        CLF_TRY(fetch(t, rows, o, expected[o]));
    }
    return CLF_SUCCESS;
}

bool clf_trial_is_right(clf_trial *t, clf_rows rows, void *const *expected)
{
    bool right = call_once(t, rows) == CLF_SUCCESS;
    for (cl_uint o = 0; o < outputs_of(t) && right; ++o) {
        const cl_ulong count = results_of(t, rows, o);
        void *const got = malloc((size_t)(count * output_field(t, o)->bytes));
        right = got && fetch(t, rows, o, got) == CLF_SUCCESS && are_equal(output_field(t, o), expected[o], got, count);
        free(got);
    }
    return right;
}

/* ---- Calls --------------------------------------------------------------------------------------------- */

clf_status clf_trial_time(clf_trial *t, clf_rows rows, cl_uint calls, double *seconds)
{
    const double begin = clf_seconds();
    for (cl_uint i = 0; i < calls; ++i)
        CLF_TRY(call_plan(t, rows));
    CLF_TRY(clFinish(t->queue));
    *seconds = (clf_seconds() - begin) / calls;
    *seconds = *seconds > 1e-9 ? *seconds : 1e-9; /* the clock may have been set */
    return CLF_SUCCESS;
}

/* ---- Opened and closed --------------------------------------------------------------------------------- */

/* Every element of inputs and outputs takes its bytes of memory: a megabyte for each millisecond, within bounds. */
static cl_ulong elements_for(const clf_plan *plan, cl_uint milliseconds)
{
    enum { LEAST_N = 4096, CPU = 32, OTHERS = 256 };
    const clf_facts *const facts = &plan->context->facts;
    const clf_operator_copy *const op = &plan->op;
    const cl_uint largest[] = {clf_fields_largest(&op->input), clf_fields_largest(&op->value),
                               clf_fields_largest(&op->extra)};
    const cl_uint most = facts->is_cpu ? CPU : OTHERS;
    const cl_ulong bytes = (cl_ulong)(milliseconds < most ? milliseconds : most) << 20;
    cl_ulong n = bytes / (clf_fields_sum(&op->input) + clf_fields_sum(&op->value) + clf_fields_sum(&op->extra));
    for (size_t i = 0; i < CLF_COUNT(largest); ++i)
        if (largest[i] && n > facts->max_alloc / 4 / largest[i])
            n = facts->max_alloc / 4 / largest[i];
    return ((n > LEAST_N ? n : LEAST_N) - 1) | 1;
}

static clf_status open_array(const clf_trial *t, const clf_field *field, clf_array *array)
{
    clf_status status;
    const size_t bytes = (size_t)(t->n * field->bytes);
    array->buffer = clCreateBuffer(t->plan.context->cl, CL_MEM_READ_WRITE, bytes, NULL, &status);
    return status;
}

static clf_status open_arrays(clf_trial *t)
{
    const clf_operator_copy *const op = &t->plan.op;
    for (cl_uint i = 0; i < op->input.count; ++i) {
        CLF_TRY(open_array(t, &op->input.field[i], &t->in[i]));
        CLF_TRY(send(t, i, &op->input.field[i], t->in[i].buffer));
    }
    for (cl_uint o = 0; o < outputs_of(t); ++o)
        CLF_TRY(open_array(t, output_field(t, o), &t->out[o]));
    return CLF_SUCCESS;
}

clf_status clf_trial_open(clf_trial *t, const clf_plan *plan, cl_uint milliseconds)
{
    clf_status status;
    memset(t, 0, sizeof *t);
    t->plan.context = plan->context;
    t->plan.primitive = plan->primitive;
    t->plan.op = plan->op;
    t->plan.flags = plan->flags;
    t->plan.own = plan->own;
    memcpy(t->plan.engine, plan->engine, sizeof plan->engine);
    t->n = elements_for(plan, milliseconds);
    t->queue = clCreateCommandQueue(plan->context->cl, plan->context->device, 0, &status);
    return t->queue ? open_arrays(t) : status;
}

void clf_trial_close(clf_trial *t)
{
    if (t->queue)
        clFinish(t->queue);
    for (size_t i = 0; i < CLF_COUNT(t->in); ++i)
        if (t->in[i].buffer)
            clReleaseMemObject(t->in[i].buffer);
    for (size_t i = 0; i < CLF_COUNT(t->out); ++i)
        if (t->out[i].buffer)
            clReleaseMemObject(t->out[i].buffer);
    if (t->queue)
        clReleaseCommandQueue(t->queue);
}

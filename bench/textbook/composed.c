/* SPDX-License-Identifier: MIT */
/*
 * Composed scans on the host: the text of a program, one kernel after the other. The steps are in composed.cl.
 */
#include "textbook/composed.h"
#include "common/embedded.h"

#include <stdlib.h>
#include <string.h>

/* ---- Text -------------------------------------------------------------------------------------------------- */

/* Combining expressions of built-in operators, and neutral elements, which no input has as its only kind. */
static const char *expression_of(const bench_operator *op)
{
    const bool real = op->scalar >= CLF_HALF;
    switch (op->builtin) {
    case CLF_SUM: return "a.v + b.v";
    case CLF_PRODUCT: return "a.v * b.v";
    case CLF_MIN: return real ? "fmin(a.v, b.v)" : "min(a.v, b.v)";
    case CLF_MAX: return real ? "fmax(a.v, b.v)" : "max(a.v, b.v)";
    case CLF_AND: return "a.v & b.v";
    case CLF_OR: return "a.v | b.v";
    default: return "a.v ^ b.v";
    }
}

/* A block's rest is filled with what no element before it is combined with; so any value will do. */
static const char *neutral_of(const bench_operator *op)
{
    return op->builtin == CLF_PRODUCT ? "1" : "0";
}

static bool is_builtin(const bench_operator *op)
{
    bench_operator found;
    return bench_find_operator(op->name, op->type, &found);
}

bool composed_knows(const bench_operator *op)
{
    const clf_operator *o = op->op;
    if (is_builtin(op))
        return true;
    return o->source && o->combine && o->neutral && !o->input && !o->map && !o->extra && !o->captured &&
           op->inputs == op->outputs && strstr(o->source, o->combine);
}

/* "uint a; uint b;" as a list by `format`, which takes a type, a name, or both. */
typedef enum list { LIST_IN, LIST_OUT, LIST_LOAD, LIST_AGAIN, LIST_STORE } list;
static void write_list(FILE *text, const char *fields, const char *name, list which)
{
    char type[32], field[32];
    int length = 0;
    const char *comma = "";
    fprintf(text, "#define %s ", name);
    for (; sscanf(fields, " %31s %31[^;];%n", type, field, &length) == 2; fields += length, comma = ", ") {
        if (which == LIST_IN || which == LIST_OUT)
            fprintf(text, "%s__global %s%s *%s_%s", comma, which == LIST_IN ? "const " : "", type,
                    which == LIST_IN ? "in" : "out", field);
        else if (which == LIST_STORE)
            fprintf(text, "out_%s[at] = (value).%s; ", field, field);
        else
            fprintf(text, "%s%s_%s[at]", *comma ? comma : "{", which == LIST_LOAD ? "in" : "out", field);
    }
    fprintf(text, "%s\n", which == LIST_LOAD || which == LIST_AGAIN ? "}" : "");
}

/* The whole program, malloc'ed. */
static char *write_program(const bench_operator *op, const composed_scheme *scheme)
{
    char *text = bench_alloc(1 << 16), value[48];
    FILE *file = tmpfile();
    if (!file)
        bench_die("no temporary file");
    snprintf(value, sizeof value, "%s v;", clf_type_name(op->scalar));
    const char *const fields = is_builtin(op) ? value : op->op->value;
    if (op->scalar == CLF_DOUBLE || op->scalar == CLF_HALF)
        fprintf(file, "#pragma OPENCL EXTENSION cl_khr_fp%d : enable\n", op->scalar == CLF_HALF ? 16 : 64);
    fprintf(file, "typedef struct { %s } clf_value;\n", fields);
    if (is_builtin(op))
        fprintf(file,
                "clf_value combine(clf_value a, clf_value b) { clf_value z; z.v = %s; return z; }\n"
                "clf_value neutral(void) { clf_value z; z.v = %s; return z; }\n",
                expression_of(op), neutral_of(op));
    else
        fprintf(file, "%s\n#define combine %s\n#define neutral %s\n", op->op->source, op->op->combine, op->op->neutral);
    write_list(file, fields, "IN", LIST_IN);
    write_list(file, fields, "OUT", LIST_OUT);
    write_list(file, fields, "LOAD(at)", LIST_LOAD);
    write_list(file, fields, "AGAIN(at)", LIST_AGAIN);
    write_list(file, fields, "STORE(at, value)", LIST_STORE);
    composed_write(file, scheme);
    fwrite(composed_files[0].data, 1, composed_files[0].bytes, file);
    rewind(file);
    const size_t length = fread(text, 1, (1 << 16) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* ---- Engines ----------------------------------------------------------------------------------------------- */

enum { BLOCKS, SUMS, PROPAGATE_SUMS, PROPAGATE, REDUCE, RESCAN, CHAINED };
static const char *const kernels[COMPOSED_KERNELS] = {"blocks", "sums", "propagate_sums", "propagate",
                                                      "reduce", "rescan", "chained"};

static unsigned value_bytes(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned o = 0; o < op->outputs; ++o)
        bytes += op->out_size[o];
    return bytes;
}

static const char *check_device(const bench_session *session, const bench_operator *op, const composed_scheme *s)
{
    size_t most = 0;
    cl_ulong local = 0;
    clGetDeviceInfo(session->device.id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    clGetDeviceInfo(session->device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    if (composed_group(s) > most || (cl_ulong)(composed_room(s) + 2 * s->window) * value_bytes(op) > local)
        return "the device has no such groups, or too little local memory";
    return NULL;
}

static const char *build(composed *c, const bench_session *session, const char *options)
{
    static char log[600];
    char *text = write_program(c->op, &c->scheme);
    const char *source = text;
    cl_int status;
    c->program = clCreateProgramWithSource(session->cl, 1, &source, NULL, &status);
    bench_check(status, "composed.cl");
    status = clBuildProgram(c->program, 1, &session->device.id, options, NULL, NULL);
    free(text);
    if (status == CL_SUCCESS)
        return NULL;
    snprintf(log, sizeof log, "it does not compile");
    clGetProgramBuildInfo(c->program, session->device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    clReleaseProgram(c->program);
    return log;
}

/* Structs may be padded to twice what their fields take. */
static void take_memory(composed *c, const bench_session *session, cl_ulong limit)
{
    const unsigned bytes = 2 * value_bytes(c->op), bs = c->scheme.bs;
    const cl_ulong slots = 64 + (limit + bs - 1) / bs * 2 * bytes;
    const cl_uint zero = 0;
    if (c->scheme.meeting == COMPOSED_LOOKBACK) {
        c->slots = bench_buffer(session->cl, slots);
        bench_check(clEnqueueFillBuffer(session->queue, c->slots, &zero, sizeof zero, 0, slots, 0, NULL, NULL), "fill");
        return;
    }
    for (cl_ulong n = limit; n > 1 || c->levels == 0; ++c->levels) {
        n = (n + bs - 1) / bs;
        c->level[c->levels] = bench_buffer(session->cl, n * bytes);
    }
}

const char *composed_open(composed *c, bench_session *session, const bench_operator *op, const char *scheme,
                          cl_ulong limit, const char *options)
{
    *c = (composed){.op = op};
    const char *wrong = composed_parse(scheme, &c->scheme);
    if (!wrong)
        wrong = check_device(session, op, &c->scheme);
    if (!wrong)
        wrong = build(c, session, options);
    if (wrong)
        return wrong;
    for (int k = 0; k < COMPOSED_KERNELS; ++k)
        c->kernel[k] = bench_kernel(c->program, kernels[k]);
    take_memory(c, session, limit);
    if (*options)
        c->traced = bench_buffer(session->cl, (cl_ulong)12 * composed_room(&c->scheme) * value_bytes(op) + 64);
    return NULL;
}

void composed_close(composed *c)
{
    for (int k = 0; k < COMPOSED_KERNELS; ++k)
        clReleaseKernel(c->kernel[k]);
    for (unsigned i = 0; i < c->levels; ++i)
        clReleaseMemObject(c->level[i]);
    if (c->slots)
        clReleaseMemObject(c->slots);
    if (c->traced)
        clReleaseMemObject(c->traced);
    clReleaseProgram(c->program);
}

/* ---- Calls ------------------------------------------------------------------------------------------------- */

/* A kernel's arguments in order; the first failure sticks. */
typedef struct command {
    const composed *of;
    cl_command_queue queue;
    cl_kernel kernel;
    cl_uint count;
    clf_status status;
} command;

static command begin(const composed *c, cl_command_queue queue, int kernel)
{
    return (command){c, queue, c->kernel[kernel], 0, CL_SUCCESS};
}

static void set(command *a, const void *value, size_t bytes)
{
    if (a->status == CL_SUCCESS)
        a->status = clSetKernelArg(a->kernel, a->count++, bytes, value);
}

static void set_fields(command *a, unsigned fields, const clf_array *array)
{
    for (unsigned f = 0; f < fields; ++f)
        set(a, &array[f].buffer, sizeof(cl_mem));
}

static clf_status launch(command *a, cl_ulong n, cl_ulong items, cl_event *event)
{
    const size_t group = composed_group(&a->of->scheme), all = (size_t)((items + group - 1) / group * group);
    set(a, &n, sizeof n);
    if (a->of->traced)
        set(a, &a->of->traced, sizeof(cl_mem));
    return a->status ? a->status : clEnqueueNDRangeKernel(a->queue, a->kernel, 1, NULL, &all, &group, 0, NULL, event);
}

static cl_ulong blocks_of(const composed *c, cl_ulong n)
{
    return (n + c->scheme.bs - 1) / c->scheme.bs;
}

/* Scans the n sums of a level, and what lies above. */
static clf_status scan_level(const composed *c, cl_command_queue queue, unsigned level, cl_ulong n)
{
    const cl_ulong count = blocks_of(c, n);
    command scan = begin(c, queue, SUMS), spread = begin(c, queue, PROPAGATE_SUMS);
    set(&scan, &c->level[level], sizeof(cl_mem));
    set(&scan, &c->level[level + 1], sizeof(cl_mem));
    clf_status status = launch(&scan, n, count * composed_group(&c->scheme), NULL);
    if (status != CL_SUCCESS || count == 1)
        return status;
    status = scan_level(c, queue, level + 1, count);
    set(&spread, &c->level[level], sizeof(cl_mem));
    set(&spread, &c->level[level + 1], sizeof(cl_mem));
    return status ? status : launch(&spread, n, n - c->scheme.bs, NULL);
}

static clf_status enqueue_propagate(const composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in,
                                    const clf_array *out, cl_event *event)
{
    const cl_ulong count = blocks_of(c, n);
    command scan = begin(c, queue, BLOCKS), spread = begin(c, queue, PROPAGATE);
    set_fields(&scan, c->op->inputs, in);
    set_fields(&scan, c->op->outputs, out);
    set(&scan, &c->level[0], sizeof(cl_mem));
    clf_status status = launch(&scan, n, count * composed_group(&c->scheme), count == 1 ? event : NULL);
    if (status != CL_SUCCESS || count == 1)
        return status;
    status = scan_level(c, queue, 0, count);
    set_fields(&spread, c->op->outputs, out);
    set(&spread, &c->level[0], sizeof(cl_mem));
    return status ? status : launch(&spread, n, n - c->scheme.bs, event);
}

static clf_status enqueue_reduce(const composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in,
                                 const clf_array *out, cl_event *event)
{
    const cl_ulong count = blocks_of(c, n), items = count * composed_group(&c->scheme);
    command sums = begin(c, queue, REDUCE), scan = begin(c, queue, RESCAN);
    clf_status status = CL_SUCCESS;
    set_fields(&sums, c->op->inputs, in);
    set(&sums, &c->level[0], sizeof(cl_mem));
    if (count > 1)
        status = launch(&sums, n, items, NULL);
    if (count > 1 && status == CL_SUCCESS)
        status = scan_level(c, queue, 0, count);
    set_fields(&scan, c->op->inputs, in);
    set_fields(&scan, c->op->outputs, out);
    set(&scan, &c->level[0], sizeof(cl_mem));
    return status ? status : launch(&scan, n, items, event);
}

/* Messages have 14 bits for the call: no block of a call before has one that is taken for this call's. */
static clf_status enqueue_lookback(composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in,
                                   const clf_array *out, cl_event *event)
{
    const cl_ulong count = blocks_of(c, n);
    command scan = begin(c, queue, CHAINED);
    c->epoch = (c->epoch + 1) % (1u << 14);
    set_fields(&scan, c->op->inputs, in);
    set_fields(&scan, c->op->outputs, out);
    set(&scan, &c->slots, sizeof(cl_mem));
    set(&scan, &c->before, sizeof c->before);
    set(&scan, &c->epoch, sizeof c->epoch);
    c->before += (cl_uint)count;
    return launch(&scan, n, count * composed_group(&c->scheme), event);
}

clf_status composed_enqueue(composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in, const clf_array *out,
                            cl_event *event)
{
    switch (c->scheme.meeting) {
    case COMPOSED_REDUCE: return enqueue_reduce(c, queue, n, in, out, event);
    case COMPOSED_LOOKBACK: return enqueue_lookback(c, queue, n, in, out, event);
    default: return enqueue_propagate(c, queue, n, in, out, event);
    }
}

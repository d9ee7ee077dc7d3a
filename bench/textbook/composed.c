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
static char *write_program(const bench_operator *op)
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
    fwrite(composed_files[0].data, 1, composed_files[0].bytes, file);
    rewind(file);
    const size_t length = fread(text, 1, (1 << 16) - 1, file);
    text[length] = '\0';
    fclose(file);
    return text;
}

/* ---- Engines ----------------------------------------------------------------------------------------------- */

static bool is_power(unsigned x)
{
    return x > 0 && (x & (x - 1)) == 0;
}

/* -1: the block is no such power of the branching factor. */
static int levels_of(composed_shape s)
{
    int levels = 0;
    unsigned left = s.bs;
    for (; left > s.se; left /= s.bf)
        ++levels;
    return left == s.se ? levels : -1;
}

static unsigned value_bytes(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned o = 0; o < op->outputs; ++o)
        bytes += op->out_size[o];
    return bytes;
}

static const char *check_shape(const bench_session *session, const bench_operator *op, composed_shape s)
{
    size_t most = 0;
    cl_ulong local = 0;
    if (!is_power(s.bs) || !is_power(s.bf) || !is_power(s.se) || s.bf < 2 || s.bf > 16 || s.bs < s.bf || s.se > s.bs)
        return "bs, bf and se are powers of two: bf from 2 to 16, bs at least bf, se at most bs";
    if (levels_of(s) < 0)
        return "bs is not se times a power of bf";
    clGetDeviceInfo(session->device.id, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    clGetDeviceInfo(session->device.id, CL_DEVICE_LOCAL_MEM_SIZE, sizeof local, &local, NULL);
    if (s.bs / s.bf > most || (cl_ulong)2 * s.bs * value_bytes(op) > local)
        return "the device has no such groups, or too little local memory";
    return NULL;
}

static const char *build(composed *c, const bench_session *session, const char *options)
{
    static char log[600];
    char all[256], *text = write_program(c->op);
    const char *source = text;
    cl_int status;
    c->program = clCreateProgramWithSource(session->cl, 1, &source, NULL, &status);
    bench_check(status, "composed.cl");
    snprintf(all, sizeof all, "-D BS=%u -D BF=%u -D SE=%u -D LEVELS=%d -D ROOT=%d %s", c->shape.bs, c->shape.bf,
             c->shape.se, levels_of(c->shape), (int)c->shape.root, options);
    status = clBuildProgram(c->program, 1, &session->device.id, all, NULL, NULL);
    free(text);
    if (status == CL_SUCCESS)
        return NULL;
    snprintf(log, sizeof log, "it does not compile");
    clGetProgramBuildInfo(c->program, session->device.id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log, NULL);
    clReleaseProgram(c->program);
    return log;
}

const char *composed_open(composed *c, bench_session *session, const bench_operator *op, composed_shape shape,
                          cl_ulong limit, const char *options)
{
    *c = (composed){.shape = shape, .op = op};
    const char *wrong = check_shape(session, op, shape);
    if (!wrong)
        wrong = build(c, session, options);
    if (wrong)
        return wrong;
    c->blocks = bench_kernel(c->program, "blocks");
    c->sums = bench_kernel(c->program, "sums");
    c->propagate_sums = bench_kernel(c->program, "propagate_sums");
    c->propagate = bench_kernel(c->program, "propagate");
    /* Structs may be padded to twice what their fields take. */
    for (cl_ulong n = limit; n > 1 || c->levels == 0; ++c->levels) {
        n = (n + shape.bs - 1) / shape.bs;
        c->level[c->levels] = bench_buffer(session->cl, n * 2 * value_bytes(op));
    }
    if (*options)
        c->traced = bench_buffer(session->cl, (cl_ulong)24 * shape.bs * value_bytes(op) + 64);
    return NULL;
}

void composed_close(composed *c)
{
    const cl_kernel kernels[] = {c->blocks, c->sums, c->propagate_sums, c->propagate};
    for (size_t k = 0; k < sizeof kernels / sizeof kernels[0]; ++k)
        clReleaseKernel(kernels[k]);
    for (unsigned i = 0; i < c->levels; ++i)
        clReleaseMemObject(c->level[i]);
    if (c->traced)
        clReleaseMemObject(c->traced);
    clReleaseProgram(c->program);
}

/* ---- Calls ------------------------------------------------------------------------------------------------- */

/* Arguments are set in order; the first failure sticks. */
typedef struct arguments {
    cl_kernel kernel;
    cl_uint count;
    clf_status status;
} arguments;

static void set(arguments *a, const void *value, size_t bytes)
{
    if (a->status == CL_SUCCESS)
        a->status = clSetKernelArg(a->kernel, a->count++, bytes, value);
}

static void set_fields(arguments *a, unsigned fields, const clf_array *array)
{
    for (unsigned f = 0; f < fields; ++f)
        set(a, &array[f].buffer, sizeof(cl_mem));
}

static clf_status launch(const composed *c, cl_command_queue queue, arguments *a, cl_ulong n, cl_ulong items,
                         cl_event *event)
{
    const size_t group = c->shape.bs / c->shape.bf, all = (size_t)((items + group - 1) / group * group);
    set(a, &n, sizeof n);
    if (c->traced)
        set(a, &c->traced, sizeof(cl_mem));
    return a->status ? a->status : clEnqueueNDRangeKernel(queue, a->kernel, 1, NULL, &all, &group, 0, NULL, event);
}

static cl_ulong blocks_of(const composed *c, cl_ulong n)
{
    return (n + c->shape.bs - 1) / c->shape.bs;
}

/* Scans the n sums of a level, and what lies above. */
static clf_status scan_level(const composed *c, cl_command_queue queue, unsigned level, cl_ulong n)
{
    const cl_ulong count = blocks_of(c, n);
    arguments scan = {.kernel = c->sums}, spread = {.kernel = c->propagate_sums};
    set(&scan, &c->level[level], sizeof(cl_mem));
    set(&scan, &c->level[level + 1], sizeof(cl_mem));
    clf_status status = launch(c, queue, &scan, n, count * (c->shape.bs / c->shape.bf), NULL);
    if (status != CL_SUCCESS || count == 1)
        return status;
    status = scan_level(c, queue, level + 1, count);
    set(&spread, &c->level[level], sizeof(cl_mem));
    set(&spread, &c->level[level + 1], sizeof(cl_mem));
    return status ? status : launch(c, queue, &spread, n, n - c->shape.bs, NULL);
}

clf_status composed_enqueue(const composed *c, cl_command_queue queue, cl_ulong n, const clf_array *in,
                            const clf_array *out, cl_event *event)
{
    const cl_ulong count = blocks_of(c, n);
    arguments scan = {.kernel = c->blocks}, spread = {.kernel = c->propagate};
    set_fields(&scan, c->op->inputs, in);
    set_fields(&scan, c->op->outputs, out);
    set(&scan, &c->level[0], sizeof(cl_mem));
    clf_status status = launch(c, queue, &scan, n, count * (c->shape.bs / c->shape.bf), count == 1 ? event : NULL);
    if (status != CL_SUCCESS || count == 1)
        return status;
    status = scan_level(c, queue, 0, count);
    set_fields(&spread, c->op->outputs, out);
    set(&spread, &c->level[0], sizeof(cl_mem));
    return status ? status : launch(c, queue, &spread, n, n - c->shape.bs, event);
}

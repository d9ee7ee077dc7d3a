/* SPDX-License-Identifier: MIT */
/*
 * Scans as textbooks have them, on the same device, queue and buffers as clfold: that of GPU Gems 3, chapter 39, which
 * papers compare with (gems39.cl); those of Hillis and Steele, and of Blelloch, over all elements, and a reduction by
 * contraction (sweeps.cl); three reductions by groups (reductions.cl). Sums of scalars only. They need nothing but
 * OpenCL, and so every build has them.
 */
#include "rows/operators.h"
#include "rows/peer.h"
#include "common/embedded.h"

#include <stdlib.h>
#include <string.h>

enum { GROUP = 256, BLOCK = 2 * GROUP, LEVELS = 8, KERNELS = 7 };

typedef struct textbook {
    cl_context cl;
    cl_command_queue queue;
    cl_program program;
    cl_kernel kernel[KERNELS]; /* in the order of the algorithm's list */
    cl_mem in, out, level[LEVELS];
    cl_ulong n, elements, moved; /* of the call to come; the most; elements that the last call read and wrote */
    cl_uint inclusive;
    bool reduces;   /* to one result */
    unsigned bytes; /* of an element */
} textbook;

/* ---- Commands ---------------------------------------------------------------------------------------------- */

typedef struct argument {
    size_t bytes;
    const void *value;
} argument;

/* Ends with an argument of no bytes. `moved`: how many elements it reads and writes. */
static void launch(textbook *t, unsigned kernel, const argument *arguments, cl_ulong items, cl_ulong moved)
{
    const size_t group = GROUP, all = (size_t)((items + GROUP - 1) / GROUP * GROUP), few = (size_t)items;
    const bool whole = items >= GROUP;
    for (cl_uint i = 0; arguments[i].bytes; ++i)
        bench_check(clSetKernelArg(t->kernel[kernel], i, arguments[i].bytes, arguments[i].value), "clSetKernelArg");
    bench_check(clEnqueueNDRangeKernel(t->queue, t->kernel[kernel], 1, NULL, whole ? &all : &few, whole ? &group : NULL,
                                       0, NULL, NULL),
                "clEnqueueNDRangeKernel");
    t->moved += moved;
}
#define ARGUMENT(variable) {sizeof(variable), &(variable)}
#define NO_MORE {0, NULL}

/* ---- GPU Gems 3, chapter 39 ---------------------------------------------------------------------------------- */

static const char *const gems39_kernels[] = {"blocks", "add", NULL};

static cl_ulong blocks_of(cl_ulong n)
{
    return (n + BLOCK - 1) / BLOCK;
}

static void gems39_level(textbook *t, unsigned level, cl_mem in, cl_mem out, cl_ulong n, cl_uint inclusive)
{
    const cl_ulong count = blocks_of(n);
    const argument scan[] = {ARGUMENT(in), ARGUMENT(out), ARGUMENT(t->level[level]), ARGUMENT(n), ARGUMENT(inclusive),
                             NO_MORE};
    const argument add[] = {ARGUMENT(out), ARGUMENT(t->level[level]), ARGUMENT(n), NO_MORE};
    launch(t, 0, scan, count * GROUP, 2 * n + count);
    if (count == 1)
        return;
    gems39_level(t, level + 1, t->level[level], t->level[level], count, 0);
    launch(t, 1, add, count * GROUP, 2 * n + count);
}

static void gems39_call(void *state)
{
    textbook *const t = state;
    t->moved = 0;
    gems39_level(t, 0, t->in, t->out, t->n, t->inclusive);
}

static void gems39_make(textbook *t)
{
    cl_ulong n = t->elements;
    for (unsigned level = 0; level < LEVELS && (n > 1 || level == 0); ++level) {
        n = blocks_of(n);
        t->level[level] = bench_buffer(t->cl, n * t->bytes);
    }
}

/* ---- Hillis and Steele --------------------------------------------------------------------------------------- */

static const char *const sweep_kernels[] = {"step_from", "shift", "pad", "up", "down", "take", "contract"};

static void hillis_steele_step(textbook *t, unsigned kernel, cl_mem from, cl_mem to, cl_ulong apart)
{
    const argument step[] = {ARGUMENT(from), ARGUMENT(to), ARGUMENT(t->n), ARGUMENT(apart), NO_MORE};
    const argument shift[] = {ARGUMENT(from), ARGUMENT(to), ARGUMENT(t->n), NO_MORE};
    launch(t, kernel, kernel == 0 ? step : shift, t->n, 2 * t->n);
}

/* From one buffer to the other and back, so that the last step writes to the output. */
static void hillis_steele_call(void *state)
{
    textbook *const t = state;
    unsigned steps = !t->inclusive, done = 0;
    cl_mem from = t->in;
    for (cl_ulong apart = 1; apart < t->n; apart *= 2)
        ++steps;
    steps += steps == 0; /* of one element, too */
    t->moved = 0;
    for (cl_ulong apart = 1; done < steps; apart *= 2, ++done) {
        const cl_mem to = (steps - done) % 2 ? t->out : t->level[0];
        hillis_steele_step(t, done + 1 == steps && !t->inclusive, from, to, apart);
        from = to;
    }
}

static void hillis_steele_make(textbook *t)
{
    t->level[0] = bench_buffer(t->cl, t->elements * t->bytes);
}

/* ---- Blelloch ------------------------------------------------------------------------------------------------ */

static cl_ulong power_from(cl_ulong n)
{
    cl_ulong power = 2;
    while (power < n)
        power *= 2;
    return power;
}

static void blelloch_call(void *state)
{
    textbook *const t = state;
    const cl_ulong all = power_from(t->n);
    cl_ulong apart;
    const argument pad[] = {ARGUMENT(t->in), ARGUMENT(t->level[0]), ARGUMENT(t->n), NO_MORE};
    const argument up[] = {ARGUMENT(t->level[0]), ARGUMENT(apart), NO_MORE};
    cl_uint root = 1;
    const argument down[] = {ARGUMENT(t->level[0]), ARGUMENT(apart), ARGUMENT(root), NO_MORE};
    const argument take[] = {ARGUMENT(t->level[0]), ARGUMENT(t->in), ARGUMENT(t->out), ARGUMENT(t->n),
                             ARGUMENT(t->inclusive), NO_MORE};
    t->moved = 0;
    launch(t, 2, pad, all, t->n + all);
    for (apart = 1; apart < all / 2; apart *= 2) /* the sum of all is of no use */
        launch(t, 3, up, all / 2 / apart, all / 2 / apart * 3);
    for (; apart > 0; apart /= 2, root = 0)
        launch(t, 4, down, all / 2 / apart, all / 2 / apart * 4);
    launch(t, 5, take, t->n, t->n * (2 + t->inclusive));
}

static void blelloch_make(textbook *t)
{
    t->level[0] = bench_buffer(t->cl, power_from(t->elements) * t->bytes);
}

/* ---- Contraction --------------------------------------------------------------------------------------------- */

static void contraction_call(void *state)
{
    textbook *const t = state;
    const cl_ulong all = power_from(t->n);
    cl_ulong half = all / 2;
    const argument pad[] = {ARGUMENT(t->in), ARGUMENT(t->level[0]), ARGUMENT(t->n), NO_MORE};
    const argument contract[] = {ARGUMENT(t->level[0]), ARGUMENT(t->out), ARGUMENT(half), NO_MORE};
    t->moved = 0;
    launch(t, 2, pad, all, t->n + all);
    for (; half > 0; half /= 2)
        launch(t, 6, contract, half, 3 * half);
}

/* ---- Reductions by groups ---------------------------------------------------------------------------------------- */

static const char *const reduction_kernels[] = {"interleaved", "by_warps", "halves"};

/* Each launch leaves a sum for so many elements, until there is one. */
static void reduce_by_groups(textbook *t, unsigned kernel, cl_ulong elements)
{
    cl_mem from = t->in;
    cl_ulong n = t->n;
    t->moved = 0;
    for (unsigned level = 0;; ++level) {
        const cl_ulong groups = (n + elements - 1) / elements;
        const cl_mem to = groups == 1 ? t->out : t->level[level];
        const argument arguments[] = {ARGUMENT(from), ARGUMENT(to), ARGUMENT(n), NO_MORE};
        launch(t, kernel, arguments, groups * GROUP, n + groups);
        if (groups == 1)
            return;
        from = to;
        n = groups;
    }
}

static void interleaved_call(void *state) { reduce_by_groups(state, 0, GROUP); }
static void by_warps_call(void *state) { reduce_by_groups(state, 1, GROUP); }
static void halves_call(void *state) { reduce_by_groups(state, 2, 2 * GROUP); }

static void reductions_make(textbook *t)
{
    cl_ulong n = t->elements;
    for (unsigned level = 0; level < LEVELS && n > 1; ++level) {
        n = (n + GROUP - 1) / GROUP;
        t->level[level] = bench_buffer(t->cl, n * t->bytes);
    }
}

/* ---- All of them --------------------------------------------------------------------------------------------- */

static const char *build(textbook *t, cl_device_id device, const char *file, const bench_operator *op)
{
    static const char *const extensions[] = {"", " -D EXTENSION=cl_khr_fp64", " -D EXTENSION=cl_khr_fp16"};
    const embedded_file *f = textbook_files;
    char options[128];
    cl_int status;
    while (strcmp(f->name, file) != 0)
        ++f;
    const char *text = (const char *)f->data;
    snprintf(options, sizeof options, "-D T=%s -D GROUP=%d%s", clf_type_name(op->scalar), GROUP,
             extensions[op->scalar == CLF_DOUBLE ? 1
                        : op->scalar == CLF_HALF ? 2
                                                 : 0]);
    t->program = clCreateProgramWithSource(t->cl, 1, &text, &f->bytes, &status);
    bench_check(status, file);
    return clBuildProgram(t->program, 1, &device, options, NULL, NULL) == CL_SUCCESS ? NULL : "it does not compile";
}

static bool has_type(cl_device_id device, clf_type type)
{
    char extensions[8192] = "";
    clGetDeviceInfo(device, CL_DEVICE_EXTENSIONS, sizeof extensions - 1, extensions, NULL);
    return (type != CLF_DOUBLE || strstr(extensions, "cl_khr_fp64")) &&
           (type != CLF_HALF || strstr(extensions, "cl_khr_fp16"));
}

static void close_job(void *state)
{
    textbook *const t = state;
    for (unsigned i = 0; i < KERNELS && t->kernel[i]; ++i)
        clReleaseKernel(t->kernel[i]);
    for (unsigned i = 0; i < LEVELS && t->level[i]; ++i)
        clReleaseMemObject(t->level[i]);
    clReleaseProgram(t->program);
    free(t);
}

static void *open_job(const peer_job *job, const char *primitive, const char *file, const char *const *kernels,
                      unsigned count, void (*make)(textbook *t))
{
    bench_operator op;
    size_t most = 0;
    clGetDeviceInfo(job->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof most, &most, NULL);
    if (strcmp(job->primitive, primitive) != 0 || strcmp(job->op, "sum") != 0 || most < GROUP ||
        !bench_find_operator(job->op, job->type, &op) || !has_type(job->device, op.scalar))
        return NULL;
    textbook *t = bench_alloc(sizeof *t);
    *t = (textbook){.cl = job->context, .queue = job->queue, .in = job->in_buffer, .out = job->out_buffer,
                    .elements = job->n, .inclusive = !job->exclusive, .bytes = op.in_size[0],
                    .reduces = strcmp(primitive, "reduce") == 0};
    const char *const wrong = build(t, job->device, file, &op);
    for (unsigned i = 0; i < count && !wrong; ++i)
        t->kernel[i] = bench_kernel(t->program, kernels[i]);
    if (wrong) {
        bench_note("skipped: peer %s of %s: %s", file, job->type, wrong);
        close_job(t);
        return NULL;
    }
    make(t);
    return t;
}

static void *open_gems39(const peer_job *job)
{
    return open_job(job, "scan", "gems39.cl", gems39_kernels, 2, gems39_make);
}

static void *open_hillis_steele(const peer_job *job)
{
    return open_job(job, "scan", "sweeps.cl", sweep_kernels, 2, hillis_steele_make);
}

static void *open_blelloch(const peer_job *job)
{
    return open_job(job, "scan", "sweeps.cl", sweep_kernels, KERNELS, blelloch_make);
}

static void *open_contraction(const peer_job *job)
{
    return open_job(job, "reduce", "sweeps.cl", sweep_kernels, KERNELS, blelloch_make);
}

static void *open_reduction(const peer_job *job)
{
    return open_job(job, "reduce", "reductions.cl", reduction_kernels, 3, reductions_make);
}

static int shape(void *state, uint64_t count, uint64_t size)
{
    ((textbook *)state)->n = size;
    return count == 1 && size > 0;
}

static void wait(void *state)
{
    bench_check(clFinish(((textbook *)state)->queue), "clFinish");
}

static void fetch(void *state, void *const *out)
{
    const textbook *const t = state;
    bench_read(t->queue, t->out, out[0], 0, (t->reduces ? 1 : t->n) * t->bytes);
}

static uint64_t moved(void *state)
{
    const textbook *const t = state;
    return t->moved * t->bytes;
}

#define TEXTBOOK(algorithm, opener)                                                                                    \
    const peer peer_##algorithm = {.name = #algorithm, .open = opener, .shape = shape, .wait = wait,         \
                                   .call = algorithm##_call, .fetch = fetch, .close = close_job, .moved = moved,       \
                                   .by_name = 1};
TEXTBOOK(gems39, open_gems39)
TEXTBOOK(hillis_steele, open_hillis_steele)
TEXTBOOK(blelloch, open_blelloch)
TEXTBOOK(contraction, open_contraction)
TEXTBOOK(interleaved, open_reduction)
TEXTBOOK(by_warps, open_reduction)
TEXTBOOK(halves, open_reduction)

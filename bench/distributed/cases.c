/* SPDX-License-Identifier: MIT */
#include "cases.h"

const char *const bench_names[BENCH_KINDS] = {"reduce", "scan", "scan of rows", "sort", "transpose"};

/* ---- Elements ------------------------------------------------------------------------------------------ */

/* Elements are multiples of this, as sums of them are. */
#define FACTOR 2654435761u

/* Element i of all. */
static cl_uint element(cl_ulong i)
{
    return (cl_uint)(i + 1) * FACTOR;
}

/* The sum of all elements before element `end`. */
static cl_uint sum_below(cl_ulong end)
{
    return (cl_uint)(end % 2 == 0 ? end / 2 * (end + 1) : (end + 1) / 2 * end) * FACTOR;
}

/* Where a member's rows of the transposed matrix begin. */
static cl_ulong column_at(cl_uint rank, cl_uint members)
{
    return (cl_ulong)BENCH_ROW * rank / members;
}

/* Bytes of a member's elements; of a transposed matrix the longest share is a column longer than others. */
static size_t bytes_of(const bench_world *w, cl_ulong n)
{
    return (size_t)(n / BENCH_ROW) * (BENCH_ROW + w->total) * sizeof(cl_uint);
}

/* A sort needs most: input, output, sorted elements, codes, and scratch of clfold's own sort. */
cl_ulong bench_fitting(const bench_world *w, cl_ulong n)
{
    enum { BUFFERS = 6 };
    cl_ulong bytes, buffer;
    bench_memory(w, &bytes, &buffer);
    const cl_ulong most = bytes / 4 * 3 / BUFFERS < buffer ? bytes / 4 * 3 / BUFFERS : buffer;
    const cl_ulong rows = most / ((BENCH_ROW + w->total) * sizeof(cl_uint));
    return (n / BENCH_ROW < rows ? n / BENCH_ROW : rows) * BENCH_ROW;
}

static clf_array make_buffer(const bench_world *w, cl_uint l, size_t bytes)
{
    cl_int status;
    const clf_array array = {clCreateBuffer(w->cl[l], CL_MEM_READ_WRITE, bytes, NULL, &status), 0};
    bench_check(status, "a buffer");
    return array;
}

void bench_fill(bench_cases *c, bench_world *w, cl_ulong n)
{
    const size_t bytes = bytes_of(w, n);
    *c = (bench_cases){.w = w, .n = n, .host = malloc(bytes)};
    bench_check(c->host ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc");
    for (cl_uint l = 0; l < w->opened; ++l) {
        for (cl_ulong i = 0; i < n; ++i)
            c->host[i] = element((w->place + l) * n + i);
        c->in[l] = make_buffer(w, l, bytes);
        c->out[l] = make_buffer(w, l, bytes);
        bench_check(
            clEnqueueWriteBuffer(w->queue[l], c->in[l].buffer, CL_TRUE, 0, n * sizeof *c->host, c->host, 0, NULL, NULL),
            "writing");
    }
}

void bench_empty(bench_cases *c)
{
    for (cl_uint l = 0; l < c->w->opened; ++l) {
        clReleaseMemObject(c->in[l].buffer);
        clReleaseMemObject(c->out[l].buffer);
    }
    free(c->host);
}

/* ---- Over members -------------------------------------------------------------------------------------- */

static const clf_operator keys = {.size = sizeof(clf_operator), .value = "uint key;"};

clf_comm_plan *bench_plan(const bench_cases *c, enum bench_what what)
{
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_UINT);
    clf_comm *comm = c->w->comm;
    clf_comm_plan *plan = NULL;
    bench_check(what == REDUCE      ? clf_comm_reduce_plan(comm, sum, 0, NULL, &plan, NULL)
                : what == ROWS      ? clf_comm_segmented_scan_plan(comm, sum, 0, NULL, &plan, NULL)
                : what == SORT      ? clf_comm_sort_plan(comm, &keys, 0, NULL, &plan, NULL)
                : what == TRANSPOSE ? clf_comm_transpose_plan(comm, sizeof(cl_uint), NULL, &plan, NULL)
                                    : clf_comm_scan_plan(comm, sum, 0, NULL, &plan, NULL),
                bench_names[what]);
    return plan;
}

void bench_call(const bench_cases *c, enum bench_what what, clf_comm_plan *plan)
{
    const bench_world *w = c->w;
    cl_ulong n[BENCH_MEMBERS], columns[BENCH_MEMBERS];
    for (cl_uint l = 0; l < w->locals; ++l) {
        const cl_uint me = w->first + l;
        n[l] = what == TRANSPOSE ? c->n / BENCH_ROW : c->n;
        columns[l] = column_at(me + 1, w->members) - column_at(me, w->members);
    }
    bench_check(what == REDUCE      ? clf_comm_reduce(plan, NULL, n, c->in, c->out)
                : what == ROWS      ? clf_comm_segmented_scan(plan, NULL, BENCH_ROW, n, c->in, c->out)
                : what == SORT      ? clf_comm_sort(plan, n, c->in, c->out)
                : what == TRANSPOSE ? clf_comm_transpose(plan, BENCH_ROW, n, columns, c->in, c->out)
                                    : clf_comm_scan(plan, NULL, n, c->in, c->out),
                bench_names[what]);
}

/* ---- On one device ------------------------------------------------------------------------------------- */

clf_plan *bench_plan_alone(const bench_cases *c, enum bench_what what, const char *variant)
{
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_UINT);
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    clf_context *context = c->w->context[0];
    clf_plan *plan = NULL;
    if (variant && what != SCAN && what != ROWS && what != SORT) /* others have none */
        return NULL;
    bench_check(what == REDUCE      ? clf_reduce_plan(context, sum, 0, &options, &plan, NULL)
                : what == ROWS      ? clf_segmented_scan_plan(context, sum, 0, &options, &plan, NULL)
                : what == SORT      ? clf_sort_plan(context, &keys, 0, &options, &plan, NULL)
                : what == TRANSPOSE ? clf_transpose_plan(context, sizeof(cl_uint), &options, &plan, NULL)
                                    : clf_scan_plan(context, sum, 0, &options, &plan, NULL),
                bench_names[what]);
    return plan;
}

void bench_call_alone(const bench_cases *c, enum bench_what what, clf_plan *plan)
{
    const clf_call call = {.size = sizeof call, .queue = c->w->queue[0]};
    const cl_ulong n = c->n, rows = n / BENCH_ROW;
    bench_check(what == REDUCE      ? clf_reduce(plan, &call, n, c->in, c->out)
                : what == ROWS      ? clf_segmented_scan(plan, &call, rows, BENCH_ROW, c->in, c->out)
                : what == SORT      ? clf_sort(plan, &call, n, c->in, c->out)
                : what == TRANSPOSE ? clf_transpose(plan, &call, 1, rows, BENCH_ROW, c->in, c->out)
                                    : clf_scan(plan, &call, n, c->in, c->out),
                bench_names[what]);
    bench_check(clFinish(c->w->queue[0]), bench_names[what]);
}

/* ---- Verifying ----------------------------------------------------------------------------------------- */

/* Sums from where each row of so many elements begins. */
static bool right_scan(const cl_uint *results, cl_ulong first, cl_uint before, cl_ulong n, cl_ulong row)
{
    for (cl_ulong begin = 0; begin < n; begin += row) {
        cl_uint sum = before;
        for (cl_ulong i = begin; i < begin + row; ++i) {
            sum += element(first + i);
            if (results[i] != sum)
                return false;
        }
    }
    return true;
}

static bool right_transpose(const bench_cases *c, cl_uint me, cl_uint members)
{
    const cl_uint *at = c->host;
    for (cl_ulong column = column_at(me, members); column < column_at(me + 1, members); ++column)
        for (cl_ulong r = 0; r < c->n / BENCH_ROW * members; ++r)
            if (*at++ != element(r * BENCH_ROW + column))
                return false;
    return true;
}

/* Keys ascend; and they are those of the input, as far as their sum over all members tells. */
static bool right_sort(const bench_cases *c, cl_uint *sum)
{
    for (cl_ulong i = 0; i < c->n; ++i) {
        *sum += c->host[i];
        if (i != 0 && c->host[i - 1] > c->host[i])
            return false;
    }
    return true;
}

static size_t results_of(const bench_cases *c, enum bench_what what, cl_uint me, cl_uint members)
{
    if (what == TRANSPOSE)
        return (size_t)(column_at(me + 1, members) - column_at(me, members)) * (size_t)(c->n / BENCH_ROW * members);
    return what == REDUCE ? 1 : (size_t)c->n;
}

bool bench_right(const bench_cases *c, enum bench_what what, cl_uint first, cl_uint locals, cl_uint members)
{
    const cl_ulong n = c->n;
    bool good = true;
    cl_uint sum = 0;
    for (cl_uint l = 0; l < locals && good; ++l) {
        const cl_uint me = first + l;
        bench_check(clEnqueueReadBuffer(c->w->queue[l], c->out[l].buffer, CL_TRUE, 0,
                                        results_of(c, what, me, members) * sizeof *c->host, c->host, 0, NULL, NULL),
                    "reading");
        good = what == REDUCE      ? c->host[0] == sum_below(n * members)
               : what == SORT      ? right_sort(c, &sum)
               : what == TRANSPOSE ? right_transpose(c, me, members)
               : what == ROWS      ? right_scan(c->host, me * n, 0, n, BENCH_ROW)
                                   : right_scan(c->host, me * n, sum_below(me * n), n, n);
    }
    return good && (what != SORT || locals != members || sum == sum_below(n * members));
}

bool bench_right_part(const bench_cases *c, cl_uint me, cl_ulong n, const cl_uint *results)
{
    cl_uint before = 0;
    for (cl_uint rank = 0; rank < me; ++rank)
        before += sum_below(rank * c->n + n) - sum_below(rank * c->n);
    return right_scan(results, me * c->n, before, n, n);
}

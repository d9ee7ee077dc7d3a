/* SPDX-License-Identifier: MIT */
/*
 * clfold-bench-distributed [--members N] [--n COUNT] [--repeats R]: weak scaling over 1 to N members in this process,
 * each with COUNT elements (rounded down to whole rows of 1024), on devices of their own as far as there are some. As
 * clfold-bench-mpi a member per process, as many as there are. Every result is verified before it is timed.
 *
 * Columns: what, members, elements of each, milliseconds (the least of R calls, which block), GB/s of all elements
 * together, and what part of one member's speed each has. "transpose" exchanges as much as a sort, with less work.
 */
#include "bench_world.h"

#include <time.h>

enum what { REDUCE, SCAN, SMALL_SCAN, ROWS, SORT, TRANSPOSE, KINDS };
static const char *const names[KINDS] = {"reduce", "scan", "scan of one", "scan of rows", "sort", "transpose"};

enum { ROW = 1024 };

typedef struct bench {
    bench_world w;
    cl_ulong n; /* elements of each member */
    int repeats;
    clf_array in[BENCH_MEMBERS], out[BENCH_MEMBERS];
    cl_ulong columns[BENCH_MEMBERS + 1]; /* of a transposed matrix: where each member's rows begin */
    cl_uint *host;                       /* room for a member's results */
    double alone[KINDS];
} bench;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}

/* Element i of all. */
static cl_uint element(cl_ulong i)
{
    return (cl_uint)(i + 1) * 2654435761u;
}

static size_t results_of(const bench *b, enum what what, cl_uint l)
{
    const cl_uint me = b->w.first + l;
    return what == REDUCE || what == SMALL_SCAN ? 1
           : what == TRANSPOSE                  ? (b->columns[me + 1] - b->columns[me]) * (b->n / ROW * b->w.members)
                                                : b->n;
}

/* ---- Members' elements --------------------------------------------------------------------------------- */

static void fill(bench *b)
{
    const cl_uint members = b->w.members;
    for (cl_uint rank = 0; rank <= members; rank++)
        b->columns[rank] = (cl_ulong)ROW * rank / members;
    /* the longest share of a transposed matrix is a column longer than others */
    const size_t bytes = (size_t)(b->n / ROW) * (ROW + members) * sizeof *b->host;
    b->host = malloc(bytes);
    bench_check(b->host != NULL ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc");
    for (cl_uint l = 0; l < b->w.locals; l++) {
        cl_int status;
        for (cl_ulong i = 0; i < b->n; i++)
            b->host[i] = element((b->w.first + l) * b->n + i);
        b->in[l].buffer = clCreateBuffer(b->w.cl[l], CL_MEM_READ_WRITE, bytes, NULL, &status);
        bench_check(status, "a buffer");
        b->out[l].buffer = clCreateBuffer(b->w.cl[l], CL_MEM_READ_WRITE, bytes, NULL, &status);
        bench_check(status, "a buffer");
        bench_check(clEnqueueWriteBuffer(b->w.queue[l], b->in[l].buffer, CL_TRUE, 0, b->n * sizeof *b->host, b->host, 0,
                                         NULL, NULL),
                    "writing");
    }
}

static void empty(bench *b)
{
    for (cl_uint l = 0; l < b->w.locals; l++) {
        clReleaseMemObject(b->in[l].buffer);
        clReleaseMemObject(b->out[l].buffer);
    }
    free(b->host);
}

/* ---- Verifying ----------------------------------------------------------------------------------------- */

static cl_uint sum_below(cl_ulong end, cl_ulong stride, cl_ulong each)
{
    cl_uint sum = 0;
    for (cl_ulong i = 0; i < end; i++)
        sum += element(i / each * stride + i % each);
    return sum;
}

/* Sums from where each row begins; of the first elements of members alone, if each has but one. */
static bool right_scan(const bench *b, cl_uint me, enum what what)
{
    const cl_ulong n = what == SMALL_SCAN ? 1 : b->n, row = what == ROWS ? ROW : b->n * b->w.members;
    cl_uint sum = what == ROWS ? 0 : sum_below(n * me, b->n, n);
    for (cl_ulong i = 0; i < n; i++) {
        sum = (what == ROWS && i % row == 0 ? 0 : sum) + element(me * b->n + i);
        if (b->host[i] != sum)
            return false;
    }
    return true;
}

static bool right_transpose(const bench *b, cl_uint me)
{
    const cl_ulong rows = b->n / ROW * b->w.members;
    for (cl_ulong c = b->columns[me]; c < b->columns[me + 1]; c++)
        for (cl_ulong r = 0; r < rows; r++)
            if (b->host[(c - b->columns[me]) * rows + r] != element(r * ROW + c))
                return false;
    return true;
}

/* Keys ascend; and they are those of the input, as far as their sum over all members tells. */
static bool right_sort(const bench *b, cl_uint *sum)
{
    for (cl_ulong i = 0; i < b->n; i++) {
        *sum += b->host[i];
        if (i != 0 && b->host[i - 1] > b->host[i])
            return false;
    }
    return true;
}

static bool right(bench *b, enum what what)
{
    bool good = true;
    cl_uint sum = 0;
    for (cl_uint l = 0; l < b->w.locals && good; l++) {
        const cl_uint me = b->w.first + l;
        bench_check(clEnqueueReadBuffer(b->w.queue[l], b->out[l].buffer, CL_TRUE, 0,
                                        results_of(b, what, l) * sizeof *b->host, b->host, 0, NULL, NULL),
                    "reading");
        good = what == REDUCE      ? b->host[0] == sum_below(b->n * b->w.members, b->n, b->n)
               : what == SORT      ? right_sort(b, &sum)
               : what == TRANSPOSE ? right_transpose(b, me)
                                   : right_scan(b, me, what);
    }
    if (what == SORT && b->w.locals == b->w.members)
        good = good && sum == sum_below(b->n * b->w.members, b->n, b->n);
    return bench_all(good);
}

/* ---- Timing -------------------------------------------------------------------------------------------- */

static clf_comm_plan *make(const bench *b, enum what what)
{
    static const clf_operator keys = {.size = sizeof(clf_operator), .value = "uint key;"};
    const clf_operator *sum = clf_builtin(CLF_SUM, CLF_UINT);
    clf_comm *comm = b->w.comm;
    clf_comm_plan *plan = NULL;
    bench_check(what == REDUCE      ? clf_comm_reduce_plan(comm, sum, 0, NULL, &plan, NULL)
                : what == ROWS      ? clf_comm_segmented_scan_plan(comm, sum, 0, NULL, &plan, NULL)
                : what == SORT      ? clf_comm_sort_plan(comm, &keys, 0, NULL, &plan, NULL)
                : what == TRANSPOSE ? clf_comm_transpose_plan(comm, sizeof(cl_uint), NULL, &plan, NULL)
                                    : clf_comm_scan_plan(comm, sum, 0, NULL, &plan, NULL),
                names[what]);
    return plan;
}

static void run(const bench *b, enum what what, clf_comm_plan *plan)
{
    cl_ulong n[BENCH_MEMBERS], columns[BENCH_MEMBERS];
    for (cl_uint l = 0; l < b->w.locals; l++) {
        const cl_uint me = b->w.first + l;
        n[l] = what == SMALL_SCAN ? 1 : what == TRANSPOSE ? b->n / ROW : b->n;
        columns[l] = b->columns[me + 1] - b->columns[me];
    }
    bench_check(what == REDUCE      ? clf_comm_reduce(plan, NULL, n, b->in, b->out)
                : what == ROWS      ? clf_comm_segmented_scan(plan, NULL, ROW, n, b->in, b->out)
                : what == SORT      ? clf_comm_sort(plan, n, b->in, b->out)
                : what == TRANSPOSE ? clf_comm_transpose(plan, ROW, n, columns, b->in, b->out)
                                    : clf_comm_scan(plan, NULL, n, b->in, b->out),
                names[what]);
}

static void time_row(bench *b, enum what what)
{
    clf_comm_plan *plan = make(b, what);
    double least = 1e30;
    run(b, what, plan);
    if (!right(b, what)) {
        fprintf(stderr, "%s over %u members is wrong\n", names[what], b->w.members);
        exit(1);
    }
    for (int i = 0; i < b->repeats; i++) {
        (void)bench_all(true); /* all begin together */
        const double begin = now();
        run(b, what, plan);
        const double took = bench_most(now() - begin);
        least = took < least ? took : least;
    }
    clf_comm_plan_release(plan);
    if (b->w.members == 1)
        b->alone[what] = least;
    const cl_ulong n = what == SMALL_SCAN ? 1 : b->n;
    if (bench_speaks())
        printf("%-13s %7u %11llu %10.3f %9.3f", names[what], b->w.members, (unsigned long long)n, least,
               (double)(n * b->w.members) * sizeof(cl_uint) * 1e-6 / least);
    if (bench_speaks())
        printf(b->alone[what] > 0 ? " %10.2f\n" : "          -\n", b->alone[what] / least);
}

int main(int argc, char **argv)
{
    bench b = {.n = 1 << 22, .repeats = 5};
    cl_uint least, most = 4;
    bench_start(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        const unsigned long long number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--members") == 0)
            most = (cl_uint)number;
        else if (strcmp(argv[i], "--n") == 0)
            b.n = number;
        else if (strcmp(argv[i], "--repeats") == 0)
            b.repeats = (int)number;
    }
    b.n = b.n / ROW * ROW;
    bench_range(most, &least, &most);
    bench_check(most >= 1 && most <= BENCH_MEMBERS && b.n != 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "--members or --n");
    if (bench_speaks())
        printf("%-13s %7s %11s %10s %9s %10s\n", "what", "members", "elements", "ms", "GB/s", "efficiency");
    for (cl_uint members = least; members <= most; members++) {
        bench_open(&b.w, members);
        fill(&b);
        for (int what = 0; what < KINDS; what++)
            time_row(&b, (enum what)what);
        empty(&b);
        bench_close(&b.w);
    }
    bench_stop();
    return 0;
}

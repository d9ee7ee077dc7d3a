/* SPDX-License-Identifier: MIT */
/*
 * mpiexec -n 4 mpi_statistics [FOLDER]: statistics of measurements in as many files as there are processes. Each reads
 * its own, part-RANK.bin in FOLDER, of any length, and makes it if it is missing. Mean, variance and extremes of what
 * is in all files up to each one, and the running total of every number, come from one scan over all devices.
 */
#include "example.h"

#include <clfold/clfold_mpi.h>

/* Count, sum, sum of squares, least and largest of measurements. */
static const clf_operator moments = {
    .size = sizeof moments, .input = "uint x;",
    .value = "ulong count; ulong sum; ulong squares; uint least; uint most;", .map = "of", .combine = "both",
    .neutral = "none",
    .flags = CLF_NO_INDEX,
    .source = "clf_value of(clf_input in, ulong i)\n"
              "{ clf_value v = {1, in.x, (ulong)in.x * in.x, in.x, in.x}; return v; }\n"
              "clf_value both(clf_value a, clf_value b)\n"
              "{ clf_value v = {a.count + b.count, a.sum + b.sum, a.squares + b.squares, min(a.least, b.least),\n"
              "                 max(a.most, b.most)}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0, 0, UINT_MAX, 0}; return v; }",
};
enum { FIELDS = 5 };
static const size_t bytes[FIELDS] = {8, 8, 8, 4, 4};

static void make_file(const char *name, int rank)
{
    FILE *file = fopen(name, "wb");
    check(file ? CLF_SUCCESS : CLF_E_ARGUMENT, name, NULL);
    for (cl_uint i = 0; i < 100000u + 7919u * (cl_uint)rank; ++i) {
        const cl_uint x = ((i + (cl_uint)rank) * 2654435761u) >> 20;
        check(fwrite(&x, sizeof x, 1, file) == 1 ? CLF_SUCCESS : CLF_E_ARGUMENT, "writing", NULL);
    }
    check(fclose(file) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "writing", NULL);
}

/* All numbers of a process's file; the caller frees them. */
static cl_uint *read_file(const char *folder, int rank, cl_ulong *n)
{
    char name[1024];
    snprintf(name, sizeof name, "%s/part-%d.bin", folder, rank);
    FILE *file = fopen(name, "rb");
    if (!file) {
        make_file(name, rank);
        file = fopen(name, "rb");
    }
    check(file && fseek(file, 0, SEEK_END) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, name, NULL);
    *n = (cl_ulong)ftell(file) / sizeof(cl_uint);
    cl_uint *numbers = calloc(*n + 1, sizeof *numbers);
    check(numbers ? CLF_SUCCESS : CLF_E_NO_MEMORY, "calloc", NULL);
    rewind(file);
    check(fread(numbers, sizeof *numbers, *n, file) == *n ? CLF_SUCCESS : CLF_E_ARGUMENT, "reading", NULL);
    fclose(file);
    return numbers;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    example x = example_open();
    clf_comm *comm;
    clf_comm_plan *plan;
    clf_array out[FIELDS];
    cl_ulong n;
    cl_uint *numbers = read_file(argc > 1 ? argv[1] : ".", rank, &n);
    const clf_array in = example_array(&x, (n + 1) * sizeof *numbers, numbers);
    for (int f = 0; f < FIELDS; ++f)
        out[f] = example_array(&x, (n + 1) * bytes[f], NULL);
    check(clf_mpi_comm_create(MPI_COMM_WORLD, x.context, x.queue, &comm), "clf_mpi_comm_create", NULL);
    check(clf_comm_scan_plan(comm, &moments, 0, NULL, &plan, &x.error), "clf_comm_scan_plan", &x.error);
    check(clf_comm_scan(plan, NULL, &n, &in, out), "clf_comm_scan", NULL);

    /* What stands at a process's last number is about all files up to its own. */
    cl_ulong own[2] = {n, 0}, before[2], last[3] = {0};
    cl_uint extreme[2] = {0};
    for (cl_ulong i = 0; i < n; ++i)
        own[1] += numbers[i];
    for (int f = 0; f < FIELDS && n != 0; ++f)
        check(clEnqueueReadBuffer(x.queue, out[f].buffer, CL_TRUE, (n - 1) * bytes[f], bytes[f],
                                  f < 3 ? (void *)&last[f] : (void *)&extreme[f - 3], 0, NULL, NULL),
              "reading", NULL);
    MPI_Scan(own, before, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
    const int right = n == 0 || (last[0] == before[0] && last[1] == before[1] && extreme[0] <= extreme[1]);
    const double mean = (double)last[1] / (double)last[0];
    if (n == 0)
        printf("file %d is empty\n", rank);
    else
        printf("files 0 to %d: %llu numbers from %u to %u, mean %.3f, variance %.3f\n", rank,
               (unsigned long long)last[0], extreme[0], extreme[1], mean,
               (double)last[2] / (double)last[0] - mean * mean);

    free(numbers);
    clf_comm_plan_release(plan);
    clf_comm_release(comm);
    example_release(&in, 1);
    example_release(out, FIELDS);
    example_close(&x);
    MPI_Finalize();
    return !right;
}

/* SPDX-License-Identifier: MIT */
/*
 * Statistics of a file of numbers that no single device needs to hold: every member reads its part of the file. Mean
 * and variance are one reduction over all devices; the running total at each number, one scan. Here three members share
 * a device; with MPI each process would read its own part, and clf_mpi_comm_create make the communicator.
 */
#include "example.h"

#include <clfold/clfold_distributed.h>

enum { MEMBERS = 3, NUMBERS = 1000000 };

/* Count, sum and sum of squares of measurements. */
static const clf_operator moments = {
    .size = sizeof moments, .input = "uint x;", .value = "ulong count; ulong sum; ulong squares;", .map = "of",
    .combine = "clf_sum",
    .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value of(clf_input in, ulong i) { clf_value v = {1, in.x, (ulong)in.x * in.x}; return v; }",
};

/* A total of 64 bits of numbers of 32. */
static const clf_operator total = {
    .size = sizeof total, .input = "uint x;", .value = "ulong sum;", .map = "of", .combine = "clf_sum",
    .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value of(clf_input in, ulong i) { clf_value v = {in.x}; return v; }",
};

/* A file of measurements, and what they add up to. */
static FILE *make_file(cl_ulong *sum)
{
    FILE *file = tmpfile();
    check(file ? CLF_SUCCESS : CLF_E_ARGUMENT, "tmpfile", NULL);
    *sum = 0;
    for (cl_uint i = 0; i < NUMBERS; ++i) {
        const cl_uint x = (i * 2654435761u) >> 20;
        check(fwrite(&x, sizeof x, 1, file) == 1 ? CLF_SUCCESS : CLF_E_ARGUMENT, "writing", NULL);
        *sum += x;
    }
    return file;
}

/* Numbers [begin, begin + n) of the file, on a member's device. */
static clf_array read_part(const example *x, FILE *file, cl_ulong begin, cl_ulong n)
{
    cl_uint *numbers = malloc(n * sizeof *numbers);
    check(numbers ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc", NULL);
    check(fseek(file, (long)(begin * sizeof *numbers), SEEK_SET) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "seeking", NULL);
    check(fread(numbers, sizeof *numbers, n, file) == n ? CLF_SUCCESS : CLF_E_ARGUMENT, "reading", NULL);
    const clf_array part = example_array(x, n * sizeof *numbers, numbers);
    free(numbers);
    return part;
}

int main(void)
{
    example x[MEMBERS];
    clf_comm_member members[MEMBERS];
    clf_array in[MEMBERS], running[MEMBERS], out[MEMBERS * 3];
    cl_ulong n[MEMBERS], sum, last, found[3];
    clf_comm *comm;
    clf_comm_plan *reduce, *scan;
    FILE *file = make_file(&sum);
    for (int l = 0; l < MEMBERS; ++l) {
        const cl_ulong begin = (cl_ulong)NUMBERS * l / MEMBERS;
        x[l] = example_open();
        members[l] = (clf_comm_member){x[l].context, x[l].queue};
        n[l] = (cl_ulong)NUMBERS * (l + 1) / MEMBERS - begin;
        in[l] = read_part(&x[l], file, begin, n[l]);
        running[l] = example_array(&x[l], n[l] * sizeof(cl_ulong), NULL);
        for (int f = 0; f < 3; ++f)
            out[3 * l + f] = example_array(&x[l], sizeof(cl_ulong), NULL);
    }
    fclose(file);
    check(clf_comm_create(MEMBERS, members, NULL, &comm), "clf_comm_create", NULL);
    check(clf_comm_reduce_plan(comm, &moments, 0, NULL, &reduce, &x[0].error), "moments", &x[0].error);
    check(clf_comm_scan_plan(comm, &total, 0, NULL, &scan, &x[0].error), "totals", &x[0].error);
    check(clf_comm_reduce(reduce, NULL, n, in, out), "clf_comm_reduce", NULL);
    check(clf_comm_scan(scan, NULL, n, in, running), "clf_comm_scan", NULL);

    for (int f = 0; f < 3; ++f) /* every member has them */
        example_read(&x[0], out[f], sizeof *found, &found[f]);
    const size_t at = (size_t)(n[MEMBERS - 1] - 1) * sizeof last;
    check(clEnqueueReadBuffer(x[MEMBERS - 1].queue, running[MEMBERS - 1].buffer, CL_TRUE, at, sizeof last, &last, 0,
                              NULL, NULL),
          "reading", NULL);
    const double mean = (double)found[1] / (double)found[0];
    printf("%llu numbers, mean %.3f, variance %.3f, running total at the end %llu\n", (unsigned long long)found[0],
           mean, (double)found[2] / (double)found[0] - mean * mean, (unsigned long long)last);

    clf_comm_plan_release(reduce);
    clf_comm_plan_release(scan);
    clf_comm_release(comm);
    example_release(in, MEMBERS);
    example_release(running, MEMBERS);
    example_release(out, MEMBERS * 3);
    for (int l = 0; l < MEMBERS; ++l)
        example_close(&x[l]);
    return !(found[0] == NUMBERS && found[1] == sum && last == sum);
}

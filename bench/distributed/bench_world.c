/* SPDX-License-Identifier: MIT */
#include "bench_world.h"

#ifdef WITH_MPI
#include <clfold/clfold_mpi.h>
#endif

void bench_check(cl_int status, const char *what)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, clf_status_text(status));
    exit(1);
}

/* ---- Processes ----------------------------------------------------------------------------------------- */

#ifdef WITH_MPI
static int rank_here(void)
{
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

void bench_start(int *argc, char ***argv)
{
    MPI_Init(argc, argv);
}

void bench_stop(void)
{
    MPI_Finalize();
}

void bench_range(cl_uint wanted, cl_uint *least, cl_uint *most)
{
    int size;
    (void)wanted;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    *least = *most = (cl_uint)size;
}

bool bench_all(bool good)
{
    int mine = good, all;
    MPI_Allreduce(&mine, &all, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all;
}

double bench_most(double number)
{
    double most;
    MPI_Allreduce(&number, &most, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    return most;
}

bool bench_speaks(void)
{
    return rank_here() == 0;
}
#else
static int rank_here(void)
{
    return 0;
}

void bench_start(int *argc, char ***argv)
{
    (void)argc;
    (void)argv;
}

void bench_stop(void)
{
}

void bench_range(cl_uint wanted, cl_uint *least, cl_uint *most)
{
    *least = 1;
    *most = wanted;
}

bool bench_all(bool good)
{
    return good;
}

double bench_most(double number)
{
    return number;
}

bool bench_speaks(void)
{
    return true;
}
#endif

/* ---- Members ------------------------------------------------------------------------------------------- */

/* Device `number`, counting round, of the first platform that has a GPU, or else any device. */
static cl_device_id find_device(cl_uint number)
{
    static const cl_device_type wanted[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_uint platform_count = 0, count;
    bench_check(clGetPlatformIDs(16, platforms, &platform_count), "platforms");
    for (int t = 0; t < 2; t++) {
        for (cl_uint p = 0; p < platform_count && p < 16; p++) {
            cl_device_id devices[16];
            if (clGetDeviceIDs(platforms[p], wanted[t], 16, devices, &count) == CL_SUCCESS && count != 0)
                return devices[number % (count < 16 ? count : 16)];
        }
    }
    bench_check(CL_DEVICE_NOT_FOUND, "a device");
    return NULL;
}

void bench_open(bench_world *w, cl_uint members)
{
    clf_comm_member list[BENCH_MEMBERS];
    *w = (bench_world){.locals = members};
#ifdef WITH_MPI
    w->locals = 1;
#endif
    for (cl_uint l = 0; l < w->locals; l++) {
        cl_int status;
        cl_device_id device = find_device((cl_uint)rank_here() + l);
        w->cl[l] = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
        bench_check(status, "a context");
        w->queue[l] = clCreateCommandQueue(w->cl[l], device, 0, &status);
        bench_check(status, "a queue");
        bench_check(clf_context_create(w->cl[l], device, NULL, &w->context[l], NULL), "clf_context_create");
        list[l] = (clf_comm_member){w->context[l], w->queue[l]};
    }
#ifdef WITH_MPI
    bench_check(clf_mpi_comm_create(MPI_COMM_WORLD, list[0].context, list[0].queue, &w->comm), "clf_mpi_comm_create");
#else
    bench_check(clf_comm_create(w->locals, list, NULL, &w->comm), "clf_comm_create");
#endif
    w->members = clf_comm_members(w->comm);
    w->first = clf_comm_first(w->comm);
}

void bench_close(bench_world *w)
{
    clf_comm_release(w->comm);
    for (cl_uint l = 0; l < w->locals; l++) {
        clf_context_release(w->context[l]);
        clReleaseCommandQueue(w->queue[l]);
        clReleaseContext(w->cl[l]);
    }
}

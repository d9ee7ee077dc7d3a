/* SPDX-License-Identifier: MIT */
/* consumer VERSION: does a communicator of the first device, if there is one, reduce? With MPI or without. */
#include <clfold/clfold_distributed.h>
#ifdef WITH_MPI
#include <clfold/clfold_mpi.h>
#endif

#include <stdio.h>

static clf_status create(clf_context *context, cl_command_queue queue, clf_comm **comm)
{
#ifdef WITH_MPI
    return clf_mpi_comm_create(MPI_COMM_WORLD, context, queue, comm);
#else
    const clf_comm_member member = {context, queue};
    return clf_comm_create(1, &member, NULL, comm);
#endif
}

/* The sum of three numbers. */
static clf_status reduce(clf_comm *comm, cl_context cl, cl_command_queue queue, cl_int *sum)
{
    cl_int numbers[] = {1, 2, 4}, status;
    const cl_ulong n = 3;
    clf_comm_plan *plan = NULL;
    const clf_array in = {clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof numbers, numbers, &status), 0};
    const clf_array out = {clCreateBuffer(cl, CL_MEM_READ_WRITE, sizeof *sum, NULL, &status), 0};
    status = clf_comm_reduce_plan(comm, clf_builtin(CLF_SUM, CLF_INT), 0, NULL, &plan, NULL);
    if (!status)
        status = clf_comm_reduce(plan, NULL, &n, &in, &out);
    if (!status)
        status = clEnqueueReadBuffer(queue, out.buffer, CL_TRUE, 0, sizeof *sum, sum, 0, NULL, NULL);
    if (plan)
        clf_comm_plan_release(plan);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out.buffer);
    return status;
}

static clf_status try_device(cl_device_id device, cl_int *sum)
{
    cl_int status;
    clf_context *context = NULL;
    clf_comm *comm = NULL;
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status)
        return status;
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    if (!status)
        status = clf_context_create(cl, device, NULL, &context, NULL);
    if (!status)
        status = create(context, queue, &comm);
    if (!status)
        status = reduce(comm, cl, queue, sum);
    if (comm)
        clf_comm_release(comm);
    if (context)
        clf_context_release(context);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return status;
}

int main(int argc, char **argv)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int sum = 7;
    clf_status status = CLF_SUCCESS;
#ifdef WITH_MPI
    MPI_Init(&argc, &argv);
#endif
    if (clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS &&
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS)
        status = try_device(device, &sum);
    printf("%s %s: %s, sum %d\n", argv[0], argc > 1 ? argv[1] : "", clf_status_text(status), sum);
#ifdef WITH_MPI
    MPI_Finalize();
#endif
    return status != CLF_SUCCESS || sum != 7;
}

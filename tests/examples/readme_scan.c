#define CL_TARGET_OPENCL_VERSION 120 /* all that clfold asks of OpenCL */
#include <clfold/clfold.h>
#include <stdio.h>
#include <stdlib.h>

/* Statuses of OpenCL and of clfold. */
static void check(clf_status status, const char *what)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s: %s\n", what, clf_status_text(status));
    exit(1);
}

/* clfold calls this before a call fails: the sentence names the call and the argument. */
static void print(const char *sentence, clf_status status, void *user)
{
    (void)status, (void)user;
    fprintf(stderr, "%s\n", sentence);
}

/* The first GPU of any platform, or else the first device. */
static cl_device_id pick_device(void)
{
    static const cl_device_type wanted[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ALL};
    cl_platform_id platforms[16];
    cl_device_id device;
    cl_uint count = 0;
    check(clGetPlatformIDs(16, platforms, &count), "platforms");
    for (int w = 0; w < 2; ++w)
        for (cl_uint p = 0; p < count && p < 16; ++p)
            if (clGetDeviceIDs(platforms[p], wanted[w], 1, &device, NULL) == CL_SUCCESS)
                return device;
    check(CL_DEVICE_NOT_FOUND, "devices");
    return NULL;
}

int main(void)
{
    cl_int status;
    cl_device_id device = pick_device();
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, "clCreateContext");
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, "clCreateCommandQueue");
    float data[] = {3, 1, 4, 1, 5, 9, 2, 6};
    clf_array x = {clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof data, data, &status), 0};
    check(status, "clCreateBuffer");

    const clf_context_options options = {.size = sizeof options, .notify = print};
    clf_context *context;
    check(clf_context_create(cl, device, &options, &context, NULL), "clf_context_create");
    check(clf_array_sort(context, CLF_ON(queue), CLF_FLOAT, 8, x, x), "sort");
    check(clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_FLOAT, 8, x, x), "scan");

    check(clEnqueueReadBuffer(queue, x.buffer, CL_TRUE, 0, sizeof data, data, 0, NULL, NULL), "reading");
    for (int i = 0; i < 8; ++i)
        printf("%g ", data[i]); /* 1 2 4 7 11 16 22 31 */
    putchar('\n');
    check(clf_context_release(context), "clf_context_release");
    clReleaseMemObject(x.buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return data[7] != 31;
}

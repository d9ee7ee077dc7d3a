#include <clfold/clfold.h>
#include <stdio.h>

int main(void)
{
    cl_platform_id platform;
    cl_device_id device;
    clGetPlatformIDs(1, &platform, NULL);
    clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, NULL);
    cl_command_queue queue = clCreateCommandQueueWithProperties(cl, device, NULL, NULL);

    float x[] = {3, 1, 4, 1, 5, 9, 2, 6};
    clf_array array = {clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof x, x, NULL), 0};

    clf_context *context;
    clf_context_create(cl, device, NULL, &context, NULL);
    clf_status status = clf_inclusive_scan(context, CLF_ON(queue), CLF_SUM, CLF_FLOAT, 8, array, array);

    clEnqueueReadBuffer(queue, array.buffer, CL_TRUE, 0, sizeof x, x, 0, NULL, NULL);
    for (int i = 0; i < 8; i++)
        printf("%g ", x[i]); /* 3 4 8 9 14 23 25 31 */
    printf("(%s)\n", clf_status_text(status));
    return clf_context_release(context) != CLF_SUCCESS || x[7] != 31;
}

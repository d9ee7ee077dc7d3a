/* SPDX-License-Identifier: MIT */
/* consumer VERSION: is this the library's version, and does a context come up on the first device, if there is one? */
#include <clfold/clfold.h>

#include <stdio.h>

static clf_status try_context(void)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    if (clGetPlatformIDs(1, &platform, NULL) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL))
        return CLF_SUCCESS;
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    if (status)
        return status;
    clf_context *context = NULL;
    status = clf_context_create(cl, device, NULL, &context, NULL);
    if (!status)
        clf_context_release(context);
    clReleaseContext(cl);
    return status;
}

int main(int argc, char **argv)
{
    unsigned major, minor, patch;
    if (argc != 2 || sscanf(argv[1], "%u.%u.%u", &major, &minor, &patch) != 3)
        return 2;
    clf_status status = try_context();
    printf("version %u, context: %s\n", clf_version(), clf_status_text(status));
    return status != CLF_SUCCESS || clf_version() != major * 10000 + minor * 100 + patch;
}

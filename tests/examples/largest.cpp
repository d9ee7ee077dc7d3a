/* SPDX-License-Identifier: MIT */
/* clfold.hpp in twenty lines: the largest of some numbers, and where it is, by an operator on a struct. */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.hpp>

#include <algorithm>
#include <cstdio>

struct best {
    float value;
    cl_uint at;
};
CLFOLD_FIELDS(best, value, at)

static const char *const source = R"(
    clf_value here(clf_input in, ulong i) { clf_value v = {in.x, (uint)i}; return v; }
    clf_value larger(clf_value a, clf_value b) { if (b.value > a.value) a = b; return a; }
    clf_value none(void) { clf_value v = {-INFINITY, 0}; return v; })";

static void run(cl_context cl, cl_device_id device, cl_command_queue queue, cl_mem x, cl_mem value, cl_mem at,
                cl_ulong n)
{
    const clfold::context context(cl, device);
    const clfold::op argmax = clfold::op(clfold::fields<best>())
                                  .input("float x;")
                                  .source(source)
                                  .map("here")
                                  .combine("larger")
                                  .neutral("none");
    const clfold::reduce_plan plan(context, argmax);
    clfold::event done;
    plan(clfold::on(queue).done(done), n, clfold::array<float>(x),
         {clfold::array<float>(value), clfold::array<cl_uint>(at)});
    done.wait();
}

int main()
try {
    cl_platform_id platform;
    cl_device_id device;
    if (clGetPlatformIDs(1, &platform, nullptr) || clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, nullptr))
        throw std::runtime_error("no OpenCL device");
    const cl_context cl = clCreateContext(nullptr, 1, &device, nullptr, nullptr, nullptr);
    const cl_command_queue queue = clCreateCommandQueue(cl, device, 0, nullptr);
    float x[] = {3, 1, 4, 1, 5, 9, 2, 6}, value = 0;
    cl_uint at = 0;
    const cl_mem in = clCreateBuffer(cl, CL_MEM_COPY_HOST_PTR, sizeof x, x, nullptr);
    const cl_mem out[] = {clCreateBuffer(cl, 0, sizeof value, nullptr, nullptr),
                          clCreateBuffer(cl, 0, sizeof at, nullptr, nullptr)};
    run(cl, device, queue, in, out[0], out[1], 8);
    clEnqueueReadBuffer(queue, out[0], CL_TRUE, 0, sizeof value, &value, 0, nullptr, nullptr);
    clEnqueueReadBuffer(queue, out[1], CL_TRUE, 0, sizeof at, &at, 0, nullptr, nullptr);
    std::printf("the largest is %g, at %u\n", value, static_cast<unsigned>(at)); // the largest is 9, at 5
    for (const cl_mem buffer : {in, out[0], out[1]})
        clReleaseMemObject(buffer);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
    return value != *std::max_element(x, x + 8) || at != 5;
} catch (const std::exception &e) {
    std::fprintf(stderr, "%s\n", e.what());
    return 1;
}

/* SPDX-License-Identifier: MIT */
/*
 * More elements than 31, and than 32, bits can count. Inputs are differences of a hash, x[i] = h(i+1) - h(i),
 * so that the scan must give h(i+1) - h(0), which a kernel makes and another checks on the device, with no
 * reference on the host.
 *
 * Runs on GPUs with enough memory, and elsewhere with CLFOLD_TEST_LARGE=1 (on a CPU it takes minutes).
 */
#include "harness.h"

#include <stdio.h>

static const char kernels[] =
    "uint h(ulong i) { uint x = (uint)(i ^ (i >> 32)) * 2654435761u; return x ^ (x >> 15); }\n"
    "__kernel void fill(__global TYPE *x, ulong n)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        x[i] = (TYPE)(h(i + 1) - h(i));\n"
    "}\n"
    "__kernel void check(__global const TYPE *x, ulong n, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (x[i] != (TYPE)(h(i + 1) - h(0)))\n"
    "            atomic_inc(errors);\n"
    "}\n";

static cl_ulong device_number(cl_device_info what)
{
    cl_ulong value = 0;
    assert_ok(clGetDeviceInfo(the_rig()->device, what, sizeof value, &value, NULL));
    return value;
}

/* Says why not. */
static bool is_possible(cl_ulong bytes)
{
    const cl_ulong memory = device_number(CL_DEVICE_GLOBAL_MEM_SIZE),
                   largest = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const bool wanted =
        rig_number("CLFOLD_TEST_LARGE", !the_rig()->is_cpu && memory >= (cl_ulong)15 << 30) != 0;
    const bool fits = bytes <= largest && bytes + (bytes >> 3) <= memory;
    if (!wanted)
        printf("large: skipped; CLFOLD_TEST_LARGE=1 runs it on this device\n");
    else if (!fits)
        printf("large: %llu MiB skipped: too much for this device\n", (unsigned long long)(bytes >> 20));
    return wanted && fits;
}

static cl_program build(const char *options)
{
    const char *source = kernels;
    cl_int status;
    cl_program program = clCreateProgramWithSource(the_rig()->cl, 1, &source, NULL, &status);
    assert_ok(status);
    assert_ok(clBuildProgram(program, 1, &the_rig()->device, options, NULL, NULL));
    return program;
}

/* Runs fill(buffer, n) or check(buffer, n, errors). */
static void run_kernel(cl_program program, const char *name, cl_mem buffer, cl_ulong n, cl_mem errors)
{
    const size_t items = 1 << 18;
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    assert_ok(status);
    assert_ok(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    assert_ok(clSetKernelArg(kernel, 1, sizeof n, &n));
    if (errors)
        assert_ok(clSetKernelArg(kernel, 2, sizeof errors, &errors));
    assert_ok(clEnqueueNDRangeKernel(the_rig()->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    clReleaseKernel(kernel);
}

/* In place, so that memory is needed but once. */
static void scan_large(clf_type type, const char *options, cl_ulong n)
{
    const cl_ulong bytes = n * clf_type_size(type);
    cl_uint count = 0;
    if (!is_possible(bytes))
        return;
    clf_plan *plan = rig_plan(&(plan_key){.op = ref_builtin(CLF_SUM, type)});
    cl_program program = build(options);
    clf_array array = {rig_buffer((size_t)bytes, NULL), 0};
    cl_mem errors = rig_buffer(sizeof count, &count);
    run_kernel(program, "fill", array.buffer, n, NULL);
    assert_ok(clf_scan(plan, the_rig()->queue, n, &array, &array, NULL, NULL, 0, NULL, NULL));
    run_kernel(program, "check", array.buffer, n, errors);
    rig_read(the_rig()->queue, errors, sizeof count, &count);
    ck_assert_msg(count == 0, "%u of %llu elements of type %s are wrong", count, (unsigned long long)n,
                  clf_type_name(type));
    clReleaseMemObject(errors);
    clReleaseMemObject(array.buffer);
    clReleaseProgram(program);
}

static const cl_ulong sizes[] = {0x7fffffff, 0x80000000, 0x80000001, 0x100000001};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(chars)
{
    scan_large(CLF_UCHAR, "-D TYPE=uchar", sizes[_i]);
}
END_TEST

START_TEST(ints)
{
    scan_large(CLF_UINT, "-D TYPE=uint", sizes[_i]);
}
END_TEST

Suite *large_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("large", &tests);
    tcase_add_loop_test(tests, chars, 0, SIZES);
    tcase_add_loop_test(tests, ints, 0, SIZES);
    return suite;
}

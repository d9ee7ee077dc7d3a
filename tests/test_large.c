/* SPDX-License-Identifier: MIT */
/*
 * More elements than 31, and than 32, bits can count; segments that long, and that many segments. Inputs are
 * differences of a hash, x[i] = h(i+1) - h(i), so that from element s to element i they add up to h(i+1) - h(s). One
 * kernel makes them and others check the sums on the device, with no reference on the host.
 *
 * Runs on GPUs with enough memory, and elsewhere with CLFOLD_TEST_LARGE=1 (on a CPU it takes minutes). One scan runs
 * everywhere: of 2^31 + 1 bytes. Filters, gathers and merges are in test_large_select.c, sorts and splits in
 * test_large_sort.c, other sorts and top-k in test_large_order.c, what comes of runs in test_large_runs.c.
 * CLFOLD_TEST_LARGE=4096 runs all with sizes so many times as small: that tests the tests.
 */
#include "harness.h"

#include "primitives/primitives.h"

#include <stdio.h>

static const char kernels[] =
    "uint h(ulong i) { uint x = (uint)(i ^ (i >> 32)) * 2654435761u; return x ^ (x >> 15); }\n"
    "__kernel void fill(__global TYPE *x, ulong n)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        x[i] = (TYPE)(h(i + 1) - h(i));\n"
    "}\n"
    "__kernel void set(__global TYPE *x, ulong n, ulong from, uint value)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        x[from + i] = (TYPE)value;\n"
    "}\n"
    "__kernel void check_scan(__global const TYPE *x, ulong n, ulong size, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (x[i] != (TYPE)(h(i + 1) - h(i - i % size)))\n"
    "            atomic_inc(errors);\n"
    "}\n"
    "__kernel void check_reduce(__global const TYPE *x, ulong n, ulong size, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (x[i] != (TYPE)(h((i + 1) * size) - h(i * size)))\n"
    "            atomic_inc(errors);\n"
    "}\n"
    "__kernel void check_neighbours(__global const TYPE *x, ulong n, ulong size, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0))\n"
    "        if (x[i] != (TYPE)(h(i + 1) - h(i - (i % size != 0))))\n"
    "            atomic_inc(errors);\n"
    "}\n"
    "__kernel void check_turned(__global const TYPE *x, ulong n, ulong rows, __global uint *errors)\n"
    "{\n"
    "    for (ulong i = get_global_id(0); i < n; i += get_global_size(0)) {\n"
    "        ulong from = i % rows * (n / rows) + i / rows;\n"
    "        if (x[i] != (TYPE)(h(from + 1) - h(from)))\n"
    "            atomic_inc(errors);\n"
    "    }\n"
    "}\n";

static cl_ulong device_number(cl_device_info what)
{
    cl_ulong value = 0;
    assert_ok(clGetDeviceInfo(the_rig()->device, what, sizeof value, &value, NULL));
    return value;
}

bool large_is_possible(cl_ulong bytes, cl_ulong more, bool everywhere)
{
    const cl_ulong memory = device_number(CL_DEVICE_GLOBAL_MEM_SIZE),
                   largest = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const bool wanted = rig_number("CLFOLD_TEST_LARGE",
                                   everywhere || (!the_rig()->is_cpu && memory >= (cl_ulong)15 << 30)) != 0;
    const bool fits = bytes <= largest && more <= largest && bytes + more + (bytes >> 3) <= memory;
    if (!wanted)
        printf("large: skipped; CLFOLD_TEST_LARGE=1 runs it on this device\n");
    else if (!fits)
        printf("large: %llu MiB skipped: too much for this device\n", (unsigned long long)((bytes + more) >> 20));
    return wanted && fits;
}

cl_ulong large_size(cl_ulong n)
{
    const long by = rig_number("CLFOLD_TEST_LARGE", 1);
    return by > 1 && n >= 1 << 16 ? n / (cl_ulong)by + n % (cl_ulong)by : n;
}

cl_program large_program(const char *source, const char *options)
{
    cl_int status;
    cl_program program = clCreateProgramWithSource(the_rig()->cl, 1, &source, NULL, &status);
    assert_ok(status);
    assert_ok(clBuildProgram(program, 1, &the_rig()->device, options, NULL, NULL));
    return program;
}

/* A kernel with its first two arguments, buffer and n. */
static cl_kernel kernel_on(cl_program program, const char *name, cl_mem buffer, cl_ulong n)
{
    cl_int status;
    cl_kernel kernel = clCreateKernel(program, name, &status);
    assert_ok(status);
    assert_ok(clSetKernelArg(kernel, 0, sizeof buffer, &buffer));
    assert_ok(clSetKernelArg(kernel, 1, sizeof n, &n));
    return kernel;
}

static void run_kernel(cl_kernel kernel)
{
    const size_t items = 1 << 18;
    assert_ok(clEnqueueNDRangeKernel(the_rig()->queue, kernel, 1, NULL, &items, NULL, 0, NULL, NULL));
    clReleaseKernel(kernel);
}

void large_make(cl_program program, const char *name, cl_mem buffer, cl_ulong n, cl_ulong size)
{
    cl_kernel kernel = kernel_on(program, name, buffer, n);
    assert_ok(clSetKernelArg(kernel, 2, sizeof size, &size));
    run_kernel(kernel);
}

void large_fill(cl_mem buffer, cl_uchar byte, cl_ulong from, cl_ulong n)
{
    const cl_uint value = byte;
    cl_program program = large_program(kernels, "-D TYPE=uchar");
    cl_kernel kernel = kernel_on(program, "set", buffer, n);
    assert_ok(clSetKernelArg(kernel, 2, sizeof from, &from));
    assert_ok(clSetKernelArg(kernel, 3, sizeof value, &value));
    run_kernel(kernel);
    clReleaseProgram(program);
}

cl_uchar large_byte(cl_mem buffer, cl_ulong i)
{
    cl_uchar byte = 99;
    assert_ok(clEnqueueReadBuffer(the_rig()->queue, buffer, CL_TRUE, (size_t)i, 1, &byte, 0, NULL, NULL));
    return byte;
}

void large_expect(cl_program program, const char *check, cl_mem buffer, cl_ulong n, cl_ulong size)
{
    cl_uint count = 0;
    cl_mem errors = rig_buffer(sizeof count, &count);
    cl_kernel kernel = kernel_on(program, check, buffer, n);
    assert_ok(clSetKernelArg(kernel, 2, sizeof size, &size));
    assert_ok(clSetKernelArg(kernel, 3, sizeof errors, &errors));
    run_kernel(kernel);
    rig_read(the_rig()->queue, errors, sizeof count, &count);
    ck_assert_msg(count == 0, "%u of %llu results of %s with segments of %llu are wrong", count, (unsigned long long)n,
                  check, (unsigned long long)size);
    clReleaseMemObject(errors);
}

static clf_array filled(cl_program program, clf_type type, cl_ulong n)
{
    const clf_array array = {rig_buffer((size_t)(n * clf_type_size(type)), NULL), 0};
    run_kernel(kernel_on(program, "fill", array.buffer, n));
    return array;
}

/* The one that runs everywhere: positions that do not fit an int. */
static bool bytes_beyond_31_bits(clf_type type, cl_ulong n, bool segmented)
{
    return type == CLF_UCHAR && n == 0x80000001 && !segmented;
}

/* In place, so that memory is needed but once. A plain scan, if `segmented` is false. */
static void scan_large(clf_type type, const char *options, cl_ulong count, cl_ulong size, bool segmented)
{
    const cl_ulong n = count * size;
    if (!large_is_possible(n * clf_type_size(type), 0, bytes_beyond_31_bits(type, n, segmented)))
        return;
    const plan_key key = {.op = ref_builtin(CLF_SUM, type)};
    clf_plan *plan = segmented ? rig_plan_of("segmented_scan", &key, NULL) : rig_plan(&key);
    cl_program program = large_program(kernels, options);
    const clf_array array = filled(program, type, n);
    if (segmented)
        assert_ok(clf_segmented_scan(plan, CLF_ON(the_rig()->queue), count, size, &array, &array));
    else
        assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), n, &array, &array));
    large_expect(program, "check_scan", array.buffer, n, size);
    clReleaseMemObject(array.buffer);
    clReleaseProgram(program);
}

static void reduce_large(clf_type type, const char *options, cl_ulong count, cl_ulong size)
{
    const cl_ulong bytes = clf_type_size(type);
    if (!large_is_possible(count * size * bytes, count * bytes, false))
        return;
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(NULL), clf_builtin(CLF_SUM, type), 0, NULL);
    cl_program program = large_program(kernels, options);
    const clf_array in = filled(program, type, count * size), out = {rig_buffer((size_t)(count * bytes), NULL), 0};
    assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), count, size, &in, &out));
    large_expect(program, "check_reduce", out.buffer, count, size);
    rig_release(in, out);
    clReleaseProgram(program);
    clf_plan_release(plan);
}

static void transpose_large(cl_ulong rows, cl_ulong columns)
{
    const cl_ulong n = rows * columns;
    if (!large_is_possible(n, n, false))
        return;
    clf_plan *plan = NULL;
    assert_ok(clf_transpose_plan(rig_context(NULL), 1, NULL, &plan, NULL));
    cl_program program = large_program(kernels, "-D TYPE=uchar");
    const clf_array in = filled(program, CLF_UCHAR, n), out = {rig_buffer((size_t)n, NULL), 0};
    assert_ok(clf_transpose(plan, CLF_ON(the_rig()->queue), 1, rows, columns, &in, &out));
    large_expect(program, "check_turned", out.buffer, n, rows);
    rig_release(in, out);
    clReleaseProgram(program);
    clf_plan_release(plan);
}

/* Sums of two neighbours. */
static void adjacent_large(cl_ulong count, cl_ulong size, bool in_place)
{
    const cl_ulong n = count * size;
    if (!large_is_possible(n, in_place ? 0 : n, false))
        return;
    clf_plan *plan = rig_plan_of("adjacent_difference", &(plan_key){.op = ref_builtin(CLF_SUM, CLF_UCHAR)}, NULL);
    cl_program program = large_program(kernels, "-D TYPE=uchar");
    const clf_array in = filled(program, CLF_UCHAR, n), out = {in_place ? in.buffer : rig_buffer((size_t)n, NULL), 0};
    assert_ok(clf_segmented_adjacent_difference(plan, CLF_ON(the_rig()->queue), count, size, &in, &out));
    large_expect(program, "check_neighbours", out.buffer, n, size);
    if (!in_place)
        clReleaseMemObject(out.buffer);
    clReleaseMemObject(in.buffer);
    clReleaseProgram(program);
}

const cl_ulong large_sizes[LARGE_SIZES] = {0x7fffffff, 0x80000000, 0x80000001, 0x100000001};

TEST(chars)
{
    scan_large(CLF_UCHAR, "-D TYPE=uchar", 1, large_size(large_sizes[_i]), false);
}

TEST(ints)
{
    scan_large(CLF_UINT, "-D TYPE=uint", 1, large_size(large_sizes[_i]), false);
}

/* Segments longer than 2^31 and 2^32, and more of them than that. */
static const struct {
    cl_ulong count, size;
} shapes[] = {{3, 0x80000001}, {2, 0x100000001}, {0x80000003, 2}, {0x100000001, 1}, {0x15555556, 13}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

TEST(segments)
{
    scan_large(CLF_UCHAR, "-D TYPE=uchar", large_size(shapes[_i].count), large_size(shapes[_i].size), true);
}

TEST(reductions)
{
    reduce_large(CLF_UCHAR, "-D TYPE=uchar", large_size(shapes[_i].count), large_size(shapes[_i].size));
}

TEST(adjacent_differences)
{
    adjacent_large(large_size(shapes[_i].count), large_size(shapes[_i].size), false);
    adjacent_large(large_size(shapes[_i].count), large_size(shapes[_i].size), true);
}

/* Rows, columns, and elements in all, of every variant. */
static const cl_ulong matrices[][2] = {
    {65537, 65539}, {65536, 65540}, {3, 0x60000001}, {0x80000003, 2}, {4, 0x40000004}, {1, 0x100000001}};
enum { MATRICES = sizeof matrices / sizeof matrices[0] };

TEST(transpositions)
{
    transpose_large(large_size(matrices[_i][0]), large_size(matrices[_i][1]));
}

TEST(segments_of_ints)
{
    scan_large(CLF_UINT, "-D TYPE=uint", 2, large_size(0x80000001), true);
    reduce_large(CLF_UINT, "-D TYPE=uint", 2, large_size(0x80000001));
}

/* A call that needs little scratch, behind one that has left 2^32 bytes of it: NVIDIA's driver cannot clear those. */
TEST(little_behind_much)
{
    enum { N = 100000 };
    const cl_ulong much = large_size((cl_ulong)1 << 32);
    static cl_uint values[N];
    const plan_key key = {.op = ref_builtin(CLF_SUM, CLF_UINT)};
    clf_plan *const plan = rig_plan(&key);
    const cl_command_queue queue = the_rig()->queue;
    clf_workspace *w = NULL;
    if (!large_is_possible(much, N * sizeof *values, false))
        return;
    assert_ok(clf_pool_take(&plan->context->pool, queue, true, much, &w));
    clf_pool_return(&plan->context->pool, w, queue, true, 0, NULL);
    for (size_t i = 0; i < N; ++i)
        values[i] = 1;
    cl_mem buffer = rig_buffer(sizeof values, values);
    const clf_array array = {buffer, 0};
    assert_ok(clf_scan(plan, CLF_ON(queue), N, &array, &array));
    assert_ok(clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, sizeof values, values, 0, NULL, NULL));
    for (size_t i = 0; i < N; ++i)
        ck_assert_uint_eq(values[i], i + 1);
    clReleaseMemObject(buffer);
    clf_pool_trim(&plan->context->pool);
}

RIG_SUITE_OF(large, NULL,
             (add_large_select_tests, add_large_sort_tests, add_large_order_tests, add_large_run_tests),
             {chars, LARGE_SIZES}, {ints, LARGE_SIZES}, {segments, SHAPES}, {reductions, SHAPES},
             {adjacent_differences, SHAPES}, {transpositions, MATRICES}, {segments_of_ints, 1}, {little_behind_much, 1})

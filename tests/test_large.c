/* SPDX-License-Identifier: MIT */
/*
 * More elements than 31, and than 32, bits can count; segments that long, and that many segments. Inputs are
 * differences of a hash, x[i] = h(i+1) - h(i), so that from element s to element i they add up to h(i+1) - h(s). One
 * kernel makes them and others check the sums on the device, with no reference on the host.
 *
 * Runs on GPUs with enough memory, and elsewhere with CLFOLD_TEST_LARGE=1 (on a CPU it takes minutes). One scan runs
 * everywhere: of 2^31 + 1 bytes.
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

/* Are there two buffers of these sizes? Says why not. `everywhere`: not on GPUs only. */
static bool is_possible(cl_ulong bytes, cl_ulong more, bool everywhere)
{
    const cl_ulong memory = device_number(CL_DEVICE_GLOBAL_MEM_SIZE),
                   largest = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    const bool wanted =
        rig_number("CLFOLD_TEST_LARGE", everywhere || (!the_rig()->is_cpu && memory >= (cl_ulong)15 << 30)) != 0;
    const bool fits = bytes <= largest && more <= largest && bytes + more + (bytes >> 3) <= memory;
    if (!wanted)
        printf("large: skipped; CLFOLD_TEST_LARGE=1 runs it on this device\n");
    else if (!fits)
        printf("large: %llu MiB skipped: too much for this device\n", (unsigned long long)((bytes + more) >> 20));
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

/* The n results of `check`, for segments of `size` elements (or as many rows), are right. */
static void expect_right(cl_program program, const char *check, cl_mem buffer, cl_ulong n, cl_ulong size)
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
    if (!is_possible(n * clf_type_size(type), 0, bytes_beyond_31_bits(type, n, segmented)))
        return;
    const plan_key key = {.op = ref_builtin(CLF_SUM, type)};
    clf_plan *plan = segmented ? rig_segmented_plan(&key) : rig_plan(&key);
    cl_program program = build(options);
    const clf_array array = filled(program, type, n);
    if (segmented)
        assert_ok(clf_segmented_scan(plan, CLF_ON(the_rig()->queue), count, size, &array, &array));
    else
        assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), n, &array, &array));
    expect_right(program, "check_scan", array.buffer, n, size);
    clReleaseMemObject(array.buffer);
    clReleaseProgram(program);
}

static void reduce_large(clf_type type, const char *options, cl_ulong count, cl_ulong size)
{
    const cl_ulong bytes = clf_type_size(type);
    if (!is_possible(count * size * bytes, count * bytes, false))
        return;
    clf_plan *plan = NULL;
    assert_ok(clf_reduce_plan(rig_context(NULL), clf_builtin(CLF_SUM, type), 0, NULL, &plan, NULL));
    cl_program program = build(options);
    const clf_array in = filled(program, type, count * size), out = {rig_buffer((size_t)(count * bytes), NULL), 0};
    assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), count, size, &in, &out));
    expect_right(program, "check_reduce", out.buffer, count, size);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out.buffer);
    clReleaseProgram(program);
    clf_plan_release(plan);
}

static void transpose_large(cl_ulong rows, cl_ulong columns)
{
    const cl_ulong n = rows * columns;
    if (!is_possible(n, n, false))
        return;
    clf_plan *plan = NULL;
    assert_ok(clf_transpose_plan(rig_context(NULL), 1, NULL, &plan, NULL));
    cl_program program = build("-D TYPE=uchar");
    const clf_array in = filled(program, CLF_UCHAR, n), out = {rig_buffer((size_t)n, NULL), 0};
    assert_ok(clf_transpose(plan, CLF_ON(the_rig()->queue), 1, rows, columns, &in, &out));
    expect_right(program, "check_turned", out.buffer, n, rows);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out.buffer);
    clReleaseProgram(program);
    clf_plan_release(plan);
}

/* Sums of two neighbours. */
static void adjacent_large(cl_ulong count, cl_ulong size, bool in_place)
{
    const cl_ulong n = count * size;
    if (!is_possible(n, in_place ? 0 : n, false))
        return;
    clf_plan *plan = rig_adjacent_plan(&(plan_key){.op = ref_builtin(CLF_SUM, CLF_UCHAR)});
    cl_program program = build("-D TYPE=uchar");
    const clf_array in = filled(program, CLF_UCHAR, n), out = {in_place ? in.buffer : rig_buffer((size_t)n, NULL), 0};
    assert_ok(clf_segmented_adjacent_difference(plan, CLF_ON(the_rig()->queue), count, size, &in, &out));
    expect_right(program, "check_neighbours", out.buffer, n, size);
    if (!in_place)
        clReleaseMemObject(out.buffer);
    clReleaseMemObject(in.buffer);
    clReleaseProgram(program);
}

/* One element of 2^20, by its index, and all that is left of it is the index. */
static void filter_large(cl_ulong n)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "ulong at;", .predicate = "rare", .map = "index_of",
        .source = "bool rare(clf_input x, ulong i) { return i % 1048576 == 77; }\n"
                  "clf_value index_of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};
    enum { ROOM = 5000 };
    cl_ulong got[ROOM], kept = 0, expected = (n + 1048576 - 78) / 1048576;
    clf_plan *plan = NULL;
    if (!is_possible(n, 8 * ROOM, false))
        return;
    assert_ok(clf_filter_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL));
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    const clf_array count = {rig_buffer(8, NULL), 0};
    assert_ok(clf_filter(plan, CLF_ON(the_rig()->queue), n, ROOM, &in, &out, &count));
    rig_read(the_rig()->queue, count.buffer, 8, &kept);
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    ck_assert_uint_eq(kept, expected);
    for (cl_ulong k = 0; k < kept; k++)
        ck_assert_uint_eq(got[k], k * 1048576 + 77);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(out.buffer);
    clReleaseMemObject(count.buffer);
    clf_plan_release(plan);
}

/* Two rare parts, and all else, of which there is room for the first few: each by the index alone. */
static void partition_large(cl_ulong n)
{
    static const clf_operator op = {
        .size = sizeof op, .input = "uchar x;", .value = "ulong at;", .part = "which", .map = "index_of",
        .source = "uint which(clf_input x, ulong i)\n"
                  "{ const uint k = (uint)i % 1048576; return k == 77 ? 0 : k == 4099 ? 1 : 2; }\n"
                  "clf_value index_of(clf_input x, ulong i) { clf_value v = {i}; return v; }"};
    enum { ROOM = 5000 };
    cl_ulong got[3][ROOM], counts[3];
    const cl_ulong expected[] = {(n + 1048576 - 78) / 1048576, (n + 1048576 - 4100) / 1048576};
    clf_plan *plan = NULL;
    if (!is_possible(n, 24 * ROOM, false))
        return;
    assert_ok(clf_partition_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL));
    const clf_array in = {rig_buffer((size_t)n, NULL), 0}, count = {rig_buffer(sizeof counts, NULL), 0};
    const cl_mem all = rig_buffer(sizeof got, NULL);
    const clf_array out[] = {{all, 0}, {all, ROOM}, {all, 2 * ROOM}};
    assert_ok(clf_partition(plan, CLF_ON(the_rig()->queue), n, ROOM, &in, out, &count));
    rig_read(the_rig()->queue, count.buffer, sizeof counts, counts);
    rig_read(the_rig()->queue, all, sizeof got, got);
    ck_assert_uint_eq(counts[0], expected[0]);
    ck_assert_uint_eq(counts[1], expected[1]);
    ck_assert_uint_eq(counts[2], n - expected[0] - expected[1]);
    for (cl_ulong k = 0; k < counts[1]; k++) {
        ck_assert_uint_eq(got[0][k], k * 1048576 + 77);
        ck_assert_uint_eq(got[1][k], k * 1048576 + 4099);
    }
    for (cl_ulong k = 0; k < ROOM; k++)
        ck_assert_uint_eq(got[2][k], k + (k >= 77) + (k >= 4098));
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(count.buffer);
    clReleaseMemObject(all);
    clf_plan_release(plan);
}

/* A few bytes to places all over a large array, and back from there. */
static void gather_large(cl_ulong n)
{
    enum { M = 1000 };
    cl_ulong places[M];
    cl_uchar values[M], got[M];
    clf_plan *gather = NULL, *scatter = NULL;
    if (!is_possible(n, 10 * M, false))
        return;
    for (cl_ulong i = 0; i < M; i++) {
        places[i] = i == M - 1 ? n - 1 : i * (n / M);
        values[i] = (cl_uchar)(7 * i + 1);
    }
    assert_ok(clf_gather_plan(rig_context(NULL), "uchar v;", CLF_ULONG, 0, NULL, &gather, NULL));
    assert_ok(clf_scatter_plan(rig_context(NULL), "uchar v;", CLF_ULONG, 0, NULL, &scatter, NULL));
    const cl_command_queue q = the_rig()->queue;
    const clf_array in = {rig_buffer(sizeof values, values), 0}, at = {rig_buffer(sizeof places, places), 0};
    const clf_array whole = {rig_buffer((size_t)n, NULL), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    assert_ok(clf_scatter(scatter, CLF_ON(q), M, n, &in, &at, &whole));
    assert_ok(clf_gather(gather, CLF_ON(q), n, M, &whole, &at, &out));
    rig_read(q, out.buffer, sizeof got, got);
    for (size_t i = 0; i < M; i++)
        ck_assert_uint_eq(got[i], values[i]);
    clReleaseMemObject(in.buffer);
    clReleaseMemObject(at.buffer);
    clReleaseMemObject(whole.buffer);
    clReleaseMemObject(out.buffer);
    clf_plan_release(gather);
    clf_plan_release(scatter);
}

static cl_uchar byte_at(cl_mem buffer, cl_ulong i)
{
    cl_uchar byte = 99;
    assert_ok(clEnqueueReadBuffer(the_rig()->queue, buffer, CL_TRUE, (size_t)i, 1, &byte, 0, NULL, NULL));
    return byte;
}

/* Ones, then twos, merged with a zero and a two: and their bounds, of sorted needles and of others. */
static void merge_large(cl_ulong n)
{
    static const cl_uchar one = 1, two = 2, few[] = {0, 1, 2, 3};
    const clf_operator *const bytes = ref_order_of(REF_ORDER_BYTE)->clf;
    const cl_command_queue queue = the_rig()->queue;
    const cl_ulong ones = n / 2, expected[] = {0, 0, ones, n};
    if (!is_possible(n, n + 4, false))
        return;
    const clf_array in[] = {{rig_buffer((size_t)n, NULL), 0}, {rig_buffer(sizeof few, few), 0}};
    const clf_array out = {rig_buffer((size_t)n + 4, NULL), 0};
    clf_plan *plan = NULL;
    assert_ok(clEnqueueFillBuffer(queue, in[0].buffer, &one, 1, 0, (size_t)ones, 0, NULL, NULL));
    assert_ok(clEnqueueFillBuffer(queue, in[0].buffer, &two, 1, (size_t)ones, (size_t)(n - ones), 0, NULL, NULL));
    assert_ok(clf_merge_plan(rig_context(NULL), bytes, 0, NULL, &plan, NULL));
    assert_ok(clf_merge(plan, CLF_ON(queue), n, 4, in, &out)); /* 0, ones and one more, twos and one more, 3 */
    const cl_ulong at[] = {0, 1, ones, ones + 1, ones + 2, ones + 3, n + 2, n + 3};
    const cl_uchar there[] = {0, 1, 1, 1, 2, 2, 2, 3};
    for (size_t i = 0; i < COUNT(at); i++)
        ck_assert_uint_eq(byte_at(out.buffer, at[i]), there[i]);
    clf_plan_release(plan);
    for (unsigned flags = 0; flags <= CLF_SORTED_NEEDLES; flags += CLF_SORTED_NEEDLES) {
        cl_ulong got[4];
        assert_ok(clf_bounds_plan(rig_context(NULL), bytes, CLF_ULONG, flags, NULL, &plan, NULL));
        assert_ok(clf_bounds(plan, CLF_ON(queue), n, 4, in, &out));
        rig_read(queue, out.buffer, sizeof got, got);
        for (int k = 0; k < 4; k++)
            ck_assert_uint_eq(got[k], expected[k]);
        clf_plan_release(plan);
    }
    clReleaseMemObject(in[0].buffer);
    clReleaseMemObject(in[1].buffer);
    clReleaseMemObject(out.buffer);
}

static const cl_ulong sizes[] = {0x7fffffff, 0x80000000, 0x80000001, 0x100000001};
enum { SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(chars)
{
    scan_large(CLF_UCHAR, "-D TYPE=uchar", 1, sizes[_i], false);
}
END_TEST

START_TEST(ints)
{
    scan_large(CLF_UINT, "-D TYPE=uint", 1, sizes[_i], false);
}
END_TEST

/* Segments longer than 2^31 and 2^32, and more of them than that. */
static const struct {
    cl_ulong count, size;
} shapes[] = {{3, 0x80000001}, {2, 0x100000001}, {0x80000003, 2}, {0x100000001, 1}, {0x15555556, 13}};
enum { SHAPES = sizeof shapes / sizeof shapes[0] };

START_TEST(segments)
{
    scan_large(CLF_UCHAR, "-D TYPE=uchar", shapes[_i].count, shapes[_i].size, true);
}
END_TEST

START_TEST(reductions)
{
    reduce_large(CLF_UCHAR, "-D TYPE=uchar", shapes[_i].count, shapes[_i].size);
}
END_TEST

START_TEST(filters)
{
    filter_large(sizes[_i]);
    partition_large(sizes[_i]);
}
END_TEST

START_TEST(gathers)
{
    gather_large(sizes[_i]);
}
END_TEST

START_TEST(merges)
{
    merge_large(sizes[_i]);
}
END_TEST

START_TEST(adjacent_differences)
{
    adjacent_large(shapes[_i].count, shapes[_i].size, false);
    adjacent_large(shapes[_i].count, shapes[_i].size, true);
}
END_TEST

/* Rows, columns, and elements in all, of every variant. */
static const cl_ulong matrices[][2] = {
    {65537, 65539}, {65536, 65540}, {3, 0x60000001}, {0x80000003, 2}, {4, 0x40000004}, {1, 0x100000001}};
enum { MATRICES = sizeof matrices / sizeof matrices[0] };

START_TEST(transpositions)
{
    transpose_large(matrices[_i][0], matrices[_i][1]);
}
END_TEST

START_TEST(segments_of_ints)
{
    scan_large(CLF_UINT, "-D TYPE=uint", 2, 0x80000001, true);
    reduce_large(CLF_UINT, "-D TYPE=uint", 2, 0x80000001);
}
END_TEST

Suite *large_suite(void)
{
    TCase *tests;
    Suite *suite = rig_suite("large", &tests);
    tcase_add_loop_test(tests, chars, 0, SIZES);
    tcase_add_loop_test(tests, ints, 0, SIZES);
    tcase_add_loop_test(tests, segments, 0, SHAPES);
    tcase_add_loop_test(tests, reductions, 0, SHAPES);
    tcase_add_loop_test(tests, filters, 0, SIZES);
    tcase_add_loop_test(tests, gathers, 0, SIZES);
    tcase_add_loop_test(tests, merges, 0, SIZES);
    tcase_add_loop_test(tests, adjacent_differences, 0, SHAPES);
    tcase_add_loop_test(tests, transpositions, 0, MATRICES);
    tcase_add_test(tests, segments_of_ints);
    return suite;
}

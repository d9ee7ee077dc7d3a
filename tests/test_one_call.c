/* SPDX-License-Identifier: MIT */
/*
 * The one-call functions on every type: what they return is what the reference makes. (Their scans are in scan_options
 * and device, too.)
 */
#include "gen.h"
#include "harness.h"

#include <math.h>
#include <string.h>

enum { N = 3000, SIZE = 50, COUNT_OF_ROWS = N / SIZE, MOST_BYTES = 16, UNTOUCHED = 0x5c };

/* N elements in device memory, room for as many results, which nobody wrote yet, and both on the host. */
typedef struct arrays {
    size_t bytes, real; /* of an element; as in ref_operator */
    unsigned char in[N * MOST_BYTES], expected[N * MOST_BYTES];
    clf_array from, to;
} arrays;

static void open_arrays(arrays *a, size_t bytes)
{
    a->bytes = bytes;
    memset(a->expected, UNTOUCHED, sizeof a->expected);
    a->from = (clf_array){rig_buffer(N * bytes, a->in), 0};
    a->to = (clf_array){rig_buffer(N * bytes, a->expected), 0};
}

/* All of the results as expected? */
static void close_arrays(arrays *a)
{
    unsigned char got[N * MOST_BYTES];
    rig_read(the_rig()->queue, a->to.buffer, N * a->bytes, got);
    ck_assert_uint_eq(ref_wrong_byte(a->real, N * a->bytes, got, a->expected), N * a->bytes);
    rig_release(a->from, a->to);
}

/* Was it done? Not every device has every type. */
static bool is_done(clf_status status, clf_type type)
{
    if (status == CLF_E_UNSUPPORTED && (type == CLF_HALF || type == CLF_DOUBLE))
        return false;
    assert_ok(status);
    return true;
}

static void fill(arrays *a, clf_op op, clf_type type)
{
    gen random = gen_seed(the_rig()->seed, (uint64_t)type);
    for (size_t i = 0; i < N; ++i)
        gen_builtin(&random, op, type, i, a->in + i * clf_type_size(type));
}

/* ---- Operators ----------------------------------------------------------------------------------------- */

TEST(scans_and_reductions)
{
    static const clf_op ops[] = {CLF_SUM, CLF_MIN, CLF_MAX};
    static arrays a;
    static unsigned char heads[N];
    const clf_type type = (clf_type)_i;
    const clf_op op = ops[_i % 3];
    const ref_operator *reference = ref_builtin(op, type);
    const void *in = a.in;
    void *expected = a.expected;
    clf_context *c = rig_context(NULL);
    const clf_call *on = CLF_ON(the_rig()->queue);
    a.real = reference->real;
    for (size_t i = 0; i < N; ++i)
        heads[i] = i % SIZE == 0;
    fill(&a, op, type);

    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_inclusive_scan(c, on, op, type, N, a.from, a.to), type))
        ref_scan(reference, N, &in, &expected, NULL, false);
    close_arrays(&a);

    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_exclusive_scan(c, on, op, type, N, a.from, a.to), type))
        ref_scan(reference, N, &in, &expected, NULL, true);
    close_arrays(&a);

    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_rows_inclusive_scan(c, on, op, type, COUNT_OF_ROWS, SIZE, a.from, a.to), type))
        ref_segmented_scan(reference, N, heads, &in, &expected, NULL, false);
    close_arrays(&a);

    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_array_reduce(c, on, op, type, N, a.from, a.to), type))
        ref_reduce(reference, 1, N, &in, &expected, NULL);
    close_arrays(&a);

    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_rows_reduce(c, on, op, type, COUNT_OF_ROWS, SIZE, a.from, a.to), type))
        ref_reduce(reference, COUNT_OF_ROWS, SIZE, &in, &expected, NULL);
    close_arrays(&a);
}

/* ---- Kept or not --------------------------------------------------------------------------------------- */

static cl_ulong read_count(cl_mem buffer)
{
    cl_ulong counts[2];
    rig_read(the_rig()->queue, buffer, sizeof counts, counts);
    ck_assert_uint_eq(counts[0], 77); /* the count goes behind it */
    return counts[1];
}

TEST(flagged)
{
    static arrays a;
    static unsigned char flags[N];
    if (!rig_in_turn(_i, 2))
        return;
    const clf_type type = (clf_type)_i;
    const size_t bytes = clf_type_size(type);
    const cl_ulong before[2] = {77, 77};
    gen random = gen_seed(the_rig()->seed, 100 + (uint64_t)_i);
    size_t kept = 0;
    for (size_t i = 0; i < N; ++i)
        flags[i] = gen_chance(&random, 50) ? (unsigned char)(1 + gen_below(&random, 255)) : 0;
    fill(&a, CLF_SUM, type);
    open_arrays(&a, bytes);
    const clf_array told = {rig_buffer(sizeof flags, flags), 0}, count = {rig_buffer(sizeof before, before), 1};
    if (is_done(clf_array_filter(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, a.from, told, a.to, count),
                type)) {
        for (size_t i = 0; i < N; ++i)
            if (flags[i])
                memcpy(a.expected + kept++ * bytes, a.in + i * bytes, bytes);
        ck_assert_uint_eq(read_count(count.buffer), kept);
    }
    close_arrays(&a);
    rig_release(told, count);
}

TEST(first_of_each_run)
{
    static arrays a;
    if (!rig_in_turn(_i + 1, 2))
        return;
    const clf_type type = (clf_type)_i;
    const size_t bytes = clf_type_size(type);
    const cl_ulong before[2] = {77, 77};
    gen random = gen_seed(the_rig()->seed, 200 + (uint64_t)_i);
    size_t kept = 0;
    fill(&a, CLF_SUM, type);
    for (size_t i = 1; i < N; ++i)
        if (gen_chance(&random, 60))
            memcpy(a.in + i * bytes, a.in + (i - 1) * bytes, bytes);
    open_arrays(&a, bytes);
    const clf_array count = {rig_buffer(sizeof before, before), 1};
    if (is_done(clf_array_unique(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, a.from, a.to, count), type)) {
        for (size_t i = 0; i < N; ++i)
            if (i == 0 || memcmp(a.in + i * bytes, a.in + (i - 1) * bytes, bytes) != 0)
                memcpy(a.expected + kept++ * bytes, a.in + i * bytes, bytes);
        ck_assert_uint_eq(read_count(count.buffer), kept);
    }
    close_arrays(&a);
    clReleaseMemObject(count.buffer);
}

/* The even ones of pairs of numbers, and then of each pair the first, where they are. */
TEST(in_place)
{
    enum { MANY = 1 << 20 };
    static cl_int data[MANY];
    static unsigned char flags[MANY];
    const clf_call *on = CLF_ON(the_rig()->queue);
    cl_ulong kept = 0;
    for (cl_int i = 0; i < MANY; ++i) {
        data[i] = i / 2;
        flags[i] = i / 2 % 2 == 0;
    }
    const clf_array all = {rig_buffer(sizeof data, data), 0}, told = {rig_buffer(sizeof flags, flags), 0};
    const clf_array count = {rig_buffer(8, NULL), 0};
    assert_ok(clf_array_filter(rig_context(NULL), on, CLF_INT, MANY, all, told, all, count));
    assert_ok(clf_array_unique(rig_context(NULL), on, CLF_INT, MANY / 2, all, all, count));
    rig_read(the_rig()->queue, all.buffer, sizeof data, data);
    rig_read(the_rig()->queue, count.buffer, sizeof kept, &kept);
    ck_assert_uint_eq(kept, MANY / 4);
    for (cl_int i = 0; i < MANY / 4; ++i)
        ck_assert_int_eq(data[i], 2 * i);
    rig_release(all, told, count);
}

TEST(run_lengths)
{
    static arrays a;
    static cl_ulong lengths[N], got[N];
    if (!rig_in_turn(_i, 2))
        return;
    const clf_type type = (clf_type)_i;
    const size_t bytes = clf_type_size(type);
    const cl_ulong before[2] = {77, 77};
    gen random = gen_seed(the_rig()->seed, 400 + (uint64_t)_i);
    size_t runs = 0;
    fill(&a, CLF_SUM, type);
    memset(lengths, UNTOUCHED, sizeof lengths);
    for (size_t i = 1; i < N; ++i)
        if (gen_chance(&random, 60))
            memcpy(a.in + i * bytes, a.in + (i - 1) * bytes, bytes);
    open_arrays(&a, bytes);
    const clf_array count = {rig_buffer(sizeof before, before), 1}, to = {rig_buffer(sizeof lengths, lengths), 0};
    if (is_done(clf_array_run_lengths(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, a.from, a.to, to, count),
                type)) {
        for (size_t i = 0; i < N; ++i) {
            if (i == 0 || memcmp(a.in + i * bytes, a.in + (i - 1) * bytes, bytes) != 0) {
                memcpy(a.expected + runs * bytes, a.in + i * bytes, bytes);
                lengths[runs++] = 0;
            }
            ++lengths[runs - 1];
        }
        ck_assert_uint_eq(read_count(count.buffer), runs);
    }
    rig_read(the_rig()->queue, to.buffer, sizeof got, got);
    ck_assert_mem_eq(got, lengths, sizeof got);
    close_arrays(&a);
    rig_release(count, to);
}

TEST(sorted)
{
    static arrays a;
    const clf_type type = (clf_type)_i;
    const void *in = a.in;
    void *expected = a.expected;
    fill(&a, CLF_SUM, type);
    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_array_sort(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, a.from, a.to), type))
        ref_sort_run(ref_sort_of(type), 0, N, &in, &expected);
    close_arrays(&a);
}

TEST(least_and_largest)
{
    static arrays a;
    if (!rig_in_turn(_i / 2 + _i, 2))
        return;
    const clf_type type = (clf_type)(_i / 2);
    const cl_bool largest = _i % 2;
    const void *in = a.in;
    void *expected = a.expected;
    fill(&a, CLF_SUM, type);
    open_arrays(&a, clf_type_size(type));
    if (is_done(clf_array_top_k(rig_context(NULL), CLF_ON(the_rig()->queue), type, largest, N, 2 * N, a.from, a.to),
                type))
        ref_top_k(ref_sort_of(type), largest ? CLF_DESCENDING : 0, 1, N, N, &in, &expected);
    close_arrays(&a);
}

/* ---- Matrices, and what is refused --------------------------------------------------------------------- */

/* Of integers from -10 on, of which there are bins for some. */
TEST(histograms)
{
    enum { BINS = 50 };
    static arrays a;
    cl_uint got[BINS], want[BINS] = {0};
    const clf_type type = (clf_type)_i;
    const size_t bytes = clf_type_size(type);
    gen random = gen_seed(the_rig()->seed, 70 + (uint64_t)_i);
    for (size_t i = 0; i < N; ++i) {
        const int64_t bin = (int64_t)gen_below(&random, 80) - 10;
        memcpy(a.in + i * bytes, &bin, bytes); /* little-endian hosts */
        if (bin >= 0 && bin < BINS)
            ++want[bin];
    }
    open_arrays(&a, bytes);
    const clf_array counts = {rig_buffer(sizeof got, NULL), 0};
    assert_ok(clf_array_histogram(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, BINS, a.from, counts));
    rig_read(the_rig()->queue, counts.buffer, sizeof got, got);
    ck_assert_mem_eq(got, want, sizeof got);
    close_arrays(&a);
    clReleaseMemObject(counts.buffer);
}

/* Bins of a width that divides without rounding; numbers of all sizes, and a NaN. */
TEST(even_histograms)
{
    enum { BINS = 40 };
    static cl_double wide[N];
    static cl_float narrow[N];
    cl_uint got[BINS], want[BINS] = {0};
    const cl_double wide_range[] = {-3, 0.25};
    const cl_float narrow_range[] = {-3, 0.25f};
    gen random = gen_seed(the_rig()->seed, 99);
    for (size_t i = 0; i < N; ++i) {
        wide[i] = (cl_double)gen_below(&random, 2000) / 100 - 8;
        wide[i] = i == 5 ? (cl_double)NAN : i == 6 ? 1e30 : i == 7 ? -1e30 : wide[i];
        narrow[i] = (cl_float)wide[i];
        const double place = _i ? (wide[i] + 3) * 4 : (narrow[i] + 3.0f) * 4;
        if (place >= 0 && place < BINS)
            ++want[(size_t)place];
    }
    const clf_type type = _i ? CLF_DOUBLE : CLF_FLOAT;
    const clf_array in = {_i ? rig_buffer(sizeof wide, wide) : rig_buffer(sizeof narrow, narrow), 0};
    const clf_array range = {_i ? rig_buffer(16, wide_range) : rig_buffer(8, narrow_range), 0};
    const clf_array counts = {rig_buffer(sizeof got, NULL), 0};
    if (is_done(clf_array_histogram_even(rig_context(NULL), CLF_ON(the_rig()->queue), type, N, BINS, range, in, counts),
                type)) {
        rig_read(the_rig()->queue, counts.buffer, sizeof got, got);
        ck_assert_mem_eq(got, want, sizeof got);
    }
    rig_release(in, range, counts);
}

TEST(matrices)
{
    static arrays a;
    enum { ROWS = 40, COLUMNS = 75 };
    const size_t bytes = (size_t)_i + 1;
    gen random = gen_seed(the_rig()->seed, 300 + bytes);
    for (size_t i = 0; i < N * bytes; ++i)
        a.in[i] = (unsigned char)gen_bits(&random);
    open_arrays(&a, bytes);
    assert_ok(clf_matrix_transpose(rig_context(NULL), CLF_ON(the_rig()->queue), bytes, ROWS, COLUMNS, a.from, a.to));
    ref_transpose(bytes, 1, ROWS, COLUMNS, a.in, a.expected);
    close_arrays(&a);
}

TEST(wrong_arguments)
{
    static arrays a;
    clf_context *c = rig_context(NULL);
    const clf_call *on = CLF_ON(the_rig()->queue);
    const clf_array none = {NULL, 0};
    open_arrays(&a, 4);
    const clf_array in = a.from, out = a.to, count = {rig_buffer(8, NULL), 0}, behind = {a.from.buffer, 1};
    assert_status(clf_array_reduce(NULL, on, CLF_SUM, CLF_INT, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_reduce(c, on, CLF_XOR, CLF_FLOAT, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_rows_inclusive_scan(c, on, CLF_OP_COUNT, CLF_INT, 1, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_rows_reduce(c, on, CLF_SUM, CLF_TYPE_COUNT, 1, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_filter(NULL, on, CLF_INT, N, in, in, out, count), CLF_E_ARGUMENT);
    assert_status(clf_array_filter(c, on, CLF_TYPE_COUNT, N, in, in, out, count), CLF_E_ARGUMENT);
    assert_status(clf_array_filter(c, on, CLF_INT, N, in, none, out, count), CLF_E_ARGUMENT);
    assert_status(clf_array_filter(c, on, CLF_INT, N, in, in, out, none), CLF_E_ARGUMENT);
    assert_status(clf_array_unique(c, on, CLF_TYPE_COUNT, N, in, out, count), CLF_E_ARGUMENT);
    assert_status(clf_array_unique(c, on, CLF_INT, N - 1, behind, in, count), CLF_E_ALIAS);
    assert_status(clf_array_unique(c, on, CLF_INT, N, behind, out, count), CLF_E_BUFFER);
    assert_status(clf_array_run_lengths(NULL, on, CLF_INT, N, in, out, none, count), CLF_E_ARGUMENT);
    assert_status(clf_array_run_lengths(c, on, CLF_TYPE_COUNT, N, in, out, none, count), CLF_E_ARGUMENT);
    assert_status(clf_array_run_lengths(c, on, CLF_INT, N, in, out, none, count), CLF_E_ARGUMENT);
    assert_status(clf_array_run_lengths(c, on, CLF_INT, N, in, in, out, count), CLF_E_BUFFER);
    assert_status(clf_array_sort(NULL, on, CLF_INT, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_sort(c, on, CLF_TYPE_COUNT, N, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_sort(c, on, CLF_INT, N, in, none), CLF_E_ARGUMENT);
    assert_status(clf_array_sort(c, on, CLF_INT, N, behind, out), CLF_E_BUFFER);
    assert_status(clf_array_top_k(NULL, on, CLF_INT, CL_TRUE, N, 3, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_top_k(c, on, CLF_TYPE_COUNT, CL_TRUE, N, 3, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_top_k(c, on, CLF_INT, CL_TRUE, N, 3, in, in), CLF_E_ALIAS);
    assert_status(clf_array_histogram(NULL, on, CLF_INT, N, 3, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_histogram(c, on, CLF_FLOAT, N, 3, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_histogram(c, on, CLF_INT, N, 3, in, in), CLF_E_ALIAS);
    assert_status(clf_array_histogram_even(c, on, CLF_INT, N, 3, in, in, out), CLF_E_ARGUMENT);
    assert_status(clf_array_histogram_even(c, on, CLF_FLOAT, N, 3, none, in, out), CLF_E_ARGUMENT);
    assert_status(clf_matrix_transpose(c, on, 0, 1, 1, in, out), CLF_E_ARGUMENT);
    assert_status(clf_matrix_transpose(c, on, 17, 1, 1, in, out), CLF_E_ARGUMENT);
    close_arrays(&a);
    clReleaseMemObject(count.buffer);
}

RIG_SUITE_OF(one_call, NULL, (add_shuffle_tests, add_histogram_tests, add_histogram_refusals, add_once_tests),
             {scans_and_reductions, CLF_TYPE_COUNT}, {flagged, CLF_TYPE_COUNT}, {first_of_each_run, CLF_TYPE_COUNT},
             {in_place, 1}, {run_lengths, CLF_TYPE_COUNT}, {sorted, CLF_TYPE_COUNT},
             {least_and_largest, 2 * CLF_TYPE_COUNT}, {histograms, CLF_HALF}, {even_histograms, 2}, {matrices, 16},
             {wrong_arguments, 1})

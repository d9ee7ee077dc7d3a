/* SPDX-License-Identifier: MIT */
/*
 * Shuffles and random permutations, a part of suite `one_call`: they are what sorting by the published generator gives,
 * on every variant of the sort; every place is as likely as another; and what is refused.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* ---- What is right --------------------------------------------------------------------------------------------- */

/* Philox4x32-10 of counter (i, 0) and this key, as the paper has it. */
static cl_ulong philox(cl_ulong i, cl_ulong seed)
{
    cl_uint x[4] = {(cl_uint)i, (cl_uint)(i >> 32), 0, 0}, key[2] = {(cl_uint)seed, (cl_uint)(seed >> 32)};
    for (int round = 0; round < 10; ++round) {
        const cl_ulong first = (cl_ulong)0xD2511F53 * x[0], second = (cl_ulong)0xCD9E8D57 * x[2];
        const cl_uint next[4] = {(cl_uint)(second >> 32) ^ x[1] ^ key[0], (cl_uint)second,
                                 (cl_uint)(first >> 32) ^ x[3] ^ key[1], (cl_uint)first};
        memcpy(x, next, sizeof x);
        key[0] += 0x9E3779B9;
        key[1] += 0xBB67AE85;
    }
    return (cl_ulong)x[1] << 32 | x[0];
}

typedef struct keyed {
    cl_ulong key, index;
} keyed;

static int compare(const void *a, const void *b)
{
    const keyed *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

enum { MOST = 70000 };

static void expect(cl_ulong seed, size_t n, cl_uint *order)
{
    static keyed all[MOST];
    for (size_t i = 0; i < n; ++i)
        all[i] = (keyed){philox(i, seed), i};
    qsort(all, n, sizeof all[0], compare);
    for (size_t i = 0; i < n; ++i)
        order[i] = (cl_uint)all[i].index;
}

/* ---- Orders ---------------------------------------------------------------------------------------------------- */

static const char *const without[] = {NULL, "cpu", "ptx,int64_atomics,c11,subgroups,progress,cpu"};

static void permute(clf_context *context, size_t n, cl_ulong seed, clf_array device, cl_uint *order)
{
    assert_ok(clf_array_permutation(context, CLF_ON(the_rig()->queue), CLF_UINT, n, seed, device));
    if (n)
        rig_read(the_rig()->queue, device.buffer, n * sizeof *order, order);
}

TEST(permutations)
{
    static const cl_ulong seeds[] = {0, 1, (cl_ulong)1 << 32, 0x123456789abcdef0u, ~(cl_ulong)0};
    static const size_t sizes[] = {0, 1, 2, 3, 1000, MOST};
    static cl_uint got[MOST], expected[MOST];
    static cl_ulong wide[MOST];
    clf_context *const context = rig_context(without[_i]);
    const clf_array out = {rig_buffer(sizeof got, NULL), 0}, out_wide = {rig_buffer(sizeof wide, NULL), 0};
    ck_assert_uint_eq(philox(0, 0), 0xe169c58d6627e8d5u); /* the generator's known answer */
    for (size_t k = 0; k < COUNT(sizes); ++k) {
        const cl_ulong seed = seeds[k % COUNT(seeds)];
        expect(seed, sizes[k], expected);
        permute(context, sizes[k], seed, out, got);
        ck_assert_mem_eq(got, expected, sizes[k] * sizeof got[0]);
    }
    assert_ok(clf_array_permutation(context, CLF_ON(the_rig()->queue), CLF_ULONG, 1000, 7, out_wide));
    rig_read(the_rig()->queue, out_wide.buffer, 8000, wide);
    expect(7, 1000, expected);
    for (size_t i = 0; i < 1000; ++i)
        ck_assert_uint_eq(wide[i], expected[i]);
    rig_release(out, out_wide);
}

/* Elements of every size, to other places and in place. */
TEST(shuffles)
{
    enum { N = 3000, BEHIND = 3 };
    static unsigned char data[8 * (N + BEHIND)], got[8 * (N + BEHIND)];
    static cl_uint order[N];
    const clf_type type = (clf_type)(_i / 2);
    const size_t bytes = clf_type_size(type);
    gen random = gen_seed(the_rig()->seed, 99);
    for (size_t i = 0; i < sizeof data; ++i)
        data[i] = (unsigned char)gen_bits(&random);
    const clf_array in = {rig_buffer(sizeof data, data), BEHIND};
    const clf_array out = _i % 2 ? in : (clf_array){rig_buffer(sizeof data, data), BEHIND};
    expect(42, N, order);
    assert_ok(clf_array_shuffle(rig_context(without[_i % 3]), CLF_ON(the_rig()->queue), type, N, 42, in, out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    ck_assert_mem_eq(got, data, BEHIND * bytes);
    for (size_t i = 0; i < N; ++i)
        ck_assert_mem_eq(got + (BEHIND + i) * bytes, data + (BEHIND + order[i]) * bytes, bytes);
    clReleaseMemObject(in.buffer);
    if (_i % 2 == 0)
        clReleaseMemObject(out.buffer);
}

/* The sum of squares of what a table's cells differ by from what is expected of each, in units of that. */
static double chi_square(const unsigned *cells, size_t count, double expected)
{
    double sum = 0;
    for (size_t k = 0; k < count; ++k)
        sum += (cells[k] - expected) * (cells[k] - expected) / expected;
    return sum;
}

/* Where sixteenths of the elements go; and where single ones do, with many seeds. The bounds are exceeded by chance
 * once in 100000 times, and seeds do not change. */
TEST(every_place_is_as_likely)
{
    enum { N = 1 << 16, PARTS = 16, FEW = 64, SEEDS = 640 };
    static cl_uint order[N];
    static unsigned parts[PARTS * PARTS], places[3][FEW];
    const clf_array out = {rig_buffer(sizeof order, NULL), 0};
    memset(parts, 0, sizeof parts);
    memset(places, 0, sizeof places);
    permute(rig_context(NULL), N, 2026, out, order);
    for (size_t i = 0; i < N; ++i)
        ++parts[i / (N / PARTS) * PARTS + order[i] / (N / PARTS)];
    const double of_parts = chi_square(parts, PARTS * PARTS, (double)N / PARTS / PARTS);
    ck_assert_msg(of_parts > 140 && of_parts < 330, "%g, expected about 225", of_parts);
    for (cl_ulong seed = 0; seed < SEEDS; ++seed) {
        permute(rig_context(NULL), FEW, seed, out, order);
        for (size_t i = 0; i < FEW; ++i)
            for (cl_uint which = 0; which < 3; ++which)
                places[which][i] += order[i] == which * (FEW / 2 - 1) + which / 2;
    }
    for (int which = 0; which < 3; ++which) {
        const double of_places = chi_square(places[which], FEW, (double)SEEDS / FEW);
        ck_assert_msg(of_places > 25 && of_places < 125, "element %d: %g, expected about 63", which, of_places);
    }
    clReleaseMemObject(out.buffer);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_shuffles)
{
    rig_told t = {0};
    const clf_call *const on = CLF_ON(the_rig()->queue);
    const clf_array none = {NULL, 0}, a = {rig_buffer(400, NULL), 0}, b = {rig_buffer(400, NULL), 0};
    const clf_array behind = {a.buffer, 1};
    const cl_uint one = 1;
    const clf_call initial = {.size = sizeof initial, .queue = on->queue, .initial = &one};
    const clf_call counted = {.size = sizeof counted, .queue = on->queue, .actual = b};
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &t);
    assert_status(clf_array_shuffle(NULL, on, CLF_INT, 9, 1, a, b), CLF_E_ARGUMENT);
    REFUSES(&t, ARGUMENT, "type is no clf_type", clf_array_shuffle(context, on, CLF_TYPE_COUNT, 9, 1, a, b));
    assert_status(clf_array_permutation(NULL, on, CLF_UINT, 9, 1, a), CLF_E_ARGUMENT);
    REFUSES(&t, ARGUMENT, "index_type is neither CLF_UINT nor CLF_ULONG",
            clf_array_permutation(context, on, CLF_INT, 9, 1, a));
    REFUSES(&t, ARGUMENT, "call is NULL", clf_array_shuffle(context, NULL, CLF_INT, 9, 1, a, b));
    REFUSES(&t, BUFFER, "in[0].buffer ends before element 100", clf_array_shuffle(context, on, CLF_INT, 101, 1, a, b));
    REFUSES(&t, ARGUMENT, "out[0].buffer is NULL", clf_array_shuffle(context, on, CLF_INT, 9, 1, a, none));
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_array_shuffle(context, on, CLF_INT, 9, 1, a, behind));
    REFUSES(&t, ARGUMENT, "a shuffle has no initial value", clf_array_shuffle(context, &initial, CLF_INT, 9, 1, a, b));
    REFUSES(&t, ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE",
            clf_array_shuffle(context, &counted, CLF_INT, 9, 1, a, b));
    REFUSES(&t, BUFFER, "out[0].buffer ends before element 100",
            clf_array_permutation(context, on, CLF_UINT, 101, 1, a));
    REFUSES(&t, OVERFLOW, "indices of so many elements do not fit CLF_UINT",
            clf_array_permutation(context, on, CLF_UINT, ((cl_ulong)1 << 32) + 1, 1, a));
    assert_ok(clf_array_shuffle(context, on, CLF_INT, 0, 1, none, none));
    assert_ok(clf_array_permutation(context, on, CLF_UINT, 0, 1, none));
    assert_ok(clFinish(on->queue));
    rig_release(a, b);
    clf_context_release(context);
}

RIG_PART(add_shuffle_tests, {permutations, COUNT(without)}, {shuffles, 2 * CLF_TYPE_COUNT},
         {every_place_is_as_likely, 1}, {refused_shuffles, 1})

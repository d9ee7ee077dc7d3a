/* SPDX-License-Identifier: MIT */
/*
 * The library's own functions, asked for by name, on values of several fields, vectors among them; and what they
 * refuse. (Of one scalar field they are clf_builtin's, which every suite uses.)
 */
#include "harness.h"

#include <string.h>

enum { ELEMENTS = 40 };
static const char *const functions[] = {"clf_sum", "clf_product", "clf_min", "clf_max", "clf_and", "clf_or", "clf_xor"};

/* The fields of the value: an array each. */
typedef struct world {
    cl_float f[2 * ELEMENTS];
    cl_char c[4 * ELEMENTS];
    cl_ushort s[ELEMENTS];
    cl_long l[2 * ELEMENTS];
} world;

static void fill(world *w)
{
    gen random = gen_seed(the_rig()->seed, 0);
    for (int i = 0; i < 2 * ELEMENTS; ++i) {
        w->f[i] = (float)(1 + gen_below(&random, 2)) * (i % 3 ? 1.0f : -1.0f);
        w->l[i] = (cl_long)gen_bits(&random);
    }
    for (int i = 0; i < 4 * ELEMENTS; ++i)
        w->c[i] = (cl_char)gen_below(&random, 256);
    for (int i = 0; i < ELEMENTS; ++i)
        w->s[i] = (cl_ushort)gen_below(&random, 65536);
}

/* As numbers of 64 bits, which are cut afterwards. */
static cl_ulong combined(clf_op op, cl_ulong a, cl_ulong b, bool positive)
{
    const bool less = positive ? a < b : (cl_long)a < (cl_long)b;
    switch (op) {
    case CLF_SUM: return a + b;
    case CLF_PRODUCT: return a * b;
    case CLF_MIN: return less ? a : b;
    case CLF_MAX: return less ? b : a;
    case CLF_AND: return a & b;
    case CLF_OR: return a | b;
    default: return a ^ b;
    }
}

static float combined_reals(clf_op op, float a, float b)
{
    return op == CLF_SUM ? a + b : op == CLF_PRODUCT ? a * b : (op == CLF_MIN) == (a < b) ? a : b;
}

/* Combines all elements of each array into its first one. */
static void expect(clf_op op, world *w)
{
    for (int i = 1; i < ELEMENTS; ++i) {
        for (int k = 0; k < 2; ++k) {
            w->f[k] = combined_reals(op, w->f[k], w->f[2 * i + k]);
            w->l[k] = (cl_long)combined(op, (cl_ulong)w->l[k], (cl_ulong)w->l[2 * i + k], false);
        }
        for (int k = 0; k < 4; ++k)
            w->c[k] = (cl_char)combined(op, (cl_ulong)(cl_long)w->c[k], (cl_ulong)(cl_long)w->c[4 * i + k], false);
        w->s[0] = (cl_ushort)combined(op, w->s[0], w->s[i], true);
    }
}

/* One scalar field, which on CPUs goes by vectors, of any name. */
TEST(one_field_of_any_name)
{
    enum { N = 1000 };
    const clf_operator named = {.size = sizeof named, .value = "int total;", .combine = "clf_sum",
                                .flags = CLF_COMMUTATIVE};
    cl_int x[N], got[N];
    for (int i = 0; i < N; ++i)
        x[i] = 3 * i - 700;
    const clf_array in = {rig_buffer(sizeof x, x), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    clf_plan *const scan = RIG_PLAN(clf_scan_plan, rig_context(NULL), &named, 0, NULL);
    assert_ok(clf_scan(scan, CLF_ON(the_rig()->queue), N, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (int i = 0, sum = 0; i < N; ++i)
        ck_assert_int_eq(got[i], sum += x[i]);
    clf_plan *const reduce = RIG_PLAN(clf_reduce_plan, rig_context(NULL), &named, 0, NULL);
    assert_ok(clf_segmented_reduce(reduce, CLF_ON(the_rig()->queue), N / 20, 20, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (int k = 0, sum = 0; k < N / 20; ++k, sum = 0) {
        for (int i = 20 * k; i < 20 * k + 20; ++i)
            sum += x[i];
        ck_assert_int_eq(got[k], sum);
    }
    rig_release_plans(scan, reduce);
    rig_release(in, out);
}

/* Without floats, where bits are combined. */
TEST(fields_and_vectors)
{
    const clf_op op = (clf_op)_i;
    const cl_uint first = op >= CLF_AND ? 1 : 0;
    static const char value[] = "float2 f; char4 c; ushort s; long2 l;";
    const clf_operator named = {.size = sizeof named, .value = value + (first ? strlen("float2 f; ") : 0),
                                .combine = functions[op], .flags = CLF_COMMUTATIVE};
    world w;
    fill(&w);
    cl_mem in[] = {rig_buffer(sizeof w.f, w.f), rig_buffer(sizeof w.c, w.c), rig_buffer(sizeof w.s, w.s),
                   rig_buffer(sizeof w.l, w.l)};
    const size_t bytes[] = {sizeof(cl_float2), sizeof(cl_char4), sizeof(cl_ushort), sizeof(cl_long2)};
    clf_array from[4], to[4];
    for (cl_uint i = 0; i < 4; ++i) {
        from[i] = (clf_array){.buffer = in[i]};
        to[i] = (clf_array){.buffer = rig_buffer(bytes[i], NULL)};
    }
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(NULL), &named, 0, NULL);
    assert_ok(clf_reduce(plan, CLF_ON(the_rig()->queue), ELEMENTS, from + first, to + first));
    expect(op, &w);
    const void *const expected[] = {w.f, w.c, w.s, w.l};
    for (cl_uint i = 0; i < 4; ++i) {
        cl_long got[2];
        if (i >= first) {
            rig_read(the_rig()->queue, to[i].buffer, bytes[i], got);
            ck_assert_msg(memcmp(got, expected[i], bytes[i]) == 0, "%s: field %u", functions[op], i);
        }
        clReleaseMemObject(in[i]);
        clReleaseMemObject(to[i].buffer);
    }
    assert_ok(clf_plan_release(plan));
}

TEST(refusals_of_builtins)
{
    static const struct {
        clf_operator op;
        const char *message;
    } bad[] = {
        {{.value = "int v; float f;", .combine = "clf_and"},
         "clf_operator.combine: clf_and is for integers, and field 'f' is none"},
        {{.value = "int v;", .combine = "clf_sum", .neutral = "zero", .source = "clf_value zero(void);"},
         "clf_operator.neutral: clf_sum has its own, and must find NULL here"},
        {{.value = "int v;", .combine = "clf_sun"}, "the operator has no source"},
        {{.value = "int v;"}, "clf_operator.combine is NULL"},
        {{.value = "int v;", .combine = "clf_sun", .neutral = "zero", .source = ""},
         "clf_operator.combine: 'clf_sun' begins like the library's own names"},
        {{.value = "int v;", .combine = "clf_sum", .map = "one"}, "the operator has no source"},
        {{.value = "float v[3];", .combine = "clf_min"},
         "clf_operator.combine: clf_min is not for arrays of floating numbers, such as field 'v'"},
        {{.value = "int v[3];", .captured = "int c[3];", .combine = "clf_sum", .map = "m", .source = ""},
         "captured: no field is an array: take its scalars, which functions read anywhere"},
        {{.value = "int v[20];", .combine = "clf_sum"},
         "value, character 7: '2' begins too large a length: an array has at most 64 bytes"},
    };
    for (size_t i = 0; i < COUNT(bad); ++i) {
        clf_operator op = bad[i].op;
        op.size = sizeof op;
        clf_plan *plan = NULL;
        clf_error error = {.size = sizeof error};
        assert_status(clf_scan_plan(rig_context(NULL), &op, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
        ck_assert_str_eq(error.message, bad[i].message);
    }
}

RIG_PART(add_builtin_tests, {one_field_of_any_name, 1}, {fields_and_vectors, COUNT(functions)},
         {refusals_of_builtins, 1})

/* SPDX-License-Identifier: MIT */
/*
 * Types that OpenCL C does not calculate with: bfloat16, which programs widen and narrow. (Suites of sorts and of
 * one-call functions have it among all types.) Keys of 128 bits, where neighbours are compared. (Sorts have them, too.)
 */
#include "once_case.h"

#include "harness.h"

#include <stdio.h>
#include <string.h>

enum { MOST = 3000, CALLS = 4 };

/* ---- Numbers --------------------------------------------------------------------------------------------------- */

enum { ALL = 1 << 16 };

/* Floats by their bits: every upper half, with lower halves around the middle between two bfloat16. */
static cl_uint float_bits(gen *random, cl_uint i)
{
    static const cl_uint lower[] = {0, 1, 0x7fff, 0x8000, 0x8001, 0xffff};
    const uint64_t kind = gen_below(random, 2 * COUNT(lower));
    return i << 16 | (kind < COUNT(lower) ? lower[kind] : (cl_uint)gen_bits(random) >> 16);
}

static bool is_nan(cl_uint bits)
{
    return (bits & 0x7fffffff) > 0x7f800000;
}

/* All bfloat16 as floats, and floats as bfloat16, in bits, which tell zeros and denormals apart. */
TEST(conversions)
{
    static const clf_operator op = {
        .size = sizeof op, .value = "uint one;", .input = "bfloat16 narrow; uint wide;", .combine = "clf_sum",
        .extra = "uint widened; bfloat16 narrowed;", .map = "convert", .flags = CLF_COMMUTATIVE,
        .source = "clf_value convert(clf_input x, ulong i, clf_extra *e)\n"
                  "{\n"
                  "    clf_value one = {1};\n"
                  "    e->widened = as_uint(clf_widen(x.narrow));\n"
                  "    e->narrowed = clf_narrow(as_float(x.wide));\n"
                  "    return one;\n"
                  "}\n"};
    static cl_ushort narrow[ALL], narrowed[ALL];
    static cl_uint wide[ALL], widened[ALL];
    gen random = gen_seed(the_rig()->seed, 1);
    for (cl_uint i = 0; i < ALL; ++i) {
        narrow[i] = (cl_ushort)i;
        wide[i] = float_bits(&random, i);
    }
    const clf_array in[] = {{rig_buffer(sizeof narrow, narrow), 0}, {rig_buffer(sizeof wide, wide), 0}};
    const clf_array out[] = {{rig_buffer(sizeof widened, NULL), 0}, {rig_buffer(sizeof widened, NULL), 0},
                             {rig_buffer(sizeof narrowed, NULL), 0}};
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, rig_context(_i ? "cpu" : NULL), &op, 0, NULL);
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), ALL, in, out));
    rig_read(the_rig()->queue, out[1].buffer, sizeof widened, widened);
    rig_read(the_rig()->queue, out[2].buffer, sizeof narrowed, narrowed);
    for (cl_uint i = 0; i < ALL; ++i) {
        float number;
        memcpy(&number, &wide[i], sizeof number);
        ck_assert(widened[i] == i << 16 || (is_nan(i << 16) && is_nan(widened[i])));
        ck_assert_msg(is_nan(wide[i]) ? is_nan((cl_uint)narrowed[i] << 16) : narrowed[i] == gen_bfloat16(number),
                      "%x becomes %x", wide[i], narrowed[i]);
    }
    clf_plan_release(plan);
    rig_release(in[0], in[1], out[0], out[1], out[2]);
}

/* ---- Built-in operators ---------------------------------------------------------------------------------------- */

/* Sums of more than a bfloat16 counts, from a float that it has not. */
TEST(sums_are_of_floats)
{
    static cl_ushort ones[MOST], sums[MOST];
    const float initial = 0.5f;
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .initial = &initial};
    const clf_operator *const sum = clf_builtin(CLF_SUM, CLF_BFLOAT16);
    clf_context *const context = rig_context(_i ? "cpu" : NULL);
    for (size_t i = 0; i < MOST; ++i)
        ones[i] = gen_bfloat16(1);
    const clf_array in = {rig_buffer(sizeof ones, ones), 0}, out = {rig_buffer(sizeof sums, NULL), 0};
    clf_plan *plan = RIG_PLAN(clf_scan_plan, context, sum, CLF_EXCLUSIVE, NULL);
    assert_ok(clf_scan(plan, &call, MOST, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof sums, sums);
    for (size_t i = 0; i < MOST; ++i)
        ck_assert_uint_eq(sums[i], gen_bfloat16((float)i + 0.5f));
    clf_plan_release(plan);
    assert_ok(clf_reduce_plan(context, sum, 0, NULL, &plan, NULL));
    assert_ok(clf_segmented_reduce(plan, &call, 3, MOST / 3, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof sums, sums);
    for (size_t i = 0; i < 3; ++i)
        ck_assert_uint_eq(sums[i], gen_bfloat16(MOST / 3 + 0.5f));
    clf_plan_release(plan);
    rig_release(in, out);
}

/* Arrays of them in fields: sums of neighbours, widened by the map and narrowed by finish. */
TEST(arrays)
{
    static const clf_operator op = {
        .size = sizeof op, .value = "float s[3];", .input = "bfloat16 a[3];", .combine = "clf_sum", .map = "widened",
        .result = "bfloat16 a[3];", .finish = "narrowed", .flags = CLF_COMMUTATIVE,
        .source = "clf_value widened(clf_input x, ulong i)\n"
                  "{\n"
                  "    clf_value y;\n"
                  "    for (int k = 0; k < 3; ++k)\n"
                  "        y.s[k] = clf_widen(x.a[k]);\n"
                  "    return y;\n"
                  "}\n"
                  "clf_result narrowed(clf_value y, ulong i)\n"
                  "{\n"
                  "    clf_result r;\n"
                  "    for (int k = 0; k < 3; ++k)\n"
                  "        r.a[k] = clf_narrow(y.s[k]);\n"
                  "    return r;\n"
                  "}\n"};
    static cl_ushort elements[MOST], sums[3];
    for (size_t i = 0; i < MOST; ++i)
        elements[i] = gen_bfloat16((float)(i % 3));
    const clf_array in = {rig_buffer(sizeof elements, elements), 0}, out = {rig_buffer(sizeof sums, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(_i ? "cpu" : NULL), &op, 0, NULL);
    assert_ok(clf_reduce(plan, CLF_ON(the_rig()->queue), MOST / 3, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof sums, sums);
    for (size_t k = 0; k < 3; ++k)
        ck_assert_uint_eq(sums[k], gen_bfloat16((float)(MOST / 3 * k)));
    clf_plan_release(plan);
    rig_release(in, out);
}

/* A sum and a maximum joined, of scans and of reductions, whose finish functions differ. */
TEST(joined_built_in)
{
    static cl_ushort elements[MOST], sums[MOST], most[MOST];
    const clf_operator *const two[] = {clf_builtin(CLF_SUM, CLF_BFLOAT16), clf_builtin(CLF_MAX, CLF_BFLOAT16)};
    clf_context *const context = rig_context(_i % 2 ? "cpu" : NULL);
    clf_operator *joined = NULL;
    clf_plan *plan = NULL;
    for (size_t i = 0; i < MOST; ++i)
        elements[i] = gen_bfloat16((float)(i % 7));
    const clf_array in = {rig_buffer(sizeof elements, elements), 0};
    const clf_array out[] = {{rig_buffer(sizeof sums, NULL), 0}, {rig_buffer(sizeof most, NULL), 0}};
    assert_ok(clf_operator_join(2, two, &joined, NULL));
    assert_ok((_i < 2 ? clf_scan_plan : clf_reduce_plan)(context, joined, 0, NULL, &plan, NULL));
    assert_ok((_i < 2 ? clf_scan : clf_reduce)(plan, CLF_ON(the_rig()->queue), MOST, &in, out));
    rig_read(the_rig()->queue, out[0].buffer, sizeof sums, sums);
    rig_read(the_rig()->queue, out[1].buffer, sizeof most, most);
    float sum = 0;
    for (size_t i = 0; i < MOST; ++i) {
        sum += (float)(i % 7);
        if (_i < 2 || i + 1 == MOST) {
            const size_t at = _i < 2 ? i : 0;
            ck_assert_uint_eq(sums[at], gen_bfloat16(sum));
            ck_assert_uint_eq(most[at], gen_bfloat16(i < 6 ? (float)i : 6));
        }
    }
    clf_plan_release(plan);
    clf_operator_release(joined);
    rig_release(in, out[0], out[1]);
}

/* Every one-call function of bfloat16, of keys and of values. */
TEST(functions)
{
    gen random = gen_seed(the_rig()->seed, 100 + (uint64_t)_i);
    const once_function function = (once_function)(_i / 2);
    once_case c = {.under = {.number = -1}};
    once_draw_key(&random, function, &c.key);
    if (function == ONCE_HISTOGRAM || !rig_in_turn(_i / 2 + _i, 2))
        return;
    c.key.type = c.key.value_type = CLF_BFLOAT16;
    if (c.key.op >= CLF_AND)
        c.key.op = CLF_SUM;
    c.key.disable = _i % 2 ? "cpu" : NULL;
    for (int call = 0; call < CALLS; ++call) {
        once_draw_call(&random, MOST, &c);
        ck_assert(once_case_run(c));
    }
}

/* ---- Keys of 128 bits ------------------------------------------------------------------------------------------ */

#define WIDE_SAME "bool same(clf_input a, clf_input b) { return all(a.key == b.key); }\n"

/* Runs of keys that differ in one half of two, their last elements' digits, and how many there are. */
typedef struct wide_runs {
    cl_ulong keys[MOST][2], first[MOST][2], count;
    cl_uint digits[MOST], numbers[MOST];
} wide_runs;

/* Digits combine into numbers, in order: that is not commutative. */
static void draw_wide_runs(gen *random, wide_runs *r)
{
    r->count = 0;
    for (size_t i = 0; i < MOST; ++i) {
        const bool new = i == 0 || gen_chance(random, 40);
        memcpy(r->keys[i], r->keys[i ? i - 1 : 0], sizeof r->keys[i]);
        r->keys[i][gen_below(random, 2)] ^= (cl_ulong) new << gen_below(random, 64);
        r->digits[i] = (cl_uint)gen_below(random, 10);
        if (new) {
            memcpy(r->first[r->count], r->keys[i], sizeof r->keys[i]);
            r->numbers[r->count++] = 0;
        }
        r->numbers[r->count - 1] = 10 * r->numbers[r->count - 1] + r->digits[i];
    }
}

static void expect_wide(const wide_runs *r, const clf_array *keys, const clf_array *numbers, const clf_array *count)
{
    static cl_ulong got_keys[MOST][2];
    static cl_uint got[MOST];
    cl_ulong found;
    rig_read(the_rig()->queue, count->buffer, sizeof found, &found);
    rig_read(the_rig()->queue, keys->buffer, sizeof got_keys, got_keys);
    rig_read(the_rig()->queue, numbers->buffer, sizeof got, got);
    ck_assert_uint_eq(found, r->count);
    ck_assert(memcmp(got_keys, r->first, found * sizeof got_keys[0]) == 0);
    ck_assert(memcmp(got, r->numbers, found * sizeof got[0]) == 0);
}

TEST(wide_keys)
{
    static const clf_operator unique = {.size = sizeof unique, .value = "ulong2 key;", .same = "same",
                                        .source = WIDE_SAME};
    static const clf_operator numbers = {
        .size = sizeof numbers, .input = "ulong2 key; uint digit;", .value = "uint number; uint power;",
        .extra = "ulong2 key;", .same = "same", .map = "one", .combine = "append", .neutral = "none",
        .source = WIDE_SAME
            "clf_value one(clf_input x, ulong i, clf_extra *e)\n"
            "{\n"
            "    e->key = x.key;\n"
            "    clf_value v = {x.digit, 10};\n"
            "    return v;\n"
            "}\n"
            "clf_value none(void) { clf_value v = {0, 1}; return v; }\n"
            "clf_value append(clf_value a, clf_value b)\n"
            "{ clf_value v = {a.number * b.power + b.number, a.power * b.power}; return v; }\n"};
    static wide_runs r;
    gen random = gen_seed(the_rig()->seed, 700 + (uint64_t)_i);
    clf_context *const context = rig_context(_i ? "cpu" : NULL);
    draw_wide_runs(&random, &r);
    const clf_array in[] = {{rig_buffer(sizeof r.keys, r.keys), 0}, {rig_buffer(sizeof r.digits, r.digits), 0}};
    const clf_array keys = {rig_buffer(sizeof r.keys, NULL), 0}, powers = {rig_buffer(sizeof r.digits, NULL), 0};
    const clf_array sums = {rig_buffer(sizeof r.digits, NULL), 0}, count = {rig_buffer(sizeof r.count, NULL), 0};
    clf_plan *const reduced = RIG_PLAN(clf_reduce_by_key_plan, context, &numbers, 0, NULL);
    assert_ok(clf_reduce_by_key(reduced, CLF_ON(the_rig()->queue), MOST, MOST, in,
                                (const clf_array[]){sums, powers, keys}, &count));
    expect_wide(&r, &keys, &sums, &count);
    clf_plan *const kept = RIG_PLAN(clf_unique_plan, context, &unique, 0, NULL);
    assert_ok(clf_unique(kept, CLF_ON(the_rig()->queue), MOST, MOST, in, &keys, &count));
    expect_wide(&r, &keys, &sums, &count);
    rig_release_plans(kept, reduced);
    rig_release(in[0], in[1], keys, powers, sums, count);
}

/* ---- What is refused ------------------------------------------------------------------------------------------- */

TEST(refused)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_operator sum = {.size = sizeof sum, .value = "bfloat16 v;", .combine = "clf_sum", .source = ""};
    const clf_operator vector = {.size = sizeof vector, .value = "bfloat164 v;"};
    const clf_segmentation by_keys = {.size = sizeof by_keys, .by = CLF_BY_KEYS, .type = CLF_BFLOAT16};
    clf_context *const context = rig_context(NULL);
    assert_status(clf_scan_plan(context, &sum, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message,
                     "clf_operator.combine: clf_sum combines no bfloat16. Let the value be float: map "
                     "widens what is read, finish narrows what is written");
    assert_status(clf_sort_plan(context, &vector, 0, NULL, &plan, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message,
                     "value, character 1: 'bfloat164' is not possible: bfloat16 has no vectors; take "
                     "several fields");
    assert_status(clf_irregular_scan_plan(context, clf_builtin(CLF_SUM, CLF_INT), &by_keys, 0, NULL, &plan, &error),
                  CLF_E_UNSUPPORTED);
    ck_assert_str_eq(error.message, "keys are of CLF_BFLOAT16: say CLF_USHORT, which tells bits apart");
    assert_status(
        clf_array_reduce(context, CLF_ON(the_rig()->queue), CLF_XOR, CLF_BFLOAT16, 1, (clf_array){0}, (clf_array){0}),
        CLF_E_ARGUMENT);
}

RIG_SUITE(types, NULL, {conversions, 2}, {sums_are_of_floats, 2}, {arrays, 2}, {joined_built_in, 4}, {wide_keys, 2},
          {refused, 1}, {functions, 2 * ONCE_FUNCTIONS})

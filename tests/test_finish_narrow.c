/* SPDX-License-Identifier: MIT */
/*
 * Results of scans that are narrower than the input, in tiles of all forms: rows of one vector and of several, whole
 * tiles and what is left, arrays at any offset, from the right, and placed.
 */
#include "finish.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *type, *narrow;
    size_t bytes, narrow_bytes;
} narrow_pairs[] = {{"uint", "ushort", 4, 2},  {"uint", "uchar", 4, 1},   {"ushort", "uchar", 2, 1},
                    {"ulong", "uint", 8, 4},   {"ulong", "ushort", 8, 2}, {"ulong", "uchar", 8, 1}};
enum { NARROW_N = 32 * 36 * 2 + 5, NARROW_PAIRS = COUNT(narrow_pairs), NARROW_ITEMS = 5 };

static clf_plan *narrow_plan(int pair, int items, bool placed, unsigned flags)
{
    static const char *const parameters[NARROW_ITEMS] = {"items=1,group=32", "items=4,group=32", "items=8,group=32",
                                                         "items=16,group=32", "items=36,group=32"};
    char value[32], result[32], source[512];
    snprintf(value, sizeof value, "%s v;", narrow_pairs[pair].type);
    snprintf(result, sizeof result, "%s r;", narrow_pairs[pair].narrow);
    snprintf(
        source, sizeof source,
        "clf_result low(clf_value a, clf_value before, clf_input x, ulong i) { clf_result r = {(%s)a.v}; return r; }\n"
        "%s",
        narrow_pairs[pair].narrow,
        placed ? "ulong at(clf_value a, clf_value before, clf_input x, ulong i) { return i ^ 1; }\n" : "");
    const clf_operator op = {.size = sizeof op, .value = value, .result = result, .combine = "clf_sum", .finish = "low",
                             .place = placed ? "at" : NULL, .source = source, .flags = CLF_COMMUTATIVE};
    const route r = {"cpu", "window", parameters[items]};
    return route_plan(&r, "scan", &(plan_parts){.op = &op, .flags = flags}, narrow_pairs[pair].narrow);
}

/* Sums are of 64 bits, of which results are the lowest bytes; so are elements. */
static cl_ulong low(cl_ulong number, size_t bytes)
{
    return bytes == 8 ? number : number & (((cl_ulong)1 << 8 * bytes) - 1);
}

static void put(cl_uchar *to, cl_ulong number, size_t bytes)
{
    const cl_uint u = (cl_uint)number;
    const cl_ushort s = (cl_ushort)number;
    const cl_uchar c = (cl_uchar)number;
    memcpy(to,
           bytes == 8   ? (const void *)&number
           : bytes == 4 ? (const void *)&u
           : bytes == 2 ? (const void *)&s
                        : &c,
           bytes);
}

static void run(clf_plan *plan, int pair, size_t n, size_t offset, bool placed, bool reversed, gen *random)
{
    static cl_uchar in[8 * NARROW_N], got[4 * (NARROW_N + 3)], wanted[4 * (NARROW_N + 3)];
    static cl_ulong x[NARROW_N];
    const size_t bytes = narrow_pairs[pair].bytes, narrow = narrow_pairs[pair].narrow_bytes;
    cl_ulong sum = 0;
    memset(wanted, 0xa5, sizeof wanted);
    for (size_t i = 0; i < n; ++i) {
        x[i] = low(gen_bits(random), bytes);
        put(in + i * bytes, x[i], bytes);
    }
    for (size_t j = 0; j < n; ++j) {
        const size_t i = reversed ? n - 1 - j : j;
        sum += x[i];
        put(wanted + (offset + (placed ? i ^ 1 : i)) * narrow, sum, narrow);
    }
    memset(got, 0xa5, sizeof got);
    const clf_array from = {rig_buffer(sizeof in, in), 0}, to = {rig_buffer(sizeof got, got), offset};
    assert_ok(placed ? clf_scan_placed(plan, CLF_ON(the_rig()->queue), n, n + 1, &from, &to, NULL)
                     : clf_scan(plan, CLF_ON(the_rig()->queue), n, &from, &to));
    rig_read(the_rig()->queue, to.buffer, sizeof got, got);
    for (size_t k = 0; k < sizeof got; ++k)
        ck_assert_msg(
            got[k] == wanted[k], "%s of %s, n = %zu, offset %zu, placed %d, reversed %d: byte %zu is %u, not %u",
            narrow_pairs[pair].narrow, narrow_pairs[pair].type, n, offset, placed, reversed, k, got[k], wanted[k]);
    rig_release(from, to);
}

TEST(narrowed)
{
    static const size_t sizes[] = {1, 31, 32 * 36, NARROW_N};
    const int pair = _i / NARROW_ITEMS, items = _i % NARROW_ITEMS;
    gen random = gen_seed(the_rig()->seed, 900 + (uint64_t)_i);
    for (int turn = 0; turn < 2; ++turn) {
        const bool placed = turn == 1, reversed = _i % 2, wanted = rig_in_turn(turn + _i / 2, 2);
        clf_plan *const plan = wanted ? narrow_plan(pair, items, placed, reversed ? CLF_REVERSE : 0) : NULL;
        for (size_t k = 0; plan && k < 2 * COUNT(sizes); ++k)
            run(plan, pair, sizes[k / 2], k % 2, placed, reversed, &random);
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
}

RIG_PART(add_finish_narrow_tests, {narrowed, NARROW_PAIRS * NARROW_ITEMS})

/* SPDX-License-Identifier: MIT */
/* Results that go to where the number of their segment says: of rows, and of segments told in every way. */
#include "finish.h"
#include "irregular.h"

#include <stdlib.h>
#include <string.h>

enum { PLACES = 1000 };
#define PLACE(name, body) "ulong " name "(clf_value a, clf_value before, clf_input in, ulong i" body "\n"
static const clf_segmentation hows[] = {
    {sizeof *hows, CLF_BY_OFFSETS, CLF_UINT}, {sizeof *hows, CLF_BY_HEAD_BITS, CLF_UINT},
    {sizeof *hows, CLF_BY_LENGTHS, CLF_ULONG}, {sizeof *hows, CLF_BY_KEYS, CLF_INT},
    {sizeof *hows, CLF_BY_HEAD_BYTES, CLF_UCHAR}};

/* Rows know their number, which is where their sums go. */
TEST(numbers_of_rows)
{
    static const clf_operator last = {
        .size = sizeof last, .value = "uint v;", .combine = "clf_sum", .flags = CLF_WITH_SEGMENT, .place = "to",
        .source = PLACE("to", ", ulong row)") "{ return i % 25 == 24 ? 39 - row : CLF_NOWHERE; }\n"};
    const route r = {_i ? "cpu" : NULL, NULL, NULL};
    clf_plan *const plan = route_plan(&r, "segmented_scan", &(plan_parts){.op = &last}, "rows");
    cl_uint x[FINISH_N], found[40];
    for (cl_uint i = 0; i < FINISH_N; ++i)
        x[i] = i / 25;
    const clf_array in = {rig_buffer(sizeof x, x), 0}, out = {rig_buffer(sizeof found, NULL), 0};
    assert_ok(clf_segmented_scan_placed(plan, CLF_ON(the_rig()->queue), 40, 25, 40, &in, &out, NULL));
    rig_read(the_rig()->queue, out.buffer, sizeof found, found);
    for (cl_uint i = 0; i < 40; ++i)
        ck_assert_uint_eq(found[i], 25 * (39 - i));
    assert_ok(clf_plan_release(plan));
    rig_release(in, out);
}

/* Affine functions of each segment go to where its number says; what tells empty ones leaves their places. */
TEST(numbers_of_segments)
{
    static const clf_operator last = {
        .size = sizeof last, .value = "uint p; uint q;", .input = "uint x; uchar last;", .map = "function",
        .combine = "compose", .neutral = "identity", .flags = CLF_WITH_SEGMENT, .place = "to",
        .source = "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
                  "clf_value compose(clf_value x, clf_value y)\n"
                  "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"
                  "clf_value function(clf_input in, ulong i, ulong s)\n"
                  "{ clf_value v = {in.x, (uint)s + 1}; return v; }\n"
                  PLACE("to", ", ulong s)") "{ return in.last ? 999 - s : CLF_NOWHERE; }\n"};
    const clf_segmentation *const how = &hows[_i / 2];
    const bool empty = how->by == CLF_BY_OFFSETS || how->by == CLF_BY_LENGTHS;
    const route r = {_i % 2 ? "cpu" : NULL, NULL, _i % 2 ? "items=3,group=32" : NULL};
    gen random = gen_seed(the_rig()->seed, 500 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&r, "irregular_scan", &(plan_parts){.op = &last, .how = how}, "segments");
    cl_uint x[FINISH_N], wanted[2][PLACES], got[2][PLACES];
    cl_uchar ends[FINISH_N] = {0};
    irregular segments = irregular_make(&random, SHAPE_EMPTY_BETWEEN, FINISH_N, 96);
    size_t bytes, at = 0, number = 0;
    cl_ulong count;
    void *const entries = irregular_entries(&segments, how, &random, &bytes);
    memset(wanted, 0xa5, sizeof wanted);
    for (size_t s = 0; s < segments.count; ++s) {
        cl_uint p = 1, q = 0;
        for (size_t k = 0; k < segments.lengths[s]; ++k, ++at) {
            x[at] = (cl_uint)gen_bits(&random);
            p *= x[at];
            q = q * x[at] + (cl_uint)number + 1;
        }
        if (segments.lengths[s]) {
            ends[at - 1] = 1;
            wanted[0][PLACES - 1 - number] = p;
            wanted[1][PLACES - 1 - number] = q;
        }
        number += empty || segments.lengths[s];
    }
    memset(got, 0xa5, sizeof got);
    const clf_array told = {rig_buffer(bytes, entries), 0}, counted = {rig_buffer(sizeof count, NULL), 0};
    const clf_array in[] = {{rig_buffer(sizeof x, x), 0}, {rig_buffer(sizeof ends, ends), 0}};
    const clf_array out[] = {{rig_buffer(sizeof got[0], got[0]), 0}, {rig_buffer(sizeof got[1], got[1]), 0}};
    assert_ok(clf_irregular_scan_placed(plan, CLF_ON(the_rig()->queue), FINISH_N, segments.count, PLACES, &told, in,
                                        out, &counted));
    for (size_t f = 0; f < 2; ++f) {
        rig_read(the_rig()->queue, out[f].buffer, sizeof got[f], got[f]);
        ck_assert_mem_eq(got[f], wanted[f], sizeof got[f]);
    }
    rig_read(the_rig()->queue, counted.buffer, sizeof count, &count);
    for (at = 0, number = 0; at < FINISH_N; ++at)
        number += ends[at];
    ck_assert_uint_eq(count, number);
    assert_ok(clf_plan_release(plan));
    rig_release(told, counted, in[0], in[1], out[0], out[1]);
    free(entries);
    irregular_free(&segments);
}

RIG_PART(add_place_number_tests, {numbers_of_rows, 2}, {numbers_of_segments, 2 * COUNT(hows)})

/* SPDX-License-Identifier: MIT */
/* Filters, and elements shared out anew. */
#include "world.h"

/* Keeps by value, index, and how many there are in all. */
static const clf_operator some = {
    .size = sizeof(clf_operator), .input = "uint x;", .value = "uint x; ulong at;", .captured = "uint less;",
    .predicate = "keep", .map = "place",
    .source = "bool keep(clf_input in, ulong i, const clf_captured *c)\n"
              "{ return (in.x + i + c->clf_size) % 7 < c->less[0]; }\n"
              "clf_value place(clf_input in, ulong i, const clf_captured *c) { clf_value v = {in.x, i}; return v; }"};

bool test_filter(test_case *c)
{
    static const size_t bytes[] = {4, 8};
    clf_array in[2 * MOST_MEMBERS], out[2 * MOST_MEMBERS];
    clf_comm_results results[MOST_MEMBERS];
    clf_comm_plan *plan;
    const uint64_t less = draw_below(&c->g, 8);
    uint64_t kept = 0, first[MOST_MEMBERS + 1] = {0};
    table data = table_make(c->total, 1, bytes), wanted = table_make(c->total, 2, bytes), captured;
    captured = table_make(1, 1, bytes);
    captured.at[0] = less;
    for (cl_uint rank = 0; rank < c->w->members; ++rank) {
        for (uint64_t i = c->offset[rank]; i < c->offset[rank + 1]; ++i) {
            const uint64_t x = row(&data, i)[0] = draw_below(&c->g, 1000);
            row(&wanted, kept)[0] = x;
            row(&wanted, kept)[1] = i;
            kept += (x + i + c->total) % 7 < less;
        }
        first[rank + 1] = kept;
    }
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &data, c->offset[me], c->n[me], in + 2 * l);
        give(c->w, l, &captured, 0, 1, in + 2 * l + 1);
        make_room(c->w, l, &wanted, c->n[me], out + 2 * l);
    }
    HOLDS(clf_comm_filter_plan(c->w->comm, &some, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_filter(plan, c->n + c->w->first, NULL, in, out, results) == CLF_SUCCESS);
    HOLDS(right_results(c, results, first, &wanted, out));
    clf_comm_plan_release(plan);
    return true;
}

/* So many elements in one part go in several rounds. */
enum { LONG = 500000 };

bool test_rebalance(test_case *c)
{
    if (c->pattern == FIRST_ONLY && draw_below(&c->g, 2)) {
        c->n[0] = c->total = LONG;
        for (cl_uint rank = 0; rank < c->w->members; ++rank)
            c->offset[rank + 1] = LONG;
    }
    static const size_t bytes[] = {8, 1};
    clf_array in[2 * MOST_MEMBERS], out[2 * MOST_MEMBERS];
    cl_ulong wanted[MOST_MEMBERS], offset = 0, left = c->total;
    clf_comm_plan *plan;
    table data = table_make(c->total, 2, bytes);
    for (uint64_t i = 0; i < c->total; ++i) {
        row(&data, i)[0] = draw(&c->g);
        row(&data, i)[1] = draw_below(&c->g, 256);
    }
    for (cl_uint rank = 0; rank < c->w->members; ++rank) {
        wanted[rank] = rank + 1 == c->w->members ? left : draw_below(&c->g, 2) * draw_below(&c->g, left + 1);
        left -= wanted[rank];
    }
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &data, c->offset[me], c->n[me], in + 2 * l);
        make_room(c->w, l, &data, wanted[me], out + 2 * l);
    }
    HOLDS(clf_comm_rebalance_plan(c->w->comm, "ulong a; uchar b;", &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_rebalance(plan, c->n + c->w->first, wanted + c->w->first, in, out) == CLF_SUCCESS);
    for (cl_uint rank = 0; rank < c->w->members; offset += wanted[rank++])
        if (rank >= c->w->first && rank < c->w->first + c->w->locals)
            HOLDS(same_rows(c->w, rank - c->w->first, out + 2 * (rank - c->w->first), &data, offset, wanted[rank]));
    clf_comm_plan_release(plan);
    return true;
}

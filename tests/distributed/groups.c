/* SPDX-License-Identifier: MIT */
/* Runs of equal keys that cross from member to member, bins, and matrices. */
#include "world.h"

/* Affine maps, one after the other. */
#define AFFINE_SOURCE                                                                                      \
    "clf_value then(clf_value a, clf_value b) { clf_value v = {a.m * b.m, a.t * b.m + b.t}; return v; }\n" \
    "clf_value same_line(void) { clf_value v = {1, 0}; return v; }"
#define AFFINE_VALUES .value = "uint m; uint t;", .combine = "then", .neutral = "same_line"

/* Affine maps combined by key, with the key and the place of each run's first element. */
static const clf_operator by_key = {
    .size = sizeof(clf_operator), .input = "int key; ushort x;",
    AFFINE_VALUES,
    .extra = "int key; ulong start;", .map = "line", .same = "same_key",
    .source = "clf_value line(clf_input in, ulong i, clf_extra *e) {\n"
              "    e->key = in.key; e->start = i; clf_value v = {2 * in.x + 1, in.x + (uint)i}; return v; }\n"
              "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }\n" AFFINE_SOURCE};

/* The same of segments of any lengths, whose first elements say so. */
static const clf_operator by_head = {
    .size = sizeof(clf_operator), .input = "int head; ushort x;",
    AFFINE_VALUES,
    .extra = "int key; ulong start;", .map = "line", .same = "goes_on",
    .source = "clf_value line(clf_input in, ulong i, clf_extra *e) {\n"
              "    e->key = in.head; e->start = i; clf_value v = {2 * in.x + 1, in.x + (uint)i}; return v; }\n"
              "bool goes_on(clf_input a, clf_input b) { return !b.head; }\n" AFFINE_SOURCE};

/* Lengths of runs, beside nothing. */
static const clf_operator run_lengths = {
    .size = sizeof(clf_operator), .input = "int key; ushort x;", .value = "uint length; uint none;",
    .extra = "int key; ulong start;", .combine = "clf_sum", .map = "one", .same = "same_key",
    .source = "clf_value one(clf_input in, ulong i, clf_extra *e) {\n"
              "    e->key = in.key; e->start = i; clf_value v = {1, 0}; return v; }\n"
              "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }\n"};

/* First elements of runs, as they are. */
static const clf_operator firsts = {.size = sizeof(clf_operator),
                                    .value = "int key; ushort x;", .same = "alike",
                                    .source = "bool alike(clf_value a, clf_value b) { return a.key == b.key; }"};

static const size_t key_bytes[] = {4, 2}, run_bytes[] = {4, 4, 4, 8};

/* Keys in runs of many lengths; and what comes of them: value, key and start of each run. */
static void make_runs(test_case *c, table *data, table *runs, uint64_t first[MOST_MEMBERS + 1])
{
    static const uint64_t lengths[] = {1, 3, 100, 5000};
    const uint64_t longest = lengths[draw_below(&c->g, 4)];
    uint64_t count = 0, left = 0;
    *data = table_make(c->total, 2, key_bytes);
    *runs = table_make(c->total, 4, run_bytes);
    for (cl_uint rank = 0; rank < c->w->members; ++rank) {
        for (uint64_t i = c->offset[rank]; i < c->offset[rank + 1]; ++i) {
            uint64_t *run, *element = row(data, i);
            const bool head = left == 0;
            left = head ? draw_below(&c->g, longest) : left - 1;
            count += head;
            run = row(runs, count - 1);
            element[0] = head ? count % 5 : row(data, i - 1)[0];
            element[1] = draw_below(&c->g, 60000);
            if (head) {
                const uint64_t fresh[] = {1, 0, element[0], i};
                memcpy(run, fresh, sizeof fresh);
            }
            run[1] = (uint32_t)(run[1] * (2 * element[1] + 1) + element[1] + i);
            run[0] = (uint32_t)(run[0] * (2 * element[1] + 1));
        }
        first[rank + 1] = count;
    }
}

/* Heads in the place of keys. */
static void tell_heads(table *data, table *runs, uint64_t count)
{
    for (uint64_t i = 0; i < data->count; ++i)
        row(data, i)[0] = 0;
    for (uint64_t r = 0; r < count; ++r)
        row(runs, r)[2] = row(data, row(runs, r)[3])[0] = 1;
}

/* Lengths in the place of values. */
static void tell_lengths(const table *data, table *runs, uint64_t count)
{
    for (uint64_t r = 0; r < count; ++r) {
        row(runs, r)[0] = (r + 1 < count ? row(runs, r + 1)[3] : data->count) - row(runs, r)[3];
        row(runs, r)[1] = 0;
    }
}

bool test_reduce_by_key(test_case *c)
{
    static const clf_operator *const ways[] = {&by_key, &by_head, &run_lengths};
    const int way = (int)draw_below(&c->g, 3);
    clf_array in[2 * MOST_MEMBERS], out[4 * MOST_MEMBERS];
    clf_comm_results results[MOST_MEMBERS];
    uint64_t first[MOST_MEMBERS + 1] = {0};
    clf_comm_plan *plan;
    table data, runs;
    make_runs(c, &data, &runs, first);
    if (ways[way] == &by_head)
        tell_heads(&data, &runs, first[c->w->members]);
    if (ways[way] == &run_lengths)
        tell_lengths(&data, &runs, first[c->w->members]);
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        give(c->w, l, &data, c->offset[c->w->first + l], c->n[c->w->first + l], in + 2 * l);
        make_room(c->w, l, &runs, c->n[c->w->first + l], out + 4 * l);
    }
    HOLDS(clf_comm_reduce_by_key_plan(c->w->comm, ways[way], 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_reduce_by_key(plan, c->n + c->w->first, in, out, results) == CLF_SUCCESS);
    HOLDS(right_results(c, results, first, &runs, out));
    clf_comm_plan_release(plan);
    return true;
}

bool test_unique(test_case *c)
{
    clf_array in[2 * MOST_MEMBERS], out[2 * MOST_MEMBERS];
    clf_comm_results results[MOST_MEMBERS];
    uint64_t first[MOST_MEMBERS + 1] = {0};
    clf_comm_plan *plan;
    table data, runs;
    make_runs(c, &data, &runs, first);
    table wanted = table_make(c->total, 2, key_bytes);
    for (uint64_t i = 0; i < first[c->w->members]; ++i)
        memcpy(row(&wanted, i), row(&data, row(&runs, i)[3]), 2 * sizeof(uint64_t));
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        give(c->w, l, &data, c->offset[c->w->first + l], c->n[c->w->first + l], in + 2 * l);
        make_room(c->w, l, &wanted, c->n[c->w->first + l], out + 2 * l);
    }
    HOLDS(clf_comm_unique_plan(c->w->comm, &firsts, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_unique(plan, c->n + c->w->first, in, out, results) == CLF_SUCCESS);
    HOLDS(right_results(c, results, first, &wanted, out));
    clf_comm_plan_release(plan);
    return true;
}

/* ---- Bins ---------------------------------------------------------------------------------------------- */

/* Affine maps combined by bin: each bin's in the order of its elements. */
static const clf_operator by_bin = {
    .size = sizeof(clf_operator), .input = "ushort x;",
    AFFINE_VALUES,
    .map = "line", .part = "bin",
    .source = "uint bin(clf_input in, ulong i) { return (uint)(in.x + i) % 300; }\n"
              "clf_value line(clf_input in, ulong i) {\n"
              "    clf_value v = {2 * in.x + 1, in.x + (uint)i}; return v; }\n" AFFINE_SOURCE};

static const clf_operator counts = {.size = sizeof(clf_operator),
                                    .input = "uint bin;", .value = "uint count;", .map = "one", .combine = "clf_sum",
                                    .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
                                    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }"};

bool test_reduce_by_index(test_case *c)
{
    static const uint64_t all_bins[] = {0, 1, 5, 300, 450};
    static const size_t wide[] = {4}, narrow[] = {2}, values[] = {4, 4};
    const bool counting = draw_below(&c->g, 3) == 0;
    const cl_uint fields = counting ? 1 : 2;
    const uint64_t bins = all_bins[draw_below(&c->g, 5)];
    clf_array in[MOST_MEMBERS], out[2 * MOST_MEMBERS];
    clf_comm_plan *plan;
    table data = table_make(c->total, 1, counting ? wide : narrow), wanted = table_make(bins, fields, values);
    for (uint64_t b = 0; b < bins && !counting; ++b)
        row(&wanted, b)[0] = 1;
    for (uint64_t i = 0; i < c->total; ++i) {
        const uint64_t x = row(&data, i)[0] = draw_below(&c->g, counting ? 310 : 60000);
        const uint64_t bin = counting ? x : (uint32_t)(x + i) % 300;
        if (bin >= bins)
            continue;
        uint64_t *v = row(&wanted, bin);
        if (!counting)
            v[1] = (uint32_t)(v[1] * (2 * x + 1) + x + i);
        v[0] = counting ? v[0] + 1 : (uint32_t)(v[0] * (2 * x + 1));
    }
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        give(c->w, l, &data, c->offset[c->w->first + l], c->n[c->w->first + l], in + l);
        make_room(c->w, l, &wanted, bins, out + fields * l);
    }
    HOLDS(clf_comm_reduce_by_index_plan(c->w->comm, counting ? &counts : &by_bin, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_reduce_by_index(plan, bins, c->n + c->w->first, in, out) == CLF_SUCCESS);
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, out + fields * l, &wanted, 0, bins));
    clf_comm_plan_release(plan);
    return true;
}

/* ---- Matrices ------------------------------------------------------------------------------------------ */

bool test_transpose(test_case *c)
{
    static const size_t widths[] = {1, 2, 3, 4, 6, 8, 12, 16};
    const size_t *bytes = &widths[draw_below(&c->g, 8)];
    const uint64_t columns = draw_below(&c->g, 40), rows = c->total;
    cl_ulong wanted[MOST_MEMBERS], at[MOST_MEMBERS + 1] = {0};
    clf_array in[MOST_MEMBERS], out[MOST_MEMBERS];
    clf_comm_plan *plan;
    table data = table_make(rows * columns, 1, bytes), turned = table_make(rows * columns, 1, bytes);
    for (uint64_t r = 0; r < rows; ++r)
        for (uint64_t k = 0; k < columns; ++k)
            data.at[r * columns + k] = turned.at[k * rows + r] = draw(&c->g) >> 32;
    for (cl_uint rank = 0; rank < c->w->members; ++rank) {
        const uint64_t left = columns - at[rank];
        wanted[rank] = rank + 1 == c->w->members ? left : draw_below(&c->g, 2) * draw_below(&c->g, left + 1);
        at[rank + 1] = at[rank] + wanted[rank];
    }
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &data, c->offset[me] * columns, c->n[me] * columns, in + l);
        make_room(c->w, l, &turned, wanted[me] * rows, out + l);
    }
    HOLDS(clf_comm_transpose_plan(c->w->comm, *bytes, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_transpose(plan, columns, c->n + c->w->first, wanted + c->w->first, in, out) == CLF_SUCCESS);
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, out + l, &turned, at[c->w->first + l] * rows, wanted[c->w->first + l] * rows));
    clf_comm_plan_release(plan);
    return true;
}

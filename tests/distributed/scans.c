/* SPDX-License-Identifier: MIT */
/* Reductions and scans, whole and in rows, against the plain sequential ones. */
#include "world.h"

/* The arrays of one case: for each member here inputs, outputs. */
typedef struct arrays {
    clf_array in[MOST_MEMBERS * 2 * MOST_FIELDS], out[MOST_MEMBERS * 2 * MOST_FIELDS];
    cl_uint ins, outs; /* of a member */
    table data, values, extras;
    uint64_t initial[MOST_FIELDS];
    char initial_bytes[64];
    const void *given;
} arrays;

static void make(test_case *c, const test_operator *o, uint64_t size, arrays *a)
{
    *a = (arrays){.ins = o->inputs + o->captured, .outs = o->values + o->extras};
    a->data = table_make(c->total, o->inputs, o->input_bytes);
    for (uint64_t i = 0; i < c->total; ++i) {
        uint64_t element[MOST_FIELDS];
        o->generate(&c->g, element);
        memcpy(row(&a->data, i), element, o->inputs * sizeof *element);
    }
    map_all(o, &a->data, size, &a->values, &a->extras);
    const bool with = draw_below(&c->g, 2);
    a->given = initial_struct(o, with, a->initial_bytes);
    memcpy(a->initial, with ? o->initial : o->neutral, sizeof a->initial);
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &a->data, c->offset[me], c->n[me], a->in + l * a->ins);
        if (o->captured) {
            table captured = table_make(3, 1, (const size_t[]){sizeof(cl_uint)});
            for (int i = 0; i < 3; ++i)
                captured.at[i] = captured_numbers[i];
            give(c->w, l, &captured, 0, 3, a->in + l * a->ins + o->inputs);
        }
    }
}

/* Room for results; where inputs are values they may be the outputs, too. */
static void make_outputs(test_case *c, const test_operator *o, bool may_be_in_place, const cl_ulong *counts, arrays *a)
{
    const bool in_place = may_be_in_place && !o->op.map && draw_below(&c->g, 2);
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        clf_array *out = a->out + l * a->outs;
        if (in_place)
            memcpy(out, a->in + l * a->ins, a->outs * sizeof *out);
        else
            make_room(c->w, l, &a->values, counts[c->w->first + l], out);
        if (o->extras)
            make_room(c->w, l, &a->extras, c->n[c->w->first + l], out + o->values);
    }
}

static bool same_extras(test_case *c, const test_operator *o, const arrays *a)
{
    bool same = true;
    for (cl_uint l = 0; l < c->w->locals && o->extras; ++l)
        same = same && same_rows(c->w, l, a->out + l * a->outs + o->values, &a->extras, c->offset[c->w->first + l],
                                 c->n[c->w->first + l]);
    return same;
}

/* What values add up to in rows of `size`: each element's prefix, or one result a row. */
static table fold(const test_operator *o, const arrays *a, uint64_t size, bool exclusive, bool reduce)
{
    const uint64_t rows = size ? a->values.count / size : 0;
    table t = table_make(reduce ? (size ? rows : 1) : a->values.count, o->values, o->value_bytes);
    uint64_t sum[MOST_FIELDS];
    memcpy(sum, a->initial, sizeof sum);
    for (uint64_t i = 0; i < a->values.count; ++i) {
        if (size && i % size == 0)
            memcpy(sum, a->initial, sizeof sum);
        if (exclusive && !reduce)
            memcpy(row(&t, i), sum, o->values * sizeof *sum);
        o->combine(sum, row(&a->values, i), sum);
        if (!exclusive && !reduce)
            memcpy(row(&t, i), sum, o->values * sizeof *sum);
        if (reduce && size && i % size == size - 1)
            memcpy(row(&t, i / size), sum, o->values * sizeof *sum);
    }
    if (reduce && !size)
        memcpy(row(&t, 0), sum, o->values * sizeof *sum);
    return t;
}

bool test_reduce(test_case *c, const test_operator *o)
{
    arrays a;
    cl_ulong one[MOST_MEMBERS];
    clf_comm_plan *plan;
    make(c, o, c->total, &a);
    for (int i = 0; i < MOST_MEMBERS; ++i)
        one[i] = 1;
    make_outputs(c, o, false, one, &a);
    HOLDS(clf_comm_reduce_plan(c->w->comm, &o->op, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_reduce(plan, a.given, c->n + c->w->first, a.in, a.out) == CLF_SUCCESS);
    table wanted = fold(o, &a, 0, false, true);
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, a.out + l * a.outs, &wanted, 0, 1));
    HOLDS(same_extras(c, o, &a));
    clf_comm_plan_release(plan);
    return true;
}

static bool same_scan(test_case *c, const test_operator *o, const arrays *a, uint64_t size, bool exclusive)
{
    table wanted = fold(o, a, size, exclusive, false);
    for (cl_uint l = 0; l < c->w->locals; ++l)
        HOLDS(same_rows(c->w, l, a->out + l * a->outs, &wanted, c->offset[c->w->first + l], c->n[c->w->first + l]));
    HOLDS(same_extras(c, o, a));
    return true;
}

bool test_scan(test_case *c, const test_operator *o)
{
    arrays a;
    clf_comm_plan *plan;
    const bool exclusive = draw_below(&c->g, 2);
    make(c, o, c->total, &a);
    make_outputs(c, o, true, c->n, &a);
    HOLDS(clf_comm_scan_plan(c->w->comm, &o->op, exclusive ? CLF_EXCLUSIVE : 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_scan(plan, a.given, c->n + c->w->first, a.in, a.out) == CLF_SUCCESS);
    HOLDS(same_scan(c, o, &a, 0, exclusive));
    clf_comm_plan_release(plan);
    return true;
}

/* Lengthens some member's part, so that rows are whole; returns their length. */
static uint64_t cut_rows(test_case *c)
{
    static const uint64_t sizes[] = {1, 7, 64, 1000, 5000};
    const uint64_t size = draw_below(&c->g, 3) == 0 && c->total ? c->total : sizes[draw_below(&c->g, 5)];
    if (c->total % size != 0)
        c->n[draw_below(&c->g, c->w->members)] += size - c->total % size;
    for (cl_uint rank = 0; rank < c->w->members; ++rank)
        c->offset[rank + 1] = c->offset[rank] + c->n[rank];
    c->total = c->offset[c->w->members];
    return size;
}

bool test_segmented_scan(test_case *c, const test_operator *o)
{
    arrays a;
    clf_comm_plan *plan;
    const bool exclusive = draw_below(&c->g, 2);
    const uint64_t size = cut_rows(c);
    make(c, o, size, &a);
    make_outputs(c, o, true, c->n, &a);
    HOLDS(clf_comm_segmented_scan_plan(c->w->comm, &o->op, exclusive ? CLF_EXCLUSIVE : 0, NULL, &plan, NULL) ==
          CLF_SUCCESS);
    HOLDS(clf_comm_segmented_scan(plan, a.given, size, c->n + c->w->first, a.in, a.out) == CLF_SUCCESS);
    HOLDS(same_scan(c, o, &a, size, exclusive));
    clf_comm_plan_release(plan);
    return true;
}

bool test_segmented_reduce(test_case *c, const test_operator *o)
{
    arrays a;
    clf_comm_plan *plan;
    clf_comm_results results[MOST_MEMBERS];
    cl_ulong ends[MOST_MEMBERS];
    const uint64_t size = cut_rows(c);
    make(c, o, size, &a);
    for (cl_uint rank = 0; rank < c->w->members; ++rank)
        ends[rank] = c->offset[rank + 1] / size - c->offset[rank] / size;
    make_outputs(c, o, false, ends, &a);
    HOLDS(clf_comm_segmented_reduce_plan(c->w->comm, &o->op, 0, NULL, &plan, NULL) == CLF_SUCCESS);
    HOLDS(clf_comm_segmented_reduce(plan, a.given, size, c->n + c->w->first, a.in, a.out, results) == CLF_SUCCESS);
    table wanted = fold(o, &a, size, false, true);
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        HOLDS(results[l].count == ends[me] && results[l].first == c->offset[me] / size);
        HOLDS(results[l].total == c->total / size);
        HOLDS(same_rows(c->w, l, a.out + l * a.outs, &wanted, results[l].first, results[l].count));
    }
    HOLDS(same_extras(c, o, &a));
    clf_comm_plan_release(plan);
    return true;
}

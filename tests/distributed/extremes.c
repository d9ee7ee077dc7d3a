/* SPDX-License-Identifier: MIT */
/*
 * Minima and maxima of floating numbers: members without elements, or without those of a bin, do not hide that others
 * have NaNs alone.
 */
#include "world.h"

#include <math.h>

enum { BINS = 23 };

static float bits(uint64_t x)
{
    const uint32_t low = (uint32_t)x;
    float number;
    memcpy(&number, &low, sizeof number);
    return number;
}

/* Elements: a bin, and a number; long runs and whole bins are of NaNs alone. */
static table make(test_case *c)
{
    table t = table_make(c->total, 2, (const size_t[]){sizeof(cl_uint), sizeof(cl_float)});
    for (uint64_t i = 0; i < c->total; ++i) {
        const float number = (float)draw_below(&c->g, 100);
        uint32_t low;
        memcpy(&low, &number, sizeof low);
        row(&t, i)[0] = draw_below(&c->g, BINS + 2);
        const bool is_nan = i / 60 % 3 == 0 || row(&t, i)[0] % 4 == 1 || draw_below(&c->g, 5) == 0;
        row(&t, i)[1] = is_nan ? 0x7fc00000 | draw_below(&c->g, 1000) : low;
    }
    return t;
}

/* The rule: of elements begin … end - 1 of one bin, or of any. */
static float expected(const table *t, bool largest, int bin, uint64_t begin, uint64_t end)
{
    float best = largest ? -INFINITY : INFINITY;
    bool any = false;
    for (uint64_t i = begin; i < end; ++i) {
        const float x = bits(row(t, i)[1]);
        if (bin >= 0 && row(t, i)[0] != (uint64_t)bin)
            continue;
        if (!any || isnan(best) || (largest ? x > best : x < best))
            best = x;
        any = true;
    }
    return best;
}

static bool alike(float a, float b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* A member's results, from the host. */
static float *read_results(const world *w, cl_uint l, clf_array array, uint64_t count)
{
    float *const got = malloc((size_t)count * sizeof *got + 1);
    if (got && count != 0)
        (void)clEnqueueReadBuffer(w->queue[l], array.buffer, CL_TRUE, (size_t)array.offset * sizeof *got,
                                  (size_t)count * sizeof *got, got, 0, NULL, NULL);
    return got;
}

static bool check_scan(test_case *c, const table *t, const clf_array *out, bool largest, bool exclusive, uint64_t size)
{
    bool good = true;
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const uint64_t first = c->offset[c->w->first + l], n = c->n[c->w->first + l];
        float *const got = read_results(c->w, l, out[l], n);
        for (uint64_t i = first; i < first + n; ++i)
            good = good && alike(got[i - first], expected(t, largest, -1, i / size * size, i + !exclusive));
        free(got);
    }
    return good;
}

bool test_extremes(test_case *c)
{
    const bool largest = draw_below(&c->g, 2), exclusive = draw_below(&c->g, 2);
    const uint64_t which = draw_below(&c->g, 4);
    const clf_op op = largest ? CLF_MAX : CLF_MIN;
    const clf_operator binned = {
        .size = sizeof binned, .input = "uint bin; float x;", .value = "float v;", .map = "of",
        .combine = largest ? "clf_max" : "clf_min", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
        .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }"};
    const cl_ulong *const n = c->n + c->w->first;
    clf_array in[2 * MOST_MEMBERS], numbers[MOST_MEMBERS], out[MOST_MEMBERS];
    clf_comm_plan *plan;
    table t = make(c), like = table_make(0, 1, (const size_t[]){sizeof(cl_float)});
    bool good = true;
    const uint64_t size = which == 3 && c->total ? c->total : ~(uint64_t)0; /* one row, which all members share */
    for (cl_uint l = 0; l < c->w->locals; ++l) {
        const cl_uint me = c->w->first + l;
        give(c->w, l, &t, c->offset[me], c->n[me], in + 2 * l);
        numbers[l] = in[2 * l + 1];
        make_room(c->w, l, &like, which == 0 ? 1 : which == 2 ? BINS : c->n[me], &out[l]);
    }
    if (which == 0) {
        HOLDS(clf_comm_reduce_plan(c->w->comm, clf_builtin(op, CLF_FLOAT), 0, NULL, &plan, NULL) == CLF_SUCCESS);
        HOLDS(clf_comm_reduce(plan, NULL, n, numbers, out) == CLF_SUCCESS);
    } else if (which == 2) {
        HOLDS(clf_comm_reduce_by_index_plan(c->w->comm, &binned, 0, NULL, &plan, NULL) == CLF_SUCCESS);
        HOLDS(clf_comm_reduce_by_index(plan, BINS, n, in, out) == CLF_SUCCESS);
    } else if (which == 3) {
        HOLDS(clf_comm_segmented_scan_plan(c->w->comm, clf_builtin(op, CLF_FLOAT), exclusive ? CLF_EXCLUSIVE : 0, NULL,
                                           &plan, NULL) == CLF_SUCCESS);
        HOLDS(clf_comm_segmented_scan(plan, NULL, c->total ? size : 1, n, numbers, out) == CLF_SUCCESS);
    } else {
        HOLDS(clf_comm_scan_plan(c->w->comm, clf_builtin(op, CLF_FLOAT), exclusive ? CLF_EXCLUSIVE : 0, NULL, &plan,
                                 NULL) == CLF_SUCCESS);
        HOLDS(clf_comm_scan(plan, NULL, n, numbers, out) == CLF_SUCCESS);
    }
    for (cl_uint l = 0; l < c->w->locals && (which == 0 || which == 2); ++l) {
        const uint64_t count = which == 0 ? 1 : BINS;
        float *const got = read_results(c->w, l, out[l], count);
        for (uint64_t k = 0; k < count; ++k)
            good = good && alike(got[k], expected(&t, largest, which == 0 ? -1 : (int)k, 0, c->total));
        free(got);
    }
    if (which == 1 || which == 3)
        good = check_scan(c, &t, out, largest, exclusive, size);
    HOLDS(good);
    clf_comm_plan_release(plan);
    return true;
}

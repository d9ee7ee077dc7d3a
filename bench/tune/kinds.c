/* SPDX-License-Identifier: MIT */
/*
 * What the child calls, and what must come of it: as clfold-bench has it. There bench_run_kind makes rows of what a
 * primitive says of itself; here it keeps that, and rows are made by worker.c.
 */
#include "tune/tune.h"

#include <string.h>

static const bench_primitive primitives[] = {
    {"scan", 0, clf_scan_plan, bench_scan_run},
    {"segmented_scan", 0, clf_segmented_scan_plan, bench_segmented_scan_run},
    {"segmented_reduce", 0, clf_reduce_plan, bench_reduce_run},
    {"sort", 0, bench_sort_plan, bench_sort_run},
    {"sort_pairs", 0, bench_sort_pairs_plan, bench_sort_run},
    {"histogram", 0, bench_histogram_plan, bench_histogram_run},
    {"top_k_1024", 0, bench_top_k_plan, bench_top_k_run},
    {"transpose", 0, bench_transpose_plan, bench_transpose_run},
    {"filter", 0, bench_filter_plan, bench_filter_run},
    {"reduce_by_key", 0, bench_reduce_by_key_plan, bench_reduce_by_key_run},
};

static bench_kind kept; /* of the one thread that asks */

void bench_run_kind(bench_session *session, const bench_primitive *primitive, const bench_kind *kind)
{
    (void)session, (void)primitive;
    kept = *kind;
}

tune_kind tune_kind_of(bench_session *session, const tune_family *family)
{
    static cl_ulong one_bin = 1; /* whatever the shapes say later */
    size_t p = 0;
    while (strcmp(primitives[p].name, family->bench) != 0)
        p++;
    session->options.bins = (bench_sizes){1, &one_bin};
    primitives[p].run(session, &primitives[p]);
    return (tune_kind){primitives[p], kept};
}

bool tune_find_operators(const tune_kind *kind, const char *type, bench_operator *timed, bench_operator *checked)
{
    const bench_kind *const k = &kind->kind;
    const char *const op = k->ops ? k->ops[0] : "sum";
    if (!(k->find ? k->find(op, type, timed) : tune_find_type(type, timed)))
        return false;
    *checked = k->find || k->plain ? *timed : tune_last(timed); /* is there an operator at all? */
    return true;
}

/* Where elements fall depends on the bins: so they are made anew. */
static void open_data(const tune_kind *kind, bench_data *data, cl_ulong bins)
{
    if (kind->kind.close && data->n)
        kind->kind.close(data);
    data->bins = bins;
    if (kind->kind.open)
        kind->kind.open(data);
}

bench_shape tune_whole(tune_shape shape)
{
    return (bench_shape){shape.batch ? shape.batch : 1, shape.segments, shape.size};
}

void tune_expect(const tune_kind *kind, bench_data *data, tune_shape shape, tune_shape *there)
{
    if (memcmp(there, &shape, sizeof shape) == 0)
        return;
    if (data->n == 0 || data->bins != shape.bins)
        open_data(kind, data, shape.bins);
    *there = shape;
    const bench_shape all = tune_whole(shape);
    data->n = all.batch * all.count * all.size;
    data->found = kind->kind.sums ? shape.segments : data->n;
    kind->kind.expect(data, all);
}

/* SPDX-License-Identifier: MIT */
/*
 * What the child calls, and what must come of it: a primitive of clfold-bench, of which worker.c makes rows of its own.
 */
#include "tune/tune.h"

#include <string.h>

bool tune_find_operators(const bench_kind *kind, const char *type, bench_operator *timed, bench_operator *checked)
{
    const char *const op = kind->ops ? kind->ops[0] : "sum";
    if (!(kind->find ? kind->find(op, type, timed) : tune_find_type(type, timed)))
        return false;
    *checked = kind->find || kind->plain ? *timed : tune_last(timed); /* is there an operator at all? */
    return true;
}

/* Where elements fall depends on the bins: so they are made anew. */
static void open_data(const bench_kind *kind, bench_data *data, cl_ulong bins)
{
    if (kind->close && data->n)
        kind->close(data);
    data->bins = bins;
    if (kind->open)
        kind->open(data);
}

bench_shape tune_whole(tune_shape shape)
{
    return (bench_shape){shape.batch ? shape.batch : 1, shape.segments, shape.size};
}

void tune_expect(const bench_kind *kind, bench_data *data, tune_shape shape, tune_shape *there)
{
    if (memcmp(there, &shape, sizeof shape) == 0)
        return;
    if (data->n == 0 || data->bins != shape.bins)
        open_data(kind, data, shape.bins);
    *there = shape;
    const bench_shape all = tune_whole(shape);
    data->n = all.batch * all.count * all.size;
    data->found = kind->sums ? shape.segments : data->n;
    kind->expect(data, all);
}

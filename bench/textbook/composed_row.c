/* SPDX-License-Identifier: MIT */
/*
 * The row of a composed scan. Traffic: as of a scan, though most of them read or write all elements twice.
 */
#include "textbook/composed.h"

#include <math.h>

/* A call of the bench, and the engine that it is of. */
typedef struct composed_call {
    bench_call call; /* first, so that one is found by the other */
    composed *engine;
} composed_call;

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    composed *const engine = ((const composed_call *)call)->engine;
    return composed_enqueue(engine, how->queue, call->shape.size, call->data->in_array, call->data->out_array,
                            how->event);
}

/* How often the elements are read or written. */
static unsigned passes(const composed_scheme *s)
{
    return s->meeting == COMPOSED_PROPAGATE ? 4 : s->meeting == COMPOSED_REDUCE ? 3 : 2;
}

/*
 * `bytes`: of elements read and written once. Besides those there is what stands for blocks: sums, level by level,
 * which are written, scanned and added; or two messages, and the one that is looked at.
 */
static cl_ulong moved(const bench_operator *op, const composed_scheme *s, cl_ulong bytes, cl_ulong n)
{
    cl_ulong sums = 0, value = 0, input = 0;
    for (unsigned o = 0; o < op->outputs; ++o)
        value += op->out_size[o];
    for (unsigned i = 0; i < op->inputs; ++i)
        input += op->in_size[i];
    for (cl_ulong left = n; left > s->bs; sums += left)
        left = (left + s->bs - 1) / s->bs;
    switch (s->meeting) {
    case COMPOSED_PROPAGATE: return 2 * bytes + 5 * sums * value;
    case COMPOSED_REDUCE: return bytes + n * input + 5 * sums * value;
    default: return bytes + (n + s->bs - 1) / s->bs * 6 * value;
    }
}

double composed_row(bench_data *data, bench_shape shape, const composed_ranked *it)
{
    char define[48];
    composed engine;
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type,
                     .variant = it->name ? it->name : it->scheme, .define = it->name ? it->define : define,
                     .n = shape.size, .batch = 1, .segments = 1, .segment_size = shape.size,
                     .bytes = shape.size * bench_traffic(&data->op), .forced = true};
    const char *wrong = composed_open(&engine, data->session, &data->op, it->scheme, data->limit, "");
    if (wrong) {
        bench_note("skipped: composed_scan %s %s \"%s\": %s", data->op.name, data->op.type, it->scheme, wrong);
        return INFINITY;
    }
    snprintf(define, sizeof define, "moves=%u,bs=%u,se=%u", passes(&engine.scheme), engine.scheme.bs, engine.scheme.se);
    row.moved = moved(&data->op, &engine.scheme, row.bytes, row.n);
    row.depth = it->depth;
    row.work = (double)it->applied / engine.scheme.bs;
    composed_call call = {{data, NULL, shape, shape.size, enqueue, .marked = true}, &engine};
    data->n = data->found = shape.size;
    bench_copy(data, &row);
    const bool measured = bench_measure(&call.call, &row);
    if (measured)
        bench_finish_row(data->session, &row);
    composed_close(&engine);
    return measured && row.verified && row.us_min > 0 ? row.us_min : INFINITY;
}

/* SPDX-License-Identifier: MIT */
/*
 * Rows of reduce and segmented_reduce: the same call, with one segment or with those of --segments, by
 * default all splits of each n into powers of two. Traffic: every input read once, every value written
 * once; `copy_us` is what copying half as much to as much again takes, so that of_copy compares bytes
 * moved with bytes moved.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

/* A segment's value is the last result of its inclusive scan. */
static void expect(bench_data *data, bench_shape shape)
{
    const bench_operator *op = &data->op;
    void *in[BENCH_FIELDS], *sums[BENCH_FIELDS];
    for (unsigned o = 0; o < op->outputs; o++)
        sums[o] = bench_alloc((size_t)(shape.size * op->out_size[o]));
    for (cl_ulong s = 0; s < shape.count; s++) {
        for (unsigned i = 0; i < op->inputs; i++)
            in[i] = (char *)data->in[i] + s * shape.size * op->in_size[i];
        op->scan(op, shape.size, false, in, sums);
        for (unsigned o = 0; o < op->outputs; o++) {
            const size_t bytes = op->out_size[o];
            memcpy((char *)data->expected[o] + s * bytes, (char *)sums[o] + (shape.size - 1) * bytes, bytes);
        }
    }
    for (unsigned o = 0; o < op->outputs; o++)
        free(sums[o]);
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_segmented_reduce(call->plan, queue, call->shape.count, call->shape.size, call->data->in_array,
                                call->data->out_array, NULL, NULL, 0, NULL, event);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

static bench_row new_row(const bench_data *data, bench_shape shape)
{
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type,
                     .n = shape.count * shape.size, .segments = shape.count, .segment_size = shape.size};
    for (unsigned i = 0; i < data->op.inputs; i++)
        row.bytes += row.n * data->op.in_size[i];
    for (unsigned i = 0; i < data->op.outputs; i++)
        row.bytes += shape.count * data->op.out_size[i];
    bench_copies copies = bench_copy(data->session, row.bytes);
    row.copy_us = copies.copy_us;
    row.copy_kernel_us = copies.kernel_us;
    return row;
}

static void run_row(const bench_data *data, bench_shape shape, clf_plan *plan, const char *define)
{
    bench_session *session = data->session;
    bench_call call = {data, plan, shape, shape.count, enqueue, .marked = false};
    bench_row row = new_row(data, shape);
    row.variant = clf_reduce_variant(plan, shape.count, shape.size);
    row.define = *define ? define : NULL;
    if (!bench_measure(&call, &row)) {
        bench_note("skipped: %s does not do [%llu][%llu]", row.variant, (unsigned long long)shape.count,
                   (unsigned long long)shape.size);
        return;
    }
    bench_print_row(session, &row);
    session->done++;
    session->wrong += !row.verified;
}

/* NULL, and a note, where the device cannot do it this way. */
static clf_plan *make_plan(const bench_data *data, const char *variant, const char *define)
{
    clf_error error = {.size = sizeof error};
    clf_plan_options options = {.size = sizeof options, .variant = *variant ? variant : NULL,
                                .parameters = *define ? define : NULL};
    clf_plan *plan = NULL;
    clf_status status = clf_reduce_plan(data->session->clf, data->op.op, 0, &options, &plan, &error);
    if (status == CLF_SUCCESS)
        return plan;
    bench_note("skipped: %s %s %s %s %s: %s\n%.600s", data->primitive->name, data->op.name, data->op.type, variant,
               define, error.message[0] ? error.message : clf_status_text(status), error.log);
    data->session->wrong += status != CLF_E_UNSUPPORTED && status != CLF_E_PARAMETER;
    return NULL;
}

static void run_operator(bench_data *data, const bench_shape *shapes, unsigned shape_count)
{
    const bench_options *options = &data->session->options;
    const unsigned plan_count = options->variants.count * options->defines.count;
    clf_plan **plans = bench_alloc(plan_count * sizeof *plans);
    for (unsigned i = 0; i < plan_count; i++)
        plans[i] = make_plan(data, options->variants.word[i / options->defines.count],
                             options->defines.word[i % options->defines.count]);
    bench_open_data(data);
    for (unsigned s = 0; s < shape_count; s++) {
        bench_progress("[%u done] %s %s %s [%llu][%llu]", data->session->done, data->primitive->name, data->op.name,
                       data->op.type, (unsigned long long)shapes[s].count, (unsigned long long)shapes[s].size);
        expect(data, shapes[s]);
        for (unsigned i = 0; i < plan_count; i++)
            if (plans[i])
                run_row(data, shapes[s], plans[i], options->defines.word[i % options->defines.count]);
    }
    bench_close_data(data);
    for (unsigned i = 0; i < plan_count; i++)
        if (plans[i])
            clf_plan_release(plans[i]);
    free(plans);
}

/* ---- Shapes ----------------------------------------------------------------------------------------------- */

/* One segment per n, or all its splits; a scan of nothing has no last result, so nothing is left out. */
static unsigned list_shapes(const bench_options *options, bool segmented, bench_shape *shapes)
{
    unsigned count = 0;
    for (unsigned i = 0; i < options->size_count; i++) {
        const cl_ulong n = options->sizes[i];
        if (n && !segmented)
            shapes[count++] = (bench_shape){1, n};
        for (unsigned k = 0; n && segmented && k < 64 && n >> k; k++)
            shapes[count++] = (bench_shape){n >> k, (cl_ulong)1 << k};
    }
    return count;
}

static void run_operators(bench_data *data, const bench_shape *shapes, unsigned count)
{
    const bench_options *options = &data->session->options;
    for (unsigned i = 0; i < count; i++) {
        const cl_ulong n = shapes[i].count * shapes[i].size;
        data->limit = n > data->limit ? n : data->limit;
        data->results = shapes[i].count > data->results ? shapes[i].count : data->results;
    }
    for (unsigned o = 0; o < options->ops.count; o++) {
        const bool tuple = bench_find_user_operator(options->ops.word[o], &data->op);
        for (unsigned t = 0; t < (tuple ? 1 : options->types.count); t++) {
            if (tuple || bench_find_operator(options->ops.word[o], options->types.word[t], &data->op))
                run_operator(data, shapes, count);
            else
                bench_note("skipped: there is no %s of %s", options->ops.word[o], options->types.word[t]);
        }
    }
}

void bench_reduce_run(bench_session *session, const bench_primitive *self)
{
    const bench_options *options = &session->options;
    const bool segmented = strcmp(self->name, "reduce") != 0;
    bench_data data = {.session = session, .primitive = self};
    if (segmented && options->shape_count) {
        run_operators(&data, options->shapes, options->shape_count);
        return;
    }
    bench_shape *shapes = bench_alloc(options->size_count * 64 * sizeof *shapes);
    run_operators(&data, shapes, list_shapes(options, segmented, shapes));
    free(shapes);
}

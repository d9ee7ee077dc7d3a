/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_scan, for the shapes of --segments, or else for all splits of each --n into powers of two;
 * by default of 2^24 (CPU devices) or 2^26 elements. Traffic: that of a plain scan. Beside the copies stands
 * scan_us, our plain scan of as many elements (whatever --variant and --define say), measured anew before each
 * shape: segments should cost nothing.
 */
#include "bench.h"

#include <stdlib.h>

/* One plain scan after the other. */
static void expect(bench_data *data, bench_shape shape)
{
    const bench_operator *op = &data->op;
    const bool exclusive = (data->primitive->flags & CLF_EXCLUSIVE) != 0;
    void *in[BENCH_FIELDS], *out[BENCH_FIELDS];
    for (cl_ulong s = 0; s < shape.count; s++) {
        for (unsigned i = 0; i < op->inputs; i++)
            in[i] = (char *)data->in[i] + s * shape.size * op->in_size[i];
        for (unsigned o = 0; o < op->outputs; o++)
            out[o] = (char *)data->expected[o] + s * shape.size * op->out_size[o];
        op->scan(op, shape.size, exclusive, in, out);
    }
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_segmented_scan(call->plan, queue, call->shape.count, call->shape.size, call->data->in_array,
                              call->data->out_array, NULL, NULL, 0, NULL, event);
}

static clf_status enqueue_plain(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_scan(call->plan, queue, call->results, call->data->in_array, call->data->out_array, NULL, NULL, 0, NULL,
                    event);
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

/* What all rows of one shape share. */
static bench_row new_row(const bench_data *data, clf_plan *scan, bench_shape shape)
{
    const cl_ulong n = shape.count * shape.size;
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type, .n = n,
                     .segments = shape.count, .segment_size = shape.size, .bytes = n * bench_traffic(&data->op)};
    bench_copies copies = bench_copy(data->session, row.bytes);
    bench_call plain = {data, scan, shape, n, enqueue_plain, .marked = false};
    row.copy_us = copies.copy_us;
    row.copy_kernel_us = copies.kernel_us;
    row.scan_us = bench_time_call(&plain).us;
    return row;
}

static void run_row(const bench_data *data, bench_row row, clf_plan *plan, const char *define)
{
    bench_session *session = data->session;
    bench_call call = {data, plan, {row.segments, row.segment_size}, row.n, enqueue, .marked = false};
    char variant[64] = "", *text = bench_describe_plan(plan, row.n);
    bench_described(text, "variant", variant, sizeof variant);
    free(text);
    row.variant = variant;
    row.define = *define ? define : NULL;
    if (!bench_measure(&call, &row)) {
        bench_note("skipped: %s does not do [%llu][%llu]", variant, (unsigned long long)row.segments,
                   (unsigned long long)row.segment_size);
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
    clf_status status = data->primitive->plan(data->session->clf, data->op.op, data->primitive->flags, &options, &plan,
                                              &error);
    if (status == CLF_SUCCESS)
        return plan;
    bench_note("skipped: %s %s %s %s %s: %s", data->primitive->name, data->op.name, data->op.type, variant, define,
               error.message[0] ? error.message : clf_status_text(status));
    if (error.log[0])
        bench_note("%.600s", error.log);
    data->session->wrong += status != CLF_E_UNSUPPORTED && status != CLF_E_PARAMETER;
    return NULL;
}

static void run_shape(bench_data *data, clf_plan *scan, bench_shape shape, clf_plan *const *plans)
{
    const bench_words *variants = &data->session->options.variants, *defines = &data->session->options.defines;
    bench_progress("[%u done] %s %s %s [%llu][%llu]", data->session->done, data->primitive->name, data->op.name,
                   data->op.type, (unsigned long long)shape.count, (unsigned long long)shape.size);
    expect(data, shape);
    const bench_row row = new_row(data, scan, shape);
    for (unsigned i = 0; i < variants->count * defines->count; i++)
        if (plans[i])
            run_row(data, row, plans[i], defines->word[i % defines->count]);
}

static void run_operator(bench_data *data, const bench_shape *shapes, unsigned shape_count)
{
    const bench_words *variants = &data->session->options.variants, *defines = &data->session->options.defines;
    const unsigned plan_count = variants->count * defines->count;
    clf_plan **plans = bench_alloc(plan_count * sizeof *plans);
    unsigned made = 0;
    for (unsigned i = 0; i < plan_count; i++) {
        plans[i] = make_plan(data, variants->word[i / defines->count], defines->word[i % defines->count]);
        made += plans[i] != NULL;
    }
    if (made) {
        clf_plan *scan = NULL; /* the plain one */
        bench_check(clf_scan_plan(data->session->clf, data->op.op, data->primitive->flags, NULL, &scan, NULL),
                    "clf_scan_plan");
        bench_open_data(data);
        for (unsigned s = 0; s < shape_count; s++)
            run_shape(data, scan, shapes[s], plans);
        bench_close_data(data);
        clf_plan_release(scan);
    }
    for (unsigned i = 0; i < plan_count; i++)
        if (plans[i])
            clf_plan_release(plans[i]);
    free(plans);
}

/* ---- Shapes ----------------------------------------------------------------------------------------------- */

static unsigned split(cl_ulong n, bench_shape *shapes)
{
    unsigned count = 0;
    for (unsigned k = 0; k < 64 && n >> k; k++)
        shapes[count++] = (bench_shape){n >> k, (cl_ulong)1 << k};
    return count;
}

static unsigned list_shapes(const bench_session *session, bench_shape *shapes)
{
    unsigned count = 0;
    if (session->usual_sizes)
        return split((cl_ulong)1 << (session->device.type & CL_DEVICE_TYPE_CPU ? 24 : 26), shapes);
    for (unsigned i = 0; i < session->options.size_count; i++)
        count += split(session->options.sizes[i], shapes + count);
    return count;
}

static void run_operators(bench_data *data, const bench_shape *shapes, unsigned count)
{
    const bench_options *options = &data->session->options;
    for (unsigned i = 0; i < count; i++) {
        const cl_ulong n = shapes[i].count * shapes[i].size;
        data->limit = n > data->limit ? n : data->limit;
    }
    data->results = data->limit;
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

void bench_segmented_scan_run(bench_session *session, const bench_primitive *self)
{
    const bench_options *options = &session->options;
    bench_data data = {.session = session, .primitive = self};
    if (options->shape_count) {
        run_operators(&data, options->shapes, options->shape_count);
        return;
    }
    bench_shape *shapes = bench_alloc(options->size_count * 64 * sizeof *shapes);
    run_operators(&data, shapes, list_shapes(session, shapes));
    free(shapes);
}

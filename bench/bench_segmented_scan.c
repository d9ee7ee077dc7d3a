/* SPDX-License-Identifier: MIT */
/*
 * Rows of segmented_scan, for the shapes of --segments, or else for all splits of each --n into powers of two;
 * by default of 2^24 (CPU devices) or 2^26 elements. Traffic: that of a plain scan. Beside the copies stands
 * scan_us, our plain scan of as many elements (whatever --variant and --define say), measured anew before each
 * shape: segments should cost nothing.
 */
#include "bench.h"

#include <stdlib.h>

typedef struct segments_data {
    bench_session *session;
    const bench_primitive *primitive;
    bench_operator op;
    cl_ulong limit; /* elements held */
    clf_plan *scan; /* the plain one */
    void *in[BENCH_FIELDS], *expected[BENCH_FIELDS];
    clf_array in_array[BENCH_FIELDS], out_array[BENCH_FIELDS];
} segments_data;

typedef struct segments_call {
    const segments_data *data;
    clf_plan *plan;
    bench_shape shape;
} segments_call;

/* ---- Data ---------------------------------------------------------------------------------------------- */

static void open_data(segments_data *data)
{
    const bench_operator *op = &data->op;
    bench_progress("preparing %s of %s, %llu elements", op->name, op->type, (unsigned long long)data->limit);
    for (unsigned i = 0; i < op->inputs; i++) {
        cl_ulong bytes = data->limit * op->in_size[i];
        data->in[i] = bench_alloc((size_t)bytes);
        data->in_array[i] = (clf_array){bench_buffer(data->session->cl, bytes), 0};
    }
    for (unsigned i = 0; i < op->outputs; i++) {
        cl_ulong bytes = data->limit * op->out_size[i];
        data->expected[i] = bench_alloc((size_t)bytes);
        data->out_array[i] = (clf_array){bench_buffer(data->session->cl, bytes), 0};
    }
    op->fill(op, data->limit, data->in);
    for (unsigned i = 0; i < op->inputs; i++)
        bench_write(data->session->queue, data->in_array[i].buffer, data->in[i], data->limit * op->in_size[i]);
}

static void close_data(segments_data *data)
{
    for (unsigned i = 0; i < data->op.inputs; i++) {
        free(data->in[i]);
        clReleaseMemObject(data->in_array[i].buffer);
    }
    for (unsigned i = 0; i < data->op.outputs; i++) {
        free(data->expected[i]);
        clReleaseMemObject(data->out_array[i].buffer);
    }
}

/* One plain scan after the other. */
static void expect(segments_data *data, bench_shape shape)
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

/* So that no result of an earlier row is taken for this one's. */
static void poison(const segments_data *data, cl_ulong n)
{
    const cl_uchar pattern = 0xA5;
    for (unsigned i = 0; i < data->op.outputs && n; i++)
        bench_check(clEnqueueFillBuffer(data->session->queue, data->out_array[i].buffer, &pattern, 1, 0,
                                        (size_t)(n * data->op.out_size[i]), 0, NULL, NULL), "fill");
}

static bool is_right(const segments_data *data, cl_ulong n)
{
    for (unsigned i = 0; i < data->op.outputs; i++)
        if (!bench_same(data->session->queue, data->out_array[i].buffer, data->expected[i], n, data->op.out_size[i]))
            return false;
    return true;
}

/* ---- Calls ---------------------------------------------------------------------------------------------- */

static clf_status enqueue(const segments_call *call, cl_command_queue queue, cl_event *event)
{
    return clf_segmented_scan(call->plan, queue, call->shape.count, call->shape.size, call->data->in_array,
                              call->data->out_array, NULL, NULL, 0, NULL, event);
}

static void start(void *state)
{
    const segments_call *call = state;
    bench_check(enqueue(call, call->data->session->queue, NULL), "clf_segmented_scan");
}

static void start_plain(void *state)
{
    const segments_call *call = state;
    const segments_data *data = call->data;
    bench_check(clf_scan(data->scan, data->session->queue, call->shape.count * call->shape.size, data->in_array,
                         data->out_array, NULL, NULL, 0, NULL, NULL), "clf_scan");
}

static void finish(void *state)
{
    bench_check(clFinish(((segments_call *)state)->data->session->queue), "clFinish");
}

static double event_us(const segments_call *call)
{
    cl_command_queue queue = call->data->session->profiling;
    double least = 0;
    for (int i = 0; i < 5; i++) {
        cl_event event;
        cl_ulong from = 0, to = 0;
        bench_check(enqueue(call, queue, &event), "clf_segmented_scan");
        bench_check(clFinish(queue), "clFinish");
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_START, sizeof from, &from, NULL);
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof to, &to, NULL);
        clReleaseEvent(event);
        const double us = (double)(to - from) * 1e-3;
        if (to > from && (least <= 0 || us < least))
            least = us;
    }
    return least;
}

/* False if this variant does not do so many elements. */
static bool measure(segments_call *call, bench_row *row)
{
    bench_session *session = call->data->session;
    bench_work work = {start, finish, call};
    poison(call->data, row->n);
    clf_status status = enqueue(call, session->queue, NULL);
    if (status == CLF_E_UNSUPPORTED)
        return false;
    bench_check(status, "clf_segmented_scan");
    row->verified = is_right(call->data, row->n);
    if (!row->verified)
        return true;
    unsigned before = bench_launches();
    start(call);
    finish(call);
    row->launches = bench_launches() - before;
    bench_times times = bench_time(&work, &session->effort);
    row->us = times.us;
    row->us_min = times.us_min;
    row->us_event = row->launches == 1 ? event_us(call) : 0;
    row->verified = is_right(call->data, row->n); /* still, after many calls? */
    return true;
}

/* ---- Rows ------------------------------------------------------------------------------------------------ */

/* What all rows of one shape share. */
static bench_row new_row(const segments_data *data, bench_shape shape)
{
    const cl_ulong n = shape.count * shape.size;
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type, .n = n,
                     .segments = shape.count, .segment_size = shape.size, .bytes = n * bench_traffic(&data->op)};
    bench_copies copies = bench_copy(data->session, row.bytes);
    bench_work plain = {start_plain, finish, &(segments_call){data, data->scan, shape}};
    row.copy_us = copies.copy_us;
    row.copy_kernel_us = copies.kernel_us;
    row.scan_us = bench_time(&plain, &data->session->effort).us;
    return row;
}

static void run_row(const segments_data *data, bench_row row, clf_plan *plan, const char *define)
{
    bench_session *session = data->session;
    segments_call call = {data, plan, {row.segments, row.segment_size}};
    char variant[64] = "", *text = bench_describe_plan(plan, row.n);
    bench_described(text, "variant", variant, sizeof variant);
    free(text);
    row.variant = variant;
    row.define = *define ? define : NULL;
    if (!measure(&call, &row)) {
        bench_note("skipped: %s does not do [%llu][%llu]", variant, (unsigned long long)row.segments,
                   (unsigned long long)row.segment_size);
        return;
    }
    bench_print_row(session, &row);
    session->done++;
    session->wrong += !row.verified;
}

/* NULL, and a note, where the device cannot do it this way. */
static clf_plan *make_plan(const segments_data *data, const char *variant, const char *define)
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

static void run_shape(segments_data *data, bench_shape shape, clf_plan *const *plans)
{
    const bench_words *variants = &data->session->options.variants, *defines = &data->session->options.defines;
    bench_progress("[%u done] %s %s %s [%llu][%llu]", data->session->done, data->primitive->name, data->op.name,
                   data->op.type, (unsigned long long)shape.count, (unsigned long long)shape.size);
    expect(data, shape);
    const bench_row row = new_row(data, shape);
    for (unsigned i = 0; i < variants->count * defines->count; i++)
        if (plans[i])
            run_row(data, row, plans[i], defines->word[i % defines->count]);
}

static void run_operator(segments_data *data, const bench_shape *shapes, unsigned shape_count)
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
        bench_check(clf_scan_plan(data->session->clf, data->op.op, data->primitive->flags, NULL, &data->scan, NULL),
                    "clf_scan_plan");
        open_data(data);
        for (unsigned s = 0; s < shape_count; s++)
            run_shape(data, shapes[s], plans);
        close_data(data);
        clf_plan_release(data->scan);
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

static void run_operators(segments_data *data, const bench_shape *shapes, unsigned count)
{
    const bench_options *options = &data->session->options;
    for (unsigned i = 0; i < count; i++) {
        const cl_ulong n = shapes[i].count * shapes[i].size;
        data->limit = n > data->limit ? n : data->limit;
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

void bench_segmented_scan_run(bench_session *session, const bench_primitive *self)
{
    const bench_options *options = &session->options;
    segments_data data = {.session = session, .primitive = self};
    if (options->shape_count) {
        run_operators(&data, options->shapes, options->shape_count);
        return;
    }
    bench_shape *shapes = bench_alloc(options->size_count * 64 * sizeof *shapes);
    run_operators(&data, shapes, list_shapes(session, shapes));
    free(shapes);
}

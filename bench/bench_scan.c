/* SPDX-License-Identifier: MIT */
/*
 * Rows of the scan primitives. All sizes of one operator share one input and one expected result, those of
 * the largest size: a shorter scan is a prefix of a longer one. Traffic: every input read once, every output
 * written once, n * (sum of their element sizes).
 */
#include "bench.h"
#include "peers/peer.h"

#include <stdlib.h>
#include <string.h>

/* ---- clfold ---- */

static void expect(bench_data *data)
{
    const bool exclusive = (data->primitive->flags & CLF_EXCLUSIVE) != 0;
    data->op.scan(&data->op, data->limit, exclusive, data->in, data->expected);
}

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const bench_data *data = call->data;
    return clf_scan(call->plan, queue, call->shape.size, data->in_array, data->out_array, NULL, NULL, 0, NULL, event);
}

static bench_row new_row(const bench_data *data, cl_ulong n)
{
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type, .n = n,
                     .segments = 1, .segment_size = n, .bytes = n * bench_traffic(&data->op)};
    bench_copies copies = bench_copy(data->session, row.bytes);
    row.copy_us = copies.copy_us;
    row.copy_kernel_us = copies.kernel_us;
    return row;
}

static void finish_row(bench_session *session, const bench_row *row)
{
    bench_print_row(session, row);
    session->done++;
    if (!row->verified && !row->peer)
        session->wrong++;
}

static void note_skipped(const bench_data *data, const char *variant, const char *define, const char *why)
{
    bench_note("skipped: %s %s %s%s%s%s%s: %s", data->primitive->name, data->op.name, data->op.type,
               *variant ? " " : "", variant, *define ? " " : "", define, why);
}

/* NULL, and a note, where the device cannot do it this way. A program that does not compile is a failed row. */
static clf_plan *make_plan(const bench_data *data, const char *variant, const char *define)
{
    bench_session *session = data->session;
    clf_error error = {.size = sizeof error};
    clf_plan_options options = {.size = sizeof options, .variant = *variant ? variant : NULL,
                                .parameters = *define ? define : NULL};
    clf_plan *plan = NULL;
    clf_status status = clf_scan_plan(session->clf, data->op.op, data->primitive->flags, &options, &plan, &error);
    if (status == CLF_SUCCESS)
        return plan;
    note_skipped(data, variant, define, error.message[0] ? error.message : clf_status_text(status));
    if (error.log[0])
        bench_note("%.600s", error.log);
    session->wrong += status != CLF_E_UNSUPPORTED && status != CLF_E_PARAMETER;
    return NULL;
}

static void run_row(bench_data *data, cl_ulong n, clf_plan *plan, const char *variant, const char *define)
{
    char chosen[64] = "", *text = bench_describe_plan(plan, n);
    bench_call call = {data, plan, {1, n}, n, enqueue, .marked = true};
    bench_row row = new_row(data, n);
    if (bench_described(text, "variant", chosen, sizeof chosen))
        variant = chosen;
    row.variant = *variant ? variant : NULL;
    row.define = *define ? define : NULL;
    if (bench_measure(&call, &row))
        finish_row(data->session, &row);
    else
        note_skipped(data, variant, define, "not for so many elements");
    free(text);
}

/* ---- peers ---- */

static bool peer_is_right(const peer *other, void *state, const bench_data *data, cl_ulong n)
{
    void *got[BENCH_FIELDS];
    bool right = true;
    for (unsigned i = 0; i < data->op.outputs; i++)
        got[i] = bench_alloc((size_t)n * data->op.out_size[i]);
    other->fetch(state, got);
    for (unsigned i = 0; i < data->op.outputs; i++) {
        right = right && bench_same_memory(got[i], data->expected[i], 0, n, data->op.out_size[i]);
        free(got[i]);
    }
    return right;
}

static void measure_peer(const peer *other, void *state, const bench_data *data, bench_row *row)
{
    bench_work work = {other->call, other->wait, state};
    other->call(state);
    other->wait(state);
    row->verified = peer_is_right(other, state, data, row->n);
    if (!row->verified)
        return;
    unsigned before = bench_launches();
    other->call(state);
    other->wait(state);
    row->launches = bench_launches() - before;
    bench_times times = bench_time(&work, &data->session->effort);
    row->us = times.us;
    row->us_min = times.us_min;
    if (other->copy) {
        work.call = other->copy;
        row->copy_us = bench_time(&work, &data->session->effort).us;
    }
}

static void run_peer(const peer *other, bench_data *data, cl_ulong n)
{
    bench_session *session = data->session;
    peer_job job = {
        .primitive = "scan", .op = data->op.name, .type = data->op.type, .n = n,
        .exclusive = (data->primitive->flags & CLF_EXCLUSIVE) != 0, .inputs = data->op.inputs,
        .outputs = data->op.outputs, .in = data->in, .context = session->cl, .device = session->device.id,
        .queue = session->queue, .in_buffer = data->in_array[0].buffer, .out_buffer = data->out_array[0].buffer,
    };
    void *state = n ? other->open(&job) : NULL;
    if (!state)
        return;
    bench_row row = new_row(data, n);
    row.peer = other->name;
    bench_poison(data, n);
    measure_peer(other, state, data, &row);
    finish_row(session, &row);
    other->close(state);
}

static bool peer_wanted(const bench_words *wanted, const char *name)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (!strcmp(wanted->word[i], name) || !strcmp(wanted->word[i], "all"))
            return true;
    return false;
}

/* ---- all rows of one operator ---- */

static void run_size(bench_data *data, cl_ulong n, clf_plan *const *plans)
{
    bench_session *session = data->session;
    const bench_options *options = &session->options;
    char size[24];
    bench_size_text(n, size);
    for (unsigned v = 0; v < options->variants.count; v++) {
        for (unsigned d = 0; d < options->defines.count; d++) {
            clf_plan *plan = plans[v * options->defines.count + d];
            bench_progress("[%u done] %s %s %s %s %s %s", session->done, data->primitive->name, data->op.name,
                           data->op.type, size, options->variants.word[v], options->defines.word[d]);
            if (plan)
                run_row(data, n, plan, options->variants.word[v], options->defines.word[d]);
        }
    }
    for (unsigned i = 0; peer_list[i]; i++) {
        bench_progress("[%u done] %s %s %s %s (%s)", session->done, data->primitive->name, data->op.name,
                       data->op.type, size, peer_list[i]->name);
        if (peer_wanted(&options->peers, peer_list[i]->name))
            run_peer(peer_list[i], data, n);
    }
}

/* Compiles each combination of variant and define once, for all sizes. */
static void run_operator(bench_data *data)
{
    const bench_options *options = &data->session->options;
    unsigned plan_count = options->variants.count * options->defines.count, made = 0;
    clf_plan **plans = bench_alloc(plan_count * sizeof *plans);
    for (unsigned i = 0; i < plan_count; i++) {
        const char *define = options->defines.word[i % options->defines.count];
        bench_progress("compiling %s %s %s (%u of %u)", data->op.name, data->op.type, define, i + 1, plan_count);
        plans[i] = make_plan(data, options->variants.word[i / options->defines.count], define);
        made += plans[i] != NULL;
    }
    if (made || options->peers.count) {
        bench_open_data(data);
        expect(data);
        for (unsigned i = 0; i < options->size_count; i++)
            run_size(data, options->sizes[i], plans);
        bench_close_data(data);
    }
    for (unsigned i = 0; i < plan_count; i++)
        if (plans[i])
            clf_plan_release(plans[i]);
    free(plans);
}

void bench_scan_run(bench_session *session, const bench_primitive *self)
{
    const bench_options *options = &session->options;
    bench_data data = {.session = session, .primitive = self};
    for (unsigned i = 0; i < options->size_count; i++)
        data.limit = options->sizes[i] > data.limit ? options->sizes[i] : data.limit;
    data.results = data.limit;
    for (unsigned o = 0; o < options->ops.count; o++) {
        if (bench_find_user_operator(options->ops.word[o], &data.op)) {
            run_operator(&data);
            continue;
        }
        for (unsigned t = 0; t < options->types.count; t++) {
            if (bench_find_operator(options->ops.word[o], options->types.word[t], &data.op))
                run_operator(&data);
            else
                bench_note("skipped: there is no %s of %s", options->ops.word[o], options->types.word[t]);
        }
    }
}

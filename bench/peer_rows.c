/* SPDX-License-Identifier: MIT */
/*
 * Rows of other libraries: verified and timed as clfold is. A peer is opened once per operator, with the input of the
 * largest case, and then told each shape.
 */
#include "rows.h"
#include "peers/peer.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted(const bench_words *wanted, const peer *other)
{
    for (unsigned i = 0; i < wanted->count; i++)
        if (!strcmp(wanted->word[i], other->name) || (!strcmp(wanted->word[i], "all") && !other->by_name))
            return true;
    return false;
}

void bench_open_peers(bench_data *data)
{
    bench_session *session = data->session;
    const bench_operator *op = &data->op;
    const bool exclusive = (data->primitive->flags & CLF_EXCLUSIVE) != 0;
    const peer_job job = {
        .primitive = exclusive ? "scan" : data->primitive->name, .op = op->name, .type = op->type,
        .exclusive = exclusive, .n = data->limit, .results = data->results, .kept = data->kept,
        .bins = data->bins, .indices = data->indices, .inputs = op->inputs, .outputs = op->outputs,
        .in = data->in, .context = session->cl, .device = session->device.id,
        .queue = session->queue, .in_buffer = data->in_array[0].buffer, .out_buffer = data->out_array[0].buffer,
    };
    data->peer_count = 0;
    for (unsigned i = 0; peer_list[i] && data->peer_count < BENCH_PEERS; i++) {
        void *state = is_wanted(&session->options.peers, peer_list[i]) ? peer_list[i]->open(&job) : NULL;
        if (state)
            data->peer[data->peer_count++] = (bench_peer){.peer = peer_list[i], .state = state};
    }
    for (unsigned o = 0; o < op->outputs; o++)
        data->fetched[o] = data->peer_count ? bench_alloc((size_t)(data->results * op->out_size[o])) : NULL;
}

void bench_close_peers(bench_data *data)
{
    for (unsigned i = 0; i < data->peer_count; i++)
        data->peer[i].peer->close(data->peer[i].state);
    for (unsigned o = 0; o < data->op.outputs; o++)
        free(data->fetched[o]);
}

static bool is_right(bench_data *data, const bench_peer *p, cl_ulong results)
{
    p->peer->fetch(p->state, data->fetched);
    for (unsigned o = 0; o < data->op.outputs; o++)
        if (!bench_same_memory(data->fetched[o], data->expected[o], 0, results, data->op.out_size[o]))
            return false;
    return true;
}

/* The peer's own copy of as many bytes; measured once for rows of one n. */
static double copy_us(bench_data *data, bench_peer *p, cl_ulong n)
{
    const bench_work work = {p->peer->copy, p->peer->wait, p->state};
    if (p->copied != n)
        p->copy_us = bench_time(&work, &data->session->effort).us;
    p->copied = n;
    return p->copy_us;
}

static void measure(bench_data *data, bench_peer *p, bench_row *row, cl_ulong results)
{
    const peer *other = p->peer;
    other->call(p->state);
    other->wait(p->state);
    row->verified = is_right(data, p, results);
    if (!row->verified)
        return;
    const unsigned before = bench_launches();
    other->call(p->state);
    other->wait(p->state);
    row->launches = bench_launches() - before;
    row->moved = other->moved ? other->moved(p->state) : 0;
    const bench_times times = bench_time(&(bench_work){other->call, other->wait, p->state}, &data->session->effort);
    row->us = times.us;
    row->us_min = times.us_min;
    row->verified = is_right(data, p, results);
    if (other->copy && row->copy_us > 0)
        row->copy_us = copy_us(data, p, row->n);
}

void bench_run_peers(bench_data *data, const bench_row *ours, cl_ulong results)
{
    for (unsigned i = 0; i < data->peer_count; i++) {
        bench_peer *p = &data->peer[i];
        bench_row row = *ours;
        bench_progress("[%u done] %s %s %s (%s)", data->session->done, row.primitive, row.op, row.type, p->peer->name);
        if (row.batch > 1 || !p->peer->shape(p->state, row.segments, row.segment_size))
            continue;
        row.peer = p->peer->name;
        bench_poison(data, results);
        measure(data, p, &row, results);
        bench_finish_row(data->session, &row);
    }
}

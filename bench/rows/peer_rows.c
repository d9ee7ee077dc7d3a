/* SPDX-License-Identifier: MIT */
/*
 * Rows of other libraries: verified and timed as clfold is. A peer is opened once per operator, with the input of the
 * largest case, and then told each shape.
 */
#include "rows/rows.h"
#include "rows/peer.h"

#include <stdlib.h>
#include <string.h>

static bool has_word(const bench_words *words, const char *word)
{
    for (unsigned i = 0; i < words->count; ++i)
        if (!strcmp(words->word[i], word))
            return true;
    return false;
}

/* Who asks for a peer by its name wants its rows; "all" is whatever there is. */
static void note_missing(bench_data *data, const peer *other)
{
    ++data->session->missing;
    bench_note("no row of peer %s: %s %s %s", other->name, data->primitive->name, data->op.name, data->op.type);
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
    const bench_words *const wanted = &session->options.peers;
    data->peer_count = 0;
    for (unsigned i = 0; session->peers[i] && data->peer_count < BENCH_PEERS; ++i) {
        const peer *const other = session->peers[i];
        const bool named = has_word(wanted, other->name), usual = has_word(wanted, "all") && !other->by_name;
        void *const state = named || usual ? other->open(&job) : NULL;
        if (state)
            data->peer[data->peer_count++] = (bench_peer){.peer = other, .state = state, .named = named};
        else if (named)
            note_missing(data, other);
    }
    for (unsigned o = 0; o < op->outputs; ++o)
        data->fetched[o] = data->peer_count ? bench_alloc((size_t)(data->results * op->out_size[o])) : NULL;
}

void bench_close_peers(bench_data *data)
{
    for (unsigned i = 0; i < data->peer_count; ++i) {
        const bench_peer *const p = &data->peer[i];
        p->peer->close(p->state);
        if (p->named && !p->rows)
            note_missing(data, p->peer);
    }
    for (unsigned o = 0; o < data->op.outputs; ++o)
        free(data->fetched[o]);
}

static bool is_right(bench_data *data, const bench_peer *p, cl_ulong results)
{
    p->peer->fetch(p->state, data->fetched);
    for (unsigned o = 0; o < data->op.outputs; ++o)
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
    for (unsigned i = 0; i < data->peer_count; ++i) {
        bench_peer *p = &data->peer[i];
        bench_row row = *ours;
        bench_progress("[%u done] %s %s %s (%s)", data->session->done, row.primitive, row.op, row.type, p->peer->name);
        if (row.batch > 1 || !p->peer->shape(p->state, row.segments, row.segment_size)) {
            if (p->named)
                bench_note("skipped: peer %s does not do [%llu][%llu]", p->peer->name, (unsigned long long)row.segments,
                           (unsigned long long)row.segment_size);
            continue;
        }
        ++p->rows;
        row.peer = p->peer->name;
        row.version = p->peer->version ? p->peer->version() : NULL;
        bench_poison(data, results);
        measure(data, p, &row, results);
        bench_finish_row(data->session, &row);
    }
}

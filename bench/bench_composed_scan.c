/* SPDX-License-Identifier: MIT */
/*
 * Rows of composed_scan: the paper's space of block scans (composed.h) beside others. Variants are roots, "brent_kung"
 * (a serial one), "kogge_stone", "sklansky" and "ladner_fischer"; parameters are bs, bf and se, by --define or --sweep.
 * Traffic: as of a scan, though these read and write all elements twice.
 */
#include "composed.h"

#include <stdlib.h>
#include <string.h>

static const struct network {
    const char *name;
    composed_root root;
    unsigned part; /* of the block that the root has, if nothing is said; 0: one element */
} networks[] = {
    {"brent_kung", COMPOSED_SERIAL, 0},
    {"kogge_stone", COMPOSED_KOGGE_STONE, 1},
    {"sklansky", COMPOSED_SKLANSKY, 1},
    {"ladner_fischer", COMPOSED_SKLANSKY, 2},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

/* A call of the bench, and the engine that it is of. */
typedef struct composed_call {
    bench_call call; /* first, so that one is found by the other */
    const composed *engine;
} composed_call;

static clf_status enqueue(const bench_call *call, cl_command_queue queue, cl_event *event)
{
    const composed *const engine = ((const composed_call *)call)->engine;
    return composed_enqueue(engine, queue, call->shape.size, call->data->in_array, call->data->out_array, event);
}

/* "bs=256,bf=2,se=4"; se=0 is what is usual for the network. Of ladner_fischer a step has the branching factor. */
static composed_shape parse_shape(const struct network *network, const char *define)
{
    unsigned bs = 256, bf = 2, se = 0, value;
    char name[8];
    int length = 0;
    for (const char *at = define; *at; at += length + (at[length] == ',')) {
        if (sscanf(at, "%7[a-z]=%u%n", name, &value, &length) != 2 || (at[length] && at[length] != ','))
            bench_die("composed_scan: \"%s\" is not like bs=256,bf=2,se=4", define);
        unsigned *const which = !strcmp(name, "bs") ? &bs : !strcmp(name, "bf") ? &bf
                              : !strcmp(name, "se") ? &se : NULL;
        if (!which)
            bench_die("composed_scan has no parameter \"%s\", but bs, bf, se", name);
        *which = value;
    }
    if (se == 0)
        se = network->part == 0 ? 1 : network->part == 1 ? bs : bs / bf;
    if (se == 1 && network->part == 0) /* up to the power of bf that there is */
        for (se = bs; se >= bf && bf > 1;)
            se /= bf;
    return (composed_shape){network->root, bs, bf, se};
}

/* All elements twice, and as often what stands for blocks of them, level by level, which is written before. */
static cl_ulong moved(const bench_operator *op, cl_ulong bytes, cl_ulong n, unsigned bs)
{
    cl_ulong sums = 0, value = 0;
    for (unsigned o = 0; o < op->outputs; o++)
        value += op->out_size[o];
    for (cl_ulong left = n; left > bs; sums += left)
        left = (left + bs - 1) / bs;
    return 2 * bytes + 5 * sums * value;
}

static void run_row(bench_data *data, bench_shape shape, const struct network *network, const char *define)
{
    char text[64];
    composed engine;
    const composed_shape s = parse_shape(network, define);
    snprintf(text, sizeof text, "bs=%u,bf=%u,se=%u", s.bs, s.bf, s.se);
    const char *wrong = composed_open(&engine, data->session, &data->op, s, data->limit, "");
    if (wrong) {
        bench_note("skipped: composed_scan %s %s %s %s: %s", data->op.name, data->op.type, network->name, text, wrong);
        return;
    }
    bench_row row = {.primitive = data->primitive->name, .op = data->op.name, .type = data->op.type,
                     .variant = network->name, .define = text, .n = shape.size, .batch = 1, .segments = 1,
                     .segment_size = shape.size, .bytes = shape.size * bench_traffic(&data->op), .forced = true};
    row.moved = moved(&data->op, row.bytes, row.n, s.bs);
    composed_call call = {{data, NULL, shape, shape.size, enqueue, .marked = true}, &engine};
    data->n = data->found = shape.size;
    bench_copy(data, &row);
    if (bench_measure(&call.call, &row))
        bench_finish_row(data->session, &row);
    composed_close(&engine);
}

static bool is_wanted(const bench_session *session, unsigned network)
{
    const bench_words *words = &session->options.variants;
    bool usual = session->all_variants;
    for (unsigned i = 0; i < words->count && !usual; i++)
        usual = strcmp(words->word[i], networks[network].name) == 0 || (!*words->word[i] && network == 0);
    return usual;
}

static void run_operator(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *defines = &data->session->options.defines;
    bench_open_data(data);
    bench_expect_scans(data, (bench_shape){1, 1, data->limit}); /* a shorter scan is a prefix of a longer one */
    for (unsigned i = 0; i < shapes->count; i++)
        for (unsigned v = 0; v < NETWORKS; v++)
            for (unsigned d = 0; d < defines->count && is_wanted(data->session, v); d++)
                run_row(data, shapes->shape[i], &networks[v], defines->word[d]);
    bench_close_data(data);
}

void bench_composed_scan_run(bench_session *session, const bench_primitive *self)
{
    const bench_options *o = &session->options;
    const bench_shapes shapes = bench_list_shapes(session, false, false);
    bench_data data = {.session = session, .primitive = self};
    for (unsigned i = 0; i < shapes.count; i++)
        data.limit = shapes.shape[i].size > data.limit ? shapes.shape[i].size : data.limit;
    data.results = data.limit;
    for (unsigned p = 0; p < o->ops.count; p++) {
        const bool tuple = bench_find_user_operator(o->ops.word[p], &data.op);
        for (unsigned t = 0; t < (tuple ? 1 : o->types.count); t++) {
            const bool known = tuple || bench_find_operator(o->ops.word[p], o->types.word[t], &data.op);
            data.op.columns = data.limit;
            if (known && composed_knows(&data.op))
                run_operator(&data, &shapes);
            else
                bench_note("skipped: %s of %s: %s has no rows of it", o->ops.word[p],
                           tuple ? "tuples" : o->types.word[t], self->name);
        }
    }
    free(shapes.shape);
}

/* SPDX-License-Identifier: MIT */
/*
 * Rows of composed_scan: the paper's space of block scans (composed.h) beside others. Variants are roots, "brent_kung"
 * (a serial one), "kogge_stone", "sklansky", "ladner_fischer", and "serial" alone; parameters are bs, bf and se, by
 * --define or --sweep. composed_networks has all of them, ranked by what is counted on the device: how deep the scan of
 * a block is, and how often it applies the operator. Traffic: as of a scan, though these read and write all elements
 * twice.
 */
#include "textbook/composed.h"

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
    {"serial", COMPOSED_SERIAL, 1},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

/* A call of the bench, and the engine that it is of. */
typedef struct composed_call {
    bench_call call; /* first, so that one is found by the other */
    const composed *engine;
} composed_call;

static clf_status enqueue(const bench_call *call, const clf_call *how)
{
    const composed *const engine = ((const composed_call *)call)->engine;
    return composed_enqueue(engine, how->queue, call->shape.size, call->data->in_array, call->data->out_array,
                            how->event);
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
        unsigned *const which = !strcmp(name, "bs")   ? &bs
                                : !strcmp(name, "bf") ? &bf
                                : !strcmp(name, "se") ? &se
                                                      : NULL;
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
    for (unsigned o = 0; o < op->outputs; ++o)
        value += op->out_size[o];
    for (cl_ulong left = n; left > bs; sums += left)
        left = (left + bs - 1) / bs;
    return 2 * bytes + 5 * sums * value;
}

/* A network, and what was counted of it: 0, nothing. */
typedef struct ranked {
    const struct network *network;
    composed_shape shape;
    cl_uint depth, applied;
} ranked;

static void run_row(bench_data *data, bench_shape shape, const ranked *it)
{
    char text[64];
    composed engine;
    const struct network *const network = it->network;
    const composed_shape s = it->shape;
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
    row.depth = it->depth;
    row.work = (double)it->applied / s.bs;
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
    for (unsigned i = 0; i < words->count && !usual; ++i)
        usual = strcmp(words->word[i], networks[network].name) == 0 || (!*words->word[i] && network == 0);
    return usual;
}

static void run_variants(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *defines = &data->session->options.defines;
    for (unsigned i = 0; i < shapes->count; ++i)
        for (unsigned v = 0; v < NETWORKS; ++v)
            for (unsigned d = 0; d < defines->count && is_wanted(data->session, v); ++d)
                run_row(data, shapes->shape[i], &(ranked){&networks[v], parse_shape(&networks[v], defines->word[d]),
                                                          0, 0});
}

/* ---- All networks ---------------------------------------------------------------------------------------------- */

static int by_depth(const void *a, const void *b)
{
    const ranked *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->applied < y->applied ? -1 : x->applied > y->applied;
}

/* Of each network one, and of steps all the way down those of 2, 4 and 8 elements; with the bs that the define says. */
static unsigned rank(bench_session *session, const char *define, ranked list[NETWORKS + 2])
{
    unsigned count = 0;
    char text[64];
    for (unsigned v = 0; v < NETWORKS; ++v)
        for (unsigned bf = 2; bf <= (v == 0 ? 8 : 2); bf *= 2) {
            ranked *const it = &list[count];
            snprintf(text, sizeof text, "bf=%u%s%.40s", bf, *define ? "," : "", define);
            *it = (ranked){&networks[v], parse_shape(&networks[v], text), 0, 0};
            const char *wrong = composed_count(session, it->shape, &it->depth, &it->applied);
            if (wrong)
                bench_note("skipped: %s of %u: %s", networks[v].name, it->shape.bs, wrong);
            count += !wrong;
        }
    qsort(list, count, sizeof *list, by_depth);
    return count;
}

static void run_networks(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *defines = &data->session->options.defines;
    ranked list[NETWORKS + 2];
    for (unsigned d = 0; d < defines->count; ++d) {
        const unsigned count = rank(data->session, defines->word[d], list);
        for (unsigned i = 0; i < shapes->count; ++i)
            for (unsigned k = 0; k < count; ++k)
                run_row(data, shapes->shape[i], &list[k]);
    }
}

/* ---- Operators ------------------------------------------------------------------------------------------------- */

typedef void (*run_function)(bench_data *data, const bench_shapes *shapes);

static void run_operator(bench_data *data, const bench_shapes *shapes, run_function run)
{
    bench_open_data(data);
    bench_expect_scans(data, (bench_shape){1, 1, data->limit}); /* a shorter scan is a prefix of a longer one */
    run(data, shapes);
    bench_close_data(data);
}

static void run_operators(bench_session *session, const bench_primitive *self, run_function run)
{
    const bench_options *o = &session->options;
    const bench_shapes shapes = bench_list_shapes(session, false, false);
    bench_data data = {.session = session, .primitive = self};
    for (unsigned i = 0; i < shapes.count; ++i)
        data.limit = shapes.shape[i].size > data.limit ? shapes.shape[i].size : data.limit;
    data.results = data.limit;
    for (unsigned p = 0; p < o->ops.count; ++p) {
        const bool tuple = bench_find_user_operator(o->ops.word[p], &data.op);
        for (unsigned t = 0; t < (tuple ? 1 : o->types.count); ++t) {
            const bool known = tuple || bench_find_operator(o->ops.word[p], o->types.word[t], &data.op);
            data.op.columns = data.limit;
            if (known && composed_knows(&data.op))
                run_operator(&data, &shapes, run);
            else
                bench_note("skipped: %s of %s: %s has no rows of it", o->ops.word[p],
                           tuple ? "tuples" : o->types.word[t], self->name);
        }
    }
    free(shapes.shape);
}

static void run_scan(bench_session *session, const bench_primitive *self)
{
    run_operators(session, self, run_variants);
}

static void run_ranked(bench_session *session, const bench_primitive *self)
{
    run_operators(session, self, run_networks);
}

const bench_primitive composed_rows[] = {
    {"composed_scan", .plan = clf_scan_plan, .run = run_scan},
    {"composed_networks", .plan = clf_scan_plan, .run = run_ranked}, {.name = NULL}};

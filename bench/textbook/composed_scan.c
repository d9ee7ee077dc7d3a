/* SPDX-License-Identifier: MIT */
/*
 * Rows of composed_scan: the paper's space of block scans (composed.h) beside others. Variants are schemes, or
 * networks: "brent_kung" (of a serial root), "kogge_stone", "sklansky", "ladner_fischer", and "serial" alone, with
 * parameters bs, bf and se, by --define or --sweep. composed_networks has all of these, ranked by what is counted on
 * the device: how deep the scan of a block is, and how often it applies the operator.
 */
#include "textbook/composed.h"

#include <stdlib.h>
#include <string.h>

static const struct network {
    const char *name, *root;
    unsigned part; /* of the block that the root has, if nothing is said; 0: one element */
} networks[] = {
    {"brent_kung", "serial", 0},
    {"kogge_stone", "kogge_stone", 1},
    {"sklansky", "sklansky", 1},
    {"ladner_fischer", "sklansky", 2},
    {"serial", "serial", 1},
};
enum { NETWORKS = sizeof networks / sizeof networks[0] };

/*
 * "bs=256,bf=2,se=4" of a network as a scheme; se=0 is what is usual for it. Of ladner_fischer a step has the branching
 * factor.
 */
static composed_ranked scheme_of(const struct network *network, const char *define)
{
    composed_ranked it = {.name = network->name};
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
    if (bf < 2)
        bench_die("composed_scan: bf is 2 or more");
    if (se == 0)
        se = network->part == 0 ? 1 : network->part == 1 ? bs : bs / bf;
    if (se == 1 && network->part == 0) /* up to the power of bf that there is */
        for (se = bs; se >= bf;)
            se /= bf;
    size_t at = (size_t)snprintf(it.scheme, sizeof it.scheme, "blocks %u", bs);
    for (unsigned left = bs; left > se && at < sizeof it.scheme; left /= bf)
        at += (size_t)snprintf(it.scheme + at, sizeof it.scheme - at, " | step %u", bf);
    if (at < sizeof it.scheme)
        snprintf(it.scheme + at, sizeof it.scheme - at, " | %s", network->root);
    snprintf(it.define, sizeof it.define, "bs=%u,bf=%u,se=%u", bs, bf, se);
    return it;
}

/* The first by default; --variant all: all of them. */
static bool is_wanted(const bench_session *session, unsigned network)
{
    const bench_words *words = &session->options.variants;
    bool usual = session->all_variants;
    for (unsigned i = 0; i < words->count && !usual; ++i)
        usual = strcmp(words->word[i], networks[network].name) == 0 || (!*words->word[i] && network == 0);
    return usual;
}

/* Words of --variant that are schemes. */
static void run_schemes(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *words = &data->session->options.variants;
    for (unsigned w = 0; w < words->count; ++w) {
        composed_ranked it = {.name = NULL};
        snprintf(it.scheme, sizeof it.scheme, "%s", words->word[w]);
        for (unsigned i = 0; i < shapes->count && strchr(it.scheme, ' '); ++i)
            (void)composed_row(data, shapes->shape[i], &it);
    }
}

static void run_variants(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *defines = &data->session->options.defines;
    for (unsigned i = 0; i < shapes->count; ++i)
        for (unsigned v = 0; v < NETWORKS; ++v)
            for (unsigned d = 0; d < defines->count && is_wanted(data->session, v); ++d) {
                const composed_ranked it = scheme_of(&networks[v], defines->word[d]);
                (void)composed_row(data, shapes->shape[i], &it);
            }
    run_schemes(data, shapes);
}

/* ---- All networks ---------------------------------------------------------------------------------------------- */

static int by_depth(const void *a, const void *b)
{
    const composed_ranked *x = a, *y = b;
    if (x->depth != y->depth)
        return x->depth < y->depth ? -1 : 1;
    return x->applied < y->applied ? -1 : x->applied > y->applied;
}

/* Of each network one, and of steps all the way down those of 2, 4 and 8 elements; with the bs that the define says. */
static unsigned rank(bench_session *session, const char *define, composed_ranked list[NETWORKS + 2])
{
    unsigned count = 0;
    char text[64];
    for (unsigned v = 0; v < NETWORKS; ++v)
        for (unsigned bf = 2; bf <= (v == 0 ? 8 : 2); bf *= 2) {
            composed_ranked *const it = &list[count];
            snprintf(text, sizeof text, "bf=%u%s%.40s", bf, *define ? "," : "", define);
            *it = scheme_of(&networks[v], text);
            const char *wrong = composed_count(session, it->scheme, &it->depth, &it->applied);
            if (wrong)
                bench_note("skipped: %s, %s: %s", it->name, it->define, wrong);
            count += !wrong;
        }
    qsort(list, count, sizeof *list, by_depth);
    return count;
}

static void run_networks(bench_data *data, const bench_shapes *shapes)
{
    const bench_words *defines = &data->session->options.defines;
    composed_ranked list[NETWORKS + 2];
    for (unsigned d = 0; d < defines->count; ++d) {
        const unsigned count = rank(data->session, defines->word[d], list);
        for (unsigned i = 0; i < shapes->count; ++i)
            for (unsigned k = 0; k < count; ++k)
                (void)composed_row(data, shapes->shape[i], &list[k]);
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

static void run_searched(bench_session *session, const bench_primitive *self)
{
    run_operators(session, self, composed_search);
}

static void run_ranked(bench_session *session, const bench_primitive *self)
{
    run_operators(session, self, run_networks);
}

const bench_primitive composed_rows[] = {
    {"composed_scan", .plan = clf_scan_plan, .run = run_scan},
    {"composed_networks", .plan = clf_scan_plan, .run = run_ranked},
    {"composed_search", .plan = clf_scan_plan, .run = run_searched}, {.name = NULL}};

/* SPDX-License-Identifier: MIT */
/*
 * Replays: a search goes through the points of a log, whose times it is told instead of measuring them. So strategies
 * are compared without a device, and by everybody alike.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The points of one case, and their scores. */
typedef struct replay {
    const tune_log *log;
    const tune_row *first; /* some row of it */
    unsigned shapes, failed;
    tune_space space;
    double *truth;
    double best; /* of all */
} replay;

/* ---- Points of a log ---------------------------------------------------------------------------------------- */

static bool is_known(const tune_space *space, const tune_point *point)
{
    for (unsigned i = 0; i < space->count; ++i)
        if (tune_equal_points(&space->point[i], point))
            return true;
    return false;
}

/* Points of a variant one behind the other, by their values: the order of rows is that of another search. */
static int by_place(const void *a, const void *b)
{
    const tune_point *p = a, *q = b;
    int order = strcmp(p->variant, q->variant);
    for (unsigned i = 0; i < p->count && i < q->count && order == 0; ++i)
        order = (p->value[i] > q->value[i]) - (p->value[i] < q->value[i]);
    return order;
}

static tune_row row_of(const tune_row *any, const tune_point *point)
{
    tune_row row = *any;
    snprintf(row.variant, sizeof row.variant, "%s", point->variant);
    tune_define(point, row.define);
    return row;
}

static void add_points(replay *r)
{
    tune_point point, start = {.count = 0};
    for (size_t i = 0; i < r->log->count; ++i) {
        const tune_row *row = &r->log->row[i];
        if (!tune_same_case(row, r->first) || strcmp(row->variant, "auto") == 0 ||
            !tune_parse_point(row->variant, row->define, &point))
            continue;
        if (row->start)
            start = point;
        if (!is_known(&r->space, &point) && tune_score(r->log, row, r->shapes) >= 0)
            tune_add_point(&r->space, &point);
    }
    if (r->space.count)
        qsort(r->space.point, r->space.count, sizeof *r->space.point, by_place);
    for (unsigned i = 0; i < r->space.count; ++i)
        if (tune_equal_points(&r->space.point[i], &start))
            r->space.start = i;
}

static void open_replay(replay *r, const tune_log *log, const tune_row *first)
{
    const tune_row *shape[16];
    *r = (replay){.log = log, .first = first, .best = INFINITY};
    r->shapes = tune_shapes(log, first, shape, 16);
    add_points(r);
    tune_link(&r->space);
    r->truth = bench_alloc(r->space.count * sizeof *r->truth);
    for (unsigned i = 0; i < r->space.count; ++i) {
        const tune_row row = row_of(first, &r->space.point[i]);
        r->truth[i] = tune_score(log, &row, r->shapes);
        r->failed += isinf(r->truth[i]) != 0;
        r->best = fmin(r->best, r->truth[i]);
    }
}

static void close_replay(replay *r)
{
    free(r->truth);
    tune_free_space(&r->space);
}

/* ---- Searches ------------------------------------------------------------------------------------------------ */

/* found[k]: the best of the first k + 1 points that the search tried, as a share of what the best of all reaches. */
static void search(const replay *r, tune_strategy strategy, uint64_t seed, double *found)
{
    tune_search s;
    double best = INFINITY, *score = bench_alloc(r->space.count * sizeof *score);
    unsigned k = 0;
    for (unsigned i = 0; i < r->space.count; ++i)
        score[i] = -1;
    tune_search_open(&s, &r->space, score, strategy, seed);
    for (long i; k < r->space.count && (i = tune_next(&s)) >= 0; ++k) {
        score[i] = r->truth[i];
        best = fmin(best, score[i]);
        found[k] = isinf(best) ? 0 : r->best / best;
    }
    for (; k < r->space.count; ++k)
        found[k] = k ? found[k - 1] : 0;
    tune_search_close(&s);
    free(score);
}

/* How many points it takes to be that good. */
static unsigned tried_until(const double *found, unsigned count, double share)
{
    unsigned k = 0;
    while (k < count && found[k] < share)
        ++k;
    return k + 1;
}

/* ---- The table ------------------------------------------------------------------------------------------------ */

static const unsigned percents[] = {1, 2, 5, 10, 20, 50};
enum { COLUMNS = sizeof percents / sizeof percents[0] };

static unsigned budget(const replay *r, unsigned percent)
{
    const unsigned points = (r->space.count * percent + 99) / 100;
    return points ? points : 1;
}

/* After k points: the median over seeds, and the least. */
static void over_seeds(const double *found, unsigned count, unsigned seeds, unsigned k, double *median, double *least)
{
    double *column = bench_alloc(seeds * sizeof *column);
    for (unsigned s = 0; s < seeds; ++s)
        column[s] = found[(size_t)s * count + k - 1];
    bench_median(column, seeds); /* sorts */
    *median = column[(seeds - 1) / 2];
    *least = column[0];
    free(column);
}

/* The least of a tenth of the points; how many points 95 % took, at worst. */
static void print_case(const replay *r, const double *found, unsigned seeds)
{
    const unsigned count = r->space.count;
    unsigned worst = 0;
    double median, least;
    for (unsigned s = 0; s < seeds; ++s) {
        const unsigned tried = tried_until(found + (size_t)s * count, count, 0.95);
        worst = tried > worst ? tried : worst;
    }
    printf("%-15s %-6s %6u %6u", r->first->primitive, r->first->type, count, r->failed);
    for (size_t c = 0; c < COLUMNS; ++c) {
        over_seeds(found, count, seeds, budget(r, percents[c]), &median, &least);
        printf(" %6.1f", 100 * median);
    }
    over_seeds(found, count, seeds, budget(r, 10), &median, &least);
    printf(" %7.1f %6u\n", 100 * least, worst);
}

/* ---- The curves ----------------------------------------------------------------------------------------------- */

/* One array of a line: what there is after 1, 2, 3 … points. */
static void write_curve(FILE *file, const replay *r, const double *found, unsigned seeds, bool worst)
{
    double median, least;
    fprintf(file, ", \"%s\": [", worst ? "worst" : "median");
    for (unsigned k = 1; k <= r->space.count; ++k) {
        over_seeds(found, r->space.count, seeds, k, &median, &least);
        fprintf(file, "%s%.4f", k > 1 ? ", " : "", worst ? least : median);
    }
    fputc(']', file);
}

static void write_case(const replay *r, const double *found, const tune_options *options, unsigned seeds)
{
    FILE *file = bench_open_json(options->json);
    fputs("{\"clfold_replay\": 1, \"device\": ", file);
    bench_json_string(file, r->first->device);
    fputs(", \"driver\": ", file);
    bench_json_string(file, r->first->driver);
    fprintf(file,
            ", \"primitive\": \"%s\", \"type\": \"%s\", \"most\": %.0f, \"strategy\": \"%s\", \"seeds\": %u, "
            "\"points\": %u",
            r->first->primitive, r->first->type, r->first->most, tune_strategy_names[options->strategy], seeds,
            r->space.count);
    write_curve(file, r, found, seeds, false);
    write_curve(file, r, found, seeds, true);
    fputs("}\n", file);
    bench_close_json(file, options->json);
}

static void replay_case(const replay *r, const tune_options *options, unsigned seeds)
{
    double *found = bench_alloc((size_t)seeds * r->space.count * sizeof *found);
    for (unsigned s = 0; s < seeds; ++s)
        search(r, options->strategy, s + 1, found + (size_t)s * r->space.count);
    print_case(r, found, seeds);
    if (options->json)
        write_case(r, found, options, seeds);
    free(found);
}

static void print_head(const tune_row *row, tune_strategy strategy, unsigned seeds)
{
    printf("%s (%s, driver %s), %s, %u seed%s\n", row->device, row->platform, row->driver,
           tune_strategy_names[strategy], seeds, seeds == 1 ? "" : "s");
    printf("%-15s %-6s %6s %6s", "primitive", "type", "points", "failed");
    for (size_t c = 0; c < COLUMNS; ++c)
        printf(" %5u%%", percents[c]);
    printf(" %7s %6s\n", "10% min", "to 95%");
}

/* Of points found elsewhere, and so no space? */
static bool is_no_space(const tune_row *row)
{
    const tune_family *family = tune_family_of(row);
    return family && family->between[0];
}

/* Is there no row of the case before this one? */
static bool is_first(const tune_log *log, size_t row)
{
    for (size_t i = 0; i < row; ++i)
        if (tune_same_case(&log->row[i], &log->row[row]))
            return false;
    return true;
}

int tune_simulate(const tune_options *options)
{
    tune_log log = {0};
    const tune_row *device = NULL;
    /* Every seed of an exhaustive search goes the same way. */
    const unsigned seeds = options->strategy == TUNE_EXHAUSTIVE ? 1 : options->seeds;
    tune_log_read(&log, options->simulate, NULL);
    for (size_t i = 0; i < log.count; ++i) {
        replay r;
        if (!is_first(&log, i) || is_no_space(&log.row[i]))
            continue;
        open_replay(&r, &log, &log.row[i]);
        if (r.space.count && !isinf(r.best)) {
            if (!device || !tune_same_device(device, &log.row[i]))
                print_head(&log.row[i], options->strategy, seeds);
            device = &log.row[i];
            replay_case(&r, options, seeds);
        }
        close_replay(&r);
    }
    if (!device)
        bench_die("%s has no case whose points were measured", options->simulate);
    tune_log_free(&log);
    return 0;
}

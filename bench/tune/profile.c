/* SPDX-License-Identifier: MIT */
/*
 * Profiles from logs: the same rows give the same text, in whatever order they come.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Cases ---------------------------------------------------------------------------------------------------- */

/* Rows of one device, whatever its driver and the library's version. */
static int by_device(const tune_row *a, const tune_row *b)
{
    int order = strcmp(a->vendor, b->vendor);
    order = order ? order : strcmp(a->device, b->device);
    return order ? order : strcmp(a->platform, b->platform);
}

/* By device, then by case; of a case the longest arrays, the latest driver and version come last. */
static int by_case(const void *x, const void *y)
{
    const tune_row *a = x, *b = y;
    int order = by_device(a, b);
    order = order ? order : strcmp(a->primitive, b->primitive);
    order = order ? order : strcmp(a->type_class, b->type_class);
    order = order ? order : strcmp(a->type, b->type);
    order = order ? order : (a->most > b->most) - (a->most < b->most);
    order = order ? order : strcmp(a->version, b->version);
    order = order ? order : strcmp(a->driver, b->driver);
    order = order ? order : strcmp(a->variant, b->variant);
    return order ? order : strcmp(a->define, b->define);
}

/* ---- Text ------------------------------------------------------------------------------------------------------ */

static void print_point(const tune_row *row, double gain)
{
    const tune_family *family = tune_family_of(row);
    tune_point point;
    tune_parse_point(row->variant, row->define, &point);
    printf("# %s of %s, n = %.0f: %.3f of the model's time\n", row->primitive, row->type, row->most, gain);
    const bool chosen = strcmp(row->variant, TUNE_CHOSEN) == 0;
    if (!family->fixed && (strchr(family->variants[0].names, ',') || family->variants[1].names))
        printf("%s.%s.%s = %s\n", family->profile, row->type_class, family->role, row->variant);
    for (unsigned i = 0; i < point.count; ++i)
        printf("%s.%s.%s.%s = %u\n", family->profile, row->type_class, chosen ? family->role : row->variant,
               point.name[i], (unsigned)point.value[i]);
}

static void print_header(const tune_row *row, double score)
{
    printf("clfold profile 1\ndevice = %s\nplatform = %s\nvendor = %s\ntype = %s\n", row->device, row->platform,
           row->vendor, row->device_type);
    if (*row->architecture)
        printf("architecture = %s\n", row->architecture);
    printf("driver = %s\nversion = %s\nscore = %.3f\n\n", row->driver, row->version, score);
}

/* Is the next row of another case than this one, but for its driver, version, and length? */
static bool is_last(const tune_log *log, size_t i)
{
    return i + 1 == log->count || by_device(&log->row[i], &log->row[i + 1]) != 0 ||
           strcmp(log->row[i].primitive, log->row[i + 1].primitive) != 0 ||
           strcmp(log->row[i].type_class, log->row[i + 1].type_class) != 0;
}

static bool is_later(const tune_row *a, const tune_row *b)
{
    const int order = strcmp(a->version, b->version);
    return order > 0 || (order == 0 && strcmp(a->driver, b->driver) > 0);
}

static bool is_limits(const tune_row *row)
{
    const tune_family *family = tune_family_of(row);
    return family && family->between[0];
}

/* A case's lines; of roles that only profiles have those come with their limits. */
static void print_case(const tune_log *log, const tune_row *last)
{
    double gain, least;
    if (is_limits(last)) {
        tune_print_limits(log, last);
        return;
    }
    const tune_row *best = tune_best(log, last, &gain, &least);
    if (best && !tune_family_of(best)->told)
        print_point(best, gain);
}

/* The section of the device of rows [from, to). The score is the mean of best ÷ taken: 1 is as good as was found. */
static void print_section(const tune_log *log, size_t from, size_t to)
{
    const tune_row *latest = &log->row[from];
    double gain, least, sum = 0;
    unsigned cases = 0;
    for (size_t i = from; i < to; ++i) {
        latest = is_later(&log->row[i], latest) ? &log->row[i] : latest;
        if (!is_last(log, i) || is_limits(&log->row[i]))
            continue;
        tune_best(log, &log->row[i], &gain, &least);
        sum += log2(least / gain);
        ++cases;
    }
    print_header(latest, cases ? exp2(sum / cases) : 1);
    for (size_t i = from; i < to; ++i)
        if (is_last(log, i))
            print_case(log, &log->row[i]);
    puts("end");
}

/* ---- Commands --------------------------------------------------------------------------------------------------- */

/* Those of other settings of CLFOLD_DISABLE than this process's are of other devices, so to say. */
static void read_logs(tune_log *log, int count, char **paths)
{
    const char *disable = getenv("CLFOLD_DISABLE");
    tune_log all = {0};
    for (int i = 0; i < count; ++i)
        tune_log_read(&all, paths[i], NULL);
    for (size_t i = 0; i < all.count; ++i)
        if (strcmp(all.row[i].disable, disable ? disable : "") == 0)
            tune_log_add(log, &all.row[i]);
    if (log->count < all.count)
        bench_note("%zu rows with another CLFOLD_DISABLE are left out", all.count - log->count);
    tune_log_free(&all);
    if (log->count == 0)
        bench_die("there are no rows");
    qsort(log->row, log->count, sizeof *log->row, by_case);
}

int tune_profile(int count, char **paths)
{
    tune_log log = {0};
    read_logs(&log, count, paths);
    for (size_t from = 0, to; from < log.count; from = to) {
        for (to = from + 1; to < log.count && by_device(&log.row[from], &log.row[to]) == 0;)
            ++to;
        print_section(&log, from, to);
    }
    tune_log_free(&log);
    return 0;
}

int tune_report(int count, char **paths)
{
    tune_log log = {0};
    double gain, least;
    read_logs(&log, count, paths);
    printf("%-24s %-15s %-6s %8s %8s %8s %8s %7s  %s\n", "device", "primitive", "type", "model", "shipped", "fresh",
           "best", "% lost", "fresh");
    for (size_t i = 0; i < log.count; ++i) {
        const tune_row *shape[16], *row = &log.row[i];
        if (!is_last(&log, i) || is_limits(row))
            continue;
        const tune_row shipped = tune_as_shipped(row);
        const double now = tune_score(&log, &shipped, tune_shapes(&log, row, shape, 16));
        const tune_row *best = tune_best(&log, row, &gain, &least);
        printf("%-24.24s %-15s %-6s %8.3f", row->device, row->primitive, row->type, 1.0);
        if (now > 0 && !isinf(now))
            printf(" %8.3f %8.3f %8.3f %7.1f", now, gain, least, 100 * (1 - least / now));
        else
            printf(" %8s %8.3f %8.3f %7.1f", "-", gain, least, 100 * (1 - least));
        printf("  %s %s\n", best ? best->variant : now > 0 ? "as shipped" : "as the model", best ? best->define : "");
    }
    tune_log_free(&log);
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Tuning: for each primitive and type points are taken from a search and measured by the child, row after row, and each
 * row is in the log before the next one is begun. What the log has already is not measured again.
 */
#include "tune/tune.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { FINALISTS = 5 };                 /* measured once more at the end of a case */
static const double search_share = 0.8; /* of a case's time; the rest is for them */

typedef struct tuning {
    const tune_options *options;
    tune_child child;
    tune_device device;
    tune_log log;
    FILE *file;
    double begun, deadline; /* 0: none */
    unsigned cases, done;   /* of all */
    unsigned rows, skipped, wrong;
    unsigned ahead; /* points that are compiled while another is timed */
} tuning;

typedef struct tune_case {
    tuning *t;
    const tune_family *family;
    bench_operator op;
    tune_row row; /* what all rows of the case say */
    tune_shape shape[TUNE_SHAPES];
    unsigned shapes;
    tune_space space;
    double *score;
    double best; /* so far; 0: none */
    double deadline;
    unsigned tried;
    bool *told;    /* points that the child has to compile ahead */
    bool *suspect; /* that a child had to when it was lost: never ahead again */
} tune_case;

/* ---- Rows -------------------------------------------------------------------------------------------------- */

/* One of them may be what ended the child. */
static void suspect_told(tune_case *c)
{
    for (unsigned i = 0; i < c->space.count; ++i) {
        c->suspect[i] = c->suspect[i] || c->told[i];
        c->told[i] = false;
    }
}

static void measure_row(tune_case *c, tune_row *row)
{
    tuning *const t = c->t;
    const unsigned lost = t->child.lost;
    tune_ask_row(&t->child, row);
    if (t->child.lost != lost)
        suspect_told(c);
    row->best = 0;
    tune_row_write(t->file, row);
    tune_log_add(&t->log, row);
    ++t->rows;
    if (strcmp(row->status, "wrong") == 0) {
        ++t->wrong;
        bench_note("WRONG: %s %s %s %s: %s", row->primitive, row->type, row->variant, row->define, row->why);
    }
}

static tune_row row_at(const tune_case *c, const char *variant, const char *define, unsigned shape)
{
    tune_row row = c->row;
    row.batch = c->shape[shape].batch;
    row.segments = c->shape[shape].segments;
    row.segment_size = c->shape[shape].size;
    row.bins = c->shape[shape].bins;
    snprintf(row.variant, sizeof row.variant, "%s", variant);
    snprintf(row.define, sizeof row.define, "%s", define);
    return row;
}

/* Was it measured once more before? */
static bool has_again(const tune_log *log, const tune_row *row)
{
    for (size_t i = 0; i < log->count; ++i)
        if (log->row[i].again && tune_same_case(&log->row[i], row) && tune_same_shape(&log->row[i], row) &&
            tune_same_point(&log->row[i], row))
            return true;
    return false;
}

/* All shapes of a setting, or those up to the first that fails; `again`: once more, though they are there. */
static void measure_setting(tune_case *c, const char *variant, const char *define, bool start, bool again)
{
    for (unsigned s = 0; s < c->shapes; ++s) {
        tune_row row = row_at(c, variant, define, s);
        const bool known = again ? has_again(&c->t->log, &row) : tune_median(&c->t->log, &row) >= 0;
        row.start = start;
        row.again = again;
        row.best = c->best;
        if (known)
            ++c->t->skipped;
        else
            measure_row(c, &row);
        if (isinf(tune_median(&c->t->log, &row)))
            return;
    }
}

/* ---- Progress ---------------------------------------------------------------------------------------------- */

static void time_text(double seconds, char text[24])
{
    const unsigned long s = seconds > 0 ? (unsigned long)seconds : 0;
    snprintf(text, 24, "%lu:%02lu", s / 60, s % 60);
}

/* What is left of the time, or, without a bound, about how long the case takes as fast as it went so far. */
static void show_progress(const tune_case *c, unsigned most, unsigned before, double begun)
{
    const tuning *const t = c->t;
    char left[24];
    const double now = bench_seconds(), each = c->tried > before ? (now - begun) / (c->tried - before) : 0;
    time_text(t->deadline > 0 ? t->deadline - now : each * (most - c->tried), left);
    bench_progress("[%u/%u] %s %s: %u of %u points, best %.2f of the model's time, %s left", t->done + 1, t->cases,
                   c->row.primitive, c->row.type, c->tried, most, c->best > 0 ? c->best : 1, left);
}

/* ---- A case ------------------------------------------------------------------------------------------------ */

static bool is_late(double deadline)
{
    return deadline > 0 && bench_seconds() > deadline;
}

static void learn(tune_case *c, unsigned i)
{
    char define[128];
    tune_define(&c->space.point[i], define);
    const tune_row row = row_at(c, c->space.point[i].variant, define, 0);
    c->score[i] = tune_score(&c->t->log, &row, c->shapes);
    if (c->score[i] >= 0 && !isinf(c->score[i]) && (c->best <= 0 || c->score[i] < c->best))
        c->best = c->score[i];
}

static void try_point(tune_case *c, unsigned i, bool again)
{
    char define[128];
    tune_define(&c->space.point[i], define);
    measure_setting(c, c->space.point[i].variant, define, i == c->space.start, again);
    learn(c, i);
}

/* Of those that the search tries next, if none is any good, as many as it still may. */
static void tell_ahead(tune_case *c, const tune_search *s, unsigned point, unsigned left)
{
    unsigned next[TUNE_AHEAD];
    char define[128];
    if (c->suspect[point])
        return;
    const unsigned count = tune_preview(s, point, left < c->t->ahead ? left : c->t->ahead, next);
    for (unsigned k = 0; k < count; ++k) {
        if (c->suspect[next[k]])
            continue;
        tune_define(&c->space.point[next[k]], define);
        const tune_row row = row_at(c, c->space.point[next[k]].variant, define, 0);
        tune_tell_ahead(&c->t->child, &row, c->t->ahead);
        c->told[next[k]] = true;
    }
}

static void search(tune_case *c)
{
    const tune_options *const o = c->t->options;
    const unsigned most = o->evaluations && o->evaluations < c->space.count ? o->evaluations : c->space.count;
    const unsigned before = c->tried;
    const double begun = bench_seconds();
    tune_search s;
    tune_search_open(&s, &c->space, c->score, o->strategy, o->seed);
    for (long i; c->tried < most && !is_late(c->deadline) && (i = tune_next(&s)) >= 0; ++c->tried) {
        show_progress(c, most, before, begun);
        tell_ahead(c, &s, (unsigned)i, most - c->tried - 1);
        try_point(c, (unsigned)i, false);
        c->told[i] = false;
    }
    tune_search_close(&s);
}

/* The best that have not been measured again yet; -1: none. */
static long best_of(const tune_case *c, const bool *done)
{
    long best = -1;
    for (unsigned i = 0; i < c->space.count; ++i)
        if (!done[i] && c->score[i] >= 0 && !isinf(c->score[i]) && (best < 0 || c->score[i] < c->score[best]))
            best = (long)i;
    return best;
}

/* The luckiest of many measurements is not the best point: those in front are measured once more. */
static void measure_finalists(tune_case *c)
{
    bool *done = bench_alloc(c->space.count * sizeof *done);
    memset(done, 0, c->space.count * sizeof *done);
    for (unsigned k = 0; k < FINALISTS && !is_late(c->t->deadline); ++k) {
        const long i = best_of(c, done);
        if (i < 0)
            break;
        done[i] = true;
        try_point(c, (unsigned)i, true);
    }
    memset(done, 0, c->space.count * sizeof *done);
    const long i = best_of(c, done);
    char define[128] = "";
    if (i >= 0)
        tune_define(&c->space.point[i], define);
    bench_progress("%s", "");
    printf("%-15s %-6s %5u of %-5u", c->row.primitive, c->row.type, c->tried, c->space.count);
    if (i >= 0)
        printf(" %9.3f  %s %s\n", c->score[i], c->space.point[i].variant, define);
    else
        printf(" %9s  %s\n", "-", c->tried ? "none was right" : "there was no time for any");
    fflush(stdout);
    free(done);
}

/* The best of some families, side by side. */
static void measure_limits(tune_case *c)
{
    const tune_row *point[TUNE_BETWEEN];
    const unsigned count = tune_limit_points(&c->t->log, c->family, &c->row, point);
    for (unsigned k = 0; k < count && count > 1; ++k) {
        const tune_row known = *point[k]; /* the log may move */
        measure_setting(c, known.variant, known.define, false, false);
        tune_limit_points(&c->t->log, c->family, &c->row, point);
    }
}

static void run_case(tuning *t, const tune_family *family, const char *type)
{
    tune_case c = {.t = t, .family = family, .row = t->device.names};
    char model[TUNE_TEXT];
    const double now = bench_seconds();
    tune_find_value(family, type, &c.op);
    snprintf(c.row.primitive, sizeof c.row.primitive, "%s", family->name);
    snprintf(c.row.op, sizeof c.row.op, "%s", family->value == TUNE_COUNT ? "count" : "sum");
    snprintf(c.row.type, sizeof c.row.type, "%s", type);
    tune_class_of(&c.op, c.row.type_class);
    c.row.most = t->options->n ? (double)t->options->n : tune_usual_elements(&t->device, &c.op, t->options->quick);
    c.shapes = tune_list_shapes(family, (cl_ulong)c.row.most, c.shape);
    c.deadline = t->deadline > 0 ? now + search_share * (t->deadline - now) / (t->cases - t->done) : 0;
    if (family->between[0]) {
        measure_limits(&c);
        return;
    }
    const bool profiled = tune_ask_model(&t->child, family->name, type, model);
    if (*model == '\0') {
        bench_note("skipped: the device has no %s of %s", family->name, type);
        return;
    }
    c.space = tune_make_space(family, &t->device, &c.op, model);
    c.score = bench_alloc(c.space.count * sizeof *c.score);
    c.told = bench_alloc(2 * c.space.count * sizeof *c.told);
    c.suspect = c.told + c.space.count;
    memset(c.told, 0, 2 * c.space.count * sizeof *c.told);
    if (profiled)
        measure_setting(&c, "auto", "", false, false);
    for (unsigned i = 0; i < c.space.count; ++i) {
        learn(&c, i); /* of earlier runs */
        c.tried += c.score[i] >= 0;
    }
    search(&c);
    measure_finalists(&c);
    free(c.score);
    free(c.told);
    tune_free_space(&c.space);
}

/* ---- All of it --------------------------------------------------------------------------------------------- */

/* Goes on behind what there is; a line that was cut is ended first, and is then no row. */
static void open_log(tuning *t)
{
    const char *path = t->options->log;
    bool cut = false;
    FILE *there = fopen(path, "rb");
    if (there) {
        fclose(there);
        tune_log_read(&t->log, path, &cut);
    }
    if (cut)
        tune_log_mend(path);
    t->file = fopen(path, "ab"); /* ends of lines are the same on all systems */
    if (!t->file)
        bench_die("cannot write %s", path);
}

/* Calls for each case, or only counts them. */
static unsigned each_case(tuning *t, void (*run)(tuning *t, const tune_family *family, const char *type))
{
    unsigned count = 0;
    bench_operator op;
    const tune_family *family;
    for (unsigned f = 0; (family = tune_family_number(f)); ++f) {
        if (family->cpu != t->device.cpu_kernels || !tune_is_wanted(family, &t->options->primitives, t->options->quick))
            continue;
        for (unsigned i = 0; i < t->options->types.count; ++i) {
            if (!tune_find_value(family, t->options->types.word[i], &op))
                continue;
            ++count;
            if (run)
                run(t, family, t->options->types.word[i]);
            t->done += run != NULL;
        }
    }
    return count;
}

/* On a CPU compilers would take what is timed its cores; elsewhere there is to be one for the child itself. */
static unsigned points_ahead(const tuning *t)
{
    enum { USUAL = 4 };
    const unsigned cores = tune_processors();
    if (t->options->ahead >= 0)
        return (unsigned)t->options->ahead;
    if (strcmp(t->device.names.device_type, "cpu") == 0 || cores < 2)
        return 0;
    return cores - 1 < USUAL ? cores - 1 : USUAL;
}

int tune_run(const tune_options *options)
{
    tuning t = {.options = options,
                .child = {.process = {.program = options->program, .device = options->device},
                          .timeout = options->timeout}};
    char took[24];
    t.begun = bench_seconds();
    t.deadline = options->seconds > 0 ? t.begun + options->seconds : 0;
    open_log(&t);
    tune_ask_device(&t.child, &t.device);
    t.ahead = points_ahead(&t);
    t.cases = each_case(&t, NULL);
    printf("%s (%s, driver %s)\n%-15s %-6s %14s %9s  %s\n", t.device.names.device, t.device.names.platform,
           t.device.names.driver, "primitive", "type", "points", "of model", "the best");
    each_case(&t, run_case);
    tune_process_end(&t.child.process);
    time_text(bench_seconds() - t.begun, took);
    printf("%u rows in %s, %u were there already; clfold-tune --profile %s makes a profile of them\n", t.rows, took,
           t.skipped, options->log);
    if (fclose(t.file) != 0)
        bench_die("cannot write %s", options->log);
    tune_log_free(&t.log);
    return t.wrong ? 1 : 0;
}

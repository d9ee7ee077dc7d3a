/* SPDX-License-Identifier: MIT */
/*
 * Small scans: clf_comm_scan, and what one would write by hand: local sums, MPI_Exscan of them, and a local scan, all
 * in the memory of the host; or the same with elements that come from the device, and results that go there.
 */
#include "latency.h"
#include "rows.h"

enum { LARGEST = 1024 };
enum way { MEMBERS, HAND, COPIED, WAYS };
static const char *const variants[WAYS] = {NULL, "MPI_Exscan", "with copies"};

typedef struct latency {
    bench_cases *c;
    clf_comm_plan *plan;
    cl_ulong n;
    cl_uint in[LARGEST], out[LARGEST]; /* of the host */
} latency;

/* False without MPI. */
static bool scan_by_hand(latency *l)
{
    cl_uint sum = 0, before;
    for (cl_ulong i = 0; i < l->n; ++i)
        sum += l->in[i];
    if (!bench_exscan(sum, &before))
        return false;
    for (cl_ulong i = 0; i < l->n; ++i)
        l->out[i] = before += l->in[i];
    return true;
}

static void copy_first(const latency *l, bool back, cl_uint *host)
{
    const cl_command_queue queue = l->c->w->queue[0];
    const size_t bytes = (size_t)l->n * sizeof *host;
    bench_check(back ? clEnqueueWriteBuffer(queue, l->c->out[0].buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL)
                     : clEnqueueReadBuffer(queue, l->c->in[0].buffer, CL_TRUE, 0, bytes, host, 0, NULL, NULL),
                "copying");
}

static bool scan_copied(latency *l)
{
    copy_first(l, false, l->in);
    const bool done = scan_by_hand(l);
    copy_first(l, true, l->out);
    return done;
}

static bool scan_members(const latency *l)
{
    cl_ulong n[BENCH_MEMBERS];
    for (cl_uint here = 0; here < l->c->w->locals; ++here)
        n[here] = l->n;
    bench_check(clf_comm_scan(l->plan, NULL, n, l->c->in, l->c->out), "a small scan");
    return true;
}

/* False if there is no such way here. */
static bool scan(latency *l, enum way way)
{
    return way == MEMBERS ? scan_members(l) : way == HAND ? scan_by_hand(l) : scan_copied(l);
}

/* Results of the device, or, by hand, of the host. */
static bool right(latency *l, enum way way)
{
    const bench_world *w = l->c->w;
    bool good = true;
    for (cl_uint here = 0; here < w->locals && good; ++here) {
        if (way != HAND)
            bench_check(clEnqueueReadBuffer(w->queue[here], l->c->out[here].buffer, CL_TRUE, 0,
                                            (size_t)l->n * sizeof *l->out, l->out, 0, NULL, NULL),
                        "reading");
        good = bench_right_part(l->c, w->first + here, l->n, l->out);
    }
    return bench_all(good);
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The ways by turns, so that what disturbs the machine disturbs all. took[way][call] */
static void time_calls(latency *l, int calls, const bool *there, double *took)
{
    for (int i = 0; i < calls; ++i) {
        for (int way = 0; way < WAYS && there[way]; ++way) {
            (void)bench_all(true); /* all begin together */
            const double begin = bench_now();
            (void)scan(l, (enum way)way);
            took[way * calls + i] = bench_most(bench_now() - begin);
        }
    }
}

static void time_size(latency *l, int calls, double *took, FILE *json)
{
    const bench_world *w = l->c->w;
    bool there[WAYS];
    copy_first(l, false, l->in);
    for (int way = 0; way < WAYS; ++way) {
        there[way] = scan(l, (enum way)way);
        if (there[way] && !right(l, (enum way)way)) {
            fprintf(stderr, "a scan of %llu elements each is wrong\n", (unsigned long long)l->n);
            exit(1);
        }
    }
    time_calls(l, calls, there, took);
    for (int way = 0; way < WAYS && there[way]; ++way) {
        qsort(took + way * calls, (size_t)calls, sizeof *took, ascending);
        bench_print_row(w, json,
                        &(bench_row){.what = "small scan",
                                     .variant = variants[way],
                                     .members = w->members,
                                     .n = l->n,
                                     .ms = took[way * calls + calls / 2]});
    }
}

void bench_latency(bench_cases *c, int calls, FILE *json)
{
    latency l = {.c = c};
    double *took = malloc((size_t)WAYS * (size_t)calls * sizeof *took);
    bench_check(took ? CLF_SUCCESS : CLF_E_NO_MEMORY, "malloc");
    l.plan = bench_plan(c, SCAN);
    for (l.n = 1; l.n <= LARGEST && l.n <= c->n; l.n *= 4)
        time_size(&l, calls, took, json);
    clf_comm_plan_release(l.plan);
    free(took);
}

/* SPDX-License-Identifier: MIT */
/*
 * clfold-bench-distributed [--members N] [--n COUNT] [--repeats R] [--json FILE]: weak scaling over 1, 2, 4 … N members
 * in this process, each with COUNT elements (rounded down to whole rows of 1024, and to what fits), on devices of their
 * own as far as there are some. As clfold-bench-mpi a member per process, as many as there are. Every result is
 * verified before it is timed.
 *
 * Columns: what; who: clfold itself on the first device ("one"), the same by variant two_pass, or so many members;
 * milliseconds (the least of R or more calls, each waited for); GB/s of all elements together; weak scaling: what part
 * of the speed of "one" and of "two_pass" each member has; and milliseconds of phases (clf_comm_watch), of other calls
 * than those: a sort's are the local sort, choosing where to cut, the exchange, and the last local sort. "transpose"
 * exchanges as much as a sort, with less work. "small scan" is the median of 40 R calls: over all members; and, with
 * MPI, by hand, by MPI_Exscan in the host's memory, and that with copies from and to the device.
 * --json appends each row to FILE, as an object on a line of its own.
 */
#include "cases.h"
#include "latency.h"
#include "options.h"
#include "rows.h"

/* For each repeat that is asked for: calls of small scans, and milliseconds of other calls, so that short ones are
 * many: devices take some time to wake. */
enum { SMALL_CALLS = 40, LEAST_MS = 20 };

typedef struct bench {
    bench_world w;
    bench_cases cases;
    int repeats;
    FILE *json;
} bench;

static void must_be_right(bool right, enum bench_what what, const char *who)
{
    if (bench_all(right))
        return;
    fprintf(stderr, "%s of %s is wrong\n", bench_names[what], who);
    exit(1);
}

/* ---- Timing -------------------------------------------------------------------------------------------- */

/* The first process by itself: others wait for what it says. */
static double time_alone(bench *b, enum bench_what what, const char *variant)
{
    bench_cases *c = &b->cases;
    double least = 1e30;
    bool right = true;
    clf_plan *plan = bench_speaks() ? bench_plan_alone(c, what, variant) : NULL;
    if (plan) {
        bench_call_alone(c, what, plan);
        right = bench_right(c, what, 0, 1, 1);
    }
    must_be_right(right, what, "one device");
    double all = 0;
    for (int i = 0; plan && (i < b->repeats || all < LEAST_MS * b->repeats); ++i) {
        const double begin = bench_now();
        bench_call_alone(c, what, plan);
        const double took = bench_now() - begin;
        all += took;
        least = took < least ? took : least;
    }
    const double ms = bench_most(plan ? least : 0);
    if (plan)
        clf_plan_release(plan);
    if (ms > 0)
        bench_print_row(&b->w, b->json,
                        &(bench_row){.what = bench_names[what],
                                     .variant = variant ? variant : "one",
                                     .members = 1,
                                     .n = c->n,
                                     .ms = ms});
    return ms;
}

/* When phases end. */
typedef struct watch {
    double last, phase[CLF_COMM_PHASES];
} watch;

static void note(void *self, clf_comm_phase phase)
{
    watch *w = self;
    const double ended = bench_now();
    w->phase[phase] += ended - w->last;
    w->last = ended;
}

/* Calls that wait between phases, apart from those that count: phases of the one whose phases are shortest together. */
static void time_phases(bench *b, enum bench_what what, clf_comm_plan *plan, bench_row *r)
{
    double least = 1e30, all = 0;
    for (int i = 0; i < b->repeats || all < LEAST_MS * b->repeats; ++i) {
        double total = 0;
        (void)bench_all(true);
        watch w = {.last = bench_now()};
        bench_check(clf_comm_watch(b->w.comm, note, &w), "clf_comm_watch");
        bench_call(&b->cases, what, plan);
        for (int phase = 0; phase < CLF_COMM_PHASES; ++phase)
            total += w.phase[phase] = bench_most(w.phase[phase]);
        all += total;
        if (total < least)
            memcpy(r->phase, w.phase, sizeof w.phase);
        least = total < least ? total : least;
    }
}

static void time_members(bench *b, enum bench_what what, bench_row *r)
{
    bench_cases *c = &b->cases;
    bench_meet(&b->w, r->members);
    clf_comm_plan *plan = bench_plan(c, what);
    bench_call(c, what, plan);
    must_be_right(bench_right(c, what, b->w.first, b->w.locals, b->w.members), what, "members");
    r->ms = 1e30;
    double all = 0; /* the same in all processes, as each call's time is */
    for (int i = 0; i < b->repeats || all < LEAST_MS * b->repeats; ++i) {
        (void)bench_all(true); /* all begin together */
        const double begin = bench_now();
        bench_call(c, what, plan);
        const double took = bench_most(bench_now() - begin);
        all += took;
        r->ms = took < r->ms ? took : r->ms;
    }
    time_phases(b, what, plan, r);
    clf_comm_plan_release(plan);
    bench_part(&b->w);
    bench_print_row(&b->w, b->json, r);
}

static void time_all(bench *b, cl_uint least, cl_uint most)
{
    for (int kind = 0; kind < BENCH_KINDS; ++kind) {
        const enum bench_what what = (enum bench_what)kind;
        bench_row r = {.what = bench_names[what], .n = b->cases.n};
        r.one = time_alone(b, what, NULL);
        r.two_pass = time_alone(b, what, "two_pass");
        for (r.members = least; r.members < most; r.members *= 2)
            time_members(b, what, &r);
        r.members = most;
        time_members(b, what, &r);
    }
    bench_meet(&b->w, most);
    bench_latency(&b->cases, SMALL_CALLS * b->repeats, b->json);
    bench_part(&b->w);
}

int main(int argc, char **argv)
{
    bench b = {0};
    cl_uint least, most;
    const double begin = bench_now();
    bench_start(&argc, &argv);
    const bench_options o = bench_read_options(argc, argv);
    b.repeats = o.repeats;
    b.json = o.json;
    bench_range(o.members, &least, &most);
    bench_open(&b.w, most);
    const cl_ulong n = bench_fitting(&b.w, o.n);
    bench_check(n != 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "--n");
    bench_fill(&b.cases, &b.w, n);
    if (bench_speaks())
        printf("%llu elements of 4 bytes each%s; the least of %d calls or more\n", (unsigned long long)n,
               n < o.n / BENCH_ROW * BENCH_ROW ? ", which is what fits" : "", b.repeats);
    bench_print_head();
    time_all(&b, least, most);
    if (bench_speaks())
        printf("all in %.1f s\n", (bench_now() - begin) * 1e-3);
    bench_empty(&b.cases);
    bench_close(&b.w);
    if (b.json)
        bench_check(fclose(b.json) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "--json");
    bench_stop();
    return 0;
}

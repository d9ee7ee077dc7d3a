/* SPDX-License-Identifier: MIT */
/*
 * clfold-bench-distributed [--members N] [--n COUNT] [--repeats R] [--json FILE]: weak scaling over 1, 2, 4 … N members
 * in this process, each with COUNT elements (rounded down to whole rows of 1024, and to what fits), on devices of their
 * own as far as there are some. As clfold-bench-mpi a member per process, as many as there are. Every result is
 * verified before it is timed.
 *
 * Columns: what; who: clfold itself on the first device ("one"), the same by variant two_pass, or so many members;
 * milliseconds (the least of R calls, each waited for); GB/s of all elements together; weak scaling: what part of the
 * speed of "one" and of "two_pass" each member has; and milliseconds of phases (clf_comm_watch), of other calls than
 * those: a sort's are the local sort, choosing where to cut, the exchange, and the last local sort. "transpose"
 * exchanges as much as a sort, with less work.
 * --json appends each row to FILE, as an object on a line of its own.
 */
#include "cases.h"

#include <time.h>

typedef struct bench {
    bench_world w;
    bench_cases cases;
    int repeats;
    FILE *json;
} bench;

static double now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)(t.tv_sec % 1000000) * 1e3 + (double)t.tv_nsec * 1e-6; /* of 53 bits none for the year */
}

/* ---- Rows ---------------------------------------------------------------------------------------------- */

typedef struct row {
    enum bench_what what;
    const char *variant; /* of one device */
    cl_uint members;
    double ms, one, two_pass; /* 0: not measured */
    double phase[CLF_COMM_PHASES];
} row;

/* A column of a row. What has not been measured is "-", and null. */
static void print_number(const bench *b, const char *name, int digits, double number)
{
    if (number > 0)
        printf(" %11.*f", digits, number);
    else
        printf(" %11s", "-");
    if (b->json != NULL && number > 0)
        fprintf(b->json, ", \"%s\": %.6f", name, number);
    else if (b->json != NULL)
        fprintf(b->json, ", \"%s\": null", name);
}

static void print_row(const bench *b, const row *r)
{
    static const char *const phases[] = {"ms_local", "ms_borders", "ms_move", "ms_last"};
    char who[32];
    const cl_ulong n = bench_elements(&b->cases, r->what);
    const bool over_members = r->variant == NULL;
    if (!bench_speaks())
        return;
    snprintf(who, sizeof who, "%u", r->members);
    printf("%-13s %8s", bench_names[r->what], over_members ? who : r->variant);
    if (b->json != NULL)
        fprintf(b->json,
                "{\"device\": \"%s\", \"devices\": %u, \"primitive\": \"%s\", \"variant\": \"%s\", \"members\": %u, "
                "\"n\": %llu",
                b->w.name, b->w.devices < r->members ? b->w.devices : r->members, bench_names[r->what],
                over_members ? "members" : r->variant, r->members, (unsigned long long)n);
    print_number(b, "ms", 3, r->ms);
    print_number(b, "gbps", 3, (double)(n * r->members) * sizeof(cl_uint) * 1e-6 / r->ms);
    print_number(b, "of_one", 3, over_members ? r->one / r->ms : 0);
    print_number(b, "of_two_pass", 3, over_members ? r->two_pass / r->ms : 0);
    for (int phase = 0; phase < CLF_COMM_PHASES; phase++)
        print_number(b, phases[phase], 3, over_members ? r->phase[phase] : 0);
    puts("");
    if (b->json != NULL)
        fputs("}\n", b->json);
    fflush(stdout);
}

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
    if (plan != NULL) {
        bench_call_alone(c, what, plan);
        right = bench_right(c, what, 0, 1, 1);
    }
    must_be_right(right, what, "one device");
    for (int i = 0; i < b->repeats && plan != NULL; i++) {
        const double begin = now();
        bench_call_alone(c, what, plan);
        least = now() - begin < least ? now() - begin : least;
    }
    const double ms = bench_most(plan != NULL ? least : 0);
    if (plan != NULL)
        clf_plan_release(plan);
    if (ms > 0)
        print_row(b, &(row){.what = what, .variant = variant != NULL ? variant : "one", .members = 1, .ms = ms});
    return ms;
}

/* When phases end. */
typedef struct watch {
    double last, phase[CLF_COMM_PHASES];
} watch;

static void note(void *self, clf_comm_phase phase)
{
    watch *w = self;
    const double ended = now();
    w->phase[phase] += ended - w->last;
    w->last = ended;
}

/* Calls that wait between phases, apart from those that count: phases of the one whose phases are shortest together. */
static void time_phases(bench *b, clf_comm_plan *plan, row *r)
{
    double least = 1e30;
    for (int i = 0; i < b->repeats; i++) {
        double total = 0;
        (void)bench_all(true);
        watch w = {.last = now()};
        bench_check(clf_comm_watch(b->w.comm, note, &w), "clf_comm_watch");
        bench_call(&b->cases, r->what, plan);
        for (int phase = 0; phase < CLF_COMM_PHASES; phase++)
            total += w.phase[phase] = bench_most(w.phase[phase]);
        if (total < least)
            memcpy(r->phase, w.phase, sizeof w.phase);
        least = total < least ? total : least;
    }
}

static void time_members(bench *b, row *r)
{
    bench_cases *c = &b->cases;
    bench_meet(&b->w, r->members);
    clf_comm_plan *plan = bench_plan(c, r->what);
    bench_call(c, r->what, plan);
    must_be_right(bench_right(c, r->what, b->w.first, b->w.locals, b->w.members), r->what, "members");
    r->ms = 1e30;
    for (int i = 0; i < b->repeats; i++) {
        (void)bench_all(true); /* all begin together */
        const double begin = now();
        bench_call(c, r->what, plan);
        const double took = bench_most(now() - begin);
        r->ms = took < r->ms ? took : r->ms;
    }
    time_phases(b, plan, r);
    clf_comm_plan_release(plan);
    bench_part(&b->w);
    print_row(b, r);
}

static void time_all(bench *b, cl_uint least, cl_uint most)
{
    for (int what = 0; what < BENCH_KINDS; what++) {
        row r = {.what = (enum bench_what)what};
        r.one = time_alone(b, r.what, NULL);
        r.two_pass = time_alone(b, r.what, "two_pass");
        for (r.members = least; r.members < most; r.members *= 2)
            time_members(b, &r);
        r.members = most;
        time_members(b, &r);
    }
}

/* ---- Options ------------------------------------------------------------------------------------------- */

static FILE *open_json(const char *name)
{
    FILE *file = bench_speaks() ? fopen(name, "a") : NULL;
    bench_check(file != NULL || !bench_speaks() ? CLF_SUCCESS : CLF_E_ARGUMENT, name);
    return file;
}

/* The number behind an option, from 1 to `most`. */
static cl_ulong number_of(char **option, cl_ulong most)
{
    char *end;
    const unsigned long long number = strtoull(option[1], &end, 10);
    const bool good = option[1][0] >= '0' && option[1][0] <= '9' && *end == '\0' && number >= 1 && number <= most;
    bench_check(good ? CLF_SUCCESS : CLF_E_ARGUMENT, option[0]);
    return number;
}

typedef struct options {
    cl_uint members;
    cl_ulong n;
} options;

static options read_options(bench *b, int argc, char **argv)
{
    options o = {4, 1 << 22};
    for (int i = 1; i < argc; i += 2) {
        bench_check(i + 1 < argc ? CLF_SUCCESS : CLF_E_ARGUMENT, argv[i]);
        if (strcmp(argv[i], "--json") == 0)
            b->json = open_json(argv[i + 1]);
        else if (strcmp(argv[i], "--members") == 0)
            o.members = (cl_uint)number_of(argv + i, BENCH_MEMBERS);
        else if (strcmp(argv[i], "--n") == 0)
            o.n = number_of(argv + i, (cl_ulong)1 << 40);
        else if (strcmp(argv[i], "--repeats") == 0)
            b->repeats = (int)number_of(argv + i, 1000000);
        else
            bench_check(CLF_E_ARGUMENT, argv[i]);
    }
    return o;
}

int main(int argc, char **argv)
{
    bench b = {.repeats = 5};
    cl_uint least, most;
    const double begin = now();
    bench_start(&argc, &argv);
    const options o = read_options(&b, argc, argv);
    bench_range(o.members, &least, &most);
    bench_open(&b.w, most);
    const cl_ulong n = bench_fitting(&b.w, o.n);
    bench_check(n != 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "--n");
    bench_fill(&b.cases, &b.w, n);
    if (bench_speaks()) {
        printf("%llu elements of 4 bytes each%s; the least of %d calls\n", (unsigned long long)n,
               n < o.n / BENCH_ROW * BENCH_ROW ? ", which is what fits" : "", b.repeats);
        printf("%-13s %8s %11s %11s %11s %11s %11s %11s %11s %11s\n", "what", "who", "ms", "GB/s", "of one",
               "of two_pass", "ms: local", "borders", "move", "last");
    }
    time_all(&b, least, most);
    if (bench_speaks())
        printf("all in %.1f s\n", (now() - begin) * 1e-3);
    bench_empty(&b.cases);
    bench_close(&b.w);
    if (b.json != NULL)
        bench_check(fclose(b.json) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, "--json");
    bench_stop();
    return 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * clfold-distributed-tests [--members N] [--seed S] [--case K] [--every E] [--kind NAME]: clfold_distributed with N
 * members in this process, or, as clfold-mpi-tests, clfold_mpi with a member per process. Of all cases, or those of one
 * kind, it runs every E-th, others with other seeds. A case that fails says how to run it again. An alarm ends what
 * hangs.
 */
#include "world.h"

#ifndef _WIN32
#include <unistd.h>
#endif

/* Seconds that a case may take. */
enum { PATIENCE = 600, RANDOM_CASES = 40 };

typedef bool with_operator(test_case *c, const test_operator *o);
typedef bool plain(test_case *c);

static const struct {
    const char *name;
    with_operator *with;
    plain *plain;
} kinds[] = {
    {"reduce", test_reduce, NULL},
    {"scan", test_scan, NULL},
    {"segmented scan", test_segmented_scan, NULL},
    {"segmented reduce", test_segmented_reduce, NULL},
    {"sort", NULL, test_sort},
    {"filter", NULL, test_filter},
    {"rebalance", NULL, test_rebalance},
    {"reduce by index", NULL, test_reduce_by_index},
    {"reduce by key", NULL, test_reduce_by_key},
    {"unique", NULL, test_unique},
    {"transpose", NULL, test_transpose},
    {"failure", NULL, test_failures},
    {"transport", NULL, test_transport},
    {"long sort", NULL, test_long_sort},
    {"extremes", NULL, test_extremes},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

typedef struct run {
    world w;
    uint64_t seed, only, every;
    const char *kind;
    unsigned passed, failed;
} run;

static bool run_case(run *r, uint64_t number, int kind, int op, enum pattern pattern)
{
    test_case c = {.w = &r->w, .g = {r->seed * 1000003 + number}, .pattern = pattern};
    c.total = distribute(pattern, r->w.members, &c.g, c.n);
    for (cl_uint rank = 0; rank < r->w.members; ++rank)
        c.offset[rank + 1] = c.offset[rank] + c.n[rank];
#ifndef _WIN32
    alarm(PATIENCE);
#endif
    const bool good = kinds[kind].with ? kinds[kind].with(&c, &operators[op]) : kinds[kind].plain(&c);
    case_end();
    return world_agrees(good);
}

static void try_case(run *r, uint64_t number, int kind, int op, enum pattern pattern)
{
    if (r->only != 0 ? number != r->only : number % r->every != (r->seed - 1) % r->every)
        return;
    if (r->kind && strcmp(r->kind, kinds[kind].name) != 0)
        return;
    const bool good = run_case(r, number, kind, op, pattern);
    r->passed += good;
    r->failed += !good;
    if (!good && world_speaks())
        printf("%s%s%s failed; replay: --members %u --seed %llu --case %llu\n", kinds[kind].name,
               kinds[kind].with ? " of " : "", kinds[kind].with ? operators[op].name : "", r->w.members,
               (unsigned long long)r->seed, (unsigned long long)number);
}

/* Every primitive with every operator and every distribution, then any of them at random. */
static void run_all(run *r)
{
    uint64_t number = 0;
    for (int kind = 0; kind < KINDS; ++kind)
        for (int op = 0; op < OPERATORS; ++op)
            for (int pattern = 0; pattern < PATTERNS; ++pattern)
                try_case(r, ++number, kind, op, (enum pattern)pattern);
    for (int i = 0; i < RANDOM_CASES; ++i) {
        generator g = {r->seed + ++number};
        const int kind = (int)draw_below(&g, KINDS), op = (int)draw_below(&g, OPERATORS);
        try_case(r, number, kind, op, draw_below(&g, 2) ? SKEWED : HOLES);
    }
}

int main(int argc, char **argv)
{
    run r = {.seed = 1, .every = 1};
    cl_uint members = 1, processes = 0;
    world_start(&argc, &argv);
    for (int i = 1; i + 1 < argc; i += 2) {
        const uint64_t number = strtoull(argv[i + 1], NULL, 10);
        if (strcmp(argv[i], "--members") == 0)
            members = (cl_uint)number;
        else if (strcmp(argv[i], "--processes") == 0)
            processes = (cl_uint)number;
        else if (strcmp(argv[i], "--seed") == 0)
            r.seed = number;
        else if (strcmp(argv[i], "--case") == 0)
            r.only = number;
        else if (strcmp(argv[i], "--every") == 0 && number != 0)
            r.every = number;
        else if (strcmp(argv[i], "--kind") == 0)
            r.kind = argv[i + 1];
    }
    if (members < 1 || members > MOST_MEMBERS || !world_open(&r.w, members))
        return 1;
    if (processes != 0 && r.w.members != processes) {
        fprintf(stderr, "%u members instead of %u: is this the MPI that mpiexec is of?\n", r.w.members, processes);
        return 1;
    }
    run_all(&r);
    world_close(&r.w);
    if (world_speaks())
        printf("%u passed, %u failed\n", r.passed, r.failed);
    world_stop();
    return r.failed != 0;
}

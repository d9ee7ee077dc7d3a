/* SPDX-License-Identifier: MIT */
/*
 * clfold-tune: which variants and parameters are fast on a device. It measures (tune/run.c) and writes a log; other
 * commands read logs: profiles, replays, reports.
 */
#include "tune/tune.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: clfold-tune [primitive ...] --log FILE [options]     measures, and appends rows to FILE\n"
    "       clfold-tune --profile FILE...                        a profile from logs, on standard output\n"
    "       clfold-tune --report FILE...                         model, shipped, fresh and best, as a table\n"
    "       clfold-tune --simulate FILE STRATEGY [--seeds N] [--json FILE]     replays a search of a log\n"
    "primitives: scan segmented_scan reduce segmented_reduce sort sort_pairs histogram transpose filter\n"
    "            reduce_by_key top_k; all if none is named\n"
    "  --device N|TEXT     by number (clfold-info --devices) or a part of its name\n"
    "  --type LIST         i8 ... f64, 4xi64; else i8,i16,i32,i64,4xi64, for their sizes (--quick: i32,i64)\n"
    "  --n N               elements: 2^24; else 64 MB of them on CPUs, 256 MB elsewhere, but at most 2^24 and 2^26\n"
    "  --strategy NAME     exhaustive, local (from the model's point; usual), random\n"
    "  --evaluations N     points of each primitive and type, at most\n"
    "  --time SECONDS      of all, shared out among primitives and types\n"
    "  --quick             --time 55, fewer types, and a quarter as many elements\n"
    "  --timeout SECONDS   of a row, before it counts as hung (60; --quick: 10)\n"
    "  --ahead N           points compiled on threads while another is timed, 0 to 16 (4; on CPUs 0)\n"
    "  --seed N            of local and random searches (1); replays take --seeds N of them (20)\n"
    "  --json FILE         appends the best after 1, 2, 3 ... points of a replay: plot.py --regret draws it\n"
    "  --version           of the library\n"
    "Stopped, the same command goes on where it ended. Every point is verified with an operator that does not\n"
    "commute before it is timed; a wrong result makes the exit status 1. CLFOLD_PROFILE=FILE applies a profile.\n";

static void take_elements(void *to, const char *text)
{
    const char *at = text;
    const cl_ulong n = bench_parse_size(&at, "--n", &(cl_ulong){0});
    if (*at || n < 4096 || n > (cl_ulong)1 << 36)
        bench_die("--n %s: expected a number from 4096 to 2^36", text);
    *(cl_ulong *)to = n;
}

static void take_strategy(void *to, const char *text)
{
    const tune_strategy strategy = tune_find_strategy(text);
    if (strategy == TUNE_STRATEGIES)
        bench_die("no strategy \"%s\": exhaustive, local, random", text);
    *(tune_strategy *)to = strategy;
}

static void check_words(const tune_options *o)
{
    bench_operator op;
    for (unsigned i = 0; i < o->primitives.count; ++i) {
        const tune_family *family;
        unsigned f = 0;
        while ((family = tune_family_number(f)) && !tune_has_word(family->word, o->primitives.word[i]))
            ++f;
        if (!family)
            bench_die("no primitive \"%s\"; --help names them", o->primitives.word[i]);
    }
    for (unsigned i = 0; i < o->types.count; ++i)
        if (!tune_find_type(o->types.word[i], &op))
            bench_die("no type \"%s\": i8 ... f64, 4xi64", o->types.word[i]);
}

/* Commands that only read; true if it was one. */
static bool read_only(int argc, char **argv, int *status)
{
    const char *command = argc > 1 ? argv[1] : "--help";
    const bool profile = !strcmp(command, "--profile"), report = !strcmp(command, "--report");
    *status = 0;
    if (!strcmp(command, "--help") || !strcmp(command, "-h"))
        fputs(usage, stdout);
    else if (!strcmp(command, "--version"))
        bench_print_version("clfold-tune");
    else if (!strcmp(command, "--worker")) /* how it starts itself */
        *status = tune_work(argc > 3 ? argv[3] : NULL);
    else if ((profile || report) && argc < 3)
        bench_die("%s: name a log", command);
    else if (profile || report)
        *status = profile ? tune_profile(argc - 2, argv + 2) : tune_report(argc - 2, argv + 2);
    else
        return false;
    return true;
}

static int run(tune_options *o)
{
    check_words(o);
    if (o->simulate)
        return tune_simulate(o);
    if (o->json)
        bench_die("--json: only with --simulate; rows go to --log");
    if (!o->log)
        bench_die("--log FILE is missing: where rows go; --help explains");
    if (o->types.count == 0)
        bench_add_words(&o->types, o->quick ? "i32,i64" : "i8,i16,i32,i64,4xi64", ',');
    if (o->quick && o->seconds <= 0)
        o->seconds = 55;
    if (o->timeout <= 0)
        o->timeout = o->quick ? 10 : 60;
    return tune_run(o);
}

static void take_arguments(int argc, char **argv, tune_options *o)
{
    double evaluations = 0, seed = 1, seeds = 20, ahead = -1;
    const bench_option list[] = {
        {"--log", BENCH_TEXT, .to = &o->log}, {"--device", BENCH_TEXT, .to = &o->device},
        {"--json", BENCH_TEXT, .to = &o->json}, {"--type", BENCH_WORDS, .to = &o->types},
        {"--n", BENCH_TAKEN, .to = &o->n, .take = take_elements},
        {"--strategy", BENCH_TAKEN, .to = &o->strategy, .take = take_strategy},
        {"--evaluations", BENCH_NUMBER, .to = &evaluations, .least = 1, .most = 1e6},
        {"--time", BENCH_NUMBER, .to = &o->seconds, .least = 1, .most = 1e6},
        {"--timeout", BENCH_NUMBER, .to = &o->timeout, .least = 0.01, .most = 1e5},
        {"--seed", BENCH_NUMBER, .to = &seed, .least = 0, .most = 1e9},
        {"--seeds", BENCH_NUMBER, .to = &seeds, .least = 1, .most = 1000},
        {"--ahead", BENCH_NUMBER, .to = &ahead, .least = 0, .most = TUNE_AHEAD},
        {"--quick", BENCH_FLAG, .to = &o->quick}, {.name = NULL}};
    for (int i = 1; i < argc;) {
        if (argv[i][0] != '-')
            bench_add_words(&o->primitives, argv[i++], ',');
        else if (strcmp(argv[i], "--simulate") != 0)
            i += bench_take_option(list, argv + i);
        else {
            if (i + 2 >= argc)
                bench_die("--simulate: name a log and a strategy");
            o->simulate = argv[i + 1];
            take_strategy(&o->strategy, argv[i + 2]);
            i += 3;
        }
    }
    o->evaluations = (unsigned)evaluations;
    o->seed = (uint64_t)seed;
    o->seeds = (unsigned)seeds;
    o->ahead = (int)ahead;
}

int main(int argc, char **argv)
{
    tune_options o = {.program = argv[0], .strategy = TUNE_LOCAL};
    int status;
    if (read_only(argc, argv, &status))
        return status;
    take_arguments(argc, argv, &o);
    status = run(&o);
    bench_free_words(&o.primitives);
    bench_free_words(&o.types);
    return status;
}

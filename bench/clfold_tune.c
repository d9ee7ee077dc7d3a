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

static double parse_number(const char *option, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most))
        bench_die("%s %s: expected a number from %g to %g", option, text, least, most);
    return value;
}

static cl_ulong parse_elements(const char *text)
{
    const char *at = text;
    const cl_ulong n = bench_parse_size(&at, "--n", &(cl_ulong){0});
    if (*at || n < 4096 || n > (cl_ulong)1 << 36)
        bench_die("--n %s: expected a number from 4096 to 2^36", text);
    return n;
}

static void add_words(bench_words *words, const char *list)
{
    for (size_t length; *list; list += length + (list[length] == ',')) {
        length = strcspn(list, ",");
        words->word = realloc(words->word, (words->count + 1) * sizeof *words->word);
        if (!words->word)
            bench_die("out of memory");
        words->word[words->count++] = bench_copy_text(list, length);
    }
}

static tune_strategy parse_strategy(const char *text)
{
    const tune_strategy strategy = tune_find_strategy(text);
    if (strategy == TUNE_STRATEGIES)
        bench_die("no strategy \"%s\": exhaustive, local, random", text);
    return strategy;
}

/* An option with a value. */
static void take_option(tune_options *o, const char *name, const char *value)
{
    static const char *const names[] = {"--log", "--device", "--type", "--n", "--strategy", "--evaluations", "--time",
                                        "--timeout", "--seed", "--ahead", "--json", "--seeds"};
    size_t known = 0;
    while (known < sizeof names / sizeof names[0] && strcmp(names[known], name) != 0)
        known++;
    if (known == sizeof names / sizeof names[0])
        bench_die("unknown option %s; --help explains", name);
    if (!value)
        bench_die("%s: its value is missing; --help explains", name);
    switch (known) {
    case 0: o->log = value; break;
    case 1: o->device = value; break;
    case 2: add_words(&o->types, value); break;
    case 3: o->n = parse_elements(value); break;
    case 4: o->strategy = parse_strategy(value); break;
    case 5: o->evaluations = (unsigned)parse_number(name, value, 1, 1e6); break;
    case 6: o->seconds = parse_number(name, value, 1, 1e6); break;
    case 7: o->timeout = parse_number(name, value, 0.01, 1e5); break;
    case 8: o->seed = (uint64_t)parse_number(name, value, 0, 1e9); break;
    case 9: o->ahead = (int)parse_number(name, value, 0, TUNE_AHEAD); break;
    case 10: o->json = value; break;
    default: o->seeds = (unsigned)parse_number(name, value, 1, 1000); break;
    }
}

static void check_words(const tune_options *o)
{
    bench_operator op;
    for (unsigned i = 0; i < o->primitives.count; i++) {
        const tune_family *family;
        unsigned f = 0;
        while ((family = tune_family_number(f)) != NULL && !tune_has_word(family->word, o->primitives.word[i]))
            f++;
        if (!family)
            bench_die("no primitive \"%s\"; --help names them", o->primitives.word[i]);
    }
    for (unsigned i = 0; i < o->types.count; i++)
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

static void free_words(bench_words *words)
{
    for (unsigned i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
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
        add_words(&o->types, o->quick ? "i32,i64" : "i8,i16,i32,i64,4xi64");
    if (o->quick && o->seconds <= 0)
        o->seconds = 55;
    if (o->timeout <= 0)
        o->timeout = o->quick ? 10 : 60;
    return tune_run(o);
}

int main(int argc, char **argv)
{
    tune_options o = {.program = argv[0], .strategy = TUNE_LOCAL, .seed = 1, .seeds = 20, .ahead = -1};
    int status;
    if (read_only(argc, argv, &status))
        return status;
    for (int i = 1; i < argc; i++) {
        if (argv[i][0] != '-')
            add_words(&o.primitives, argv[i]);
        else if (!strcmp(argv[i], "--quick"))
            o.quick = true;
        else if (!strcmp(argv[i], "--simulate")) {
            if (i + 2 >= argc)
                bench_die("--simulate: name a log and a strategy");
            o.simulate = argv[i + 1];
            o.strategy = parse_strategy(argv[i + 2]);
            i += 2;
        } else {
            take_option(&o, argv[i], argv[i + 1]);
            i++;
        }
    }
    status = run(&o);
    free_words(&o.primitives);
    free_words(&o.types);
    return status;
}

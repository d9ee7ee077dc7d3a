/* SPDX-License-Identifier: MIT */
#include "options.h"

#include "cases.h"

#ifdef WITH_MPI
#define PROGRAM "clfold-bench-mpi"
#else
#define PROGRAM "clfold-bench-distributed"
#endif

static const char usage[] =
    "usage: " PROGRAM
    " [options]\n"
    "How fast clfold's primitives are over several devices, beside one device. Options:\n"
#ifdef WITH_MPI
    "  (members: the processes that mpiexec starts, a device for each)\n"
#else
    "  --members N   1, 2, 4 ... N members, each on a device of its own as far as there are some; 4\n"
#endif
    "  --n COUNT     elements of each member; 4194304. Rounded down to whole rows of 1024, and to what fits\n"
    "  --repeats R   the least of so many calls, or of more where they are short; 5\n"
    "  --json FILE   appends each row to FILE, as an object on a line of its own\n"
    "  --version     the version of the library\n"
    "  --help, -h    this\n";

/* All processes come here, since all have the same command line; the first one speaks. */
static void leave(int status)
{
    bench_stop();
    exit(status);
}

static void refuse(const char *option, const char *why)
{
    if (bench_speaks())
        fprintf(stderr, PROGRAM ": %s%s; --help explains\n", option, why);
    leave(2);
}

/* The number behind an option. */
static cl_ulong number_of(char **option, cl_ulong least, cl_ulong most)
{
    char *end, why[100];
    const unsigned long long number = strtoull(option[1], &end, 10);
    const bool good = option[1][0] >= '0' && option[1][0] <= '9' && *end == '\0' && number >= least && number <= most;
    snprintf(why, sizeof why, ": a number from %llu to %llu is expected, not \"%.30s\"", (unsigned long long)least,
             (unsigned long long)most, option[1]);
    if (!good)
        refuse(option[0], why);
    return number;
}

static FILE *open_json(char **option)
{
    FILE *file = bench_speaks() ? fopen(option[1], "a") : NULL;
    if (!bench_all(file || !bench_speaks()))
        refuse(option[1], ": cannot be written");
    return file;
}

static bool alone(const char *argument)
{
    const bool help = strcmp(argument, "--help") == 0 || strcmp(argument, "-h") == 0;
    const unsigned version = clf_version();
    if (!help && strcmp(argument, "--version") != 0)
        return false;
    if (bench_speaks() && help)
        fputs(usage, stdout);
    else if (bench_speaks())
        printf(PROGRAM " %u.%u.%u\n", version / 10000, version / 100 % 100, version % 100);
    return true;
}

static void take(bench_options *o, char **option)
{
    if (!option[1])
        refuse(option[0], ": its value is missing");
    else if (strcmp(option[0], "--json") == 0)
        o->json = open_json(option);
    else if (strcmp(option[0], "--members") == 0)
        o->members = (cl_uint)number_of(option, 1, BENCH_MEMBERS);
    else if (strcmp(option[0], "--n") == 0)
        o->n = number_of(option, BENCH_ROW, (cl_ulong)1 << 40);
    else
        o->repeats = (int)number_of(option, 1, 1000000);
}

bench_options bench_read_options(int argc, char **argv)
{
    static const char *const names[] = {"--json", "--members", "--n", "--repeats"};
    bench_options o = {.members = 4, .n = 1 << 22, .repeats = 5};
    for (int i = 1; i < argc; i += 2) {
        bool known = false;
        if (alone(argv[i]))
            leave(0);
        for (size_t k = 0; k < sizeof names / sizeof *names; ++k)
            known |= strcmp(argv[i], names[k]) == 0;
        if (!known)
            refuse("unknown option ", argv[i]);
        take(&o, argv + i);
    }
    return o;
}

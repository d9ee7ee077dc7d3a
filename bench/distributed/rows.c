/* SPDX-License-Identifier: MIT */
#include "rows.h"

#ifdef _WIN32 /* MinGW has no timespec_get */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

double bench_now(void)
{
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return (double)ticks.QuadPart * 1e3 / (double)per_second.QuadPart;
}
#else
#include <time.h>

double bench_now(void)
{
    struct timespec t;
    timespec_get(&t, TIME_UTC);
    return (double)(t.tv_sec % 1000000) * 1e3 + (double)t.tv_nsec * 1e-6; /* of 53 bits none for the year */
}
#endif

/* A column. What has not been measured is "-", and null. */
static void print_number(FILE *json, const char *name, int digits, double number)
{
    if (number > 0)
        printf(" %9.*f", digits, number);
    else
        printf(" %9s", "-");
    if (json && number > 0)
        fprintf(json, ", \"%s\": %.6f", name, number);
    else if (json)
        fprintf(json, ", \"%s\": null", name);
}

void bench_print_head(void)
{
    if (bench_speaks())
        printf("%-12s %11s %10s %9s %9s %9s %9s %9s %9s %9s %9s\n", "what", "who", "elements", "ms", "GB/s", "of one",
               "two_pass", "ms: local", "borders", "move", "last");
}

void bench_print_row(const bench_world *w, FILE *json, const bench_row *r)
{
    static const char *const phases[] = {"ms_local", "ms_borders", "ms_move", "ms_last"};
    char who[32];
    if (!bench_speaks())
        return;
    snprintf(who, sizeof who, "%u", r->members);
    printf("%-12s %11s %10llu", r->what, r->variant ? r->variant : who, (unsigned long long)r->n);
    if (json)
        fprintf(json,
                "{\"device\": \"%s\", \"devices\": %u, \"primitive\": \"%s\", \"variant\": \"%s\", \"members\": %u, "
                "\"n\": %llu",
                w->name, w->devices < r->members ? w->devices : r->members, r->what,
                r->variant ? r->variant : "members", r->members, (unsigned long long)r->n);
    print_number(json, "ms", 4, r->ms);
    print_number(json, "gbps", 3, (double)(r->n * r->members) * sizeof(cl_uint) * 1e-6 / r->ms);
    print_number(json, "of_one", 3, r->one / r->ms);
    print_number(json, "of_two_pass", 3, r->two_pass / r->ms);
    for (int phase = 0; phase < CLF_COMM_PHASES; ++phase)
        print_number(json, phases[phase], 3, r->phase[phase]);
    puts("");
    if (json)
        fputs("}\n", json);
    fflush(stdout);
}

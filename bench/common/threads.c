/* SPDX-License-Identifier: MIT */
/*
 * Work on the host in parallel: references of large cases would take longer than all the measuring. C11 threads where
 * the C library has them, or else one part after the other.
 */
#include "common/common.h"

#ifndef _WIN32
#include <unistd.h>
#endif
#if defined(__STDC_NO_THREADS__) || defined(_WIN32) /* MinGW has none and does not say so */
#define NO_THREADS
#else
#include <threads.h>
#endif

enum { MOST_PARTS = 64 };

typedef struct part {
    void (*work)(void *state, cl_ulong first, cl_ulong last);
    void *state;
    cl_ulong first, last;
} part;

static int run_part(void *argument)
{
    const part *p = argument;
    p->work(p->state, p->first, p->last);
    return 0;
}

static unsigned processors(void)
{
#ifdef _SC_NPROCESSORS_ONLN
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : count > MOST_PARTS ? MOST_PARTS : (unsigned)count;
#else
    return 4;
#endif
}

static void run_parts(part *parts, unsigned count)
{
#ifdef NO_THREADS
    for (unsigned i = 0; i < count; ++i)
        run_part(&parts[i]);
#else
    thrd_t threads[MOST_PARTS];
    bool started[MOST_PARTS];
    for (unsigned i = 1; i < count; ++i)
        started[i] = thrd_create(&threads[i], run_part, &parts[i]) == thrd_success;
    run_part(&parts[0]);
    for (unsigned i = 1; i < count; ++i) {
        if (started[i])
            thrd_join(threads[i], NULL);
        else
            run_part(&parts[i]);
    }
#endif
}

void bench_parallel(cl_ulong n, void (*work)(void *state, cl_ulong first, cl_ulong last), void *state)
{
    part parts[MOST_PARTS];
    const cl_ulong count = n < processors() ? n : processors();
    for (cl_ulong i = 0; i < count; ++i)
        parts[i] = (part){work, state, n / count * i + (i < n % count ? i : n % count),
                          n / count * (i + 1) + (i + 1 < n % count ? i + 1 : n % count)};
    if (count)
        run_parts(parts, (unsigned)count);
}

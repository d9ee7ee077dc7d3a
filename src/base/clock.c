/* SPDX-License-Identifier: MIT */
/*
 * Time on the wall, for what has a budget of it.
 */
#include "base/base.h"

#ifdef _WIN32 /* MinGW has no timespec_get, and the clock of time() ticks 64 times a second */
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

double clf_seconds(void)
{
    LARGE_INTEGER ticks, per_second;
    QueryPerformanceCounter(&ticks);
    QueryPerformanceFrequency(&per_second);
    return (double)ticks.QuadPart / (double)per_second.QuadPart;
}
#else
#include <time.h>

double clf_seconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
#endif

/* SPDX-License-Identifier: MIT */
/*
 * How many processors the system has: what a driver says of a CPU can be compared with that.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include "base/base.h"

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <windows.h>

unsigned clf_processors(void)
{
    SYSTEM_INFO info;
    GetSystemInfo(&info);
    return (unsigned)info.dwNumberOfProcessors;
}
#else
#include <unistd.h>

unsigned clf_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count > 0 ? (unsigned)count : 1;
}
#endif

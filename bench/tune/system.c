/* SPDX-License-Identifier: MIT */
/*
 * Small things that systems have by other names.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE 1
#endif
#include "tune/tune.h"

#include <stdlib.h>

#ifdef _WIN32
#define WIN32_LEAN_AND_MEAN
#include <fcntl.h>
#include <io.h>
#include <windows.h>

bool tune_truncate(FILE *file, long bytes)
{
    return fflush(file) == 0 && _chsize_s(_fileno(file), bytes) == 0;
}

void tune_set_variable(const char *name, const char *value)
{
    _putenv_s(name, value ? value : "");
}

FILE *tune_take_output(void)
{
    FILE *file = _fdopen(_dup(1), "wb");
    _setmode(0, _O_BINARY);
    return file && _dup2(2, 1) == 0 ? file : NULL;
}

unsigned tune_processors(void)
{
    SYSTEM_INFO system;
    GetSystemInfo(&system);
    return (unsigned)system.dwNumberOfProcessors;
}
#else
#include <unistd.h>

bool tune_truncate(FILE *file, long bytes)
{
    return fflush(file) == 0 && ftruncate(fileno(file), bytes) == 0;
}

void tune_set_variable(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

FILE *tune_take_output(void)
{
    FILE *file = fdopen(dup(1), "w");
    return file && dup2(2, 1) >= 0 ? file : NULL;
}

unsigned tune_processors(void)
{
    const long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (unsigned)count;
}
#endif

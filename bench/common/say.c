/* SPDX-License-Identifier: MIT */
/* What is said: progress and notes to people, strings to programs. */
#include "common/common.h"

#include <stdarg.h>
#ifndef _WIN32
#include <unistd.h>
#endif

static bool on_terminal(void)
{
#ifdef _WIN32
    return false;
#else
    return isatty(2) != 0;
#endif
}

void bench_progress(const char *format, ...)
{
    va_list arguments;
    if (!on_terminal())
        return;
    va_start(arguments, format);
    fputs("\r\033[K", stderr);
    vfprintf(stderr, format, arguments);
    fflush(stderr);
    va_end(arguments);
}

void bench_note(const char *format, ...)
{
    va_list arguments;
    bench_progress("%s", "");
    fflush(stdout);
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    va_end(arguments);
}

void bench_size_text(cl_ulong n, char text[24])
{
    int power = 0;
    while (power < 63 && n >> power > 1)
        ++power;
    if (power >= 10 && n == (cl_ulong)1 << power)
        snprintf(text, 24, "2^%d", power);
    else
        snprintf(text, 24, "%llu", (unsigned long long)n);
}

void bench_json_string(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; ++text) {
        unsigned char c = (unsigned char)*text;
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < 32)
            fprintf(file, "\\u%04x", c);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

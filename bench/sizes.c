/* SPDX-License-Identifier: MIT */
/* Numbers on the command line of clfold-bench: sizes, lists and ranges of them (options.c), and shapes. */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static void add_size(bench_sizes *sizes, cl_ulong n)
{
    cl_ulong *grown = realloc(sizes->size, (sizes->count + 1) * sizeof *grown);
    if (!grown)
        bench_die("out of memory");
    sizes->size = grown;
    sizes->size[sizes->count++] = n;
}

/* Digits, perhaps with '_' between them. */
static cl_ulong parse_number(const char **text, const char *option)
{
    const char *at = *text;
    cl_ulong value = 0;
    for (; (*at >= '0' && *at <= '9') || (*at == '_' && at != *text); at++) {
        const cl_ulong digit = (cl_ulong)(*at - '0');
        if (*at == '_')
            continue;
        if (value > (UINT64_MAX - digit) / 10)
            bench_die("%s %s: too large", option, *text);
        value = value * 10 + digit;
    }
    if (at == *text)
        bench_die("%s: expected a number at \"%s\"", option, *text);
    *text = at;
    return value;
}

static cl_ulong raise(cl_ulong value, cl_ulong factor, cl_ulong exponent, const char *option)
{
    for (cl_ulong i = 0; i < exponent && factor != 1 && value; i++) {
        if (factor && value > UINT64_MAX / factor)
            bench_die("%s: a number is too large", option);
        value *= factor;
    }
    return value;
}

cl_ulong bench_parse_size(const char **text, const char *option, cl_ulong *base)
{
    cl_ulong value = parse_number(text, option);
    *base = 2;
    if (**text == '^') {
        ++*text;
        *base = value;
        value = raise(1, value, parse_number(text, option), option);
    } else if (**text == 'e' || **text == 'E') {
        ++*text;
        *base = 10;
        value = raise(value, 10, parse_number(text, option), option);
    }
    if (**text == '+' || **text == '-') {
        bool minus = *(*text)++ == '-';
        cl_ulong offset = parse_number(text, option);
        value = minus ? value - (offset < value ? offset : value) : value + offset;
    }
    return value;
}

void bench_parse_sizes(bench_sizes *sizes, const char *option, const char *text)
{
    const char *at = text;
    for (;;) {
        cl_ulong base, first = bench_parse_size(&at, option, &base), last = first, step = 1, ratio = 1;
        if (strncmp(at, "..", 2) == 0) {
            at += 2;
            last = bench_parse_size(&at, option, &(cl_ulong){0});
        }
        if (*at == ':') {
            at++;
            step = parse_number(&at, option);
        }
        for (cl_ulong i = 0; i < step && i < 64; i++)
            ratio *= base;
        for (cl_ulong n = first;; n *= ratio) {
            add_size(sizes, n);
            if (ratio < 2 || n == 0 || n > last / ratio)
                break;
        }
        if (*at == '\0')
            return;
        if (*at++ != ',')
            bench_die("%s %s: expected a comma at \"%s\"", option, text, at - 1);
    }
}

void bench_parse_shapes(bench_options *options, const char *text)
{
    const char *at = text;
    for (;;) {
        bench_shape *grown = realloc(options->shapes, (options->shape_count + 1) * sizeof *grown);
        if (!grown)
            bench_die("out of memory");
        options->shapes = grown;
        cl_ulong sizes[3] = {1, 1, 1};
        unsigned count = 0;
        do
            sizes[count++] = bench_parse_size(&at, "--segments", &(cl_ulong){0});
        while (count < 3 && *at == 'x' && at++);
        if (count == 1)
            bench_die("--segments %s: expected COUNTxSIZE", text);
        grown[options->shape_count++] = count == 2 ? (bench_shape){1, sizes[0], sizes[1]}
                                                   : (bench_shape){sizes[0], sizes[1], sizes[2]};
        if (*at == '\0')
            return;
        if (*at++ != ',')
            bench_die("--segments %s: expected a comma at \"%s\"", text, at - 1);
    }
}

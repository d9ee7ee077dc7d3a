/* SPDX-License-Identifier: MIT */
/* Command lines: options by a table, lists of words, sizes, lists and ranges of these. */
#include "common/common.h"

#include <stdlib.h>
#include <string.h>

/* ---- Words ----------------------------------------------------------------------------------------------------- */

void bench_add_word(bench_words *words, const char *text, size_t length)
{
    char **grown = realloc(words->word, (words->count + 1) * sizeof *grown);
    if (!grown)
        bench_die("out of memory");
    words->word = grown;
    words->word[words->count++] = bench_copy_text(text, length);
}

void bench_add_words(bench_words *words, const char *list, char separator)
{
    const char separators[2] = {separator, '\0'};
    for (size_t length;; list += length + 1) {
        length = strcspn(list, separators);
        if (length)
            bench_add_word(words, list, length);
        if (!list[length])
            return;
    }
}

void bench_free_words(bench_words *words)
{
    for (unsigned i = 0; i < words->count; ++i)
        free(words->word[i]);
    free(words->word);
    *words = (bench_words){0};
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

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
    for (; (*at >= '0' && *at <= '9') || (*at == '_' && at != *text); ++at) {
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
    for (cl_ulong i = 0; i < exponent && factor != 1 && value; ++i) {
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

/* A list, added to what there is. */
static void parse_sizes(bench_sizes *sizes, const char *option, const char *text)
{
    const char *at = text;
    for (;;) {
        cl_ulong base, first = bench_parse_size(&at, option, &base), last = first, step = 1, ratio = 1;
        if (strncmp(at, "..", 2) == 0) {
            at += 2;
            last = bench_parse_size(&at, option, &(cl_ulong){0});
            if (last < first)
                bench_die("%s %s: a range ends before it begins", option, text);
        }
        if (*at == ':') {
            ++at;
            step = parse_number(&at, option);
        }
        for (cl_ulong i = 0; i < step && i < 64; ++i)
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

/* ---- Options --------------------------------------------------------------------------------------------------- */

static double parse_real(const char *option, const char *text, double least, double most)
{
    char *end;
    const double value = strtod(text, &end);
    if (end == text || *end || !(value >= least && value <= most))
        bench_die("%s %s: expected a number from %g to %g", option, text, least, most);
    return value;
}

int bench_take_option(const bench_option *list, char **arguments)
{
    const char *const text = arguments[0], *const equals = strchr(text, '=');
    const size_t length = equals ? (size_t)(equals - text) : strlen(text);
    while (list->name && (strncmp(list->name, text, length) != 0 || list->name[length]))
        ++list;
    if (!list->name || (list->kind == BENCH_FLAG && equals))
        bench_die("unknown option %.*s; --help explains", (int)length, text);
    if (list->kind == BENCH_FLAG)
        return *(bool *)list->to = true;
    const char *const value = equals ? equals + 1 : arguments[1];
    if (!value)
        bench_die("%s: %s", list->name, list->missing ? list->missing : "its value is missing; --help explains");
    switch (list->kind) {
    case BENCH_TEXT: *(const char **)list->to = value; break;
    case BENCH_WORD: bench_add_word(list->to, value, strlen(value)); break;
    case BENCH_WORDS: bench_add_words(list->to, value, ','); break;
    case BENCH_SIZES: parse_sizes(list->to, list->name, value); break;
    case BENCH_NUMBER: *(double *)list->to = parse_real(list->name, value, list->least, list->most); break;
    default: list->take(list->to, value); break;
    }
    return equals ? 1 : 2;
}

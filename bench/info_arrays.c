/* SPDX-License-Identifier: MIT */
/*
 * What arrays hold, in a file of clfold-info --check: captured ones, and elements that are tried. A line has numbers
 * and ranges, or so many random whole numbers of a range:
 *
 *     array modulus = 65521
 *     array table = random 576 0..23
 *     elements row = 0..23
 */
#include "info_check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_NUMBERS = 1 << 24, MOST_EXACT = 53 /* bits of a whole number that a double has */ };

/* Which field of "float price; uint product;" it is, and of which scalar type. */
static void find(info_array *a, const char *fields)
{
    const char *at = fields ? fields : "";
    for (a->field = 0; *at; ++a->field, at += strcspn(at, ";"), at += *at == ';') {
        char type[32], name[64], rest;
        if (sscanf(at, " %31[a-z0-9] %63[A-Za-z0-9_] %c", type, name, &rest) != 3 || rest != ';' ||
            strcmp(name, a->name) != 0)
            continue;
        for (int t = 0; t < CLF_TYPE_COUNT; ++t) {
            a->type = (clf_type)t;
            if (t != CLF_HALF && t != CLF_BFLOAT16 && strcmp(clf_type_name(a->type), type) == 0)
                return;
        }
    }
    bench_die("--check: %s is no such field, or none of whole numbers, floats or doubles", a->name);
}

static void *make_room(const info_array *a, size_t count)
{
    void *const data = count <= MOST_NUMBERS ? realloc(a->data, count * sizeof(double)) : NULL;
    if (!data)
        bench_die("--check: %s: too many numbers", a->name);
    return data;
}

static double number_of(const info_array *a, const char *word)
{
    char *end = NULL;
    const double number = word ? strtod(word, &end) : 0;
    if (!word || end == word || *end)
        bench_die("--check: %s: \"%s\" is no number, and no range like 0..23", a->name, word ? word : "");
    return number;
}

/* The ends of "0..23", or of one number. */
static void range_of(const info_array *a, char *word, double ends[2])
{
    char *const dots = word ? strstr(word, "..") : NULL;
    if (dots)
        *dots = '\0';
    ends[0] = number_of(a, word);
    ends[1] = dots ? number_of(a, dots + 2) : ends[0];
    if (!(ends[0] <= ends[1] && ends[1] - ends[0] < MOST_NUMBERS))
        bench_die("--check: %s: a range ends before it begins, or is too large", a->name);
}

static void add_word(info_array *a, char *word)
{
    const bool random = strcmp(word, "random") == 0;
    const double wanted = random ? number_of(a, strtok(NULL, " \t")) : 0;
    double ends[2];
    range_of(a, random ? strtok(NULL, " \t") : word, ends);
    const uint64_t width = (uint64_t)(ends[1] - ends[0]) + 1;
    const double count = random ? wanted : (double)width;
    if (!(count >= 1 && count <= MOST_NUMBERS))
        bench_die("--check: %s: there are 1 to %d numbers", a->name, MOST_NUMBERS);
    double *const numbers = a->data = make_room(a, a->count + (size_t)count);
    for (size_t i = 0; i < (size_t)count; ++i, ++a->count)
        numbers[a->count] = ends[0] + (double)(random ? bench_hash(a->count) % width : i);
}

/* Of the type, in the place of the double. */
static void convert(const info_array *a, size_t i, double number)
{
    const unsigned bytes = (unsigned)clf_type_size(a->type);
    if (a->type == CLF_FLOAT) {
        ((float *)a->data)[i] = (float)number;
    } else if (a->type != CLF_DOUBLE) {
        const bool is_signed = (a->type - CLF_CHAR) % 2 == 0;
        const double most = ldexp(1, bytes == 8 ? MOST_EXACT : (int)(8 * bytes) - is_signed);
        if (number != floor(number) || number < (is_signed ? -most : 0) || number >= most)
            bench_die("--check: %s: %.17g is not of the type", a->name, number);
        bench_store(a->data, i, bytes, (uint64_t)(int64_t)number);
    }
}

void info_array_fill(info_array *a, const char *fields)
{
    find(a, fields);
    for (char *word = strtok(a->text, " \t,"); word; word = strtok(NULL, " \t,"))
        add_word(a, word);
    for (size_t i = 0; i < a->count; ++i)
        convert(a, i, ((const double *)a->data)[i]);
}

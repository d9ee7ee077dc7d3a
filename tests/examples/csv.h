/* SPDX-License-Identifier: MIT */
/*
 * Reads CSV (RFC 4180), row by row: fields are separated by commas, and may be quoted, "so, with ""quotes"" within".
 * Lines end with LF, CR LF or CR, the last one may do without; blank ones are passed over. The first row has the names
 * of the columns, and each other one as many fields. What is wrong ends the program with FILE:LINE and a sentence.
 *
 * Numbers are whole ones of millionths, so that sums of them are exact, and the same in any order.
 */
#ifndef CLFOLD_CSV_H
#define CLFOLD_CSV_H

#include "example.h"

#include <limits.h>
#include <stdbool.h>
#include <string.h>

enum { CSV_COLUMNS = 1024, CSV_DECIMALS = 6, CSV_UNIT = 1000000 };

typedef struct csv {
    const char *name;
    char *at;                 /* what is not yet read */
    unsigned long line, next; /* where the row begins, and which line `at` is in */
    size_t columns;           /* 0: not yet known */
    size_t decimals;          /* the most that a number had so far */
    char *field[CSV_COLUMNS]; /* of the row; strings that lie in the text */
} csv;

static inline _Noreturn void csv_fail(const csv *c, const char *what, const char *field)
{
    fprintf(stderr, "%s:%lu: %s%s\n", c->name, c->line, what, field);
    exit(2);
}

/* A field behind its opening quote. It moves to the left, over what quotes there are. */
static inline char *csv_quoted(csv *c)
{
    char *const field = c->at, *to = field;
    for (; c->at[0] != '"' || c->at[1] == '"'; ++c->at) {
        if (!*c->at)
            csv_fail(c, "a quote is never closed", "");
        c->next += *c->at == '\n';
        c->at += *c->at == '"'; /* the second of two is the quote */
        *to++ = *c->at;
    }
    *to = 0;
    ++c->at;
    if (!strchr(",\r\n", *c->at)) /* or the 0 behind the text */
        csv_fail(c, "behind a quote the field goes on: ", field);
    return field;
}

static inline char *csv_plain(csv *c)
{
    char *const field = c->at;
    c->at += strcspn(field, ",\"\r\n");
    if (*c->at == '"')
        csv_fail(c, "a quote within a field that is not quoted", "");
    return field;
}

/* Reads the next row, if there is one. */
static inline bool csv_row(csv *c)
{
    size_t count = 0;
    char end;
    for (; *c->at == '\n' || *c->at == '\r'; ++c->at)
        c->next += *c->at == '\n';
    if (!*c->at)
        return false;
    c->line = c->next;
    do {
        if (count == CSV_COLUMNS)
            csv_fail(c, "too many columns", "");
        c->field[count++] = *c->at == '"' ? (c->at++, csv_quoted(c)) : csv_plain(c);
        end = *c->at;
        *c->at = 0;
        c->at += end != 0;
    } while (end == ',');
    c->next += end == '\n';
    if (c->columns && count != c->columns)
        csv_fail(c, count < c->columns ? "fewer fields than columns" : "more fields than columns", "");
    c->columns = count;
    return true;
}

/* Reads the row of names. The text has a 0 behind it, and is changed. */
static inline csv csv_open(const char *name, char *text, size_t bytes)
{
    csv c = {.name = name, .at = text, .line = 1, .next = 1};
    if (strlen(text) != bytes)
        csv_fail(&c, "this is no text, for it has bytes of 0", "");
    c.at += strncmp(text, "\xEF\xBB\xBF", 3) ? 0 : 3; /* the mark that some programs write before UTF-8 */
    if (!csv_row(&c))
        csv_fail(&c, "there is nothing in it", "");
    return c;
}

/* How many rows there are at most. */
static inline size_t csv_rows(const csv *c)
{
    size_t lines = 1;
    for (const char *at = c->at; *at; ++at)
        lines += *at == '\n' || *at == '\r';
    return lines;
}

/* The column of that name, or number, from 1 on; while the row of names is the last that was read. */
static inline size_t csv_column(const csv *c, const char *wanted)
{
    char *end;
    for (size_t i = 0; i < c->columns; ++i)
        if (!strcmp(c->field[i], wanted))
            return i;
    const unsigned long number = strtoul(wanted, &end, 10);
    if (*end == 0 && number >= 1 && number <= c->columns)
        return number - 1;
    fprintf(stderr, "columns:");
    for (size_t i = 0; i < c->columns; ++i)
        fprintf(stderr, "%s %s", i ? "," : "", c->field[i]);
    fprintf(stderr, "\n");
    csv_fail(c, "there is no column ", wanted);
}

/* "-12.5" as -12500000. */
static inline long long csv_number(csv *c, size_t column)
{
    const char *const field = c->field[column], *const s = field + (*field == '-');
    const size_t whole = strspn(s, "0123456789"), point = s[whole] == '.';
    const size_t decimals = point ? strspn(s + whole + 1, "0123456789") : 0;
    long long x = 0;
    if (!*field)
        csv_fail(c, "the number is missing: the field is empty", "");
    if (whole + decimals == 0 || decimals > CSV_DECIMALS || s[whole + point + decimals])
        csv_fail(c, "this is no number like -12.5, with six decimals at most: ", field);
    for (size_t i = 0; i < whole + CSV_DECIMALS; ++i) {
        const int digit = i < whole ? s[i] - '0' : i < whole + decimals ? s[i + 1] - '0' : 0;
        if (x > (LLONG_MAX - digit) / 10)
            csv_fail(c, "the number is too large: ", field);
        x = x * 10 + digit;
    }
    c->decimals = decimals > c->decimals ? decimals : c->decimals;
    return *field == '-' ? -x : x;
}

/* ---- A CSV that there always is ---------------------------------------------------------------------------------- */

/* What packages dpkg knows of: name, section and kilobytes. There is no newline behind the last row. */
static inline char *csv_packages(const char *status, size_t *bytes)
{
    static const char head[] = "package,section,kilobytes",
                      made[] = "\r\n\"a, b\",libs,12.5\r\n\"the \"\"c\"\"\",\"libs\",3\r\nd,,-1\r\ne,\"doc\",2.25";
    FILE *file = fopen(status, "rb");
    char package[128] = "", section[128] = "", *text = file ? example_file(status, bytes) : calloc(*bytes = 1, 1);
    char *const list = malloc(*bytes + sizeof head + sizeof made), *to = list; /* a package's row is shorter there */
    check(text && list ? CLF_SUCCESS : CLF_E_NO_MEMORY, status, NULL);
    to += sprintf(to, "%s", head);
    for (const char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
        unsigned long kilobytes;
        if (sscanf(line, "Package: %127s", package) == 1)
            section[0] = 0;
        else if (sscanf(line, "Section: %127s", section) != 1 && *package && *section &&
                 sscanf(line, "Installed-Size: %lu", &kilobytes) == 1) {
            to += sprintf(to, "\n\"%s\",\"%s\",%lu", package, section, kilobytes);
            package[0] = section[0] = 0;
        }
    }
    if (to == list + strlen(head)) {
        printf("%s lists no packages, so these are made ones:\n", status);
        to += sprintf(to, "%s", made);
    }
    if (file)
        fclose(file);
    free(text);
    *bytes = (size_t)(to - list);
    return list;
}
#endif

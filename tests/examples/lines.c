/* SPDX-License-Identifier: MIT */
/*
 * Five calls in a chain, of a text file:
 *
 *     lines FILE
 *
 * Where its lines end (filter), how long they are (adjacent difference), the longest one and how many are blank
 * (reduce), where each begins (scan), and each one's first character (gather). How many lines there are only the
 * device knows: the filter leaves the number in a buffer, all other calls take it from there (clf_call.actual), and
 * the host waits once, at the end. Checked against a loop on the host.
 */
#include "example.h"

/* Behind each end of a line. */
static const clf_operator ends = {
    .size = sizeof ends, .input = "char c;", .value = "uint end;", .predicate = "is_end", .map = "behind",
    .source = "bool is_end(clf_input x, ulong i) { return x.c == '\\n'; }\n"
              "clf_value behind(clf_input x, ulong i) { clf_value v = {(uint)i + 1}; return v; }\n"};

static const clf_operator lengths = {
    .size = sizeof lengths, .value = "uint end;", .combine = "minus", .neutral = "zero",
    .source = "clf_value minus(clf_value before, clf_value x) { x.end -= before.end; return x; }\n"
              "clf_value zero(void) { clf_value v = {0}; return v; }\n"};

static const clf_operator longest_and_blank = {
    .size = sizeof longest_and_blank, .input = "uint length;", .value = "uint longest; uint blank;",
    .combine = "join", .neutral = "none", .map = "of_line", .flags = CLF_COMMUTATIVE,
    .source = "clf_value of_line(clf_input x, ulong i)\n"
              "{ clf_value v = {x.length - 1, x.length == 1}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{ clf_value v = {max(a.longest, b.longest), a.blank + b.blank}; return v; }\n"
              "clf_value none(void) { clf_value v = {0, 0}; return v; }\n"};

/* ---- The device -------------------------------------------------------------------------------------------- */

typedef struct results {
    cl_ulong lines;
    cl_uint longest, blank;
    cl_uint *start; /* of each line, with room for as many as there are characters */
    char *first;    /* and its first character, which of a blank one is '\n' */
} results;

static void run(const char *text, size_t n, results *r)
{
    example x = example_open();
    clf_plan *filter, *difference, *reduce, *scan, *gather;
    check(clf_filter_plan(x.context, &ends, 0, NULL, &filter, &x.error), "clf_filter_plan", &x.error);
    check(clf_adjacent_difference_plan(x.context, &lengths, CLF_FROM_DEVICE, NULL, &difference, &x.error),
          "clf_adjacent_difference_plan", &x.error);
    check(clf_reduce_plan(x.context, &longest_and_blank, CLF_FROM_DEVICE, NULL, &reduce, &x.error), "clf_reduce_plan",
          &x.error);
    check(clf_scan_plan(x.context, clf_builtin(CLF_SUM, CLF_UINT), CLF_EXCLUSIVE | CLF_FROM_DEVICE, NULL, &scan,
                        &x.error),
          "clf_scan_plan", &x.error);
    check(clf_gather_plan(x.context, "char c;", CLF_UINT, CLF_FROM_DEVICE, NULL, &gather, &x.error), "clf_gather_plan",
          &x.error);

    const size_t uints = n * sizeof(cl_uint);
    const clf_array in = example_array(&x, n, text), end = example_array(&x, uints, NULL),
                    length = example_array(&x, uints, NULL), start = example_array(&x, uints, NULL),
                    first = example_array(&x, n, NULL), lines = example_array(&x, sizeof r->lines, NULL);
    const clf_array most[] = {example_array(&x, sizeof r->longest, NULL), example_array(&x, sizeof r->blank, NULL)};

    const clf_call of_lines = {.size = sizeof of_lines, .queue = x.queue, .actual = lines};
    check(clf_filter(filter, CLF_ON_ARRAYS(x.queue, in, end), n, n, &in, &end, &lines), "clf_filter", NULL);
    check(clf_adjacent_difference(difference, &of_lines, n, &end, &length), "clf_adjacent_difference", NULL);
    check(clf_reduce(reduce, &of_lines, n, &length, most), "clf_reduce", NULL);
    check(clf_scan(scan, &of_lines, n, &length, &start), "clf_scan", NULL);
    check(clf_gather(gather, &of_lines, n, n, &in, &start, &first), "clf_gather", NULL);

    example_read(&x, lines, sizeof r->lines, &r->lines);
    example_read(&x, most[0], sizeof r->longest, &r->longest);
    example_read(&x, most[1], sizeof r->blank, &r->blank);
    example_read(&x, start, (size_t)r->lines * sizeof *r->start, r->start);
    example_read(&x, first, (size_t)r->lines, r->first);
    example_release((const clf_array[]){in, end, length, start, first, lines, most[0], most[1]}, 8);
    clf_plan *const plans[] = {filter, difference, reduce, scan, gather};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; ++i)
        clf_plan_release(plans[i]);
    example_close(&x);
}

/* ---- The host ---------------------------------------------------------------------------------------------- */

static int count_errors(const char *text, size_t n, const results *r)
{
    cl_ulong lines = 0, longest = 0, blank = 0;
    size_t start = 0;
    int errors = 0;
    for (size_t i = 0; i < n; ++i) {
        if (text[i] != '\n')
            continue;
        errors += lines < r->lines && (r->start[lines] != start || r->first[lines] != text[start]);
        longest = i - start > longest ? i - start : longest;
        blank += i == start;
        start = i + 1;
        ++lines;
    }
    return errors + (lines != r->lines) + (longest != r->longest) + (blank != r->blank);
}

int main(int argc, char **argv)
{
    size_t n;
    if (argc != 2) {
        fputs("usage: lines FILE\n", stderr);
        return 2;
    }
    char *text = example_file(argv[1], &n);
    results r = {.start = malloc((n + 1) * sizeof *r.start), .first = malloc(n + 1)};
    check(r.start && r.first ? CLF_SUCCESS : CLF_E_NO_MEMORY, "results", NULL);
    if (n == 0) {
        fputs("lines: the file is empty\n", stderr);
        return 2;
    }
    run(text, n, &r);
    const int errors = count_errors(text, n, &r);
    printf("%lu characters, %lu lines, %lu of them blank, the longest of %lu characters\n%d errors\n", (unsigned long)n,
           (unsigned long)r.lines, (unsigned long)r.blank, (unsigned long)r.longest, errors);
    free(text);
    free(r.start);
    free(r.first);
    return errors != 0;
}

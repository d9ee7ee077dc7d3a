/* SPDX-License-Identifier: MIT */
/*
 * The suffixes of a text, sorted, and with them the longest passage that it has twice:
 *
 *     suffixes FILE
 *
 * By prefix doubling (Manber and Myers 1993). Where suffixes are ranked by their first k characters, the ranks of
 * suffix i and of suffix i + k make a key that ranks it by its first 2 k. Each round is three calls: a sort, whose map
 * makes the keys from the ranks of the round before; a scan that numbers different keys; and a scatter of the numbers
 * to their suffixes. It ends when all ranks differ. Checked on the host: every suffix comes before the next one.
 */
#include "example.h"

#include <string.h>

/* There is no input but the index; behind the end of the text all ranks are 0. */
static const clf_operator by_two_ranks = {
    .size = sizeof by_two_ranks, .input = "", .captured = "uint rank; uint step;", .value = "ulong key; uint suffix;",
    .map = "pair",
    .source = "clf_value pair(clf_input x, ulong i, const clf_captured *c)\n"
              "{\n"
              "    clf_value v = {(ulong)c->rank[i] << 32 | c->rank[i + c->step[0]], (uint)i};\n"
              "    return v;\n"
              "}\n"};

/* 1 for the first key, and 1 more for each that differs from the one before. */
static const clf_operator numbered = {
    .size = sizeof numbered, .input = "", .captured = "ulong key;", .value = "uint number;", .map = "is_new",
    .combine = "clf_sum", .flags = CLF_COMMUTATIVE,
    .source = "clf_value is_new(clf_input x, ulong i, const clf_captured *c)\n"
              "{ clf_value v = {i == 0 || c->key[i] != c->key[i - 1]}; return v; }\n"};

typedef struct plans {
    clf_plan *sort, *number, *scatter;
} plans;

/* One round; how many different ranks there are afterwards. */
static cl_uint double_prefixes(const example *x, const plans *p, cl_uint n, cl_uint step, clf_array rank, clf_array key,
                               clf_array suffix, clf_array number)
{
    const clf_array of_step = example_array(x, sizeof step, &step);
    cl_uint different;
    check(clf_sort(p->sort, CLF_ON(x->queue), n, (const clf_array[]){rank, of_step}, (const clf_array[]){key, suffix}),
          "clf_sort", NULL);
    check(clf_scan(p->number, CLF_ON_ARRAYS(x->queue, key, number), n, &key, &number), "clf_scan", NULL);
    check(clf_scatter(p->scatter, CLF_ON_ARRAYS(x->queue, number, rank), n, n, &number, &suffix, &rank), "clf_scatter",
          NULL);
    check(clEnqueueReadBuffer(x->queue, number.buffer, CL_TRUE, (n - 1) * sizeof different, sizeof different,
                              &different, 0, NULL, NULL),
          "clEnqueueReadBuffer", NULL);
    clReleaseMemObject(of_step.buffer);
    return different;
}

/* The suffixes of n characters, in order. Returns the number of rounds. */
static int sort_suffixes(const char *text, cl_uint n, cl_uint *sorted)
{
    example x = example_open();
    plans p;
    int rounds = 0;
    check(clf_sort_plan(x.context, &by_two_ranks, 0, NULL, &p.sort, &x.error), "clf_sort_plan", &x.error);
    check(clf_scan_plan(x.context, &numbered, 0, NULL, &p.number, &x.error), "clf_scan_plan", &x.error);
    check(clf_scatter_plan(x.context, "uint rank;", CLF_UINT, 0, NULL, &p.scatter, &x.error), "clf_scatter_plan",
          &x.error);
    cl_uint *first = calloc(2 * (size_t)n, sizeof *first), different = 0;
    for (cl_uint i = 0; first && i < n; ++i)
        first[i] = (cl_uint)(unsigned char)text[i] + 1;
    check(first ? CLF_SUCCESS : CLF_E_NO_MEMORY, "ranks", NULL);
    const clf_array rank = example_array(&x, 2 * n * sizeof *first, first),
                    key = example_array(&x, n * sizeof(cl_ulong), NULL),
                    suffix = example_array(&x, n * sizeof(cl_uint), NULL),
                    number = example_array(&x, n * sizeof(cl_uint), NULL);
    for (cl_uint step = 1; different < n && step <= n; step *= 2, ++rounds)
        different = double_prefixes(&x, &p, n, step, rank, key, suffix, number);
    example_read(&x, suffix, n * sizeof *sorted, sorted);

    free(first);
    example_release((const clf_array[]){rank, key, suffix, number}, 4);
    clf_plan_release(p.sort);
    clf_plan_release(p.number);
    clf_plan_release(p.scatter);
    example_close(&x);
    return rounds;
}

/* ---- The host --------------------------------------------------------------------------------------------------- */

/* Characters that two suffixes begin with in common. */
static cl_uint common(const char *text, cl_uint n, cl_uint a, cl_uint b)
{
    cl_uint k = 0;
    while (a + k < n && b + k < n && text[a + k] == text[b + k])
        ++k;
    return k;
}

/* Suffixes that are not behind the one before them; and where the longest passage begins that is there twice. */
static int count_errors(const char *text, cl_uint n, const cl_uint *sorted, cl_uint *at, cl_uint *longest)
{
    int errors = 0;
    *at = *longest = 0;
    for (cl_uint i = 1; i < n; ++i) {
        const cl_uint a = sorted[i - 1], b = sorted[i], k = a < n && b < n ? common(text, n, a, b) : 0;
        errors += a >= n || b >= n || b + k == n ||
                  (a + k < n && (unsigned char)text[a + k] > (unsigned char)text[b + k]);
        *at = k > *longest ? a : *at;
        *longest = k > *longest ? k : *longest;
    }
    return errors;
}

int main(int argc, char **argv)
{
    size_t bytes;
    cl_uint at, longest;
    if (argc != 2) {
        fputs("usage: suffixes FILE\n", stderr);
        return 2;
    }
    char *text = example_file(argv[1], &bytes);
    const cl_uint n = (cl_uint)(bytes < 1 << 28 ? bytes : 1 << 28);
    cl_uint *sorted = malloc((n + 1) * sizeof *sorted);
    if (n == 0 || !sorted) {
        fputs("suffixes: the file is empty, or there is no memory for it\n", stderr);
        return 2;
    }
    const int rounds = sort_suffixes(text, n, sorted), errors = count_errors(text, n, sorted, &at, &longest);
    printf(
        "%lu suffixes sorted in %d rounds; the longest passage that is there twice has %lu characters:\n%.*s\n"
        "%d errors\n",
        (unsigned long)n, rounds, (unsigned long)longest, (int)(longest < 200 ? longest : 200), text + at, errors);
    free(sorted);
    free(text);
    return errors != 0;
}

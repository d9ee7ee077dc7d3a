/* SPDX-License-Identifier: MIT */
/*
 * Strings, sorted without being moved:
 *
 *     strings [--lines MADE SORTED] COUNT FILE...
 *
 * COUNT strings are cut out of the first of the files that there is: each begins with a word anywhere in it, and has a
 * few words. They lie one behind the other in an array of words of eight bytes, the first byte highest, with zeros
 * behind the end: so eight bytes are compared at a time. What is sorted are the places where strings begin, by a `less`
 * that looks into the array, which is captured. Beside its place an element has its string's first word, so that many
 * comparisons need not look. Of equal strings, which are then neighbours, the first one is kept, by a `same` that looks
 * there, too.
 *
 * The host sorts the same by qsort and strcmp, and by places where strings are equal, for clf_merge_sort is stable.
 * With --lines both orders are written to files, a string a line, for strings.sh, which sorts them by sort(1).
 */
#include "example.h"

#include <stdbool.h>
#include <string.h>

/* Most strings differ in their first words, and no text is read. */
static const char source[] =
    "ulong2 where_they_differ(clf_input a, clf_input b, const clf_captured *c);\n"
    "ulong2 where_they_differ(clf_input a, clf_input b, const clf_captured *c)\n"
    "{\n"
    "    if (a.head != b.head || !(uchar)a.head)\n"
    "        return (ulong2)(a.head, b.head);\n"
    "    __global const ulong *x = c->text + a.begin, *y = c->text + b.begin;\n"
    "    do\n"
    "        ++x, ++y;\n"
    "    while (*x == *y && (uchar)*x);\n"
    "    return (ulong2)(*x, *y);\n"
    "}\n"
    "bool before(clf_input a, clf_input b, const clf_captured *c)\n"
    "{ const ulong2 w = where_they_differ(a, b, c); return w.x < w.y; }\n"
    "bool alike(clf_input a, clf_input b, const clf_captured *c)\n"
    "{ const ulong2 w = where_they_differ(a, b, c); return w.x == w.y; }\n";

#define STRINGS                                                                                       \
    .size = sizeof(clf_operator), .value = "ulong head; uint begin;", .captured = "ulong text;", .source = source
static const clf_operator by_strings = {STRINGS, .less = "before"};
static const clf_operator by_equal_strings = {STRINGS, .same = "alike"};

/* ---- Strings ---------------------------------------------------------------------------------------------------- */

enum { LONGEST = 48 };

typedef struct strings {
    cl_uint count;
    char *text;     /* eight bytes for each word */
    cl_ulong *word; /* the same, the first one highest; zeros behind a string's end */
    size_t words;
    cl_uint *begin;
    cl_ulong *head; /* its first word */
} strings;

/* The word that begins at `at` or later, and some more: a string, of which the length is returned. */
static size_t cut(const char *from, size_t bytes, size_t at, size_t words, char *to)
{
    size_t length = 0;
    while (at > 0 && at < bytes && (unsigned char)from[at - 1] > ' ')
        ++at;
    for (; at < bytes && length + 1 < LONGEST; ++at) {
        const bool blank = (unsigned char)from[at] <= ' ';
        if (blank && words-- == 0)
            break;
        to[length++] = blank ? ' ' : from[at];
    }
    to[length] = 0;
    return length;
}

static cl_ulong word_of(const char *string)
{
    cl_ulong word = 0;
    for (int k = 0; k < 8; ++k) {
        word = word << 8 | (unsigned char)*string;
        string += *string != 0;
    }
    return word;
}

static strings make(cl_uint count, const char *from, size_t bytes)
{
    strings s = {.count = count, .text = malloc((size_t)count * LONGEST), .word = malloc((size_t)count * LONGEST),
                 .begin = malloc(count * sizeof *s.begin), .head = malloc(count * sizeof *s.head)};
    cl_ulong random = 1;
    check(s.text && s.word && s.begin && s.head ? CLF_SUCCESS : CLF_E_NO_MEMORY, "strings", NULL);
    for (cl_uint i = 0; i < count; ++i) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        s.begin[i] = (cl_uint)s.words;
        const size_t length = cut(from, bytes, (size_t)((random >> 20) % bytes), (size_t)(random >> 61),
                                  s.text + 8 * s.words);
        for (size_t k = 0; k <= length / 8; ++k, ++s.words)
            s.word[s.words] = word_of(s.text + 8 * s.words);
        s.head[i] = s.word[s.begin[i]];
    }
    return s;
}

/* ---- Sorted ----------------------------------------------------------------------------------------------------- */

/* Where strings begin, in their order, and how many there are but for repetitions; returns the microseconds of a second
 * sort, which compiles nothing. */
static double sort_strings(const strings *s, cl_uint *sorted, cl_ulong *distinct)
{
    example x = example_open();
    clf_plan *plan, *unique;
    check(clf_merge_sort_plan(x.context, &by_strings, 0, NULL, &plan, &x.error), "clf_merge_sort_plan", &x.error);
    check(clf_unique_plan(x.context, &by_equal_strings, 0, NULL, &unique, &x.error), "clf_unique_plan", &x.error);
    const size_t heads = s->count * sizeof *s->head, places = s->count * sizeof *s->begin;
    const clf_array in[] = {example_array(&x, heads, s->head), example_array(&x, places, s->begin),
                            example_array(&x, s->words * sizeof *s->word, s->word)},
                    out[] = {example_array(&x, heads, NULL), example_array(&x, places, NULL)},
                    ordered[] = {out[0], out[1], in[2]},
                    kept[] = {example_array(&x, heads, NULL), example_array(&x, places, NULL)},
                    told = example_array(&x, sizeof *distinct, NULL);
    double begin = 0;
    for (int turn = 0; turn < 2; ++turn) {
        begin = example_time();
        check(clf_merge_sort(plan, CLF_ON_ARRAYS(x.queue, in, out), s->count, in, out), "clf_merge_sort", NULL);
        example_read(&x, out[1], places, sorted);
    }
    const double time = example_time() - begin;
    check(clf_unique(unique, CLF_ON_ARRAYS(x.queue, ordered, kept), s->count, s->count, ordered, kept, &told),
          "clf_unique", NULL);
    example_read(&x, told, sizeof *distinct, distinct);
    clf_plan_release(unique);
    example_release(ordered, 3);
    example_release(kept, 2);
    clf_plan_release(plan);
    example_release(in, 2);
    example_release(&told, 1);
    example_close(&x);
    return time;
}

/* ---- The host --------------------------------------------------------------------------------------------------- */

static const char *string_at(const strings *s, cl_uint begin)
{
    return s->text + 8 * (size_t)begin;
}

static const strings *compared; /* by `compare`, which gets nothing else */

static int compare(const void *left, const void *right)
{
    const cl_uint a = *(const cl_uint *)left, b = *(const cl_uint *)right;
    const int order = strcmp(string_at(compared, a), string_at(compared, b));
    return order ? order : (a > b) - (a < b);
}

static cl_ulong count_distinct(const strings *s)
{
    const char *before = NULL;
    cl_ulong distinct = 0;
    for (cl_uint i = 0; i < s->count; ++i) {
        const char *const string = string_at(s, s->begin[i]);
        distinct += !before || strcmp(before, string) != 0;
        before = string;
    }
    return distinct;
}

static void write_lines(const char *path, const strings *s, const cl_uint *begin)
{
    FILE *const file = fopen(path, "w");
    check(file ? CLF_SUCCESS : CLF_E_ARGUMENT, path, NULL);
    for (cl_uint i = 0; i < s->count; ++i)
        fprintf(file, "%s\n", string_at(s, begin[i]));
    check(fclose(file) == 0 ? CLF_SUCCESS : CLF_E_ARGUMENT, path, NULL);
}

int main(int argc, char **argv)
{
    char **const lines = argc > 3 && strcmp(argv[1], "--lines") == 0 ? argv + 2 : NULL;
    argc -= lines ? 3 : 0;
    argv += lines ? 3 : 0;
    const unsigned long count = argc > 1 ? strtoul(argv[1], NULL, 10) : 0;
    FILE *file = NULL;
    int which = 2;
    while (which < argc && !(file = fopen(argv[which], "rb")))
        ++which;
    if (!file || count == 0 || count > 50000000) {
        fputs("usage: strings [--lines MADE SORTED] COUNT FILE...\n", stderr);
        return 2;
    }
    fclose(file);
    size_t bytes;
    char *text = example_file(argv[which], &bytes);
    strings s = make((cl_uint)count, text, bytes ? bytes : 1);
    cl_uint *sorted = malloc(count * sizeof *sorted);
    check(sorted ? CLF_SUCCESS : CLF_E_NO_MEMORY, "results", NULL);
    cl_ulong distinct;
    const double time = sort_strings(&s, sorted, &distinct);
    if (lines) {
        write_lines(lines[0], &s, s.begin);
        write_lines(lines[1], &s, sorted);
    }
    compared = &s;
    const double begin = example_time();
    qsort(s.begin, s.count, sizeof *s.begin, compare);
    const double host = example_time() - begin;
    const bool right = memcmp(sorted, s.begin, count * sizeof *sorted) == 0 && distinct == count_distinct(&s);
    printf("%lu strings of %s, %lu bytes, %lu of them distinct: clf_merge_sort %.1f ms, qsort %.1f ms: %s\n", count,
           argv[which], (unsigned long)(8 * s.words), (unsigned long)distinct, time / 1000, host / 1000,
           right ? "the same" : "WRONG");
    free(sorted);
    free(s.text);
    free(s.word);
    free(s.begin);
    free(s.head);
    free(text);
    return !right;
}

/* SPDX-License-Identifier: MIT */
/*
 * GROUP BY: of the words of a text, by their first letter, how many there are, how many letters they have together, and
 * how long the longest is:
 *
 *     SELECT letter, COUNT(*), SUM(length), MAX(length) FROM words GROUP BY letter
 *
 *     group_by FILE
 *
 * The device sorts the rows by their key, in place, and a reduction by key does the rest in one pass over the columns.
 * Then the letters with most words (ORDER BY COUNT(*) DESC LIMIT 3): a top-k of the groups, whose number only the
 * device knows. All is checked against loops on the host.
 */
#include "example.h"

#include <ctype.h>

enum { MOST = 1 << 20, LETTERS = 26, TOP = 3 };

/* Rows as they are sorted: the first field is the key. */
static const clf_operator rows = {.size = sizeof rows, .value = "uchar letter; ushort length;"};

/* One row is a letter and a length; a group has three columns beside its key. */
static const clf_operator by_letter = {
    .size = sizeof by_letter, .input = "uchar letter; ushort length;", .value = "uint count; ulong sum; ushort most;",
    .extra = "uchar letter;", .map = "of_row", .combine = "join", .neutral = "nothing", .same = "same_letter",
    .flags = CLF_COMMUTATIVE,
    .source = "clf_value of_row(clf_input x, ulong i, clf_extra *e)\n"
              "{\n"
              "    clf_value v = {1, x.length, x.length};\n"
              "    e->letter = x.letter;\n"
              "    return v;\n"
              "}\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {a.count + b.count, a.sum + b.sum, max(a.most, b.most)};\n"
              "    return v;\n"
              "}\n"
              "clf_value nothing(void) { clf_value v = {0, 0, 0}; return v; }\n"
              "bool same_letter(clf_input a, clf_input b) { return a.letter == b.letter; }\n"};

/* Groups by their count; the first field is the key. */
static const clf_operator by_count = {.size = sizeof by_count, .value = "uint count; uchar letter;"};

typedef struct columns {
    cl_uchar letter[MOST];
    cl_ushort length[MOST];
    size_t rows;
} columns;

typedef struct groups {
    cl_ulong count_of_groups;
    cl_uint count[LETTERS];
    cl_ulong sum[LETTERS];
    cl_ushort most[LETTERS];
    cl_uchar letter[LETTERS], top[TOP];
} groups;

/* Words are what letters there are in a row, of either case; those that are too many are left out. */
static void find_words(const char *text, size_t bytes, columns *words)
{
    int letter = 0;
    size_t length = 0;
    for (size_t i = 0; i <= bytes && words->rows < MOST; i++) { /* the 0 behind the text ends the last one */
        const unsigned char c = (unsigned char)text[i];
        if (c < 128 && isalpha(c)) {
            letter = length++ ? letter : tolower(c);
        } else if (length > 0) {
            words->letter[words->rows] = (cl_uchar)letter;
            words->length[words->rows++] = (cl_ushort)(length < 65535 ? length : 65535);
            length = 0;
        }
    }
}

/* There is room for all letters, and there cannot be more. */
static void run(const columns *words, groups *g)
{
    example x = example_open();
    clf_plan *sort, *sum, *top;
    check(clf_sort_plan(x.context, &rows, 0, NULL, &sort, &x.error), "clf_sort_plan", &x.error);
    check(clf_reduce_by_key_plan(x.context, &by_letter, 0, NULL, &sum, &x.error), "clf_reduce_by_key_plan", &x.error);
    check(clf_top_k_plan(x.context, &by_count, CLF_DESCENDING | CLF_FROM_DEVICE, NULL, &top, &x.error),
          "clf_top_k_plan", &x.error);

    const clf_array table[] = {example_array(&x, sizeof words->letter, words->letter),
                               example_array(&x, sizeof words->length, words->length)};
    const clf_array out[] = {example_array(&x, sizeof g->count, NULL), example_array(&x, sizeof g->sum, NULL),
                             example_array(&x, sizeof g->most, NULL), example_array(&x, sizeof g->letter, NULL)};
    const clf_array count = example_array(&x, sizeof g->count_of_groups, NULL);
    const clf_array first[] = {example_array(&x, TOP * sizeof(cl_uint), NULL),
                               example_array(&x, sizeof g->top, g->top)};
    const clf_call of_groups = {.size = sizeof of_groups, .queue = x.queue, .actual = count};
    check(clf_sort(sort, CLF_ON(x.queue), words->rows, table, table), "clf_sort", NULL);
    check(clf_reduce_by_key(sum, CLF_ON(x.queue), words->rows, LETTERS, table, out, &count), "clf_reduce_by_key", NULL);
    check(clf_top_k(top, &of_groups, LETTERS, TOP, (const clf_array[]){out[0], out[3]}, first), "clf_top_k", NULL);

    example_read(&x, count, sizeof g->count_of_groups, &g->count_of_groups);
    example_read(&x, out[0], sizeof g->count, g->count);
    example_read(&x, out[1], sizeof g->sum, g->sum);
    example_read(&x, out[2], sizeof g->most, g->most);
    example_read(&x, out[3], sizeof g->letter, g->letter);
    example_read(&x, first[1], sizeof g->top, g->top);
    example_release(table, 2);
    example_release(out, 4);
    example_release(&count, 1);
    example_release(first, 2);
    clf_plan_release(sort);
    clf_plan_release(sum);
    clf_plan_release(top);
    example_close(&x);
}

/* ---- The same by a loop ---- */

/* The most frequent letters, each taken out of the counts; of as frequent ones the first. */
static int count_top_errors(cl_uint count[LETTERS], const cl_uchar top[TOP])
{
    int errors = 0;
    for (int k = 0; k < TOP; k++) {
        int best = 0;
        for (int letter = 1; letter < LETTERS; letter++)
            best = count[letter] > count[best] ? letter : best;
        errors += count[best] > 0 && top[k] != 'a' + best;
        count[best] = 0;
    }
    return errors;
}

static int count_errors(const columns *words, const groups *g)
{
    groups expected = {0};
    int errors = 0;
    cl_ulong at = 0;
    for (size_t i = 0; i < words->rows; i++) {
        const int k = words->letter[i] - 'a';
        expected.count[k]++;
        expected.sum[k] += words->length[i];
        if (words->length[i] > expected.most[k])
            expected.most[k] = words->length[i];
    }
    for (int k = 0; k < LETTERS; k++) {
        if (expected.count[k] == 0)
            continue;
        errors += at >= g->count_of_groups || g->letter[at] != 'a' + k || g->count[at] != expected.count[k] ||
                  g->sum[at] != expected.sum[k] || g->most[at] != expected.most[k];
        at++;
    }
    return errors + (at != g->count_of_groups) + count_top_errors(expected.count, g->top);
}

int main(int argc, char **argv)
{
    static columns words;
    static groups got;
    size_t bytes;
    if (argc < 2) {
        fprintf(stderr, "group_by: of which file?\n");
        return 1;
    }
    char *text = example_file(argv[1], &bytes);
    find_words(text, bytes, &words);
    free(text);
    run(&words, &got);
    const int errors = count_errors(&words, &got);
    printf("letter    words  letters  longest\n");
    for (cl_ulong k = 0; k < got.count_of_groups && k < LETTERS; k++)
        printf("%c      %8lu %8lu %8u\n", got.letter[k], (unsigned long)got.count[k], (unsigned long)got.sum[k],
               (unsigned)got.most[k]);
    printf("%lu words in %lu groups, most of them with %.*s\n%d errors\n", (unsigned long)words.rows,
           (unsigned long)got.count_of_groups, (int)(got.count_of_groups < TOP ? got.count_of_groups : TOP),
           (const char *)got.top, errors);
    return errors != 0;
}

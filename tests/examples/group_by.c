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
 * Sizes and results are checked against a loop on the host.
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1 << 20, LETTERS = 26 };

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
    cl_uchar letter[LETTERS];
} groups;

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

/* ---- Rows ---- */

/* Words are what letters there are in a row, of either case; those that are too many are left out. */
static void read_words(const char *name, columns *words)
{
    FILE *file = fopen(name, "r");
    int letter = 0;
    size_t length = 0;
    if (!file) {
        perror(name);
        exit(1);
    }
    for (int c = 0; c != EOF && words->rows < MOST;) {
        c = fgetc(file);
        if (c != EOF && c < 128 && isalpha(c)) {
            letter = length++ ? letter : tolower(c);
        } else if (length > 0) {
            words->letter[words->rows] = (cl_uchar)letter;
            words->length[words->rows++] = (cl_ushort)(length < 65535 ? length : 65535);
            length = 0;
        }
    }
    fclose(file);
}

/* ---- The device ---- */

static clf_array array(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array result = {clCreateBuffer(cl, flags, bytes, data, &status), 0};
    check(status, NULL);
    return result;
}

static void fetch(cl_command_queue queue, clf_array from, size_t bytes, void *to)
{
    check(clEnqueueReadBuffer(queue, from.buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL), NULL);
    clReleaseMemObject(from.buffer);
}

/* On the first device of the first platform. There is room for all letters, and there cannot be more. */
static void run(columns *words, groups *g)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    clf_context *context;
    clf_plan *sort, *sum;
    clf_error error = {.size = sizeof error};
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    check(clf_sort_plan(context, &rows, 0, NULL, &sort, &error), &error);
    check(clf_reduce_by_key_plan(context, &by_letter, 0, NULL, &sum, &error), &error);

    const clf_array table[] = {array(cl, sizeof words->letter, words->letter),
                               array(cl, sizeof words->length, words->length)};
    const clf_array out[] = {array(cl, sizeof g->count, NULL), array(cl, sizeof g->sum, NULL),
                             array(cl, sizeof g->most, NULL), array(cl, sizeof g->letter, NULL)};
    const clf_array count = array(cl, sizeof g->count_of_groups, NULL);
    check(clf_sort(sort, CLF_ON(queue), words->rows, table, table), NULL);
    check(clf_reduce_by_key(sum, CLF_ON(queue), words->rows, LETTERS, table, out, &count), NULL);

    fetch(queue, count, sizeof g->count_of_groups, &g->count_of_groups);
    fetch(queue, out[0], sizeof g->count, g->count);
    fetch(queue, out[1], sizeof g->sum, g->sum);
    fetch(queue, out[2], sizeof g->most, g->most);
    fetch(queue, out[3], sizeof g->letter, g->letter);
    clReleaseMemObject(table[0].buffer);
    clReleaseMemObject(table[1].buffer);
    clf_plan_release(sort);
    clf_plan_release(sum);
    clf_context_release(context);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
}

/* ---- The same by a loop ---- */

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
    return errors + (at != g->count_of_groups);
}

int main(int argc, char **argv)
{
    static columns words;
    static groups got;
    if (argc < 2) {
        fprintf(stderr, "group_by: of which file?\n");
        return 1;
    }
    read_words(argv[1], &words);
    run(&words, &got);
    const int errors = count_errors(&words, &got);
    printf("letter    words  letters  longest\n");
    for (cl_ulong k = 0; k < got.count_of_groups && k < LETTERS; k++)
        printf("%c      %8lu %8lu %8u\n", got.letter[k], (unsigned long)got.count[k], (unsigned long)got.sum[k],
               (unsigned)got.most[k]);
    printf("%lu words in %lu groups\n%d errors\n", (unsigned long)words.rows, (unsigned long)got.count_of_groups,
           errors);
    return errors != 0;
}

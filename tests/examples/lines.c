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
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>

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

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

static void *allocate(size_t bytes)
{
    void *memory = malloc(bytes);
    if (!memory)
        check(CLF_E_NO_MEMORY, NULL);
    return memory;
}

static char *read_file(const char *name, size_t *size)
{
    FILE *file = fopen(name, "rb");
    size_t room = 1 << 16, more;
    char *text = allocate(room);
    if (!file) {
        perror(name);
        exit(1);
    }
    for (*size = 0; (more = fread(text + *size, 1, room - *size, file)) != 0;) {
        *size += more;
        if (*size == room && !(text = realloc(text, room *= 2)))
            check(CLF_E_NO_MEMORY, NULL);
    }
    fclose(file);
    return text;
}

/* ---- The device -------------------------------------------------------------------------------------------- */

typedef struct results {
    cl_ulong lines;
    cl_uint longest, blank;
    cl_uint *start; /* of each line, with room for as many as there are characters */
    char *first;    /* and its first character, which of a blank one is '\n' */
} results;

static clf_array array(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array result = {clCreateBuffer(cl, flags, bytes, data, &status), 0};
    check(status, NULL);
    return result;
}

static void read_and_release(cl_command_queue queue, clf_array from, size_t bytes, void *to)
{
    if (bytes)
        check(clEnqueueReadBuffer(queue, from.buffer, CL_TRUE, 0, bytes, to, 0, NULL, NULL), NULL);
    clReleaseMemObject(from.buffer);
}

/* Everything that a user of clfold writes. */
static void run(cl_context cl, cl_device_id device, cl_command_queue queue, char *text, size_t n, results *r)
{
    clf_context *context;
    clf_plan *filter, *difference, *reduce, *scan, *gather;
    clf_error error = {.size = sizeof error};
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    check(clf_filter_plan(context, &ends, 0, NULL, &filter, &error), &error);
    check(clf_adjacent_difference_plan(context, &lengths, CLF_FROM_DEVICE, NULL, &difference, &error), &error);
    check(clf_reduce_plan(context, &longest_and_blank, CLF_FROM_DEVICE, NULL, &reduce, &error), &error);
    check(clf_scan_plan(context, clf_builtin(CLF_SUM, CLF_UINT), CLF_EXCLUSIVE | CLF_FROM_DEVICE, NULL, &scan, &error),
          &error);
    check(clf_gather_plan(context, "char c;", CLF_UINT, CLF_FROM_DEVICE, NULL, &gather, &error), &error);

    const clf_array in = array(cl, n, text), end = array(cl, n * sizeof(cl_uint), NULL),
                    length = array(cl, n * sizeof(cl_uint), NULL), start = array(cl, n * sizeof(cl_uint), NULL),
                    first = array(cl, n, NULL), lines = array(cl, sizeof(cl_ulong), NULL);
    const clf_array most[] = {array(cl, sizeof(cl_uint), NULL), array(cl, sizeof(cl_uint), NULL)};

    const clf_call of_lines = {.size = sizeof of_lines, .queue = queue, .actual = lines};
    check(clf_filter(filter, CLF_ON(queue), n, n, &in, &end, &lines), NULL);
    check(clf_adjacent_difference(difference, &of_lines, n, &end, &length), NULL);
    check(clf_reduce(reduce, &of_lines, n, &length, most), NULL);
    check(clf_scan(scan, &of_lines, n, &length, &start), NULL);
    check(clf_gather(gather, &of_lines, n, n, &in, &start, &first), NULL);

    read_and_release(queue, lines, sizeof r->lines, &r->lines);
    read_and_release(queue, most[0], sizeof r->longest, &r->longest);
    read_and_release(queue, most[1], sizeof r->blank, &r->blank);
    read_and_release(queue, start, (size_t)r->lines * sizeof(cl_uint), r->start);
    read_and_release(queue, first, (size_t)r->lines, r->first);
    const clf_array others[] = {in, end, length};
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        clReleaseMemObject(others[i].buffer);
    clf_plan *const plans[] = {filter, difference, reduce, scan, gather};
    for (size_t i = 0; i < sizeof plans / sizeof plans[0]; i++)
        clf_plan_release(plans[i]);
    clf_context_release(context);
}

/* On the first device of the first platform. */
static void run_anywhere(char *text, size_t n, results *r)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    cl_command_queue queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    run(cl, device, queue, text, n, r);
    clReleaseCommandQueue(queue);
    clReleaseContext(cl);
}

/* ---- The host ---------------------------------------------------------------------------------------------- */

static int count_errors(const char *text, size_t n, const results *r)
{
    cl_ulong lines = 0, longest = 0, blank = 0;
    size_t start = 0;
    int errors = 0;
    for (size_t i = 0; i < n; i++) {
        if (text[i] != '\n')
            continue;
        errors += lines < r->lines && (r->start[lines] != start || r->first[lines] != text[start]);
        longest = i - start > longest ? i - start : longest;
        blank += i == start;
        start = i + 1;
        lines++;
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
    char *text = read_file(argv[1], &n);
    results r = {.start = allocate((n + 1) * sizeof *r.start), .first = allocate(n + 1)};
    if (n == 0) {
        fputs("lines: the file is empty\n", stderr);
        return 2;
    }
    run_anywhere(text, n, &r);
    const int errors = count_errors(text, n, &r);
    printf("%lu characters, %lu lines, %lu of them blank, the longest of %lu characters\n%d errors\n",
           (unsigned long)n, (unsigned long)r.lines, (unsigned long)r.blank, (unsigned long)r.longest, errors);
    free(text);
    free(r.start);
    free(r.first);
    return errors != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Statistics over real data: the running total and the running maximum of the sizes of files, both in one scan.
 *
 *     file_sizes DIRECTORY            walks the directory
 *     find /usr -type f -printf '%s %p\n' | file_sizes
 *                                     reads lines "size name"
 *
 * Shows how an operator on a tuple is written: the input is one number per file, a map makes it a pair of
 * total and largest, and combine joins the pairs of neighbouring ranges. Checked against a loop on the host.
 */
#if !defined(_WIN32) && !defined(_XOPEN_SOURCE)
#define _XOPEN_SOURCE 700 /* opendir, lstat */
#endif
#include "example.h"

#include <stdbool.h>
#include <string.h>
#ifndef _WIN32
#include <dirent.h>
#include <sys/stat.h>
#endif

static const clf_operator total_and_largest = {
    .size = sizeof(clf_operator), .input = "ulong size;", .value = "ulong total; ulong largest;",
    .source = "clf_value of_file(clf_input file, ulong i) { clf_value v = {file.size, file.size}; return v; }\n"
              "clf_value of_nothing(void) { clf_value v = {0, 0}; return v; }\n"
              "clf_value join(clf_value a, clf_value b)\n"
              "{\n"
              "    clf_value v = {a.total + b.total, max(a.largest, b.largest)};\n"
              "    return v;\n"
              "}\n",
    .combine = "join", .neutral = "of_nothing", .map = "of_file", .flags = CLF_COMMUTATIVE,
};

/* ---- the data ---- */

typedef struct sizes {
    cl_ulong *data;
    size_t count, capacity;
} sizes;

static void add_size(sizes *list, cl_ulong size)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? list->capacity * 2 : 1024;
        list->data = realloc(list->data, list->capacity * sizeof *list->data);
        check(list->data ? CLF_SUCCESS : CLF_E_NO_MEMORY, "sizes", NULL);
    }
    list->data[list->count++] = size;
}

static void read_lines(sizes *list)
{
    char line[8192];
    bool at_start = true;
    while (fgets(line, sizeof line, stdin)) {
        char *end;
        cl_ulong size = strtoull(line, &end, 10);
        if (at_start && end != line)
            add_size(list, size);
        at_start = strchr(line, '\n') != NULL;
    }
}

/* Regular files below `path`; links are not followed. */
static void walk(sizes *list, const char *path)
{
#ifdef _WIN32
    (void)list;
    fprintf(stderr, "file_sizes: %s: walking directories needs a POSIX system: pipe the sizes in\n", path);
#else
    DIR *directory = opendir(path);
    struct dirent *entry;
    while (directory && (entry = readdir(directory))) {
        char name[4096];
        struct stat about;
        if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, "..") ||
            snprintf(name, sizeof name, "%s/%s", path, entry->d_name) >= (int)sizeof name || lstat(name, &about) != 0)
            continue;
        if (S_ISDIR(about.st_mode))
            walk(list, name);
        else if (S_ISREG(about.st_mode))
            add_size(list, (cl_ulong)about.st_size);
    }
    if (directory)
        closedir(directory);
#endif
}

/* ---- the device ---- */

/* Milliseconds of one scan; the first one is not counted, for some drivers finish compiling then. */
static double time_scan(clf_plan *plan, const clf_call *call, size_t n, const clf_array *in, const clf_array *out)
{
    double from = 0;
    for (int i = 0; i < 2; ++i) {
        from = example_time();
        check(clf_scan(plan, call, n, in, out), "clf_scan", NULL);
        check(clFinish(call->queue), "clFinish", NULL);
    }
    return (example_time() - from) / 1000;
}

static double scan_sizes(example *x, const sizes *list, cl_ulong *total, cl_ulong *largest)
{
    const size_t bytes = list->count * sizeof *list->data;
    clf_plan *plan;
    check(clf_scan_plan(x->context, &total_and_largest, 0, NULL, &plan, &x->error), "clf_scan_plan", &x->error);
    const clf_array in = example_array(x, bytes, list->data);
    const clf_array out[] = {example_array(x, bytes, NULL), example_array(x, bytes, NULL)};
    const double ms = time_scan(plan, CLF_ON_ARRAYS(x->queue, in, out), list->count, &in, out);
    example_read(x, out[0], bytes, total);
    example_read(x, out[1], bytes, largest);

    example_release((const clf_array[]){in, out[0], out[1]}, 3);
    clf_plan_release(plan);
    return ms;
}

/* ---- the result ---- */

static void print_deciles(const sizes *list, const cl_ulong *total, const cl_ulong *largest)
{
    printf("%12s %20s %16s %8s\n", "files", "running total", "largest so far", "share");
    for (size_t tenth = 1; tenth <= 10; ++tenth) {
        size_t last = (list->count * tenth + 9) / 10 - 1;
        printf("%12llu %20llu %16llu %7.1f%%\n", (unsigned long long)last + 1, (unsigned long long)total[last],
               (unsigned long long)largest[last],
               100.0 * (double)total[last] / ((double)total[list->count - 1] + 1e-9));
    }
}

static bool is_right(const sizes *list, const cl_ulong *total, const cl_ulong *largest)
{
    cl_ulong sum = 0, most = 0;
    for (size_t i = 0; i < list->count; ++i) {
        sum += list->data[i];
        most = list->data[i] > most ? list->data[i] : most;
        if (total[i] != sum || largest[i] != most) {
            printf("WRONG at file %llu\n", (unsigned long long)i);
            return false;
        }
    }
    return true;
}

static bool run(const sizes *list)
{
    char name[128] = "";
    example x = example_open();
    cl_ulong *total = malloc(list->count * sizeof *total), *largest = malloc(list->count * sizeof *largest);
    check(total && largest ? CLF_SUCCESS : CLF_E_NO_MEMORY, "results", NULL);

    const double ms = scan_sizes(&x, list, total, largest);
    const bool right = is_right(list, total, largest);
    clGetDeviceInfo(x.device, CL_DEVICE_NAME, sizeof name, name, NULL);
    print_deciles(list, total, largest);
    printf("%s: %llu files in one scan, %.3f ms, %s\n", name, (unsigned long long)list->count, ms,
           right ? "the same as a loop on the host" : "WRONG");
    free(total);
    free(largest);
    example_close(&x);
    return right;
}

int main(int argc, char **argv)
{
    sizes list = {0};
    if (argc > 1)
        walk(&list, argv[1]);
    else
        read_lines(&list);
    if (list.count == 0) {
        fprintf(stderr, "file_sizes: %s: no files\n", argc > 1 ? argv[1] : "standard input");
        return 1;
    }
    bool right = run(&list);
    free(list.data);
    return right ? 0 : 1;
}

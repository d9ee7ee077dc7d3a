/* SPDX-License-Identifier: MIT */
/*
 * clfold-info: the devices, what each was probed to be able to do, and which variant with which parameters
 * clfold would use for each type class and size: of scans, and of reductions over splits into segments. The text to put
 * into a bug report.
 */
#include "info_check.h"

#include <stdlib.h>
#include <string.h>

static const char usage[] =
    "usage: clfold-info [--devices] [--device N|TEXT] [--probe] [--tuning] [--check FILE] [--parameters]\n"
    "                   [--version]\n"
    "  --devices     only the list of devices: number, platform, name, separated by tabs\n"
    "  --device      only this device\n"
    "  --probe       only what was probed: compiles no plans\n"
    "  --tuning      also where the parameters of plans come from: profiles, by file and line, or defaults\n"
    "  --check       instead of that: does the operator in this file obey the laws? (man clfold-info has the format;\n"
    "                lines \"array NAME = NUMBERS\" say what captured arrays hold)\n"
    "  --parameters  instead of devices: the parameters that plan options and profiles can set, as a Markdown table\n"
    "  --version     of the library\n";

typedef struct info_options {
    const char *device, *check;
    bool devices, probe, tuning;
} info_options;

static const struct class_example {
    const char *name;
    clf_type type;
} classes[] = {
    {"1 byte (i8)", CLF_CHAR},
    {"2 bytes (i16)", CLF_SHORT},
    {"4 bytes (i32)", CLF_INT},
    {"8 bytes (i64)", CLF_LONG},
};

/* A line of clf_parameters_describe: a row. */
static void print_parameter(char *line)
{
    enum { NAME, READER, LEAST, MOST, OTHERWISE, TAKERS, MEANING, COLUMNS };
    const char *column[COLUMNS];
    for (int c = 0; c < COLUMNS; ++c) {
        column[c] = line;
        line += strcspn(line, "\t");
        if (*line)
            *line++ = '\0';
    }
    const bool bounded = strcmp(column[MOST], "4294967295") != 0; /* by more than the type */
    printf("| `%s` | %s | %s%s%s | %s | %s | %s |\n", column[NAME], column[READER], column[LEAST],
           bounded ? " to " : " or more", bounded ? column[MOST] : "", column[OTHERWISE], column[TAKERS],
           column[MEANING]);
}

static void print_parameters(void)
{
    size_t bytes;
    bench_check(clf_parameters_describe(NULL, 0, &bytes), "clf_parameters_describe");
    char *text = bench_alloc(bytes);
    bench_check(clf_parameters_describe(text, bytes, NULL), "clf_parameters_describe");
    puts("| parameter | read by | range | default | taken by | meaning |\n|---|---|---|---|---|---|");
    for (char *line = text, *next; *line; line = next) {
        const size_t length = strcspn(line, "\n");
        next = line + length + (line[length] == '\n');
        line[length] = '\0';
        print_parameter(line);
    }
    free(text);
}

static void parse(int argc, char **argv, info_options *options)
{
    bool help = false, version = false, parameters = false;
    const bench_option list[] = {
        {"--devices", BENCH_FLAG, .to = &options->devices},
        {"--device", BENCH_TEXT, .to = &options->device, .missing = "a number or a part of a name is missing"},
        {"--probe", BENCH_FLAG, .to = &options->probe}, {"--tuning", BENCH_FLAG, .to = &options->tuning},
        {"--check", BENCH_TEXT, .to = &options->check, .missing = "a file is missing"},
        {"--parameters", BENCH_FLAG, .to = &parameters}, {"--version", BENCH_FLAG, .to = &version},
        {"--help", BENCH_FLAG, .to = &help}, {"-h", BENCH_FLAG, .to = &help}, {.name = NULL}};
    for (int i = 1; i < argc;)
        i += bench_take_option(list, argv + i);
    if (help)
        fputs(usage, stdout);
    else if (version)
        bench_print_version("clfold-info");
    else if (parameters)
        print_parameters();
    else
        return;
    exit(0);
}

static void print_indented(const char *text, const char *indent)
{
    while (*text) {
        size_t length = strcspn(text, "\n");
        printf("%s%.*s\n", indent, (int)length, text);
        text += length + (text[length] == '\n');
    }
}

/* What each role was tuned to, and by whom. */
static void print_tuning(const clf_plan *plan, const info_options *options)
{
    size_t bytes;
    if (!options->tuning)
        return;
    bench_check(clf_plan_describe_tuning(plan, NULL, 0, &bytes), "clf_plan_describe_tuning");
    char *text = bench_alloc(bytes);
    bench_check(clf_plan_describe_tuning(plan, text, bytes, NULL), "clf_plan_describe_tuning");
    puts("    tuning");
    for (char *line = text; *line; line += strcspn(line, "\n") + 1) {
        char role[32], what[32], value[32], from[128];
        if (sscanf(line, "%31[^\t]\t%31[^\t]\t%31[^\t]\t%127[^\n]", role, what, value, from) == 4)
            printf("        %-9s %-12s %-10s %s\n", role, what, value, from);
    }
    free(text);
}

/* One line per size that is handled in another way than the size before. */
static void print_choices(const clf_plan *plan)
{
    static const int powers[] = {10, 14, 18, 22, 26, 30};
    char last[64] = "";
    for (size_t i = 0; i < sizeof powers / sizeof powers[0]; ++i) {
        char variant[64] = "?", *text = bench_describe_plan(plan, (cl_ulong)1 << powers[i]);
        bench_described(text, "variant", variant, sizeof variant);
        if (strcmp(variant, last) != 0) {
            printf("    n = 2^%d%s\n", powers[i], i ? " and more" : "");
            print_indented(text, "        ");
        }
        snprintf(last, sizeof last, "%s", variant);
        free(text);
    }
}

typedef const char *choice(const clf_plan *plan, cl_ulong count, cl_ulong size);

/* "2^0..2^10 small, 2^11..2^20 large": what splits of 2^power elements are given to, by segment size. */
static void print_splits(const clf_plan *plan, int power, choice *variant_of)
{
    int first = 0;
    printf("    2^%d elements in rows of ", power);
    for (int k = 0; k <= power; ++k) {
        const char *variant = variant_of(plan, (cl_ulong)1 << (power - k), (cl_ulong)1 << k);
        const char *next = k < power ? variant_of(plan, (cl_ulong)1 << (power - k - 1), (cl_ulong)2 << k) : "";
        if (strcmp(variant, next) == 0)
            continue;
        printf("2^%d", first);
        if (first < k)
            printf("..2^%d", k);
        printf(" %s%s", variant, k < power ? ", " : "\n");
        first = k + 1;
    }
}

static void print_reductions(clf_context *context, const struct class_example *example, const info_options *options)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan;
    printf("\n  reduce, segmented_reduce, %s\n", example->name);
    if (clf_reduce_plan(context, clf_builtin(CLF_SUM, example->type), 0, NULL, &plan, &error) != CLF_SUCCESS) {
        printf("    none: %s\n", error.message);
        return;
    }
    print_splits(plan, 20, clf_reduce_variant);
    print_splits(plan, 26, clf_reduce_variant);
    char *text = bench_describe_plan(plan, 1 << 20);
    print_indented(text, "        ");
    free(text);
    print_tuning(plan, options);
    clf_plan_release(plan);
}

static const char *choose_matrix(const clf_plan *plan, cl_ulong rows, cl_ulong columns)
{
    return clf_transpose_variant(plan, 1, rows, columns);
}

static void print_transpositions(clf_context *context, const struct class_example *example, const info_options *options)
{
    clf_plan *plan;
    printf("\n  transpose, %s\n", example->name);
    if (clf_transpose_plan(context, clf_type_size(example->type), NULL, &plan, NULL) != CLF_SUCCESS)
        return;
    print_splits(plan, 26, choose_matrix);
    printf("    many matrices of 8 x 8: %s\n", clf_transpose_variant(plan, 1 << 20, 8, 8));
    char *text = bench_describe_plan(plan, 1 << 20);
    print_indented(text, "        ");
    free(text);
    print_tuning(plan, options);
    clf_plan_release(plan);
}

static void print_plans(clf_context *context, const info_options *options)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i) {
        clf_error error = {.size = sizeof error};
        clf_plan *plan;
        printf("\n  scan, %s\n", classes[i].name);
        if (clf_scan_plan(context, clf_builtin(CLF_SUM, classes[i].type), 0, NULL, &plan, &error) != CLF_SUCCESS) {
            printf("    none: %s\n", error.message);
            continue;
        }
        print_choices(plan);
        print_tuning(plan, options);
        clf_plan_release(plan);
    }
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
        print_reductions(context, &classes[i], options);
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
        print_transpositions(context, &classes[i], options);
}

static void print_device(const bench_device *device, const info_options *options)
{
    clf_error error = {.size = sizeof error};
    clf_context *context;
    cl_context cl = bench_context(device);
    printf("%s (%s, driver %s)\n", device->name, device->platform_name, device->driver);
    if (clf_context_create(cl, device->id, NULL, &context, &error) == CLF_SUCCESS) {
        char *text = bench_describe_context(context);
        print_indented(text, "  ");
        free(text);
        if (!options->probe)
            print_plans(context, options);
        clf_context_release(context);
    } else {
        printf("  unusable: %s\n%s", error.message, error.log);
    }
    putchar('\n');
    clReleaseContext(cl);
}

static void print_all(const info_options *options)
{
    bench_device *list;
    unsigned count = bench_devices(&list);
    for (unsigned i = 0; i < count; ++i) {
        if (options->devices)
            printf("%u\t%s\t%s\n", i, list[i].platform_name, list[i].name);
        else
            print_device(&list[i], options);
    }
    free(list);
    if (count == 0)
        bench_die("no OpenCL device found; on a machine without one, install pocl-opencl-icd");
}

int main(int argc, char **argv)
{
    info_options options = {0};
    parse(argc, argv, &options);
    if (options.check)
        return info_check(options.check, options.device) ? 0 : 1;
    if (!options.devices) {
        bench_print_version("clfold");
        putchar('\n');
    }
    if (options.device) {
        bench_device device = bench_pick_device(options.device);
        print_device(&device, &options);
    } else {
        print_all(&options);
    }
    return 0;
}

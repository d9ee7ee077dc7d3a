/* SPDX-License-Identifier: MIT */
/*
 * The command line of clfold-bench. Lists are separated by commas; sizes know powers (2^20, 10^6, 1e6), a small
 * offset (2^20+1) and ranges (2^12..2^28, every power; 2^12..2^28:4, every fourth). A sweep is a product of
 * parameter values and becomes a list of defines.
 */
#include "bench.h"

#include <stdlib.h>
#include <string.h>

static const char usage_head[] =
    "usage: clfold-bench [primitive ...] [options]\n"
    "  --device N|TEXT      by number (clfold-info --devices) or a part of its name\n";
static const char usage_tail[] =
    "                       or all; for transpose also b1 ... b16: any elements of so many bytes\n"
    "  --n LIST             2^20,10^6,1e6,1_000_000,2^20+1,2^12..2^28,2^12..2^28:4\n"
    "  --segments CxS,...   segments x size, for segmented primitives, or rows x columns; else every\n"
    "                       split of each --n into powers of two. BxCxS: a batch of B such matrices\n"
    "  --bins LIST          of histograms: 256,2^12,2^1..2^24:2\n"
    "  --near               splits into powers of two +-1 and primes, too\n"
    "  --variant LIST       these variants; auto: the one that clfold chooses; all: auto and every other\n"
    "  --define K=V[,K=V]   tuning parameters\n"
    "  --sweep K=V:V,K=V:V  every combination of parameter values; impossible ones are skipped\n"
    "  --reps N             batches to take the median of; 0: rows are verified, not timed\n"
    "  --peer LIST          other libraries built in, or all; numpy, pyopencl; textbooks' scans. One that\n"
    "                       is named and has no row makes the exit status 1\n"
    "  --cold               what a first call costs: driver, context, plan, call; caches cold and warm\n"
    "  --json FILE          append one JSON object per row (- is stdout)\n"
    "  --list               primitives, operators, types, peers; variants on the device\n"
    "  --version            of the library\n"
    "Every row is checked against a sequential reference before it is timed; a wrong one prints WRONG and\n"
    "makes the exit status 1.\n"
    "\nColumns of the table:\n"
    "  n          elements; 2^10x2^16: segments x their size; 2^26 in 256: elements in bins\n"
    "  variant    the kernels that ran; (NAME): another library\n"
    "  define     tuning parameters that were given\n"
    "  k          kernels and fills that a call launched\n"
    "  us         microseconds of a call, calls back to back: the median over batches; us_min: the least\n"
    "  us_event   microseconds by the device's own clock, without launches: the least\n"
    "  GB/s       bytes that have to be read and written, divided by us\n"
    "  moved      bytes that the kernels read and write, divided by those; 1.00 is the least\n"
    "  copy_us    a copy of as many bytes by the driver; kernel_us: by a kernel\n"
    "  of_copy    copy_us / us: 1.00 is as fast as the copy\n"
    "  read_us    reading as many bytes, beside what writes next to nothing; of_read: read_us / us\n";

enum { USAGE_INDENT = 23, USAGE_WIDTH = 100 };

/* Prints a word in lines of no more than USAGE_WIDTH columns; returns the column behind it. */
static int print_wrapped(int column, const char *word)
{
    const int length = (int)strlen(word) + 1;
    if (column + length > USAGE_WIDTH)
        column = printf("\n%*s", USAGE_INDENT - 1, "") - 1;
    printf(" %s", word);
    return column + length;
}

void bench_print_usage(void)
{
    fputs(usage_head, stdout);
    int column = printf("%-*s", USAGE_INDENT - 1, "  --op LIST");
    for (int op = 0; op < CLF_OP_COUNT; op++)
        column = print_wrapped(column, clf_op_name((clf_op)op));
    column = print_wrapped(print_wrapped(column, "on"), "tuples");
    for (unsigned i = 0; bench_user_operator_name(i); i++)
        column = print_wrapped(column, bench_user_operator_name(i));
    column = print_wrapped(print_wrapped(column, "by"), "bin");
    for (unsigned i = 0; bench_bin_ops[i]; i++)
        column = print_wrapped(column, bench_bin_ops[i]);
    print_wrapped(print_wrapped(column, "or"), "all");
    column = printf("\n%-*s", USAGE_INDENT - 1, "  --type LIST") - 1;
    for (unsigned i = 0; bench_type_names[i]; i++)
        column = print_wrapped(column, bench_type_names[i]);
    putchar('\n');
    fputs(usage_tail, stdout);
}

static void add_word(bench_words *words, const char *text, size_t length)
{
    char **grown = realloc(words->word, (words->count + 1) * sizeof *grown);
    if (!grown)
        bench_die("out of memory");
    words->word = grown;
    words->word[words->count++] = bench_copy_text(text, length);
}

static void add_list(bench_words *words, const char *text, char separator)
{
    const char separators[2] = {separator, '\0'};
    for (;;) {
        size_t length = strcspn(text, separators);
        if (length)
            add_word(words, text, length);
        if (!text[length])
            return;
        text += length + 1;
    }
}

static void free_words(bench_words *words)
{
    for (unsigned i = 0; i < words->count; i++)
        free(words->word[i]);
    free(words->word);
    *words = (bench_words){0};
}

/* Replaces every define by one for each of the values in "key=v:v:v" added to it. */
static void multiply_defines(bench_words *defines, const char *axis)
{
    const char *equals = strchr(axis, '=');
    bench_words values = {0}, product = {0};
    if (!equals)
        bench_die("--sweep: expected name=value:value, found \"%s\"", axis);
    add_list(&values, equals + 1, ':');
    for (unsigned i = 0; i < defines->count; i++) {
        for (unsigned j = 0; j < values.count; j++) {
            char text[512];
            const char *old = defines->word[i];
            int length = snprintf(text, sizeof text, "%s%s%.*s=%s", old, *old ? "," : "", (int)(equals - axis), axis,
                                  values.word[j]);
            if (length < 0 || (size_t)length >= sizeof text)
                bench_die("--sweep: too long");
            add_word(&product, text, (size_t)length);
        }
    }
    free_words(&values);
    free_words(defines);
    *defines = product;
}

static void sweep_defines(bench_options *options, const char *sweep)
{
    bench_words axes = {0};
    if (options->defines.count == 0)
        add_word(&options->defines, "", 0);
    if (sweep)
        add_list(&axes, sweep, ',');
    for (unsigned i = 0; i < axes.count; i++)
        multiply_defines(&options->defines, axes.word[i]);
    free_words(&axes);
}

static unsigned parse_count(const char *text)
{
    const char *at = text;
    const cl_ulong value = bench_parse_size(&at, "--reps", &(cl_ulong){0});
    if (*at || value > 1000000)
        bench_die("--reps %s: expected a number up to 1e6", text);
    return (unsigned)value;
}

/* Options without a value; false if `name` is none of them. */
static bool take_switch(bench_options *options, const char *name)
{
    bool *flag = !strcmp(name, "--list") ? &options->list
               : !strcmp(name, "--near") ? &options->near
               : !strcmp(name, "--cold") ? &options->cold
               : !strcmp(name, "--version") ? &options->version
               : !strcmp(name, "--help") || !strcmp(name, "-h") ? &options->help
               : NULL;
    if (flag)
        *flag = true;
    return flag != NULL;
}

static void check_has_value(const char *name, const char *value)
{
    static const char *const names[] = {"--device", "--op", "--type", "--n", "--variant", "--define",
                                        "--sweep", "--reps", "--peer", "--json", "--segments", "--bins"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        if (strcmp(name, names[i]) != 0)
            continue;
        if (!value)
            bench_die("%s: its value is missing; --help explains", name);
        return;
    }
    bench_die("unknown option %s; --help explains", name);
}

static void take_option(bench_options *options, const char *name, const char *value, const char **sweep)
{
    check_has_value(name, value);
    if (!strcmp(name, "--device"))
        options->device = value;
    else if (!strcmp(name, "--op"))
        add_list(&options->ops, value, ',');
    else if (!strcmp(name, "--type"))
        add_list(&options->types, value, ',');
    else if (!strcmp(name, "--n"))
        bench_parse_sizes(&options->sizes, name, value);
    else if (!strcmp(name, "--bins"))
        bench_parse_sizes(&options->bins, name, value);
    else if (!strcmp(name, "--variant"))
        add_list(&options->variants, value, ',');
    else if (!strcmp(name, "--define"))
        add_word(&options->defines, value, strlen(value));
    else if (!strcmp(name, "--sweep"))
        *sweep = value;
    else if (!strcmp(name, "--reps"))
        options->reps = parse_count(value), options->reps_given = true;
    else if (!strcmp(name, "--peer"))
        add_list(&options->peers, value, ',');
    else if (!strcmp(name, "--json"))
        options->json = value;
    else
        bench_parse_shapes(options, value);
}

/* "--op=sum" or "--op sum"; returns how many arguments it took. */
static int take_argument(bench_options *options, char **argument, const char **sweep)
{
    const char *text = argument[0], *equals = strchr(text, '=');
    if (text[0] != '-') {
        add_list(&options->primitives, text, ',');
        return 1;
    }
    if (take_switch(options, text))
        return 1;
    if (!equals) {
        take_option(options, text, argument[1], sweep);
        return 2;
    }
    char *name = bench_copy_text(text, (size_t)(equals - text));
    take_option(options, name, equals + 1, sweep);
    free(name);
    return 1;
}

bool bench_is_all(const bench_words *words)
{
    return words->count == 1 && strcmp(words->word[0], "all") == 0;
}

/* The word for "as clfold chooses" is the empty one from here on. */
static void blank_auto(bench_words *variants)
{
    for (unsigned i = 0; i < variants->count; i++)
        if (strcmp(variants->word[i], "auto") == 0)
            variants->word[i][0] = '\0';
}

void bench_set_variants(bench_words *variants, const char *list)
{
    free_words(variants);
    add_list(variants, list, ' ');
    blank_auto(variants);
}

static void expand_ops(bench_words *ops)
{
    if (!bench_is_all(ops))
        return;
    free_words(ops);
    for (int op = 0; op < CLF_OP_COUNT; op++)
        add_word(ops, clf_op_name((clf_op)op), strlen(clf_op_name((clf_op)op)));
    for (unsigned i = 0; bench_user_operator_name(i); i++)
        add_word(ops, bench_user_operator_name(i), strlen(bench_user_operator_name(i)));
    for (unsigned i = 0; i < BENCH_OWN_BIN_OPS; i++)
        add_word(ops, bench_bin_ops[i], strlen(bench_bin_ops[i]));
}

static void expand_types(bench_words *types)
{
    if (!bench_is_all(types))
        return;
    free_words(types);
    for (const char *const *name = bench_type_names; *name; name++)
        add_word(types, *name, strlen(*name));
}

void bench_parse_options(int argc, char **argv, bench_options *options)
{
    const char *sweep = NULL;
    *options = (bench_options){0};
    for (int i = 1; i < argc;)
        i += take_argument(options, argv + i, &sweep);
    if (options->primitives.count == 0)
        add_word(&options->primitives, "scan", 4);
    options->ops_given = options->ops.count != 0;
    if (!options->ops_given)
        add_word(&options->ops, "sum", 3);
    if (options->types.count == 0)
        add_word(&options->types, "i32", 3);
    expand_ops(&options->ops);
    expand_types(&options->types);
    if (options->variants.count == 0)
        add_word(&options->variants, "", 0);
    blank_auto(&options->variants);
    sweep_defines(options, sweep);
}

void bench_free_options(bench_options *options)
{
    free_words(&options->primitives);
    free_words(&options->ops);
    free_words(&options->types);
    free_words(&options->variants);
    free_words(&options->defines);
    free_words(&options->peers);
    free(options->sizes.size);
    free(options->bins.size);
    free(options->shapes);
}

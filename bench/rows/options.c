/* SPDX-License-Identifier: MIT */
/*
 * The command line of clfold-bench. Lists are separated by commas; sizes know powers (2^20, 10^6, 1e6), a small
 * offset (2^20+1) and ranges (2^12..2^28, every power; 2^12..2^28:4, every fourth). A sweep is a product of
 * parameter values and becomes a list of defines.
 */
#include "rows/rows.h"

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
    "  --turns N            a size's variants and defines are timed N times in turns; the least times are kept\n"
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
    for (int op = 0; op < CLF_OP_COUNT; ++op)
        column = print_wrapped(column, clf_op_name((clf_op)op));
    column = print_wrapped(print_wrapped(column, "on"), "tuples");
    for (unsigned i = 0; bench_user_operator_name(i); ++i)
        column = print_wrapped(column, bench_user_operator_name(i));
    column = print_wrapped(print_wrapped(column, "by"), "bin");
    for (unsigned i = 0; bench_bin_ops[i]; ++i)
        column = print_wrapped(column, bench_bin_ops[i]);
    print_wrapped(print_wrapped(column, "or"), "all");
    column = printf("\n%-*s", USAGE_INDENT - 1, "  --type LIST") - 1;
    for (unsigned i = 0; bench_type_names[i]; ++i)
        column = print_wrapped(column, bench_type_names[i]);
    putchar('\n');
    fputs(usage_tail, stdout);
}

/* Replaces every define by one for each of the values in "key=v:v:v" added to it. */
static void multiply_defines(bench_words *defines, const char *axis)
{
    const char *equals = strchr(axis, '=');
    bench_words values = {0}, product = {0};
    if (!equals)
        bench_die("--sweep: expected name=value:value, found \"%s\"", axis);
    bench_add_words(&values, equals + 1, ':');
    for (unsigned i = 0; i < defines->count; ++i) {
        for (unsigned j = 0; j < values.count; ++j) {
            char text[512];
            const char *old = defines->word[i];
            int length = snprintf(text, sizeof text, "%s%s%.*s=%s", old, *old ? "," : "", (int)(equals - axis), axis,
                                  values.word[j]);
            if (length < 0 || (size_t)length >= sizeof text)
                bench_die("--sweep: too long");
            bench_add_word(&product, text, (size_t)length);
        }
    }
    bench_free_words(&values);
    bench_free_words(defines);
    *defines = product;
}

static void sweep_defines(bench_options *options, const char *sweep)
{
    bench_words axes = {0};
    if (options->defines.count == 0)
        bench_add_word(&options->defines, "", 0);
    if (sweep)
        bench_add_words(&axes, sweep, ',');
    for (unsigned i = 0; i < axes.count; ++i)
        multiply_defines(&options->defines, axes.word[i]);
    bench_free_words(&axes);
}

static unsigned take_number(const char *name, const char *text)
{
    const char *at = text;
    const cl_ulong value = bench_parse_size(&at, name, &(cl_ulong){0});
    if (*at || value > 1000000)
        bench_die("%s %s: expected a number up to 1e6", name, text);
    return (unsigned)value;
}

static void take_reps(void *to, const char *text)
{
    bench_options *const options = to;
    options->reps = take_number("--reps", text);
    options->reps_given = true;
}

static void take_turns(void *to, const char *text)
{
    bench_options *const options = to;
    options->turns = take_number("--turns", text);
    if (!options->turns)
        bench_die("--turns: each row has one at least");
}

/* "1024x65536,2^20x3", and matrices "1000x16x16" */
static void take_shapes(void *to, const char *text)
{
    bench_options *const options = to;
    const char *at = text;
    for (;;) {
        bench_shape *grown = realloc(options->shapes, (options->shape_count + 1) * sizeof *grown);
        if (!grown)
            bench_die("out of memory");
        options->shapes = grown;
        cl_ulong sizes[3] = {1, 1, 1};
        unsigned count = 0;
        do
            sizes[count++] = bench_parse_size(&at, "--segments", &(cl_ulong){0});
        while (count < 3 && *at == 'x' && at++);
        if (count == 1)
            bench_die("--segments %s: expected COUNTxSIZE", text);
        if (!sizes[0] || !sizes[1] || (count == 3 && !sizes[2]))
            bench_die("--segments %s: there is nothing to measure", text);
        grown[options->shape_count++] = count == 2 ? (bench_shape){1, sizes[0], sizes[1]}
                                                   : (bench_shape){sizes[0], sizes[1], sizes[2]};
        if (*at == '\0')
            return;
        if (*at++ != ',')
            bench_die("--segments %s: expected a comma at \"%s\"", text, at - 1);
    }
}

bool bench_is_all(const bench_words *words)
{
    return words->count == 1 && strcmp(words->word[0], "all") == 0;
}

/* The word for "as clfold chooses" is the empty one from here on. */
static void blank_auto(bench_words *variants)
{
    for (unsigned i = 0; i < variants->count; ++i)
        if (strcmp(variants->word[i], "auto") == 0)
            variants->word[i][0] = '\0';
}

void bench_set_variants(bench_words *variants, const char *list)
{
    bench_free_words(variants);
    bench_add_words(variants, list, ' ');
    blank_auto(variants);
}

static void expand_ops(bench_words *ops)
{
    if (!bench_is_all(ops))
        return;
    bench_free_words(ops);
    for (int op = 0; op < CLF_OP_COUNT; ++op)
        bench_add_word(ops, clf_op_name((clf_op)op), strlen(clf_op_name((clf_op)op)));
    for (unsigned i = 0; bench_user_operator_name(i); ++i)
        bench_add_word(ops, bench_user_operator_name(i), strlen(bench_user_operator_name(i)));
    for (unsigned i = 0; i < BENCH_OWN_BIN_OPS; ++i)
        bench_add_word(ops, bench_bin_ops[i], strlen(bench_bin_ops[i]));
}

static void expand_types(bench_words *types)
{
    if (!bench_is_all(types))
        return;
    bench_free_words(types);
    for (const char *const *name = bench_type_names; *name; ++name)
        bench_add_word(types, *name, strlen(*name));
}

void bench_parse_options(int argc, char **argv, bench_options *options)
{
    const char *sweep = NULL;
    *options = (bench_options){.turns = 1};
    const bench_option list[] = {
        {"--device", BENCH_TEXT, .to = &options->device}, {"--op", BENCH_WORDS, .to = &options->ops},
        {"--type", BENCH_WORDS, .to = &options->types}, {"--n", BENCH_SIZES, .to = &options->sizes},
        {"--bins", BENCH_SIZES, .to = &options->bins}, {"--segments", BENCH_TAKEN, .to = options, .take = take_shapes},
        {"--variant", BENCH_WORDS, .to = &options->variants}, {"--define", BENCH_WORD, .to = &options->defines},
        {"--sweep", BENCH_TEXT, .to = &sweep}, {"--reps", BENCH_TAKEN, .to = options, .take = take_reps},
        {"--turns", BENCH_TAKEN, .to = options, .take = take_turns},
        {"--peer", BENCH_WORDS, .to = &options->peers}, {"--json", BENCH_TEXT, .to = &options->json},
        {"--list", BENCH_FLAG, .to = &options->list}, {"--near", BENCH_FLAG, .to = &options->near},
        {"--cold", BENCH_FLAG, .to = &options->cold}, {"--version", BENCH_FLAG, .to = &options->version},
        {"--help", BENCH_FLAG, .to = &options->help}, {"-h", BENCH_FLAG, .to = &options->help}, {.name = NULL}};
    for (int i = 1; i < argc;)
        if (argv[i][0] == '-')
            i += bench_take_option(list, argv + i);
        else
            bench_add_words(&options->primitives, argv[i++], ',');
    if (options->primitives.count == 0)
        bench_add_word(&options->primitives, "scan", 4);
    for (unsigned i = 0; i < options->sizes.count; ++i)
        if (!options->sizes.size[i])
            bench_die("--n: there is nothing to measure in 0 elements");
    options->ops_given = options->ops.count != 0;
    if (!options->ops_given)
        bench_add_word(&options->ops, "sum", 3);
    if (options->types.count == 0)
        bench_add_word(&options->types, "i32", 3);
    expand_ops(&options->ops);
    expand_types(&options->types);
    if (options->variants.count == 0)
        bench_add_word(&options->variants, "", 0);
    blank_auto(&options->variants);
    sweep_defines(options, sweep);
}

void bench_free_options(bench_options *options)
{
    bench_free_words(&options->primitives);
    bench_free_words(&options->ops);
    bench_free_words(&options->types);
    bench_free_words(&options->variants);
    bench_free_words(&options->defines);
    bench_free_words(&options->peers);
    free(options->sizes.size);
    free(options->bins.size);
    free(options->shapes);
}

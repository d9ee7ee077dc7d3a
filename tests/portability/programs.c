/* SPDX-License-Identifier: MIT */
/*
 * clfold-programs TARGET DIRECTORY all|chosen: writes the programs that a GPU would be given which nobody has here:
 * every primitive, variant and size of element, and tuples, with the options that its probes would choose; or of the
 * variants only those that plans choose. What compiles them is offline.sh.
 *
 * Plans are made as ever, in a context that is told what its device can do, and dump their programs. There is no
 * device: the few functions of OpenCL that plans need are defined here, and do nothing.
 */
#include "primitives/primitives.h"

#include "ref.h"
#include "ref_index.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- OpenCL that does nothing ------------------------------------------------------------------------------ */

static int something;

CL_API_ENTRY cl_program CL_API_CALL clCreateProgramWithSource(cl_context cl, cl_uint count, const char **texts,
                                                              const size_t *lengths, cl_int *status)
{
    (void)cl, (void)count, (void)texts, (void)lengths;
    *status = CL_SUCCESS;
    return (cl_program)(void *)&something;
}

CL_API_ENTRY cl_int CL_API_CALL clBuildProgram(cl_program program, cl_uint count, const cl_device_id *devices,
                                               const char *options, void(CL_CALLBACK *done)(cl_program, void *),
                                               void *data)
{
    (void)program, (void)count, (void)devices, (void)options, (void)done, (void)data;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clRetainProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clReleaseProgram(cl_program program)
{
    (void)program;
    return CL_SUCCESS;
}

/* ---- Devices ----------------------------------------------------------------------------------------------- */

/* What the probes find there (src/probe/probe.c). */
static const struct {
    const char *name;
    clf_facts facts;
} targets[] = {
#define GPU .type = CL_DEVICE_TYPE_GPU, .compute_units = 64, .units = 64, .max_group = 1024, .local_bytes = 65536, \
            .address_bits = 64, .fp16 = true, .int64_atomics = true, .progress = true, .fence = true, \
            .atomics = CLF_ATOMICS_C11
    {"amd64", {GPU, .fp64 = true, .lanes = CLF_LANES_AMD, .lane_width = 64, .std = "-cl-std=CL2.0"}},
    {"amd32", {GPU, .fp64 = true, .lanes = CLF_LANES_AMD, .lane_width = 32, .std = "-cl-std=CL2.0"}},
    {"khr", {GPU, .lanes = CLF_LANES_KHR, .lane_width = 16, .std = "-cl-std=CL3.0"}},
    {"intel", {GPU, .fp64 = true, .lanes = CLF_LANES_INTEL, .lane_width = 16, .std = "-cl-std=CL3.0"}},
#undef GPU
};

static clf_context *open_context(const char *target, const char *directory)
{
    clf_context *context = calloc(1, sizeof *context);
    for (size_t t = 0; context && t < CLF_COUNT(targets); t++) {
        if (strcmp(targets[t].name, target) != 0)
            continue;
        context->cl = (cl_context)(void *)&something;
        context->device = (cl_device_id)(void *)&something;
        context->facts = targets[t].facts;
        atomic_init(&context->references, 1);
        clf_compiler_init(&context->compiler, context->cl, context->device, &context->facts, "off", directory);
        return context;
    }
    free(context);
    return NULL;
}

/* ---- Programs ---------------------------------------------------------------------------------------------- */

static clf_context *context;
static bool all_variants;
static int failed;

/* A plan has been made, if status says so: all that it would compile sooner or later is written. */
static void check(clf_status status, clf_plan **plan, const char *what, const char *variant, clf_error *error)
{
    if (status == CLF_SUCCESS) {
        status = clf_plan_compile(*plan, error);
        clf_plan_release(*plan);
    }
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s, variant %s: %s\n", what, variant ? variant : "default", error->message);
    failed = 1;
}

static const clf_segmentation hows[] = {
    {sizeof hows[0], CLF_BY_OFFSETS, CLF_UINT}, {sizeof hows[0], CLF_BY_OFFSETS, CLF_ULONG},
    {sizeof hows[0], CLF_BY_HEAD_BITS, CLF_CHAR}, {sizeof hows[0], CLF_BY_KEYS, CLF_INT},
};

/* All variants of all primitives, which the plan options name. */
static void write_operator(const clf_operator *op)
{
    static const char *const scans[] = {NULL, "central", "window", "serial", "two_pass", "propagate", "one_group"};
    static const char *const reductions[] = {NULL, "large", "warp", "small", "sequential"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t v = 0; v < (all_variants ? CLF_COUNT(scans) : 1); v++) {
        const clf_plan_options options = {.size = sizeof options, .variant = scans[v]};
        check(clf_scan_plan(context, op, v % 2, &options, &plan, &error), &plan, "scan", scans[v], &error);
        check(clf_segmented_scan_plan(context, op, 0, &options, &plan, &error), &plan, "segmented scan", scans[v],
              &error);
    }
    for (size_t v = 0; v < (all_variants ? CLF_COUNT(reductions) : 1); v++) {
        const clf_plan_options options = {.size = sizeof options, .variant = reductions[v]};
        check(clf_reduce_plan(context, op, 0, &options, &plan, &error), &plan, "reduction", reductions[v], &error);
    }
    check(clf_adjacent_difference_plan(context, op, 0, NULL, &plan, &error), &plan, "adjacent difference", NULL,
          &error);
    for (size_t h = 0; h < CLF_COUNT(hows); h++) {
        check(clf_irregular_scan_plan(context, op, &hows[h], 0, NULL, &plan, &error), &plan, "irregular scan", NULL,
              &error);
        check(clf_irregular_reduce_plan(context, op, &hows[h], 0, NULL, &plan, &error), &plan, "irregular reduction",
              NULL, &error);
    }
}

static void write_filter(const ref_filter *filter)
{
    const clf_operator *const op = filter->clf;
    static const char *const variants[] = {NULL, "central", "window", "serial", "two_pass", "one_group"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t v = 0; v < (all_variants ? CLF_COUNT(variants) : 1); v++) {
        const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
        check((op->same ? clf_unique_plan : filter->parts > 1 ? clf_partition_plan : clf_filter_plan)(
                  context, op, 0, &options, &plan, &error), &plan, ref_filter_primitive(filter), variants[v], &error);
    }
}

static void write_splits(void)
{
    static const cl_uint parts[] = {2, 16, 256};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int s = 0; s < REF_SPLIT_COUNT; s++)
        for (size_t k = 0; k < CLF_COUNT(parts); k++)
            check(clf_split_plan(context, ref_split_of(s)->clf, parts[k], 0, NULL, &plan, &error), &plan, "split",
                  NULL, &error);
}

static void write_indices(void)
{
    static const char *const variants[] = {NULL, "local", "global"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int k = 0; k < REF_INDEX_COUNT; k++) {
        if (k == REF_INDEX_LINE) /* a vector and a number: LLVM 15 keeps the gap behind them in scratch */
            continue;
        for (size_t v = 0; v < (all_variants && k < REF_INDEX_WIDE ? CLF_COUNT(variants) : 1); v++) {
            const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
            check(clf_reduce_by_index_plan(context, ref_index_of(k)->clf, 0, &options, &plan, &error), &plan,
                  "reduce_by_index", variants[v], &error);
        }
    }
    ref_index_close();
}

static void write_sorts(void)
{
    static const char *const variants[] = {NULL, "lookback", "two_pass"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int s = 0; s < REF_SORT_COUNT; s++)
        for (size_t v = 0; v < (all_variants ? CLF_COUNT(variants) : 1); v++) {
            const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
            if ((s != CLF_DOUBLE || context->facts.fp64) && (s < CLF_HALF || s >= REF_SORT_PAIR || v == 0))
                check(clf_sort_plan(context, ref_sort_of(s)->clf, 0, &options, &plan, &error), &plan, "sort",
                      variants[v], &error);
        }
}

/* Both orders have the same code; passes and tiles are in one program. */
static void write_segment_sorts(void)
{
    static const char *const variants[] = {NULL, "medium", "small"};
    const clf_segmentation offsets = {.size = sizeof offsets, .by = CLF_BY_OFFSETS, .type = CLF_UINT};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int s = 0; s < REF_SORT_COUNT; s++) {
        if ((s == CLF_DOUBLE && !context->facts.fp64) || (s < REF_SORT_PAIR && s % 2))
            continue;
        for (size_t v = 0; v < CLF_COUNT(variants); v++) {
            const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
            check(clf_segmented_sort_plan(context, ref_sort_of(s)->clf, 0, &options, &plan, &error), &plan,
                  "segmented sort", variants[v], &error);
        }
        check(clf_irregular_sort_plan(context, ref_sort_of(s)->clf, &offsets, 0, NULL, &plan, &error), &plan,
              "irregular sort", NULL, &error);
    }
}

/* Sorts of which a map makes the keys. */
static void write_shuffles(void)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    check(clf_shuffle_plan(context, CLF_INT, &plan, &error), &plan, "shuffle", NULL, &error);
    check(clf_permutation_plan(context, CLF_UINT, &plan, &error), &plan, "permutation", NULL, &error);
}

/* And what a top-k compiles later: its filter, and its sort of values. */
static void write_top_k(void)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int s = 0; s < REF_SORT_COUNT; s++)
        if ((s != CLF_DOUBLE || context->facts.fp64) && (s < CLF_HALF || s >= REF_SORT_PAIR || s == CLF_FLOAT) &&
            s != REF_SORT_MANY) { /* too many registers in its filter */
            const clf_status status = clf_top_k_plan(context, ref_sort_of(s)->clf, 0, NULL, &plan, &error);
            check(status == CLF_SUCCESS ? clf_plan_compile(plan, &error) : status, &plan, "top_k", NULL, &error);
        }
}

static void write_gathers(void)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (int f = 0; f < REF_MOVED_COUNT; f++) {
        const char *const fields = ref_moved_of(f)->fields;
        if (strstr(fields, "double") && !context->facts.fp64)
            continue;
        check(clf_gather_plan(context, fields, CLF_UINT, 0, NULL, &plan, &error), &plan, "gather", NULL, &error);
        check(clf_scatter_plan(context, fields, CLF_ULONG, 0, NULL, &plan, &error), &plan, "scatter", NULL, &error);
    }
}

static void write_merge(const clf_operator *op)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    check(clf_merge_plan(context, op, 0, NULL, &plan, &error), &plan, "merge", NULL, &error);
    check(clf_bounds_plan(context, op, CLF_UINT, 0, NULL, &plan, &error), &plan, "bounds", NULL, &error);
    check(clf_bounds_plan(context, op, CLF_ULONG, CLF_UPPER | CLF_SORTED_NEEDLES, NULL, &plan, &error), &plan,
          "bounds of sorted needles", NULL, &error);
    check(clf_merge_sort_plan(context, op, 0, NULL, &plan, &error), &plan, "merge sort", NULL, &error);
    check(clf_is_sorted_plan(context, op, 0, NULL, &plan, &error), &plan, "test of order", NULL, &error);
}

static void write_by_key(const clf_operator *op)
{
    static const char *const variants[] = {NULL, "central", "window", "serial", "two_pass", "one_group"};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t v = 0; v < (all_variants ? CLF_COUNT(variants) : 1); v++) {
        const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
        check(clf_reduce_by_key_plan(context, op, 0, &options, &plan, &error), &plan, "reduction by key", variants[v],
              &error);
    }
}

static void write_transpositions(void)
{
    static const char *const variants[] = {NULL, "tile", "packed", "thin", "small"};
    static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    for (size_t s = 0; s < CLF_COUNT(sizes); s++)
        for (size_t v = 0; v < (all_variants ? CLF_COUNT(variants) : 1); v++) {
            const clf_plan_options options = {.size = sizeof options, .variant = variants[v]};
            if (v != 2 || sizes[s] <= 2)
                check(clf_transpose_plan(context, sizes[s], &options, &plan, &error), &plan, "transposition",
                      variants[v], &error);
        }
}

static void write_probe(const char *directory, const char *file)
{
    const clf_facts *facts = &context->facts;
    clf_text source = {0};
    char options[128];
    snprintf(options, sizeof options, "%s -D CLF_GROUP=128 -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u "
             "-D CLF_LOCAL=512",
             facts->std, (int)facts->atomics, (int)facts->lanes, (unsigned)facts->lane_width);
    if (clf_flatten(&source, file, NULL) == CLF_SUCCESS)
        clf_dump(directory, source.data, options);
    clf_text_free(&source);
}

int main(int argc, char **argv)
{
    clf_type types[] = {CLF_CHAR, CLF_SHORT, CLF_INT, CLF_DOUBLE};
    context = argc == 4 ? open_context(argv[1], argv[2]) : NULL;
    if (!context) {
        fputs("usage: clfold-programs amd64|amd32|khr|intel DIRECTORY all|chosen\n", stderr);
        return 2;
    }
    all_variants = strcmp(argv[3], "all") == 0;
    if (!context->facts.fp64)
        types[3] = CLF_LONG;
    write_probe(argv[2], "probe/probe_atomics.cl");
    write_probe(argv[2], "probe/probe_lanes.cl");
    write_probe(argv[2], "probe/probe_structs.cl");
    write_probe(argv[2], "probe/probe_units.cl");
    write_probe(argv[2], "probe/probe_sizes.cl");
    for (size_t t = 0; t < CLF_COUNT(types); t++)
        write_operator(clf_builtin(CLF_SUM, types[t]));
    write_operator(ref_clf(ref_user(REF_ARGMAX)));
    write_operator(ref_clf(ref_user(REF_SELECT)));
    write_operator(ref_clf(ref_user(REF_EIGHT)));
    for (int f = 0; f < REF_FILTER_COUNT; f++)
        write_filter(ref_filter_of(f));
    write_gathers();
    write_splits();
    write_indices();
    write_sorts();
    write_segment_sorts();
    write_shuffles();
    write_top_k();
    for (int o = 0; o < REF_ORDER_COUNT; o++)
        write_merge(ref_order_of(o)->clf);
    for (int k = 0; k <= REF_BY_KEY_LAST; k++)
        if (k != REF_BY_KEY_WIDE && k != REF_BY_KEY_MIXED) /* too many registers; gaps between fields, in scratch */
            write_by_key(ref_by_key_of(k)->clf);
    write_transpositions();
    clf_compiler_free(&context->compiler);
    free(context);
    return failed;
}

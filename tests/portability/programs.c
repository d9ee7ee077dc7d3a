/* SPDX-License-Identifier: MIT */
/*
 * clfold-programs TARGET DIRECTORY all|chosen: writes the programs that a GPU would be given which nobody has here:
 * every primitive, variant and size of element, and tuples, with the options that its probes would choose; or of each
 * primitive every third plan, by the variant that it chooses. What compiles them is offline.sh.
 *
 * Plans are made as ever, in a context that is told what its device can do, and dump their programs. There is no
 * device: the few functions of OpenCL that plans need are defined here, and do nothing.
 */
#include "primitives.h"

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
    {"mesa", {.type = CL_DEVICE_TYPE_GPU, .compute_units = 1, .units = 64, .max_group = 1024, .local_bytes = 32768,
              .address_bits = 64, .fp16 = true, .progress = true, .lane_width = 1, .std = "-cl-std=CL3.0",
              .is_rusticl = true, .optimiser = true}},
    {"intel", {GPU, .fp64 = true, .lanes = CLF_LANES_INTEL, .lane_width = 16, .std = "-cl-std=CL3.0"}},
#undef GPU
};

static clf_context *open_context(const char *target, const char *directory)
{
    clf_context *context = calloc(1, sizeof *context);
    for (size_t t = 0; context && t < CLF_COUNT(targets); ++t) {
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

/* Without all variants: two of three plans of a primitive. What compiles for another GPU seldom fails for this one. */
static bool is_left_out(const char *name)
{
    static unsigned plans[64]; /* of each */
    size_t k = 0;
    while (primitive_number(k) != primitive_named(name))
        ++k;
    return !all_variants && plans[k % CLF_COUNT(plans)]++ % 3 != 0;
}

/* A plan of the primitive: all that it would compile sooner or later is written. Variants may refuse an operator. */
static void write_plan(const char *name, const plan_parts *parts, const char *variant)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    if (is_left_out(name))
        return;
    clf_status status = primitive_plan(name, context, parts, &options, &plan, &error);
    if (status == CLF_E_UNSUPPORTED && variant)
        return;
    if (status == CLF_SUCCESS) {
        status = clf_plan_compile(plan, &error);
        clf_plan_release(plan);
    }
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s, variant %s: %s\n", name, variant ? variant : "default", error.message);
    failed = 1;
}

/* By the variant that plans choose. */
static void write_chosen(const char *name, const plan_parts *parts)
{
    write_plan(name, parts, NULL);
}

/* And by every other for GPUs. */
static void write_all(const char *name, const plan_parts *parts)
{
    write_chosen(name, parts);
    for (size_t v = 0; v < variant_count(name); ++v)
        if (!variant_is_for_cpus(variant_number(name, v)))
            write_plan(name, parts, variant_number(name, v)->name);
}

static void write(const char *name, const plan_parts *parts)
{
    (all_variants ? write_all : write_chosen)(name, parts);
}

static void write_operator(const clf_operator *op)
{
    static const clf_segmentation hows[] = {
        {sizeof hows[0], CLF_BY_OFFSETS, CLF_UINT}, {sizeof hows[0], CLF_BY_OFFSETS, CLF_ULONG},
        {sizeof hows[0], CLF_BY_HEAD_BITS, CLF_CHAR}, {sizeof hows[0], CLF_BY_KEYS, CLF_INT},
    };
    const plan_parts parts = {.op = op}, exclusive = {.op = op, .flags = CLF_EXCLUSIVE};
    write("scan", &parts);
    if (all_variants)
        write_all("scan", &exclusive);
    write("segmented_scan", &parts);
    write("reduce", &parts);
    write_chosen("adjacent_difference", &parts);
    for (size_t h = 0; h < CLF_COUNT(hows); ++h) {
        write_chosen("irregular_scan", &(plan_parts){.op = op, .how = &hows[h]});
        write_chosen("irregular_reduce", &(plan_parts){.op = op, .how = &hows[h]});
    }
}

/* Results that are made, and have places, with the segment's number; from the right; and not all of them wanted. */
static void write_finished(void)
{
#define FINISHED .size = sizeof(clf_operator), .value = "uint p; ushort q;", .combine = "clf_sum", .finish = "made", \
                 .result = "ushort r; uint s;"
    static const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, CLF_UINT};
    static const clf_operator scanned = {
        FINISHED, .place = "to", .captured = "uint c;", .flags = CLF_WITH_SEGMENT,
        .source = "clf_result made(clf_value a, clf_value b, clf_input x, ulong i, ulong s, const clf_captured *c)\n"
                  "{ clf_result r = {a.q + b.q, a.p + c->c[s] + x.p}; return r; }\n"
                  "ulong to(clf_value a, clf_value b, clf_input x, ulong i, ulong s, const clf_captured *c)\n"
                  "{ return a.p > b.p ? b.p : CLF_NOWHERE; }\n"};
    static const clf_operator reduced = {
        FINISHED, .source = "clf_result made(clf_value a, ulong s)\n"
                                              "{ clf_result r = {a.q + s, a.p}; return r; }\n"};
    write("segmented_scan", &(plan_parts){.op = &scanned});
    write("segmented_scan", &(plan_parts){.op = &scanned, .flags = CLF_REVERSE});
    write("irregular_scan", &(plan_parts){.op = &scanned, .how = &by_offsets});
    write("reduce", &(plan_parts){.op = &reduced, .wanted = 1});
    write("irregular_reduce", &(plan_parts){.op = &reduced, .how = &by_offsets});
}

static void write_splits(void)
{
    static const cl_uint parts[] = {2, 16, 256};
    for (int s = 0; s < REF_SPLIT_COUNT; ++s)
        for (size_t k = 0; k < CLF_COUNT(parts); ++k)
            write_chosen("split", &(plan_parts){.op = ref_split_of(s)->clf, .parts = parts[k]});
}

static void write_indices(void)
{
    for (int k = 0; k < REF_INDEX_COUNT; ++k)
        if (k != REF_INDEX_LINE) /* a vector and a number: LLVM 15 keeps the gap behind them in scratch */
            (k < REF_INDEX_WIDE ? write : write_chosen)("reduce_by_index", &(plan_parts){.op = ref_index_of(k)->clf});
    ref_index_close();
}

static bool has_type(int sort)
{
    return sort != CLF_DOUBLE || context->facts.fp64;
}

/* Tuples, and floating keys, which differ from integers in more than their size. */
static bool is_special(int sort)
{
    return sort >= REF_SORT_PAIR || sort == CLF_FLOAT;
}

/* Integer keys by all variants. */
static void write_sorts(void)
{
    for (int s = 0; s < REF_SORT_COUNT; ++s)
        if (has_type(s))
            (s < CLF_HALF || s >= REF_SORT_PAIR ? write : write_chosen)("sort",
                                                                        &(plan_parts){.op = ref_sort_of(s)->clf});
}

/* Both orders have the same code; passes and tiles are in one program. */
static void write_segment_sorts(void)
{
    const plan_parts usual = primitive_usual("irregular_sort");
    for (int s = 0; s < REF_SORT_COUNT; ++s) {
        if (!has_type(s) || (s < REF_SORT_PAIR && s % 2))
            continue;
        write_all("segmented_sort", &(plan_parts){.op = ref_sort_of(s)->clf});
        write_chosen("irregular_sort", &(plan_parts){.op = ref_sort_of(s)->clf, .how = usual.how});
    }
}

/* Sorts of which a map makes the keys. */
static void write_shuffles(void)
{
    clf_error error = {.size = sizeof error};
    clf_plan *shuffle = NULL, *permutation = NULL;
    if (clf_shuffle_plan(context, CLF_INT, &shuffle, &error) != CLF_SUCCESS ||
        clf_permutation_plan(context, CLF_UINT, &permutation, &error) != CLF_SUCCESS ||
        clf_plan_compile(shuffle, &error) != CLF_SUCCESS || clf_plan_compile(permutation, &error) != CLF_SUCCESS) {
        fprintf(stderr, "shuffle or permutation: %s\n", error.message);
        failed = 1;
    }
    clf_plan_release(permutation);
    clf_plan_release(shuffle);
}

/* And what a top-k compiles later: its filter, and its sort of values. */
static void write_top_k(void)
{
    for (int s = 0; s < REF_SORT_COUNT; ++s)
        if (has_type(s) && (s < CLF_HALF || is_special(s)) && s != REF_SORT_MANY /* too many registers in its filter */)
            write_chosen("top_k", &(plan_parts){.op = ref_sort_of(s)->clf});
}

static void write_gathers(void)
{
    for (int f = 0; f < REF_MOVED_COUNT; ++f) {
        const char *const fields = ref_moved_of(f)->fields;
        if (strstr(fields, "double") && !context->facts.fp64)
            continue;
        write_chosen("gather", &(plan_parts){.fields = fields, .type = CLF_UINT});
        write_chosen("scatter", &(plan_parts){.fields = fields, .type = CLF_ULONG});
    }
}

/* Of a primitive that has joined by suites.h, with each of its operators. */
static void write_row(const primitive_row *row)
{
    const clf_operator *op;
    for (int i = 0; (op = row->op(i)); ++i)
        if (!strstr(op->value, "double") || context->facts.fp64)
            write(row->name, &(plan_parts){.op = op});
}

static void write_merge(const clf_operator *op)
{
    write_chosen("merge", &(plan_parts){.op = op});
    write_chosen("bounds", &(plan_parts){.op = op, .type = CLF_UINT});
    write_chosen("sorted_bounds", &(plan_parts){.op = op, .flags = CLF_UPPER, .type = CLF_ULONG});
    write_chosen("merge_sort", &(plan_parts){.op = op});
    write_chosen("is_sorted", &(plan_parts){.op = op});
}

static void write_transpositions(void)
{
    static const size_t sizes[] = {1, 2, 3, 4, 6, 8, 12, 16};
    for (size_t s = 0; s < CLF_COUNT(sizes); ++s)
        write("transpose", &(plan_parts){.bytes = sizes[s]});
}

static void write_probe(const char *directory, const char *file)
{
    const clf_facts *facts = &context->facts;
    clf_text source = {0};
    char options[128];
    snprintf(options, sizeof options,
             "%s -D CLF_GROUP=128 -D CLF_ATOMICS=%d -D CLF_LANES=%d -D CLF_LANE_WIDTH=%u "
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
        fputs("usage: clfold-programs amd64|amd32|khr|mesa|intel DIRECTORY all|chosen\n", stderr);
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
    for (size_t t = 0; t < CLF_COUNT(types); ++t)
        write_operator(clf_builtin(CLF_SUM, types[t]));
    write_operator(ref_clf(ref_user(REF_ARGMAX)));
    write_operator(ref_clf(ref_user(REF_SELECT)));
    write_operator(ref_clf(ref_user(REF_EIGHT)));
    for (int f = 0; f < REF_FILTER_COUNT; ++f)
        write(ref_filter_primitive(ref_filter_of(f)), &(plan_parts){.op = ref_filter_of(f)->clf});
    write_gathers();
#define WRITE(name) write_row(&name##_row);
    TEST_PRIMITIVES(WRITE)
    write_finished();
    write_splits();
    write_indices();
    write_sorts();
    write_segment_sorts();
    write_shuffles();
    write_top_k();
    for (int o = 0; o < REF_ORDER_COUNT; ++o)
        write_merge(ref_order_of(o)->clf);
    for (int k = 0; k <= REF_BY_KEY_LAST; ++k)
        if (k != REF_BY_KEY_WIDE && k != REF_BY_KEY_MIXED) /* too many registers; gaps between fields, in scratch */
            write("reduce_by_key", &(plan_parts){.op = ref_by_key_of(k)->clf});
    write_transpositions();
    clf_compiler_free(&context->compiler);
    free(context);
    return failed;
}

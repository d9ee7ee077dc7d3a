/* SPDX-License-Identifier: MIT */
/*
 * clfold-bench: how fast the primitives run on a device, beside a copy of the same bytes and other libraries.
 * One primitive is one entry of the table below and one file (bench_scan.c).
 */
#include "composed.h"
#include "peers/peer.h"

#include <stdlib.h>
#include <string.h>

static const bench_primitive primitives[] = {
    {"scan", 0, clf_scan_plan, bench_scan_run},
    {"exclusive_scan", CLF_EXCLUSIVE, clf_scan_plan, bench_scan_run},
    {"scan_flagged", CLF_FROM_DEVICE, clf_scan_plan, bench_scan_run},
    {"scan_from_device", CLF_FROM_DEVICE, clf_scan_plan, bench_scan_run},
    {"composed_scan", 0, clf_scan_plan, bench_composed_scan_run},
    {"composed_networks", 0, clf_scan_plan, bench_composed_networks_run},
    {"segmented_scan", 0, clf_segmented_scan_plan, bench_segmented_scan_run},
    {"scan_by_bits", 0, bench_scan_by_bits_plan, bench_irregular_scan_run},
    {"scan_by_bytes", 0, bench_scan_by_bytes_plan, bench_irregular_scan_run},
    {"scan_by_offsets", 0, bench_scan_by_offsets_plan, bench_irregular_scan_run},
    {"scan_by_lengths", 0, bench_scan_by_lengths_plan, bench_irregular_scan_run},
    {"scan_by_keys", 0, bench_scan_by_keys_plan, bench_irregular_scan_run},
    {"reduce", 0, clf_reduce_plan, bench_reduce_run},
    {"segmented_reduce", 0, clf_reduce_plan, bench_reduce_run},
    {"reduce_uniform", 0, bench_reduce_by_offsets_plan, bench_irregular_reduce_run},
    {"reduce_power_law", 0, bench_reduce_by_offsets_plan, bench_irregular_reduce_run},
    {"reduce_giant", 0, bench_reduce_by_offsets_plan, bench_irregular_reduce_run},
    {"reduce_by_bits", 0, bench_reduce_by_bits_plan, bench_irregular_reduce_run},
    {"reduce_by_bytes", 0, bench_reduce_by_bytes_plan, bench_irregular_reduce_run},
    {"reduce_by_keys", 0, bench_reduce_by_keys_plan, bench_irregular_reduce_run},
    {"transpose", 0, bench_transpose_plan, bench_transpose_run},
#define FILTER(name) {#name, 0, bench_##name##_plan, bench_filter_run},
    BENCH_FILTERS(FILTER)
#define GATHER(name) {#name, 0, bench_##name##_plan, bench_gather_run},
    BENCH_GATHERS(GATHER)
    {"merge", 0, bench_merge_plan, bench_merge_run},
    {"lower_bound", 0, bench_lower_bound_plan, bench_merge_run},
    {"lower_bound_sorted", CLF_SORTED_NEEDLES, bench_lower_bound_plan, bench_merge_run},
    {"reduce_by_key", 0, bench_reduce_by_key_plan, bench_reduce_by_key_run},
    {"run_lengths", 0, bench_run_lengths_plan, bench_run_lengths_run},
    {"split", 0, bench_split_plan, bench_split_run},
    {"split_16", 0, bench_split_16_plan, bench_split_run},
#define SORT(name) {#name, 0, bench_sort_plan, bench_sort_run}
    SORT(sort), SORT(sort_sorted), SORT(sort_backwards), SORT(sort_equal), SORT(sort_two), SORT(sort_entropy),
    SORT(sort_zipf), SORT(sort_alternating), SORT(sort_ids),
    {"sort_low8", 0, bench_sort_low8_plan, bench_sort_run},
    {"sort_pairs", 0, bench_sort_pairs_plan, bench_sort_run},
    {"sort_indices", 0, bench_sort_indices_plan, bench_sort_run},
    {"segmented_sort", 0, bench_segmented_sort_plan, bench_segmented_sort_run},
    {"segmented_sort_pairs", 0, bench_segmented_sort_pairs_plan, bench_segmented_sort_run},
    {"irregular_sort", 0, bench_irregular_sort_plan, bench_segmented_sort_run},
#define MERGE_SORT(name) {#name, 0, bench_merge_sort_plan, bench_sort_run}
    MERGE_SORT(merge_sort), MERGE_SORT(merge_sort_sorted), MERGE_SORT(merge_sort_two),
    {"merge_sort_pairs", 0, bench_merge_sort_pairs_plan, bench_sort_run},
    {"is_sorted", 0, bench_is_sorted_plan, bench_is_sorted_run},
#define TOP(name) {#name, 0, bench_top_k_plan, bench_top_k_run},
    BENCH_TOPS(TOP) BENCH_TOP_ROWS(TOP)
    {"top_k_1024_unsorted", 0, bench_top_k_unsorted_plan, bench_top_k_run},
#define HISTOGRAM(name) {#name, 0, bench_histogram_plan, bench_histogram_run}
    HISTOGRAM(histogram), HISTOGRAM(histogram_one_hot), HISTOGRAM(histogram_zipf), HISTOGRAM(histogram_sorted),
    HISTOGRAM(histogram_gaussian), HISTOGRAM(histogram_two_bins),
    {"histogram_by_hand", 0, bench_histogram_by_hand_plan, bench_histogram_run},
    {"adjacent_difference", 0, clf_adjacent_difference_plan, bench_adjacent_difference_run},
    {"segmented_adjacent_difference", 0, clf_adjacent_difference_plan, bench_segmented_adjacent_difference_run},
};
enum { PRIMITIVE_COUNT = sizeof primitives / sizeof primitives[0] };

static const bench_primitive *find_primitive(const char *name)
{
    for (size_t i = 0; i < PRIMITIVE_COUNT; i++)
        if (strcmp(primitives[i].name, name) == 0)
            return &primitives[i];
    bench_die("no primitive \"%s\"; --list names them", name);
}

/* Mistyped words end the program before anything is measured. */
static void check_words(const bench_options *options)
{
    bench_operator found;
    for (unsigned i = 0; i < options->primitives.count; i++)
        find_primitive(options->primitives.word[i]);
    for (unsigned i = 0; i < options->ops.count; i++)
        if (!bench_is_operator(options->ops.word[i]) && !bench_is_bin_op(options->ops.word[i]))
            bench_die("no operator \"%s\"; --list names them", options->ops.word[i]);
    for (unsigned i = 0; i < options->types.count; i++)
        if (!bench_find_operator("sum", options->types.word[i], &found) &&
            !bench_element_bytes(options->types.word[i]))
            bench_die("no type \"%s\"; --list names them", options->types.word[i]);
    for (unsigned i = 0; i < options->peers.count; i++) {
        bool known = strcmp(options->peers.word[i], "all") == 0;
        for (unsigned j = 0; peer_list[j]; j++)
            known = known || strcmp(options->peers.word[i], peer_list[j]->name) == 0;
        if (!known)
            bench_die("no peer \"%s\" in this build; --list names them", options->peers.word[i]);
    }
}

/* A CPU device takes milliseconds where a GPU takes microseconds: fewer calls are enough. */
static bench_effort choose_effort(const bench_session *session)
{
    bool cpu = (session->device.type & CL_DEVICE_TYPE_CPU) != 0;
    bench_effort effort = {cpu ? 3 : 5, cpu ? 3 : 10, 0.02, 0.2};
    if (session->options.reps_given)
        effort.batches = session->options.reps;
    return effort;
}

static void default_sizes(bench_session *session)
{
    static const cl_ulong sizes[] = {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 26, 1 << 28};
    bench_options *options = &session->options;
    if (options->sizes.count)
        return;
    session->usual_sizes = true;
    options->sizes.count = session->device.type & CL_DEVICE_TYPE_CPU ? 5 : 6;
    options->sizes.size = bench_alloc(sizeof sizes);
    memcpy(options->sizes.size, sizes, sizeof sizes);
}

/* What a plan says about itself. */
static char *describe_example(const bench_session *session, const bench_primitive *primitive)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan;
    if (primitive->plan(session->clf, clf_builtin(CLF_SUM, CLF_INT), 0, NULL, &plan, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    char *text = bench_describe_plan(plan, 1 << 20);
    clf_plan_release(plan);
    return text;
}

static void expand_variants(bench_session *session, const bench_primitive *primitive)
{
    char names[256] = "auto ", *text;
    if (!session->all_variants)
        return;
    text = describe_example(session, primitive);
    if (!bench_described(text, "variants", names + 5, sizeof names - 5))
        bench_die("this clfold does not name its variants: name them after --variant");
    bench_set_variants(&session->options.variants, names);
    free(text);
}

static void open_session(bench_session *session)
{
    clf_error error = {.size = sizeof error};
    session->device = bench_pick_device(session->options.device);
    session->cl = bench_context(&session->device);
    session->queue = bench_queue(session->cl, session->device.id, false);
    session->profiling = bench_queue(session->cl, session->device.id, true);
    if (clf_context_create(session->cl, session->device.id, NULL, &session->clf, &error) != CLF_SUCCESS)
        bench_die("%s\n%s", error.message, error.log);
    session->effort = choose_effort(session);
    default_sizes(session);
    session->all_variants = bench_is_all(&session->options.variants);
    const char *json = session->options.json;
    session->json = !json ? NULL : strcmp(json, "-") == 0 ? stdout : fopen(json, "a");
    if (json && !session->json)
        bench_die("cannot write %s", json);
}

static void close_session(bench_session *session)
{
    bench_progress("%s", "");
    bench_forget_copies(session);
    bench_forget_reads(session);
    clf_context_release(session->clf);
    clReleaseCommandQueue(session->profiling);
    clReleaseCommandQueue(session->queue);
    clReleaseContext(session->cl);
    if (session->json && session->json != stdout)
        fclose(session->json);
    bench_free_options(&session->options);
}

/* No primitive of the library? */
static bool is_composed(const bench_primitive *primitive)
{
    return strncmp(primitive->name, "composed_", 9) == 0;
}

static void list_all(bench_session *session)
{
    printf("%-11s", "primitives");
    for (size_t i = 0; i < PRIMITIVE_COUNT; i++)
        if (!is_composed(&primitives[i]))
            printf(" %s", primitives[i].name);
    printf("\n%-11s %s\n%-11s %s", "explored", "composed_scan", "ranked", "composed_networks");
    printf("\n%-11s", "operators");
    for (int op = 0; op < CLF_OP_COUNT; op++)
        printf(" %s", clf_op_name((clf_op)op));
    printf("\n%-11s", "on tuples");
    for (unsigned i = 0; bench_user_operator_name(i); i++)
        printf(" %s", bench_user_operator_name(i));
    printf("\n%-11s", "by bin");
    for (unsigned i = 0; bench_bin_ops[i]; i++)
        printf(" %s", bench_bin_ops[i]);
    printf("\n%-11s", "types");
    for (unsigned i = 0; bench_type_names[i]; i++)
        printf(" %s", bench_type_names[i]);
    printf("\n%-11s", "peers");
    for (unsigned i = 0; peer_list[i]; i++)
        printf(" %s", peer_list[i]->name);
    putchar('\n');
    for (size_t i = 0; i < PRIMITIVE_COUNT; i++) {
        if (i && (primitives[i].plan == primitives[i - 1].plan || primitives[i].run == primitives[i - 1].run))
            continue;
        const bool moves = primitives[i].plan == bench_transpose_plan;
        char *text = describe_example(session, &primitives[i]);
        printf("\n%s, %s, n = 2^20, on %s:\n%s", primitives[i].name, moves ? "i32" : "sum of i32",
               session->device.name, text);
        free(text);
    }
}

int main(int argc, char **argv)
{
    bench_session session = {0};
    bench_parse_options(argc, argv, &session.options);
    if (session.options.help || session.options.version) {
        if (session.options.help)
            bench_print_usage();
        else
            bench_print_version("clfold-bench");
        bench_free_options(&session.options);
        return 0;
    }
    check_words(&session.options);
    if (session.options.cold) {
        bench_cold(&session.options);
        bench_free_options(&session.options);
        return 0;
    }
    open_session(&session);
    if (session.options.list)
        list_all(&session);
    else
        for (unsigned i = 0; i < session.options.primitives.count; i++) {
            const bench_primitive *primitive = find_primitive(session.options.primitives.word[i]);
            expand_variants(&session, primitive);
            primitive->run(&session, primitive);
        }
    const unsigned failed = session.wrong + session.missing;
    close_session(&session);
    return failed ? 1 : 0;
}

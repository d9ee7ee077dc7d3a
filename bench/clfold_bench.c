/* SPDX-License-Identifier: MIT */
/*
 * clfold-bench: how fast the primitives run on a device, beside a copy of the same bytes and other libraries. What it
 * measures is in rows/, textbook/ and peers/.
 */
#include "textbook/composed.h"
#include "rows/peer.h"

#include <stdlib.h>
#include <string.h>

static const bench_primitive *find_primitive(const char *name)
{
    const bench_primitive *found = bench_find_primitive(name);
    for (const bench_primitive *p = composed_rows; !found && p->name; ++p)
        found = strcmp(p->name, name) == 0 ? p : NULL;
    if (!found)
        bench_die("no primitive \"%s\"; --list names them", name);
    return found;
}

/* Mistyped words end the program before anything is measured. */
static void check_words(const bench_options *options)
{
    bench_operator found;
    for (unsigned i = 0; i < options->primitives.count; ++i)
        find_primitive(options->primitives.word[i]);
    for (unsigned i = 0; i < options->ops.count; ++i)
        if (!bench_is_operator(options->ops.word[i]) && !bench_is_bin_op(options->ops.word[i]))
            bench_die("no operator \"%s\"; --list names them", options->ops.word[i]);
    for (unsigned i = 0; i < options->types.count; ++i)
        if (!bench_find_operator("sum", options->types.word[i], &found) && !bench_element_bytes(options->types.word[i]))
            bench_die("no type \"%s\"; --list names them", options->types.word[i]);
    for (unsigned i = 0; i < options->peers.count; ++i) {
        bool known = strcmp(options->peers.word[i], "all") == 0;
        for (unsigned j = 0; peer_list[j]; ++j)
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
    if (bench_make_plan(primitive, session->clf, clf_builtin(CLF_SUM, CLF_INT), NULL, &plan, &error) != CLF_SUCCESS)
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
    session->json = bench_open_json(session->options.json);
}

static void close_session(bench_session *session)
{
    bench_progress("%s", "");
    bench_forget_yardsticks(session);
    clf_context_release(session->clf);
    clReleaseCommandQueue(session->profiling);
    clReleaseCommandQueue(session->queue);
    clReleaseContext(session->cl);
    bench_close_json(session->json, session->options.json);
    bench_free_options(&session->options);
}

static void list_all(bench_session *session)
{
    const bench_primitive *p, *before = NULL;
    printf("%-11s", "primitives");
    for (unsigned i = 0; (p = bench_primitive_number(i)); ++i)
        printf(" %s", p->name);
    printf("\n%-11s %s\n%-11s %s", "explored", "composed_scan", "ranked", "composed_networks");
    printf("\n%-11s %s", "searched", "composed_search");
    printf("\n%-11s", "operators");
    for (int op = 0; op < CLF_OP_COUNT; ++op)
        printf(" %s", clf_op_name((clf_op)op));
    printf("\n%-11s", "on tuples");
    for (unsigned i = 0; bench_user_operator_name(i); ++i)
        printf(" %s", bench_user_operator_name(i));
    printf("\n%-11s", "by bin");
    for (unsigned i = 0; bench_bin_ops[i]; ++i)
        printf(" %s", bench_bin_ops[i]);
    printf("\n%-11s", "types");
    for (unsigned i = 0; bench_type_names[i]; ++i)
        printf(" %s", bench_type_names[i]);
    printf("\n%-11s", "peers");
    for (unsigned i = 0; peer_list[i]; ++i)
        printf(" %s", peer_list[i]->name);
    putchar('\n');
    for (unsigned i = 0; (p = bench_primitive_number(i)); before = p, ++i) {
        if (before && (p->plan == before->plan || p->kind->expect == before->kind->expect))
            continue;
        char *text = describe_example(session, p);
        printf("\n%s, %s, n = 2^20, on %s:\n%s", p->name, p == bench_transpose_rows ? "i32" : "sum of i32",
               session->device.name, text);
        free(text);
    }
}

int main(int argc, char **argv)
{
    bench_session session = {.peers = peer_list};
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
        for (unsigned i = 0; i < session.options.primitives.count; ++i) {
            const bench_primitive *primitive = find_primitive(session.options.primitives.word[i]);
            expand_variants(&session, primitive);
            (primitive->run ? primitive->run : bench_run_kind)(&session, primitive);
        }
    const bool nothing = session.done == 0 && session.refused > 0;
    if (nothing)
        bench_note("no row: all that was asked for by --variant, --define or --sweep is refused");
    const unsigned failed = session.wrong + session.missing + nothing;
    close_session(&session);
    return failed ? 1 : 0;
}

/* SPDX-License-Identifier: MIT */
/* Kernel files: each of cl/ compiles alone. */
#include "harness.h"

#include "primitives/primitives.h"

#include <string.h>

/*
 * Those that are nothing by themselves: templates, programs with no operator, one for two kinds of range, splits, whose
 * operators have digits, sorts and top-k, whose have keys, and reductions by index, whose have bins.
 */
static bool stands_alone(const char *file)
{
    static const char *const others[] = {"_template", "transpose", "probe_", "heads_", "reduce_parts", "split", "digit",
                                         "sort", "top_k", "least", "reduce_by_index"};
    for (size_t i = 0; i < CLF_COUNT(others); ++i)
        if (strstr(file, others[i]) != NULL)
            return false;
    return true;
}

/* A file includes what it needs. Of an operator whose fields all differ, with extra outputs. */
START_TEST(each_kernel_file_compiles_alone)
{
    static const clf_named_array arrays[] = {{"const uint", "heads"}, {"ulong", "counts"}, {"ulong", "result"},
                                             {"const uint", "indices"}, {"ulong", "positions"}, {NULL, NULL}};
    static const char *const numbers[] = {"segments", "width", "room_low", "room_high", "cuts", NULL};
    static const char *const gpu = "-D CLF_GROUP=64 -D CLF_ITEMS=16", *const no_kernels[] = {NULL},
                            *const cpu = "-D CLF_GROUP=1 -D CLF_ITEMS=256 -D CLF_STREAMS=8",
                            *const rows = "-D CLF_GROUP=1 -D CLF_ITEMS=256 -D CLF_STREAMS=32";
    clf_context *const context = rig_context(NULL);
    clf_operator_copy op, filter, by_key, order;
    assert_status(clf_operator_check(ref_clf(&ref_select), CLF_FUNCTION_COMBINE, &op, NULL), CLF_SUCCESS);
    assert_status(clf_operator_check(ref_filter_of(REF_UNIQUE_RUNS)->clf, CLF_FUNCTION_SAME, &filter, NULL),
                  CLF_SUCCESS);
    assert_status(clf_operator_check(ref_by_key_of(REF_BY_KEY_TUPLE)->clf, CLF_FUNCTION_COMBINE | CLF_FUNCTION_SAME,
                                     &by_key, NULL), CLF_SUCCESS);
    assert_status(clf_operator_check(ref_order_of(REF_ORDER_PAIR)->clf, CLF_FUNCTION_LESS, &order, NULL), CLF_SUCCESS);
    order.in_sets = 2;
    for (const clf_kernel_file *file = clf_kernel_files; file->name; ++file) {
        clf_text text = {0}, options = {0};
        clf_error error = {.size = sizeof error};
        cl_program program = NULL;
        if (!stands_alone(file->name))
            continue;
        const bool one = strstr(file->name, "cpu") != NULL; /* cl/cpu/, or the file */
        const bool filters = strstr(file->name, "filter") != NULL, by_keys = strstr(file->name, "by_key") != NULL;
        const bool merges = strncmp(file->name, "merge/", 6) == 0, adjacent = strstr(file->name, "adjacent") != NULL;
        const int segment = filters || by_keys ? 0 : adjacent ? 1 : 3; /* none, regular, or any */
        const char *const sizes = strstr(file->name, "cpu_sides") ? rows : one ? cpu : gpu;
        clf_text_format(&options, "%s -D CLF_LANES=0 -D CLF_LANE_WIDTH=1 -D CLF_ATOMICS=0 -D CLF_SEGMENT=%d "
                        "-D CLF_EXCLUSIVE=0 -D CLF_LOOKBACK=2 -D CLF_TICKET=1 -D CLF_SPIN=1", sizes, segment);
        const clf_entry entry = {file->name, no_kernels, arrays, numbers};
        const clf_operator_copy *const own = filters ? &filter : by_keys ? &by_key : merges ? &order : &op;
        assert_status(clf_source_write(&text, own, 1, &entry), CLF_SUCCESS);
        if (!filters && !by_keys && strstr(text.data, "include a state first") &&
            !strstr(text.data, "typedef clf_value clf_state")) {
            clf_text_free(&text); /* for any state: whoever includes it brings one */
            clf_text_free(&options);
            continue;
        }
        ck_assert_msg(clf_build_program(context->cl, context->device, text.data, options.data, &program, NULL,
                                        &error) == CLF_SUCCESS,
                      "%s: %s", file->name, error.log);
        clReleaseProgram(program);
        clf_text_free(&text);
        clf_text_free(&options);
    }
    clf_operator_free(&op);
    clf_operator_free(&filter);
    clf_operator_free(&order);
    clf_operator_free(&by_key);
}
END_TEST

void add_kernel_file_tests(TCase *tests)
{
    tcase_add_test(tests, each_kernel_file_compiles_alone);
}

/* SPDX-License-Identifier: MIT */
/*
 * Contexts, operators and plans: every wrong description has its status and a message. Wrong arguments of
 * calls are in test_api_calls.c.
 */
#include "harness.h"

#include <stdlib.h>
#include <string.h>

/* ---- Statuses ------------------------------------------------------------------------------------------ */

TEST(statuses_have_texts)
{
    static const clf_status statuses[] = {
        CLF_SUCCESS, CLF_E_ARGUMENT, CLF_E_CONTEXT, CLF_E_OVERFLOW, CLF_E_BUFFER, CLF_E_ALIAS, CLF_E_SCRATCH,
        CLF_E_UNSUPPORTED, CLF_E_OPERATOR, CLF_E_LAW, CLF_E_PARAMETER, CLF_E_NO_MEMORY, CLF_E_INTERNAL,
        CL_INVALID_VALUE, CL_OUT_OF_RESOURCES, -9999, 9999};
    for (size_t i = 0; i < COUNT(statuses); ++i) {
        ck_assert_ptr_nonnull(clf_status_text(statuses[i]));
        ck_assert_uint_gt(strlen(clf_status_text(statuses[i])), 0);
    }
    ck_assert_uint_eq(clf_version(), CLFOLD_VERSION_MAJOR * 10000 + CLFOLD_VERSION_MINOR * 100 + CLFOLD_VERSION_PATCH);
}

/* ---- Contexts ------------------------------------------------------------------------------------------ */

static clf_status create_context(cl_context cl, cl_device_id device, const clf_context_options *options)
{
    clf_context *context = (clf_context *)&options; /* a failure leaves NULL */
    clf_error error = {.size = sizeof error};
    clf_status status = clf_context_create(cl, device, options, &context, &error);
    ck_assert_int_eq(error.status, status);
    if (status == CLF_SUCCESS)
        assert_ok(clf_context_release(context));
    else
        ck_assert_msg(!context && error.message[0] != '\0', "a failure without a message");
    return status;
}

TEST(context_arguments)
{
    const rig *r = the_rig();
    clf_context *context = NULL;
    clf_context_options small = {.size = 1}, off = {.size = sizeof off, .cache_dir = "off"};
    clf_context_options bad_profile = {.size = sizeof bad_profile, .profile = "scan.b4.serial.items = many\n"};
    clf_context_options good_profile = {.size = sizeof good_profile, .profile = "# none\nscan.b4.*.items = 4\n"};
    clf_error tiny = {.size = 3};
    assert_status(create_context(NULL, r->device, NULL), CLF_E_ARGUMENT);
    assert_status(create_context(r->cl, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_create(r->cl, r->device, NULL, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(create_context(r->cl, r->device, &small), CLF_E_ARGUMENT);
    assert_status(clf_context_create(r->cl, r->device, NULL, &context, &tiny), CLF_E_ARGUMENT);
    assert_status(create_context(r->cl, r->device, &bad_profile), CLF_E_PARAMETER);
    assert_ok(create_context(r->cl, r->device, &good_profile));
    assert_ok(create_context(r->cl, r->device, &off));
}

TEST(null_objects)
{
    size_t needed = 0;
    cl_ulong bytes = 0;
    assert_status(clf_context_retain(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_release(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_trim(NULL), CLF_E_ARGUMENT);
    assert_status(clf_context_describe(NULL, NULL, 0, &needed), CLF_E_ARGUMENT);
    assert_status(clf_plan_retain(NULL), CLF_E_ARGUMENT);
    assert_status(clf_plan_release(NULL), CLF_E_ARGUMENT);
    assert_status(clf_plan_scratch(NULL, 1, 0, &bytes), CLF_E_ARGUMENT);
    assert_status(clf_plan_describe(NULL, 1, NULL, 0, &needed), CLF_E_ARGUMENT);
}

/* Which profiles hold: a caller's is laid over the device's, if there is one. */
TEST(describe_profile)
{
    char text[8192];
    clf_context *const context = RIG_CONTEXT(.profile = "scan.*.*.items = 8\n");
    assert_ok(clf_context_describe(context, text, sizeof text, NULL));
    const char *line = strstr(text, "profile =");
    ck_assert_msg(line && strstr(line, " caller\n"), "no caller's profile in:\n%s", text);
    assert_ok(clf_context_release(context));
}

/* Cut to fit, always terminated, and the size that would have held it all. */
TEST(describe_fits)
{
    char text[8192], cut[10];
    size_t needed = 0, again = 0;
    clf_context *context = rig_context(NULL);
    assert_ok(clf_context_describe(context, text, sizeof text, &needed));
    ck_assert_uint_eq(needed, strlen(text) + 1);
    ck_assert_ptr_nonnull(strstr(text, " = "));
    memset(cut, 'x', sizeof cut);
    assert_ok(clf_context_describe(context, cut, sizeof cut, &again));
    ck_assert_uint_eq(again, needed);
    ck_assert_uint_eq(strlen(cut), sizeof cut - 1);
    ck_assert_int_eq(strncmp(cut, text, sizeof cut - 1), 0);
    assert_ok(clf_context_describe(context, NULL, 0, &again));
    ck_assert_uint_eq(again, needed);
}

/* What a plan was given, and what the model would have given it. */
TEST(describe_model)
{
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=5"};
    char text[8192];
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, rig_context(NULL), clf_builtin(CLF_SUM, CLF_LONG), 0, &options);
    assert_ok(clf_plan_describe(plan, 100, text, sizeof text, NULL));
    ck_assert_ptr_nonnull(strstr(text, "items=5"));
    const char *model = strstr(text, "\nmodel = ");
    ck_assert_ptr_nonnull(model);
    ck_assert_int_ge(atoi(model + 9), 1);
    ck_assert_int_le(atoi(model + 9), 64);
    assert_ok(clf_plan_release(plan));
}

/* ---- Operators ----------------------------------------------------------------------------------------- */

static const char good_source[] =
    "clf_value zero(void) { clf_value r = {0}; return r; }\n"
    "clf_value plus(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
    "clf_value take(clf_input x, ulong i) { clf_value r = {x.v}; return r; }\n"
    "clf_value same(clf_value x, ulong i) { return x; }\n";

static clf_operator good_operator(void)
{
    return (clf_operator){.size = sizeof(clf_operator),
                          .value = "int v;",
                          .source = good_source,
                          .combine = "plus",
                          .neutral = "zero"};
}

static clf_status try_operator(const clf_operator *op, clf_error *error)
{
    clf_plan *plan = NULL;
    *error = (clf_error){.size = sizeof *error};
    clf_status status = clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, error);
    ck_assert_int_eq(error->status, status);
    if (status == CLF_SUCCESS)
        assert_ok(clf_plan_release(plan));
    else
        ck_assert_msg(!plan && error->message[0] != '\0', "a failure without a message");
    return status;
}

#define BAD_OPERATOR(EXPECTED, ...)                                           \
    do {                                                                      \
        clf_error error_;                                                     \
        clf_operator op_ = good_operator();                                   \
        __VA_ARGS__;                                                          \
        assert_status(try_operator(&op_, &error_), EXPECTED);                 \
    } while (0)

TEST(operator_descriptors)
{
    BAD_OPERATOR(CLF_SUCCESS, (void)0);
    BAD_OPERATOR(CLF_SUCCESS, op_.input = "int v;"; op_.map = "take");
    BAD_OPERATOR(CLF_SUCCESS, op_.map = "same");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.size = 8);
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.value = NULL);
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.source = NULL);
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.combine = NULL);
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.neutral = NULL);
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.combine = "not a name");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.combine = "plus(a,b);evil");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.neutral = "");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.input = "int v;");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.extra = "int v;");
    BAD_OPERATOR(CLF_E_ARGUMENT, op_.flags = 0x80u);
}

TEST(field_lists)
{
    static const char *const bad[] = {
        "", "int", "int v; int v;", "int3 v;", "bool v;", "int v, w;", "int *v;", "struct v;", "int v[17];",
        "int clf_v;", "int v; ; int w;", "unsigned int v;", "int int;", "int 3v;", "int v; float",
        ("int a; int b; int c; int d; int e; int f; int g; int h; int i; int j; int k; int l; int m; int n; int o; "
         "int p; int q;")};
    for (size_t i = 0; i < COUNT(bad); ++i) {
        clf_error error;
        clf_operator op = good_operator();
        op.value = bad[i];
        clf_status status = try_operator(&op, &error);
        ck_assert_msg(status == CLF_E_ARGUMENT, "\"%s\" gives %d", bad[i], status);
    }
}

/* The log must lead into the caller's own source. */
static void check_broken(const char *source, const char *place)
{
    clf_error error;
    clf_operator op = good_operator();
    op.source = source;
    assert_status(try_operator(&op, &error), CLF_E_OPERATOR);
    ck_assert_msg(!place || strstr(error.log, place), "the log does not name %s:\n%s", place, error.log);
    ck_assert_msg(memchr(error.log, 0, sizeof error.log), "the log is not terminated");
}

TEST(operators_that_do_not_compile)
{
    check_broken(
        "clf_value zero(void) { clf_value r = {0}; return r; }\n"
        "\n"
        "clf_value plus(clf_value a, clf_value b) { return unknown_thing; }\n",
        "operator.cl:3");
    check_broken("syntax error here\n", "operator.cl:1");
    check_broken("clf_value zero(void) { clf_value r = {0}; return r; }\n", NULL);
}

TEST(no_such_builtin)
{
    ck_assert_ptr_null(clf_builtin(CLF_AND, CLF_FLOAT));
    ck_assert_ptr_null(clf_builtin(CLF_XOR, CLF_DOUBLE));
    ck_assert_ptr_null(clf_builtin(CLF_OP_COUNT, CLF_INT));
    ck_assert_ptr_null(clf_builtin(CLF_SUM, CLF_TYPE_COUNT));
    for (int op = 0; op < CLF_OP_COUNT; ++op)
        for (int type = 0; type < CLF_TYPE_COUNT; ++type)
            ck_assert_int_eq(clf_builtin((clf_op)op, (clf_type)type) != NULL,
                             ref_builtin((clf_op)op, (clf_type)type) != NULL);
}

/* ---- Plans --------------------------------------------------------------------------------------------- */

static clf_status try_plan(unsigned flags, const char *variant, const char *parameters, size_t size)
{
    clf_plan *plan = NULL;
    clf_error error = {.size = sizeof error};
    const clf_plan_options options = {.size = size, .variant = variant, .parameters = parameters};
    clf_status status = clf_scan_plan(rig_context("cpu"), clf_builtin(CLF_SUM, CLF_INT), flags, &options, &plan,
                                      &error);
    ck_assert_int_eq(error.status, status);
    if (status == CLF_SUCCESS)
        assert_ok(clf_plan_release(plan));
    else
        ck_assert_msg(!plan && error.message[0] != '\0', "a failure without a message");
    return status;
}

TEST(plan_arguments)
{
    const size_t size = sizeof(clf_plan_options);
    const clf_operator *op = clf_builtin(CLF_SUM, CLF_INT);
    clf_plan *plan = NULL;
    assert_ok(try_plan(0, "two_pass", "items=4,group=64", size));
    assert_status(clf_scan_plan(NULL, op, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_scan_plan(rig_context("cpu"), NULL, 0, NULL, &plan, NULL), CLF_E_ARGUMENT);
    assert_status(clf_scan_plan(rig_context("cpu"), op, 0, NULL, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(try_plan(0x8000u, NULL, NULL, size), CLF_E_ARGUMENT);
    assert_status(try_plan(0, NULL, NULL, size - 1), CLF_E_ARGUMENT);
}

TEST(plan_parameters)
{
    static const char *const bad[] = {"items",           "items=",    "items=x",
                                      "items=4,",        "=4",        "items=99999999999999999999",
                                      "items=-1",        "unknown=1", "items=4 group=4",
                                      "items=0",         "group=0",   "group=1000000000",
                                      "items=4;group=64", "groups=0"};
    for (size_t i = 0; i < COUNT(bad); ++i) {
        clf_status status = try_plan(0, "two_pass", bad[i], sizeof(clf_plan_options));
        ck_assert_msg(status == CLF_E_PARAMETER, "\"%s\" gives %d", bad[i], status);
    }
    clf_status status = try_plan(0, "no such variant", NULL, sizeof(clf_plan_options));
    ck_assert_msg(status == CLF_E_ARGUMENT || status == CLF_E_UNSUPPORTED, "an unknown variant gives %d", status);
}

/* Sizes that no device has, in every primitive and variant: refused, and at once. */
static const char *const sizes[] = {"group=0", "group=4294967295", "group=4294967295,items=4294967295", "group=65536",
                                    "group=0,local=32768", "items=0", "items=4294967295", "items=1025",
                                    "group=4294967295,local=32768", "local=4294967295", "streams=100000", "rows=0",
                                    "rows=1073741824", "groups=4294967295", "group=1"};

static clf_status plan_of(int primitive, const clf_plan_options *options, clf_error *error)
{
    static const clf_segmentation how = {sizeof how, CLF_BY_OFFSETS, CLF_UINT};
    static const clf_segmentation bits = {sizeof bits, CLF_BY_HEAD_BITS, CLF_CHAR};
    const clf_operator *op = clf_builtin(CLF_SUM, CLF_INT);
    clf_context *context = rig_context("cpu");
    clf_plan *plan = NULL;
    *error = (clf_error){.size = sizeof *error};
    const clf_status status = primitive == 0   ? clf_scan_plan(context, op, 0, options, &plan, error)
                              : primitive == 1 ? clf_segmented_scan_plan(context, op, 0, options, &plan, error)
                              : primitive == 2 ? clf_irregular_scan_plan(context, op, &how, 0, options, &plan, error)
                              : primitive == 3 ? clf_reduce_plan(context, op, 0, options, &plan, error)
                              : primitive == 4 ? clf_irregular_reduce_plan(context, op, &how, 0, options, &plan, error)
                              : primitive == 5 ? clf_irregular_reduce_plan(context, op, &bits, 0, options, &plan, error)
                                               : clf_transpose_plan(context, 2, options, &plan, error);
    if (status == CLF_SUCCESS)
        assert_ok(clf_plan_release(plan));
    return status;
}

TEST(sizes_that_no_device_has)
{
    static const char *const variants[][7] = {
        {"central", "window", "serial", "two_pass", "propagate", "one_group", NULL},
        {"large", "warp", "small", "sequential", NULL},
        {"shares", NULL},
        {"tile", "packed", "thin", "small", NULL}};
    static const int kinds[] = {0, 0, 0, 1, 2, 2, 3};
    for (const char *const *v = variants[kinds[_i]]; *v; ++v)
        for (size_t i = 0; i < COUNT(sizes); ++i) {
            const clf_plan_options options = {.size = sizeof options, .variant = *v, .parameters = sizes[i]};
            clf_error error;
            const clf_status status = plan_of(_i, &options, &error);
            ck_assert_msg(status == CLF_E_PARAMETER, "%s, %s: %d %s", *v, sizes[i], status, error.message);
            ck_assert_msg(strstr(error.message, "needs") || strstr(error.message, "takes no parameter"), "%s, %s: %s",
                          *v, sizes[i], error.message);
        }
}

RIG_SUITE_OF(api, NULL, (add_call_tests, add_refusal_tests, add_every_call_tests, add_parameter_tests),
             {statuses_have_texts, 1}, {context_arguments, 1}, {null_objects, 1}, {describe_profile, 1},
             {describe_fits, 1}, {describe_model, 1}, {operator_descriptors, 1}, {field_lists, 1},
             {operators_that_do_not_compile, 1}, {no_such_builtin, 1}, {plan_arguments, 1}, {plan_parameters, 1},
             {sizes_that_no_device_has, 7})

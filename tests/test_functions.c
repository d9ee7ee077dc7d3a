/* SPDX-License-Identifier: MIT */
/*
 * The functions of an operator: of a name that the source does not have, of a shape that is not theirs, of a name that
 * is not the caller's. The error says which field of clf_operator is wrong, and the source's own errors keep their
 * lines.
 */
#include "harness.h"

#include "primitives/primitives.h"

#include <stdio.h>
#include <string.h>

/* ---- Functions that are not what they should be ---------------------------------------------------------- */

#define ZERO "clf_value zero(void) { clf_value r = {0}; return r; }\n"
#define PLUS "clf_value plus(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
#define MAP(PARAMETERS) "clf_value map(" PARAMETERS ")\n{ x.v += c->w[0]; e->u = x.v; return x; }\n"
#define RIGHT "clf_input x, ulong i, const clf_captured *c, clf_extra *e"

static const struct {
    const char *source, *combine, *neutral, *map;
    const char *message; /* NULL: compiles */
} shapes[] = {
    {ZERO PLUS MAP(RIGHT), "plus", "zero", "map", NULL},
    {"static inline " ZERO "inline __attribute__((always_inline)) " PLUS MAP(RIGHT), "plus", "zero", "map", NULL},
    {ZERO PLUS MAP(RIGHT) "#define sum(a, b) plus(a, b)\n", "sum", "zero", "map", NULL},
    {ZERO "__attribute__((overloadable)) " PLUS MAP(RIGHT), "plus", "zero", "map", NULL},
    {ZERO PLUS MAP(RIGHT), "plsu", "zero", "map", "clf_operator.combine: the source has no function clf_value plsu("},
    {ZERO PLUS MAP(RIGHT), "plus", "nil", "map", "clf_operator.neutral: the source has no function clf_value nil("},
    {ZERO PLUS MAP(RIGHT), "plus", "zero", "mapp", "clf_operator.map: the source has no function clf_value mapp("},
    {ZERO PLUS MAP(RIGHT), "zero", "zero", "map", "clf_operator.combine: "},
    {ZERO PLUS MAP(RIGHT), "plus", "plus", "map", "clf_operator.neutral: "},
    {ZERO PLUS MAP("clf_input x, ulong i, clf_extra *e, const clf_captured *c"), "plus", "zero", "map",
     "clf_operator.map: the source has no function clf_value map(clf_input clf_x, ulong clf_i, "
     "const clf_captured *clf_c, clf_extra *clf_e)"},
    {ZERO PLUS MAP("clf_input x, const clf_captured *c, clf_extra *e, ulong i"), "plus", "zero", "map",
     "clf_operator.map: "},
    {ZERO PLUS MAP("clf_input x, uint i, const clf_captured *c, clf_extra *e"), "plus", "zero", "map",
     "clf_operator.map: "},
};

static clf_status compile(const clf_operator *op, clf_error *error)
{
    clf_plan *plan = NULL;
    *error = (clf_error){.size = sizeof *error};
    const clf_status status = clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, error);
    if (status == CLF_SUCCESS)
        assert_ok(clf_plan_release(plan));
    return status;
}

TEST(functions_of_all_shapes)
{
    clf_error error;
    const clf_operator op = {.size = sizeof op, .value = "int v;", .captured = "int w;", .extra = "int u;",
                             .source = shapes[_i].source, .combine = shapes[_i].combine,
                             .neutral = shapes[_i].neutral, .map = shapes[_i].map};
    const clf_status status = compile(&op, &error);
    ck_assert_msg(status == (shapes[_i].message ? CLF_E_OPERATOR : CLF_SUCCESS), "%d %s\n%s", status, error.message,
                  error.log);
    if (shapes[_i].message) {
        ck_assert_msg(strncmp(error.message, shapes[_i].message, strlen(shapes[_i].message)) == 0, "%s\n%s",
                      error.message, error.log);
        ck_assert_msg(strstr(error.log, "clf_operator."), "%s", error.log);
    }
}

/* Errors of the source itself are told by its lines, not by what follows from them. */
TEST(errors_of_the_source)
{
    static const char *const ends[] = {"#if 1\n", "clf_value open(void) {\n", "struct open {\n int a;\n", "nonsense"};
    clf_error error;
    clf_operator op = {.size = sizeof op, .value = "int v;", .combine = "plus", .neutral = "zero"};
    char source[512];
    snprintf(source, sizeof source, ZERO PLUS "%s", ends[_i]);
    op.source = source;
    assert_status(compile(&op, &error), CLF_E_OPERATOR);
    ck_assert_msg(!strstr(error.message, "clf_operator."), "%s", error.message);
    ck_assert_msg(strstr(error.log, "operator.cl:"), "%s", error.log);
}

/* Parts of a joined operator may be called what its own functions' variables are. */
TEST(parts_with_short_names)
{
    static const char *const short_names[] = {"a", "b", "x", "y", "v", "e", "c", "in", "index", "captured", "extra"};
    for (size_t i = 0; i + 2 < COUNT(short_names); ++i) {
        char source[1024];
        clf_error error = {.size = sizeof error};
        clf_operator op = {.size = sizeof op, .value = "int v;", .captured = "int w;", .extra = "int u;",
                           .source = source, .combine = short_names[i], .neutral = short_names[i + 1],
                           .map = short_names[i + 2]};
        const clf_operator *const list[] = {&op, clf_builtin(CLF_SUM, CLF_INT)};
        clf_operator *joined = NULL;
        snprintf(source, sizeof source,
                 "clf_value %s(void) { clf_value r = {0}; return r; }\n"
                 "clf_value %s(clf_value p, clf_value q) { p.v += q.v; return p; }\n"
                 "clf_value %s(clf_input p, ulong q, const clf_captured *r, clf_extra *s)\n"
                 "{ s->u = r->w[0]; return p; }\n",
                 op.neutral, op.combine, op.map);
        assert_ok(clf_operator_join(2, list, &joined, &error));
        const clf_status status = compile(joined, &error);
        ck_assert_msg(status == CLF_SUCCESS, "%s: %s\n%s", op.combine, error.message, error.log);
        assert_ok(clf_operator_release(joined));
    }
}

TEST(parts_of_wrong_shape)
{
    clf_error error;
    const clf_operator op = {.size = sizeof op, .value = "int v;", .captured = "int w;", .extra = "int u;",
                             .source = ZERO PLUS MAP("clf_input x, ulong i, clf_extra *e, const clf_captured *c"),
                             .combine = "plus", .neutral = "zero", .map = "map"};
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), &op};
    clf_operator *joined = NULL;
    assert_ok(clf_operator_join(2, list, &joined, NULL));
    assert_status(compile(joined, &error), CLF_E_OPERATOR);
    ck_assert_msg(strstr(error.log, "operator1.map"), "%s", error.log);
    assert_ok(clf_operator_release(joined));
}

/* ---- Names that are refused ------------------------------------------------------------------------------ */

TEST(names_that_are_ours)
{
    static const char *const bad[] = {"clf_combine", "clf_neutral", "clf_map", "clf_map_at", "clf_anything",
                                      "CLF_ANYTHING", "if", "return", "float4", "ulong", "__global", "1st", "a b", "",
                                      "true"};
    static const char *const fields[] = {"clf_operator.combine: ", "clf_operator.neutral: ", "clf_operator.map: "};
    for (size_t f = 0; f < COUNT(fields); ++f) {
        clf_operator op = {.size = sizeof op, .value = "int v;", .source = ZERO PLUS "", .combine = "plus",
                           .neutral = "zero"};
        const char **const given[] = {&op.combine, &op.neutral, &op.map};
        clf_error error;
        *given[f] = bad[_i];
        assert_status(compile(&op, &error), strncmp(bad[_i], "__", 2) == 0 ? CLF_E_OPERATOR : CLF_E_ARGUMENT);
        ck_assert_msg(strncmp(error.message, fields[f], strlen(fields[f])) == 0, "%s", error.message);
    }
}

TEST(fields_that_are_constants)
{
    static const char *const bad[] = {"true", "false", "NULL", "INFINITY", "M_PI", "INT_MAX"};
    for (size_t i = 0; i < COUNT(bad); ++i) {
        char value[64];
        clf_error error;
        const clf_operator op = {.size = sizeof op, .value = value, .source = ZERO PLUS, .combine = "plus",
                                 .neutral = "zero"};
        snprintf(value, sizeof value, "int v; int %s;", bad[i]);
        assert_status(compile(&op, &error), CLF_E_ARGUMENT);
    }
}

/* People debug by it; optimised, PoCL 3.1 never ends then. Printed or not, sums of runs and of bins are right. */
TEST(functions_that_print)
{
    enum { COUNT_OF_RUNS = 3, SIZE = 2000 };
    static const char source[] = ZERO
        "clf_value plus(clf_value a, clf_value b)\n"
        "{ if (a.v == 12345) printf(\"never\"); a.v += b.v; return a; }\n"
        "uint bin(clf_input x, ulong i) { return (uint)(i / 1000); }\n";
    static cl_int in[SIZE], keys[SIZE], sums[COUNT_OF_RUNS], bins[COUNT_OF_RUNS];
    clf_operator op = {.size = sizeof op, .value = "int v;", .source = source, .combine = "plus", .neutral = "zero"};
    const clf_segmentation by_keys = {.size = sizeof by_keys, .by = CLF_BY_KEYS, .type = CLF_INT};
    clf_plan *plan;
    for (int i = 0; i < SIZE; ++i) {
        in[i] = i % 5;
        keys[i] = i / 1000;
    }
    const clf_array from = {rig_buffer(sizeof in, in), 0}, key = {rig_buffer(sizeof keys, keys), 0},
                    to = {rig_buffer(sizeof sums, NULL), 0}, count = {rig_buffer(sizeof(cl_ulong), NULL), 0};
    assert_ok(clf_irregular_reduce_plan(rig_context(NULL), &op, &by_keys, 0, NULL, &plan, NULL));
    assert_ok(clf_irregular_reduce(plan, CLF_ON(the_rig()->queue), SIZE, COUNT_OF_RUNS, &key, &from, &to, &count));
    rig_read(the_rig()->queue, to.buffer, sizeof sums, sums);
    assert_ok(clf_plan_release(plan));
    op.part = "bin";
    assert_ok(clf_reduce_by_index_plan(rig_context(NULL), &op, 0, NULL, &plan, NULL));
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), SIZE, 2, &from, &to));
    rig_read(the_rig()->queue, to.buffer, sizeof bins, bins);
    assert_ok(clf_plan_release(plan));
    for (int i = 0; i < 2; ++i)
        ck_assert_msg(sums[i] == 2000 && bins[i] == 2000, "run %d: %d, bin %d", i, sums[i], bins[i]);
    rig_release(from, key, to, count);
}

/* Programs have the option if the operator has the flag, and joined operators have it if all of their parts do. */
TEST(denormals_as_zero)
{
    const clf_operator plain = {.size = sizeof plain, .value = "float v;", .source = ZERO PLUS, .combine = "plus",
                                .neutral = "zero"};
    cl_float x[] = {1, 2.5f, -4, 8};
    clf_operator op = plain, *joined;
    clf_error error;
    clf_text options = {0};
    op.flags = CLF_DENORMS_ARE_ZERO;
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, rig_context(NULL), _i ? &op : &plain, 0, NULL);
    const clf_array array = {rig_buffer(sizeof x, x), 0};
    clf_engine_options(&options, plan->engine[0]);
    ck_assert_msg(!strstr(options.data, " -cl-denorms-are-zero") == !_i, "%s", options.data);
    clf_text_free(&options);
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), COUNT(x), &array, &array));
    rig_read(the_rig()->queue, array.buffer, sizeof x, x);
    ck_assert(x[0] == 1 && x[1] == 3.5f && x[2] == -0.5f && x[3] == 7.5f);
    clReleaseMemObject(array.buffer);
    assert_ok(clf_plan_release(plan));
    assert_ok(clf_operator_join(2, (const clf_operator *[]){&op, _i ? &op : &plain}, &joined, NULL));
    ck_assert_uint_eq(joined->flags & CLF_DENORMS_ARE_ZERO, _i ? CLF_DENORMS_ARE_ZERO : 0);
    assert_ok(clf_operator_release(joined));
    op.flags = CLF_DENORMS_ARE_ZERO << 1;
    assert_status(compile(&op, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "the operator has unknown flags: 0x20");
}

RIG_PART(add_function_tests, {functions_that_print, 1}, {functions_of_all_shapes, COUNT(shapes)},
         {errors_of_the_source, 4}, {parts_with_short_names, 1}, {parts_of_wrong_shape, 1}, {names_that_are_ours, 15},
         {fields_that_are_constants, 1}, {denormals_as_zero, 2})

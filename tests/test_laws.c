/* SPDX-License-Identifier: MIT */
/*
 * clf_operator_check: operators that obey all laws are never refused; operators that break one are, and the sentence
 * has the smallest counterexample. test_laws_broken.c has these.
 */
#include "laws.h"

#include "explore/laws.h"

#include <stdio.h>

/* ---- Lawful operators ---------------------------------------------------------------------------------------- */

static void assert_lawful_of(const clf_operator *op, const clf_laws_options *options, const char *name)
{
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    const clf_status status = clf_operator_check(rig_context(NULL), op, options, &laws, &error);
    if (status == CLF_E_UNSUPPORTED)
        return;
    ck_assert_msg(status == CLF_SUCCESS, "%s: %s\n%s", name, error.message, error.log);
    ck_assert_uint_eq(laws.broken, 0);
    ck_assert_uint_gt(laws.cases, 0);
    ck_assert_uint_eq((laws.tried & CLF_LAW_COMMUTATIVE) != 0, (op->flags & CLF_COMMUTATIVE) != 0);
    ck_assert_uint_eq((laws.tried & CLF_LAW_PURE) != 0, op->map != NULL);
}

void assert_lawful(const clf_operator *op, const char *name)
{
    const clf_laws_options few = {.size = sizeof few, .values = 32};
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_check(rig_context(NULL), op, &few, NULL, &error);
    ck_assert_msg(status == CLF_SUCCESS || status == CLF_E_UNSUPPORTED, "%s: %s", name, error.message);
}

TEST(built_in)
{
    const clf_laws_options few = {.size = sizeof few, .values = 40, .seed = the_rig()->seed};
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const clf_operator *const builtin = clf_builtin((clf_op)op, (clf_type)_i);
        if (builtin)
            assert_lawful_of(builtin, clf_type_size((clf_type)_i) == 1 ? NULL : &few, clf_op_name((clf_op)op));
    }
}

/* Elements as the operator's tests have them. */
enum { SAMPLES = 200 };
typedef struct samples {
    unsigned char *data[CLF_MAX_FIELDS];
    clf_laws_options options;
} samples;

static void open_samples(samples *s, const ref_operator *op)
{
    gen random = gen_seed(the_rig()->seed, 3);
    for (size_t f = 0; f < op->input.count; ++f)
        ck_assert((s->data[f] = malloc(SAMPLES * op->input.field[f].bytes)));
    for (size_t i = 0; i < SAMPLES; ++i) {
        ref_element element;
        op->generate(&random, i, &element);
        for (size_t f = 0; f < op->input.count; ++f)
            memcpy(s->data[f] + i * op->input.field[f].bytes, element.bytes + op->input.field[f].offset,
                   op->input.field[f].bytes);
    }
    s->options = (clf_laws_options){.size = sizeof s->options, .values = 64, .count = SAMPLES,
                                    .elements = (const void *const *)s->data};
}

static void close_samples(samples *s, const ref_operator *op)
{
    for (size_t f = 0; f < op->input.count; ++f)
        free(s->data[f]);
}

/* Whose elements are not all tuples of numbers: the others take any. */
static bool is_of_some(int which)
{
    return which == REF_FIRST || which == REF_LAST;
}

TEST(of_users)
{
    const ref_operator *const op = ref_user(_i);
    const clf_laws_options few = {.size = sizeof few, .values = 64, .seed = the_rig()->seed};
    samples s;
    if (ref_combine_captures(ref_clf(op)))
        return;
    open_samples(&s, op);
    assert_lawful_of(ref_clf(op), &s.options, op->name);
    close_samples(&s, op);
    if (!is_of_some(_i))
        assert_lawful_of(ref_clf(op), &few, op->name);
}

TEST(joined)
{
    const clf_laws_options few = {.size = sizeof few, .values = 48, .seed = the_rig()->seed};
    assert_lawful_of(ref_clf(ref_join(_i)), &few, ref_join(_i)->name);
}

/* Functions that combine no values are no matter. */
TEST(of_reductions_by_key)
{
    const ref_by_key *const op = ref_by_key_of(_i);
    if (_i != REF_BY_KEY_FIRST && _i != REF_BY_KEY_LAST && !ref_combine_captures(op->clf))
        assert_lawful(op->clf, op->name);
}

/* A maximum subsequence sum holds for what its map makes, and not for all of four numbers. */
#define MSS_COMBINE                                                                                        \
    "clf_value neutral(void) { clf_value e = {0, 0, 0, 0}; return e; }\n"                                  \
    "clf_value combine(clf_value x, clf_value y)\n"                                                        \
    "{ clf_value r = {max(max(x.best, y.best), x.suffix + y.prefix), max(x.prefix, x.total + y.prefix),\n" \
    "                 max(y.suffix, x.suffix + y.total), x.total + y.total}; return r; }\n"

TEST(values_of_the_map)
{
    clf_operator op = {.size = sizeof op, .value = "int best; int prefix; int suffix; int total;", .input = "int x;",
                       .combine = "combine", .neutral = "neutral", .map = "map", .source = MSS_COMBINE
                       "clf_value map(clf_input x, ulong i)\n"
                       "{ int m = max(x.x, 0); clf_value v = {m, m, m, x.x}; return v; }\n"};
    assert_lawful_of(&op, NULL, "mss");
    op.input = op.map = NULL;
    op.source = MSS_COMBINE;
    assert_broken(
        &op, NULL, CLF_LAW_NEUTRAL_LEFT | CLF_LAW_NEUTRAL_RIGHT,
        "neutral is not neutral on the left: it is {best 0, prefix 0, suffix 0, total 0}, and combine(neutral, "
        "{best 0, prefix 1, suffix 0, total 0}) is {best 1, prefix 1, suffix 0, total 0}");
}

/* ---- Options --------------------------------------------------------------------------------------------------- */

/* What is associative among numbers, and what is among small ones. */
TEST(plain_and_extreme)
{
    const clf_laws_options plain = {.size = sizeof plain, .flags = CLF_LAWS_PLAIN, .values = 40};
    const clf_laws_options extreme = {.size = sizeof extreme, .flags = CLF_LAWS_EXTREME, .values = 40};
    const clf_operator larger = OPERATOR("float v;", NEUTRAL("-INFINITY") COMBINE("x.v > y.v ? x.v : y.v"));
    const clf_operator saturated = OPERATOR("int v;", NEUTRAL("0") COMBINE("add_sat(x.v, y.v)"));
    const clf_operator both = OPERATOR("int v; int w;", NEUTRAL("0, 0") COMBINE("x.v + y.v, add_sat(x.w, y.w)"));
    assert_lawful_of(&larger, &plain, "larger");
    assert_lawful_of(&saturated, &plain, "saturated");
    assert_lawful_of(&both, NULL, "both");
    ck_assert_int_eq(clf_operator_check(rig_context(NULL), &larger, NULL, NULL, NULL), CLF_E_LAW);
    ck_assert_int_eq(clf_operator_check(rig_context(NULL), &both, &extreme, NULL, NULL), CLF_E_LAW);
}

/* The same seed tries the same, and what is found does not depend on who was first. */
TEST(same_every_time)
{
    const clf_operator op = OPERATOR("uint v;", NEUTRAL("0") COMBINE("x.v + y.v + (x.v > 3000u)"));
    clf_error error[2] = {{.size = sizeof error[0]}, {.size = sizeof error[0]}};
    for (int k = 0; k < 2; ++k)
        ck_assert_int_eq(clf_operator_check(rig_context(NULL), &op, NULL, NULL, &error[k]), CLF_E_LAW);
    ck_assert_str_eq(error[0].message, error[1].message);
}

/* What leaves the numbers on the way is excused: an overflow, an infinity less another. */
TEST(overflow)
{
    const clf_laws_options extreme = {.size = sizeof extreme, .flags = CLF_LAWS_EXTREME, .values = 40};
    const clf_operator length = OPERATOR(
        "float v;",
        NEUTRAL("0") COMBINE("hypot(x.v, y.v)") "clf_value map(clf_input x, ulong i) { x.v = fabs(x.v); return x; }\n",
        .map = "map");
    const clf_operator product = OPERATOR("float v;", NEUTRAL("1") COMBINE("x.v * y.v"), .flags = CLF_COMMUTATIVE);
    assert_lawful_of(&length, &extreme, "length");
    assert_lawful_of(&product, NULL, "product");
}

/* Of elements that are given no other is tried. */
TEST(elements_of_the_caller)
{
    const cl_int small[] = {1, 2, 3}, large[] = {5, 77, 4};
    const void *const few[] = {small}, *const more[] = {large};
    const clf_operator op = OPERATOR("int v;", NEUTRAL("0") COMBINE("x.v == 77 ? 3 : x.v + y.v"));
    clf_laws_options options = {.size = sizeof options, .count = 3, .elements = few, .values = 10};
    assert_lawful_of(&op, &options, "seldom wrong");
    options.elements = more;
    assert_broken(&op, &options, CLF_LAW_ASSOCIATIVE | CLF_LAW_NEUTRAL_RIGHT,
                  "combine is not associative: combine(77, combine(5, 5)) is 3, combine(combine(77, 5), 5) is 8");
}

/* A map that reads arrays is not called, and values are tuples of numbers then. */
TEST(captured_arrays)
{
    const clf_operator op = OPERATOR(
        "int v;", NEUTRAL("0") COMBINE("x.v + y.v") "clf_value map(clf_input x, ulong i, const clf_captured *c)\n"
                                                    "{ clf_value v = {c->table[i]}; return v; }\n",
        .input = "int x; float y;", .captured = "int table;", .map = "map");
    clf_laws laws = {.size = sizeof laws};
    assert_ok(clf_operator_check(rig_context(NULL), &op, NULL, &laws, NULL));
    ck_assert_uint_eq(laws.tried, CLF_LAW_ASSOCIATIVE | CLF_LAW_NEUTRAL_LEFT | CLF_LAW_NEUTRAL_RIGHT);
}

/* The message is cut, the log is not. */
TEST(long_sentences)
{
    const clf_operator op = OPERATOR("double16 one; double16 two;",
                                     NEUTRAL("(double16)(0), (double16)(0)") COMBINE("x.one - y.one, x.two + y.two"));
    const clf_laws_options few = {.size = sizeof few, .values = 8};
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_check(rig_context(NULL), &op, &few, NULL, &error);
    if (status == CLF_E_UNSUPPORTED)
        return;
    ck_assert_int_eq(status, CLF_E_LAW);
    ck_assert_int_eq(strncmp(error.log, error.message, sizeof error.message - 1), 0);
    ck_assert_uint_gt(strlen(error.log), sizeof error.message);
    ck_assert(strstr(error.log, "(0, 0, 0"));
}

/* Where no device has halves: what is tried of them, and in which words. */
TEST(halves)
{
    clf_operator_copy op;
    clf_candidates c;
    clf_text text = {0};
    const clf_laws_options options = {.size = sizeof options, .values = 30};
    assert_ok(clf_operator_take(clf_builtin(CLF_SUM, CLF_HALF), CLF_FUNCTION_COMBINE, &op, NULL));
    assert_ok(clf_candidates_open(&c, &op, &options, NULL));
    clf_broken_case broken = {.law = CLF_LAW_ASSOCIATIVE, .op = &op, .candidates = &c};
    for (cl_uint rank = 0; rank < 4 * CLF_SHOWN; rank += CLF_SHOWN) {
        broken.value[0] = c.data[0] + rank * sizeof(cl_half);
        clf_broken_case_write(&text, &broken);
        clf_text_format(&text, "\n");
    }
    ck_assert_str_eq(text.data,
                     "combine is not associative: combine(0, combine(1, -1)) is 2, combine(combine(0, 1), -1) is -2\n"
                     "combine is not associative: combine(-0.5, combine(3, -3)) is 4, combine(combine(-0.5, 3), -3) is "
                     "-4\n"
                     "combine is not associative: combine(5, combine(-7, 10)) is -16, combine(combine(5, -7), 10) is "
                     "100\n"
                     "combine is not associative: combine(-65504, combine(6.1035e-05, -0)) is infinity, "
                     "combine(combine(-65504, 6.1035e-05), -0) is -infinity\n");
    clf_text_free(&text);
    clf_candidates_close(&c);
    clf_operator_free(&op);
}

/* ---- Bad arguments --------------------------------------------------------------------------------------------- */

static void refuse(const clf_operator *op, const clf_laws_options *options, const char *message)
{
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    assert_status(clf_operator_check(rig_context(NULL), op, options, &laws, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, message);
    ck_assert_int_eq(error.status, CLF_E_ARGUMENT);
    assert_status(clf_operator_check(rig_context(NULL), op, options, NULL, NULL), CLF_E_ARGUMENT);
}

static void refuse_size(const clf_operator *op, const clf_laws_options *options, const char *what, size_t size)
{
    char message[80];
    snprintf(message, sizeof message, "%s.size is 3, not %zu", what, size);
    refuse(op, options, message);
}

#define REFUSED(MESSAGE, ...) \
    refuse(clf_builtin(CLF_SUM, CLF_INT), &(clf_laws_options){.size = sizeof(clf_laws_options), __VA_ARGS__}, MESSAGE)

TEST(bad_arguments)
{
    const cl_int one = 1;
    const void *const list[] = {&one}, *const nothing[] = {NULL};
    clf_operator op = *clf_builtin(CLF_SUM, CLF_INT);
    REFUSED("clf_laws_options.flags has unknown flags: 0x4", .flags = 4);
    REFUSED("clf_laws_options.flags: plain and extreme numbers exclude each other", .flags = 3);
    REFUSED("clf_laws_options.values is 7: needs 8 to 1024, or 0", .values = 7);
    REFUSED("clf_laws_options.values is 1025: needs 8 to 1024, or 0", .values = 1025);
    REFUSED("clf_laws_options.elements and .count go together", .count = 1);
    REFUSED("clf_laws_options.elements and .count go together", .elements = list);
    REFUSED("clf_laws_options.elements[0], of field 'v', is NULL", .count = 1, .elements = nothing);
    refuse_size(&op, &(clf_laws_options){.size = 3}, "clf_laws_options", sizeof(clf_laws_options));
    refuse(NULL, NULL, "the operator is NULL");
    op.combine = NULL;
    refuse(&op, NULL, "the operator has no function that obeys laws, such as combine or less");
    op.size = 3;
    refuse_size(&op, NULL, "clf_operator", sizeof op);
}

TEST(bad_structs)
{
    const clf_operator *const sum = clf_builtin(CLF_SUM, CLF_INT);
    clf_error error = {.size = sizeof error}, unknown = {.size = 1};
    clf_laws laws = {.size = 1};
    assert_status(clf_operator_check(NULL, sum, NULL, NULL, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "context must not be NULL");
    assert_status(clf_operator_check(rig_context(NULL), sum, NULL, &laws, &error), CLF_E_ARGUMENT);
    ck_assert(strstr(error.message, "clf_laws.size is 1, not"));
    assert_status(clf_operator_check(rig_context(NULL), sum, NULL, NULL, &unknown), CLF_E_ARGUMENT);
}

TEST(does_not_compile)
{
    const clf_operator op =
        OPERATOR("int v;", NEUTRAL("0") "clf_value combine(int x) { clf_value r = {x}; return r; }");
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    assert_status(clf_operator_check(rig_context(NULL), &op, NULL, &laws, &error), CLF_E_OPERATOR);
    ck_assert(strstr(error.message, "combine"));
    ck_assert_uint_eq(laws.broken, 0);
}

RIG_SUITE_OF(laws, NULL, (add_broken_law_tests, add_function_law_tests, add_captured_law_tests),
             {built_in, CLF_TYPE_COUNT}, {of_users, REF_USER_COUNT}, {joined, REF_JOIN_COUNT},
             {of_reductions_by_key, REF_BY_KEY_COUNT}, {values_of_the_map, 1}, {plain_and_extreme, 1},
             {same_every_time, 1}, {overflow, 1}, {elements_of_the_caller, 1}, {captured_arrays, 1},
             {long_sentences, 1}, {halves, 1}, {bad_arguments, 1}, {bad_structs, 1}, {does_not_compile, 1})

/* SPDX-License-Identifier: MIT */
/*
 * Laws of functions that combine nothing: every operator of the tests passes, and broken ones have the smallest
 * counterexample. Part of suite laws.
 */
#include "laws.h"

#include "finish.h"
#include "ref_index.h"

enum { PURE = CLF_LAW_PURE, INDEX = CLF_LAW_NO_INDEX, IRREFLEXIVE = CLF_LAW_IRREFLEXIVE,
       ASYMMETRIC = CLF_LAW_ASYMMETRIC, TRANSITIVE = CLF_LAW_TRANSITIVE, EQUIVALENCE = CLF_LAW_EQUIVALENCE,
       ORDER = IRREFLEXIVE | ASYMMETRIC | TRANSITIVE | EQUIVALENCE };

/* ---- Lawful operators ------------------------------------------------------------------------------------------ */

/* `tried`: at least this. What combine does to elements that no call has is no matter. */
static void assert_pure(const clf_operator *op, unsigned tried, const char *name)
{
    const clf_laws_options few = {.size = sizeof few, .values = 48, .seed = the_rig()->seed};
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    const clf_status status = clf_operator_check(rig_context(NULL), op, &few, &laws, &error);
    if (status == CLF_E_UNSUPPORTED)
        return;
    if (op->captured && (!op->combine || ref_combine_captures(op))) {
        ck_assert_msg(status == CLF_E_ARGUMENT && strstr(error.message, "clf_operator.captured: nobody knows"),
                      "%s: %s", name, error.message);
        return;
    }
    ck_assert_msg(status == CLF_SUCCESS || status == CLF_E_LAW, "%s: %s\n%s", name, error.message, error.log);
    ck_assert_msg(!(laws.broken & (PURE | INDEX | ORDER)), "%s: %s", name, error.message);
    ck_assert_msg(op->combine || status == CLF_SUCCESS, "%s: %s", name, error.message);
    ck_assert_msg(op->captured || (laws.tried & tried) == tried, "%s: tried 0x%x", name, laws.tried);
}

static unsigned with_index(const clf_operator *op)
{
    return PURE | (op->flags & CLF_NO_INDEX ? INDEX : 0u);
}

TEST(lawful)
{
    for (int i = 0; i < REF_FILTER_COUNT; ++i)
        assert_pure(ref_filter_of(i)->clf, PURE, "a filter");
    for (int i = 0; i < REF_SPLIT_COUNT; ++i)
        assert_pure(ref_split_of(i)->clf, with_index(ref_split_of(i)->clf), ref_split_of(i)->name);
    for (int i = 0; i < REF_ORDER_COUNT; ++i)
        assert_pure(ref_order_of(i)->clf, PURE | ORDER, ref_order_of(i)->name);
    for (int i = 0; i < REF_BY_KEY_COUNT; ++i)
        assert_pure(ref_by_key_of(i)->clf, PURE, ref_by_key_of(i)->name);
    for (int i = 0; i < REF_SORT_COUNT; ++i)
        if (ref_sort_of(i)->clf->key)
            assert_pure(ref_sort_of(i)->clf, PURE, ref_sort_of(i)->name);
    for (int i = 0; i < REF_INDEX_COUNT; ++i)
        assert_pure(ref_index_of(i)->clf, ref_index_of(i)->clf->part ? with_index(ref_index_of(i)->clf) : 0, "a bin");
    ref_index_close();
    for (int i = 0; i < FINISH_OPERATORS; ++i) {
        assert_pure(finish_operators[i].scan, PURE, finish_operators[i].name);
        assert_pure(finish_operators[i].reduction, PURE, finish_operators[i].name);
    }
}

/* Neighbours are asked alone, so runs may rise. NaNs do no harm to an order that says where they go. */
TEST(what_is_no_law)
{
    const clf_laws_options plain = {.size = sizeof plain, .flags = CLF_LAWS_PLAIN};
    const clf_operator rising = {.size = sizeof rising, .value = "float v;", .same = "f",
                                 .source = "bool f(clf_input a, clf_input b) { return a.v <= b.v; }"};
    const clf_operator last = {.size = sizeof last, .value = "float v;", .less = "f",
                               .source = "bool f(clf_input a, clf_input b)\n"
                                         "{ return a.v < b.v || (isnan(b.v) && !isnan(a.v)); }"};
    const clf_operator plain_less = {.size = sizeof plain_less, .value = "float v;", .less = "f",
                                     .source = "bool f(clf_input a, clf_input b) { return a.v < b.v; }"};
    assert_pure(&rising, PURE, "rising");
    assert_ok(clf_operator_check(rig_context(NULL), &last, NULL, NULL, NULL));
    assert_ok(clf_operator_check(rig_context(NULL), &plain_less, &plain, NULL, NULL));
}

/* The number of the segment goes with the index: so no other index is tried. */
TEST(numbers_of_segments)
{
    const clf_operator op = {.size = sizeof op, .value = "uint v;", .result = "uint w;", .combine = "clf_sum",
                             .map = "m", .finish = "f",
                             .flags = CLF_COMMUTATIVE | CLF_NO_INDEX | CLF_WITH_SEGMENT,
                             .source = "clf_value m(clf_input x, ulong i, ulong s) { x.v += (uint)s; return x; }\n"
                                       "clf_result f(clf_value a, clf_value b, clf_input x, ulong i, ulong s)\n"
                                       "{ clf_result r = {a.v - b.v * (uint)s}; return r; }"};
    clf_laws laws = {.size = sizeof laws};
    clf_error error = {.size = sizeof error};
    const clf_status status = clf_operator_check(rig_context(NULL), &op, NULL, &laws, &error);
    ck_assert_msg(status == CLF_SUCCESS, "%s\n%s", error.message, error.log);
    ck_assert_uint_eq(laws.tried & (PURE | INDEX), PURE);
}

/* ---- Broken ones ----------------------------------------------------------------------------------------------- */

#define OF(FIELDS, FUNCTION, ...) \
    {.size = sizeof(clf_operator), .value = FIELDS, .FUNCTION = "f", .source = __VA_ARGS__}
#define LESS(TEXT) "bool f(clf_input a, clf_input b) { return " TEXT "; }"
#define SOME(TYPE, TEXT) TYPE " f(clf_input x, ulong i) { return " TEXT "; }"
#define SUM \
    "clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }\n" \
    "clf_value none(void) { clf_value v = {0}; return v; }\n"
#define FINISHED(PARAMETERS, TEXT) \
    OF("int v;", finish, SUM "clf_result f(" PARAMETERS ", ulong i) { clf_result r = {" TEXT "}; return r; }", \
       .combine = "add", .neutral = "none", .result = "int w;")

static const struct {
    clf_operator op;
    unsigned broken;
    const char *sentence;
} operators[] = {
    /* orders that are none */
    {OF("int v;", less, LESS("a.v <= b.v")), IRREFLEXIVE, "less is not irreflexive: less(0, 0) is true"},
    {OF("uchar v;", less, LESS("a.v >= b.v")), IRREFLEXIVE, "less is not irreflexive: less(0, 0) is true"},
    {OF("float v;", less, LESS("a.v < b.v")), EQUIVALENCE,
     "less is no weak order: neither of 0 and NaN comes before the other, nor of NaN and 1, but less(0, 1) is true"},
    {OF("int v;", less, LESS("a.v != b.v")), ASYMMETRIC, "less is not asymmetric: less(0, 1) and less(1, 0) are true"},
    {OF("uint v;", less, LESS("(a.v % 3 + 1) % 3 == b.v % 3")), TRANSITIVE,
     "less is not transitive: less(0, 1) and less(1, 2) are true, less(0, 2) is false"},
    {OF("int v;", less, LESS("(long)a.v + 1 < b.v"), .flags = CLF_NO_INDEX), EQUIVALENCE,
     "less is no weak order: neither of -1 and 0 comes before the other, nor of 0 and 1, but less(-1, 1) is true"},
    {OF("float x; float y;", less, LESS("a.x < b.x && a.y < b.y")), EQUIVALENCE,
     "less is no weak order: neither of {x 0, y 0} and {x 1, y 0} comes before the other, nor of {x 1, y 0} and {x 1, "
     "y 1}, but less({x 0, y 0}, {x 1, y 1}) is true"},
    {OF("int x; int y;", less, LESS("a.x < b.x || a.y < b.y")), ASYMMETRIC | TRANSITIVE,
     "less is not asymmetric: less({x 1, y 0}, {x 0, y 1}) and less({x 0, y 1}, {x 1, y 0}) are true"},
    {OF("char v;", less, LESS("(char)(a.v - b.v) < 0")), ASYMMETRIC | TRANSITIVE,
     "less is not asymmetric: less(64, -64) and less(-64, 64) are true"},
    {OF("short v;", less, LESS("a.v < b.v && a.v + b.v != 3")), TRANSITIVE,
     "less is not transitive: less(0, 1) and less(1, 3) are true, less(0, 3) is false"},
    /* what depends on more than elements */
    {OF("int v;", less, LESS("a.v + (int)get_global_id(0) < b.v")), PURE,
     "less is not pure: less(-100, 0) was true, and then false"},
    {OF("int v;", same, LESS("a.v == b.v && get_global_id(0) % 2")), PURE,
     "same is not pure: same(0, 0) was false, and then true"},
    {OF("int v;", predicate, SOME("bool", "x.v > (int)get_global_id(0)")), PURE,
     "predicate is not pure: predicate(100, 25) was true, and then false"},
    {OF("int v;", predicate, SOME("bool", "i % 2"), .flags = CLF_NO_INDEX), INDEX,
     "predicate depends on its index: predicate(1, 1) is true, predicate(1, 0) is false"},
    {OF("int v;", predicate, SOME("bool", "x.v > 3 && i >> 40"), .flags = CLF_NO_INDEX), INDEX,
     "predicate depends on its index: predicate(4, 7) is false, predicate(4, 1202590842880) is true"},
    {OF("uint v;", part, SOME("uint", "x.v + (uint)get_global_id(0) % 2")), PURE,
     "part is not pure: part(0, 0) was 0, and then 1"},
    {OF("uint v;", part, SOME("uint", "x.v + (uint)i % 2"), .flags = CLF_NO_INDEX), INDEX,
     "part depends on its index: part(1, 1) is 2, part(1, 0) is 1"},
    {{.size = sizeof(clf_operator), .value = "int v; uint at;", .key = "float f",
      .source = "float f(clf_value a) { return a.v + 0.5f * get_global_id(0); }"}, PURE,
     "key is not pure: key({v 0, at 0}) was 0, and then 31.5"},
    {{.size = sizeof(clf_operator), .value = "int v;", .input = "int x;", .key = "short f", .map = "m",
      .source = "clf_value m(clf_input x, ulong i) { clf_value v = {x.x + (int)get_local_id(0)}; return v; }\n"
                "short f(clf_value a) { return (short)a.v; }"}, PURE,
     "map is not pure: map(0, 0) was 0, and then 63"},
    {OF("int v;", map, "clf_value f(clf_input x, ulong i) { x.v += (int)get_local_id(0); return x; }"), PURE,
     "map is not pure: map(0, 0) was 0, and then 63"},
    {FINISHED("clf_value a", "a.v + (int)get_global_id(0)"), PURE,
     "finish is not pure: finish(0, 0) was 0, and then 127"},
    {FINISHED("clf_value a, clf_value before, clf_input x", "a.v - before.v + (int)get_global_id(0) % 2"), PURE,
     "finish is not pure: finish(0, 1, 0, 0) was -1, and then 0"},
};

TEST(broken)
{
    assert_broken(&operators[_i].op, NULL, operators[_i].broken, operators[_i].sentence);
}

TEST(nothing_to_try)
{
    clf_error error = {.size = sizeof error};
    const clf_operator none = {.size = sizeof none, .value = "int v;"};
    assert_status(clf_operator_check(rig_context(NULL), &none, NULL, NULL, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "the operator has no function that obeys laws, such as combine or less");
    const clf_operator wrong = OF("int v;", less, "bool f(clf_input a) { return a.v; }");
    assert_status(clf_operator_check(rig_context(NULL), &wrong, NULL, NULL, &error), CLF_E_OPERATOR);
    ck_assert_msg(strstr(error.message, "clf_operator.less"), "%s", error.message);
}

RIG_PART(add_function_law_tests, {lawful, 1}, {what_is_no_law, 1}, {numbers_of_segments, 1}, {nothing_to_try, 1},
         {broken, COUNT(operators)})

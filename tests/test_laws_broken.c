/* SPDX-License-Identifier: MIT */
/*
 * Operators that break a law, and the smallest counterexample of each. Part of suite laws.
 */
#include "laws.h"

enum { MAP = CLF_LAW_PURE, INDEX = CLF_LAW_NO_INDEX, LEFT = CLF_LAW_NEUTRAL_LEFT, RIGHT = CLF_LAW_NEUTRAL_RIGHT,
       ASSOCIATIVE = CLF_LAW_ASSOCIATIVE, COMMUTATIVE = CLF_LAW_COMMUTATIVE, SIDES = LEFT | RIGHT };

void assert_broken(const clf_operator *op, const clf_laws_options *options, unsigned broken, const char *sentence)
{
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    const clf_status status = clf_operator_check(rig_context(NULL), op, options, &laws, &error);
    if (status == CLF_E_UNSUPPORTED)
        return;
    ck_assert_msg(status == CLF_E_LAW, "status %d, not of \"%s\"\n%s", status, sentence, error.log);
    ck_assert_str_eq(*error.log ? error.log : error.message, sentence);
    ck_assert_uint_eq(laws.broken, broken);
}

#define MAPPED(VALUES) "clf_value map(clf_input x, ulong i) { clf_value r = {" VALUES "}; return r; }\n"
#define ADDED NEUTRAL("0") COMBINE("x.v + y.v")

static const struct {
    clf_operator op;
    unsigned broken;
    const char *sentence;
} operators[] = {
    /* subtraction, and others that are no folds */
    {OPERATOR("int v;", NEUTRAL("0") COMBINE("x.v - y.v")), ASSOCIATIVE | LEFT,
     "combine is not associative: combine(0, combine(0, 1)) is 1, combine(combine(0, 0), 1) is -1"},
    {OPERATOR("char v;", NEUTRAL("0") COMBINE("x.v - y.v")), ASSOCIATIVE | LEFT,
     "combine is not associative: combine(0, combine(0, 1)) is 1, combine(combine(0, 0), 1) is -1"},
    {OPERATOR("float v;", NEUTRAL("0") COMBINE("(x.v + y.v) / 2")), ASSOCIATIVE | SIDES,
     "combine is not associative: combine(1, combine(0, 0)) is 0.5, combine(combine(1, 0), 0) is 0.25"},
    {OPERATOR("uint v;", NEUTRAL("0") COMBINE("y.v ? x.v / y.v : x.v")), ASSOCIATIVE | LEFT,
     "combine is not associative: combine(1, combine(0, 2)) is 1, combine(combine(1, 0), 2) is 0"},
    {OPERATOR("double v;", NEUTRAL("0") COMBINE("x.v + 2 * y.v")), ASSOCIATIVE | LEFT,
     "combine is not associative: combine(0, combine(0, 1)) is 4, combine(combine(0, 0), 1) is 2"},
    {OPERATOR("short v;", NEUTRAL("0") COMBINE("abs_diff(x.v, y.v)")), ASSOCIATIVE | SIDES,
     "combine is not associative: combine(1, combine(-1, 0)) is 0, combine(combine(1, -1), 0) is 2"},
    {OPERATOR("float2 v;", NEUTRAL("(float2)(0, 0)") COMBINE("(float2)(x.v.x + y.v.x, x.v.y - y.v.y)")),
     ASSOCIATIVE | LEFT,
     "combine is not associative: combine((0, 0), combine((0, 0), (1, 1))) is (1, 1), combine(combine((0, 0), (0, "
     "0)), (1, 1)) is (1, -1)"},
    /* at the ends of a type */
    {OPERATOR("int v;", NEUTRAL("0") COMBINE("add_sat(x.v, y.v)")), ASSOCIATIVE,
     "combine is not associative: combine(-1, combine(2147483647, 1)) is 2147483646, combine(combine(-1, "
     "2147483647), 1) is 2147483647"},
    {OPERATOR("uchar v;", NEUTRAL("1") COMBINE("min((uint)x.v * y.v, 255u) & 254")), ASSOCIATIVE | SIDES,
     "combine is not associative: combine(2, combine(1, 1)) is 0, combine(combine(2, 1), 1) is 2"},
    {OPERATOR("long v;", NEUTRAL("LONG_MAX") COMBINE("x.v == LONG_MIN ? y.v : min(x.v, y.v)")), ASSOCIATIVE | RIGHT,
     "combine is not associative: combine(0, combine(-9223372036854775808, 1)) is 0, combine(combine(0, "
     "-9223372036854775808), 1) is 1"},
    {OPERATOR("float v;", NEUTRAL("-INFINITY") COMBINE("x.v > y.v ? x.v : y.v")), ASSOCIATIVE | RIGHT,
     "combine is not associative: combine(1, combine(NaN, 0)) is 1, combine(combine(1, NaN), 0) is 0"},
    {OPERATOR("ulong v;", NEUTRAL("0") COMBINE("(x.v + y.v) % 1000003")), ASSOCIATIVE | SIDES,
     "combine is not associative: combine(1, combine(18446744073709551615, 0)) is 350687, combine(combine(1, "
     "18446744073709551615), 0) is 0"},
    /* neutral elements: of another operator, on one side only */
    {OPERATOR("float v;", NEUTRAL("0") COMBINE("fmax(x.v, y.v)")), SIDES,
     "neutral is not neutral on the left: it is 0, and combine(neutral, -1) is 0"},
    {OPERATOR("float v;", NEUTRAL("INFINITY") COMBINE("fmin(x.v, y.v)")), SIDES,
     "neutral is not neutral on the left: it is infinity, and combine(neutral, NaN) is infinity"},
    {OPERATOR("int v;", NEUTRAL("1") COMBINE("x.v + y.v")), SIDES,
     "neutral is not neutral on the left: it is 1, and combine(neutral, 0) is 1"},
    {OPERATOR("int v;", NEUTRAL("0") COMBINE("y.v")), RIGHT,
     "neutral is not neutral on the right: it is 0, and combine(1, neutral) is 0"},
    {OPERATOR("int v;", NEUTRAL("7") COMBINE("x.v")), LEFT,
     "neutral is not neutral on the left: it is 7, and combine(neutral, 0) is 7"},
    {OPERATOR("float v;", NEUTRAL("INFINITY") COMBINE("x.v * y.v")), SIDES,
     "neutral is not neutral on the left: it is infinity, and combine(neutral, 0) is NaN"},
    {OPERATOR("float v;", NEUTRAL("-INFINITY") COMBINE("fmax(x.v, y.v) + log(exp(x.v - fmax(x.v, y.v)) + exp(y.v - "
                                                       "fmax(x.v, y.v)))"), .flags = CLF_COMMUTATIVE),
     SIDES, "neutral is not neutral on the left: it is -infinity, and combine(neutral, -infinity) is NaN"},
    /* promises */
    {OPERATOR("int v;", NEUTRAL("0") COMBINE("x.v ? x.v : y.v"), .flags = CLF_COMMUTATIVE), COMMUTATIVE,
     "combine is not commutative: combine(-1, 1) is -1, combine(1, -1) is 1"},
    {OPERATOR("uint scale; uint shift;", NEUTRAL("1, 0") COMBINE("x.scale * y.scale, x.shift * y.scale + y.shift"),
              .flags = CLF_COMMUTATIVE), COMMUTATIVE,
     "combine is not commutative: combine({scale 1, shift 1}, {scale 0, shift 0}) is {scale 0, shift 0}, "
     "combine({scale 0, shift 0}, {scale 1, shift 1}) is {scale 0, shift 1}"},
    {OPERATOR("int v;", ADDED MAPPED("x.v + (int)i"), .map = "map", .flags = CLF_NO_INDEX), INDEX,
     "map depends on its index: map(1, 1) is 2, map(1, 0) is 1"},
    {OPERATOR("int v;", ADDED MAPPED("x.v + (i >> 40 != 0)"), .map = "map", .flags = CLF_NO_INDEX), INDEX,
     "map depends on its index: map(0, 0) is 0, map(0, 1202590842880) is 1"},
    {OPERATOR("int v;", ADDED MAPPED("x.v + (int)get_global_id(0)"), .map = "map"), MAP,
     "map is not pure: map(0, 0) was 0, and then 63"},
    /* only of values that combine makes */
    {OPERATOR("int v;", NEUTRAL("0") COMBINE("x.v == 6 && y.v ? 9 : x.v + y.v") MAPPED("1"), .map = "map"),
     ASSOCIATIVE,
     "combine is not associative: combine(4, combine(2, 1)) is 7, combine(combine(4, 2), 1) is 9"},
    /* tuples that are wrong in one field, or for few values */
    {OPERATOR("int sum; uint count;", NEUTRAL("0, 0") COMBINE("x.sum + y.sum, x.count + 2 * y.count")),
     ASSOCIATIVE | LEFT,
     "combine is not associative: combine({sum 0, count 0}, combine({sum 0, count 0}, {sum 1, count 1})) is {sum "
     "1, count 4}, combine(combine({sum 0, count 0}, {sum 0, count 0}), {sum 1, count 1}) is {sum 1, count 2}"},
    {OPERATOR("float mean; float count;", NEUTRAL("0, 0") COMBINE("(x.mean + y.mean) / 2, x.count + y.count")),
     ASSOCIATIVE | SIDES,
     "combine is not associative: combine({mean 1, count 1}, combine({mean 0, count 0}, {mean 0, count 0})) is "
     "{mean 0.5, count 1}, combine(combine({mean 1, count 1}, {mean 0, count 0}), {mean 0, count 0}) is {mean "
     "0.25, count 1}"},
    {OPERATOR("uchar v;", NEUTRAL("0") COMBINE("x.v == 200 && y.v == 55 ? 7 : x.v + y.v")), ASSOCIATIVE,
     "combine is not associative: combine(200, combine(54, 1)) is 7, combine(combine(200, 54), 1) is 255"},
    {OPERATOR("uchar v;", NEUTRAL("0") COMBINE("x.v == 3 && y.v == 250 ? 254 : max(x.v, y.v)")), ASSOCIATIVE,
     "combine is not associative: combine(4, combine(3, 250)) is 254, combine(combine(4, 3), 250) is 250"},
    {OPERATOR("int best; int total;",
              NEUTRAL("0, 0") COMBINE("max(x.best, y.best), x.total + y.total") "clf_value map(clf_input x, ulong i)\n"
              "{ clf_value r = {x.x, x.x}; return r; }\n", .input = "int x;", .map = "map"), SIDES,
     "neutral is not neutral on the left: it is {best 0, total 0}, and combine(neutral, {best -1, total -1}) is "
     "{best 0, total -1}"},
};

TEST(broken)
{
    assert_broken(&operators[_i].op, NULL, operators[_i].broken, operators[_i].sentence);
}

RIG_PART(add_broken_law_tests, {broken, COUNT(operators)})

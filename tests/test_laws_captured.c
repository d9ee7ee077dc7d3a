/* SPDX-License-Identifier: MIT */
/* Laws of functions that get captured arrays, which the caller hands over. Part of suite laws. */
#include "laws.h"

enum { ROWS = 64, OFFSET = 3, ANY = CLF_LAW_PURE, INDEX = CLF_LAW_NO_INDEX, ASSOCIATIVE = CLF_LAW_ASSOCIATIVE,
       SIDES = CLF_LAW_NEUTRAL_LEFT | CLF_LAW_NEUTRAL_RIGHT, IRREFLEXIVE = CLF_LAW_IRREFLEXIVE,
       ORDER = IRREFLEXIVE | CLF_LAW_ASYMMETRIC | CLF_LAW_TRANSITIVE | CLF_LAW_EQUIVALENCE };

#define GETS ", const clf_captured *c) { "
#define OF(FUNCTION, NAME, ...) \
    {.size = sizeof(clf_operator), .value = "uint row;", .captured = "int column; uint modulus;", .FUNCTION = NAME, \
     .source = __VA_ARGS__}
#define LESS(TEXT) OF(less, "f", "bool f(clf_input a, clf_input b" GETS "return " TEXT "; }")
#define SAME(TEXT) OF(same, "f", "bool f(clf_input a, clf_input b" GETS "return " TEXT "; }")
#define KEPT(FLAGS, TEXT) OF(predicate, "f", "bool f(clf_input x, ulong i" GETS "return " TEXT "; }", .flags = FLAGS)
#define PART(FLAGS, TEXT) OF(part, "f", "uint f(clf_input x, ulong i" GETS "return " TEXT "; }", .flags = FLAGS)
#define KEY(TEXT) OF(key, "int f", "int f(clf_value a" GETS "return " TEXT "; }")
#define COMBINED(TEXT) \
    OF(combine, "f", "clf_value f(clf_value x, clf_value y" GETS "clf_value r = {" TEXT "}; return r; }\n" \
       "clf_value none(void) { clf_value r = {0}; return r; }", .neutral = "none", .flags = CLF_COMBINE_CAPTURES)
#define ADDED \
    "clf_value none(void) { clf_value r = {0}; return r; }\n" \
    "clf_value add(clf_value x, clf_value y) { x.row += y.row; return x; }\n"
#define MAPPED(FLAGS, TEXT) \
    OF(map, "f", ADDED "clf_value f(clf_input x, ulong i" GETS "x.row = " TEXT "; return x; }", .combine = "add", \
       .neutral = "none", .flags = FLAGS)
#define FINISHED(TEXT) \
    OF(finish, "f", ADDED "clf_result f(clf_value a, ulong i" GETS "clf_result r = {" TEXT "}; return r; }", \
       .combine = "add", .neutral = "none", .result = "int w;")

/* No sentence: the laws hold, and these are among those that were tried; else they are broken. */
static const struct {
    clf_operator op;
    unsigned laws;
    const char *sentence;
} operators[] = {
    {COMBINED("(x.row + y.row) % c->modulus[0]"), ASSOCIATIVE | SIDES, NULL},
    {LESS("c->column[a.row] < c->column[b.row]"), ANY | ORDER, NULL},
    {SAME("c->column[a.row] == c->column[b.row]"), ANY, NULL},
    {KEPT(0, "c->column[i] > c->column[x.row] && c->clf_size"), ANY, NULL},
    {PART(CLF_NO_INDEX, "c->column[x.row] & 1"), ANY | INDEX, NULL},
    {KEY("c->column[a.row]"), ANY, NULL},
    {MAPPED(0, "c->column[i] + x.row"), ANY | ASSOCIATIVE | SIDES, NULL},
    {FINISHED("(int)(a.row % c->modulus[0]) + c->column[i]"), ANY | ASSOCIATIVE | SIDES, NULL},
    {COMBINED("(x.row + c->modulus[0] - y.row) % c->modulus[0]"), ASSOCIATIVE | CLF_LAW_NEUTRAL_LEFT,
     "combine is not associative: combine(0, combine(0, 1)) is 1, combine(combine(0, 0), 1) is 6"},
    {COMBINED("(x.row + y.row + c->column[1]) % c->modulus[0]"), SIDES,
     "neutral is not neutral on the left: it is 0, and combine(neutral, 0) is 3"},
    {LESS("c->column[a.row] <= c->column[b.row]"), IRREFLEXIVE, "less is not irreflexive: less(0, 0) is true"},
    {SAME("c->column[get_global_id(0) % 64] == c->column[a.row]"), ANY,
     "same is not pure: same(0, 0) was true, and then false"},
    {KEPT(CLF_NO_INDEX, "c->column[i] == 3"), INDEX,
     "predicate depends on its index: predicate(1, 1) is true, predicate(1, 0) is false"},
    {MAPPED(CLF_NO_INDEX, "c->column[i]"), INDEX,
     "map depends on its index: map(1, 1) is 3, map(1, 0) is 0"},
};

/* Rows that there are: column[r] is r · 3 mod 7, behind some that nobody may see. */
typedef struct given {
    cl_uint row[ROWS];
    const void *elements[1];
    clf_array captured[2];
    clf_laws_options options;
} given;

static void open_given(given *g)
{
    static const cl_uint modulus = 7;
    cl_int column[OFFSET + ROWS] = {100, 100, 100};
    for (cl_uint r = 0; r < ROWS; ++r) {
        g->row[r] = r % modulus;
        column[OFFSET + r] = (cl_int)(r * 3 % modulus);
    }
    g->elements[0] = g->row;
    g->captured[0] = (clf_array){rig_buffer(sizeof column, column), OFFSET};
    g->captured[1] = (clf_array){rig_buffer(sizeof modulus, &modulus), 0};
    g->options = (clf_laws_options){.size = sizeof g->options, .values = ROWS, .count = 7, .elements = g->elements,
                                    .captured = g->captured};
}

TEST(given_arrays)
{
    given g;
    clf_error error = {.size = sizeof error};
    clf_laws laws = {.size = sizeof laws};
    open_given(&g);
    if (operators[_i].sentence) {
        assert_broken(&operators[_i].op, &g.options, operators[_i].laws, operators[_i].sentence);
    } else {
        const clf_status status = clf_operator_check(rig_context(NULL), &operators[_i].op, &g.options, &laws, &error);
        ck_assert_msg(status == CLF_SUCCESS, "%s\n%s", error.message, error.log);
        ck_assert_uint_eq(laws.tried & operators[_i].laws, operators[_i].laws);
    }
    rig_release(g.captured[0], g.captured[1]);
}

TEST(other_arrays)
{
    static const clf_operator column = KEY("c->column[a.row]"), all = LESS("a.row < b.row");
    clf_operator none = all;
    given g;
    clf_error error = {.size = sizeof error};
    none.captured = NULL;
    open_given(&g);
    const clf_array modulus = g.captured[1];
    assert_status(clf_operator_check(rig_context(NULL), &none, &g.options, NULL, &error), CLF_E_ARGUMENT);
    ck_assert_str_eq(error.message, "clf_laws_options.captured: the operator captures no arrays");
    static const char sentence[] =
        "clf_laws_options.captured[1], of field 'modulus', is no array of this context with an element";
    for (int k = 0; k < 2; ++k) {
        g.captured[1] = k ? (clf_array){NULL, 0} : (clf_array){modulus.buffer, 1};
        assert_status(clf_operator_check(rig_context(NULL), &column, &g.options, NULL, &error), CLF_E_ARGUMENT);
        ck_assert_str_eq(error.message, sentence);
    }
    rig_release(g.captured[0], modulus);
}

RIG_PART(add_captured_law_tests, {given_arrays, COUNT(operators)}, {other_arrays, 1})

/* SPDX-License-Identifier: MIT */
/*
 * Joined operators against the references of their parts, in scans, segmented scans and reductions; outputs
 * staged in several rounds, which is what they are for but any operator can have; names in sources; refusals.
 */
#include "primitives/primitives.h"
#include "reduce_case.h"
#include "scan_case.h"

#include <stdio.h>
#include <string.h>

/* ---- Scans in rounds --------------------------------------------------------------------------------------- */

static const char *const rounds[] = {"items=4,group=32", "items=4,group=32,rounds=2", "items=3,group=64,rounds=3",
                                     "items=8,group=32,rounds=4294967295"};

static scan_case case_of(const plan_key *key, size_t n)
{
    return (scan_case){.plan = *key, .n = n, .offset = n % 4, .initial = n % 3 == 1, .in_place = n % 2 == 1,
                       .seed = the_rig()->seed + n, .suite = "join", .number = -1};
}

/* Around one tile, and several: with an initial value and in place at some. */
static void run_boundaries(const plan_key *key)
{
    const clf_plan *plan = rig_plan(key);
    if (!plan)
        return;
    const size_t tile = plan_tile(plan), sizes[] = {1, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 7};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        scan_case test = case_of(key, sizes[i]);
        scan_case_run(test);
        test.in_place = !test.in_place;
        scan_case_run(test);
    }
}

static void run_segments(const plan_key *key)
{
    static const size_t sizes[] = {1, 3, 50, 128, 333};
    for (size_t i = 0; i < COUNT(sizes); ++i) {
        scan_case test = case_of(key, 1200 / sizes[i] * sizes[i]);
        test.segmented = true;
        test.size = sizes[i];
        scan_case_run(test);
    }
}

/* Every joined operator with every number of rounds, in ways that take turns; all of them if asked to. */
TEST(joined_scans)
{
    const int op = _i / (int)COUNT(rounds), r = _i % (int)COUNT(rounds);
    for (int w = 0; w < WAY_COUNT; ++w) {
        const bool turn = ((uint64_t)(w + op + 3 * r) + the_rig()->seed) % WAY_COUNT == 0;
        const plan_key key = {ref_join(op), (op + r) % 2, ways[w].disable, ways[w].variant, rounds[r]};
        if (rig_full() || turn || (w == WAY_SINGLE_PASS && r == 1))
            run_boundaries(&key);
        if (rig_full() || (turn && r == 2))
            run_segments(&key);
    }
}

/* Rounds are for any operator; with one output to an input of its size there are none. */
TEST(rounds_of_single_operators)
{
    static const int operators[] = {REF_LSSP, REF_SELECT, REF_EIGHT};
    const plan_key key = {ref_user(operators[_i]), _i % 2, "cpu", _i ? "two_pass" : "window",
                          "items=4,group=32,rounds=4"};
    char text[2048];
    run_boundaries(&key);
    assert_ok(clf_plan_describe(rig_plan(&key), 1000, text, sizeof text, NULL));
    ck_assert_msg(strstr(text, operators[_i] == REF_EIGHT ? " rounds=1" : " rounds="), "%s", text);
    ck_assert_msg(operators[_i] == REF_EIGHT || !strstr(text, " rounds=1 "), "%s", text);
}

/* With default variants and parameters. */
TEST(joined_defaults)
{
    const plan_key key = {ref_join(_i / 2), false, _i % 2 ? "cpu" : NULL, NULL, NULL};
    for (size_t n = 1; n < 200000; n = n * 13 + 5)
        scan_case_run(case_of(&key, n));
}

/* ---- Reductions ---------------------------------------------------------------------------------------------- */

TEST(joined_reductions)
{
    static const size_t shapes[][2] = {{1, 0}, {1, 1}, {1, 5000}, {40, 33}, {700, 3}, {3, 1000}};
    const ref_operator *op = ref_join(_i / 2);
    const reduce_key key = {op, op == ref_join(REF_STATS), _i % 2 ? "cpu" : NULL, NULL, NULL, NULL};
    for (size_t i = 0; i < COUNT(shapes); ++i) {
        const reduce_case test = {.plan = key, .count = shapes[i][0], .size = shapes[i][1], .offset = i,
                                  .initial = i % 2, .in_place = i % 3 == 1, .seed = the_rig()->seed + i, .number = -1};
        reduce_case_run(test);
    }
    rig_forget();
}

/* ---- Descriptors --------------------------------------------------------------------------------------------- */

static clf_operator *joined(cl_uint count, const clf_operator *const *list)
{
    clf_operator *result = NULL;
    assert_ok(clf_operator_join(count, list, &result, NULL));
    return result;
}

TEST(fields_and_flags)
{
    const clf_operator *const sum = clf_builtin(CLF_SUM, CLF_FLOAT);
    const clf_operator named = {.size = sizeof named, .value = "float4 a; char b;", .input = "float z;", .map = "m",
                                .source = "x", .combine = "c", .neutral = "n", .extra = "int v;"};
    const clf_operator *const clash[] = {sum, clf_builtin(CLF_MAX, CLF_FLOAT)}, *const apart[] = {sum, &named};
    clf_operator *op = joined(2, clash);
    ck_assert_str_eq(op->value, "float p0_v; float p1_v;");
    ck_assert_str_eq(op->input, "float v;");
    ck_assert_ptr_null(op->extra);
    ck_assert_uint_eq(op->flags, CLF_COMMUTATIVE | CLF_NO_INDEX); /* nothing looks at it */
    assert_ok(clf_operator_release(op));
    op = joined(2, apart);
    ck_assert_str_eq(op->value, "float v; float4 a; char b;");
    ck_assert_str_eq(op->extra, "int v;");
    ck_assert_uint_eq(op->flags, 0);
    assert_ok(clf_operator_release(op));
    assert_status(clf_operator_release(NULL), CLF_E_ARGUMENT);
}

/* A plan keeps what it needs. */
TEST(released_early)
{
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), clf_builtin(CLF_MIN, CLF_INT)};
    clf_operator *op = joined(2, list);
    clf_plan *const plan = RIG_PLAN(clf_scan_plan, rig_context(NULL), op, 0, NULL);
    assert_ok(clf_operator_release(op));
    cl_int x[] = {5, -3, 9, -7, 0, 0, 0, 0, 0, 0, 0, 0};
    const clf_array in = {rig_buffer(sizeof x, x), 0}, out[] = {{in.buffer, 4}, {in.buffer, 8}};
    assert_ok(clf_scan(plan, CLF_ON(the_rig()->queue), 4, &in, out));
    rig_read(the_rig()->queue, in.buffer, sizeof x, x);
    ck_assert_mem_eq(x + 4, ((cl_int[]){5, 2, 11, 4, 5, -3, -3, -7}), 8 * sizeof *x);
    clReleaseMemObject(in.buffer);
    assert_ok(clf_plan_release(plan));
}

/* Captured arrays of the same name, and no input: sums over the indices of what two operators look up. */
TEST(captured)
{
    enum { N = 60, SIZE = 20 };
#define LOOK_UP(FIELDS, WHAT)                                                                                  \
    {.size = sizeof(clf_operator), .value = "uint v;", .input = "", .captured = FIELDS, .map = "look_up",     \
     .combine = "add", .neutral = "none",                                                                      \
     .source = "clf_value none(void) { clf_value v = {0}; return v; }\n"                                       \
               "clf_value add(clf_value x, clf_value y) { x.v += y.v; return x; }\n"                           \
               "clf_value look_up(clf_input in, ulong i, const clf_captured *c)\n"                             \
               "{ clf_value v = {" WHAT "}; return v; }\n"}
    static const clf_operator one = LOOK_UP("uint k;", "c->k[i / c->clf_size]"),
                              two = LOOK_UP("uint m; uint k;", "c->m[i % c->clf_size] * c->k[0]");
    const clf_operator *const list[] = {&one, &two};
    const cl_uint k[] = {7, 11, 13}, m[SIZE] = {1, 2, 3, 4, 5}, factor = 10;
    cl_uint out[2][N / SIZE];
    clf_operator *op = joined(2, list);
    ck_assert_str_eq(op->captured, "uint p0_k; uint p1_m; uint p1_k;");
    clf_plan *const plan = RIG_PLAN(clf_reduce_plan, rig_context(_i ? "cpu" : NULL), op, 0, NULL);
    assert_ok(clf_operator_release(op));
    const clf_array in[] = {{rig_buffer(sizeof k, k), 0}, {rig_buffer(sizeof m, m), 0}, {rig_buffer(4, &factor), 0}};
    const clf_array results[] = {{rig_buffer(sizeof out[0], NULL), 0}, {rig_buffer(sizeof out[0], NULL), 0}};
    assert_ok(clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), N / SIZE, SIZE, in, results));
    for (int r = 0; r < 2; ++r)
        rig_read(the_rig()->queue, results[r].buffer, sizeof out[0], out[r]);
    for (int s = 0; s < N / SIZE; ++s)
        ck_assert(out[0][s] == SIZE * k[s] && out[1][s] == 150);
    for (size_t i = 0; i < COUNT(in); ++i)
        clReleaseMemObject(in[i].buffer);
    for (size_t r = 0; r < COUNT(results); ++r)
        clReleaseMemObject(results[r].buffer);
    assert_ok(clf_plan_release(plan));
}

/* ---- Refusals ------------------------------------------------------------------------------------------------ */

static void expect_refusal(cl_uint count, const clf_operator *const *list, const char *message)
{
    clf_operator *result = NULL;
    clf_error error = {.size = sizeof error};
    assert_status(clf_operator_join(count, list, &result, &error), CLF_E_ARGUMENT);
    ck_assert_int_eq(error.status, CLF_E_ARGUMENT);
    ck_assert_msg(strstr(error.message, message), "\"%s\" does not say \"%s\"", error.message, message);
    ck_assert_ptr_null(result);
    assert_status(clf_operator_join(count, list, &result, NULL), CLF_E_ARGUMENT);
}

TEST(refusals)
{
    const clf_operator *const sum = clf_builtin(CLF_SUM, CLF_INT), *const affine = ref_clf(ref_user(REF_AFFINE));
    const clf_operator *const eight = ref_clf(ref_user(REF_EIGHT)), *list[17];
    clf_operator broken = *sum, *result;
    broken.neutral = "0";
    list[0] = sum;
    expect_refusal(0, list, "0 operators");
    expect_refusal(17, list, "17 operators");
    list[1] = NULL;
    expect_refusal(2, list, "operator 1: the operator is NULL");
    list[1] = &broken;
    expect_refusal(2, list, "operator 1: clf_operator.neutral");
    list[1] = clf_builtin(CLF_SUM, CLF_UINT);
    expect_refusal(2, list, "operators 0 and 1 differ in input field 0: int and uint");
    list[1] = sum;
    list[2] = affine;
    expect_refusal(3, list, "operators 0 and 2 differ in input: 1 fields and 2");
    list[0] = list[1] = list[2] = eight;
    expect_refusal(3, list, "24 value fields");
    assert_status(clf_operator_join(1, NULL, &result, NULL), CLF_E_ARGUMENT);
    assert_status(clf_operator_join(1, list, NULL, NULL), CLF_E_ARGUMENT);
    assert_status(clf_operator_join(1, list, &result, &(clf_error){.size = 1}), CLF_E_ARGUMENT);
}

/* A name that becomes too long is found out by joining, not by the plan. */
TEST(long_names)
{
    clf_operator op = *clf_builtin(CLF_SUM, CLF_INT);
    const clf_operator *const list[] = {&op, &op};
    op.value = "int a23456789012345678901234567890123456789012345;";
    expect_refusal(2, list, "is too long a name");
}

/* The log leads to the operator and to its line. */
TEST(broken_source)
{
    const clf_operator *const sum = clf_builtin(CLF_SUM, CLF_INT);
    const clf_operator bad = {.size = sizeof bad, .value = "int v;", .combine = "combine", .neutral = "neutral",
                              .source = "clf_value neutral(void) { clf_value e = {0}; return e; }\n\n"
                                        "clf_value combine(clf_value a, clf_value b) { return nonsuch; }"};
    const clf_operator *const list[] = {sum, &bad, sum};
    clf_operator *op = joined(3, list);
    clf_plan *plan = NULL;
    clf_error error = {.size = sizeof error};
    assert_status(clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, &error), CLF_E_OPERATOR);
    ck_assert_msg(strstr(error.log, "operator1.cl:3"), "%s", error.log);
    assert_ok(clf_operator_release(op));
}

/* ---- Names in sources ---------------------------------------------------------------------------------------- */

static const char source[] =
    "// comment(\n"
    "  # define FIRST(x) \\\n    second(x)\n"
    "/* #define NOT */ #define BEHIND\n"
    "#define THIRD\n// a comment behind it\n"
    "#undef FOURTH\n"
    "typedef struct pair { int one; struct { int deep; }; } pair_type;\n"
    "enum colour { RED, GREEN = RED + BLACK, BLUE };\n"
    "constant float table[2] = {PI, (E)}, other = M_PI;\n"
    "__attribute__((always_inline)) static float helper(float a, char c)\n"
    "{ float local = a; const char *s = \"quote \\\" brace {\"; c = '{'; return inner(local); }\n"
    "typedef float real;\n"
    "real last(void) { return 1.0f; }";

TEST(names_found)
{
    static const char *const declared[] = {"pair", "pair_type", "colour", "RED", "GREEN", "BLUE", "table", "other",
                                           "helper", "real", "last"};
    clf_names names = {0}, macros = {0};
    clf_names_find(source, &names, &macros);
    for (size_t i = 0; i < COUNT(declared); ++i)
        ck_assert_msg(clf_names_have(&names, declared[i], strlen(declared[i])), "%s was not found", declared[i]);
    ck_assert_uint_eq(names.count, COUNT(declared));
    ck_assert(clf_names_have(&macros, "FIRST", 5) && clf_names_have(&macros, "THIRD", 5) &&
              clf_names_have(&macros, "BEHIND", 6));
    ck_assert(macros.count == 3 && !clf_names_have(&macros, "THIR", 4) && !clf_names_have(&macros, "FOURTH", 6));
    clf_names_free(&names);
    clf_names_free(&macros);
    clf_names_find("", &names, &macros);
    clf_names_find("\"open", &names, &macros);
    clf_names_find("/* open", &names, &macros);
    clf_names_find("}}}{{{ #define x", &names, &macros);
    ck_assert(names.count == 0 && macros.count == 0);
}

/* ---- Outputs dealt out to rounds ----------------------------------------------------------------------------- */

static const struct {
    const char *value, *input, *extra;
    cl_uint rounds, expected; /* asked for, and of use */
    const char *round;        /* of each output; the region of input 0 … is marked by a capital letter */
    cl_uint bytes;            /* of a tile of one element */
    const char *tile_class;   /* with the rounds of the default */
} deals[] = {
    {"int a; int b; int c; int d; int e; int f;", "int x;", NULL, 1, 1, "Aaaaaa", 24, "b16x4"},
    {"int a; int b; int c; int d; int e; int f;", "int x;", NULL, 2, 2, "aaaBbb", 16, "b16x4"},
    {"int a; int b; int c; int d; int e; int f;", "int x;", NULL, 3, 3, "aabbCc", 12, "b16x4"},
    {"int a; int b; int c; int d; int e; int f;", "int x;", NULL, 9, 5, "abcdEe", 8, "b16x4"},
    {"int a; int b; int c;", "int x;", NULL, 3, 2, "aBb", 8, "b16x4"},
    {"int a; int b;", "int x; int y;", NULL, 4, 1, "AA", 8, "b8x4"},
    {"long a; int b; int c;", "int x;", NULL, 9, 2, "aBb", 12, "b16x8"},
    {"int a; int b;", "char x; int y;", "char e; long f;", 2, 2, "aaBb", 13, "b16x4"},
    {"char a; char b; char c; char16 d;", "char x;", NULL, 9, 2, "aaab", 17, "b32x16"},
};

TEST(deals_outputs)
{
    const clf_operator op = {.size = sizeof op, .value = deals[_i].value, .input = deals[_i].input,
                             .extra = deals[_i].extra, .map = "m", .source = "", .combine = "c", .neutral = "n"};
    clf_operator_copy copy;
    clf_slab_map map, again;
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    clf_slab_deal(&copy, deals[_i].rounds, &map);
    char text[2 * CLF_MAX_FIELDS + 1] = "";
    for (cl_uint o = 0; o < copy.value.count + copy.extra.count; ++o)
        text[o] = (char)((map.region[o] == CLF_REGION_OWN ? 'a' : 'A') + (int)map.round[o]);
    ck_assert_uint_eq(map.rounds, deals[_i].expected);
    ck_assert_str_eq(text, deals[_i].round);
    clf_slab_deal(&copy, map.rounds, &again); /* asking for what is of use gives the same */
    ck_assert_mem_eq(again.round, map.round, strlen(text) * sizeof *map.round);
    ck_assert_uint_eq(clf_slab_bytes(&copy, deals[_i].rounds, 4, 1), 4 * deals[_i].bytes);
    clf_tile_class(&copy, text);
    ck_assert_str_eq(text, deals[_i].tile_class);
    clf_operator_free(&copy);
}

/* Elements per work-item from the largest round: by a limit for local memory, or by the model. */
static const struct {
    const char *value, *input;
    cl_uint local, rounds, items;
} tiles[] = {
    {"int a; int b; int c; int d; int e; int f;", "int x;", 30720, 3, 20},
    {"int a; int b; int c; int d; int e; int f;", "int x;", 0, 3, 8},
    {"int a; int b; int c;", "int x;", 30720, 1, 20},
    {"uint a; uint b; uint c; uint d;", NULL, 30720, 1, 12},
    {"char a; long b;", NULL, 30720, 1, 16},
    {"char a;", NULL, 30720, 1, 240},
    {"long8 a; char b;", NULL, 30720, 1, 2},
    {"long8 a;", NULL, 1, 1, 1},
    {"long a; long b; long c;", "char x;", 30720, 3, 16},
    {"long a; long b; long c; long d;", "int x;", 32768, 4, 20}, /* not 2, though 3 are of no more use than 2 */
    {"long a; long b; long c; long d;", "int x;", 32767, 4, 12},
};

TEST(tiles_by_local_memory)
{
    const clf_facts facts = {.max_group = 1024, .local_bytes = 49152, .lane_width = 32, .registers = 65536};
    const clf_operator op = {.size = sizeof op, .value = tiles[_i].value, .input = tiles[_i].input, .map = "m",
                             .source = "", .combine = "c", .neutral = "n"};
    clf_operator_copy copy;
    clf_parameters list = {0};
    ck_assert_int_eq(clf_operator_take(&op, CLF_FUNCTION_COMBINE, &copy, NULL), CLF_SUCCESS);
    clf_parameter_set(&list, "group", 128);
    clf_parameter_set(&list, "local", tiles[_i].local);
    clf_tile_defaults(&facts, &copy, &list);
    ck_assert_uint_eq(clf_parameter_get(&list, "rounds", 0), tiles[_i].rounds);
    ck_assert_uint_eq(clf_parameter_get(&list, "items", 0), tiles[_i].items);
    ck_assert(clf_tile_local(&facts, &copy, tiles[_i].rounds, 128, tiles[_i].items) <= facts.local_bytes);
    clf_operator_free(&copy);
}

RIG_SUITE_OF(join, NULL, (add_join_by_key_tests, add_join_finish_tests),
             {joined_scans, REF_JOIN_COUNT * (int)COUNT(rounds)}, {rounds_of_single_operators, 3},
             {joined_defaults, 2 * REF_JOIN_COUNT}, {joined_reductions, 2 * REF_JOIN_COUNT}, {fields_and_flags, 1},
             {released_early, 1}, {captured, 2}, {refusals, 1}, {long_names, 1}, {broken_source, 1}, {names_found, 1},
             {deals_outputs, COUNT(deals)}, {tiles_by_local_memory, COUNT(tiles)})

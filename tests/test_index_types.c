/* SPDX-License-Identifier: MIT */
/*
 * Reductions by index: every built-in of every type, bins of every integer type, bins between boundaries, and what bad
 * arguments do.
 */
#include "cases.h"

#include <stdio.h>
#include <string.h>

#define LITTLE "c11,int64_atomics,ptx,subgroups,progress,cpu"

/* ---- Types ----------------------------------------------------------------------------------------------------- */

static const char *const ways_of_types[][2] = {{NULL, "cpu"}, {"cpu", "local"}, {"cpu", "global"}, {LITTLE, "local"}};

/* Every built-in that commutes: by the device's atomics, or by exchanges. */
TEST(all_builtins)
{
    const clf_type type = (clf_type)(_i / COUNT(ways_of_types));
    const size_t how = (size_t)_i % COUNT(ways_of_types);
    for (int op = 0; op < CLF_OP_COUNT; ++op) {
        const clf_operator *const clf = clf_builtin((clf_op)op, type);
        if (!clf || !(clf->flags & CLF_COMMUTATIVE) || (type == CLF_HALF && op == CLF_SUM) ||
            (!rig_full() && (op + (int)type + (int)how) % (how > 0 ? 7 : 3)))
            continue;
        const index_key key = {.index = ref_index_builtin((clf_op)op, type), .flags = op % 2 ? CLF_UPDATE : 0,
                               .route = {ways_of_types[how][0], ways_of_types[how][1], "items=2,group=32,groups=3"}};
        clf_plan *plan = index_plan(&key);
        for (unsigned turn = 0; plan && turn < 3; ++turn) {
            const index_case test = {.key = key, .count = 1, .size = 700, .bins = turn ? 19 : 300,
                                     .pattern = (index_pattern)((turn + (unsigned)op) % INDEX_PATTERNS),
                                     .may_refuse = true,
                                     .under = {.offset = turn, .scratch = turn == 1, .seed = turn, .number = -1}};
            index_case_run(plan, test);
        }
        clf_plan_release(plan);
    }
}

static const struct {
    const char *name;
    size_t bytes;
    bool is_signed;
} bin_types[] = {{"char", 1, true}, {"uchar", 1, false}, {"short", 2, true}, {"ushort", 2, false}, {"int", 4, true},
                 {"uint", 4, false}, {"long", 8, true}, {"ulong", 8, false}};

/* Bins of each integer type: the largest and the least number, and all around the ends of the range. */
TEST(all_types_of_bins)
{
    enum { N = 600, BINS = 100 };
    static const char *const routed[][2] = {{NULL, NULL}, {"cpu", "local"}, {"cpu", "global"}};
    unsigned char data[8 * N];
    cl_uint got[BINS], want[BINS] = {0};
    char input[30];
    const size_t bytes = bin_types[_i / 3].bytes;
    snprintf(input, sizeof input, "%s bin;", bin_types[_i / 3].name);
    clf_operator op = *ref_index_of(REF_INDEX_COUNT_OWN)->clf;
    op.input = input;
    for (size_t i = 0; i < N; ++i) {
        int64_t bin = (int64_t)(i % 3 == 0 ? i % BINS : i % 7 == 1 ? 97 + i % 6 : (size_t) - (i % 5));
        if (i % 11 == 4)
            bin = (int64_t)(~(uint64_t)0 >> (i % 2 ? 64 - 8 * bytes : 65 - 8 * bytes)); /* the largest */
        memcpy(data + bytes * i, &bin, bytes);                                          /* little-endian hosts */
        const uint64_t seen = bytes == 8 ? (uint64_t)bin : (uint64_t)bin & ((1ull << 8 * bytes) - 1);
        if (seen < BINS)
            ++want[seen];
    }
    const clf_plan_options options = {.size = sizeof options, .variant = routed[_i % 3][1]};
    const clf_array in = {rig_buffer(bytes * N, data), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(routed[_i % 3][0]), &op, 0, &options);
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, BINS, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (size_t b = 0; b < BINS; ++b)
        ck_assert_msg(got[b] == want[b], "bin %zu of %s: %u, not %u", b, bin_types[_i / 3].name, got[b], want[b]);
    clf_plan_release(plan);
    rig_release(in, out);
}

/* Ranges between boundaries that lie in a captured array. */
TEST(boundaries)
{
    enum { N = 5000, BINS = 4 };
    static const char source[] =
        "uint range(clf_input x, ulong i, const clf_captured *c)\n"
        "{\n"
        "    uint bin = 0;\n"
        "    while (bin < 5 && !(x.x < c->bounds[bin]))\n"
        "        ++bin;\n"
        "    return bin - 1; /* ~0 below the first, and 4 above the last */\n"
        "}\n"
        "clf_value one(clf_input x, ulong i, const clf_captured *c) { clf_value v = {1}; return v; }\n"
        "clf_value add(clf_value a, clf_value b) { a.n += b.n; return a; }\n"
        "clf_value zero(void) { clf_value v = {0}; return v; }";
    const clf_operator op = {.size = sizeof op, .input = "float x;", .captured = "float bounds;", .value = "uint n;",
                             .part = "range", .map = "one", .combine = "add", .neutral = "zero", .source = source,
                             .flags = CLF_COMMUTATIVE};
    const cl_float bounds[BINS + 1] = {-2, 0, 0.5f, 7, 20};
    static cl_float x[N];
    cl_uint got[BINS], want[BINS] = {0};
    gen random = gen_seed(the_rig()->seed, 9);
    for (size_t i = 0; i < N; ++i) {
        x[i] = (cl_float)gen_below(&random, 1000) / 40 - 4;
        for (size_t b = 0; b < BINS; ++b)
            want[b] += x[i] >= bounds[b] && x[i] < bounds[b + 1];
    }
    const clf_array in[] = {{rig_buffer(sizeof x, x), 0}, {rig_buffer(sizeof bounds, bounds), 0}};
    const clf_array out = {rig_buffer(sizeof got, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(_i ? "cpu" : NULL), &op, 0, NULL);
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, BINS, in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (size_t b = 0; b < BINS; ++b)
        ck_assert_uint_eq(got[b], want[b]);
    clf_plan_release(plan);
    rig_release(in[0], in[1], out);
}

/* What of a row's length the map is told, by every variant: an element's number within its row is added up. */
TEST(rows_of_captured)
{
    enum { ROWS = 7, SIZE = 50, BINS = 3 };
    static const char *const routed[][2] = {{NULL, NULL}, {"cpu", "local"}, {"cpu", "global"}, {"cpu", "sorted"}};
    const clf_operator op = {
        .size = sizeof op, .input = "", .captured = "uint of_row;", .value = "uint sum;", .part = "bin", .map = "of",
        .combine = "clf_sum", .flags = CLF_COMMUTATIVE,
        .source = "uint bin(clf_input x, ulong i, const clf_captured *c) { return (uint)(i % c->clf_size % 4); }\n"
                  "clf_value of(clf_input x, ulong i, const clf_captured *c)\n"
                  "{ clf_value v = {(uint)(i % c->clf_size) * c->of_row[i / c->clf_size]}; return v; }"};
    const cl_uint of_row[ROWS] = {1, 10, 100, 1000, 10000, 100000, 1000000};
    const clf_plan_options options = {.size = sizeof options, .variant = routed[_i][1]};
    cl_uint got[ROWS * BINS], want[ROWS * BINS] = {0};
    for (size_t i = 0; i < ROWS * SIZE; ++i)
        if (i % SIZE % 4 < BINS)
            want[i / SIZE * BINS + i % SIZE % 4] += (cl_uint)(i % SIZE) * of_row[i / SIZE];
    const clf_array in = {rig_buffer(sizeof of_row, of_row), 0}, out = {rig_buffer(sizeof got, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(routed[_i][0]), &op, 0, &options);
    assert_ok(clf_segmented_reduce_by_index(plan, CLF_ON(the_rig()->queue), ROWS, SIZE, BINS, &in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (size_t b = 0; b < ROWS * BINS; ++b)
        ck_assert_uint_eq(got[b], want[b]);
    clf_plan_release(plan);
    rig_release(in, out);
}

/* The library's function behind a map that needs no index, in order: elements are sorted as they are, then mapped. */
TEST(built_ins_in_order)
{
    enum { N = 3000, BINS = 7 };
    const clf_operator op = {.size = sizeof op, .input = "int bin; float x;", .value = "float sum;", .map = "of",
                             .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
                             .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }"};
    cl_int bin[N];
    cl_float x[N], got[BINS], want[BINS] = {0};
    for (int i = 0; i < N; ++i) {
        bin[i] = i * 5 % (BINS + 2) - 1; /* some of no bin */
        x[i] = (cl_float)(i % 1000);
        if (bin[i] >= 0 && bin[i] < BINS)
            want[bin[i]] += x[i];
    }
    const clf_array in[] = {{rig_buffer(sizeof bin, bin), 0}, {rig_buffer(sizeof x, x), 0}};
    const clf_array out = {rig_buffer(sizeof got, NULL), 0};
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context(_i ? "cpu" : NULL), &op, CLF_ORDERED, NULL);
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, BINS, in, &out));
    rig_read(the_rig()->queue, out.buffer, sizeof got, got);
    for (int b = 0; b < BINS; ++b)
        ck_assert(got[b] == want[b]);
    clf_plan_release(plan);
    rig_release(in[0], in[1], out);
}

/* Parameters of other variants are not in the way where the library sorts; such as there are not are refused. */
TEST(parameters_of_others)
{
    const clf_operator *const op = ref_index_of(REF_INDEX_LAST)->clf;
    const clf_plan_options known = {.size = sizeof known, .parameters = "groups=5"};
    const clf_plan_options unknown = {.size = sizeof unknown, .parameters = "grups=5"};
    const clf_plan_options foreign = {.size = sizeof foreign, .parameters = "spin=5"};
    clf_plan *plan = RIG_PLAN(clf_reduce_by_index_plan, rig_context("cpu"), op, 0, &known);
    assert_ok(clf_plan_release(plan));
    assert_status(clf_reduce_by_index_plan(rig_context("cpu"), op, 0, &unknown, &plan, NULL), CLF_E_PARAMETER);
    assert_status(clf_reduce_by_index_plan(rig_context("cpu"), op, 0, &foreign, &plan, NULL), CLF_E_PARAMETER);
}

/* ---- Refusals -------------------------------------------------------------------------------------------------- */

TEST(refused_arguments_are_named)
{
    rig_told t = {0};
    const clf_plan_options little = {.size = sizeof little, .variant = "local", .parameters = "local=512,limit=2"};
    clf_context *const context = RIG_CONTEXT(.notify = rig_listen, .user = &t);
    const clf_operator *const op = ref_index_of(REF_INDEX_COUNT_OWN)->clf;
    clf_plan *const plan = RIG_PLAN(clf_reduce_by_index_plan, context, op, 0, NULL);
    clf_plan *const local = RIG_PLAN(clf_reduce_by_index_plan, context, op, 0, &little);
    const cl_command_queue q = the_rig()->queue;
    const clf_array a = {rig_buffer(4000, NULL), 0}, b = {rig_buffer(4000, NULL), 0}, scratch = {a.buffer, 8};
    const cl_int one = 1;
    const clf_call initial = {.size = sizeof(clf_call), .queue = q, .initial = &one};
    const clf_call wrong = {.size = sizeof(clf_call), .queue = q, .out_count = 2};
    const clf_call odd = {.size = sizeof(clf_call), .queue = q, .scratch = scratch};
    const clf_call given = {.size = sizeof(clf_call), .queue = q, .actual = scratch};
    REFUSES(&t, ALIAS, "out[0] overlaps in[0]", clf_reduce_by_index(plan, CLF_ON(q), 100, 10, &a, &a));
    REFUSES(&t, BUFFER, "in[0].buffer ends before element 1000",
            clf_reduce_by_index(plan, CLF_ON(q), 1001, 10, &a, &b));
    REFUSES(&t, BUFFER, "out[0].buffer ends before element 1009",
            clf_segmented_reduce_by_index(plan, CLF_ON(q), 10, 10, 101, &a, &b));
    REFUSES(&t, OVERFLOW, "count * bins does not fit 64 bits",
            clf_segmented_reduce_by_index(plan, CLF_ON(q), 1ul << 33, 2, 1ul << 33, &a, &b));
    REFUSES(&t, OVERFLOW, "count * size does not fit 64 bits",
            clf_segmented_reduce_by_index(plan, CLF_ON(q), 1ul << 33, 1ul << 33, 2, &a, &b));
    REFUSES(&t, ARGUMENT, "a reduce_by_index has no initial value", clf_reduce_by_index(plan, &initial, 9, 10, &a, &b));
    REFUSES(&t, UNSUPPORTED, "257 bins of 1 rows are too many for variant \"local\"",
            clf_reduce_by_index(local, CLF_ON(q), 1000, 257, &a, &b));
    REFUSES(&t, ARGUMENT, "call->actual and call->initial_arrays are for plans with CLF_FROM_DEVICE",
            clf_reduce_by_index(plan, &given, 9, 10, &a, &b));
    assert_status(clf_reduce_by_index(plan, &wrong, 9, 10, &a, &b), CLF_E_ARGUMENT);
    assert_status(clf_reduce_by_index(plan, CLF_ON(q), 9, 10, &a, NULL), CLF_E_ARGUMENT);
    assert_status(clf_reduce_by_index(plan, CLF_ON(q), 9, 10, NULL, &b), CLF_E_ARGUMENT);
    assert_status(clf_reduce(plan, CLF_ON(q), 9, &a, &b), CLF_E_ARGUMENT);
    assert_ok(clf_reduce_by_index(plan, &odd, 9, 10, &a, &b)); /* needs no scratch */
    assert_ok(clf_reduce_by_index(plan, CLF_ON(q), 9, 0, NULL, NULL));
    assert_ok(clf_reduce_by_index(plan, CLF_ON(q), 0, 10, NULL, &b));
    assert_ok(clFinish(q));
    rig_release(a, b);
    rig_release_all(context, plan, local);
}

static void refuse_plan(const char *disable, const clf_operator *op, unsigned flags, const char *variant,
                        clf_status expected, const char *sentence)
{
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    assert_status(clf_reduce_by_index_plan(rig_context(disable), op, flags, &options, &plan, &error), expected);
    ck_assert_ptr_null(plan);
    ck_assert_msg(strstr(error.message, sentence), "%s", error.message);
}

TEST(refused_plans)
{
    const clf_operator *const good = ref_index_of(REF_INDEX_COUNT_OWN)->clf;
    clf_operator op = *good;
    op.flags = 0;
    refuse_plan("cpu", &op, 0, "local", CLF_E_UNSUPPORTED, "its operator must be CLF_COMMUTATIVE");
    refuse_plan("cpu", good, CLF_ORDERED, "global", CLF_E_UNSUPPORTED, "its plan must not be CLF_REPEATABLE");
    op = *good;
    op.input = "float bin;";
    refuse_plan(NULL, &op, 0, NULL, CLF_E_ARGUMENT, "the first field of input is the bin, and must be an integer");
    op.input = "uint2 bin;";
    refuse_plan(NULL, &op, 0, NULL, CLF_E_ARGUMENT, "must be an integer scalar");
    op = *good;
    op.extra = "uint w;";
    refuse_plan(NULL, &op, 0, NULL, CLF_E_ARGUMENT, "a reduce_by_index has no extra outputs");
    op = *good;
    op.part = "bins";
    refuse_plan(NULL, &op, 0, NULL, CLF_E_OPERATOR, "clf_operator.part: the source has no function uint bins");
    op = *good;
    op.predicate = "bins";
    refuse_plan(NULL, &op, 0, NULL, CLF_E_ARGUMENT, "clf_operator.predicate");
    refuse_plan(NULL, good, CLF_EXCLUSIVE, NULL, CLF_E_ARGUMENT, "unknown flags");
    refuse_plan(NULL, NULL, 0, NULL, CLF_E_ARGUMENT, "NULL");
    refuse_plan(NULL, ref_index_of(REF_INDEX_WIDE)->clf, 0, "global", CLF_E_UNSUPPORTED, "values of 17 bytes cannot");
    refuse_plan(LITTLE, ref_index_of(REF_INDEX_MEAN)->clf, 0, "global", CLF_E_UNSUPPORTED,
                "values of 8 bytes cannot be updated by variant \"global\"");
    op = *good;
    op.flags = CLF_COMMUTATIVE;
    refuse_plan("cpu", &op, 0, "split", CLF_E_UNSUPPORTED, "variant \"split\" moves elements before");
    op = *good;
    op.value = "ulong16 a; uint b;";
    op.combine = "clf_sum";
    op.neutral = NULL;
    op.source = "clf_value one(clf_input x, ulong i) { clf_value v; v.a = (ulong16)(1); v.b = 1; return v; }";
    refuse_plan("cpu", &op, 0, "local", CLF_E_UNSUPPORTED, "values of 132 bytes cannot");
    op = *good;
    op.value =
        "char a; char b; char c; char d; char e; char f; char g; char h; char i; char j; char k; char l; "
        "char m; char n; char o; char p;";
    op.input = "uint bin;";
    op.map = "one";
    op.combine = "clf_sum";
    op.neutral = NULL;
    op.source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }";
    refuse_plan("cpu", &op, 0, NULL, CLF_E_UNSUPPORTED, "elements of 16 value and 0 captured fields cannot be sorted");
}

RIG_PART(add_index_tests, {all_builtins, CLF_BFLOAT16 *(int)COUNT(ways_of_types)},
         {all_types_of_bins, 3 * (int)COUNT(bin_types)}, {boundaries, 2}, {rows_of_captured, 4},
         {built_ins_in_order, 2}, {parameters_of_others, 1}, {refused_arguments_are_named, 1}, {refused_plans, 1})

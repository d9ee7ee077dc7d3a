/* SPDX-License-Identifier: MIT */
/*
 * Sorts of keys of 8 and 16 bits by counting: a part of suite `sort`. Every type and order, maps, sizes around all that
 * the kernels distinguish, keys of which there are more than small counters count, outputs everywhere.
 */
#include "cases.h"

#include <string.h>

/* ---- What is sorted -------------------------------------------------------------------------------------------- */

/* A byte of an int and where it is; a short that is captured. */
static void byte_map(const void *x, cl_ulong index, void *value)
{
    cl_int a;
    memcpy(&a, x, sizeof a);
    *(cl_char *)value = (cl_char)((cl_ulong)(cl_uint)a * 3 + index % 5);
}

static void short_map(const void *x, cl_ulong index, void *value)
{
    cl_ushort hidden;
    (void)index;
    memcpy(&hidden, (const char *)x + 16, sizeof hidden);
    hidden ^= (cl_ushort)(*(const cl_uchar *)x * 257);
    memcpy(value, &hidden, sizeof hidden);
}

static void byte_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_uint a = (cl_uint)bits;
    (void)index;
    memcpy(x, &a, sizeof a);
}

static void short_make(cl_ulong bits, cl_ulong index, void *x)
{
    const cl_ushort hidden = (cl_ushort)bits;
    *(cl_uchar *)x = (cl_uchar)(index % 3);
    memcpy((char *)x + 16, &hidden, sizeof hidden);
}

#define OPERATOR(...) &(const clf_operator){.size = sizeof(clf_operator), __VA_ARGS__}
static const ref_sort mapped[] = {
    {"bytes of ints",
     OPERATOR(.input = "int a;", .value = "char key;", .map = "low",
              .source = "clf_value low(clf_input x, ulong i) { clf_value v = {(char)((uint)x.a * 3 + (uint)(i % 5))}; "
                        "return v; }"),
     CLF_CHAR, .value = {1, {{1, 0}}}, .input = {1, {{4, 0}}}, .map = byte_map, .make = byte_make},
    {"shorts captured",
     OPERATOR(.input = "uchar x;", .captured = "ushort hidden;", .value = "ushort key;", .map = "show",
              .source = "clf_value show(clf_input x, ulong i, const clf_captured *c)\n"
                        "{ clf_value v = {(ushort)(c->hidden[i] ^ x.x * 257)}; return v; }"),
     CLF_USHORT, .value = {1, {{2, 0}}}, .input = {2, {{1, 0}, {2, 16}}}, .map = short_map, .make = short_make},
};

static const int types[] = {CLF_CHAR, CLF_UCHAR, CLF_SHORT, CLF_USHORT, CLF_HALF};
enum { KINDS = COUNT(types) + COUNT(mapped) };

static const ref_sort *kind_of(int which)
{
    return which < (int)COUNT(types) ? ref_sort_of(types[which]) : &mapped[which - (int)COUNT(types)];
}

/* ---- Ways ------------------------------------------------------------------------------------------------------ */

/* One and several chunks, slices of the keys, vectors, and single elements. */
static const route routes[] = {
    {NULL, NULL, NULL},
    {NULL, "counting_cpu", "groups=5"},
    {"cpu", "counting", "items=16,group=64,groups=6"},
    {"cpu", "counting", "items=3,group=96,groups=130,local=4096"},
    {"cpu", NULL, NULL},
    {ROUTE_BARE, "counting", "items=8,group=32,groups=3"},
};
enum { ROUTES = COUNT(routes) };

/* Halves have a place each in total order alone. */
static sort_key key_of(int kind, int by, unsigned turn)
{
    const ref_sort *const sort = kind_of(kind);
    const unsigned total = sort->type == CLF_HALF || turn & 2 ? CLF_TOTAL_ORDER : 0;
    return (sort_key){sort, total | (turn & 1 ? CLF_DESCENDING : 0), routes[by], .kind = SORT_WHOLE};
}

/* Which order: the same in tests of the same keys and ways, so that they share their programs. */
static unsigned turn_of(int kind, int by)
{
    return (unsigned)(kind + by / 2);
}

static bool is_chosen(int kind, int by)
{
    return rig_full() || (kind + by) % 2 == 0;
}

/* ---- Sizes ----------------------------------------------------------------------------------------------------- */

TEST(sizes_of_counted_keys)
{
    const int kind = _i / ROUTES, by = _i % ROUTES;
    const sort_key key = key_of(kind, by, turn_of(kind, by));
    clf_plan *plan = is_chosen(kind, by) ? sort_plan(&key) : NULL;
    if (!plan)
        return;
    const size_t group = plan_group(plan) > 1 ? plan_group(plan) : 64, tile = 8 * 16 * group, n = tile / 2;
    const size_t sizes[] = {0, 1, 2, 7, 15, 16, 17, 31, 32, 33, 255, 256, 257, group * 16 - 1, group * 16 + 1, n - 1, n,
                            n + 1, n + 8, tile - 1, tile, tile + 1, tile + 17, 2 * tile + 40, 9001};
    for (unsigned i = 0; i < 3 * COUNT(sizes); ++i)
        sort_case_run(plan, sort_case_of(&key, sizes[i % COUNT(sizes)], 3 * i + i / COUNT(sizes)));
    clf_plan_release(plan);
}

/* More than bytes, and than 16 bits, count; several chunks of 2^16 keys; most keys not there. */
TEST(many_counted_keys)
{
    static const sort_pattern patterns[] = {SORT_EQUAL, SORT_TWO, SORT_UNIFORM, SORT_UP, SORT_RARE};
    const int kind = _i / ROUTES, by = _i % ROUTES;
    const sort_key key = key_of(kind, by, turn_of(kind, by));
    clf_plan *plan = is_chosen(kind, by) && kind != 4 ? sort_plan(&key) : NULL;
    for (unsigned turn = 0; plan && turn < COUNT(patterns); ++turn) {
        sort_case test = sort_case_of(&key, (turn == 2 ? 300000 : 140000) + turn, turn);
        test.pattern = patterns[turn];
        sort_case_run(plan, test);
    }
    clf_plan_release(plan);
}

/* ---- Places, and sizes on the device ---------------------------------------------------------------------------- */

/* At every distance of inputs and outputs from a vector, in all orders. */
TEST(counted_keys_everywhere)
{
    const sort_key key = key_of(_i / 4 ? 2 : 1, _i % 2 ? 2 : 0, (unsigned)_i % 4);
    clf_plan *plan = sort_plan(&key);
    for (unsigned offset = 0; plan && offset < 17; ++offset)
        for (unsigned place = 0; place < PLACES; ++place) {
            sort_case test = sort_case_of(&key, 300 + 7 * place, offset + place);
            test.under.offset = offset;
            test.place = (guarded_place)place;
            sort_case_run(plan, test);
        }
    clf_plan_release(plan);
}

TEST(counted_keys_of_sizes_on_the_device)
{
    static const size_t n = 4000, actual[] = {0, 1, 17, 255, 256, 2047, 2048, 3999, 4000, 4001, 9000};
    sort_key key = key_of(_i / 2 ? 3 : 0, _i % 2 ? 2 : 0, 0);
    key.flags |= CLF_FROM_DEVICE;
    clf_plan *plan = sort_plan(&key);
    for (unsigned i = 0; plan && i < 2 * COUNT(actual); ++i)
        sort_case_run_given(plan, &key, n, actual[i % COUNT(actual)], i);
    clf_plan_release(plan);
}

/* ---- Which plans count ------------------------------------------------------------------------------------------ */

static void check_counts(int sort, unsigned flags, const char *disable)
{
    char text[4096];
    clf_plan *plan = NULL;
    const clf_status status = clf_sort_plan(rig_context(disable), ref_sort_of(sort)->clf, flags, NULL, &plan, NULL);
    if (status == CLF_E_UNSUPPORTED)
        return; /* no such type */
    assert_ok(status);
    assert_ok(clf_plan_describe(plan, 1 << 20, text, sizeof text, NULL));
    ck_assert_msg(strstr(text, "variant = counting"), "%s", text);
    clf_plan_release(plan);
}

TEST(who_counts)
{
    static const char *const disable[] = {NULL, "cpu", ROUTE_BARE};
    check_counts(CLF_CHAR + _i, _i % 2 ? CLF_DESCENDING : 0, disable[_i % 3]);
    check_counts(CLF_HALF, CLF_TOTAL_ORDER, disable[_i % 3]);
}

static void check_refused(const clf_operator *op, unsigned flags, const char *variant)
{
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    clf_error error = {.size = sizeof error};
    clf_plan *plan = NULL;
    assert_status(clf_sort_plan(rig_context(NULL), op, flags, &options, &plan, &error), CLF_E_UNSUPPORTED);
    ck_assert_msg(strstr(error.message, "sorts keys of up to 16 bits with nothing else") ||
                      strstr(error.message, "half"),
                  "%s", error.message);
    ck_assert_ptr_null(plan);
}

TEST(who_does_not_count)
{
    static const clf_operator by_key = {.size = sizeof by_key, .value = "uchar x;", .key = "uchar low",
                                        .source = "uchar low(clf_value v) { return v.x & 3; }"};
    static const char *const variants[] = {"counting", "counting_cpu"};
    for (size_t v = 0; v < COUNT(variants); ++v) {
        check_refused(ref_sort_of(CLF_INT)->clf, 0, variants[v]);
        check_refused(ref_sort_of(REF_SORT_VECTORS)->clf, 0, variants[v]);
        check_refused(ref_sort_of(CLF_HALF)->clf, 0, variants[v]);
        check_refused(&by_key, 0, variants[v]);
    }
}

RIG_PART(add_sort_counting_tests, {sizes_of_counted_keys, KINDS * ROUTES}, {many_counted_keys, KINDS * ROUTES},
         {counted_keys_everywhere, 8}, {counted_keys_of_sizes_on_the_device, 4}, {who_counts, 4},
         {who_does_not_count, 1})

/* SPDX-License-Identifier: MIT */
/* Every class of plan of clfold.hpp: little calls, whose results show that each argument arrives where it should. */
#include "test_cpp.hpp"

using ints = std::vector<cl_int>;
using longs = std::vector<cl_ulong>;

static const clfold::context &context() { return the_world().context; }

static clfold::op ints_op() { return clfold::op("int v;"); }

static const clfold::op plus = clfold::builtin<cl_int>(clfold::sum);

/* Whole numbers below this one are in order. */
static clfold::op below()
{
    return ints_op().less("below").source("bool below(clf_input a, clf_input b) { return a.v < b.v; }");
}

static clfold::op odd()
{
    return ints_op().predicate("odd").source("bool odd(clf_input x, ulong i) { return x.v % 2 != 0; }");
}

static void test_scan_plans()
{
    const buffer<cl_int> x(ints{3, 1, 4, 1, 5, 9}), y(6);
    const buffer<cl_uint> offsets(std::vector<cl_uint>{0, 1, 1, 6});
    const buffer<cl_ulong> actual(longs{2});
    clfold::scan_plan scan(context(), plus, clfold::exclusive | clfold::from_device);
    GIVES(y, scan(on_queue().initial(cl_int(10)).actual(actual.array()), 6, x.array(), y.array()),
          ints{10, 13, 0, 0, 0, 0});
    clfold::segmented_scan_plan rows(context(), plus);
    GIVES(y, rows(on_queue(), 2, 3, x.array(), y.array()), ints{3, 4, 8, 1, 6, 15});
    clfold::irregular_scan_plan uneven(context(), plus, clfold::by_offsets<cl_uint>);
    GIVES(y, uneven(on_queue(), 6, 3, offsets.array(), x.array(), y.array()), ints{3, 1, 5, 6, 11, 20});
    clfold::adjacent_difference_plan differ(context(),
                                            ints_op().combine("minus").neutral("zero").source(
                                                "clf_value minus(clf_value a, clf_value b) { b.v -= a.v; return b; } "
                                                "clf_value zero(void) { clf_value v = {0}; return v; }"));
    GIVES(y, differ(on_queue(), 6, x.array(), y.array()), ints{3, -2, 3, -3, 4, 4});
    GIVES(y, differ.rows(on_queue(), 3, 2, x.array(), y.array()), ints{3, -2, 4, -3, 5, 4});
}

/* One of two results: the sums, or the products. */
static void test_wanted_results()
{
    const buffer<cl_int> x(ints{3, 1, 4, 1}), y(4);
    const clfold::op two = clfold::join({plus, clfold::builtin<cl_int>(clfold::product)});
    clfold::scan_plan products(context(), two, 0, clfold::plan_options().want(1));
    GIVES(y, products(on_queue(), 4, x.array(), {std::nullopt, y.array()}), ints{3, 3, 12, 12});
    clfold::reduce_plan both(context(), two, 0, clfold::plan_options().want(0, 1));
    GIVES(y, both(on_queue(), 4, x.array(), {y.array(), y.array() + 1}), ints{9, 12, 12, 12});
}

static void test_reduce_plans()
{
    const buffer<cl_int> x(ints{3, 1, 4, 1, 5, 9}), low(6), y(6), z(6);
    const buffer<cl_uint> lengths(std::vector<cl_uint>{2, 0, 4});
    const buffer<cl_uchar> heads(std::vector<cl_uchar>{1, 0, 0, 1, 0, 0});
    const buffer<cl_ulong> count(1);
    const clfold::op both = clfold::join({plus, clfold::builtin<cl_int>(clfold::max)});
    clfold::reduce_plan reduce(context(), both);
    RUN(reduce(on_queue(), 6, x.array(), {y.array(), z.array()}));
    CHECK(y.read()[0] == 23 && z.read()[0] == 9);
    RUN(reduce.rows(on_queue(), 3, 2, x.array(), {y.array() + 1, z.array() + 1}));
    CHECK((y.read() == ints{23, 4, 5, 14, 0, 0}) && (z.read() == ints{9, 3, 4, 9, 0, 0}));
    CHECK(reduce.variant(3, 2) != nullptr && reduce.scratch(6) < (1u << 20));
    clfold::irregular_reduce_plan by_lengths(context(), plus, clfold::by_lengths<cl_uint>);
    GIVES(y, by_lengths(on_queue(), 6, 3, lengths.array(), x.array(), y.array()), ints{4, 0, 19, 14, 0, 0});
    clfold::irregular_reduce_plan by_heads(context(), plus, clfold::by_head_bytes);
    RUN(by_heads(on_queue(), 6, 6, heads.array(), x.array(), y.array(), count.array()));
    CHECK(count.read()[0] == 2 && y.read()[0] == 8 && y.read()[1] == 15);
    clfold::reduce_plan finished(
        context(),
        clfold::op("int sum;").combine("clf_sum").commutative().result("ulong twice;").finish("twice").source(
            "clf_result twice(clf_value a, ulong row)"
            "{ clf_result r = {(ulong)(2 * a.sum + (int)row)}; return r; }"));
    const buffer<cl_ulong> twice(3);
    RUN(finished.rows(on_queue(), 3, 2, x.array(), twice.array()));
    CHECK(twice.read()[0] == 8 && twice.read()[1] == 11 && twice.read()[2] == 30);
    clf_operator older = {}; /* ends before `place` */
    older.size = offsetof(clf_operator, place);
    older.value = "int sum;", older.combine = "clf_sum", older.result = "uchar least;", older.finish = "least";
    older.source = "clf_result least(clf_value a, ulong row) { clf_result r = {(uchar)min(a.sum, 9)}; return r; }";
    const buffer<cl_uchar> bytes(3);
    RUN(clfold::reduce_plan(context(), clfold::op(older)).rows(on_queue(), 3, 2, x.array(), bytes.array()));
    CHECK(bytes.read()[0] == 4 && bytes.read()[1] == 5 && bytes.read()[2] == 9);
    clfold::reduce_by_index_plan binned(
        context(),
        clfold::op("int x;").combine("clf_sum").part("odd").commutative().result("ulong twice;").finish("twice").source(
            "uint odd(clf_input in, ulong i) { return (uint)in.x & 1; }"
            "clf_result twice(clf_value a, ulong b) { clf_result r = {2 * a.x + (int)b}; return r; }"));
    RUN(binned(on_queue(), 6, 2, x.array(), twice.array()));
    CHECK(twice.read()[0] == 8 && twice.read()[1] == 39);
    clfold::irregular_scan_plan numbered(
        context(),
        clfold::op("int x;")
            .source("clf_value add(clf_input in, ulong i, ulong s) { clf_value v = {in.x + 10 * (int)s}; return v; }")
            .map("add").combine("clf_sum").commutative().with_segment(),
        clfold::by_head_bytes);
    GIVES(y, numbered(on_queue(), 6, 0, heads.array(), x.array(), y.array()), ints{3, 4, 8, 11, 26, 45});
    const clfold::op back = clfold::op("int v;")
                                .source("ulong back(clf_value a, clf_value b, clf_input x, ulong i) { return 5 - i; }")
                                .combine("clf_sum").place("back");
    RUN(clfold::scan_plan(context(), back).placed(on_queue(), 6, 6, x.array(), y.array(), count.array()));
    CHECK((y.read() == ints{23, 14, 9, 8, 4, 3}) && count.read()[0] == 6);
    GIVES(y, clfold::segmented_scan_plan(context(), back).placed(on_queue(), 3, 2, 4, x.array(), y.array()),
          ints{14, 5, 5, 4, 4, 3});
    const clfold::irregular_scan_plan halves(context(), back, clfold::by_head_bytes);
    RUN(halves.placed(on_queue(), 6, 0, 6, heads.array(), x.array(), y.array(), count.array()));
    CHECK((y.read() == ints{15, 6, 1, 8, 4, 3}) && count.read()[0] == 6);
    const clfold::op modulo =
        clfold::op("int v;").captured("int m;").combine("times").neutral("one").combine_captures().source(
            "clf_value times(clf_value a, clf_value b, const clf_captured *c)"
            "{ clf_value v = {a.v * b.v % c->m[0]}; return v; }"
            "clf_value one(void) { clf_value v = {1}; return v; }");
    RUN(clfold::scan_plan(context(), modulo)(on_queue(), 6, {x.array(), buffer<cl_int>(ints{7}).array()}, y.array()));
    CHECK((y.read() == ints{3, 3, 5, 5, 4, 1}));
    clfold::transpose_plan turn(context(), sizeof(cl_int));
    RUN(turn(on_queue(), 1, 2, 3, x.array(), y.array()));
    CHECK((y.read() == ints{3, 1, 1, 5, 4, 9}) && turn.variant(1, 2, 3) != nullptr);
}

static void test_by_plans()
{
    const buffer<cl_int> key(ints{7, 7, 2, 2, 2, 7}), x(ints{3, 1, 4, 1, 5, 9}), y(6), z(6), bins(4);
    const buffer<cl_ulong> count(1);
    clfold::reduce_by_key_plan by_key(
        context(),
        clfold::op("int sum;").input("int key; int x;").extra("int key;").map("of").combine("clf_sum").same("same_key")
            .commutative().source(
                "clf_value of(clf_input x, ulong i, clf_extra *e) { e->key = x.key; clf_value v = {x.x}; return v; }\n"
                "bool same_key(clf_input a, clf_input b) { return a.key == b.key; }"));
    RUN(by_key(on_queue(), 6, 6, {key.array(), x.array()}, {y.array(), z.array()}, count.array()));
    CHECK((count.read()[0] == 3 && y.read() == ints{4, 10, 9, 0, 0, 0} && z.read() == ints{7, 2, 7, 0, 0, 0}));
    clfold::reduce_by_key_plan longer(context(),
                                      clfold::op("int sum;")
                                          .source("bool same(clf_input a, clf_input b) { return a.sum == b.sum; }")
                                          .combine("clf_sum").same("same").commutative(),
                                      clfold::nontrivial_runs);
    RUN(longer(on_queue(), 6, 6, key.array(), z.array(), count.array()));
    CHECK(count.read()[0] == 2 && z.read()[0] == 14 && z.read()[1] == 6);
    clfold::reduce_by_index_plan by_index(
        context(), clfold::op("int sum;").input("int bin; int x;")
                       .source("clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }").map("of")
                       .combine("clf_sum").commutative().no_index());
    GIVES(bins, by_index(on_queue(), 6, 4, {key.array(), x.array()}, bins.array()), ints{0, 0, 10, 0});
    GIVES(y, by_index.rows(on_queue(), 2, 3, 3, {key.array(), x.array()}, y.array()), ints{0, 0, 4, 0, 0, 6});
}

static void test_select_plans()
{
    const buffer<cl_int> x(ints{3, 1, 4, 4, 5, 9}), y(6), z(6);
    const buffer<cl_ulong> count(2), parts(2);
    clfold::filter_plan filter(context(), odd(), clfold::in_place);
    RUN(filter(on_queue(), 6, 2, x.array(), y.array(), count.array()));
    CHECK((count.read()[0] == 4 && y.read() == ints{3, 1, 0, 0, 0, 0}));
    clfold::unique_plan unique(
        context(), ints_op().same("same").source("bool same(clf_input a, clf_input b) { return a.v == b.v; }"));
    RUN(unique(on_queue(), 6, 6, x.array(), y.array(), count.array()));
    CHECK((count.read()[0] == 5 && y.read() == ints{3, 1, 4, 5, 9, 0}));
    clfold::partition_plan partition(context(), odd());
    RUN(partition(on_queue(), 6, 6, x.array(), {y.array(), z.array()}, count.array()));
    CHECK((count.read() == longs{4, 2} && y.read() == ints{3, 1, 5, 9, 9, 0} && z.read() == ints{4, 4, 0, 0, 0, 0}));
    clfold::split_plan split(context(),
                             ints_op().part("odd").source("uint odd(clf_input x, ulong i) { return x.v & 1; }"), 2);
    RUN(split(on_queue(), 6, x.array(), y.array(), parts.array()));
    CHECK((parts.read() == longs{2, 4} && y.read() == ints{4, 4, 3, 1, 5, 9}));
    RUN(split(on_queue(), 6, y.array(), z.array()));
    CHECK(z.read() == y.read());
}

static void test_sort_plans()
{
    const buffer<cl_int> x(ints{3, 1, 4, 1, 5, 9}), y(6);
    const buffer<cl_ulong> lengths(longs{2, 4}), count(1), begins(3);
    clfold::sort_plan sort(context(), ints_op(), clfold::descending);
    GIVES(y, sort(on_queue(), 6, x.array(), y.array()), ints{9, 5, 4, 3, 1, 1});
    const buffer<cl_int> given_up(ints{2, 7, 1, 8, 2, 8});
    clfold::sort_plan overwriting(context(), ints_op(), clfold::overwrite_input);
    GIVES(y, overwriting(on_queue(), 6, given_up.array(), y.array()), ints{1, 2, 2, 7, 8, 8});
    clfold::segmented_sort_plan rows(context(), ints_op());
    GIVES(y, rows(on_queue(), 2, 3, x.array(), y.array()), ints{1, 3, 4, 1, 5, 9});
    clfold::irregular_sort_plan uneven(context(), ints_op(), clfold::by_lengths<cl_ulong>);
    GIVES(y, uneven(on_queue(), 6, 2, lengths.array(), x.array(), y.array()), ints{1, 3, 1, 4, 5, 9});
    clfold::merge_sort_plan merge_sort(context(), below());
    GIVES(y, merge_sort(on_queue(), 6, x.array(), y.array()), ints{1, 1, 3, 4, 5, 9});
    clfold::is_sorted_plan is_sorted(context(), below());
    RUN(is_sorted(on_queue(), 6, x.array(), count.array()));
    CHECK(count.read()[0] == 1);
    clfold::top_k_plan top(context(), ints_op(), clfold::descending);
    RUN(top(on_queue(), 6, 2, x.array(), y.array()));
    GIVES(y, top.rows(on_queue(), 3, 2, 1, x.array(), y.array() + 2), ints{9, 5, 3, 4, 9, 9});
    clfold::irregular_top_k_plan of_each(context(), ints_op(), clfold::by_lengths<cl_ulong>, clfold::descending);
    GIVES(y, of_each(on_queue(), 6, 2, 3, lengths.array(), x.array(), y.array(), begins.array()),
          ints{3, 1, 9, 5, 4, 9});
    CHECK((begins.read() == longs{0, 2, 5}));
    RUN(of_each(on_queue(), 6, 2, 1, lengths.array(), x.array(), y.array()));
}

static void test_search_plans()
{
    const buffer<cl_int> x(ints{1, 3, 3, 5}), needles(ints{3, 6}), all(6), moved(4);
    const buffer<cl_uint> places(2), indices(std::vector<cl_uint>{3, 0});
    const buffer<cl_long> keys(std::vector<cl_long>{0, -1, -2, -3, -4, -5, -6});
    const clfold::arrays both = {x.array(), needles.array()}, three = {x.array(), needles.array(), keys.array()};
    const clfold::op rows = clfold::op("int row;").captured("long key;").less("before").source(
        "bool before(clf_input a, clf_input b, const clf_captured *c) { return c->key[a.row] > c->key[b.row]; }");
    GIVES(all, clfold::merge_plan(context(), below())(on_queue(), 4, 2, both, all.array()), ints{1, 3, 3, 3, 5, 6});
    GIVES(all, clfold::merge_plan(context(), rows)(on_queue(), 4, 1, three, all.array() + 1), ints{1, 1, 3, 3, 3, 5});
    clfold::bounds_plan bounds(context(), below(), CLF_UINT, clfold::upper), of_rows(context(), rows, CLF_UINT);
    GIVES(places, bounds(on_queue(), 4, 2, both, places.array()), std::vector<cl_uint>{3, 4});
    GIVES(places, of_rows(on_queue(), 4, 2, three, places.array()), std::vector<cl_uint>{1, 4});
    clfold::gather_plan gather(context(), "int v;", CLF_UINT);
    GIVES(moved, gather(on_queue(), 4, 2, x.array(), indices.array(), moved.array()), ints{5, 1, 0, 0});
    clfold::scatter_plan scatter(context(), "int v;", CLF_UINT);
    GIVES(moved, scatter(on_queue(), 2, 4, needles.array(), indices.array(), moved.array()), ints{6, 1, 0, 3});
}

static void test_expand_plans()
{
    const buffer<cl_int> x(ints{7, 8, 9}), out(6);
    const buffer<cl_uint> lengths(std::vector<cl_uint>{2, 0, 3}), offsets(std::vector<cl_uint>{0, 2, 2, 5});
    const buffer<cl_ulong> count(1);
    const clfold::op again = clfold::op("int v;").captured("int x;").map("again").source(
        "clf_value again(clf_input at, ulong i, const clf_captured *c)"
        "{ clf_value v = {c->x[at.segment]}; return v; }");
    clfold::expand_plan by_lengths(context(), again, clfold::by_lengths<cl_uint>);
    GIVES(out, by_lengths(on_queue(), 3, 6, lengths.array(), x.array(), out.array(), count.array()),
          ints{7, 7, 9, 9, 9, 0});
    CHECK(count.read()[0] == 5);
    clfold::expand_plan by_offsets(context(), again, clfold::by_offsets<cl_uint>);
    RUN(by_offsets(on_queue(), 3, 3, offsets.array(), x.array(), out.array()));
    RUN(clfold::repeat(the_world().context, on_queue(), 3, 6, x.array(), lengths.array(), out.array(), count.array()));
    CHECK((out.read() == ints{7, 7, 9, 9, 9, 0}));
}

void test_plans()
{
    test_scan_plans();
    test_wanted_results();
    test_reduce_plans();
    test_by_plans();
    test_select_plans();
    test_sort_plans();
    test_search_plans();
    test_expand_plans();
}

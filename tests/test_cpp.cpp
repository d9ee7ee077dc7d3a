/* SPDX-License-Identifier: MIT */
/*
 * clfold.hpp: objects, fields, errors, and an operator on a struct. Compiled as C++17, as C++20, and without
 * exceptions. It prints "N passed, N failed".
 */
#include "test_cpp.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>

/* ---- The device -------------------------------------------------------------------------------------------------- */

static int passed, failed;

bool check(bool good, const char *what, const char *file, int line)
{
    good ? passed++ : failed++;
    if (!good)
        std::fprintf(stderr, "%s:%d: not so: %s\n", file, line, what);
    return good;
}

bool succeeded(clf_status status, const char *what, const char *file, int line)
{
    if (status != CLF_SUCCESS)
        std::fprintf(stderr, "%s\n", clfold::detail::last_sentence().text);
    return check(status == CLF_SUCCESS, what, file, line);
}

static world make_world()
{
    cl_platform_id platform = nullptr;
    world w = {};
    if (clGetPlatformIDs(1, &platform, nullptr) ||
        clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &w.device, nullptr)) {
        std::fprintf(stderr, "no OpenCL device\n");
        std::exit(1);
    }
    w.cl = clCreateContext(nullptr, 1, &w.device, nullptr, nullptr, nullptr);
    w.queue = clCreateCommandQueue(w.cl, w.device, 0, nullptr);
    w.context = clfold::context(w.cl, w.device);
    return w;
}

world &the_world()
{
    static world w = make_world();
    return w;
}

clfold::call on_queue()
{
    static clfold::failure why;
    return clfold::on(the_world().queue).into(why);
}

/* ---- Objects ----------------------------------------------------------------------------------------------------- */

static void test_objects()
{
    clfold::context first = the_world().context, second = first;
    CHECK(first.get() == second.get() && first);
    clfold::context third = std::move(first);
    CHECK(!first && third.get() == second.get());
    second = third;
    third.reset();
    CHECK(!third && second);
    CHECK(second.describe().find("device") != std::string::npos);
    CHECK(clfold::context::share(second.get()).get() == second.get());
    CHECK(second.trim() == CLF_SUCCESS);

    clfold::event none, moved = std::move(none);
    CHECK(!moved && moved.wait() == CL_SUCCESS);

    clfold::scan_plan scan(second, clfold::builtin<cl_int>(clfold::sum));
    clfold::plan copy = scan;
    clfold::scan_plan taken = std::move(scan);
    CHECK(!scan && taken && copy.get() == taken.get());
    CHECK(copy.describe(100).find("variant") != std::string::npos || !copy.describe(100).empty());
    CHECK(second.tune(copy, 1) == CLF_SUCCESS);
    CHECK(second.profile().find("clfold profile 1") == 0);
    clfold::failure why;
    CHECK(second.tune(scan, 1, &why) == CLF_E_ARGUMENT); // nothing is left in it
    second.reset();                                      // the plan keeps it
    buffer<cl_int> x(std::vector<cl_int>{3, 1, 4});
    RUN(taken(on_queue(), 3, x.array(), x.array()));
    CHECK((x.read() == std::vector<cl_int>{3, 4, 8}));
    CHECK(scan(on_queue(), 3, x.array(), x.array()) == CLF_E_ARGUMENT); // nothing is left in it
}

/* ---- Fields ------------------------------------------------------------------------------------------------------ */

namespace
{
struct best {
    float value;
    cl_uint at;
};
CLFOLD_FIELDS(best, value, at)

struct mixed {
    cl_uchar flag;
    cl_float4 v;
    double d;
};
CLFOLD_FIELDS(mixed, flag, v, d)

struct rows {
    cl_uchar tag[3];
    std::array<float, 10> a;
    short last;
};
CLFOLD_FIELDS(rows, tag, a, last)
} // namespace

static void test_fields()
{
    CHECK(clfold::fields<best>() == "float value; uint at; ");
    CHECK(clfold::fields<mixed>() == "uchar flag; float4 v; double d; ");
    CHECK((clfold::fields<float, cl_ulong, cl_int2>("x", "n", "p") == "float x; ulong n; int2 p; "));
    CHECK(clfold::type_of<long long>() == CLF_LONG && clfold::type_of<signed char>() == CLF_CHAR);
    CHECK(clfold::type_of<unsigned short>() == CLF_USHORT && clfold::type_of<clfold::half>() == CLF_HALF);
    CHECK((clfold::detail::field_bytes(" float x;uint16  n ; half2 h") == std::vector<std::size_t>{4, 64, 4}));
    CHECK(clfold::detail::struct_bytes("uchar flag; float4 v; double d;") == sizeof(mixed));
    CHECK(clfold::detail::laid_out(clfold_fields(static_cast<best *>(nullptr)), sizeof(best)));
    CHECK(!clfold::detail::laid_out(clfold_fields(static_cast<best *>(nullptr)), sizeof(best) + 4)); // one more member
}

/* ---- An operator on a struct ------------------------------------------------------------------------------------- */

static clfold::op argmax()
{
    return clfold::op(clfold::fields<best>())
        .input(clfold::fields<float>("x"))
        .source(R"(clf_value here(clf_input in, ulong i) { clf_value v = {in.x, (uint)i}; return v; }
                   clf_value larger(clf_value a, clf_value b) { if (b.value > a.value) a = b; return a; }
                   clf_value none(void) { clf_value v = {-INFINITY, 0}; return v; })")
        .map("here")
        .combine("larger")
        .neutral("none");
}

/* Members that are arrays, which are aligned as their scalars are. */
static void test_arrays()
{
    CHECK(clfold::fields<rows>() == "uchar tag[3]; float a[10]; short last; ");
    CHECK((clfold::fields<float[16], std::array<cl_short, 5>>("m", "s") == "float m[16]; short s[5]; "));
    CHECK((clfold::detail::field_bytes("uchar t[3]; float a[ 10 ];short last") == std::vector<std::size_t>{3, 40, 2}));
    CHECK(clfold::detail::struct_bytes(clfold::fields<rows>().c_str()) == sizeof(rows));

    using numbers = std::array<float, 10>;
    clfold::scan_plan plan(the_world().context, clfold::op(clfold::fields<rows>()).combine("clf_sum").commutative());
    buffer<std::array<cl_uchar, 3>> tag({{1, 2, 3}, {4, 5, 6}});
    buffer<numbers> a({numbers{1, 2, 3}, numbers{10, 20, 30}});
    buffer<short> last({7, 8});
    clfold::event done;
    const rows start = {{1, 1, 1}, {100}, 1};
    RUN(plan(on_queue().initial(start).done(done), 2, {tag.array(), a.array(), last.array()},
             {tag.array(), a.array(), last.array()}));
    done.wait();
    CHECK(a.read() == (std::vector<numbers>{{101, 2, 3}, {111, 22, 33}}));
    CHECK(last.read() == (std::vector<short>{8, 16}) && tag.read()[1] == (std::array<cl_uchar, 3>{6, 8, 10}));
}

static void test_struct()
{
    clfold::reduce_plan plan(the_world().context, argmax());
    const std::vector<float> data = some<float>(1000, 800);
    buffer<float> x(data), value(1);
    buffer<cl_uint> at(1);
    clfold::event loaded, done;
    RUN(plan(on_queue().done(loaded), 1000, x.array(), {value.array(), at.array()}));
    RUN(plan(on_queue().after(loaded).done(done), 1000, x.array(), {value.array(), at.array()}));
    CHECK(done.wait() == CL_SUCCESS);
    const auto most = std::max_element(data.begin(), data.end());
    CHECK(value.read()[0] == *most && at.read()[0] == static_cast<cl_uint>(most - data.begin()));
    RUN(plan(on_queue().initial(best{5000.0f, 77}), 1000, x.array(), {value.array(), at.array()}));
    CHECK(value.read()[0] == 5000.0f && at.read()[0] == 77);
}

/* ---- Errors ------------------------------------------------------------------------------------------------------ */

static void test_laws()
{
    const clfold::op minus = clfold::op("int v;").combine("minus").neutral("zero").source(
        "clf_value zero(void) { clf_value v = {0}; return v; } "
        "clf_value minus(clf_value a, clf_value b) { a.v -= b.v; return a; }");
    const std::vector<cl_int> some{1, 2, 3};
    clfold::failure f;
    RUN(clfold::check(the_world().context, clfold::builtin<cl_int>(clfold::sum), clfold::laws_options(), &f));
    CHECK(f.status == CLF_SUCCESS);
    CHECK(clfold::check(the_world().context, minus, clfold::laws_options().plain().values(10).elements(some), &f) ==
          CLF_E_LAW);
    CHECK(f.message == "combine is not associative: combine(1, combine(1, 1)) is 1, combine(combine(1, 1), 1) is -1");
    RUN(clfold::check(the_world().context, clfold::builtin<cl_int>(clfold::sum), clfold::laws_options(), &f));
    CHECK(f.status == CLF_SUCCESS && f.message.empty() && f.log.empty());
    const clfold::op order = clfold::op("int v;").less("f").source(
        "bool f(clf_input a, clf_input b) { return a.v <= b.v; }");
    CHECK(clfold::check(the_world().context, order, clfold::laws_options(), &f) == CLF_E_LAW);
    CHECK(f.message == "less is not irreflexive: less(0, 0) is true");
    CHECK(clfold::check(the_world().context, minus, clfold::laws_options().elements(some, some), &f) == CLF_E_ARGUMENT);
    CHECK(f.message == "clfold::check: elements need a vector for each field, of its type");
    const clfold::op by_column = clfold::op("int row;").captured("float column;").less("f").source(
        "bool f(clf_input a, clf_input b, const clf_captured *c) { return c->column[a.row] <= c->column[b.row]; }");
    const std::vector<cl_int> rows{0, 1};
    buffer<float> column(std::vector<float>{4, 2});
    auto how = clfold::laws_options().elements(rows).captured(column.array());
    CHECK(clfold::check(the_world().context, by_column, how, &f) == CLF_E_LAW);
    CHECK(f.message == "less is not irreflexive: less(0, 0) is true");
    how.captured({column.array(), column.array()});
    CHECK(clfold::check(the_world().context, by_column, how, &f) == CLF_E_ARGUMENT);
    CHECK(f.message == "clfold::check: captured needs an array of each field's type");
#ifndef CLFOLD_NO_EXCEPTIONS
    try {
        clfold::check(the_world().context, minus);
        CHECK(!"reached");
    } catch (const clfold::error &e) {
        CHECK(e.status() == CLF_E_LAW && e.log().empty());
    }
#endif
}

static void test_build_log()
{
    clfold::op wrong = clfold::op("int v;").combine("add").neutral("zero").source(
        "clf_value zero(void) { clf_value v = {0}; return v; }\nclf_value add(clf_value a, clf_value b) { return a + "
        "nonsense; }");
    auto plan = clfold::make<clfold::scan_plan>(the_world().context, wrong);
    CHECK(!plan && plan.error().status == CLF_E_OPERATOR);
    CHECK(plan.error().log.find("nonsense") != std::string::npos);
#ifndef CLFOLD_NO_EXCEPTIONS
    try {
        clfold::scan_plan never(the_world().context, wrong);
        CHECK(!"reached");
    } catch (const clfold::error &e) {
        CHECK(e.status() == CLF_E_OPERATOR && e.log().find("nonsense") != std::string::npos);
        CHECK(std::string(e.what()) == e.message() + "\n" + e.log());
    }
#else
    CHECK(!clfold::scan_plan(the_world().context, wrong));
#endif
    auto none = clfold::make<clfold::scan_plan>(the_world().context, clfold::builtin<float>(clfold::bit_xor),
                                                clfold::exclusive);
    CHECK(!none && none.error().status == CLF_E_ARGUMENT);
    auto context = clfold::make<clfold::context>(static_cast<cl_context>(nullptr), the_world().device);
    CHECK(!context && context.error().status != CLF_SUCCESS && !context.error().message.empty());
    auto good = clfold::make<clfold::scan_plan>(the_world().context, clfold::builtin<cl_int>(clfold::sum));
    CHECK(good && good->get() && good.error().status == CLF_SUCCESS);
}

/* Was it refused so, with that in the sentence? */
static bool refused(clf_status got, clf_status wanted, const clfold::failure &why, const char *word)
{
    if (got == wanted && why.status == wanted && why.message.find(word) != std::string::npos)
        return true;
    std::fprintf(stderr, "status %d: %s\n", static_cast<int>(got), why.message.c_str());
    return false;
}

static void test_refused()
{
    clfold::reduce_plan plan(the_world().context, argmax());
    clfold::failure why;
    const clfold::call call = clfold::on(the_world().queue).into(why);
    buffer<float> x(10), value(1);
    buffer<cl_uint> at(1);
    buffer<double> wide(10);
    CHECK(refused(plan(call, 11, x.array(), {value.array(), at.array()}), CLF_E_BUFFER, why, "clf_reduce"));
    CHECK(refused(plan(call, 10, x.array() + 1, {value.array(), at.array()}), CLF_E_BUFFER, why, "in[0]"));
    CHECK(refused(plan(call, 10, wide.array(), {value.array(), at.array()}), CLF_E_ARGUMENT, why, "in[0]"));
    CHECK(refused(plan(call, 10, x.array(), {value.array(), wide.array()}), CLF_E_ARGUMENT, why, "out[1]"));
    CHECK(refused(plan(call, 10, x.array(), value.array()), CLF_E_ARGUMENT, why, "out"));
    const clfold::scan_plan of_arrays(the_world().context,
                                      clfold::op(clfold::fields<float[10]>("a")).combine("clf_sum"));
    CHECK(refused(of_arrays(call, 1, x.array(), x.array()), CLF_E_ARGUMENT, why,
                  "in[0] has 4 bytes, where the plan's has 40"));
    const clfold::irregular_reduce_plan of_segments(the_world().context, clfold::builtin<float>(clfold::sum),
                                                    clfold::by_offsets<cl_ulong>);
    CHECK(refused(of_segments(call, 10, 1, at.array(), x.array(), value.array()), CLF_E_ARGUMENT, why,
                  "segments or indices has 4 bytes, where the plan's has 8"));
    const clfold::gather_plan gather(the_world().context, "float x;", CLF_UINT);
    CHECK(refused(gather(call, 10, 1, x.array(), wide.array(), value.array()), CLF_E_ARGUMENT, why, "has 8 bytes"));
    CHECK(refused(plan(clfold::call(call).initial(1.0f), 10, x.array(), {value.array(), at.array()}), CLF_E_ARGUMENT,
                  why, "initial value"));
    CHECK(refused(clfold::reduce(the_world().context, call, clfold::bit_and, 10, x.array(), value.array()),
                  CLF_E_ARGUMENT, why, ""));
    CHECK(plan(call, 10, x.array(), {value.array(), at.array()}) == CLF_SUCCESS && why.status == CLF_SUCCESS);
#ifndef CLFOLD_NO_EXCEPTIONS
    try {
        plan(the_world().queue, 11, x.array(), {value.array(), at.array()});
        CHECK(!"reached");
    } catch (const clfold::error &e) {
        CHECK(e.status() == CLF_E_BUFFER && std::string(e.what()).find("in[0]") != std::string::npos &&
              e.log().empty());
    }
#endif
}

int main()
{
    test_objects();
    test_fields();
    test_struct();
    test_arrays();
    test_build_log();
    test_laws();
    test_refused();
    test_one_call();
    test_plans();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed != 0;
}

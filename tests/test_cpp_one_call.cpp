/* SPDX-License-Identifier: MIT */
/* Every one-call function of clfold.hpp against the standard library's algorithm. */
#include "test_cpp.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

enum { N = 1000, BINS = 50 };

using ints = std::vector<cl_int>;

static void test_scans()
{
    const ints data = some<cl_int>(N, 100);
    buffer<cl_int> x(data), y(N);
    const clfold::context &context = the_world().context;
    ints expected(N);

    std::inclusive_scan(data.begin(), data.end(), expected.begin());
    GIVES(y, clfold::inclusive_scan(context, on_queue(), clfold::sum, N, x.array(), y.array()), expected);
    std::exclusive_scan(data.begin(), data.end(), expected.begin(), 0);
    GIVES(y, clfold::exclusive_scan(context, on_queue(), clfold::sum, N, x.array(), y.array()), expected);
    RUN(clfold::reduce(context, on_queue(), clfold::sum, N, x.array(), y.array()));
    CHECK(y.read()[0] == std::accumulate(data.begin(), data.end(), 0));
}

static void test_rows()
{
    const ints data = some<cl_int>(N, 100);
    buffer<cl_int> x(data), y(N), sums(N / 10);
    ints expected(N), totals;
    for (int row = 0; row < N; row += 10) {
        std::partial_sum(&data[row], &data[row] + 10, &expected[row]);
        totals.push_back(expected[row + 9]);
    }
    RUN(clfold::rows_inclusive_scan(the_world().context, on_queue(), clfold::sum, N / 10, 10, x.array(), y.array()));
    CHECK(y.read() == expected);
    GIVES(sums, clfold::rows_reduce(the_world().context, on_queue(), clfold::sum, N / 10, 10, x.array(), sums.array()),
          totals);
    RUN(clfold::transpose(the_world().context, on_queue(), N / 10, 10, x.array(), y.array()));
    for (int i = 0; i < N; i++)
        expected[i % 10 * (N / 10) + i / 10] = data[i];
    CHECK(y.read() == expected);
}

/* The first `count` of what is on the device. */
template <class T> static std::vector<T> first(const buffer<T> &y, const buffer<cl_ulong> &count)
{
    std::vector<T> data = y.read();
    data.resize(std::min<std::size_t>(data.size(), count.read()[0]));
    return data;
}

static void test_select()
{
    const ints data = some<cl_int>(N, 3);
    const std::vector<cl_uchar> flags = some<cl_uchar>(N, 2);
    buffer<cl_int> x(data), y(N);
    buffer<cl_uchar> f(flags);
    buffer<cl_ulong> count(1), lengths(N);
    const clfold::context &context = the_world().context;
    ints expected;
    for (int i = 0; i < N; i++)
        if (flags[i])
            expected.push_back(data[i]);
    RUN(clfold::filter(context, on_queue(), N, x.array(), f.array(), y.array(), count.array()));
    CHECK(first(y, count) == expected);
    expected.clear();
    std::unique_copy(data.begin(), data.end(), std::back_inserter(expected));
    RUN(clfold::unique(context, on_queue(), N, x.array(), y.array(), count.array()));
    CHECK(first(y, count) == expected);
    RUN(clfold::run_lengths(context, on_queue(), N, x.array(), y.array(), lengths.array(), count.array()));
    CHECK(first(y, count) == expected);
    const std::vector<cl_ulong> all = first(lengths, count);
    CHECK(std::accumulate(all.begin(), all.end(), cl_ulong(0)) == N);
}

static void test_sorts()
{
    const ints data = some<cl_int>(N, 1000000);
    buffer<cl_int> x(data), y(N);
    buffer<cl_uint> order(N);
    const clfold::context &context = the_world().context;
    ints expected = data;
    std::sort(expected.begin(), expected.end());
    GIVES(y, clfold::sort(context, on_queue(), N, x.array(), y.array()), expected);
    std::sort(expected.begin(), expected.end(), std::greater<>());
    expected.resize(10);
    RUN(clfold::top_k(context, on_queue(), true, N, 10, x.array(), y.array()));
    ints got = y.read();
    got.resize(10);
    CHECK(got == expected);

    RUN(clfold::shuffle(context, on_queue(), N, 7, x.array(), y.array()));
    RUN(clfold::permutation(context, on_queue(), N, 7, order.array()));
    got = y.read();
    const std::vector<cl_uint> from = order.read();
    bool same = got != data;
    for (int i = 0; i < N; i++)
        same = same && got[i] == data[from[i]];
    CHECK(same && std::is_permutation(got.begin(), got.end(), data.begin()));
}

/* Keys with their payloads, and the order of the keys; the largest first, and NaNs last. */
static void test_pairs()
{
    struct rgb {
        cl_uchar r, g, b;
    };
    const std::vector<float> data = {3, 1, std::nanf(""), 1, 2};
    const std::vector<rgb> colours = {{30, 0, 0}, {10, 0, 0}, {0, 0, 0}, {11, 0, 0}, {20, 0, 0}};
    buffer<float> keys(data), sorted(5);
    buffer<rgb> x(colours), y(5);
    buffer<cl_uint> order(5);
    buffer<cl_ulong> wide(5);
    const clfold::context &context = the_world().context;
    RUN(clfold::sort_pairs(context, on_queue(), 5, keys.array(), x.array(), sorted.array(), y.array(),
                           clfold::descending));
    const std::vector<rgb> moved = y.read();
    CHECK(moved[0].r == 30 && moved[1].r == 20 && moved[2].r == 10 && moved[3].r == 11 && moved[4].r == 0);
    GIVES(order, clfold::argsort(context, on_queue(), 5, keys.array(), order.array()),
          std::vector<cl_uint>{1, 3, 4, 0, 2});
    GIVES(wide, clfold::argsort(context, on_queue(), 5, keys.array(), wide.array(), clfold::descending),
          std::vector<cl_ulong>{0, 4, 1, 3, 2});
    RUN(clfold::sort_descending(context, on_queue(), 2, keys.array(), sorted.array()));
    CHECK(sorted.read()[0] == 3 && sorted.read()[1] == 1);
}

static void test_more_of_rows()
{
    enum { ROWS = N / 10 };
    const ints data = some<cl_int>(N, 1000);
    buffer<cl_int> x(data), y(N), few(ROWS * 3), best(ROWS), columns(10);
    buffer<cl_uint> where(ROWS * 3), at(ROWS);
    ints expected(N), largest, scanned(N), sums(10);
    std::vector<cl_uint> first_of;
    for (int row = 0; row < N; row += 10) {
        std::copy(&data[row], &data[row] + 10, &expected[row]);
        std::sort(&expected[row], &expected[row] + 10, std::greater<>());
        largest.insert(largest.end(), &expected[row], &expected[row] + 3);
        std::exclusive_scan(&data[row], &data[row] + 10, &scanned[row], 0);
        first_of.push_back(static_cast<cl_uint>(std::max_element(&data[row], &data[row] + 10) - &data[row]));
        for (int c = 0; c < 10; c++)
            sums[c] += data[row + c];
    }
    const clfold::context &context = the_world().context;
    GIVES(y, clfold::rows_sort(context, on_queue(), ROWS, 10, x.array(), y.array(), clfold::descending), expected);
    GIVES(few, clfold::rows_top_k(context, on_queue(), true, ROWS, 10, 3, x.array(), few.array()), largest);
    RUN(clfold::rows_arg_top_k(context, on_queue(), true, ROWS, 10, 3, x.array(), few.array(), where.array()));
    bool same = few.read() == largest;
    const std::vector<cl_uint> places = where.read();
    for (int i = 0; i < ROWS * 3; i++)
        same = same && data[i / 3 * 10 + places[i]] == largest[i];
    CHECK(same);
    GIVES(y, clfold::rows_exclusive_scan(context, on_queue(), clfold::sum, ROWS, 10, x.array(), y.array()), scanned);
    GIVES(at, clfold::rows_argmax(context, on_queue(), ROWS, 10, x.array(), best.array(), at.array()), first_of);
    RUN(clfold::rows_argmin(context, on_queue(), ROWS, 10, x.array(), best.array(), at.array()));
    CHECK(best.read()[0] == *std::min_element(&data[0], &data[0] + 10));
    GIVES(columns, clfold::columns_reduce(context, on_queue(), clfold::sum, ROWS, 10, x.array(), columns.array()),
          sums);
}

static void test_extremes()
{
    const ints data = some<cl_int>(N, 1000);
    buffer<cl_int> x(data), value(4), few(4);
    buffer<cl_ulong> at(1);
    buffer<cl_uint> order(4);
    const clfold::context &context = the_world().context;
    RUN(clfold::argmin(context, on_queue(), N, x.array(), value.array(), at.array()));
    CHECK(at.read()[0] == static_cast<cl_ulong>(std::min_element(data.begin(), data.end()) - data.begin()));
    RUN(clfold::argmax(context, on_queue(), N, x.array(), value.array(), at.array()));
    CHECK(value.read()[0] == *std::max_element(data.begin(), data.end()));
    RUN(clfold::arg_top_k(context, on_queue(), false, N, 4, x.array(), few.array(), order.array()));
    CHECK(data[order.read()[3]] == few.read()[3]);
}

static void test_segments()
{
    const ints data = some<cl_int>(N, 100);
    const std::vector<cl_uint> ends = {0, 7, 7, 300, N};
    buffer<cl_int> x(data), y(N), totals(4);
    buffer<cl_uint> offsets(ends), at(4);
    const clfold::context &context = the_world().context;
    ints sums(4), running(N), before(N), sorted = data, largest;
    for (int s = 0; s < 4; s++) {
        const auto from = data.begin() + ends[s], to = data.begin() + ends[s + 1];
        sums[s] = std::accumulate(from, to, 0);
        std::partial_sum(from, to, running.begin() + ends[s]);
        std::exclusive_scan(from, to, before.begin() + ends[s], 0);
        std::sort(sorted.begin() + ends[s], sorted.begin() + ends[s + 1]);
    }
    RUN(clfold::segments_reduce(context, on_queue(), clfold::sum, N, 4, offsets.array(), x.array(), totals.array()));
    CHECK(totals.read() == sums);
    RUN(clfold::segments_inclusive_scan(context, on_queue(), clfold::sum, N, 4, offsets.array(), x.array(), y.array()));
    CHECK(y.read() == running);
    RUN(clfold::segments_exclusive_scan(context, on_queue(), clfold::sum, N, 4, offsets.array(), x.array(), y.array()));
    CHECK(y.read() == before);
    GIVES(y, clfold::segments_sort(context, on_queue(), N, 4, offsets.array(), x.array(), y.array()), sorted);
    RUN(clfold::segments_argmax(context, on_queue(), N, 4, offsets.array(), x.array(), totals.array(), at.array()));
    CHECK(totals.read()[3] == *std::max_element(data.begin() + 300, data.end()) && at.read()[1] == CL_UINT_MAX);
    RUN(clfold::segments_argmin(context, on_queue(), N, 4, offsets.array(), x.array(), totals.array(), at.array()));
    CHECK(data[at.read()[2]] == *std::min_element(data.begin() + 7, data.begin() + 300));
}

static void test_groups()
{
    const ints data = some<cl_int>(N, 20);
    const std::vector<float> numbers(data.begin(), data.end());
    buffer<cl_int> keys(data), groups(N);
    buffer<float> values(numbers), sums(N);
    buffer<cl_ulong> count(1), many(N);
    std::map<cl_int, cl_ulong> expected;
    for (const cl_int one : data)
        expected[one]++;
    const clfold::context &context = the_world().context;
    RUN(clfold::group_by(context, on_queue(), clfold::sum, N, keys.array(), values.array(), groups.array(),
                         sums.array(), count.array()));
    RUN(clfold::group_counts(context, on_queue(), N, keys.array(), groups.array(), many.array(), count.array()));
    const ints found = first(groups, count);
    const std::vector<float> totals = first(sums, count);
    const std::vector<cl_ulong> counts = first(many, count);
    bool same = found.size() == expected.size() && std::is_sorted(found.begin(), found.end());
    for (std::size_t i = 0; i < found.size(); i++) {
        const float total = static_cast<float>(counts[i]) * static_cast<float>(found[i]);
        same = same && counts[i] == expected[found[i]] && totals[i] == total;
    }
    CHECK(same);
}

static void test_histograms()
{
    const std::vector<cl_uint> data = some<cl_uint>(N, 2 * BINS);
    const std::vector<float> numbers(data.begin(), data.end());
    buffer<cl_uint> x(data), y(BINS);
    buffer<float> z(numbers), range(std::vector<float>{0, 2});
    std::vector<cl_uint> expected(BINS), even(BINS);
    for (const cl_uint one : data) {
        if (one < BINS)
            expected[one]++;
        even[one / 2]++;
    }
    GIVES(y, clfold::histogram(the_world().context, on_queue(), N, BINS, x.array(), y.array()), expected);
    GIVES(y, clfold::histogram_even(the_world().context, on_queue(), N, BINS, range.array(), z.array(), y.array()),
          even);
    const std::vector<float> ends{0, 2 * BINS};
    buffer<float> low_and_high(ends), edges(std::vector<float>{0, 2, 2 * BINS - 1});
    buffer<cl_ulong> two(2);
    const auto low = std::count_if(data.begin(), data.end(), [](cl_uint one) { return one < 2; });
    RUN(clfold::histogram_range(the_world().context, on_queue(), 0, N, BINS, low_and_high.array(), z.array(),
                                y.array()));
    CHECK(y.read() == even);
    RUN(clfold::histogram_edges(the_world().context, on_queue(), clfold::upper_end, N, 2, edges.array(), z.array(),
                                two.array()));
    CHECK((two.read() == std::vector<cl_ulong>{cl_ulong(low), cl_ulong(N - low)}));
}

void test_one_call()
{
    test_scans();
    test_rows();
    test_select();
    test_sorts();
    test_pairs();
    test_more_of_rows();
    test_extremes();
    test_segments();
    test_groups();
    test_histograms();
}

/* SPDX-License-Identifier: MIT */
/* Every one-call function of clfold.hpp against the standard library's algorithm. */
#include "test_cpp.hpp"

#include <algorithm>
#include <functional>
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
    RUN(clfold::inclusive_scan(context, on_queue(), clfold::sum, N, x.array(), y.array()));
    CHECK(y.read() == expected);
    std::exclusive_scan(data.begin(), data.end(), expected.begin(), 0);
    RUN(clfold::exclusive_scan(context, on_queue(), clfold::sum, N, x.array(), y.array()));
    CHECK(y.read() == expected);
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
    RUN(clfold::rows_reduce(the_world().context, on_queue(), clfold::sum, N / 10, 10, x.array(), sums.array()));
    CHECK(sums.read() == totals);
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
    RUN(clfold::sort(context, on_queue(), N, x.array(), y.array()));
    CHECK(y.read() == expected);
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
    RUN(clfold::histogram(the_world().context, on_queue(), N, BINS, x.array(), y.array()));
    CHECK(y.read() == expected);
    RUN(clfold::histogram_even(the_world().context, on_queue(), N, BINS, range.array(), z.array(), y.array()));
    CHECK(y.read() == even);
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
    test_histograms();
}

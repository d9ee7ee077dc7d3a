/* SPDX-License-Identifier: MIT */
/*
 * Histograms by edges and by two ends, a part of suite `one_call`: counts are those of a plain search, whatever the
 * type, the sizes and the edges.
 */
#include "gen.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N = 3000, LARGE = 14000, MOST_BINS = 5000, WIDEST = 8, GUARD = 2, PATTERN = 0x5c };

/* ---- Elements of any type -------------------------------------------------------------------------------------- */

/* A whole number, as an element; what does not fit wraps around. */
static void put(clf_type type, int64_t value, void *element)
{
    const cl_ushort half = gen_half((float)value);
    const cl_float narrow = (cl_float)value;
    const cl_double wide = (cl_double)value;
    const cl_ushort upper = gen_bfloat16((float)value);
    const void *const from = type == CLF_HALF       ? (const void *)&half
                             : type == CLF_BFLOAT16 ? (const void *)&upper
                             : type == CLF_FLOAT    ? (const void *)&narrow
                             : type == CLF_DOUBLE   ? (const void *)&wide
                                                    : (const void *)&value;
    memcpy(element, from, clf_type_size(type)); /* of integers the low bytes: little-endian hosts */
}

/* What only floating types have: NaN, infinities, a zero with a sign. */
static void put_special(clf_type type, unsigned which, void *element)
{
    static const cl_ushort half[] = {0x7e00, 0x7c00, 0xfc00, 0x8000};
    static const cl_ushort upper[] = {0x7fc0, 0x7f80, 0xff80, 0x8000};
    const cl_float narrow[] = {NAN, INFINITY, -INFINITY, -0.0f};
    const cl_double wide[] = {(cl_double)NAN, (cl_double)INFINITY, -(cl_double)INFINITY, -0.0};
    const void *const from = type == CLF_HALF       ? (const void *)&half[which]
                             : type == CLF_BFLOAT16 ? (const void *)&upper[which]
                             : type == CLF_FLOAT    ? (const void *)&narrow[which]
                                                    : (const void *)&wide[which];
    memcpy(element, from, clf_type_size(type));
}

static float value_of_half(cl_ushort half)
{
    const int exponent = half >> 10 & 31;
    const float size = exponent == 31 ? (half & 1023 ? NAN : INFINITY) : gen_half_value(half & 0x7fff);
    return half & 0x8000 ? -size : size;
}

/* a <= b, of elements of the type. */
static bool is_at_most(clf_type type, const void *a, const void *b)
{
#define CASE(name, scalar, value)                        \
    case name: {                                         \
        scalar x, y;                                     \
        memcpy(&x, a, sizeof x);                         \
        memcpy(&y, b, sizeof y);                         \
        return value(x) <= value(y);                     \
    }
    switch (type) {
        CASE(CLF_CHAR, cl_char, ) CASE(CLF_UCHAR, cl_uchar, ) CASE(CLF_SHORT, cl_short, ) CASE(CLF_USHORT, cl_ushort, )
        CASE(CLF_INT, cl_int, ) CASE(CLF_UINT, cl_uint, ) CASE(CLF_LONG, cl_long, ) CASE(CLF_ULONG, cl_ulong, )
        CASE(CLF_HALF, cl_ushort, value_of_half) CASE(CLF_FLOAT, cl_float, ) CASE(CLF_DOUBLE, cl_double, )
        CASE(CLF_BFLOAT16, cl_ushort, gen_bfloat16_value)
            default : return false;
    }
#undef CASE
}

/* ---- A histogram on the host, and one on the device ------------------------------------------------------------ */

typedef struct histogram {
    clf_type type, count_type;
    unsigned flags;
    size_t bytes, n, bins;
    bool by_range;                                 /* edges[0] and edges[bins] are given, */
    unsigned char edges[(MOST_BINS + 1) * WIDEST]; /* or all */
    unsigned char in[LARGE * WIDEST];
    cl_ulong want[MOST_BINS], got[MOST_BINS];
} histogram;
static histogram the_histogram;

static const void *edge(const histogram *h, size_t i)
{
    return h->edges + i * h->bytes;
}

static void count(histogram *h)
{
    memset(h->want, 0, sizeof h->want);
    for (size_t i = 0; i < h->n; ++i) {
        const void *const x = h->in + i * h->bytes;
        for (size_t b = 0; b < h->bins; ++b) {
            const bool closed = h->flags & CLF_UPPER_END && b == h->bins - 1;
            const bool below = is_at_most(h->type, x, edge(h, b + 1)) &&
                               (closed || !is_at_most(h->type, edge(h, b + 1), x));
            h->want[b] += is_at_most(h->type, edge(h, b), x) && below;
        }
    }
}

/* In device memory, with what nobody may write on both sides of the counts. False: the device lacks the type. */
static bool run(histogram *h)
{
    static unsigned char counts[(MOST_BINS + 2 * GUARD) * sizeof(cl_ulong)], guard[GUARD * sizeof(cl_ulong)];
    const size_t each = clf_type_size(h->count_type), all = (h->bins + 2 * GUARD) * each;
    unsigned char ends[2 * WIDEST];
    memset(counts, PATTERN, sizeof counts);
    memset(guard, PATTERN, sizeof guard);
    memcpy(ends, edge(h, 0), h->bytes);
    memcpy(ends + h->bytes, edge(h, h->bins), h->bytes);
    const clf_array in = {rig_buffer(h->n ? h->n * h->bytes : 1, h->n ? h->in : NULL), 0};
    const clf_array told = {h->by_range ? rig_buffer(2 * h->bytes, ends)
                                        : rig_buffer((h->bins + 1) * h->bytes, h->edges), 0};
    const clf_array out = {rig_buffer(all, counts), GUARD};
    const clf_status status = (h->by_range ? clf_array_histogram_range : clf_array_histogram_edges)(
        rig_context(NULL), CLF_ON(the_rig()->queue), h->type, h->count_type, h->flags, h->n, h->bins, told, in, out);
    rig_read(the_rig()->queue, out.buffer, all, counts);
    rig_release(in, told, out);
    if (status == CLF_E_UNSUPPORTED && (h->type == CLF_HALF || h->type == CLF_DOUBLE))
        return false;
    assert_ok(status);
    ck_assert_mem_eq(counts, guard, GUARD * each);
    ck_assert_mem_eq(counts + all - GUARD * each, guard, GUARD * each);
    for (size_t b = 0; b < h->bins; ++b) {
        cl_uint narrow;
        memcpy(&narrow, counts + (GUARD + b) * each, sizeof narrow);
        h->got[b] = narrow;
        if (h->count_type == CLF_ULONG)
            memcpy(&h->got[b], counts + (GUARD + b) * each, sizeof h->got[b]);
    }
    return true;
}

static void check(histogram *h)
{
    count(h);
    if (run(h))
        for (size_t b = 0; b < h->bins; ++b)
            ck_assert_msg(h->got[b] == h->want[b], "bin %zu of %zu has %llu, not %llu, of %zu %ss, flags %x", b,
                          h->bins, (unsigned long long)h->got[b], (unsigned long long)h->want[b], h->n,
                          clf_type_name(h->type), h->flags);
}

static void begin(histogram *h, clf_type type, unsigned form)
{
    memset(h, 0, sizeof *h);
    h->type = type;
    h->bytes = clf_type_size(type);
    h->flags = form & 1 ? CLF_UPPER_END : 0;
    h->count_type = form & 2 ? CLF_ULONG : CLF_UINT;
}

/* ---- By edges -------------------------------------------------------------------------------------------------- */

static void sort_edges(histogram *h)
{
    unsigned char moved[WIDEST];
    for (size_t i = 1; i <= h->bins; ++i) {
        size_t to = i;
        memcpy(moved, edge(h, i), h->bytes);
        for (; to > 0 && !is_at_most(h->type, edge(h, to - 1), moved); --to)
            memcpy(h->edges + to * h->bytes, edge(h, to - 1), h->bytes);
        memcpy(h->edges + to * h->bytes, moved, h->bytes);
    }
}

/* Edges within `width`, so that of many some are equal; elements that are edges, lie among them, or anywhere. */
static void fill(histogram *h, gen *random, size_t n, size_t bins, int64_t width)
{
    const bool real = h->type >= CLF_HALF;
    h->n = n;
    h->bins = bins;
    for (size_t i = 0; i <= bins; ++i)
        put(h->type, gen_between(random, -width / 4, width), h->edges + i * h->bytes);
    if (real && gen_chance(random, 30))
        put_special(h->type, 1 + (unsigned)gen_below(random, 3), h->edges + gen_below(random, bins + 1) * h->bytes);
    sort_edges(h);
    for (size_t i = 0; i < n; ++i) {
        void *const to = h->in + i * h->bytes;
        if (gen_chance(random, 30))
            memcpy(to, edge(h, gen_below(random, bins + 1)), h->bytes);
        else if (real && gen_chance(random, 10))
            put_special(h->type, (unsigned)gen_below(random, 4), to);
        else
            put(h->type, gen_between(random, -width / 2, width + width / 4), to);
    }
}

/* One plan; bins that local memory has room for or not, none, and between edges that are all equal. */
TEST(by_edges)
{
    static const size_t bins[] = {1, 2, 3, 0, 7, 64, 255, 1000, MOST_BINS};
    const clf_type type = (clf_type)(_i / 4);
    if (!rig_in_turn(_i / 4 + _i, 2))
        return;
    gen random = gen_seed(the_rig()->seed, 500 + (uint64_t)_i);
    begin(&the_histogram, type, (unsigned)_i % 4);
    for (size_t i = 0; i < sizeof bins / sizeof *bins; ++i) {
        const int64_t width = type == CLF_HALF ? 2000 : type <= CLF_UCHAR ? 100 : gen_chance(&random, 50) ? 300 : 30000;
        fill(&the_histogram, &random, i == 4 ? 0 : gen_below(&random, N) + 1, bins[i], width);
        check(&the_histogram);
    }
    fill(&the_histogram, &random, N, 5, 0);
    check(&the_histogram);
}

/* Workers with tables of their own, in private memory and in scratch; the last search has fewer elements. */
TEST(by_edges_in_chunks)
{
    gen random = gen_seed(the_rig()->seed, 650 + (uint64_t)_i);
    begin(&the_histogram, _i ? CLF_DOUBLE : CLF_FLOAT, (unsigned)_i);
    fill(&the_histogram, &random, LARGE - 3, 50, 300);
    check(&the_histogram);
    fill(&the_histogram, &random, LARGE - 5, 2100, 30000);
    check(&the_histogram);
}

/* 64-bit integers that no float tells apart. */
TEST(close_edges)
{
    histogram *const h = &the_histogram;
    gen random = gen_seed(the_rig()->seed, 600);
    begin(h, _i ? CLF_ULONG : CLF_LONG, 1);
    h->n = N;
    h->bins = 100;
    const int64_t first = _i ? -1000 : INT64_MAX - 1000; /* of ulongs the last ones */
    for (size_t i = 0; i <= h->bins; ++i)
        put(h->type, first + (int64_t)(i * 7), h->edges + i * h->bytes);
    for (size_t i = 0; i < N; ++i)
        put(h->type, first + gen_between(&random, -100, 900), h->in + i * h->bytes);
    check(h);
}

/* Whatever the edges, no more is counted than there is, nothing else is written, and the next call says the same. */
TEST(unsorted_edges)
{
    static cl_ulong before[MOST_BINS];
    histogram *const h = &the_histogram;
    gen random = gen_seed(the_rig()->seed, 700 + (uint64_t)_i);
    begin(h, _i ? CLF_FLOAT : CLF_INT, (unsigned)_i);
    for (size_t bins = 1; bins <= MOST_BINS; bins = bins * 5 + 2) {
        cl_ulong all = 0;
        fill(h, &random, N, bins, 300);
        for (size_t i = 0; i <= bins; ++i)
            if (_i && gen_chance(&random, 20))
                put_special(h->type, (unsigned)gen_below(&random, 4), h->edges + i * h->bytes);
            else
                put(h->type, gen_between(&random, -300, 300), h->edges + i * h->bytes);
        ck_assert(run(h));
        memcpy(before, h->got, sizeof before);
        ck_assert(run(h));
        ck_assert_mem_eq(h->got, before, bins * sizeof *before);
        for (size_t b = 0; b < bins; ++b)
            all += h->got[b];
        ck_assert_uint_le(all, N);
    }
}

/* ---- Between two ends ------------------------------------------------------------------------------------------ */

/* Edges as one_call.h says they are made; each step is rounded. */
static void make_edges(histogram *h, double low, double high, size_t bins)
{
    volatile double wide = (high - low) / (double)bins;
    volatile float narrow = (float)(high - low) / (float)bins;
    h->by_range = true;
    h->bins = bins;
    for (size_t i = 0; i <= bins; ++i) {
        wide = (high - low) / (double)bins;
        wide = wide * (double)i;
        wide = i == bins ? high : wide + low;
        narrow = (float)(high - low) / (float)bins;
        narrow = narrow * (float)i;
        narrow = i == bins ? (float)high : narrow + (float)low;
        const double d = wide;
        const float f = narrow;
        memcpy(h->edges + i * h->bytes, h->type == CLF_DOUBLE ? (const void *)&d : (const void *)&f, h->bytes);
    }
}

/* Elements that are edges, their neighbours, among them, and outside. */
static void fill_between(histogram *h, gen *random, double low, double high)
{
    h->n = N;
    for (size_t i = 0; i < N; ++i) {
        void *const to = h->in + i * h->bytes;
        double wide = low + (high - low) * ((double)gen_below(random, 1200) / 1000 - 0.1);
        float narrow = (float)wide;
        if (gen_chance(random, 50)) {
            memcpy(h->type == CLF_DOUBLE ? (void *)&wide : (void *)&narrow, edge(h, gen_below(random, h->bins + 1)),
                   h->bytes);
            const int step = (int)gen_below(random, 3) - 1;
            wide = step ? nextafter(wide, step * DBL_MAX) : wide;
            narrow = step ? nextafterf(narrow, (float)step * FLT_MAX) : narrow;
        }
        memcpy(to, h->type == CLF_DOUBLE ? (const void *)&wide : (const void *)&narrow, h->bytes);
        if (gen_chance(random, 5))
            put_special(h->type, (unsigned)gen_below(random, 4), to);
    }
}

/* Of floats widths that a device's division cannot miss. */
TEST(between_ends)
{
    static const struct {
        double low, high;
        size_t bins;
    } all[] = {{-3, 5, 1}, {0, 1, 2}, {0, 8, 4}, {-16, 16, 64}, {0, 1, 1024}, {3, 4, 4096},
               {0, 1, 10}, {-1.0 / 3, 0.1, 7}, {1e9, 1e9 + 1, 1000}, {-7, 1e-3, 999}, {1, 1 + 1e-13, 300}};
    gen random = gen_seed(the_rig()->seed, 800 + (uint64_t)_i);
    begin(&the_histogram, _i / 4 ? CLF_DOUBLE : CLF_FLOAT, (unsigned)_i % 4);
    const size_t most = _i / 4 ? sizeof all / sizeof *all : 6;
    for (size_t i = 0; i < most; ++i) {
        make_edges(&the_histogram, all[i].low, all[i].high, all[i].bins);
        fill_between(&the_histogram, &random, all[i].low, all[i].high);
        check(&the_histogram);
    }
}

/* What numpy.histogram says of these, where 0.3 lies below 3 * 0.1. */
TEST(as_numpy)
{
    static const cl_double x[] = {0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1};
    static const cl_ulong want[] = {1, 1, 2, 0, 1, 2, 1, 0, 1, 2};
    histogram *const h = &the_histogram;
    begin(h, CLF_DOUBLE, 1);
    make_edges(h, 0, 1, 10);
    h->n = 11;
    memcpy(h->in, x, sizeof x);
    if (run(h))
        ck_assert_mem_eq(h->got, want, sizeof want);
}

/* Every number from low to high is in one bin, however wide they are apart, and of other ends none. */
TEST(odd_ends)
{
    static const struct {
        float low, high;
    } all[] = {{-FLT_MAX, FLT_MAX}, {0, FLT_MAX}, {-1, 0.1f}, {5, 5}, {5, -5}, {NAN, 1}, {0, NAN}, {-INFINITY, 1},
               {0, INFINITY}, {-INFINITY, INFINITY}, {1, 1.0000005f}, {1e-30f, 1e30f}, {1e30f, 1.0001e30f}};
    histogram *const h = &the_histogram;
    gen random = gen_seed(the_rig()->seed, 900);
    begin(h, CLF_FLOAT, 1);
    h->by_range = true;
    h->n = N;
    for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
        const float low = all[i].low, high = all[i].high;
        h->bins = i % 2 ? 7 : 1 + gen_below(&random, 3000);
        memcpy(h->edges, &low, sizeof low);
        memcpy(h->edges + h->bins * h->bytes, &high, sizeof high);
        cl_ulong want = 0, all_bins = 0;
        for (size_t k = 0; k < N; ++k) {
            const float share = (float)gen_below(&random, 1001) / 1000, x = low * (1 - share) + high * share;
            want += x >= low && x <= high && !isinf(low) && !isinf(high);
            memcpy(h->in + k * sizeof x, &x, sizeof x);
        }
        ck_assert(run(h));
        for (size_t b = 0; b < h->bins; ++b)
            all_bins += h->got[b];
        ck_assert_msg(all_bins == want, "from %g to %g: %llu, not %llu", (double)low, (double)high,
                      (unsigned long long)all_bins, (unsigned long long)want);
        if (low == high)
            ck_assert_uint_eq(h->got[h->bins - 1], want);
    }
}

RIG_PART(add_histogram_tests, {by_edges, 4 * CLF_TYPE_COUNT}, {by_edges_in_chunks, 2}, {close_edges, 2},
         {unsorted_edges, 2}, {between_ends, 8}, {as_numpy, 1}, {odd_ends, 1})

/* SPDX-License-Identifier: MIT */
/*
 * The worked examples of slides on costs (Henriksen 2020), each by calls of clfold, and compared with what the slide
 * says: prefix sums; a filter made of a scan and a scatter, and the filter that is one call; a sort of 32 steps, each
 * of a bit; scans and reductions of flagged segments; a reduction by index; argmax. Then what flattening makes of
 * nested parallelism: primes by a sieve whose multiples of all primes are one array.
 */
#include "scan_sort.h"

#include <string.h>

enum { KEYS = 3000, PRIMES_TO = 100000 };

typedef struct slides {
    example x;
    int errors;
} slides;

static clf_array ints(slides *s, size_t n, const void *data)
{
    return example_array(&s->x, n * sizeof(cl_uint), data);
}

/* The array, which ends here, has these numbers. */
static void expect(slides *s, const char *what, clf_array array, size_t n, const cl_int *expected)
{
    cl_int *const got = malloc(n * sizeof *got);
    check(got ? CLF_SUCCESS : CLF_E_NO_MEMORY, what, NULL);
    example_read(&s->x, array, n * sizeof *got, got);
    example_release(&array, 1);
    const int wrong = memcmp(got, expected, n * sizeof *got) != 0;
    s->errors += wrong;
    printf("%s: %s\n", what, wrong ? "WRONG" : "right");
    free(got);
}

/* The number at the end of an array. */
static cl_uint last_of(slides *s, clf_array array, size_t n)
{
    cl_uint value;
    check(clEnqueueReadBuffer(s->x.queue, array.buffer, CL_TRUE, (n - 1) * sizeof value, sizeof value, &value, 0, NULL,
                              NULL),
          "clEnqueueReadBuffer", NULL);
    return value;
}

/* ---- Prefix sums ------------------------------------------------------------------------------------------------- */

static void prefix_sums(slides *s)
{
    const cl_int from[] = {1, 2, 3, 4}, before[] = {0, 1, 3, 6}, up_to[] = {1, 3, 6, 10};
    const clf_array in = ints(s, 4, from), exclusive = ints(s, 4, NULL), inclusive = ints(s, 4, NULL);
    check(clf_exclusive_scan(s->x.context, CLF_ON(s->x.queue), CLF_SUM, CLF_INT, 4, in, exclusive), "exclusive", NULL);
    check(clf_inclusive_scan(s->x.context, CLF_ON(s->x.queue), CLF_SUM, CLF_INT, 4, in, inclusive), "inclusive", NULL);
    expect(s, "exclusive prefix sum", exclusive, 4, before);
    expect(s, "inclusive prefix sum", inclusive, 4, up_to);
    example_release(&in, 1);
}

/* ---- A filter: flags, their scan, a scatter ---------------------------------------------------------------------- */

/* The scan's map makes the flags: one pass. */
static const clf_operator kept_so_far = {
    .size = sizeof kept_so_far, .input = "int a;", .value = "int count;", .combine = "clf_sum", .map = "keep",
    .source = "clf_value keep(clf_input x, ulong i) { return (clf_value){x.a >= 0 ? 1 : 0}; }\n"};
/* Where kept elements go; what is not kept goes nowhere, for scatters ignore such an index. */
static const char place_kept[] =
    "__kernel void place(__global const int *as, __global const int *counts, __global uint *places)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    places[i] = as[i] >= 0 ? (uint)counts[i] - 1 : ~0u;\n"
    "}\n";
static const clf_operator not_negative = {
    .size = sizeof not_negative, .value = "int a;", .predicate = "keep",
    .source = "bool keep(clf_input x, ulong i) { return x.a >= 0; }\n"};

/* Enqueues a kernel of n work-items on three arrays. */
static void map(slides *s, cl_kernel kernel, size_t n, clf_array a, clf_array b, clf_array c)
{
    const clf_array arrays[] = {a, b, c};
    for (cl_uint i = 0; i < 3; ++i)
        check(clSetKernelArg(kernel, i, sizeof(cl_mem), &arrays[i].buffer), "clSetKernelArg", NULL);
    check(clEnqueueNDRangeKernel(s->x.queue, kernel, 1, NULL, &n, NULL, 0, NULL, NULL), "map", NULL);
}

static void scatter_to(slides *s, size_t m, size_t n, clf_array in, clf_array places, clf_array out)
{
    clf_plan *plan;
    check(clf_scatter_plan(s->x.context, "uint a;", CLF_UINT, 0, NULL, &plan, &s->x.error), "clf_scatter_plan",
          &s->x.error);
    check(clf_scatter(plan, CLF_ON_ARRAYS(s->x.queue, in, out), m, n, &in, &places, &out), "clf_scatter", NULL);
    clf_plan_release(plan);
}

static void scan_by(slides *s, const clf_operator *op, unsigned flags, size_t n, const clf_array *in,
                    const clf_array *out)
{
    clf_plan *plan;
    check(clf_scan_plan(s->x.context, op, flags, NULL, &plan, &s->x.error), "clf_scan_plan", &s->x.error);
    check(clf_scan(plan, CLF_ON(s->x.queue), n, in, out), "clf_scan", NULL);
    clf_plan_release(plan);
}

/* Returns how many are kept. */
static size_t filter_by(slides *s, const clf_operator *op, size_t n, clf_array in, clf_array out)
{
    const clf_array count = example_array(&s->x, sizeof(cl_ulong), NULL);
    cl_ulong kept = 0;
    clf_plan *plan;
    check(clf_filter_plan(s->x.context, op, 0, NULL, &plan, &s->x.error), "clf_filter_plan", &s->x.error);
    check(clf_filter(plan, CLF_ON_ARRAYS(s->x.queue, in, out), n, n, &in, &out, &count), "clf_filter", NULL);
    example_read(&s->x, count, sizeof kept, &kept);
    example_release(&count, 1);
    clf_plan_release(plan);
    return (size_t)kept;
}

static void filters(slides *s)
{
    const cl_int from[] = {-1, 2, -3, 4, 5, -6}, offsets[] = {0, 1, 1, 2, 3, 3}, kept[] = {2, 4, 5};
    const cl_kernel place = make_kernel(&s->x, place_kept, "place");
    const clf_array as = ints(s, 6, from), so_far = ints(s, 6, NULL), places = ints(s, 6, NULL), out = ints(s, 6, NULL),
                    at_once = ints(s, 6, NULL);
    scan_by(s, &kept_so_far, 0, 6, &as, &so_far);
    map(s, place, 6, as, so_far, places);
    clReleaseKernel(place);
    scatter_to(s, 6, 6, as, places, out);
    s->errors += last_of(s, so_far, 6) != 3 || filter_by(s, &not_negative, 6, as, at_once) != 3;
    expect(s, "counts of what is kept", so_far, 6, offsets);
    expect(s, "a filter by scan and scatter", out, 3, kept);
    expect(s, "a filter by one call", at_once, 3, kept);
    example_release((const clf_array[]){as, places}, 2);
}

/* ---- Radix sort: 32 steps, each a stable partition by one bit ---------------------------------------------------- */

/* Both scans of a step are one: of pairs. The bit's number is captured. */
static const clf_operator bits_so_far = {
    .size = sizeof bits_so_far, .input = "uint key;", .captured = "uint bit;", .value = "uint zeros; uint ones;",
    .combine = "clf_sum", .map = "of_bit",
    .source = "clf_value of_bit(clf_input x, ulong i, const clf_captured *c)\n"
              "{\n"
              "    const uint one = x.key >> c->bit[0] & 1;\n"
              "    return (clf_value){1 - one, one};\n"
              "}\n"};
static const char place_by_bit[] =
    "__kernel void place(__global const uint *zeros, __global const uint *ones, __global uint *places)\n"
    "{\n"
    "    const size_t i = get_global_id(0), last = get_global_size(0) - 1;\n"
    "    const bool one = ones[i] != (i > 0 ? ones[i - 1] : 0);\n"
    "    places[i] = one ? zeros[last] + ones[i] - 1 : zeros[i] - 1;\n"
    "}\n";

static int by_value(const void *a, const void *b)
{
    const cl_uint x = *(const cl_uint *)a, y = *(const cl_uint *)b;
    return (x > y) - (x < y);
}

static void radix_sort(slides *s)
{
    cl_uint keys[KEYS], bit[32];
    for (cl_uint i = 0; i < KEYS; ++i)
        keys[i] = i * 2654435761u ^ i >> 3;
    for (cl_uint b = 0; b < 32; ++b)
        bit[b] = b;
    const clf_array bits = ints(s, 32, bit), zeros = ints(s, KEYS, NULL), ones = ints(s, KEYS, NULL),
                    places = ints(s, KEYS, NULL);
    clf_array from = ints(s, KEYS, keys), to = ints(s, KEYS, NULL);
    const cl_kernel place = make_kernel(&s->x, place_by_bit, "place");
    clf_plan *scan;
    check(clf_scan_plan(s->x.context, &bits_so_far, 0, NULL, &scan, &s->x.error), "clf_scan_plan", &s->x.error);
    for (cl_uint b = 0; b < 32; ++b) {
        const clf_array in[] = {from, {bits.buffer, b}}, out[] = {zeros, ones}, sorted = to;
        check(clf_scan(scan, CLF_ON_ARRAYS(s->x.queue, in, out), KEYS, in, out), "clf_scan", NULL);
        map(s, place, KEYS, zeros, ones, places);
        scatter_to(s, KEYS, KEYS, from, places, to);
        to = from;
        from = sorted;
    }
    clReleaseKernel(place);
    clf_plan_release(scan);
    qsort(keys, KEYS, sizeof *keys, by_value);
    expect(s, "a sort of 32 steps", from, KEYS, (const cl_int *)keys);
    example_release((const clf_array[]){to, bits, zeros, ones, places}, 5);
}

/* ---- Segments by flags, bins, argmax ----------------------------------------------------------------------------- */

static void segments(slides *s)
{
    const cl_uchar flags[] = {1, 0, 1, 0, 0, 1};
    const cl_int from[] = {0, 1, 2, 3, 4, 5}, scanned[] = {0, 1, 2, 5, 9, 5}, reduced[] = {1, 9, 5};
    const clf_segmentation by_flags = {.size = sizeof by_flags, .by = CLF_BY_HEAD_BYTES};
    const clf_array heads = example_array(&s->x, sizeof flags, flags), in = ints(s, 6, from), out = ints(s, 6, NULL),
                    sums = ints(s, 6, NULL);
    clf_plan *scan, *reduce;
    check(clf_irregular_scan_plan(s->x.context, clf_builtin(CLF_SUM, CLF_INT), &by_flags, 0, NULL, &scan, &s->x.error),
          "clf_irregular_scan_plan", &s->x.error);
    check(clf_irregular_reduce_plan(s->x.context, clf_builtin(CLF_SUM, CLF_INT), &by_flags, 0, NULL, &reduce,
                                    &s->x.error),
          "clf_irregular_reduce_plan", &s->x.error);
    check(clf_irregular_scan(scan, CLF_ON_ARRAYS(s->x.queue, in, out), 6, 0, &heads, &in, &out), "scan", NULL);
    check(clf_irregular_reduce(reduce, CLF_ON_ARRAYS(s->x.queue, in, sums), 6, 6, &heads, &in, &sums, NULL), "reduce",
          NULL);
    expect(s, "segmented scan", out, 6, scanned);
    expect(s, "segmented reduction", sums, 3, reduced);
    example_release((const clf_array[]){heads, in}, 2);
    clf_plan_release(scan);
    clf_plan_release(reduce);
}

/* dest[is[j]] += vs[j]; indices outside are ignored. */
static void bins(slides *s)
{
    static const clf_operator sums = {.size = sizeof sums, .input = "int bin; int v;", .value = "int sum;",
                                      .combine = "clf_sum", .map = "value", .flags = CLF_COMMUTATIVE,
                                      .source = "clf_value value(clf_input x, ulong i) { return (clf_value){x.v}; }\n"};
    const cl_int is[] = {0, 2, -1, 2, 7, 0}, vs[] = {1, 2, 3, 4, 5, 6}, dest[] = {10, 20, 30}, after[] = {17, 20, 36};
    const clf_array in[] = {ints(s, 6, is), ints(s, 6, vs)}, out = ints(s, 3, dest);
    clf_plan *plan;
    check(clf_reduce_by_index_plan(s->x.context, &sums, CLF_UPDATE, NULL, &plan, &s->x.error), "by index", &s->x.error);
    check(clf_reduce_by_index(plan, CLF_ON_ARRAYS(s->x.queue, in, out), 6, 3, in, &out), "by index", NULL);
    expect(s, "reduction by index", out, 3, after);
    example_release(in, 2);
    clf_plan_release(plan);
}

/* The first of equals, as the slides' operator keeps it: not commutative. */
static void argmax(slides *s)
{
    const cl_int from[] = {3, 9, -2, 9, 4}, largest[] = {9}, where[] = {1};
    const clf_array in = ints(s, 5, from), value = ints(s, 1, NULL), place = ints(s, 1, NULL);
    check(clf_array_argmax(s->x.context, CLF_ON(s->x.queue), CLF_INT, CLF_UINT, 5, in, value, place), "argmax", NULL);
    expect(s, "largest", value, 1, largest);
    expect(s, "where it is", place, 1, where);
    example_release(&in, 1);
}

/* ---- Primes by a flattened sieve --------------------------------------------------------------------------------- */

/* How many multiples of p, from 2p to the limit: segment lengths, whose sums are where segments end. */
static const clf_operator multiples_so_far = {
    .size = sizeof multiples_so_far, .input = "uint p;", .captured = "uint limit;", .value = "uint count;",
    .combine = "clf_sum", .map = "multiples",
    .source = "clf_value multiples(clf_input x, ulong i, const clf_captured *c)\n"
              "{ return (clf_value){c->limit[0] / x.p - 1}; }\n"};
/* The multiples themselves: each is p more than the one before, and the first of a segment is 2p. */
static const clf_operator multiples_of = {
    .size = sizeof multiples_of, .input = "uint p; uint head;", .value = "uint multiple;", .combine = "clf_sum",
    .map = "step", .source = "clf_value step(clf_input x, ulong i) { return (clf_value){x.p + x.head}; }\n"};
static const clf_operator still_prime = {
    .size = sizeof still_prime, .input = "uint struck;", .value = "uint p;", .predicate = "prime", .map = "number",
    .source = "bool prime(clf_input x, ulong i) { return i >= 2 && !x.struck; }\n"
              "clf_value number(clf_input x, ulong i) { return (clf_value){(uint)i}; }\n"};

/* An array of n times the same number. */
static clf_array all_of(slides *s, size_t n, cl_uint value)
{
    const clf_array array = ints(s, n, NULL);
    check(clEnqueueFillBuffer(s->x.queue, array.buffer, &value, sizeof value, 0, n * sizeof value, 0, NULL, NULL),
          "clEnqueueFillBuffer", NULL);
    return array;
}

/* Multiples up to the limit of `count` primes, as one array of `n`; `ends` says where each prime's begin and end. */
static clf_array multiples(slides *s, size_t n, size_t count, clf_array primes, clf_array ends)
{
    static const clf_segmentation by_ends = {.size = sizeof by_ends, .by = CLF_BY_OFFSETS, .type = CLF_UINT};
    const clf_array heads = all_of(s, n, 0), spread = ints(s, n, NULL), out = ints(s, n, NULL), in[] = {spread, heads};
    clf_plan *scan;
    scatter_to(s, count, n, primes, ends, heads);
    check(clf_segments_inclusive_scan(s->x.context, CLF_ON(s->x.queue), CLF_MAX, CLF_UINT, CLF_UINT, n, count, ends,
                                      heads, spread),
          "clf_segments_inclusive_scan", NULL);
    check(clf_irregular_scan_plan(s->x.context, &multiples_of, &by_ends, 0, NULL, &scan, &s->x.error),
          "clf_irregular_scan_plan", &s->x.error);
    check(clf_irregular_scan(scan, CLF_ON_ARRAYS(s->x.queue, in, out), n, count, &ends, in, &out), "multiples", NULL);
    clf_plan_release(scan);
    example_release(in, 2);
    return out;
}

/* Primes up to the limit, by those up to its root; all that these strike is one array. Returns how many. */
static size_t primes_to(slides *s, cl_uint limit, clf_array *primes)
{
    cl_uint root = 1;
    while ((root + 1) * (root + 1) <= limit)
        ++root;
    clf_array few, all = all_of(s, limit + 1, 0);
    const size_t count = root < 2 ? 0 : primes_to(s, root, &few);
    if (count > 0) {
        const clf_array bound = ints(s, 1, &limit), in[] = {few, bound}, ends = all_of(s, count + 1, 0),
                        behind = {ends.buffer, 1};
        scan_by(s, &multiples_so_far, 0, count, in, &behind);
        const size_t n = last_of(s, ends, count + 1);
        const clf_array struck = multiples(s, n, count, few, ends), marks = all_of(s, n, 1);
        scatter_to(s, n, limit + 1, marks, struck, all);
        example_release((const clf_array[]){few, bound, ends, struck, marks}, 5);
    }
    *primes = ints(s, limit + 1, NULL);
    const size_t found = filter_by(s, &still_prime, limit + 1, all, *primes);
    example_release(&all, 1);
    return found;
}

static void primes(slides *s)
{
    static cl_int expected[PRIMES_TO];
    size_t count = 0;
    for (cl_int n = 2, divisor; n <= PRIMES_TO; ++n) {
        for (divisor = 2; divisor * divisor <= n && n % divisor != 0; ++divisor)
            ;
        if (divisor * divisor > n)
            expected[count++] = n;
    }
    clf_array found;
    s->errors += primes_to(s, PRIMES_TO, &found) != count;
    expect(s, "primes", found, count, expected);
}

int main(void)
{
    void (*const examples[])(slides *) = {prefix_sums, filters, radix_sort, segments, bins, argmax, primes};
    slides s = {example_open(), 0};
    for (size_t i = 0; i < sizeof examples / sizeof examples[0]; ++i)
        examples[i](&s);
    example_close(&s.x);
    printf("%d errors\n", s.errors);
    return s.errors != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Functions that get the number of their element's segment: maps, and finish of scans, which do not commute, read
 * captured arrays and write extra outputs; in irregular segments told in every way, and in rows; by every variant.
 */
#include "irregular.h"
#include "laws.h"
#include "route.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST = 1000, SEGMENTS = 2 * MOST + 3000, CAPTURED = 8, OUTS = 3 };
static const cl_uint captured[CAPTURED] = {3, 14, 15, 92, 65, 35, 89, 79};

/* ---- Operators ------------------------------------------------------------------------------------------------- */

#define AFFINE                                                                                          \
    "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"                                    \
    "clf_value compose(clf_value x, clf_value y)\n"                                                     \
    "{ clf_value v = {x.p * y.p, x.q * y.p + y.q}; return v; }\n"                                       \
    "clf_value function(clf_input in, ulong i, ulong s, const clf_captured *c, clf_extra *e)\n"         \
    "{\n"                                                                                               \
    "    e->seen = in.x ^ 9 * (uint)s;\n"                                                               \
    "    clf_value v = {2 * in.x + 1, 5 * (uint)i + 7 * (uint)s + c->w[s % 8]};\n"                      \
    "    return v;\n"                                                                                   \
    "}\n"
#define AFFINE_FIELDS                                                                                   \
    .size = sizeof(clf_operator), .value = "uint p; uint q;", .input = "uint x;", .extra = "uint seen;",  \
    .captured = "uint w;", .combine = "compose", .neutral = "identity", .map = "function", .flags = CLF_WITH_SEGMENT
static const clf_operator affine = {AFFINE_FIELDS, .source = AFFINE};
static const clf_operator finished = {
    AFFINE_FIELDS, .result = "ulong r; ulong s;", .finish = "finish",
    .source = AFFINE "clf_result finish(clf_value a, clf_value b, clf_input x, ulong i, ulong s,\n"
                     "                  const clf_captured *c)\n"
                     "{\n"
                     "    clf_result r;\n"
                     "    r.r = a.q ^ (ulong)a.p << 32;\n"
                     "    r.s = s << 32 | (uint)(b.p + x.x + (uint)i * c->w[s % 8]);\n"
                     "    return r;\n"
                     "}\n"};
static const clf_operator sums = { /* without a map */
    .size = sizeof sums, .value = "uint p;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_WITH_SEGMENT,
    .result = "ulong r;", .finish = "finish",
    .source = "clf_result finish(clf_value a, clf_value b, clf_input x, ulong i, ulong s)\n"
              "{ clf_result r = {s << 32 | (a.p + b.p * 3 + x.p * (uint)i)}; return r; }\n"};
static const clf_operator reduction = {
    AFFINE_FIELDS, .result = "ulong r; ulong s;", .finish = "finish",
    .source = AFFINE "clf_result finish(clf_value a, ulong s, const clf_captured *c)\n"
                     "{ clf_result r = {a.q ^ (ulong)a.p << 32, s * c->w[s % 8]}; return r; }\n"};

enum { AFFINE_SCAN, FINISHED_SCAN, SUMS_SCAN, SCANS };
static const clf_operator *const scans[] = {&affine, &finished, &sums};

typedef struct affine_value {
    cl_uint p, q;
} affine_value;

static affine_value compose(affine_value x, affine_value y)
{
    return (affine_value){x.p * y.p, x.q * y.p + y.q};
}

static affine_value map(cl_uint x, cl_ulong i, cl_ulong s)
{
    return (affine_value){2 * x + 1, 5 * (cl_uint)i + 7 * (cl_uint)s + captured[s % CAPTURED]};
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

typedef struct subject {
    const char *what;
    bool exclusive, reversed, has_empty; /* empty segments have numbers */
    int scan;                            /* or, of a reduction, -1 */
    irregular segments;
    cl_ulong names[SEGMENTS]; /* what functions are told of each segment */
    cl_uint x[MOST];
    clf_array in[2], out[OUTS];
} subject;

/* Empty segments have numbers only where offsets or lengths tell. */
static void name_segments(subject *t, const clf_segmentation *how)
{
    t->has_empty = !how || how->by == CLF_BY_OFFSETS || how->by == CLF_BY_LENGTHS;
    cl_ulong next = 0;
    for (size_t k = 0; k < t->segments.count; ++k) {
        t->names[k] = next;
        next += t->has_empty || t->segments.lengths[k] > 0;
    }
}

static void open_arrays(subject *t, gen *random)
{
    for (size_t i = 0; i < MOST; ++i)
        t->x[i] = (cl_uint)gen_bits(random);
    t->in[0] = (clf_array){rig_buffer(sizeof t->x, t->x), 0};
    t->in[1] = (clf_array){rig_buffer(sizeof captured, captured), 0};
    for (int f = 0; f < OUTS; ++f)
        t->out[f] = (clf_array){rig_buffer(SEGMENTS * sizeof(cl_ulong), NULL), 0};
}

static void close_arrays(subject *t)
{
    rig_release(t->in[0], t->in[1], t->out[0], t->out[1], t->out[2]);
    irregular_free(&t->segments);
}

static void expect(const subject *t, int field, size_t i, cl_ulong got, cl_ulong wanted)
{
    ck_assert_msg(got == wanted, "%s: field %d of result %zu is %llx, not %llx", t->what, field, i,
                  (unsigned long long)got, (unsigned long long)wanted);
}

static void expect_step(const subject *t, void *const got[OUTS], size_t i, cl_ulong s, affine_value v,
                        affine_value before)
{
    const cl_uint x = t->x[i];
    const affine_value written = t->exclusive ? before : v;
    if (t->scan == SUMS_SCAN) {
        expect(t, 0, i, ((const cl_ulong *)got[0])[i], s << 32 | (cl_uint)(written.p + before.p * 3 + x * (cl_uint)i));
        return;
    }
    expect(t, 2, i, ((const cl_uint *)got[2])[i], x ^ 9 * (cl_uint)s);
    if (t->scan == AFFINE_SCAN) {
        expect(t, 0, i, ((const cl_uint *)got[0])[i], written.p);
        expect(t, 1, i, ((const cl_uint *)got[1])[i], written.q);
        return;
    }
    expect(t, 0, i, ((const cl_ulong *)got[0])[i], written.q ^ (cl_ulong)written.p << 32);
    expect(t, 1, i, ((const cl_ulong *)got[1])[i],
           s << 32 | (cl_uint)(before.p + x + (cl_uint)i * captured[s % CAPTURED]));
}

static affine_value next_value(const subject *t, affine_value sum, size_t i, cl_ulong s)
{
    const affine_value v = map(t->x[i], i, s);
    if (t->scan == SUMS_SCAN)
        return (affine_value){sum.p + t->x[i], 0};
    return t->reversed ? compose(v, sum) : compose(sum, v);
}

/* `limit`: elements that there are on the device. */
static void check(const subject *t, size_t limit)
{
    void *got[OUTS];
    size_t at = 0;
    for (int f = 0; f < OUTS; ++f) {
        got[f] = malloc(SEGMENTS * sizeof(cl_ulong));
        rig_read(the_rig()->queue, t->out[f].buffer, SEGMENTS * sizeof(cl_ulong), got[f]);
    }
    for (size_t k = 0; k < t->segments.count; at += t->segments.lengths[k++]) {
        const size_t end = at + t->segments.lengths[k], last = end < limit ? end : limit;
        const cl_ulong s = t->names[k];
        affine_value sum = {t->scan != SUMS_SCAN, 0};
        for (size_t j = at; j < last; ++j) {
            const size_t i = t->reversed ? at + last - 1 - j : j;
            const affine_value before = sum;
            sum = next_value(t, sum, i, s);
            if (t->scan >= 0)
                expect_step(t, got, i, s, sum, before);
            else
                expect(t, 2, i, ((const cl_uint *)got[2])[i], t->x[i] ^ 9 * (cl_uint)s);
        }
        if (t->scan < 0 && (t->has_empty || (end > at && at < limit))) {
            expect(t, 0, s, ((const cl_ulong *)got[0])[s], sum.q ^ (cl_ulong)sum.p << 32);
            expect(t, 1, s, ((const cl_ulong *)got[1])[s], s * captured[s % CAPTURED]);
        }
    }
    for (int f = 0; f < OUTS; ++f)
        free(got[f]);
}

/* ---- Irregular segments ---------------------------------------------------------------------------------------- */

#define HOW(BY, TYPE) {sizeof(clf_segmentation), BY, TYPE}
static const clf_segmentation hows[] = {HOW(CLF_BY_HEAD_BYTES, CLF_CHAR), HOW(CLF_BY_HEAD_BITS, CLF_CHAR),
                                        HOW(CLF_BY_OFFSETS, CLF_UINT), HOW(CLF_BY_LENGTHS, CLF_UINT),
                                        HOW(CLF_BY_KEYS, CLF_INT), HOW(CLF_BY_OFFSETS, CLF_ULONG),
                                        HOW(CLF_BY_LENGTHS, CLF_ULONG)};

static void run_irregular(clf_plan *plan, subject *t, const clf_segmentation *how, irregular_shape shape, size_t n,
                          const cl_ulong *actual, gen *random)
{
    size_t bytes;
    t->segments = irregular_make(random, shape, n, 100);
    ck_assert_uint_le(t->segments.count, SEGMENTS);
    name_segments(t, how);
    void *const entries = irregular_entries(&t->segments, how, random, &bytes);
    const clf_array told = {rig_buffer(bytes ? bytes : 1, bytes ? entries : NULL), 0};
    const clf_array given = {actual ? rig_buffer(sizeof *actual, actual) : NULL, 0};
    const clf_call call = {.size = sizeof call, .queue = the_rig()->queue, .actual = given};
    open_arrays(t, random);
    assert_ok(t->scan >= 0 ? clf_irregular_scan(plan, &call, n, t->segments.count, &told, t->in, t->out)
                           : clf_irregular_reduce(plan, &call, n, t->segments.count, &told, t->in, t->out, NULL));
    check(t, actual ? (size_t)*actual : n);
    close_arrays(t);
    clReleaseMemObject(told.buffer);
    if (actual)
        clReleaseMemObject(given.buffer);
    free(entries);
}

static const size_t sizes[] = {0, 1, 31, 32, 33, 95, 96, 97, 128, 500, MOST};

static void run_shapes(clf_plan *plan, subject *t, const clf_segmentation *how, unsigned flags, gen *random)
{
    char what[128];
    for (size_t turn = 0; turn < COUNT(sizes) + SHAPE_COUNT; ++turn) {
        const irregular_shape shape = (irregular_shape)(turn % SHAPE_COUNT);
        const size_t n = turn < COUNT(sizes) ? sizes[turn] : MOST - 7 * turn;
        const cl_ulong actual = flags & CLF_FROM_DEVICE && n > 0 ? gen_below(random, n + 1) : n;
        snprintf(what, sizeof what, "scan %d by %d, shape %d, %zu of %zu", t->scan, (int)how->by, (int)shape,
                 (size_t)actual, n);
        t->what = what;
        run_irregular(plan, t, how, shape, n, flags & CLF_FROM_DEVICE ? &actual : NULL, random);
    }
    assert_ok(clf_plan_release(plan));
}

static route route_of(const way *w)
{
    const bool one = w->variant && strcmp(w->variant, "one_group") == 0;
    return (route){w->disable, w->variant,
                   way_is_for_cpus(w) ? "items=77" : one ? "items=33,group=32" : "items=3,group=32"};
}

static subject *subject_of(int scan, unsigned flags)
{
    static subject it;
    it = (subject){.scan = scan, .exclusive = flags & CLF_EXCLUSIVE, .reversed = flags & CLF_REVERSE};
    return &it;
}

/* Variants that cannot finish take the first operator alone. */
TEST(irregular_scans)
{
    const way *const w = &ways[_i / SCANS];
    const int scan = w->variant && strcmp(w->variant, "propagate") == 0 ? AFFINE_SCAN : _i % SCANS;
    const route r = route_of(w);
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    for (size_t h = 0; h < COUNT(hows); ++h) {
        const unsigned flags = ((h + (size_t)_i) % 2   ? CLF_EXCLUSIVE
                                : (h + (size_t)_i) % 4 ? CLF_FROM_DEVICE
                                                       : 0u) |
                               (h % 2 ? CLF_REVERSE : 0u);
        const plan_parts parts = {.op = scans[scan], .flags = flags, .how = &hows[h]};
        if (!rig_full() && (h + (size_t)_i) % 3)
            continue;
        clf_plan *const plan = route_plan(&r, "irregular_scan", &parts, "numbers");
        if (plan)
            run_shapes(plan, subject_of(scan, flags), &hows[h], flags, &random);
    }
}

TEST(irregular_reductions)
{
    static const route routes[] = {{NULL, "cpu", "items=77,groups=5"}, {"cpu", "shares", "items=3,group=32,groups=5"},
                                   {NULL, NULL, NULL}};
    gen random = gen_seed(the_rig()->seed, 100 + (uint64_t)_i);
    for (size_t k = 0; k < COUNT(routes); ++k) {
        const unsigned flags = k == 1 && _i % 2 ? CLF_FROM_DEVICE : 0;
        const plan_parts parts = {.op = &reduction, .flags = flags, .how = &hows[_i]};
        clf_plan *const plan = route_plan(&routes[k], "irregular_reduce", &parts, "numbers");
        if (plan)
            run_shapes(plan, subject_of(-1, 0), &hows[_i], flags, &random);
    }
}

/* Offsets and keys, by kernels for CPUs and others. */
TEST(on_little_data)
{
    const clf_segmentation *const how = &hows[_i % 2 ? 2 : 4];
    const bool scan = _i / 2 % 2;
    const route r = {_i / 4 ? "cpu" : NULL, NULL, _i / 4 ? "items=3,group=32" : "items=77"};
    const plan_parts parts = {.op = scan ? &finished : &reduction, .how = how};
    gen random = gen_seed(the_rig()->seed, 400 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&r, scan ? "irregular_scan" : "irregular_reduce", &parts, "numbers");
    subject *const t = subject_of(scan ? FINISHED_SCAN : -1, 0);
    t->what = "little data";
    if (!plan)
        return;
    run_irregular(plan, t, how, SHAPE_EMPTY_BETWEEN, 300, NULL, &random);
    assert_ok(clf_plan_release(plan));
}

RIG_PART(add_numbers_kernel_tests, {on_little_data, 8})

/* ---- Rows ------------------------------------------------------------------------------------------------------ */

static void run_rows(clf_plan *plan, subject *t, size_t count, size_t size, gen *random)
{
    char what[128];
    snprintf(what, sizeof what, "scan %d of rows, %zu of %zu", t->scan, count, size);
    t->what = what;
    t->segments = (irregular){count * size, count, malloc((count + 1) * sizeof *t->segments.lengths)};
    for (size_t k = 0; k < count; ++k)
        t->segments.lengths[k] = size;
    name_segments(t, NULL);
    open_arrays(t, random);
    assert_ok(t->scan >= 0 ? clf_segmented_scan(plan, CLF_ON(the_rig()->queue), count, size, t->in, t->out)
                           : clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), count, size, t->in, t->out));
    check(t, count * size);
    close_arrays(t);
}

static const size_t shapes[][2] = {{1, MOST}, {2, 500}, {10, 97}, {9, 96}, {30, 33}, {333, 3}, {MOST, 1}};

TEST(rows_scanned)
{
    const way *const w = &ways[_i];
    const int scan = w->variant && strcmp(w->variant, "propagate") == 0 ? AFFINE_SCAN : _i % SCANS;
    const route r = route_of(w);
    const plan_parts parts = {.op = scans[scan],
                              .flags = (_i % 2 ? CLF_EXCLUSIVE : 0u) | (_i % 4 > 1 ? CLF_REVERSE : 0u)};
    clf_plan *const plan = route_plan(&r, "segmented_scan", &parts, "numbers");
    gen random = gen_seed(the_rig()->seed, 200 + (uint64_t)_i);
    for (size_t k = 0; plan && k < COUNT(shapes); ++k) {
        subject *const t = subject_of(scan, parts.flags);
        run_rows(plan, t, shapes[k][0], shapes[k][1], &random);
    }
    if (plan)
        assert_ok(clf_plan_release(plan));
}

TEST(rows_reduced)
{
    static const route routes[] = {{NULL, NULL, NULL}, {NULL, "cpu", NULL}, {"cpu", "large", NULL},
                                   {"cpu", "warp", NULL}, {"cpu", "small", NULL}, {"cpu", "sequential", NULL}};
    gen random = gen_seed(the_rig()->seed, 300 + (uint64_t)_i);
    clf_plan *const plan = route_plan(&routes[_i], "reduce", &(plan_parts){.op = &reduction}, "numbers");
    for (size_t k = 0; plan && k < COUNT(shapes); ++k)
        if (_i != 4 || shapes[k][1] < 40)
            run_rows(plan, subject_of(-1, 0), shapes[k][0], shapes[k][1], &random);
    if (plan)
        assert_ok(clf_plan_release(plan));
}

TEST(laws)
{
    assert_lawful(_i < SCANS ? scans[_i] : &reduction, "with numbers");
}

RIG_SUITE_OF(with_segment, NULL, (add_number_refusals), {irregular_scans, WAY_COUNT * SCANS},
             {irregular_reductions, COUNT(hows)}, {on_little_data, 8}, {rows_scanned, WAY_COUNT}, {rows_reduced, 6},
             {laws, SCANS + 1})

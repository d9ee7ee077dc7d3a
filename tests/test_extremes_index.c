/* SPDX-License-Identifier: MIT */
/*
 * Part of suite extremes: reductions by index. A bin without elements and one of NaNs alone differ; where bins are
 * updated those without elements keep every bit, by any operator.
 */
#include "extremes.h"
#include "route.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { N = 900, MOST_BINS = 20000 };

static const char *const variants[][2] = {{NULL, NULL}, {NULL, "cpu"}, {"cpu", "local"}, {"cpu", "global"},
                                          {"cpu", "split"}, {"cpu", "sorted"}, {ROUTE_BARE, "local"}};

#define FROM_ELEMENTS(type, combine_name, neutral_name, more) \
    {.size = sizeof(clf_operator), .input = "uint bin; float x;", .value = type " v;", .map = "of", \
     .combine = combine_name, .neutral = neutral_name, .flags = CLF_COMMUTATIVE | CLF_NO_INDEX, \
     .source = "clf_value of(clf_input x, ulong i) { clf_value v = {x.x}; return v; }\n" more}
#define COUNT_OF_ELEMENTS \
    {.size = sizeof(clf_operator), .input = "uint bin; float x;", .value = "int v;", .map = "of", \
     .combine = "clf_sum", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX, \
     .source = "clf_value of(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"}

static const clf_operator least = FROM_ELEMENTS("float", "clf_min", NULL, ""),
                          largest = FROM_ELEMENTS("float", "clf_max", NULL, ""),
                          least_wide = FROM_ELEMENTS("double", "clf_min", NULL, ""), count = COUNT_OF_ELEMENTS,
                          sum = FROM_ELEMENTS("float", "clf_sum", NULL, ""),
                          own = FROM_ELEMENTS("float", "least", "none",
                                              "clf_value least(clf_value a, clf_value b)\n"
                                              "{ a.v = fmin(a.v, b.v); return a; }\n"
                                              "clf_value none(void) { clf_value v = {INFINITY}; return v; }\n");

/* What is combined: the operators that are joined, or one, and which of its fields obey the rule. */
#define ANY CLF_OP_COUNT
static const struct {
    const char *name;
    cl_uint fields;
    size_t bytes; /* of a field */
    const clf_operator *part[3];
    clf_op op[3];
} cases[] = {{"a minimum", 1, 4, {&least}, {CLF_MIN}},
             {"a maximum", 1, 4, {&largest}, {CLF_MAX}},
             {"a wide minimum", 1, 8, {&least_wide}, {CLF_MIN}},
             {"least and largest", 2, 4, {&least, &largest}, {CLF_MIN, CLF_MAX}},
             {"count, largest and least", 3, 4, {&count, &largest, &least}, {ANY, CLF_MAX, CLF_MIN}},
             {"a sum", 1, 4, {&sum}, {ANY}},
             {"a minimum of the caller's", 1, 4, {&own}, {ANY}}};

typedef struct world {
    cl_uint bin[N];
    float x[N];
    size_t bins;
    cl_uint first[MOST_BINS + 1]; /* elements of a bin, in `sorted` */
    float sorted[N];
} world;

static void make(world *w, size_t bins, gen *random)
{
    float x[N];
    extremes_fill(random, x, N);
    w->bins = bins;
    for (size_t i = 0; i < N; ++i)
        w->bin[i] = (cl_uint)gen_below(random, gen_below(random, bins + bins / 4) + 1);
    /* Runs of NaNs would be spread over all bins: some have these alone. */
    for (size_t i = 0; i < N; ++i)
        w->x[i] = w->bin[i] % 3 == 1 ? extremes_nan(random) : x[i];
    size_t at = 0;
    for (size_t b = 0; b < bins; ++b) {
        w->first[b] = (cl_uint)at;
        for (size_t i = 0; i < N; ++i)
            if (w->bin[i] == b)
                w->sorted[at++] = w->x[i];
    }
    w->first[bins] = (cl_uint)at;
}

static float number_at(const unsigned char *field, size_t bytes, size_t b)
{
    double wide;
    float x;
    memcpy(&x, field + b * bytes, sizeof x);
    if (bytes == sizeof x)
        return x;
    memcpy(&wide, field + b * bytes, sizeof wide);
    return (float)wide;
}

/* What was held, of any bits: NaNs, zeros of both signs, numbers. */
static void hold(unsigned char *field, size_t bytes, size_t bins, gen *random)
{
    static float x[MOST_BINS];
    extremes_fill(random, x, bins);
    for (size_t b = 0; b < bins; ++b) {
        const double wide = x[b];
        memcpy(field + b * bytes, bytes == sizeof wide ? (const void *)&wide : (const void *)&x[b], bytes);
    }
}

static void check_field(const world *w, clf_op op, size_t bytes, const unsigned char *held, const unsigned char *got,
                        const char *what)
{
    for (size_t b = 0; b < w->bins; ++b) {
        const float old = number_at(held ? held : got, bytes, b);
        const size_t n = w->first[b + 1] - w->first[b];
        if (held && n == 0)
            ck_assert_msg(memcmp(held + b * bytes, got + b * bytes, bytes) == 0, "%s: bin %zu has changed", what, b);
        else if (op != ANY)
            extremes_expect(number_at(got, bytes, b), extremes_of(op, held ? &old : NULL, w->sorted + w->first[b], n),
                            what, b);
    }
}

static void run_once(clf_plan *plan, size_t which, const world *w, bool update, const char *what, gen *random)
{
    const size_t bytes = cases[which].bytes, all = w->bins * bytes;
    unsigned char *const held = malloc(3 * all), *const got = malloc(all);
    ck_assert(held && got);
    const clf_array in[] = {{rig_buffer(sizeof w->bin, w->bin), 0}, {rig_buffer(sizeof w->x, w->x), 0}};
    clf_array out[3];
    for (cl_uint f = 0; f < cases[which].fields; ++f) {
        hold(held + f * all, bytes, w->bins, random);
        out[f] = (clf_array){rig_buffer(all, held + f * all), 0};
    }
    assert_ok(clf_reduce_by_index(plan, CLF_ON(the_rig()->queue), N, w->bins, in, out));
    for (cl_uint f = 0; f < cases[which].fields; ++f) {
        rig_read(the_rig()->queue, out[f].buffer, all, got);
        check_field(w, cases[which].op[f], bytes, update ? held + f * all : NULL, got, what);
        clReleaseMemObject(out[f].buffer);
    }
    rig_release(in[0], in[1]);
    free(held);
    free(got);
}

TEST(bins)
{
    static const size_t sizes[] = {1, 40, 1500, MOST_BINS};
    static world w;
    const size_t which = (size_t)_i % COUNT(cases);
    const char *const *const v = variants[(size_t)_i / COUNT(cases)];
    const bool split = v[1] && strcmp(v[1], "split") == 0;
    const bool cut = v[1] && strcmp(v[1], "sorted") != 0;
    const route r = {v[0], v[1], cut ? "items=4,group=32,groups=3,local=2048,limit=20" : NULL};
    gen random = gen_seed(the_rig()->seed, (uint64_t)_i);
    clf_operator *joined = NULL;
    if (cases[which].fields > 1)
        assert_ok(clf_operator_join(cases[which].fields, cases[which].part, &joined, NULL));
    for (int update = 0; update < 2; ++update) {
        const plan_parts parts = {.op = joined ? joined : cases[which].part[0], .flags = update ? CLF_UPDATE : 0};
        clf_plan *const plan = route_plan(&r, "reduce_by_index", &parts, cases[which].name);
        for (size_t s = 0; plan && s < COUNT(sizes); ++s) {
            char what[200];
            if (v[1] && (strcmp(v[1], "local") == 0 || split) && sizes[s] > 1500)
                continue; /* too many slices */
            snprintf(what, sizeof what, "%s, variant %s, without %s, %zu bins, update %d", cases[which].name,
                     v[1] ? v[1] : "default", v[0] ? v[0] : "nothing", sizes[s], update);
            make(&w, sizes[s], &random);
            run_once(plan, which, &w, update, what, &random);
        }
        if (plan)
            assert_ok(clf_plan_release(plan));
    }
    if (joined)
        assert_ok(clf_operator_release(joined));
}

RIG_PART(add_extremes_index_tests, {bins, COUNT(variants) * COUNT(cases)})

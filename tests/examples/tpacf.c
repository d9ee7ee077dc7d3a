/* SPDX-License-Identifier: MIT */
/*
 * TPACF of Parboil (Larsen 2017, 7.1): how galaxies cluster. Pairs of points on the sky are counted by the angle
 * between them: of the observed points with each other (DD), of each random set with itself (RR), and of the observed
 * with each random set (DR). The correlation at an angle is (DD - 2 DR + RR) / RR. Each histogram is a row of pairs.
 * They come three ways: by one reduction by index; as a reduction of segments whose values are vectors, 1 in the pair's
 * bin; and by a scan of these.
 *
 *     tpacf [POINTS [SETS]]               Parboil's: 487, 4096 and 10391 points, 100 random sets
 *     tpacf OBSERVED RANDOM [RANDOM...]   files of text: right ascension and declination of each point, in arc minutes
 */
#include "redomap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { BINS = 20 };

/* Rows are pairs of sets: 2 s of set s with itself, 2 s + 1 of set 0 with set s. Bounds are falling cosines. */
#define ANGLE                                                                                              \
    "uint bin_of(ulong index, const clf_captured *c);\n"                                                   \
    "uint bin_of(ulong index, const clf_captured *c)\n"                                                    \
    "{\n"                                                                                                  \
    "    const uint points = c->points[0], row = (uint)(index / c->clf_size);\n"                           \
    "    const uint pair = (uint)(index - row * c->clf_size), i = pair / points, j = pair % points;\n"     \
    "    const uint a = (row % 2 ? 0 : row / 2 * points) + i, b = row / 2 * points + j;\n"                 \
    "    const float cosine = fma(c->x[a], c->x[b], fma(c->y[a], c->y[b], c->z[a] * c->z[b]));\n"          \
    "    uint bin = 0;\n"                                                                                  \
    "    if (row % 2 ? row == 1 : i >= j)\n"                                                               \
    "        return ~0u;\n"                                                                                \
    "    for (uint k = 0; k <= 20; k++)\n"                                                                 \
    "        bin += cosine < c->bound[k];\n"                                                               \
    "    return bin - 1;\n"                                                                                \
    "}\n"
#define SKY "float x; float y; float z; float bound; uint points;"

static const clf_operator by_index = {
    .size = sizeof(clf_operator), .value = "uint pairs;", .input = "", .captured = SKY, .part = "part_of",
    .combine = "clf_sum", .map = "one", .flags = CLF_COMMUTATIVE,
    .source = ANGLE "uint part_of(clf_input none, ulong i, const clf_captured *c) { return bin_of(i, c); }\n"
                    "clf_value one(clf_input none, ulong i, const clf_captured *c) { clf_value v = {1}; return v; }\n"};

static const clf_operator by_vector = {
    .size = sizeof(clf_operator), .value = "uint8 a; uint8 b; uint8 c;", .input = "", .captured = SKY,
    .combine = "clf_sum", .map = "vector", .flags = CLF_COMMUTATIVE,
    .source = ANGLE "clf_value vector(clf_input none, ulong i, const clf_captured *c)\n"
                    "{\n"
                    "    const uint8 bin = (uint8)(bin_of(i, c)), first = (uint8)(0, 1, 2, 3, 4, 5, 6, 7);\n"
                    "    clf_value v = {as_uint8(bin == first) & 1, as_uint8(bin == first + 8) & 1,\n"
                    "                   as_uint8(bin == first + 16) & 1};\n"
                    "    return v;\n"
                    "}\n"};

typedef struct sky {
    cl_uint points, sets;
    float *axis[3], bound[BINS + 1];
    cl_uint *counts; /* [2 sets][BINS], by plain loops */
} sky;

static void set_point(sky *s, size_t at, double ascension, double declination)
{
    s->axis[0][at] = (float)(cos(ascension) * cos(declination));
    s->axis[1][at] = (float)(sin(ascension) * cos(declination));
    s->axis[2][at] = (float)sin(declination);
}

/* Random points of a patch of the sky; the observed ones lie in pairs. */
static void make_points(sky *s)
{
    cl_uint state = 1;
    for (size_t at = 0; at < (size_t)s->points * s->sets; ++at) {
        const bool beside = at < s->points && at % 2;
        const double from = beside ? asin(s->axis[2][at - 1]) : redomap_noise(&state);
        const double along = beside ? atan2(s->axis[1][at - 1], s->axis[0][at - 1]) : redomap_noise(&state);
        set_point(s, at, along + beside * 0.01 * redomap_noise(&state), from + beside * 0.01 * redomap_noise(&state));
    }
}

/* Points of a file; exits where another set had more or fewer. */
static void read_points(sky *s, cl_uint set, const char *name)
{
    size_t bytes;
    char *const text = example_file(name, &bytes), *rest = text, *end;
    const double minute = 3.14159265358979 / 180 / 60;
    cl_uint count = 0;
    for (double ascension = strtod(rest, &end); end != rest; ascension = strtod(rest, &end), ++count) {
        const double declination = strtod(end, &rest);
        if (set == 0 || count < s->points) {
            for (int a = 0; a < 3 && set == 0; ++a)
                s->axis[a] = realloc(s->axis[a], (count + 1) * (size_t)s->sets * sizeof(float));
            set_point(s, (size_t)set * s->points + count, ascension * minute, declination * minute);
        }
    }
    if (set == 0)
        s->points = count;
    if (count != s->points || count == 0) {
        fprintf(stderr, "%s has %u points, not %u\n", name, count, s->points);
        exit(2);
    }
    free(text);
}

/* Five bins in each power of ten, from one arc minute on. What is nearer or farther is in none. */
static void set_bounds(sky *s)
{
    for (int k = 0; k <= BINS; ++k)
        s->bound[k] = (float)cos(pow(10, k / 5.0) / 60 * 3.14159265358979 / 180);
}

static void count_here(sky *s, cl_uint row)
{
    const size_t first = row % 2 ? 0 : (size_t)row / 2 * s->points, second = (size_t)row / 2 * s->points;
    for (size_t i = 0; i < s->points && row != 1; ++i)
        for (size_t j = row % 2 ? 0 : i + 1; j < s->points; ++j) {
            const size_t a = first + i, b = second + j;
            const float cosine = fmaf(s->axis[0][a], s->axis[0][b],
                                      fmaf(s->axis[1][a], s->axis[1][b], s->axis[2][a] * s->axis[2][b]));
            int bin = -1;
            for (int k = 0; k <= BINS; ++k)
                bin += cosine < s->bound[k];
            if (bin >= 0 && bin < BINS)
                ++s->counts[(size_t)row * BINS + (size_t)bin];
        }
}

/* In vectors the bins lie in three fields of eight each. */
static int errors_in(const sky *s, const cl_uint *found, bool in_vectors)
{
    int errors = 0;
    for (size_t row = 0; row < 2 * (size_t)s->sets; ++row)
        for (size_t bin = 0; bin < BINS; ++bin) {
            const size_t field = bin / 8 * (2 * (size_t)s->sets) * 8;
            errors += found[in_vectors ? field + row * 8 + bin % 8 : row * BINS + bin] != s->counts[row * BINS + bin];
        }
    return errors;
}

static void print_correlations(const sky *s)
{
    for (size_t bin = 0; bin < BINS; ++bin) {
        double self = 0, cross = 0;
        for (size_t set = 1; set < s->sets; ++set) {
            self += s->counts[2 * set * BINS + bin];
            cross += s->counts[(2 * set + 1) * BINS + bin] / 2.0; /* of twice as many pairs */
        }
        if (self > 0)
            printf("%7.1f arc minutes: %.3f\n", pow(10, (double)bin / 5),
                   (s->counts[bin] * (double)(s->sets - 1) - 2 * cross + self) / self);
    }
}

/* The histograms by one call, whose second time is printed. */
static void run_by_index(example *x, const clf_array in[5], cl_ulong rows, cl_ulong pairs, const clf_array *counts)
{
    clf_plan *plan;
    double from = 0;
    check(clf_reduce_by_index_plan(x->context, &by_index, 0, NULL, &plan, &x->error), "plan", &x->error);
    for (int turn = 0; turn < 2; ++turn) {
        from = example_time();
        check(clf_segmented_reduce_by_index(plan, CLF_ON(x->queue), rows, pairs, BINS, in, counts),
              "clf_segmented_reduce_by_index", NULL);
        clFinish(x->queue);
    }
    printf("by a reduction by index: %.0f us\n", example_time() - from);
    clf_plan_release(plan);
}

static int run(example *x, const sky *s)
{
    const cl_ulong rows = 2 * (cl_ulong)s->sets, pairs = (cl_ulong)s->points * s->points;
    const size_t bytes = (size_t)s->points * s->sets * sizeof(float), wide = rows * 8 * sizeof(cl_uint);
    redomap r = redomap_open(x, &by_vector, &by_vector, 3, 8 * sizeof(cl_uint), rows, pairs);
    const clf_array in[] = {example_array(x, bytes, s->axis[0]), example_array(x, bytes, s->axis[1]),
                            example_array(x, bytes, s->axis[2]), example_array(x, sizeof s->bound, s->bound),
                            example_array(x, sizeof s->points, &s->points)};
    const clf_array out[] = {example_array(x, wide, NULL), example_array(x, wide, NULL), example_array(x, wide, NULL)};
    cl_uint *const found = malloc(3 * wide);
    const clf_array counts = example_array(x, rows * BINS * sizeof *found, NULL);
    run_by_index(x, in, rows, pairs, &counts);
    example_read(x, counts, rows * BINS * sizeof *found, found);
    int errors = errors_in(s, found, false);
    for (int way = 0; way < REDOMAP_WAYS; ++way) {
        redomap_whole(&r, way, in, 5, out, 3);
        for (int f = 0; f < 3; ++f)
            example_read(x, out[f], wide, found + f * rows * 8);
        errors += errors_in(s, found, true);
    }
    redomap_close(&r);
    example_release(in, 5);
    example_release(out, 3);
    example_release(&counts, 1);
    free(found);
    return errors;
}

int main(int argc, char **argv)
{
    const bool files = argc > 2 && strspn(argv[1], "0123456789") != strlen(argv[1]);
    sky s = {.points = argc > 1 && !files ? (cl_uint)atoi(argv[1]) : 60,
             .sets = files ? (cl_uint)argc - 1 : argc > 2 ? (cl_uint)atoi(argv[2]) + 1 : 6};
    if ((s.points == 0 && !files) || s.points > 65535 || s.sets < 2) {
        fputs("usage: tpacf [POINTS [SETS]], up to 65535 points and from one random set on; or two files and more\n",
              stderr);
        return 2;
    }
    for (int a = 0; a < 3; ++a)
        s.axis[a] = malloc((size_t)s.points * s.sets * sizeof(float));
    if (!files)
        make_points(&s);
    for (cl_uint set = 0; files && set < s.sets; ++set)
        read_points(&s, set, argv[set + 1]);
    s.counts = calloc(2 * (size_t)s.sets * BINS, sizeof(cl_uint));
    set_bounds(&s);
    for (cl_uint row = 0; row < 2 * s.sets; ++row)
        count_here(&s, row);
    example x = example_open();
    const int errors = run(&x, &s);
    print_correlations(&s);
    printf("%u points, %u random sets: %d errors\n", s.points, s.sets - 1, errors);
    for (int a = 0; a < 3; ++a)
        free(s.axis[a]);
    free(s.counts);
    example_close(&x);
    return errors != 0;
}

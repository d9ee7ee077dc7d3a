/* SPDX-License-Identifier: MIT */
/*
 * Crystal of Accelerate (Larsen 2017, 7.1): a picture of a quasicrystal. Each pixel is a sum of plane waves, which is
 * then folded into 0 to 1: a segmented reduction without inputs, whose segments are pixels, and a `finish`.
 *
 *     crystal [WIDTH [SCALE [WAVES]]]        Futhark's data sets: 200 30 5, and 2000 30 50
 */
#include "redomap.h"

#include <math.h>
#include <stdbool.h>

#define WAVES                                                                                             \
    "clf_value wave(clf_input none, ulong index, const clf_captured *c)\n"                                \
    "{\n"                                                                                                 \
    "    const uint waves = (uint)c->clf_size, pixel = (uint)(index / waves);\n"                          \
    "    const uint k = (uint)(index - (ulong)pixel * waves), width = (uint)c->plane[0];\n"               \
    "    const float scale = c->plane[1] * 2 * M_PI_F, angle = (float)k * M_PI_F / (float)waves;\n"       \
    "    const float x = ((float)(pixel % width) / (float)width - 0.5f) * scale;\n"                       \
    "    const float y = ((float)(pixel / width) / (float)width - 0.5f) * scale;\n"                       \
    "    clf_value v = {(cos(cos(angle) * x + sin(angle) * y) + 1) / 2};\n"                               \
    "    return v;\n"                                                                                     \
    "}\n"

/* The scan of the baseline writes sums, which the host folds. */
static const clf_operator sums = {.size = sizeof(clf_operator), .value = "float sum;", .input = "",
                                  .captured = "float plane;", .combine = "clf_sum", .map = "wave",
                                  .flags = CLF_COMMUTATIVE, .source = WAVES};

static const clf_operator folded = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "", .captured = "float plane;",
    .combine = "clf_sum", .map = "wave", .flags = CLF_COMMUTATIVE, .result = "float grey;", .finish = "fold",
    .source = WAVES "clf_result fold(clf_value a, ulong pixel, const clf_captured *c)\n"
                    "{\n"
                    "    const float whole = floor(a.sum), part = a.sum - whole;\n"
                    "    clf_result r = {(int)whole % 2 ? 1 - part : part};\n"
                    "    return r;\n"
                    "}\n"};

static double fold(double sum)
{
    const double whole = floor(sum), part = sum - whole;
    return fmod(whole, 2) != 0 ? 1 - part : part;
}

static double sum_at(size_t pixel, size_t width, double scale, size_t waves)
{
    const double pi = 3.14159265358979, x = ((double)(pixel % width) / (double)width - 0.5) * scale * 2 * pi;
    const double y = ((double)(pixel / width) / (double)width - 0.5) * scale * 2 * pi;
    double sum = 0;
    for (size_t k = 0; k < waves; ++k) {
        const double angle = (double)k * pi / (double)waves;
        sum += (cos(cos(angle) * x + sin(angle) * y) + 1) / 2;
    }
    return sum;
}

/* Folding is continuous, so an error of a sum is one of the pixel. */
static int errors_in(const float *pixels, bool are_sums, size_t width, double scale, size_t waves)
{
    const double bound = 1e-6 * (double)waves * (10 + 3 * scale);
    int errors = 0;
    for (size_t p = 0; p < width * width; ++p)
        errors += !(fabs((are_sums ? fold(pixels[p]) : pixels[p]) - fold(sum_at(p, width, scale, waves))) <= bound);
    return errors;
}

int main(int argc, char **argv)
{
    const size_t width = argc > 1 ? (size_t)atoi(argv[1]) : 60, waves = argc > 3 ? (size_t)atoi(argv[3]) : 5;
    const float plane[2] = {(float)width, argc > 2 ? (float)atof(argv[2]) : 30};
    if (width == 0 || waves == 0 || width > 65535) {
        fputs("usage: crystal [WIDTH [SCALE [WAVES]]], up to a width of 65535\n", stderr);
        return 2;
    }
    example x = example_open();
    redomap r = redomap_open(&x, &folded, &sums, 1, sizeof(float), width * width, waves);
    const clf_array in = example_array(&x, sizeof plane, plane);
    const clf_array out = example_array(&x, width * width * sizeof(float), NULL);
    float *const pixels = malloc(width * width * sizeof *pixels);
    int errors = 0;
    for (int way = 0; way < REDOMAP_WAYS; ++way) {
        redomap_whole(&r, way, &in, 1, &out, 1);
        example_read(&x, out, width * width * sizeof *pixels, pixels);
        errors += errors_in(pixels, way == BY_SCAN, width, plane[1], waves);
    }
    printf("%zu pixels, %zu waves: %d errors\n", width * width, waves, errors);
    redomap_close(&r);
    example_release((const clf_array[]){in, out}, 2);
    free(pixels);
    example_close(&x);
    return errors != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Option pricing of FinPar (Larsen 2017, 7.1), the part that the paper times: the mean of what an option pays, over
 * many paths that the price of a share may take. Path i is made from point i of a Sobol sequence of DATES dimensions,
 * by the inverse normal distribution (Wichura 1988, AS 241) and a Brownian bridge. Options that differ in their strike
 * are segments of one reduction, whose map makes paths from their numbers alone. Options are Asian, by geometric means,
 * so that their prices are also known in closed form.
 *
 *     option_pricing [PATHS [OPTIONS]]        FinPar's: 1048576 paths
 */
#include "redomap.h"

#include <math.h>
#include <stdbool.h>

enum { DATES = 8, BITS = 32 };
#define RATE 0.05
#define VOLATILITY 0.3
#define PRICE 100.0 /* of the share today; options end in a year. The source has these numbers, too */

/* The quantile is that of AS 241 for single precision, with relative errors of 1e-7. */
static const clf_operator sums = {
    .size = sizeof(clf_operator), .value = "float sum;", .input = "", .captured = "uint direction; float strike;",
    .combine = "clf_sum", .map = "pays", .flags = CLF_COMMUTATIVE,
    .source =
        "float quantile(float p);\n"
        "float quantile(float p)\n"
        "{\n"
        "    const float q = p - 0.5f, r = 0.180625f - q * q, t = sqrt(-log(min(p, 1 - p)));\n"
        "    const float near = t - 1.6f, far = t - 5;\n"
        "    const float middle = q * (((59.109375f * r + 159.2911320f) * r + 50.434272f) * r + 3.3871327f) /\n"
        "                         (((67.187564f * r + 78.757758f) * r + 17.895169f) * r + 1);\n"
        "    const float tail = t > 5 ? (((0.017337204f * far + 0.42868294f) * far + 3.0812264f) * far + 6.6579051f)\n"
        "                                   / ((0.012258203f * far + 0.24197894f) * far + 1)\n"
        "                             : (((0.17023821f * near + 1.3067285f) * near + 2.7568154f) * near + 1.4234373f)\n"
        "                                   / ((0.12021133f * near + 0.73700164f) * near + 1);\n"
        "    return fabs(q) <= 0.425f ? middle : q < 0 ? -tail : tail;\n"
        "}\n"
        "\n"
        "/* Coordinate d of a Sobol point, which is given by the bits of its number in Gray code. */\n"
        "__attribute__((noinline)) float normal(__global const uint *direction, uint gray, uint d);\n"
        "float normal(__global const uint *direction, uint gray, uint d)\n"
        "{\n"
        "    uint bits = 0;\n"
        "    for (uint b = 0; b < 32; b++)\n"
        "        bits ^= gray >> b & 1 ? direction[d * 32 + b] : 0;\n"
        "    return quantile(((float)(bits >> 9) + 0.5f) / 8388608);\n"
        "}\n"
        "\n"
        "clf_value pays(clf_input none, ulong index, const clf_captured *c)\n"
        "{\n"
        "    const uint option = (uint)(index / c->clf_size);\n"
        "    const uint path = (uint)(index - option * c->clf_size) + 1, gray = path ^ path >> 1;\n"
        "    float walk[9], sum = 0;\n"
        "    uint d = 0;\n"
        "    walk[0] = 0;\n"
        "    walk[8] = sqrt(8.0f) * normal(c->direction, gray, d++);\n"
        "    for (uint width = 4; width > 0; width /= 2)\n"
        "        for (uint at = width; at < 8; at += 2 * width)\n"
        "            walk[at] = (walk[at - width] + walk[at + width]) / 2 +\n"
        "                       sqrt((float)width / 2) * normal(c->direction, gray, d++);\n"
        "    for (uint k = 1; k <= 8; k++)\n"
        "        sum += (0.05f - 0.045f) * (float)k / 8 + 0.3f * sqrt(0.125f) * walk[k];\n"
        "    clf_value v = {max(100 * exp(sum / 8) - c->strike[option], 0.0f)};\n"
        "    return v;\n"
        "}\n"};

/* The direction numbers of Joe and Kuo (2008); dimension 0 is van der Corput's sequence. */
static void make_directions(cl_uint direction[DATES][BITS])
{
    static const cl_uint degree[DATES] = {0, 1, 2, 3, 3, 4, 4, 5}, polynomial[DATES] = {0, 0, 1, 1, 2, 1, 4, 2};
    static const cl_uint first[DATES][5] = {{0}, {1}, {1, 3}, {1, 3, 1}, {1, 1, 1}, {1, 1, 3, 3}, {1, 3, 5, 13},
                                            {1, 1, 5, 5, 17}};
    for (cl_uint d = 0; d < DATES; ++d)
        for (cl_uint b = 0; b < BITS; ++b) {
            const cl_uint s = degree[d];
            cl_uint *const v = direction[d];
            if (d == 0 || b < s) {
                v[b] = (d == 0 ? 1 : first[d][b]) << (31 - b);
                continue;
            }
            v[b] = v[b - s] ^ v[b - s] >> s;
            for (cl_uint k = 1; k < s; ++k)
                v[b] ^= polynomial[d] >> (s - 1 - k) & 1 ? v[b - k] : 0;
        }
}

/* ---- The same in plain loops, by double precision ------------------------------------------------------ */

static double distribution(double x)
{
    return erfc(-x / sqrt(2)) / 2;
}

/* By Newton's method. */
static double quantile(double p)
{
    double x = 0, step = 1;
    while (fabs(step) > 1e-10) {
        step = (distribution(x) - p) * sqrt(2 * 3.14159265358979) * exp(x * x / 2);
        step = step > 0.5 ? 0.5 : step < -0.5 ? -0.5 : step;
        x -= step;
    }
    return x;
}

static double mean_price(cl_uint direction[DATES][BITS], size_t path)
{
    const cl_uint number = (cl_uint)path + 1, gray = number ^ number >> 1;
    double normal[DATES], walk[DATES + 1] = {0}, sum = 0;
    for (int d = 0; d < DATES; ++d) {
        cl_uint bits = 0;
        for (int b = 0; b < BITS; ++b)
            bits ^= gray >> b & 1 ? direction[d][b] : 0;
        normal[d] = quantile(((bits >> 9) + 0.5) / 8388608);
    }
    walk[DATES] = sqrt(DATES) * normal[0];
    for (int width = DATES / 2, d = 1; width > 0; width /= 2)
        for (int at = width; at < DATES; at += 2 * width)
            walk[at] = (walk[at - width] + walk[at + width]) / 2 + sqrt(width / 2.0) * normal[d++];
    for (int k = 1; k <= DATES; ++k)
        sum += (RATE - VOLATILITY * VOLATILITY / 2) * k / DATES + VOLATILITY * sqrt(1.0 / DATES) * walk[k];
    return PRICE * exp(sum / DATES);
}

/* The mean of the logarithms is normally distributed. */
static double closed_form(double strike)
{
    const double mean = log(PRICE) + (RATE - VOLATILITY * VOLATILITY / 2) * (DATES + 1) / 2 / DATES;
    const double variance = VOLATILITY * VOLATILITY * (DATES + 1) * (2 * DATES + 1) / (6.0 * DATES * DATES);
    const double d = (mean - log(strike)) / sqrt(variance);
    return exp(-RATE) * (exp(mean + variance / 2) * distribution(d + sqrt(variance)) - strike * distribution(d));
}

static void price_here(cl_uint direction[DATES][BITS], size_t paths, size_t options, const float *strikes,
                       double *found)
{
    for (size_t path = 0; path < paths; ++path) {
        const double price = mean_price(direction, path);
        for (size_t o = 0; o < options; ++o)
            found[o] += price > strikes[o] ? price - strikes[o] : 0;
    }
    for (size_t o = 0; o < options; ++o)
        found[o] *= exp(-RATE) / (double)paths;
}

static int errors_in(const float *found, size_t paths, const double *here, size_t options)
{
    int errors = 0;
    for (size_t o = 0; o < options; ++o)
        errors += !(fabs(exp(-RATE) * found[o] / (double)paths - here[o]) <= 1e-4 * (here[o] + 1));
    return errors;
}

int main(int argc, char **argv)
{
    const size_t paths = argc > 1 ? (size_t)atoi(argv[1]) : 4096, options = argc > 2 ? (size_t)atoi(argv[2]) : 9;
    cl_uint direction[DATES][BITS];
    float *const strikes = malloc(options * sizeof *strikes), *const found = malloc(options * sizeof *found);
    double *const here = calloc(options, sizeof *here);
    if (paths == 0 || options == 0 || paths > 0xfffffffe || !strikes || !found || !here) {
        fputs("usage: option_pricing [PATHS [OPTIONS]]\n", stderr);
        return 2;
    }
    make_directions(direction);
    for (size_t o = 0; o < options; ++o)
        strikes[o] = (float)(80 + 40 * (double)o / (double)options);
    price_here(direction, paths, options, strikes, here);
    example x = example_open();
    redomap r = redomap_open(&x, &sums, &sums, 1, sizeof(float), options, paths);
    const clf_array in[] = {example_array(&x, sizeof direction, direction),
                            example_array(&x, options * sizeof *strikes, strikes)};
    const clf_array out = example_array(&x, options * sizeof *found, NULL);
    int errors = 0;
    for (int way = 0; way < REDOMAP_WAYS; ++way) {
        redomap_whole(&r, way, in, 2, &out, 1);
        example_read(&x, out, options * sizeof *found, found);
        errors += errors_in(found, paths, here, options);
    }
    for (size_t o = 0; o < options; ++o) /* so many paths come close */
        errors += paths >= 1024 && !(fabs(here[o] - closed_form(strikes[o])) <= 0.001 * PRICE);
    printf("%zu paths, %zu options: strike %.2f costs %.4f, in closed form %.4f: %d errors\n", paths, options,
           strikes[0], here[0], closed_form(strikes[0]), errors);
    redomap_close(&r);
    example_release((const clf_array[]){in[0], in[1], out}, 3);
    example_close(&x);
    free(strikes);
    free(found);
    free(here);
    return errors != 0;
}

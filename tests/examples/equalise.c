/* SPDX-License-Identifier: MIT */
/*
 * Histogram equalisation: a dark image gets all shades of grey. How many pixels have each shade is a histogram; how
 * many are no lighter than a shade, its running totals; and the new shade of a pixel is the part of all pixels that are
 * no lighter. That is looked up by the map of a reduction, which gives the new image as an extra output, and its mean
 * brightness beside it. Only the results come back to the host, which checks them by loops.
 */
#include "example.h"

enum { WIDTH = 1000, HEIGHT = 700, PIXELS = WIDTH * HEIGHT, SHADES = 256 };

static const clf_operator shading = {
    .size = sizeof shading, .input = "uchar shade;", .captured = "uint no_lighter;", .value = "ulong sum;",
    .extra = "uchar shade;", .map = "equalised", .combine = "add", .neutral = "zero", .flags = CLF_COMMUTATIVE,
    .source = "clf_value equalised(clf_input x, ulong i, const clf_captured *c, clf_extra *e)\n"
              "{\n"
              "    e->shade = (uchar)((ulong)c->no_lighter[x.shade] * 255 / c->clf_size);\n"
              "    return (clf_value){e->shade};\n"
              "}\n"
              "clf_value add(clf_value a, clf_value b) { return (clf_value){a.sum + b.sum}; }\n"
              "clf_value zero(void) { return (clf_value){0}; }\n"};

typedef struct results {
    cl_uint counts[SHADES];
    cl_uchar image[PIXELS];
    cl_ulong sum;
} results;

static void run(const cl_uchar *image, results *r)
{
    example x = example_open();
    clf_plan *shade;
    check(clf_reduce_plan(x.context, &shading, 0, NULL, &shade, &x.error), "clf_reduce_plan", &x.error);
    const clf_array dark = example_array(&x, PIXELS, image), counts = example_array(&x, sizeof r->counts, NULL);
    const clf_array totals = example_array(&x, sizeof r->counts, NULL), in[] = {dark, totals};
    const clf_array out[] = {example_array(&x, sizeof r->sum, NULL), example_array(&x, sizeof r->image, NULL)};
    check(clf_array_histogram(x.context, CLF_ON(x.queue), CLF_UCHAR, PIXELS, SHADES, dark, counts),
          "clf_array_histogram", NULL);
    check(clf_inclusive_scan(x.context, CLF_ON(x.queue), CLF_SUM, CLF_UINT, SHADES, counts, totals),
          "clf_inclusive_scan", NULL);
    check(clf_reduce(shade, CLF_ON_ARRAYS(x.queue, in, out), PIXELS, in, out), "clf_reduce", NULL);
    example_read(&x, counts, sizeof r->counts, r->counts);
    example_read(&x, out[0], sizeof r->sum, &r->sum);
    example_read(&x, out[1], sizeof r->image, r->image);
    example_release((const clf_array[]){dark, counts, totals, out[0], out[1]}, 5);
    clf_plan_release(shade);
    example_close(&x);
}

int main(void)
{
    static cl_uchar image[PIXELS];
    static results got;
    cl_uint counts[SHADES] = {0}, totals[SHADES], sum_of_counts = 0;
    cl_ulong before = 0, sum = 0;
    int errors = 0;
    for (int i = 0; i < PIXELS; ++i) { /* waves, in the darkest third of shades */
        const int wave = (i % WIDTH) * (i / WIDTH) / 50 % 160;
        image[i] = (cl_uchar)((wave < 80 ? wave : 160 - wave) * 80 / 100 + 10);
        ++counts[image[i]];
        before += image[i];
    }
    run(image, &got);
    for (int s = 0; s < SHADES; ++s) {
        totals[s] = sum_of_counts += counts[s];
        errors += got.counts[s] != counts[s];
    }
    for (int i = 0; i < PIXELS; ++i) {
        const cl_uchar shade = (cl_uchar)((cl_ulong)totals[image[i]] * 255 / PIXELS);
        sum += shade;
        errors += got.image[i] != shade;
    }
    errors += got.sum != sum;
    printf("mean brightness %.1f, and %.1f when equalised; %d errors\n", (double)before / PIXELS,
           (double)got.sum / PIXELS, errors);
    return errors != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * Run lengths of an image or a text, in one call:
 *
 *     run_lengths [FILE]
 *
 * Of a bitmap (PBM, "P4") or a grey image (PGM, "P5") the runs of equal pixels, row after row; of any other file those
 * of equal bytes. Without FILE an image is drawn, written to a file, and read from there. How many runs there are the
 * device counts. Checked by decoding: the runs must give the pixels again, and neighbours among them must differ.
 */
#include "example.h"

#include <string.h>

/* ---- A file ------------------------------------------------------------------------------------------------------ */

enum { WIDTH = 640, HEIGHT = 480 };

/* Three discs, of two shades, on a dark ground. */
static int shade_at(int x, int y)
{
    static const int discs[][4] = {{200, 200, 150, 128}, {420, 260, 180, 255}, {330, 120, 60, 128}};
    int shade = 16;
    for (int d = 0; d < 3; ++d) {
        const int dx = x - discs[d][0], dy = y - discs[d][1];
        if (dx * dx + dy * dy < discs[d][2] * discs[d][2])
            shade = discs[d][3];
    }
    return shade;
}

static void draw(const char *name)
{
    FILE *file = fopen(name, "wb");
    if (!file) {
        perror(name);
        exit(1);
    }
    fprintf(file, "P5\n# discs\n%d %d\n255\n", WIDTH, HEIGHT);
    for (int i = 0; i < WIDTH * HEIGHT; ++i)
        fputc(shade_at(i % WIDTH, i / WIDTH), file);
    if (fclose(file) != 0)
        exit(1);
}

/* The next number of a header, behind blanks and comments; 0: there is none. */
static size_t number(const char **at)
{
    for (;;) {
        *at += strspn(*at, " \t\r\n");
        if (**at != '#')
            break;
        *at += strcspn(*at, "\n");
    }
    char *end;
    const unsigned long found = **at >= '0' && **at <= '9' ? strtoul(*at, &end, 10) : 0;
    *at = found ? end : *at;
    return (size_t)found;
}

/* A byte for each pixel. What is no whole image of at most 8 bits a pixel is returned as it is. */
static char *pixels_of(char *bytes, size_t *n)
{
    const char *at = bytes + 2;
    const int bitmap = !strncmp(bytes, "P4", 2);
    if (!bitmap && strncmp(bytes, "P5", 2) != 0)
        return bytes;
    const size_t width = number(&at), height = number(&at), most = bitmap ? 1 : number(&at);
    const size_t stride = bitmap ? width / 8 + (width % 8 != 0) : width, rest = *n - (size_t)(at - bytes);
    if (!width || !height || !most || most > 255 || rest < 2 || height > (rest - 1) / stride)
        return bytes;
    char *const pixels = malloc(width * height);
    if (!pixels)
        exit(1);
    for (size_t i = 0; i < width * height; ++i) { /* one blank is behind the header */
        const size_t x = i % width;
        const unsigned char byte = (unsigned char)at[1 + i / width * stride + (bitmap ? x / 8 : x)];
        pixels[i] = (char)(bitmap ? byte >> (7 - x % 8) & 1 : byte);
    }
    *n = width * height;
    free(bytes);
    return pixels;
}

/* ---- The device -------------------------------------------------------------------------------------------------- */

typedef struct results {
    cl_ulong runs;
    cl_uchar *values;
    cl_ulong *lengths;
} results;

static void run(const char *pixels, size_t n, results *r)
{
    example x = example_open();
    const clf_array in = example_array(&x, n, pixels), values = example_array(&x, n, NULL),
                    lengths = example_array(&x, n * sizeof *r->lengths, NULL),
                    count = example_array(&x, sizeof r->runs, NULL);
    check(clf_array_run_lengths(x.context, CLF_ON(x.queue), CLF_UCHAR, n, in, values, lengths, count),
          "clf_array_run_lengths", NULL);
    example_read(&x, count, sizeof r->runs, &r->runs);
    r->values = malloc((size_t)r->runs + 1);
    r->lengths = malloc((size_t)(r->runs + 1) * sizeof *r->lengths);
    if (!r->values || !r->lengths)
        exit(1);
    example_read(&x, values, (size_t)r->runs, r->values);
    example_read(&x, lengths, (size_t)r->runs * sizeof *r->lengths, r->lengths);
    example_release((const clf_array[]){in, values, lengths, count}, 4);
    example_close(&x);
}

/* ---- Decoded ----------------------------------------------------------------------------------------------------- */

static int errors_of(const char *pixels, size_t n, const results *r)
{
    size_t at = 0;
    int errors = 0;
    for (cl_ulong k = 0; k < r->runs; ++k) {
        errors += r->lengths[k] == 0 || r->lengths[k] > n - at;
        errors += k > 0 && r->values[k] == r->values[k - 1];
        for (cl_ulong i = 0; i < r->lengths[k] && at < n; ++i)
            errors += r->values[k] != (cl_uchar)pixels[at++];
    }
    return errors + (at != n);
}

int main(int argc, char **argv)
{
    static const char drawn[] = "run_lengths.pgm";
    size_t n;
    results got;
    if (argc < 2)
        draw(drawn);
    char *const pixels = pixels_of(example_file(argc < 2 ? drawn : argv[1], &n), &n);
    if (argc < 2)
        remove(drawn);
    run(pixels, n, &got);
    const int errors = errors_of(pixels, n, &got);
    printf("%lu pixels or bytes in %lu runs; %d errors\n", (unsigned long)n, (unsigned long)got.runs, errors);
    free(got.values);
    free(got.lengths);
    free(pixels);
    return errors != 0;
}

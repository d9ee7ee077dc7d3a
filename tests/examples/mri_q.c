/* SPDX-License-Identifier: MIT */
/*
 * MRI-Q of Parboil (Larsen 2017, 7.1): each voxel of an image adds up the contributions of all samples that a scanner
 * took. It reads no array by element: the map makes each contribution from the captured samples and voxels. That is one
 * segmented reduction without inputs, whose segments are voxels.
 *
 *     mri_q [VOXELS [SAMPLES]]        Parboil's: 32768 3072, and 262144 2048
 *     mri_q FILE                      Parboil's input: two counts, then kx, ky, kz, x, y, z and phi, little-endian
 */
#include "redomap.h"

#include <math.h>
#include <string.h>

enum { KX, KY, KZ, X, Y, Z, PHI_REAL, PHI_IMAGINARY, FILE_ARRAYS };

static const clf_operator contributions = {
    .size = sizeof(clf_operator), .value = "float re; float im;", .input = "",
    .captured = "float kx; float ky; float kz; float x; float y; float z; float magnitude;",
    .combine = "clf_sum", .map = "contribution", .flags = CLF_COMMUTATIVE,
    .source = "clf_value contribution(clf_input none, ulong index, const clf_captured *c)\n"
              "{\n"
              "    const uint samples = (uint)c->clf_size, voxel = (uint)(index / samples);\n"
              "    const uint k = (uint)(index - (ulong)voxel * samples);\n"
              "    const float turns = c->kx[k] * c->x[voxel] + c->ky[k] * c->y[voxel] + c->kz[k] * c->z[voxel];\n"
              "    const float angle = 2 * M_PI_F * turns;\n"
              "    clf_value v = {c->magnitude[k] * cos(angle), c->magnitude[k] * sin(angle)};\n"
              "    return v;\n"
              "}\n"};

typedef struct scan_data {
    cl_uint voxels, samples;
    float *array[FILE_ARRAYS], *magnitude; /* of the samples, but for x, y and z */
} scan_data;

static cl_uint length_of(const scan_data *d, int array)
{
    return array >= X && array <= Z ? d->voxels : d->samples;
}

/* From a file, or made up. Exits where the file is none of Parboil's. */
static void fill(scan_data *d, const char *name)
{
    size_t bytes = 0, at = 2 * sizeof(cl_uint);
    cl_uint counts[2] = {d->samples, d->voxels}, state = 1;
    char *const text = name ? example_file(name, &bytes) : NULL;
    if (text && bytes >= at)
        memcpy(counts, text, at);
    d->samples = counts[0];
    d->voxels = counts[1];
    if (text && bytes != at + ((size_t)(FILE_ARRAYS - 3) * d->samples + (size_t)3 * d->voxels) * sizeof(float)) {
        fprintf(stderr, "%s has no input of MRI-Q\n", name);
        exit(2);
    }
    for (int a = 0; a < FILE_ARRAYS; ++a) {
        const size_t length = length_of(d, a);
        d->array[a] = malloc(length * sizeof(float));
        for (size_t i = 0; i < length; ++i)
            d->array[a][i] = text ? 0 : redomap_noise(&state) - 0.5f;
        if (text)
            memcpy(d->array[a], text + at, length * sizeof(float));
        at += length * sizeof(float);
    }
    d->magnitude = malloc(d->samples * sizeof(float));
    for (size_t k = 0; k < d->samples; ++k)
        d->magnitude[k] = d->array[PHI_REAL][k] * d->array[PHI_REAL][k] +
                          d->array[PHI_IMAGINARY][k] * d->array[PHI_IMAGINARY][k];
    free(text);
}

/* Numbers of all ways that are off by more than rounding: of sums of floats, and of angles in them. */
static int errors_in(const scan_data *d, const float *results)
{
    int errors = 0;
    for (size_t voxel = 0; voxel < d->voxels; ++voxel) {
        double sum[2] = {0, 0}, bound = 0;
        for (size_t k = 0; k < d->samples; ++k) {
            const double turns = (double)d->array[KX][k] * d->array[X][voxel] +
                                 (double)d->array[KY][k] * d->array[Y][voxel] +
                                 (double)d->array[KZ][k] * d->array[Z][voxel];
            sum[0] += d->magnitude[k] * cos(2 * 3.14159265358979 * turns);
            sum[1] += d->magnitude[k] * sin(2 * 3.14159265358979 * turns);
            bound += d->magnitude[k] * (1 + fabs(turns));
        }
        for (size_t a = 0; a < 2 * REDOMAP_WAYS; ++a)
            errors += !(fabs(results[a * d->voxels + voxel] - sum[a % 2]) <= 1e-5 * bound);
    }
    return errors;
}

int main(int argc, char **argv)
{
    const char *const name = argc == 2 && strspn(argv[1], "0123456789") != strlen(argv[1]) ? argv[1] : NULL;
    scan_data d = {.voxels = argc > 1 && !name ? (cl_uint)atoi(argv[1]) : 300,
                   .samples = argc > 2 ? (cl_uint)atoi(argv[2]) : 500};
    fill(&d, name);
    if (d.voxels == 0 || d.samples == 0) {
        fputs("mri_q: no voxels, or no samples\n", stderr);
        return 2;
    }
    example x = example_open();
    redomap r = redomap_open(&x, &contributions, &contributions, 2, sizeof(float), d.voxels, d.samples);
    clf_array in[7], out[2];
    for (int a = 0; a < 6; ++a)
        in[a] = example_array(&x, length_of(&d, a) * sizeof(float), d.array[a]);
    in[6] = example_array(&x, d.samples * sizeof(float), d.magnitude);
    for (int f = 0; f < 2; ++f)
        out[f] = example_array(&x, d.voxels * sizeof(float), NULL);
    float *const results = malloc(2 * REDOMAP_WAYS * d.voxels * sizeof(float));
    for (int way = 0; way < REDOMAP_WAYS; ++way) {
        redomap_whole(&r, way, in, 7, out, 2);
        for (int f = 0; f < 2; ++f)
            example_read(&x, out[f], d.voxels * sizeof(float), results + (size_t)(2 * way + f) * d.voxels);
    }
    const int errors = errors_in(&d, results);
    printf("%u voxels, %u samples: %d errors\n", d.voxels, d.samples, errors);
    redomap_close(&r);
    example_release(in, 7);
    example_release(out, 2);
    for (int a = 0; a < FILE_ARRAYS; ++a)
        free(d.array[a]);
    free(d.magnitude);
    free(results);
    example_close(&x);
    return errors != 0;
}

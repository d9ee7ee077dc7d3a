/* SPDX-License-Identifier: MIT */
/*
 * k-means (Larsen 2017, 7.3): points with FEATURES coordinates fall into clusters around centres, in rounds of
 *
 *   assign   each point to its nearest centre: a reduction that counts how many points changed their cluster, and
 *            writes the clusters, in place, as an extra output of its map
 *   update   each coordinate of each centre to the mean of its cluster's points: one segment of all points for each of
 *            them, made of captured arrays alone
 *
 * until none changed. All numbers are whole, so a plain loop gets the same.
 *
 *     kmeans [POINTS [ROUNDS]]        in the seed: 494020
 */
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <clfold/clfold.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { CENTRES = 5, FEATURES = 34, MEANS = CENTRES * FEATURES };
#define SIZES "enum { CENTRES = 5, FEATURES = 34 };\n"

/* The coordinates of all points lie one after the other: feature f of point p at f * points + p. */
static const clf_operator assign = {
    .size = sizeof(clf_operator), .value = "uint changed;", .input = "uint cluster;", .extra = "uint nearest;",
    .captured = "int feature; int centre;",
    .combine = "add", .neutral = "zero", .map = "choose", .flags = CLF_COMMUTATIVE,
    .source = SIZES
        "clf_value zero(void) { clf_value v = {0}; return v; }\n"
        "clf_value add(clf_value a, clf_value b) { a.changed += b.changed; return a; }\n"
        "clf_value choose(clf_input in, ulong point, const clf_captured *c, clf_extra *extra)\n"
        "{\n"
        "    int distance[CENTRES] = {0}, least = INT_MAX;\n"
        "    for (uint f = 0; f < FEATURES; f++) {\n"
        "        const int x = c->feature[f * c->clf_size + point];\n"
        "        for (uint k = 0; k < CENTRES; k++) {\n"
        "            const int d = x - c->centre[k * FEATURES + f];\n"
        "            distance[k] += d * d;\n"
        "        }\n"
        "    }\n"
        "    for (uint k = 0; k < CENTRES; k++) {\n"
        "        extra->nearest = distance[k] < least ? k : extra->nearest;\n"
        "        least = min(least, distance[k]);\n"
        "    }\n"
        "    clf_value v = {extra->nearest != in.cluster};\n"
        "    return v;\n"
        "}\n"};

static const clf_operator update = {
    .size = sizeof(clf_operator), .value = "long sum; uint count;", .input = "",
    .captured = "int feature; uint cluster;",
    .combine = "add", .neutral = "zero", .map = "member", .flags = CLF_COMMUTATIVE,
    .source = SIZES
        "clf_value zero(void) { clf_value v = {0, 0}; return v; }\n"
        "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; a.count += b.count; return a; }\n"
        "clf_value member(clf_input none, ulong index, const clf_captured *c)\n"
        "{\n"
        "    const uint points = (uint)c->clf_size, mean = (uint)index / points, point = (uint)index % points;\n"
        "    clf_value v = zero();\n"
        "    if (c->cluster[point] == mean / FEATURES) {\n"
        "        v.sum = c->feature[mean % FEATURES * points + point];\n"
        "        v.count = 1;\n"
        "    }\n"
        "    return v;\n"
        "}\n"};

typedef struct clustering {
    cl_uint points, rounds, changed;
    cl_int *features, centres[MEANS];
    cl_uint *clusters;
} clustering;

static void check(clf_status status, const clf_error *error)
{
    if (status == CLF_SUCCESS)
        return;
    fprintf(stderr, "%s\n%s\n%s\n", clf_status_text(status), error ? error->message : "", error ? error->log : "");
    exit(1);
}

static clf_array array(cl_context cl, size_t bytes, void *data)
{
    cl_int status;
    const cl_mem_flags flags = CL_MEM_READ_WRITE | (data ? CL_MEM_COPY_HOST_PTR : 0);
    const clf_array result = {clCreateBuffer(cl, flags, bytes, data, &status), 0};
    check(status, NULL);
    return result;
}

/* Where no point is, the centre stays. */
static void set_centre(cl_int *centre, cl_long sum, cl_uint count)
{
    *centre = count ? (cl_int)(sum / count) : *centre;
}

typedef struct machine {
    cl_command_queue queue;
    clf_plan *assign, *update;
    clf_array features, clusters, centres, changed, sums, counts;
} machine;

static void run_round(const machine *m, clustering *k)
{
    const clf_array points[] = {m->clusters, m->features, m->centres}, assigned[] = {m->changed, m->clusters};
    const clf_array members[] = {m->features, m->clusters}, means[] = {m->sums, m->counts};
    cl_long sums[MEANS];
    cl_uint counts[MEANS];
    check(clf_reduce(m->assign, CLF_ON(m->queue), k->points, points, assigned), NULL);
    check(clf_segmented_reduce(m->update, CLF_ON(m->queue), MEANS, k->points, members, means), NULL);
    clEnqueueReadBuffer(m->queue, m->sums.buffer, CL_FALSE, 0, sizeof sums, sums, 0, NULL, NULL);
    clEnqueueReadBuffer(m->queue, m->counts.buffer, CL_FALSE, 0, sizeof counts, counts, 0, NULL, NULL);
    check(clEnqueueReadBuffer(m->queue, m->changed.buffer, CL_TRUE, 0, sizeof k->changed, &k->changed, 0, NULL, NULL),
          NULL);
    for (int i = 0; i < MEANS; i++)
        set_centre(&k->centres[i], sums[i], counts[i]);
    check(clEnqueueWriteBuffer(m->queue, m->centres.buffer, CL_TRUE, 0, sizeof k->centres, k->centres, 0, NULL, NULL),
          NULL);
}

static void run_rounds(machine *m, clustering *k, cl_uint most)
{
    struct timespec from = {0}, to;
    for (k->rounds = 0, k->changed = 1; k->rounds < most && k->changed; k->rounds++) {
        if (k->rounds == 1) /* the first one compiles */
            timespec_get(&from, TIME_UTC);
        run_round(m, k);
    }
    timespec_get(&to, TIME_UTC);
    const double us = (double)(to.tv_sec - from.tv_sec) * 1e6 + (double)(to.tv_nsec - from.tv_nsec) * 1e-3;
    if (k->rounds > 1)
        printf("%u points, %u rounds of %.0f us\n", k->points, k->rounds, us / (k->rounds - 1));
    check(clEnqueueReadBuffer(m->queue, m->clusters.buffer, CL_TRUE, 0, k->points * sizeof(cl_uint), k->clusters, 0,
                              NULL, NULL), NULL);
}

/* On the first device of the first platform. */
static void run(clustering *k, cl_uint most)
{
    cl_platform_id platform;
    cl_device_id device;
    cl_int status;
    clf_context *context;
    clf_error error = {.size = sizeof error};
    machine m;
    check(clGetPlatformIDs(1, &platform, NULL), NULL);
    check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL), NULL);
    cl_context cl = clCreateContext(NULL, 1, &device, NULL, NULL, &status);
    check(status, NULL);
    m.queue = clCreateCommandQueue(cl, device, 0, &status);
    check(status, NULL);
    check(clf_context_create(cl, device, NULL, &context, &error), &error);
    check(clf_reduce_plan(context, &assign, 0, NULL, &m.assign, &error), &error);
    check(clf_reduce_plan(context, &update, 0, NULL, &m.update, &error), &error);
    m.features = array(cl, (size_t)k->points * FEATURES * sizeof(cl_int), k->features);
    m.clusters = array(cl, k->points * sizeof(cl_uint), k->clusters);
    m.centres = array(cl, sizeof k->centres, k->centres);
    m.changed = array(cl, sizeof(cl_uint), NULL);
    m.sums = array(cl, MEANS * sizeof(cl_long), NULL);
    m.counts = array(cl, MEANS * sizeof(cl_uint), NULL);
    run_rounds(&m, k, most);

    const clf_array arrays[] = {m.features, m.clusters, m.centres, m.changed, m.sums, m.counts};
    for (size_t i = 0; i < sizeof arrays / sizeof arrays[0]; i++)
        clReleaseMemObject(arrays[i].buffer);
    clf_plan_release(m.assign);
    clf_plan_release(m.update);
    clf_context_release(context);
    clReleaseCommandQueue(m.queue);
    clReleaseContext(cl);
}

/* ---- The same in plain loops --------------------------------------------------------------------------- */

static cl_uint nearest(const clustering *k, size_t point)
{
    cl_int least = 0;
    cl_uint best = 0;
    for (cl_uint c = 0; c < CENTRES; c++) {
        cl_int distance = 0;
        for (cl_uint f = 0; f < FEATURES; f++) {
            const cl_int d = k->features[(size_t)f * k->points + point] - k->centres[c * FEATURES + f];
            distance += d * d;
        }
        if (c == 0 || distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

static void run_round_here(clustering *k)
{
    cl_long sums[MEANS] = {0};
    cl_uint counts[CENTRES] = {0};
    k->changed = 0;
    for (size_t p = 0; p < k->points; p++) {
        const cl_uint c = nearest(k, p);
        k->changed += c != k->clusters[p];
        k->clusters[p] = c;
        counts[c]++;
        for (size_t f = 0; f < FEATURES; f++)
            sums[c * FEATURES + f] += k->features[f * k->points + p];
    }
    for (size_t i = 0; i < MEANS; i++)
        set_centre(&k->centres[i], sums[i], counts[i / FEATURES]);
}

/* Points around CENTRES places; the first points are the first centres. */
static void make_data(clustering *k)
{
    cl_uint state = 1;
    for (size_t i = 0; i < (size_t)k->points * FEATURES; i++) {
        const cl_uint f = (cl_uint)(i / k->points), p = (cl_uint)(i % k->points);
        state = state * 1664525u + 1013904223u;
        k->features[i] = (cl_int)(p * 5 % CENTRES * 700 + p % 3 * 500 + f * 10 + (state >> 16) % 1500);
    }
    for (size_t i = 0; i < MEANS; i++)
        k->centres[i] = k->features[i % FEATURES * k->points + i / FEATURES];
    memset(k->clusters, 0xff, k->points * sizeof *k->clusters);
}

int main(int argc, char **argv)
{
    clustering here = {.points = argc > 1 ? (cl_uint)atoi(argv[1]) : 3000}, k;
    const cl_uint most = argc > 2 ? (cl_uint)atoi(argv[2]) : 15;
    const size_t n = here.points;
    if (n < CENTRES || n > 0xffffffff / MEANS)
        return 1;
    here.features = malloc(n * FEATURES * sizeof *here.features);
    here.clusters = malloc(2 * n * sizeof *here.clusters);
    if (!here.features || !here.clusters)
        return 1;
    make_data(&here);
    k = here;
    k.clusters = here.clusters + n;
    memcpy(k.clusters, here.clusters, n * sizeof *k.clusters);
    run(&k, most);
    for (cl_uint round = 0; round < k.rounds; round++)
        run_round_here(&here);
    int errors = (k.changed != here.changed) + (memcmp(k.centres, here.centres, sizeof k.centres) != 0);
    for (size_t p = 0; p < n; p++)
        errors += k.clusters[p] != here.clusters[p];
    printf("%u points changed in round %u\n%d errors\n", k.changed, k.rounds, errors);
    free(here.features);
    free(here.clusters);
    return errors != 0;
}

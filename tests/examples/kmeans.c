/* SPDX-License-Identifier: MIT */
/*
 * k-means (Larsen 2017, 7.3): points with FEATURES coordinates fall into clusters around centres, in rounds of
 *
 *   assign   each point to its nearest centre: a reduction that counts how many points changed their cluster, and
 *            writes the clusters, in place, as an extra output of its map
 *   update   each coordinate of each centre to the mean of its cluster's points: how many these are is a histogram of
 *            the clusters, and a reduction by index of a row for each coordinate adds them up, in one reading
 *
 * until none changed. All numbers are whole, so a plain loop gets the same.
 *
 *     kmeans [POINTS [ROUNDS]]        in the seed: 494020
 */
#include "example.h"

#include <string.h>

enum { CENTRES = 5, FEATURES = 34, MEANS = CENTRES * FEATURES };
#define SIZES "enum { CENTRES = 5, FEATURES = 34 };\n"

/* The coordinates of all points lie one after the other: feature f of point p at f * points + p. */
static const clf_operator assign = {
    .size = sizeof(clf_operator), .value = "uint changed;", .input = "uint cluster;", .extra = "uint nearest;",
    .captured = "int feature; int centre;",
    .combine = "clf_sum", .map = "choose", .flags = CLF_COMMUTATIVE,
    .source = SIZES
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

/*
 * Bins are clusters: a coordinate is added to those of its point's. Sums are of 64 bits; GPUs need atomics of as many.
 */
static const clf_operator update = {
    .size = sizeof(clf_operator), .value = "long sum;", .input = "int x;", .captured = "uint cluster;",
    .part = "of_point", .combine = "clf_sum", .map = "coordinate", .flags = CLF_COMMUTATIVE,
    .source = "uint of_point(clf_input in, ulong i, const clf_captured *c) { return c->cluster[i % c->clf_size]; }\n"
              "clf_value coordinate(clf_input in, ulong i, const clf_captured *c) { return (clf_value){in.x}; }\n"};

typedef struct clustering {
    cl_uint points, rounds, changed;
    cl_int *features, centres[MEANS];
    cl_uint *clusters;
} clustering;

/* Where no point is, the centre stays. */
static void set_centre(cl_int *centre, cl_long sum, cl_uint count)
{
    *centre = count ? (cl_int)(sum / count) : *centre;
}

typedef struct machine {
    example x;
    clf_plan *assign, *update;
    clf_array features, clusters, centres, changed, sums, counts; /* sums: of each feature those of all clusters */
} machine;

static void run_round(const machine *m, clustering *k)
{
    const clf_array points[] = {m->clusters, m->features, m->centres}, assigned[] = {m->changed, m->clusters};
    const clf_array members[] = {m->features, m->clusters};
    cl_long sums[FEATURES][CENTRES];
    cl_uint counts[CENTRES];
    check(clf_reduce(m->assign, CLF_ON_ARRAYS(m->x.queue, points, assigned), k->points, points, assigned), "assign",
          NULL);
    check(clf_segmented_reduce_by_index(m->update, CLF_ON_ARRAYS(m->x.queue, members, m->sums), FEATURES, k->points,
                                        CENTRES, members, &m->sums),
          "update", NULL);
    check(clf_array_histogram(m->x.context, CLF_ON(m->x.queue), CLF_UINT, k->points, CENTRES, m->clusters, m->counts),
          "clf_array_histogram", NULL);
    example_read(&m->x, m->sums, sizeof sums, sums);
    example_read(&m->x, m->counts, sizeof counts, counts);
    example_read(&m->x, m->changed, sizeof k->changed, &k->changed);
    for (int i = 0; i < MEANS; ++i)
        set_centre(&k->centres[i], sums[i % FEATURES][i / FEATURES], counts[i / FEATURES]);
    check(clEnqueueWriteBuffer(m->x.queue, m->centres.buffer, CL_TRUE, 0, sizeof k->centres, k->centres, 0, NULL, NULL),
          "clEnqueueWriteBuffer", NULL);
}

static void run_rounds(const machine *m, clustering *k, cl_uint most)
{
    double from = 0;
    for (k->rounds = 0, k->changed = 1; k->rounds < most && k->changed; ++k->rounds) {
        if (k->rounds == 1) /* the first one compiles */
            from = example_time();
        run_round(m, k);
    }
    if (k->rounds > 1)
        printf("%u points, %u rounds of %.0f us\n", k->points, k->rounds, (example_time() - from) / (k->rounds - 1));
    example_read(&m->x, m->clusters, k->points * sizeof *k->clusters, k->clusters);
}

static void run(clustering *k, cl_uint most)
{
    machine m = {.x = example_open()};
    check(clf_reduce_plan(m.x.context, &assign, 0, NULL, &m.assign, &m.x.error), "plan of assign", &m.x.error);
    check(clf_reduce_by_index_plan(m.x.context, &update, 0, NULL, &m.update, &m.x.error), "plan of update", &m.x.error);
    m.features = example_array(&m.x, (size_t)k->points * FEATURES * sizeof *k->features, k->features);
    m.clusters = example_array(&m.x, k->points * sizeof *k->clusters, k->clusters);
    m.centres = example_array(&m.x, sizeof k->centres, k->centres);
    m.changed = example_array(&m.x, sizeof k->changed, NULL);
    m.sums = example_array(&m.x, MEANS * sizeof(cl_long), NULL);
    m.counts = example_array(&m.x, CENTRES * sizeof(cl_uint), NULL);
    run_rounds(&m, k, most);

    example_release((const clf_array[]){m.features, m.clusters, m.centres, m.changed, m.sums, m.counts}, 6);
    clf_plan_release(m.assign);
    clf_plan_release(m.update);
    example_close(&m.x);
}

/* ---- The same in plain loops --------------------------------------------------------------------------- */

static cl_uint nearest(const clustering *k, size_t point)
{
    cl_int least = 0;
    cl_uint best = 0;
    for (cl_uint c = 0; c < CENTRES; ++c) {
        cl_int distance = 0;
        for (cl_uint f = 0; f < FEATURES; ++f) {
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
    for (size_t p = 0; p < k->points; ++p) {
        const cl_uint c = nearest(k, p);
        k->changed += c != k->clusters[p];
        k->clusters[p] = c;
        ++counts[c];
        for (size_t f = 0; f < FEATURES; ++f)
            sums[c * FEATURES + f] += k->features[f * k->points + p];
    }
    for (size_t i = 0; i < MEANS; ++i)
        set_centre(&k->centres[i], sums[i], counts[i / FEATURES]);
}

/* Points around CENTRES places; the first points are the first centres. */
static void make_data(clustering *k)
{
    cl_uint state = 1;
    for (size_t i = 0; i < (size_t)k->points * FEATURES; ++i) {
        const cl_uint f = (cl_uint)(i / k->points), p = (cl_uint)(i % k->points);
        state = state * 1664525u + 1013904223u;
        k->features[i] = (cl_int)(p * 5 % CENTRES * 700 + p % 3 * 500 + f * 10 + (state >> 16) % 1500);
    }
    for (size_t i = 0; i < MEANS; ++i)
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
    for (cl_uint round = 0; round < k.rounds; ++round)
        run_round_here(&here);
    int errors = (k.changed != here.changed) + (memcmp(k.centres, here.centres, sizeof k.centres) != 0);
    for (size_t p = 0; p < n; ++p)
        errors += k.clusters[p] != here.clusters[p];
    printf("%u points changed in round %u\n%d errors\n", k.changed, k.rounds, errors);
    free(here.features);
    free(here.clusters);
    return errors != 0;
}

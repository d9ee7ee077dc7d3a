/* SPDX-License-Identifier: MIT */
/*
 * k-means of Rodinia (Larsen 2017, 7.3): points with some features each fall into clusters around centres, in rounds of
 *
 *   assign   each point to its nearest centre: a reduction that counts how many points changed their cluster, and
 *            writes the clusters, in place, as an extra output of its map
 *   update   each feature of each centre to the mean of its cluster's points: how many these are is a histogram of
 *            the clusters. Their sums come three ways: by a reduction by index, which reads the features once; as in
 *            the paper, by a reduction of segments, one for each centre and feature, of all points; and by a scan of
 *            these
 *
 * until none changed. Sums are whole numbers of 1 / UNIT, and products are rounded before they are added, so that a
 * plain loop gets the same bit by bit.
 *
 *     kmeans [POINTS [ROUNDS]]        in the paper: 494020
 *     kmeans FILE [ROUNDS]            Rodinia's text: a line for each point, its number and its features
 */
#include "redomap.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

enum { CENTRES = 5, UNIT = 256, BY_INDEX = REDOMAP_WAYS, WAYS };
#define CONSTANTS "enum { CENTRES = 5, UNIT = 256 };\n"

/* The features of all points lie one after the other: feature f of point p at f * points + p. */
static const clf_operator assign = {
    .size = sizeof(clf_operator), .value = "uint changed;", .input = "uint cluster;", .extra = "uint nearest;",
    .captured = "float feature; float centre; uint features;",
    .combine = "clf_sum", .map = "choose", .flags = CLF_COMMUTATIVE,
    .source = CONSTANTS
        "clf_value choose(clf_input in, ulong point, const clf_captured *c, clf_extra *extra)\n"
        "{\n"
        "#pragma OPENCL FP_CONTRACT OFF\n"
        "    const uint features = c->features[0];\n"
        "    float distance[CENTRES] = {0}, least = INFINITY;\n"
        "    for (uint f = 0; f < features; f++) {\n"
        "        const float x = c->feature[f * c->clf_size + point];\n"
        "        for (uint k = 0; k < CENTRES; k++) {\n"
        "            const float d = x - c->centre[k * features + f];\n"
        "            distance[k] += d * d;\n"
        "        }\n"
        "    }\n"
        "    extra->nearest = 0;\n"
        "    for (uint k = 0; k < CENTRES; k++) {\n"
        "        extra->nearest = distance[k] < least ? k : extra->nearest;\n"
        "        least = min(least, distance[k]);\n"
        "    }\n"
        "    clf_value v = {extra->nearest != in.cluster};\n"
        "    return v;\n"
        "}\n"};

/* Bins are clusters: a feature is added to those of its point's. GPUs need atomics of 64 bits. */
static const clf_operator by_index = {
    .size = sizeof(clf_operator), .value = "long sum;", .input = "float x;", .captured = "uint cluster;",
    .part = "of_point", .combine = "clf_sum", .map = "feature", .flags = CLF_COMMUTATIVE,
    .source = CONSTANTS
        "uint of_point(clf_input in, ulong i, const clf_captured *c) { return c->cluster[i % c->clf_size]; }\n"
        "clf_value feature(clf_input in, ulong i, const clf_captured *c)\n"
        "{ clf_value v = {convert_long_rte(in.x * UNIT)}; return v; }\n"};

/* Segments are features of centres. Points of other clusters add nothing. */
static const clf_operator by_segment = {
    .size = sizeof(clf_operator), .value = "long sum;", .input = "",
    .captured = "float feature; uint cluster; uint features;", .combine = "clf_sum", .map = "feature",
    .flags = CLF_COMMUTATIVE,
    .source = CONSTANTS
        "clf_value feature(clf_input in, ulong i, const clf_captured *c)\n"
        "{\n"
        "    const uint features = c->features[0], row = (uint)(i / c->clf_size);\n"
        "    const ulong point = i - row * c->clf_size;\n"
        "    const float x = c->feature[row % features * c->clf_size + point];\n"
        "    clf_value v = {c->cluster[point] == row / features ? convert_long_rte(x * UNIT) : 0};\n"
        "    return v;\n"
        "}\n"};

typedef struct clustering {
    cl_uint points, features, rounds, changed;
    float *feature, *centre;
    cl_uint *cluster;
} clustering;

static void *room(size_t count, size_t bytes)
{
    void *const memory = malloc(count * bytes);
    check(memory ? CLF_SUCCESS : CLF_E_NO_MEMORY, "memory for points", NULL);
    return memory;
}

/* Where no point is, the centre stays. Sums are [centre][feature], those by index [feature][centre]. */
static void set_centres(clustering *k, const cl_long *sums, const cl_uint *counts, bool turned)
{
    for (cl_uint c = 0; c < CENTRES; ++c)
        for (cl_uint f = 0; f < k->features; ++f)
            if (counts[c])
                k->centre[c * k->features + f] = (float)((double)sums[turned ? f * CENTRES + c : c * k->features + f] /
                                                         UNIT / counts[c]);
}

typedef struct machine {
    example *x;
    clf_plan *assign, *by_index;
    redomap update;
    clf_array feature, cluster, centre, features, changed, sums, counts;
} machine;

static machine open_machine(example *x, const clustering *k)
{
    const size_t means = (size_t)CENTRES * k->features;
    machine m = {.x = x};
    check(clf_reduce_plan(x->context, &assign, 0, NULL, &m.assign, &x->error), "plan of assign", &x->error);
    check(clf_reduce_by_index_plan(x->context, &by_index, 0, NULL, &m.by_index, &x->error), "plan of update",
          &x->error);
    m.update = redomap_open(x, &by_segment, &by_segment, 1, sizeof(cl_long), means, k->points);
    m.feature = example_array(x, (size_t)k->points * k->features * sizeof(float), k->feature);
    m.cluster = example_array(x, k->points * sizeof(cl_uint), NULL);
    m.centre = example_array(x, means * sizeof(float), NULL);
    m.features = example_array(x, sizeof(cl_uint), &k->features);
    m.changed = example_array(x, sizeof(cl_uint), NULL);
    m.sums = example_array(x, means * sizeof(cl_long), NULL);
    m.counts = example_array(x, CENTRES * sizeof(cl_uint), NULL);
    return m;
}

static void close_machine(machine *m)
{
    const clf_array all[] = {m->feature, m->cluster, m->centre, m->features, m->changed, m->sums, m->counts};
    example_release(all, CLF_ARRAY_COUNT(all));
    redomap_close(&m->update);
    clf_plan_release(m->assign);
    clf_plan_release(m->by_index);
}

static void sum_by_index(machine *m, const clustering *k)
{
    const clf_array members[] = {m->feature, m->cluster};
    clFinish(m->x->queue);
    const double from = example_time();
    check(clf_segmented_reduce_by_index(m->by_index, CLF_ON_ARRAYS(m->x->queue, members, m->sums), k->features,
                                        k->points, CENTRES, members, &m->sums),
          "update", NULL);
    clFinish(m->x->queue);
    m->update.part += example_time() - from;
}

static void run_round(machine *m, clustering *k, int way, cl_long *sums)
{
    const size_t means = (size_t)CENTRES * k->features;
    const clf_array points[] = {m->cluster, m->feature, m->centre, m->features}, assigned[] = {m->changed, m->cluster};
    const clf_array members[] = {m->feature, m->cluster, m->features};
    cl_uint counts[CENTRES];
    check(clEnqueueWriteBuffer(m->x->queue, m->centre.buffer, CL_TRUE, 0, means * sizeof(float), k->centre, 0, NULL,
                               NULL),
          "clEnqueueWriteBuffer", NULL);
    check(clf_reduce(m->assign, CLF_ON_ARRAYS(m->x->queue, points, assigned), k->points, points, assigned), "assign",
          NULL);
    if (way == BY_INDEX)
        sum_by_index(m, k);
    else
        redomap_run(&m->update, way, members, 3, &m->sums, 1);
    check(clf_array_histogram(m->x->context, CLF_ON(m->x->queue), CLF_UINT, k->points, CENTRES, m->cluster, m->counts),
          "clf_array_histogram", NULL);
    example_read(m->x, m->sums, means * sizeof *sums, sums);
    example_read(m->x, m->counts, sizeof counts, counts);
    example_read(m->x, m->changed, sizeof k->changed, &k->changed);
    set_centres(k, sums, counts, way == BY_INDEX);
}

static void run(machine *m, clustering *k, int way, cl_uint most)
{
    cl_long *const sums = room((size_t)CENTRES * k->features, sizeof *sums);
    double from = 0;
    check(clEnqueueWriteBuffer(m->x->queue, m->cluster.buffer, CL_TRUE, 0, k->points * sizeof(cl_uint), k->cluster, 0,
                               NULL, NULL),
          "clEnqueueWriteBuffer", NULL);
    for (k->rounds = 0, k->changed = 1; k->rounds < most && k->changed; ++k->rounds) {
        if (k->rounds == 1) { /* the first one compiles */
            from = example_time();
            m->update.part = 0;
        }
        run_round(m, k, way, sums);
    }
    if (k->rounds > 1)
        redomap_print(&m->update, way == BY_INDEX ? "by a reduction by index" : redomap_names[way],
                      example_time() - from);
    example_read(m->x, m->cluster, k->points * sizeof(cl_uint), k->cluster);
    free(sums);
}

/* ---- The same in plain loops --------------------------------------------------------------------------- */

static cl_uint nearest(const clustering *k, size_t point)
{
    float least = INFINITY;
    cl_uint best = 0;
    for (cl_uint c = 0; c < CENTRES; ++c) {
        float distance = 0;
        for (cl_uint f = 0; f < k->features; ++f) {
            const float d = k->feature[(size_t)f * k->points + point] - k->centre[c * k->features + f];
            const float square = d * d;
            distance += square;
        }
        if (distance < least) {
            least = distance;
            best = c;
        }
    }
    return best;
}

static void run_round_here(clustering *k, cl_long *sums)
{
    cl_uint counts[CENTRES] = {0};
    k->changed = 0;
    memset(sums, 0, (size_t)CENTRES * k->features * sizeof *sums);
    for (size_t p = 0; p < k->points; ++p) {
        const cl_uint c = nearest(k, p);
        k->changed += c != k->cluster[p];
        k->cluster[p] = c;
        ++counts[c];
        for (size_t f = 0; f < k->features; ++f)
            sums[c * k->features + f] += (cl_long)rintf(k->feature[f * k->points + p] * UNIT);
    }
    set_centres(k, sums, counts, false);
}

static void run_here(clustering *k, cl_uint most)
{
    cl_long *const sums = room((size_t)CENTRES * k->features, sizeof *sums);
    for (k->rounds = 0, k->changed = 1; k->rounds < most && k->changed; ++k->rounds)
        run_round_here(k, sums);
    free(sums);
}

/* ---- Points -------------------------------------------------------------------------------------------- */

/* Around CENTRES places. */
static void make_points(clustering *k)
{
    cl_uint state = 1;
    k->features = 34;
    k->feature = room((size_t)k->points * k->features, sizeof(float));
    for (size_t i = 0; i < (size_t)k->points * k->features; ++i) {
        const cl_uint f = (cl_uint)(i / k->points), p = (cl_uint)(i % k->points);
        state = state * 1664525u + 1013904223u;
        k->feature[i] = (float)(p * 5 % CENTRES * 700 + p % 3 * 500 + f * 10) + (float)((state >> 16) % 150000) / 100;
    }
}

#define BETWEEN " ,\t\r\n"

/* The features of a line, after its number; 0 of an empty one. They are stored where `at` is not NULL. */
static cl_uint line_features(char *line, float *at, size_t stride)
{
    cl_uint count = 0;
    char *word = strtok(line, BETWEEN);
    for (word = word ? strtok(NULL, BETWEEN) : NULL; word; word = strtok(NULL, BETWEEN), ++count)
        if (at)
            at[count * stride] = strtof(word, NULL);
    return count;
}

static char *next_line(char **text)
{
    char *const line = *text, *const end = line + strcspn(line, "\n");
    *text = *end ? end + 1 : end;
    *end = 0;
    return line;
}

/* Exits where lines differ in the number of features. */
static void read_points(clustering *k, const char *name)
{
    size_t bytes;
    char *const text = example_file(name, &bytes), *const copy = room(bytes + 1, 1);
    memcpy(copy, text, bytes + 1);
    for (char *rest = copy; *rest;) {
        const cl_uint count = line_features(next_line(&rest), NULL, 0);
        if (count && k->points++ && count != k->features) {
            fprintf(stderr, "%s: point %u has %u features, not %u\n", name, k->points, count, k->features);
            exit(2);
        }
        k->features = count ? count : k->features;
    }
    k->feature = room((size_t)k->points * k->features + 1, sizeof(float));
    size_t point = 0;
    for (char *rest = text; *rest && point < k->points;)
        point += line_features(next_line(&rest), k->feature + point, k->points) > 0;
    free(copy);
    free(text);
}

/* The first points are the first centres, and no point is in a cluster yet. */
static void begin(clustering *k, const clustering *data)
{
    *k = *data;
    k->centre = room((size_t)CENTRES * k->features, sizeof(float));
    k->cluster = room(k->points, sizeof(cl_uint));
    memset(k->cluster, 0xff, k->points * sizeof(cl_uint));
    for (cl_uint i = 0; i < CENTRES * k->features; ++i)
        k->centre[i] = k->feature[(size_t)(i % k->features) * k->points + i / k->features];
}

static void end(clustering *k)
{
    free(k->centre);
    free(k->cluster);
}

static int compare(const clustering *k, const clustering *here)
{
    int errors = (k->changed != here->changed) + (k->rounds != here->rounds);
    errors += memcmp(k->centre, here->centre, (size_t)CENTRES * k->features * sizeof(float)) != 0;
    for (size_t p = 0; p < k->points; ++p)
        errors += k->cluster[p] != here->cluster[p];
    return errors;
}

int main(int argc, char **argv)
{
    const bool from_file = argc > 1 && strspn(argv[1], "0123456789") != strlen(argv[1]);
    clustering data = {.points = argc > 1 && !from_file ? (cl_uint)atoi(argv[1]) : from_file ? 0 : 3000}, here, k;
    const cl_uint most = argc > 2 ? (cl_uint)atoi(argv[2]) : 15;
    int errors = 0;
    if (from_file)
        read_points(&data, argv[1]);
    else
        make_points(&data);
    if (data.points < CENTRES || data.features == 0) {
        fprintf(stderr, "kmeans: %u points are fewer than %d centres, or have no features\n", data.points, CENTRES);
        return 2;
    }
    begin(&here, &data);
    run_here(&here, most);
    example x = example_open();
    machine m = open_machine(&x, &data);
    for (int way = 0; way < WAYS; ++way) {
        begin(&k, &data);
        run(&m, &k, way, most);
        errors += compare(&k, &here);
        end(&k);
    }
    printf("%u points, %u features, %u rounds, %u changed in the last: %d errors\n", data.points, data.features,
           here.rounds, here.changed, errors);
    end(&here);
    close_machine(&m);
    example_close(&x);
    free(data.feature);
    return errors != 0;
}

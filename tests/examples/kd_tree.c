/* SPDX-License-Identifier: MIT */
/*
 * A k-d tree of points in five dimensions, built by sorts of rows (Bentley 1975):
 *
 *     kd_tree [POINTS]      a multiple of 32 that is a power of two; 2097152 if you have a GPU
 *
 * On each level every node's points are sorted along one dimension, in turns; its lower half is the left child, and its
 * upper half the right one. So on level l there are 2^l rows of points, and one call sorts them all, in place. Leaves
 * have 32 points. Checked on the host: along the dimension of its level no point of a left child is behind one of the
 * right child. The tree is built twice, the second time as on a device whose groups must not wait for each other.
 */
#include "example.h"

enum { DIMENSIONS = 5, LEAF = 32 };

#define ALONG(axis)                                                                                                    \
    {.size = sizeof(clf_operator), .value = "float a; float b; float c; float d; float e;", .key = "float along",      \
     .source = "float along(clf_value p) { return p." axis "; }\n"}
static const clf_operator by_dimension[DIMENSIONS] = {ALONG("a"), ALONG("b"), ALONG("c"), ALONG("d"), ALONG("e")};

/* Returns the microseconds that the levels took. (Some drivers compile when a kernel is first enqueued.) */
static double build(const example *x, clf_context *context, size_t n, const float *const points[], float *const tree[])
{
    clf_plan *plans[DIMENSIONS];
    clf_array arrays[DIMENSIONS];
    clf_error error = {.size = sizeof error};
    for (int d = 0; d < DIMENSIONS; d++) {
        check(clf_segmented_sort_plan(context, &by_dimension[d], 0, NULL, &plans[d], &error), "plan", &error);
        check(clf_plan_compile(plans[d], &error), "clf_plan_compile", &error);
        arrays[d] = example_array(x, n * sizeof(float), points[d]);
    }
    const double start = example_time();
    int level = 0;
    for (size_t size = n; size > LEAF; size /= 2, level++)
        check(clf_segmented_sort(plans[level % DIMENSIONS], CLF_ON(x->queue), n / size, size, arrays, arrays),
              "clf_segmented_sort", NULL);
    clFinish(x->queue);
    const double took = example_time() - start;
    for (int d = 0; d < DIMENSIONS; d++) {
        example_read(x, arrays[d], n * sizeof(float), tree[d]);
        clf_plan_release(plans[d]);
    }
    example_release(arrays, DIMENSIONS);
    return took;
}

/* Nodes whose left child has a point behind one of the right child. */
static int count_errors(size_t n, float *const tree[])
{
    int errors = 0, level = 0;
    for (size_t size = n; size > LEAF; size /= 2, level++)
        for (size_t node = 0; node < n; node += size) {
            const float *const points = tree[level % DIMENSIONS] + node;
            float last = points[0], first = points[size / 2];
            for (size_t i = 0; i < size / 2; i++) {
                last = points[i] > last ? points[i] : last;
                first = points[size / 2 + i] < first ? points[size / 2 + i] : first;
            }
            errors += last > first;
        }
    return errors;
}

static void make_points(size_t n, float *const points[])
{
    cl_uint state = 1;
    for (size_t i = 0; i < n; i++)
        for (int d = 0; d < DIMENSIONS; d++) {
            state = state * 1664525u + 1013904223u;
            points[d][i] = (float)(state >> 8) / (1 << 24);
        }
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1 << 13;
    float *points[DIMENSIONS], *tree[DIMENSIONS];
    if (n < LEAF || (n & (n - 1)) != 0) {
        fputs("usage: kd_tree [POINTS], a power of two from 32 on\n", stderr);
        return 2;
    }
    for (int d = 0; d < DIMENSIONS; d++) {
        points[d] = malloc(n * sizeof(float));
        tree[d] = malloc(n * sizeof(float));
        check(points[d] && tree[d] ? CLF_SUCCESS : CLF_E_NO_MEMORY, "points", NULL);
    }
    make_points(n, points);
    example x = example_open();
    clf_context *patient;
    const clf_context_options options = {.size = sizeof options, .disable = "progress"};
    check(clf_context_create(x.cl, x.device, &options, &patient, &x.error), "clf_context_create", &x.error);
    double us[2];
    int errors = 0;
    for (int which = 0; which < 2; which++) {
        clf_context *const context = which ? patient : x.context;
        build(&x, context, n, (const float *const *)points, tree);
        us[which] = build(&x, context, n, (const float *const *)points, tree);
        errors += count_errors(n, tree);
    }
    printf("%lu points in %lu leaves: %.0f us; where no group waits for another %.0f us\n%d errors\n", (unsigned long)n,
           (unsigned long)(n / LEAF), us[0], us[1], errors);
    clf_context_release(patient);
    example_close(&x);
    for (int d = 0; d < DIMENSIONS; d++) {
        free(points[d]);
        free(tree[d]);
    }
    return errors != 0;
}

/* SPDX-License-Identifier: MIT */
/*
 * A k-d tree of points in five dimensions, built by sorts of rows (Bentley 1975):
 *
 *     kd_tree [POINTS]      a power of two from 32 on; 2097152 if you have a GPU
 *
 * On each level every node's points are sorted along one dimension, in turns; its lower half is the left child, and its
 * upper half the right one. So on level l there are 2^l rows of points to be sorted at once. Leaves have 32 points.
 * Checked on the host: along the dimension of its level no point of a left child is behind one of the right child, and
 * the points are those that there were.
 *
 * One call of a segmented sort sorts a level in place; also tried as on a device whose groups must not wait for each
 * other. Beside it the same tree is built with rows sorted by segmented scans (Clausen 2021, B.2): single-pass ones
 * where clfold takes these, and two others. Clausen's own k-d tree (B.3) is another one: each node is split along its
 * widest dimension, where here the dimensions take turns.
 */
#include "scan_sort.h"

enum { DIMENSIONS = 5, LEAF = 32 };

#define POINT "float a; float b; float c; float d; float e;"
#define ALONG(axis)                                                                                                    \
    {.size = sizeof(clf_operator), .value = POINT, .key = "float along",                                               \
     .source = "float along(clf_value p) { return p." axis "; }\n"}
static const clf_operator by_dimension[DIMENSIONS] = {ALONG("a"), ALONG("b"), ALONG("c"), ALONG("d"), ALONG("e")};

typedef struct builder {
    example *x;
    size_t n;
    int errors;
    float *points[DIMENSIONS], *tree[DIMENSIONS];
    clf_array fields[DIMENSIONS];
    clf_plan *sorts[DIMENSIONS]; /* by segmented sorts */
    scan_sorter scans;           /* by scans: they sort keys and places, and points are gathered from these places */
    cl_kernel make_keys;
    clf_plan *gather;
    clf_array keys_and_places[2], gathered[DIMENSIONS];
} builder;

/* ---- Two ways to sort the rows of a level ----------------------------------------------------------------------- */

typedef void sort_rows(builder *b, size_t size, int along);

static void sort_at_once(builder *b, size_t size, int along)
{
    check(clf_segmented_sort(b->sorts[along], CLF_ON_ARRAYS(b->x->queue, b->fields, b->fields), b->n / size, size,
                             b->fields, b->fields),
          "clf_segmented_sort", NULL);
}

/* Keys are in the order of the floats: bits of negative ones are flipped, and all others are above these. */
static const char keys_of_floats[] =
    "__kernel void make_keys(__global const uint *along, __global uint *keys, __global uint *places)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    keys[i] = along[i] ^ (along[i] >> 31 ? 0xffffffffu : 0x80000000u);\n"
    "    places[i] = i;\n"
    "}\n";

static void sort_by_scans(builder *b, size_t size, int along)
{
    const clf_array arrays[] = {b->fields[along], b->keys_and_places[0], b->keys_and_places[1]};
    for (cl_uint a = 0; a < 3; ++a)
        check(clSetKernelArg(b->make_keys, a, sizeof(cl_mem), &arrays[a].buffer), "make_keys", NULL);
    check(clEnqueueNDRangeKernel(b->x->queue, b->make_keys, 1, NULL, &b->n, NULL, 0, NULL, NULL), "make_keys", NULL);
    scan_sort(&b->scans, b->n / size, (cl_uint)size, b->keys_and_places);
    check(clf_gather(b->gather, CLF_ON_ARRAYS(b->x->queue, b->fields, b->gathered), b->n, b->n, b->fields,
                     &b->keys_and_places[1], b->gathered),
          "clf_gather", NULL);
    for (int d = 0; d < DIMENSIONS; ++d) {
        const clf_array field = b->fields[d];
        b->fields[d] = b->gathered[d];
        b->gathered[d] = field;
    }
}

/* ---- The tree --------------------------------------------------------------------------------------------------- */

/* Nodes whose left child has a point behind one of the right child. */
static int count_errors(size_t n, float *const tree[])
{
    int errors = 0, level = 0;
    for (size_t size = n; size > LEAF; size /= 2, ++level)
        for (size_t node = 0; node < n; node += size) {
            const float *const points = tree[level % DIMENSIONS] + node;
            float last = points[0], first = points[size / 2];
            for (size_t i = 0; i < size / 2; ++i) {
                last = points[i] > last ? points[i] : last;
                first = points[size / 2 + i] < first ? points[size / 2 + i] : first;
            }
            errors += last > first;
        }
    return errors;
}

/* Of all points, in whatever order: coordinates are multiples of 2^-24, and points are hashed whole. */
static cl_ulong checksum(size_t n, float *const points[])
{
    cl_ulong sum = 0;
    for (size_t i = 0; i < n; ++i) {
        cl_ulong hash = 0;
        for (int d = 0; d < DIMENSIONS; ++d) {
            hash = (hash + (cl_ulong)(points[d][i] * (1 << 24))) * 0x9e3779b97f4a7c15u;
            hash ^= hash >> 32;
        }
        sum += hash;
    }
    return sum;
}

/* Returns the microseconds that the levels of the second tree took, for the first one compiles. */
static double build(builder *b, sort_rows *sort)
{
    double start = 0, us = 0;
    for (int time = 0; time < 2; ++time) {
        for (int d = 0; d < DIMENSIONS; ++d)
            check(clEnqueueWriteBuffer(b->x->queue, b->fields[d].buffer, CL_TRUE, 0, b->n * sizeof(float), b->points[d],
                                       0, NULL, NULL),
                  "clEnqueueWriteBuffer", NULL);
        start = example_time();
        int level = 0;
        for (size_t size = b->n; size > LEAF; size /= 2, ++level)
            sort(b, size, level % DIMENSIONS);
        check(clFinish(b->x->queue), "clFinish", NULL);
        us = example_time() - start;
    }
    for (int d = 0; d < DIMENSIONS; ++d)
        example_read(b->x, b->fields[d], b->n * sizeof(float), b->tree[d]);
    b->errors += count_errors(b->n, b->tree) + (checksum(b->n, b->tree) != checksum(b->n, b->points));
    return us;
}

static double build_by_sorts(builder *b, clf_context *context)
{
    for (int d = 0; d < DIMENSIONS; ++d)
        check(clf_segmented_sort_plan(context, &by_dimension[d], 0, NULL, &b->sorts[d], &b->x->error),
              "clf_segmented_sort_plan", &b->x->error);
    const double us = build(b, sort_at_once);
    for (int d = 0; d < DIMENSIONS; ++d)
        clf_plan_release(b->sorts[d]);
    return us;
}

static double build_by_scans(builder *b, const char *variant)
{
    b->scans = scan_sorter_open(b->x, variant, b->n, 2);
    const double us = build(b, sort_by_scans);
    scan_sorter_close(&b->scans);
    return us;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void make_points(size_t n, float *const points[])
{
    cl_uint state = 1;
    for (size_t i = 0; i < n; ++i)
        for (int d = 0; d < DIMENSIONS; ++d) {
            state = state * 1664525u + 1013904223u;
            points[d][i] = (float)(state >> 8) / (1 << 24);
        }
}

static builder open_builder(example *x, size_t n)
{
    builder b = {.x = x, .n = n};
    for (int d = 0; d < DIMENSIONS; ++d) {
        b.points[d] = malloc(n * sizeof(float));
        b.tree[d] = malloc(n * sizeof(float));
        check(b.points[d] && b.tree[d] ? CLF_SUCCESS : CLF_E_NO_MEMORY, "points", NULL);
        b.fields[d] = example_array(x, n * sizeof(float), NULL);
        b.gathered[d] = example_array(x, n * sizeof(float), NULL);
    }
    make_points(n, b.points);
    for (int a = 0; a < 2; ++a)
        b.keys_and_places[a] = example_array(x, n * sizeof(cl_uint), NULL);
    b.make_keys = make_kernel(x, keys_of_floats, "make_keys");
    check(clf_gather_plan(x->context, POINT, CLF_UINT, 0, NULL, &b.gather, &x->error), "clf_gather_plan", &x->error);
    return b;
}

static void close_builder(builder *b)
{
    clf_plan_release(b->gather);
    clReleaseKernel(b->make_keys);
    example_release(b->keys_and_places, 2);
    example_release(b->gathered, DIMENSIONS);
    example_release(b->fields, DIMENSIONS);
    for (int d = 0; d < DIMENSIONS; ++d) {
        free(b->points[d]);
        free(b->tree[d]);
    }
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 1 << 13;
    if (n < LEAF || n > 1u << 31 || (n & (n - 1)) != 0) {
        fputs("usage: kd_tree [POINTS], a power of two from 32 to 2^31\n", stderr);
        return 2;
    }
    example x = example_open();
    clf_context *patient;
    const clf_context_options options = {.size = sizeof options, .disable = "progress"};
    check(clf_context_create(x.cl, x.device, &options, &patient, &x.error), "clf_context_create", &x.error);
    builder b = open_builder(&x, n);
    printf("%lu points in %lu leaves\n", (unsigned long)n, (unsigned long)(n / LEAF));
    const double sorts = build_by_sorts(&b, x.context), patiently = build_by_sorts(&b, patient);
    printf("by segmented sorts: %.0f us; where no group waits for another %.0f us\n", sorts, patiently);
    const double scans = build_by_scans(&b, NULL), two_pass = build_by_scans(&b, "two_pass");
    printf("by scans: %.0f us; by two-pass scans %.0f us; by scan-then-propagate %.0f us\n", scans, two_pass,
           build_by_scans(&b, "propagate"));
    printf("%d errors\n", b.errors);
    close_builder(&b);
    clf_context_release(patient);
    example_close(&x);
    return b.errors != 0;
}

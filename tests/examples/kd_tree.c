/* SPDX-License-Identifier: MIT */
/*
 * A k-d tree of points in five dimensions (Bentley 1975), as Clausen (2021, B.3) builds it:
 *
 *     kd_tree [POINTS]      64 or more; 2097152 if you have a GPU
 *
 * Each node is split at the median of its widest dimension. How wide a node is follows from the bounds of all points,
 * two reductions a dimension, and from the medians of its ancestors. On level l there are 2^l nodes, so 2^l rows of
 * points are sorted at once, each along the dimension of its own node. Leaves have some 32 points, all as many: the
 * last ones are infinitely far. What comes out is the points in the order of the leaves, where each was, and for each
 * inner node its dimension, its median, and its closest ancestor of the same dimension.
 *
 * A kernel then answers queries for the nearest point. All that comes out is checked on the host, the answers by a look
 * at every point.
 *
 * One call of a segmented sort sorts a level in place; also tried as on a device whose groups must not wait for each
 * other. Beside it the same tree is built with rows sorted by segmented scans (Clausen 2021, B.2): single-pass ones
 * where clfold takes these, two others, and such that also move what they sort.
 */
#include "kd_tree.h"
#include "scan_sort.h"

#include <math.h>
#include <string.h>

enum { DIMENSIONS = 5, LEAF = 32, QUERIES = 100 };

enum { CHOOSE, FETCH, SPLIT, COUNT_UP, FILL, NEAREST, KERNELS };
static const char *const kernel_names[KERNELS] = {"choose", "fetch", "split", "count_up", "fill", "nearest"};

static const clf_operator by_key = {.size = sizeof(clf_operator), .value = "uint key; uint place;",
                                    .key = "uint first", .source = "uint first(clf_value v) { return v.key; }\n"};

typedef struct tree {
    size_t total;              /* points in leaves, those that are infinitely far included */
    cl_uint inner, leaf;       /* inner nodes; points of a leaf */
    cl_uint levels;            /* of inner nodes */
    float *leaves[DIMENSIONS]; /* [total] each */
    cl_uint *places;           /* [total]: which points these are */
    cl_int *dimension, *ancestor;
    float *median; /* [inner] each */
} tree;

typedef struct builder {
    example *x;
    size_t n;
    int errors;
    float *points[DIMENSIONS], *queries;
    double least[QUERIES]; /* how far from each query its nearest point is, squared */
    tree made;
    cl_kernel kernel[KERNELS];
    clf_plan *bound[2]; /* the least, the largest */
    clf_plan *sort;     /* by segmented sorts */
    scan_sorter scans;  /* by scans */
    clf_array columns[DIMENSIONS], leaves[DIMENSIONS], bounds, dimension, median, ancestor, keys_and_places[2];
} builder;

/* Its arrays come first, then its numbers. */
static void launch(const builder *b, int kernel, size_t items, const clf_array *const *arrays, const cl_uint *numbers,
                   cl_uint count)
{
    cl_uint at = 0;
    for (; *arrays; ++arrays, ++at)
        check(clSetKernelArg(b->kernel[kernel], at, sizeof(cl_mem), &(*arrays)->buffer), kernel_names[kernel], NULL);
    for (cl_uint i = 0; i < count; ++i)
        check(clSetKernelArg(b->kernel[kernel], at + i, sizeof(cl_uint), &numbers[i]), kernel_names[kernel], NULL);
    check(clEnqueueNDRangeKernel(b->x->queue, b->kernel[kernel], 1, NULL, &items, NULL, 0, NULL, NULL),
          kernel_names[kernel], NULL);
}

/* ---- Two ways to sort the rows of a level ----------------------------------------------------------------------- */

typedef void sort_rows(builder *b, size_t rows, cl_uint size);

static void sort_at_once(builder *b, size_t rows, cl_uint size)
{
    check(clf_segmented_sort(b->sort, CLF_ON_ARRAYS(b->x->queue, b->keys_and_places, b->keys_and_places), rows, size,
                             b->keys_and_places, b->keys_and_places),
          "clf_segmented_sort", NULL);
}

static void sort_by_scans(builder *b, size_t rows, cl_uint size)
{
    scan_sort(&b->scans, rows, size, b->keys_and_places);
}

/* ---- Building --------------------------------------------------------------------------------------------------- */

static void find_bounds(const builder *b)
{
    for (cl_ulong i = 0; i < 2 * DIMENSIONS; ++i) {
        const clf_array bound = {b->bounds.buffer, i}, *const column = &b->columns[i % DIMENSIONS];
        check(clf_reduce(b->bound[i / DIMENSIONS], CLF_ON_ARRAYS(b->x->queue, *column, bound), b->n, column, &bound),
              "clf_reduce", NULL);
    }
}

static void build_level(builder *b, cl_uint level, sort_rows *sort)
{
    const size_t nodes = (size_t)1 << level;
    const cl_uint size = (cl_uint)(b->made.total >> level), numbers[] = {level, size, (cl_uint)b->n};
    const clf_array *const c = b->columns, *const keys = b->keys_and_places, *const places = keys + 1;
    launch(b, CHOOSE, nodes, (const clf_array *[]){&b->bounds, &b->dimension, &b->median, &b->ancestor, NULL}, numbers,
           1);
    launch(b, FETCH, b->made.total,
           (const clf_array *[]){c, c + 1, c + 2, c + 3, c + 4, &b->dimension, places, keys, NULL}, numbers, 3);
    sort(b, nodes, size);
    launch(b, SPLIT, nodes, (const clf_array *[]){keys, &b->median, NULL}, numbers, 2);
}

static void build_once(builder *b, sort_rows *sort)
{
    find_bounds(b);
    launch(b, COUNT_UP, b->made.total, (const clf_array *[]){&b->keys_and_places[1], NULL}, NULL, 0);
    for (cl_uint level = 0; level < b->made.levels; ++level)
        build_level(b, level, sort);
    for (int d = 0; d < DIMENSIONS; ++d)
        launch(b, FILL, b->made.total,
               (const clf_array *[]){&b->columns[d], &b->keys_and_places[1], &b->leaves[d], NULL},
               &(const cl_uint){(cl_uint)b->n}, 1);
    check(clFinish(b->x->queue), "clFinish", NULL);
}

static void read_tree(const builder *b)
{
    const tree *const t = &b->made;
    for (int d = 0; d < DIMENSIONS; ++d)
        example_read(b->x, b->leaves[d], t->total * sizeof(float), t->leaves[d]);
    example_read(b->x, b->keys_and_places[1], t->total * sizeof(cl_uint), t->places);
    example_read(b->x, b->dimension, t->inner * sizeof(cl_int), t->dimension);
    example_read(b->x, b->ancestor, t->inner * sizeof(cl_int), t->ancestor);
    example_read(b->x, b->median, t->inner * sizeof(float), t->median);
}

/* ---- Checking, one thing after the other ------------------------------------------------------------------------ */

/* Every point is in one leaf, with its coordinates. */
static int check_leaves(const builder *b)
{
    const tree *const t = &b->made;
    unsigned char *const seen = calloc(t->total, 1);
    int errors = !seen;
    for (size_t i = 0; seen && i < t->total; ++i) {
        const size_t place = t->places[i];
        errors += place >= t->total || seen[place];
        if (place < t->total)
            seen[place] = 1;
        for (int d = 0; d < DIMENSIONS; ++d)
            errors += t->leaves[d][i] != (place < b->n ? b->points[d][place] : INFINITY);
    }
    free(seen);
    return errors;
}

/* No point of the left half of `size` points is behind the median, none of the right half before it. */
static int check_halves(const float *along, size_t size, float median)
{
    float last = along[0], first = along[size / 2];
    for (size_t i = 0; i < size / 2; ++i)
        last = along[i] > last ? along[i] : last;
    for (size_t i = size / 2; i < size; ++i)
        first = along[i] < first ? along[i] : first;
    return last > median || first < median || median != (last + first) / 2;
}

/* A node within its bounds, and then its children, each within its own. */
static int check_node(const tree *t, size_t node, size_t from, size_t size, const float *bounds, const cl_int *last)
{
    if (node >= t->inner)
        return 0;
    int widest = 0;
    for (int d = 1; d < DIMENSIONS; ++d)
        if (bounds[DIMENSIONS + d] - bounds[d] > bounds[DIMENSIONS + widest] - bounds[widest])
            widest = d;
    int errors = t->dimension[node] != widest || t->ancestor[node] != last[widest] ||
                 check_halves(t->leaves[widest] + from, size, t->median[node]);
    for (size_t right = 0; right < 2; ++right) {
        float narrower[2 * DIMENSIONS];
        cl_int now[DIMENSIONS];
        memcpy(narrower, bounds, sizeof narrower);
        memcpy(now, last, sizeof now);
        if (!isinf(t->median[node]))
            narrower[(right ? 0 : DIMENSIONS) + widest] = t->median[node];
        now[widest] = (cl_int)node;
        errors += check_node(t, 2 * node + 1 + right, from + right * (size / 2), size / 2, narrower, now);
    }
    return errors;
}

static int check_nodes(const builder *b)
{
    float bounds[2 * DIMENSIONS];
    cl_int last[DIMENSIONS];
    for (int d = 0; d < DIMENSIONS; ++d) {
        const float *const x = b->points[d];
        bounds[d] = bounds[DIMENSIONS + d] = x[0];
        last[d] = -1;
        for (size_t i = 1; i < b->n; ++i) {
            bounds[d] = x[i] < bounds[d] ? x[i] : bounds[d];
            bounds[DIMENSIONS + d] = x[i] > bounds[DIMENSIONS + d] ? x[i] : bounds[DIMENSIONS + d];
        }
    }
    return check_node(&b->made, 0, 0, b->made.total, bounds, last);
}

static double distance(const builder *b, size_t point, const float *query)
{
    double sum = 0;
    for (int d = 0; d < DIMENSIONS; ++d)
        sum += ((double)b->points[d][point] - query[d]) * ((double)b->points[d][point] - query[d]);
    return sum;
}

static void look_at_every_point(builder *b)
{
    for (size_t q = 0; q < QUERIES; ++q) {
        b->least[q] = INFINITY;
        for (size_t i = 0; i < b->n; ++i) {
            const double far = distance(b, i, b->queries + q * DIMENSIONS);
            b->least[q] = far < b->least[q] ? far : b->least[q];
        }
    }
}

/* Answers the queries; no point may be closer than the one that was found, but for the device's rounding. */
static int check_queries(const builder *b)
{
    const clf_array *const l = b->leaves;
    const clf_array asked[] = {example_array(b->x, QUERIES * DIMENSIONS * sizeof(float), b->queries),
                               example_array(b->x, QUERIES * sizeof(cl_uint), NULL)};
    cl_uint found[QUERIES];
    int errors = 0;
    launch(b, NEAREST, QUERIES,
           (const clf_array *[]){l, l + 1, l + 2, l + 3, l + 4, &b->dimension, &b->median, &b->keys_and_places[1],
                                 &asked[0], &asked[1], NULL},
           (const cl_uint[]){b->made.inner, b->made.leaf}, 2);
    example_read(b->x, asked[1], sizeof found, found);
    for (size_t q = 0; q < QUERIES; ++q)
        errors += found[q] >= b->n || distance(b, found[q], b->queries + q * DIMENSIONS) > b->least[q] * (1 + 1e-5);
    example_release(asked, 2);
    return errors;
}

/* Returns the microseconds that the second tree took, for the first one compiles. */
static double build(builder *b, sort_rows *sort)
{
    build_once(b, sort);
    const double start = example_time();
    build_once(b, sort);
    const double us = example_time() - start;
    read_tree(b);
    b->errors += check_leaves(b) + check_nodes(b) + check_queries(b);
    return us;
}

static double build_by_sorts(builder *b, clf_context *context)
{
    check(clf_segmented_sort_plan(context, &by_key, 0, NULL, &b->sort, &b->x->error), "clf_segmented_sort_plan",
          &b->x->error);
    const double us = build(b, sort_at_once);
    clf_plan_release(b->sort);
    return us;
}

static double build_by_scans(builder *b, const char *variant)
{
    b->scans = scan_sorter_open(b->x, variant, b->made.total, 2);
    const double us = build(b, sort_by_scans);
    scan_sorter_close(&b->scans);
    return us;
}

/* ---- All of them ------------------------------------------------------------------------------------------------ */

static void *room(size_t bytes)
{
    void *memory = malloc(bytes);
    check(memory ? CLF_SUCCESS : CLF_E_NO_MEMORY, "points", NULL);
    return memory;
}

/* As many leaves as a power of two that is nearest to n / 32. */
static tree tree_of(size_t n)
{
    const size_t wanted = (n + LEAF - 1) / LEAF;
    tree t = {.levels = 1};
    while (2 * wanted > (size_t)3 << t.levels)
        ++t.levels;
    t.inner = (1u << t.levels) - 1;
    t.leaf = (cl_uint)((n + t.inner) / (t.inner + 1));
    t.total = (size_t)t.leaf * (t.inner + 1);
    return t;
}

/* The dimensions are 1, 2, 4, 8 and 16 long. */
static float coordinate(cl_uint *state, int d)
{
    *state = *state * 1664525u + 1013904223u;
    return (float)((1 << d) * ((double)(*state >> 8) / (1 << 24) - 0.5));
}

static builder open_builder(example *x, size_t n)
{
    builder b = {.x = x, .n = n, .made = tree_of(n), .queries = room(QUERIES * DIMENSIONS * sizeof(float))};
    tree *const t = &b.made;
    cl_uint state = 1;
    for (size_t i = 0; i < QUERIES * DIMENSIONS; ++i)
        b.queries[i] = coordinate(&state, (int)(i % DIMENSIONS));
    for (int d = 0; d < DIMENSIONS; ++d) {
        b.points[d] = room(n * sizeof(float));
        for (size_t i = 0; i < n; ++i)
            b.points[d][i] = coordinate(&state, d);
        b.columns[d] = example_array(x, n * sizeof(float), b.points[d]);
        b.leaves[d] = example_array(x, t->total * sizeof(float), NULL);
        t->leaves[d] = room(t->total * sizeof(float));
    }
    t->places = room(t->total * sizeof(cl_uint));
    t->dimension = room(t->inner * sizeof(cl_int));
    t->ancestor = room(t->inner * sizeof(cl_int));
    t->median = room(t->inner * sizeof(float));
    for (int a = 0; a < 2; ++a)
        b.keys_and_places[a] = example_array(x, t->total * sizeof(cl_uint), NULL);
    b.bounds = example_array(x, 2 * DIMENSIONS * sizeof(float), NULL);
    b.dimension = example_array(x, t->inner * sizeof(cl_int), NULL);
    b.ancestor = example_array(x, t->inner * sizeof(cl_int), NULL);
    b.median = example_array(x, t->inner * sizeof(float), NULL);
    make_kernels(x, kernels, kernel_names, KERNELS, b.kernel);
    for (int m = 0; m < 2; ++m)
        check(
            clf_reduce_plan(x->context, clf_builtin(m ? CLF_MAX : CLF_MIN, CLF_FLOAT), 0, NULL, &b.bound[m], &x->error),
            "clf_reduce_plan", &x->error);
    return b;
}

static void close_builder(builder *b)
{
    const clf_array rest[] = {b->bounds, b->dimension, b->ancestor, b->median};
    for (int m = 0; m < 2; ++m)
        clf_plan_release(b->bound[m]);
    for (int k = 0; k < KERNELS; ++k)
        clReleaseKernel(b->kernel[k]);
    example_release(rest, CLF_ARRAY_COUNT(rest));
    example_release(b->keys_and_places, 2);
    example_release(b->columns, DIMENSIONS);
    example_release(b->leaves, DIMENSIONS);
    for (int d = 0; d < DIMENSIONS; ++d) {
        free(b->points[d]);
        free(b->made.leaves[d]);
    }
    free(b->queries);
    free(b->made.places);
    free(b->made.dimension);
    free(b->made.ancestor);
    free(b->made.median);
}

int main(int argc, char **argv)
{
    const size_t n = argc > 1 ? (size_t)strtoul(argv[1], NULL, 10) : 10000;
    if (n < 2 * LEAF || n > 1u << 30) {
        fputs("usage: kd_tree [POINTS], from 64 to 2^30\n", stderr);
        return 2;
    }
    example x = example_open();
    clf_context *patient;
    const clf_context_options options = {.size = sizeof options, .disable = "progress"};
    check(clf_context_create(x.cl, x.device, &options, &patient, &x.error), "clf_context_create", &x.error);
    builder b = open_builder(&x, n);
    look_at_every_point(&b);
    printf("%lu points in %lu leaves\n", (unsigned long)n, (unsigned long)b.made.inner + 1);
    const double sorts = build_by_sorts(&b, x.context), patiently = build_by_sorts(&b, patient);
    printf("by segmented sorts: %.0f us; where no group waits for another %.0f us\n", sorts, patiently);
    const double scans = build_by_scans(&b, NULL), two_pass = build_by_scans(&b, "two_pass");
    printf("by scans: %.0f us; by two-pass scans %.0f us; by scan-then-propagate %.0f us\n", scans, two_pass,
           build_by_scans(&b, "propagate"));
    printf("by scans that place: %.0f us\n", build_by_scans(&b, "placed"));
    printf("%d errors in %d trees, each with %d queries\n", b.errors, 6, QUERIES);
    close_builder(&b);
    clf_context_release(patient);
    example_close(&x);
    return b.errors != 0;
}

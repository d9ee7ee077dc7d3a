/* SPDX-License-Identifier: MIT */
/*
 * Captured arrays, on little data: a map that reads one by column and one by row, with an input and an extra output
 * or with neither, in every kind of kernel; and what is refused. The operator composes affine functions modulo 2^32,
 * so that every element matters, and its place.
 */
#include "harness.h"
#include "reduce_case.h"

#include <stdlib.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define COMPOSE                                                                                                  \
    "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"                                             \
    "clf_value compose(clf_value x, clf_value y)\n"                                                              \
    "{\n    clf_value v = {x.scale * y.scale, x.shift * y.scale + y.shift};\n    return v;\n}\n"

static const clf_operator with_input = {
    .size = sizeof(clf_operator), .value = "uint scale; uint shift;", .input = "uint x;", .extra = "ulong seen;",
    .captured = "ushort column; ulong row;", .combine = "compose", .neutral = "identity", .map = "function",
    .source = COMPOSE "clf_value function(clf_input in, ulong index, const clf_captured *c, clf_extra *extra)\n"
                      "{\n"
                      "    const ulong row = c->row[index / c->clf_size];\n"
                      "    clf_value v = {2 * in.x + 1, c->column[index % c->clf_size] + (uint)row};\n"
                      "    extra->seen = row ^ index;\n"
                      "    return v;\n"
                      "}\n"};
static const clf_operator without_input = {
    .size = sizeof(clf_operator), .value = "uint scale; uint shift;", .input = "",
    .captured = "ushort column; ulong row;",
    .combine = "compose", .neutral = "identity", .map = "function",
    .source = COMPOSE "clf_value function(clf_input in, ulong index, const clf_captured *c)\n"
                      "{\n"
                      "    clf_value v = {2 * (uint)index + 1,\n"
                      "                   c->column[index % c->clf_size] + (uint)c->row[index / c->clf_size]};\n"
                      "    return v;\n"
                      "}\n"};

/* Commutes, for the kernels that take elements as they come: products of a row and a vector. */
static const clf_operator dots = {
    .size = sizeof(clf_operator), .value = "uint sum;", .input = "uint x;", .captured = "ushort column; ulong row;",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE,
    .source = "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value add(clf_value x, clf_value y) { x.sum += y.sum; return x; }\n"
              "clf_value times(clf_input in, ulong index, const clf_captured *c)\n"
              "{\n"
              "    clf_value v = {in.x * c->column[index % c->clf_size] + (uint)c->row[index / c->clf_size]};\n"
              "    return v;\n"
              "}\n"};
static const ref_operator reads_dots = {.name = "captured, dot product", .clf = &dots};
static const ref_operator reads_input = {.name = "captured", .clf = &with_input};
static const ref_operator reads_nothing = {.name = "captured, no input", .clf = &without_input};

enum { LIMIT = 400, OFFSET = 3 };

typedef struct data {
    cl_ulong count, size;
    cl_uint x[LIMIT];
    cl_ushort column[LIMIT + OFFSET];
    cl_ulong row[LIMIT + OFFSET];
    clf_array in[3], out[3];
} data;

static data *open_data(cl_ulong count, cl_ulong size)
{
    data *d = calloc(1, sizeof *d);
    gen random = gen_seed(the_rig()->seed, count + size);
    ck_assert(d != NULL);
    d->count = count;
    d->size = size;
    for (size_t i = 0; i < LIMIT; i++) {
        d->x[i] = (cl_uint)gen_bits(&random);
        d->column[i + OFFSET] = (cl_ushort)gen_bits(&random);
        d->row[i + OFFSET] = gen_bits(&random);
    }
    d->in[0] = (clf_array){rig_buffer(sizeof d->x, d->x), 0};
    d->in[1] = (clf_array){rig_buffer(sizeof d->column, d->column), OFFSET};
    d->in[2] = (clf_array){rig_buffer(sizeof d->row, d->row), OFFSET};
    for (size_t o = 0; o < COUNT(d->out); o++)
        d->out[o] = (clf_array){rig_buffer(LIMIT * sizeof(cl_ulong), NULL), 0};
    return d;
}

static void close_data(data *d)
{
    for (size_t i = 0; i < 3; i++) {
        clReleaseMemObject(d->in[i].buffer);
        clReleaseMemObject(d->out[i].buffer);
    }
    free(d);
}

/* The results of a scan, or, of each segment's last element, of a reduction. */
static void check_results(data *d, bool has_input, bool reduced)
{
    cl_uint scale[LIMIT], shift[LIMIT], p = 1, q = 0;
    cl_ulong seen[LIMIT];
    rig_read(the_rig()->queue, d->out[0].buffer, sizeof scale, scale);
    rig_read(the_rig()->queue, d->out[1].buffer, sizeof shift, shift);
    rig_read(the_rig()->queue, d->out[2].buffer, sizeof seen, seen);
    for (cl_ulong i = 0; i < d->count * d->size; i++) {
        const cl_ulong row = i / d->size, column = i % d->size;
        const cl_uint a = 2 * (has_input ? d->x[i] : (cl_uint)i) + 1;
        p = column ? p * a : a;
        q = (column ? q * a : 0) + d->column[column + OFFSET] + (cl_uint)d->row[row + OFFSET];
        if (has_input)
            ck_assert_uint_eq(seen[i], d->row[row + OFFSET] ^ i);
        if (!reduced || column == d->size - 1) {
            ck_assert_uint_eq(scale[reduced ? row : i], p);
            ck_assert_uint_eq(shift[reduced ? row : i], q);
        }
    }
}

static void check_dots(data *d)
{
    cl_uint dot[LIMIT];
    rig_read(the_rig()->queue, d->out[0].buffer, sizeof dot, dot);
    for (cl_ulong row = 0; row < d->count; row++) {
        cl_uint sum = 0;
        for (cl_ulong column = 0; column < d->size; column++)
            sum += d->x[row * d->size + column] * d->column[column + OFFSET] + (cl_uint)d->row[row + OFFSET];
        ck_assert_uint_eq(dot[row], sum);
    }
}

static const struct {
    cl_ulong count, size;
} shapes[] = {{1, 1}, {1, 400}, {7, 33}, {80, 5}};

static void scan_shapes(const way *asked, const ref_operator *op)
{
    clf_plan *plan = rig_segmented_plan(&(plan_key){op, false, asked->disable, asked->variant, "items=4,group=32"});
    const bool has_input = op == &reads_input;
    for (size_t i = 0; plan && i < COUNT(shapes); i++) {
        data *d = open_data(shapes[i].count, shapes[i].size);
        const clf_status status = clf_segmented_scan(plan, the_rig()->queue, d->count, d->size, d->in + !has_input,
                                                     d->out, NULL, NULL, 0, NULL, NULL);
        if (status != CLF_E_UNSUPPORTED) { /* one group, too much for it */
            assert_ok(status);
            check_results(d, has_input, false);
        }
        close_data(d);
    }
}

START_TEST(scans)
{
    scan_shapes(&ways[_i], &reads_input);
    if (_i == 0 || _i == 4)
        scan_shapes(&ways[_i], &reads_nothing);
}
END_TEST

static void reduce_shapes(const way *asked, const ref_operator *op)
{
    clf_plan *plan = reduce_plan(&(reduce_key){op, op == &reads_dots, asked->disable, asked->variant,
                                               asked->disable ? "items=4,group=32" : NULL});
    const bool has_input = op != &reads_nothing;
    for (size_t i = 0; plan && i < COUNT(shapes); i++) {
        data *d = open_data(shapes[i].count, shapes[i].size);
        const clf_status status = clf_segmented_reduce(plan, the_rig()->queue, d->count, d->size, d->in + !has_input,
                                                       d->out, NULL, NULL, 0, NULL, NULL);
        if (status != CLF_E_UNSUPPORTED) { /* a segment too long for "small" */
            assert_ok(status);
            if (op == &reads_dots)
                check_dots(d);
            else
                check_results(d, has_input, true);
        }
        close_data(d);
    }
}

START_TEST(reductions)
{
    static const way strategies[] = {{NULL, NULL}, {"cpu", "large"}, {"cpu", "small"}, {"cpu", "sequential"}};
    reduce_shapes(&strategies[_i], &reads_dots);
    reduce_shapes(&strategies[_i], &reads_input);
    if (_i < 2)
        reduce_shapes(&strategies[_i], &reads_nothing);
    reduce_forget();
}
END_TEST

static clf_status try_plan(const clf_operator *op)
{
    clf_plan *plan = NULL;
    const clf_status status = clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, NULL);
    if (plan)
        clf_plan_release(plan);
    return status;
}

START_TEST(what_is_refused)
{
    clf_operator op = with_input;
    op.map = NULL;
    assert_status(try_plan(&op), CLF_E_ARGUMENT);
    op = with_input;
    op.captured = "float";
    assert_status(try_plan(&op), CLF_E_ARGUMENT);
    op = without_input;
    op.captured = NULL;
    assert_status(try_plan(&op), CLF_E_ARGUMENT);

    data *d = open_data(2, 10);
    clf_plan *plan = rig_segmented_plan(&(plan_key){&reads_input, false, NULL, NULL, "items=4,group=32"});
    cl_command_queue queue = the_rig()->queue;
    clf_array in[] = {d->in[0], d->in[1], {NULL, 0}};
    assert_status(clf_segmented_scan(plan, queue, 2, 10, in, d->out, NULL, NULL, 0, NULL, NULL), CLF_E_ARGUMENT);
    in[2] = (clf_array){d->in[2].buffer, LIMIT + OFFSET};
    assert_status(clf_segmented_scan(plan, queue, 2, 10, in, d->out, NULL, NULL, 0, NULL, NULL), CLF_E_BUFFER);
    in[2] = d->out[2];
    assert_status(clf_segmented_scan(plan, queue, 2, 10, in, d->out, NULL, NULL, 0, NULL, NULL), CLF_E_ALIAS);
    close_data(d);
}
END_TEST

void add_captured_tests(TCase *tests)
{
    tcase_add_loop_test(tests, scans, 0, WAY_COUNT);
    tcase_add_loop_test(tests, reductions, 0, 4);
    tcase_add_test(tests, what_is_refused);
}

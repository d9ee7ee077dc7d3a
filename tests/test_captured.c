/* SPDX-License-Identifier: MIT */
/*
 * Captured arrays, on little data: a map that reads one by column and one by row, with an input and an extra output
 * or with neither, in every kind of kernel; and what is refused. The operator composes affine functions modulo 2^32,
 * so that every element matters, and its place; with an input modulo a number that its combine captures.
 */
#include "harness.h"
#include "reduce_case.h"

#include <stdlib.h>
#include <string.h>

#define IDENTITY "clf_value identity(void) { clf_value v = {1, 0}; return v; }\n"
#define COMPOSE                                                                                                  \
    IDENTITY                                                                                                     \
    "clf_value compose(clf_value x, clf_value y)\n"                                                              \
    "{\n    clf_value v = {x.scale * y.scale, x.shift * y.scale + y.shift};\n    return v;\n}\n"
#define MODULUS(column) ((column)[0] / 2u + 2)
#define COMPOSE_MODULO                                                                                           \
    IDENTITY                                                                                                     \
    "clf_value rest(uint scale, uint shift, const clf_captured *c)\n"                                            \
    "{\n    const uint m = c->column[0] / 2u + 2;\n"                                                             \
    "    clf_value v = {scale % m, shift % m};\n    return v;\n}\n"                                              \
    "clf_value compose(clf_value x, clf_value y, const clf_captured *c)\n"                                       \
    "{ return rest(x.scale * y.scale, x.shift * y.scale + y.shift, c); }\n"

static const clf_operator with_input = {
    .size = sizeof(clf_operator), .value = "uint scale; uint shift;", .input = "uint x;", .extra = "ulong seen;",
    .captured = "ushort column; ulong row;", .combine = "compose", .neutral = "identity", .map = "function",
    .flags = CLF_COMBINE_CAPTURES,
    .source = COMPOSE_MODULO "clf_value function(clf_input in, ulong index, const clf_captured *c, clf_extra *extra)\n"
                             "{\n"
                             "    const ulong row = c->row[index / c->clf_size];\n"
                             "    extra->seen = row ^ index;\n"
                             "    return rest(2 * in.x + 1, c->column[index % c->clf_size] + (uint)row, c);\n"
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

/* Commutes, for kernels that take elements as they come: products of a row and a vector, modulo a captured number. */
static const clf_operator dots = {
    .size = sizeof(clf_operator), .value = "uint sum;", .input = "uint x;", .captured = "ushort column; ulong row;",
    .combine = "add", .neutral = "zero", .map = "times", .flags = CLF_COMMUTATIVE | CLF_COMBINE_CAPTURES,
    .source = "clf_value zero(void) { clf_value v = {0}; return v; }\n"
              "clf_value rest(uint x, const clf_captured *c)\n"
              "{ clf_value v = {x % (c->column[0] / 2u + 2)}; return v; }\n"
              "clf_value add(clf_value x, clf_value y, const clf_captured *c) { return rest(x.sum + y.sum, c); }\n"
              "clf_value times(clf_input in, ulong index, const clf_captured *c)\n"
              "{\n"
              "    return rest(in.x * c->column[index % c->clf_size] + (uint)c->row[index / c->clf_size], c);\n"
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

/* If `tight`, captured arrays end where elements do: so Oclgrind sees a map that is asked for one behind the last. */
static data *open_data(cl_ulong count, cl_ulong size, bool tight)
{
    data *d = calloc(1, sizeof *d);
    gen random = gen_seed(the_rig()->seed, count + size);
    ck_assert(d);
    d->count = count;
    d->size = size;
    for (size_t i = 0; i < LIMIT; ++i) {
        d->x[i] = (cl_uint)gen_bits(&random);
        d->column[i + OFFSET] = (cl_ushort)gen_bits(&random);
        d->row[i + OFFSET] = gen_bits(&random);
    }
    const size_t columns = (tight ? (size_t)size : LIMIT) + OFFSET, rows = (tight ? (size_t)count : LIMIT) + OFFSET;
    d->in[0] = (clf_array){rig_buffer(sizeof d->x, d->x), 0};
    d->in[1] = (clf_array){rig_buffer(columns * sizeof *d->column, d->column), OFFSET};
    d->in[2] = (clf_array){rig_buffer(rows * sizeof *d->row, d->row), OFFSET};
    for (size_t o = 0; o < COUNT(d->out); ++o)
        d->out[o] = (clf_array){rig_buffer(LIMIT * sizeof(cl_ulong), NULL), 0};
    return d;
}

static void close_data(data *d)
{
    for (size_t i = 0; i < 3; ++i) {
        rig_release(d->in[i], d->out[i]);
    }
    free(d);
}

/* Element i composed with what lies before it in its segment, by the reference. */
typedef struct affine {
    cl_uint scale, shift;
} affine;

static affine step(const data *d, bool has_input, cl_ulong i, bool head, affine before)
{
    const cl_ulong row = i / d->size, column = i % d->size;
    const cl_uint scale = 2 * (has_input ? d->x[i] : (cl_uint)i) + 1;
    const cl_uint shift = d->column[column + OFFSET] + (cl_uint)d->row[row + OFFSET], m = MODULUS(d->column + OFFSET);
    const affine x = has_input ? (affine){scale % m, shift % m} : (affine){scale, shift};
    if (head)
        return x;
    const affine both = {before.scale * x.scale, before.shift * x.scale + x.shift};
    return has_input ? (affine){both.scale % m, both.shift % m} : both;
}

static void read_results(const data *d, cl_uint scale[LIMIT], cl_uint shift[LIMIT])
{
    rig_read(the_rig()->queue, d->out[0].buffer, LIMIT * sizeof *scale, scale);
    rig_read(the_rig()->queue, d->out[1].buffer, LIMIT * sizeof *shift, shift);
}

static void check_extra(const data *d)
{
    cl_ulong seen[LIMIT];
    rig_read(the_rig()->queue, d->out[2].buffer, sizeof seen, seen);
    for (cl_ulong i = 0; i < d->count * d->size; ++i)
        ck_assert_uint_eq(seen[i], d->row[i / d->size + OFFSET] ^ i);
}

/* Segments start where `heads` says so, too, unless that is NULL. */
static void check_scan(const data *d, bool has_input, const unsigned char *heads)
{
    cl_uint scale[LIMIT], shift[LIMIT];
    affine sum = {1, 0};
    read_results(d, scale, shift);
    for (cl_ulong i = 0; i < d->count * d->size; ++i) {
        sum = step(d, has_input, i, i % d->size == 0 || (heads && heads[i]), sum);
        ck_assert_uint_eq(scale[i], sum.scale);
        ck_assert_uint_eq(shift[i], sum.shift);
    }
    if (has_input)
        check_extra(d);
}

static void check_reduction(const data *d, bool has_input)
{
    cl_uint scale[LIMIT], shift[LIMIT];
    affine sum = {1, 0};
    read_results(d, scale, shift);
    for (cl_ulong i = 0; i < d->count * d->size; ++i) {
        sum = step(d, has_input, i, i % d->size == 0, sum);
        if (i % d->size == d->size - 1) {
            ck_assert_uint_eq(scale[i / d->size], sum.scale);
            ck_assert_uint_eq(shift[i / d->size], sum.shift);
        }
    }
    if (has_input)
        check_extra(d);
}

static void check_dots(data *d)
{
    const cl_uint m = MODULUS(d->column + OFFSET);
    cl_uint dot[LIMIT];
    rig_read(the_rig()->queue, d->out[0].buffer, sizeof dot, dot);
    for (cl_ulong row = 0; row < d->count; ++row) {
        cl_uint sum = 0;
        for (cl_ulong column = 0; column < d->size; ++column)
            sum += (d->x[row * d->size + column] * d->column[column + OFFSET] + (cl_uint)d->row[row + OFFSET]) % m;
        ck_assert_uint_eq(dot[row], sum % m);
    }
}

static const struct {
    cl_ulong count, size;
} shapes[] = {{1, 1}, {1, 400}, {7, 33}, {80, 5}};

static void scan_shapes(const way *asked, const ref_operator *op)
{
    const plan_key key = {op, false, asked->disable, asked->variant, "items=4,group=32"};
    clf_plan *plan = rig_plan_of("segmented_scan", &key, NULL);
    const bool has_input = op == &reads_input;
    /* Where arrays are tight, Oclgrind takes the prefixes that this one reads back for uninitialised. */
    const bool tight = !asked->variant || strcmp(asked->variant, "propagate") != 0;
    for (size_t i = 0; plan && i < COUNT(shapes); ++i) {
        data *d = open_data(shapes[i].count, shapes[i].size, tight);
        const clf_status status = clf_segmented_scan(plan, CLF_ON(the_rig()->queue), d->count, d->size,
                                                     d->in + !has_input, d->out);
        if (status != CLF_E_UNSUPPORTED) { /* one group, too much for it */
            assert_ok(status);
            check_scan(d, has_input, NULL);
        }
        close_data(d);
    }
}

TEST(scans)
{
    scan_shapes(&ways[_i], &reads_input);
    if (_i == 0 || _i == 4)
        scan_shapes(&ways[_i], &reads_nothing);
}

static void reduce_shapes(const way *asked, const ref_operator *op)
{
    clf_plan *plan = reduce_plan(&(reduce_key){op, op == &reads_dots, asked->disable, asked->variant,
                                               asked->disable ? "items=4,group=32" : NULL, NULL});
    const bool has_input = op != &reads_nothing;
    for (size_t i = 0; plan && i < COUNT(shapes); ++i) {
        data *d = open_data(shapes[i].count, shapes[i].size, true);
        const clf_status status = clf_segmented_reduce(plan, CLF_ON(the_rig()->queue), d->count, d->size,
                                                       d->in + !has_input, d->out);
        if (status != CLF_E_UNSUPPORTED) { /* a segment too long for "small" */
            assert_ok(status);
            if (op == &reads_dots)
                check_dots(d);
            else
                check_reduction(d, has_input);
        }
        close_data(d);
    }
}

/* Of irregular segments clf_size is the length of all together. */
TEST(irregular_segments)
{
    const clf_segmentation by_bytes = {.size = sizeof by_bytes, .by = CLF_BY_HEAD_BYTES};
    unsigned char heads[LIMIT] = {0};
    clf_plan *plan = NULL;
    data *d = open_data(1, LIMIT, true);
    heads[33] = heads[34] = heads[200] = 1;
    const clf_array segments = {rig_buffer(sizeof heads, heads), 0};
    assert_ok(clf_irregular_scan_plan(rig_context(_i ? "cpu" : NULL), &with_input, &by_bytes, 0, NULL, &plan, NULL));
    assert_ok(clf_irregular_scan(plan, CLF_ON(the_rig()->queue), LIMIT, 0, &segments, d->in, d->out));
    check_scan(d, true, heads);
    clf_plan_release(plan);
    clReleaseMemObject(segments.buffer);
    close_data(d);
}

static void check_irregular_reduction(const data *d, bool has_input, const unsigned char *heads)
{
    cl_uint scale[LIMIT], shift[LIMIT];
    affine sum = {1, 0};
    read_results(d, scale, shift);
    for (cl_ulong i = 0, segment = 0; i < LIMIT; ++i) {
        sum = step(d, has_input, i, i == 0 || heads[i], sum);
        if (i + 1 < LIMIT && !heads[i + 1])
            continue;
        ck_assert_uint_eq(scale[segment], sum.scale);
        ck_assert_uint_eq(shift[segment], sum.shift);
        ++segment;
    }
    if (has_input)
        check_extra(d);
}

TEST(irregular_reductions)
{
    const clf_segmentation by_bytes = {.size = sizeof by_bytes, .by = CLF_BY_HEAD_BYTES};
    const bool has_input = _i < 2;
    unsigned char heads[LIMIT] = {0};
    clf_plan *plan = NULL;
    data *d = open_data(1, LIMIT, true);
    heads[33] = heads[34] = heads[200] = 1;
    const clf_array segments = {rig_buffer(sizeof heads, heads), 0};
    assert_ok(clf_irregular_reduce_plan(rig_context(_i % 2 ? "cpu" : NULL), has_input ? &with_input : &without_input,
                                        &by_bytes, 0, NULL, &plan, NULL));
    assert_ok(
        clf_irregular_reduce(plan, CLF_ON(the_rig()->queue), LIMIT, 4, &segments, d->in + !has_input, d->out, NULL));
    check_irregular_reduction(d, has_input, heads);
    clf_plan_release(plan);
    clReleaseMemObject(segments.buffer);
    close_data(d);
}

TEST(reductions)
{
    static const way strategies[] = {{NULL, NULL}, {"cpu", "large"}, {"cpu", "small"}, {"cpu", "sequential"}};
    reduce_shapes(&strategies[_i], &reads_dots);
    reduce_shapes(&strategies[_i], &reads_input);
    if (_i < 2)
        reduce_shapes(&strategies[_i], &reads_nothing);
    rig_forget();
}

static clf_status try_plan(const clf_operator *op)
{
    clf_plan *plan = NULL;
    const clf_status status = clf_scan_plan(rig_context(NULL), op, 0, NULL, &plan, NULL);
    clf_plan_release(plan);
    return status;
}

TEST(what_is_refused)
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

    data *d = open_data(2, 10, true);
    const plan_key key = {&reads_input, false, NULL, NULL, "items=4,group=32"};
    clf_plan *plan = rig_plan_of("segmented_scan", &key, NULL);
    cl_command_queue queue = the_rig()->queue;
    clf_array in[] = {d->in[0], d->in[1], {NULL, 0}};
    assert_status(clf_segmented_scan(plan, CLF_ON(queue), 2, 10, in, d->out), CLF_E_ARGUMENT);
    in[2] = (clf_array){d->in[2].buffer, LIMIT + OFFSET};
    assert_status(clf_segmented_scan(plan, CLF_ON(queue), 2, 10, in, d->out), CLF_E_BUFFER);
    in[2] = d->out[2];
    assert_status(clf_segmented_scan(plan, CLF_ON(queue), 2, 10, in, d->out), CLF_E_ALIAS);
    close_data(d);
}

RIG_PART(add_captured_tests, {scans, WAY_COUNT}, {irregular_segments, 2}, {irregular_reductions, 4}, {reductions, 4},
         {what_is_refused, 1})

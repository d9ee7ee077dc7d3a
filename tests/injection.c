/* SPDX-License-Identifier: MIT */
/*
 * The calls that suite `injection` lets fail. Rows of ints are scanned, reduced, turned and subtracted, told in every
 * way. injection_select.c has the calls of the other primitives.
 */
#include "injection.h"

/* ---- Results ----------------------------------------------------------------------------------------------- */

WORLD_RESULT(scanned, world_sum(0, i))
WORLD_RESULT(scanned_in_row, world_sum(i - i % ROW, i))
WORLD_RESULT(scanned_back, world_sum(i, ELEMENTS - 1))
WORLD_RESULT(scanned_back_in_row, world_sum(i, i - i % ROW + ROW - 1))
WORLD_RESULT(finished, world_element(i) + i)
WORLD_RESULT(reduced, world_sum(i * ROW, i * ROW + ROW - 1))
WORLD_RESULT(reduced_with_number, reduced(i) + ROW * i)
WORLD_RESULT(turned, world_element(i % ROWS * ROW + i / ROWS))
WORLD_RESULT(difference_in_row, i % ROW ? world_element(i) - world_element(i - 1) : world_element(i))

/* The same of halves of elements, the lower one first. */
static cl_int half(int i)
{
    const cl_uint whole = (cl_uint)world_element(i / 2);
    return (cl_int)(i % 2 ? whole >> 16 : whole & 0xffff);
}

static cl_int turned_halves(int i)
{
    const int low = 2 * i, high = low + 1, width = 2 * ROW;
    const cl_uint below = (cl_uint)half(low % ROWS * width + low / ROWS);
    return (cl_int)(below | (cl_uint)half(high % ROWS * width + high / ROWS) << 16);
}

/* Of the pattern that wiping leaves in place. */
WORLD_RESULT(wiped_difference, i % ROW ? 0 : WORLD_PATTERN)

/* ---- Calls ------------------------------------------------------------------------------------------------- */

WORLD_CALL(scan, clf_scan(plan, call, ELEMENTS, &w->in, &w->out))

/* Made of two operators joined, one of them with a map. */
static clf_status joined_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator doubled = {
        .size = sizeof doubled, .value = "int sum;", .input = "int v;", .map = "twice", .neutral = "zero",
        .combine = "add", .source = "clf_value add(clf_value a, clf_value b) { a.sum += b.sum; return a; }\n"
                                    "clf_value zero(void) { clf_value z = {0}; return z; }\n"
                                    "clf_value twice(clf_input v, ulong i) { clf_value r = {2 * v.v}; return r; }\n"};
    const clf_operator *const list[] = {clf_builtin(CLF_SUM, CLF_INT), &doubled};
    clf_operator *both = NULL;
    CLF_TRY(clf_operator_join(2, list, &both, error));
    const clf_status status = clf_scan_plan(context, both, CLF_EXCLUSIVE, NULL, plan, error);
    clf_operator_release(both);
    return status;
}

/* The second output lies behind the first. */
WORLD_CALL(joined, clf_scan(plan, call, ROW, &w->in, (const clf_array[]){w->out, {w->out.buffer, ROW}}))

static const clf_operator arrays = {.size = sizeof arrays, .value = "int v[1];", .combine = "clf_sum"};

WORLD_RESULT(scanned_twice, i < ROW ? world_sum(0, i - 1) : 2 * world_sum(0, i - ROW - 1))

/* The last result comes first. */
static const clf_operator mirrored = {
    .size = sizeof mirrored, .value = "int v;", .combine = "clf_sum", .flags = CLF_COMMUTATIVE, .place = "mirror",
    .source = "ulong mirror(clf_value a, clf_value before, clf_input x, ulong i) { return 2999 - i; }\n"};

/* Made of the value before, too. */
static const clf_operator finishing = {
    .size = sizeof finishing, .value = "int v;", .combine = "clf_sum", .result = "int r;", .finish = "own",
    .source = "clf_result own(clf_value a, clf_value before, clf_input x, ulong i)\n"
              "{ clf_result r = {a.v - before.v + (int)i}; return r; }\n"};

WORLD_CALL(placed, clf_scan_placed(plan, call, ELEMENTS, ELEMENTS, &w->in, &w->out, &w->count))
WORLD_CALL(placed_rows, clf_segmented_scan_placed(plan, call, ROWS, ROW, ELEMENTS, &w->in, &w->out, &w->count))
WORLD_CALL(placed_segments,
           clf_irregular_scan_placed(plan, call, ELEMENTS, ROWS, ELEMENTS, &w->lengths, &w->in, &w->out, &w->count))

WORLD_RESULT(scanned_mirrored, scanned(ELEMENTS - 1 - i))
WORLD_RESULT(rows_mirrored, scanned_in_row(ELEMENTS - 1 - i))

WORLD_CALL(segmented_scan, clf_segmented_scan(plan, call, ROWS, ROW, &w->in, &w->out))
WORLD_CALL(lengths_scan, clf_irregular_scan(plan, call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out))
WORLD_CALL(reduce, clf_segmented_reduce(plan, call, ROWS, ROW, &w->in, &w->out))
WORLD_CALL(lengths_reduce, clf_irregular_reduce(plan, call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out, NULL))
WORLD_CALL(flags_reduce, clf_irregular_reduce(plan, call, ELEMENTS, ROWS, &w->flags, &w->in, &w->out, &w->count))
WORLD_CALL(transpose, clf_transpose(plan, call, 1, ROWS, ROW, &w->in, &w->out))
WORLD_CALL(transpose_shorts, clf_transpose(plan, call, 1, ROWS, 2 * ROW, &w->in, &w->out))
WORLD_CALL(difference, clf_segmented_adjacent_difference(plan, call, ROWS, ROW, &w->in, &w->out))

static const clf_operator with_number = {
    .size = sizeof with_number, .value = "int v;", .combine = "clf_sum", .map = "add", .flags = CLF_WITH_SEGMENT,
    .source = "clf_value add(clf_input x, ulong i, ulong s) { x.v += (int)s; return x; }\n"};

/* Of two results the second one. */
static const clf_operator two_sums = {.size = sizeof two_sums, .value = "int v; int w;", .combine = "clf_sum",
                                      .flags = CLF_COMMUTATIVE};

WORLD_CALL(wanted_scan,
           clf_scan(plan, call, ELEMENTS, (const clf_array[]){w->in, w->in}, (const clf_array[]){{0}, w->out}))
WORLD_CALL(wanted_reduce,
           clf_irregular_reduce(plan, call, ELEMENTS, ROWS, &w->lengths, (const clf_array[]){w->in, w->in},
                                (const clf_array[]){{0}, w->out}, NULL))

static const clf_operator minus = {
    .size = sizeof minus, .value = "int v;", .neutral = "zero", .combine = "subtract",
    .source = "clf_value subtract(clf_value a, clf_value b) { b.v -= a.v; return b; }\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n"};

/* Of the output's own pattern. */
WORLD_CALL(difference_in_place, clf_segmented_adjacent_difference(plan, call, ROWS, ROW, &w->out, &w->out))

/* A vector is copied, on GPUs by the driver. */
WORLD_CALL(copy, clf_transpose(plan, call, 1, 1, ELEMENTS, &w->in, &w->out))

/* Nothing to do but to wait. */
WORLD_CALL(nothing, clf_scan(plan, call, 0, &w->in, &w->out))

/* ---- The table ----------------------------------------------------------------------------------------------- */

static const clf_segmentation by_flags = {sizeof by_flags, CLF_BY_HEAD_BYTES, CLF_UCHAR};

static const subject folds[] = {
    {"scan", "scan", scan, scanned, ELEMENTS, .scratch = OF_ELEMENTS},
    {"scan of joined operators", "scan", joined, scanned_twice, 2 * ROW, .scratch = OF_ELEMENTS, .plan = joined_plan},
    {"scan of arrays", "scan", scan, scanned, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &arrays}},
    {"scan from the right", "scan", scan, scanned_back, ELEMENTS, .scratch = OF_ELEMENTS,
     .parts = {.flags = CLF_REVERSE}},
    {"scan with finish", "scan", scan, finished, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &finishing}},
    {"placed scan", "scan", placed, scanned_mirrored, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &mirrored}},
    {"placed scan of rows", "segmented_scan", placed_rows, rows_mirrored, ELEMENTS, .scratch = OF_ELEMENTS,
     .parts = {.op = &mirrored}},
    {"placed scan by lengths", "irregular_scan", placed_segments, rows_mirrored, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.op = &mirrored, .how = &world_by_lengths}},
    {"segmented scan", "segmented_scan", segmented_scan, scanned_in_row, ELEMENTS, .scratch = OF_ELEMENTS},
    {"scan by lengths", "irregular_scan", lengths_scan, scanned_in_row, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.how = &world_by_lengths}},
    {"segmented scan from the right", "segmented_scan", segmented_scan, scanned_back_in_row, ELEMENTS,
     .scratch = OF_ELEMENTS, .parts = {.flags = CLF_REVERSE}},
    {"scan by lengths with finish", "irregular_scan", lengths_scan, finished, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.op = &finishing, .how = &world_by_lengths}},
    {"reduce", "reduce", reduce, reduced, ROWS, .scratch = OF_ELEMENTS},
    {"reduce by lengths", "irregular_reduce", lengths_reduce, reduced, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.how = &world_by_lengths}},
    {"reduce by lengths with numbers", "irregular_reduce", lengths_reduce, reduced_with_number, ROWS,
     .scratch = OF_SEGMENTS, .parts = {.op = &with_number, .how = &world_by_lengths}},
    {"scan of a wanted result", "scan", wanted_scan, scanned, ELEMENTS, .scratch = OF_ELEMENTS,
     .parts = {.op = &two_sums, .wanted = 2}},
    {"reduce of a wanted result", "irregular_reduce", wanted_reduce, reduced, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.op = &two_sums, .how = &world_by_lengths, .wanted = 2}},
    {"reduce by flags", "irregular_reduce", flags_reduce, reduced, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.how = &by_flags}},
    {"transpose", "transpose", transpose, turned, ELEMENTS, .scratch = NO_SCRATCH},
    {"transpose shorts", "transpose", transpose_shorts, turned_halves, ELEMENTS, .scratch = NO_SCRATCH,
     .parts = {.bytes = sizeof(cl_short)}},
    /* In several tiles. */
    {"adjacent difference", "adjacent_difference", difference, difference_in_row, ELEMENTS, .scratch = OF_ELEMENTS,
     .parts = {.op = &minus}, .parameters = "items=4"},
    {"adjacent difference in place", "adjacent_difference", difference_in_place, wiped_difference, ELEMENTS,
     .scratch = OF_ELEMENTS, .parts = {.op = &minus}, .parameters = "items=4"},
};
const subjects fold_subjects = {folds, COUNT(folds)};

static const subject idle[] = {
    {"transpose a vector", "transpose", copy, world_element, ELEMENTS, .scratch = NO_SCRATCH},
    {"nothing", "scan", nothing, NULL, 0, .scratch = OF_ELEMENTS},
};
const subjects idle_subjects = {idle, COUNT(idle)};

/* ---- All subjects ---------------------------------------------------------------------------------------------- */

#define ADDRESS(name) &name##_subjects,
static const subjects *const tables[] = {&fold_subjects, &select_subjects, &once_subjects, &idle_subjects,
                                         TEST_PRIMITIVES(ADDRESS)};

int subject_count(void)
{
    size_t count = 0;
    for (size_t t = 0; t < COUNT(tables); ++t)
        count += tables[t]->count;
    return (int)count;
}

const subject *subject_number(int number)
{
    size_t t = 0, k = (size_t)number;
    while (k >= tables[t]->count)
        k -= tables[t++]->count;
    return &tables[t]->list[k];
}

clf_status subject_plan(const subject *s, clf_context *context, clf_plan **plan, clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .variant = s->variant,
                                      .parameters = s->on_cpus && context->facts.is_cpu ? s->on_cpus : s->parameters,
                                      .wanted = s->parts.wanted};
    const plan_parts parts = primitive_parts(s->primitive, &s->parts);
    if (s->plan)
        return s->plan(context, plan, error);
    return primitive_plan(s->primitive, context, &parts, &options, plan, error);
}

clf_status subject_bytes(const subject *s, const clf_plan *plan, cl_ulong *bytes)
{
    return clf_plan_scratch(plan, ELEMENTS, s->scratch == OF_SEGMENTS ? ROWS : 0, bytes);
}

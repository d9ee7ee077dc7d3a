/* SPDX-License-Identifier: MIT */
/* Calls that suite `injection` lets fail, of primitives that select and move elements. */
#include "injection.h"

/* ---- Results ----------------------------------------------------------------------------------------------- */

WORLD_RESULT(filtered, world_element(2 * i + 1))
WORLD_RESULT(dealt, i < ELEMENTS / 2 ? filtered(i) : world_element(2 * (i - ELEMENTS / 2)))

/* Row by row, each from the one that its length as an index names: element ROW of the input. */
WORLD_RESULT(gathered, world_element(ROW))
WORLD_RESULT(scattered, i == ROW ? world_element(0) : WORLD_PATTERN)

/* Of each run the sum, then where each starts. */
static cl_int reduced_by_key(int i)
{
    const int first = i % RUNS * RUN, last = first + RUN < ELEMENTS ? first + RUN - 1 : ELEMENTS - 1;
    return i < RUNS ? world_sum(first, last) : first;
}

/* The input's numbers are -2 to 4 in turn. */
static cl_int sorted(int i)
{
    int rank = i;
    for (int first = 0; first < RUN; ++first) {
        const int count = (ELEMENTS - first + RUN - 1) / RUN;
        if (rank < count)
            return world_element(first);
        rank -= count;
    }
    return 0;
}

/* The same, row by row. */
static cl_int sorted_rows(int i)
{
    const int begin = i / ROW * ROW, end = begin + ROW;
    int rank = i - begin;
    for (int first = 0; first < RUN; ++first)
        for (int k = begin; k < end; ++k)
            if (k % RUN == first && rank-- == 0)
                return world_element(first);
    return 0;
}

WORLD_RESULT(bound, ROW)

/* A cl_ulong: the input ascends to element 6. */
static cl_int sorted_count(int i)
{
    const union {
        cl_ulong count;
        cl_int words[2];
    } both = {RUN};
    return both.words[i];
}

WORLD_RESULT(first, world_element(i))

/* ---- Calls ------------------------------------------------------------------------------------------------- */

/* The second of every two elements. */
static const clf_operator second_of_two = {.size = sizeof second_of_two, .value = "int v;", .predicate = "is_odd",
                                           .source = "bool is_odd(clf_input x, ulong i) { return i % 2 != 0; }"};

WORLD_CALL(filter, clf_filter(plan, call, ELEMENTS, ELEMENTS, &w->in, &w->out, &w->count))

/* In place: of the output's own pattern, with the index added. */
static const clf_operator with_index = {
    .size = sizeof with_index, .value = "int v;", .input = "int v;", .predicate = "is_odd", .map = "add",
    .source = "bool is_odd(clf_input x, ulong i) { return i % 2 != 0; }\n"
              "clf_value add(clf_input x, ulong i) { clf_value y = {x.v + (int)i}; return y; }\n"};

WORLD_CALL(in_place, clf_filter(plan, call, ELEMENTS, ELEMENTS, &w->out, &w->out, &w->count))

WORLD_RESULT(kept_in_place, WORLD_PATTERN + 2 * i + 1)

/* The others go behind them: half of the output each. */
WORLD_CALL(partition, clf_partition(plan, call, ELEMENTS, ELEMENTS / 2, &w->in, (const clf_array[]){w->out,
           {w->out.buffer, w->out.offset + ELEMENTS / 2}}, &w->count))

/* The lengths of rows are indices. */
WORLD_CALL(gather, clf_gather(plan, call, ELEMENTS, ROWS, &w->in, &w->lengths, &w->out))
WORLD_CALL(scatter, clf_scatter(plan, call, 1, ELEMENTS, &w->in, &w->lengths, &w->out))

/* By what does not vary: the first sequence, then the second. */
static const clf_operator by_nothing = {.size = sizeof by_nothing, .value = "int v;", .less = "never",
                                        .source = "bool never(clf_input a, clf_input b) { return false; }"};

WORLD_CALL(merge, clf_merge(plan, call, ROW, ELEMENTS - ROW, (const clf_array[]){w->in, {w->in.buffer, ROW}}, &w->out))
WORLD_CALL(bounds, clf_bounds(plan, call, ROW, ELEMENTS, (const clf_array[]){w->in, w->in}, &w->out))

/* Runs that ascend. */
static const clf_operator ascents = {
    .size = sizeof ascents, .input = "int v;", .value = "int v;", .extra = "int at;", .map = "begin",
    .combine = "add", .neutral = "zero", .same = "ascend",
    .source = "clf_value begin(clf_input x, ulong i, clf_extra *e) { e->at = (int)i; return (clf_value){x.v}; }\n"
              "clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
              "clf_value zero(void) { clf_value z = {0}; return z; }\n"
              "bool ascend(clf_input a, clf_input b) { return a.v < b.v; }\n"};

WORLD_CALL(by_key, clf_reduce_by_key(plan, call, ELEMENTS, RUNS, &w->in, (const clf_array[]){w->out, {w->out.buffer,
           w->out.offset + RUNS}}, &w->count))

/* How often each number from 0 on occurs. */
static const clf_operator counts = {
    .size = sizeof counts, .input = "int v;", .value = "int count;", .map = "one", .combine = "add",
    .neutral = "zero", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"
              "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n"
              "clf_value zero(void) { clf_value v = {0}; return v; }\n"};

WORLD_CALL(by_index, clf_reduce_by_index(plan, call, ELEMENTS, ROWS, &w->in, &w->out))

/* The same and the bin's number, in one. */
static const clf_operator numbered_counts = {
    .size = sizeof numbered_counts, .input = "int v;", .value = "uint count;", .map = "one", .combine = "clf_sum",
    .flags = CLF_COMMUTATIVE | CLF_NO_INDEX, .result = "int r;", .finish = "number",
    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"
              "clf_result number(clf_value a, ulong i) { clf_result r = {(int)a.count + 7 * (int)i}; return r; }\n"};

/* One of two results, the second one. */
static const clf_operator two_counts = {
    .size = sizeof two_counts, .input = "int v;", .value = "uint twice; int count;", .map = "one", .combine = "clf_sum",
    .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
    .source = "clf_value one(clf_input x, ulong i) { clf_value v = {2, 1}; return v; }\n"};

static clf_status one_by_index(const world *w, clf_plan *plan, const clf_call *call)
{
    return clf_reduce_by_index(plan, call, ELEMENTS, ROWS, &w->in, (const clf_array[]){{0}, w->out});
}

static cl_int counted(int i)
{
    cl_int count = 0;
    for (int k = 0; k < ELEMENTS; ++k)
        count += world_element(k) == i;
    return count;
}

WORLD_RESULT(counted_and_numbered, counted(i) + 7 * i)

/* Between the first elements, which ascend. */
static clf_status histogram_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_histogram_edges_plan(context, CLF_INT, 0, plan, error);
}

WORLD_CALL(histogram, clf_histogram_run(plan, "edges", call, ELEMENTS, RUN - 1, &(clf_index_edges){CLF_SPAN_EDGES, RUN},
                                        (const clf_array[]){w->in, w->in}, &w->out))

static cl_int between(int i)
{
    cl_int n = 0;
    for (int k = 0; k < ELEMENTS; ++k)
        n += world_element(k) >= world_element(i) && world_element(k) < world_element(i + 1);
    return n;
}

/* The second of every two elements, and behind them the others. */
static const clf_operator by_parity = {.size = sizeof by_parity, .value = "int v;", .part = "is_even",
                                       .source = "uint is_even(clf_input x, ulong i) { return i % 2 == 0; }"};

WORLD_CALL(split, clf_split(plan, call, ELEMENTS, &w->in, &w->out, &w->count))

static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};

WORLD_CALL(sort, clf_sort(plan, call, ELEMENTS, &w->in, &w->out))
WORLD_CALL(rows, clf_segmented_sort(plan, call, ROWS, ROW, &w->in, &w->out))
WORLD_CALL(segments, clf_irregular_sort(plan, call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out))

static const clf_operator ascending = {.size = sizeof ascending, .value = "int v;", .less = "below",
                                       .source = "bool below(clf_input a, clf_input b) { return a.v < b.v; }"};

WORLD_CALL(merge_sort, clf_merge_sort(plan, call, ELEMENTS, &w->in, &w->out))
WORLD_CALL(is_sorted, clf_is_sorted(plan, call, ELEMENTS, &w->in, &w->out))

/* Of one element: what its key is does not matter. */
static clf_status shuffle_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_shuffle_plan(context, CLF_UINT, plan, error);
}

WORLD_CALL(shuffle, clf_shuffle_run(plan, call, 1, 7, &w->in, &w->out))
WORLD_CALL(top_k, clf_top_k(plan, call, ELEMENTS, ROW, &w->in, &w->out))

/* ---- The table ------------------------------------------------------------------------------------------------- */

static const subject selections[] = {
    {"filter", "filter", filter, filtered, ELEMENTS / 2, .scratch = OF_ELEMENTS, .parts = {.op = &second_of_two}},
    /* Tiles are small, so inputs are copied. */
    {"filter in place", "filter", in_place, kept_in_place, ELEMENTS / 2, .scratch = OF_ELEMENTS,
     .parts = {.op = &with_index, .flags = CLF_IN_PLACE}, .parameters = "items=8"},
    {"partition", "partition", partition, dealt, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &second_of_two}},
    {"gather", "gather", gather, gathered, ROWS, .scratch = OF_ELEMENTS},
    {"scatter", "scatter", scatter, scattered, ROW + 1, .scratch = OF_ELEMENTS},
    /* Tiles so small that their cuts are made beforehand. */
    {"merge", "merge", merge, world_element, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &by_nothing},
     .parameters = "items=1"},
    {"bounds", "bounds", bounds, bound, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &by_nothing,
     .flags = CLF_UPPER}},
    {"split", "split", split, dealt, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &by_parity, .parts = 2}},
    /* By look-back, and in two passes, so that the plan has another one. */
    {"sort", "sort", sort, sorted, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &ints}},
    {"sort in two passes", "sort", sort, sorted, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &ints},
     .variant = "two_pass"},
    /* Rows, and segments, of two tiles or a few. */
    {"sort of rows", "segmented_sort", rows, sorted_rows, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &ints},
     .parameters = "items=4", .on_cpus = "items=150"},
    {"sort by lengths", "irregular_sort", segments, sorted_rows, ELEMENTS, .scratch = OF_SEGMENTS,
     .parts = {.op = &ints, .how = &world_by_lengths}, .parameters = "items=8", .on_cpus = "items=1500"},
    /* Tiles so small that their cuts are made beforehand; of odd numbers of rounds. */
    {"merge sort", "merge_sort", merge_sort, sorted, ELEMENTS, .scratch = OF_ELEMENTS, .parts = {.op = &ascending},
     .parameters = "items=8"},
    {"test of order", "is_sorted", is_sorted, sorted_count, 2, .scratch = OF_ELEMENTS, .parts = {.op = &ascending},
     .parameters = "items=1,groups=2"},
    {"shuffle", "sort", shuffle, first, 1, .scratch = NO_SCRATCH, .plan = shuffle_plan},
    /* By a sample, in steps; results are counted in order on GPUs. */
    {"top-k", "top_k", top_k, sorted, ROW, .scratch = OF_ELEMENTS, .parts = {.op = &ints},
     .parameters = "limit=50,groups=2,few=0"},
    {"reduce by key", "reduce_by_key", by_key, reduced_by_key, 2 * RUNS, .scratch = OF_ELEMENTS,
     .parts = {.op = &ascents}},
    /* In tables, and their sums. */
    {"reduce by index", "reduce_by_index", by_index, counted, ROWS, .scratch = OF_SEGMENTS, .parts = {.op = &counts},
     .variant = "local", .parameters = "items=1,groups=8"},
    {"the same by ranges", "reduce_by_index", by_index, counted, ROWS, .scratch = OF_SEGMENTS, .parts = {.op = &counts},
     .variant = "split", .parameters = "items=1,groups=8"},
    {"the same by sorting", "reduce_by_index", by_index, counted, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.op = &counts, .flags = CLF_ORDERED}, .variant = "sorted"},
    {"numbers of bins by sorting", "reduce_by_index", by_index, counted_and_numbered, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.op = &numbered_counts, .flags = CLF_ORDERED}, .variant = "sorted"},
    {"a wanted count by sorting", "reduce_by_index", one_by_index, counted, ROWS, .scratch = OF_SEGMENTS,
     .parts = {.op = &two_counts, .flags = CLF_ORDERED, .wanted = 2}, .variant = "sorted"},
    {"histogram by edges", "reduce_by_index", histogram, between, RUN - 1, .scratch = OF_SEGMENTS,
     .plan = histogram_plan},
};
const subjects select_subjects = {selections, COUNT(selections)};

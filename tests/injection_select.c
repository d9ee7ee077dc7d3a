/* SPDX-License-Identifier: MIT */
/* Calls that suite `injection` lets fail, of primitives that select and move elements. */
#include "injection.h"

#include "primitives/primitives.h"

/* ---- Results ----------------------------------------------------------------------------------------------- */

cl_int inject_filtered(int i)
{
    return world_element(2 * i + 1);
}

cl_int inject_dealt(int i)
{
    return i < ELEMENTS / 2 ? inject_filtered(i) : world_element(2 * (i - ELEMENTS / 2));
}

/* Row by row, each from the one that its length as an index names: element ROW of the input. */
cl_int inject_gathered(int i)
{
    (void)i;
    return world_element(ROW);
}

cl_int inject_scattered(int i)
{
    return i == ROW ? world_element(0) : WORLD_PATTERN;
}

/* Of each run the sum, then where each starts. */
cl_int inject_reduced_by_key(int i)
{
    const int first = i % RUNS * RUN, last = first + RUN < ELEMENTS ? first + RUN - 1 : ELEMENTS - 1;
    return i < RUNS ? world_sum(first, last) : first;
}

/* The input's numbers are -2 to 4 in turn. */
cl_int inject_sorted(int i)
{
    int rank = i;
    for (int first = 0; first < RUN; first++) {
        const int count = (ELEMENTS - first + RUN - 1) / RUN;
        if (rank < count)
            return world_element(first);
        rank -= count;
    }
    return 0;
}

/* The same, row by row. */
cl_int inject_sorted_rows(int i)
{
    const int begin = i / ROW * ROW, end = begin + ROW;
    int rank = i - begin;
    for (int first = 0; first < RUN; first++)
        for (int k = begin; k < end; k++)
            if (k % RUN == first && rank-- == 0)
                return world_element(first);
    return 0;
}

cl_int inject_bound(int i)
{
    (void)i;
    return ROW;
}

/* A cl_ulong: the input ascends to element 6. */
cl_int inject_sorted_count(int i)
{
    const union {
        cl_ulong count;
        cl_int words[2];
    } both = {RUN};
    return both.words[i];
}

cl_int inject_first(int i)
{
    return world_element(i);
}

/* ---- Plans and calls --------------------------------------------------------------------------------------- */

/* The second of every two elements. */
static const clf_operator second_of_two = {.size = sizeof second_of_two, .value = "int v;", .predicate = "is_odd",
                                           .source = "bool is_odd(clf_input x, ulong i) { return i % 2 != 0; }"};

clf_status inject_filter_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_filter_plan(context, &second_of_two, 0, NULL, plan, error);
}

clf_status inject_filter(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_filter(plan, &call, ELEMENTS, ELEMENTS, &w->in, &w->out, &w->count);
}

/* In place: of the output's own pattern, with the index added. Tiles are small, so inputs are copied. */
clf_status inject_in_place_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator with_index = {
        .size = sizeof with_index, .value = "int v;", .input = "int v;", .predicate = "is_odd", .map = "add",
        .source = "bool is_odd(clf_input x, ulong i) { return i % 2 != 0; }\n"
                  "clf_value add(clf_input x, ulong i) { clf_value y = {x.v + (int)i}; return y; }\n"};
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=8"};
    return clf_filter_plan(context, &with_index, CLF_IN_PLACE, &options, plan, error);
}

clf_status inject_in_place(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_filter(plan, &call, ELEMENTS, ELEMENTS, &w->out, &w->out, &w->count);
}

cl_int inject_kept_in_place(int i)
{
    return WORLD_PATTERN + 2 * i + 1;
}

/* The others go behind them: half of the output each. */
clf_status inject_partition_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_partition_plan(context, &second_of_two, 0, NULL, plan, error);
}

clf_status inject_partition(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    const clf_array out[] = {w->out, {w->out.buffer, w->out.offset + ELEMENTS / 2}};
    return clf_partition(plan, &call, ELEMENTS, ELEMENTS / 2, &w->in, out, &w->count);
}

/* The lengths of rows are indices. */
clf_status inject_gather_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_gather_plan(context, "int v;", CLF_UINT, 0, NULL, plan, error);
}

clf_status inject_gather(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_gather(plan, &call, ELEMENTS, ROWS, &w->in, &w->lengths, &w->out);
}

clf_status inject_scatter_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_scatter_plan(context, "int v;", CLF_UINT, 0, NULL, plan, error);
}

clf_status inject_scatter(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_scatter(plan, &call, 1, ELEMENTS, &w->in, &w->lengths, &w->out);
}

/* By what does not vary: the first sequence, then the second. Tiles so small that their cuts are made beforehand. */
static const clf_operator *by_nothing(void)
{
    static const clf_operator op = {.size = sizeof op, .value = "int v;", .less = "never",
                                    .source = "bool never(clf_input a, clf_input b) { return false; }"};
    return &op;
}

clf_status inject_merge_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=1"};
    return clf_merge_plan(context, by_nothing(), 0, &options, plan, error);
}

clf_status inject_merge(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    const clf_array in[] = {w->in, {w->in.buffer, ROW}};
    return clf_merge(plan, &call, ROW, ELEMENTS - ROW, in, &w->out);
}

clf_status inject_bounds_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_bounds_plan(context, by_nothing(), CLF_UINT, CLF_UPPER, NULL, plan, error);
}

clf_status inject_bounds(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    const clf_array in[] = {w->in, w->in};
    return clf_bounds(plan, &call, ROW, ELEMENTS, in, &w->out);
}

/* Runs that ascend. */
clf_status inject_by_key_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator ascents = {
        .size = sizeof ascents, .input = "int v;", .value = "int v;", .extra = "int at;", .map = "begin",
        .combine = "add", .neutral = "zero", .same = "ascend",
        .source = "clf_value begin(clf_input x, ulong i, clf_extra *e) { e->at = (int)i; return (clf_value){x.v}; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.v += b.v; return a; }\n"
                  "clf_value zero(void) { clf_value z = {0}; return z; }\n"
                  "bool ascend(clf_input a, clf_input b) { return a.v < b.v; }\n"};
    return clf_reduce_by_key_plan(context, &ascents, 0, NULL, plan, error);
}

clf_status inject_by_key(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    const clf_array out[] = {w->out, {w->out.buffer, w->out.offset + RUNS}};
    return clf_reduce_by_key(plan, &call, ELEMENTS, RUNS, &w->in, out, &w->count);
}

/* How often each number from 0 on occurs: in tables, and their sums. */
static clf_status count_by(clf_context *context, const char *variant, const char *parameters, unsigned flags,
                           clf_plan **plan, clf_error *error)
{
    static const clf_operator counts = {
        .size = sizeof counts, .input = "int v;", .value = "int count;", .map = "one", .combine = "add",
        .neutral = "zero", .flags = CLF_COMMUTATIVE | CLF_NO_INDEX,
        .source = "clf_value one(clf_input x, ulong i) { clf_value v = {1}; return v; }\n"
                  "clf_value add(clf_value a, clf_value b) { a.count += b.count; return a; }\n"
                  "clf_value zero(void) { clf_value v = {0}; return v; }\n"};
    const clf_plan_options options = {.size = sizeof options, .variant = variant, .parameters = parameters};
    return clf_reduce_by_index_plan(context, &counts, flags, &options, plan, error);
}

clf_status inject_by_index_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return count_by(context, "local", "items=1,groups=8", 0, plan, error);
}

clf_status inject_by_ranges_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return count_by(context, "split", "items=1,groups=8", 0, plan, error);
}

clf_status inject_ordered_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return count_by(context, "sorted", NULL, CLF_ORDERED, plan, error);
}

clf_status inject_by_index(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_reduce_by_index(plan, &call, ELEMENTS, ROWS, &w->in, &w->out);
}

cl_int inject_counted(int i)
{
    cl_int count = 0;
    for (int k = 0; k < ELEMENTS; k++)
        count += world_element(k) == i;
    return count;
}

/* Between the first elements, which ascend. */
clf_status inject_histogram_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_histogram_edges_plan(context, CLF_INT, 0, plan, error);
}

clf_status inject_histogram(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_histogram_run(plan, "edges", &call, ELEMENTS, RUN - 1, &(clf_index_edges){CLF_SPAN_EDGES, RUN},
                             (const clf_array[]){w->in, w->in}, &w->out);
}

cl_int inject_between(int i)
{
    cl_int n = 0;
    for (int k = 0; k < ELEMENTS; k++)
        n += world_element(k) >= world_element(i) && world_element(k) < world_element(i + 1);
    return n;
}

/* The second of every two elements, and behind them the others. */
clf_status inject_split_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator by_index = {.size = sizeof by_index, .value = "int v;", .part = "is_even",
                                          .source = "uint is_even(clf_input x, ulong i) { return i % 2 == 0; }"};
    return clf_split_plan(context, &by_index, 2, 0, NULL, plan, error);
}

clf_status inject_split(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_split(plan, &call, ELEMENTS, &w->in, &w->out, &w->count);
}

/* In two passes, so that the plan has another one, and by look-back. */
static clf_status plan_of_sort(const char *variant, clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};
    const clf_plan_options options = {.size = sizeof options, .variant = variant};
    return clf_sort_plan(context, &ints, 0, &options, plan, error);
}

clf_status inject_sort_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return plan_of_sort(NULL, context, plan, error);
}

clf_status inject_two_pass_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return plan_of_sort("two_pass", context, plan, error);
}

clf_status inject_sort(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_sort(plan, &call, ELEMENTS, &w->in, &w->out);
}

/* Rows, and segments, of two tiles or a few. */
static clf_plan_options small_tiles(const clf_context *context, const char *on_cpus, const char *on_gpus)
{
    return (clf_plan_options){.size = sizeof(clf_plan_options),
                              .parameters = context->facts.is_cpu ? on_cpus : on_gpus};
}

clf_status inject_rows_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};
    const clf_plan_options options = small_tiles(context, "items=150", "items=4");
    return clf_segmented_sort_plan(context, &ints, 0, &options, plan, error);
}

clf_status inject_rows(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_segmented_sort(plan, &call, ROWS, ROW, &w->in, &w->out);
}

clf_status inject_segments_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};
    const clf_segmentation lengths = {.size = sizeof lengths, .by = CLF_BY_LENGTHS, .type = CLF_UINT};
    const clf_plan_options options = small_tiles(context, "items=1500", "items=8");
    return clf_irregular_sort_plan(context, &ints, &lengths, 0, &options, plan, error);
}

clf_status inject_segments(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_irregular_sort(plan, &call, ELEMENTS, ROWS, &w->lengths, &w->in, &w->out);
}

/* Tiles so small that their cuts are made beforehand; of odd numbers of rounds. */
static const clf_operator ascending = {.size = sizeof ascending, .value = "int v;", .less = "below",
                                       .source = "bool below(clf_input a, clf_input b) { return a.v < b.v; }"};

clf_status inject_merge_sort_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=8"};
    return clf_merge_sort_plan(context, &ascending, 0, &options, plan, error);
}

clf_status inject_merge_sort(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_merge_sort(plan, &call, ELEMENTS, &w->in, &w->out);
}

clf_status inject_is_sorted_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    const clf_plan_options options = {.size = sizeof options, .parameters = "items=1,groups=2"};
    return clf_is_sorted_plan(context, &ascending, 0, &options, plan, error);
}

clf_status inject_is_sorted(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_is_sorted(plan, &call, ELEMENTS, &w->in, &w->out);
}

/* Of one element: what its key is does not matter. */
clf_status inject_shuffle_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    return clf_shuffle_plan(context, CLF_UINT, plan, error);
}

clf_status inject_shuffle(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_shuffle_run(plan, &call, 1, 7, &w->in, &w->out);
}

/* By a sample, in steps; results are counted in order on GPUs. */
clf_status inject_top_k_plan(clf_context *context, clf_plan **plan, clf_error *error)
{
    static const clf_operator ints = {.size = sizeof ints, .value = "int v;"};
    const clf_plan_options options = {.size = sizeof options, .parameters = "limit=50,groups=2,few=0"};
    return clf_top_k_plan(context, &ints, 0, &options, plan, error);
}

clf_status inject_top_k(const world *w, clf_plan *plan, const place *p)
{
    const clf_call call = call_of(p);
    return clf_top_k(plan, &call, ELEMENTS, ROW, &w->in, &w->out);
}

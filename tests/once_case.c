/* SPDX-License-Identifier: MIT */
/* One call of a one-call function, checked. */
#include "once_case.h"

#include "route.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[ONCE_FUNCTIONS] = {
    [ONCE_SORT_DESCENDING] = "clf_array_sort_descending", [ONCE_SORT_PAIRS] = "clf_array_sort_pairs",
    [ONCE_ARGSORT] = "clf_array_argsort", [ONCE_ROWS_SORT] = "clf_rows_sort",
    [ONCE_SEGMENTS_SORT] = "clf_segments_sort", [ONCE_ROWS_TOP_K] = "clf_rows_top_k",
    [ONCE_ARG_TOP_K] = "clf_array_arg_top_k", [ONCE_ROWS_ARG_TOP_K] = "clf_rows_arg_top_k",
    [ONCE_ARGMIN] = "clf_array_argmin", [ONCE_ARGMAX] = "clf_array_argmax", [ONCE_ROWS_ARGMIN] = "clf_rows_argmin",
    [ONCE_ROWS_ARGMAX] = "clf_rows_argmax", [ONCE_SEGMENTS_ARGMIN] = "clf_segments_argmin",
    [ONCE_SEGMENTS_ARGMAX] = "clf_segments_argmax", [ONCE_ROWS_SCAN] = "clf_rows_exclusive_scan",
    [ONCE_SEGMENTS_INCLUSIVE] = "clf_segments_inclusive_scan",
    [ONCE_SEGMENTS_EXCLUSIVE] = "clf_segments_exclusive_scan",
    [ONCE_SEGMENTS_REDUCE] = "clf_segments_reduce", [ONCE_COLUMNS_REDUCE] = "clf_columns_reduce",
    [ONCE_GROUP_BY] = "clf_array_group_by", [ONCE_GROUP_COUNTS] = "clf_array_group_counts",
    [ONCE_HISTOGRAM] = "clf_array_histogram", [ONCE_HISTOGRAM_EDGES] = "clf_array_histogram_edges"};

const char *once_name(once_function function)
{
    return names[function];
}

/* ---- Random ones ------------------------------------------------------------------------------------------------- */

static clf_type draw_type(gen *random, clf_op op)
{
    clf_type type;
    do
        type = (clf_type)gen_below(random, CLF_TYPE_COUNT);
    while (!clf_builtin(op, type));
    return type;
}

void once_draw_key(gen *random, once_function function, once_key *key)
{
    static const unsigned orders[] = {0, CLF_DESCENDING, CLF_TOTAL_ORDER, CLF_DESCENDING | CLF_TOTAL_ORDER};
    const clf_op op = function == ONCE_HISTOGRAM ? CLF_XOR : (clf_op)gen_below(random, CLF_OP_COUNT);
    *key = (once_key){.function = function, .op = op, .type = draw_type(random, op)};
    key->value_type = draw_type(random, op);
    if (function == ONCE_GROUP_BY || function == ONCE_HISTOGRAM_EDGES)
        key->type = draw_type(random, CLF_SUM);
    key->wide_indices = gen_chance(random, 50);
    key->wide_offsets = gen_chance(random, 50);
    key->flags = function < ONCE_ROWS_TOP_K ? orders[gen_below(random, 4)] : orders[gen_below(random, 2)];
    if (function == ONCE_HISTOGRAM_EDGES)
        key->flags = gen_chance(random, 50) ? CLF_UPPER_END : 0;
    key->payload = (size_t)gen_between(random, 1, 16);
    key->given = gen_chance(random, 30) && function != ONCE_COLUMNS_REDUCE;
}

void once_draw_call(gen *random, size_t most, once_case *c)
{
    c->n = gen_size(random, 256, most);
    c->size = gen_chance(random, 5) ? 0 : 1 + gen_below(random, gen_chance(random, 50) ? 20 : c->n + 1);
    c->k = gen_below(random, 40);
    c->under.actual = gen_below(random, c->n + 3);
    c->shape = (irregular_shape)gen_below(random, SHAPE_COUNT);
    c->wild = gen_chance(random, 30) ? 0 : (unsigned)gen_below(random, 101);
    c->places = (guarded_place)gen_below(random, PLACES);
    c->under.offset = gen_below(random, 20);
    c->under.tight = gen_chance(random, 30);
    c->under.unordered = gen_chance(random, 30);
    c->under.gated = gen_chance(random, 10);
    c->under.scratch = gen_chance(random, 30);
    c->under.seed = gen_below(random, 1000000);
}

/* ---- The call ---------------------------------------------------------------------------------------------------- */

/* What goes into the call besides arrays. */
typedef struct shape {
    size_t n, count;  /* elements; rows or segments */
    once_parts parts; /* those that there really are */
    irregular segments;
} shape;

static void cut_rows(const once_case *c, shape *s)
{
    const size_t rows = c->key.given && c->under.actual < s->count ? c->under.actual : s->count;
    for (size_t p = 0; p < rows; ++p)
        s->parts.lengths[p] = c->size;
    s->parts.count = rows;
}

/* Segments end where elements do. */
static void cut_segments(const once_case *c, shape *s)
{
    size_t left = c->key.given && c->under.actual < c->n ? c->under.actual : c->n;
    s->parts.count = s->count;
    for (size_t p = 0; p < s->count; ++p) {
        const size_t length = s->segments.lengths[p];
        s->parts.lengths[p] = length < left ? length : left;
        left -= s->parts.lengths[p];
    }
}

static shape shape_of(const once_case *c)
{
    gen random = gen_seed(c->under.seed, 7);
    shape s = {.n = c->n, .count = 1};
    if (once_is_rows(c->key.function)) {
        s.count = c->size ? c->n / c->size : c->n % 50;
        s.n = s.count * c->size;
    } else if (c->key.function == ONCE_COLUMNS_REDUCE)
        s.n = c->size ? c->n / c->size * c->size : 0;
    else if (once_is_segments(c->key.function)) {
        s.segments = irregular_make(&random, c->shape, c->n, 50);
        s.count = s.segments.count;
    }
    s.parts.lengths = malloc((s.count + 1) * sizeof *s.parts.lengths);
    ck_assert(s.parts.lengths);
    if (once_is_rows(c->key.function))
        cut_rows(c, &s);
    else if (once_is_segments(c->key.function))
        cut_segments(c, &s);
    else {
        s.parts.count = 1;
        s.parts.lengths[0] = c->key.given && c->under.actual < c->n ? c->under.actual : c->n;
    }
    return s;
}

enum { KEYS, VALUES, OFFSETS, SIZE, EDGES = VALUES }; /* of guarded_call.in */

static bool is_histogram(once_function f)
{
    return f == ONCE_HISTOGRAM || f == ONCE_HISTOGRAM_EDGES;
}

/* NaNs, zeros and infinities, too. */
static void make_number(gen *random, clf_op op, clf_type type, size_t i, void *element)
{
    if (!gen_special(random, op, type, i, element))
        gen_builtin(random, op, type, i, element);
}

static void add(const once_case *c, guarded_list *list, const char *name, uint64_t seed, size_t element, size_t n)
{
    const circumstances *const u = &c->under;
    guarded_add(list, name, guarded_open(u->seed + seed, element, n, u->offset + (size_t)seed % 7, u->tight));
}

static void open_inputs(const once_case *c, const shape *s, guarded_call *g)
{
    const once_key *const k = &c->key;
    const bool pairs = k->function == ONCE_SORT_PAIRS, edges = is_histogram(k->function);
    const bool combined = k->function >= ONCE_ROWS_SCAN && k->function <= ONCE_COLUMNS_REDUCE;
    const clf_segmentation by_offsets = {sizeof by_offsets, CLF_BY_OFFSETS, k->wide_offsets ? CLF_ULONG : CLF_UINT};
    const size_t bytes = clf_type_size(k->type), value = clf_type_size(k->value_type);
    gen random = gen_seed(c->under.seed, 8);
    add(c, &g->in, "keys", 1, bytes, s->n);
    add(c, &g->in, "values", 2, edges ? bytes : pairs ? k->payload : value, edges ? c->size + 1 : s->n);
    for (size_t i = 0; i < s->n; ++i) {
        if (combined)
            make_number(&random, k->op, k->type, i, (char *)g->in.data[KEYS] + i * bytes);
        else
            once_element(&random, k->type, c->wild, (char *)g->in.data[KEYS] + i * bytes);
        if (!pairs && !edges)
            make_number(&random, k->op, k->value_type, i, (char *)g->in.data[VALUES] + i * value);
    }
    if (edges)
        once_edges(c, &random, g->in.data[EDGES]);
    add(c, &g->in, "offsets", 3, k->wide_offsets ? 8 : 4, s->count + 1);
    if (once_is_segments(k->function)) {
        size_t entries;
        void *const all = irregular_entries(&s->segments, &by_offsets, &random, &entries);
        memcpy(g->in.data[OFFSETS], all, entries);
        free(all);
    }
    guarded_add_size(&g->in, c->under.seed + 4, c->under.actual, c->under.offset, c->under.tight);
}

static void open_outputs(const once_case *c, const shape *s, guarded_call *g)
{
    const once_key *const k = &c->key;
    const once_function f = k->function;
    const size_t bytes = clf_type_size(k->type), index = k->wide_indices ? 8 : 4;
    const bool extremes = f >= ONCE_ARGMIN && f <= ONCE_SEGMENTS_ARGMAX;
    const bool top_k = f == ONCE_ROWS_TOP_K || f == ONCE_ARG_TOP_K || f == ONCE_ROWS_ARG_TOP_K;
    const size_t row = once_is_rows(f) ? c->size : c->n;
    const size_t results = extremes || f == ONCE_SEGMENTS_REDUCE ? s->count
                           : f == ONCE_COLUMNS_REDUCE            ? c->size
                           : top_k                               ? s->count * (c->k < row ? c->k : row)
                           : is_histogram(f)                     ? c->size
                                                                 : s->n;
    const bool indices = f == ONCE_ARGSORT || f == ONCE_HISTOGRAM_EDGES;
    add(c, &g->out, "first output", 5, f == ONCE_HISTOGRAM ? 4 : indices ? index : bytes, results);
    if (f == ONCE_SORT_PAIRS)
        add(c, &g->out, "payloads", 6, k->payload, results);
    if (f == ONCE_ARG_TOP_K || f == ONCE_ROWS_ARG_TOP_K || extremes)
        add(c, &g->out, "indices", 6, index, results);
    if (f == ONCE_GROUP_BY || f == ONCE_GROUP_COUNTS)
        add(c, &g->out, "groups", 6, f == ONCE_GROUP_BY ? clf_type_size(k->value_type) : 8, results);
    const bool alone = f == ONCE_SORT_DESCENDING || f == ONCE_ROWS_SORT || f == ONCE_SEGMENTS_SORT ||
                       (f >= ONCE_ROWS_SCAN && f <= ONCE_SEGMENTS_EXCLUSIVE) || f == ONCE_GROUP_COUNTS;
    const bool both = f == ONCE_SORT_PAIRS || f == ONCE_GROUP_BY;
    guarded_choose_places(g, c->places, c->under.seed, both ? 2 : alone, 0, both ? 2 : alone);
    if (f == ONCE_GROUP_BY || f == ONCE_GROUP_COUNTS)
        add(c, &g->out, "count", 0, 8, 1);
}

static clf_status run(const once_case *c, const shape *s, const guarded_call *g)
{
    const once_key *const k = &c->key;
    const clf_array *const in = g->in.device, *const out = g->out.device, offsets = in[OFFSETS];
    const clf_type index = k->wide_indices ? CLF_ULONG : CLF_UINT, offset = k->wide_offsets ? CLF_ULONG : CLF_UINT;
    const cl_bool largest = (k->flags & CLF_DESCENDING) != 0;
    const clf_call *const call = &g->call;
    const size_t n = s->n, count = s->count, columns = c->size;
    clf_context *const x = rig_context(k->disable);
    switch (k->function) {
    case ONCE_SORT_DESCENDING: return clf_array_sort_descending(x, call, k->type, n, in[0], out[0]);
    case ONCE_SORT_PAIRS:
        return clf_array_sort_pairs(x, call, k->type, k->payload, k->flags, n, in[0], in[1], out[0], out[1]);
    case ONCE_ARGSORT: return clf_array_argsort(x, call, k->type, index, k->flags, n, in[0], out[0]);
    case ONCE_ROWS_SORT: return clf_rows_sort(x, call, k->type, k->flags, count, c->size, in[0], out[0]);
    case ONCE_SEGMENTS_SORT:
        return clf_segments_sort(x, call, k->type, offset, k->flags, n, count, offsets, in[0], out[0]);
    case ONCE_ROWS_TOP_K: return clf_rows_top_k(x, call, k->type, largest, count, c->size, c->k, in[0], out[0]);
    case ONCE_ARG_TOP_K: return clf_array_arg_top_k(x, call, k->type, index, largest, n, c->k, in[0], out[0], out[1]);
    case ONCE_ROWS_ARG_TOP_K:
        return clf_rows_arg_top_k(x, call, k->type, index, largest, count, c->size, c->k, in[0], out[0], out[1]);
    case ONCE_ARGMIN: return clf_array_argmin(x, call, k->type, index, n, in[0], out[0], out[1]);
    case ONCE_ARGMAX: return clf_array_argmax(x, call, k->type, index, n, in[0], out[0], out[1]);
    case ONCE_ROWS_ARGMIN: return clf_rows_argmin(x, call, k->type, index, count, c->size, in[0], out[0], out[1]);
    case ONCE_ROWS_ARGMAX: return clf_rows_argmax(x, call, k->type, index, count, c->size, in[0], out[0], out[1]);
    case ONCE_SEGMENTS_ARGMIN:
        return clf_segments_argmin(x, call, k->type, index, offset, n, count, offsets, in[0], out[0], out[1]);
    case ONCE_SEGMENTS_ARGMAX:
        return clf_segments_argmax(x, call, k->type, index, offset, n, count, offsets, in[0], out[0], out[1]);
    case ONCE_ROWS_SCAN: return clf_rows_exclusive_scan(x, call, k->op, k->type, count, c->size, in[0], out[0]);
    case ONCE_SEGMENTS_INCLUSIVE:
        return clf_segments_inclusive_scan(x, call, k->op, k->type, offset, n, count, offsets, in[0], out[0]);
    case ONCE_SEGMENTS_EXCLUSIVE:
        return clf_segments_exclusive_scan(x, call, k->op, k->type, offset, n, count, offsets, in[0], out[0]);
    case ONCE_SEGMENTS_REDUCE:
        return clf_segments_reduce(x, call, k->op, k->type, offset, n, count, offsets, in[0], out[0]);
    case ONCE_COLUMNS_REDUCE:
        return clf_columns_reduce(x, call, k->op, k->type, columns ? n / columns : 0, columns, in[0], out[0]);
    case ONCE_GROUP_BY:
        return clf_array_group_by(x, call, k->op, k->type, k->value_type, n, in[0], in[1], out[0], out[1], out[2]);
    case ONCE_GROUP_COUNTS: return clf_array_group_counts(x, call, k->type, n, in[0], out[0], out[1], out[2]);
    case ONCE_HISTOGRAM: return clf_array_histogram(x, call, k->type, n, c->size, in[0], out[0]);
    default: return clf_array_histogram_edges(x, call, k->type, index, k->flags, n, c->size, in[EDGES], in[0], out[0]);
    }
}

/* ---- The check --------------------------------------------------------------------------------------------------- */

static void fail_case(const once_case *c, const char *what)
{
    const once_key *const k = &c->key;
    const route r = {.disable = k->disable};
    route_fail(&r, "one_call", c->under.number, what,
               "%s, op %s, type %s, values %s, payload %zu, flags 0x%x, wide %d %d, n %zu, size %zu, k %zu, "
               "shape %d, wild %u, places %d\n    %s",
               names[k->function], clf_op_name(k->op), clf_type_name(k->type), clf_type_name(k->value_type), k->payload,
               k->flags, k->wide_indices, k->wide_offsets, c->n, c->size, c->k, (int)c->shape, c->wild, (int)c->places,
               circumstances_text(&c->under));
}

/* All that any of these calls may want. */
static cl_mem take_scratch(const once_case *c, const shape *s, guarded_call *g)
{
    if (!c->under.scratch)
        return NULL;
    const cl_mem buffer = rig_buffer(((size_t)1 << 21) + 200 * (s->n + s->count), NULL);
    g->call.scratch = (clf_array){buffer, 16 * (c->under.offset % 3)};
    return buffer;
}

/* What an operator made of floating numbers is one of several zeros, or NaNs. */
static void compare_numbers(const once_case *c, guarded_call *g)
{
    const once_key *const k = &c->key;
    const bool groups = k->function == ONCE_GROUP_BY;
    const size_t at = groups ? 1 : 0, place = g->out.place[at];
    guarded *const results = place ? &g->in.array[place - 1] : &g->out.array[at];
    if (groups || (k->function >= ONCE_ROWS_SCAN && k->function <= ONCE_COLUMNS_REDUCE))
        results->real = ref_builtin(k->op, groups ? k->value_type : k->type)->real;
}

static void expect(const once_case *c, const shape *s, guarded_call *g)
{
    const size_t groups = once_expect(c, &s->parts, g->in.data, g->out.data);
    const bool counted = c->key.function == ONCE_GROUP_BY || c->key.function == ONCE_GROUP_COUNTS;
    size_t written = 0;
    for (size_t p = 0; p < s->parts.count; ++p)
        written += s->parts.lengths[p];
    guarded_place_results(g, counted ? groups : written);
    compare_numbers(c, g);
    if (counted)
        *(cl_ulong *)g->out.data[2] = groups;
}

bool once_case_run(once_case c)
{
    guarded_call g = guarded_under(&c.under);
    g.own = SCRATCH_POOL; /* it is take_scratch's, since there is no plan */
    g.given = c.key.given;
    const shape s = shape_of(&c);
    open_inputs(&c, &s, &g);
    open_outputs(&c, &s, &g);
    guarded_begin(&g, NULL, s.n);
    const cl_mem scratch = take_scratch(&c, &s, &g);
    const clf_status status = run(&c, &s, &g);
    guarded_end(&g, status);
    if (status != CLF_E_UNSUPPORTED) {
        expect(&c, &s, &g);
        if (!guarded_check(&g, false))
            fail_case(&c, g.what);
    }
    if (scratch)
        clReleaseMemObject(scratch);
    guarded_close(&g);
    free(s.parts.lengths);
    irregular_free(&((shape *)&s)->segments);
    return status == CLF_SUCCESS;
}

/* SPDX-License-Identifier: MIT */
/*
 * What a fuzzer draws from: the table of calls, and the lists of operators, capabilities and shapes; variants are those
 * of the library. A new primitive joins by a row of suites.h, and functions of fuzz_NAME.c.
 */
#include "fuzz.h"

#include "primitives.h"
#include "reduce_case.h"
#include "scan_case.h"

#include <stdio.h>
#include <string.h>

enum { TYPES = CLF_BFLOAT16, /* those that are combined as they are read */ BUILTINS = CLF_OP_COUNT * TYPES };

/* ---- What there is to draw ------------------------------------------------------------------------------------- */

static const char *const disabled[] = {
    NULL, "cpu", "ptx", "ptx,int64_atomics", "ptx,int64_atomics,c11", "cpu,ptx,subgroups", "cpu,progress",
    "cpu,order,int64_atomics", "ptx,int64_atomics,c11,subgroups,progress,cpu"};

static const clf_segmentation hows[] = {
    {sizeof *hows, CLF_BY_HEAD_BYTES, CLF_CHAR}, {sizeof *hows, CLF_BY_HEAD_BITS, CLF_CHAR},
    {sizeof *hows, CLF_BY_OFFSETS, CLF_UINT},    {sizeof *hows, CLF_BY_OFFSETS, CLF_ULONG},
    {sizeof *hows, CLF_BY_LENGTHS, CLF_UINT},    {sizeof *hows, CLF_BY_LENGTHS, CLF_ULONG},
    {sizeof *hows, CLF_BY_KEYS, CLF_INT},        {sizeof *hows, CLF_BY_KEYS, CLF_CHAR},
    {sizeof *hows, CLF_BY_KEYS, CLF_USHORT},     {sizeof *hows, CLF_BY_KEYS, CLF_ULONG},
    {sizeof *hows, CLF_BY_KEYS, CLF_HALF},       {sizeof *hows, CLF_BY_KEYS, CLF_FLOAT},
    {sizeof *hows, CLF_BY_KEYS, CLF_DOUBLE}};

static bool is_adjacent(const fuzz_case *c);

/*
 * Of a user first, then joined ones, then built-in ones; 0 is the sum of ints. For adjacent differences behind these
 * some that do not associate.
 */
static const ref_operator *operator_of(const fuzz_case *c)
{
    size_t k = (size_t)c->knob[FUZZ_OPERATOR];
    if (k < REF_USER_COUNT)
        return ref_user((int)k);
    k -= REF_USER_COUNT;
    if (k < REF_JOIN_COUNT)
        return ref_join((int)k);
    k -= REF_JOIN_COUNT;
    if (is_adjacent(c) && k >= BUILTINS)
        return ref_difference((int)((k - BUILTINS) % REF_DIFFERENCE_COUNT));
    k %= BUILTINS;
    const ref_operator *op = ref_builtin((clf_op)(k / TYPES), (clf_type)(k % TYPES));
    return op ? op : ref_builtin(CLF_SUM, (clf_type)(k % TYPES));
}

/* ---- Calls ----------------------------------------------------------------------------------------------------- */

static bool run_scan(const fuzz_case *c);
static bool run_reduce(const fuzz_case *c);

static fuzz_operand any_operator(const fuzz_case *c)
{
    if (c->knob[FUZZ_OPERATOR] >= FUZZ_ENDS)
        return ends_operand(c);
    return (fuzz_operand){operator_of(c)->name, operator_of(c)->value.count > 1};
}

static const struct {
    const char *name, *plan; /* what is called, and the primitive of its plan */
    unsigned kind;
    bool segmented;
    bool (*run)(const fuzz_case *c);
    fuzz_operand (*operand)(const fuzz_case *c);
} rows[] = {
    {"scan", "scan", SCANS, false, run_scan, any_operator},
    {"segmented_scan", "segmented_scan", SCANS, true, run_scan, any_operator},
    {"irregular_scan", "irregular_scan", SCANS, false, run_scan, any_operator},
    {"adjacent_difference", "adjacent_difference", ADJACENT, false, run_scan, any_operator},
    {"segmented_adjacent_difference", "adjacent_difference", ADJACENT, true, run_scan, any_operator},
    {"reduce", "reduce", REDUCTIONS, false, run_reduce, any_operator},
    {"segmented_reduce", "reduce", REDUCTIONS, true, run_reduce, any_operator},
    {"irregular_reduce", "irregular_reduce", REDUCTIONS, false, run_reduce, any_operator},
    {"transpose", "transpose", TRANSPOSES, false, run_transpose, transpose_operand},
    {"filter", "filter", FILTERS, false, run_filter, filter_operand},
    {"unique", "unique", FILTERS, false, run_filter, filter_operand},
    {"partition", "partition", FILTERS, false, run_filter, filter_operand},
    {"reduce_by_key", "reduce_by_key", FILTERS, false, run_by_key, by_key_operand},
    {"reduce_by_index", "reduce_by_index", INDICES, false, run_index, index_operand},
    {"gather", "gather", MOVES, false, run_gather, gather_operand},
    {"scatter", "scatter", MOVES, false, run_gather, gather_operand},
    {"split", "split", SPLITS, false, run_split, split_operand},
    {"sort", "sort", SORTS, false, run_sort, sort_operand},
    {"segmented_sort", "segmented_sort", SORTS, true, run_sort, sort_operand},
    {"irregular_sort", "irregular_sort", SORTS, false, run_sort, sort_operand},
    {"top_k", "top_k", SORTS, false, run_top_k, sort_operand},
    {"segmented_top_k", "top_k", SORTS, true, run_top_k, sort_operand},
    {"merge", "merge", MERGES, false, run_merge, order_operand},
    {"merge_sort", "merge_sort", MERGES, false, run_compare, order_operand},
    {"is_sorted", "is_sorted", MERGES, false, run_compare, order_operand},
    {"bounds", "bounds", MERGES, false, run_merge, order_operand},
    {"sorted_bounds", "sorted_bounds", MERGES, false, run_merge, order_operand},
    {"one_call", "one_call", ONE_CALLS, false, run_once, once_operand},
#define ROW(name) {#name, #name, JOINED, false, run_##name, name##_operand},
    TEST_PRIMITIVES(ROW)
#undef ROW
};

static size_t row_of(const fuzz_case *c) { return (size_t)c->knob[FUZZ_PRIMITIVE] % COUNT(rows); }
static bool is_adjacent(const fuzz_case *c) { return rows[row_of(c)].kind == ADJACENT; }

const char *fuzz_primitive_name(const fuzz_case *c)
{
    return rows[row_of(c)].name;
}

const char *fuzz_plan_name(const fuzz_case *c)
{
    return rows[row_of(c)].plan;
}

bool fuzz_has_plan(const fuzz_case *c)
{
    return rows[row_of(c)].kind != ONE_CALLS;
}

static bool is_irregular(const fuzz_case *c)
{
    return fuzz_has_plan(c) && primitive_named(fuzz_plan_name(c))->by_segments;
}

void fuzz_open(void)
{
    for (size_t i = 0; clf_primitives[i]; ++i)
        ck_assert_msg(fuzz_is_primitive(clf_primitives[i]->name), "%s is no row of tests/fuzz_cases.c",
                      clf_primitives[i]->name);
    rig_open();
}

const clf_segmentation *fuzz_how_of(const fuzz_case *c)
{
    return is_irregular(c) ? &hows[c->knob[FUZZ_HOW] % COUNT(hows)] : NULL;
}

const char *fuzz_disabled_of(const fuzz_case *c)
{
    return disabled[c->knob[FUZZ_DISABLE] % COUNT(disabled)];
}

/* 0 is the library's choice; behind it are all that its table has. */
static size_t choices_of_variant(const fuzz_case *c)
{
    return fuzz_has_plan(c) ? variant_count(fuzz_plan_name(c)) + 1 : 1;
}

static const clf_variant *forced_variant(const fuzz_case *c)
{
    const size_t choice = (size_t)c->knob[FUZZ_VARIANT] % choices_of_variant(c);
    return choice ? variant_number(fuzz_plan_name(c), choice - 1) : NULL;
}

const char *fuzz_variant(const fuzz_case *c)
{
    return forced_variant(c) ? forced_variant(c)->name : NULL;
}

/*
 * The text that plans of this case are made with. Plans are kept by what they are made from, this text by its address:
 * so a new one means to forget all of them.
 */
static const char *parameters_of(const fuzz_case *c)
{
    static char current[400];
    char text[sizeof current];
    fuzz_write_parameters(c, text, sizeof text);
    if (strcmp(text, current) != 0) {
        rig_forget();
        strcpy(current, text);
    }
    return current[0] ? current : NULL;
}

route fuzz_route_of(const fuzz_case *c)
{
    return (route){fuzz_disabled_of(c), fuzz_variant(c), parameters_of(c)};
}

/* ---- Running one ----------------------------------------------------------------------------------------------- */

/* Elements of a tile, or thereabouts: lengths that make a difference are near its multiples. */
size_t fuzz_scale_of(const fuzz_case *c)
{
    const unsigned *items = fuzz_parameter(c, FUZZ_ITEMS), *group = fuzz_parameter(c, FUZZ_GROUP);
    const size_t scale = (items ? *items : 4) * (size_t)(group ? *group : 64);
    return scale > 2 ? scale : 3;
}

static irregular segments_of(const fuzz_case *c)
{
    gen random = gen_seed(c->knob[FUZZ_DATA], 7);
    return irregular_make(&random, (irregular_shape)(c->knob[FUZZ_SHAPE] % SHAPE_COUNT), (size_t)c->knob[FUZZ_N],
                          fuzz_scale_of(c));
}

static unsigned scan_flags(const fuzz_case *c)
{
    const bool repeats = c->knob[FUZZ_DATA] % 8 == 7, reversed = c->knob[FUZZ_DATA] % 5 == 4;
    return (c->knob[FUZZ_FLAG] ? CLF_EXCLUSIVE : 0u) | (repeats ? CLF_REPEATABLE : 0u) | (reversed ? CLF_REVERSE : 0u);
}

static bool run_scan(const fuzz_case *c)
{
    const bool segmented = rows[row_of(c)].segmented, irregular_ones = is_irregular(c);
    const size_t n = (size_t)c->knob[FUZZ_N], size = segmented ? (size_t)c->knob[FUZZ_SIZE] : 0;
    if (c->knob[FUZZ_OPERATOR] >= FUZZ_ENDS)
        return run_ends(c, segmented);
    irregular segments = segments_of(c);
    const scan_case test = {
        .plan = {operator_of(c), is_adjacent(c) ? 0 : scan_flags(c), fuzz_disabled_of(c), fuzz_variant(c),
                 parameters_of(c)},
        .adjacent = is_adjacent(c),
        .n = !segmented ? n : size ? n / size * size : 0, .segmented = segmented, .size = size,
        .how = fuzz_how_of(c), .segments = irregular_ones ? &segments : NULL, .offset = (size_t)c->knob[FUZZ_OFFSET],
        .aligned = c->knob[FUZZ_OFFSET2] == 1, .initial = c->knob[FUZZ_INITIAL] != 0,
        .in_place = c->knob[FUZZ_IN_PLACE] != 0,
        .unordered = c->knob[FUZZ_UNORDERED] != 0, .gated = c->knob[FUZZ_GATED] != 0,
        .scratch = (scratch_kind)(c->knob[FUZZ_SCRATCH] % 3), .seed = c->knob[FUZZ_DATA], .suite = "fuzz",
        .number = -1};
    const bool ran = scan_case_run(test);
    irregular_free(&segments);
    return ran;
}

/* Room for as many results as there are segments, or for half of them, or for more. */
static size_t room_of(const fuzz_case *c, const irregular *segments)
{
    const size_t room = c->knob[FUZZ_ROOM] == 1 ? segments->count / 2 : segments->count + (c->knob[FUZZ_ROOM] ? 5 : 0);
    return room || c->knob[FUZZ_N] == 0 ? room : 1;
}

static bool run_reduce(const fuzz_case *c)
{
    const bool segmented = rows[row_of(c)].segmented, irregular_ones = is_irregular(c);
    const size_t n = (size_t)c->knob[FUZZ_N], size = segmented ? (size_t)c->knob[FUZZ_SIZE] : n;
    if (c->knob[FUZZ_OPERATOR] >= FUZZ_ENDS)
        return run_ends(c, segmented);
    irregular segments = segments_of(c);
    const ref_operator *op = operator_of(c);
    const reduce_case test = {
        .plan = {op, (ref_clf(op)->flags & CLF_COMMUTATIVE) && !c->knob[FUZZ_FLAG], fuzz_disabled_of(c),
                 fuzz_variant(c), parameters_of(c), fuzz_how_of(c)},
        .count = irregular_ones ? room_of(c, &segments) : !segmented ? 1 : size ? n / size : n % 99,
        .size = irregular_ones ? 0 : size, .segments = irregular_ones ? &segments : NULL,
        .offset = (size_t)c->knob[FUZZ_OFFSET], .aligned = c->knob[FUZZ_OFFSET2] == 1,
        .initial = c->knob[FUZZ_INITIAL] != 0, .in_place = c->knob[FUZZ_IN_PLACE] != 0,
        .unordered = c->knob[FUZZ_UNORDERED] != 0, .gated = c->knob[FUZZ_GATED] != 0,
        .own_scratch = c->knob[FUZZ_SCRATCH] != 0, .uncounted = c->knob[FUZZ_ROOM] == 3, .suite = "fuzz",
        .seed = c->knob[FUZZ_DATA], .number = -1};
    const bool ran = reduce_case_run(test);
    irregular_free(&segments);
    return ran;
}

static bool is_by_key(const fuzz_case *c)
{
    return rows[row_of(c)].run == run_by_key;
}

/* PoCL 3.1 ends the process on kernels for GPUs of tuples, where these are unrolled far; PoCL 6 on kernels for GPUs of
 * many shapes (driver_bugs/pocl6_instcombine.c, pocl_return.c). */
static bool ends_the_process(const fuzz_case *c)
{
    const char *const without = fuzz_disabled_of(c);
    const clf_variant *const variant = forced_variant(c);
    const unsigned *items = fuzz_parameter(c, FUZZ_ITEMS), *group = fuzz_parameter(c, FUZZ_GROUP);
    const bool for_gpus = variant ? !variant_is_for_cpus(variant) : without && strstr(without, "cpu");
    const unsigned kind = rows[row_of(c)].kind;
    const bool is_tuple = rows[row_of(c)].operand(c).tuple;
    const ref_by_key *op = fuzz_by_key_of(c);
    if (!the_rig()->is_cpu)
        return false;
    if (for_gpus && the_rig()->forgetful)
        return true;
    if (kind == SORTS && for_gpus)
        return fuzz_sort_ends_the_process(c);
    if (kind == SPLITS && for_gpus && group && *group < 32)
        return true; /* --seed 32 --case 200 --primitive split --disable cpu: in LLVM, as sorts in such groups */
    if ((is_by_key(c) || rows[row_of(c)].run == run_irregular_top_k) && for_gpus && group && *group <= 2)
        return true; /* driver_bugs.txt; --seed 101 --case 2402: in LLVM's inliner */
    if (is_by_key(c) && for_gpus && (op->extra.count > 1 || op->value.field[0].bytes > 8))
        return items && *items >= 8;
    if (items && *items >= 20 && for_gpus && ((kind == REDUCTIONS && is_tuple) || (is_by_key(c) && *items >= 32)))
        return true; /* --seed 3 --case 7100 --primitive reduce, --seed 1 --case 26500 --primitive reduce_by_key */
    return is_tuple && for_gpus && ((kind & (MERGES | JOINED)) || (without && strstr(without, "cpu"))) && items &&
           *items >= 16;
}

bool fuzz_run(const fuzz_case *c)
{
    return !ends_the_process(c) && rows[row_of(c)].run(c);
}

/* ---- Drawing --------------------------------------------------------------------------------------------------- */

bool fuzz_is_primitive(const char *name)
{
    for (size_t p = 0; p < COUNT(rows); ++p)
        if (strcmp(name, rows[p].name) == 0)
            return true;
    return false;
}

/* Minima and maxima of floating types: those that NaNs are for. Drawn last, so that all else is as without. */
static void draw_extreme(gen *random, fuzz_case *c)
{
    const uint64_t op = CLF_MIN + gen_below(random, 2), type = CLF_HALF + gen_below(random, 3);
    const unsigned kind = rows[row_of(c)].kind;
    const bool wanted = gen_chance(random, 20);
    if (wanted && kind & FOLDS)
        c->knob[FUZZ_OPERATOR] = REF_USER_COUNT + REF_JOIN_COUNT + op * TYPES + type;
    else if (wanted && kind == INDICES)
        c->knob[FUZZ_OPERATOR] = FUZZ_EXTREMES + gen_below(random, 4 * 6);
}

/* What is drawn behind all else: operators that finish or place their results, and which of these are wanted. */
static void draw_ends(gen *random, fuzz_case *c)
{
    if (is_by_key(c))
        c->knob[FUZZ_HOW] = gen_chance(random, 30) ? gen_below(random, 8) : 0;
    if (!gen_chance(random, 30))
        return;
    if (rows[row_of(c)].kind & FOLDS)
        c->knob[FUZZ_OPERATOR] = FUZZ_ENDS + gen_below(random, FUZZ_ENDS_COUNT);
    else if (is_by_key(c) || rows[row_of(c)].kind == INDICES)
        c->knob[FUZZ_OPERATOR] += FUZZ_ENDS;
}

void fuzz_draw_plan(gen *random, const char *only, fuzz_case *c)
{
    const uint64_t users = REF_USER_COUNT + REF_JOIN_COUNT;
    const uint64_t any = gen_below(random, users + BUILTINS), user = gen_below(random, users);
    memset(c, 0, sizeof *c);
    c->knob[FUZZ_PRIMITIVE] = gen_below(random, COUNT(rows));
    for (size_t p = 0; only && p < COUNT(rows); ++p)
        if (strcmp(only, rows[p].name) == 0)
            c->knob[FUZZ_PRIMITIVE] = p;
    c->knob[FUZZ_OPERATOR] = gen_chance(random, 60) ? user : any;
    if (is_adjacent(c) && gen_chance(random, 50))
        c->knob[FUZZ_OPERATOR] = users + BUILTINS + gen_below(random, REF_DIFFERENCE_COUNT);
    c->knob[FUZZ_FLAG] = gen_chance(random, 50);
    c->knob[FUZZ_DISABLE] = gen_below(random, COUNT(disabled));
    c->knob[FUZZ_VARIANT] = gen_chance(random, 40) ? 0 : gen_below(random, choices_of_variant(c));
    c->knob[FUZZ_HOW] = is_irregular(c) ? gen_below(random, COUNT(hows)) : 0;
    if (rows[row_of(c)].kind == MERGES)
        c->knob[FUZZ_HOW] = gen_below(random, 4);
    if (rows[row_of(c)].kind == ONE_CALLS)
        c->knob[FUZZ_OPERATOR] = gen_below(random, 20000);
    fuzz_draw_parameters(random, rows[row_of(c)].kind, c);
    draw_extreme(random, c);
    draw_ends(random, c);
}

void fuzz_draw_call(gen *random, fuzz_case *c)
{
    /* A thousand tiles at most: in reverse order each is computed from all before it. */
    const size_t tile = fuzz_scale_of(c), large = tile < 70 ? 1000 * tile : 70000;
    const size_t most = gen_chance(random, 5) ? large : 6 * tile < 3000 ? 6 * tile : 3000;
    const size_t n = gen_size(random, tile, most);
    const size_t length = (size_t)1 << gen_below(random, 14);
    c->knob[FUZZ_N] = n;
    c->knob[FUZZ_SIZE] = gen_chance(random, 3) ? 0 : gen_size(random, tile, length < n ? length : n);
    c->knob[FUZZ_BATCH] = gen_chance(random, 50) ? 0 : gen_below(random, n < 500 ? 20 : 3);
    c->knob[FUZZ_SHAPE] = gen_below(random, SHAPE_COUNT);
    c->knob[FUZZ_OFFSET] = gen_chance(random, 30) ? 0 : gen_below(random, 40);
    c->knob[FUZZ_OFFSET2] = gen_chance(random, 30) ? 0 : gen_below(random, 4);
    c->knob[FUZZ_INITIAL] = gen_chance(random, 40);
    c->knob[FUZZ_IN_PLACE] = gen_chance(random, 30);
    c->knob[FUZZ_UNORDERED] = gen_chance(random, 30);
    c->knob[FUZZ_GATED] = gen_chance(random, 10);
    c->knob[FUZZ_SCRATCH] = gen_below(random, 3);
    c->knob[FUZZ_ROOM] = gen_chance(random, 60) ? 0 : gen_below(random, 4);
    c->knob[FUZZ_DATA] = gen_below(random, 1000000);
}

/* ---- In words -------------------------------------------------------------------------------------------------- */

void fuzz_describe(const fuzz_case *c, char *text, size_t bytes)
{
    char list[400];
    const char *variant = fuzz_variant(c), *without = fuzz_disabled_of(c);
    fuzz_write_parameters(c, list, sizeof list);
    snprintf(text, bytes, "%s of %s, variant %s, parameters %s, without %s", fuzz_primitive_name(c),
             rows[row_of(c)].operand(c).name, variant ? variant : "default", list[0] ? list : "default",
             without ? without : "nothing");
}

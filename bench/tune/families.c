/* SPDX-License-Identifier: MIT */
/*
 * What clfold-tune tunes: a row of the table for each family, that is for variants that do the same work, and the
 * shapes that they are tried on. A primitive whose sizes go to different variants is several families. What is
 * called, and what must come of it, kinds.c has by the name that it has in clfold-bench.
 */
#include "tune/tune.h"

#include <string.h>

/* ---- Axes -------------------------------------------------------------------------------------------------- */

#define AXES static const tune_axis
AXES cpu_scans[] = {{"items", TUNE_PER_BYTE, 1 << 13, 1 << 20}, {"streams", TUNE_VECTORS, 1, 8},
                    {"nontemporal", TUNE_STEPS, 0, 2}, {.name = NULL}};
AXES cpu_reductions[] = {{"items", TUNE_POWERS, 1024, 1 << 18}, {"groups", TUNE_PER_UNIT, 1, 16},
                         {"streams", TUNE_POWERS, 8, 128}, {.name = NULL}};
AXES cpu_sorts[] = {{"items", TUNE_POWERS, 1 << 12, 1 << 18}, {.name = NULL}};
AXES cpu_groups[] = {{"groups", TUNE_PER_UNIT, 1, 8}, {.name = NULL}};
AXES cpu_selections[] = {{"items", TUNE_PER_BYTE, 1 << 13, 1 << 20}, {"nontemporal", TUNE_STEPS, 0, 2}, {.name = NULL}};
AXES cpu_transpositions[] = {{"items", TUNE_PER_BYTE, 1 << 10, 1 << 16}, {"nontemporal", TUNE_STEPS, 0, 2},
                             {"ahead", TUNE_STEPS, 0, 1}, {.name = NULL}};
#define GROUPS {"group", TUNE_POWERS, 64, 512}
AXES tiles[] = {GROUPS, {"items", TUNE_TILE, 0, 0}, {.name = NULL}};
AXES chains[] = {GROUPS, {"items", TUNE_TILE, 0, 0}, {"ticket", TUNE_STEPS, 0, 1}, {.name = NULL}};
#define STRETCHES {"group", TUNE_POWERS, 64, 1024}, {"items", TUNE_PER_BYTE, 1, 128}
AXES stretches[] = {STRETCHES, {.name = NULL}};
AXES shared_stretches[] = {STRETCHES, {"groups", TUNE_PER_UNIT, 1, 8}, {.name = NULL}};
AXES parting[] = {{"parting", TUNE_STEPS, 1, 12}, {.name = NULL}};
AXES fewest[] = {{"fewest", TUNE_PER_UNIT, 1, 256}, {.name = NULL}};
#define RANKS {"group", TUNE_POWERS, 128, 512}, {"items", TUNE_FOURS, 8, 36}
AXES counted[] = {{"counted", TUNE_POWERS, 128, 1 << 15}, {.name = NULL}};
AXES ranks[] = {RANKS, {.name = NULL}};
AXES chained_ranks[] = {RANKS, {"streams", TUNE_POWERS, 2, 8}, {"ticket", TUNE_STEPS, 0, 1}, {.name = NULL}};
#define FEW {"group", TUNE_POWERS, 128, 1024}, {"items", TUNE_POWERS, 1, 16}
AXES few[] = {FEW, {.name = NULL}};
AXES merged[] = {FEW, {"streams", TUNE_POWERS, 2, 32}, {.name = NULL}};
#define WALKS {"group", TUNE_POWERS, 128, 1024}, {"items", TUNE_POWERS, 4, 32}, {"groups", TUNE_PER_UNIT, 1, 16}
AXES walks[] = {WALKS, {.name = NULL}};
AXES tables[] = {WALKS, {"local", TUNE_POWERS, 24 << 10, 96 << 10}, {.name = NULL}};
AXES slices[] = {{"limit", TUNE_STEPS, 1, 16}, {.name = NULL}};
AXES windows[] = {{"group", TUNE_POWERS, 128, 512}, {"across", TUNE_POWERS, 16, 64}, {"down", TUNE_POWERS, 16, 128},
                  {"stripe", TUNE_POWERS, 4, 16}, {.name = NULL}};
AXES squares[] = {{"group", TUNE_POWERS, 128, 512}, {"items", TUNE_PER_BYTE, 16, 128}, {"rows", TUNE_POWERS, 16, 128},
                  {"stripe", TUNE_POWERS, 4, 16}, {.name = NULL}};
AXES runs[] = {{"group", TUNE_POWERS, 64, 512}, {"items", TUNE_PER_BYTE, 16, 256}, {.name = NULL}};
AXES filled[] = {{"filled", TUNE_STEPS, 1, 4}, {.name = NULL}};

/* ---- Shapes ------------------------------------------------------------------------------------------------ */

#define ALL {1, 1, 0, 0}
#define ROWS(size) {1, 0, size, 0}
#define ARRAY(size) {1, 1, size, 0}
#define BINS(bins) {1, 1, 0, bins}
#define ARRAY_IN(size, bins) {1, 1, size, bins}
#define MATRICES(side) {0, side, side, 0}
#define SIZES {ARRAY(1 << 12), ARRAY(1 << 13), ARRAY(1 << 14), ARRAY(1 << 15), ARRAY(1 << 16), ARRAY(1 << 18), \
               ARRAY(1 << 20), ARRAY(1 << 22)}
#define LENGTHS {ROWS(8), ROWS(16), ROWS(32), ROWS(64), ROWS(256), ROWS(1024), ROWS(4096), ROWS(16384)}
#define RESULTS {BINS(1 << 8), BINS(1 << 10), BINS(1 << 12), BINS(1 << 14)}
#define OF_FEW {ARRAY(1 << 10), ARRAY(1 << 12)}   /* whether all is one tile */
#define OF_SMALL {ARRAY(1 << 13), ARRAY(1 << 15)} /* no role but "small" takes these, of any key that has it */
#define SORTED {ARRAY(1 << 10), ARRAY(1 << 11), ARRAY(1 << 12), ARRAY(1 << 14), ARRAY(1 << 16), ARRAY(1 << 17), \
                ARRAY(1 << 18), ARRAY(1 << 19), ARRAY(1 << 20)}

/* ---- The table --------------------------------------------------------------------------------------------- */

/* Variants, and the axes that they have. */
#define BY(names, axes) {names, axes, false}
#define INTEGERS "i8,u8,i16,u16,i32,u32,i64,u64"
#define NUMBERS INTEGERS ",f16,f32,f64"
/* Name, word, what clfold-bench calls it, profile, role. */
#define SORT(its_name, bench, role) its_name, bench, bench, "sort", role, .types = NUMBERS, .named = true
#define BY_RUNS {BY("ranks", merged), {.names = "merge"}}
#define PAIRS .value = TUNE_WITH_PLACE
#define HISTOGRAM(its_name, role) its_name, "histogram", "histogram", "reduce_by_index", role, \
    .types = "i32,u32", .value = TUNE_COUNT, .named = true, .loose = true
#define TRANSPOSE(its_name, role) its_name, "transpose", "transpose", "transpose", role, .types = NUMBERS, \
    .named = true
#define FILTER "filter", "filter", "filter", "filter", "main", .types = INTEGERS, .named = true, .shape = {ALL}
#define BY_KEY "reduce_by_key", "reduce_by_key", "reduce_by_key", "reduce_by_key", "main", .types = INTEGERS, \
    .named = true, .shape = {ALL}
#define COUNTED "top_k_counted", "top_k", "top_k_1024", "top_k", "main", .types = NUMBERS, .named = true, \
    .slow = true, .variants = {BY(TUNE_CHOSEN, counted)}, .shape = RESULTS
#define SCAN(its_name, role) its_name, "scan", "scan", "scan", role
#define SCAN_ROWS "segmented_scan", "segmented_scan", "segmented_scan", "segmented_scan", "main"
#define REDUCE(its_name, word, role) its_name, word, "segmented_reduce", "reduce", role
#define CHAINED {BY("central,window,serial", chains), BY("two_pass", tiles)}

static const tune_family families[] = {
    {SCAN("scan", "main"), .cpu = true, .variants = {BY("cpu", cpu_scans)}, .shape = {ALL}},
    {SCAN_ROWS, .cpu = true, .variants = {BY("cpu", cpu_scans)}, .shape = {ROWS(64), ROWS(4096)}},
    {REDUCE("reduce", "reduce,segmented_reduce", "main"), .cpu = true, .variants = {BY("cpu", cpu_reductions)},
     .shape = {ALL, ROWS(64), ROWS(4096)}},
    {SORT("sort", "sort", "main"), .cpu = true, .variants = {BY("cpu", cpu_sorts), {"counting_cpu", cpu_groups, true}},
     .shape = {ALL}},
    {SORT("sort_pairs", "sort_pairs", "main"), PAIRS, .cpu = true, .variants = {BY("cpu", cpu_sorts)}, .shape = {ALL}},
    {HISTOGRAM("histogram", "main"), .cpu = true, .variants = {BY("cpu", cpu_groups)},
     .shape = {BINS(1 << 8), BINS(1 << 16)}},
    {TRANSPOSE("transpose", "main"), .cpu = true, .variants = {BY("cpu", cpu_transpositions)},
     .shape = {ROWS(4096), ROWS(1001), ROWS(7)}},
    {FILTER, .cpu = true, .variants = {BY("cpu", cpu_selections)}},
    {BY_KEY, .cpu = true, .variants = {BY("cpu", cpu_selections)}},
    {SCAN("scan_medium", "medium"), .cpu = true, .slow = true, .told = true, .variants = {BY("cpu", cpu_scans)},
     .shape = {ARRAY(1 << 13), ARRAY(1 << 15), ARRAY(1 << 18)}},
    {SCAN("scan_limits", "medium"), .cpu = true, .slow = true, .variants = {{.names = "cpu"}}, .shape = SIZES,
     .between = {"scan_medium", "scan"}},
    {COUNTED, .cpu = true},

    {SCAN("scan", "main"), .variants = CHAINED, .shape = {ALL}},
    {SCAN_ROWS, .variants = CHAINED, .shape = {ROWS(64), ROWS(4096)}},
    {REDUCE("reduce", "reduce", "main"), .variants = {BY("large", shared_stretches)}, .shape = {ALL, ROWS(1 << 20)}},
    {REDUCE("reduce_medium", "segmented_reduce", "medium"), .variants = {BY("warp", stretches)},
     .shape = {ROWS(256), ROWS(4096)}},
    {REDUCE("reduce_small", "segmented_reduce", "small"), .variants = {BY("small", stretches)},
     .shape = {ROWS(8), ROWS(16)}},
    {SORT("sort", "sort", "main"),
     .variants = {BY("lookback", chained_ranks), BY("two_pass", ranks), {"counting", tables, true}}, .shape = {ALL}},
    {SORT("sort_small", "sort", "small"), .fixed = true, .variants = BY_RUNS, .shape = OF_SMALL},
    {SORT("sort_few", "sort", "few"), .variants = {BY("one_group", few)}, .shape = OF_FEW},
    {SORT("sort_pairs", "sort_pairs", "main"), PAIRS,
     .variants = {BY("lookback", chained_ranks), BY("two_pass", ranks)}, .shape = {ALL}},
    {SORT("sort_pairs_small", "sort_pairs", "small"), PAIRS, .fixed = true, .variants = BY_RUNS, .shape = OF_SMALL},
    {SORT("sort_pairs_few", "sort_pairs", "few"), PAIRS, .variants = {BY("one_group", few)}, .shape = OF_FEW},
    {HISTOGRAM("histogram", "main"), .variants = {BY("local", tables)}, .shape = {BINS(1 << 8), BINS(1 << 13)}},
    {HISTOGRAM("histogram_wide", "wide"), .variants = {BY("global", walks)}, .shape = {BINS(1 << 19)}},
    {HISTOGRAM("histogram_many", "many"), .variants = {BY("split", tables)}, .shape = {BINS(1 << 19)}},
    {TRANSPOSE("transpose", "main"), .variants = {BY("tile", windows)}, .shape = {ROWS(4096), ROWS(1001)}},
    {TRANSPOSE("transpose_thin", "thin"), .variants = {BY("thin", runs)}, .shape = {ROWS(7), ROWS(33)}},
    {TRANSPOSE("transpose_small", "small"), .variants = {BY("small", runs)}, .shape = {MATRICES(7), MATRICES(31)}},
    {TRANSPOSE("transpose_packed", "packed"), .variants = {{"packed", squares, true}}, .shape = {ROWS(4096)},
     .unit = 4},
    {FILTER, .variants = CHAINED},
    {BY_KEY, .variants = CHAINED},

    {SCAN("scan_medium", "medium"), .slow = true, .told = true, .variants = {BY("window,serial", chains)},
     .shape = {ARRAY(1 << 16), ARRAY(1 << 18), ARRAY(1 << 20)}},
    {SCAN("scan_limits", "medium"), .slow = true, .variants = CHAINED, .shape = SIZES,
     .between = {"scan_medium", "scan"}},
    {REDUCE("reduce_limits", "segmented_reduce", "main"), .slow = true, .variants = {{.names = "small,warp,large"}},
     .shape = LENGTHS, .between = {"reduce_small", "reduce_medium", "reduce"}},
    {REDUCE("reduce_parting", "segmented_reduce", "main"), .slow = true, .variants = {BY(TUNE_CHOSEN, parting)},
     .shape = {{1, 40, 1 << 15, 0}, {1, 40, 1 << 16, 0}, {1, 200, 1 << 15, 0}}},
    {REDUCE("reduce_fewest", "segmented_reduce", "medium"), .slow = true, .variants = {BY(TUNE_CHOSEN, fewest)},
     .shape = {{1, 64, 4096, 0}, {1, 512, 4096, 0}, {1, 4096, 4096, 0}, {1, 512, 512, 0}}},
    {SORT("sort_limits", "sort", "small"), .slow = true,
     .variants = {{.names = "one_group,ranks,merge,lookback,two_pass"}, {.names = "counting"}},
     .shape = SORTED, .between = {"sort_few", "sort_small", "sort"}},
    {SORT("sort_pairs_limits", "sort_pairs", "small"), PAIRS, .slow = true,
     .variants = {{.names = "one_group,ranks,merge,lookback,two_pass"}},
     .shape = SORTED, .between = {"sort_pairs_few", "sort_pairs_small", "sort_pairs"}},
    {HISTOGRAM("histogram_slices", "main"), .slow = true, .variants = {BY(TUNE_CHOSEN, slices)},
     .shape = {BINS(1 << 16), BINS(1 << 17), BINS(1 << 18)}},
    {HISTOGRAM("histogram_fewest", "many"), .slow = true, .variants = {{.names = "global,split"}}, .setting = "fewest",
     .shape = {ARRAY_IN(1 << 19, 1 << 19), ARRAY_IN(1 << 20, 1 << 19), ARRAY_IN(1 << 21, 1 << 19),
               ARRAY_IN(1 << 22, 1 << 19), ARRAY_IN(1 << 23, 1 << 19), ARRAY_IN(1 << 24, 1 << 19)},
     .between = {"histogram_wide", "histogram_many"}},
    {COUNTED},
    {TRANSPOSE("transpose_filled", "main"), .slow = true, .variants = {BY(TUNE_CHOSEN, filled)},
     .shape = {ROWS(17), ROWS(25), ROWS(41), ROWS(49), ROWS(57)}},
    {TRANSPOSE("transpose_thin_limits", "thin"), .slow = true, .variants = {{.names = "thin,tile"}},
     .shape = {ROWS(3), ROWS(7), ROWS(15), ROWS(33), ROWS(65), ROWS(97), ROWS(129), ROWS(193)},
     .between = {"transpose_thin", "transpose"}},
    {TRANSPOSE("transpose_small_limits", "small"), .slow = true, .variants = {{.names = "small,tile"}},
     .shape = {MATRICES(3), MATRICES(7), MATRICES(15), MATRICES(23), MATRICES(31), MATRICES(47), MATRICES(63)},
     .between = {"transpose_small", "transpose"}},
};
enum { FAMILIES = sizeof families / sizeof families[0] };

/* ---- Finding them ------------------------------------------------------------------------------------------ */

const tune_family *tune_family_number(unsigned number)
{
    return number < FAMILIES ? &families[number] : NULL;
}

const tune_family *tune_find_family(const char *name, bool cpu)
{
    for (size_t i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i].name, name) == 0 && families[i].cpu == cpu)
            return &families[i];
    return NULL;
}

bool tune_has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; length && (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ',') && (at[length] == ',' || at[length] == '\0'))
            return true;
    return false;
}

static bool has_variant(const tune_family *family, const char *variant)
{
    for (unsigned v = 0; v < TUNE_VARIANTS && family->variants[v].names; ++v)
        if (tune_has_word(family->variants[v].names, variant))
            return true;
    return false;
}

const tune_family *tune_family_of(const tune_row *row)
{
    for (size_t i = 0; i < FAMILIES; ++i)
        if (strcmp(families[i].name, row->primitive) == 0 && has_variant(&families[i], row->variant))
            return &families[i];
    return NULL;
}

bool tune_is_wanted(const tune_family *family, const bench_words *words, bool quick)
{
    bool named = false;
    for (unsigned i = 0; i < words->count; ++i)
        named = named || tune_has_word(family->word, words->word[i]);
    if (quick && (family->slow || (family->named && !named)))
        return false;
    return named || words->count == 0;
}

/* ---- Shapes of n elements ---------------------------------------------------------------------------------- */

static cl_ulong at_least_one(cl_ulong x)
{
    return x ? x : 1;
}

/* What is 0 is as much as there is. Afterwards a batch of 0 is none. */
static tune_shape fitted(tune_shape s, cl_ulong n)
{
    const cl_ulong most = at_least_one(n / at_least_one(s.batch * s.segments));
    s.size = s.size && s.size < most ? s.size : most;
    s.segments = s.segments ? s.segments : at_least_one(n / s.size);
    s.batch = s.batch ? 0 : at_least_one(n / (s.segments * s.size));
    s.bins = s.bins < n ? s.bins : n;
    return s;
}

unsigned tune_list_shapes(const tune_family *family, cl_ulong n, tune_shape shape[TUNE_SHAPES])
{
    unsigned count = 0;
    for (unsigned i = 0; i < TUNE_SHAPES && (family->shape[i].batch || family->shape[i].segments); ++i) {
        const tune_shape new = fitted(family->shape[i], n);
        unsigned s = 0;
        while (s < count && memcmp(&shape[s], &new, sizeof new) != 0)
            ++s;
        if (s == count)
            shape[count++] = new;
    }
    return count;
}

/* ---- Types ------------------------------------------------------------------------------------------------- */

bool tune_find_type(const char *type, bench_operator *found)
{
    if (strcmp(type, "4xi64") == 0)
        return bench_find_user_operator("tuple4", found);
    return bench_find_operator("sum", type, found);
}

bool tune_find_value(const tune_family *family, const char *type, bench_operator *found)
{
    if ((family->types && !tune_has_word(family->types, type)) || !tune_find_type(type, found))
        return false;
    if (family->value != TUNE_ITSELF)
        found->out_size[family->value == TUNE_COUNT ? 0 : 1] = 4;
    if (family->value == TUNE_WITH_PLACE)
        found->outputs = 2;
    return true;
}

unsigned tune_bytes_of(const bench_operator *op)
{
    unsigned bytes = 0;
    for (unsigned o = 0; o < op->outputs; ++o)
        bytes += op->out_size[o];
    return bytes;
}

/* As the library has them: a power of two of bytes, and of tuples the largest field. */
void tune_class_of(const bench_operator *op, char name[16])
{
    unsigned bytes = 1, largest = 0;
    while (bytes < tune_bytes_of(op))
        bytes *= 2;
    for (unsigned o = 0; o < op->outputs; ++o)
        largest = op->out_size[o] > largest ? op->out_size[o] : largest;
    if (op->outputs == 1)
        snprintf(name, 16, "b%u", bytes);
    else
        snprintf(name, 16, "b%ux%u", bytes, largest);
}

double tune_usual_elements(const tune_device *device, const bench_operator *op, bool quick)
{
    const unsigned bytes = tune_bytes_of(op), power = (device->cpu_kernels ? 24 : 26) - (quick ? 2 : 0);
    double n = (double)((cl_ulong)1 << power);
    while (n > 65536 && (n * bytes > 4 * (double)((cl_ulong)1 << power) || n * bytes > device->max_alloc / 4))
        n /= 2;
    return n;
}

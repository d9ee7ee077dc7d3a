/* SPDX-License-Identifier: MIT */
/*
 * sorting_tiles: the variants of sorts of segments by merging (segmented_sort.c, irregular_sort.c), and the tiles that
 * they sort: how many work-items, keys of each, and registers.
 */
#include "primitives/primitives.h"

enum { MOST_ITEMS = 32, MOST_IN_TILE = 65535 /* a word has their heads; places are 16 bits */ };

/* Are keys all there is to values? Floats may lack the sign of a zero, which the kernel finds out. */
static bool is_plain(const clf_operator_copy *op)
{
    return !op->key && op->value.count == 1 && op->key_bytes <= 8;
}

static bool is_alone(const clf_operator_copy *op)
{
    return is_plain(op) && !clf_type_is_real(op->key_type);
}

bool clf_sorting_is_alone(const clf_plan *plan)
{
    return is_alone(&plan->op);
}

/* Registers or local memory for a key. */
static cl_uint held_bytes(const clf_operator_copy *op)
{
    return op->key_bytes > 4 ? op->key_bytes : 4;
}

/* Keys, with gaps, places, and heads of irregular segments. */
static cl_ulong tile_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items)
{
    const bool lanes = facts->lane_width > 1;
    const cl_uint bytes = held_bytes(op);
    const cl_ulong tile = (cl_ulong)group * items, slots = tile + tile / (128 / bytes) + 2 * (items + 1);
    const cl_ulong totals = lanes ? group / facts->lane_width : group + group / 7 + 8;
    if (items > MOST_ITEMS || tile > MOST_IN_TILE)
        return CL_ULONG_MAX;
    return slots * (bytes + (is_alone(op) ? 0u : 2u)) + 4 * group + 4 * totals + 64;
}

/* Few registers, so that several groups of 512 run at a time: by themselves compilers take too many. */
static void several_groups(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    enum { OTHERS = 28 /* registers besides those of keys with places, or of values */ };
    const cl_uint sorted = held_bytes(op) / 4 + 1, kept = clf_fields_words(&op->value);
    const cl_uint words = is_alone(op) ? sorted - 1 : sorted > kept ? sorted : kept;
    const cl_uint registers = words * clf_parameter_get(parameters, "items", 1) + OTHERS;
    if (facts->lane_width > 1 && registers < 256)
        clf_parameter_default(parameters, "registers", registers / 8 * 8);
}

/*
 * Work-items with about 64 bytes of keys in registers, and of values: tuples are held there, too; smaller groups where
 * these are more, for that leaves a work-item more registers.
 */
static void tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters,
                          cl_uint group)
{
    const cl_uint least = held_bytes(op) > 8 ? 16 : 4; /* a wide key is more than the value that it is of may be */
    const cl_uint bytes = clf_fields_sum(&op->value) > least ? clf_fields_sum(&op->value) : least;
    const cl_uint most = op->key_bytes > 4 || facts->lane_width == 1 ? 8 : 16;
    const cl_uint items = 128 / bytes > most ? most : 128 / bytes < 4 ? 4 : 128 / bytes;
    if (items * bytes > 128 && group > 256)
        group = 256;
    if (facts->lane_width == 1)
        group = 64;
    while (group > facts->max_group)
        group /= 2;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", items);
}

/*
 * What lanes sort together (rows, and irregular segments that begin in no warp's middle): with 32 keys each there are
 * few merges, and registers are for more than these. On an H200 2^25 u32 in rows of 2^13 take 285 us so, not 353, and
 * in rows of 2^10 163, not 173.
 */
static void prefer(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters, cl_uint group,
                   cl_uint items, cl_uint registers)
{
    if (facts->lane_width == 1 || group > facts->max_group || op->key_bytes > 4 || clf_fields_sum(&op->value) > 8)
        return;
    clf_parameter_default(parameters, "group", group);
    clf_parameter_default(parameters, "items", items);
    clf_parameter_default(parameters, "registers", registers);
}

static void large_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    if (is_alone(op))
        prefer(facts, op, parameters, 256, MOST_ITEMS, 64);
    tile_defaults(facts, op, parameters, 512);
    several_groups(facts, op, parameters);
}

static void medium_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    const bool plain = is_plain(op);
    prefer(facts, op, parameters, plain ? 128 : 256, plain ? MOST_ITEMS : 16, is_alone(op) ? 56 : plain ? 88 : 64);
    tile_defaults(facts, op, parameters, 256);
    if (is_alone(op))
        several_groups(facts, op, parameters);
}

/* More registers: all of a tile's lanes sort together. */
static void rows_medium_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    if (is_alone(op))
        prefer(facts, op, parameters, 128, MOST_ITEMS, 88);
    medium_defaults(facts, op, parameters);
}

/* For short rows, whose work-items wait for no others but those of some rows beside theirs. */
static void small_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    tile_defaults(facts, op, parameters, 128);
}

/* What is in one tile is not merged, so tiles are as large as caches allow; of rows a call may have smaller ones. */
static void cpu_rows_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 1 << 18);
}

static void cpu_irregular_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters)
{
    (void)facts, (void)op;
    clf_parameter_default(parameters, "items", 1 << 16);
}

#define KERNELS "clf_segments_tiles", "clf_segments_merge", "clf_segments_cuts"
static const char *const rows_kernels[] = {KERNELS, NULL};
static const char *const irregular_kernels[] = {KERNELS, "clf_segments_ends" /* CLF_SORTING_ENDS */, NULL};

static const char *const numbers[] = {"pass", "unit", "stride", "magic", "tiles", "limit", NULL};

#define SORTS(its_name, its_needs, its_kernels, its_defaults)                                                          \
    {.name = its_name, .needs = its_needs, .file = "sort/segments_merge.cl", .kernels = its_kernels,                   \
     .numbers = numbers, .parameters = "items,group", .defaults = its_defaults, .local = tile_local}
#define VARIANTS(its_kernels, on_cpus, medium)                                                                         \
    {{.name = "cpu", .needs = CLF_NEEDS_CPU, .file = "sort/segments_cpu.cl", .kernels = its_kernels,                   \
      .numbers = numbers, .parameters = "items", .defaults = on_cpus},                                                 \
     SORTS("large", 0, its_kernels, large_defaults), SORTS("medium", CLF_NEEDS_ASKING, its_kernels, medium),           \
     SORTS("small", CLF_NEEDS_ASKING, its_kernels, small_defaults), {.name = NULL}}
const clf_variant clf_rows_sort_variants[] = VARIANTS(rows_kernels, cpu_rows_defaults, rows_medium_defaults);
const clf_variant clf_irregular_sort_variants[] = VARIANTS(irregular_kernels, cpu_irregular_defaults, medium_defaults);

/* SPDX-License-Identifier: MIT */
/*
 * primitives: the functions that they share. The highest layer.
 */
#ifndef CLF_PRIMITIVES_H
#define CLF_PRIMITIVES_H

#include "core/core.h"
#include "primitives/sorts.h"

/* ---- Calls ------------------------------------------------------------------------------------------ */

/* Does only the device know how many elements, or segments, a call has? */
static inline bool clf_arguments_size_given(const clf_arguments *arguments)
{
    return (arguments->flags & (CLF_ARG_GIVEN_SIZE | CLF_ARG_GIVEN_COUNT)) != 0;
}

/* ---- catalogue.c: the list of all primitives ----------------------------------------------------------- */

/* All of them: a new one joins here. One of each name; of the array the last is NULL. */
#define CLF_PRIMITIVES(F)                                                                                              \
    F(scan) F(segmented_scan) F(irregular_scan) F(reduce) F(irregular_reduce) F(transpose) F(adjacent_difference)      \
    F(filter) F(unique) F(partition) F(reduce_by_key) F(gather) F(scatter) F(merge) F(bounds) F(sorted_bounds)         \
    F(split) F(sort) F(segmented_sort) F(irregular_sort) F(merge_sort) F(is_sorted) F(top_k) F(reduce_by_index)        \
    F(expand) F(irregular_top_k)
#define CLF_PRIMITIVE_DECLARE(name) extern const clf_primitive clf_##name##_primitive;
CLF_PRIMITIVES(CLF_PRIMITIVE_DECLARE)
extern const clf_primitive *const clf_primitives[];

/* ---- own.c: a plan's state besides engines (clf_plan.own) ------------------------------------------------- */

/* Zeroed memory for it. */
clf_status clf_own_memory(clf_plan *plan, size_t bytes, clf_error *error);
/* Finishes a plan: after a failure releases it, and sets it to NULL. Returns `status`. */
clf_status clf_own_finish(clf_plan **plan, clf_status status);
/*
 * On success drops the plan's reference to its context; the owner keeps the context alive. For plans of steps, and of
 * the context's own table: otherwise plan and context would form a cycle. Returns `status`.
 */
clf_status clf_own_weaken(clf_plan **plan, clf_status status);
/* For clf_primitive, if clf_plan.own is a plan, or NULL. */
clf_status clf_own_plan_compile(clf_plan *plan, clf_error *error);
void clf_own_plan_close(clf_plan *plan);
/* The same for several plans, some of which may be NULL. */
enum { CLF_OWN_STEPS = 4 };
typedef struct clf_own_steps {
    clf_plan *plan[CLF_OWN_STEPS];
} clf_own_steps;
clf_status clf_own_steps_compile(clf_plan *plan, clf_error *error);
void clf_own_steps_close(clf_plan *plan);

/* ---- heads.c: head bits from other descriptions of segments -------------------------------------------- */

/*
 * Makes head bits: bit i % 32 of word i / 32 is set where element i starts a segment, and clear elsewhere;
 * bit 0 may be either. Made from bytes, keys or offsets; lengths are first made into start indices.
 */
typedef struct clf_heads {
    cl_program program;
    clf_kernel_pool kernel, names;
    bool scatters;        /* entries are per segment, not per element: the words must be zero beforehand */
    cl_uint group, items; /* entries or words per work-item */
} clf_heads;
/*
 * Compiles the kernel (CLF_BY_HEAD_BITS has none: nothing happens); `names`: and the one of clf_heads_names.
 * Zero-initialised is closed.
 */
clf_status clf_heads_open(clf_heads *heads, clf_compiler *compiler, const clf_segmentation *segmentation, bool names,
                          clf_error *error);
void clf_heads_close(clf_heads *heads);
/* Words of head bits for n elements. */
cl_ulong clf_heads_words(cl_ulong n);
/* Sets clf_heads_words(n) words of `bits`, whose offset counts words. `count` segments: used only if it scatters. */
clf_status clf_heads_run(clf_heads *heads, clf_run *run, cl_ulong n, cl_ulong count, const clf_array *entries,
                         const clf_array *bits);
/* The segment of each head, if entries are starts; before[w]: heads before word w. */
clf_status clf_heads_name(clf_heads *heads, clf_run *run, cl_ulong n, cl_ulong count, const clf_array *starts,
                          const clf_array *bits, const clf_array *before, const clf_array *names);

/* ---- chained.c: chained scans over tiles ---------------------------------------------------------------- */

/* Elements of a call, and tiles of so many. */
cl_ulong clf_chained_total(const clf_arguments *arguments);
cl_ulong clf_chained_tiles(const clf_engine *engine, cl_ulong n);
/* Does the device's compiler, Mesa's, move elements word by word? Rows of an odd number meet no conflicts of banks. */
bool clf_chained_by_words(const clf_facts *facts, const clf_operator_copy *op);
/* For clf_variant: by look-back, serial, by windows or with a central group; */
void clf_chained_serial_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_chained_window_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_chained_central_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
clf_status clf_chained_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
clf_status clf_chained_central_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/* in two passes, by kernels up, spine and down; the first, tiles alone, for others; */
void clf_chained_tile_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_chained_two_pass_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_chained_two_pass_scratch(const clf_engine *engine, clf_run *run, clf_arguments *arguments);
clf_status clf_chained_two_pass_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/* by one group, whose tile must hold all elements; */
clf_status clf_chained_one_group_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/* and on CPUs, by a group per core. */
void clf_chained_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
clf_status clf_chained_cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/*
 * For filters and reductions by key, whose results the device counts: the kernels' further numbers and array; roles
 * (main for any n, small for an n that fits the tile of one group); the fields of a clf_primitive; and calls.
 */
extern const char *const clf_chained_room[];
extern const clf_named_array clf_chained_result[];
extern const char *const clf_chained_roles[];
const clf_variant *clf_chained_variant_for(const clf_plan *plan, cl_uint role);
clf_engine *clf_chained_choose(const clf_plan *plan, const clf_task *task);
clf_status clf_chained_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task);
clf_status clf_chained_run(const clf_plan *plan, clf_run *run, const clf_task *task);
#define CLF_COUNTED CLF_COUNTED_WITH(0)
#define CLF_COUNTED_WITH(more)                                                                                         \
    .flags = CLF_FROM_DEVICE | (more), .arrays = clf_chained_result, .roles = clf_chained_roles,                       \
    .variant_for = clf_chained_variant_for, .choose = clf_chained_choose, .check = clf_chained_check,                  \
    .run = clf_chained_run
enum { CLF_COUNTED_BY_ONE_GROUP = 1 }; /* the way of that variant */
/*
 * Their variants, for tables: by a CPU; by tiles, of which `its_name` names the kernels and `its_file` the file in cl/
 * that says what they keep; and by one group, whose tile must take all. "central", "window" and "serial" are the same
 * program, compiled for a look-back each. `its_local`: local memory of a tile.
 */
#define CLF_COUNTED_CPU(its_file, its_name)                                                                            \
    {.name = "cpu", .needs = CLF_NEEDS_CPU, .waits = true, .first = its_file,                                          \
     .file = "chain/compact_cpu_template.cl",                                                                          \
     .kernels = (const char *const[]){its_name "_cpu", NULL}, .numbers = clf_chained_room,                             \
     .parameters = "items,spin,nontemporal,stall,count", .defaults = clf_chained_cpu_defaults,                         \
     .run = clf_chained_cpu_launch}
#define CLF_COUNTED_TILE(its_file, its_local) .first = its_file, .local = its_local, .numbers = clf_chained_room
#define CLF_COUNTED_LOOKBACK(its_file, its_name, its_local)                                                            \
    .waits = true, .file = "chain/compact_lookback_template.cl",                                                       \
    .kernels = (const char *const[]){its_name "_lookback", NULL},                                                      \
    .parameters = "items,group,ticket,spin,stall,reverse,count", CLF_COUNTED_TILE(its_file, its_local)
#define CLF_COUNTED_TILES(its_file, its_name, its_local)                                                               \
    {.name = "window", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .defaults = clf_chained_window_defaults,         \
     .run = clf_chained_launch, CLF_COUNTED_LOOKBACK(its_file, its_name, its_local)},                                  \
    {.name = "central", .needs = CLF_NEEDS_PROGRESS | CLF_NEEDS_LANES, .defaults = clf_chained_central_defaults,       \
     .run = clf_chained_central_launch, CLF_COUNTED_LOOKBACK(its_file, its_name, its_local)},                          \
    {.name = "serial", .needs = CLF_NEEDS_PROGRESS, .defaults = clf_chained_serial_defaults,                           \
     .run = clf_chained_launch, CLF_COUNTED_LOOKBACK(its_file, its_name, its_local)},                                  \
    {.name = "two_pass", .file = "chain/compact_two_pass_template.cl",                                                 \
     .kernels = (const char *const[]){its_name "_up", "clf_scan_spine", its_name "_down", NULL},                       \
     .parameters = "items,group,partials", .defaults = clf_chained_two_pass_defaults,                                  \
     .run = clf_chained_two_pass_launch, .repeats = true, CLF_COUNTED_TILE(its_file, its_local)}
#define CLF_COUNTED_ONE_GROUP(its_file, its_name, its_local)                                                           \
    {.name = "one_group", .way = CLF_COUNTED_BY_ONE_GROUP, .needs = CLF_NEEDS_ASKING,                                  \
     .file = "chain/compact_one_group_template.cl", .kernels = (const char *const[]){its_name "_one_group", NULL},     \
     .parameters = "items,group", .defaults = clf_chained_tile_defaults, .run = clf_chained_one_group_launch,          \
     .repeats = true, CLF_COUNTED_TILE(its_file, its_local)}

/* ---- path.c: merge path: two sorted sequences in tiles -------------------------------------------------- */

/* Is there local memory for several groups with large tiles? */
bool clf_path_is_roomy(const clf_facts *facts);
/* For clf_variant: tiles in local memory, of kernels for cuts and for tiles, with the number "cuts"; */
void clf_path_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
cl_ulong clf_path_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
/* Does a launch of its own find the cuts of so many tiles? */
bool clf_path_has_cuts(const clf_engine *engine, cl_ulong tiles);
/* Its cuts are in scratch, with so many bytes behind them for the caller. */
clf_status clf_path_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments, cl_ulong behind);
/* and a tile by each work-item of a CPU. */
void clf_path_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
clf_status clf_path_cpu_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/* Before a plan is made: nothing but elements, and which comes first. `what`: "merge". */
clf_status clf_path_check_operator(const char *what, const clf_operator *op, clf_plan **plan, clf_error *error);
/* What calls check before their arrays. */
clf_status clf_path_check_call(clf_check *check, const clf_plan *plan, const clf_call *call, const char *what);
/*
 * The engine's run. Inputs have `size` elements and `count`: a sequence of no elements has no arrays. Outputs are the
 * task's, or these positions; NULL: none.
 */
clf_status clf_path_run(const clf_plan *plan, clf_run *run, const clf_task *task, const clf_array *positions);
/* For clf_primitive: n elements in one of both sequences. */
cl_uint clf_path_worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks);

/* ---- scan.c: its engines, for segments too ------------------------------------------------------------- */

extern const clf_variant clf_scan_variants[];
extern const char *const clf_scan_roles[];
const clf_variant *clf_scan_variant_for(const clf_plan *plan, cl_uint role);
clf_engine *clf_scan_choose(const clf_plan *plan, const clf_task *task);
/* A scan on this engine, with these flags of kernels, of segments too. `arrays` are its program's, or NULL: heads; the
 * count of operators that have `place` is the last of them. And what clf_primitive wants then. */
const clf_named_array *clf_scan_placed_arrays(const clf_operator_copy *op);
clf_status clf_scan_placed_check(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task);
clf_status clf_scan_placed_run(clf_run *run, clf_engine *engine, const clf_task *task, cl_uint flags,
                               clf_array *arrays);

/* ---- filter.c ------------------------------------------------------------------------------------------ */

/*
 * A plan of one engine that filters elements whose key is not after a threshold (cl/filter/least.cl). `flags` say in
 * which order. Its arrays are the number of kept elements, and the threshold.
 */
clf_status clf_least_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                          clf_error *error);

/* ---- index_cut.c: how a reduction by index is cut -------------------------------------------------------- */

typedef enum clf_index_way {
    CLF_INDEX_CPU, CLF_INDEX_LOCAL, CLF_INDEX_GLOBAL, CLF_INDEX_SORTED, CLF_INDEX_SPLIT
} clf_index_way;
clf_index_way clf_index_way_of(const clf_engine *engine);
/* Values that no atomic takes: their cells have locks. */
bool clf_index_is_wide(const clf_facts *facts, const clf_operator_copy *op);
/* Bytes of a value in a table on GPUs. */
cl_uint clf_index_cell_bytes(const clf_facts *facts, const clf_operator_copy *op);
/* Groups of a launch, at most, but for more rows; words of a value with a lock. */
enum { CLF_INDEX_GROUPS = 1 << 20, CLF_INDEX_WIDEST = 32 };
/* Roles of its plans; arrays that kernels get besides; which of their numbers is that of chunks; ranges at most. */
enum { CLF_INDEX_MAIN, CLF_INDEX_WIDE, CLF_INDEX_MANY };
enum { CLF_INDEX_TABLES, CLF_INDEX_HOT, CLF_INDEX_TOLD };
enum { CLF_INDEX_CHUNKS = 3, CLF_INDEX_RANGES = 256 };
/* A call: its engine, and how rows and bins are cut (cl/reduce_by_index/bins.cl). */
typedef struct clf_index_cut {
    const clf_plan *plan;
    clf_engine *engine;
    cl_ulong rows, size, bins;
    cl_ulong chunks, slices; /* of a row; of its bins */
    cl_uint rows_each;       /* rows of a part: short ones */
    cl_uint copies, team;
    cl_uint ranges, shift;             /* of variant "split": ranges of 2^shift bins */
    bool update, direct, scatter, hot; /* direct: there are no tables in scratch */
    bool any, several;                 /* measured: of any call; of several rows */
    cl_ulong striding;                 /* groups that stride over the bins */
    cl_ulong tables, scratch;          /* bytes */
} clf_index_cut;
/* `rows_told`: the device may know of fewer rows. */
clf_index_cut clf_index_cut_of(const clf_plan *plan, const clf_task *task, bool rows_told);
/* Has the variant of the call room for its sizes? */
clf_status clf_index_check(const clf_run *run, const clf_index_cut *cut, bool rows_told);
/* For clf_primitive: whatever rows; `count` is the number of all bins of all rows. And how such a task is cut. */
cl_uint clf_index_worst(const clf_plan *plan, cl_ulong n, cl_ulong count, clf_task *tasks);
clf_index_cut clf_index_cut_any(const clf_plan *plan, const clf_task *task);

/* ---- reduce_by_index.c, histograms.c: the one-call histograms --------------------------------------------- */

/* What says where bins are: the one captured array, and how many entries it has to have. */
typedef struct clf_index_edges {
    clf_span_role role; /* CLF_SPAN_EDGES, …_LOW_AND_HIGH, …_BEGIN_AND_WIDTH */
    cl_ulong count;
} clf_index_edges;
/*
 * The form of a plan: are bins told by edges, the one captured array, and how is x compared with the last one? By < or
 * by <=.
 */
typedef enum clf_index_form { CLF_INDEX_NO_EDGES, CLF_INDEX_EDGES_BELOW, CLF_INDEX_EDGES_UP_TO } clf_index_form;
clf_status clf_index_plan(clf_context *context, const clf_operator *op, clf_index_form form, unsigned flags,
                          const clf_plan_options *options, clf_plan **plan, clf_error *error);
/* For clf_primitive: what programs know of bins and values (index_text.c). */
void clf_index_write(clf_text *text, const clf_operator_copy *op);
/* clf_reduce_by_index for the call of this name; `edges` may be NULL. */
clf_status clf_histogram_run(clf_plan *plan, const char *name, const clf_call *call, cl_ulong n, cl_ulong bins,
                             const clf_index_edges *edges, const clf_array *in, const clf_array *out);
/* Histograms of elements that are bins; of bins of equal width; between edges, or of equal width from low to high. */
clf_status clf_histogram_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan, clf_error *error);
clf_status clf_histogram_even_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                   clf_error *error);
clf_status clf_histogram_edges_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                    clf_error *error);
clf_status clf_histogram_range_plan(clf_context *context, clf_type type, unsigned form, clf_plan **plan,
                                    clf_error *error);
/* Bits of `form`, beside CLF_FROM_DEVICE; and the most bins of equal width: what 32 bits, and a float, can say apart
 * from no bin. */
enum { CLF_FORM_UPPER_END = 1, CLF_FORM_ULONG = 2, CLF_FORMS = 4 };
#define CLF_MOST_EVEN_BINS 4294967040ull

/* ---- index_sorted.c: a reduction by index by sorting ----------------------------------------------------- */

/* State of a plan of variant "sorted"; `bins` of all rows, and of a row. */
clf_status clf_index_sorted_open(clf_plan *plan, clf_error *error);
clf_status clf_index_sorted_run(const clf_index_cut *cut, clf_run *run, clf_arguments *arguments);

/* ---- index_split.c: a reduction by index that first splits elements by ranges of bins ---------------------- */

/* May elements be moved before functions see them? */
bool clf_index_moves(const clf_operator_copy *op);
/* Its plan's state, a split; and a call. */
clf_status clf_index_split_open(clf_plan *plan, clf_error *error);
clf_status clf_index_split_run(const clf_index_cut *cut, clf_run *run, clf_arguments *arguments);

/* ---- split.c ------------------------------------------------------------------------------------------- */

/* A plan for steps of others, which the first call compiles: `most` parts; `told` gets where each begins, ulongs. */
clf_status clf_split_step_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                               clf_error *error);

/* ---- segmentation.c: the caller's description of irregular segments --------------------------------------- */

/* Bytes of one entry of its array, and how many entries there are. */
cl_uint clf_segmentation_bytes(const clf_segmentation *segmentation);
cl_ulong clf_segmentation_entries(const clf_segmentation *segmentation, cl_ulong n, cl_ulong count);

enum { CLF_TOLD = 3 }; /* arrays of clf_told_heads */
/* State of a plan for irregular segments (clf_plan.own). */
typedef struct clf_told {
    clf_segmentation segmentation;
    clf_heads heads;
    clf_plan *lengths_scan; /* of lengths: what makes offsets of them; else NULL */
    clf_plan *ends_scan;    /* of a sort: where segments of several tiles begin and end; of a top-k: of results and
                             * pieces; else NULL */
    clf_plan *sort;         /* of a top-k: for many results; of a sort: of long segments; else NULL */
    clf_plan *heads_scan;   /* of operators that get segments' numbers: heads before each word of bits; else NULL */
} clf_told;
/* Before a plan is made: is there a context, and is the segmentation one that its device has? */
clf_status clf_told_check(const clf_context *context, const clf_segmentation *segmentation, clf_plan **plan,
                          clf_error *error);
/*
 * Makes the state of *plan. `needs_heads`: its kernels read head bits. `flags`: CLF_EXCLUSIVE, if lengths are to become
 * starts; 0, if ends. After a failure the plan is released.
 */
clf_status clf_told_open(clf_plan **plan, const clf_segmentation *segmentation, bool needs_heads, unsigned flags,
                         clf_error *error);
/* For clf_primitive. */
clf_status clf_told_compile(clf_plan *plan, clf_error *error);
void clf_told_close(clf_plan *plan);
const clf_segmentation *clf_told_segmentation(const clf_plan *plan);
/* For scans and sorts: checks that sizes match, and the array that describes segments. */
clf_status clf_told_check_array(clf_check *check, const clf_plan *plan, const clf_task *task);
/* Offsets: the caller's, or 0 and what lengths add up to. */
clf_status clf_told_offsets(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *offsets);
/* How kernels are told of the numbers of segments. */
clf_numbers clf_told_numbers(const clf_segmentation *segmentation);
/*
 * Head bits: the caller's, or made of what else tells of segments. With CLF_WITH_SEGMENT, in the two arrays behind, how
 * many lie before each of their words; and if these are told by starts or lengths, the segment of each.
 */
clf_status clf_told_heads(const clf_plan *plan, clf_run *run, const clf_task *task, clf_array *heads);
/* The same where starts are known. */
clf_status clf_told_starts(const clf_plan *plan, clf_run *run, const clf_task *task, const clf_array *starts,
                           clf_array *heads);

/* ---- irregular_reduce.c --------------------------------------------------------------------------------- */

/*
 * A reduction of segments as a step of another primitive's call. Any call compiles the plan. Its `segments` are told by
 * offsets, ulongs, of which there is one more than `entries`; these need not end at n. Results are wanted as in
 * clf_plan_options.
 */
clf_status clf_reduce_step_plan(clf_context *context, const clf_operator *op, cl_ulong wanted, clf_plan **plan,
                                clf_error *error);

/* ---- reduce.c ---------------------------------------------------------------------------------------- */

/* The parameters of reductions on CPUs, whatever their segments. */
#define CLF_REDUCE_CPU_PARAMETERS "items,groups,streams"
void clf_reduce_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

/* ---- transpose_variants.c ---------------------------------------------------------------------------- */

extern const clf_variant clf_transpose_variants[];
/* Elements of a tile at any place: full rows, and columns less what a window lacks. */
typedef struct clf_extent {
    cl_uint rows, columns;
} clf_extent;
/* For an engine of variant "tile". */
clf_extent clf_transpose_tile(const clf_engine *engine);
/* Are elements smaller than words, but the rows of both matrices whole aligned words? */
clf_status clf_transpose_is_packed(const clf_task *task, cl_uint bytes, bool *packed);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * sorts: what sorts, top-k and shuffles offer each other and other primitives.
 */
#ifndef CLF_SORTS_H
#define CLF_SORTS_H

#include "core/core.h"

/* ---- digits.c: elements dealt out by a digit --------------------------------------------------------------- */

/* A plan that makes places of counts. */
clf_status clf_digits_scan_plan(clf_context *context, clf_plan **plan, clf_error *error);
/* Are ranks in local memory, so that three groups have registers? On NVIDIA those of keys alone (digit_rank.cl). */
bool clf_ranks_are_local(const clf_facts *facts, const clf_operator_copy *op);
/* For clf_variant: local memory of a tile, `kept`: with its digits. */
cl_ulong clf_digits_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint digits, bool kept, cl_uint group,
                          cl_uint items);
/* Such a step: the scan; the kernels and arrays of an engine that are for it; how many digits and tiles there are. */
typedef struct clf_digits_step {
    const clf_plan *scan;
    cl_uint up, down, counts, places, digits;
    cl_ulong tiles;
} clf_digits_step;
/* Takes both arrays; the first two of the three launches; all three. */
void clf_digits_take(clf_run *run, const clf_digits_step *step, clf_arguments *arguments);
clf_status clf_digits_count(clf_engine *engine, clf_run *run, const clf_digits_step *step, clf_arguments *arguments);
clf_status clf_digits_run(clf_engine *engine, clf_run *run, const clf_digits_step *step, clf_arguments *arguments);

/* ---- values.c: what all sorts check, and where their values are -------------------------------------------- */

/*
 * CLF_OVERWRITE_INPUT: inputs are the arrays beside the outputs that other plans have in scratch. Refuses plans whose
 * inputs are no values; takes these arrays.
 */
clf_status clf_overwriting_check(const clf_operator *op, unsigned flags, clf_plan **plan, clf_error *error);
void clf_spare_take(unsigned flags, clf_run *run, const clf_fields *value, cl_ulong n, const clf_array *in,
                    clf_array *spare);
/* What calls of sorts check before their arrays; and all that sorts of rows do. */
clf_status clf_sort_check(const clf_plan *plan, clf_check *check, const clf_call *call, const char *what);
clf_status clf_sort_check_rows(const clf_plan *plan, clf_check *check, const clf_call *call, clf_task *task);

/* ---- keys.c, sort.c ------------------------------------------------------------------------------------ */

/* For clf_primitive: what values are sorted by; -D CLF_ORDER, of a plan's flags; that calls may overwrite inputs. */
void clf_key_write(clf_text *text, const clf_operator_copy *op);
void clf_define_order(const clf_engine *engine, clf_text *options);
#define CLF_OVERWRITE_MACRO {CLF_OVERWRITE_INPUT, "CLF_OVERWRITE"}
/* The form of a plan: for calls, or for steps of others, of inputs or of values that lie in the outputs. */
enum { CLF_SORT_CALLS, CLF_SORT_INPUTS, CLF_SORT_VALUES };
/* Ways of variants that are not in sort.c; it has more. */
enum { CLF_SORT_BY_COUNTING, CLF_SORT_BY_MERGING, CLF_SORT_BY_RANKS, CLF_SORT_WAYS };
/*
 * A plan for steps of other primitives' calls, of rows of equal lengths, each for itself. The first call that needs
 * it compiles it. With of_outputs values lie in the outputs already, and tasks have no inputs.
 */
clf_status clf_sort_step_plan(clf_context *context, const clf_operator *op, bool of_outputs, unsigned flags,
                              clf_plan **plan, clf_error *error);
/* Does a plan sort as many elements in one launch? A task may want the first `most` of these alone. */
bool clf_sort_is_few(const clf_plan *plan, cl_ulong size);
clf_status clf_sort_compile_few(clf_plan *plan, clf_error *error); /* what these need */
/* Can a step have as many rows? */
bool clf_sort_takes_rows(cl_ulong rows, cl_ulong size);

/* Arrays in scratch that its kernels get (cl/sort/). */
enum { CLF_SORT_CONTROL, CLF_SORT_STARTS, CLF_SORT_TILE_COUNTS, CLF_SORT_PLACES };

/* ---- sort_counting.c: keys of up to 16 bits with nothing else ----------------------------------------------- */

/* Its variants, for the table of sort.c. */
extern const char *const clf_counting_kernels[], *const clf_counting_numbers[];
clf_status clf_counting_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error);
void clf_counting_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_counting_cpu_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
cl_ulong clf_counting_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
clf_status clf_counting_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
#define CLF_COUNTING_CPU                                                                                               \
    {.name = "counting_cpu", .way = CLF_SORT_BY_COUNTING, .needs = CLF_NEEDS_CPU, .takes = clf_counting_takes,         \
     .file = "sort/counting_cpu.cl", .kernels = clf_counting_kernels, .numbers = clf_counting_numbers,                 \
     .parameters = "groups", .defaults = clf_counting_cpu_defaults, .run = clf_counting_launch}
#define CLF_COUNTING                                                                                                   \
    {.name = "counting", .way = CLF_SORT_BY_COUNTING, .takes = clf_counting_takes,                                     \
     .file = "sort/counting_groups.cl", .kernels = clf_counting_kernels, .numbers = clf_counting_numbers,              \
     .parameters = "items,group,groups,local", .defaults = clf_counting_defaults, .local = clf_counting_local,         \
     .run = clf_counting_launch}

/* ---- merge_sort.c: a few values sorted by merging ----------------------------------------------------------- */

extern const char *const clf_merging_kernels[], *const clf_merging_numbers[];
clf_status clf_merging_takes(const clf_plan *plan, const clf_variant *variant, clf_error *error);
void clf_merging_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
clf_status clf_merging_launch(clf_engine *engine, clf_run *run, clf_arguments *arguments);
/* Its variant, for the table of sort.c. */
#define CLF_MERGING                                                                                                    \
    {.name = "merge", .way = CLF_SORT_BY_MERGING, .needs = CLF_NEEDS_ASKING, .takes = clf_merging_takes,               \
     .file = "merge/merge_sort_keys.cl", .kernels = clf_merging_kernels, .numbers = clf_merging_numbers,               \
     .defaults = clf_merging_defaults, .local = clf_path_local, .run = clf_merging_launch}

/* ---- sort_few.c: a few elements, by tiles and ranks -------------------------------------------------------- */

extern const char *const clf_few_kernels[], *const clf_few_numbers[];
void clf_few_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
void clf_ranks_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);
cl_ulong clf_few_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
enum { CLF_SORT_SMALL = 1, CLF_SORT_FEW };          /* roles of sort.c */
cl_ulong clf_few_most(const clf_operator_copy *op); /* elements; else merges two by two are no slower */
clf_status clf_few_run(clf_engine *engine, clf_run *run, const clf_task *task);
/* Its variants, for the table of sort.c. */
#define CLF_FEW(its_name, its_defaults)                                                                                \
    {.name = its_name, .way = CLF_SORT_BY_RANKS, .needs = CLF_NEEDS_ASKING, .file = "sort/sort_ranks.cl",              \
     .kernels = clf_few_kernels, .numbers = clf_few_numbers, .parameters = "items,group,streams",                      \
     .defaults = its_defaults, .local = clf_few_local}

/* ---- shuffle.c: sorts by random keys ----------------------------------------------------------------------- */

/* Plans, of elements of this type that are moved, and of indices of this type that are made; and their calls. */
clf_status clf_shuffle_plan(clf_context *context, clf_type type, clf_plan **plan, clf_error *error);
clf_status clf_permutation_plan(clf_context *context, clf_type type, clf_plan **plan, clf_error *error);
clf_status clf_shuffle_run(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong seed, const clf_array *in,
                           const clf_array *out);
clf_status clf_permutation_run(clf_plan *plan, const clf_call *call, cl_ulong n, cl_ulong seed, const clf_array *out);

/* ---- top_k_shape.c: how a top-k is done, and where its pieces are --------------------------------------- */

typedef enum clf_top_k_way {
    CLF_TOP_BY_STEPS, CLF_TOP_BY_ROW, CLF_TOP_BY_FEW, CLF_TOP_BY_SHORT, CLF_TOP_BY_SORT, CLF_TOP_BY_LEAD
} clf_top_k_way;
enum { CLF_TOP_K_FEWEST = 2 }; /* of its plans the one that sorts a few elements; or NULL */

/* What a call is about, and how it is done. */
typedef struct clf_top_k_shape {
    cl_ulong count, size, results; /* rows, elements and results of each */
    clf_top_k_way way;
    bool sampled, counted, sorted; /* a sample is taken; results are sorted by counting, or by sort.c */
    cl_uint chunks;                /* groups of a row; of short rows log2 of lanes */
    cl_ulong rows, groups;         /* in steps; groups of all these */
    cl_ulong room, more;           /* for candidates; for results before they are in order, or for more candidates */
} clf_top_k_shape;
/* For a task of `most` results each, or any of so many elements. */
clf_top_k_shape clf_top_k_shape_of(const clf_plan *plan, const clf_task *task);
/* Takes what the steps write: the head of a call with the state of its rows and counters, and what parts have. */
void clf_top_k_take(const clf_plan *plan, clf_run *run, const clf_top_k_shape *s, clf_array *control,
                    clf_array *counters, clf_array *parts);
bool clf_top_k_is_cpu(const clf_plan *plan);
cl_uint clf_top_k_warps(const clf_facts *facts, cl_uint group);
/* Work-items that share a row or a part of it (cl/top_k/few.cl), and entries of their list. */
cl_uint clf_top_k_unit(const clf_facts *facts, cl_uint group);
cl_uint clf_top_k_list(const clf_facts *facts, cl_uint group);

cl_uint clf_top_k_most_of_list(const clf_plan *plan); /* results */
/* For clf_variant: by groups. */
cl_ulong clf_top_k_local(const clf_facts *facts, const clf_operator_copy *op, cl_uint group, cl_uint items);
void clf_top_k_defaults(const clf_facts *facts, const clf_operator_copy *op, clf_parameters *parameters);

/* Rows as a launch of these sees them, and in how many parts of how many elements it cuts each. */
typedef struct clf_top_k_parts {
    cl_ulong size;
    cl_uint each, parts;
} clf_top_k_parts;
clf_top_k_parts clf_top_k_parts_of(const clf_plan *plan, const clf_top_k_shape *s, cl_ulong size);
/* Elements of a row that the next launch has. */
cl_ulong clf_top_k_parts_left(const clf_top_k_shape *s, const clf_top_k_parts *p);

/* ---- irregular_sort.c --------------------------------------------------------------------------------- */

/* A sort of segments told by offsets, as a step of another's call. The first call that needs it compiles it. */
clf_status clf_irregular_sort_step_plan(clf_context *context, const clf_operator *op, clf_type offsets, unsigned flags,
                                        clf_plan **plan, clf_error *error);

/* ---- long_segments.c -------------------------------------------------------------------------------------- */

extern const clf_primitive clf_long_segments_primitive; /* of steps alone */
enum { CLF_MOST_OF_LONG = (1 << 30) - 1 /* elements of a call: places of digits in a segment are 30 bits */ };
/*
 * A sort, digit by digit, of the segments that are longer than `most`, as a step. Their heads are told by two arrays,
 * `segments`, for each of `entries` spans of up to so many elements (cl/sort/segments.cl: lasts, firsts). The outputs
 * are the caller's, and as many in scratch, or the inputs. The first call that needs the plan compiles it.
 */
clf_status clf_long_segments_plan(clf_context *context, const clf_operator *op, unsigned flags, clf_plan **plan,
                                  clf_error *error);

/* ---- segmented_sort.c: sorts by merging, of irregular segments too ---------------------------------------- */

#define CLF_SORTING_FLAGS (CLF_DESCENDING | CLF_TOTAL_ORDER | CLF_FROM_DEVICE | CLF_OVERWRITE_INPUT)
extern const clf_variant clf_rows_sort_variants[], clf_irregular_sort_variants[];
enum { CLF_SORTING_ENDS = 3 /* the kernel of these alone that finds heads of tiles */ };

/* A call: how it is cut into tiles. */
typedef struct clf_sorting {
    const clf_plan *plan;
    clf_engine *engine;
    cl_ulong tiles, row_tiles, span; /* of all; of a row, or all of irregular segments; of the longest that is merged */
    cl_uint unit, stride, magic, limit, passes, pieces; /* cl/sort/segments.cl; pieces of a tile, at most */
    clf_array out[2 * CLF_MAX_FIELDS];                  /* the caller's, and as many in scratch, or inputs */
} clf_sorting;
void clf_sorting_cut_anywhere(clf_sorting *s, cl_ulong n, cl_uint limit); /* limit: 0, or of what is merged */
/* Are keys all there is to values? The longest segments that are faster merged; at least a tile. */
bool clf_sorting_is_alone(const clf_plan *plan);
cl_uint clf_sorting_longest(const clf_plan *plan);
/* What kernels get of the task; a launch; the launches that sort. */
clf_status clf_sorting_begin(clf_sorting *s, clf_run *run, const clf_task *task, clf_arguments *arguments);
clf_status clf_sorting_launch(const clf_sorting *s, clf_run *run, cl_uint kernel, const clf_arguments *arguments);
clf_status clf_sorting_run(const clf_sorting *s, clf_run *run, clf_arguments *arguments);

#endif

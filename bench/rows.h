/* SPDX-License-Identifier: MIT */
/*
 * What rows of a primitive are made of: the run, an operator's data, a call, a shape, the loops, and the primitives.
 */
#ifndef CLFOLD_BENCH_ROWS_H
#define CLFOLD_BENCH_ROWS_H

#include "bench.h"

/* ---- clfold_bench.c: one run on one device ------------------------------------------------------------- */

enum { BENCH_COPY_SIZES = 64 };
typedef struct bench_session {
    bench_options options;
    bool all_variants; /* of each primitive */
    bool usual_sizes; /* no --n was given */
    bench_device device;
    cl_context cl;
    cl_command_queue queue, profiling;
    clf_context *clf;
    bench_effort effort;
    FILE *json; /* NULL: none */
    unsigned done, wrong; /* rows */
    unsigned missing; /* cases that a peer has no row of, though it was asked for by name */
    unsigned copy_count;
    cl_ulong copy_bytes[BENCH_COPY_SIZES];
    bench_copies copies[BENCH_COPY_SIZES];
    cl_program copy_program;
    unsigned read_count;
    cl_ulong read_bytes[BENCH_COPY_SIZES];
    double read_us[BENCH_COPY_SIZES];
    cl_program read_program;
} bench_session;

/* One primitive: one file, one table entry. */
typedef struct bench_primitive {
    const char *name;
    unsigned flags; /* of the plan */
    clf_status (*plan)(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                       clf_plan **plan, clf_error *error);
    void (*run)(bench_session *session, const struct bench_primitive *self);
} bench_primitive;

/* ---- data.c: one operator's data ------------------------------------------------------------------------- */

struct peer;
typedef struct bench_peer {
    const struct peer *peer;
    void *state;
    bool named; /* not by "all" */
    unsigned rows;
    cl_ulong copied; /* n of copy_us */
    double copy_us;
} bench_peer;

enum { BENCH_PEERS = 16 };
/* Segments of any lengths: number `starts[k]` is where one starts, and the last is n. */
struct bench_segments {
    cl_ulong n, count;
    cl_uint *starts;
    clf_array array; /* what clfold gets */
};

typedef struct bench_data {
    bench_session *session;
    const bench_primitive *primitive;
    bench_operator op;
    cl_ulong limit, results; /* elements and results held */
    cl_ulong n, found; /* elements of the shape at hand, and results */
    cl_ulong bins; /* of histograms; else 0 */
    unsigned kept; /* filter: peer.h */
    cl_uint *indices; /* gather, scatter: those of the shape at hand */
    void *in[BENCH_FIELDS], *expected[BENCH_FIELDS];
    clf_array in_array[BENCH_FIELDS], out_array[BENCH_FIELDS];
    clf_array count; /* of results that only the device knows the number of */
    cl_mem staging; /* memory of the host that devices copy to fast */
    void *staged;
    unsigned peer_count;
    bench_peer peer[BENCH_PEERS];
    void *fetched[BENCH_FIELDS]; /* a peer's result */
    clf_plan *plain; /* of segmented scans: the plain one; of histograms by hand the second step */
    struct bench_segments *segments; /* irregular ones */
} bench_data;

/* Allocates all, and fills the input here and on the device; the caller has set all before `in`. */
void bench_open_data(bench_data *data);
void bench_close_data(bench_data *data);
/* So that no result of an earlier row is taken for the next one's. */
void bench_poison(const bench_data *data, cl_ulong results);
bool bench_is_right(const bench_data *data, cl_ulong results);

/* ---- segments.c: what tells of irregular segments ---------------------------------------------------------- */

/* As the primitive's name ends; else by offsets. Entries are bits, bytes or of 32 bits. */
clf_segments_by bench_segments_by(const bench_primitive *primitive);
cl_ulong bench_segments_bytes(const struct bench_segments *s, clf_segments_by by);
/* Makes `array` from the starts. */
void bench_segments_send(const bench_session *session, struct bench_segments *s, clf_segments_by by);
void bench_segments_forget(struct bench_segments *s);

/* ---- measure.c: one row's call --------------------------------------------------------------------------- */

typedef struct bench_call {
    const bench_data *data;
    clf_plan *plan;
    bench_shape shape;
    cl_ulong results; /* that it writes */
    clf_status (*enqueue)(const struct bench_call *call, cl_command_queue queue, cl_event *event);
    bool marked; /* us_event of several launches too, from a marker before them */
} bench_call;

bench_times bench_time_call(bench_call *call);
/* Verifies and times it; false if this variant does not do this shape. */
bool bench_measure(bench_call *call, bench_row *row);
/* The variant that clf_plan_describe names. */
void bench_name_by_size(const clf_plan *plan, bench_shape shape, char variant[64]);

/* ---- expect.c: results of segments --------------------------------------------------------------- */

/* The sequential scan of the elements [first, first + size) by themselves; captured arrays are whole. */
void bench_scan_part(const bench_data *data, cl_ulong first, cl_ulong size, bool exclusive, void *const *out);
/* Fill data->expected. */
void bench_expect_scans(bench_data *data, bench_shape shape);
void bench_expect_sums(bench_data *data, bench_shape shape);

/* ---- shapes.c -------------------------------------------------------------------------------------------- */

/* What to measure, by the command line; the caller frees the list. */
bench_shapes bench_list_shapes(const bench_session *session, bool segmented, bool batched);

/* ---- peer_rows.c: other libraries ------------------------------------------------------------------------ */

/* The wanted peers that do this operator; data has been opened. */
void bench_open_peers(bench_data *data);
void bench_close_peers(bench_data *data);
/* A row of each, like ours but for what was measured. */
void bench_run_peers(bench_data *data, const bench_row *ours, cl_ulong results);

/* ---- rows.c: the loops over operators, types, shapes, variants and defines --------------------------------- */

/* What a primitive on arrays or regular segments consists of. */
typedef struct bench_kind {
    bool segmented; /* of splits and --segments */
    bool batched;   /* of batches of matrices, too; else the matrices of a batch are just more segments */
    bool sums;      /* one result per segment, not per element */
    bool marked;    /* as in bench_call */
    bool maps;      /* does it do captured arrays and mapped outputs? */
    bool plain;     /* of integers, whatever is said of operators, */
    bool reals;     /* and of floating-point numbers */
    cl_ulong bins;  /* of a histogram: as many results, or, where elements are fewer, as those */
    const char *const *ops; /* the only operators, the usual one first, by what `find` says; NULL: all */
    bool (*find)(const char *op, const char *type, bench_operator *found); /* NULL: bench_find_operator */
    void (*open)(bench_data *data); /* before the first shape, and after the last; may be NULL */
    void (*close)(bench_data *data);
    void (*expect)(bench_data *data, bench_shape shape); /* may set data->found */
    void (*yardsticks)(bench_data *data, bench_row *row); /* copies and the like; all else in the row is set */
    clf_status (*enqueue)(const bench_call *call, cl_command_queue queue, cl_event *event);
    void (*name)(const clf_plan *plan, bench_shape shape, char variant[64]);
    cl_ulong (*moved)(const bench_data *data, const bench_row *row); /* what row->moved is; may be NULL */
} bench_kind;
/* In clfold-bench it makes rows; clfold-tune keeps the kind, and makes rows of its own (tune/kinds.c). */
void bench_run_kind(bench_session *session, const bench_primitive *primitive, const bench_kind *kind);
/* Prints and counts it. */
void bench_finish_row(bench_session *session, const bench_row *row);

/* ---- keys.c: keys of sorts and top-k ----------------------------------------------------------------------- */

/* A key by its place among all numbers of its type, and where it was. */
typedef struct bench_place {
    uint64_t place;
    cl_ulong index;
} bench_place;
void bench_open_keys(bench_data *data);
uint64_t bench_place_at(const bench_data *data, cl_ulong i);
/* For n of them; the caller frees it. */
bench_place *bench_alloc_places(cl_ulong n);
void bench_sort_places(bench_place *list, cl_ulong n);
/* These keys, and where they were if there is a second output, are expected from result `to` on. */
void bench_expect_places(bench_data *data, const bench_place *list, cl_ulong n, cl_ulong to);

/* ---- bench_scan.c … bench_adjacent_difference.c: rows of each primitive; cold.c ------------------------- */

/* As every primitive's plan. */
#define BENCH_PLAN(name)                                                                                               \
    clf_status bench_##name##_plan(clf_context *context, const clf_operator *op, unsigned flags,                       \
                                   const clf_plan_options *options, clf_plan **plan, clf_error *error);

void bench_scan_run(bench_session *session, const bench_primitive *self);
void bench_segmented_scan_run(bench_session *session, const bench_primitive *self);
/* Yardsticks of all scans of segments: copies, and our plain scan of as many elements. */
void bench_plain_close(bench_data *data);
void bench_plain_yardsticks(bench_data *data, bench_row *row);
/* Irregular segments as long as those of the shape on average. */
void bench_segments_make(bench_data *data, bench_shape shape);
void bench_irregular_scan_run(bench_session *session, const bench_primitive *self);
void bench_irregular_reduce_run(bench_session *session, const bench_primitive *self);
#define BENCH_FILTERS(F) F(filter) F(filter_0) F(filter_1) F(filter_25) F(filter_75) F(filter_99) F(filter_100) \
    F(filter_runs) F(filter_runs_1) F(filter_runs_25) F(filter_runs_75) F(filter_runs_99) F(filter_bits) \
    F(filter_tuple) F(unique) F(partition)
BENCH_FILTERS(BENCH_PLAN)
BENCH_PLAN(merge)
BENCH_PLAN(lower_bound)
void bench_merge_run(bench_session *session, const bench_primitive *self);
void bench_filter_run(bench_session *session, const bench_primitive *self);
#define BENCH_GATHERS(F) F(gather) F(gather_sorted) F(gather_identity) F(scatter) F(scatter_identity)
BENCH_GATHERS(BENCH_PLAN)
void bench_gather_run(bench_session *session, const bench_primitive *self);
BENCH_PLAN(reduce_by_key)
BENCH_PLAN(run_lengths)
void bench_reduce_by_key_run(bench_session *session, const bench_primitive *self);
void bench_run_lengths_run(bench_session *session, const bench_primitive *self);
BENCH_PLAN(split)
BENCH_PLAN(split_16)
void bench_split_run(bench_session *session, const bench_primitive *self);
BENCH_PLAN(sort)
BENCH_PLAN(sort_pairs)
BENCH_PLAN(sort_indices)
BENCH_PLAN(sort_low8)
BENCH_PLAN(merge_sort)
BENCH_PLAN(merge_sort_pairs)
BENCH_PLAN(is_sorted)
void bench_is_sorted_run(bench_session *session, const bench_primitive *self);
void bench_sort_run(bench_session *session, const bench_primitive *self);
/* Of sorts of segments, too: copies, and operators. */
void bench_sort_yardsticks(bench_data *data, bench_row *row);
bool bench_find_pairs(const char *op, const char *type, bench_operator *found);
BENCH_PLAN(segmented_sort)
BENCH_PLAN(segmented_sort_pairs)
BENCH_PLAN(irregular_sort)
void bench_segmented_sort_run(bench_session *session, const bench_primitive *self);
#define BENCH_TOPS(F) F(top_k_10) F(top_k_1024) F(top_k_65536) F(top_k_1024_sorted) F(top_k_1024_backwards) \
    F(top_k_1024_equal) F(top_k_1024_two)
#define BENCH_TOP_ROWS(F) F(top_k_rows_10) F(top_k_rows_100) F(top_k_rows_10_equal)
BENCH_PLAN(top_k)
BENCH_PLAN(top_k_unsorted)
void bench_top_k_run(bench_session *session, const bench_primitive *self);
BENCH_PLAN(histogram)
BENCH_PLAN(histogram_by_hand)
void bench_histogram_run(bench_session *session, const bench_primitive *self);
BENCH_PLAN(reduce_by_offsets)
BENCH_PLAN(reduce_by_bits)
BENCH_PLAN(reduce_by_bytes)
BENCH_PLAN(reduce_by_keys)
BENCH_PLAN(scan_by_bits)
BENCH_PLAN(scan_by_bytes)
BENCH_PLAN(scan_by_offsets)
BENCH_PLAN(scan_by_lengths)
BENCH_PLAN(scan_by_keys)
void bench_reduce_run(bench_session *session, const bench_primitive *self);
void bench_transpose_run(bench_session *session, const bench_primitive *self);
/* Bytes of an element of type b1 … b16, which only transpositions know; 0: no such type. */
unsigned bench_element_bytes(const char *type);
/* `op` only names a type. */
BENCH_PLAN(transpose)
void bench_adjacent_difference_run(bench_session *session, const bench_primitive *self);
void bench_segmented_adjacent_difference_run(bench_session *session, const bench_primitive *self);
/* Times every step from the driver's start to the first result; a process of its own calls nothing else. */
void bench_cold(const bench_options *options);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What rows of a primitive are made of: the run, an operator's data, a call, a shape, the loops, and the primitives.
 */
#ifndef CLFOLD_BENCH_ROWS_H
#define CLFOLD_BENCH_ROWS_H

#include "rows/operators.h"

/* ---- options.c: the command line --------------------------------------------------------------------------------- */

typedef struct bench_shape {
    cl_ulong batch;       /* matrices; 1 but for transpositions */
    cl_ulong count, size; /* segments, and elements of each */
} bench_shape;

typedef struct bench_shapes {
    unsigned count;
    bench_shape *shape;
} bench_shapes;

typedef struct bench_options {
    bench_words primitives, ops, types, variants, defines, peers;
    bench_sizes sizes, bins;
    unsigned shape_count;
    bench_shape *shapes; /* of --segments */
    const char *device, *json;
    unsigned reps;   /* batches; 0: verify only */
    bool reps_given; /* else by the device's kind */
    unsigned turns;  /* that each row of a shape has */
    bool ops_given;  /* else sum, or what is usual for a primitive */
    bool near, list, cold, help, version;
} bench_options;
void bench_print_usage(void);
/* Is the list the one word "all"? */
bool bench_is_all(const bench_words *words);
/* Replaces a list by the words of a text that are separated by spaces; "auto" becomes "". */
void bench_set_variants(bench_words *variants, const char *list);
void bench_parse_options(int argc, char **argv, bench_options *options);
void bench_free_options(bench_options *options);

/* ---- timing.c: median wall time of back-to-back calls ------------------------------------------------------------ */

typedef struct bench_work {
    void (*call)(void *state); /* starts one */
    void (*wait)(void *state); /* until all that were started are done */
    void *state;
} bench_work;

typedef struct bench_times {
    double us, us_min; /* of a call: median and least over batches */
} bench_times;

/*
 * How long to measure: batches of at least `calls` calls and `seconds` seconds; but fewer calls, and fewer batches,
 * where they would take longer than `most` seconds. Without batches nothing is called, and all times are 0.
 */
typedef struct bench_effort {
    unsigned batches, calls;
    double seconds, most;
} bench_effort;
bench_times bench_time(const bench_work *work, const bench_effort *effort);

/* ---- launches.c: counts what a call enqueues --------------------------------------------------------------------- */

/* Kernels, fills and copies enqueued by this process so far; 0 for ever where we cannot count. */
unsigned bench_launches(void);

/* ---- yardsticks.c: what copying and reading cost ---------------------------------------------------------------- */

struct bench_session;
struct bench_data;
struct bench_row;
typedef struct bench_yardstick {
    cl_ulong bytes;
    void (*by)(struct bench_session *session, struct bench_yardstick *y);
    double copy_us, copy_kernel_us, read_us;
} bench_yardstick;
/* A row's copy_us and copy_kernel_us: moving as many bytes as it does, half read and half written. */
void bench_copy(struct bench_data *data, struct bench_row *row);
/* A row's read_us: all its bytes, or those of its inputs. */
void bench_read_all(struct bench_data *data, struct bench_row *row);
void bench_read_inputs(struct bench_data *data, struct bench_row *row);
void bench_forget_yardsticks(struct bench_session *session);

/* ---- output.c: the table and JSON lines -------------------------------------------------------------------------- */

typedef struct bench_row {
    const char *primitive, *op, *type, *variant, *define, *peer;            /* peer NULL: clfold itself */
    const char *version;                                                    /* the peer's; NULL: it tells none */
    cl_ulong n, batch, segments, segment_size, bins;                        /* bins 0: no histogram */
    unsigned launches;                                                      /* 0: not known */
    unsigned model_items;                                                   /* 0: not asked */
    double us, us_min, us_event, copy_us, copy_kernel_us, read_us, scan_us; /* 0: not measured */
    unsigned depth;        /* of a block of a composed scan; 0: not counted */
    double work;           /* applications of the operator per element of it */
    cl_ulong bytes, moved; /* the least possible traffic; what kernels read and write, 0: not known */
    bool forced;           /* the variant was asked for, not chosen */
    bool verified;
} bench_row;
/* Prints and counts it. */
void bench_finish_row(struct bench_session *session, const bench_row *row);

/* ---- clfold_bench.c: one run on one device ----------------------------------------------------------------------- */

struct peer;
enum { BENCH_YARDSTICKS = 128 };
typedef struct bench_session {
    bench_options options;
    bool all_variants; /* of each primitive */
    bool usual_sizes;  /* no --n was given */
    bench_device device;
    cl_context cl;
    cl_command_queue queue, profiling;
    clf_context *clf;
    bench_effort effort;
    const struct peer *const *peers; /* those of this build; ends with NULL */
    FILE *json;                      /* NULL: none */
    unsigned done, wrong;            /* rows */
    unsigned refused;                /* plans, for their parameters */
    unsigned missing;                /* cases that a peer has no row of, though it was asked for by name */
    unsigned yardstick_count;
    bench_yardstick yardstick[BENCH_YARDSTICKS];
    cl_program yardsticks_program;
} bench_session;

typedef struct bench_kind bench_kind;

/* What the plan of plain values is made of. */
typedef struct bench_definition {
    const char *primitive;        /* the row's name */
    const clf_operator *of;       /* what was asked for: the sum of the type */
    clf_operator op;              /* at first that type alone */
    char fields[96], source[640]; /* room for texts */
} bench_definition;

/* A row of a table that each file of primitives has; the last one has no name. */
typedef struct bench_primitive {
    const char *name;
    const bench_kind *kind;
    clf_status (*plan)(clf_context *context, const clf_operator *op, unsigned flags, const clf_plan_options *options,
                       clf_plan **plan, clf_error *error);
    /* Instead, of segments that are told as the name ends (segments.c). */
    clf_status (*plan_by)(clf_context *context, const clf_operator *op, const clf_segmentation *segmentation,
                          unsigned flags, const clf_plan_options *options, clf_plan **plan, clf_error *error);
    void (*define)(bench_definition *d); /* NULL: plans are of what was asked for */
    unsigned flags;                      /* of the plan */
    /* Rows that are no kind's: composed scans. */
    void (*run)(struct bench_session *session, const struct bench_primitive *self);
} bench_primitive;

/* ---- primitives.c ------------------------------------------------------------------------------------------------ */

/* By number, NULL behind the last, and by name. */
const bench_primitive *bench_primitive_number(unsigned number);
const bench_primitive *bench_find_primitive(const char *name);

/* ---- data.c: one operator's data --------------------------------------------------------------------------------- */

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
    cl_ulong n, found;       /* elements of the shape at hand, and results */
    cl_ulong bins;           /* of histograms; else 0 */
    unsigned kept;           /* filter: peer.h */
    cl_uint *indices;        /* gather, scatter: those of the shape at hand */
    void *in[BENCH_FIELDS], *expected[BENCH_FIELDS];
    clf_array in_array[BENCH_FIELDS], out_array[BENCH_FIELDS];
    clf_array count; /* of results that only the device knows the number of */
    cl_mem staging;  /* memory of the host that devices copy to fast */
    void *staged;
    unsigned peer_count;
    bench_peer peer[BENCH_PEERS];
    void *fetched[BENCH_FIELDS];     /* a peer's result */
    clf_plan *plain;                 /* of segmented scans: the plain one; of histograms by hand the second step */
    struct bench_segments *segments; /* irregular ones */
} bench_data;

/* Allocates all, and fills the input here and on the device; the caller has set all before `in`. */
void bench_open_data(bench_data *data);
void bench_close_data(bench_data *data);
enum { BENCH_POISON = 0xA5 };
/* So that no result of an earlier row is taken for the next one's. */
void bench_poison(const bench_data *data, cl_ulong results);
bool bench_is_right(const bench_data *data, cl_ulong results);

/* ---- segments.c: what tells of irregular segments ---------------------------------------------------------------- */

/* As the primitive's name ends; else by offsets. Entries are bits, bytes or of 32 bits. */
clf_segments_by bench_segments_by(const bench_primitive *primitive);
cl_ulong bench_segments_bytes(const struct bench_segments *s, clf_segments_by by);
/* New ones of n elements, with room for their starts; then `array` is made from the starts. */
void bench_segments_begin(bench_data *data, cl_ulong n, cl_ulong count);
void bench_segments_send(bench_data *data);
/* Of data: none yet, and no more. */
void bench_segments_open(bench_data *data);
void bench_segments_close(bench_data *data);

/* ---- measure.c: one row's call ----------------------------------------------------------------------------------- */

typedef struct bench_call {
    const bench_data *data;
    clf_plan *plan;
    bench_shape shape;
    cl_ulong results; /* that it writes */
    clf_status (*enqueue)(const struct bench_call *call, const clf_call *how);
    bool marked; /* us_event of several launches too, from a marker before them */
} bench_call;

clf_status bench_make_plan(const bench_primitive *self, clf_context *context, const clf_operator *op,
                           const clf_plan_options *options, clf_plan **plan, clf_error *error);
clf_status bench_enqueue(const bench_call *call, cl_command_queue queue, cl_event *event);
bench_times bench_time_call(bench_call *call);
/* Verifies and times it; false if this variant does not do this shape. */
bool bench_measure(bench_call *call, bench_row *row);
/* A further turn: the row keeps the least times of all. */
void bench_measure_again(bench_call *call, bench_row *row);
/* The variant that clf_plan_describe names. */
void bench_name_by_size(const clf_plan *plan, bench_shape shape, char variant[64]);

/* ---- expect.c: results of segments ------------------------------------------------------------------------------- */

/* The sequential scan of the elements [first, first + size) by themselves; captured arrays are whole. */
void bench_scan_part(const bench_data *data, cl_ulong first, cl_ulong size, bool exclusive, void *const *out);
/* Fill data->expected: of the shape's segments, or of irregular ones where there are some. */
void bench_expect_scans(bench_data *data, bench_shape shape);
void bench_expect_sums(bench_data *data, bench_shape shape);

/* ---- shapes.c ---------------------------------------------------------------------------------------------------- */

/* What to measure, by the command line; the caller frees the list. */
bench_shapes bench_list_shapes(const bench_session *session, bool segmented, bool batched);

/* ---- peer_rows.c: other libraries -------------------------------------------------------------------------------- */

/* The wanted peers that do this operator; data has been opened. */
void bench_open_peers(bench_data *data);
void bench_close_peers(bench_data *data);
/* A row of each, like ours but for what was measured. */
void bench_run_peers(bench_data *data, const bench_row *ours, cl_ulong results);

/* ---- rows.c: the loops over operators, types, shapes, variants and defines --------------------------------------- */

/* What a primitive on arrays or regular segments consists of. What may be NULL is left out. */
struct bench_kind {
    bool segmented; /* of splits and --segments */
    bool batched;   /* of batches of matrices, too; else the matrices of a batch are just more segments */
    bool sums;      /* one result per segment, not per element */
    bool marked;    /* as in bench_call */
    float within;   /* results are floats, wrong by this part of themselves at most; 0: they are compared bit by bit */
    bool maps;      /* does it do captured arrays and mapped outputs? */
    bool plain;     /* of integers, whatever is said of operators, */
    bool reals;     /* and of floating-point numbers */
    const char *type; /* or of this type alone */
    bool unnamed;     /* rows say no operator */
    bool binned;      /* of a histogram, for each of --bins: as many results, or, where elements are fewer, as those */
    const char *const *ops; /* the only operators, the usual one first, by what `find` says; NULL: all */
    bool (*find)(const char *op, const char *type, bench_operator *found); /* NULL: bench_find_operator */
    void (*open)(bench_data *data); /* before the first shape, and after the last; may be NULL */
    void (*close)(bench_data *data);
    void (*expect)(bench_data *data, bench_shape shape);  /* may set data->found; may be NULL */
    void (*yardsticks)(bench_data *data, bench_row *row); /* copies and the like; all else in the row is set */
    clf_status (*enqueue)(const bench_call *call, const clf_call *how);
    void (*name)(const clf_plan *plan, bench_shape shape, char variant[64]); /* NULL: bench_name_by_size */
    cl_ulong (*moved)(const bench_data *data, const bench_row *row);         /* what row->moved is; may be NULL */
};
void bench_run_kind(bench_session *session, const bench_primitive *primitive);

/* ---- keys.c: keys of sorts and top-k ----------------------------------------------------------------------------- */

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

/* Second arrays, of places; definitions of keys, of these too, and with an order. */
bool bench_find_pairs(const char *op, const char *type, bench_operator *found);
void bench_define_keys(bench_definition *d);
void bench_define_pairs(bench_definition *d);
void bench_define_ordered(bench_definition *d);

/* ---- scan.c … transpose.c: rows of primitives; cold.c ------------------------------------------------------------ */

extern const bench_primitive bench_scan_rows[], bench_scan_form_rows[], bench_segmented_scan_rows[],
    bench_irregular_scan_rows[], bench_reduce_rows[], bench_irregular_reduce_rows[], bench_transpose_rows[],
    bench_filter_rows[], bench_gather_rows[], bench_merge_rows[], bench_reduce_by_key_rows[], bench_split_rows[],
    bench_sort_rows[], bench_segmented_sort_rows[], bench_merge_sort_rows[], bench_top_k_rows[], bench_histogram_rows[],
    bench_adjacent_difference_rows[], bench_expand_rows[], bench_softmax_rows[];

/* Yardsticks of all scans of segments: copies, and our plain scan of as many elements. */
void bench_plain_close(bench_data *data);
void bench_plain_yardsticks(bench_data *data, bench_row *row);
/* Irregular segments as long as those of the shape on average. */
void bench_segments_make(bench_data *data, bench_shape shape);
/* Bytes of an element of type b1 … b16, which only transpositions know; 0: no such type. */
unsigned bench_element_bytes(const char *type);
/* Times every step from the driver's start to the first result; a process of its own calls nothing else. */
void bench_cold(const bench_options *options);

#endif

/* SPDX-License-Identifier: MIT */
/*
 * What the files of clfold-bench and clfold-info share: devices, options, time, operators, yardsticks, output. What
 * rows of a primitive are made of is in rows.h. They use clfold through its public header only.
 *
 *     clfold-bench = clfold_bench.c options.c sizes.c, the loops (rows.c peer_rows.c shapes.c), a file per primitive
 *                    (bench_*.c segments.c composed.c composed_count.c), what is measured (operators.c
 *                    user_operators.c map_operators.c learning_operators.c bin_operators.c keys.c key_plans.c
 *                    data.c expect.c verify.c), how (measure.c timing.c
 *                    launches.c copy.c read.c cold.c threads.c), output.c cl_util.c peers/peers.c
 *                    peers/textbook.c, peers/python.c (UNIX), and the peers that are found:
 *                    peers/std_*.cpp (C++17, TBB; -DCLFOLD_PEER_STD_PAR for peers/peers.c),
 *                    peers/openmp.cpp (OpenMP; -DCLFOLD_PEER_OPENMP),
 *                    peers/vqsort.cpp (Highway; -DCLFOLD_PEER_VQSORT),
 *                    peers/boost_compute.cpp (Boost headers; -DCLFOLD_PEER_BOOST_COMPUTE),
 *                    peers/cub*.cu (nvcc; -DCLFOLD_PEER_CUB)
 *     clfold-info  = clfold_info.c cl_util.c
 *
 * Order of the layers: cl_util → timing, threads, launches, output → operators, verify → copy, read, data →
 * measure, expect, shapes → peer_rows → rows → bench_scan, bench_segmented_scan → bench_irregular_scan,
 * bench_reduce, bench_irregular_reduce, bench_transpose, bench_adjacent_difference, cold → clfold_bench. These are
 * programs: what cannot be helped ends them with a sentence (bench_die).
 */
#ifndef CLFOLD_BENCH_H
#define CLFOLD_BENCH_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120 /* nothing newer is needed */
#endif
#include "clfold/clfold.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* ---- cl_util.c: devices, queues, errors ---------------------------------------------------------------- */

typedef struct bench_device {
    cl_platform_id platform;
    cl_device_id id;
    cl_device_type type;
    char platform_name[128], name[128], driver[128];
} bench_device;

/* Of functions like printf: which argument is the text, and the first one that it speaks of. */
#ifdef __MINGW_PRINTF_FORMAT /* printf as in C99; "printf" is that of Windows there, which knows no %zu */
#define BENCH_FORMAT(text, first) __attribute__((format(__MINGW_PRINTF_FORMAT, text, first)))
#elif defined(__GNUC__)
#define BENCH_FORMAT(text, first) __attribute__((format(printf, text, first)))
#else
#define BENCH_FORMAT(text, first)
#endif
#define BENCH_PRINTF BENCH_FORMAT(1, 2)
#ifdef __GNUC__
__attribute__((noreturn))
#endif
BENCH_PRINTF void bench_die(const char *format, ...);
/* Dies with the text of a status that is no success. */
void bench_check(clf_status status, const char *what);
void *bench_alloc(size_t bytes);
/* A copy of the first `length` characters. */
char *bench_copy_text(const char *text, size_t length);

/* All devices of all platforms; the caller frees the list. */
unsigned bench_devices(bench_device **list);
/* By number, or by a part of the name or the platform's name, whatever the case. NULL text: the first GPU, or else
 * the first device. */
bench_device bench_pick_device(const char *text);
cl_context bench_context(const bench_device *device);
cl_command_queue bench_queue(cl_context context, cl_device_id device, bool profiling);
cl_mem bench_buffer(cl_context context, cl_ulong bytes);
/* Blocking transfers, in pieces that drivers stage well. */
void bench_write(cl_command_queue queue, cl_mem buffer, const void *data, cl_ulong bytes);
void bench_read(cl_command_queue queue, cl_mem buffer, void *data, cl_ulong offset, cl_ulong bytes);
/* The value of "name = value" in a text of clf_context_describe or clf_plan_describe; false if there is none. */
bool bench_described(const char *text, const char *name, char *value, size_t bytes);
/* The text of clf_plan_describe and clf_context_describe, malloc'ed. */
char *bench_describe_plan(const clf_plan *plan, cl_ulong n);
char *bench_describe_context(const clf_context *context);
double bench_seconds(void);
/* "PROGRAM 0.1.0": the library's version. */
void bench_print_version(const char *program);

/* ---- options.c: the command line ----------------------------------------------------------------------- */

typedef struct bench_words {
    unsigned count;
    char **word;
} bench_words;

typedef struct bench_sizes {
    unsigned count;
    cl_ulong *size;
} bench_sizes;

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
    unsigned reps; /* batches; 0: verify only */
    bool reps_given; /* else by the device's kind */
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

/* ---- sizes.c: numbers on the command line -------------------------------------------------------------- */

/* "2^20", "3e6", "1_000", each perhaps with "+1" or "-1" behind; *base is what a range multiplies by. */
cl_ulong bench_parse_size(const char **text, const char *option, cl_ulong *base);
/* A list, added to what there is. */
void bench_parse_sizes(bench_sizes *sizes, const char *option, const char *text);
/* "1024x65536,2^20x3", and matrices "1000x16x16" */
void bench_parse_shapes(bench_options *options, const char *text);

/* ---- timing.c: median wall time of back-to-back calls -------------------------------------------------- */

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

/* ---- threads.c: the host's processors ------------------------------------------------------------------ */

/* Calls `work` for parts of [0, n) that make up the whole, at the same time. */
void bench_parallel(cl_ulong n, void (*work)(void *state, cl_ulong first, cl_ulong last), void *state);

/* ---- launches.c: counts what a call enqueues ----------------------------------------------------------- */

/* Kernels, fills and copies enqueued by this process so far; 0 for ever where we cannot count. */
unsigned bench_launches(void);

/* ---- operators.c, user_operators.c: what is scanned, its inputs, and its sequential reference ---------- */

enum { BENCH_FIELDS = 6 };

typedef struct bench_operator {
    const char *name, *type; /* as on the command line; "4xu32" for a tuple */
    const clf_operator *op;
    unsigned inputs, outputs;
    unsigned captured; /* so many of the inputs, the last ones, are captured arrays … */
    unsigned each[BENCH_FIELDS]; /* … of so many elements per column; 0: one */
    unsigned extras;   /* so many of the outputs, the last ones, are mapped outputs: an element per element */
    cl_ulong columns;  /* the longest segment to come (set by data.c) */
    unsigned in_size[BENCH_FIELDS], out_size[BENCH_FIELDS]; /* bytes of an element of each field */
    clf_op builtin;
    clf_type scalar;
    cl_ulong first; /* index of the first element that `scan` is given, for maps that know it */
    /* NULL: the primitive fills, and sends, all inputs itself. */
    void (*fill)(const struct bench_operator *self, cl_ulong n, void *const *in);
    void (*scan)(const struct bench_operator *self, cl_ulong n, bool exclusive, void *const *in,
                 void *const *out);
} bench_operator;

/* False if there is no such pair. Operators on tuples ignore `type`. */
bool bench_find_operator(const char *op, const char *type, bench_operator *found);
/* Do other primitives than histograms know it? */
bool bench_is_operator(const char *op);
/* Is it one of the operators on tuples, which have no other type? */
bool bench_find_user_operator(const char *op, bench_operator *found);
/* Words for --list. */
extern const char *const bench_type_names[CLF_TYPE_COUNT + 1];
/* Name of operator number i on tuples; NULL behind the last. */
const char *bench_user_operator_name(unsigned i);
/* mat2 for others: an element, and a product. */
void bench_mat2_element(cl_ulong i, uint32_t matrix[4]);
void bench_mat2_multiply(const uint32_t x[4], const uint32_t y[4], uint32_t z[4]);
/* map_operators.c: the part of them that is about the map. */
enum { BENCH_MAP_OPERATORS = 3 };
extern const bench_operator bench_map_operators[BENCH_MAP_OPERATORS];
/* learning_operators.c: those of the examples k-means and back-propagation, and moments of rows. */
enum { BENCH_LEARNING_OPERATORS = 4 };
extern const bench_operator bench_learning_operators[BENCH_LEARNING_OPERATORS];
/* bin_operators.c: what histograms combine; the first is usual, the first few they alone know. Ends with NULL. */
extern const char *const bench_bin_ops[];
enum { BENCH_OWN_BIN_OPS = 4 };
bool bench_is_bin_op(const char *op);
/* `type` is that of bins, which are the first input. There is no fill and no scan: */
bool bench_find_bin_operator(const char *op, const char *type, bench_operator *found);
/* Elements [first, last) of the inputs behind the first. */
void bench_fill_bin_values(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in);
/* What bins [first, last) of a histogram of n elements come to, in the elements' order. */
void bench_combine_bins(const bench_operator *self, cl_ulong n, cl_ulong first, cl_ulong last, void *const *in,
                        void *const *out);
/* Elements of an input of `n` elements, in segments of `size`; of an output. */
cl_ulong bench_input_elements(const bench_operator *op, unsigned input, cl_ulong n, cl_ulong size);
cl_ulong bench_output_elements(const bench_operator *op, unsigned output, cl_ulong n, cl_ulong results);
/* Bytes of one element over all fields: read + written. */
unsigned bench_traffic(const bench_operator *op);
/* 64 well-mixed bits that depend on i alone. */
uint64_t bench_hash(uint64_t i);
/* The low bytes of a number, as element i of an array of elements of 1, 2, 4 or 8 bytes; and back. */
void bench_store(void *to, cl_ulong i, unsigned size, uint64_t value);
uint64_t bench_load(const void *from, cl_ulong i, unsigned size);

/* ---- verify.c ------------------------------------------------------------------------------------------ */

/* Sequential scan with a built-in operator. */
void bench_reference(const bench_operator *self, cl_ulong n, bool exclusive, void *const *in, void *const *out);
/* Compares the first n elements of one field, of `size` bytes each; says where they differ. */
bool bench_same_memory(const void *got, const void *expected, cl_ulong first, cl_ulong n, unsigned size);
/* Halves that are exact: small integers. */
uint16_t bench_half(float value);
float bench_from_half(uint16_t half);

/* ---- copy.c: what a copy costs ------------------------------------------------------------------------- */

typedef struct bench_copies {
    double copy_us, kernel_us;
} bench_copies;
struct bench_session;
struct bench_data;
struct bench_row;
/* A row's copy_us and copy_kernel_us: moving as many bytes as it does, half read and half written. */
void bench_copy(struct bench_data *data, struct bench_row *row);
void bench_forget_copies(struct bench_session *session);

/* ---- read.c: what reading costs ------------------------------------------------------------------------ */

/* Measured once per session and size. */
double bench_read_us(struct bench_session *session, cl_ulong bytes);
void bench_forget_reads(struct bench_session *session);

/* ---- output.c: the table and JSON lines ---------------------------------------------------------------- */

typedef struct bench_row {
    const char *primitive, *op, *type, *variant, *define, *peer; /* peer NULL: clfold itself */
    const char *version; /* the peer's; NULL: it tells none */
    cl_ulong n, batch, segments, segment_size, bins; /* bins 0: no histogram */
    unsigned launches; /* 0: not known */
    unsigned model_items; /* 0: not asked */
    double us, us_min, us_event, copy_us, copy_kernel_us, read_us, scan_us; /* 0: not measured */
    unsigned depth; /* of a block of a composed scan; 0: not counted */
    double work;    /* applications of the operator per element of it */
    cl_ulong bytes, moved; /* the least possible traffic; what kernels read and write, 0: not known */
    bool forced; /* the variant was asked for, not chosen */
    bool verified;
} bench_row;
void bench_print_row(const struct bench_session *session, const bench_row *row);
/* A line on stderr that the next row or progress overwrites; only on a terminal. */
BENCH_PRINTF void bench_progress(const char *format, ...);
BENCH_PRINTF void bench_note(const char *format, ...);
void bench_json_string(FILE *file, const char *text);
void bench_size_text(cl_ulong n, char text[24]);

#endif

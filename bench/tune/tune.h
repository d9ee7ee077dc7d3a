/* SPDX-License-Identifier: MIT */
/*
 * What the files of clfold-tune share.
 *
 *     run.c       measures              profile.c, limits.c, best.c, simulate.c   read logs
 *     log.c       rows, in json.c       families.c, space.c, search.c   what there is to try, and in what order
 *     process.c   a child that may crash or hang: process_posix.c, process_windows.c; ask.c says what it is to do
 *     worker.c    that child: ahead.c, check.c, time.c, kinds.c; system.c has what systems call by other names
 *
 * Only the child calls OpenCL: a process that has done so may not fork, and cannot outlive a driver that hangs.
 */
#ifndef CLFOLD_TUNE_H
#define CLFOLD_TUNE_H

#include "rows/rows.h"
#include "tune/process.h"

/* ---- json.c: objects of one line, without others inside ------------------------------------------- */

enum { TUNE_FIELDS = 48, TUNE_TEXT = 256, TUNE_LINE = 8192 };
typedef struct tune_json {
    unsigned count;
    struct {
        char key[32];
        char kind; /* 's'tring, 'n'umber, 'b'ool, '0' for null */
        char text[TUNE_TEXT];
        double number;
    } field[TUNE_FIELDS];
} tune_json;
/* NULL, or what is wrong with the line. */
const char *tune_json_parse(const char *line, tune_json *json);
/* "" and 0 where there is none of that kind. */
const char *tune_json_text(const tune_json *json, const char *key);
double tune_json_number(const tune_json *json, const char *key);
/* A line that is being written. Dies where it would be longer than TUNE_LINE. */
typedef struct tune_text {
    char *at;
    size_t length;
} tune_text;
BENCH_FORMAT(2, 3) void tune_append(tune_text *text, const char *format, ...);
/* In quotes, with what JSON wants to be escaped. */
void tune_append_string(tune_text *text, const char *string);

/* ---- log.c: rows ------------------------------------------------------------------------------------ */

/* One measurement, with all that is needed to do it again. A failure is one, too: it has no times. */
typedef struct tune_row {
    char device[128], platform[128], vendor[128], device_type[16], architecture[32], driver[128];
    char version[16];  /* of the library */
    char disable[128]; /* CLFOLD_DISABLE */
    char primitive[24], op[16], type[16], type_class[16];
    cl_ulong batch, segments, segment_size, bins; /* 0: no batch, no bins */
    char variant[32], define[128];                /* "auto": as clfold chooses with the profiles that it has */
    char status[16];                              /* ok, refused, failed, wrong, crashed, hung */
    char why[200];
    char verified_by[16]; /* the operator: "last" does not commute */
    double us, us_min, us_spread, reference_us, ratio, copy_us, build_s;
    double most, best; /* asked of the child: elements of the longest case; the least ratio so far */
    bool start;        /* the model's own point */
    bool again;        /* measured once more, because it is one of the best */
} tune_row;
typedef struct tune_log {
    size_t count, room;
    tune_row *row;
} tune_log;
void tune_row_write(FILE *file, const tune_row *row);
void tune_row_line(const tune_row *row, char line[TUNE_LINE]);
/* NULL, or what is wrong. */
const char *tune_row_parse(const char *line, tune_row *row);
/* Adds a file's rows. A last line that is not whole is left out, and `cut` (may be NULL) says so. Dies of others. */
void tune_log_read(tune_log *log, const char *path, bool *cut);
/* Takes the line away that is not whole: nothing may follow it. */
void tune_log_mend(const char *path);
void tune_log_add(tune_log *log, const tune_row *row);
void tune_log_free(tune_log *log);
bool tune_same_device(const tune_row *a, const tune_row *b);
/* The same device, primitive, operator, type, and `most`. */
bool tune_same_case(const tune_row *a, const tune_row *b);
bool tune_same_shape(const tune_row *a, const tune_row *b);
bool tune_same_point(const tune_row *a, const tune_row *b);
/* The one's point at the other's shape. */
tune_row tune_row_at(const tune_row *point, const tune_row *shape);
/*
 * How long the point of `row` takes, in times of the reference: the geometric mean over those shapes of its case that
 * the log has, of the median over rows. INFINITY if some row failed; negative if one of `shapes` shapes is missing.
 */
double tune_score(const tune_log *log, const tune_row *row, unsigned shapes);
/* Shapes of the row's case in the log, at most `room`. */
unsigned tune_shapes(const tune_log *log, const tune_row *row, const tune_row **shape, unsigned room);
/* The median ratio of the row's point at the row's shape; INFINITY if some row failed, negative if there is none. */
double tune_median(const tune_log *log, const tune_row *row);

/* ---- families.c: what is tuned ----------------------------------------------------------------------- */

enum { TUNE_SHAPES = 9, TUNE_AXES = 4, TUNE_BETWEEN = 3, TUNE_VARIANTS = 3 };
/* The values of a parameter: from the least to the most by powers of two, in steps of one or four; both divided by the
 * bytes of an element, or times the device's compute units; powers and 0, where there are vectors; rows of a tile. */
typedef struct tune_axis {
    const char *name;
    enum { TUNE_POWERS, TUNE_STEPS, TUNE_FOURS, TUNE_PER_BYTE, TUNE_PER_UNIT, TUNE_VECTORS, TUNE_TILE } kind;
    cl_uint least, most;
} tune_axis;
/* Variants with the same axes. */
typedef struct tune_variants {
    const char *names;     /* "window,serial" */
    const tune_axis *axes; /* at most TUNE_AXES, then one without a name; NULL: there are none */
    bool narrow;           /* of elements of up to two bytes */
} tune_variants;
/* A variant's name for what clfold chooses by the point's parameters: settings of dispatchers. */
#define TUNE_CHOSEN "chosen"
typedef struct tune_shape {
    cl_ulong batch, segments, size; /* in the table 0: as many as there are elements for; else a batch of 0 is none */
    cl_ulong bins;                  /* of histograms; results of a top-k; else 0 */
} tune_shape;
typedef enum tune_value { TUNE_ITSELF, TUNE_WITH_PLACE, TUNE_COUNT } tune_value;

/* What is tuned as one: variants that do the same work on some shapes. */
typedef struct tune_family {
    const char *name;    /* in rows */
    const char *word;    /* on the command line; or several */
    const char *bench;   /* what clfold-bench calls it: kinds.c */
    const char *profile; /* what its lines begin with */
    const char *role;    /* whose variant it is; cast by a line if there are several */
    bool cpu;            /* kernels for CPUs, or those for GPUs */
    bool named;          /* left out by --quick, but where it is named */
    bool slow;           /* left out by --quick */
    bool told;           /* a role that there is only where a profile says so, which its limit goes with */
    bool fixed;          /* the variant is the one that clfold chooses: profiles give the role no other */
    bool loose;          /* group * items is not what local memory holds */
    cl_ulong unit;       /* sizes are verified at odd multiples of that; 0: 1 */
    const char *types;   /* NULL: all, and tuples of them, by any operator; else these as they are */
    tune_value value;    /* what profiles call its class by: its type, that and a place of 4 bytes, a count */
    tune_variants variants[TUNE_VARIANTS];
    tune_shape shape[TUNE_SHAPES];
    /* Not searched: the points found in these families are measured side by side, the one for the smallest sizes
     * first, and thresholds between them made of that: the last size of the first one, its "limit", or, if the setting
     * is "fewest", the first one of the other. */
    const char *between[TUNE_BETWEEN];
    const char *setting;
} tune_family;
/* By number, NULL behind the last; by name and kind of kernels. */
const tune_family *tune_family_number(unsigned number);
const tune_family *tune_find_family(const char *name, bool cpu);
/* The one that the row is of; NULL if there is none of that name with that variant. */
const tune_family *tune_family_of(const tune_row *row);
/* Is it one of the words of a list with commas? */
bool tune_has_word(const char *list, const char *word);
/* By the words of the command line. */
bool tune_is_wanted(const tune_family *family, const bench_words *words, bool quick);
/* Shapes of about n elements, each once; how many there are. */
unsigned tune_list_shapes(const tune_family *family, cl_ulong n, tune_shape shape[TUNE_SHAPES]);

/* "sum" of a scalar, or "tuple4", which is 4xi64; false if there is no such type. */
bool tune_find_type(const char *type, bench_operator *found);
/* The same with the family's value as its outputs; false if it has no rows of the type. */
bool tune_find_value(const tune_family *family, const char *type, bench_operator *found);
void tune_class_of(const bench_operator *op, char name[16]);
/* Bytes of an element. */
unsigned tune_bytes_of(const bench_operator *op);

/* What the child says of the device. */
typedef struct tune_device {
    tune_row names; /* device … disable */
    bool cpu_kernels;
    cl_uint units, max_group, lane_width, local_bytes;
    double max_alloc;
} tune_device;
/* Elements of an operator's cases, if nobody says: as many as are long to copy, and fit. */
double tune_usual_elements(const tune_device *device, const bench_operator *op, bool quick);

/* ---- space.c: the points of their spaces ----------------------------------------------------------------- */

typedef struct tune_point {
    char variant[32];
    unsigned count;
    char name[TUNE_AXES][16];
    cl_uint value[TUNE_AXES];
} tune_point;
typedef struct tune_space {
    unsigned count, start;
    tune_point *point; /* those of a variant one behind the other */
    bool *near;        /* [count][count]: where a local search may go from each */
} tune_space;
void tune_free_space(tune_space *space);
/* `model`: "cpu items=65536 group=1 ...", the model's point, which is made one of them. */
tune_space tune_make_space(const tune_family *family, const tune_device *device, const bench_operator *op,
                           const char *model);
/* "items=20,group=256" */
void tune_define(const tune_point *point, char define[128]);
/* False if it is malformed. */
bool tune_parse_point(const char *variant, const char *define, tune_point *point);
void tune_add_point(tune_space *space, const tune_point *point);
bool tune_equal_points(const tune_point *a, const tune_point *b);

/* ---- search.c: which point to try next ----------------------------------------------------------------- */

typedef enum tune_strategy { TUNE_EXHAUSTIVE, TUNE_LOCAL, TUNE_RANDOM, TUNE_STRATEGIES } tune_strategy;
extern const char *const tune_strategy_names[TUNE_STRATEGIES];
/* TUNE_STRATEGIES if there is none of that name. */
tune_strategy tune_find_strategy(const char *name);
/* Fills in `near`: points that differ in one parameter by one step, and of each other variant the one most alike. */
void tune_link(tune_space *space);
typedef struct tune_search {
    const tune_space *space;
    const double *score; /* of each point: negative until it is known, INFINITY where it fails */
    tune_strategy strategy;
    unsigned *order; /* all points, shuffled by the seed */
    long centre;
} tune_search;
void tune_search_open(tune_search *search, const tune_space *space, const double *score, tune_strategy strategy,
                      uint64_t seed);
void tune_search_close(tune_search *search);
/* A point whose score is not known, or -1: there is no more to do. */
long tune_next(tune_search *search);
/* Those that it would try behind `point`, if that and they were no good; how many, at most `most`. */
unsigned tune_preview(const tune_search *search, unsigned point, unsigned most, unsigned *next);

/* ---- process.c: the child ---------------------------------------------------------------------------------- */

typedef struct tune_process {
    const char *program, *device;
    tune_channel child;
    char buffer[TUNE_LINE];
    size_t held;
} tune_process;
/*
 * Sends a line, starting the child if none runs, and waits for the line that it answers. NULL, or what happened
 * instead: "hung" or "crashed"; then none runs any more, and `why` has a sentence.
 */
const char *tune_ask(tune_process *process, const char *line, double seconds, char answer[TUNE_LINE], char why[200]);
/* Sends a line that nothing is answered to. */
void tune_tell(tune_process *process, const char *line);
void tune_process_end(tune_process *process);

/* ---- ask.c: what it is asked --------------------------------------------------------------------------------- */

typedef struct tune_child {
    tune_process process;
    double timeout;
    bool ahead;    /* the one that runs has compiled points ahead, of which any may be what ends it */
    unsigned lost; /* that had */
} tune_child;
/* Asks for the row. What a child does not survive that has compiled nothing ahead is a row, too. */
void tune_ask_row(tune_child *child, tune_row *row);
/* Says that the row's point is to be compiled ahead, by so many threads at the most. */
void tune_tell_ahead(tune_child *child, const tune_row *row, unsigned threads);
/* Dies if there is no answer. */
void tune_ask_device(tune_child *child, tune_device *device);
/* The model's point, as the child describes it; "" where the device has none. Do profiles say otherwise? */
bool tune_ask_model(tune_child *child, const char *primitive, const char *type, char model[TUNE_TEXT]);

/* ---- ahead.c: the child's plans ------------------------------------------------------------------------------ */

enum { TUNE_AHEAD = 16 }; /* threads, at most */
/* A point to make plans for. What is pointed to lasts until tune_ahead_clear. */
typedef struct tune_job {
    clf_context *context;
    const bench_primitive *primitive; /* as clfold-bench has it */
    const clf_operator *op, *last;    /* what is timed, and verified with: the same, perhaps */
    char variant[32], define[128];
} tune_job;
typedef struct tune_plans {
    clf_plan *timed, *checked;
    clf_status status; /* of both, and why they are not there */
    char why[190];
    double build_s;
} tune_plans;
void tune_make_plans(const tune_job *job, tune_plans *plans);
void tune_release_plans(tune_plans *plans);
/* Makes them on a thread, unless there are so many already. */
void tune_ahead_begin(const tune_job *job, unsigned threads);
/* The plans of a point, when they are there; false: nobody has begun with it. */
bool tune_ahead_take(const char *variant, const char *define, tune_plans *plans);
/* Waits for all, and releases them. */
void tune_ahead_clear(void);

/* ---- kinds.c: what is called ---------------------------------------------------------------------------------- */

/* What is timed, and verified with; false if there is no such operator. */
bool tune_find_operators(const bench_kind *kind, const char *type, bench_operator *timed, bench_operator *checked);
bench_shape tune_whole(tune_shape shape);
/* Makes the data's expected results those of the shape, unless they are. */
void tune_expect(const bench_kind *kind, bench_data *data, tune_shape shape, tune_shape *there);

/* ---- system.c: what systems have by other names -------------------------------------------------------------- */

/* To so many bytes; false if it cannot be. */
bool tune_truncate(FILE *file, long bytes);
/* Of the environment; NULL: there is none. */
void tune_set_variable(const char *name, const char *value);
/* Standard output for answers alone: what drivers print goes to standard error from now on. NULL if it cannot be. */
FILE *tune_take_output(void);
unsigned tune_processors(void);

/* ---- worker.c, check.c, time.c: what the child does ---------------------------------------- */

int tune_work(const char *device);
/* An operator that does not commute, on elements like those of `op`: the last that is not zero. */
bench_operator tune_last(const bench_operator *op);
/* Fills in the row's times: of the call, and of the same call of the reference's plan. */
void tune_time(bench_call *call, clf_plan *reference, tune_row *row);

/* ---- run.c, simulate.c, profile.c: what clfold-tune does ----------------------------------------- */

typedef struct tune_options {
    const char *program, *device, *log, *simulate, *json;
    bench_words primitives, types;
    cl_ulong n; /* 0: by the device's kind */
    tune_strategy strategy;
    unsigned evaluations; /* of each case, at most */
    unsigned seeds;
    int ahead; /* points compiled ahead; negative: by the device's kind */
    uint64_t seed;
    double seconds, timeout; /* 0: no bound; of a row */
    bool quick;
} tune_options;
/* ---- best.c ---------------------------------------------------------------------------------------------- */

/* What clfold chose with the profiles that it had, at the same shape. */
tune_row tune_as_shipped(const tune_row *row);
/* The best point of the row's case that is faster than the model and what ships; NULL: none is. `gain`: its share of
 * the model's time, or that of what ships; `least`: the best's. */
const tune_row *tune_best(const tune_log *log, const tune_row *row, double *gain, double *least);

/* ---- limits.c ------------------------------------------------------------------------------------------ */

/* What to measure for a family that is `between` others, in cases like the row's; how many points. */
unsigned tune_limit_points(const tune_log *log, const tune_family *family, const tune_row *like,
                           const tune_row *point[TUNE_BETWEEN]);
void tune_print_limits(const tune_log *log, const tune_row *like);

int tune_run(const tune_options *options);
int tune_simulate(const tune_options *options);
int tune_profile(int count, char **paths);
int tune_report(int count, char **paths);

#endif
